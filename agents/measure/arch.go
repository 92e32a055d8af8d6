package measure

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Arch is a jam before a door.
type Arch struct {
	// People is the number of agents in the jam.
	People int
	// Radius of the half disc that has the jam's mean square distance from the door. Unit: m.
	Radius float64
	// Shape is how far the jam reaches to the sides over how far it reaches back: the
	// root of the ratio of the mean squares. 1 for a half disc around the door, 0 for a
	// queue straight away from it, above 1 for a jam along the wall.
	Shape float64
	// Density of the jam in that half disc. Unit: agents/m2.
	Density float64
}

// ArchAt measures the jam before a door: the agents on the inner side, within a distance of the
// door's middle, that are slower than a speed. Inwards points from the door to where the jam is. It
// returns the zero Arch for fewer than two agents, and where all stand along the wall. Units: m,
// m/s.
func ArchAt(f Frame, door, inwards mgl64.Vec2, within, slower float64) Arch {
	inwards = inwards.Normalize()
	var beside, back float64 // sums of squares
	n := 0
	for _, w := range f.Walkers {
		d := w.At.Sub(door)
		y := d.Dot(inwards)
		if y < 0 || d.Len() > within || w.Velocity.Len() >= slower {
			continue
		}
		x := cross(inwards, d)
		beside, back = beside+x*x, back+y*y
		n++
	}
	if n < 2 || back == 0 {
		return Arch{}
	}
	// Over a half disc of radius R the mean square distance is R^2 / 2, half of it to the
	// sides and half of it back.
	radius := math.Sqrt(2 * (beside + back) / float64(n))
	return Arch{
		People: n, Radius: radius, Shape: math.Sqrt(beside / back),
		Density: float64(n) / (math.Pi / 2 * radius * radius),
	}
}
