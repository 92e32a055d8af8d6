// Package grid divides a ground into the square cells of global maps.
package grid

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// Directions from a cell to its neighbors. The opposite of d is d ^ 1.
const (
	East = iota
	West
	North
	South
)

// Grid is a ground as cells, row by row from the lowest, with the ways from the middle of a cell to
// the middles of its neighbors. What touches a wall, even one without thickness, is no way, so no
// chain of ways leads through a wall.
type Grid struct {
	Columns, Rows int
	Side          int32 // of a cell, lattice steps; even, so that middles are lattice points
	Lattice       geom.Lattice
	Ways          []uint32 // of each cell, bit d is set where there is a way in direction d
}

// New lays cells on a ground: 1 to 1024 along the longer side of its domain. Cells whose middle is
// outside the domain are left out.
func New(ground *geom.Ground, cells int) *Grid {
	if cells < 1 || cells > 1024 {
		panic(fmt.Sprintf("bvp: a grid of %d cells along the longer side; 1 to 1024 are allowed", cells))
	}
	l := ground.Lattice
	g := &Grid{Side: int32(geom.Steps/(2*cells)) * 2, Lattice: l}
	if half := g.Side / 2; l.Size.X >= half && l.Size.Y >= half {
		g.Columns, g.Rows = int((l.Size.X-half)/g.Side)+1, int((l.Size.Y-half)/g.Side)+1
	}
	g.Ways = make([]uint32, g.Columns*g.Rows)
	for k := range g.Ways {
		i, j := k%g.Columns, k/g.Columns
		for d, inside := range []bool{East: i < g.Columns-1, West: i > 0, North: j < g.Rows-1, South: j > 0} {
			if inside {
				g.Ways[k] |= 1 << d
			}
		}
	}
	for _, w := range ground.Walls {
		a, b := ground.Vertices[w.A], ground.Vertices[w.B]
		g.cut(a, b, g.Columns, g.Rows, func(i, j int) { g.shut(j*g.Columns+i, East) })
		a, b = geom.Point{X: a.Y, Y: a.X}, geom.Point{X: b.Y, Y: b.X}
		g.cut(a, b, g.Rows, g.Columns, func(j, i int) { g.shut(j*g.Columns+i, North) })
	}
	return g
}

// shut removes the way from a cell in a direction, and the way back.
func (g *Grid) shut(cell, direction int) {
	to, _ := g.Way(cell, direction)
	g.Ways[cell] &^= 1 << direction
	g.Ways[to] &^= 1 << (direction ^ 1)
}

// cut calls shut for every way along a row, from column i to the next one of row j, that a wall
// from a to b touches.
func (g *Grid) cut(a, b geom.Point, columns, rows int, shut func(i, j int)) {
	if b.Y < a.Y {
		a, b = b, a
	}
	ax, ay, bx, by := int64(a.X), int64(a.Y), int64(b.X), int64(b.Y)
	side, half := int64(g.Side), int64(g.Side/2)
	for j := max(ceiling(ay-half, side), 0); j <= floor(by-half, side) && j < int64(rows); j++ {
		// The wall is on the row's line from x0 to x1, in fractions of dy.
		dx, dy := bx-ax, by-ay
		x0 := ax*dy + (j*side+half-ay)*dx
		x1 := x0
		if dy == 0 {
			dy, x0, x1 = 1, min(ax, bx), max(ax, bx)
		}
		first := max(ceiling(x0-(half+side)*dy, side*dy), 0)
		last := min(floor(x1-half*dy, side*dy), int64(columns)-2)
		for i := first; i <= last; i++ {
			shut(int(i), int(j))
		}
	}
}

func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func ceiling(a, b int64) int64 { return -floor(-a, b) }

// Way is the neighbor of a cell in a direction, and whether there is a way to it.
func (g *Grid) Way(cell, direction int) (int, bool) {
	step := [...]int{East: 1, West: -1, North: g.Columns, South: -g.Columns}[direction]
	return cell + step, g.Ways[cell]>>direction&1 != 0
}

// Equal reports whether the grids have the same cells and ways.
func (g *Grid) Equal(o *Grid) bool {
	return g.Columns == o.Columns && g.Side == o.Side && g.Lattice == o.Lattice && slices.Equal(g.Ways, o.Ways)
}

// Size is the number of columns and rows.
func (g *Grid) Size() [2]int32 { return [2]int32{int32(g.Columns), int32(g.Rows)} }

// Count is the number of cells.
func (g *Grid) Count() int { return len(g.Ways) }

// CellSize is the side of a cell, m.
func (g *Grid) CellSize() float64 { return float64(g.Side) * g.Lattice.Step }

// Middle is the middle of a cell, in the world, m.
func (g *Grid) Middle(cell int) mgl64.Vec2 {
	step := g.Lattice.Step
	return g.Lattice.Origin.Add(mgl64.Vec2{
		(float64(cell%g.Columns) + 0.5) * float64(g.Side) * step,
		(float64(cell/g.Columns) + 0.5) * float64(g.Side) * step,
	})
}

// Cell is the cell of a place in the world, the nearest one for a place beyond the grid. It is
// false for a grid without cells.
func (g *Grid) Cell(p mgl64.Vec2) (int, bool) {
	if g.Count() == 0 {
		return 0, false
	}
	off := p.Sub(g.Lattice.Origin).Mul(1 / g.CellSize())
	i := int(min(max(off[0], 0), float64(g.Columns-1)))
	j := int(min(max(off[1], 0), float64(g.Rows-1)))
	return j*g.Columns + i, true
}

// Goals are the cells of a goal's points and segments, in the world: those of the points, and those
// of points on each segment that are at most half a cell apart. Each is there once, in order.
func (g *Grid) Goals(points []mgl64.Vec2, segments [][2]mgl64.Vec2) []int {
	taken := map[int]bool{}
	take := func(p mgl64.Vec2) {
		if cell, ok := g.Cell(p); ok {
			taken[cell] = true
		}
	}
	for _, p := range points {
		take(p)
	}
	for _, s := range segments {
		d := s[1].Sub(s[0])
		steps := math.Ceil(2 * max(math.Abs(d[0]), math.Abs(d[1])) / g.CellSize())
		for k := 0.0; k <= steps; k++ {
			take(s[0].Add(d.Mul(k / max(steps, 1))))
		}
	}
	return slices.Sorted(maps.Keys(taken))
}
