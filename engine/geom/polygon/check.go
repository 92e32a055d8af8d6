package polygon

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// maxPairs limits the pairs of edges that Check compares. That many take some seconds.
const maxPairs = 1 << 28

// Check returns nil if the polygon is simple, and an *Error otherwise. It decides exactly on the
// coordinates as given:
//   - Coordinates are finite. Equal neighbors count as one vertex; then each ring has at least
//     three distinct vertices that are not all on one line.
//   - No two edges of a ring share a point, except that neighbors share their common vertex. A ring
//     that touches itself in a point is refused (give the parts as polygons of their own), and so
//     is an edge that runs back along the one before it. Vertices on a straight line are fine.
//   - Holes lie inside the outer ring and outside each other. They may touch the outer ring and
//     each other in points, but not along edges.
//
// Of several self-intersections it reports the one with the lowest edges. The cost is close to
// linear for common outlines, tens of milliseconds for 20,000 vertices, and quadratic only where
// most edges are long and run side by side in several directions. That ends in a *LimitError after
// some seconds.
func (p Polygon) Check() error {
	rings := p.Rings()
	for r, ring := range rings {
		for i, v := range ring {
			if !finite(v) {
				return &Error{Kind: NotFinite, Ring: r, Index: i, OtherRing: r, Other: i, Point: v}
			}
		}
	}
	o := newOutline(rings)
	for r := range rings {
		if err := o.checkFlat(r); err != nil {
			return err
		}
	}
	return o.checkContacts(maxPairs)
}

// fault returns an error about vertex or edge i, and edge j where two are at fault.
func (o *outline) fault(kind Fault, i, j int32, at mgl64.Vec2) *Error {
	return &Error{
		Kind: kind, Ring: int(o.ring[i]), Index: o.index[i],
		OtherRing: int(o.ring[j]), Other: o.index[j], Point: at,
	}
}

// checkFlat returns an error if ring r has fewer than three distinct vertices, or all of them on
// one line.
func (o *outline) checkFlat(r int) error {
	ring := o.vertices[o.first[r]:o.first[r+1]]
	if len(ring) == 0 {
		return &Error{Kind: TooFewVertices, Ring: r, OtherRing: r}
	}
	// After merging, ring[1] differs from ring[0] if it exists.
	second := ring[min(1, len(ring)-1)]
	if !slices.ContainsFunc(ring, func(v mgl64.Vec2) bool { return v != ring[0] && v != second }) {
		return o.fault(TooFewVertices, o.first[r], o.first[r], ring[0])
	}
	if !slices.ContainsFunc(ring, func(v mgl64.Vec2) bool { return orient(ring[0], second, v) != lattice.Collinear }) {
		return o.fault(ZeroArea, o.first[r], o.first[r], ring[0])
	}
	return nil
}

// contacts finds where edges of an outline meet.
type contacts struct {
	*outline
	grid             *edgeGrid
	counterClockwise []bool            // by ring
	compared         []int32           // by edge: 1 more than the edge it was compared with last
	touching         map[[2]int32]bool // pairs of rings, lower first
	pairs, most      int64
	cells            []int32 // scratch
	between          *Error  // the first fault between rings, reported if no ring meets itself
}

// checkContacts finds self-intersections, then faults between rings. All rings have an area. It
// compares at most so many pairs of edges.
func (o *outline) checkContacts(most int64) error {
	c := contacts{
		outline: o, grid: newEdgeGrid(o), counterClockwise: make([]bool, len(o.first)-1),
		compared: make([]int32, len(o.vertices)), touching: map[[2]int32]bool{}, most: most,
	}
	for r := range c.counterClockwise {
		c.counterClockwise[r] = o.counterClockwise(r)
	}
	for i := range int32(len(o.vertices)) {
		if err := c.checkEdge(i); err != nil {
			return err
		}
	}
	if c.between != nil {
		return c.between
	}
	return c.checkNesting()
}

// checkEdge compares edge i with the later ones near it. It returns the self-intersection with the
// lowest other edge.
func (c *contacts) checkEdge(i int32) error {
	var own *Error
	var ownOther int32
	a, b := c.edge(i)
	c.cells = c.grid.cells(a, b, c.cells[:0])
	for _, cell := range c.cells {
		for _, j := range c.grid.in(cell) {
			if j <= i || c.compared[j] == i+1 {
				continue
			}
			c.compared[j] = i + 1
			if c.pairs++; c.pairs > c.most {
				return &LimitError{What: "pairs of an edge and what is near it", Needed: c.pairs, Limit: c.most, Vertices: len(c.vertices)}
			}
			same := c.ring[i] == c.ring[j]
			if !same && c.between != nil || same && own != nil && j > ownOther {
				continue
			}
			kind, at := meet(a, b, c.vertices[j], c.vertices[c.next[j]])
			switch {
			case kind == apart:
			case !same:
				c.touching[[2]int32{c.ring[i], c.ring[j]}] = true
				c.between = c.judge(kind, i, j, at)
			// Neighbors meet in their common vertex only, unless one runs back along the other.
			case c.next[i] != j && c.next[j] != i || kind == overlap:
				own, ownOther = c.fault(SelfIntersection, i, j, at), j
			}
		}
	}
	if own != nil {
		return own
	}
	return nil
}

