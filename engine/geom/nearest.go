package geom

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// Standing returns the lattice point of closed free space that stands for a world point in questions of sight: the point
// rounded, or where an obstacle covers that the nearest one within SnapSlack, since rounding may have moved a wall over it.
// There is none deeper in obstacles and outside of the domain.
func (g *Ground) Standing(p mgl64.Vec2) (Point, bool) {
	if !g.Lattice.Contains(p) { // false for NaN too
		return Point{}, false
	}
	at := g.Lattice.Snap(p)
	if g.Free(at) {
		return at, true
	}
	return g.NearestFree(at, SnapSlack)
}

// Nearest returns a lattice point of closed free space nearest to p, at any distance; false where no ground is free.
//
// Free space ends at walls. So it is p itself, or stands near the foot of p on a wall: the free point nearest to the foot, or
// one of the wall's ends where rounding leaves none within SnapSlack of it. Nothing free is nearer by more than the diagonal
// of SnapSlack, but in ground narrower than a step. Ties go to the first wall. It looks at every wall.
func (g *Ground) Nearest(p Point) (Point, bool) {
	least := math.Inf(1)
	for _, w := range g.Walls {
		_, d := footOf(g.Vertices[w.A], g.Vertices[w.B], p)
		least = min(least, d)
	}
	return g.NearestWhere(p, least+2*slackDiagonal, func(Point) bool { return true })
}

// slackDiagonal is how far a point that stands for a foot may be from it, in steps: along either axis half a step of
// rounding the foot, and SnapSlack.
const slackDiagonal = (SnapSlack + 0.5) * math.Sqrt2

// NearestWhere is Nearest among the points that accept allows and no farther than within steps. There may be others between
// the feet on walls: it asks about p and about what stands near each foot and the ends of its wall.
func (g *Ground) NearestWhere(p Point, within float64, accept func(Point) bool) (Point, bool) {
	if g.Lattice.Holds(p) && g.Free(p) && accept(p) {
		return p, true
	}
	type foot struct {
		at       Point
		distance float64
		wall     *Wall
	}
	var feet []foot
	for i := range g.Walls {
		w := &g.Walls[i]
		if at, d := footOf(g.Vertices[w.A], g.Vertices[w.B], p); d <= within {
			feet = append(feet, foot{at, d, w})
		}
	}
	slices.SortStableFunc(feet, func(a, b foot) int { return cmp.Compare(a.distance, b.distance) })
	var best Point
	least := math.Inf(1) // the distance of best
	offer := func(q Point) {
		if d := math.Sqrt(float64(distance2(p, q))); d < least && d <= within && accept(q) {
			best, least = q, d
		}
	}
	for _, f := range feet {
		if f.distance-slackDiagonal > least {
			break
		}
		if q, ok := g.NearestFree(f.at, SnapSlack); ok {
			offer(q)
		}
		offer(g.Vertices[f.wall.A])
		offer(g.Vertices[f.wall.B])
	}
	return best, !math.IsInf(least, 1)
}

// footOf returns the lattice point nearest to the point of the segment ab that is nearest to p, and how far that point is
// from p, in steps.
func footOf(a, b, p Point) (Point, float64) {
	dx, dy := int64(b.X)-int64(a.X), int64(b.Y)-int64(a.Y)
	ux, uy := int64(p.X)-int64(a.X), int64(p.Y)-int64(a.Y)
	// Both are below 2^43 and so exact in float64.
	along, length2 := float64(ux*dx+uy*dy), float64(dx*dx+dy*dy)
	t := min(max(along/length2, 0), 1)
	// Products are rounded before they are added, so that every processor gets the same.
	x, y := float64(a.X)+float64(t*float64(dx)), float64(a.Y)+float64(t*float64(dy))
	ex, ey := x-float64(p.X), y-float64(p.Y)
	return Point{int32(math.Floor(x + 0.5)), int32(math.Floor(y + 0.5))}, math.Sqrt(float64(ex*ex) + float64(ey*ey))
}
