package geom

import "math/bits"

// hints is a grid over the domain with a vertex near each cell to start
// walking from.
type hints struct {
	shift   int
	columns int32
	vertex  []int32
}

// setHints fills a grid of about one cell a vertex.
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

// Locate returns a triangle that contains p, edges and vertices included, or -1
// if p is outside the domain. Of several, free ones come first, then the one
// with the lowest index.
func (g *Ground) Locate(p Point) int32 {
	h := g.freeSide(p)
	if h < 0 {
		return -1
	}
	return h / 3
}

// Free reports whether p is in closed free space: in a free triangle or on the
// edge of one.
func (g *Ground) Free(p Point) bool { return g.free(g.freeSide(p)) }

// freeSide is Locate for half-edges.
func (g *Ground) freeSide(p Point) int32 {
	t := g.mesh
	h := g.find(p)
	if h < 0 {
		return -1
	}
	best := h
	try := func(k int32) {
		if k >= 0 && (g.free(k) && !g.free(best) || g.free(k) == g.free(best) && k/3 < best/3) {
			best = k
		}
	}
	if v := g.vertexAt(p, h); v >= 0 {
		for k := range t.around(v) {
			try(k)
		}
	} else if on := t.edgeAt(p, h); on >= 0 {
		try(t.twin[on])
	}
	return best
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

// find returns a half-edge of some triangle that contains p, or -1 outside the
// domain.
func (g *Ground) find(p Point) int32 {
	if !g.Lattice.Holds(p) {
		return -1
	}
	return g.mesh.locate(p, g.hints.near(p))
}

// near returns a vertex near p.
func (h *hints) near(p Point) int32 {
	return h.vertex[p.Y>>h.shift*h.columns+p.X>>h.shift]
}

// locate returns a half-edge of some triangle that contains p, which is in the
// domain. It walks along the straight line from vertex v: with edges that stay,
// just going through any edge that has p behind it could go round in circles.
func (t *triangulation) locate(p Point, v int32) int32 {
	for { // each turn starts from a vertex nearer to p
		h, inside := t.depart(v, p)
		if inside {
			return h
		}
		from := t.points[v]
		for {
			// The line goes on through h, which has p strictly on its other side.
			// One end of h may be on the line: that counts as passing left of it.
			h = t.twin[h]
			n, q := next(h), prev(h)
			apex := t.points[t.start[q]]
			first, second := Orient(t.points[t.start[n]], apex, p), Orient(apex, t.points[t.start[h]], p)
			if first != Right && second != Right {
				return h
			}
			side := Orient(from, p, apex)
			if side == Collinear {
				v = t.start[q]
				break
			}
			if side == Left {
				h = n
			} else {
				h = q
			}
		}
	}
}

// depart looks from v towards p: it returns a half-edge of a triangle at v that
// contains p and true, or the half-edge through which the line leaves the
// triangle at v and false.
func (t *triangulation) depart(v int32, p Point) (int32, bool) {
	from := t.points[v]
	for h := range t.around(v) {
		x, y := t.points[t.end(h)], t.points[t.start[prev(h)]]
		if from != p && (Orient(from, x, p) == Right || Orient(from, y, p) == Left) {
			continue
		}
		return next(h), Orient(x, y, p) != Right
	}
	panic("geom: no triangle towards a point of the domain; the triangulation is broken")
}

// SnapSlack is how many steps along either axis a point that was free before
// rounding need at most be moved to be free after it, beside a straight wall:
//
//	rounding the wall's vertices moves each point of it by at most  1/2
//	snap rounding, into the hot pixels it meets, by at most         1/2
//	rounding the point itself, by at most                           1/2
//	from the wall to a lattice point on its free side, at most      1
//
// (the cell of lattice points around a point of the wall cannot lie behind it
// whole). These are 2.5, so 2 steps between lattice points. One more is left
// for the inner corners of free ground; ground narrower than a step may have
// no lattice point within reach, or none at all.
const SnapSlack = 3

// NearestFree returns the point of closed free space nearest to p, among the
// lattice points at most within steps away along either axis. Ties go to the
// lower X, then the lower Y. It looks at every one of them: within is meant to
// be small, like SnapSlack.
func (g *Ground) NearestFree(p Point, within int32) (Point, bool) {
	var best Point
	least := int64(-1)
	for x := max(0, p.X-within); x <= min(g.Lattice.Size.X, p.X+within); x++ {
		for y := max(0, p.Y-within); y <= min(g.Lattice.Size.Y, p.Y+within); y++ {
			q := Point{x, y}
			if d := distance2(p, q); (least < 0 || d < least) && g.Free(q) {
				best, least = q, d
			}
		}
	}
	return best, least >= 0
}
