package geom

import "math/bits"

// An arrangement is what is left of the rings after snap rounding: straight
// edges between lattice points that neither cross nor overlap nor pass through
// a vertex.
//
// Snap rounding (Hobby 1999; Guibas and Marimont 1998). Each lattice point owns
// the pixel of points that round to it, half a step to either side, closed at
// the left and bottom. Pixels that hold a vertex, or a crossing of two edges,
// are hot. Every edge becomes the chain of the hot lattice points whose pixels
// it meets, in the order in which it meets them. So an edge moves by at most
// half a step along either axis, and may touch others that it did not touch,
// but never passes to the other side of a vertex.
//
// One round does it. By the cited theorem chains do not cross. Nor does a vertex come to lie on an edge that was not bent
// through it: the points whose pixels an edge meets, between its ends, form a strip with one of its two borders at most
// (see edge.through), which is convex, and the chain runs between points of it.
//
// Nothing here depends on the order or the orientation of the input: hot
// pixels are a set, chains follow from an edge's two ends, and the result is
// sorted.
type arrangement struct {
	vertices []Point // sorted, each once
	edges    []edge  // sorted by ends, each once
}

// An edge has its lower end first.
type edge struct {
	from, to Point
	a, b     int32 // indices of from and to
	// net is the winding number to the left less that to the right.
	net int32
}

// arranger collects edges and arranges them.
type arranger struct {
	lattice Lattice
	effort  *effort
	raw     []edge
	hits    []hit
	hot     []Point
	radix   radix
	keys    []uint64
	vals    []int32
	ends    []int32
}

// A hit says that an edge has to be bent through a point.
type hit struct {
	edge  int32
	along int32 // distance from the edge's lower end, coordinates' differences added
	at    Point
}

// arrange snap-rounds the rings of the obstacles and the border of the domain. If that passes a limit, which e says then, the
// arrangement is not finished.
func arrange(l Lattice, obstacles []Polygon, e *effort) *arrangement {
	r := arranger{lattice: l, effort: e}
	if e.over() {
		return &arrangement{}
	}
	c := clipper{lattice: l}
	r.raw = make([]edge, 0, verticesOf(obstacles)+4)
	for _, o := range obstacles {
		for k := range len(o.Holes) + 1 {
			r.addRing(c.clip(o.ring(k)), turnOf(k))
		}
	}
	w, h := l.Size.X, l.Size.Y
	r.add(Point{0, 0}, Point{w, 0}, 0)
	r.add(Point{0, 0}, Point{0, h}, 0)
	r.add(Point{w, 0}, Point{w, h}, 0)
	r.add(Point{0, h}, Point{w, h}, 0)
	return r.run()
}

// turnOf is how ring k of a polygon is counted: the outer one counter-clockwise, holes clockwise.
func turnOf(k int) int32 {
	if k > 0 {
		return -1
	}
	return 1
}

// addRing adds the edges of a ring, counted counter-clockwise if turn is 1 and
// clockwise if -1, whatever its own orientation. The orientation is that of
// the ring on the lattice. A ring without area there covers nothing, but its
// edges stay.
func (r *arranger) addRing(ring []Point, turn int32) {
	var area int64
	for i := range ring {
		// Below 2^42 each, and there is no room in memory for 2^21 times more
		// vertices than could overflow the sum.
		area += cross(Point{}, ring[i], ring[(i+1)%len(ring)])
	}
	turn *= int32(sideOf(area))
	for i := range ring {
		r.add(ring[i], ring[(i+1)%len(ring)], turn)
	}
}

// add adds the edge from p to q.
func (r *arranger) add(p, q Point, net int32) {
	if q.Less(p) {
		p, q, net = q, p, -net
	}
	if p != q {
		r.raw = append(r.raw, edge{from: p, to: q, net: net})
	}
}

// run rounds the edges.
func (r *arranger) run() *arrangement {
	a := &arrangement{}
	r.index(a)
	r.meet(a, a.vertices, true)
	if len(r.hot) > 0 {
		r.meet(a, r.fresh(a.vertices), false)
	}
	if r.effort.over() {
		return a
	}
	if len(r.hits) > 0 {
		r.bend(a)
		r.index(a)
	}
	return a
}

// index turns the raw edges into sorted vertices and sorted, merged edges.
func (r *arranger) index(a *arrangement) {
	n := len(r.raw)
	r.keys, r.vals = r.keys[:0], r.vals[:0]
	for i := range r.raw {
		r.keys = append(r.keys, r.raw[i].from.key(), r.raw[i].to.key())
		r.vals = append(r.vals, int32(2*i), int32(2*i+1))
	}
	r.radix.sort(r.keys, r.vals, pointBits)
	r.ends = grow(r.ends, 2*n)
	a.vertices = a.vertices[:0]
	for i, k := range r.keys {
		if i == 0 || r.keys[i-1] != k {
			a.vertices = append(a.vertices, pointOf(k))
		}
		r.ends[r.vals[i]] = int32(len(a.vertices) - 1)
	}
	width := bits.Len(uint(len(a.vertices)))
	r.keys, r.vals = r.keys[:n], r.vals[:n]
	for i := range n {
		r.keys[i] = uint64(r.ends[2*i])<<width | uint64(r.ends[2*i+1])
		r.vals[i] = int32(i)
	}
	r.radix.sort(r.keys, r.vals, 2*width)
	a.edges = a.edges[:0]
	for i, k := range r.keys {
		e := &r.raw[r.vals[i]]
		if i > 0 && r.keys[i-1] == k {
			a.edges[len(a.edges)-1].net += e.net
			continue
		}
		e.a, e.b = int32(k>>width), int32(k&(1<<width-1))
		a.edges = append(a.edges, *e)
	}
}

