package geom

import (
	"cmp"
	"math"
	"slices"
)

// meet finds what edges have to be bent through: for each pair of an edge and
// one of the points, a hit where the edge meets the point's pixel; and, if
// crossings are asked for, the hot points of all pairs of edges that cross.
//
// A grid of about as many cells as edges sorts out which are near one another.
// A cell that is still crowded gets a grid of its own, as long as that saves
// work: scenes are dense in some places and empty in others.
func (r *arranger) meet(a *arrangement, points []Point, crossings bool) {
	m := meeting{arranger: r, edges: a.edges, points: points, crossings: crossings}
	items := make([]int32, len(a.edges))
	for i := range items {
		items[i] = int32(i)
	}
	all := make([]int32, len(points))
	for i := range all {
		all[i] = int32(i)
	}
	m.cell(cellAt{shift: [2]int{Bits + 1, Bits + 1}}, items, all)
}

type meeting struct {
	*arranger
	edges     []edge
	points    []Point
	crossings bool

	within          cellAt // being treated
	ending, passing []int32
	ring            []place
	open            []int32
}

// cellAt is a cell's lower left corner and the logarithms of its width and height.
type cellAt struct {
	corner Point
	shift  [2]int
}

// holds returns whether a lattice point is in the cell.
func (c *cellAt) holds(p Point) bool {
	return (p.X-c.corner.X)>>c.shift[0] == 0 && (p.Y-c.corner.Y)>>c.shift[1] == 0
}

const (
	// crowd is the number of edges below which comparing all is cheapest.
	crowd = 16
	// leastShift ends the division at cells of 8 steps: below, the margin of a
	// step around each edge outweighs the cell.
	leastShift = 3
	// passed is how many columns, and rows, of parts an edge passes on average, at most.
	passed = 4
	// margin by which edges are widened when they are sorted into cells. Half a
	// step is what pixels and rounded crossings reach; the rest is far more
	// than float64 loses on numbers of 21 bits.
	margin = 1
)

// cell treats a cell, given the edges that come within a step of it and the points
// in it.
func (m *meeting) cell(c cellAt, items, points []int32) {
	if len(items) == 0 || len(points) == 0 && !m.crossings || m.effort.over() {
		return
	}
	if len(items) <= crowd || max(c.shift[0], c.shift[1]) <= leastShift {
		m.leaf(c, items, points, true)
	} else if !m.split(c, items, points, false) && !m.leaf(c, items, points, false) {
		m.split(c, items, points, true)
	}
}

