package agents

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// part runs the contact pass alone on given agents, all of them sorted where they are. What is to
// be done between is done.
func (x *trial) part(t testing.TB, state []Agent, params []AvoidanceParams, rounds int, sorted ...func()) []Agent {
	t.Helper()
	c := x.crowd
	c.contacts.rounds = rounds
	copy(c.params, params)
	c.paramBuffer.Write(0, params)
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
	c.Sort()
	for _, change := range sorted {
		change()
	}
	c.Separate()
	parted := make([]Agent, len(state))
	c.agents[1].Read(0, parted)
	return parted
}

// yielding makes the passes that separate agents, and profiles that give way, but for the one
// named.
func (x *trial) yielding(t testing.TB, firm int) []AvoidanceParams {
	t.Helper()
	c := x.crowd
	params := make([]AvoidanceParams, len(x.scene.Profiles))
	for i := range params {
		params[i] = AvoidanceParams{Method: 1, NeighborDistance: 1, TimeHorizon: 1, MaxAcceleration: 1}
		if i == firm {
			params[i].Method = NoMethod
		}
	}
	copy(c.params, params)
	r := &gpu.ResourceSet{Device: c.device}
	c.prepareSorting(r)
	if err := c.held.Take(r); err != nil {
		t.Fatal(err)
	}
	return params
}

// deepest is the greatest overlap of those that are there, as a share of the sum of their radii.
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

// press puts all agents somewhere near: most into heaps, some of them on the same spot.
func (x *trial) press(n *numbers, spread float64) []Agent {
	state := slices.Clone(x.after)
	for i := range state {
		a := &state[i]
		if i%3 > 0 {
			other := state[n.below(len(state))]
			a.Position, a.FromX, a.FromY, a.Perturbation = other.Position, other.FromX, other.FromY, other.Perturbation
		}
		if i%7 > 0 {
			m := mover{footing: footingOf(*a, x.reference.onLattice(a.Position)), position: a.Position}
			angle, length := float64(n.below(1<<20))/(1<<20)*2*math.Pi, spread*float64(n.below(1<<20))/(1<<20)
			x.reference.advance(&m, [2]float32{float32(length * math.Cos(angle)), float32(length * math.Sin(angle))})
			a.Position, a.FromX, a.FromY, a.Perturbation = m.position, m.from.X, m.from.Y, m.perturbation
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

// Each round agrees with the reference; walls win, agents that avoid none stay, agents that
// are not there neither push nor are pushed.
func TestPartAgreesWithReference(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, fmt.Sprintf(pressed, clutter), 40)
		r := x.reference
		r.Params = x.yielding(t, 3)
		n := &numbers{seed: 5}
		// As in checkSteps, and pushes are sums of two dozen terms at most that square root
		// and division round: less than a lattice step of 2^-20 of the domain.
		place := float32(4 * math.Sqrt2 * r.Lattice.Step)
		shifted := 0
		x.letHostMove()
		for _, rounds := range []int{1, 2, 3, 16} {
			for try := range 4 {
				state := x.press(n, []float64{0.05, 0.3, 1, 0}[try])
				got := x.part(t, state, r.Params, rounds)
				want, _ := r.Separate(state, state, x.traits, rounds)
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
					rest.Position, rest.FromX, rest.FromY, rest.Perturbation, rest.Sees = state[i].Position, state[i].FromX, state[i].FromY, state[i].Perturbation, 1
					rest.Velocity = state[i].Velocity
					if off := length(minus(got[i].Velocity, want[i].Velocity)); off > place/r.Timestep || length(got[i].Velocity) > x.traits[i].MaxSpeed {
						t.Fatalf("agent %d has the velocity %v, want %v, of %v m/s at most", i, got[i].Velocity, want[i].Velocity, x.traits[i].MaxSpeed)
					}
					if rest != state[i] {
						t.Fatalf("agent %d changes in more than its place and velocity: %+v, was %+v", i, got[i], state[i])
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
		params := x.yielding(t, -1)
		state := slices.Clone(x.after)
		inwards := func(by float32) {
			for i := range state {
				from := minus([2]float32{20, 20}, state[i].Position)
				far := length(from)
				m := mover{footing: footingOf(state[i], x.reference.onLattice(state[i].Position)), position: state[i].Position}
				x.reference.advance(&m, [2]float32{from[0] / far * min(by, far), from[1] / far * min(by, far)})
				state[i].Position, state[i].FromX, state[i].FromY, state[i].Perturbation = m.position, m.from.X, m.from.Y, m.perturbation
			}
		}
		pressed := 0
		for step := range 40 {
			// A fifth of a step at 1.34 m/s: others stand in the way of the rest.
			inwards(0.027)
			before := x.deepest(state)
			state = x.part(t, state, params, 16)
			if before > 0.05 {
				pressed++
			}
			if after := x.deepest(state); after > 0.01+1.0/(1<<20) {
				t.Errorf("step %d: overlaps of %v remain, of %v", step, after, before)
			}
		}
		inwards(0.15)
		before := x.deepest(state)
		state = x.part(t, state, params, 16)
		if after := x.deepest(state); pressed < 10 || after > before/2 {
			t.Errorf("%d steps were pressed; a jam of overlaps up to %v keeps such of %v", pressed, before, after)
		}
	})
}

// Agents that run into others in one step by more than contacts push a standing one are held back
// whole, and have the velocity of what became of their step.
func TestContactsHoldBack(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, `{"version": 1, "domain": [0, 0, 20, 20], "goals": [{"id": "a", "points": [[1, 1]]}],
			"profiles": [{"id": "p", "radius": 0.2, "maxSpeed": 2}],
			"groups": [{"spawn": {"points": [[9.79, 10], [10.21, 10], [5, 5], [5, 15]]}}]}`, 16)
		r := x.reference
		r.Params = x.yielding(t, -1)
		before := slices.Clone(x.after)
		moved := slices.Clone(before)
		for i, by := range []float32{0.2, -0.2} { // 2 m/s in steps of 0.1 s
			moved[i].Position[0] += by
			moved[i].Velocity = [2]float32{by * 10, 0}
		}
		moved[3].Velocity = [2]float32{1, 1}
		got := x.part(t, before, r.Params, 16, func() { x.crowd.agents[1].Write(0, moved) })
		if deep := x.deepest(got); deep > 0.01 {
			t.Errorf("an overlap of %v remains", deep)
		}
		for i := range 2 {
			went := minus(got[i].Position, before[i].Position)
			want := [2]float32{went[0] / r.Timestep, went[1] / r.Timestep}
			// 2^-22 is the rounding of a place of 20 m.
			if off := length(minus(got[i].Velocity, want)); off > 20.0/(1<<22)/r.Timestep || math.Abs(float64(want[0])) > 0.2 {
				t.Errorf("agent %d went by %v and has the velocity %v", i, went, got[i].Velocity)
			}
		}
		if got[2] != moved[2] || got[3] != moved[3] {
			t.Errorf("agents that touch nothing change: %+v, %+v", got[2], got[3])
		}
	})
}

