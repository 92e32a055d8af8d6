package agents

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// part runs the contact pass alone on given agents, all of them sorted where they are. What is to
// be done between is done.
func (x *trial) part(t testing.TB, state []Agent, manners []Manner, rounds int, sorted ...func()) []Agent {
	t.Helper()
	c := x.crowd
	c.contacts.rounds = rounds
	copy(c.avoidance.manners, manners)
	c.avoidance.settings.Write(0, manners)
	guidance := make([]Guidance, len(state))
	for i, a := range state {
		guidance[i].Status = a.Status
	}
	c.guidance.Write(0, guidance)
	c.agents[0].Write(0, state)
	moved := slices.Clone(state) // as the integration leaves it
	for i := range moved {
		moved[i].Pushed = [2]float32{}
	}
	c.agents[1].Write(0, moved)
	c.bind()
	c.sort()
	for _, change := range sorted {
		change()
	}
	c.part()
	c.device.Barrier(gpu.BarrierUpdate)
	parted := make([]Agent, len(state))
	c.agents[1].Read(0, parted)
	return parted
}

// yielding makes the passes that part people, and profiles that give way, but for the one
// named.
func (x *trial) yielding(t testing.TB, firm int) []Manner {
	t.Helper()
	c := x.crowd
	manners := make([]Manner, len(x.scene.Profiles))
	for i := range manners {
		manners[i] = Manner{Method: 1, NeighborDistance: 1, TimeHorizon: 1, MaxAcceleration: 1}
		if i == firm {
			manners[i].Method = NoMethod
		}
	}
	copy(c.avoidance.manners, manners)
	if err := c.equip(); err != nil {
		t.Fatal(err)
	}
	return manners
}

// deepest is the greatest overlap of those who are there, as a share of the sum of their radii.
func (x *trial) deepest(state []Agent) (worst float64) {
	for i, a := range state {
		for j, b := range state[:i] {
			if a.Status|b.Status != Walking {
				continue
			}
			sum := float64(x.traits[i].Radius) + float64(x.traits[j].Radius)
			off := math.Hypot(float64(a.Position[0])-float64(b.Position[0]), float64(a.Position[1])-float64(b.Position[1]))
			worst = max(worst, 1-off/sum)
		}
	}
	return worst
}

// press puts everybody somewhere near: most into heaps, some of them on the same spot.
func (x *trial) press(n *numbers, spread float64) []Agent {
	state := slices.Clone(x.after)
	for i := range state {
		a := &state[i]
		if i%3 > 0 {
			other := state[n.below(len(state))]
			a.Position, a.FromX, a.FromY, a.Lean = other.Position, other.FromX, other.FromY, other.Lean
		}
		if i%7 > 0 {
			m := mover{footing: footingOf(*a, x.reference.onLattice(a.Position)), position: a.Position}
			angle, length := float64(n.below(1<<20))/(1<<20)*2*math.Pi, spread*float64(n.below(1<<20))/(1<<20)
			x.reference.advance(&m, [2]float32{float32(length * math.Cos(angle)), float32(length * math.Sin(angle))})
			a.Position, a.FromX, a.FromY, a.Lean = m.position, m.from.X, m.from.Y, m.lean
		}
		a.Sees = 1
		if i%2 == 0 {
			a.Pushed = [2]float32{float32(n.below(100)) * 1e-3, float32(n.below(100)) * -1e-3}
		}
	}
	return state
}

const pressed = `{"version": 1, "domain": [-10, 5, 30, 30],
	"obstacles": [%s, {"polygon": [[-9, 28], [3, 29.5], [3, 29.50000001]]}],
	"goals": [{"id": "out", "points": [[12.9, 5.6]]}],
	"profiles": [{"id": "p", "radius": 0.25}, {"id": "q", "radius": 0.4}, {"id": "r", "radius": 0.01}, {"id": "firm", "radius": 0.3}],
	"groups": [{"count": 150, "profile": "p", "spawn": {"rect": [-9.9, 5.1, 29.9, 29.9]}}, {"count": 60, "profile": "q", "spawn": {"rect": [-9.9, 5.1, 29.9, 29.9]}},
		{"count": 60, "profile": "r", "spawn": {"rect": [-9.9, 5.1, 29.9, 29.9]}}, {"count": 60, "profile": "firm", "spawn": {"rect": [-9.9, 5.1, 29.9, 29.9]}},
		{"count": 30, "profile": "p", "spawn": {"rect": [-9.9, 5.1, 29.9, 29.9]}, "start": {"at": 1}}]}`

