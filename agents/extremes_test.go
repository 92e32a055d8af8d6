package agents

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// apart is a room with a wall, and a pen that no agent gets into; the goal of every tenth is
// there.
const apart = `{"version": 1, "domain": [-10, 5, 30, 30],
	"obstacles": [%s{"rect": [14, 8, 15, 26]}, {"polygon": [[22, 22], [28, 22], [28, 28], [22, 28]], "holes": [[[23, 23], [27, 23], [27, 27], [23, 27]]]}],
	"goals": [{"id": "east", "points": [[28, 10]]}, {"id": "pen", "points": [[25, 25]]}],
	"profiles": [{"id": "p", "avoidance": %q}],
	"groups": [{"count": 135, "spawn": {"rect": [-8, 7, 12, 28]}, "itinerary": ["east"], "onArrival": "stay"},
		{"count": 15, "spawn": {"rect": [-8, 7, 12, 28]}, "itinerary": ["pen"]}]}`

// checkExtreme holds what is true of all agents however a step began.
func (x *trial) checkExtreme(t *testing.T, step int, ground *geom.Ground, limited bool) {
	t.Helper()
	for i, a := range x.after {
		checkStanding(t, ground, x.reference, a)
		if at := x.reference.onLattice(a.Position); length(minus(a.Position, x.reference.Lattice.Local(at))) > float32(ground.Lattice.Step) {
			t.Fatalf("step %d, agent %d is at %v, outside the domain", step, i, a.Position)
		}
		// As in checkMove.
		if v := length(a.Velocity); limited && v > x.traits[i].MaxSpeed*(1+1.0/(1<<20)) {
			t.Fatalf("step %d, agent %d walks at %v m/s, can at %v", step, i, v, x.traits[i].MaxSpeed)
		}
	}
	if c := x.crowd.CountersNow(); c.Waiting+c.Walking+c.Arrived+c.Left+c.Placed != len(x.after) {
		t.Fatalf("step %d: of %d agents %+v", step, len(x.after), c)
	}
}

// With any scene, edits and states written from outside, every place is a free one, every
// number is one, and what went wrong is counted.
func TestExtremes(t *testing.T) {
	for _, method := range methods {
		t.Run(string(method.name), func(t *testing.T) {
			gputest.Run(t, func(d *gpu.Device) {
				x := try(t, d, fmt.Sprintf(apart, "", method.name), 40)
				evades := method.name != methods[NoMethod].name
				start, traits := slices.Clone(x.after), slices.Clone(x.traits)
				covered := read(t, fmt.Sprintf(apart, `{"rect": [-9, 6, 13, 29]}, `, method.name)).ground
				ground := x.ground
				begin := func(state []Agent) {
					x.crowd.traits.Write(0, x.traits)
					x.crowd.contacts.admit(x.traits, x.crowd.timestep, x.crowd.lattice.Step)
					x.crowd.agents[0].Write(0, state)
					copy(x.after, state)
					if err := x.crowd.Measure(true); err != nil {
						t.Fatal(err)
					}
				}
				run := func(steps int) Counters {
					for step := range steps {
						x.step()
						x.checkExtreme(t, step, ground, evades)
					}
					return x.crowd.CountersNow()
				}
				lost := func(c Counters) {
					if c.Lost != 15 || c.NeighborListOverflow != 0 {
						t.Errorf("counted %+v, want 15 without a path to their goal", c)
					}
				}
				for _, place := range [][2]float32{{8, 10}, {25, 21}} { // in the open, and on a corner
					t.Log("on the same spot", place)
					state := slices.Clone(start)
					for i := range state {
						state[i].Position, state[i].Velocity = place, [2]float32{1, 0}
						state[i].FromX, state[i].FromY = 1<<20, 1<<18
					}
					begin(state)
					c := run(40)
					lost(c)
					if c.Tally.Contacts < 150*149/2 || c.Tally.Penetration < 0.9 {
						t.Errorf("counted %+v of a heap", c.Tally)
					}
					// Agents that avoid others make space, those too that go nowhere.
					for i, a := range x.after {
						for j, b := range x.after[:i] {
							if evades && a.Position == b.Position {
								t.Errorf("agents %d and %d are still on one spot", i, j)
							}
						}
					}
				}

				t.Log("outside the domain")
				state := slices.Clone(start)
				n := &numbers{seed: 5}
				for i := range state {
					far := float32(math.Pow(10, 1+float64(i)/5)) // 10 m to 10^31 m
					state[i].Position = [2]float32{(n.share() - 0.5) * far, (n.share() - 0.5) * far}
					if at := x.reference.onLattice(state[i].Position); !ground.Free(at) {
						state[i].Position = [2]float32{-far, far}
					}
				}
				begin(state)
				run(1)
				for i, a := range x.after {
					// As far as one goes, and is pushed, in a step, from the border.
					near := x.reference.Lattice.Local(x.reference.onLattice(state[i].Position))
					if off := length(minus(a.Position, near)); off > x.crowd.contacts.drift {
						t.Fatalf("from %v agent %d has come to %v, want %v", state[i].Position, i, a.Position, near)
					}
				}
				lost(run(9))

				t.Log("without a radius")
				state = slices.Clone(start)
				for i := range state {
					x.traits[i].Radius = 0
					if i%2 == 0 {
						state[i].Position = start[0].Position
					}
				}
				begin(state)
				if c := run(10); c.Tally.Contacts != 0 || c.Tally.WallContacts != 0 {
					t.Errorf("points touch: %+v", c.Tally)
				} else {
					lost(c)
				}
				copy(x.traits, traits)

				t.Log("inside an obstacle after an edit")
				begin(start)
				if err := x.crowd.SetGround(covered, geom.NewWallGrid(covered)); err != nil {
					t.Fatal(err)
				}
				ground, x.reference.Walls = covered, WallsOf(covered)
				if c := run(40); c.Displaced != len(start) || c.Tally.WallPenetration != 0 {
					t.Errorf("counted %+v, want %d displaced", c, len(start))
				}
			})
		})
	}
}

