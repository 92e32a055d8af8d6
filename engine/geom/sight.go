package geom

import "github.com/wayfront/wayfront/engine/geom/internal/lattice"

// The rule of sight.
//
// Whether a generator at the lattice point g, with its free sector, sees the lattice point p is
// decided by orientation signs alone, in Go and on the GPU alike (shaders/include has the same
// rule), so that both agree on every point.
//
// Rays that touch vertices are ambiguous: one that touches an obstacle on its left and one on its
// right may slip through where the two meet. So the ray from g to p is turned about g, by an angle
// smaller than any on the lattice (a symbolic perturbation), to one side: to the left for
// generators that shade a map. The turned ray passes no vertex. It never leaks; it loses only rays
// that graze a corner on the side it is turned to, and behind that corner the points have the same
// distance over the corner, which is a generator itself.
//
// Closed sight, for queries and agents (LitClosed, Sees), takes the ray turned either way: a ray
// may graze corners on one side, and not on both.

// blocks reports whether the wall ab hides p from g, the ray from g to p being turned to the given
// side.
//
// Seen from g the wall covers the directions from its right end to its left end. A ray turned left
// covers the direction of the right end and not that of the left one; turned right, the other way
// round. A point on the line of the wall is not beyond it. A wall on a line with g has no width and
// hides nothing; for walls that end in g, the sector stops rays.
func blocks(g, a, b, p Point, turn Side) bool {
	switch Orient(g, a, b) {
	case Collinear:
		return false
	case Right:
		a, b = b, a
	}
	// Now a is the right end and b the left end.
	fromA, fromB := Orient(g, a, p), Orient(g, b, p)
	if turn == Left {
		return fromA != Right && fromB == Right && Orient(a, b, p) == Right
	}
	return fromA == Left && fromB != Left && Orient(a, b, p) == Right
}

// admits reports whether the sector holds the ray from s.At to p, another point, turned to the
// given side. Turned left, a ray along the border From is inside and one along To outside; turned
// right, the other way round.
func (s Sector) admits(p Point, turn Side) bool {
	from, to := Orient(s.At, s.From, p), Orient(s.At, s.To, p)
	switch s.Kind {
	case SectorAll:
		return true
	case SectorConvex:
		if turn == Left {
			return from != Right && to == Right
		}
		return from == Left && to != Left
	case SectorStraight:
		if from != Collinear {
			return from == Left
		}
		return (lattice.Dot(s.At, p, s.At, s.From) > 0) == (turn == Left)
	}
	// Reflex: what is not in the convex sector from To to From.
	if turn == Left {
		return !(to != Right && from == Right)
	}
	return !(to == Left && from != Left)
}

// clear reports whether the ray from a.At to p, another point, turned to the given side, starts
// within a and meets no wall before p.
func (g *Ground) clear(a Sector, p Point, turn Side) bool {
	if !a.admits(p, turn) {
		return false
	}
	for _, w := range g.Walls {
		if blocks(a.At, g.Vertices[w.A], g.Vertices[w.B], p, turn) {
			return false
		}
	}
	return true
}

// LitClosed reports whether p is lit from a by the rule of sight for rays turned to the left or to
// the right. It is the definition that faster forms are tested against: one orientation test or
// more for each wall. A point strictly inside an obstacle is never lit, nor is anything beyond a
// place where obstacles touch.
func (g *Ground) LitClosed(a Sector, p Point) bool {
	return p == a.At || g.clear(a, p, Left) || g.clear(a, p, Right)
}

// Sees reports whether the sectors a and b see each other in closed sight, over all walls: b.At is
// lit from a by rays that arrive within b. Where several sectors share a vertex, only the one on
// the near side is seen. It is symmetric.
func (g *Ground) Sees(a, b Sector) bool {
	if a.At == b.At {
		return a == b
	}
	for _, turn := range [...]Side{Left, Right} {
		// A ray turned left about a.At arrives left of the line, which is to the right of the way
		// back.
		if b.admits(a.At, -turn) && g.clear(a, b.At, turn) {
			return true
		}
	}
	return false
}

// SectorsTowards returns the free sectors at a point that hold the ray to another, turned to one
// side or the other.
func (g *Ground) SectorsTowards(at, to Point) []Sector {
	var all []Sector
	for _, s := range g.Sectors(at) {
		if s.admits(to, Left) || s.admits(to, Right) {
			all = append(all, s)
		}
	}
	return all
}

// InSight reports whether a and b see each other in closed sight: whether some free sector at a
// sees one at b by Sees, which is the definition. A free point is in sight of itself. Points of
// covered ground, and those outside the domain, see nothing. It is symmetric. The time grows with
// the number of triangles between a and b.
func (g *Ground) InSight(a, b Point) bool {
	if !g.Lattice.Holds(a) || !g.Lattice.Holds(b) {
		return false
	}
	if a == b {
		return g.Free(a)
	}
	left, right := g.departures(a, b)
	return g.reaches(left, a, b, Left) || g.reaches(right, a, b, Right)
}

// departures returns the triangles that the ray from a to b begins in when it is turned to the left
// and to the right; -1 outside the domain. They differ where the ray goes along an edge.
func (g *Ground) departures(a, b Point) (left, right int32) {
	left, right = -1, -1
	var some someFaces
	for _, h := range g.facesAt(a, some[:0]) {
		intoLeft, intoRight := true, true
		v := g.vertices(h / 3)
		for i, from := range v {
			to := v[(i+1)%3]
			if Orient(from, to, a) != Collinear {
				continue
			}
			// a is on this side: the ray has to leave it inwards.
			switch Orient(from, to, b) {
			case Right:
				intoLeft, intoRight = false, false
			case Collinear: // along the side, and off it to one side only
				along := lattice.Dot(from, to, a, b) > 0
				intoLeft, intoRight = intoLeft && along, intoRight && !along
			}
		}
		if intoLeft {
			left = h / 3
		}
		if intoRight {
			right = h / 3
		}
	}
	return left, right
}

// reaches walks from triangle t along the ray from a to b, turned to one side, and reports whether
// it comes to b before a wall. Turned to the left, the ray has the points of the line from a to b
// on its right.
//
// The edge that it leaves a triangle by has its start right of the ray and its end left of it. b is
// in the triangle that the ray goes through unless it lies strictly beyond that edge; the rays that
// come to b at all are then within one of its sectors.
func (g *Ground) reaches(t int32, a, b Point, turn Side) bool {
	if !g.freeTriangle(t) {
		return false
	}
	onLeft := func(v int32) bool {
		s := Orient(a, b, g.Vertices[v])
		return s == Left || s == Collinear && turn == Right
	}
	v := &g.Triangles[t].V
	out := int32(0)
	for onLeft(v[out]) || !onLeft(v[(out+1)%3]) {
		out++
	}
	for {
		v = &g.Triangles[t].V
		if Orient(g.Vertices[v[out]], g.Vertices[v[(out+1)%3]], b) != Right {
			return true
		}
		n, in := g.Across(t, out)
		if n < 0 {
			return false
		}
		apex := (in + 2) % 3
		t, out = n, apex // from the apex back to the start of `in`, which is on the left
		if onLeft(g.Triangles[n].V[apex]) {
			out = (in + 1) % 3
		}
	}
}