// corners are of all kinds: of the border and a wall off the lattice, acute, obtuse and reflex
// ones, of obstacles that touch, gaps narrower than a disc, and a strip along the border narrower
// than a lattice step.
const corners = `{"version": 1, "domain": [0, 0, 30, 23],
	"obstacles": [{"rect": [0, 20, 7, 20.2]}, {"polygon": [[12, 0], [16, 0], [12, 7]]}, {"polygon": [[16, 0], [20, 2], [20, 0]]},
		{"rect": [22, 10, 24, 12]}, {"rect": [24, 12, 26, 14]}, {"polygon": [[26, 0.00001], [29, 0.00001], [29, 3]]},
		{"rect": [10, 12, 12, 16]}, {"rect": [12.3, 12, 14, 16]}],
	"goals": [{"id": "g", "points": [[8, 10]], "clearance": 0.2, "arrivalRadius": 0.5}],
	"profiles": [{"id": "p", "radius": 0.2, "avoidance": %q}],
	"groups": [{"count": 60, "spawn": {"rect": [1, 1, 9, 19]}}]}`

// Agents that are put into corners with their centers, by float32 on either side of a wall, are
// led out: each comes off walls as far as its disc fits, and stays off.
func TestOutOfCorners(t *testing.T) {
	for _, method := range methods[1:] {
		t.Run(string(method.name), func(t *testing.T) {
			gputest.Run(t, func(d *gpu.Device) {
				x := try(t, d, fmt.Sprintf(corners, method.name), 100)
				r := x.reference
				n := &numbers{seed: 9}
				state := slices.Clone(x.after)
				step := float32(r.Lattice.Step)
				for i := range state {
					a := &state[i]
					w := r.Walls[i*7%len(r.Walls)]
					corner, _ := w.ends()
					if i < 6 {
						corner = r.onLattice([2]float32{0, 20}) // the lower corner of the border and the first wall
					}
					free, ok := geom.Point{}, false
					for !ok { // a place on free ground that stands for the corner or one near
						free = geom.Point{X: corner.X + int32(n.below(3)) - 1, Y: corner.Y + int32(n.below(3)) - 1}
						ok = r.Lattice.Holds(free) && x.ground.Free(free)
					}
					from := barriers(r.Walls).leaningPoint(free)
					a.FromX, a.FromY, a.Perturbation, a.Sees = from.X, from.Y, 1, 0
					a.Position = r.inDomain([2]float32{
						float32(float64(free.X)*r.Lattice.Step) + (n.share()-0.5)*0.9*step,
						float32(float64(free.Y)*r.Lattice.Step) + (n.share()-0.5)*0.9*step,
					})
					if r.onLattice(a.Position) != free {
						a.Position = r.Lattice.Local(free)
					}
					a.Status = Left // but for one at a time
				}
				pressed := 0
				// Without contacts an agent walks out by its velocity, from beyond the end of one
				// wall and behind another by rounding.
				raw := slices.Clone(state)
				raw[0].Status, raw[0].Position, raw[0].FromX, raw[0].FromY, raw[0].Perturbation = Walking, [2]float32{0, 20.000023}, 132, 699051, -1
				x.crowd.contacts.rounds = 0
				x.crowd.agents[0].Write(0, raw)
				for range 40 {
					stepCrowd(x.crowd)
				}
				x.crowd.Snapshot(x.after)
				if far := length(minus(x.after[0].Position, raw[0].Position)); far < 1 {
					t.Errorf("without contacts an agent stays in a corner: %+v", x.after[0])
				}
				x.crowd.contacts.rounds = 16
				for i := range state {
					alone := slices.Clone(state)
					alone[i].Status = Walking
					x.crowd.agents[0].Write(0, alone)
					for range 40 {
						stepCrowd(x.crowd)
					}
					x.crowd.Snapshot(x.after)
					a := x.after[i]
					if a.Status != Walking {
						continue
					}
					pressed++
					if narrow := r.offWalls(a.Position, 0.2) != a.Position; narrow || r.touchesWall(a.Position, 0.2) {
						t.Errorf("agent %d from %v is at %v, %v m from walls", i, state[i].Position, a.Position, x.toWalls(a.Position))
					}
					if far := length(minus(a.Position, state[i].Position)); far < 0.19 {
						t.Errorf("agent %d from %v has gone %v m", i, state[i].Position, far)
					}
				}
				if pressed < 30 {
					t.Errorf("%d agents are still on their way; the test is none", pressed)
				}
			})
		})
	}
}

