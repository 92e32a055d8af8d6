package triangulation

import (
	"slices"

	"github.com/wayfront/wayfront/engine/geom/internal/arrangement"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// Editor changes a triangulation where its arrangement changes. Update returns what New makes of
// the arrangement; Editor keeps its working memory between calls.
type Editor struct {
	*Mesh                       // being changed
	left, right []side          // polygons to be filled
	taken       []int32         // first half-edges of triangles taken out
	heir        map[int32]int32 // of a vertex taken out: a neighbor
}

// Update returns the triangulation t and its edges after a change of their arrangement, and for
// each vertex its number in t, or -1. near returns a vertex of t near a point.
func (m *Editor) Update(t *Mesh, edges []arrangement.Edge, c arrangement.Change, near func(lattice.Point) int32) (*Mesh, []arrangement.Edge, []int32) {
	m.load(t)
	number := func(p lattice.Point) int32 { return place(t.Points, p, lattice.Point.Compare) }
	find := func(e arrangement.Edge) int32 { return place(edges, e, arrangement.CompareEdges) }
	removed := make([]int32, len(c.Removed))
	for i, e := range c.Removed {
		removed[i] = find(e)
		h := m.between(number(e.From), number(e.To))
		m.mark(h, -1)
		m.stack = append(m.stack, h)
	}
	m.legalize(false)
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
		e.A, e.B = place(points, e.From, lattice.Point.Compare), place(points, e.To, lattice.Point.Compare)
		m.fix(was[e.A], was[e.B], k)
	}
	for _, e := range c.Recounted {
		all[numbers[find(e)+1]].Net = e.Net
	}
	result := m.ordered(m.inOrderSince(t, became), points, became, numbers)
	for i, v := range was {
		if int(v) >= len(t.Points) {
			was[i] = -1
		}
	}
	return result, all, was
}

// place returns where an item is in a sorted list.
func place[T any](sorted []T, item T, compare func(a, b T) int) int32 {
	i, ok := slices.BinarySearchFunc(sorted, item, compare)
	if !ok {
		panic("geom: a vertex or an edge is missing; the arrangement is broken")
	}
	return int32(i)
}

// load takes a copy of t to change.
func (m *Editor) load(t *Mesh) {
	if m.Mesh == nil {
		m.Mesh = &Mesh{}
	}
	m.heir = map[int32]int32{}
	m.Points = append(m.Points[:0], t.Points...)
	m.Start = append(m.Start[:0], t.Start...)
	m.Twin = append(m.Twin[:0], t.Twin...)
	m.Edge = append(m.Edge[:0], t.Edge...)
	m.Out = append(m.Out[:0], t.Out...)
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
	first := m.Out[v] // on the border, the half-edge that has no triangle before it
	for h := m.turnBack(first); h >= 0 && h != m.Out[v]; h = m.turnBack(h) {
		first = h
	}
	m.left, m.taken = m.left[:0], m.taken[:0]
	border := side{outside: -1, edge: -1}
	for h := first; ; {
		if m.Edge[h] >= 0 {
			panic("geom: a vertex goes and its edge stays; the arrangement is broken")
		}
		n := next(h)
		m.taken = append(m.taken, h-h%3)
		m.left = append(m.left, side{vertex: m.Start[n], outside: m.Twin[n], edge: m.Edge[n]})
		border.vertex = m.End(n)
		if h = m.Turn(h); h < 0 {
			m.left = append(m.left, border)
		}
		if h < 0 || h == first {
			break
		}
	}
	m.heir[v] = m.left[0].vertex
	p := m.Points[v]
	m.fill(m.left, func(x, _, z int32) bool { return lattice.Orient(m.Points[x], m.Points[z], p) != lattice.Right })
	for _, h := range m.taken {
		m.Start[h], m.Start[h+1], m.Start[h+2] = -1, -1, -1
	}
	m.legalize(false)
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
