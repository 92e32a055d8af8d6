package render

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// A part in 10^9 of the coordinates used here: a handful of float64 roundings, far below a pixel.
const rounding = 1e-9

func near(a, b float64) bool {
	return math.Abs(a-b) <= rounding*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

func TestFitShowsTheWholeRectangleInTheMiddle(t *testing.T) {
	for _, c := range []struct {
		min, max      mgl64.Vec2
		width, height int
		margin        float64
	}{
		{mgl64.Vec2{0, 0}, mgl64.Vec2{40, 25}, 1280, 720, 20},
		{mgl64.Vec2{-900, -500}, mgl64.Vec2{-880, -499}, 300, 1000, 0},
		// No room for the margin.
		{mgl64.Vec2{4.5e6, 5.4e6}, mgl64.Vec2{4.5e6 + 10, 5.4e6 + 10}, 64, 64, 1000},
	} {
		camera := Fit(c.min, c.max, c.width, c.height, c.margin)
		x0, y1 := camera.Pixel(c.min)
		x1, y0 := camera.Pixel(c.max)
		mx, my := math.Min(c.margin, float64(c.width)/4), math.Min(c.margin, float64(c.height)/4)
		const slack = 1e-6 // pixels; world coordinates of millions leave 10^-9 m
		if x0 < mx-slack || y0 < my-slack || x1 > float64(c.width)-mx+slack || y1 > float64(c.height)-my+slack {
			t.Errorf("%v: drawn at %v,%v to %v,%v", c, x0, y0, x1, y1)
		}
		if math.Abs(x0+x1-float64(c.width)) > slack || math.Abs(y0+y1-float64(c.height)) > slack {
			t.Errorf("%v: not in the middle", c)
		}
		if x0 > mx+slack && y0 > my+slack {
			t.Errorf("%v: could be larger", c)
		}
	}
}

func TestZoomKeepsThePointUnderTheCursor(t *testing.T) {
	camera := Fit(mgl64.Vec2{-10, -10}, mgl64.Vec2{30, 15}, 800, 600, 10)
	before := camera.World(123, 456)
	camera.Zoom(2.5, 123, 456, [2]float64{1e-3, 1e6})
	after := camera.World(123, 456)
	if !near(before[0], after[0]) || !near(before[1], after[1]) {
		t.Errorf("%v became %v", before, after)
	}
	camera.Zoom(1e12, 0, 0, [2]float64{1, 50})
	if camera.Scale != 50 {
		t.Errorf("scale %v is beyond the limit", camera.Scale)
	}
}

func TestPanMovesWithTheCursor(t *testing.T) {
	camera := Fit(mgl64.Vec2{0, 0}, mgl64.Vec2{10, 10}, 100, 100, 0)
	before := camera.World(40, 40)
	camera.Pan(25, -10)
	after := camera.World(65, 30)
	if !near(before[0], after[0]) || !near(before[1], after[1]) {
		t.Errorf("%v became %v", before, after)
	}
}

// TestMatrixAgreesWithPixel: the matrix of the GPU agrees with the CPU, also far from the world's
// origin.
func TestMatrixAgreesWithPixel(t *testing.T) {
	origin := mgl64.Vec2{3.2e6, -5.4e6}
	camera := Fit(origin, origin.Add(mgl64.Vec2{200, 100}), 640, 480, 16)
	camera.Zoom(7, 100, 300, [2]float64{1e-3, 1e6})
	for _, p := range []mgl64.Vec2{{0, 0}, {200, 100}, {31.25, 77.5}} {
		x, y := camera.Pixel(origin.Add(p))
		clip := camera.matrix(origin).Mul4x1(mgl32.Vec4{float32(p[0]), float32(p[1]), 0, 1})
		gotX := (float64(clip[0]) + 1) / 2 * float64(camera.Width)
		gotY := (1 - float64(clip[1])) / 2 * float64(camera.Height)
		// Clip coordinates reach about 10 here: float32 leaves 10^-6 of that, times half the width.
		if math.Abs(gotX-x) > 1e-2 || math.Abs(gotY-y) > 1e-2 {
			t.Errorf("%v: pixel %v,%v, by the matrix %v,%v", p, x, y, gotX, gotY)
		}
	}
}

func TestIsolineStepIsRoundAndWideEnough(t *testing.T) {
	for _, scale := range []float64{0.013, 0.5, 1, 3, 17, 28, 280, 4096} {
		camera := Camera{Scale: scale}
		step := camera.isolineStep(28)
		if pixels := step * scale; pixels < 28-1e-6 || pixels > 28*2.5+1e-6 {
			t.Errorf("scale %v: isolines %v pixels apart", scale, pixels)
		}
		digit := step / math.Pow(10, math.Floor(math.Log10(step)+rounding))
		if !near(digit, 1) && !near(digit, 2) && !near(digit, 5) {
			t.Errorf("scale %v: step %v is not round", scale, step)
		}
	}
}
