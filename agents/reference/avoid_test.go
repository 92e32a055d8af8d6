package reference

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// crowded makes a situation among others and walls, free of contacts unless asked for.
func crowded(r *rand.Rand, overlap bool) Situation {
	vector := func(most float64) mgl64.Vec2 {
		sine, cosine := math.Sincos(2 * math.Pi * r.Float64())
		length := most * math.Sqrt(r.Float64())
		return mgl64.Vec2{length * cosine, length * sine}
	}
	s := Situation{
		ID: 7, Velocity: vector(1.5), Preferred: vector(1.8), Radius: 0.1 + 0.3*r.Float64(), MaxSpeed: 2, Timestep: 0.1,
		Params: Params{
			MaxAcceleration: 2 + 20*r.Float64(), TimeHorizon: 0.5 + 4*r.Float64(), Samples: 300,
			Aggression: 1, LoadFactor: 0.5, Variant: 1 + r.IntN(2),
		},
	}
	for i := range r.IntN(9) {
		n := Neighbor{ID: uint32(i), Position: vector(4), Velocity: vector(1.5), Radius: 0.1 + 0.3*r.Float64(), Shares: r.IntN(4) > 0}
		n.Wish = n.Velocity // it is not held up, so that no neighbor claims the right of way
		if apart := n.Position.Len() > n.Radius+s.Radius; apart || overlap {
			s.Neighbors = append(s.Neighbors, n)
		}
	}
	for range r.IntN(3) {
		w := Wall{A: vector(4), B: vector(4)}
		if r.IntN(3) == 0 {
			w.Velocity = vector(2)
		}
		if w.behind() {
			w.A, w.B = w.B, w.A
		}
		if w.nearest().Len() > s.Radius || overlap {
			s.Walls = append(s.Walls, w)
		}
	}
	return s
}

// grid calls f with the velocities of a fine grid that are within reach.
func grid(s Situation, f func(v mgl64.Vec2)) {
	reach := s.reach()
	const n = 160
	for i := range n + 1 {
		for k := range n + 1 {
			v := mgl64.Vec2{float64(2*i)/n - 1, float64(2*k)/n - 1}.Mul(reach.speed.radius)
			if reach.speed.holds(v) && reach.change.holds(v) {
				f(v)
			}
		}
	}
}

// forbidden is what ClearPath-2 keeps out of, from the definition: relative velocities
// whose ray meets the disc of the summed radii, cut at the line through where the disc
// over the horizon is nearest.
func forbidden(s Situation, v mgl64.Vec2, slack float64) bool {
	for _, n := range s.Neighbors {
		relative, sum := v.Sub(n.Velocity), s.Radius+n.Radius-slack
		if n.Shares {
			relative = v.Mul(2).Sub(s.Velocity).Sub(n.Velocity)
		}
		p := n.Position
		_, time, _ := meeting(p, relative, sum)
		if !math.IsInf(time, 1) && relative.Dot(p.Normalize()) > (p.Len()-s.Radius-n.Radius)/s.horizon()+slack {
			return true
		}
	}
	for _, w := range s.Walls {
		q := w.nearest()
		relative, ahead := v.Sub(w.Velocity), s.stopping()
		if w.Velocity != (mgl64.Vec2{}) {
			ahead = s.horizon()
		}
		_, time, _ := w.meeting(relative, s.Radius-slack)
		if !math.IsInf(time, 1) && relative.Dot(q.Normalize()) > (q.Len()-s.Radius)/ahead+slack {
			return true
		}
	}
	return false
}

