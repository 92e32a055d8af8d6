package measure

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// Cell is the free ground that is nearer to one agent than to any other.
type Cell struct {
	Walker Walker
	Pieces []Convex // disjoint
	Area   float64  // m2
}

// Convex is a convex polygon, counter-clockwise. Unit: m.
type Convex []mgl64.Vec2

// Box returns a rectangle as a polygon.
func (r Rect) Box() Convex {
	return Convex{r.Low, {r.High[0], r.Low[1]}, r.High, {r.Low[0], r.High[1]}}
}

// Area returns the area. Unit: m2.
func (c Convex) Area() float64 {
	twice := 0.0
	for i := 2; i < len(c); i++ {
		twice += cross(c[i-1].Sub(c[0]), c[i].Sub(c[0]))
	}
	return twice / 2
}

// cut returns the part where (p - at) . normal <= 0.
func (c Convex) cut(at, normal mgl64.Vec2) Convex {
	var part Convex
	for i, p := range c {
		q := c[(i+1)%len(c)]
		u, v := p.Sub(at).Dot(normal), q.Sub(at).Dot(normal)
		if u <= 0 {
			part = append(part, p)
		}
		if u < 0 && v > 0 || u > 0 && v < 0 {
			part = append(part, p.Add(q.Sub(p).Mul(u/(u-v))))
		}
	}
	return part
}

// Clip returns the part of c in d, which is empty where they share no area.
func (c Convex) Clip(d Convex) Convex {
	for i, p := range d {
		if len(c) == 0 {
			break
		}
		along := d[(i+1)%len(d)].Sub(p)
		c = c.cut(p, mgl64.Vec2{along[1], -along[0]})
	}
	if len(c) < 3 {
		return nil
	}
	return c
}

// crosses reports whether a part of the segment from a to b, longer than a point, is in c.
func (c Convex) crosses(a, b mgl64.Vec2) bool {
	from, to := 0.0, 1.0
	for i, p := range c {
		along := c[(i+1)%len(c)].Sub(p)
		u, v := cross(along, a.Sub(p)), cross(along, b.Sub(p)) // at least 0 inside
		switch {
		case u < 0 && v < 0:
			return false
		case u < 0:
			from = max(from, u/(u-v))
		case v < 0:
			to = min(to, u/(u-v))
		}
	}
	return from < to
}

// cutoffSides is the number of sides of the disc that limits a cell: its area is 0.6% below the
// circle's.
const cutoffSides = 32

// Voronoi divides the free ground among the agents of a frame. The cell of an agent is the part of
// its Voronoi cell that is free ground and connected to it: what lies behind a wall belongs to
// no agent. Where cutoff is above 0, a cell also ends at a disc of that radius, in meters. Agents
// off the free ground have no cell, and neither have those at the place of an earlier one. Cells
// are in the order of the frame. It takes time in proportion to the number of agents where they
// are spread evenly.
//
// Source: Steffen and Seyfried, Methods for measuring pedestrian density, flow, speed and direction
// with minimal scatter (2010).
func Voronoi(f Frame, ground *geom.Ground, cutoff float64) []Cell {
	lattice := ground.Lattice
	first := lattice.World(ground.Vertices[0])
	last := lattice.World(ground.Vertices[len(ground.Vertices)-1])
	domain := Rect{first, last}.Box()
	near := newGrid(f.Walkers, domain.Area())
	var cells []Cell
	for i, w := range f.Walkers {
		at, ok := ground.Standing(w.At)
		if !ok {
			continue
		}
		whole := domain
		if cutoff > 0 {
			whole = around(w.At, cutoff).Clip(domain)
		}
		whole, ok = near.cell(i, whole)
		if !ok {
			continue
		}
		cell := Cell{Walker: w}
		cell.flood(ground, ground.Locate(at), whole)
		cells = append(cells, cell)
	}
	return cells
}

// around is a regular polygon with its vertices at a distance.
func around(center mgl64.Vec2, radius float64) Convex {
	c := make(Convex, cutoffSides)
	for k := range c {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / cutoffSides)
		c[k] = center.Add(mgl64.Vec2{cos, sin}.Mul(radius))
	}
	return c
}

