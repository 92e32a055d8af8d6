package geom

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// Check returns nil if the polygon is simple, and a *PolygonError otherwise.
// It is decided exactly on the coordinates as given:
//   - Coordinates are finite. Equal neighbours count as one vertex; then each
//     ring has at least three distinct vertices that are not all on one line.
//   - No two edges of a ring share a point, except that neighbours share their
//     common vertex. A ring that merely touches itself in a point is refused like
//     one that crosses itself (give the parts as polygons of their own), and so
//     is a spike, an edge that runs back along the one before it. Vertices on a
//     straight line are fine.
//   - Holes lie inside the outer ring and outside each other. They may touch the
//     outer ring and each other in points, but not along edges.
//
// Of several self-intersections the one with the lowest edges is told. The cost
// is close to linear for outlines of things, tens of milliseconds for 20,000
// vertices, and quadratic only where most edges are long and run side by side in
// several directions. That ends in a *LimitError after some seconds.
func (p Polygon) Check() error {
	rings := p.rings()
	for r, ring := range rings {
		for i, v := range ring {
			if !finite(v) {
				return &PolygonError{Kind: NotFinite, Ring: r, Index: i, OtherRing: r, Other: i, Point: v}
			}
		}
	}
	o := newOutline(rings)
	for r := range rings {
		if err := o.checkFlat(r); err != nil {
			return err
		}
	}
	if err := o.checkMeetings(maxPairs); err != nil {
		return err
	}
	return nil
}

func finite(v mgl64.Vec2) bool {
	// The difference of a number with itself is zero unless it is NaN or infinite.
	return v[0]-v[0] == 0 && v[1]-v[1] == 0
}

// outline holds the rings of a polygon, equal neighbours merged, one after the
// other in flat slices. Edge i runs from vertex i to vertex next[i].
type outline struct {
	vertices   []mgl64.Vec2
	next, prev []int32
	ring       []int32 // the ring that a vertex is in
	index      []int   // its index in that ring as given
	first      []int32 // first vertex of each ring, and the end
}

func newOutline(rings []Ring) *outline {
	o := &outline{first: []int32{0}}
	for r, ring := range rings {
		kept, index := ring.merged()
		first, n := int32(len(o.vertices)), int32(len(kept))
		o.vertices = append(o.vertices, kept...)
		o.index = append(o.index, index...)
		for i := range n {
			o.ring = append(o.ring, int32(r))
			o.next = append(o.next, first+(i+1)%n)
			o.prev = append(o.prev, first+(i+n-1)%n)
		}
		o.first = append(o.first, first+n)
	}
	return o
}

// of returns the vertices of ring r.
func (o *outline) of(r int) []mgl64.Vec2 {
	return o.vertices[o.first[r]:o.first[r+1]]
}

// fault returns an error about vertex or edge i, and edge j where two are at fault.
func (o *outline) fault(kind PolygonFault, i, j int32, at mgl64.Vec2) *PolygonError {
	return &PolygonError{
		Kind: kind, Ring: int(o.ring[i]), Index: o.index[i],
		OtherRing: int(o.ring[j]), Other: o.index[j], Point: at,
	}
}

// checkFlat finds rings with fewer than three distinct vertices, or with all of
// them on one line.
func (o *outline) checkFlat(r int) error {
	ring := o.of(r)
	if len(ring) == 0 {
		return &PolygonError{Kind: TooFewVertices, Ring: r, OtherRing: r}
	}
	// After merging, ring[1] differs from ring[0] if it exists at all.
	third := slices.IndexFunc(ring, func(v mgl64.Vec2) bool { return v != ring[0] && v != ring[min(1, len(ring)-1)] })
	if third < 0 {
		return o.fault(TooFewVertices, o.first[r], o.first[r], ring[0])
	}
	if !slices.ContainsFunc(ring, func(v mgl64.Vec2) bool { return orientWorld(ring[0], ring[1], v) != Collinear }) {
		return o.fault(ZeroArea, o.first[r], o.first[r], ring[0])
	}
	return nil
}

