package bvp

import "github.com/wayfront/wayfront/engine/gpu"

// class is how work groups take maps of up to so many cells along a side: several small ones at once, so that a group has
// threads enough to be worth it, and a team of threads each. A team's threads have at most slots cells of either colour.
type class struct {
	edge, maps, team int
}

// classes are the sizes that the passes are compiled for, 11, 16 and 21 cells for those of the papers. A thread has three or four
// cells of each colour, so that it has something to do between two barriers.
var classes = []class{
	{11, 4, 16},
	{16, 2, 32},
	{23, 1, 64},
	{32, 1, 128},
	{45, 1, 256},
	{MaxCells, 1, 512},
}

// classOf is the index of the smallest class that takes maps of so many cells.
func classOf(cells int) int {
	for i, c := range classes {
		if cells <= c.edge {
			return i
		}
	}
	panic("bvp: no class for a map")
}

// slots is how many cells of one colour a thread has at most: a map has half as many in a row as there are between its borders,
// rounded up, in as many rows as there are.
func (c class) slots() int {
	return (((c.edge-1)/2)*(c.edge-2) + c.team - 1) / c.team
}

// groups are the work groups that take so many maps, in two directions, since one holds 65,535 on every device.
func (c class) groups(maps int) (x, y uint32) {
	n := gpu.Groups(maps, c.maps)
	x = min(n, 1<<15)
	if x == 0 {
		return 0, 0
	}
	return x, (n + x - 1) / x
}
