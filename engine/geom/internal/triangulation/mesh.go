// Package triangulation triangulates the vertices of an arrangement with its edges, and updates the
// triangulation when the arrangement changes.
//
// The triangulation is unique: of all that have the arrangement's edges it is the one whose other
// edges are all Delaunay, where of four vertices on one circle the diagonal that ends in the least
// is taken. That is what lifting each vertex to the paraboloid gives when vertices are lowered by
// infinitesimal amounts, a lesser one by far more than a greater one (symbolic perturbation), so it
// is consistent, and flips end.
package triangulation

import (
	"iter"
	"math/bits"

	"github.com/wayfront/wayfront/engine/geom/internal/arrangement"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// Mesh is a triangulation of a rectangle as half-edges: h belongs to triangle h/3 and runs from
// Start[h] to Start[next(h)], counter-clockwise.
type Mesh struct {
	Points []lattice.Point // sorted
	Start  []int32
	Twin   []int32 // -1 on the border
	Edge   []int32 // the arrangement's edge along a half-edge, which stays; -1 if there is none
	Out    []int32 // a half-edge that leaves each vertex

	stack        []int32 // edges to be checked
	order, place []int32 // scratch
}

// next returns the half-edge after h in its triangle.
func next(h int32) int32 {
	if h%3 == 2 {
		return h - 2
	}
	return h + 1
}

// Prev returns the half-edge before h in its triangle.
func Prev(h int32) int32 {
	if h%3 == 0 {
		return h + 2
	}
	return h - 1
}

// New returns the triangulation of an arrangement, its triangles in order (see inOrder).
func New(a *arrangement.Arrangement) *Mesh {
	t := delaunay(a.Vertices)
	t.constrain(a.Edges)
	return t.ordered(t.inOrder(), a.Vertices, lattice.Numbers(0, len(a.Vertices)), lattice.Numbers(-1, len(a.Edges)+1))
}

// delaunay returns the triangulation of the points, which are sorted, each once, all in one
// rectangle whose four corners are among them.
//
// Points are inserted one by one, Delaunay after each (C. L. Lawson, Software for C1 surface
// interpolation, 1977), in rounds that double, random in what belongs to a round and along a
// Z-order curve within it (N. Amenta, S. Choi and G. Rote, Incremental constructions con BRIO,
// 2003): the place of the next point is a few triangles from that of the last, whatever the input.
// The random choice is a hash of the coordinates.
func delaunay(points []lattice.Point) *Mesh {
	n := len(points)
	t := &Mesh{
		Points: points,
		Start:  make([]int32, 0, 6*n),
		Twin:   make([]int32, 0, 6*n),
		Edge:   make([]int32, 0, 6*n),
		Out:    make([]int32, n),
	}
	last := int32(n - 1)
	topLeft, bottomRight := int32(0), last
	for points[topLeft+1].X == points[0].X {
		topLeft++
	}
	for points[bottomRight-1].X == points[last].X {
		bottomRight--
	}
	// The least corner, (0, 0), has the diagonal.
	t.add(0, bottomRight, last)
	t.add(0, last, topLeft)
	t.link(2, 3)
	t.Out[0], t.Out[bottomRight], t.Out[last], t.Out[topLeft] = 0, 1, 2, 5

	keys, order := make([]uint64, 0, n), make([]int32, 0, n)
	for i, p := range points {
		if v := int32(i); v != 0 && v != last && v != topLeft && v != bottomRight {
			keys = append(keys, insertionKey(p))
			order = append(order, v)
		}
	}
	var r lattice.Radix
	r.Sort(keys, order, roundBits+lattice.KeyBits)
	at := int32(0)
	for _, v := range order {
		at = t.insert(v, t.walk(t.Points[v], at))
	}
	return t
}

const roundBits = 4

// insertionKey orders points by round and, within one, along a Z-order curve.
func insertionKey(p lattice.Point) uint64 {
	round := 1<<roundBits - 1 - min(bits.TrailingZeros64(mix(p.Key())), 1<<roundBits-1)
	return uint64(round)<<lattice.KeyBits | zOrder(p)
}

// zOrder interleaves the bits of the coordinates.
func zOrder(p lattice.Point) uint64 {
	spread := func(v int32) uint64 {
		d := uint64(v)
		d = (d | d<<16) & 0x0000ffff0000ffff
		d = (d | d<<8) & 0x00ff00ff00ff00ff
		d = (d | d<<4) & 0x0f0f0f0f0f0f0f0f
		d = (d | d<<2) & 0x3333333333333333
		return (d | d<<1) & 0x5555555555555555
	}
	return spread(p.X)<<1 | spread(p.Y)
}

// mix scatters keys over 64 bits (the finalizer of G. L. Steele, D. Lea and C. H. Flood, Fast
// splittable pseudorandom number generators, 2014).
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// add adds a triangle and returns its first half-edge, from a to b.
func (t *Mesh) add(a, b, c int32) int32 {
	h := int32(len(t.Start))
	t.Start = append(t.Start, a, b, c)
	t.Twin = append(t.Twin, -1, -1, -1)
	t.Edge = append(t.Edge, -1, -1, -1)
	return h
}

// link makes h and g twins; g may be -1.
func (t *Mesh) link(h, g int32) {
	t.Twin[h] = g
	if g >= 0 {
		t.Twin[g] = h
	}
}

// mark makes the edge of h the arrangement's edge of that number, or none if it is -1.
func (t *Mesh) mark(h, edge int32) {
	t.Edge[h] = edge
	if g := t.Twin[h]; g >= 0 {
		t.Edge[g] = edge
	}
}

// End returns the vertex that h leads to.
func (t *Mesh) End(h int32) int32 { return t.Start[next(h)] }

// Around yields the half-edges that leave v, each in a triangle of its own, counter-clockwise; on
// the border, those before the first one follow clockwise.
func (t *Mesh) Around(v int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		first := t.Out[v]
		h := first
		for h >= 0 && yield(h) {
			if h = t.Turn(h); h == first {
				return
			}
		}
		if h >= 0 {
			return // the caller stopped
		}
		for h = t.turnBack(first); h >= 0 && yield(h); {
			h = t.turnBack(h)
		}
	}
}

