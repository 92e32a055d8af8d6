package geom

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// VertexError says that a vertex of an obstacle cannot be put on the lattice.
type VertexError struct {
	// Obstacle, Ring and Vertex count from 0; ring 0 is the outer one.
	Obstacle, Ring, Vertex int
	// At is the vertex as given.
	At mgl64.Vec2
}

func (e *VertexError) Error() string {
	return fmt.Sprintf("geom: vertex %d of ring %d of obstacle %d is at %v; give finite coordinates within a million lengths of the domain",
		e.Vertex, e.Ring, e.Obstacle, Shown(e.At[:]...))
}

// reach is how many steps from the domain's corner a vertex may lie. At 2^40
// steps float64 still has 12 bits behind the point, so that clipped edges are
// off by far less than the rounding to the lattice.
const reach = 1 << 40

// reaches returns a *VertexError about the first vertex that cannot be put on the lattice, if there is one.
func (l Lattice) reaches(obstacles []Polygon) error {
	for i, o := range obstacles {
		for k := range len(o.Holes) + 1 {
			ring := o.ring(k)
			for n, v := range ring {
				if !l.reachesPoint(v) {
					return &VertexError{Obstacle: i, Ring: k, Vertex: n, At: v}
				}
			}
		}
	}
	return nil
}

// reachesPoint reports whether p is a point, and near enough.
func (l Lattice) reachesPoint(p mgl64.Vec2) bool {
	q := l.fractional(p)
	return math.Abs(q[0]) <= reach && math.Abs(q[1]) <= reach // false for NaN
}

// clipper puts rings on the lattice, clipped to the domain.
type clipper struct {
	lattice  Lattice
	ring     [][2]float64
	previous [][2]float64
	points   []Point
}

// clip returns the ring on the lattice, clipped to the domain and without
// repeated neighbours. Where the ring leaves the domain the result follows the
// border instead (Sutherland and Hodgman 1974); inside the domain winding
// numbers stay as they were. The result is reused by the next call. All vertices
// are within reach.
//
// A ring given the other way round or from another vertex on gives the same
// edges: each cut is a function of the edge's two ends in sorted order.
func (c *clipper) clip(ring Ring) []Point {
	c.ring = c.ring[:0]
	w, h := float64(c.lattice.Size.X), float64(c.lattice.Size.Y)
	inside := true
	for _, v := range ring {
		q := c.lattice.fractional(v)
		inside = inside && q[0] >= 0 && q[0] <= w && q[1] >= 0 && q[1] <= h
		c.ring = append(c.ring, q)
	}
	if !inside {
		c.cut(0, 0, 1)
		c.cut(0, w, -1)
		c.cut(1, 0, 1)
		c.cut(1, h, -1)
	}
	c.points = c.points[:0]
	for _, q := range c.ring {
		p := Point{roundInto(q[0], c.lattice.Size.X), roundInto(q[1], c.lattice.Size.Y)}
		if n := len(c.points); n == 0 || c.points[n-1] != p {
			c.points = append(c.points, p)
		}
	}
	for n := len(c.points); n > 1 && c.points[n-1] == c.points[0]; n-- {
		c.points = c.points[:n-1]
	}
	return c.points
}

// cut keeps the part of the ring where sign * (coordinate - bound) >= 0.
func (c *clipper) cut(axis int, bound, sign float64) {
	c.ring, c.previous = c.previous[:0], c.ring
	for i, q := range c.previous {
		p := c.previous[(i+len(c.previous)-1)%len(c.previous)]
		in, was := sign*(q[axis]-bound) >= 0, sign*(p[axis]-bound) >= 0
		if in != was {
			a, b := p, q
			if b[axis] < a[axis] {
				a, b = b, a
			}
			t := (bound - a[axis]) / (b[axis] - a[axis])
			var x [2]float64
			x[axis] = bound
			x[1-axis] = a[1-axis] + float64((b[1-axis]-a[1-axis])*t)
			c.ring = append(c.ring, x)
		}
		if in {
			c.ring = append(c.ring, q)
		}
	}
}
