// Package arrangement rounds obstacles to the lattice: New makes straight edges between lattice
// points that neither cross nor overlap nor pass through a vertex, and Incremental keeps them up to
// date while rings come and go.
//
// New works in three steps: contact puts vertices that touch an edge into it, clip puts rings on
// the lattice and cuts them off at the domain's border, and snap rounding does the rest; meet, its
// inner loop, finds which edges and points are near one another.
//
// Snap rounding (J. D. Hobby, Practical segment intersection with finite precision output, 1999; L.
// Guibas and D. Marimont, Rounding arrangements dynamically, 1998). Each lattice point owns the
// pixel of points that round to it, half a step to either side, closed at the left and bottom.
// Pixels that hold a vertex, or a crossing of two edges, are hot. Every edge becomes the chain of
// the hot lattice points whose pixels it meets, in the order in which it meets them. So an edge
// moves by at most half a step along either axis, and may touch others that it did not touch, but
// never passes to the other side of a vertex.
//
// One round suffices. By the cited theorem chains do not cross. Nor does a vertex come to lie on an
// edge that was not bent through it: the points whose pixels an edge meets, between its ends, form
// a strip with at most one of its two borders (see Edge.Through), which is convex, and the chain
// runs between points of it.
//
// The result is independent of the order and orientation of the input: hot pixels are a set, chains
// follow from an edge's two ends, and the result is sorted.
package arrangement

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// Arrangement is the result of snap rounding.
type Arrangement struct {
	Vertices []lattice.Point // sorted, each once
	Edges    []Edge          // sorted by ends, each once
}

// Edge is an edge of an arrangement. Its lower end comes first.
type Edge struct {
	From, To lattice.Point
	A, B     int32 // indices of From and To in Vertices
	// Net is the winding number to the left less that to the right.
	Net int32
}

// CompareEdges orders edges by their ends.
func CompareEdges(a, b Edge) int {
	return cmp.Or(a.From.Compare(b.From), a.To.Compare(b.To))
}

// Winding is how ring k of a polygon counts: 1 for the outer one, counter-clockwise, and -1 for
// holes, clockwise.
func Winding(k int) int32 {
	if k > 0 {
		return -1
	}
	return 1
}

// New returns the arrangement of the rings of the obstacles and the domain's border. It returns a
// *VertexError for a vertex that cannot be put on the lattice, and a *polygon.LimitError for more
// than MaxVertices vertices, more than so many meetings (see MaxMeetings) or too many comparisons.
func New(l lattice.Lattice, obstacles []polygon.Polygon, meetings int64) (*Arrangement, error) {
	if err := Check(l, obstacles); err != nil {
		return nil, err
	}
	vertices := polygon.Vertices(obstacles)
	if err := CheckCount(vertices); err != nil {
		return nil, err
	}
	e := effort{most: meetings}
	a := arrange(l, joined(l, obstacles, &e), &e)
	return a, e.err(vertices)
}

// Places returns the vertices before rounding, in the world: of several obstacle vertices that
// became one the least by x, then y; of other vertices the lattice point.
func Places(l lattice.Lattice, vertices []lattice.Point, obstacles []polygon.Polygon) []mgl64.Vec2 {
	places := make([]mgl64.Vec2, len(vertices))
	given := make([]bool, len(vertices))
	for i, p := range vertices {
		places[i] = l.World(p)
	}
	for _, o := range obstacles {
		for _, r := range o.Rings() {
			for _, v := range r {
				if !l.Contains(v) {
					continue
				}
				i, ok := slices.BinarySearchFunc(vertices, l.Snap(v), lattice.Point.Compare)
				if ok && (!given[i] || polygon.Less(v, places[i])) {
					places[i], given[i] = v, true
				}
			}
		}
	}
	return places
}

// arranger collects edges and arranges them.
type arranger struct {
	lattice lattice.Lattice
	effort  *effort
	raw     []Edge
	hits    []hit
	hot     []lattice.Point
	radix   lattice.Radix
	keys    []uint64
	vals    []int32
	ends    []int32
}

// hit is a point that an edge has to be bent through.
type hit struct {
	edge  int32
	along int32 // see Edge.Along
	at    lattice.Point
}