// Thousands in one cell of a wide domain, among them those on one spot: steps end, and a run with
// each pass in one dispatch is the same as one with each pass in several.
func TestOneCell(t *testing.T) {
	for _, method := range methods[1:] {
		t.Run(string(method.name), func(t *testing.T) {
			gputest.Run(t, func(d *gpu.Device) {
				defer d.SetBudget(gpu.Budget)
				text := fmt.Sprintf(`{"version": 1, "domain": [0, 0, 1000, 1000], "obstacles": [{"rect": [16, 2, 16.5, 14]}],
					"goals": [{"id": "g", "points": [[900, 900]]}],
					"profiles": [{"id": "p", "radius": 0.1, "avoidance": %q, "neighborDistance": 10}],
					"groups": [{"count": 3000, "spawn": {"rect": [1, 1, 30, 30]}}]}`, method.name)
				x, again := try(t, d, text, 16), try(t, d, text, 16)
				cell := 1 / x.crowd.cells.cellsPerMeter
				if cell < 30 {
					t.Fatalf("cells are %v m wide; the scene tests nothing", cell)
				}
				state := slices.Clone(x.after)
				for i := range state[:500] {
					state[i].Position = state[0].Position
				}
				for _, c := range []*Crowd{x.crowd, again.crowd} {
					if err := c.Measure(true); err != nil {
						t.Fatal(err)
					}
					c.agents[0].Write(0, state)
				}
				for step := range 3 {
					x.step()
					d.SetBudget(1)
					again.step()
					d.SetBudget(gpu.Budget)
					x.checkExtreme(t, step, x.ground, true)
				}
				if !slices.Equal(x.after, again.after) {
					t.Error("two runs differ")
				}
				if c := x.crowd.CountersNow(); c.NeighborListOverflow != 0 || c.Tally.Contacts < 500*499/2 {
					t.Errorf("counted %+v", c)
				}
			})
		})
	}
}

// A million agents fit storage blocks of 128 MiB, which is what the software renderer has, with
// as many neighbors as the default of scenes.
func TestMillionFits(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		const count, block = 1000, 1 << 27
		x := try(t, d, fmt.Sprintf(`{"version": 1, "domain": [0, 0, 100, 100], "goals": [{"id": "g", "points": [[90, 90]]}], "profiles": [{"id": "p", "avoidance": "orca"}],
			"groups": [{"count": %d, "spawn": {"rect": [1, 1, 99, 99]}, "start": {"rate": 10}}]}`, count), 16)
		if err := x.crowd.Measure(true); err != nil {
			t.Fatal(err)
		}
		buffers := 0
		for _, held := range x.crowd.held.Held {
			b, ok := held.(interface{ Bytes() int64 })
			if !ok {
				continue
			}
			buffers++
			if bytes := b.Bytes() * 1_000_000 / count; bytes > block {
				t.Errorf("%T would be of %d bytes for a million", held, bytes)
			}
		}
		if buffers < 15 {
			t.Errorf("there are %d buffers", buffers)
		}
	})
}

// More neighbors than a block holds are refused, and all goes on as before.
func TestTooManyNeighbors(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		count := int(math.Sqrt(float64(d.Info().Limits.MaxStorageBlock)/4)) + 1
		text := fmt.Sprintf(`{"version": 1, "domain": [0, 0, 200, 200], "goals": [{"id": "g", "points": [[190, 190]]}], "profiles": [{"id": "p", "radius": 0.2, "avoidance": "orca"}],
			"groups": [{"count": %d, "spawn": {"rect": [1, 1, 199, 199]}}]}`, count)
		x, same := try(t, d, text, 16), try(t, d, text, 16)
		before := x.crowd.profiles[0]
		m := before
		m.MaxNeighbors = count
		var full *gpu.CapacityError
		if err := x.crowd.SetProfile(0, m); !errors.As(err, &full) || full.Needed <= full.Limit || full.Limit != d.Info().Limits.MaxStorageBlock {
			t.Errorf("got %v, want a *gpu.CapacityError", err)
		}
		if got := x.crowd.profiles[0]; !reflect.DeepEqual(got, before) {
			t.Errorf("the profile is %+v, was %+v", got, before)
		}
		for range 2 {
			x.step()
			same.step()
		}
		if !slices.Equal(x.after, same.after) {
			t.Error("the refusal makes a difference")
		}
	})
}
