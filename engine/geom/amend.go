package geom

import "slices"

// amender changes a triangulation: vertices and edges that stay go and come, and only what is around them changes. What comes of
// it is what triangulate and constrain make of the same vertices and edges, but for numbers.
type amender struct {
	cavity
	ring  []ringVertex
	taken []int32 // first half-edges of triangles taken out
	heir  map[int32]int32

	changed, fresh, order, place []int32
}

// ringVertex is a vertex of the polygon around one that was taken out, with the edge from there to the next: the half-edge outside
// and the arrangement's edge.
type ringVertex struct {
	vertex, outside, edge int32
	next, prev            int32
}

// load takes a copy of t to change, with room for so many vertices more.
func (m *amender) load(t *triangulation, more int) {
	if m.triangulation == nil {
		m.triangulation = &triangulation{}
		m.heir = map[int32]int32{}
	}
	m.points = append(m.points[:0], t.points...)
	m.start = append(m.start[:0], t.start...)
	m.twin = append(m.twin[:0], t.twin...)
	m.edge = append(m.edge[:0], t.edge...)
	m.out = append(m.out[:0], t.out...)
	clear(m.heir)
	if room := len(t.start) + 6*more; len(m.locked) < room {
		// All are false, and 0, between edges.
		m.locked, m.rim = make([]bool, room+room/4), make([]int32, room+room/4)
	}
}

// release lets the edge between u and v go.
func (m *amender) release(u, v int32) {
	h := m.between(u, v)
	m.note(h, -1)
	m.stack = append(m.stack, h)
}

// remove takes vertex v out, of which no edge is left.
//
// The polygon around v is seen whole from v. While it has more than three vertices, there is one, y between x and z, such that the
// polygon turns left at y and v is not right of the way from x to z: of the triangles that any triangulation of the
// polygon cuts off with two edges of it, two at least, v is inside one at most. Nothing is in the triangle x y z, since it lies in
// those of v with xy and yz; and without it the polygon is still seen whole from v, or from beside it, where v was on the
// border or comes to be. So one after the other is cut off.
func (m *amender) remove(v int32) {
	first := m.out[v] // on the border, the one that no triangle is before
	for h := m.turnBack(first); h >= 0 && h != m.out[v]; h = m.turnBack(h) {
		first = h
	}
	m.ring, m.taken = m.ring[:0], m.taken[:0]
	for h := first; h >= 0; {
		if m.edge[h] >= 0 {
			panic("geom: a vertex goes and its edge stays; the arrangement is broken")
		}
		n, q := next(h), prev(h)
		m.taken = append(m.taken, h-h%3)
		m.ring = append(m.ring, ringVertex{vertex: m.start[n], outside: m.twin[n], edge: m.edge[n]})
		if h = m.turn(h); h == first {
			break
		} else if h < 0 {
			m.ring = append(m.ring, ringVertex{vertex: m.start[q], outside: -1, edge: -1})
		}
	}
	n := int32(len(m.ring))
	for i := range n {
		m.ring[i].next, m.ring[i].prev = (i+1)%n, (i+n-1)%n
	}
	m.heir[v] = m.ring[0].vertex

	p, y := m.points[v], int32(0)
	for n > 3 {
		b := &m.ring[y]
		a, c := &m.ring[b.prev], &m.ring[b.next]
		if cross(m.points[a.vertex], m.points[b.vertex], m.points[c.vertex]) <= 0 || cross(m.points[a.vertex], m.points[c.vertex], p) < 0 {
			y = b.next
			continue
		}
		h := m.cut(a, b, c)
		a.outside, a.edge, a.next = h+2, -1, b.next
		c.prev, y = b.prev, b.prev
		n--
	}
	c := &m.ring[m.ring[y].prev]
	h := m.cut(&m.ring[y], &m.ring[m.ring[y].next], c)
	m.link(h+2, c.outside)
	m.edge[h+2] = c.edge
	for _, h := range m.taken {
		m.start[h], m.start[h+1], m.start[h+2] = -1, -1, -1
	}
	m.legalise()
}

// cut makes a triangle of three vertices in the place of one taken out, with what is outside of ab and bc, and returns its first
// half-edge.
func (m *amender) cut(a, b, c *ringVertex) int32 {
	h := m.taken[len(m.taken)-1]
	m.taken = m.taken[:len(m.taken)-1]
	m.start[h], m.start[h+1], m.start[h+2] = a.vertex, b.vertex, c.vertex
	m.out[a.vertex], m.out[b.vertex], m.out[c.vertex] = h, h+1, h+2
	m.edge[h], m.edge[h+1], m.edge[h+2] = a.edge, b.edge, -1
	m.twin[h+2] = -1
	m.link(h, a.outside)
	m.link(h+1, b.outside)
	m.stack = append(m.stack, h, h+1, h+2)
	return h
}

// insert puts in a vertex at p, looking for its place from vertex near on, and returns its number.
func (m *amender) insert(p Point, near int32) int32 {
	for m.dead(near) {
		near = m.heir[near]
	}
	v := int32(len(m.points))
	m.points, m.out = append(m.points, p), append(m.out, -1)
	m.triangulation.insert(v, m.locate(p, near))
	return v
}

