package gpu_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// textureFormats gives, for each format, texels as Write takes them and a value that a new
// texture is filled with.
var textureFormats = []struct {
	format gpu.Format
	make   func(texels int) any // all different
	clear  []float64            // TextureSpec.Fill
	want   any                  // one texel of the cleared texture
}{
	{gpu.RGBA32F, floats(4), []float64{1.5, -2, math.Inf(1), 0.1}, []float32{1.5, -2, float32(math.Inf(1)), 0.1}},
	{gpu.RG32F, floats(2), []float64{-7}, []float32{-7, 0}},
	{gpu.R32F, floats(1), []float64{1e30}, []float32{1e30}},
	{gpu.RGBA32UI, uints(4), []float64{1, 2, 3, math.MaxUint32}, []uint32{1, 2, 3, math.MaxUint32}},
	{gpu.RG32UI, uints(2), []float64{1 << 31}, []uint32{1 << 31, 0}},
	{gpu.R32UI, uints(1), []float64{math.MaxUint32}, []uint32{math.MaxUint32}},
	{gpu.RGBA8, bytes(4), []float64{0, 1, 0.2, 1}, []uint8{0, 255, 51, 255}},
	{gpu.Depth32F, fractions, []float64{0.3}, []float32{0.3}},
	{gpu.Depth32FStencil8, func(n int) any {
		v := make([]gpu.DepthStencil, n)
		for i, f := range fractions(n).([]float32) {
			v[i] = gpu.DepthStencil{Depth: f, Stencil: uint32(i % 256)}
		}
		return v
	}, []float64{0.7, 200}, []gpu.DepthStencil{{Depth: 0.7, Stencil: 200}}},
}

func floats(components int) func(int) any {
	return func(n int) any {
		v := make([]float32, n*components)
		for i := range v {
			v[i] = 1000 - 0.3*float32(i)
		}
		return v
	}
}

func fractions(n int) any {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(i) / float32(n)
	}
	return v
}

func uints(components int) func(int) any {
	return func(n int) any {
		v := make([]uint32, n*components)
		for i := range v {
			v[i] = 4_000_000_000 + uint32(i)
		}
		return v
	}
}

func bytes(components int) func(int) any {
	return func(n int) any {
		v := make([]uint8, n*components)
		for i := range v {
			v[i] = uint8(i * 7)
		}
		return v
	}
}

func TestTextureRoundTrip(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		for _, f := range textureFormats {
			for _, size := range [][3]int{{1, 1, 0}, {5, 3, 0}, {63, 2, 1}, {65, 3, 3}} {
				x := texture(t, d, f.format, size[0], size[1], size[2])
				texels := size[0] * size[1]
				last := max(size[2]-1, 0)
				zero := blank(f.make(texels))
				if got := layer(x, last, zero); !reflect.DeepEqual(got, zero) {
					t.Errorf("%v %v: new texture is not zero", f.format, size)
				}
				want := f.make(texels)
				x.Write(last, want)
				if got := layer(x, last, zero); !reflect.DeepEqual(got, want) {
					t.Errorf("%v %v: wrote %v, read %v", f.format, size, want, got)
				}
				if last > 0 {
					if got := layer(x, 0, zero); !reflect.DeepEqual(got, zero) {
						t.Errorf("%v %v: writing the last layer changed the first", f.format, size)
					}
				}
				spec := x.Spec()
				copy(spec.Fill[:], f.clear)
				filled, err := gpu.NewTexture(d, spec)
				if err != nil {
					t.Fatal(err)
				}
				want = repeat(f.want, texels)
				for _, i := range []int{0, last} {
					if got := layer(filled, i, zero); !reflect.DeepEqual(got, want) {
						t.Errorf("%v %v: filled with %v, layer %d holds %v", f.format, size, f.want, i, got)
					}
				}
				filled.Delete()
				x.Delete()
			}
		}
	})
}

// blank is a slice of the same type and length, zeroed.
func blank(like any) any {
	v := reflect.ValueOf(like)
	return reflect.MakeSlice(v.Type(), v.Len(), v.Len()).Interface()
}

func repeat(texel any, n int) any {
	v := reflect.MakeSlice(reflect.TypeOf(texel), 0, 0)
	for range n {
		v = reflect.AppendSlice(v, reflect.ValueOf(texel))
	}
	return v.Interface()
}

func layer(x *gpu.Texture, layer int, like any) any {
	dst := blank(like)
	x.Read(layer, dst)
	return dst
}

