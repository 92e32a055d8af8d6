package measure

import "github.com/go-gl/mathgl/mgl64"

// Swirl returns how much a crowd turns about a point: the sum of the angular momenta of the agents
// within a distance over what it would be if all walked square to their direction from the point.
// 1 if all turn counter-clockwise, -1 if clockwise, 0 if as many do as do not, if all walk straight
// in and out, and where no agent moves. Unit of distance: m.
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
