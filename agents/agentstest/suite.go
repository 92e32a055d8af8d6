package agentstest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/reference"
)

// rounding is what a chain of float32 operations, some tens of them, may add to a
// quantity of size one: each adds 2^-24.
const rounding = 1.0 / (1 << 18)

// contact is the overlap that counts as a contact, as a share of the radii's sum.
const contact = 0.01

// Suite holds a method to the contract. touch is how deep, as a share of the sum of their radii,
// two agents that pass each other may touch, and one a wall: 0.01, what counts as no contact yet,
// for methods that find velocities; somewhat more for such that sample them. All runs on the
// caller's goroutine, which may have the device's context; what is logged last is what failed.
func Suite(t *testing.T, decide Decide, touch float64) {
	t.Helper()
	for _, c := range []struct {
		name  string
		check func()
	}{
		{"stillness", func() { stillness(t, decide) }},
		{"alone", func() { alone(t, decide) }},
		{"head-on", func() {
			passing(t, decide, touch, walker{place: mgl64.Vec2{-4, 0}, goal: mgl64.Vec2{4, 0}}, walker{place: mgl64.Vec2{4, 0}, goal: mgl64.Vec2{-4, 0}})
		}},
		{"crossing", func() {
			passing(t, decide, touch, walker{place: mgl64.Vec2{-4, 0}, goal: mgl64.Vec2{4, 0}}, walker{place: mgl64.Vec2{0, -4}, goal: mgl64.Vec2{0, 4}})
		}},
		{"overlap", func() { parting(t, decide, 0.3) }},
		{"same spot", func() { parting(t, decide, 0) }},
		{"wall", func() { wall(t, decide, touch) }},
		{"limits", func() { limits(t, decide) }},
		{"zero radius", func() { zeroRadius(t, decide) }},
		{"order-free", func() { orderFree(t, decide) }},
	} {
		t.Log(c.name)
		c.check()
	}
}

// stillness: an agent that stands among others that stand, at arm's length, and prefers to stand,
// stands on, to the bit.
func stillness(t *testing.T, decide Decide) {
	w := world{decide: decide, params: usual()}
	for i := range 9 {
		at := mgl64.Vec2{float64(i%3) * 0.75, float64(i/3) * 0.75}
		w.agents = append(w.agents, walker{place: at, goal: at, radius: 0.25})
	}
	w.walls = []reference.Wall{{A: mgl64.Vec2{-1, -0.5}, B: mgl64.Vec2{3, -0.5}}}
	for range 20 {
		w.step()
	}
	for i, p := range w.agents {
		if p.place != p.goal || p.velocity != (mgl64.Vec2{}) {
			t.Errorf("agent %d of nine that stand has come to %v at %v, from %v", i, p.place, p.velocity, p.goal)
		}
	}
}

// alone: without others the preferred velocity is taken, or the nearest that can be reached.
func alone(t *testing.T, decide Decide) {
	r := rand.New(rand.NewPCG(11, 12))
	situations := make([]reference.Situation, 200)
	for i := range situations {
		s := situation(r, i)
		s.Neighbors, s.Walls = nil, nil
		s.Preferred = vector(r, maxSpeed)
		if i%2 == 0 {
			s.Preferred = s.Velocity.Add(vector(r, s.Params.MaxAcceleration*s.Timestep))
			s.Preferred = s.Preferred.Mul(min(1, maxSpeed/s.Preferred.Len()) * (1 - rounding))
		}
		situations[i] = exactly(s)
	}
	for i, v := range decide(situations) {
		s := situations[i]
		change := s.Preferred.Sub(s.Velocity)
		// The disc of velocities that can be reached is convex: of those on the way
		// from the present one to the preferred one all that are near enough.
		want := s.Velocity.Add(change.Mul(min(1, s.Params.MaxAcceleration*s.Timestep/change.Len())))
		if within(s) {
			want = s.Preferred
		}
		if d := v.Sub(want).Len(); d > maxSpeed*rounding {
			t.Errorf("alone, %+v: %v, want %v", s, v, want)
		}
	}
}

// within reports whether the preferred velocity can be reached.
func within(s reference.Situation) bool {
	return s.Preferred.Sub(s.Velocity).Len() <= s.Params.MaxAcceleration*s.Timestep*(1-rounding)
}

// passing tests that agents with paths that cross arrive at their goals and overlap by at most
// touch.
func passing(t *testing.T, decide Decide, touch float64, agents ...walker) {
	w := world{decide: decide, params: usual(), agents: agents}
	for i := range w.agents {
		w.agents[i].radius = 0.25
	}
	deepest := math.Inf(-1)
	// Paths of 8 m at 1.25 m/s take 52 steps; as many again for evading.
	for range 104 {
		w.step()
		deepest = max(deepest, w.overlap())
	}
	if deepest > touch {
		t.Errorf("they overlap by %.3f of the sum of their radii", deepest)
	}
	for i, p := range w.agents {
		if d := p.place.Sub(p.goal).Len(); d > p.radius {
			t.Errorf("%d is %.2f m from its goal", i, d)
		}
	}
}