// checkNesting checks holes against the rings that they do not touch: each is inside or outside as
// a whole.
func (c *contacts) checkNesting() error {
	for h := int32(1); int(h) < len(c.first)-1; h++ {
		inOuter := c.touching[[2]int32{0, h}]
		for _, r := range c.ringsAround(c.first[h]) {
			switch {
			case c.touching[[2]int32{min(r, h), max(r, h)}]:
			case r == 0:
				inOuter = true
			default:
				return c.fault(HolesOverlap, c.first[h], c.first[r], c.vertices[c.first[h]])
			}
		}
		if !inOuter {
			return c.fault(HoleOutside, c.first[h], c.first[h], c.vertices[c.first[h]])
		}
	}
	return nil
}

// judge returns the fault where edge i of one ring meets edge j of a later one, or nil if the rings
// touch there as they may.
//
// Where rings meet in points only, each a vertex of one of them, the pieces of the later ring
// between such points are each on one side of the earlier ring: their first steps decide.
func (c *contacts) judge(kind contact, i, j int32, at mgl64.Vec2) *Error {
	wrong := HolesOverlap
	if c.ring[i] == 0 {
		wrong = HoleCrossing
	}
	if kind != touch {
		return c.fault(wrong, j, i, at)
	}
	if at == c.vertices[c.next[i]] || at == c.vertices[c.next[j]] {
		return nil // the next edge starts here and is judged
	}
	branch := func(i int32) (from, to mgl64.Vec2) {
		if at == c.vertices[i] {
			return c.vertices[c.prev[i]], c.vertices[c.next[i]]
		}
		return c.vertices[i], c.vertices[c.next[i]]
	}
	// inside counts the branches of edge k's ring at this point that go into the region of edge i's
	// ring.
	inside := func(i, k int32) int {
		from, to := branch(i)
		if !c.counterClockwise[c.ring[i]] {
			from, to = to, from
		}
		count := 0
		a, b := branch(k)
		for _, q := range [...]mgl64.Vec2{a, b} {
			if leftOfPath(at, from, to, q) {
				count++
			}
		}
		return count
	}
	if c.ring[i] == 0 {
		switch inside(i, j) {
		case 2:
			return nil
		case 0:
			wrong = HoleOutside
		}
		return c.fault(wrong, j, i, at)
	}
	if inside(i, j) > 0 || inside(j, i) > 0 {
		return c.fault(wrong, j, i, at)
	}
	return nil
}

// leftOfPath reports whether the step from p to q goes left of the path from `from` over p to `to`.
// A step along the path is not left of it.
func leftOfPath(p, from, to, q mgl64.Vec2) bool {
	leftOfTo, leftOfFrom := orient(p, to, q) == lattice.Left, orient(from, p, q) == lattice.Left
	switch orient(from, p, to) {
	case lattice.Left:
		return leftOfTo && leftOfFrom
	case lattice.Collinear:
		return leftOfTo
	}
	return leftOfTo || leftOfFrom
}

// ringsAround returns the rings other than its own that vertex k is inside of, lowest first. For a
// ring that the vertex is on, the answer means nothing.
func (c *contacts) ringsAround(k int32) []int32 {
	g, p := c.grid, c.vertices[k]
	u, v := g.at(p)
	row := lattice.Cell(v, g.rows)
	// A ray from far against the grid's axis, or the x axis if there is one cell only, to p enters
	// and leaves the region of a ring in turns. It lies in the row up to rounding, which is enough:
	// edges are listed with slack.
	above := func(q mgl64.Vec2) bool { return q[1] > p[1] }
	if g.columns*g.rows > 1 {
		far := p.Sub(g.axis.Mul(2 * (u + 1) / g.scale[0]))
		above = func(q mgl64.Vec2) bool { return orient(far, p, q) == lattice.Left }
	}
	var crossed []int32
	for column := range lattice.Cell(u+slack, g.columns) + 1 {
		crossed = append(crossed, g.in(int32(row*g.columns+column))...)
	}
	slices.Sort(crossed)
	crossed = slices.Compact(crossed)
	var around []int32
	for i := 0; i < len(crossed); {
		ring, odd := c.ring[crossed[i]], false
		for ; i < len(crossed) && c.ring[crossed[i]] == ring; i++ {
			a, b := c.edge(crossed[i])
			if above(a) == above(b) {
				continue
			}
			behind := lattice.Right // of an edge that goes up
			if above(a) {
				behind = lattice.Left
			}
			if orient(a, b, p) == behind {
				odd = !odd
			}
		}
		if odd && ring != c.ring[k] {
			around = append(around, ring)
		}
	}
	return around
}
