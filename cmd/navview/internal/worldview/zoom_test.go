package worldview

import (
	"image"
	"math"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
)

// TestEye: the flag is that of the camera that it is written from, for pictures of any size; what is no
// place of an eye is refused.
func TestEye(t *testing.T) {
	want := render.Camera{Center: mgl64.Vec2{1.25, -3}, Scale: 7.3, Width: 400, Height: 300, Yaw: 2.1, Tilt: render.MaxTilt}
	var e Eye
	if err := e.UnmarshalText([]byte(EyeOf(want).String())); err != nil {
		t.Fatal(err)
	}
	got := e.Camera(image.Pt(800, 600))
	for _, p := range []mgl64.Vec2{{0, 0}, {3, -2}, {1.25, -3}} {
		x, y := want.Pixel(p)
		if u, v := got.Pixel(p); math.Abs(u-2*x)+math.Abs(v-2*y) > 1e-6 {
			t.Errorf("%v is at %v, %v, want %v, %v", p, u, v, 2*x, 2*y)
		}
	}
	for _, text := range []string{"", "1,2,3,4", "1,2,0,4,5", "1,2,3,4,0", "1,2,3,4,81", "1,2,3,4,x", "1,2,3,4,5,6", "nan,2,3,4,5"} {
		if err := e.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken as %v", text, e)
		}
	}
}

// TestCameraAt: the path holds before its first place and after its last, zooms evenly, and on the
// way one point of the ground keeps its pixel.
func TestCameraAt(t *testing.T) {
	s := image.Pt(800, 600)
	path := []Zoom{{scenes.Rect{0, 0, 80, 60}, time.Second}, {scenes.Rect{60, 40, 68, 46}, 3 * time.Second}, {scenes.Rect{20, 40, 28, 46}, 5 * time.Second}}
	for at, want := range map[time.Duration]scenes.Rect{0: path[0].Area, time.Second: path[0].Area, 3 * time.Second: path[1].Area, 5 * time.Second: path[2].Area, time.Hour: path[2].Area} {
		c := CameraAt(path, at, s, false)
		low, high := c.World(0, 600), c.World(800, 0)
		for k := range 2 {
			if math.Abs(low[k]-want[k])+math.Abs(high[k]-want[k+2]) > 1e-9 {
				t.Errorf("at %v: %v to %v, want %v", at, low, high, want)
			}
		}
	}
	// From 10 to 100 pixels a meter the fixed point is where both pictures agree: x = 60 + x/10.
	fixed := [2]float64{600.0 / 9, 400.0 / 9}
	begin := CameraAt(path, time.Second, s, false)
	px, py := begin.Pixel(fixed)
	last := begin.Scale
	for k := 1; k <= 20; k++ {
		c := CameraAt(path, time.Second+time.Duration(k)*100*time.Millisecond, s, false)
		if x, y := c.Pixel(fixed); math.Abs(x-px)+math.Abs(y-py) > 1e-6 {
			t.Errorf("step %d: the fixed point is at %v, %v, was at %v, %v", k, x, y, px, py)
		}
		if c.Scale <= last {
			t.Errorf("step %d: from %v to %v pixels a meter", k, last, c.Scale)
		}
		last = c.Scale
	}
	half := CameraAt(path, 2*time.Second, s, false)
	if want := math.Sqrt(10 * 100); math.Abs(half.Scale-want) > 1e-9 {
		t.Errorf("halfway %v pixels a meter, want %v", half.Scale, want)
	}
	if c := CameraAt(path, 4*time.Second, s, false); math.Abs(c.Center[0]-44) > 1e-9 || math.Abs(c.Center[1]-43) > 1e-9 {
		t.Errorf("halfway without zoom the center is %v", c.Center)
	}
}