// split divides the cell, treats its parts, and returns true; or returns false
// if that would not spare work and need not be.
func (m *meeting) split(of cellAt, items, points []int32, must bool) bool {
	corner := of.corner
	// About one cell an edge, over the part of the cell inside the domain.
	wide := float64(min(int64(m.lattice.Size.X)-int64(corner.X), 1<<of.shift[0]-1) + 1)
	high := float64(min(int64(m.lattice.Size.Y)-int64(corner.Y), 1<<of.shift[1]-1) + 1)
	sub := m.shape(of, items, wide, high)
	columns := int32(int64(wide-1)>>sub[0]) + 1
	rows := int32(int64(high-1)>>sub[1]) + 1

	start := make([]int32, columns*rows+1)
	ends := make([]int32, columns*rows) // how many edges end in a cell
	ending := 0                         // and in all
	where := make([]int32, 0, 3*len(items))
	which := make([]int32, 0, 3*len(items))
	for _, i := range items {
		e := &m.edges[i]
		for _, p := range [2]Point{e.from, e.to} {
			if c, r := (p.X-corner.X)>>sub[0], (p.Y-corner.Y)>>sub[1]; c >= 0 && c < columns && r >= 0 && r < rows {
				ends[c*rows+r]++
				ending++
			}
		}
		c0, c1 := cells(e.from.X-margin-corner.X, e.to.X+margin-corner.X, sub[0], columns)
		low, top := min(e.from.Y, e.to.Y), max(e.from.Y, e.to.Y)
		r0, r1 := cells(low-margin-corner.Y, top+margin-corner.Y, sub[1], rows)
		if c0 == c1 || r0 == r1 {
			for c := c0; c <= c1; c++ {
				for r := r0; r <= r1; r++ {
					where, which = append(where, c*rows+r), append(which, i)
					start[c*rows+r]++
				}
			}
			continue
		}
		// Column by column the rows that the widened edge covers. Two columns at
		// least, so the edge is not vertical or its slope does not matter.
		slope := 0.0
		if e.to.X > e.from.X {
			slope = float64(e.to.Y-e.from.Y) / float64(e.to.X-e.from.X)
		}
		for c := c0; c <= c1; c++ {
			left := max(float64(corner.X)+float64(int64(c)<<sub[0])-margin, float64(e.from.X))
			right := min(float64(corner.X)+float64(int64(c+1)<<sub[0])+margin, float64(e.to.X))
			y0 := float64(e.from.Y) + (left-float64(e.from.X))*slope
			y1 := float64(e.from.Y) + (right-float64(e.from.X))*slope
			bottom := max(low, int32(math.Floor(min(y0, y1)))-margin)
			above := min(top, int32(math.Ceil(max(y0, y1)))+margin)
			if e.from.X == e.to.X {
				bottom, above = low, top
			}
			k0, k1 := cells(bottom-margin-corner.Y, above+margin-corner.Y, sub[1], rows)
			for r := k0; r <= k1; r++ {
				where, which = append(where, c*rows+r), append(which, i)
				start[c*rows+r]++
			}
		}
	}
	pointStart := make([]int32, columns*rows+1)
	wherePoints := make([]int32, len(points))
	for n, i := range points {
		p := m.points[i]
		k := (p.X-corner.X)>>sub[0]*rows + (p.Y-corner.Y)>>sub[1]
		wherePoints[n] = k
		pointStart[k]++
	}
	// Edges mostly in one cell each: not much work wasted, and a cell that has
	// most of them may gain from its own grid. Otherwise it has to pay, by the
	// estimate of what leaf will do: chords cost about as much as `chord` pairs.
	if len(which) > 2*len(items) && !must {
		const chord = 16
		var cost int64
		for k, n := range ends {
			cost += int64(start[k]) * int64(chord+n+pointStart[k])
		}
		if 2*cost > int64(len(items))*int64(chord+ending+len(points)) {
			return false
		}
	}
	sorted := distribute(start, where, which)
	sortedPoints := distribute(pointStart, wherePoints, points)

	for c := range columns {
		for r := range rows {
			k := c*rows + r
			m.cell(cellAt{Point{corner.X + c<<sub[0], corner.Y + r<<sub[1]}, sub},
				sorted[start[k]:start[k+1]], sortedPoints[pointStart[k]:pointStart[k+1]])
		}
	}
	return true
}

// shape returns the logarithms of the width and height of the parts that a cell is divided into: about one an edge. An edge is
// in one part, and in one more for each column and each row that it passes; of parts with the same area these are fewest where
// as many columns as rows are passed in all. So walls side by side get long parts.
func (m *meeting) shape(of cellAt, items []int32, wide, high float64) [2]int {
	var along, across float64 // the parts of the cell's width and height that edges pass, added up
	right, top := of.corner.X+int32(wide), of.corner.Y+int32(high)
	for _, i := range items {
		e := &m.edges[i]
		along += float64(max(0, min(e.to.X, right)-max(e.from.X, of.corner.X)))
		across += float64(max(0, min(max(e.from.Y, e.to.Y), top)-max(min(e.from.Y, e.to.Y), of.corner.Y)))
	}
	n := float64(len(items))
	along, across = max(along/wide, 1), max(across/high, 1)
	columns := min(max(math.Sqrt(n*across/along), 1), n)
	rows := n / columns
	// Long edges in many directions: fewer parts, that are divided in their own ways.
	columns, rows = min(columns, max(passed*n/along, 2)), min(rows, max(passed*n/across, 2))
	sub := [2]int{int(math.Log2(wide/columns) + 0.5), int(math.Log2(high/rows) + 0.5)}
	for axis := range sub {
		sub[axis] = min(max(sub[axis], leastShift), of.shift[axis])
	}
	if sub == of.shift {
		sub = [2]int{max(leastShift, sub[0]-1), max(leastShift, sub[1]-1)}
	}
	return sub
}

// cells returns the cells of side 2^shift, of n in all, from low to high.
func cells(low, high int32, shift int, n int32) (first, last int32) {
	return max(0, low>>shift), min(n-1, high>>shift)
}

// distribute sorts items by where they belong, stably. On entry count[k] is
// how many belong to k and the last entry is 0; on return items of k lie from
// count[k] to count[k+1].
func distribute(count, where, items []int32) []int32 {
	var sum int32
	for k, n := range count {
		sum += n
		count[k] = sum
	}
	sorted := make([]int32, len(items))
	for i := len(items) - 1; i >= 0; i-- {
		count[where[i]]--
		sorted[count[where[i]]] = items[i]
	}
	return sorted
}