// checkMeetings finds self-intersections, then what is wrong between rings. All
// rings have an area. So many pairs of edges are compared at most.
func (o *outline) checkMeetings(most int64) error {
	grid := newEdgeGrid(o)
	seen := make([]int32, len(o.vertices)) // edge j was compared with edge seen[j]-1 last
	counterClockwise := make([]bool, len(o.first)-1)
	for r := range counterClockwise {
		counterClockwise[r] = o.counterClockwise(r)
	}
	touching := map[[2]int32]bool{} // pairs of rings, lower first, that touch
	var between *PolygonError       // told only if no ring meets itself
	pairs := int64(0)

	for i := range int32(len(o.vertices)) {
		var own *PolygonError // the fault with the lowest second edge
		var ownOther int32
		for cell := range grid.cells(o.edge(i)) {
			for _, j := range grid.in(cell) {
				if j <= i || seen[j] == i+1 {
					continue
				}
				seen[j] = i + 1
				if pairs++; pairs > most {
					return &LimitError{What: "pairs of an edge and what is near it", Needed: pairs, Limit: most, Vertices: len(o.vertices)}
				}
				same := o.ring[i] == o.ring[j]
				if !same && between != nil || same && own != nil && j > ownOther {
					continue
				}
				kind, at := meet(o.vertices[i], o.vertices[o.next[i]], o.vertices[j], o.vertices[o.next[j]])
				if kind == apart {
					continue
				}
				if same {
					// Neighbours meet in their common vertex and nowhere else,
					// unless one runs back along the other.
					if neighbours := o.next[i] == j || o.next[j] == i; !neighbours || kind == overlap {
						own, ownOther = o.fault(SelfIntersection, i, j, at), j
					}
					continue
				}
				touching[[2]int32{o.ring[i], o.ring[j]}] = true
				between = o.judge(kind, i, j, at, counterClockwise)
			}
		}
		if own != nil {
			return own
		}
	}
	if between != nil {
		return between
	}
	// Rings that do not touch are inside or outside each other as a whole.
	for h := 1; h < len(o.first)-1; h++ {
		around := grid.ringsAround(o, o.first[h])
		around = slices.DeleteFunc(around, func(r int32) bool {
			return touching[[2]int32{min(r, int32(h)), max(r, int32(h))}]
		})
		inOuter := touching[[2]int32{0, int32(h)}]
		for _, r := range around {
			if r == 0 {
				inOuter = true
				continue
			}
			return o.fault(HolesOverlap, o.first[h], o.first[r], o.vertices[o.first[h]])
		}
		if !inOuter {
			return o.fault(HoleOutside, o.first[h], o.first[h], o.vertices[o.first[h]])
		}
	}
	return nil
}

// judge returns what is wrong where edge i of one ring meets edge j of a later
// one, or nil if the rings touch there as they may.
//
// Where rings meet in points only, and each of these points is a vertex of one
// of them, the pieces of the later ring between such points are on one side of
// the earlier ring as a whole, and it is enough to look at their first steps.
func (o *outline) judge(kind contact, i, j int32, at mgl64.Vec2, counterClockwise []bool) *PolygonError {
	wrong := HolesOverlap
	if o.ring[i] == 0 {
		wrong = HoleCrossing
	}
	if kind != touch {
		return o.fault(wrong, j, i, at)
	}
	if at == o.vertices[o.next[i]] || at == o.vertices[o.next[j]] {
		return nil // the next edge starts here and will be judged
	}
	branch := func(i int32) (from, to mgl64.Vec2) {
		if at == o.vertices[i] {
			return o.vertices[o.prev[i]], o.vertices[o.next[i]]
		}
		return o.vertices[i], o.vertices[o.next[i]]
	}
	// inside counts how many of the branches of edge k's ring at this point go
	// into the region of edge i's ring.
	inside := func(i, k int32) int {
		from, to := branch(i)
		if !counterClockwise[o.ring[i]] {
			from, to = to, from
		}
		count := 0
		a, b := branch(k)
		for _, q := range [...]mgl64.Vec2{a, b} {
			if within(at, from, to, q) {
				count++
			}
		}
		return count
	}
	if o.ring[i] == 0 {
		switch inside(i, j) {
		case 2:
			return nil
		case 0:
			wrong = HoleOutside
		}
		return o.fault(wrong, j, i, at)
	}
	if inside(i, j) > 0 || inside(j, i) > 0 {
		return o.fault(wrong, j, i, at)
	}
	return nil
}

