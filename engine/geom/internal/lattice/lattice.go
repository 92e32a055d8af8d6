// Package lattice has the integer coordinates that the ground is computed in, the predicates on
// them, which are exact, and what sorts points and segments by key and by cell.
package lattice

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Bits is the resolution: the longer side of a domain has 2^Bits steps.
const Bits = 20

// Steps is the number of lattice steps over the longer side of a domain.
const Steps = 1 << Bits

// Point is a point of the lattice, in steps from the domain's lower left corner. Inside a domain
// both coordinates are in 0..Steps.
type Point struct{ X, Y int32 }

// Less orders points by X, then by Y.
func (p Point) Less(q Point) bool { return p.X < q.X || p.X == q.X && p.Y < q.Y }

// Compare orders points as Less does, for package slices.
func (p Point) Compare(q Point) int {
	if p.X != q.X {
		return int(p.X) - int(q.X)
	}
	return int(p.Y) - int(q.Y)
}

// Lattice lays integer coordinates over a domain. They count from its lower left corner, so the
// domain's place in the world costs no precision beyond that of the input.
type Lattice struct {
	// Origin is the domain's lower left corner in the world. Units: m.
	Origin mgl64.Vec2
	// Step is the distance between neighboring lattice points: the longer side divided by Steps.
	// Units: m.
	Step float64
	// Size is the domain's upper right corner on the lattice. The longer side has Steps steps
	// exactly; the shorter is rounded to the lattice.
	Size Point
}

// NewLattice returns the lattice of the domain with the given opposite corners. It refuses a domain
// that is not finite, has no area, is thinner than a step, or is so small against its distance from
// the world's origin that float64 cannot separate neighboring lattice points.
func NewLattice(lo, hi mgl64.Vec2) (Lattice, error) {
	refuse := func(why string) (Lattice, error) {
		return Lattice{}, fmt.Errorf("geom: domain from %v to %v %s", lo, hi, why)
	}
	for _, v := range [...]float64{lo[0], lo[1], hi[0], hi[1]} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return refuse("is not finite; give four finite numbers")
		}
	}
	w, h := hi[0]-lo[0], hi[1]-lo[1]
	if !(w > 0 && h > 0) {
		return refuse("has no area; the second corner must lie right of and above the first")
	}
	step := max(w, h) / Steps
	if math.IsInf(step, 0) || step < math.SmallestNonzeroFloat64*Steps {
		return refuse("has a size float64 cannot divide; use another unit of length")
	}
	// Snap subtracts the origin. Inputs are off by half a unit in their last place each; where that
	// unit exceeds a quarter of a step, two inputs meant to be a step apart may become one.
	far := max(math.Abs(lo[0]), math.Abs(lo[1]), math.Abs(hi[0]), math.Abs(hi[1]))
	if math.Nextafter(far, math.Inf(1))-far > step/4 {
		return refuse("is too far from the origin for its size; subtract a common offset from the coordinates")
	}
	if min(w, h) < step {
		return refuse(fmt.Sprintf("is more than %d times as long as wide; make it wider", Steps))
	}
	side := func(v float64) int32 { return int32(math.Floor(v/step + 0.5)) }
	return Lattice{Origin: lo, Step: step, Size: Point{side(w), side(h)}}, nil
}

// Sound reports whether NewLattice may have made the lattice.
func (l Lattice) Sound() bool {
	far := l.Origin.Add(mgl64.Vec2{float64(l.Size.X), float64(l.Size.Y)}.Mul(l.Step))
	near := math.Max(math.Max(math.Abs(l.Origin[0]), math.Abs(l.Origin[1])), math.Max(math.Abs(far[0]), math.Abs(far[1])))
	return min(l.Size.X, l.Size.Y) > 0 && max(l.Size.X, l.Size.Y) == Steps && l.Step >= math.SmallestNonzeroFloat64*Steps &&
		math.Nextafter(near, math.Inf(1))-near <= l.Step/2 // NaN is not
}

// Snap returns the lattice point of the domain nearest to p, halves rounded up. It panics if p is
// not a number.
func (l Lattice) Snap(p mgl64.Vec2) Point { return l.Round(l.Fractional(p)) }

// Fractional returns p in steps from the origin, not rounded.
func (l Lattice) Fractional(p mgl64.Vec2) [2]float64 {
	return [2]float64{(p[0] - l.Origin[0]) / l.Step, (p[1] - l.Origin[1]) / l.Step}
}

// Round is Snap of a point in steps.
func (l Lattice) Round(q [2]float64) Point {
	if math.IsNaN(q[0]) || math.IsNaN(q[1]) {
		panic("geom: Snap of a point that is not a number; check the coordinates first")
	}
	within := func(v float64, size int32) int32 {
		return int32(math.Floor(min(max(v, 0), float64(size)) + 0.5))
	}
	return Point{within(q[0], l.Size.X), within(q[1], l.Size.Y)}
}

// World returns p in the world. Units: m.
func (l Lattice) World(p Point) mgl64.Vec2 {
	return mgl64.Vec2{
		l.Origin[0] + float64(float64(p.X)*l.Step),
		l.Origin[1] + float64(float64(p.Y)*l.Step),
	}
}

// Local returns p relative to the domain's corner, as the GPU has all coordinates. Units: m.
func (l Lattice) Local(p Point) [2]float32 {
	return [2]float32{float32(float64(p.X) * l.Step), float32(float64(p.Y) * l.Step)}
}

// Contains reports whether p is in the closed domain, false if p is not a number. The shorter side,
// known to the lattice only, counts half a step further, so that all of the domain as given is
// contained.
func (l Lattice) Contains(p mgl64.Vec2) bool {
	within := func(v float64, size int32) bool {
		if size == Steps {
			return v >= 0 && v <= Steps
		}
		return v >= 0 && v <= float64(size)+0.5
	}
	q := l.Fractional(p)
	return within(q[0], l.Size.X) && within(q[1], l.Size.Y)
}

// Holds reports whether the lattice point p is in the closed domain.
func (l Lattice) Holds(p Point) bool {
	return p.X >= 0 && p.X <= l.Size.X && p.Y >= 0 && p.Y <= l.Size.Y
}

// Valid reports whether NewLattice made the lattice.
func (l Lattice) Valid() bool {
	return l.Size.X >= 1 && l.Size.Y >= 1 && l.Size.X <= Steps && l.Size.Y <= Steps && l.Step > 0
}

// Length returns the domain's longer side. Units: m.
func (l Lattice) Length() float64 { return l.Step * Steps }
