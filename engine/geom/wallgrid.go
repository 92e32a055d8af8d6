package geom

// maxCells caps the cells of a WallGrid, those on the upper borders not counted,
// at what 20,000 vertices need and a second level cache holds with ease: 2^16
// cells have 256 KiB of Start. More walls make for fuller cells.
const maxCells = 1 << 16

// WallGrid lists the walls near each place: a uniform grid of square cells with
// a power of two of lattice steps for a side. Cell (column, row) is the closed
// square from (column, row) << Shift to (column+1, row+1) << Shift; the lattice
// point p is in the cell (p.X >> Shift, p.Y >> Shift), and being closed, cells
// share their borders. A wall is listed in every cell that it touches, if only
// in a corner. So a walk along a segment that visits the cells of its points,
// and no others, comes by every wall that the segment touches.
type WallGrid struct {
	// Shift is the power of two.
	Shift uint32
	// Columns and Rows cover the domain, its upper borders included.
	Columns, Rows int32
	// Start has, for each cell row by row from the lowest, the place in Items of
	// its first wall, and one entry more: the number of items.
	Start []uint32
	// Items are indices into Ground.Walls, ascending within each cell.
	Items []uint32
}

// NewWallGrid returns the grid with the largest cells that hold two walls or
// fewer on average, or with the smallest within a cap of 2^16 cells.
func NewWallGrid(g *Ground) *WallGrid {
	grid := &WallGrid{}
	for shift := uint32(Bits); ; shift-- {
		columns, rows := g.Lattice.Size.X>>shift, g.Lattice.Size.Y>>shift
		if int64(columns)*int64(rows) > maxCells {
			break
		}
		grid.count(g, shift)
		cells := len(grid.Start) - 1
		if shift == 0 || int(grid.Start[cells]) <= 2*cells {
			break
		}
	}
	grid.Items = make([]uint32, grid.Start[len(grid.Start)-1])
	fill := append([]uint32(nil), grid.Start...)
	for i, w := range g.Walls {
		for cell := range grid.touched(g.Vertices[w.A], g.Vertices[w.B]) {
			grid.Items[fill[cell]] = uint32(i)
			fill[cell]++
		}
	}
	return grid
}

// count sets the size of the cells, and Start.
func (w *WallGrid) count(g *Ground, shift uint32) {
	w.Shift, w.Columns, w.Rows = shift, g.Lattice.Size.X>>shift+1, g.Lattice.Size.Y>>shift+1
	w.Start = make([]uint32, int(w.Columns)*int(w.Rows)+1)
	for _, wall := range g.Walls {
		for cell := range w.touched(g.Vertices[wall.A], g.Vertices[wall.B]) {
			w.Start[cell+1]++
		}
	}
	for i := 1; i < len(w.Start); i++ {
		w.Start[i] += w.Start[i-1]
	}
}

// Walls returns the walls listed in a cell of the grid.
func (w *WallGrid) Walls(column, row int32) []uint32 {
	cell := row*w.Columns + column
	return w.Items[w.Start[cell]:w.Start[cell+1]]
}

// touched yields the cells that the closed segment ab touches, row by row.
func (w *WallGrid) touched(a, b Point) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		if b.Y < a.Y {
			a, b = b, a
		}
		low, high := w.span(int64(a.Y), int64(b.Y), 1, w.Rows)
		for row := low; row <= high; row++ {
			// The columns of the part of ab between the row's lower and upper border:
			// x = a.X + (y - a.Y) (b.X - a.X) / (b.Y - a.Y), as fractions.
			x0, x1, denominator := int64(a.X), int64(b.X), int64(1)
			if dy := int64(b.Y) - int64(a.Y); dy > 0 {
				at := func(y int64) int64 { return int64(a.X)*dy + (y-int64(a.Y))*(int64(b.X)-int64(a.X)) }
				denominator = dy
				x0 = at(max(int64(a.Y), int64(row)<<w.Shift))
				x1 = at(min(int64(b.Y), int64(row+1)<<w.Shift))
			}
			first, last := w.span(min(x0, x1), max(x0, x1), denominator, w.Columns)
			for column := first; column <= last; column++ {
				if !yield(row*w.Columns + column) {
					return
				}
			}
		}
	}
}

// span returns the first and the last of n cells in a row that touch the closed
// interval from lo/d to hi/d, which lies in the domain.
func (w *WallGrid) span(lo, hi, d int64, n int32) (first, last int32) {
	cell := d << w.Shift
	// The first cell ends at or after lo: first+1 >= lo/cell. The last one begins
	// at or before hi.
	first = int32((lo+cell-1)/cell) - 1
	last = int32(hi / cell)
	return max(first, 0), min(last, n-1)
}
