package engine_test

import (
	"fmt"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
)

// manner is how agents avoid others.
type manner struct{ method, variant string }

// manners are the methods that avoid others, and their variants.
var manners = []manner{{"rvo", "2"}, {"clearpath", "1"}, {"clearpath", "2"}, {"orca", "2"}}

func (p manner) String() string { return p.method + "-" + p.variant }

// in is a scene in which all agents walk by the method: text lacks the profiles, and the brace at
// the end.
func (p manner) in(text string) string {
	return fmt.Sprintf(`%s, "profiles": [{"id": "p", "avoidance": %q, "clearpath": {"variant": %s}, "preferredSpeed": {"mean": 1.3, "std": 0}}], "map": {"size": 100}}`, text, p.method, p.variant)
}

// outcome is what has become of all agents.
type outcome struct{ arrived, stuck, walking int }

// finish runs a world until all agents have arrived or is stuck, for so many ticks at most. All the
// time all stand on free ground.
func finish(t testing.TB, w *engine.World, most int) (o outcome, c agents.Counters) {
	t.Helper()
	if err := w.Crowd().Measure(true); err != nil {
		t.Fatal(err)
	}
	for range most / 10 {
		steps(t, w, 10)
		c = w.Crowd().CountersNow()
		o = outcome{c.Reached, c.Stuck, w.Crowd().Count() - c.Reached - c.Stuck}
		if o.walking == 0 {
			break
		}
	}
	if c.Tally.WallPenetration != 0 {
		t.Errorf("an agent was %v m deep in a wall", c.Tally.WallPenetration)
	}
	return o, c
}

// corridor is a way of a width between two walls, whose ends two people, or two crowds, set out
// from.
func corridor(width float64, groups string) string {
	return fmt.Sprintf(`{"version": 1, "domain": [0, 0, 20, 6], "obstacles": [{"rect": [0, 0, 20, %[1]v]}, {"rect": [0, %[2]v, 20, 6]}],
		"goals": [{"id": "west", "points": [[2, 3]], "arrivalRadius": 0.3}, {"id": "east", "points": [[18, 3]], "arrivalRadius": 0.3},
			{"id": "row", "segments": [[[10, %[1]v], [10, %[2]v]]]}], "groups": [%[3]s]`, 3-width/2, 3+width/2, groups)
}

// standing is agents that stand at places, and one that wants to pass them.
func standing(places string) string {
	return fmt.Sprintf(`{"profile": "p", "spawn": {"points": [%s]}, "itinerary": ["row"], "onArrival": "stay"}, {"profile": "p", "spawn": {"points": [[2, 3]]}, "itinerary": ["east"]}`, places)
}

const (
	// Two that walk to each other's places.
	oncoming = `{"profile": "p", "spawn": {"points": [[2, 3]]}, "itinerary": ["east"]}, {"profile": "p", "spawn": {"points": [[18, 3]]}, "itinerary": ["west"]}`
	// Four that meet in the middle at the same time.
	crossing = `"goals": [{"id": "west", "points": [[1, 10]]}, {"id": "east", "points": [[19, 10]]}, {"id": "south", "points": [[10, 1]]}, {"id": "north", "points": [[10, 19]]}],
		"groups": [{"profile": "p", "spawn": {"points": [[1, 10]]}, "itinerary": ["east"]}, {"profile": "p", "spawn": {"points": [[19, 10]]}, "itinerary": ["west"]},
			{"profile": "p", "spawn": {"points": [[10, 1]]}, "itinerary": ["north"]}, {"profile": "p", "spawn": {"points": [[10, 19]]}, "itinerary": ["south"]}]`
	blocks = `"obstacles": [{"rect": [0, 0, 9, 9]}, {"rect": [11, 0, 20, 9]}, {"rect": [0, 11, 9, 20]}, {"rect": [11, 11, 20, 20]}]`
)

