package arrangement

import (
	"cmp"
	"math"
	"slices"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// meet finds what edges have to be bent through: a hit for each pair of an edge and one of the
// points whose pixel it meets; and, if crossings are asked for, the hot points of all pairs of
// edges that cross.
//
// A grid of about as many cells as edges finds which are near one another. A cell with many edges
// is divided again, as long as that saves work: scenes are dense in some places and empty in
// others.
func (r *arranger) meet(a *Arrangement, points []lattice.Point, crossings bool) {
	m := meeting{arranger: r, edges: a.Edges, points: points, crossings: crossings}
	whole := cell{shift: [2]int{lattice.Bits + 1, lattice.Bits + 1}}
	m.cell(whole, lattice.Numbers(0, len(a.Edges)), lattice.Numbers(0, len(points)))
}

type meeting struct {
	*arranger
	edges     []Edge
	points    []lattice.Point
	crossings bool

	within          cell // being treated
	ending, passing []int32
	outline         []outlinePlace
	open            []int32
}

// cell is a rectangle: its lower left corner and the logarithms of its width and height.
type cell struct {
	corner lattice.Point
	shift  [2]int
}

// holds reports whether a lattice point is in the cell.
func (c *cell) holds(p lattice.Point) bool {
	return (p.X-c.corner.X)>>c.shift[0] == 0 && (p.Y-c.corner.Y)>>c.shift[1] == 0
}

const (
	// fewEdges is the number of edges up to which comparing all is cheapest.
	fewEdges = 16
	// leastShift ends the division at cells of 8 steps: below, the margin of a step around each
	// edge outweighs the cell.
	leastShift = 3
	// passed is how many columns, and rows, of parts an edge passes on average, at most.
	passed = 4
	// margin is by how much edges are widened when they are sorted into cells. Pixels and rounded
	// crossings reach half a step; the rest is far more than float64 loses on numbers of 21 bits.
	margin = 1
)

// cell treats a cell, given the edges within a step of it and the points in it.
func (m *meeting) cell(c cell, items, points []int32) {
	if len(items) == 0 || len(points) == 0 && !m.crossings || m.effort.over() {
		return
	}
	if len(items) <= fewEdges || max(c.shift[0], c.shift[1]) <= leastShift {
		m.leaf(c, items, points, true)
	} else if !m.split(c, items, points, false) && !m.leaf(c, items, points, false) {
		m.split(c, items, points, true)
	}
}

// split divides the cell and treats its parts. Unless it must, it returns false and does nothing
// where that would not save work.
func (m *meeting) split(of cell, items, points []int32, must bool) bool {
	p := m.divide(of, items)
	ends := make([]int32, p.columns*p.rows) // edges that end in each part
	ending := 0                             // and in all
	where := make([]int32, 0, 3*len(items))
	which := make([]int32, 0, 3*len(items))
	for _, i := range items {
		e := &m.edges[i]
		for _, q := range [2]lattice.Point{e.From, e.To} {
			if k := p.at(q); k >= 0 {
				ends[k]++
				ending++
			}
		}
		n := len(where)
		where = p.near(e, where)
		for range where[n:] {
			which = append(which, i)
		}
	}
	wherePoints := make([]int32, len(points))
	for n, i := range points {
		wherePoints[n] = p.at(m.points[i])
	}
	pointStart := make([]int32, p.columns*p.rows+1)
	points = lattice.Distribute(pointStart, wherePoints, points)
	// Where most edges are in one part each, little work is wasted, and a part that has most of
	// them may gain from its own division. Otherwise the estimate of leaf's work decides: chords
	// cost about as much as `chord` pairs.
	if len(which) > 2*len(items) && !must {
		const chord = 16
		var cost int64
		for _, k := range where {
			cost += int64(chord + ends[k] + pointStart[k+1] - pointStart[k])
		}
		if 2*cost > int64(len(items))*int64(chord+ending+len(points)) {
			return false
		}
	}
	start := make([]int32, p.columns*p.rows+1)
	which = lattice.Distribute(start, where, which)
	for c := range p.columns {
		for r := range p.rows {
			k := c*p.rows + r
			corner := lattice.Point{X: p.corner.X + c<<p.shift[0], Y: p.corner.Y + r<<p.shift[1]}
			m.cell(cell{corner, p.shift}, which[start[k]:start[k+1]], points[pointStart[k]:pointStart[k+1]])
		}
	}
	return true
}

// parts are the cells that a cell is divided into, column by column.
type parts struct {
	cell
	columns, rows int32
}

// divide returns about one part for each edge, over the part of the cell inside the domain. An edge
// is in one part, and in one more for each column and each row that it passes; of parts with the
// same area these are fewest where as many columns as rows are passed in all. So walls side by side
// get long parts.
func (m *meeting) divide(of cell, items []int32) parts {
	corner := of.corner
	wide := float64(min(int64(m.lattice.Size.X)-int64(corner.X), 1<<of.shift[0]-1) + 1)
	high := float64(min(int64(m.lattice.Size.Y)-int64(corner.Y), 1<<of.shift[1]-1) + 1)
	var along, across float64 // the parts of the cell's width and height that edges pass, added up
	right, top := corner.X+int32(wide), corner.Y+int32(high)
	for _, i := range items {
		e := &m.edges[i]
		low, above := e.rows()
		along += float64(max(0, min(e.To.X, right)-max(e.From.X, corner.X)))
		across += float64(max(0, min(above, top)-max(low, corner.Y)))
	}
	n := float64(len(items))
	along, across = max(along/wide, 1), max(across/high, 1)
	columns := min(max(math.Sqrt(n*across/along), 1), n)
	rows := n / columns
	// Long edges in many directions: fewer parts, which are divided in their own ways.
	columns, rows = min(columns, max(passed*n/along, 2)), min(rows, max(passed*n/across, 2))
	sub := [2]int{int(math.Log2(wide/columns) + 0.5), int(math.Log2(high/rows) + 0.5)}
	for axis := range sub {
		sub[axis] = min(max(sub[axis], leastShift), of.shift[axis])
	}
	if sub == of.shift {
		sub = [2]int{max(leastShift, sub[0]-1), max(leastShift, sub[1]-1)}
	}
	return parts{cell{corner, sub}, int32(int64(wide-1)>>sub[0]) + 1, int32(int64(high-1)>>sub[1]) + 1}
}

// at returns the part that holds p, or -1.
func (p *parts) at(q lattice.Point) int32 {
	c, r := (q.X-p.corner.X)>>p.shift[0], (q.Y-p.corner.Y)>>p.shift[1]
	if c < 0 || c >= p.columns || r < 0 || r >= p.rows {
		return -1
	}
	return c*p.rows + r
}

// near appends the parts within margin of an edge.
func (p *parts) near(e *Edge, where []int32) []int32 {
	wide, high := 1/float64(int64(1)<<p.shift[0]), 1/float64(int64(1)<<p.shift[1])
	place := func(q lattice.Point) [2]float64 {
		return [2]float64{float64(q.X-p.corner.X) * wide, float64(q.Y-p.corner.Y) * high}
	}
	return lattice.Near(place(e.From), place(e.To), [2]float64{margin * wide, margin * high}, int(p.columns), int(p.rows), where)
}

// leaf compares all points with all edges, and all edges with each other where chords does not rule
// that out. Unless it must, it returns false and does nothing where many edges would be compared.
func (m *meeting) leaf(c cell, items, points []int32, must bool) bool {
	m.within = c
	chords := m.crossings && len(items) > 4*fewEdges && m.chords(items)
	if m.crossings && len(items) > 4*fewEdges && !chords && !must {
		return false
	}
	if !m.effort.compare(int64(len(items)) * int64(len(points))) {
		return true
	}
	before := len(m.hits)
	for _, i := range items {
		e := &m.edges[i]
		for _, k := range points {
			p := m.points[k]
			if e.Through(p) {
				m.hits = append(m.hits, hit{edge: i, along: e.Along(p), at: p})
			}
		}
	}
	m.effort.meetings.Add(int64(len(m.hits) - before))
	switch {
	case !m.crossings:
	case chords:
		for n, i := range m.ending {
			m.crossAll(i, m.ending[n+1:])
			m.crossAll(i, m.passing)
		}
	default:
		for n, i := range items {
			m.crossAll(i, items[n+1:])
		}
	}
	return true
}

// crossAll adds the crossings of edge i with others whose lattice point is in the cell being
// treated: both edges pass within half a step of it.
func (m *meeting) crossAll(i int32, others []int32) {
	if !m.effort.compare(int64(len(others))) {
		return
	}
	before := len(m.hot)
	e := &m.edges[i]
	for _, j := range others {
		f := &m.edges[j]
		if e.apart(f) || f.From == e.From || f.To == e.To {
			continue
		}
		if p, ok := e.crossing(f); ok && m.within.holds(p) {
			m.hot = append(m.hot, p)
		}
	}
	m.effort.meetings.Add(int64(len(m.hot) - before))
}

// outlinePlace is where an edge meets the outline of a cell, measured along it.
type outlinePlace struct {
	at   float64
	edge int32
}

// chords divides the items into those that end in or near the cell and those that pass through it,
// and reports whether it is certain that no two of those that pass cross there. Hundreds of walls
// side by side are common, and comparing all pairs would take most of the time.
//
// The edges that pass cut chords off the cell, widened by one and a half steps so that it holds
// every crossing that is rounded into the cell, at least a step from its sides. Along its outline,
// the ends of chords that do not cross nest like brackets. Places on the outline are off by less
// than 2^-30 steps, float64 having 53 bits for 21 before the point and the few operations; where
// two are nearer than 2^-20 to each other, nothing is certain.
func (m *meeting) chords(items []int32) bool {
	c := m.within
	x0, y0 := float64(c.corner.X)-1.5, float64(c.corner.Y)-1.5
	width, height := float64(int64(1)<<c.shift[0])+3, float64(int64(1)<<c.shift[1])+3
	m.ending, m.passing, m.outline = m.ending[:0], m.passing[:0], m.outline[:0]
	inside := func(x, y float64) bool { return x > 0 && x < width && y > 0 && y < height }
	for _, i := range items {
		e := &m.edges[i]
		ax, ay := float64(e.From.X)-x0, float64(e.From.Y)-y0
		bx, by := float64(e.To.X)-x0, float64(e.To.Y)-y0
		if inside(ax, ay) || inside(bx, by) {
			m.ending = append(m.ending, i)
			continue
		}
		// Its ends are at least half a step from the outline, so an edge that misses it by an error
		// in the last place passes nothing of the cell.
		n := len(m.outline)
		if ax < 0 && bx > 0 {
			m.meetSide(i, ay+(by-ay)*(-ax/(bx-ax)), height, 2*width+height, true)
		}
		if ax < width && bx > width {
			m.meetSide(i, ay+(by-ay)*((width-ax)/(bx-ax)), height, width, false)
		}
		if (ay < 0) != (by < 0) {
			m.meetSide(i, ax+(bx-ax)*(-ay/(by-ay)), width, 0, false)
		}
		if (ay < height) != (by < height) {
			m.meetSide(i, ax+(bx-ax)*((height-ay)/(by-ay)), width, width+height, true)
		}
		switch len(m.outline) - n {
		case 0:
		case 2:
			m.passing = append(m.passing, i)
		default:
			return false // through a corner
		}
	}
	slices.SortFunc(m.outline, func(a, b outlinePlace) int { return cmp.Compare(a.at, b.at) })
	m.open = m.open[:0]
	for n, p := range m.outline {
		before := m.outline[len(m.outline)-1].at - 2*(width+height)
		if n > 0 {
			before = m.outline[n-1].at
		}
		if p.at-before < 1.0/(1<<20) {
			return false
		}
		if k := len(m.open); k > 0 && m.open[k-1] == p.edge {
			m.open = m.open[:k-1]
		} else {
			m.open = append(m.open, p.edge)
		}
	}
	return len(m.open) == 0
}

// meetSide adds the place where an edge meets a side of the outline, if it is on the side. The
// outline runs counter-clockwise from the lower left corner, and this side begins so far along it;
// back is true where coordinates decrease along it.
func (m *meeting) meetSide(edge int32, at, side, begin float64, back bool) {
	if at < 0 || at > side {
		return
	}
	if back {
		at = side - at
	}
	m.outline = append(m.outline, outlinePlace{at + begin, edge})
}