// Each round agrees with the reference; walls win, who avoids nobody stays, who is not there
// neither pushes nor is pushed.
func TestPartAgreesWithReference(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, fmt.Sprintf(pressed, clutter), 40)
		r := x.reference
		r.Manners = x.yielding(t, 3)
		n := &numbers{seed: 5}
		// As in checkSteps, and pushes are sums of two dozen terms at most that square root
		// and division round: less than a lattice step of 2^-20 of the domain.
		place := float32(4 * math.Sqrt2 * r.Lattice.Step)
		shifted := 0
		for _, rounds := range []int{1, 2, 3, 16} {
			for try := range 4 {
				state := x.press(n, []float64{0.05, 0.3, 1, 0}[try])
				got := x.part(t, state, r.Manners, rounds)
				want, _ := r.Part(state, state, x.traits, rounds)
				for i := range state {
					if off := length(minus(got[i].Position, want[i].Position)); off > place {
						t.Fatalf("%d rounds, agent %d is %v m off:\n got %+v\nwant %+v\nfrom %+v", rounds, i, off, got[i], want[i], state[i])
					}
					if !x.ground.Free(r.onLattice(got[i].Position)) || !finite(got[i].Position) {
						t.Fatalf("%d rounds: agent %d is pushed into an obstacle, %+v from %+v", rounds, i, got[i], state[i])
					}
					if got[i].Position != state[i].Position {
						shifted++
						if x.traits[i].Profile == 3 || state[i].Status == Waiting {
							t.Errorf("agent %d must not be pushed: %+v from %+v", i, got[i], state[i])
						}
						if far := length(minus(got[i].Position, state[i].Position)); far > 0.2+place*float32(rounds) {
							t.Errorf("agent %d is pushed by %v m", i, far)
						}
					}
					if far := length(minus(got[i].Pushed, minus(got[i].Position, state[i].Position))); far > 0 {
						t.Errorf("agent %d says it is pushed by %v", i, got[i].Pushed)
					}
					rest := got[i]
					rest.Pushed = state[i].Pushed
					rest.Position, rest.FromX, rest.FromY, rest.Lean, rest.Sees = state[i].Position, state[i].FromX, state[i].FromY, state[i].Lean, 1
					if rest != state[i] {
						t.Fatalf("agent %d changes in more than its place: %+v, was %+v", i, got[i], state[i])
					}
				}
			}
		}
		if shifted < 1000 {
			t.Errorf("%d agents are pushed; the test is none", shifted)
		}
	})
}

// Of a crowd that has moved into itself no pair overlaps by more than 1% afterwards, where there
// is room; in a jam without room it overlaps less.
func TestPartingEnds(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, `{"version": 1, "domain": [0, 0, 40, 40], "goals": [{"id": "a", "points": [[1, 1]]}],
			"profiles": [{"id": "p", "radius": 0.25}, {"id": "q", "radius": 0.35}],
			"groups": [{"count": 300, "profile": "p", "spawn": {"rect": [8, 8, 32, 32]}}, {"count": 250, "profile": "q", "spawn": {"rect": [8, 8, 32, 32]}}]}`, 16)
		manners := x.yielding(t, -1)
		state := slices.Clone(x.after)
		inwards := func(by float32) {
			for i := range state {
				from := minus([2]float32{20, 20}, state[i].Position)
				far := length(from)
				m := mover{footing: footingOf(state[i], x.reference.onLattice(state[i].Position)), position: state[i].Position}
				x.reference.advance(&m, [2]float32{from[0] / far * min(by, far), from[1] / far * min(by, far)})
				state[i].Position, state[i].FromX, state[i].FromY, state[i].Lean = m.position, m.from.X, m.from.Y, m.lean
			}
		}
		pressed := 0
		for step := range 40 {
			// A fifth of a step at 1.34 m/s: others stand in the way of the rest.
			inwards(0.027)
			before := x.deepest(state)
			state = x.part(t, state, manners, 16)
			if before > 0.05 {
				pressed++
			}
			if after := x.deepest(state); after > 0.01+1.0/(1<<20) {
				t.Errorf("step %d: overlaps of %v remain, of %v", step, after, before)
			}
		}
		inwards(0.15)
		before := x.deepest(state)
		state = x.part(t, state, manners, 16)
		if after := x.deepest(state); pressed < 10 || after > before/2 {
			t.Errorf("%d steps were pressed; a jam of overlaps up to %v keeps such of %v", pressed, before, after)
		}
	})
}

