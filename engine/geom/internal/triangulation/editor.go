package triangulation

import (
	"slices"

	"github.com/wayfront/wayfront/engine/geom/internal/arrangement"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// Editor changes a triangulation where its arrangement changes. Update returns what New makes of
// the arrangement; Editor keeps its working memory between calls.
type Editor struct {
	*Mesh               // being changed
	free        []int32 // first half-edges of the triangles taken out
	left, right []outlineEdge
	chain       []link
	places      []int32 // by half-edge: 1 more than its place in the outline being closed, or 0
	locked      []bool  // by half-edge: on a cavity's outline, not to be flipped

	star  []starVertex
	taken []int32         // first half-edges of triangles taken out
	heir  map[int32]int32 // of a vertex taken out: a neighbor

	changed, fresh, order, place []int32
}

// starVertex is a vertex of the polygon around one that was taken out, with the edge from there to
// the next: the half-edge outside and the arrangement's edge.
type starVertex struct {
	vertex, outside, edge int32
	next, prev            int32
}

// reserve makes working memory for so many half-edges.
func (m *Editor) reserve(n int) {
	if len(m.locked) < n {
		// All are false, and 0, between edges.
		m.locked, m.places = make([]bool, n+n/4), make([]int32, n+n/4)
	}
}

// Update returns the triangulation t and its edges after a change of their arrangement, and for
// each vertex its number in t, or -1. near returns a vertex of t near a point.
func (m *Editor) Update(t *Mesh, edges []arrangement.Edge, c arrangement.Change, near func(lattice.Point) int32) (*Mesh, []arrangement.Edge, []int32) {
	m.load(t, len(c.Come))
	number := func(p lattice.Point) int32 {
		v, ok := slices.BinarySearchFunc(t.Points, p, lattice.Point.Compare)
		if !ok {
			panic("geom: a vertex is missing; the arrangement is broken")
		}
		return int32(v)
	}
	find := func(e arrangement.Edge) int32 {
		k, _ := slices.BinarySearchFunc(edges, e, arrangement.CompareEdges)
		return int32(k)
	}
	removed := make([]int32, len(c.Removed))
	for i, e := range c.Removed {
		removed[i] = find(e)
		h := m.between(number(e.From), number(e.To))
		m.mark(h, -1)
		m.stack = append(m.stack, h)
	}
	m.legalize()
	gone := make([]int32, len(c.Gone))
	for i, p := range c.Gone {
		gone[i] = number(p)
		m.remove(gone[i])
	}
	for _, p := range c.Come {
		m.insertAt(p, near(p))
	}
	points, was := merge(t.Points, gone, c.Come, lattice.Point.Compare)
	became := make([]int32, len(m.Points))
	for i, v := range was {
		became[v] = int32(i)
	}
	all, wasEdge := merge(edges, removed, c.Added, arrangement.CompareEdges)
	numbers := make([]int32, 1+len(edges)+len(c.Added)) // of edge i at i+1
	numbers[0] = -1
	for i, k := range wasEdge {
		numbers[k+1] = int32(i)
		e := &all[i]
		if int(k) < len(edges) {
			e.A, e.B = became[e.A], became[e.B]
			continue
		}
		a, _ := slices.BinarySearchFunc(points, e.From, lattice.Point.Compare)
		b, _ := slices.BinarySearchFunc(points, e.To, lattice.Point.Compare)
		e.A, e.B = int32(a), int32(b)
		m.fix(was[a], was[b], k)
	}
	for _, e := range c.Recounted {
		all[numbers[find(e)+1]].Net = e.Net
	}
	order := m.inOrder(t, became)
	m.place = slices.Grow(m.place[:0], len(m.Start))[:len(m.Start)]
	result := m.ordered(order, points, became, numbers, m.place)
	for i, v := range was {
		if int(v) >= len(t.Points) {
			was[i] = -1
		}
	}
	return result, all, was
}

// load takes a copy of t to change, with memory for so many more vertices.
func (m *Editor) load(t *Mesh, more int) {
	if m.Mesh == nil {
		m.Mesh = &Mesh{}
		m.heir = map[int32]int32{}
	}
	m.Points = append(m.Points[:0], t.Points...)
	m.Start = append(m.Start[:0], t.Start...)
	m.Twin = append(m.Twin[:0], t.Twin...)
	m.Edge = append(m.Edge[:0], t.Edge...)
	m.Out = append(m.Out[:0], t.Out...)
	clear(m.heir)
	m.reserve(len(t.Start) + 6*more)
}

// remove takes vertex v out, which no edge of the arrangement ends in.
//
// The polygon around v is star-shaped about v. While it has more than three vertices, there is one,
// y between x and z, such that the polygon turns left at y and v is not right of the line from x to
// z: of the triangles that any triangulation of the polygon cuts off with two edges of it, two at
// least, v is inside one at most. Nothing is in the triangle x y z, since it lies in those of v
// with xy and yz; and without it the polygon is still star-shaped about v, or about a point beside
// it, where v is or comes to be on its border. So one after the other is cut off.
func (m *Editor) remove(v int32) {
	m.collectStar(v)
	p, y := m.Points[v], int32(0)
	for n := len(m.star); n > 3; {
		b := &m.star[y]
		a, c := &m.star[b.prev], &m.star[b.next]
		if lattice.Cross(m.Points[a.vertex], m.Points[b.vertex], m.Points[c.vertex]) <= 0 ||
			lattice.Cross(m.Points[a.vertex], m.Points[c.vertex], p) < 0 {
			y = b.next
			continue
		}
		h := m.cut(a, b, c)
		a.outside, a.edge, a.next = h+2, -1, b.next
		c.prev, y = b.prev, b.prev
		n--
	}
	c := &m.star[m.star[y].prev]
	h := m.cut(&m.star[y], &m.star[m.star[y].next], c)
	m.link(h+2, c.outside)
	m.Edge[h+2] = c.edge
	for _, h := range m.taken {
		m.Start[h], m.Start[h+1], m.Start[h+2] = -1, -1, -1
	}
	m.legalize()
}

// collectStar takes out the triangles around v and collects the polygon that they fill.
func (m *Editor) collectStar(v int32) {
	first := m.Out[v] // on the border, the half-edge that has no triangle before it
	for h := m.turnBack(first); h >= 0 && h != m.Out[v]; h = m.turnBack(h) {
		first = h
	}
	m.star, m.taken = m.star[:0], m.taken[:0]
	for h := first; h >= 0; {
		if m.Edge[h] >= 0 {
			panic("geom: a vertex goes and its edge stays; the arrangement is broken")
		}
		n, q := next(h), Prev(h)
		m.taken = append(m.taken, h-h%3)
		m.star = append(m.star, starVertex{vertex: m.Start[n], outside: m.Twin[n], edge: m.Edge[n]})
		if h = m.Turn(h); h == first {
			break
		} else if h < 0 {
			m.star = append(m.star, starVertex{vertex: m.Start[q], outside: -1, edge: -1})
		}
	}
	n := int32(len(m.star))
	for i := range n {
		m.star[i].next, m.star[i].prev = (i+1)%n, (i+n-1)%n
	}
	m.heir[v] = m.star[0].vertex
}

// cut makes a triangle of three vertices in the place of one taken out, with what is outside of ab
// and bc, and returns its first half-edge.
func (m *Editor) cut(a, b, c *starVertex) int32 {
	h := m.reuse(&m.taken, a.vertex, b.vertex, c.vertex)
	m.Edge[h], m.Edge[h+1], m.Twin[h+2] = a.edge, b.edge, -1
	m.link(h, a.outside)
	m.link(h+1, b.outside)
	m.stack = append(m.stack, h, h+1, h+2)
	return h
}

// insertAt inserts a vertex at p, searching its place from vertex near on.
func (m *Editor) insertAt(p lattice.Point, near int32) {
	for {
		heir, gone := m.heir[near]
		if !gone {
			break
		}
		near = heir
	}
	v := int32(len(m.Points))
	m.Points, m.Out = append(m.Points, p), append(m.Out, -1)
	m.insert(v, m.Locate(p, near))
}

// inOrder is Mesh.inOrder, given the triangulation before the change and the new numbers of
// vertices. Triangles that did not change are in order already.
func (m *Editor) inOrder(before *Mesh, vertices []int32) []int32 {
	m.changed, m.fresh = m.changed[:0], m.fresh[:0]
	is, was := m.Start[:len(before.Start)], before.Start
	for i := 0; i+2 < len(was); i += 3 {
		if is[i] != was[i] || is[i+1] != was[i+1] || is[i+2] != was[i+2] {
			m.changed = append(m.changed, int32(i))
		}
	}
	take := func(i int32) {
		if m.Start[i] >= 0 {
			m.fresh = append(m.fresh, leastOf(i, vertices[m.Start[i]], vertices[m.Start[i+1]], vertices[m.Start[i+2]]))
		}
	}
	for _, i := range m.changed {
		take(i)
	}
	for i := len(was); i < len(m.Start); i += 3 {
		take(int32(i))
	}
	compare := func(h, k int32) int {
		if d := vertices[m.Start[h]] - vertices[m.Start[k]]; d != 0 {
			return int(d)
		}
		return -int(lattice.Orient(m.Points[m.Start[h]], m.Points[m.End(h)], m.Points[m.End(k)]))
	}
	slices.SortFunc(m.fresh, compare)

	m.order = m.order[:0]
	skip, next := 0, 0
	for i := int32(0); int(i) < len(was); i += 3 {
		if skip < len(m.changed) && m.changed[skip] == i {
			skip++
			continue
		}
		for next < len(m.fresh) && compare(m.fresh[next], i) < 0 {
			m.order = append(m.order, m.fresh[next])
			next++
		}
		m.order = append(m.order, i)
	}
	m.order = append(m.order, m.fresh[next:]...)
	return m.order
}
