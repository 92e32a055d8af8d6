package engine_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
)

// desk is a corridor with a goal that serves. Agents enter one after the other, and as fast as each
// other.
const desk = `{"version": 1, "domain": [0, 0, 14, 4], "map": {"size": 56},
	"goals": [{"id": "desk", "points": [[9, 2]], "arrivalRadius": 0.7, "service": %s}, {"id": "out", "points": [[13, 2]]}],
	"profiles": [{"preferredSpeed": 1.3, "avoidance": "orca"}],
	"groups": [{"count": 6, "spawn": {"points": [[1, 2]]}, "start": {"rate": 1.25}, "itinerary": ["desk", "out"]}]}`

// TestService has a goal serve agents in the order in which they come, as many in a time as it has
// places, while the others stand apart, one behind the other. Agents enter every 0.8 s, and walk
// 7.3 m at 1.3 m/s: the first arrives after 5.6 s.
func TestService(t *testing.T) {
	const period = 30 // steps of 3 s
	for _, c := range []struct {
		service string
		places  int // of which the places' agents leave in turn
	}{{`{"time": 3, "places": 1}`, 1}, {`{"time": 3, "places": 2}`, 2}, {`{"time": 3}`, 6}} {
		run(t, open(t, fmt.Sprintf(desk, c.service)), func(_ *gpu.Device, w *engine.World) {
			var order []int
			var gone []int
			longest := 0 // how many are in service at once
			for len(order) < 6 {
				steps(t, w, 1)
				if w.Ticks() > 400 {
					t.Fatalf("%s: only %v are served", c.service, order)
				}
				all, standing := crowd(w), 0
				for i, a := range all {
					switch {
					case a.Status != agents.Walking:
						continue
					case a.Stage == 1 && !slices.Contains(order, i):
						order, gone = append(order, i), append(gone, int(w.Ticks()))
					case a.Stage == 0 && a.Target == agents.InService:
						standing++
					}
					for j, b := range all[:i] {
						apart := math.Hypot(float64(a.Position[0]-b.Position[0]), float64(a.Position[1]-b.Position[1]))
						// Contacts leave up to 1% of the sum of radii.
						if b.Status == agents.Walking && apart < 0.99*0.5 {
							t.Errorf("%s: agents %d and %d overlap at tick %d: %v m", c.service, j, i, w.Ticks(), apart)
						}
						// In a line the one behind is farther from the goal.
						if c.places == 1 && a.Target == agents.InService && b.Target == agents.InService && a.Position[0] > b.Position[0] {
							t.Errorf("agent %d stands before %d at tick %d", i, j, w.Ticks())
						}
					}
				}
				longest = max(longest, standing)
			}
			if !slices.IsSorted(order) {
				t.Errorf("%s: served in the order %v", c.service, order)
			}
			for i := c.places; i < len(gone); i++ {
				// The line is never empty from the first on, so that a place is free for no step.
				if d := gone[i] - gone[i-c.places]; d != period {
					t.Errorf("%s: %d is served %d steps after %d, want %d", c.service, i, d, i-c.places, period)
				}
			}
			if first := 56 + period; math.Abs(float64(gone[0]-first)) > 3 { // of slowing down at the start
				t.Errorf("%s: the first is served at step %d, want %d", c.service, gone[0], first)
			}
			if c.places == 1 && longest < 3 {
				t.Errorf("only %d agents stand at the same time", longest)
			}
		})
	}
}
