package agents

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/agentstest"
	"github.com/wayfront/wayfront/agents/reference"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// stageOf is a method's stage for situations of up to 16 neighbors.
func stageOf(t testing.TB, d *gpu.Device, of kernelVariant) *stage {
	t.Helper()
	h := &gpu.ResourceSet{Device: d}
	p := newKernel(h, of, 16)
	if h.Err != nil {
		t.Fatal(h.Err)
	}
	t.Cleanup(h.Delete)
	return &stage{device: d, variant: of, kernel: p, seed: 11}
}

// Every method keeps the contract on the device, in all its forms.
func TestContract(t *testing.T) {
	// With 60 samples within reach the next one to the best is up to a tenth of it off.
	touch := map[scenes.Avoidance]float64{scenes.AvoidanceRVO: 0.1}
	for m := NoMethod + 1; int(m) < len(methods); m++ {
		for _, nested := range []bool{false, true} {
			if nested && !methods[m].nests {
				continue
			}
			for variant := 1; variant <= 2; variant++ {
				if variant == 2 && methods[m].name != scenes.AvoidanceClearPath {
					continue
				}
				gputest.Run(t, func(d *gpu.Device) {
					t.Log(methods[m].name, variant, "nested:", nested)
					decide := stageOf(t, d, kernelVariant{method: m, nested: nested}).decide(t)
					agentstest.Suite(t, func(situations []reference.Situation) []mgl64.Vec2 {
						for i := range situations {
							situations[i].Params.Variant = variant
						}
						return decide(situations)
					}, max(0.01, touch[methods[m].name]))
				})
			}
		}
	}
}
