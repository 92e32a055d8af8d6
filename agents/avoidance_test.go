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

// crowded is a hall in which agents of two sizes get in each other's way; some of them cannot
// reach their goal, some come later, on the same spots.
const crowded = `{"version": 1, "domain": [-10, 5, 30, 30],
	"obstacles": [{"rect": [-4, 12, 3, 13]}, {"polygon": [[8, 9], [12, 11], [9, 16]]}, {"rect": [14, 20, 14.000001, 26]},
		{"polygon": [[20, 5], [24, 5], [24, 9], [20, 9]], "holes": [[[21, 6], [23, 6], [23, 8], [21, 8]]]}],
	"goals": [{"id": "west", "points": [[-9, 17]]}, {"id": "east", "points": [[29, 17]], "clearance": 0.3}, {"id": "cell", "points": [[22, 7]]}],
	"profiles": [{"id": "a", "avoidance": %q}, {"id": "b", "avoidance": %[1]q, "radius": 0.4, "maxAcceleration": 3}, {"id": "none", "avoidance": "none", "radius": 0.001}],
	"groups": [{"count": 70, "profile": "a", "spawn": {"rect": [0, 14, 8, 21]}, "itinerary": ["east", "west"], "onArrival": "loop"},
		{"count": 50, "profile": "b", "spawn": {"rect": [12, 12, 20, 20]}, "itinerary": ["west"], "onArrival": "stay"},
		{"count": 10, "profile": "b", "spawn": {"rect": [0, 22, 8, 28]}, "itinerary": ["cell"]},
		{"count": 10, "profile": "none", "spawn": {"rect": [0, 22, 8, 28]}, "itinerary": ["east"]},
		{"count": 30, "profile": "a", "spawn": {"points": [[10, 18], [9, 19]]}, "itinerary": ["east"], "start": {"rate": 3}}],
	"simulation": {"timestep": 0.2}}`

// Whatever the method, the moves and contacts of each step are those of the plain form; no agent
// passes a wall or its limits, even where walls come to lie on agents; and two runs are the same.
func TestCrowdsOfAnyMethod(t *testing.T) {
	for _, method := range methods {
		t.Run(string(method.name), func(t *testing.T) {
			gputest.Run(t, func(d *gpu.Device) {
				text := fmt.Sprintf(crowded, method.name)
				x, again := try(t, d, text, 80), try(t, d, text, 80)
				if err := x.crowd.Measure(true); err != nil {
					t.Fatal(err)
				}
				scene := *x.scene
				scene.Obstacles = append(slices.Clone(scene.Obstacles), read(t, `{"version": 1, "domain": [-10, 5, 30, 30], "goals": [{"id": "g", "points": [[0, 28]]}],
					"obstacles": [{"rect": [4, 15, 9, 18]}]}`).scene.Obstacles...)
				changed, err := scene.Ground()
				if err != nil {
					t.Fatal(err)
				}
				r := x.reference
				for i := range x.scene.Profiles {
					r.Params = append(r.Params, x.crowd.params[i])
				}
				place := float32(4 * math.Sqrt2 * r.Lattice.Step) // as in TestPartAgreesWithReference
				pushed, held := 0, 0
				for step := range uint32(120) {
					covered := step == 60
					if covered {
						for _, c := range []*Crowd{x.crowd, again.crowd} {
							if err := c.SetGround(changed, geom.NewWallGrid(changed)); err != nil {
								t.Fatal(err)
							}
						}
						r.Walls = WallsOf(changed)
					}
					x.step()
					stepCrowd(again.crowd)
					for i, waits := range r.Enter(x.before, x.traits, step) {
						if due := x.before[i].Status == Waiting && step >= x.traits[i].Entry; due && !covered && waits != (x.after[i].Status == Waiting) {
							t.Fatalf("step %d: agent %d is to wait, %v, but: %+v, was %+v", step, i, waits, x.after[i], x.before[i])
						}
						if waits {
							held++
						}
					}
					before := slices.Clone(x.before)
					want := slices.Clone(x.before)
					for i, a := range x.before {
						if covered {
							a, _ = r.Displace(a, x.traits[i], step, true)
							before[i] = a
						}
						want[i] = r.Integrate(a, x.traits[i], x.guidance[i], step)
						want[i].Pushed = a.Pushed
					}
					if slices.ContainsFunc(r.Params, func(m AvoidanceParams) bool { return m.Method != NoMethod }) {
						want, _ = r.Separate(before, want, x.traits, x.scene.Simulation.ContactRounds)
					}
					for i, a := range x.after {
						if off := length(minus(a.Position, want[i].Position)); !(off <= place) || !finite(a.Velocity) {
							t.Fatalf("step %d, agent %d:\n got %+v\nwant %+v\nfrom %+v, %+v", step, i, a, want[i], x.before[i], x.guidance[i])
						}
						if a.Pushed != [2]float32{} {
							pushed++
						}
					}
				}
				got := make([]Agent, len(x.after))
				again.crowd.Snapshot(got)
				if !slices.Equal(got, x.after) {
					t.Error("two runs differ, one of them measured")
				}
				c := x.crowd.CountersNow()
				if c.Tally.WallPenetration != 0 || c.Tally.SpeedExcess != 0 || c.NeighborListOverflow != 0 || c.Displaced < 2 {
					t.Errorf("counted %+v; the new wall has to lie on some, and they have to come out of it", c)
				}
				if (held > 0) != (method.name != methods[NoMethod].name) || c.Waiting == 30 {
					t.Errorf("agents are held back %d times; %d of 30 still wait: none came in", held, c.Waiting)
				}
				if (pushed > 100) != (method.name != methods[NoMethod].name) {
					t.Errorf("agents are pushed %d times", pushed)
				}
			})
		})
	}
}

