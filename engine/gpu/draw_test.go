package gpu_test

import (
	"image/color"
	"slices"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// A triangle over the whole target at depth `depth`, and a fragment stage that gives a color.
const (
	fullVertex = `
uniform float depth;
void main() { gl_Position = vec4(4.0 * (gl_VertexID & 1) - 1.0, 2.0 * (gl_VertexID & 2) - 1.0, depth, 1); }
`
	plainFragment = `
uniform vec4 tint;
layout(location = 0) out vec4 outColor;
void main() { outColor = tint; }
`
	indexFragment = `
uniform uint index;
layout(location = 0) out uint outIndex;
void main() { outIndex = index; }
`
)

// The inputs of these stages.
type (
	depthInput struct{ depth float32 }
	tintInput  struct {
		Depth float32
		tint  [4]float32
	}
	indexInput struct {
		depthInput
		index uint32
	}
)

func full[T any](t *testing.T, d *gpu.Device, fragment string) *gpu.Pass[T] {
	t.Helper()
	return pass[T](t, d, "full.vert.glsl", fullVertex, "own.frag.glsl", fragment)
}

func TestDrawCovers(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		for _, n := range []int{1, 63, 64, 65, 127} {
			x := texture(t, d, gpu.R32UI, n, 3, 0)
			y := target(t, d, x, 0, nil)
			y.ClearColor(0xffffffff)
			p := full[indexInput](t, d, indexFragment)
			p.Draw(indexInput{index: 0xfffffff0}, gpu.Draw{Target: y, Mode: gpu.Triangles, Count: 3, Instances: 1})
			got := layer(x, 0, make([]uint32, 3*n)).([]uint32)
			if !slices.Equal(got, slices.Repeat([]uint32{0xfffffff0}, 3*n)) {
				t.Errorf("width %d: got %x", n, got)
			}
		}
	})
}

func TestDrawOfNothing(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := texture(t, d, gpu.R32UI, 2, 2, 0)
		y := target(t, d, x, 0, nil)
		p := full[indexInput](t, d, indexFragment)
		in := indexInput{index: 1}
		p.Draw(in, gpu.Draw{Target: y, Mode: gpu.Triangles, Count: 0, Instances: 1})
		p.Draw(in, gpu.Draw{Target: y, Mode: gpu.Triangles, Count: 3, Instances: 0})
		if got := layer(x, 0, make([]uint32, 4)).([]uint32); !slices.Equal(got, make([]uint32, 4)) {
			t.Errorf("got %v", got)
		}
		panics(t, func() { p.Draw(in, gpu.Draw{Target: y, Mode: gpu.Triangles, Count: -3, Instances: 1}) }, "negative")
		panics(t, func() { p.Draw(in, gpu.Draw{Count: 3, Instances: 1}) }, "Target")
		panics(t, func() { p.Run(in, 1) }, "compute passes run")
	})
}

