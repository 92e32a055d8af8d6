package arrangement

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// Contact is how near a vertex comes to an edge, in lattice steps, to touch it. The lattice
// resolves nothing finer: rounding would keep or close a narrower gap by chance. So what touches in
// the input, in decimals that no float64 holds exactly, touches on the lattice.
const Contact = 0.5

// joined puts every vertex of an obstacle that touches an edge, of another obstacle or its own,
// into that edge: a copy of the vertex, which rounds to the same lattice point. The edge moves
// within the strip of width Contact on either side, and passes over no vertex, since all those in
// the strip are on it afterwards: winding numbers elsewhere stay.
//
// The result is independent of any order: vertices on an edge are found from its two ends in sorted
// order. If e passes a limit, it is incomplete.
func joined(l lattice.Lattice, obstacles []polygon.Polygon, e *effort) []polygon.Polygon {
	result := slices.Clone(obstacles)
	all := newContacts(l, obstacles, e)
	parts := min(runtime.GOMAXPROCS(0), len(obstacles))
	var wait sync.WaitGroup
	for part := range parts {
		wait.Go(func() {
			c := all // with its own scratch memory
			for i := part * len(obstacles) / parts; i < (part+1)*len(obstacles)/parts; i++ {
				o := &result[i]
				o.Outer = c.join(o.Outer)
				o.Holes = slices.Clone(o.Holes)
				for k, h := range o.Holes {
					o.Holes[k] = c.join(h)
				}
			}
		})
	}
	wait.Wait()
	return result
}

// placed is a vertex in the world and, not rounded, in lattice steps.
type placed struct {
	world mgl64.Vec2
	at    [2]float64
	along float64 // along the edge that it was found on
}

// contacts finds vertices that touch edges.
type contacts struct {
	lattice lattice.Lattice
	effort  *effort
	raster  raster
	in      func(cell int32) []placed // the vertices in a cell, each once or more often
	found   []placed
	cells   []int32
}

// newContacts returns the contacts with the vertices of obstacles, about one in a cell.
func newContacts(l lattice.Lattice, obstacles []polygon.Polygon, e *effort) contacts {
	all := make([]placed, 0, polygon.Vertices(obstacles))
	for _, o := range obstacles {
		for _, r := range o.Rings() {
			for _, v := range r {
				if l.Contains(v) {
					all = append(all, placed{world: v, at: l.Fractional(v)})
				}
			}
		}
	}
	r, start, vertices := byCell(l, all)
	// Obstacles repeat and share corners. Where most are dropped, the cells are too many.
	if 2*len(vertices) < len(all) {
		r, start, vertices = byCell(l, vertices)
	}
	return contacts{lattice: l, effort: e, raster: r, in: func(c int32) []placed { return vertices[start[c]:start[c+1]] }}
}

// byCell sorts vertices into cells and drops those that repeat. It returns where each cell starts.
func byCell(l lattice.Lattice, all []placed) (r raster, start []int32, vertices []placed) {
	r = newRaster(l, len(all))
	start = make([]int32, r.columns*r.rows+1)
	where := make([]int32, len(all))
	for i, v := range all {
		where[i] = r.of(v.at)
	}
	sorted := lattice.Distribute(start, where, all)
	vertices = sorted[:0]
	for c := range len(start) - 1 {
		list := sorted[start[c]:start[c+1]]
		if start[c] = int32(len(vertices)); len(list) > 1 {
			slices.SortFunc(list, func(u, v placed) int { return polygon.Compare(u.world, v.world) })
			list = slices.CompactFunc(list, func(u, v placed) bool { return u.world == v.world })
		}
		vertices = append(vertices, list...)
	}
	start[len(start)-1] = int32(len(vertices))
	return r, start, vertices
}

// join returns the ring with the vertices that touch each of its edges: the same one if there are
// none.
func (c *contacts) join(r polygon.Ring) polygon.Ring {
	var out polygon.Ring
	for i, p := range r {
		found := c.touching(p, r[(i+1)%len(r)])
		if len(found) > 0 && out == nil {
			out = append(make(polygon.Ring, 0, len(r)+len(found)), r[:i]...)
		}
		if out != nil {
			out = append(out, p)
			for _, v := range found {
				out = append(out, v.world)
			}
		}
	}
	if out == nil {
		return r
	}
	return out
}

// touching returns the vertices that touch the edge from p to q, in that order, each once. The next
// call overwrites the result.
func (c *contacts) touching(p, q mgl64.Vec2) []placed {
	s, ok := newStrip(c.lattice, p, q)
	if !ok || c.effort.over() {
		return nil
	}
	c.cells = c.raster.near(s.a, s.b, c.cells[:0])
	compared := int64(len(c.cells))
	for _, cell := range c.cells {
		compared += int64(len(c.in(cell)))
	}
	if !c.effort.compare(compared) {
		return nil
	}
	found := c.found[:0]
	for _, cell := range c.cells {
		for _, v := range c.in(cell) {
			if v.along, ok = s.holds(&v); ok {
				found = append(found, v)
			}
		}
	}
	if len(found) > 1 {
		slices.SortFunc(found, func(u, v placed) int {
			return cmp.Or(cmp.Compare(u.along, v.along), polygon.Compare(u.world, v.world))
		})
		found = slices.CompactFunc(found, func(u, v placed) bool { return u.world == v.world })
		if s.reversed {
			slices.Reverse(found)
		}
	}
	c.found = found
	c.effort.meetings.Add(int64(len(found)))
	return found
}

// strip is the part of the plane near enough to an edge to touch it.
type strip struct {
	p, q     mgl64.Vec2 // in order
	reversed bool       // against the edge
	a, b     [2]float64 // in lattice steps
	d        [2]float64
	length   float64
}

// newStrip returns the strip of the edge from p to q, false if the edge has no length or no finite
// one.
func newStrip(l lattice.Lattice, p, q mgl64.Vec2) (strip, bool) {
	s := strip{p: p, q: q}
	if polygon.Less(q, p) {
		s.p, s.q, s.reversed = q, p, true
	}
	s.a, s.b = l.Fractional(s.p), l.Fractional(s.q)
	s.d = [2]float64{s.b[0] - s.a[0], s.b[1] - s.a[1]}
	s.length = math.Hypot(s.d[0], s.d[1])
	return s, s.length > 0 && !math.IsInf(s.length, 1)
}

// holds returns whether v touches the edge, and how far along.
func (s *strip) holds(v *placed) (along float64, ok bool) {
	if v.world == s.p || v.world == s.q {
		return 0, false
	}
	e := [2]float64{v.at[0] - s.a[0], v.at[1] - s.a[1]}
	along = float64(e[0]*s.d[0]) + float64(e[1]*s.d[1])
	across := float64(e[0]*s.d[1]) - float64(e[1]*s.d[0])
	return along, along > 0 && along < float64(s.length*s.length) && math.Abs(across) <= Contact*s.length
}
