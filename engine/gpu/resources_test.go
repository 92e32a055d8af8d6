package gpu_test

import (
	"testing"
	"testing/fstest"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// TestResources counts what a program uses of each kind.
func TestResources(t *testing.T) {
	const file = "count/count.comp.glsl"
	text := `#version 450 core
layout(local_size_x = 4, local_size_y = 2) in;
layout(std430) buffer A { uint a[]; };
layout(std430) buffer B { uint b[]; };
uniform sampler2D left, right;
void main() {
    a[0] = b[0] + uint(texture(left, vec2(0.0)).x + texture(right, vec2(0.0)).x);
}
`
	gputest.Run(t, func(d *gpu.Device) {
		r, err := gpu.Inspect(d, gpu.Spec{Stages: []string{file}, Files: fstest.MapFS{file: {Data: []byte(text)}}})
		if err != nil {
			t.Fatal(err)
		}
		stage := r.Stages[".comp.glsl"]
		if stage != (gpu.StageResources{StorageBlocks: 2, Textures: 2}) || r.Stages[".frag.glsl"] != (gpu.StageResources{}) {
			t.Errorf("the stages use %+v", r.Stages)
		}
		if r.Bindings != 2 || r.Invocations != 8 || len(r.Variables) != 2 {
			t.Errorf("got %+v", r)
		}
	})
}
