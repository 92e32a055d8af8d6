package measure

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// disc is people on a fine grid over the given shape, in front of a door at the origin that faces y.
func disc(contains func(x, y float64) bool, speed float64) Frame {
	var f Frame
	for i := -200; i <= 200; i++ {
		for j := range 200 {
			x, y := 0.05*float64(i), 0.05*(float64(j)+0.5)
			if contains(x, y) {
				f.Walkers = append(f.Walkers, Walker{ID: len(f.Walkers), At: mgl64.Vec2{x, y}, Velocity: mgl64.Vec2{0, -speed}})
			}
		}
	}
	return f
}

func TestArch(t *testing.T) {
	y := mgl64.Vec2{0, 1}
	for name, c := range map[string]struct {
		contains      func(x, y float64) bool
		radius, shape float64
	}{
		"half disc": {func(x, y float64) bool { return math.Hypot(x, y) < 4 }, 4, 1},
		// Mean squares of a rectangle 2a wide and b deep: a^2/3 and b^2/3.
		"queue":          {func(x, y float64) bool { return math.Abs(x) < 0.5 && y < 8 }, math.Sqrt(2 * (0.25 + 64) / 3), 0.5 / 8},
		"along the wall": {func(x, y float64) bool { return math.Abs(x) < 8 && y < 1 }, math.Sqrt(2 * (64 + 1) / 3.0), 8},
	} {
		f := disc(c.contains, 0.2)
		a := ArchAt(f, mgl64.Vec2{}, y, 10, 0.5)
		// The grid of 0.05 m stands for the area to within its step at the edge: less than 0.05 / 0.5, the narrowest half width.
		if math.Abs(a.Radius/c.radius-1) > 0.1 || math.Abs(a.Shape/c.shape-1) > 0.1 || a.People != len(f.Walkers) {
			t.Errorf("%s: %+v, want radius %v, shape %v", name, a, c.radius, c.shape)
		}
		near(t, name, a.Density, float64(a.People)/(math.Pi/2*a.Radius*a.Radius))
		// Turned and moved, the door with it.
		door, inwards := mgl64.Vec2{3, -2}, mgl64.Rotate2D(2.5).Mul2x1(y).Mul(7)
		g := turned(f, 2.5)
		for i := range g.Walkers {
			g.Walkers[i].At = g.Walkers[i].At.Add(door)
		}
		b := ArchAt(g, door, inwards, 10, 0.5)
		near(t, name+", turned", b.Shape, a.Shape)
		near(t, name+", turned", b.Radius, a.Radius)
	}
	half := disc(func(x, y float64) bool { return math.Hypot(x, y) < 4 }, 0.6)
	if a := ArchAt(half, mgl64.Vec2{}, y, 10, 0.5); a != (Arch{}) {
		t.Errorf("people that walk fast are no jam: %+v", a)
	}
	if a := ArchAt(half, mgl64.Vec2{}, y.Mul(-1), 10, 1); a != (Arch{}) {
		t.Errorf("people outside of the door are no jam before it: %+v", a)
	}
	if a := ArchAt(half, mgl64.Vec2{}, y, 2, 1); math.Abs(a.Radius-2) > 0.1 {
		t.Errorf("what lies farther away counts: %+v", a)
	}
	wall := Frame{Walkers: []Walker{{At: mgl64.Vec2{1, 0}}, {At: mgl64.Vec2{2, 0}}}}
	if a := ArchAt(wall, mgl64.Vec2{}, y, 10, 1); a != (Arch{}) {
		t.Errorf("on the wall: %+v", a)
	}
}
