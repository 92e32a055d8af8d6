package polygon

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// outline holds the rings of a polygon, equal neighbors merged, one after the other in flat slices.
// Edge i runs from vertex i to vertex next[i].
type outline struct {
	vertices   []mgl64.Vec2
	next, prev []int32
	ring       []int32 // the ring of each vertex
	index      []int   // its index in that ring as given
	first      []int32 // the first vertex of each ring, and the end
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

func (o *outline) edge(i int32) (a, b mgl64.Vec2) { return o.vertices[i], o.vertices[o.next[i]] }

// counterClockwise reports the orientation of a ring that does not meet itself.
func (o *outline) counterClockwise(r int) bool {
	lowest := o.first[r]
	for i := lowest; i < o.first[r+1]; i++ {
		if Less(o.vertices[i], o.vertices[lowest]) {
			lowest = i
		}
	}
	// The lowest vertex is strictly convex.
	return orient(o.vertices[o.prev[lowest]], o.vertices[lowest], o.vertices[o.next[lowest]]) == lattice.Left
}

// edgeGrid lists the edges of an outline near each cell of a uniform grid. It proposes pairs of
// edges to the exact tests. Its first axis lies in the direction that most edges have, so that long
// edges side by side, the worst case, fall into different rows.
type edgeGrid struct {
	origin        mgl64.Vec2
	axis          mgl64.Vec2 // unit vector
	low           mgl64.Vec2 // least coordinates along the axis and across it
	scale         mgl64.Vec2 // cells per meter
	columns, rows int
	start         []int32 // of each cell in items, and the end
	items         []int32
}

const (
	// maxSide is the largest number of cells along a side.
	maxSide = 1 << 14
	// maxThin is the largest ratio of the grid's sides.
	maxThin = 1 << 10
	// slack is how far, in cells, an edge is listed beyond the cells that it touches. Coordinates
	// carry less than eight roundings of 2^-53 relative to the grid's longer side, that is 2^-50 *
	// maxThin * maxSide = 2^-26 cells. A place on an edge computed from its row is off by that
	// times the edge's slope, which is below 2*maxSide where it is used (see lattice.Near): 2^-11.
	slack = 1.0 / 1024
)

func newEdgeGrid(o *outline) *edgeGrid {
	g := &edgeGrid{origin: o.vertices[0], axis: mainDirection(o), scale: mgl64.Vec2{1, 1}, columns: 1, rows: 1}
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
	// One cell where sizes leave the range of float64, or are NaN because of that.
	if longer > 0x1p-900 && longer < 0x1p900 {
		// An outline has about n + columns*along + rows*across entries in the grid. For a given
		// columns*rows that is least where both terms are equal.
		n := float64(len(o.vertices))
		shorter = max(shorter, longer/maxThin)
		extent = mgl64.Vec2{max(extent[0], shorter), max(extent[1], shorter)}
		along, across := run[0]/extent[0], run[1]/extent[1]
		entries := max(8*n, 1<<25) // an upper limit for any outline
		cells := min(2*n, entries*entries/4/(along*across))
		columns := min(max(math.Sqrt(cells*across/along), 1), cells, maxSide)
		g.columns = max(int(columns), 1)
		g.rows = max(int(min(cells/columns, maxSide)), 1)
		g.low = lo
		g.scale = mgl64.Vec2{float64(g.columns) / extent[0], float64(g.rows) / extent[1]}
	}
	var where []int32
	for i := range int32(len(o.vertices)) {
		a, b := o.edge(i)
		n := len(where)
		where = g.cells(a, b, where)
		for range where[n:] {
			g.items = append(g.items, i)
		}
	}
	g.start = make([]int32, g.columns*g.rows+1)
	g.items = lattice.Distribute(g.start, where, g.items)
	return g
}

// mainDirection returns the mean direction of the edges, weighted by length. Opposite directions
// are the same, so doubled angles are added.
func mainDirection(o *outline) mgl64.Vec2 {
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

// in returns the edges listed in a cell.
func (g *edgeGrid) in(cell int32) []int32 { return g.items[g.start[cell]:g.start[cell+1]] }

// at returns the place of p in cells.
func (g *edgeGrid) at(p mgl64.Vec2) (u, v float64) {
	d := p.Sub(g.origin)
	return (d.Dot(g.axis) - g.low[0]) * g.scale[0], (d[1]*g.axis[0] - d[0]*g.axis[1] - g.low[1]) * g.scale[1]
}

// cells appends every cell within slack of the segment ab, row by row.
func (g *edgeGrid) cells(a, b mgl64.Vec2, cells []int32) []int32 {
	ua, va := g.at(a)
	ub, vb := g.at(b)
	return lattice.Near([2]float64{va, ua}, [2]float64{vb, ub}, [2]float64{slack, slack}, g.rows, g.columns, cells)
}
