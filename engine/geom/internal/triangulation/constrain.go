package triangulation

import (
	"slices"

	"github.com/wayfront/wayfront/engine/geom/internal/arrangement"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// constrain makes edges of the arrangement edges of the triangulation, whose vertices are the
// arrangement's, and marks them.
//
// An edge that is missing is put in: the triangles that it crosses are taken out, and the polygons
// on its two sides triangulated afresh and made Delaunay by flips. No other triangle changes (M. V.
// Anglada, An improved incremental algorithm for constructing restricted Delaunay triangulations,
// 1997). Edges do not cross one another and no vertex lies on one, so each stays. They go in in
// random order, a hash of their ends: then an edge mostly crosses little of what the ones before
// have divided, even among many long ones (J. R. Shewchuk and B. C. Brown, Fast segment insertion
// and incremental construction of constrained Delaunay triangulations, 2015).
func (t *Mesh) constrain(edges []arrangement.Edge) {
	found := t.markFound(edges)
	var missing []int32
	var keys []uint64
	for i := range edges {
		if !found[i] {
			missing = append(missing, int32(i))
			keys = append(keys, mix(edges[i].From.Key()+mix(edges[i].To.Key()))>>32)
		}
	}
	if len(missing) == 0 {
		return
	}
	var r lattice.Radix
	r.Sort(keys, missing, 32)
	c := Editor{Mesh: t}
	c.reserve(len(t.Start))
	for _, i := range missing {
		c.fix(edges[i].A, edges[i].B, i)
	}
}

// markFound marks the edges that the triangulation has, and returns which they are.
func (t *Mesh) markFound(edges []arrangement.Edge) []bool {
	first := make([]int32, len(t.Points)+1) // edges by lower end
	for i := range edges {
		first[edges[i].A+1]++
	}
	for v := range t.Points {
		first[v+1] += first[v]
	}
	found := make([]bool, len(edges))
	for h, u := range t.Start {
		v, g := t.End(int32(h)), t.Twin[h]
		if u > v {
			if g >= 0 {
				continue // its twin is looked up
			}
			u, v = v, u
		}
		low, high := first[u], first[u+1]
		for low < high {
			if m := (low + high) / 2; edges[m].B < v {
				low = m + 1
			} else {
				high = m
			}
		}
		if low < first[u+1] && edges[low].B == v {
			t.mark(int32(h), low)
			found[low] = true
		}
	}
	return found
}

// outlineEdge is an edge of the outline of a cavity: where it starts, the half-edge that bounded it
// inside before, its twin outside, the new one inside, and the arrangement's edge along it.
type outlineEdge struct{ start, old, outside, inside, edge int32 }

// link is an edge of what is left of an outline while it is filled: where it starts, and the
// half-edge outside of it, or its place in the outline if that is still to be closed.
type link struct {
	start, outside int32
	outline        *outlineEdge
}

// fix makes the arrangement's edge of that number an edge, from u to v.
func (c *Editor) fix(u, v, edge int32) {
	if !c.collect(u, v) {
		c.mark(c.between(u, v), edge) // it is one already
		return
	}
	taken := slices.Clone(c.free)
	c.stack = c.stack[:0]
	// Each outline, counter-clockwise, from the end of its base to the start.
	a := c.fill(c.left, u)
	b := c.fill(c.right, v)
	c.link(a, b)
	c.mark(a, edge)
	c.lock(a, true)
	c.close(c.left)
	c.close(c.right)
	c.legalize()
	for _, h := range taken {
		for k := range int32(3) {
			c.lock(h+k, false)
		}
	}
}

// collect takes out the triangles that the segment from u to v crosses. It returns false if there
// are none.
func (c *Editor) collect(u, v int32) bool {
	p, q := c.Points[u], c.Points[v]
	c.free, c.left, c.right = c.free[:0], c.left[:0], c.right[:0]
	take := func(h int32) { c.free = append(c.free, h-h%3) }
	edge := func(h int32) outlineEdge { return outlineEdge{c.Start[h], h, c.Twin[h], -1, c.Edge[h]} }
	h := c.towards(u, v)
	if h < 0 {
		return false
	}
	take(h)
	c.left = append(c.left, edge(next(h)))
	c.right = append(c.right, edge(Prev(h)))
	for {
		if c.Edge[h] >= 0 {
			panic("geom: two edges cross; the arrangement is broken")
		}
		h = c.Twin[h] // crossed, from left to right
		take(h)
		apex := c.Start[Prev(h)]
		side := lattice.Collinear
		if apex != v {
			side = lattice.Orient(p, q, c.Points[apex])
		}
		if side != lattice.Right {
			c.left = append(c.left, edge(Prev(h)))
		}
		if side != lattice.Left {
			c.right = append(c.right, edge(next(h)))
		}
		switch side {
		case lattice.Collinear:
			slices.Reverse(c.left) // it was collected backwards
			return true
		case lattice.Left:
			h = next(h)
		case lattice.Right:
			h = Prev(h)
		}
	}
}

// towards returns the half-edge across from u through which the segment from u to v leaves the
// triangle at u, or -1 if the segment is an edge.
func (t *Mesh) towards(u, v int32) int32 {
	p, q := t.Points[u], t.Points[v]
	for h := range t.Around(u) {
		x, y := t.End(h), t.Start[Prev(h)]
		if x == v || y == v {
			return -1
		}
		if lattice.Orient(p, t.Points[x], q) == lattice.Left && lattice.Orient(p, t.Points[y], q) == lattice.Right {
			return next(h)
		}
	}
	panic("geom: a vertex lies on an edge; the arrangement is broken")
}

// between returns a half-edge between the neighbors u and v, in either direction.
func (t *Mesh) between(u, v int32) int32 {
	for h := range t.Around(u) {
		if t.End(h) == v {
			return h
		}
		if k := Prev(h); t.Start[k] == v {
			return k
		}
	}
	panic("geom: no edge between neighbors; the triangulation is broken")
}

// fill triangulates the polygon with the given outline and a base from the vertex to, where the
// outline ends, back to where it starts. It returns the half-edge along the base.
//
// Where the outline turns left, the triangle there may be cut off. No other vertex lies in it: each
// vertex of the outline was the end of a crossed edge, these come in the outline's order and do not
// cross, and one from a vertex inside the triangle would have to cross the base between those of
// the triangle's ends. And as long as something is left, the vertex farthest from the base turns
// left. So one pass with a stack suffices.
func (c *Editor) fill(outline []outlineEdge, to int32) int32 {
	chain := c.chain[:0]
	for i := range outline {
		chain = append(chain, link{start: outline[i].start, outline: &outline[i]})
		end := to
		if i+1 < len(outline) {
			end = outline[i+1].start
		}
		for n := len(chain); n > 1; n-- {
			e, f := chain[n-2], chain[n-1]
			if lattice.Orient(c.Points[e.start], c.Points[f.start], c.Points[end]) != lattice.Left {
				break
			}
			h := c.reuse(&c.free, e.start, f.start, end)
			c.join(h, e)
			c.join(h+1, f)
			chain = append(chain[:n-2], link{start: e.start, outside: h + 2})
		}
	}
	c.chain = chain
	return chain[0].outside
}

// reuse makes the triangle a, b, c of one that was taken out, without neighbors and edges, and
// returns its first half-edge.
func (t *Mesh) reuse(taken *[]int32, a, b, c int32) int32 {
	h := (*taken)[len(*taken)-1]
	*taken = (*taken)[:len(*taken)-1]
	t.Start[h], t.Start[h+1], t.Start[h+2] = a, b, c
	t.Edge[h], t.Edge[h+1], t.Edge[h+2] = -1, -1, -1
	t.Out[a], t.Out[b], t.Out[c] = h, h+1, h+2
	return h
}

// join makes h the inside of e.
func (c *Editor) join(h int32, e link) {
	if e.outline != nil {
		e.outline.inside = h
		return
	}
	c.link(h, e.outside)
	c.stack = append(c.stack, h)
}

// close links the outline to the triangles around it. Where both triangles of an edge were taken
// out but not the edge, the outline has it twice.
func (c *Editor) close(outline []outlineEdge) {
	for i := range outline {
		c.places[outline[i].old] = int32(i) + 1
	}
	for _, e := range outline {
		if e.outside >= 0 && c.places[e.outside] > 0 {
			e.outside = outline[c.places[e.outside]-1].inside
		}
		c.link(e.inside, e.outside)
		c.Edge[e.inside] = e.edge
		c.lock(e.inside, true)
	}
	for _, e := range outline {
		c.places[e.old] = 0
	}
}

// lock sets whether the edge of h may not be flipped.
func (c *Editor) lock(h int32, locked bool) {
	c.locked[h] = locked
	if g := c.Twin[h]; g >= 0 {
		c.locked[g] = locked
	}
}

// legalize flips the pushed edges, but those that stay and the locked ones, until all are Delaunay.
func (c *Editor) legalize() {
	for len(c.stack) > 0 {
		h := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		if c.Twin[h] < 0 || c.Edge[h] >= 0 || c.locked[h] || !c.illegal(h) {
			continue
		}
		q, r := Prev(h), Prev(c.Twin[h])
		g := c.flip(h)
		// h and g are now the edges that r and q were.
		c.locked[h], c.locked[g] = c.locked[r], c.locked[q]
		c.locked[q], c.locked[r] = false, false
		c.stack = append(c.stack, h, g, next(h), next(g))
	}
}
