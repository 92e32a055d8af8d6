package geom

import "math"

// raster is a grid of square cells over a domain, numbered row by row.
type raster struct {
	cell          float64 // the side of a cell, in lattice steps
	columns, rows int
}

// newRaster returns a raster with about a cell for each of n things.
func newRaster(l Lattice, n int) raster {
	w, h := float64(l.Size.X), float64(l.Size.Y)
	cell := max(1, math.Sqrt(w*h/float64(n+1)))
	return raster{cell, int(w/cell) + 1, int(h/cell) + 1}
}

// of returns the cell that holds p; of a point outside the domain, the cell beside it.
func (r *raster) of(p [2]float64) int32 {
	return int32(clampCell(p[1]/r.cell, r.rows)*r.columns + clampCell(p[0]/r.cell, r.columns))
}

// near appends the cells that hold something within margin of the segment from a to b, along either axis, to cells, and returns
// the extended slice. There may be more of them. Where the segment leaves the domain, the cells beside it count.
func (r *raster) near(a, b [2]float64, margin float64, cells []int32) []int32 {
	low, high := min(a[1], b[1]), max(a[1], b[1])
	first, last := clampCell((min(a[0], b[0])-margin)/r.cell, r.columns), clampCell((max(a[0], b[0])+margin)/r.cell, r.columns)
	bottom, top := clampCell((low-margin)/r.cell, r.rows), clampCell((high+margin)/r.cell, r.rows)
	if first == last || bottom == top {
		for row := bottom; row <= top; row++ {
			for column := first; column <= last; column++ {
				cells = append(cells, int32(row*r.columns+column))
			}
		}
		return cells
	}
	for column := first; column <= last; column++ {
		// The segment within the column, so much wider than it is on both sides.
		from, to := low, high
		if d := b[0] - a[0]; d != 0 {
			left, right := min(a[0], b[0]), max(a[0], b[0])
			slope := (b[1] - a[1]) / d
			x0 := min(max(float64(column)*r.cell-margin, left), right)
			x1 := min(max(float64(column+1)*r.cell+margin, left), right)
			y0, y1 := a[1]+float64((x0-a[0])*slope), a[1]+float64((x1-a[0])*slope)
			from, to = max(low, min(y0, y1)), min(high, max(y0, y1))
		}
		for row := clampCell((from-margin)/r.cell, r.rows); row <= clampCell((to+margin)/r.cell, r.rows); row++ {
			cells = append(cells, int32(row*r.columns+column))
		}
	}
	return cells
}