// Neither the order in which bodies lie nor the size of work groups makes a difference of a bit.
func TestPartKnowsNoOrder(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, fmt.Sprintf(pressed, clutter), 40)
		manners := x.yielding(t, 3)
		c := x.crowd
		n := &numbers{seed: 6}
		shuffle := func() {
			cells := &c.avoidance.cells
			starts, bodies := make([]uint32, cells.starts.Len()), make([]Body, c.count)
			cells.starts.Read(0, starts)
			cells.bodies.Read(0, bodies)
			moved := 0
			for k, start := range starts {
				end := uint32(len(bodies))
				if k+1 < len(starts) {
					end = starts[k+1]
				}
				for i := end; i > start+1; i-- {
					j := start + uint32(n.below(int(i-start)))
					bodies[i-1], bodies[j] = bodies[j], bodies[i-1]
					moved++
				}
			}
			if moved < c.count/4 {
				t.Errorf("%d of %d bodies share a part; the shuffle is none", moved, c.count)
			}
			cells.bodies.Write(0, bodies)
		}
		wide := func(program **gpu.Program, stage string) {
			s := contactSpec(stage)
			s.Defines["GROUP_SIZE"] = 128
			p, err := gpu.NewProgram(d, s)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Delete)
			*program = p
		}
		for round := range 3 {
			state := x.press(n, 0.3)
			want := x.part(t, state, manners, 16)
			if got := x.part(t, state, manners, 16, shuffle); !slices.Equal(got, want) {
				t.Fatal("another order of bodies gives other places")
			}
			if round == 2 {
				wide(&c.contacts.push, "agents/contactpush.comp.glsl")
				wide(&c.contacts.move, "agents/contactmove.comp.glsl")
				wide(&c.contacts.past, "agents/contactpast.comp.glsl")
				if got := x.part(t, state, manners, 16); !slices.Equal(got, want) {
					t.Fatal("larger work groups give other places")
				}
			}
		}
	})
}

// A heap on one spot comes apart, in whole numbers and by no more than pushLimit a step.
func TestHeap(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, `{"version": 1, "domain": [0, 0, 40, 40], "goals": [{"id": "a", "points": [[1, 1]]}],
			"profiles": [{"id": "p", "radius": 0.1}],
			"groups": [{"count": 700, "spawn": {"rect": [1, 1, 39, 39]}}]}`, 16)
		manners := x.yielding(t, -1)
		state := slices.Clone(x.after)
		for i := range state {
			state[i].Position = [2]float32{20, 20}
			if i%2 == 0 {
				state[i].Position[0] = 20 + float32(i)*1e-6
			}
		}
		spread := 0.0
		for step := range 60 {
			after := x.part(t, state, manners, 16)
			spread = 0
			for i, a := range after {
				if !finite(a.Position) {
					t.Fatalf("step %d: agent %d is at %v", step, i, a.Position)
				}
				if far := length(minus(a.Position, state[i].Position)); far > pushLimit(0.1)+1e-3 {
					t.Fatalf("step %d: agent %d is pushed by %v m", step, i, far)
				}
				spread = max(spread, math.Hypot(float64(a.Position[0]-20), float64(a.Position[1]-20)))
			}
			state = after
		}
		// Packed as closely as can be, 700 discs fill a disc of 2.8 m.
		if spread < 1.4 {
			t.Errorf("after 60 steps the heap is %v m wide", spread)
		}
	})
}

func BenchmarkContacts(b *testing.B) {
	// Discs of 1.5 m at distances where none overlap, some do, and most do.
	for _, spacing := range []float64{5, 3.1, 2.7} {
		b.Run(fmt.Sprint(spacing), func(b *testing.B) {
			gputest.Run(b, func(d *gpu.Device) {
				x := try(b, d, fmt.Sprintf(`{"version": 1, "domain": [0, 0, 540, 540], "goals": [{"id": "a", "points": [[1, 1]]}],
					"profiles": [{"id": "p", "radius": 1.25}],
					"groups": [{"count": 10000, "spawn": {"grid": {"rect": [2, 2, %v, %[1]v], "spacing": %v}}}]}`, 2+99*max(spacing, 2.6)+.1, max(spacing, 2.6)), 16)
				for i := range x.traits {
					x.traits[i].Radius = 1.5
				}
				x.crowd.traits.Write(0, x.traits)
				x.crowd.contacts.begin(16, x.traits, 0.1, x.crowd.lattice.Step)
				manners := x.yielding(b, -1)
				if err := x.crowd.Measure(true); err != nil {
					b.Fatal(err)
				}
				d.MeasurePasses(true)
				least := map[string]float64{}
				for b.Loop() {
					x.part(b, x.after, manners, 16)
					x.crowd.tally()
					d.Finish()
					d.FrameEnd()
					for _, timing := range d.Timings() {
						if ms := float64(timing.Last) / 1e6; least[timing.Name] == 0 || ms < least[timing.Name] {
							least[timing.Name] = ms
						}
					}
				}
				for name, ms := range least {
					b.ReportMetric(ms, name+"-ms")
				}
			})
		})
	}
}
