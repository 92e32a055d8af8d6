package geom

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Bits is the resolution of the lattice: the longer side of a domain has
// 2^Bits steps.
const Bits = 20

// Steps is the number of lattice steps over the longer side of a domain.
const Steps = 1 << Bits

// Point is a point of the lattice, in steps from the domain's lower left
// corner. Inside a domain both coordinates are in 0..Steps.
type Point struct{ X, Y int32 }

// Less orders points by X, then by Y.
func (p Point) Less(q Point) bool {
	return p.X < q.X || p.X == q.X && p.Y < q.Y
}

// Compare is Less as a three-way comparison, for package slices.
func (p Point) Compare(q Point) int {
	if p.X != q.X {
		return int(p.X) - int(q.X)
	}
	return int(p.Y) - int(q.Y)
}

// Lattice lays integer coordinates over a domain, so that the predicates on
// them are exact. Coordinates count from the domain's lower left corner:
// where in the world the domain lies costs no precision beyond that of the
// input itself.
type Lattice struct {
	// Origin is the domain's lower left corner in the world. Units: m.
	Origin mgl64.Vec2
	// Step is the distance between neighbouring lattice points: the longer
	// side divided by Steps. Units: m.
	Step float64
	// Size is the domain's upper right corner on the lattice. The longer side
	// has Steps steps exactly; the shorter is rounded to the lattice.
	Size Point
}

// NewLattice returns the lattice of the domain with the given opposite
// corners. A domain is refused that is not finite, has no area, is thinner than
// a step, or is so small against its distance from the world's origin that
// float64 cannot tell neighbouring lattice points apart.
func NewLattice(lo, hi mgl64.Vec2) (Lattice, error) {
	for _, v := range [...]float64{lo[0], lo[1], hi[0], hi[1]} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Lattice{}, fmt.Errorf("geom: domain from %v to %v is not finite; give four finite numbers", lo, hi)
		}
	}
	w, h := hi[0]-lo[0], hi[1]-lo[1]
	if !(w > 0 && h > 0) {
		return Lattice{}, fmt.Errorf("geom: domain from %v to %v has no area; the second corner must lie right of and above the first", lo, hi)
	}
	step := max(w, h) / Steps
	if math.IsInf(step, 0) || step < math.SmallestNonzeroFloat64*Steps {
		return Lattice{}, fmt.Errorf("geom: domain from %v to %v has a size float64 cannot divide; use another unit of length", lo, hi)
	}
	// Snap subtracts the origin. The inputs carry errors of half a unit in
	// their last place each; where that unit reaches a quarter of a step, two
	// inputs meant to be a step apart may become one.
	far := max(math.Abs(lo[0]), math.Abs(lo[1]), math.Abs(hi[0]), math.Abs(hi[1]))
	if math.Nextafter(far, math.Inf(1))-far > step/4 {
		return Lattice{}, fmt.Errorf("geom: domain from %v to %v is too far from the origin for its size; subtract a common offset from the coordinates", lo, hi)
	}
	if min(w, h) < step {
		return Lattice{}, fmt.Errorf("geom: domain from %v to %v is more than %d times as long as wide; make it wider", lo, hi, Steps)
	}
	side := func(v float64) int32 { return int32(math.Floor(v/step + 0.5)) }
	return Lattice{Origin: lo, Step: step, Size: Point{side(w), side(h)}}, nil
}

// Snap returns the lattice point of the domain nearest to p, which is p
// rounded to the lattice where p is inside the domain. Halves are rounded up.
// It panics if p is not a number.
func (l Lattice) Snap(p mgl64.Vec2) Point {
	q := l.fractional(p)
	return Point{roundInto(q[0], l.Size.X), roundInto(q[1], l.Size.Y)}
}

// fractional returns p in steps from the origin, not yet rounded.
func (l Lattice) fractional(p mgl64.Vec2) [2]float64 {
	return [2]float64{(p[0] - l.Origin[0]) / l.Step, (p[1] - l.Origin[1]) / l.Step}
}

// roundInto rounds v to the nearest integer in 0..size, halves up.
func roundInto(v float64, size int32) int32 {
	if math.IsNaN(v) {
		panic("geom: Snap of a point that is not a number; check the coordinates first")
	}
	return int32(math.Floor(min(max(v, 0), float64(size)) + 0.5))
}

// World returns p in the world. Units: m.
func (l Lattice) World(p Point) mgl64.Vec2 {
	return mgl64.Vec2{
		l.Origin[0] + float64(float64(p.X)*l.Step),
		l.Origin[1] + float64(float64(p.Y)*l.Step),
	}
}

// Local returns p relative to the domain's corner, as everything on the GPU
// is. Units: m.
func (l Lattice) Local(p Point) [2]float32 {
	return [2]float32{float32(float64(p.X) * l.Step), float32(float64(p.Y) * l.Step)}
}

// Contains reports whether p is in the closed domain. The shorter side is
// known to the lattice only and counts half a step further, so that nothing
// inside the domain as given is left out. A point that is not a number is not
// contained.
func (l Lattice) Contains(p mgl64.Vec2) bool {
	within := func(v float64, size int32) bool {
		if size == Steps {
			return v >= 0 && v <= Steps
		}
		return v >= 0 && v <= float64(size)+0.5
	}
	q := l.fractional(p)
	return within(q[0], l.Size.X) && within(q[1], l.Size.Y)
}

// Holds reports whether the lattice point p is in the closed domain.
func (l Lattice) Holds(p Point) bool {
	return p.X >= 0 && p.X <= l.Size.X && p.Y >= 0 && p.Y <= l.Size.Y
}

// sized reports whether NewLattice made the lattice.
func (l Lattice) sized() bool {
	return l.Size.X >= 1 && l.Size.Y >= 1 && l.Size.X <= Steps && l.Size.Y <= Steps && l.Step > 0
}

// Length returns the domain's longer side. Units: m.
func (l Lattice) Length() float64 { return l.Step * Steps }
