package gpu_test

import (
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

func TestTargetClears(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		number := texture(t, d, gpu.R32UI, 3, 2, 0)
		color := texture(t, d, gpu.RGBA8, 3, 2, 0)
		depth := texture(t, d, gpu.Depth32FStencil8, 3, 2, 0)
		x, y := target(t, d, number, 0, depth), target(t, d, color, 0, nil)
		if w, h := x.Size(); w != 3 || h != 2 {
			t.Errorf("size %d x %d", w, h)
		}
		x.ClearColor(7)
		y.ClearColor(1, 0.6, 0, 1)
		x.ClearDepthStencil(0.1, 17)
		x.ClearStencil(18)
		if got := layer(number, 0, make([]uint32, 6)).([]uint32); !slices.Equal(got, []uint32{7, 7, 7, 7, 7, 7}) {
			t.Errorf("integers %v", got)
		}
		if got := layer(color, 0, make([]uint8, 24)).([]uint8); !slices.Equal(got, slices.Repeat([]uint8{255, 153, 0, 255}, 6)) {
			t.Errorf("colors %v", got)
		}
		if got := layer(depth, 0, make([]gpu.DepthStencil, 6)).([]gpu.DepthStencil); !slices.Equal(got, slices.Repeat([]gpu.DepthStencil{{Depth: 0.1, Stencil: 18}}, 6)) {
			t.Errorf("depths %v", got)
		}
	})
}

func TestTargetReadsFloatsClamped(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := texture(t, d, gpu.RGBA32F, 1, 2, 0)
		x.Write(0, []float32{-1, 0.2, 2, 1, 0, 1, 0, 1})
		picture := target(t, d, x, 0, nil).ReadRGBA()
		if want := []uint8{0, 255, 0, 255, 0, 51, 255, 255}; !slices.Equal(picture.Pix, want) {
			t.Errorf("got %v, want %v", picture.Pix, want)
		}
	})
}

func TestTargetMisuse(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		color := texture(t, d, gpu.RGBA8, 3, 2, 0)
		other := texture(t, d, gpu.RGBA8, 3, 3, 0)
		array := texture(t, d, gpu.RGBA8, 3, 2, 4)
		index := texture(t, d, gpu.R32UI, 3, 2, 4)
		depth := texture(t, d, gpu.Depth32F, 3, 2, 0)
		deep := texture(t, d, gpu.Depth32F, 3, 2, 4)
		attempt := func(color *gpu.Texture, layer int, depth *gpu.Texture) func() {
			return func() { target(t, d, color, layer, depth) }
		}
		panics(t, attempt(other, 0, depth), "differ in size")
		panics(t, attempt(array, 4, nil), "layer 4", "has 4")
		panics(t, attempt(depth, 0, nil), "in this order")
		panics(t, attempt(color, 0, color), "in this order")
		panics(t, attempt(color, 0, deep), "without layers")
		x := target(t, d, index, 2, nil)
		panics(t, func() { x.ClearColor(1, 2) }, "2 values", "1 components")
		panics(t, func() { x.ClearColor(1.5) }, "whole number")
		panics(t, func() { x.ClearDepthStencil(1, 0) }, "neither")
		panics(t, func() { x.ClearStencil(0) }, "none")
		panics(t, func() { x.ReadRGBA() }, "no color")
		x.Delete()
		x.Delete()
	})
}
