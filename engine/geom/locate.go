package geom

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// hints is a grid over the domain with a vertex near each cell to start walking from.
type hints struct {
	shift   int
	columns int32
	vertex  []int32
}

// setHints makes a grid of about one cell for each vertex.
func (g *Ground) setHints() {
	size := g.Lattice.Size
	cellArea := uint64(size.X) * uint64(size.Y) / uint64(len(g.Vertices))
	shift := (bits.Len64(cellArea) + 1) / 2
	columns, rows := size.X>>shift+1, size.Y>>shift+1
	g.hints = hints{shift, columns, make([]int32, columns*rows)}
	for i := range g.hints.vertex {
		g.hints.vertex[i] = -1
	}
	for v, p := range g.Vertices {
		g.hints.vertex[p.Y>>shift*columns+p.X>>shift] = int32(v)
	}
	last := int32(0)
	for i, v := range g.hints.vertex {
		if v < 0 {
			g.hints.vertex[i] = last
		} else {
			last = v
		}
	}
}

// near returns a vertex near p.
func (h *hints) near(p Point) int32 {
	return h.vertex[p.Y>>h.shift*h.columns+p.X>>h.shift]
}

// find returns a half-edge of some triangle that contains p, or -1 outside the domain.
func (g *Ground) find(p Point) int32 {
	if !g.Lattice.Holds(p) {
		return -1
	}
	return g.mesh.Locate(p, g.hints.near(p))
}

// vertexAt returns the vertex of h's triangle that is at p, or -1.
func (g *Ground) vertexAt(p Point, h int32) int32 {
	for _, v := range g.Triangles[h/3].V {
		if g.Vertices[v] == p {
			return v
		}
	}
	return -1
}

// facesAt appends a half-edge of each triangle that contains p: one that leaves p where p is a
// vertex, the one that holds p where p is on an edge, the lower first. It appends none outside the
// domain.
func (g *Ground) facesAt(p Point, faces []int32) []int32 {
	t := g.mesh
	h := g.find(p)
	if h < 0 {
		return faces
	}
	if v := g.vertexAt(p, h); v >= 0 {
		for k := range t.Around(v) {
			faces = append(faces, k)
		}
		return faces
	}
	if on := t.EdgeAt(p, h); on >= 0 {
		h = on
		if k := t.Twin[h]; k >= 0 {
			return append(faces, min(h, k), max(h, k))
		}
	}
	return append(faces, h)
}

// someFaces has room for the triangles at most vertices, six on average.
type someFaces [12]int32

// Locate returns a triangle that contains p, edges and vertices included, or -1 if p is outside the
// domain. Of several, free ones come first, then the one with the lowest index.
func (g *Ground) Locate(p Point) int32 {
	var some someFaces
	best := int32(-1)
	for _, h := range g.facesAt(p, some[:0]) {
		if t := h / 3; best < 0 || g.Triangles[t].Free && !g.Triangles[best].Free || g.Triangles[t].Free == g.Triangles[best].Free && t < best {
			best = t
		}
	}
	return best
}

// Free reports whether p is in closed free space: in a free triangle or on the edge of one.
func (g *Ground) Free(p Point) bool { return g.freeTriangle(g.Locate(p)) }

// Place returns the vertex at lattice point p before it was rounded, in the world. Sight is decided
// on the lattice, but a path over many vertices would add up their rounding, so lengths are
// measured between places. Of several vertices that became one it is the least by x, then y; of
// points that are no obstacle's vertex, crossings among them, the lattice point itself. Units: m.
func (g *Ground) Place(p Point) mgl64.Vec2 {
	if i, ok := slices.BinarySearchFunc(g.Vertices, p, Point.Compare); ok {
		return g.places[i]
	}
	return g.Lattice.World(p)
}

// SnapSlack is how many steps along either axis a point that was free before rounding need at most
// be moved to be free after it, beside a straight wall:
//
//	rounding the wall's vertices moves each point of it by at most  1/2
//	snap rounding, into the hot pixels it meets, by at most         1/2
//	rounding the point itself, by at most                           1/2
//	from the wall to a lattice point on its free side, at most      1
//
// (the cell of lattice points around a point of the wall cannot lie behind it whole). These are
// 2.5, so 2 steps between lattice points. One more is left for the inner corners of free ground;
// ground narrower than a step may have no lattice point within reach, or none at all.
const SnapSlack = 3