// TestClearPathIsNearest holds ClearPath-2 against all velocities of a fine grid.
func TestClearPathIsNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	changed, jammed := 0, 0
	for range 300 {
		s := crowded(r, false)
		s.Params.Variant = 2
		got := ClearPath(s)
		reach := s.reach()
		if got.Len() > reach.speed.radius+1e-9 || got.Sub(s.Velocity).Len() > reach.change.radius+1e-9 {
			t.Fatalf("%+v: %v is out of reach", s, got)
		}
		if got != s.Preferred {
			changed++
		}
		least := math.Inf(1)
		grid(s, func(v mgl64.Vec2) {
			if !forbidden(s, v, 0) {
				least = min(least, v.Sub(s.Desired()).Len())
			}
		})
		if math.IsInf(least, 1) {
			jammed++
			continue // the grid finds none: neighbors may have been forgotten
		}
		// The answer is on borders: inside by rounding at most.
		if forbidden(s, got, 1e-9) {
			t.Fatalf("%+v: %v is forbidden, and there are others", s, got)
		}
		if cost := got.Sub(s.Desired()).Len(); cost > least+1e-9 {
			t.Fatalf("%+v: %v is %v away from the preferred velocity, and there is one %v away", s, got, cost, least)
		}
	}
	if changed < 100 || jammed > 100 {
		t.Errorf("%d of 300 velocities were changed and %d had no way out: the situations are no test", changed, jammed)
	}
}

// TestClearPathKeepsItsSide: with variant 1 the new velocity lies on the present one's
// side of a neighbor's middle line, unless it does not reach the neighbor within the horizon.
// Of one neighbor alone all can be demanded: the apex is within reach, and outside.
func TestClearPathKeepsItsSide(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	checked, free := 0, 0
	for range 2000 {
		s := crowded(r, false)
		if len(s.Neighbors) != 1 {
			continue
		}
		n := s.Neighbors[0]
		s.Params.Variant, s.Walls, s.Params.MaxAcceleration = 1, nil, 100
		v := ClearPath(s)
		square := mgl64.Vec2{-n.Position[1], n.Position[0]}
		apex, share := n.Velocity, 1.0
		if n.Shares {
			apex, share = n.Velocity.Add(s.Velocity).Mul(0.5), 2
		}
		if v.Sub(apex).Dot(n.Position.Normalize()) < (n.Position.Len()-s.Radius-n.Radius)/(share*s.horizon())+1e-9 {
			free++
			continue
		}
		if before, after := s.Velocity.Sub(n.Velocity).Dot(square), v.Sub(apex).Dot(square); before*after < -1e-9 {
			t.Fatalf("%+v: from side %v to %v", s, before, after)
		}
		checked++
	}
	if checked < 20 {
		t.Errorf("only %d situations, and %d without a side", checked, free)
	}
}

// TestORCAIsNearest holds ORCA against all velocities of a fine grid: the nearest in all
// half planes, or, where there is none, the one that wrongs neighbors least.
func TestORCAIsNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	infeasible, held := 0, 0
	for range 600 {
		s := crowded(r, true)
		got := ORCA(s)
		reach := s.reach()
		if got.Len() > reach.speed.radius+1e-9 || got.Sub(s.Velocity).Len() > reach.change.radius+1e-9 {
			t.Fatalf("%+v: %v is out of reach", s, got)
		}
		least, leastStep, leastWrong, leastAll := math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)
		grid(s, func(v mgl64.Vec2) {
			w, touches, o := s.Wrong(v)
			if w <= 0 && o <= 0 {
				least = min(least, v.Sub(s.Desired()).Len())
			}
			if w <= 0 {
				leastWrong = min(leastWrong, o)
			}
			if w <= 0 && touches <= 0 {
				leastStep = min(leastStep, o)
			}
			leastAll = min(leastAll, max(w, o))
		})
		switch w, touches, o := s.Wrong(got); {
		case !math.IsInf(least, 1):
			if w > 1e-9 || o > 1e-9 || got.Sub(s.Desired()).Len() > least+1e-9 {
				t.Fatalf("%+v: %v is wrong by %v and %v, and %v away; there is one %v away", s, got, w, o, got.Sub(s.Desired()).Len(), least)
			}
		case !math.IsInf(leastStep, 1):
			held++
			if w > 1e-9 || touches > 1e-9 || o > leastStep+1e-9 {
				t.Fatalf("%+v: %v wrongs walls by %v, this step by %v and others by %v; there is %v", s, got, w, touches, o, leastStep)
			}
		case w <= 1e-9 && touches <= 1e-9:
			// What this step leaves is too little for the grid to find.
		case !math.IsInf(leastWrong, 1):
			infeasible++
			if w > 1e-9 || o > leastWrong+1e-9 {
				t.Fatalf("%+v: %v wrongs walls by %v and others by %v; there is %v", s, got, w, o, leastWrong)
			}
		default:
			infeasible++
			if max(w, o) > leastAll+1e-9 {
				t.Fatalf("%+v: %v is wrong by %v; there is %v", s, got, max(w, o), leastAll)
			}
		}
	}
	if infeasible < 20 || held < 20 {
		t.Errorf("only %d situations without a way out, and %d where no agent need be touched", infeasible, held)
	}
}

