package gpu_test

import (
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/shaders"
)

func TestLayouts(t *testing.T) {
	type (
		word  struct{ A uint32 }
		pair  struct{ A [2]float32 }
		quad  struct{ A [4]float32 }
		mixed struct {
			A    int32
			B    float32
			C    [2]float32
			D    [4]float32
			E, F uint32
			G    [2]float32
		}
	)
	gputest.Run(t, func(d *gpu.Device) {
		for _, v := range []any{word{}, pair{}, quad{}, mixed{}, particle{}, shaders.Generator{}} {
			gputest.Layout(t, d, v)
		}
	})
}

func TestLayoutRefuses(t *testing.T) {
	type crooked struct {
		A uint32
		B [2]float32
	}
	gputest.Run(t, func(d *gpu.Device) {
		r := &recorder{TB: t}
		gputest.Layout(r, d, crooked{})
		if len(r.failed) != 1 {
			t.Errorf("a struct that differs in GLSL failed the test with %v, want one error", r.failed)
		}
	})
}
