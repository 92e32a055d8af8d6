package render

import (
	"bytes"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// TestTiltedCamera: pixels and places of the ground belong together, as the matrix of the device has
// them; zooming keeps the place at the pointer, and panning moves it by the pointer's way.
func TestTiltedCamera(t *testing.T) {
	origin := mgl64.Vec2{1000, -500}
	for _, tilt := range []float64{0.02, 0.5, 1, MaxTilt} {
		c := Camera{Center: mgl64.Vec2{1040, -470}, Scale: 9, Width: 1280, Height: 800, Yaw: 2.3, Tilt: tilt}
		m := c.matrix(origin)
		for _, at := range []mgl64.Vec2{{640, 400}, {100, 700}, {1200, 350}} {
			p := c.World(at[0], at[1])
			if x, y := c.Pixel(p); math.Hypot(x-at[0], y-at[1]) > 1e-6 {
				t.Errorf("tilt %v: pixel %v shows %v, which is at %v, %v", tilt, at, p, x, y)
			}
			clip := m.Mul4x1(mgl32.Vec4{float32(p[0] - origin[0]), float32(p[1] - origin[1]), 0, 1})
			x, y := (float64(clip[0]/clip[3])+1)*640, (1-float64(clip[1]/clip[3]))*400
			if math.Hypot(x-at[0], y-at[1]) > 0.05 {
				t.Errorf("tilt %v: the matrix has %v at pixel %v, %v, want %v", tilt, p, x, y, at)
			}
			z := c
			z.Zoom(1.7, at[0], at[1], [2]float64{0.1, 100})
			if q := z.World(at[0], at[1]); q.Sub(p).Len() > 1e-6 {
				t.Errorf("tilt %v: zooming moves %v to %v", tilt, p, q)
			}
		}
		p := c.World(640, 400)
		c.Pan(30, -20)
		if x, y := c.Pixel(p); math.Hypot(x-670, y-380) > 1e-6 {
			t.Errorf("tilt %v: panning by 30, -20 moves the middle to %v, %v", tilt, x, y)
		}
	}
}

// TestFrameShowsAll: every corner of a rectangle, with walls on it, is within the margin, from any side.
func TestFrameShowsAll(t *testing.T) {
	for yaw := 0.0; yaw < 6; yaw += 0.7 {
		c := Camera{Center: mgl64.Vec2{}, Scale: 1, Width: 900, Height: 500, Yaw: yaw, Tilt: 0.9}.Frame(mgl64.Vec2{10, 20}, mgl64.Vec2{110, 80}, 20)
		least := math.Inf(1)
		for i := range 8 {
			x, y := c.onScreen(mgl64.Vec3{10 + 100*float64(i&1), 20 + 60*float64(i>>1&1), wallHeight * float64(i>>2)})
			least = min(least, 450-math.Abs(x), 250-math.Abs(y))
		}
		if least < 15 || least > 25 {
			t.Errorf("yaw %v: the outermost corner is %.1f pixels from the edge, want 20", yaw, least)
		}
	}
}

// TestStreet compares a small street with the picture in testdata, within the tolerance of golden, and
// looks at legs: those of agents that walk move with time, of others they do not.
func TestStreet(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		const width, height = 240, 150
		scene, m := built(t, d, "concave2", 200)
		r, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Delete()
		low, high := scene.Min(), scene.Max()
		state := walking(40, high.Sub(low)[0])
		p := Picture{
			Target: board(t, d, width, height), Camera: Camera{Width: width, Height: height, Scale: 1}.Tilted().Frame(low, high, 4),
			Layers: Regions | Isolines | Obstacles | Sources | Agents, Map: m, Sources: scene.Goals[0].Points,
			Crowd: crowdOf(t, d, float32(high.Sub(low)[0]/160), state),
		}
		p.Camera.Scale *= 1.4
		draw := func() []byte {
			if err := r.Draw(p); err != nil {
				t.Fatal(err)
			}
			return p.Target.ReadRGBA().Pix
		}
		before := d.Readbacks()
		first := draw()
		if n := d.Readbacks() - before; n != 1 { // the test's own
			t.Errorf("%d read-backs", n-1)
		}
		golden(t, "street", p.Target.ReadRGBA())
		p.Time = 0.25 / strideRate
		if bytes.Equal(first, draw()) {
			t.Error("legs do not move")
		}
		for i := range state {
			state[i].Velocity = [2]float32{}
		}
		p.Crowd.Agents.Write(0, state)
		still := draw()
		p.Time = 0
		if !bytes.Equal(still, draw()) {
			t.Error("legs of agents that stand move")
		}
		p.Layers &^= Agents
		if bytes.Equal(still, draw()) {
			t.Error("no agent is seen")
		}
	})
}