// Turn returns the next half-edge that leaves h's vertex, counter-clockwise, or -1 if the border
// comes first.
func (t *Mesh) Turn(h int32) int32 { return t.Twin[Prev(h)] }

// turnBack is Turn, clockwise.
func (t *Mesh) turnBack(h int32) int32 {
	if g := t.Twin[h]; g >= 0 {
		return next(g)
	}
	return -1
}

// EdgeAt returns the edge of h's triangle, which contains p, that p lies on, or -1.
func (t *Mesh) EdgeAt(p lattice.Point, h int32) int32 {
	for range 3 {
		if lattice.Cross(t.Points[t.Start[h]], t.Points[t.End(h)], p) == 0 {
			return h
		}
		h = next(h)
	}
	return -1
}

// insert inserts v into the triangle of h, which contains it, and returns a half-edge near it. v is
// on no edge that stays.
func (t *Mesh) insert(v, h int32) int32 {
	if on := t.EdgeAt(t.Points[v], h); on >= 0 {
		t.splitEdge(v, on)
	} else {
		t.splitTriangle(v, h)
	}
	t.legalize(true)
	return h
}

// walk returns a half-edge of a triangle that contains p. In a Delaunay triangulation, going
// through any edge that has p on its other side ends (L. De Floriani, B. Falcidieno, G. Nagy and C.
// Pienovi, On sorting triangles in a Delaunay tessellation, 1991).
func (t *Mesh) walk(p lattice.Point, h int32) int32 {
	points, start := t.Points, t.Start
	for _, k := range [2]int32{next(h), Prev(h)} {
		if lattice.Cross(points[start[k]], points[t.End(k)], p) < 0 {
			h = k
			break
		}
	}
	if lattice.Cross(points[start[h]], points[t.End(h)], p) >= 0 {
		return h
	}
	for {
		h = t.Twin[h] // p is strictly left of it
		n, q := next(h), Prev(h)
		apex := points[start[q]]
		switch {
		case lattice.Cross(points[start[n]], apex, p) < 0:
			h = n
		case lattice.Cross(apex, points[start[h]], p) < 0:
			h = q
		default:
			return h
		}
	}
}

// Locate returns a half-edge of some triangle that contains p, a point of the rectangle. It walks
// along the straight line from vertex v: with edges that stay, going through any edge that has p
// behind it could go round in circles.
func (t *Mesh) Locate(p lattice.Point, v int32) int32 {
	for { // each turn starts from a vertex nearer to p
		h, inside := t.depart(v, p)
		if inside {
			return h
		}
		from := t.Points[v]
		for {
			// The line goes on through h, which has p strictly on its other side. One end of h may
			// be on the line: that counts as passing left of it.
			h = t.Twin[h]
			n, q := next(h), Prev(h)
			apex := t.Points[t.Start[q]]
			first, second := lattice.Orient(t.Points[t.Start[n]], apex, p), lattice.Orient(apex, t.Points[t.Start[h]], p)
			if first != lattice.Right && second != lattice.Right {
				return h
			}
			side := lattice.Orient(from, p, apex)
			if side == lattice.Collinear {
				v = t.Start[q]
				break
			}
			if side == lattice.Left {
				h = n
			} else {
				h = q
			}
		}
	}
}

