package gpu_test

import (
	"testing"
	"testing/fstest"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

func TestMain(m *testing.M) { gputest.Main(m) }

func TestDispatch(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		t.Logf("%+v", d.Info())
		b, err := gpu.NewBuffer[uint32](d, "numbers", 100)
		if err != nil {
			t.Fatal(err)
		}
		p, err := gpu.NewProgram(d, gpu.Spec{Stages: []string{"test/double.comp.glsl"}, Files: fstest.MapFS{
			"test/double.comp.glsl": {Data: []byte(`#version 450 core
layout(local_size_x = SIZE) in;
layout(std430, binding = 3u) buffer Numbers { uint numbers[]; };
uniform uint count;
void main() {
	uint i = gl_GlobalInvocationID.x;
	if (i < count) numbers[i] = 2u * i;
}
`)},
		}, Defines: map[string]any{"SIZE": 64}})
		if err != nil {
			t.Fatal(err)
		}
		b.Bind(3)
		p.Set("count", uint32(100))
		p.Dispatch(gpu.Groups(100, 64), 1, 1)
		got := make([]uint32, 100)
		b.Read(0, got)
		for i, g := range got {
			if g != uint32(2*i) {
				t.Fatal(i, g)
			}
		}
	})
}