// TestMeeting holds the times of collisions against walking there in small steps.
func TestMeeting(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const step, most, nextTo = 1e-3, 5.0, 1e-5
	// Over a time of nextTo the way is straight but for as much as a circle of that radius bends,
	// and distances are exact to 1e-14.
	slope := func(v mgl64.Vec2, radius float64) float64 { return v.Dot(v)/radius*nextTo + 1e-14/nextTo }
	met := 0
	for range 300 {
		s := crowded(r, true)
		v := s.Velocity
		for _, w := range s.Walls {
			far := func(time float64) float64 {
				moved := v.Mul(time)
				return Wall{A: w.A.Sub(moved), B: w.B.Sub(moved)}.nearest().Len()
			}
			overlap, time, closing := w.meeting(v, s.Radius)
			if overlap != (far(0) < s.Radius) {
				t.Fatalf("wall %v: overlap %v at %v", w, overlap, far(0))
			}
			if overlap {
				continue // the way out is along the normal there, by definition
			}
			for at := 0.0; at < min(time, most); at += step {
				if far(at) < s.Radius-1e-9 {
					t.Fatalf("wall %v, velocity %v: %v away at %v, before %v", w, v, far(at), at, time)
				}
			}
			if time < most {
				met++
				if d := far(time + 1e-9); d > s.Radius+1e-6 {
					t.Fatalf("wall %v, velocity %v: still %v away at %v", w, v, d, time)
				}
				if got := (s.Radius - far(time+nextTo)) / nextTo; math.Abs(got-closing*s.Radius) > slope(v, s.Radius) {
					t.Fatalf("wall %v, velocity %v: nearer by %v m/s at %v, computed %v", w, v, got, time, closing*s.Radius)
				}
			}
		}
		for _, n := range s.Neighbors {
			sum := s.Radius + n.Radius
			overlap, time, closing := meeting(n.Position, v, sum)
			inside := func(at float64) bool { return n.Position.Sub(v.Mul(at)).Len() < sum }
			if overlap != inside(0) {
				t.Fatalf("neighbor %v: overlap %v", n, overlap)
			}
			for at := 0.0; at < min(time, most)-step; at += step {
				if inside(at) != overlap {
					t.Fatalf("neighbor %v, velocity %v: changes at %v, not at %v", n, v, at, time)
				}
			}
			if time < most {
				met++
				if d := n.Position.Sub(v.Mul(time)).Len(); math.Abs(d-sum) > 1e-6 {
					t.Fatalf("neighbor %v, velocity %v: %v apart at %v", n, v, d, time)
				}
				if got := (sum - n.Position.Sub(v.Mul(time+nextTo)).Len()) / nextTo; !overlap && math.Abs(got-closing*sum) > slope(v, sum) {
					t.Fatalf("neighbor %v, velocity %v: nearer by %v m/s at %v, computed %v", n, v, got, time, closing*sum)
				}
			}
		}
	}
	if met < 100 {
		t.Errorf("only %d meetings", met)
	}
}