// dead returns whether v was taken out.
func (m *amender) dead(v int32) bool {
	_, ok := m.heir[v]
	return ok
}

// amended returns the ground g after a revision of its arrangement, without places, and for each vertex what it was in g, or -1.
func (m *amender) amended(g *Ground, r revision) (*Ground, []int32) {
	m.load(g.mesh, len(r.come))
	number := func(p Point) int32 {
		v, ok := slices.BinarySearchFunc(g.Vertices, p, Point.Compare)
		if !ok {
			panic("geom: a vertex is missing; the arrangement is broken")
		}
		return int32(v)
	}
	for _, e := range r.less {
		m.release(number(e.from), number(e.to))
	}
	m.legalise()
	gone := make([]int32, len(r.gone)) // ascending
	for i, p := range r.gone {
		gone[i] = number(p)
		m.remove(gone[i])
	}
	for _, p := range r.come {
		m.insert(p, g.hints.near(p))
	}

	// Vertices in order: what each was while the triangulation was changed, and what those became.
	vertices := make([]Point, 0, len(g.Vertices)-len(gone)+len(r.come))
	was := make([]int32, 0, cap(vertices))
	became := make([]int32, len(m.points))
	next, out := 0, 0
	for v, p := range g.Vertices {
		// The domain's upper right corner is the last and stays.
		for next < len(r.come) && r.come[next].Less(p) {
			became[len(g.Vertices)+next] = int32(len(vertices))
			was = append(was, int32(len(g.Vertices)+next))
			vertices = append(vertices, r.come[next])
			next++
		}
		if out < len(gone) && gone[out] == int32(v) {
			out++
			continue
		}
		became[v] = int32(len(vertices))
		was = append(was, int32(v))
		vertices = append(vertices, p)
	}

	// Edges in order, likewise.
	edges := make([]edge, 0, len(g.edges)-len(r.less)+len(r.more))
	numbers := make([]int32, 1+len(g.edges)+len(r.more)) // edge i at i+1
	numbers[0] = -1
	i := 0
	keep := func(end int) {
		for ; i < end; i++ {
			e := g.edges[i]
			e.a, e.b = became[e.a], became[e.b]
			numbers[i+1] = int32(len(edges))
			edges = append(edges, e)
		}
	}
	find := func(e edge) int { // among those of g: where it is or comes
		k, _ := slices.BinarySearchFunc(g.edges, e, compareEdges)
		return k
	}
	out = 0
	for k, e := range r.more {
		at := find(e)
		for ; out < len(r.less) && compareEdges(r.less[out], e) < 0; out++ {
			keep(find(r.less[out]))
			i++
		}
		keep(at)
		index := func(p Point) int32 {
			v, _ := slices.BinarySearchFunc(vertices, p, Point.Compare)
			return int32(v)
		}
		e.a, e.b = index(e.from), index(e.to)
		m.fix(was[e.a], was[e.b], int32(len(g.edges)+k))
		numbers[len(g.edges)+k+1] = int32(len(edges))
		edges = append(edges, e)
	}
	for _, e := range r.less[out:] {
		keep(find(e))
		i++
	}
	keep(len(g.edges))
	for _, e := range r.recount {
		edges[numbers[find(e)+1]].net = e.net
	}

	order := m.inOrder(g.mesh, became)
	m.place = grow(m.place, len(m.start))
	result := newGround(g.Lattice, edges, m.ordered(order, vertices, became, numbers, m.place))
	for i, v := range was {
		if int(v) >= len(g.Vertices) {
			was[i] = -1
		}
	}
	return result, was
}

// inOrder returns the half-edges at which the triangles begin, in order, given the triangulation before it was changed and the
// new numbers of vertices, by which they are sorted. Triangles that did not change are in order already.
func (m *amender) inOrder(before *triangulation, vertices []int32) []int32 {
	m.changed, m.fresh = m.changed[:0], m.fresh[:0]
	is, was := m.start[:len(before.start)], before.start
	for i := 0; i+2 < len(was); i += 3 {
		if is[i] != was[i] || is[i+1] != was[i+1] || is[i+2] != was[i+2] {
			m.changed = append(m.changed, int32(i))
		}
	}
	take := func(i int32) {
		if m.start[i] < 0 {
			return
		}
		a, b, c := vertices[m.start[i]], vertices[m.start[i+1]], vertices[m.start[i+2]]
		switch {
		case b < a && b < c:
			i++
		case c < a && c < b:
			i += 2
		}
		m.fresh = append(m.fresh, i)
	}
	for _, i := range m.changed {
		take(i)
	}
	for i := len(was); i < len(m.start); i += 3 {
		take(int32(i))
	}
	compare := func(h, k int32) int {
		if d := vertices[m.start[h]] - vertices[m.start[k]]; d != 0 {
			return int(d)
		}
		return -int(Orient(m.points[m.start[h]], m.points[m.end(h)], m.points[m.end(k)]))
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
