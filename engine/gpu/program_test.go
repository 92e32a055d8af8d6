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
		made := func(spec gpu.PassSpec[struct{}]) error { _, err := gpu.NewPass(d, spec); return err }
		err := made(gpu.PassSpec[struct{}]{Name: "broken", Stages: []string{"own/bad.comp.glsl"}, Files: files, Defines: map[string]any{"A": 1, "B": 2}})
		var e *gpu.CompileError
		if !errors.As(err, &e) || e.Program != "broken" || e.Stage != "own/bad.comp.glsl" {
			t.Fatalf("got %v, want a *CompileError", err)
		}
		for _, want := range []string{`program "broken"`, "own/part.glsl:3: ", "missing = 3;", "own/bad.comp.glsl:6: ", "float x = absent;"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q is not in the error:\n%v", want, err)
			}
		}
		err = made(gpu.PassSpec[struct{}]{Name: "gap", Stages: []string{"own/gap.vert.glsl", "own/gap.frag.glsl"}, Files: files})
		if !errors.As(err, &e) || e.Stage != "" || !strings.Contains(err.Error(), "here") {
			t.Errorf("got %v, want a *CompileError of linking about here", err)
		}
		err = made(gpu.PassSpec[struct{}]{Stages: []string{"own/nowhere.comp.glsl"}})
		if err == nil || !strings.Contains(err.Error(), "own/nowhere.comp.glsl") || !strings.HasPrefix(err.Error(), "gpu: ") {
			t.Errorf("a missing file: %v", err)
		}
		if err := d.Err(); err != nil {
			t.Errorf("a failed compilation is reported twice: %v", err)
		}
		panics(t, func() { _ = made(gpu.PassSpec[struct{}]{Name: "empty"}) }, "without stages")
		panics(t, func() {
			compute[struct{}](t, d, "layout(local_size_x = 1) in;\nuniform float factor = 2.0;\nvoid main() {}\n")
		}, "initializes", "factor")
		err = made(specOf[struct{}]("image.comp.glsl", "layout(local_size_x = 1) in;\nlayout(r32f) uniform image2D picture;\nvoid main() { imageStore(picture, ivec2(0), vec4(1)); }\n"))
		if !errors.As(err, &e) || !strings.Contains(err.Error(), "picture") {
			t.Errorf("an image: %v, want a *CompileError about picture", err)
		}
		err = made(specOf[struct{}]("block.comp.glsl", "layout(local_size_x = 1) in;\nlayout(std140) uniform Block { float factor; };\nlayout(std430) buffer Out { float values[]; };\nvoid main() { values[0] = factor; }\n"))
		if !errors.As(err, &e) || !strings.Contains(err.Error(), "factor") {
			t.Errorf("a uniform block: %v, want a *CompileError about factor", err)
		}
	})
}

// Uniforms of every type keep their values until a run has others, and passes of the same sources
// do not share them.
func TestUniforms(t *testing.T) {
	type input struct {
		values     *gpu.Buffer[float32] `gpu:"write"`
		one        float32
		two        [2]float32
		three      mgl32.Vec3
		four       mgl32.Vec4
		nine       mgl32.Mat3
		sixteen    mgl32.Mat4
		whole      int32
		wholes     [2]int32
		count      uint32
		counts     [3]uint32
		flag       bool
		list       [3]float32
		pairs      [2]mgl32.Vec2
		alsoUnused [4]float32
	}
	const text = `
layout(local_size_x = 1) in;
layout(std430) writeonly buffer Out { float values[]; };
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
`
	gputest.Run(t, func(d *gpu.Device) {
		p, twin := compute[input](t, d, text), compute[input](t, d, text)
		in := input{
			buffer[float32](t, d, 25), 1,
			[2]float32{2, 3},
			mgl32.Vec3{4, 5, 6},
			mgl32.Vec4{7, 8, 9, 10},
			mgl32.Mat3{0, 11, 0, 0, 0, 0, 0, 0, 12},
			mgl32.Translate3D(13, 0, 0).Add(mgl32.Mat4{3: 14}), -15,
			[2]int32{16, -17},
			18,
			[3]uint32{0, 0, 19},
			true,
			[3]float32{20, 21, 22},
			[2]mgl32.Vec2{{}, {23, 24}},
			[4]float32{},
		}
		want := []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, -15, 16, -17, 18, 19, 1, 20, 21, 22, 23, 24}
		other, otherWant := in, slices.Clone(want)
		other.whole, other.flag, other.list[0] = -25, false, 27
		otherWant[14], otherWant[19], otherWant[20] = -25, 0, 27
		for i, c := range []struct {
			pass *gpu.Pass[input]
			in   input
			want []float32
		}{{p, in, want}, {p, other, otherWant}, {twin, in, want}, {p, other, otherWant}, {twin, input{values: in.values}, make([]float32, 25)}, {p, in, want}} {
			c.pass.Run(c.in, 1)
			if got := read(in.values); !slices.Equal(got, c.want) {
				t.Errorf("run %d: got  %v\nwant %v", i, got, c.want)
			}
		}
	})
}
