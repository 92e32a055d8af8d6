package geom

import (
	"iter"
	"slices"
)

// constrain makes edges of the arrangement edges of the triangulation, whose
// vertices are the arrangement's, and notes them in edge.
//
// An edge that is not there yet is put in: the triangles it crosses are taken
// out, and the polygons on its two sides triangulated afresh and made Delaunay
// by flips. No other triangle changes (Anglada 1997). Edges do not cross one
// another and no vertex lies on one, so each stays once it is in. They go in in
// random order, a hash of their ends: then an edge mostly crosses little of
// what the ones before have divided, even among many long ones (Shewchuk and
// Brown 2015). What comes of it does not depend on the order: of all
// triangulations that have the edges it is the one whose other edges are all
// Delaunay, ties included.
func (t *triangulation) constrain(a *arrangement) {
	there := t.find(a)
	var missing []int32
	var keys []uint64
	for i := range a.edges {
		if !there[i] {
			missing = append(missing, int32(i))
			keys = append(keys, mix(a.edges[i].from.key()+mix(a.edges[i].to.key()))>>32)
		}
	}
	if len(missing) == 0 {
		return
	}
	var r radix
	r.sort(keys, missing, 32)
	c := newCavity(t, len(t.start))
	for _, i := range missing {
		c.fix(a.edges[i].a, a.edges[i].b, i)
	}
}

// find notes the edges that the triangulation has, and returns which they are.
func (t *triangulation) find(a *arrangement) []bool {
	first := make([]int32, len(a.vertices)+1) // edges by lower end
	for i := range a.edges {
		first[a.edges[i].a+1]++
	}
	for v := range a.vertices {
		first[v+1] += first[v]
	}
	there := make([]bool, len(a.edges))
	for h := range int32(len(t.start)) {
		u, v := t.start[h], t.end(h)
		g := t.twin[h]
		if u > v {
			if g >= 0 {
				continue // its twin is looked up
			}
			u, v = v, u
		}
		low, high := first[u], first[u+1]
		for low < high {
			if m := (low + high) / 2; a.edges[m].b < v {
				low = m + 1
			} else {
				high = m
			}
		}
		if low < first[u+1] && a.edges[low].b == v {
			t.note(h, low)
			there[low] = true
		}
	}
	return there
}

// note makes the edge of h the arrangement's edge of that number, or none if it
// is -1.
func (t *triangulation) note(h, edge int32) {
	t.edge[h] = edge
	if g := t.twin[h]; g >= 0 {
		t.edge[g] = edge
	}
}

// cavity is the room that an edge needs, with scratch memory for it.
type cavity struct {
	*triangulation
	free        []int32 // first half-edges of the triangles taken out
	left, right []rim
	// rim is, by half-edge, 1 more than its place in the outline being closed,
	// or 0.
	rim    []int32
	chain  []link
	locked []bool // by half-edge: on the cavity's outline, not to be flipped
}

// newCavity returns a cavity in t, for up to the given number of half-edges.
func newCavity(t *triangulation, room int) *cavity {
	return &cavity{triangulation: t, locked: make([]bool, room), rim: make([]int32, room)}
}

// rim is an edge of the cavity's outline: where it starts, the half-edge that
// bounded it inside before, its twin outside, the new one inside, and the
// arrangement's edge along it.
type rim struct{ start, old, outside, inside, edge int32 }

// link is an edge of what is left of an outline while it is filled: where it
// starts, and the half-edge outside of it, or its place in the outline if that
// is still to be closed.
type link struct {
	start, outside int32
	rim            *rim
}

// fix makes the arrangement's edge of that number an edge, from u to v.
func (c *cavity) fix(u, v, edge int32) {
	if !c.collect(u, v) {
		c.note(c.between(u, v), edge) // it is one already
		return
	}
	taken := slices.Clone(c.free)
	c.stack = c.stack[:0]
	// Each outline, counter-clockwise, from the end of its base to the start.
	a := c.fill(c.left, u)
	b := c.fill(c.right, v)
	c.link(a, b)
	c.note(a, edge)
	c.lock(a, true)
	c.close(c.left)
	c.close(c.right)
	c.legalise()
	for _, h := range taken {
		for k := range int32(3) {
			c.lock(h+k, false)
		}
	}
}

// collect takes out the triangles that the segment from u to v crosses, if any.
func (c *cavity) collect(u, v int32) bool {
	p, q := c.points[u], c.points[v]
	c.free, c.left, c.right = c.free[:0], c.left[:0], c.right[:0]
	take := func(h int32) { c.free = append(c.free, h-h%3) }
	edge := func(h int32) rim { return rim{c.start[h], h, c.twin[h], -1, c.edge[h]} }
	h := c.towards(u, v)
	if h < 0 {
		return false
	}
	take(h)
	c.left = append(c.left, edge(next(h)))
	c.right = append(c.right, edge(prev(h)))
	for {
		if c.edge[h] >= 0 {
			panic("geom: two edges cross; the arrangement is broken")
		}
		h = c.twin[h] // crossed, from left to right
		take(h)
		apex := c.start[prev(h)]
		side := Collinear
		if apex != v {
			side = Orient(p, q, c.points[apex])
		}
		if side != Right {
			c.left = append(c.left, edge(prev(h)))
		}
		if side != Left {
			c.right = append(c.right, edge(next(h)))
		}
		switch side {
		case Collinear:
			// The left side was collected backwards.
			for i, j := 0, len(c.left)-1; i < j; i, j = i+1, j-1 {
				c.left[i], c.left[j] = c.left[j], c.left[i]
			}
			return true
		case Left:
			h = next(h)
		case Right:
			h = prev(h)
		}
	}
}