// arrange snap-rounds the rings of the obstacles and the domain's border. If e passes a limit, the
// result is incomplete.
func arrange(l lattice.Lattice, obstacles []polygon.Polygon, e *effort) *Arrangement {
	r := arranger{lattice: l, effort: e}
	if e.over() {
		return &Arrangement{}
	}
	c := clipper{lattice: l}
	r.raw = make([]Edge, 0, polygon.Vertices(obstacles)+4)
	for _, o := range obstacles {
		for k, ring := range o.Rings() {
			r.addRing(c.clip(ring), Winding(k))
		}
	}
	for _, e := range border(l) {
		r.add(e[0], e[1], 0)
	}
	return r.run()
}

// border returns the edges of the domain's border, lower ends first.
func border(l lattice.Lattice) [4][2]lattice.Point {
	w, h := l.Size.X, l.Size.Y
	return [4][2]lattice.Point{{{}, {X: w}}, {{}, {Y: h}}, {{X: w}, {X: w, Y: h}}, {{Y: h}, {X: w, Y: h}}}
}

// addRing adds the edges of a ring, counted counter-clockwise if winding is 1 and clockwise if -1,
// whatever its orientation on the lattice. A ring without area there covers nothing, but its edges
// stay.
func (r *arranger) addRing(ring []lattice.Point, winding int32) {
	var area int64
	for i := range ring {
		// Below 2^42 each: only 2^21 vertices could overflow the sum, more than MaxVertices.
		area += lattice.Cross(lattice.Point{}, ring[i], ring[(i+1)%len(ring)])
	}
	winding *= int32(lattice.SideOf(area))
	for i := range ring {
		r.add(ring[i], ring[(i+1)%len(ring)], winding)
	}
}

// add adds the edge from p to q.
func (r *arranger) add(p, q lattice.Point, net int32) {
	if q.Less(p) {
		p, q, net = q, p, -net
	}
	if p != q {
		r.raw = append(r.raw, Edge{From: p, To: q, Net: net})
	}
}

