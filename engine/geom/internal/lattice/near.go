package lattice

// Cell returns v rounded down and limited to 0..n-1; 0 if v is not a number.
func Cell(v float64, n int) int {
	switch {
	case !(v >= 1):
		return 0
	case v >= float64(n-1):
		return n - 1
	}
	return int(v)
}

// Near appends all cells of a grid of unit squares within margin of the segment from a to b, along
// either axis, each once, and maybe more. Cell (column, row) has number column*rows + row. Where the
// segment leaves the grid, the cells beside it count.
//
// The margin exceeds the error of the coordinates times twice the rows: slopes are below that where
// they are used, since steeper segments are listed in all rows between their ends.
func Near(a, b, margin [2]float64, columns, rows int, cells []int32) []int32 {
	left, right := min(a[0], b[0]), max(a[0], b[0])
	low, high := min(a[1], b[1]), max(a[1], b[1])
	first, last := Cell(left-margin[0], columns), Cell(right+margin[0], columns)
	bottom, top := Cell(low-margin[1], rows), Cell(high+margin[1], rows)
	slanted := first != last && bottom != top && right-left > 0.5
	slope := (b[1] - a[1]) / (b[0] - a[0])
	for column := first; column <= last; column++ {
		if slanted {
			// The rows of the segment within the column, widened by margin on both sides.
			x0 := min(max(float64(column)-margin[0], left), right)
			x1 := min(max(float64(column+1)+margin[0], left), right)
			y0, y1 := a[1]+float64((x0-a[0])*slope), a[1]+float64((x1-a[0])*slope)
			bottom = Cell(max(low, min(y0, y1))-margin[1], rows)
			top = Cell(min(high, max(y0, y1))+margin[1], rows)
		}
		for row := bottom; row <= top; row++ {
			cells = append(cells, int32(column*rows+row))
		}
	}
	return cells
}