// parting: two agents that overlap, and prefer to stand, part.
func parting(t *testing.T, decide Decide, apart float64) {
	for _, angle := range []float64{0, 1, 2.5, 4} {
		sine, cosine := math.Sincos(angle)
		places := [2]mgl64.Vec2{{3, 4}, {3 + apart*cosine, 4 + apart*sine}}
		w := world{decide: decide, params: usual()}
		for _, p := range places {
			w.agents = append(w.agents, walker{place: p, goal: p, radius: 0.25})
		}
		// Half a meter in 5 s: a tenth of what they could do at their acceleration.
		parted := false
		for range 40 {
			w.step()
			parted = parted || w.overlap() <= contact
		}
		if !parted {
			t.Errorf("begun %v apart at angle %v: they never part, at last %v and %v", apart, angle, w.agents[0].place, w.agents[1].place)
		}
	}
}

// wall: an agent that walks into a wall, or into a corner, stops before it, or walks along it.
func wall(t *testing.T, decide Decide, touch float64) {
	for _, goal := range []mgl64.Vec2{{0, -3}, {4, -3}, {9, -1}, {3.9, 3}} {
		w := world{decide: decide, params: usual(), walls: []reference.Wall{
			{A: mgl64.Vec2{-4, 0}, B: mgl64.Vec2{5, 0}},
			{A: mgl64.Vec2{5, 0}, B: mgl64.Vec2{5, 9}},
		}}
		w.agents = []walker{{place: mgl64.Vec2{0, 2}, goal: goal, radius: 0.25}}
		for step := range 80 {
			w.step()
			p := w.agents[0]
			for _, wall := range w.walls {
				if d := toWall(reference.Wall{A: wall.A.Sub(p.place), B: wall.B.Sub(p.place)}); d < p.radius*(1-touch) {
					t.Fatalf("to %v, step %d: at %v, %.3f m from the wall %v", goal, step, p.place, d, wall)
				}
			}
		}
	}
}

// limits: whatever the situation, the velocity is finite, no faster than the agent may be and no
// farther from the present one than it can accelerate. An agent that is too fast brakes.
func limits(t *testing.T, decide Decide) {
	r := rand.New(rand.NewPCG(13, 14))
	situations := make([]reference.Situation, 0, 600)
	for i := range cap(situations) {
		s := situation(r, i)
		if i%3 == 0 {
			degenerate(r, &s)
		}
		situations = append(situations, exactly(s))
	}
	for i, v := range decide(situations) {
		s := situations[i]
		if err := possible(s, v); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// possible says what keeps an agent from having a velocity after a step.
func possible(s reference.Situation, v mgl64.Vec2) error {
	speed, change := v.Len(), v.Sub(s.Velocity).Len()
	if math.IsNaN(speed) || math.IsInf(speed, 0) {
		return fmt.Errorf("velocity %v", v)
	}
	most := s.Params.MaxAcceleration * s.Timestep
	fastest := max(s.MaxSpeed, s.Velocity.Len()-most)
	slack := rounding * (fastest + most)
	if speed > fastest+slack {
		return fmt.Errorf("velocity %v, %v m/s, where %v are possible", v, speed, fastest)
	}
	if change > most+slack {
		return fmt.Errorf("velocity %v, a change by %v m/s, where %v are possible", v, change, most)
	}
	return nil
}

// zeroRadius: points pass each other, and walk up to walls, too.
func zeroRadius(t *testing.T, decide Decide) {
	w := world{decide: decide, params: usual(), walls: []reference.Wall{{A: mgl64.Vec2{-9, -1}, B: mgl64.Vec2{9, -1}}}}
	w.agents = []walker{{place: mgl64.Vec2{-3, 0}, goal: mgl64.Vec2{3, 0}}, {place: mgl64.Vec2{3, 0}, goal: mgl64.Vec2{-3, 0}}}
	for range 80 {
		w.step()
	}
	for i, p := range w.agents {
		if d := p.place.Sub(p.goal).Len(); !(d < 0.25) {
			t.Errorf("point %d is %v m from its goal, at %v", i, d, p.place)
		}
	}
}

// orderFree: what one agent decides does not depend on which others decide with it, nor on their
// order.
func orderFree(t *testing.T, decide Decide) {
	r := rand.New(rand.NewPCG(15, 16))
	situations := make([]reference.Situation, 150)
	for i := range situations {
		situations[i] = exactly(situation(r, i))
	}
	want := decide(situations)
	order := r.Perm(len(situations))
	shuffled := make([]reference.Situation, len(situations))
	for i, k := range order {
		shuffled[i] = situations[k]
	}
	for i, v := range decide(shuffled[:100]) {
		if v != want[order[i]] {
			t.Errorf("situation %d: %v among all, %v among others", order[i], want[order[i]], v)
		}
	}
}