// Attributes of each kind, from one buffer, a vertex and an instance at a time.
func TestDrawAttributes(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		type point struct {
			Position [2]float32
			Index    uint32
			Offset   int32
		}
		type pointInput struct{ position, index, offset, row gpu.VertexAttribute }
		p := pass[pointInput](t, d, "points.vert.glsl", `
layout(location = 0) in vec2 position;
layout(location = 3) in uint index;
layout(location = 5) in int offset;
layout(location = 7) in uint row;
flat out uint value;
void main() {
	gl_Position = vec4(position.x, position.y + 0.5 * row, 0, 1);
	gl_PointSize = 1;
	value = index + uint(offset);
}
`, "points.frag.glsl", `
flat in uint value;
layout(location = 0) out uint outValue;
void main() { outValue = value; }
`)
		points := buffer[point](t, d, 5)
		points.Write(1, []point{
			{[2]float32{-0.75, -0.75}, 4_000_000_000, -1},
			{[2]float32{-0.25, -0.75}, 100, 1},
			{[2]float32{0.75, -0.75}, 7, 0},
		})
		rows := buffer[uint32](t, d, 2)
		rows.Write(0, []uint32{0, 2})
		x := texture(t, d, gpu.R32UI, 4, 4, 0)
		y := target(t, d, x, 0, nil)
		in := pointInput{
			position: gpu.VertexAttribute{Buffer: points},
			index:    gpu.VertexAttribute{Buffer: points, Offset: 8},
			offset:   gpu.VertexAttribute{Buffer: points, Offset: 12},
			row:      gpu.VertexAttribute{Buffer: rows, Divisor: 1},
		}
		draw := gpu.Draw{Target: y, Mode: gpu.Points, First: 1, Count: 3, Instances: 2}
		p.Draw(in, draw)
		want := []uint32{
			3_999_999_999, 101, 0, 7,
			0, 0, 0, 0,
			3_999_999_999, 101, 0, 7,
			0, 0, 0, 0,
		}
		if got := layer(x, 0, want); !slices.Equal(got.([]uint32), want) {
			t.Errorf("got %v", got)
		}

		// The same counts from a buffer that a shader wrote.
		commands := buffer[uint32](t, d, 6)
		fill := compute[outInput[uint32]](t, d, `
layout(local_size_x = 1) in;
layout(std430) writeonly buffer Commands { uint values[]; };
void main() { values[2] = 2; values[3] = 1; values[4] = 2; values[5] = 1; }
`)
		fill.Run(outInput[uint32]{commands}, 1)
		y.ClearColor()
		draw.Indirect = &gpu.Indirect{Buffer: commands, Offset: 8}
		p.Draw(in, draw)
		want = []uint32{
			0, 0, 0, 0,
			0, 0, 0, 0,
			0, 101, 0, 7,
			0, 0, 0, 0,
		}
		if got := layer(x, 0, want); !slices.Equal(got.([]uint32), want) {
			t.Errorf("indirect: got %v", got)
		}

		panics(t, func() { p.Draw(pointInput{position: in.position}, draw) }, "index", "no buffer")

		// A draw without attributes must not keep those of the one before.
		points.Delete()
		rows.Delete()
		plain := full[indexInput](t, d, indexFragment)
		plain.Draw(indexInput{index: 9}, gpu.Draw{Target: y, Mode: gpu.Triangles, Count: 3, Instances: 1})
		if got := layer(x, 0, want).([]uint32); !slices.Equal(got, slices.Repeat([]uint32{9}, 16)) {
			t.Errorf("without attributes: got %v", got)
		}
	})
}

func TestRunIndirect(t *testing.T) {
	type input struct {
		total *gpu.Buffer[uint32] `gpu:"readwrite"`
	}
	gputest.Run(t, func(d *gpu.Device) {
		counts, in := buffer[uint32](t, d, 8), input{buffer[uint32](t, d, 1)}
		counts.Write(0, []uint32{9, 2, 3, 4, 0, 1, 1, 0})
		p := compute[input](t, d, `
layout(local_size_x = 5) in;
layout(std430) buffer Total { uint total; };
void main() { atomicAdd(total, 1u); }
`)
		p.RunIndirect(in, counts, 4)
		if got := read(in.total)[0]; got != 2*3*4*5 {
			t.Errorf("2 x 3 x 4 groups of 5 made %d", got)
		}
		p.RunIndirect(in, counts, 16) // 0 x 1 x 1
		p.Run(in, 0, 1, 1)
		p.Run(in, 7, 1, 0)
		if got := read(in.total)[0]; got != 120 {
			t.Errorf("nothing made %d", got-120)
		}
		panics(t, func() { p.Run(in, uint32(d.Info().Limits.WorkGroups[0])+1) }, "limit")
		counts.Delete()
		panics(t, func() { p.RunIndirect(in, counts, 0) }, "deleted")
	})
}

// Each comparison, with the new depth below, at and above the stored one.
func TestDrawDepth(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		for _, format := range []gpu.Format{gpu.Depth32F, gpu.Depth32FStencil8} {
			index := texture(t, d, gpu.R32UI, 1, 1, 0)
			depth := texture(t, d, format, 1, 1, 0)
			y := target(t, d, index, 0, depth)
			p := full[indexInput](t, d, indexFragment)
			for compare, passes := range map[gpu.Compare][3]bool{
				gpu.Off:          {true, true, true},
				gpu.Never:        {false, false, false},
				gpu.Less:         {true, false, false},
				gpu.LessEqual:    {true, true, false},
				gpu.Equal:        {false, true, false},
				gpu.Greater:      {false, false, true},
				gpu.GreaterEqual: {false, true, true},
				gpu.NotEqual:     {true, false, true},
				gpu.Always:       {true, true, true},
			} {
				for i, value := range [3]float32{0.25, 0.5, 0.75} {
					for _, write := range []bool{false, true} {
						y.ClearColor()
						y.ClearDepthStencil(0.5, 3)
						p.Draw(indexInput{depthInput{value}, 1}, gpu.Draw{Target: y, Mode: gpu.Triangles, Count: 3, Instances: 1, Depth: gpu.DepthState{Test: compare, Write: write}})
						got := layer(index, 0, make([]uint32, 1)).([]uint32)[0] == 1
						if got != passes[i] {
							t.Errorf("%v, test %d, depth %v against 0.5: drawn is %v", format, compare, value, got)
						}
						want := float32(0.5)
						if write && passes[i] {
							want = value
						}
						if stored, stencil := readDepth(depth); stored != want || format == gpu.Depth32FStencil8 && stencil != 3 {
							t.Errorf("%v, test %d, depth %v, write %v: stored %v, stencil %d", format, compare, value, write, stored, stencil)
						}
					}
				}
			}
		}
	})
}