// flood collects the parts of free triangles in a Voronoi cell, from the agent's triangle on.
func (c *Cell) flood(g *geom.Ground, start int32, whole Convex) {
	seen := map[int32]bool{start: true}
	for queue := []int32{start}; len(queue) > 0; queue = queue[1:] {
		t := queue[0]
		var corners Convex
		for _, v := range g.Triangles[t].V {
			corners = append(corners, g.Lattice.World(g.Vertices[v]))
		}
		if piece := corners.Clip(whole); piece != nil {
			c.Pieces = append(c.Pieces, piece)
			c.Area += piece.Area()
		}
		for e := range int32(3) {
			next, _ := g.Across(t, e)
			if next >= 0 && !seen[next] && whole.crosses(corners[e], corners[(e+1)%3]) {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
}

// In returns the area of the part of the cell in a convex area. Unit: m2.
func (c *Cell) In(area Convex) float64 {
	sum := 0.0
	for _, piece := range c.Pieces {
		sum += piece.Clip(area).Area()
	}
	return sum
}

// VoronoiIn returns density and speed in a convex area: each agent counts with the share of its
// cell that lies in the area, its speed with the share of the area. The zero Sample where no cell
// meets the area.
//
// Source: Steffen and Seyfried (2010).
func VoronoiIn(cells []Cell, area Convex) Sample {
	var s Sample
	covered := 0.0
	for i := range cells {
		c := &cells[i]
		if part := c.In(area); part > 0 {
			s.Density += part / c.Area
			s.Speed += part * c.Walker.Velocity.Len()
			covered += part
		}
	}
	if covered == 0 {
		return Sample{}
	}
	return Sample{s.Density / area.Area(), s.Speed / covered}
}

// grid finds agents near another one: squares of about one agent each.
type grid struct {
	walkers []Walker
	side    float64
	squares map[[2]int][]int
	rings   int // no square with an agent is farther from another than so many
}

func newGrid(walkers []Walker, area float64) *grid {
	g := &grid{walkers: walkers, side: math.Sqrt(area / float64(max(1, len(walkers)))), squares: map[[2]int][]int{}}
	low, high := [2]int{math.MaxInt, math.MaxInt}, [2]int{math.MinInt, math.MinInt}
	for i, w := range walkers {
		s := g.square(w.At)
		g.squares[s] = append(g.squares[s], i)
		for axis := range 2 {
			low[axis], high[axis] = min(low[axis], s[axis]), max(high[axis], s[axis])
		}
	}
	if len(walkers) > 0 {
		g.rings = max(high[0]-low[0], high[1]-low[1])
	}
	return g
}

func (g *grid) square(p mgl64.Vec2) [2]int {
	return [2]int{int(math.Floor(p[0] / g.side)), int(math.Floor(p[1] / g.side))}
}

// cell cuts a polygon around agent i down to its Voronoi cell; false where an earlier agent is at
// the same place. Ring k of squares is at least (k - 1) sides away, and an agent farther away than
// twice the farthest vertex cuts nothing off.
func (g *grid) cell(i int, c Convex) (Convex, bool) {
	at := g.walkers[i].At
	home := g.square(at)
	for ring := 0; ring <= g.rings; ring++ {
		reach := 0.0
		for _, p := range c {
			reach = max(reach, p.Sub(at).Len())
		}
		if float64(ring-1)*g.side > 2*reach {
			break
		}
		for dx := -ring; dx <= ring; dx++ {
			step := 1
			if dx > -ring && dx < ring {
				step = 2 * max(1, ring)
			}
			for dy := -ring; dy <= ring; dy += step {
				for _, k := range g.squares[[2]int{home[0] + dx, home[1] + dy}] {
					other := g.walkers[k].At
					if k == i || other == at && k > i {
						continue
					}
					if other == at {
						return nil, false
					}
					c = c.cut(at.Add(other).Mul(0.5), other.Sub(at))
				}
			}
		}
	}
	return c, len(c) > 2
}