// fresh returns the hot points that are no vertices, sorted, each once.
func (r *arranger) fresh(vertices []Point) []Point {
	r.keys, r.vals = r.keys[:0], r.vals[:0]
	for i, p := range r.hot {
		r.keys, r.vals = append(r.keys, p.key()), append(r.vals, int32(i))
	}
	r.radix.sort(r.keys, r.vals, pointBits)
	r.hot = r.hot[:0]
	v := 0
	for i, k := range r.keys {
		if i > 0 && r.keys[i-1] == k {
			continue
		}
		for v < len(vertices) && vertices[v].key() < k {
			v++
		}
		if v == len(vertices) || vertices[v].key() != k {
			r.hot = append(r.hot, pointOf(k))
		}
	}
	return r.hot
}

// bend replaces the raw edges by the edges bent through their hits.
func (r *arranger) bend(a *arrangement) {
	// Stable radix sorts: by distance first, by edge second.
	r.keys, r.vals = r.keys[:0], r.vals[:0]
	width := bits.Len(2 * Steps)
	for i, h := range r.hits {
		r.keys = append(r.keys, uint64(h.edge)<<width|uint64(h.along))
		r.vals = append(r.vals, int32(i))
	}
	r.radix.sort(r.keys, r.vals, width+bits.Len(uint(len(a.edges))))
	r.raw = r.raw[:0]
	next := 0
	for i := range a.edges {
		e := &a.edges[i]
		p := e.from
		for ; next < len(r.vals) && r.hits[r.vals[next]].edge == int32(i); next++ {
			q := r.hits[r.vals[next]].at
			r.add(p, q, e.net)
			p = q
		}
		r.add(p, e.to, e.net)
	}
}

// pointBits is the width of a key: 21 bits a coordinate, as 2^20 is one.
const pointBits = 2 * (Bits + 1)

// key packs a point of a domain so that keys are ordered as points are.
func (p Point) key() uint64 { return uint64(p.X)<<(Bits+1) | uint64(p.Y) }

func pointOf(key uint64) Point {
	return Point{int32(key >> (Bits + 1)), int32(key & (1<<(Bits+1) - 1))}
}

// grow returns a slice of length n, with s's memory if that is enough. The
// contents are undefined.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// through returns whether e has to be bent through w: whether it meets w's
// pixel and w is none of its ends.
//
// With d = to - from and c = d x (w - from), the pixel's corners w ± 1/2 lie at
// c ± d.X/2 ± d.Y/2 from the line, times |d|. Inside the bounding box the edge
// meets the open pixel if corners lie strictly on both sides of the line, and
// otherwise touches the pixel at most in one corner, of which only the lower
// left, at c - d.X/2 + d.Y/2 up to sign, belongs to it. (That the line meets
// the pixel within the edge: left of w.X - 1/2 lies no end that is right of
// w.X - 1, and so on; an edge that begins in w's column meets the pixel's rows
// there or never.) Products are below 2^41.
func (e *edge) through(w Point) bool {
	if w.X < e.from.X || w.X > e.to.X || w.Y < min(e.from.Y, e.to.Y) || w.Y > max(e.from.Y, e.to.Y) || w == e.from || w == e.to {
		return false
	}
	dx, dy := int64(e.to.X)-int64(e.from.X), int64(e.to.Y)-int64(e.from.Y)
	c := 2 * cross(e.from, e.to, w)
	return abs(c) < dx+abs(dy) || c == dx-dy
}

// crossing returns the lattice point whose pixel holds the crossing of e and
// f, if they cross in a point interior to both.
//
// The crossing is e.from + d * s / t with s = (f.from - e.from) x g,
// t = d x g, d and g the edges' vectors. |s| and |t| are at most 2^41, so
// 2 * d.X * s + t is below 2^20 * 2^42 + 2^41 < 2^63, and rounding, the floor
// of (2 d s + t) / 2t, is exact in 64 bits.
func (e *edge) crossing(f *edge) (Point, bool) {
	s1, s2 := Orient(e.from, e.to, f.from), Orient(e.from, e.to, f.to)
	if s1*s2 >= 0 {
		return Point{}, false
	}
	s3, s4 := Orient(f.from, f.to, e.from), Orient(f.from, f.to, e.to)
	if s3*s4 >= 0 {
		return Point{}, false
	}
	dx, dy := int64(e.to.X)-int64(e.from.X), int64(e.to.Y)-int64(e.from.Y)
	gx, gy := int64(f.to.X)-int64(f.from.X), int64(f.to.Y)-int64(f.from.Y)
	hx, hy := int64(f.from.X)-int64(e.from.X), int64(f.from.Y)-int64(e.from.Y)
	s, t := hx*gy-hy*gx, dx*gy-dy*gx
	if t < 0 {
		s, t = -s, -t
	}
	return Point{
		e.from.X + int32(floorDiv(2*dx*s+t, 2*t)),
		e.from.Y + int32(floorDiv(2*dy*s+t, 2*t)),
	}, true
}

// floorDiv returns the floor of a / b for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func abs(v int64) int64 {
	if v < 0 {
		return -v
	}
	return v
}