// TestNearestWithinReach holds reach against a fine grid.
func TestNearestWithinReach(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		s := crowded(r, false)
		s.Velocity = s.Velocity.Mul(2 * r.Float64())
		reach := s.reach()
		target := s.Preferred.Mul(3)
		near, far := reach.nearest(target), reach.farthest(target.Normalize())
		for _, v := range []mgl64.Vec2{near, far} {
			if v.Len() > reach.speed.radius+1e-9 || v.Sub(s.Velocity).Len() > reach.change.radius+1e-9 {
				t.Fatalf("%+v: %v is out of reach", s, v)
			}
		}
		grid(s, func(v mgl64.Vec2) {
			if v.Sub(target).Len() < near.Sub(target).Len()-1e-9 {
				t.Fatalf("%+v: %v is nearer to %v than %v", s, v, target, near)
			}
			if v.Dot(target) > far.Dot(target)+1e-9 {
				t.Fatalf("%+v: %v is farther towards %v than %v", s, v, target, far)
			}
		})
	}
}

// method is a method with what it needs besides the situation.
type method struct {
	name   string
	choose func(Situation) mgl64.Vec2
}

func methods() []method {
	return []method{
		{"rvo", func(s Situation) mgl64.Vec2 {
			r := rand.New(rand.NewPCG(uint64(s.ID), uint64(s.Step)))
			return RVO(s, func(int) [2]float64 { return [2]float64{r.Float64(), r.Float64()} })
		}},
		{"clearpath-1", func(s Situation) mgl64.Vec2 { s.Params.Variant = 1; return ClearPath(s) }},
		{"clearpath-2", func(s Situation) mgl64.Vec2 { s.Params.Variant = 2; return ClearPath(s) }},
		{"orca", ORCA},
	}
}

// TestTwoPassEachOther has two agents walk through each other's places, head-on, at
// right angles, and one behind another: they arrive and do not touch.
func TestTwoPassEachOther(t *testing.T) {
	for _, c := range []struct {
		name      string
		from, to  [2]mgl64.Vec2
		tolerance float64 // of the radii's sum, for a method that samples
	}{
		{"head-on", [2]mgl64.Vec2{{-5, 0}, {5, 0}}, [2]mgl64.Vec2{{5, 0}, {-5, 0}}, 0.02},
		{"crossing", [2]mgl64.Vec2{{-5, 0}, {0, -5}}, [2]mgl64.Vec2{{5, 0}, {0, 5}}, 0.02},
		{"nearly head-on", [2]mgl64.Vec2{{-5, 0.1}, {5, 0}}, [2]mgl64.Vec2{{5, 0}, {-5, 0.1}}, 0.02},
	} {
		for _, m := range methods() {
			t.Run(c.name+" "+m.name, func(t *testing.T) {
				place, velocity := c.from, [2]mgl64.Vec2{}
				closest := math.Inf(1)
				const radius, dt = 0.3, 0.1
				for step := range 200 {
					var next [2]mgl64.Vec2
					for i := range place {
						way := c.to[i].Sub(place[i])
						preferred := way.Mul(min(1.3, way.Len()/dt) / max(way.Len(), 1e-9))
						other := 1 - i
						next[i] = m.choose(Situation{
							ID: uint32(i), Step: uint32(step), Velocity: velocity[i], Preferred: preferred, Radius: radius, MaxSpeed: 2, Timestep: dt,
							Params:    Params{MaxAcceleration: 5, TimeHorizon: 3, Samples: 250, Aggression: 1, LoadFactor: 0.5},
							Neighbors: []Neighbor{{ID: uint32(other), Position: place[other].Sub(place[i]), Velocity: velocity[other], Radius: radius, Shares: true}},
						})
					}
					for i := range place {
						velocity[i] = next[i]
						place[i] = place[i].Add(next[i].Mul(dt))
					}
					closest = min(closest, place[0].Sub(place[1]).Len())
				}
				if closest < 2*radius*(1-c.tolerance) {
					t.Errorf("they came as near as %v, radii %v", closest, radius)
				}
				for i := range place {
					if place[i].Sub(c.to[i]).Len() > 0.1 {
						t.Errorf("%d is at %v, not at %v", i, place[i], c.to[i])
					}
				}
			})
		}
	}
}