// Standing returns the lattice point of closed free space that represents a world point in
// questions of sight: the point rounded, or where an obstacle covers that the nearest one within
// SnapSlack, since rounding may have moved a wall over it. It returns false deeper in obstacles and
// outside the domain.
func (g *Ground) Standing(p mgl64.Vec2) (Point, bool) {
	if !g.Lattice.Contains(p) { // false for NaN too
		return Point{}, false
	}
	return g.NearestFree(g.Lattice.Snap(p), SnapSlack)
}

// NearestFree returns the point of closed free space nearest to p, among the lattice points at most
// within steps away along either axis. Ties go to the lower X, then the lower Y. Unless p is free,
// it looks at every one of them: within is meant to be small, like SnapSlack.
func (g *Ground) NearestFree(p Point, within int32) (Point, bool) {
	if g.Free(p) {
		return p, true
	}
	return g.nearestFree(p, within, func(Point) bool { return true })
}

// nearestFree is NearestFree among the points that accept allows.
func (g *Ground) nearestFree(p Point, within int32, accept func(Point) bool) (Point, bool) {
	var best Point
	least := int64(-1)
	for x := max(0, p.X-within); x <= min(g.Lattice.Size.X, p.X+within); x++ {
		for y := max(0, p.Y-within); y <= min(g.Lattice.Size.Y, p.Y+within); y++ {
			q := Point{X: x, Y: y}
			if d := lattice.Distance2(p, q); (least < 0 || d < least) && accept(q) && g.Free(q) {
				best, least = q, d
			}
		}
	}
	return best, least >= 0
}

// Nearest returns a lattice point of closed free space nearest to p, at any distance; false where
// no ground is free.
//
// Free space ends at walls. So it is p itself, or near the foot point of p on a wall: the free
// point nearest to the foot point, or one of the wall's ends where rounding leaves none within
// SnapSlack of it. Nothing free is nearer by more than the diagonal of SnapSlack, except in ground
// narrower than a step. Ties go to the first wall. It looks at every wall.
func (g *Ground) Nearest(p Point) (Point, bool) {
	least := math.Inf(1)
	for _, w := range g.Walls {
		_, d := footPoint(g.Vertices[w.A], g.Vertices[w.B], p)
		least = min(least, d)
	}
	return g.NearestWhere(p, least+2*slackDiagonal, func(Point) bool { return true })
}

// slackDiagonal is how far a point found for a foot point may be from it, in steps: along either
// axis half a step of rounding the foot point, and SnapSlack.
const slackDiagonal = (SnapSlack + 0.5) * math.Sqrt2

// NearestWhere is Nearest among the points that accept allows and no farther than within steps. It
// tries p, the free point nearest to each foot point and the ends of its wall: there may be others
// between.
func (g *Ground) NearestWhere(p Point, within float64, accept func(Point) bool) (Point, bool) {
	if g.Free(p) && accept(p) {
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
		if at, d := footPoint(g.Vertices[w.A], g.Vertices[w.B], p); d <= within {
			feet = append(feet, foot{at, d, w})
		}
	}
	slices.SortStableFunc(feet, func(a, b foot) int { return cmp.Compare(a.distance, b.distance) })
	var best Point
	least := math.Inf(1) // the distance of best
	offer := func(q Point) {
		if d := math.Sqrt(float64(lattice.Distance2(p, q))); d < least && d <= within && accept(q) {
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

// footPoint returns the lattice point nearest to the point of the segment ab that is nearest to p,
// and the distance of that point from p, in steps.
func footPoint(a, b, p Point) (Point, float64) {
	px, py := float64(p.X), float64(p.Y)
	x, y := project(a, b, px, py)
	return rounded(x, y), math.Sqrt(float64((x-px)*(x-px)) + float64((y-py)*(y-py)))
}

// project returns the point of the segment ab, of positive length, nearest to (x, y). Products are
// rounded before they are added, so that every processor computes the same.
func project(a, b Point, x, y float64) (float64, float64) {
	dx, dy := float64(b.X)-float64(a.X), float64(b.Y)-float64(a.Y)
	along := float64((x-float64(a.X))*dx) + float64((y-float64(a.Y))*dy)
	s := min(max(along/(float64(dx*dx)+float64(dy*dy)), 0), 1)
	return float64(a.X) + float64(s*dx), float64(a.Y) + float64(s*dy)
}

// rounded returns the lattice point nearest to (x, y), halves rounded up.
func rounded(x, y float64) Point {
	return Point{X: int32(math.Floor(x + 0.5)), Y: int32(math.Floor(y + 0.5))}
}