// readDepth reads the first texel.
func readDepth(x *gpu.Texture) (depth float32, stencil uint32) {
	n := x.Spec().Width * x.Spec().Height
	if x.Spec().Format == gpu.Depth32FStencil8 {
		v := layer(x, 0, make([]gpu.DepthStencil, n)).([]gpu.DepthStencil)[0]
		return v.Depth, v.Stencil
	}
	return layer(x, 0, make([]float32, n)).([]float32)[0], 0
}

func TestDrawStencil(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		index := texture(t, d, gpu.R32UI, 1, 1, 0)
		stencil := texture(t, d, gpu.Depth32FStencil8, 1, 1, 0)
		y := target(t, d, index, 0, stencil)
		p := full[indexInput](t, d, indexFragment)
		for _, test := range []struct {
			start int32
			state gpu.StencilState
			depth float32 // against 0.25; 0 passes
			drawn bool
			want  uint32
		}{
			{5, gpu.StencilState{Test: gpu.Equal, Ref: 5}, 0, true, 5},
			{5, gpu.StencilState{Test: gpu.Equal, Ref: 4, Replace: true}, 0, false, 5},
			{5, gpu.StencilState{Test: gpu.NotEqual, Ref: 5}, 0, false, 5},
			{5, gpu.StencilState{Test: gpu.NotEqual, Ref: 4, Replace: true}, 0, true, 4},
			{5, gpu.StencilState{Test: gpu.NotEqual, Ref: 4, Replace: true}, 0.5, false, 5},
			{5, gpu.StencilState{Ref: 0xff, Replace: true}, 0, true, 0xff},
			{5, gpu.StencilState{Test: gpu.Less, Ref: 4}, 0, true, 5}, // Ref < stored
			{5, gpu.StencilState{Test: gpu.Never, Ref: 4, Replace: true}, 0, false, 5},
		} {
			y.ClearColor()
			y.ClearDepthStencil(0.25, test.start)
			p.Draw(indexInput{depthInput{test.depth}, 1}, gpu.Draw{
				Target: y, Mode: gpu.Triangles, Count: 3, Instances: 1, Depth: gpu.DepthState{Test: gpu.Less}, Stencil: &test.state,
			})
			drawn := layer(index, 0, make([]uint32, 1)).([]uint32)[0] == 1
			if _, got := readDepth(stencil); drawn != test.drawn || got != test.want {
				t.Errorf("%d, %+v, depth %v: drawn %v, stencil %d, want %v and %d", test.start, test.state, test.depth, drawn, got, test.drawn, test.want)
			}
		}
	})
}

// A fragment that discards must not touch the stencil, whatever tests run early.
func TestDrawDiscardKeepsStencil(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		stencil := texture(t, d, gpu.Depth32FStencil8, 4, 1, 0)
		y := target(t, d, texture(t, d, gpu.R32UI, 4, 1, 0), 0, stencil)
		p := full[depthInput](t, d, "void main() { if (gl_FragCoord.x < 2.0) discard; }\n")
		p.Draw(depthInput{}, gpu.Draw{Target: y, Mode: gpu.Triangles, Count: 3, Instances: 1, Stencil: &gpu.StencilState{Ref: 1, Replace: true}})
		got := layer(stencil, 0, make([]gpu.DepthStencil, 4)).([]gpu.DepthStencil)
		for i, want := range []uint32{0, 0, 1, 1} {
			if got[i].Stencil != want {
				t.Errorf("texel %d: stencil %d, want %d", i, got[i].Stencil, want)
			}
		}
	})
}

