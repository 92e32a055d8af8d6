package geom

import "math"

// meet finds what edges have to be bent through: for each pair of an edge and
// one of the points, a hit where the edge meets the point's pixel, or, if
// exact, where the point lies on the edge's interior; and, if crossings are
// asked for, the hot points of all pairs of edges that cross.
//
// A grid of about as many cells as edges sorts out which are near one another.
// A cell that is still crowded gets a grid of its own, as long as that saves
// work: scenes are dense in some places and empty in others.
func (r *arranger) meet(a *arrangement, points []Point, exact, crossings bool) {
	m := meeting{arranger: r, edges: a.edges, points: points, exact: exact, crossings: crossings}
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
	edges            []edge
	points           []Point
	exact, crossings bool
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
	where := make([]int32, 0, 3*len(items))
	which := make([]int32, 0, 3*len(items))
	for _, i := range items {
		e := &m.edges[i]
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
	var pairs int64
	for k, n := range start {
		pairs += int64(n) * int64(n+2*pointStart[k])
	}
	// Edges mostly in one cell each: not much work wasted, and a cell that has
	// most of them may gain from its own grid. Otherwise it has to pay.
	if len(which) > 2*len(items) && 2*pairs > int64(len(items))*int64(len(items)+2*len(points)) {
		return false
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

// leaf compares all with all.
func (m *meeting) leaf(corner Point, shift int, items, points []int32) {
	if m.crossings {
		for n := range items {
			e := &m.edges[items[n]]
			low, top := min(e.from.Y, e.to.Y), max(e.from.Y, e.to.Y)
			for _, j := range items[n+1:] {
				f := &m.edges[j]
				if f.from.X >= e.to.X {
					break // edges come sorted by their lower end
				}
				if min(f.from.Y, f.to.Y) >= top || max(f.from.Y, f.to.Y) <= low || e.from == f.from || e.to == f.to {
					continue
				}
				// A crossing belongs to the cell that holds its lattice point;
				// both edges pass within half a step of it.
				if p, ok := e.crossing(f); ok && (p.X-corner.X)>>shift == 0 && (p.Y-corner.Y)>>shift == 0 {
					m.hot = append(m.hot, p)
				}
			}
		}
	}
	for _, i := range items {
		e := &m.edges[i]
		for _, k := range points {
			p := m.points[k]
			if m.exact && e.holds(p) || !m.exact && e.through(p) {
				m.hits = append(m.hits, hit{edge: i, along: e.along(p), at: p})
			}
		}
	}
}

// along returns how far from e's lower end p lies, coordinates' differences
// added: that orders the points that e is bent through.
func (e *edge) along(p Point) int32 {
	return p.X - e.from.X + int32(abs(int64(p.Y)-int64(e.from.Y)))
}
