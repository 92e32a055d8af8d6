package gpu_test

import (
	"math"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

type productInput struct {
	Depth float32
	a, b  int32
	third float32
}

// What the map passes build on in fragment stages: 64-bit products of integers, and doubles.
func TestFragmentArithmetic(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		words := texture(t, d, gpu.RGBA32UI, 1, 1, 0)
		y := target(t, d, words, 0, nil)
		p := full[productInput](t, d, `
uniform int a, b;
uniform float third;
layout(location = 0) out uvec4 outWords;
void main() {
	int high, low;
	imulExtended(a, b, high, low);
	outWords = uvec4(uint(high), uint(low), unpackDouble2x32(double(third) * double(a)));
}
`)
		for _, x := range [][2]int32{{3, 5}, {-1, 1}, {1 << 30, -1 << 30}, {math.MinInt32, math.MinInt32}, {math.MaxInt32, math.MinInt32}, {-1048576, 1048575}} {
			third := float32(1) / 3
			p.Draw(productInput{a: x[0], b: x[1], third: third}, gpu.Draw{Target: y, Mode: gpu.Triangles, Count: 3, Instances: 1})
			got := layer(words, 0, make([]uint32, 4)).([]uint32)
			if product := int64(uint64(got[0])<<32 | uint64(got[1])); product != int64(x[0])*int64(x[1]) {
				t.Errorf("%d * %d = %d", x[0], x[1], product)
			}
			// A product of 24 and 31 bits needs at most 55, so it is rounded once: to nearest, as IEEE 754
			// and GLSL 4.50 (section 4.7.1) ask of doubles.
			if v := math.Float64frombits(uint64(got[3])<<32 | uint64(got[2])); v != float64(third)*float64(x[0]) {
				t.Errorf("%v * %d = %v", third, x[0], v)
			}
		}
	})
}