// The depth that a fragment writes is what is tested and stored, bit for bit, also below 2^-24.
func TestDrawFragmentDepth(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		index := texture(t, d, gpu.R32UI, 3, 1, 0)
		depth := texture(t, d, gpu.Depth32F, 3, 1, 0)
		y := target(t, d, index, 0, depth)
		y.ClearDepthStencil(1, 0)
		type input struct {
			indexInput
			depths [3]float32
		}
		p := full[input](t, d, `
uniform uint index;
uniform float depths[3];
layout(location = 0) out uint outIndex;
void main() { outIndex = index; gl_FragDepth = depths[int(gl_FragCoord.x)]; }
`)
		for i, depths := range [][3]float32{{0.1, 1e-10, 0.5}, {0.2, 2e-10, 0.49999997}, {0.05, 1e-10, 0.4999999}} {
			p.Draw(input{indexInput{index: uint32(i + 1)}, depths}, gpu.Draw{Target: y, Mode: gpu.Triangles, Count: 3, Instances: 1, Depth: gpu.DepthState{Test: gpu.Less, Write: true}})
		}
		if got := layer(depth, 0, make([]float32, 3)).([]float32); !slices.Equal(got, []float32{0.05, 1e-10, 0.4999999}) {
			t.Errorf("depths %v", got)
		}
		if got := layer(index, 0, make([]uint32, 3)).([]uint32); !slices.Equal(got, []uint32{3, 1, 3}) {
			t.Errorf("winners %v, want 3 1 3", got)
		}
	})
}

// A target of a layer changes no other layer.
func TestDrawLayers(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		index := texture(t, d, gpu.R32UI, 2, 2, 5)
		p := full[indexInput](t, d, indexFragment)
		target(t, d, index, 1, nil).ClearColor(77)
		p.Draw(indexInput{index: 5}, gpu.Draw{Target: target(t, d, index, 3, nil), Mode: gpu.Triangles, Count: 3, Instances: 1})
		for i, want := range []uint32{0, 77, 0, 5, 0} {
			if got := layer(index, i, make([]uint32, 4)).([]uint32); !slices.Equal(got, slices.Repeat([]uint32{want}, 4)) {
				t.Errorf("layer %d is %d, want %d", i, got, want)
			}
		}
	})
}

func TestDrawBlends(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := texture(t, d, gpu.RGBA32F, 1, 1, 0)
		y := target(t, d, x, 0, nil)
		p := full[tintInput](t, d, plainFragment)
		in := tintInput{tint: [4]float32{1, 0.5, 0, 0.5}}
		for blend, want := range map[gpu.Blend][4]float32{
			gpu.BlendNone:          {1, 0.5, 0, 0.5},
			gpu.BlendAlpha:         {0.5 + 0.125, 0.25 + 0.25, 0.5, 0.5 + 0.5},
			gpu.BlendPremultiplied: {1 + 0.125, 0.5 + 0.25, 0.5, 0.5 + 0.5},
		} {
			y.ClearColor(0.25, 0.5, 1, 1)
			p.Draw(in, gpu.Draw{Target: y, Mode: gpu.Triangles, Count: 3, Instances: 1, Blend: blend})
			if got := layer(x, 0, make([][4]float32, 1)).([][4]float32)[0]; got != want {
				t.Errorf("blend %d: got %v, want %v", blend, got, want)
			}
		}
		y.ClearColor(3)
		p.Draw(in, gpu.Draw{Target: y, Mode: gpu.Triangles, Count: 3, Instances: 1, HideColor: true})
		if got := layer(x, 0, make([][4]float32, 1)).([][4]float32)[0]; got != [4]float32{3} {
			t.Errorf("hidden color: got %v", got)
		}
	})
}

// A draw with everything on, then one with everything off: the second must be as if alone. So must
// a clear.
func TestDrawLeaksNoState(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := texture(t, d, gpu.RGBA8, 4, 4, 0)
		depth := texture(t, d, gpu.Depth32FStencil8, 4, 4, 0)
		y := target(t, d, x, 0, depth)
		p := full[tintInput](t, d, plainFragment)
		in := tintInput{tint: [4]float32{1, 1, 1, 1}}
		busy := gpu.Draw{
			Target: y, Mode: gpu.Triangles, Count: 3, Instances: 1,
			Depth: gpu.DepthState{Test: gpu.Never}, Stencil: &gpu.StencilState{Test: gpu.Never, Ref: 1}, Blend: gpu.BlendAlpha,
			HideColor: true,
		}
		p.Draw(in, busy)
		y.ClearColor(0, 0, 1, 1)
		y.ClearDepthStencil(0.5, 255)
		if got := layer(x, 0, make([]uint8, 64)).([]uint8); !slices.Equal(got, slices.Repeat([]uint8{0, 0, 255, 255}, 16)) {
			t.Errorf("a clear after a busy draw: %v", got)
		}
		if got := layer(depth, 0, make([]gpu.DepthStencil, 16)).([]gpu.DepthStencil); !slices.Equal(got, slices.Repeat([]gpu.DepthStencil{{Depth: 0.5, Stencil: 255}}, 16)) {
			t.Errorf("a clear after a busy draw: %v", got)
		}
		p.Draw(in, busy)
		p.Draw(tintInput{tint: [4]float32{1, 0, 0, 0}}, gpu.Draw{Target: y, Mode: gpu.Triangles, Count: 3, Instances: 1})
		if got := layer(x, 0, make([]uint8, 64)).([]uint8); !slices.Equal(got, slices.Repeat([]uint8{255, 0, 0, 0}, 16)) {
			t.Errorf("a draw after a busy draw: %v", got)
		}
	})
}