// within reports whether the step from p to q goes left of the path that comes
// from `from`, passes p and goes to `to`. A step along the path is not left of it.
func within(p, from, to, q mgl64.Vec2) bool {
	leftOfTo, leftOfFrom := orientWorld(p, to, q) == Left, orientWorld(from, p, q) == Left
	switch orientWorld(from, p, to) {
	case Left:
		return leftOfTo && leftOfFrom
	case Collinear:
		return leftOfTo
	}
	return leftOfTo || leftOfFrom
}

// counterClockwise reports the orientation of a ring that does not meet itself.
func (o *outline) counterClockwise(r int) bool {
	lowest := o.first[r]
	for i := lowest; i < o.first[r+1]; i++ {
		if lessWorld(o.vertices[i], o.vertices[lowest]) {
			lowest = i
		}
	}
	// The lowest vertex is strictly convex.
	return orientWorld(o.vertices[o.prev[lowest]], o.vertices[lowest], o.vertices[o.next[lowest]]) == Left
}

func (o *outline) edge(i int32) (a, b mgl64.Vec2) {
	return o.vertices[i], o.vertices[o.next[i]]
}

// edgeGrid is a uniform grid over an outline that lists the edges near each
// cell. It only proposes pairs of edges to the exact tests. Its first axis lies
// in the direction that the outline's edges favour: then long edges side by
// side, the worst that an outline can have, fall into different rows.
type edgeGrid struct {
	origin        mgl64.Vec2
	axis          mgl64.Vec2 // unit vector
	low           mgl64.Vec2 // least coordinates along the axis and across it
	scale         mgl64.Vec2 // cells per metre
	columns, rows int
	start         []int32 // of each cell in items, and the end
	items         []int32
}

const (
	// maxSide is the largest number of cells along a side.
	maxSide = 1 << 14
	// maxThin is how much longer than wide a grid may be.
	maxThin = 1 << 10
	// slack is how far, in cells, an edge is listed beyond the cells that it
	// touches. Coordinates carry less than eight roundings of 2^-53 relative to
	// the grid's longer side, that is 2^-50 * maxThin * maxSide = 2^-26 cells. A
	// place on an edge that is looked up by its row is off by that times the
	// edge's slope, which is below maxSide where it is used: 2^-12.
	slack = 1.0 / 1024
)

func newEdgeGrid(o *outline) *edgeGrid {
	g := &edgeGrid{origin: o.vertices[0], axis: favoured(o), scale: mgl64.Vec2{1, 1}, columns: 1, rows: 1}
	var lo, hi, run mgl64.Vec2 // run is the sum of the edges' extents
	for i := range int32(len(o.vertices)) {
		a, b := o.edge(i)
		ua, va := g.at(a)
		ub, vb := g.at(b)
		lo = mgl64.Vec2{min(lo[0], ua), min(lo[1], va)}
		hi = mgl64.Vec2{max(hi[0], ua), max(hi[1], va)}
		run = run.Add(mgl64.Vec2{math.Abs(ub - ua), math.Abs(vb - va)})
	}
	extent := hi.Sub(lo)
	longer, shorter := max(extent[0], extent[1]), min(extent[0], extent[1])
	// Where sizes leave the range of float64, or are NaN for that, one cell must do.
	if longer > 0x1p-900 && longer < 0x1p900 {
		// An outline has about n + columns*along + rows*across entries in the grid.
		// With columns*rows given that is least where both terms are equal.
		n := float64(len(o.vertices))
		shorter = max(shorter, longer/maxThin)
		extent = mgl64.Vec2{max(extent[0], shorter), max(extent[1], shorter)}
		along, across := run[0]/extent[0], run[1]/extent[1]
		entries := max(8*n, 1<<25) // as many at most, whatever the outline
		cells := min(2*n, entries*entries/4/(along*across))
		columns := min(max(math.Sqrt(cells*across/along), 1), cells, maxSide)
		g.columns = max(int(columns), 1)
		g.rows = max(int(min(cells/columns, maxSide)), 1)
		g.low = lo
		g.scale = mgl64.Vec2{float64(g.columns) / extent[0], float64(g.rows) / extent[1]}
	}
	g.start = make([]int32, g.columns*g.rows+1)
	for i := range int32(len(o.vertices)) {
		for cell := range g.cells(o.edge(i)) {
			g.start[cell+1]++
		}
	}
	for c := range g.columns * g.rows {
		g.start[c+1] += g.start[c]
	}
	g.items = make([]int32, g.start[len(g.start)-1])
	fill := slices.Clone(g.start)
	for i := range int32(len(o.vertices)) {
		for cell := range g.cells(o.edge(i)) {
			g.items[fill[cell]] = i
			fill[cell]++
		}
	}
	return g
}