// Agents of a source wait while its position is occupied, then enter one by one.
func TestBlockedSource(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, `{"version": 1, "domain": [0, 0, 20, 20], "goals": [{"id": "here", "points": [[10, 10]]}, {"id": "far", "points": [[19, 10]]}],
			"profiles": [{"id": "p", "avoidance": "orca"}, {"id": "none", "avoidance": "none"}],
			"groups": [{"id": "stands", "profile": "p", "spawn": {"points": [[10, 10]]}, "itinerary": ["here"], "onArrival": "stay"},
				{"id": "source", "count": 8, "profile": "p", "spawn": {"points": [[10.2, 10]]}, "itinerary": ["far"], "start": {"at": 2, "rate": 2}},
				{"id": "ghosts", "count": 2, "profile": "none", "spawn": {"points": [[9.6, 10]]}, "itinerary": ["far"], "start": {"at": 4, "rate": 1}}]}`, 20)
		enter := func(steps int) (entered int) {
			for range steps {
				x.step()
				for i, a := range x.after {
					if a.Status == Waiting || x.before[i].Status != Waiting {
						continue
					}
					entered++
					for j, b := range x.before {
						sum := x.traits[i].Radius + x.traits[j].Radius
						if b.Status != Waiting && x.traits[i].Profile == 0 && length(minus(x.before[i].Position, b.Position)) < sum {
							t.Fatalf("agent %d enters into agent %d", i, j)
						}
					}
				}
			}
			return entered
		}
		if n := enter(40); n > 0 {
			t.Fatalf("%d enter at an occupied place", n)
		}
		if n := enter(1); n != 1 {
			t.Fatalf("%d enter, want the one that avoids none", n)
		}
		// The agent that stands there goes.
		x.crowd.Snapshot(x.after)
		x.after[0].Position = [2]float32{2, 2}
		x.crowd.agents[0].Write(0, x.after)
		stepCrowd(x.crowd)
		x.crowd.Snapshot(x.after)
		if n := enter(1); n > 1 {
			t.Errorf("%d enter at once", n)
		}
		if enter(200); x.walking() > 0 {
			t.Errorf("%d still wait or walk: %+v", x.walking(), x.crowd.CountersNow())
		}
	})
}

// Runs are the same, to the bit, with every size of work groups, which determines the agents that
// share a group and the order of bodies. In one crowd all methods occur.
func TestCrowdsKnowNoOrder(t *testing.T) {
	const mixed = `{"version": 1, "domain": [0, 0, 16, 12], "obstacles": [{"rect": [7, 0, 8, 5]}, {"rect": [7, 7, 8, 12]}],
		"goals": [{"id": "west", "points": [[1, 6]]}, {"id": "east", "points": [[15, 6]], "clearance": 0.25}],
		"profiles": [{"id": "a", "avoidance": "rvo"}, {"id": "b", "avoidance": "clearpath", "clearpath": {"variant": 1}}, {"id": "c", "avoidance": "clearpath"}, {"id": "d", "avoidance": "orca"}],
		"groups": [{"count": 30, "profile": "a", "spawn": {"rect": [0.5, 0.5, 6.5, 11.5]}, "itinerary": ["east"]}, {"count": 30, "profile": "b", "spawn": {"rect": [8.5, 0.5, 15.5, 11.5]}, "itinerary": ["west"]},
			{"count": 30, "profile": "c", "spawn": {"rect": [0.5, 0.5, 6.5, 11.5]}, "itinerary": ["east"]}, {"count": 30, "profile": "d", "spawn": {"rect": [8.5, 0.5, 15.5, 11.5]}, "itinerary": ["west"]}]}`
	gputest.Run(t, func(d *gpu.Device) {
		usual := groupSize
		defer func() { groupSize = usual }()
		var want []Agent
		for _, groupSize = range []int{usual, 16} {
			x := try(t, d, mixed, 40)
			for range 80 {
				stepCrowd(x.crowd)
			}
			x.crowd.Snapshot(x.after)
			if want == nil {
				want = x.after
			} else if !slices.Equal(x.after, want) {
				t.Errorf("runs differ with work groups of %d and %d", usual, groupSize)
			}
		}
	})
}
