package measure

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// TestWeidmann: the values that are commonly printed for a free speed of 1.34 m/s, to two digits behind the point.
func TestWeidmann(t *testing.T) {
	for density, want := range map[float64]float64{0: 1.34, 0.5: 1.30, 1: 1.06, 2: 0.61, 3: 0.33, 4: 0.16, 5: 0.04, 5.4: 0, 8: 0} {
		if got := Weidmann(1.34, density); math.Abs(got-want) > 0.005 {
			t.Errorf("at %v people/m2 %v m/s, want %v", density, got, want)
		}
	}
	for d := 0.01; d < 6; d += 0.01 {
		if a, b := Weidmann(1.34, d), Weidmann(1.34, d+0.01); b > a || b < 0 || math.IsNaN(b) {
			t.Fatalf("%v m/s at %v, then %v", a, d, b)
		}
	}
}

func TestDensity(t *testing.T) {
	r := Rect{mgl64.Vec2{-1, 2}, mgl64.Vec2{3.3, 6}}
	f := Frame{Time: 7, Walkers: []Walker{
		{ID: 1, At: mgl64.Vec2{-1, 2}, Velocity: mgl64.Vec2{3, 4}},
		{ID: 2, At: mgl64.Vec2{0.5, 3}, Velocity: mgl64.Vec2{0, -1}},
		{ID: 3, At: mgl64.Vec2{1, 3}, Velocity: mgl64.Vec2{2, 0}}, // on the border between two squares
		{ID: 4, At: mgl64.Vec2{2, 5.9}, Velocity: mgl64.Vec2{0, 7}},
		{ID: 5, At: mgl64.Vec2{3.1, 5}, Velocity: mgl64.Vec2{9, 9}}, // beyond the last whole square
		{ID: 6, At: mgl64.Vec2{-1.1, 5}, Velocity: mgl64.Vec2{9, 9}},
		{ID: 7, At: mgl64.Vec2{0, 6}, Velocity: mgl64.Vec2{9, 9}}, // on the upper border, which belongs to the next
	}}
	got := Squares(f, r, 2)
	if want := []Sample{{0.5, 3}, {0.25, 2}, {0.25, 7}}; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if part := f.In(r); len(part.Walkers) != 5 || part.Walkers[4].ID != 5 || part.Time != 7 {
		t.Errorf("%+v", part)
	}
	if got := Squares(Frame{}, r, 2); got != nil {
		t.Errorf("no people: %+v", got)
	}
	curve := Fundamental([]Sample{{0.1, 1.4}, {1.6, 0.8}, {0.3, 1.2}, {1.9, 0.6}, {2.4, 0.5}}, 1, 2)
	if len(curve) != 2 {
		t.Fatalf("%+v", curve)
	}
	for i, want := range []Sample{{0.2, 1.3}, {1.75, 0.7}} {
		near(t, "density", curve[i].Density, want.Density)
		near(t, "speed", curve[i].Speed, want.Speed)
	}
}
