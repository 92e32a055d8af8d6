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

// crowded is a hall in which people of two sizes get in each other's way; some of them cannot reach
// their goal, some come later, on the same spots.
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

// Whatever the method, the moves and contacts of each step are those of the plain form; nobody
// passes a wall or his limits, even where walls come to lie on people; and two runs are the same.
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
					r.Manners = append(r.Manners, x.crowd.Manner(i))
				}
				place := float32(4 * math.Sqrt2 * r.Lattice.Step) // as in TestPartAgreesWithReference
				pushed := 0
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
					again.crowd.Step()
					want := slices.Clone(x.before)
					for i, a := range x.before {
						if covered {
							a, _ = r.Displace(a, x.traits[i], step, true)
						}
						want[i] = r.Integrate(a, x.traits[i], x.guidance[i], step)
						want[i].Pushed = a.Pushed
					}
					if slices.ContainsFunc(r.Manners, func(m Manner) bool { return m.Method != NoMethod }) {
						want, _ = r.Part(want, x.traits, x.scene.Simulation.ContactRounds)
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
				if c.Tally.WallPenetration != 0 || c.Tally.SpeedExcess != 0 || c.Crowded != 0 || c.Displaced < 2 {
					t.Errorf("counted %+v; the new wall has to lie on some, and they have to come out of it", c)
				}
				if (pushed > 100) != (method.name != methods[NoMethod].name) {
					t.Errorf("people are pushed %d times", pushed)
				}
			})
		})
	}
}