// Row 0 is the lowest: of clip space and of the texture; a picture has it last.
func TestDrawIsUpright(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := texture(t, d, gpu.RGBA8, 3, 3, 0)
		y := target(t, d, x, 0, nil)
		p := pass[struct{}](t, d, "points.vert.glsl", `
out float red;
void main() {
	const vec3 points[] = vec3[](vec3(-1, -1, 0.2), vec3(0, -1, 0.2), vec3(1, -1, 0.2), vec3(0, 1, 0.4));
	gl_PointSize = 1.0;
	gl_Position = vec4(points[gl_VertexID].xy * (2.0 / 3.0), 0, 1);
	red = points[gl_VertexID].z;
}
`, "points.frag.glsl", `
in float red;
layout(location = 0) out vec4 outColor;
void main() { outColor = vec4(red, 0, 0, 1); }
`)
		p.Draw(struct{}{}, gpu.Draw{Target: y, Mode: gpu.Points, Count: 4, Instances: 1})
		want := []uint8{
			51, 51, 51,
			0, 0, 0,
			0, 102, 0,
		}
		got := layer(x, 0, make([]uint8, 36)).([]uint8)
		for i, v := range want {
			if got[4*i] != v {
				t.Errorf("texel %d: red %d, want %d", i, got[4*i], v)
			}
		}
		picture := y.ReadRGBA()
		if c := picture.RGBAAt(1, 0); c != (color.RGBA{102, 0, 0, 255}) {
			t.Errorf("top row, middle: %v", c)
		}
		if c := picture.RGBAAt(2, 2); c != (color.RGBA{51, 0, 0, 255}) {
			t.Errorf("lowest row, right: %v", c)
		}
	})
}

func TestDrawModes(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := texture(t, d, gpu.R32UI, 8, 8, 0)
		y := target(t, d, x, 0, nil)
		type input struct {
			position gpu.VertexAttribute
			index    uint32
		}
		p := pass[input](t, d, "shape.vert.glsl", `
layout(location = 0) in vec2 position;
void main() { gl_Position = vec4(position / 4.0 - 1.0, 0, 1); gl_PointSize = 3; }
`, "shape.frag.glsl", indexFragment)
		corners := buffer[[2]float32](t, d, 4)
		corners.Write(0, [][2]float32{{1.5, 1.5}, {6.5, 1.5}, {1.5, 6.5}, {6.5, 6.5}})
		for _, test := range []struct {
			mode        gpu.Mode
			least, most int // texels; the rules for lines and for a texel on an edge leave a device some choice
		}{
			{gpu.Points, 36, 36},        // four squares of 3 x 3
			{gpu.Triangles, 10, 15},     // half of 5 x 5 texels, without or with the diagonal
			{gpu.TriangleStrip, 25, 25}, // each texel once, whoever gets the diagonal
			{gpu.Lines, 10, 12},         // two of 6 texels, less their last ones
			{gpu.LineStrip, 14, 16},     // three of 6, 4 more and 6
		} {
			y.ClearColor()
			p.Draw(input{gpu.VertexAttribute{Buffer: corners}, 1}, gpu.Draw{Target: y, Mode: test.mode, Count: 4, Instances: 1})
			var picture strings.Builder
			got := 0
			for i, v := range layer(x, 0, make([]uint32, 64)).([]uint32) {
				got += int(v)
				picture.WriteString([]string{".", "#"}[v])
				if i%8 == 7 {
					picture.WriteByte('\n')
				}
			}
			if got < test.least || got > test.most {
				t.Errorf("mode %d covers %d texels, want %d to %d:\n%s", test.mode, got, test.least, test.most, picture.String())
			}
		}
	})
}
