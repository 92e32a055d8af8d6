package gpu_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

func TestProgramErrorsNameFileAndLine(t *testing.T) {
	files := fstest.MapFS{
		"own/bad.comp.glsl": {Data: []byte("#version 450 core\nlayout(local_size_x = 1) in;\n#include \"own/part.glsl\"\nvoid main() {\n    part();\n    float x = absent;\n}\n")},
		"own/part.glsl":     {Data: []byte("// A part.\nvoid part() {\n    missing = 3;\n}\n")},
		"own/gap.vert.glsl": {Data: []byte("#version 450 core\nout vec2 here;\nvoid main() { here = vec2(0); gl_Position = vec4(0); }\n")},
		"own/gap.frag.glsl": {Data: []byte("#version 450 core\nin vec3 here;\nout vec4 c;\nvoid main() { c = here.xyzz; }\n")},
	}
	gputest.Run(t, func(d *gpu.Device) {
		_, err := gpu.NewProgram(d, gpu.Spec{Name: "broken", Stages: []string{"own/bad.comp.glsl"}, Files: files, Defines: map[string]any{"A": 1, "B": 2}})
		var e *gpu.CompileError
		if !errors.As(err, &e) || e.Program != "broken" || e.Stage != "own/bad.comp.glsl" {
			t.Fatalf("got %v, want a *CompileError", err)
		}
		for _, want := range []string{`program "broken"`, "own/part.glsl:3: ", "missing = 3;", "own/bad.comp.glsl:6: ", "float x = absent;"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q is not in the error:\n%v", want, err)
			}
		}
		_, err = gpu.NewProgram(d, gpu.Spec{Name: "gap", Stages: []string{"own/gap.vert.glsl", "own/gap.frag.glsl"}, Files: files})
		if !errors.As(err, &e) || e.Stage != "" || !strings.Contains(err.Error(), "here") {
			t.Errorf("got %v, want a *CompileError of linking about here", err)
		}
		_, err = gpu.NewProgram(d, gpu.Spec{Stages: []string{"own/nowhere.comp.glsl"}})
		if err == nil || !strings.Contains(err.Error(), "own/nowhere.comp.glsl") || !strings.HasPrefix(err.Error(), "gpu: ") {
			t.Errorf("a missing file: %v", err)
		}
		if err := d.Err(); err != nil {
			t.Errorf("a failed compilation is told twice: %v", err)
		}
		panics(t, func() { _, _ = gpu.NewProgram(d, gpu.Spec{Name: "empty"}) }, "without stages")
	})
}

func TestUniforms(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		p := program(t, d, gpu.Spec{}, "uniforms.comp.glsl", `
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Out { float values[]; };
uniform float one;
uniform vec2 two;
uniform vec3 three;
uniform vec4 four;
uniform mat3 nine;
uniform mat4 sixteen;
uniform int whole;
uniform ivec2 wholes;
uniform uint count;
uniform uvec3 counts;
uniform bool flag;
uniform float list[3];
uniform vec2 pairs[2];
uniform float unused, /* a comment */ alsoUnused[4];
void main() {
	float all[] = float[](one, two.x, two.y, three.x, three.y, three.z, four.x, four.y, four.z, four.w,
		nine[0][1], nine[2][2], sixteen[3][0], sixteen[0][3], float(whole), float(wholes.x), float(wholes.y),
		float(count), float(counts.z), flag ? 1.0 : 0.0, list[0], list[1], list[2], pairs[1].x, pairs[1].y);
	for (int i = 0; i < all.length(); i++) values[i] = all[i];
}
`)
		p.Set("one", float32(1))
		p.Set("two", [2]float32{2, 3})
		p.Set("three", mgl32.Vec3{4, 5, 6})
		p.Set("four", mgl32.Vec4{7, 8, 9, 10})
		p.Set("nine", mgl32.Mat3{0, 11, 0, 0, 0, 0, 0, 0, 12})
		p.Set("sixteen", mgl32.Translate3D(13, 0, 0).Add(mgl32.Mat4{3: 14}))
		p.Set("whole", int32(-15))
		p.Set("wholes", [2]int32{16, -17})
		p.Set("count", uint32(18))
		p.Set("counts", [3]uint32{0, 0, 19})
		p.Set("flag", true)
		p.Set("list", []float32{20, 21, 22})
		p.Set("pairs", []mgl32.Vec2{{}, {23, 24}})
		p.Set("unused", float32(0))
		p.Set("alsoUnused", []float32{0})
		out := buffer[float32](t, d, 25)
		out.Bind(0)
		p.Dispatch(1, 1, 1)
		want := []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, -15, 16, -17, 18, 19, 1, 20, 21, 22, 23, 24}
		if got := read(out); !slices.Equal(got, want) {
			t.Errorf("got  %v\nwant %v", got, want)
		}
		// An int is taken where it fits, and a slice may be shorter than the array.
		p.Set("whole", -25)
		p.Set("count", 26)
		p.Set("flag", false)
		p.Set("list", []float32{27})
		p.Dispatch(1, 1, 1)
		want[14], want[17], want[19], want[20] = -25, 26, 0, 27
		if got := read(out); !slices.Equal(got, want) {
			t.Errorf("got  %v\nwant %v", got, want)
		}

		panics(t, func() { p.Set("uno", float32(1)) }, `declares no uniform "uno"`)
		for name, value := range map[string]any{
			"one": 1, "two": [3]float32{}, "three": mgl32.Vec4{}, "sixteen": mgl32.Mat3{}, "whole": uint32(1), "wholes": [2]float32{},
			"count": -1, "flag": 1, "list": []float32{1, 2, 3, 4}, "pairs": []float32{1, 2}, "counts": []uint32{}, "four": nil,
		} {
			panics(t, func() { p.Set(name, value) }, `"`+name+`"`)
		}
		panics(t, func() { p.Set("whole", 1<<40) }, "whole")
		p.Delete()
		p.Delete()
		panics(t, func() { p.Dispatch(1, 1, 1) }, "deleted")
	})
}

func TestSamplersAreNotSet(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		p := program(t, d, gpu.Spec{}, "sample.comp.glsl", `
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D field;
layout(std430, binding = 0) buffer Out { vec4 value; };
void main() { value = texelFetch(field, ivec2(0), 0); }
`)
		panics(t, func() { p.Set("field", int32(1)) }, "field", "layout(binding)")
	})
}
