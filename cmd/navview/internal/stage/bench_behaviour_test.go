package stage

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/agents/measure"
)

// TestFrameOf: who is there, in world coordinates.
func TestFrameOf(t *testing.T) {
	f := frameOf(3, []agents.Agent{
		{Status: agents.Waiting}, {Status: agents.Walking, Position: [2]float32{1, 2}, Velocity: [2]float32{3, 4}}, {Status: agents.Left}, {Status: agents.Arrived},
	}, mgl64.Vec2{10, 20})
	if len(f.Walkers) != 2 || f.Time != 3 || f.Walkers[0] != (measure.Walker{ID: 1, At: mgl64.Vec2{11, 22}, Velocity: mgl64.Vec2{3, 4}}) || f.Walkers[1].ID != 3 {
		t.Errorf("%+v", f)
	}
}
