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
layout(std430, binding = 1) buffer A { uint a[]; };
layout(std430, binding = 6) buffer B { uint b[]; };
layout(r32ui, binding = 3) uniform uimage2D image;
layout(binding = 4) uniform sampler2D textures[2];
void main() {
    a[0] = b[0] + imageLoad(image, ivec2(0)).x + uint(texture(textures[0], vec2(0.0)).x + texture(textures[1], vec2(0.0)).x);
}
`
	gputest.Run(t, func(d *gpu.Device) {
		p, err := gpu.NewProgram(d, gpu.Spec{Stages: []string{file}, Files: fstest.MapFS{file: {Data: []byte(text)}}})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Delete()
		r := p.Resources()
		stage := r.Stages[".comp.glsl"]
		if stage != (gpu.StageResources{StorageBlocks: 2, Images: 1, Textures: 2}) || r.Stages[".frag.glsl"] != (gpu.StageResources{}) {
			t.Errorf("the stages use %+v", r.Stages)
		}
		if r.StorageBinding != 6 || r.ImageUnit != 3 || r.TextureUnit != 5 || r.Invocations != 8 {
			t.Errorf("got %+v", r)
		}
	})
}
