package polygon

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// leastSides is the least number of sides that Grow takes for a full turn.
const leastSides = 8

// Grow returns polygons whose union is the polygon grown by a disc: the points no farther than
// radius from it. For a convex polygon that is one convex polygon. Otherwise they are the polygon
// itself, a rectangle on the outer side of each edge and a fan at each convex vertex (at the
// others, where holes bend that way too, the rectangles overlap). They touch and overlap; Build
// unites them.
//
// Arcs become chains of tangents with at most the angle of `sides` sides to a full turn between
// them (fewer than 8 count as 8). So, up to the rounding of coordinates, the union is never smaller
// than the true shape, and nowhere larger by more than radius*(1/cos(pi/sides) - 1): 8.3% of the
// radius with 8 sides, 2% with 16, 0.5% with 32.
//
// Units: m. Limits: radius finite and >= 0, which Grow panics on; the polygon passes Check. A
// radius of zero gives the polygon alone.
func (p Polygon) Grow(radius float64, sides int) []Polygon {
	if !(radius >= 0) || math.IsInf(radius, 1) {
		panic(fmt.Sprintf("geom: Grow by %v: the radius must be a finite number >= 0", radius))
	}
	if radius == 0 {
		return []Polygon{p}
	}
	widest := 2 * math.Pi / float64(max(sides, leastSides))
	o := newOutline(p.Rings())
	if len(p.Holes) == 0 {
		if ring, ok := o.growConvex(radius, widest); ok {
			return []Polygon{{Outer: ring}}
		}
	}
	grown := append(make([]Polygon, 0, 1+2*len(o.vertices)), p)
	for r := range len(o.first) - 1 {
		// Along an outer ring that runs counter-clockwise, and a hole that runs clockwise, the
		// outside of the polygon is on the right.
		turn := lattice.Left
		if o.counterClockwise(r) != (r == 0) {
			turn = lattice.Right
		}
		for i := o.first[r]; i < o.first[r+1]; i++ {
			before, v, after := o.vertices[o.prev[i]], o.vertices[i], o.vertices[o.next[i]]
			ahead := outward(v, after, turn)
			corner := v.Add(ahead.Mul(radius))
			grown = append(grown, Polygon{Outer: Ring{v, corner, after.Add(ahead.Mul(radius)), after}})
			if orient(before, v, after) == turn {
				behind := outward(before, v, turn)
				fan := tangents(Ring{v, v.Add(behind.Mul(radius))}, v, behind, ahead, radius, widest)
				grown = append(grown, Polygon{Outer: append(fan, corner)})
			}
		}
	}
	return grown
}

// growConvex returns the outline grown as one ring, which is all tangents, or false if it is not
// convex.
func (o *outline) growConvex(radius, widest float64) (Ring, bool) {
	turn := lattice.Left
	if !o.counterClockwise(0) {
		turn = lattice.Right
	}
	// A full turn of tangents, and one more for a part at each vertex.
	grown := make(Ring, 0, len(o.vertices)+int(2*math.Pi/widest)+1)
	for i, v := range o.vertices {
		before, after := o.vertices[o.prev[i]], o.vertices[o.next[i]]
		switch orient(before, v, after) {
		case -turn:
			return nil, false
		case turn:
			grown = tangents(grown, v, outward(before, v, turn), outward(v, after, turn), radius, widest)
		}
	}
	return grown, true
}

// outward returns the unit normal of the edge ab on the outer side of a polygon that makes the
// given turn at its convex vertices.
func outward(a, b mgl64.Vec2, turn lattice.Side) mgl64.Vec2 {
	d := b.Sub(a)
	return mgl64.Vec2{d[1], -d[0]}.Mul(float64(turn) / math.Hypot(d[0], d[1]))
}

// tangents appends the corners of the chain of tangents around the arc about center from one unit
// vector to another, the short way. Neighboring tangents differ by at most widest.
func tangents(chain Ring, center, from, to mgl64.Vec2, radius, widest float64) Ring {
	angle := math.Atan2(from[0]*to[1]-from[1]*to[0], from[0]*to[0]+from[1]*to[1])
	count := max(1, int(math.Ceil(math.Abs(angle)/widest)))
	step := angle / float64(count)
	reach := radius / math.Cos(step/2)
	for k := range count {
		sin, cos := math.Sincos((float64(k) + 0.5) * step)
		chain = append(chain, center.Add(mgl64.Vec2{
			from[0]*cos - from[1]*sin,
			from[0]*sin + from[1]*cos,
		}.Mul(reach)))
	}
	return chain
}