func TestTextureOfArrays(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := texture(t, d, gpu.RGBA32F, 2, 1, 0)
		want := [][4]float32{{1, 2, 3, 4}, {5, 6, 7, 8}}
		x.Write(0, want)
		got := make([][4]float32, 2)
		x.Read(0, got)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestTextureInShader(t *testing.T) {
	type input struct {
		index, field *gpu.Texture
		values       *gpu.Buffer[[4]float32] `gpu:"write"`
	}
	gputest.Run(t, func(d *gpu.Device) {
		const w, h, layers = 7, 5, 3
		in := input{texture(t, d, gpu.R32UI, w, h, layers), texture(t, d, gpu.RGBA32F, w, h, layers), buffer[[4]float32](t, d, w*h*layers)}
		want := make([][4]float32, w*h*layers)
		for z := range layers {
			index, field := make([]uint32, w*h), make([][4]float32, w*h)
			for i := range index {
				x, y := i%w, i/w
				index[i], field[i] = uint32(x+10*y+100*z), [4]float32{float32(x), float32(y), float32(z), 1}
				want[z*w*h+i] = [4]float32{float32(index[i]), float32(x), float32(y), float32(z)}
			}
			in.index.Write(z, index)
			in.field.Write(z, field)
		}
		p := compute[input](t, d, `
layout(local_size_x = 1) in;
uniform usampler2DArray index;
uniform sampler2DArray field;
layout(std430) writeonly buffer Out { vec4 values[]; };
void main() {
	ivec3 at = ivec3(gl_GlobalInvocationID);
	ivec3 size = textureSize(index, 0);
	vec3 center = vec3((at.xy + 0.5) / vec2(size.xy), at.z);
	values[at.x + size.x * (at.y + size.y * at.z)] = vec4(texelFetch(index, at, 0).x, texture(field, center).xyz);
}
`)
		p.Run(in, w, h, layers)
		if got := read(in.values); !slices.Equal(got, want) {
			t.Errorf("got  %v\nwant %v", got, want)
		}
		in.field = texture(t, d, gpu.RGBA32F, w, h, 0)
		panics(t, func() { p.Run(in, 1) }, "field", "layers")
		in.field = nil
		panics(t, func() { p.Run(in, 1) }, "field", "nil")
		in.index.Delete()
		panics(t, func() { p.Run(in, 1) }, "deleted")
	})
}

func TestTextureMisuse(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := texture(t, d, gpu.RGBA32F, 3, 2, 2)
		panics(t, func() { x.Write(0, make([]float32, 23)) }, "Write", "want 24 values of type float32", "length 23")
		panics(t, func() { x.Write(0, make([]uint32, 24)) }, "[]uint32")
		panics(t, func() { x.Write(0, 5) }, "got int")
		panics(t, func() { x.Write(2, make([]float32, 24)) }, "layer 2", "has 2")
		panics(t, func() { x.Write(-1, make([]float32, 24)) }, "layer -1")
		panics(t, func() { x.Read(-2, make([]float32, 24)) }, "layer -2")
		for _, c := range []struct {
			format gpu.Format
			fill   [4]float64
			want   string
		}{
			{gpu.R32UI, [4]float64{0.5}, "whole number"},
			{gpu.R32UI, [4]float64{-1}, "whole number"},
			{gpu.R32UI, [4]float64{math.NaN()}, "whole number"},
			{gpu.Depth32FStencil8, [4]float64{1, 256}, "255"},
		} {
			panics(t, func() { _, _ = gpu.NewTexture(d, gpu.TextureSpec{Format: c.format, Width: 1, Height: 1, Fill: c.fill}) }, c.want)
		}
		panics(t, func() { texture(t, d, gpu.Depth32FStencil8, 2, 1, 0).Write(0, make([]float32, 4)) }, "want 2 values of type gpu.DepthStencil")
		for _, size := range [][3]int{{0, 1, 0}, {1, 0, 0}, {-1, 1, 0}, {1, 1, -1}} {
			panics(t, func() { texture(t, d, gpu.R32UI, size[0], size[1], size[2]) }, "must be positive")
		}
		panics(t, func() { texture(t, d, gpu.Format(0), 1, 1, 0) }, "unknown format")
		x.Delete()
		panics(t, func() { x.Write(0, make([]float32, 24)) }, "deleted")
	})
}

func TestTextureTooLarge(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		limits := d.Info().Limits
		for _, test := range []struct {
			spec          gpu.TextureSpec
			needed, limit int
		}{
			{gpu.TextureSpec{Width: limits.MaxTextureSize + 1, Height: 1}, limits.MaxTextureSize + 1, limits.MaxTextureSize},
			{gpu.TextureSpec{Width: 1, Height: limits.MaxTextureSize + 7}, limits.MaxTextureSize + 7, limits.MaxTextureSize},
			{gpu.TextureSpec{Width: 1, Height: 1, Layers: limits.MaxArrayLayers + 1}, limits.MaxArrayLayers + 1, limits.MaxArrayLayers},
		} {
			test.spec.Label, test.spec.Format = "huge", gpu.R32UI
			_, err := gpu.NewTexture(d, test.spec)
			var e *gpu.CapacityError
			if !errors.As(err, &e) || e.Needed != int64(test.needed) || e.Limit != int64(test.limit) {
				t.Errorf("%+v: got %v, want a *CapacityError of %d and %d", test.spec, err, test.needed, test.limit)
			}
		}
	})
}