// depart looks from v towards p: it returns a half-edge of a triangle at v that contains p and
// true, or the half-edge through which the line leaves the triangle at v and false.
func (t *Mesh) depart(v int32, p lattice.Point) (int32, bool) {
	from := t.Points[v]
	for h := range t.Around(v) {
		x, y := t.Points[t.End(h)], t.Points[t.Start[Prev(h)]]
		if from != p && (lattice.Orient(from, x, p) == lattice.Right || lattice.Orient(from, y, p) == lattice.Left) {
			continue
		}
		return next(h), lattice.Orient(x, y, p) != lattice.Right
	}
	panic("geom: no triangle towards a point of the domain; the triangulation is broken")
}

// splitTriangle joins v to the vertices of the triangle around it and pushes the edges to be
// checked.
func (t *Mesh) splitTriangle(v, h int32) {
	n, q := next(h), Prev(h)
	a, b, c := t.Start[h], t.Start[n], t.Start[q]
	bc, ca := t.Twin[n], t.Twin[q]
	i := t.add(b, c, v)
	k := t.add(c, a, v)
	t.Start[q] = v // h's triangle is now a, b, v
	t.link(i, bc)
	t.link(k, ca)
	t.Edge[i], t.Edge[k], t.Edge[n], t.Edge[q] = t.Edge[n], t.Edge[q], -1, -1
	t.Out[v], t.Out[c] = q, k
	t.link(n, i+2)
	t.link(i+1, k+2)
	t.link(k+1, q)
	t.stack = append(t.stack, h, i, k)
}

// splitEdge puts v on the edge h, joins it to the vertices across and pushes the edges to be
// checked.
func (t *Mesh) splitEdge(v, h int32) {
	g := t.Twin[h]
	k := t.halve(v, h)
	if g >= 0 {
		j := t.halve(v, g)
		t.link(h, j)
		t.link(k, g)
	}
}

// halve divides the triangle of h at v, which is on h, and returns the new half-edge along h, from
// v on. h keeps the other half.
func (t *Mesh) halve(v, h int32) int32 {
	n, q := next(h), Prev(h)
	b, c := t.Start[n], t.Start[q]
	bc := t.Twin[n]
	k := t.add(v, b, c)
	t.Start[n] = v // h's triangle now has v instead of b
	t.link(k+1, bc)
	t.link(n, k+2)
	t.Edge[k+1], t.Edge[n] = t.Edge[n], -1
	t.Out[v], t.Out[b] = k, k+1
	t.stack = append(t.stack, q, k+1)
	return k
}

// legalize flips the pushed edges until all are Delaunay but those that stay. Around a vertex just
// inserted those that it is not an end of are enough.
func (t *Mesh) legalize(inserted bool) {
	for len(t.stack) > 0 {
		h := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		if t.Twin[h] < 0 || t.Edge[h] >= 0 || !t.illegal(h) {
			continue
		}
		g := t.flip(h)
		t.stack = append(t.stack, h, next(g))
		if !inserted {
			t.stack = append(t.stack, g, next(h))
		}
	}
}

// illegal reports whether the edge of h, with triangles on both sides, is not Delaunay.
func (t *Mesh) illegal(h int32) bool {
	g := t.Twin[h]
	x, y, v, d := t.Start[h], t.Start[g], t.Start[Prev(h)], t.Start[Prev(g)]
	p, q, r, s := t.Points[x], t.Points[y], t.Points[v], t.Points[d]
	side := lattice.InCircle(p, q, r, s)
	return side > 0 || side == 0 && min(r.Key(), s.Key()) < min(p.Key(), q.Key())
}

// flip puts the other diagonal into the quadrilateral around h and returns h's twin from before. Of
// the triangles x, y, v and y, x, d, where h is from x to y, it makes d, y, v, with h from d to y,
// and x, d, v, with the twin from v to x.
func (t *Mesh) flip(h int32) int32 {
	g := t.Twin[h]
	q, r := Prev(h), Prev(g)
	x, y := t.Start[h], t.Start[g]
	t.Start[h], t.Start[g] = t.Start[r], t.Start[q]
	xv, dy := t.Twin[q], t.Twin[r]
	t.Edge[h], t.Edge[g], t.Edge[q], t.Edge[r] = t.Edge[r], t.Edge[q], -1, -1
	t.Out[x], t.Out[y] = next(g), next(h)
	t.link(h, dy)
	t.link(g, xv)
	t.link(q, r)
	return g
}
