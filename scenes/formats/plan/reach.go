package plan

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// reachOf returns how far from 0 both ends of an oblique edge may lie that is cut at the domain's
// border. Up to 2^53 times the step of the domain's lattice float64 numbers lie at most a step
// apart, and rounding moves a coordinate by at most half a step, as the lattice itself does.
// Beyond, what the edge bounds in the domain is wrong by more than that.
func reachOf(domain scenes.Rect) float64 {
	return max(domain[2]-domain[0], domain[3]-domain[1]) / geom.Steps * (1 << 53)
}

// coarsest returns the reach that the edges of a line or ring need. An edge along an axis needs
// none: a coordinate is exact where it lies in the domain. Of other edges, also those that rounding
// has left without a length, the nearer end counts: rounding of the farther one turns the edge
// about it, by less than a part in 2^52.
func coarsest(points []mgl64.Vec2, closed bool) (reach float64) {
	for i, b := range points {
		if i == 0 && !closed {
			continue
		}
		a := points[(i+len(points)-1)%len(points)]
		if (a[0] != b[0]) == (a[1] != b[1]) {
			reach = max(reach, min(max(math.Abs(a[0]), math.Abs(a[1])), max(math.Abs(b[0]), math.Abs(b[1]))))
		}
	}
	return reach
}

// outOfReach fails for a shape with coordinates that are too large.
func (k *Sketch) outOfReach(at int, bound float64) {
	k.Fail(at, "a coordinate of the shape or its stroke is out of range: at most %.3g m from 0 are needed for a domain of this size", bound)
}

// Place fails unless the points of a line or ring are finite and in reach of the sheet. Without one
// a scene's limit holds.
func (k *Sketch) Place(at int, points []mgl64.Vec2, closed bool) {
	bound := text.Largest
	if k.Sheet != nil {
		bound = reachOf(*k.Sheet)
	}
	endless := func(p mgl64.Vec2) bool { return math.IsNaN(p[0]+p[1]) || math.IsInf(p[0]+p[1], 0) }
	if slices.ContainsFunc(points, endless) || coarsest(points, closed) > bound {
		k.outOfReach(at, bound)
	}
}

// partIn returns the part of a segment in a box; false if that has no length. An end that is cut
// has the coordinate of the border.
func partIn(s scenes.Segment, box scenes.Rect) (scenes.Segment, bool) {
	for k := range 2 {
		for _, side := range [2]struct{ bound, sign float64 }{{box[k], 1}, {box[k+2], -1}} {
			outside := func(p mgl64.Vec2) bool { return side.sign*(p[k]-side.bound) < 0 }
			if outside(s[0]) && outside(s[1]) {
				return s, false
			}
			for end := range s {
				if a, b := s[end], s[1-end]; outside(a) {
					t := (side.bound - b[k]) / (a[k] - b[k])
					across := b[1-k] + float64(t*(a[1-k]-b[1-k]))
					low, high := min(a[1-k], b[1-k]), max(a[1-k], b[1-k])
					s[end][k], s[end][1-k] = side.bound, min(max(across, low), high) // rounding may lead beyond
				}
			}
		}
	}
	return s, s[0] != s[1]
}
