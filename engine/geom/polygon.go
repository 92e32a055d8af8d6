package geom

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
)

// Ring is a closed chain of vertices in world metres; the last one is joined to
// the first. Either orientation is fine.
type Ring []mgl64.Vec2

// Area returns the signed area in square metres, positive for a counter-clockwise
// ring. It is rounded: decide nothing exact by it.
func (r Ring) Area() float64 {
	if len(r) < 3 {
		return 0
	}
	// Relative to a vertex, so that a small ring far from the origin keeps its digits.
	var twice float64
	for i := 2; i < len(r); i++ {
		u, v := r[i-1].Sub(r[0]), r[i].Sub(r[0])
		twice += u[0]*v[1] - u[1]*v[0]
	}
	return twice / 2
}

// merged returns the vertices without those that equal the one before them,
// around the end as well, and the index that each kept one had.
func (r Ring) merged() (Ring, []int) {
	kept := make(Ring, 0, len(r))
	index := make([]int, 0, len(r))
	for i, v := range r {
		if len(kept) == 0 || kept[len(kept)-1] != v {
			kept, index = append(kept, v), append(index, i)
		}
	}
	for len(kept) > 1 && kept[len(kept)-1] == kept[0] {
		kept, index = kept[:len(kept)-1], index[:len(index)-1]
	}
	return kept, index
}

// Polygon is the closed region inside Outer less the open regions inside Holes.
type Polygon struct {
	Outer Ring
	Holes []Ring
}

// Merged returns the polygon without equal neighbours in its rings (a repeated
// closing vertex is one) and how many vertices that took away.
func (p Polygon) Merged() (Polygon, int) {
	outer, index := p.Outer.merged()
	result := Polygon{Outer: outer}
	removed := len(p.Outer) - len(index)
	for _, hole := range p.Holes {
		kept, index := hole.merged()
		result.Holes = append(result.Holes, kept)
		removed += len(hole) - len(index)
	}
	return result, removed
}

// rings returns the outer ring followed by the holes.
func (p Polygon) rings() []Ring {
	return append([]Ring{p.Outer}, p.Holes...)
}

// ring returns ring k: 0 is the outer one, k+1 hole k.
func (p Polygon) ring(k int) Ring {
	if k > 0 {
		return p.Holes[k-1]
	}
	return p.Outer
}

// PolygonFault says what is wrong with a polygon.
type PolygonFault uint8

// The faults that Polygon.Check finds. Of several it tells the first of this
// list; the last three, which are faults between two rings, are on a par.
const (
	NotFinite        PolygonFault = iota + 1 // a coordinate is NaN or infinite
	TooFewVertices                           // fewer than three distinct vertices
	ZeroArea                                 // all vertices on one line
	SelfIntersection                         // two edges of a ring share a point that is not their common end
	HoleCrossing                             // a hole crosses the outer ring or runs along it
	HoleOutside                              // a hole lies outside the outer ring
	HolesOverlap                             // two holes share more than points
)

// String returns the fault in words.
func (f PolygonFault) String() string {
	switch f {
	case NotFinite:
		return "coordinate not finite"
	case TooFewVertices:
		return "fewer than three distinct vertices"
	case ZeroArea:
		return "zero area"
	case SelfIntersection:
		return "self-intersection"
	case HoleCrossing:
		return "hole crosses the outer ring"
	case HoleOutside:
		return "hole outside the outer ring"
	case HolesOverlap:
		return "holes overlap"
	}
	return fmt.Sprintf("polygon fault %d", uint8(f))
}

// PolygonError is the error of Polygon.Check: what is wrong and where.
// Rings are numbered from 0, the outer one; hole i of the polygon is ring i+1.
// Vertices are numbered as given, and of equal neighbours the first one counts;
// edge i of a ring starts at its vertex i.
type PolygonError struct {
	Kind PolygonFault
	// Ring and Index name the vertex, or the edge, at fault. In a fault between
	// a hole and another ring they belong to the hole (of two holes, the later one).
	Ring, Index int
	// OtherRing and Other name the other edge of a fault between two edges,
	// and equal Ring and Index in every other fault.
	OtherRing, Other int
	// Point is the place in metres: exact where it is a vertex, rounded where
	// two edges cross between their ends.
	Point mgl64.Vec2
}

// Error tells the fault, its place and what is allowed.
func (e *PolygonError) Error() string {
	ring := ringName(e.Ring)
	p := Shown(e.Point[:]...)
	at := fmt.Sprintf("(%v, %v)", p[0], p[1])
	switch e.Kind {
	case NotFinite:
		return fmt.Sprintf("geom: vertex %d of %s is %s: coordinates must be finite numbers", e.Index, ring, at)
	case TooFewVertices:
		return fmt.Sprintf("geom: %s has fewer than three distinct vertices", ring)
	case ZeroArea:
		return fmt.Sprintf("geom: %s has no area: all its vertices lie on one line", ring)
	case SelfIntersection:
		return fmt.Sprintf("geom: %s intersects itself: its edges %d and %d meet at %s; a ring may neither cross, touch nor run back along itself",
			ring, e.Index, e.Other, at)
	case HoleCrossing:
		return fmt.Sprintf("geom: edge %d of %s meets edge %d of the outer ring at %s: a hole must lie inside the outer ring and may touch it only in points",
			e.Index, ring, e.Other, at)
	case HoleOutside:
		return fmt.Sprintf("geom: %s lies outside the outer ring at %s: holes are cut out of the polygon and must lie inside it", ring, at)
	case HolesOverlap:
		return fmt.Sprintf("geom: %s overlaps %s at %s: holes may touch each other only in points; give their union as one hole",
			ring, ringName(e.OtherRing), at)
	}
	return fmt.Sprintf("geom: %v in %s, vertex %d %s", e.Kind, ring, e.Index, at)
}

func ringName(ring int) string {
	if ring == 0 {
		return "the outer ring"
	}
	return fmt.Sprintf("hole %d", ring-1)
}
