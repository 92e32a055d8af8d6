package polygon

import (
	"math"
	"math/big"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// Clip returns the intersection of the polygon, which passes Check, with the interior of the
// rectangle from lo to hi, as polygons that pass Check: outer rings counter-clockwise, holes
// clockwise. They may touch one another in points. Parts without area are left out.
//
// Vertices inside the rectangle stay. Where an edge crosses the border the new vertex has the
// border's own coordinate; the other one is rounded, by less than a unit in its last place and away
// from the polygon, so that nothing that the edge touches comes to lie on its other side. Parts of
// the outside narrower than that unit may close: where that makes rings meet, the error is an
// *Error, which numbers rings and edges of the piece at fault.
//
// The cost is n log n for n vertices and, where the rectangle cuts a polygon with holes into
// pieces, the product of the numbers of holes and of vertices of the pieces around them.
func (p Polygon) Clip(lo, hi mgl64.Vec2) ([]Polygon, error) {
	o := newOutline(p.Rings())
	rings := o.noded()
	for r, ring := range rings {
		if o.counterClockwise(r) != (r == 0) {
			slices.Reverse(ring)
		}
	}
	// Each cut removes what is left of a vertical line. After four quarter turns the polygon is as
	// it was, and each side has been on the left.
	for _, bound := range [4]float64{lo[0], lo[1], -hi[0], -hi[1]} {
		var err error
		if rings, err = cutLeft(rings, bound); err != nil {
			return nil, err
		}
		for _, ring := range rings {
			for i, v := range ring {
				ring[i] = mgl64.Vec2{v[1], -v[0]}
			}
		}
	}
	pieces := nested(rings)
	for _, piece := range pieces {
		if err := piece.Check(); err != nil {
			return nil, err
		}
	}
	return pieces, nil
}

// noded returns the rings with a vertex wherever a vertex of another ring lies on an edge. Rings
// that touch may become one, which then meets itself in vertices only.
func (o *outline) noded() []Ring {
	rings := make([]Ring, len(o.first)-1)
	if len(rings) == 1 {
		rings[0] = slices.Clone(o.vertices)
		return rings
	}
	grid := newEdgeGrid(o)
	var cells []int32
	for i, ring := range o.ring {
		a, b := o.edge(int32(i))
		rings[ring] = append(rings[ring], a)
		var on Ring
		cells = grid.cells(a, b, cells[:0])
		for _, cell := range cells {
			for _, j := range grid.in(cell) {
				if v := o.vertices[j]; o.ring[j] != ring && v != a && v != b && onSegment(a, b, v) {
					on = append(on, v)
				}
			}
		}
		slices.SortFunc(on, Compare)
		on = slices.Compact(on)
		if Less(b, a) {
			slices.Reverse(on)
		}
		rings[ring] = append(rings[ring], on...)
	}
	return rings
}

// cut is where an edge crosses the line of a cut, or leaves it, to the right.
type cut struct {
	from, to mgl64.Vec2 // the edge's ends: on the line or left of it, and right of it
	at       mgl64.Vec2 // on the line
	chain    int        // of vertices right of the line, to one end of which the edge belongs
	enters   bool       // its first end
}

// cutLeft returns the rings that bound the part right of the line x = bound of the region left of
// all rings, which are directed.
//
// The parts of the rings right of the line are chains that begin and end on it. Just right of the
// line the region begins where a chain enters, going up, and ends where the next one leaves. There
// the new rings go along the line: from where a chain leaves down to where the one below enters.
func cutLeft(rings []Ring, bound float64) ([]Ring, error) {
	var whole, chains []Ring
	var cuts []cut
	for _, ring := range rings {
		first := slices.IndexFunc(ring, func(v mgl64.Vec2) bool { return v[0] <= bound })
		if first < 0 {
			whole = append(whole, ring)
			continue
		}
		for i := range ring {
			a, b := ring[(first+i)%len(ring)], ring[(first+i+1)%len(ring)]
			if b[0] > bound {
				if a[0] <= bound {
					cuts = append(cuts, cut{from: a, to: b, chain: len(chains), enters: true})
					chains = append(chains, nil)
				}
				chains[len(chains)-1] = append(chains[len(chains)-1], b)
			} else if a[0] > bound {
				cuts = append(cuts, cut{from: b, to: a, chain: len(chains) - 1})
			}
		}
	}
	slices.SortFunc(cuts, cut.compare)
	next := make([]int, len(chains)) // the chain that follows a chain in its new ring
	for i := range cuts {
		c := &cuts[i]
		c.at = mgl64.Vec2{bound, c.height(bound)}
		if i > 0 {
			c.at[1] = max(c.at[1], cuts[i-1].at[1]) // with less than a unit between them they touch
		}
		if c.enters != (i%2 == 0) {
			return nil, &Error{Kind: SelfIntersection, Point: c.at}
		}
		if c.enters {
			chains[c.chain] = slices.Insert(chains[c.chain], 0, c.at)
		} else {
			chains[c.chain] = append(chains[c.chain], c.at)
			next[c.chain] = cuts[i-1].chain
		}
	}
	done := make([]bool, len(chains))
	for first := range chains {
		var ring Ring
		for i := first; !done[i]; i = next[i] {
			done[i] = true
			ring = append(ring, chains[i]...)
		}
		whole = append(whole, simpleLoops(ring)...)
	}
	return whole, nil
}

// compare orders the edges of two cuts from below, just right of the line. Edges of rings that pass
// Check do not cross: where the nearer right end of the two lies on the other edge, they touch
// there and their left ends decide.
func (c cut) compare(d cut) int {
	var side lattice.Side // of c, seen along d
	if c.to[0] <= d.to[0] {
		side = orient(d.from, d.to, c.to)
	} else {
		side = -orient(c.from, c.to, d.to)
	}
	if side == lattice.Collinear && c.from[0] >= d.from[0] {
		side = orient(d.from, d.to, c.from)
	} else if side == lattice.Collinear {
		side = -orient(c.from, c.to, d.from)
	}
	return int(side)
}

// height returns where the edge meets the line, rounded down where the region begins above it and
// up where it ends. It is between the edge's ends.
func (c cut) height(bound float64) float64 {
	if c.from[0] == bound || c.from[1] == c.to[1] {
		return c.from[1]
	}
	rational := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	minus := func(a, b float64) *big.Rat { return new(big.Rat).Sub(rational(a), rational(b)) }
	exact := minus(c.to[1], c.from[1])
	exact.Mul(exact, minus(bound, c.from[0]))
	exact.Quo(exact, minus(c.to[0], c.from[0]))
	exact.Add(exact, rational(c.from[1]))
	y, _ := exact.Float64() // the nearest
	switch side := rational(y).Cmp(exact); {
	case c.enters && side > 0:
		return math.Nextafter(y, math.Inf(-1))
	case !c.enters && side < 0:
		return math.Nextafter(y, math.Inf(1))
	}
	return y
}

// simpleLoops divides a ring at vertices that it has twice, and leaves out parts without area.
func simpleLoops(ring Ring) []Ring {
	var loops []Ring
	take := func(loop Ring) {
		if newOutline([]Ring{loop}).checkFlat(0) == nil {
			loops = append(loops, slices.Clone(loop))
		}
	}
	var path Ring
	place := map[mgl64.Vec2]int{}
	for _, v := range ring {
		if k, again := place[v]; again {
			take(path[k:])
			for _, w := range path[k:] {
				delete(place, w)
			}
			path = path[:k]
		}
		place[v] = len(path)
		path = append(path, v)
	}
	take(path)
	return loops
}

// nested returns the polygons that the rings bound: counter-clockwise ones are outer rings, the
// others holes.
func nested(rings []Ring) []Polygon {
	o := newOutline(rings)
	var pieces []Polygon
	var holes []Ring
	for r, ring := range rings {
		if o.counterClockwise(r) {
			pieces = append(pieces, Polygon{Outer: ring})
		} else {
			holes = append(holes, ring)
		}
	}
	for _, hole := range holes {
		for i := range pieces {
			if len(pieces) == 1 || pieces[i].Outer.surrounds(hole) {
				pieces[i].Holes = append(pieces[i].Holes, hole)
				break
			}
		}
	}
	return pieces
}

// surrounds reports whether a hole lies inside the ring rather than outside. The two do not cross.
func (r Ring) surrounds(hole Ring) bool {
	for _, v := range hole {
		if side := r.sideOf(v); side != lattice.Collinear {
			return side == lattice.Left
		}
	}
	// Every vertex is on the ring: the hole is inside if its edges are.
	return Polygon{Outer: r, Holes: []Ring{hole}}.Check() == nil
}

// Contains reports whether a point lies in the ring or on it, exactly. The ring is simple, of either
// orientation.
func (r Ring) Contains(p mgl64.Vec2) bool { return r.sideOf(p) != lattice.Right }

// sideOf returns Left for a point inside the ring, Right for one outside, Collinear for one on it.
func (r Ring) sideOf(p mgl64.Vec2) lattice.Side {
	side := lattice.Right
	for i, a := range r {
		b := r[(i+1)%len(r)]
		if b[1] < a[1] {
			a, b = b, a
		}
		if p[1] < a[1] || p[1] > b[1] || p[0] > max(a[0], b[0]) {
			continue
		}
		if onSegment(a, b, p) {
			return lattice.Collinear
		}
		if p[1] < b[1] && orient(a, b, p) == lattice.Left { // the ray to the right from p crosses the edge
			side = -side
		}
	}
	return side
}
