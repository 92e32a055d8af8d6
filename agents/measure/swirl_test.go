package measure

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

func TestSwirl(t *testing.T) {
	about := mgl64.Vec2{5, -3}
	ring := func(velocity func(d mgl64.Vec2) mgl64.Vec2) Frame {
		var f Frame
		for i := range 12 {
			sin, cos := math.Sincos(float64(i) * math.Pi / 6)
			d := mgl64.Vec2{cos, sin}.Mul(1 + float64(i%3))
			f.Walkers = append(f.Walkers, Walker{ID: i, At: about.Add(d), Velocity: velocity(d)})
		}
		return f
	}
	left := func(d mgl64.Vec2) mgl64.Vec2 { return mgl64.Vec2{-d[1], d[0]}.Mul(0.4) }
	near(t, "counter-clockwise", Swirl(ring(left), about, 10), 1)
	near(t, "clockwise", Swirl(ring(func(d mgl64.Vec2) mgl64.Vec2 { return left(d).Mul(-3) }), about, 10), -1)
	near(t, "inwards", Swirl(ring(func(d mgl64.Vec2) mgl64.Vec2 { return d.Mul(-1) }), about, 10), 0)
	near(t, "at 60 degrees", Swirl(ring(func(d mgl64.Vec2) mgl64.Vec2 { return mgl64.Rotate2D(math.Pi / 3).Mul2x1(d) }), about, 10), math.Sin(math.Pi/3))
	near(t, "no one moves", Swirl(ring(func(mgl64.Vec2) mgl64.Vec2 { return mgl64.Vec2{} }), about, 10), 0)
	// One way within 1.5 m, where a third of them are, the other way outside.
	mixed := ring(func(d mgl64.Vec2) mgl64.Vec2 {
		if d.Len() < 1.5 {
			return left(d)
		}
		return left(d).Mul(-1)
	})
	near(t, "the middle", Swirl(mixed, about, 1.5), 1)
	near(t, "both", Swirl(mixed, about, 10), (1.0-4-9)/(1+4+9))
}