// run rounds the edges.
func (r *arranger) run() *Arrangement {
	a := &Arrangement{}
	r.index(a)
	r.meet(a, a.Vertices, true)
	if len(r.hot) > 0 {
		r.meet(a, r.newHot(a.Vertices), false)
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
func (r *arranger) index(a *Arrangement) {
	n := len(r.raw)
	r.keys, r.vals = r.keys[:0], r.vals[:0]
	for i := range r.raw {
		r.keys = append(r.keys, r.raw[i].From.Key(), r.raw[i].To.Key())
		r.vals = append(r.vals, int32(2*i), int32(2*i+1))
	}
	r.radix.Sort(r.keys, r.vals, lattice.KeyBits)
	r.ends = slices.Grow(r.ends[:0], 2*n)[:2*n]
	a.Vertices = a.Vertices[:0]
	for i, k := range r.keys {
		if i == 0 || r.keys[i-1] != k {
			a.Vertices = append(a.Vertices, lattice.PointOf(k))
		}
		r.ends[r.vals[i]] = int32(len(a.Vertices) - 1)
	}
	width := bits.Len(uint(len(a.Vertices)))
	r.keys, r.vals = r.keys[:n], r.vals[:n]
	for i := range n {
		r.keys[i] = uint64(r.ends[2*i])<<width | uint64(r.ends[2*i+1])
		r.vals[i] = int32(i)
	}
	r.radix.Sort(r.keys, r.vals, 2*width)
	a.Edges = a.Edges[:0]
	for i, k := range r.keys {
		e := &r.raw[r.vals[i]]
		if i > 0 && r.keys[i-1] == k {
			a.Edges[len(a.Edges)-1].Net += e.Net
			continue
		}
		e.A, e.B = int32(k>>width), int32(k&(1<<width-1))
		a.Edges = append(a.Edges, *e)
	}
}

// newHot returns the hot points that are not vertices, sorted, each once.
func (r *arranger) newHot(vertices []lattice.Point) []lattice.Point {
	r.keys, r.vals = r.keys[:0], r.vals[:0]
	for i, p := range r.hot {
		r.keys, r.vals = append(r.keys, p.Key()), append(r.vals, int32(i))
	}
	r.radix.Sort(r.keys, r.vals, lattice.KeyBits)
	r.hot = r.hot[:0]
	v := 0
	for i, k := range r.keys {
		if i > 0 && r.keys[i-1] == k {
			continue
		}
		for v < len(vertices) && vertices[v].Key() < k {
			v++
		}
		if v == len(vertices) || vertices[v].Key() != k {
			r.hot = append(r.hot, lattice.PointOf(k))
		}
	}
	return r.hot
}

// bend replaces the raw edges by the edges bent through their hits.
func (r *arranger) bend(a *Arrangement) {
	r.keys, r.vals = r.keys[:0], r.vals[:0]
	width := bits.Len(2 * lattice.Steps)
	for i, h := range r.hits {
		r.keys = append(r.keys, uint64(h.edge)<<width|uint64(h.along))
		r.vals = append(r.vals, int32(i))
	}
	r.radix.Sort(r.keys, r.vals, width+bits.Len(uint(len(a.Edges))))
	r.raw = r.raw[:0]
	next := 0
	for i := range a.Edges {
		e := &a.Edges[i]
		p := e.From
		for ; next < len(r.vals) && r.hits[r.vals[next]].edge == int32(i); next++ {
			q := r.hits[r.vals[next]].at
			r.add(p, q, e.Net)
			p = q
		}
		r.add(p, e.To, e.Net)
	}
}

// Along returns how far from e's lower end p lies, the differences of coordinates added: that
// orders the points that e is bent through.
func (e *Edge) Along(p lattice.Point) int32 {
	return p.X - e.From.X + int32(lattice.Abs(int64(p.Y)-int64(e.From.Y)))
}

// rows returns the least and the greatest Y of the edge.
func (e *Edge) rows() (low, high int32) { return min(e.From.Y, e.To.Y), max(e.From.Y, e.To.Y) }

// apart reports whether a vertical or horizontal line separates the interiors of e and f.
func (e *Edge) apart(f *Edge) bool {
	return f.From.X >= e.To.X || f.To.X <= e.From.X ||
		min(f.From.Y, f.To.Y) >= max(e.From.Y, e.To.Y) || max(f.From.Y, f.To.Y) <= min(e.From.Y, e.To.Y)
}

// Through reports whether e has to be bent through w: whether it meets w's pixel and w is not an
// end.
//
// With d = to - from and c = d x (w - from), the pixel's corners w ± 1/2 lie at c ± d.X/2 ± d.Y/2
// from the line, times |d|. Inside the bounding box the edge meets the open pixel if corners lie
// strictly on both sides of the line, and otherwise touches the pixel at most in one corner, of
// which only the lower left, at c - d.X/2 + d.Y/2 up to sign, belongs to it. (The line meets the
// pixel within the edge: left of w.X - 1/2 lies no end that is right of w.X - 1, and so on; an edge
// that begins in w's column meets the pixel's rows there or never.) Products are below 2^41.
func (e *Edge) Through(w lattice.Point) bool {
	if w.X < e.From.X || w.X > e.To.X || w.Y < min(e.From.Y, e.To.Y) || w.Y > max(e.From.Y, e.To.Y) || w == e.From || w == e.To {
		return false
	}
	dx, dy := int64(e.To.X)-int64(e.From.X), int64(e.To.Y)-int64(e.From.Y)
	c := 2 * lattice.Cross(e.From, e.To, w)
	return lattice.Abs(c) < dx+lattice.Abs(dy) || c == dx-dy
}

// crossing returns the lattice point whose pixel holds the crossing of e and f, if they cross in a
// point interior to both.
//
// The crossing is e.From + d * s / t with s = (f.From - e.From) x g, t = d x g, d and g the edges'
// vectors. |s| and |t| are at most 2^41, so 2 * d.X * s + t is below 2^20 * 2^42 + 2^41 < 2^63, and
// rounding, the floor of (2 d s + t) / 2t, is exact in 64 bits.
func (e *Edge) crossing(f *Edge) (lattice.Point, bool) {
	if lattice.Orient(e.From, e.To, f.From)*lattice.Orient(e.From, e.To, f.To) >= 0 ||
		lattice.Orient(f.From, f.To, e.From)*lattice.Orient(f.From, f.To, e.To) >= 0 {
		return lattice.Point{}, false
	}
	dx, dy := int64(e.To.X)-int64(e.From.X), int64(e.To.Y)-int64(e.From.Y)
	gx, gy := int64(f.To.X)-int64(f.From.X), int64(f.To.Y)-int64(f.From.Y)
	hx, hy := int64(f.From.X)-int64(e.From.X), int64(f.From.Y)-int64(e.From.Y)
	s, t := hx*gy-hy*gx, dx*gy-dy*gx
	if t < 0 {
		s, t = -s, -t
	}
	return lattice.Point{
		X: e.From.X + int32(floorDiv(2*dx*s+t, 2*t)),
		Y: e.From.Y + int32(floorDiv(2*dy*s+t, 2*t)),
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