// Where agents meet that could stand in each other's way for good they get through, if there is room
// to pass. Where there is not, they are counted as stuck: none walks on forever uncounted.
func TestDeadlocks(t *testing.T) {
	for name, c := range map[string]struct {
		scene string
		stay  int  // those that are there from the beginning, and stay
		pass  bool // there is room for the others
	}{
		"head-on":            {scene: `{"version": 1, "domain": [0, 0, 20, 6], "goals": [{"id": "west", "points": [[2, 3]]}, {"id": "east", "points": [[18, 3]]}], "groups": [` + oncoming + `]`, pass: true},
		"head-on, corridor":  {scene: corridor(1.5, oncoming), pass: true},
		"head-on, one wide":  {scene: corridor(0.75, oncoming)}, // 1.5 times the width of one
		"four at a crossing": {scene: `{"version": 1, "domain": [0, 0, 20, 20], ` + crossing, pass: true},
		"four in streets":    {scene: `{"version": 1, "domain": [0, 0, 20, 20], ` + blocks + `, ` + crossing, pass: true},
		// Seven stand across the corridor, with less than a person's width between them.
		"behind a row": {scene: corridor(4, standing("[10, 1.3], [10, 1.86], [10, 2.42], [10, 2.98], [10, 3.54], [10, 4.1], [10, 4.66]")), stay: 7},
		// There is room on both sides, but no method looks for a way around the hollow between two.
		"behind two": {scene: corridor(4, standing("[10, 2.7], [10, 3.3]")), stay: 2},
		"behind one": {scene: corridor(4, standing("[10, 3]")), stay: 1, pass: true},
		// The jambs leave both no way on but toward each other.
		"side by side at a door": {scene: `{"version": 1, "domain": [0, 0, 12, 10], "obstacles": [{"rect": [10, 0, 10.2, 4.6]}, {"rect": [10, 5.4, 10.2, 10]}],
			"goals": [{"id": "out", "segments": [[[11.5, 2], [11.5, 8]]]}],
			"groups": [{"profile": "p", "spawn": {"points": [[9.79, 5.26], [9.79, 4.74]]}, "itinerary": ["out"]}]`, pass: true},
		// One crowd walks round the corner one way, the other one the other way.
		"convex corner": {scene: `{"version": 1, "domain": [0, 0, 16, 16], "obstacles": [{"rect": [0, 0, 8, 8]}],
			"goals": [{"id": "west", "points": [[1, 10]], "clearance": 0.25}, {"id": "south", "points": [[10, 1]], "clearance": 0.25}],
			"groups": [{"profile": "p", "count": 10, "spawn": {"rect": [1, 8.5, 5, 13]}, "itinerary": ["south"]}, {"profile": "p", "count": 10, "spawn": {"rect": [8.5, 1, 13, 5]}, "itinerary": ["west"]}]`, pass: true},
	} {
		for _, p := range manners {
			t.Run(name+"/"+p.String(), func(t *testing.T) {
				s := open(t, p.in(c.scene))
				run(t, s, func(d *gpu.Device, w *engine.World) {
					// Ways of 16 m at 1.3 m/s take 12 s; an agent that does not pass is stuck after 10 s
					// more. But a sampler may first have backed out.
					o, counters := finish(t, w, 1200)
					all := w.Crowd().Count()
					if o.arrived < c.stay || c.pass && o.arrived != all || !c.pass && o.arrived+o.stuck != all {
						t.Errorf("of %d %+v: %+v", all, o, counters)
					}
				})
			})
		}
	}
}

// A crowd before a door that two cannot pass side by side gets through, by each method within twice
// the time of RVO, whose samples break arches up; and two crowds that meet in a corridor do. No
// body comes into another.
func TestCrowdsGetThrough(t *testing.T) {
	for name, scene := range map[string]string{
		"door": `{"version": 1, "domain": [0, 0, 12, 10], "obstacles": [{"rect": [10, 0, 10.2, 4.6]}, {"rect": [10, 5.4, 10.2, 10]}],
			"goals": [{"id": "out", "segments": [[[11.5, 2], [11.5, 8]]], "clearance": 0.25}],
			"groups": [{"profile": "p", "count": 60, "spawn": {"rect": [6.5, 1.5, 9.6, 8.5]}}], "simulation": {"timestep": 0.1, "seed": 2}`,
		"corridor": `{"version": 1, "domain": [0, 0, 16, 8], "obstacles": [{"rect": [6, 0, 10, 3]}, {"rect": [6, 5, 10, 8]}],
			"goals": [{"id": "east", "segments": [[[15, 1], [15, 7]]]}, {"id": "west", "segments": [[[1, 1], [1, 7]]]}],
			"groups": [{"profile": "p", "count": 40, "spawn": {"rect": [0.5, 0.5, 5.5, 7.5]}, "itinerary": ["east"]},
				{"profile": "p", "count": 40, "spawn": {"rect": [10.5, 0.5, 15.5, 7.5]}, "itinerary": ["west"]}], "simulation": {"timestep": 0.1, "seed": 2}`,
	} {
		var usual uint32 // steps that RVO takes
		for _, p := range manners {
			t.Run(name+"/"+p.String(), func(t *testing.T) {
				s := open(t, p.in(scene))
				run(t, s, func(d *gpu.Device, w *engine.World) {
					o, c := finish(t, w, 1500)
					last := uint32(0)
					for _, a := range crowd(w) {
						last = max(last, a.First)
					}
					if p.method == "rvo" {
						usual = last
					}
					t.Logf("%v: %d steps, RVO takes %d, overlap %v", p, last, usual, c.Tally.Penetration)
					if all := w.Crowd().Count(); o.arrived != all || last > 2*usual || c.Tally.Contacts > 0 {
						t.Errorf("of %d %+v, in %d steps, RVO takes %d: %+v", all, o, last, usual, c)
					}
				})
			})
		}
	}
}

// Agents that all want to stand in one place fill it; those that find it taken count as stuck or
// as on their way, and come to rest around it or walk round, but none comes into another, and none
// is lost.
func TestCrowdedGoal(t *testing.T) {
	for _, p := range manners {
		t.Run(p.String(), func(t *testing.T) {
			s := open(t, p.in(`{"version": 1, "domain": [0, 0, 14, 14], "goals": [{"id": "middle", "points": [[7, 7]], "arrivalRadius": 0.5}],
				"groups": [{"profile": "p", "count": 30, "spawn": {"circle": {"center": [7, 7], "radius": 6}}, "itinerary": ["middle"], "onArrival": "stay"}]`))
			run(t, s, func(d *gpu.Device, w *engine.World) {
				o, c := finish(t, w, 300)
				// Places within 0.5 m of the middle with 0.5 m between any two of them: seven.
				if o.arrived == 0 || o.arrived > 7 || o.arrived+o.stuck+o.walking != 30 || c.Lost != 0 || c.Tally.Contacts != 0 {
					t.Errorf("%+v, %+v", o, c)
				}
				for i, a := range crowd(w) {
					if off := (mgl64.Vec2{float64(a.Position[0]) - 7, float64(a.Position[1]) - 7}).Len(); off > 3 {
						t.Errorf("agent %d is %v m from where it wants to be", i, off)
					}
				}
			})
		})
	}
}
