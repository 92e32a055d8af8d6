package bvp

// class is how work groups take maps of up to so many cells along a side: several small ones at once, so that a group has
// threads enough to be worth it, and a crew of threads each. A thread has a strip of the map, some columns wide and some rows high; a
// map is as high as some strips.
type class struct {
	edge, maps, wide, rows, strips int
}

// classes are the sizes that the passes are compiled for, 11, 16 and 21 cells for those of the papers. Strips have an even number of
// columns and of rows, so that all begin with the same colour of a chessboard, and few enough to stay in registers. Groups are a little less
// than once or twice the 32 threads that devices run as one.
var classes = []class{
	{11, 10, 4, 10, 1},
	{16, 8, 4, 14, 1},
	{21, 6, 4, 20, 1},
	{32, 2, 4, 16, 2},
	{45, 1, 4, 12, 4},
	{MaxCells, 1, 4, 16, 4},
}

// columns is how many strips lie side by side.
func (c class) columns() int { return (c.edge - 2 + c.wide - 1) / c.wide }

// crew is how many threads a map has.
func (c class) crew() int { return c.columns() * c.strips }

// classOf is the index of the smallest class that takes maps of so many cells.
func classOf(cells int) int {
	for i, c := range classes {
		if cells <= c.edge {
			return i
		}
	}
	panic("bvp: no class for a map")
}

// inRows are so many work groups in two directions, since one holds 65,535 on every device.
func inRows(groups uint32) (x, y uint32) {
	x = max(min(groups, 1<<15), 1)
	return x, (groups + x - 1) / x
}
