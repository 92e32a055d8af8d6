package arrangement

import (
	"math"
	"slices"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// raster is a grid of square cells over a domain, numbered row by row.
type raster struct {
	cell          float64 // the side of a cell, in lattice steps
	columns, rows int
}

// newRaster returns a raster with about a cell for each of n items.
func newRaster(l lattice.Lattice, n int) raster {
	w, h := float64(l.Size.X), float64(l.Size.Y)
	cell := max(1, math.Sqrt(w*h/float64(n+1)))
	return raster{cell, int(w/cell) + 1, int(h/cell) + 1}
}

func (r *raster) column(x float64) int { return lattice.Cell(x/r.cell, r.columns) }
func (r *raster) row(y float64) int    { return lattice.Cell(y/r.cell, r.rows) }

// of returns the cell that holds p; of a point outside the domain, the cell beside it.
func (r *raster) of(p [2]float64) int32 { return int32(r.row(p[1])*r.columns + r.column(p[0])) }

// near appends all cells within margin of the segment from a to b, along either axis, each once,
// and maybe more. Where the segment leaves the domain, the cells beside it count.
func (r *raster) near(a, b [2]float64, margin float64, cells []int32) []int32 {
	low, high := min(a[1], b[1]), max(a[1], b[1])
	left, right := min(a[0], b[0]), max(a[0], b[0])
	first, last := r.column(left-margin), r.column(right+margin)
	bottom, top := r.row(low-margin), r.row(high+margin)
	slanted := first != last && bottom != top && a[0] != b[0]
	slope := (b[1] - a[1]) / (b[0] - a[0])
	for column := first; column <= last; column++ {
		if slanted {
			// The rows of the segment within the column, widened by margin on both sides.
			x0 := min(max(float64(column)*r.cell-margin, left), right)
			x1 := min(max(float64(column+1)*r.cell+margin, left), right)
			y0, y1 := a[1]+float64((x0-a[0])*slope), a[1]+float64((x1-a[0])*slope)
			bottom, top = r.row(max(low, min(y0, y1))-margin), r.row(min(high, max(y0, y1))+margin)
		}
		for row := bottom; row <= top; row++ {
			cells = append(cells, int32(row*r.columns+column))
		}
	}
	return cells
}

// bins lists items by the cells of a raster that they are near.
type bins[T comparable] struct {
	raster
	lists [][]T
}

// newBins returns empty lists with the given capacity for each cell, which may be exceeded.
func newBins[T comparable](r raster, capacity int) bins[T] {
	b := bins[T]{r, make([][]T, r.columns*r.rows)}
	all := make([]T, capacity*len(b.lists))
	for i := range b.lists {
		b.lists[i] = all[capacity*i : capacity*i : capacity*(i+1)]
	}
	return b
}

// set lists an item in the cells if add is true, and otherwise deletes it from their lists: once,
// if it was added several times.
func (c *bins[T]) set(item T, add bool, cells ...int32) {
	for _, i := range cells {
		list := c.lists[i]
		if add {
			c.lists[i] = append(list, item)
		} else if k := slices.Index(list, item); k >= 0 {
			list[k] = list[len(list)-1]
			c.lists[i] = list[:len(list)-1]
		}
	}
}