// TestRightOfWay: two agents that meet take the same for granted, each from its own side: both
// velocities, and shares that make up the whole. Where both make the speed that they prefer, and
// far from each other, it is what there is.
func TestRightOfWay(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	vector := func(most float64) mgl64.Vec2 {
		sine, cosine := math.Sincos(2 * math.Pi * r.Float64())
		return mgl64.Vec2{most * cosine * r.Float64(), most * sine * r.Float64()}
	}
	claimed := 0
	for range 2000 {
		me := Situation{ID: 3, Velocity: vector(0.5), Preferred: vector(1.5), Left: float64(r.IntN(3)), Radius: 0.25, MaxSpeed: 2, Timestep: 0.1, Params: Params{MaxAcceleration: 5, TimeHorizon: 4}}
		other := me
		other.ID, other.Velocity, other.Preferred, other.Left = 1+4*r.Uint32N(2), vector(0.5), vector(1.5), float64(r.IntN(3))
		place := vector(0.5)
		place = place.Add(place.Normalize().Mul(0.5))
		seen := func(s Situation, at mgl64.Vec2) Neighbor {
			return Neighbor{ID: s.ID, Position: at, Velocity: s.Velocity, Wish: Wish(s), Left: s.Left, Radius: s.Radius, Shares: true}
		}
		mine, others := me.terms(seen(other, place)), other.terms(seen(me, place.Mul(-1)))
		if off := max(mine.own.Sub(others.other).Len(), mine.other.Sub(others.own).Len(), math.Abs(mine.share+others.share-1)); off > 1e-12 {
			t.Fatalf("%+v and %+v at %v: %+v, but seen from there %+v", me, other, place, mine, others)
		}
		first := other.Left < me.Left || other.Left == me.Left && other.ID < me.ID
		plain := terms{me.Velocity, other.Velocity, 0.5}
		if mine != plain {
			claimed++
			if first != (mine.share > 0.5) || first != (mine.own == me.Velocity) {
				t.Fatalf("%+v and %+v at %v: %+v, and the other has the right of way: %v", me, other, place, mine, first)
			}
		}
		// No agent comes farther in the time that it takes to stop than 1.5 m/s times 0.5 s.
		far := me.terms(seen(other, place.Normalize().Mul(0.5+0.75)))
		other.Velocity = other.Preferred
		if free := me.terms(seen(other, place)); far != plain || free != (terms{me.Velocity, other.Velocity, 0.5}) {
			t.Fatalf("%+v and %+v: %+v far apart, %+v where the other is free to go", me, other, far, free)
		}
	}
	if claimed < 100 {
		t.Errorf("the right of way is claimed %d times of 2000", claimed)
	}
}

// TestHeldUpGiveWay: of two agents that stand before each other the one with more left to walk
// goes back, and so do both methods decide; the other one waits until there is room.
func TestHeldUpGiveWay(t *testing.T) {
	for name, method := range map[string]func(Situation) mgl64.Vec2{"clearpath": ClearPath, "orca": ORCA} {
		for _, left := range []float64{4, 6} {
			s := Situation{
				ID: 1, Preferred: mgl64.Vec2{1.3, 0}, Left: left, Radius: 0.25, MaxSpeed: 2, Timestep: 0.1, Params: Params{MaxAcceleration: 5, TimeHorizon: 4, Variant: 2},
				Neighbors: []Neighbor{{ID: 2, Position: mgl64.Vec2{0.5 + 1e-9, 0}, Wish: mgl64.Vec2{-1.3, 0}, Left: 5, Radius: 0.25, Shares: true}},
			}
			if v := method(s); left < 5 && v[0] < 0 || left > 5 && v[0] > -0.4 {
				t.Errorf("%s: with %v m left before one with 5 m left: %v", name, left, v)
			}
		}
	}
}
