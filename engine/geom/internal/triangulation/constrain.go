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
	var missing []int32
	var keys []uint64
	for i, e := range edges {
		if h := t.between(e.A, e.B); h >= 0 {
			t.mark(h, int32(i))
		} else {
			missing = append(missing, int32(i))
			keys = append(keys, mix(e.From.Key()+mix(e.To.Key()))>>32)
		}
	}
	var r lattice.Radix
	r.Sort(keys, missing, 32)
	m := Editor{Mesh: t}
	for _, i := range missing {
		m.fix(edges[i].A, edges[i].B, i)
	}
}

// side is a side of a polygon that triangles were taken out of: where it starts, the half-edges
// inside and outside, and the arrangement's edge along it. Where both triangles of an edge were
// taken out and the edge stays, the polygon has it twice, and outside is -2 less the other's index.
type side struct {
	vertex, inside, outside, edge int32
	next, prev                    int32
}

// fix makes the arrangement's edge of that number an edge, from u to v.
func (m *Editor) fix(u, v, edge int32) {
	h := m.between(u, v)
	if h < 0 {
		m.collect(u, v)
		// Each vertex of a polygon between u and v was the end of a crossed edge. These come in the
		// polygon's order and do not cross: so where the polygon turns left no other vertex is in
		// the triangle, since an edge from there would have to cross the base between those of
		// the triangle's ends. And the vertex farthest from the base turns left.
		ear := func(_, b, _ int32) bool { return b != u && b != v }
		m.enclose(m.left)
		m.enclose(m.right)
		m.left = append(m.left, side{vertex: u, outside: -1, edge: -1})
		m.right = append(m.right, side{vertex: v, outside: -1, edge: -1})
		h = m.fill(m.left, ear)
		m.link(h, m.fill(m.right, ear))
	}
	m.mark(h, edge)
	m.legalize(false)
}

// collect takes out the triangles that the segment from u to v crosses, one at least. What is left
// of the segment then is a polygon from v to u, and what is right of it one from u to v.
func (m *Editor) collect(u, v int32) {
	p, q := m.Points[u], m.Points[v]
	m.taken, m.left, m.right = m.taken[:0], m.left[:0], m.right[:0]
	take := func(h int32) { m.taken = append(m.taken, h-h%3) }
	of := func(h int32) side { return side{vertex: m.Start[h], inside: h, edge: m.Edge[h]} }
	h, _ := m.depart(u, q)
	take(h)
	m.left = append(m.left, of(next(h)))
	m.right = append(m.right, of(Prev(h)))
	for {
		if m.Edge[h] >= 0 {
			panic("geom: two edges cross; the arrangement is broken")
		}
		h = m.Twin[h] // crossed, from left to right
		take(h)
		apex := m.Start[Prev(h)]
		where := lattice.Collinear
		if apex != v {
			where = lattice.Orient(p, q, m.Points[apex])
		}
		if where != lattice.Right {
			m.left = append(m.left, of(Prev(h)))
		}
		if where != lattice.Left {
			m.right = append(m.right, of(next(h)))
		}
		switch where {
		case lattice.Collinear:
			slices.Reverse(m.left) // it was collected backwards
			return
		case lattice.Left:
			h = next(h)
		case lattice.Right:
			h = Prev(h)
		}
	}
}

// between returns a half-edge between u and v, in either direction, or -1 if they are no neighbors.
func (t *Mesh) between(u, v int32) int32 {
	for h := range t.Around(u) {
		if t.End(h) == v {
			return h
		}
		if k := Prev(h); t.Start[k] == v {
			return k
		}
	}
	return -1
}

// enclose finds what is outside of a polygon, before triangles taken out are used again.
func (m *Editor) enclose(sides []side) {
	for i := range sides {
		s := &sides[i]
		g := m.Twin[s.inside]
		if s.outside = g; g >= 0 && m.Twin[g] < -1 { // the other side along this edge
			k := -2 - m.Twin[g]
			s.outside, sides[k].outside = -2-k, -2-int32(i)
		}
		m.Twin[s.inside] = -2 - int32(i)
	}
}

// fill triangulates a polygon, counter-clockwise, with triangles that were taken out, and pushes
// their edges to be checked. It returns the half-edge along the last side. An ear is cut off where
// the polygon turns left from a over b to c, if the given function agrees. There is always one.
func (m *Editor) fill(sides []side, ear func(a, b, c int32) bool) int32 {
	n := int32(len(sides))
	for i := range n {
		sides[i].next, sides[i].prev = (i+1)%n, (i+n-1)%n
	}
	y := int32(0)
	for ; n > 3; n-- {
		for {
			b := &sides[y]
			u, v, w := sides[b.prev].vertex, b.vertex, sides[b.next].vertex
			if lattice.Orient(m.Points[u], m.Points[v], m.Points[w]) == lattice.Left && ear(u, v, w) {
				break
			}
			y = b.next
		}
		b := &sides[y]
		a := &sides[b.prev]
		h := m.reuse(a.vertex, b.vertex, sides[b.next].vertex)
		m.join(h, sides, a)
		m.join(h+1, sides, b)
		a.outside, a.edge, a.next = h+2, -1, b.next
		sides[b.next].prev, y = b.prev, b.prev
	}
	a, b, c := &sides[y], &sides[sides[y].next], &sides[sides[y].prev]
	h := m.reuse(a.vertex, b.vertex, c.vertex)
	m.join(h, sides, a)
	m.join(h+1, sides, b)
	m.join(h+2, sides, c)
	return sides[len(sides)-1].inside
}

// reuse makes the triangle a, b, c of one that was taken out and returns its first half-edge.
func (m *Editor) reuse(a, b, c int32) int32 {
	h := m.taken[len(m.taken)-1]
	m.taken = m.taken[:len(m.taken)-1]
	for k, v := range [3]int32{a, b, c} {
		i := h + int32(k)
		m.Start[i], m.Edge[i], m.Out[v] = v, -1, i
	}
	m.stack = append(m.stack, h, h+1, h+2)
	return h
}

// join makes h the inside of s.
func (m *Editor) join(h int32, sides []side, s *side) {
	s.inside, m.Edge[h] = h, s.edge
	if s.outside < -1 {
		sides[-2-s.outside].outside = h
		s.outside = -1
	}
	m.link(h, s.outside)
}
