package geom

import "math/bits"

// triangulation is a Delaunay triangulation of a rectangle, as half-edges:
// number h belongs to triangle h/3 and runs from start[h] to start[next(h)],
// counter-clockwise.
//
// It is the only one there is: where four vertices are on one circle, the
// diagonal that ends in the least of the four is taken. That is what lifting
// each vertex to the paraboloid gives when vertices are lowered by
// infinitesimal amounts, a lesser one by far more than a greater one, so it is
// consistent, and flips end.
type triangulation struct {
	points []Point // sorted
	start  []int32
	twin   []int32 // -1 on the border
	edge   []int32 // the arrangement's edge along a half-edge, which stays; -1 if there is none
	out    []int32 // a half-edge that leaves each vertex
	stack  []int32
}

func next(h int32) int32 {
	if h%3 == 2 {
		return h - 2
	}
	return h + 1
}

func prev(h int32) int32 {
	if h%3 == 0 {
		return h + 2
	}
	return h - 1
}

// triangulate returns the triangulation of the points, which are sorted, each
// once, all in one rectangle whose four corners are among them.
//
// Points are inserted one by one, Delaunay after each (Lawson 1977), in rounds
// that double, random in what belongs to a round and along a Hilbert curve
// within it (biased randomised insertion order, Amenta, Choi and Rote 2003):
// the place of the next point is a few triangles from that of the last,
// whatever the input. The random choice is a hash of the coordinates.
func triangulate(points []Point) *triangulation {
	n := len(points)
	t := &triangulation{
		points: points,
		start:  make([]int32, 0, 6*n),
		twin:   make([]int32, 0, 6*n),
		edge:   make([]int32, 0, 6*n),
		out:    make([]int32, n),
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
	t.out[0], t.out[bottomRight], t.out[last], t.out[topLeft] = 0, 1, 2, 5

	keys, order := make([]uint64, 0, n), make([]int32, 0, n)
	for i, p := range points {
		if v := int32(i); v != 0 && v != last && v != topLeft && v != bottomRight {
			keys = append(keys, insertionKey(p))
			order = append(order, v)
		}
	}
	var r radix
	r.sort(keys, order, roundBits+pointBits)
	at := int32(0)
	for _, v := range order {
		at = t.insert(v, t.walk(t.points[v], at))
	}
	return t
}

const roundBits = 4

// insertionKey orders points by round and, within one, along a Hilbert curve.
func insertionKey(p Point) uint64 {
	round := 1<<roundBits - 1 - min(bits.TrailingZeros64(mix(p.key())), 1<<roundBits-1)
	return uint64(round)<<pointBits | hilbert(p)
}

// mix scatters keys over 64 bits (the finalizer of SplitMix64, Steele, Lea and
// Flood 2014).
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// add adds a triangle and returns its first half-edge, from a to b.
func (t *triangulation) add(a, b, c int32) int32 {
	h := int32(len(t.start))
	t.start = append(t.start, a, b, c)
	t.twin = append(t.twin, -1, -1, -1)
	t.edge = append(t.edge, -1, -1, -1)
	return h
}

// link makes h and g twins; g may be -1.
func (t *triangulation) link(h, g int32) {
	t.twin[h] = g
	if g >= 0 {
		t.twin[g] = h
	}
}

// end returns the vertex that h leads to.
func (t *triangulation) end(h int32) int32 { return t.start[next(h)] }

// insert inserts v into the triangle of h, which contains it, and returns a half-edge near it. Edges that stay do not hold
// it.
func (t *triangulation) insert(v, h int32) int32 {
	if on := t.edgeAt(t.points[v], h); on >= 0 {
		t.splitEdge(v, on)
	} else {
		t.splitTriangle(v, h)
	}
	t.legalise()
	return h
}

// walk returns a half-edge of a triangle that contains p. In a Delaunay
// triangulation, going through any edge that has p on its other side ends
// (De Floriani, Falcidieno, Nagy and Pienovi 1991).
func (t *triangulation) walk(p Point, h int32) int32 {
	points, start := t.points, t.start
	for _, k := range [2]int32{next(h), prev(h)} {
		if cross(points[start[k]], points[t.end(k)], p) < 0 {
			h = k
			break
		}
	}
	if cross(points[start[h]], points[t.end(h)], p) >= 0 {
		return h
	}
	for {
		h = t.twin[h] // p is strictly left of it
		n, q := next(h), prev(h)
		apex := points[start[q]]
		switch {
		case cross(points[start[n]], apex, p) < 0:
			h = n
		case cross(apex, points[start[h]], p) < 0:
			h = q
		default:
			return h
		}
	}
}

// edgeAt returns the edge of h's triangle, which contains p, that p lies on, or
// -1.
func (t *triangulation) edgeAt(p Point, h int32) int32 {
	for range 3 {
		if cross(t.points[t.start[h]], t.points[t.end(h)], p) == 0 {
			return h
		}
		h = next(h)
	}
	return -1
}

// splitTriangle joins v to the vertices of the triangle around it and puts the
// edges to be checked on the stack.
func (t *triangulation) splitTriangle(v, h int32) {
	n, q := next(h), prev(h)
	a, b, c := t.start[h], t.start[n], t.start[q]
	bc, ca := t.twin[n], t.twin[q]
	i := t.add(b, c, v)
	k := t.add(c, a, v)
	t.start[q] = v // h's triangle is now a, b, v
	t.link(i, bc)
	t.link(k, ca)
	t.edge[i], t.edge[k], t.edge[n], t.edge[q] = t.edge[n], t.edge[q], -1, -1
	t.out[v], t.out[c] = q, k
	t.link(n, i+2)
	t.link(i+1, k+2)
	t.link(k+1, q)
	t.stack = append(t.stack, h, i, k)
}

// splitEdge puts v on the edge h, joins it to the vertices across and puts the
// edges to be checked on the stack.
func (t *triangulation) splitEdge(v, h int32) {
	g := t.twin[h]
	n, q := next(h), prev(h)
	b, c := t.start[n], t.start[q]
	bc := t.twin[n]
	k := t.add(v, b, c)
	t.start[n] = v // h's triangle is now a, v, c
	t.link(k+1, bc)
	t.link(n, k+2)
	t.edge[k+1], t.edge[n] = t.edge[n], -1
	t.out[v], t.out[b] = k, k+1
	t.stack = append(t.stack, q, k+1)
	if g < 0 {
		return // twins of h and k stay -1
	}
	n, q = next(g), prev(g)
	a, d := t.start[n], t.start[q]
	ad := t.twin[n]
	j := t.add(v, a, d)
	t.start[n] = v // g's triangle is now b, v, d
	t.link(j+1, ad)
	t.link(n, j+2)
	t.edge[j+1], t.edge[n] = t.edge[n], -1
	t.out[a] = j + 1
	t.link(h, j)
	t.link(k, g)
	t.stack = append(t.stack, q, j+1)
}

// legalise flips edges across from a vertex just inserted until all are
// Delaunay but those that stay.
func (t *triangulation) legalise() {
	for len(t.stack) > 0 {
		h := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		if t.twin[h] >= 0 && t.edge[h] < 0 && t.illegal(h) {
			g := t.flip(h)
			t.stack = append(t.stack, h, next(g))
		}
	}
}

// illegal returns whether the edge of h, with triangles on both sides, is not
// Delaunay.
func (t *triangulation) illegal(h int32) bool {
	g := t.twin[h]
	x, y, v, d := t.start[h], t.start[g], t.start[prev(h)], t.start[prev(g)]
	p, q, r, s := t.points[x], t.points[y], t.points[v], t.points[d]
	side := inCircle(p, q, r, s)
	return side > 0 || side == 0 && min(r.key(), s.key()) < min(p.key(), q.key())
}

// flip puts the other diagonal into the quadrilateral around h and returns h's
// twin from before. Of the triangles x, y, v and y, x, d, where h is from x to
// y, it makes d, y, v, with h from d to y, and x, d, v, with the twin from v to
// x.
func (t *triangulation) flip(h int32) int32 {
	g := t.twin[h]
	q, r := prev(h), prev(g)
	x, y := t.start[h], t.start[g]
	t.start[h], t.start[g] = t.start[r], t.start[q]
	xv, dy := t.twin[q], t.twin[r]
	t.edge[h], t.edge[g], t.edge[q], t.edge[r] = t.edge[r], t.edge[q], -1, -1
	t.out[x], t.out[y] = next(g), next(h)
	t.link(h, dy)
	t.link(g, xv)
	t.link(q, r)
	return g
}