// favoured returns the mean direction of the edges, by length, where opposite
// directions are the same and so doubled angles are what is added.
func favoured(o *outline) mgl64.Vec2 {
	var sum mgl64.Vec2
	for i := range int32(len(o.vertices)) {
		a, b := o.edge(i)
		d := b.Sub(a)
		length := d.Len()
		if d = d.Mul(1 / length); finite(d) {
			sum = sum.Add(mgl64.Vec2{d[0]*d[0] - d[1]*d[1], 2 * d[0] * d[1]}.Mul(length))
		}
	}
	if !finite(sum) {
		return mgl64.Vec2{1, 0}
	}
	sin, cos := math.Sincos(math.Atan2(sum[1], sum[0]) / 2)
	return mgl64.Vec2{cos, sin}
}

func (g *edgeGrid) in(cell int) []int32 {
	return g.items[g.start[cell]:g.start[cell+1]]
}

// at returns the place of p in cells.
func (g *edgeGrid) at(p mgl64.Vec2) (u, v float64) {
	d := p.Sub(g.origin)
	return (d.Dot(g.axis) - g.low[0]) * g.scale[0], (d[1]*g.axis[0] - d[0]*g.axis[1] - g.low[1]) * g.scale[1]
}

func clampCell(v float64, n int) int {
	switch {
	case !(v >= 1): // NaN too
		return 0
	case v >= float64(n-1):
		return n - 1
	}
	return int(v)
}

// cells yields every cell that comes within slack of the segment ab.
func (g *edgeGrid) cells(a, b mgl64.Vec2) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		ua, va := g.at(a)
		ub, vb := g.at(b)
		if vb < va {
			ua, va, ub, vb = ub, vb, ua, va
		}
		low, high := clampCell(va-slack, g.rows), clampCell(vb+slack, g.rows)
		for row := low; row <= high; row++ {
			left, right := min(ua, ub), max(ua, ub)
			if vb-va > 1 {
				slope := (ub - ua) / (vb - va)
				u0 := ua + (max(float64(row)-slack, va)-va)*slope
				u1 := ua + (min(float64(row+1)+slack, vb)-va)*slope
				left, right = max(left, min(u0, u1)), min(right, max(u0, u1))
			}
			first, last := clampCell(left-slack, g.columns), clampCell(right+slack, g.columns)
			for column := first; column <= last; column++ {
				if !yield(row*g.columns + column) {
					return
				}
			}
		}
	}
}

// ringsAround returns the rings other than its own that vertex k is inside of,
// lowest first. The vertex is on none of them, or the answer about that one
// means nothing.
func (g *edgeGrid) ringsAround(o *outline, k int32) []int32 {
	p := o.vertices[k]
	u, v := g.at(p)
	row := clampCell(v, g.rows)
	// A ray from far against the grid's axis, or the x axis where there is but one
	// cell, to p enters and leaves the region of a ring in turns. That it lies in
	// the row but for rounding is enough, for edges are listed with slack.
	above := func(q mgl64.Vec2) bool { return q[1] > p[1] }
	if g.columns*g.rows > 1 {
		far := p.Sub(g.axis.Mul(2 * (u + 1) / g.scale[0]))
		above = func(q mgl64.Vec2) bool { return orientWorld(far, p, q) == Left }
	}
	var crossed []int32
	for column := range clampCell(u+slack, g.columns) + 1 {
		crossed = append(crossed, g.in(row*g.columns+column)...)
	}
	slices.Sort(crossed)
	crossed = slices.Compact(crossed)
	var around []int32
	for i := 0; i < len(crossed); {
		ring, odd := o.ring[crossed[i]], false
		for ; i < len(crossed) && o.ring[crossed[i]] == ring; i++ {
			a, b := o.edge(crossed[i])
			if above(a) == above(b) {
				continue
			}
			behind := Right // of an edge that goes up
			if above(a) {
				behind = Left
			}
			if orientWorld(a, b, p) == behind {
				odd = !odd
			}
		}
		if odd && ring != o.ring[k] {
			around = append(around, ring)
		}
	}
	return around
}
