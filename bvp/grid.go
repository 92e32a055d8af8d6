package bvp

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// Directions from a cell to its neighbours. The opposite of d is d ^ 1.
const (
	east = iota
	west
	north
	south
)

// Grid is a ground as cells for a global map: which ways there are from the middle of a cell to the middles of those beside it. A
// way that touches a wall, be it without thickness, is none, so that no chain of ways leads through one.
type Grid struct {
	Columns, Rows int
	Side          int32 // of a cell, lattice steps; even, so that middles are lattice points
	Lattice       geom.Lattice
	open          [2][]bool // eastwards and northwards, by cell, row by row from the lowest
}

// NewGrid lays so many cells along the longer side of a ground's domain: 1 to 1024. Cells whose middle is not in the domain are left out.
func NewGrid(ground *geom.Ground, cells int) *Grid {
	if cells < 1 || cells > 1024 {
		panic(fmt.Sprintf("bvp: a grid of %d cells along the longer side; 1 to 1024 are allowed", cells))
	}
	l := ground.Lattice
	g := &Grid{Side: int32(geom.Steps/(2*cells)) * 2, Lattice: l}
	g.Columns, g.Rows = int((l.Size.X-g.Side/2)/g.Side)+1, int((l.Size.Y-g.Side/2)/g.Side)+1
	if l.Size.X < g.Side/2 || l.Size.Y < g.Side/2 {
		g.Columns, g.Rows = 0, 0
	}
	g.open = [2][]bool{make([]bool, g.Columns*g.Rows), make([]bool, g.Columns*g.Rows)}
	for k := range g.Columns * g.Rows {
		g.open[0][k] = k%g.Columns < g.Columns-1
		g.open[1][k] = k/g.Columns < g.Rows-1
	}
	for _, w := range ground.Walls {
		a, b := ground.Vertices[w.A], ground.Vertices[w.B]
		g.cut(a.X, a.Y, b.X, b.Y, g.Columns, g.Rows, func(i, j int) { g.open[0][j*g.Columns+i] = false })
		g.cut(a.Y, a.X, b.Y, b.X, g.Rows, g.Columns, func(j, i int) { g.open[1][j*g.Columns+i] = false })
	}
	return g
}

// cut calls shut for every way along a row, from column i to the next one of row j, that a wall touches.
func (g *Grid) cut(ax, ay, bx, by int32, columns, rows int, shut func(i, j int)) {
	if by < ay {
		ax, ay, bx, by = bx, by, ax, ay
	}
	side, half := int64(g.Side), int64(g.Side/2)
	for j := max(ceiling(int64(ay)-half, side), 0); j <= floor(int64(by)-half, side) && j < int64(rows); j++ {
		// The wall is on the row's line from x0 to x1, in fractions of dy.
		dx, dy := int64(bx)-int64(ax), int64(by)-int64(ay)
		x0 := int64(ax)*dy + (j*side+half-int64(ay))*dx
		x1 := x0
		if dy == 0 {
			dy, x0, x1 = 1, int64(min(ax, bx)), int64(max(ax, bx))
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

// way is the cell beside one, and whether there is a way to it.
func (g *Grid) way(cell, direction int) (int, bool) {
	switch direction {
	case east:
		return cell + 1, g.open[0][cell]
	case west:
		return cell - 1, cell%g.Columns > 0 && g.open[0][cell-1]
	case north:
		return cell + g.Columns, g.open[1][cell]
	}
	return cell - g.Columns, cell >= g.Columns && g.open[1][cell-g.Columns]
}

// equal reports whether the grids have the same cells and ways.
func (g *Grid) equal(o *Grid) bool {
	return g.Columns == o.Columns && g.Rows == o.Rows && g.Side == o.Side && g.Lattice == o.Lattice &&
		slices.Equal(g.open[0], o.open[0]) && slices.Equal(g.open[1], o.open[1])
}

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

// Cell is the cell that a place in the world is in, the nearest for places beyond the grid; false of a grid without cells.
func (g *Grid) Cell(p mgl64.Vec2) (int, bool) {
	if g.Columns == 0 {
		return 0, false
	}
	off := p.Sub(g.Lattice.Origin).Mul(1 / g.CellSize())
	i := int(min(max(off[0], 0), float64(g.Columns-1)))
	j := int(min(max(off[1], 0), float64(g.Rows-1)))
	return j*g.Columns + i, true
}
