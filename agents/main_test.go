package agents

import (
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

func TestMain(m *testing.M) { gputest.Main(m) }

func TestProgramsCompile(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		for _, stage := range []string{"agents/steer.comp.glsl", "agents/integrate.comp.glsl", "agents/follow.comp.glsl"} {
			p, err := gpu.NewProgram(d, Spec(stage))
			if err != nil {
				t.Fatal(err)
			}
			p.Delete()
		}
	})
}
