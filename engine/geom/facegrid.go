package geom

import "math/bits"

// FaceGrid finds the free triangles at each point of the lattice without a
// walk: a grid of square cells, each with the free triangles that touch it.
// Where a cell has many triangles it is split into 4 x 4, and those again, so
// that scenes with all their detail in one corner cost no more to ask than
// even ones. Point p belongs to the cell (p.X >> Shift, p.Y >> Shift) of the
// coarsest level, and further down to the one that the next two bits of its
// coordinates name.
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
	// First is the place in Items of the cell's first triangle; of a cell that
	// is split, the place in Cells of the first of its 16 parts, row by row.
	First uint32
	// Count is how many triangles there are, or FaceSplit.
	Count uint32
}

// FaceSplit is the Count of a cell that is split.
const FaceSplit uint32 = 0xffffffff

const (
	// splitBits is the power of two of the parts of a split cell along a side.
	splitBits = 2
	// FaceShiftLeast is the side of the smallest cells as a power of two. They are
	// so wide that the points within SnapSlack of any point lie in the cells of
	// the four corners of that square.
	FaceShiftLeast = 3
	// faceCrowd is how many triangles a cell may list without being split. Six
	// meet at a vertex on average.
	faceCrowd = 8
)

// NewFaceGrid returns the grid of a ground.
//
// The coarsest level has about a cell for every free triangle. A cell is split
// where that helps: where the parts together list at most three times as many
// triangles. Those of an even mesh do, from some 16 triangles on. The parts of
// a cell that a bundle of slivers passes through list four times as many, and
// none of them fewer than the whole: splitting on would take memory without end.
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
				if meetsSquare(corners, Point{column << shift, row << shift}, shift) {
					cell := row*f.Columns + column
					lists[cell] = append(lists[cell], uint32(t))
				}
			}
		}
	}
	f.Cells = make([]FaceCell, len(lists))
	for i, list := range lists {
		corner := Point{int32(i) % f.Columns << shift, int32(i) / f.Columns << shift}
		f.fill(g, i, corner, shift, list)
	}
	return f
}

// fill makes a cell of what touches it.
func (f *FaceGrid) fill(g *Ground, cell int, corner Point, shift uint32, list []uint32) {
	if len(list) > faceCrowd && shift >= FaceShiftLeast+splitBits {
		var parts [1 << (2 * splitBits)][]uint32
		small := shift - splitBits
		total := 0
		place := func(i int) Point {
			return Point{corner.X + int32(i)&(1<<splitBits-1)<<small, corner.Y + int32(i)>>splitBits<<small}
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

// Faces returns the free triangles listed for the cell of p, a point of the
// domain: all that contain p, and some more. They are shared: not to be
// written to.
func (f *FaceGrid) Faces(p Point) []uint32 {
	shift := f.Shift
	cell := f.Cells[p.Y>>shift*f.Columns+p.X>>shift]
	for cell.Count == FaceSplit {
		shift -= splitBits
		const mask = 1<<splitBits - 1
		cell = f.Cells[cell.First+uint32(p.Y>>shift&mask<<splitBits|p.X>>shift&mask)]
	}
	return f.Items[cell.First : cell.First+cell.Count]
}

// vertices returns the vertices of triangle t.
func (g *Ground) vertices(t int32) [3]Point {
	v := &g.Triangles[t].V
	return [3]Point{g.Vertices[v[0]], g.Vertices[v[1]], g.Vertices[v[2]]}
}

// boundsOf returns the corners of a triangle's box.
func boundsOf(v [3]Point) (lo, hi Point) {
	return Point{min(v[0].X, v[1].X, v[2].X), min(v[0].Y, v[1].Y, v[2].Y)},
		Point{max(v[0].X, v[1].X, v[2].X), max(v[0].Y, v[1].Y, v[2].Y)}
}

// meetsSquare reports whether a closed triangle, counter-clockwise, touches the
// closed square of 2^shift lattice points a side, lo its lower left one. Two convex
// figures are apart where a side of one of them has all of the other behind it.
func meetsSquare(v [3]Point, lo Point, shift uint32) bool {
	hi := Point{lo.X + 1<<shift - 1, lo.Y + 1<<shift - 1}
	low, high := boundsOf(v)
	if low.X > hi.X || high.X < lo.X || low.Y > hi.Y || high.Y < lo.Y {
		return false
	}
	for i, a := range v {
		b := v[(i+1)%3]
		// The corner farthest to the left of the side.
		far := lo
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
