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
	least := uint32(0)
	for int64(g.Lattice.Size.X>>least)*int64(g.Lattice.Size.Y>>least) > maxCells {
		least++
	}
	grid := &WallGrid{}
	where := make([]int32, 0, 2*len(g.Walls)) // the cells of each wall, one after the other
	ends := make([]int32, len(g.Walls))       // where they end in that
	for shift := uint32(Bits); ; shift-- {
		grid.Shift, grid.Columns, grid.Rows = shift, g.Lattice.Size.X>>shift+1, g.Lattice.Size.Y>>shift+1
		cells := int(grid.Columns) * int(grid.Rows)
		if shift > least && 2*cells < len(g.Walls) {
			continue // each is in a cell at least
		}
		where = where[:0]
		for i, w := range g.Walls {
			where = grid.touched(g.Vertices[w.A], g.Vertices[w.B], where)
			ends[i] = int32(len(where))
			if shift > least && len(where) > 2*cells {
				break // too many, whatever comes
			}
		}
		if shift == least || len(where) <= 2*cells {
			break
		}
	}
	// Counting from the end, so that what begins as the end of a cell's items is their start when all are in place.
	grid.Start = make([]uint32, int(grid.Columns)*int(grid.Rows)+1)
	for _, cell := range where {
		grid.Start[cell]++
	}
	var sum uint32
	for cell, n := range grid.Start {
		sum += n
		grid.Start[cell] = sum
	}
	grid.Items = make([]uint32, len(where))
	k := len(where)
	for i := len(ends) - 1; i >= 0; i-- {
		first := 0
		if i > 0 {
			first = int(ends[i-1])
		}
		for ; k > first; k-- {
			cell := where[k-1]
			grid.Start[cell]--
			grid.Items[grid.Start[cell]] = uint32(i)
		}
	}
	return grid
}

// Walls returns the walls listed in a cell of the grid.
func (w *WallGrid) Walls(column, row int32) []uint32 {
	cell := row*w.Columns + column
	return w.Items[w.Start[cell]:w.Start[cell+1]]
}

// touched appends the cells that the closed segment ab touches, row by row.
func (w *WallGrid) touched(a, b Point, cells []int32) []int32 {
	if b.Y < a.Y {
		a, b = b, a
	}
	low, high := w.span(int64(a.Y), int64(b.Y), w.Rows)
	left, right := w.span(int64(min(a.X, b.X)), int64(max(a.X, b.X)), w.Columns)
	if low == high || left == right {
		for row := low; row <= high; row++ {
			for column := left; column <= right; column++ {
				cells = append(cells, row*w.Columns+column)
			}
		}
		return cells
	}
	dx, dy := int64(b.X)-int64(a.X), int64(b.Y)-int64(a.Y)
	for row := low; row <= high; row++ {
		first, last := left, right
		if dx != 0 && dy > 0 {
			// The columns of the part of ab between the row's lower and upper border:
			// x = a.X + (y - a.Y) dx / dy, in fractions of dy.
			x0 := int64(a.X)*dy + (max(int64(a.Y), int64(row)<<w.Shift)-int64(a.Y))*dx
			x1 := int64(a.X)*dy + (min(int64(b.Y), int64(row+1)<<w.Shift)-int64(a.Y))*dx
			// As in span, with cells of dy times the side.
			cell := dy << w.Shift
			first = max(int32((min(x0, x1)+cell-1)/cell)-1, 0)
			last = min(int32(max(x0, x1)/cell), w.Columns-1)
		}
		for column := first; column <= last; column++ {
			cells = append(cells, row*w.Columns+column)
		}
	}
	return cells
}

// span returns the first and the last of n cells in a row that touch the closed
// interval from lo to hi, which lies in the domain.
func (w *WallGrid) span(lo, hi int64, n int32) (first, last int32) {
	// The first cell ends at or after lo: first+1 >= lo/side. The last one begins
	// at or before hi.
	first = int32((lo+int64(1)<<w.Shift-1)>>w.Shift) - 1
	last = int32(hi >> w.Shift)
	return max(first, 0), min(last, n-1)
}