// leaf compares all points with all edges, and all edges with each other as far
// as that is needed, and returns true; or returns false and does nothing if that
// is needed of many and need not be done here.
func (m *meeting) leaf(c cellAt, items, points []int32, must bool) bool {
	m.within = c
	brackets := m.crossings && len(items) > 4*crowd && m.chords(items)
	if m.crossings && len(items) > 4*crowd && !brackets && !must {
		return false
	}
	if m.effort.comparisons.Add(int64(len(items)) * int64(len(points))); m.effort.over() {
		return true
	}
	before := len(m.hits)
	for _, i := range items {
		e := &m.edges[i]
		for _, k := range points {
			p := m.points[k]
			if e.through(p) {
				m.hits = append(m.hits, hit{edge: i, along: e.along(p), at: p})
			}
		}
	}
	m.effort.meetings.Add(int64(len(m.hits) - before))
	switch {
	case !m.crossings:
	case brackets:
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

// crossAll notes where edge i crosses others, in the cell being treated.
func (m *meeting) crossAll(i int32, others []int32) {
	if m.effort.comparisons.Add(int64(len(others))); m.effort.over() {
		return
	}
	before := len(m.hot)
	e := &m.edges[i]
	low, top := min(e.from.Y, e.to.Y), max(e.from.Y, e.to.Y)
	for _, j := range others {
		f := &m.edges[j]
		if f.from.X >= e.to.X || f.to.X <= e.from.X || f.from == e.from || f.to == e.to ||
			min(f.from.Y, f.to.Y) >= top || max(f.from.Y, f.to.Y) <= low {
			continue
		}
		// A crossing belongs to the cell that holds its lattice point; both edges
		// pass within half a step of it.
		p, ok := e.crossing(f)
		if ok && m.within.holds(p) {
			m.hot = append(m.hot, p)
		}
	}
	m.effort.meetings.Add(int64(len(m.hot) - before))
}

// chords divides the items into those that end in or near the cell and those
// that pass through it, and returns whether it is sure that no two of those that
// pass cross there. Walls side by side, in hundreds, are common, and comparing
// each with each is what would take most of the time.
//
// The edges that pass cut chords off the cell, widened by one and a half steps
// so that it holds every crossing that is rounded into the cell, a step from its
// sides at least. Going round its outline, chords that do not cross begin and end
// like brackets. Places on the outline are off by less than 2^-30 steps, float64
// having 53 bits for 21 before the point and the few operations; where two are
// nearer than 2^-20 to each other, nothing is sure.
func (m *meeting) chords(items []int32) bool {
	c := m.within
	x0, y0 := float64(c.corner.X)-1.5, float64(c.corner.Y)-1.5
	width, height := float64(int64(1)<<c.shift[0])+3, float64(int64(1)<<c.shift[1])+3
	m.ending, m.passing, m.ring = m.ending[:0], m.passing[:0], m.ring[:0]
	inside := func(x, y float64) bool { return x > 0 && x < width && y > 0 && y < height }
	for _, i := range items {
		e := &m.edges[i]
		ax, ay := float64(e.from.X)-x0, float64(e.from.Y)-y0
		bx, by := float64(e.to.X)-x0, float64(e.to.Y)-y0
		if inside(ax, ay) || inside(bx, by) {
			m.ending = append(m.ending, i)
			continue
		}
		// Its ends are half a step from the outline at least, so that one that
		// misses it by an error in the last place passes nothing of the cell.
		n := len(m.ring)
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
		switch len(m.ring) - n {
		case 0:
		case 2:
			m.passing = append(m.passing, i)
		default:
			return false // through a corner
		}
	}
	slices.SortFunc(m.ring, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	m.open = m.open[:0]
	for n, p := range m.ring {
		before := m.ring[len(m.ring)-1].at - 2*(width+height)
		if n > 0 {
			before = m.ring[n-1].at
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

// place is where an edge meets the outline of a cell, measured along it.
type place struct {
	at   float64
	edge int32
}

// meetSide notes that an edge meets a side of the outline at the given place,
// if that is on the side. The outline goes counter-clockwise from the lower left
// corner, and this side begins so far along it; back is for those where coordinates
// go down.
func (m *meeting) meetSide(edge int32, at, side, begin float64, back bool) {
	if at < 0 || at > side {
		return
	}
	if back {
		at = side - at
	}
	m.ring = append(m.ring, place{at + begin, edge})
}

// along returns how far from e's lower end p lies, coordinates' differences
// added: that orders the points that e is bent through.
func (e *edge) along(p Point) int32 {
	return p.X - e.from.X + int32(abs(int64(p.Y)-int64(e.from.Y)))
}
