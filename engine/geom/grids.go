package geom

import (
	"math/bits"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// maxCells limits the cells of a WallGrid, those on the upper borders not counted, to what 20,000
// vertices need and a second-level cache holds: 2^16 cells have 256 KiB of Start. More walls make
// for fuller cells.
const maxCells = 1 << 16

// WallGrid lists the walls near each place: a uniform grid of square cells with a power of two of
// lattice steps for a side. Cell (column, row) is the closed square from (column, row) << Shift to
// (column+1, row+1) << Shift; the lattice point p is in the cell (p.X >> Shift, p.Y >> Shift), and
// being closed, cells share their borders. A wall is listed in every cell that it touches, if only
// in a corner. So a walk along a segment that visits the cells of its points, and no others, finds
// every wall that the segment touches.
type WallGrid struct {
	// Shift is the power of two.
	Shift uint32
	// Columns and Rows cover the domain, its upper borders included.
	Columns, Rows int32
	// Start has, for each cell row by row from the lowest, the place in Items of its first wall,
	// and one entry more: the number of items.
	Start []uint32
	// Items are indices into Ground.Walls, ascending within each cell.
	Items []uint32
}

// NewWallGrid returns the grid with the largest cells that hold two walls or fewer on average, or
// with the smallest within a limit of 2^16 cells.
func NewWallGrid(g *Ground) *WallGrid {
	least := uint32(0)
	for int64(g.Lattice.Size.X>>least)*int64(g.Lattice.Size.Y>>least) > maxCells {
		least++
	}
	grid := &WallGrid{}
	where := make([]int32, 0, 2*len(g.Walls)) // a cell of wall which[i]
	which := make([]uint32, 0, 2*len(g.Walls))
	for shift := uint32(Bits); ; shift-- {
		grid.Shift, grid.Columns, grid.Rows = shift, g.Lattice.Size.X>>shift+1, g.Lattice.Size.Y>>shift+1
		cells := int(grid.Columns) * int(grid.Rows)
		if shift > least && 2*cells < len(g.Walls) {
			continue // each is in one cell at least
		}
		where, which = where[:0], which[:0]
		for i, w := range g.Walls {
			n := len(where)
			where = grid.touched(g.Vertices[w.A], g.Vertices[w.B], where)
			for range where[n:] {
				which = append(which, uint32(i))
			}
			if shift > least && len(where) > 2*cells {
				break // too many
			}
		}
		if shift == least || len(where) <= 2*cells {
			break
		}
	}
	grid.Start = make([]uint32, int(grid.Columns)*int(grid.Rows)+1)
	grid.Items = lattice.Distribute(grid.Start, where, which)
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
	slanted := low != high && left != right && a.X != b.X && a.Y != b.Y
	dx, dy := int64(b.X)-int64(a.X), int64(b.Y)-int64(a.Y)
	for row := low; row <= high; row++ {
		if slanted {
			// The columns of the part of ab between the row's lower and upper border: x = a.X + (y
			// - a.Y) dx / dy, in fractions of dy.
			x0 := int64(a.X)*dy + (max(int64(a.Y), int64(row)<<w.Shift)-int64(a.Y))*dx
			x1 := int64(a.X)*dy + (min(int64(b.Y), int64(row+1)<<w.Shift)-int64(a.Y))*dx
			// As in span, with cells of dy times the side.
			cell := dy << w.Shift
			left = max(int32((min(x0, x1)+cell-1)/cell)-1, 0)
			right = min(int32(max(x0, x1)/cell), w.Columns-1)
		}
		for column := left; column <= right; column++ {
			cells = append(cells, row*w.Columns+column)
		}
	}
	return cells
}

// span returns the first and the last of n cells in a row that touch the closed interval from lo to
// hi, which lies in the domain.
func (w *WallGrid) span(lo, hi int64, n int32) (first, last int32) {
	// The first cell ends at or after lo: first+1 >= lo/side. The last one begins at or before hi.
	first = int32((lo+int64(1)<<w.Shift-1)>>w.Shift) - 1
	last = int32(hi >> w.Shift)
	return max(first, 0), min(last, n-1)
}

// FaceGrid finds the free triangles at each point of the lattice without a walk: a grid of square
// cells, each with the free triangles that touch it. A cell with many triangles is split into 4 x
// 4, and those again, so that scenes with all their detail in one corner cost no more to query than
// even ones. Point p belongs to the cell (p.X >> Shift, p.Y >> Shift) of the coarsest level, and
// further down to the one that the next two bits of its coordinates name.
type FaceGrid struct {
	// Shift is the side of a cell of the coarsest level as a power of two.
	Shift uint32
	// Columns and Rows cover the domain, its upper borders included.
	Columns, Rows int32
	// Cells begins with the coarsest level, row by row from the lowest.
	Cells []FaceCell
	// Items are indices into Ground.Triangles, ascending within each cell.
	Items []uint32
}

// FaceCell is a cell of a FaceGrid.
type FaceCell struct {
	// First is the place in Items of the cell's first triangle; of a cell that is split, the place
	// in Cells of the first of its 16 parts, row by row.
	First uint32
	// Count is the number of triangles, or FaceSplit.
	Count uint32
}

// FaceSplit is the Count of a cell that is split.
const FaceSplit uint32 = 0xffffffff

const (
	// splitBits is the power of two of the parts of a split cell along a side.
	splitBits = 2
	// FaceShiftLeast is the side of the smallest cells as a power of two. They are so wide that the
	// points within SnapSlack of any point lie in the cells of the four corners of that square.
	FaceShiftLeast = 3
	// facesUnsplit is how many triangles a cell may list without being split. Six meet at a vertex
	// on average.
	facesUnsplit = 8
)

// NewFaceGrid returns the grid of a ground.
//
// The coarsest level has about a cell for every free triangle. A cell is split where that helps:
// where the parts together list at most three times as many triangles. Those of an even mesh do,
// from some 16 triangles on. The parts of a cell that a bundle of slivers passes through list four
// times as many, and none of them fewer than the whole: splitting on would take memory without end.
func NewFaceGrid(g *Ground) *FaceGrid {
	size := g.Lattice.Size
	free := 0
	for t := range g.Triangles {
		if g.Triangles[t].Free {
			free++
		}
	}
	area := uint64(size.X) * uint64(size.Y) / uint64(max(free, 1))
	shift := uint32(max(bits.Len64(area)/2, FaceShiftLeast))
	f := &FaceGrid{Shift: shift, Columns: size.X>>shift + 1, Rows: size.Y>>shift + 1}
	lists := make([][]uint32, int(f.Columns)*int(f.Rows))
	for t := range g.Triangles {
		if !g.Triangles[t].Free {
			continue
		}
		corners := g.vertices(int32(t))
		lo, hi := boundsOf(corners)
		for row := lo.Y >> shift; row <= hi.Y>>shift; row++ {
			for column := lo.X >> shift; column <= hi.X>>shift; column++ {
				if meetsSquare(corners, Point{X: column << shift, Y: row << shift}, shift) {
					cell := row*f.Columns + column
					lists[cell] = append(lists[cell], uint32(t))
				}
			}
		}
	}
	f.Cells = make([]FaceCell, len(lists))
	for i, list := range lists {
		corner := Point{X: int32(i) % f.Columns << shift, Y: int32(i) / f.Columns << shift}
		f.fill(g, i, corner, shift, list)
	}
	return f
}

// fill makes a cell of the triangles that touch it.
func (f *FaceGrid) fill(g *Ground, cell int, corner Point, shift uint32, list []uint32) {
	if len(list) > facesUnsplit && shift >= FaceShiftLeast+splitBits {
		var parts [1 << (2 * splitBits)][]uint32
		small := shift - splitBits
		total := 0
		place := func(i int) Point {
			return Point{X: corner.X + int32(i)&(1<<splitBits-1)<<small, Y: corner.Y + int32(i)>>splitBits<<small}
		}
		for _, t := range list {
			corners := g.vertices(int32(t))
			for i := range parts {
				if meetsSquare(corners, place(i), small) {
					parts[i] = append(parts[i], t)
					total++
				}
			}
		}
		if total <= 3*len(list) {
			first := len(f.Cells)
			f.Cells[cell] = FaceCell{uint32(first), FaceSplit}
			f.Cells = append(f.Cells, make([]FaceCell, len(parts))...)
			for i, part := range parts {
				f.fill(g, first+i, place(i), small, part)
			}
			return
		}
	}
	f.Cells[cell] = FaceCell{uint32(len(f.Items)), uint32(len(list))}
	f.Items = append(f.Items, list...)
}

// boundsOf returns the corners of a triangle's box.
func boundsOf(v [3]Point) (lo, hi Point) {
	return Point{X: min(v[0].X, v[1].X, v[2].X), Y: min(v[0].Y, v[1].Y, v[2].Y)},
		Point{X: max(v[0].X, v[1].X, v[2].X), Y: max(v[0].Y, v[1].Y, v[2].Y)}
}

// meetsSquare reports whether a closed triangle, counter-clockwise, touches the closed square of
// 2^shift lattice points a side, lo its lower left one. Two convex figures are apart where a side
// of one of them has all of the other behind it.
func meetsSquare(v [3]Point, lo Point, shift uint32) bool {
	hi := Point{X: lo.X + 1<<shift - 1, Y: lo.Y + 1<<shift - 1}
	low, high := boundsOf(v)
	if low.X > hi.X || high.X < lo.X || low.Y > hi.Y || high.Y < lo.Y {
		return false
	}
	for i, a := range v {
		b := v[(i+1)%3]
		far := lo // the corner farthest to the left of the side
		if b.Y < a.Y {
			far.X = hi.X
		}
		if b.X > a.X {
			far.Y = hi.Y
		}
		if Orient(a, b, far) == Right {
			return false
		}
	}
	return true
}