// towards returns the half-edge across from u through which the segment from u
// to v leaves the triangle at u, or -1 if it is an edge already.
func (t *triangulation) towards(u, v int32) int32 {
	p, q := t.points[u], t.points[v]
	for h := range t.around(u) {
		x, y := t.end(h), t.start[prev(h)]
		if x == v || y == v {
			return -1
		}
		if Orient(p, t.points[x], q) == Left && Orient(p, t.points[y], q) == Right {
			return next(h)
		}
	}
	panic("geom: a vertex lies on an edge; the arrangement is broken")
}

// between returns a half-edge between the neighbours u and v, whichever way.
func (t *triangulation) between(u, v int32) int32 {
	for h := range t.around(u) {
		if t.end(h) == v {
			return h
		}
		if k := prev(h); t.start[k] == v {
			return k
		}
	}
	panic("geom: no edge between neighbours; the triangulation is broken")
}

// around goes through the half-edges that leave v, each in a triangle of its
// own.
func (t *triangulation) around(v int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		first := t.out[v]
		h := first
		for h >= 0 && yield(h) {
			if h = t.turn(h); h == first {
				return
			}
		}
		if h >= 0 {
			return // enough
		}
		for h = t.turnBack(first); h >= 0 && yield(h); {
			h = t.turnBack(h)
		}
	}
}

// turn returns the next half-edge that leaves h's vertex, counter-clockwise, or
// -1 if the border comes first.
func (t *triangulation) turn(h int32) int32 { return t.twin[prev(h)] }

// turnBack is turn, clockwise.
func (t *triangulation) turnBack(h int32) int32 {
	if g := t.twin[h]; g >= 0 {
		return next(g)
	}
	return -1
}

// fill triangulates the polygon with the given outline and a base from the
// vertex to, where the outline ends, back to where it starts. It returns the
// half-edge along the base.
//
// As long as the outline turns left somewhere, the triangle there may be cut
// off. No other vertex lies in it: each vertex of the outline was the end of a
// crossed edge, these come in the outline's order and do not cross, and one
// from a vertex inside the triangle would have to cross the base between those
// of the triangle's ends. And as long as something is left, the vertex farthest
// from the base turns left. So one pass with a stack does it.
func (c *cavity) fill(outline []rim, to int32) int32 {
	chain := c.chain[:0]
	for i := range outline {
		chain = append(chain, link{start: outline[i].start, rim: &outline[i]})
		end := to
		if i+1 < len(outline) {
			end = outline[i+1].start
		}
		for n := len(chain); n > 1; n-- {
			e, f := chain[n-2], chain[n-1]
			if Orient(c.points[e.start], c.points[f.start], c.points[end]) != Left {
				break
			}
			h := c.free[len(c.free)-1]
			c.free = c.free[:len(c.free)-1]
			c.start[h], c.start[h+1], c.start[h+2] = e.start, f.start, end
			c.edge[h], c.edge[h+1], c.edge[h+2] = -1, -1, -1
			c.out[e.start], c.out[f.start], c.out[end] = h, h+1, h+2
			c.join(h, e)
			c.join(h+1, f)
			chain = append(chain[:n-2], link{start: e.start, outside: h + 2})
		}
	}
	c.chain = chain
	return chain[0].outside
}

// join makes h the inside of e.
func (c *cavity) join(h int32, e link) {
	if e.rim != nil {
		e.rim.inside = h
		return
	}
	c.link(h, e.outside)
	c.stack = append(c.stack, h)
}

// close links the outline to what is around it. Where both triangles of an edge
// were taken out but not the edge, it is twice in the outline.
func (c *cavity) close(outline []rim) {
	for i := range outline {
		c.rim[outline[i].old] = int32(i) + 1
	}
	for _, e := range outline {
		if e.outside >= 0 && c.rim[e.outside] > 0 {
			e.outside = outline[c.rim[e.outside]-1].inside
		}
		c.link(e.inside, e.outside)
		c.edge[e.inside] = e.edge
		c.lock(e.inside, true)
	}
	for _, e := range outline {
		c.rim[e.old] = 0
	}
}

// lock sets whether the edge of h may not be flipped.
func (c *cavity) lock(h int32, locked bool) {
	c.locked[h] = locked
	if g := c.twin[h]; g >= 0 {
		c.locked[g] = locked
	}
}

// legalise flips edges, but those that stay and the locked ones, until all are
// Delaunay.
func (c *cavity) legalise() {
	for len(c.stack) > 0 {
		h := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		if c.twin[h] < 0 || c.edge[h] >= 0 || c.locked[h] || !c.illegal(h) {
			continue
		}
		q, r := prev(h), prev(c.twin[h])
		g := c.flip(h)
		// h and g are now the edges that r and q were.
		c.locked[h], c.locked[g] = c.locked[r], c.locked[q]
		c.locked[q], c.locked[r] = false, false
		c.stack = append(c.stack, h, g, next(h), next(g))
	}
}
