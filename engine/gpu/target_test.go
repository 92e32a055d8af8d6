package gpu_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/headless"
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

// foreign clears the left column of the bound framebuffer red, and leaves state that would spoil
// every draw of this package.
func foreign() {
	gl.Enable(gl.SCISSOR_TEST)
	gl.Scissor(0, 0, 1, 9)
	gl.ClearColor(1, 0, 0, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	gl.Enable(gl.CULL_FACE)
	gl.CullFace(gl.FRONT_AND_BACK)
	gl.Enable(gl.RASTERIZER_DISCARD)
	gl.ClipControl(gl.UPPER_LEFT, gl.NEGATIVE_ONE_TO_ONE)
	gl.DepthRange(1, 0)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.POINT)
	gl.PixelStorei(gl.UNPACK_ROW_LENGTH, 7)
	gl.Viewport(5, 5, 1, 1)
	gl.ColorMask(false, false, false, false)
}

// lend checks that foreign calls draw to the target that is lent, and leave no trace in what follows.
func lend(t *testing.T, d *gpu.Device) {
	x := texture(t, d, gpu.RGBA8, 3, 1, 0)
	y := target(t, d, x, 0, nil)
	p := full[tintInput](t, d, plainFragment)
	y.ClearColor(0, 0, 1, 1)
	var view [4]int32
	err := d.Do(func() error {
		err := y.Lend(func() error {
			gl.GetIntegerv(gl.VIEWPORT, &view[0])
			foreign()
			return errors.New("of f")
		})
		left := y.ReadRGBA()
		if want := []uint8{255, 0, 0, 255, 0, 0, 255, 255, 0, 0, 255, 255}; !slices.Equal(left.Pix, want) {
			t.Errorf("the target is %v, want the left pixel of three red", left.Pix)
		}
		p.Draw(tintInput{tint: [4]float32{0, 1, 0, 1}}, gpu.Draw{Target: y, Mode: gpu.Triangles, Count: 3, Instances: 1})
		x.Read(0, make([]uint8, 12))
		return err
	})
	if err == nil || err.Error() != "of f" {
		t.Errorf("error %v, want that of the function", err)
	}
	if view != [4]int32{0, 0, 3, 1} {
		t.Errorf("viewport %v", view)
	}
	if got := y.ReadRGBA().Pix; !slices.Equal(got, slices.Repeat([]uint8{0, 255, 0, 255}, 3)) {
		t.Errorf("a draw after foreign calls gives %v", got)
	}
}

func TestTargetLend(t *testing.T) {
	t.Run("own", func(t *testing.T) { gputest.Fresh(t, func(d *gpu.Device) { lend(t, d) }) })
	t.Run("guest", func(t *testing.T) {
		inGuest(t, func(_ *headless.Context, d *gpu.Device) {
			gl.Viewport(1, 2, 3, 4)
			gl.Enable(gl.BLEND)
			lend(t, d)
			var view [4]int32
			gl.GetIntegerv(gl.VIEWPORT, &view[0])
			if view != [4]int32{1, 2, 3, 4} || !gl.IsEnabled(gl.BLEND) || gl.IsEnabled(gl.CULL_FACE) || gl.IsEnabled(gl.SCISSOR_TEST) {
				t.Errorf("the host's state has changed: viewport %v", view)
			}
		})
	})
}
