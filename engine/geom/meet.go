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
	m.cell(Point{}, Bits+1, items, all)
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

// cellAt is a cell's lower left corner and the logarithm of its side.
type cellAt struct {
	corner Point
	shift  int
}

const (
	// crowd is the number of edges below which comparing all is cheapest.
	crowd = 16
	// leastShift ends the division at cells of 8 steps: below, the margin of a
	// step around each edge outweighs the cell.
	leastShift = 3
	// margin by which edges are widened when they are sorted into cells. Half a
	// step is what pixels and rounded crossings reach; the rest is far more
	// than float64 loses on numbers of 21 bits.
	margin = 1
)

// cell treats the square of side 2^shift at corner, given the edges that come
// within a step of it and the points in it.
func (m *meeting) cell(corner Point, shift int, items, points []int32) {
	if len(items) == 0 || len(points) == 0 && !m.crossings {
		return
	}
	if len(items) <= crowd || shift <= leastShift || !m.split(corner, shift, items, points) {
		m.leaf(corner, shift, items, points)
	}
}

// split divides the cell, treats its parts, and returns true; or returns false
// if that would not spare work.
func (m *meeting) split(corner Point, shift int, items, points []int32) bool {
	// About one cell an edge, over the part of the cell inside the domain.
	wide := float64(min(int64(m.lattice.Size.X)-int64(corner.X), 1<<shift-1) + 1)
	high := float64(min(int64(m.lattice.Size.Y)-int64(corner.Y), 1<<shift-1) + 1)
	sub := int(math.Log2(math.Sqrt(wide*high/float64(len(items)))) + 0.5)
	sub = max(leastShift, min(sub, shift-1))
	columns := int32(int64(wide-1)>>sub) + 1
	rows := int32(int64(high-1)>>sub) + 1

	start := make([]int32, columns*rows+1)
	ends := make([]int32, columns*rows) // how many edges end in a cell
	ending := 0                         // and in all
	where := make([]int32, 0, 3*len(items))
	which := make([]int32, 0, 3*len(items))
	for _, i := range items {
		e := &m.edges[i]
		for _, p := range [2]Point{e.from, e.to} {
			if c, r := (p.X-corner.X)>>sub, (p.Y-corner.Y)>>sub; c >= 0 && c < columns && r >= 0 && r < rows {
				ends[c*rows+r]++
				ending++
			}
		}
		c0, c1 := cells(e.from.X-margin-corner.X, e.to.X+margin-corner.X, sub, columns)
		low, top := min(e.from.Y, e.to.Y), max(e.from.Y, e.to.Y)
		r0, r1 := cells(low-margin-corner.Y, top+margin-corner.Y, sub, rows)
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
			left := max(float64(corner.X)+float64(int64(c)<<sub)-margin, float64(e.from.X))
			right := min(float64(corner.X)+float64(int64(c+1)<<sub)+margin, float64(e.to.X))
			y0 := float64(e.from.Y) + (left-float64(e.from.X))*slope
			y1 := float64(e.from.Y) + (right-float64(e.from.X))*slope
			bottom := max(low, int32(math.Floor(min(y0, y1)))-margin)
			above := min(top, int32(math.Ceil(max(y0, y1)))+margin)
			if e.from.X == e.to.X {
				bottom, above = low, top
			}
			k0, k1 := cells(bottom-margin-corner.Y, above+margin-corner.Y, sub, rows)
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
		k := (p.X-corner.X)>>sub*rows + (p.Y-corner.Y)>>sub
		wherePoints[n] = k
		pointStart[k]++
	}
	// Edges mostly in one cell each: not much work wasted, and a cell that has
	// most of them may gain from its own grid. Otherwise it has to pay, by the
	// estimate of what leaf will do: chords cost about as much as `chord` pairs.
	if len(which) > 2*len(items) {
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
			m.cell(Point{corner.X + c<<sub, corner.Y + r<<sub}, sub,
				sorted[start[k]:start[k+1]], sortedPoints[pointStart[k]:pointStart[k+1]])
		}
	}
	return true
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
// as that is needed.
func (m *meeting) leaf(corner Point, shift int, items, points []int32) {
	for _, i := range items {
		e := &m.edges[i]
		for _, k := range points {
			p := m.points[k]
			if e.through(p) {
				m.hits = append(m.hits, hit{edge: i, along: e.along(p), at: p})
			}
		}
	}
	if !m.crossings {
		return
	}
	m.within.corner, m.within.shift = corner, shift
	if len(items) > 4*crowd && m.chords(items) {
		for n, i := range m.ending {
			m.crossAll(i, m.ending[n+1:])
			m.crossAll(i, m.passing)
		}
		return
	}
	for n, i := range items {
		m.crossAll(i, items[n+1:])
	}
}

// crossAll notes where edge i crosses others, in the cell being treated.
func (m *meeting) crossAll(i int32, others []int32) {
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
		if c := m.within; ok && (p.X-c.corner.X)>>c.shift == 0 && (p.Y-c.corner.Y)>>c.shift == 0 {
			m.hot = append(m.hot, p)
		}
	}
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
	side := float64(int64(1)<<c.shift) + 3
	m.ending, m.passing, m.ring = m.ending[:0], m.passing[:0], m.ring[:0]
	inside := func(x, y float64) bool { return x > 0 && x < side && y > 0 && y < side }
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
			m.meetSide(i, ay+(by-ay)*(-ax/(bx-ax)), side, 3, true)
		}
		if ax < side && bx > side {
			m.meetSide(i, ay+(by-ay)*((side-ax)/(bx-ax)), side, 1, false)
		}
		if (ay < 0) != (by < 0) {
			m.meetSide(i, ax+(bx-ax)*(-ay/(by-ay)), side, 0, false)
		}
		if (ay < side) != (by < side) {
			m.meetSide(i, ax+(bx-ax)*((side-ay)/(by-ay)), side, 2, true)
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
		before := m.ring[len(m.ring)-1].at - 4*side
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
// if that is on the side. Sides count counter-clockwise from the lower one;
// back is for those where coordinates go down.
func (m *meeting) meetSide(edge int32, at, side float64, number int, back bool) {
	if at < 0 || at > side {
		return
	}
	if back {
		at = side - at
	}
	m.ring = append(m.ring, place{at + float64(number)*side, edge})
}

// along returns how far from e's lower end p lies, coordinates' differences
// added: that orders the points that e is bent through.
func (e *edge) along(p Point) int32 {
	return p.X - e.from.X + int32(abs(int64(p.Y)-int64(e.from.Y)))
}