// Neither the order in which bodies lie nor the size of work groups makes a difference of a bit.
func TestPartKnowsNoOrder(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, fmt.Sprintf(pressed, clutter), 40)
		params := x.yielding(t, 3)
		c := x.crowd
		n := &numbers{seed: 6}
		shuffle := func() {
			cells := &c.cells
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
		for round := range 3 {
			state := x.press(n, 0.3)
			want := x.part(t, state, params, 16)
			if got := x.part(t, state, params, 16, shuffle); !slices.Equal(got, want) {
				t.Fatal("another order of bodies gives other places")
			}
			if round == 2 {
				c.passes.contactPush.Pass = widened(t, d, specOf[contactPushInput](nil))
				c.passes.contactMove.Pass = widened(t, d, specOf[contactMoveInput](nil))
				c.passes.contactDeferred.Pass = widened(t, d, specOf[contactDeferredInput](simpleMaps(true)))
				if got := x.part(t, state, params, 16); !slices.Equal(got, want) {
					t.Fatal("larger work groups give other places")
				}
			}
		}
	})
}

// widened is a pass with larger work groups.
func widened[T any](t *testing.T, d *gpu.Device, s gpu.PassSpec[T]) *gpu.Pass[T] {
	s.Defines["GROUP_SIZE"] = 128
	p, err := gpu.NewPass(d, s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A heap on one spot comes apart, in whole numbers and by no more than pushLimit a step.
func TestHeap(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, `{"version": 1, "domain": [0, 0, 40, 40], "goals": [{"id": "a", "points": [[1, 1]]}],
			"profiles": [{"id": "p", "radius": 0.1}],
			"groups": [{"count": 700, "spawn": {"rect": [1, 1, 39, 39]}}]}`, 16)
		params := x.yielding(t, -1)
		state := slices.Clone(x.after)
		for i := range state {
			state[i].Position = [2]float32{20, 20}
			if i%2 == 0 {
				state[i].Position[0] = 20 + float32(i)*1e-6
			}
		}
		spread := 0.0
		for step := range 60 {
			after := x.part(t, state, params, 16)
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
				x.crowd.contacts.admit(x.traits, 0.1, x.crowd.lattice.Step)
				params := x.yielding(b, -1)
				if err := x.crowd.Measure(true); err != nil {
					b.Fatal(err)
				}
				d.MeasureStages(true)
				least := map[string]float64{}
				for b.Loop() {
					x.part(b, x.after, params, 16)
					x.crowd.CountStatuses()
					x.crowd.MeasureContacts()
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
