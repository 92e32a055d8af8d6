package engine_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
)

// A thin leaf that turns, faster at its tip in a step than it is thick, pushes agents on, which do
// not see it come or do: none is in it, and none on its other side but round its end.
func TestLeafPushesAgents(t *testing.T) {
	for _, m := range append([]manner{{"none", "2"}}, manners...) {
		t.Run(m.String(), func(t *testing.T) {
			s := open(t, m.in(`{"version": 1, "domain": [0, 0, 12, 12], "simulation": {"timestep": 0.1},
				"obstacles": [{"id": "leaf", "rect": [2, 5.98, 10, 6.02], "motion": {"loop": "cycle", "keyframes": [{"time": 0}, {"time": 9, "angle": 360}]}}],
				"goals": [{"id": "g", "points": [[6, 11.5]]}],
				"groups": [{"profile": "p", "count": 30, "spawn": {"rect": [3, 3, 9, 5.5]}, "onArrival": "stay"}]`))
			run(t, s, func(d *gpu.Device, w *engine.World) {
				sides := map[int]bool{}
				for range 100 {
					steps(t, w, 1)
					sin, cos := math.Sincos((w.Time() - 0.1) / 9 * 2 * math.Pi)
					present(t, w, func(i int, at mgl64.Vec2, _ agents.Agent) {
						off := at.Sub(mgl64.Vec2{6, 6})
						along, left := math.Abs(off[0]*cos+off[1]*sin), off[1]*cos-off[0]*sin > 0
						before, known := sides[i]
						if along > 3.6 { // round the end within a step or two
							delete(sides, i)
							return
						}
						if sides[i] = left; known && before != left {
							t.Fatalf("tick %d: agent %d at %v has passed the leaf", w.Ticks(), i, at)
						}
					})
				}
				if c := w.Crowd().CountersNow(); c.Displaced == 0 && m.String() == "none" || c.Buried != 0 {
					t.Errorf("%+v", c)
				}
			})
		})
	}
}
