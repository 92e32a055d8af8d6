package arrangement

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// VertexError reports a vertex of an obstacle that cannot be put on the lattice.
type VertexError struct {
	// Obstacle, Ring and Vertex count from 0; ring 0 is the outer one.
	Obstacle, Ring, Vertex int
	// At is the vertex as given.
	At mgl64.Vec2
}

func (e *VertexError) Error() string {
	return fmt.Sprintf("geom: vertex %d of ring %d of obstacle %d is at %v; give finite coordinates within a million lengths of the domain",
		e.Vertex, e.Ring, e.Obstacle, polygon.Shown(e.At[:]...))
}

// reach is how many steps from the domain's corner a vertex may lie. At 2^40 steps float64 has 12
// fractional bits: clipped edges are off by far less than the rounding to the lattice.
const reach = 1 << 40

// Check returns a *VertexError about the first vertex that cannot be put on the lattice, or nil.
func Check(l lattice.Lattice, obstacles []polygon.Polygon) error {
	for i, o := range obstacles {
		for k, ring := range o.Rings() {
			for n, v := range ring {
				q := l.Fractional(v)
				if !(math.Abs(q[0]) <= reach && math.Abs(q[1]) <= reach) { // NaN too
					return &VertexError{Obstacle: i, Ring: k, Vertex: n, At: v}
				}
			}
		}
	}
	return nil
}

// clipper puts rings on the lattice, clipped to the domain.
type clipper struct {
	lattice  lattice.Lattice
	ring     [][2]float64
	previous [][2]float64
	points   []lattice.Point
}

// clip returns the ring on the lattice, clipped to the domain and without repeated neighbors. Where
// the ring leaves the domain the result follows the border instead (I. E. Sutherland and G. W.
// Hodgman, Reentrant polygon clipping, 1974); winding numbers inside the domain stay. The next call
// overwrites the result. All vertices pass Check.
//
// A ring of the other orientation or with another first vertex gives the same edges: each cut is a
// function of the edge's two ends in sorted order.
func (c *clipper) clip(ring polygon.Ring) []lattice.Point {
	c.ring = c.ring[:0]
	w, h := float64(c.lattice.Size.X), float64(c.lattice.Size.Y)
	inside := true
	for _, v := range ring {
		q := c.lattice.Fractional(v)
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
		p := c.lattice.Round(q)
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
