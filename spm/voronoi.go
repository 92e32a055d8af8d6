package spm

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// rival is a source that lights a whole triangle, as others there do.
type rival struct {
	at    mgl64.Vec2 // what its distances are from, lattice steps
	rays  geom.Point // where its rays part: the lattice point that it was moved to
	moved float64    // how far that is, lattice steps
}

func newRival(l geom.Lattice, s site) rival {
	r := rival{at: s.position.Sub(l.Origin).Mul(1 / l.Step), rays: s.sector.At}
	r.moved = r.at.Sub(onPlane(r.rays)).Len()
	return r
}

func onPlane(p geom.Point) mgl64.Vec2 { return mgl64.Vec2{float64(p.X), float64(p.Y)} }

// voronoi finds which part of a triangle each of its sources can win against the others: its Voronoi cell, made wider by what
// float32 distances may be off. Behind the triangle, too, a source wins nothing that it sees through a point of a side where
// another is nearer: from there on the other has the same way.
//
// Only these parts are drawn, and only through them light leaves the triangle, so that a thousand sources in a room cost about as much
// as one and not a thousand times it. What is left out would have lost in any case: the map is the same.
type voronoi struct {
	triangle [3]geom.Point
	rivals   []standing // by their coordinate along an axis
	axis     int
	longest  float64 // of the triangle's sides, lattice steps
	slack    float64 // what lengths may be off, lattice steps
	cell     []cellVertex
	clipped  []cellVertex
}

// cellVertex is a vertex of a cell, counter-clockwise.
type cellVertex struct {
	mgl64.Vec2     // lattice steps
	side       int // of the triangle that the cell's border follows from here on, or inner
}

const inner = -1

// newVoronoi sorts the rivals.
func newVoronoi(triangle [3]geom.Point, rivals []standing, slack float64) *voronoi {
	v := &voronoi{triangle: triangle, rivals: rivals, slack: slack}
	var spread mgl64.Vec2
	for i, p := range triangle {
		off := onPlane(triangle[(i+1)%3]).Sub(onPlane(p))
		v.longest = max(v.longest, off.Len())
		spread[0], spread[1] = max(spread[0], math.Abs(off[0])), max(spread[1], math.Abs(off[1]))
	}
	if spread[1] > spread[0] {
		v.axis = 1
	}
	slices.SortFunc(rivals, func(a, b standing) int { return cmp.Compare(a.at[v.axis], b.at[v.axis]) })
	return v
}

// find finds the cell of rivals[i].
func (v *voronoi) find(i int) {
	v.cell = v.cell[:0]
	for side, p := range v.triangle {
		v.cell = append(v.cell, cellVertex{onPlane(p), side})
	}
	own := v.rivals[i].rival
	radius := v.radius(own)
	// From the nearest along the axis on. Whoever is farther off than twice the cell's radius is nowhere nearer.
	for low, high := i-1, i+1; low >= 0 || high < len(v.rivals); {
		next := low
		if low < 0 || high < len(v.rivals) && v.rivals[high].at[v.axis]-own.at[v.axis] < own.at[v.axis]-v.rivals[low].at[v.axis] {
			next = high
			high++
		} else {
			low--
		}
		other := v.rivals[next].rival
		if math.Abs(other.at[v.axis]-own.at[v.axis]) > 2*radius {
			return
		}
		if other.at.Sub(own.at).Len() <= 2*radius && v.cut(own, other) {
			radius = v.radius(own)
		}
	}
}

// radius is the distance of the cell's farthest point.
func (v *voronoi) radius(own rival) float64 {
	r := 0.0
	for _, p := range v.cell {
		r = max(r, p.Sub(own.at).Len())
	}
	return r
}

// cut takes away from the cell where the other is nearer by more than lengths may be off, and reports whether that was anything.
//
// With a and b the ways of the two to a point, that is where a - b > slack. A linear bound is enough: a² - b² > slack (a + b), of which
// the right side is at most twice the triangle's longest side, and the left one is linear in the point.
func (v *voronoi) cut(own, other rival) bool {
	// Rays part from lattice points, lengths are from where sources were given.
	slack := v.slack + 2*(own.moved+other.moved)
	most := 2 * slack * (v.longest + max(own.moved, other.moved))
	to := other.at.Sub(own.at)
	middle := own.at.Add(other.at).Mul(0.5)
	beyond := func(p mgl64.Vec2) float64 { return 2*p.Sub(middle).Dot(to) - most }
	v.clipped = v.clipped[:0]
	changed := false
	for i, p := range v.cell {
		q := v.cell[(i+1)%len(v.cell)]
		f, g := beyond(p.Vec2), beyond(q.Vec2)
		if f <= 0 {
			v.clipped = append(v.clipped, p)
		}
		if (f <= 0) != (g <= 0) {
			changed = true
			border := cellVertex{p.Add(q.Sub(p.Vec2).Mul(f / (f - g))), inner}
			if f > 0 {
				border.side = p.side
			}
			v.clipped = append(v.clipped, border)
		}
	}
	if changed {
		v.cell, v.clipped = v.clipped, v.cell
	}
	return changed
}

// box is the cell's bounding box, lattice.
func (v *voronoi) box() (low, high geom.Point) {
	a, b := v.cell[0].Vec2, v.cell[0].Vec2
	for _, p := range v.cell {
		a = mgl64.Vec2{min(a[0], p.X()), min(a[1], p.Y())}
		b = mgl64.Vec2{max(b[0], p.X()), max(b[1], p.Y())}
	}
	// Whole steps, and one more for what the cell's vertices may be off.
	low = geom.Point{X: int32(math.Floor(a[0])) - 1, Y: int32(math.Floor(a[1])) - 1}
	return low, geom.Point{X: int32(math.Ceil(b[0])) + 1, Y: int32(math.Ceil(b[1])) + 1}
}

// exit says between which rays the cell's source lights more through a side of the triangle than others do: none where the cell does
// not reach the side. The rays go through lattice points that lie farther out than the cell, or through the side's ends.
func (v *voronoi) exit(own rival, side int) geom.Exit {
	x := geom.Exit{Right: v.triangle[side], Left: v.triangle[(side+1)%3]}
	i := slices.IndexFunc(v.cell, func(p cellVertex) bool { return p.side == side })
	if i < 0 {
		return geom.Exit{}
	}
	first, last := v.cell[i].Vec2, v.cell[(i+1)%len(v.cell)].Vec2
	along := onPlane(x.Left).Sub(onPlane(x.Right))
	along = along.Mul(1 / along.Len())
	// Two steps make up for rounding to the lattice where the side is seen at an angle; where it is not, the rounded point may lie on the
	// wrong side, and the end stays.
	nearer := func(p, away mgl64.Vec2) geom.Point {
		p = p.Add(away)
		return geom.Point{X: int32(math.Round(p[0])), Y: int32(math.Round(p[1]))}
	}
	right, left := nearer(first, along.Mul(-2)), nearer(last, along.Mul(2))
	if geom.Orient(own.rays, x.Right, right) == geom.Left && turns(own.rays, right, first) > 0 {
		x.Right = right
	}
	if geom.Orient(own.rays, x.Left, left) == geom.Right && turns(own.rays, left, last) < 0 {
		x.Left = left
	}
	return x
}

// turns is positive where p lies left of the ray from a point through another, negative right of it.
func turns(from, through geom.Point, p mgl64.Vec2) float64 {
	ray, to := onPlane(through).Sub(onPlane(from)), p.Sub(onPlane(from))
	return ray[0]*to[1] - ray[1]*to[0]
}
