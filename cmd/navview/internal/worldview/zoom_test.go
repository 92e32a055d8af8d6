package worldview

import (
	"image"
	"math"
	"testing"
	"time"

	"github.com/wayfront/wayfront/scenes"
)

// TestCameraAt: the path holds before its first place and after its last, zooms evenly, and on the
// way one point of the ground keeps its pixel.
func TestCameraAt(t *testing.T) {
	s := image.Pt(800, 600)
	path := []Zoom{{scenes.Rect{0, 0, 80, 60}, time.Second}, {scenes.Rect{60, 40, 68, 46}, 3 * time.Second}, {scenes.Rect{20, 40, 28, 46}, 5 * time.Second}}
	for at, want := range map[time.Duration]scenes.Rect{0: path[0].Area, time.Second: path[0].Area, 3 * time.Second: path[1].Area, 5 * time.Second: path[2].Area, time.Hour: path[2].Area} {
		c := CameraAt(path, at, s)
		low, high := c.World(0, 600), c.World(800, 0)
		for k := range 2 {
			if math.Abs(low[k]-want[k])+math.Abs(high[k]-want[k+2]) > 1e-9 {
				t.Errorf("at %v: %v to %v, want %v", at, low, high, want)
			}
		}
	}
	// From 10 to 100 pixels a meter the fixed point is where both pictures agree: x = 60 + x/10.
	fixed := [2]float64{600.0 / 9, 400.0 / 9}
	begin := CameraAt(path, time.Second, s)
	px, py := begin.Pixel(fixed)
	last := begin.Scale
	for k := 1; k <= 20; k++ {
		c := CameraAt(path, time.Second+time.Duration(k)*100*time.Millisecond, s)
		if x, y := c.Pixel(fixed); math.Abs(x-px)+math.Abs(y-py) > 1e-6 {
			t.Errorf("step %d: the fixed point is at %v, %v, was at %v, %v", k, x, y, px, py)
		}
		if c.Scale <= last {
			t.Errorf("step %d: from %v to %v pixels a meter", k, last, c.Scale)
		}
		last = c.Scale
	}
	half := CameraAt(path, 2*time.Second, s)
	if want := math.Sqrt(10 * 100); math.Abs(half.Scale-want) > 1e-9 {
		t.Errorf("halfway %v pixels a meter, want %v", half.Scale, want)
	}
	if c := CameraAt(path, 4*time.Second, s); math.Abs(c.Center[0]-44) > 1e-9 || math.Abs(c.Center[1]-43) > 1e-9 {
		t.Errorf("halfway without zoom the center is %v", c.Center)
	}
}
