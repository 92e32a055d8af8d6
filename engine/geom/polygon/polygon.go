// Package polygon checks, merges, grows and clips polygons on float64 coordinates. Every decision
// is exact: no tolerance anywhere.
package polygon

import (
	"cmp"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Ring is a closed chain of vertices of either orientation; the last is joined to the first. Units:
// m.
type Ring []mgl64.Vec2

// Box returns the opposite corners of the smallest rectangle along the axes around the ring: lo
// above hi of one without vertices.
func (r Ring) Box() (lo, hi mgl64.Vec2) {
	lo, hi = mgl64.Vec2{math.Inf(1), math.Inf(1)}, mgl64.Vec2{math.Inf(-1), math.Inf(-1)}
	for _, v := range r {
		lo, hi = mgl64.Vec2{min(lo[0], v[0]), min(lo[1], v[1])}, mgl64.Vec2{max(hi[0], v[0]), max(hi[1], v[1])}
	}
	return lo, hi
}

// Area returns the signed area, positive for a counter-clockwise ring. It is rounded: decide
// nothing exact by it. Units: m².
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

// merged returns the vertices without those equal to the one before, around the end as well, and
// the index of each kept one.
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

// Rings returns the outer ring followed by the holes.
func (p Polygon) Rings() []Ring { return append([]Ring{p.Outer}, p.Holes...) }

// Merged returns the polygon without equal neighbors in its rings, a repeated closing vertex
// included, and the number of vertices removed.
func (p Polygon) Merged() (result Polygon, removed int) {
	for r, ring := range p.Rings() {
		kept, _ := ring.merged()
		removed += len(ring) - len(kept)
		if r == 0 {
			result.Outer = kept
		} else {
			result.Holes = append(result.Holes, kept)
		}
	}
	return result, removed
}

// Vertices returns the number of vertices of all rings.
func Vertices(polygons []Polygon) int {
	count := 0
	for _, p := range polygons {
		for _, r := range p.Rings() {
			count += len(r)
		}
	}
	return count
}

// Less orders points by x, then by y.
func Less(p, q mgl64.Vec2) bool { return p[0] < q[0] || p[0] == q[0] && p[1] < q[1] }

// Compare orders finite points as Less does, for package slices.
func Compare(p, q mgl64.Vec2) int { return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1])) }
