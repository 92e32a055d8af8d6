package agents

import (
	"testing"
	"testing/fstest"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// frameOnly is a method that shows that the frame fits together.
const frameOnly = `#version 450 core
#include "agents/avoid.glsl"
vec2 avoid(Self self) {
    vec2 sum = self.preferred + randomPair(self, 1u) * self.timestep * self.manner.timeHorizon;
    for (uint i = 0u; i < neighborCount(); i++) {
        Neighbor n = neighborAt(i);
        sum += n.shares ? n.position + n.velocity : vec2(n.radius, n.id);
    }
    for (uint i = 0u; i < wallCount(); i++) {
        Wall w = wallAt(i);
        sum += w.a + w.b;
    }
    return sum;
}
`

// A method needs no more than a shader with one function.
func TestFrameCompiles(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		s := avoidanceSpec("agents/trial.comp.glsl", nil)
		s.Files = fstest.MapFS{"agents/trial.comp.glsl": &fstest.MapFile{Data: []byte(frameOnly)}}
		p, err := gpu.NewProgram(d, s)
		if err != nil {
			t.Fatal(err)
		}
		p.Delete()
	})
}
