package geom

// InSight reports whether a and b see each other in closed sight: whether some
// free sector at a sees one at b by Sees, which is the definition. A point is in
// sight of itself. Points of covered ground, and those outside the domain, see nothing.
//
// The time grows with the number of triangles between a and b. It is symmetric.
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

// departures returns the free triangles that the ray from a to b begins in when
// it is turned to the left and to the right, by an angle smaller than any that the
// lattice can tell; -1 where there is none.
func (g *Ground) departures(a, b Point) (left, right int32) {
	left, right = -1, -1
	try := func(h int32) {
		if !g.free(h) {
			return
		}
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
				along := dot(from, to, a, b) > 0
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
	t := g.mesh
	h := g.find(a)
	if v := g.vertexAt(a, h); v >= 0 {
		for k := range t.around(v) {
			try(k)
		}
		return left, right
	}
	try(h)
	if on := t.edgeAt(a, h); on >= 0 && t.twin[on] >= 0 {
		try(t.twin[on])
	}
	return left, right
}

// dot returns the scalar product of b - a and d - c, at most 2^41 in a domain.
func dot(a, b, c, d Point) int64 {
	return (int64(b.X)-int64(a.X))*(int64(d.X)-int64(c.X)) + (int64(b.Y)-int64(a.Y))*(int64(d.Y)-int64(c.Y))
}

// reaches walks from triangle t along the ray from a to b, turned to one side,
// and reports whether it comes to b before a wall. Turned to the left, the ray has
// the points of the line from a to b on its right.
//
// The side that it leaves a triangle by has its start right of the ray and its end
// left of it. b is in the triangle that the ray goes through when it does not lie
// strictly beyond that side; the rays that come to b's place at all are then within
// one of its sectors.
func (g *Ground) reaches(t int32, a, b Point, turn Side) bool {
	if t < 0 {
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
