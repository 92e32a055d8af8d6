package measure

import "github.com/go-gl/mathgl/mgl64"

// Swirl is how much a crowd turns about a point: the sum of the angular momenta of
// those within a distance over the sum of what they would be if all walked square to
// their direction from it. 1 if all turn counter-clockwise, -1 if clockwise, 0 if half
// of them do, or walk straight in and out. 0 where nobody moves.
func Swirl(f Frame, about mgl64.Vec2, within float64) float64 {
	turning, most := 0.0, 0.0
	for _, w := range f.Walkers {
		d := w.At.Sub(about)
		if d.Len() > within {
			continue
		}
		turning += cross(d, w.Velocity)
		most += d.Len() * w.Velocity.Len()
	}
	if most == 0 {
		return 0
	}
	return turning / most
}
