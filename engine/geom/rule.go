package geom

// The rule of sight.
//
// Whether a generator at the lattice point g, with its free sector, sees the
// lattice point p is decided by orientation signs alone, in Go and on the GPU
// alike (shaders/include holds the same rule), so that both agree on every point.
//
// Rays that touch vertices make the trouble: one that touches an obstacle on its
// left and one on its right may slip through where the two meet. So the ray from
// g to p is thought turned about g, by an angle smaller than any that the lattice
// can tell, to one side: the left for generators that shade a map (Lit). The
// turned ray passes no vertex. It never leaks; what it loses is only rays that
// graze a corner on the side it is turned to, and behind that corner the points
// have the same distance over the corner, which is a generator itself.
//
// Closed sight, for queries and agents (LitClosed, Sees), takes the ray turned
// either way: a ray may graze corners on one side, and not on both.

// blocks reports whether the wall ab hides p from g, the ray from g to p being
// turned to the given side.
//
// Seen from g the wall covers the directions from its right end to its left end.
// A ray turned left sweeps the direction of the right end and not that of the
// left one; turned right, the other way round. A point on the line of the wall
// is not beyond it. A wall on a line with g has no width and hides nothing; the
// walls that end in g are such, and it is the sector that stops rays there.
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

// admits reports whether the sector holds the ray from s.At to p, p another
// point, when that is turned to the given side. Turned left, a ray along the
// border From is inside and one along To outside; turned right, the other way
// round.
func (s Sector) admits(p Point, turn Side) bool {
	from, to := Orient(s.At, s.From, p), Orient(s.At, s.To, p)
	// Strictly between the borders, or strictly outside, is clear.
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
		return sameWay(s.At, p, s.From) == (turn == Left)
	}
	// Reflex: what is not in the convex sector from To to From.
	if turn == Left {
		return !(to != Right && from == Right)
	}
	return !(to == Left && from != Left)
}

// sameWay reports whether b lies in the direction of a from at, the three being
// collinear.
func sameWay(at, a, b Point) bool {
	return (a.X > at.X) == (b.X > at.X) && (a.X < at.X) == (b.X < at.X) &&
		(a.Y > at.Y) == (b.Y > at.Y) && (a.Y < at.Y) == (b.Y < at.Y)
}

// onRun reports whether p lies on the closed segment from at to end.
func onRun(at, end, p Point) bool {
	return Orient(at, end, p) == Collinear &&
		min(at.X, end.X) <= p.X && p.X <= max(at.X, end.X) &&
		min(at.Y, end.Y) <= p.Y && p.Y <= max(at.Y, end.Y)
}

// clear reports whether the ray from a.At to p, another point, turned to the
// given side, starts within a and meets no wall before p.
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

// Lit reports whether p is lit from the generator a: the rule of sight, for rays
// turned to the left, over all walls. It is the definition that faster forms are
// held against: one orientation test or more for each wall.
//
// a.At itself is lit, and so are the points of the run of walls from there to
// a.To: a ray along it is turned out of the sector, but one can walk along the
// wall. What the ray would meet behind that wall does not matter to them.
//
// A point strictly inside an obstacle is never lit, nor is anything beyond a
// place where obstacles touch.
func (g *Ground) Lit(a Sector, p Point) bool {
	return p == a.At || onRun(a.At, a.To, p) || g.clear(a, p, Left)
}

// LitClosed reports whether p is lit from a by the rule of sight for rays turned
// to the left, or by that for rays turned to the right, its mirror image. (The
// points of the runs of walls beside the sector need no mention here: a ray along
// either of them is clear when turned into the sector.)
func (g *Ground) LitClosed(a Sector, p Point) bool {
	return p == a.At || g.clear(a, p, Left) || g.clear(a, p, Right)
}

// Sees reports whether the sectors a and b see each other in closed sight, over
// all walls: b.At is lit from a by rays that arrive within b. Where several
// sectors share a vertex, only the one on the near side is seen. It is symmetric.
func (g *Ground) Sees(a, b Sector) bool {
	if a.At == b.At {
		return a == b
	}
	for _, turn := range [...]Side{Left, Right} {
		// A ray turned left about a.At arrives left of the line, which is to the
		// right of the way back.
		if b.admits(a.At, -turn) && g.clear(a, b.At, turn) {
			return true
		}
	}
	return false
}
