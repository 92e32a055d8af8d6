package arrangement

import (
	"math"
	"slices"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// raster is a grid of square cells over a domain, numbered column by column.
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

// of returns the cell that holds p; of a point outside the domain, the cell beside it.
func (r *raster) of(p [2]float64) int32 {
	q := r.scaled(p)
	return int32(lattice.Cell(q[0], r.columns)*r.rows + lattice.Cell(q[1], r.rows))
}

// near appends all cells within margin of the segment from a to b, as lattice.Near does.
func (r *raster) near(a, b [2]float64, cells []int32) []int32 {
	m := margin / r.cell
	return lattice.Near(r.scaled(a), r.scaled(b), [2]float64{m, m}, r.columns, r.rows, cells)
}

func (r *raster) scaled(p [2]float64) [2]float64 { return [2]float64{p[0] / r.cell, p[1] / r.cell} }

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
