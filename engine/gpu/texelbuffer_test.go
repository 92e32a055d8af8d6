package gpu_test

import (
	"math"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

const copyTexels = `
layout(local_size_x = 64) in;
layout(std430) writeonly buffer Copies { uvec4 copies[]; };
uniform usamplerBuffer words;
uniform samplerBuffer pairs;
uniform uint count;
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) {
        copies[i] = uvec4(texelFetch(words, int(i)).xy, floatBitsToUint(texelFetch(pairs, int(2u * i + 1u)).xy));
    }
}
`

type copyInput struct {
	copies       *gpu.Buffer[[4]uint32] `gpu:"write"`
	words, pairs *gpu.TexelBuffer
	count        uint32
}

// A buffer is read as texels of words, and of floats, after it was written, to the bit.
func TestTexelBuffer(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		p := compute[copyInput](t, d, copyTexels)
		for _, n := range []int{1, 63, 64, 65, 127} {
			b, out := buffer[[4]uint32](t, d, n), buffer[[4]uint32](t, d, n)
			words, err := gpu.NewTexelBuffer(b, gpu.RGBA32UI)
			if err != nil {
				t.Fatal(err)
			}
			pairs, err := gpu.NewTexelBuffer(b, gpu.RG32F)
			if err != nil {
				t.Fatal(err)
			}
			want := make([][4]uint32, n)
			for i := range want {
				want[i] = [4]uint32{uint32(i), math.MaxUint32 - uint32(i), math.Float32bits(float32(i) / 3), math.Float32bits(-float32(i) * 1e9)}
			}
			b.Write(0, want)
			in := copyInput{out, words, pairs, uint32(n)}
			p.Run(in, gpu.Groups(n, 64))
			if got := read(out); !slices.Equal(got, want) {
				t.Errorf("%d texels: %v, want %v", n, got, want)
			}
			words.Delete()
			pairs.Delete()
			pairs.Delete()
			panics(t, func() { p.Run(in, 1) }, "pairs", "deleted")
		}
		three := buffer[[3]float32](t, d, 4)
		panics(t, func() { _, _ = gpu.NewTexelBuffer(three, gpu.RG32F) }, "12 bytes", "texels")
		panics(t, func() { _, _ = gpu.NewTexelBuffer(three, gpu.RGBA8) }, "texels")
	})
}
