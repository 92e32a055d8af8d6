package bvp

import "fmt"

// MinCells and MaxCells bound the cells along a side of a local map: with fewer than 5 there is no update zone, of 5 and 6 all of
// it are cells that the agent stands in, so that nothing is seen, and 63
// times 63 potentials, twice, are what a work group's shared memory holds on every device.
const (
	MinCells = 5
	MaxCells = 63
)

// Zone is a part of a local map (Fischer et al. 2009, figure 5).
type Zone int

// The zones, from the outside inwards.
const (
	Border Zone = iota // the outermost ring: obstacles but for the intermediate goal
	Free               // the ring inside it, which nothing takes
	Update             // the rest, where what is seen takes cells
)

// ZoneOf is the zone of the cell in column i and row j, from 0, of a map with so many cells along a side.
func ZoneOf(cells, i, j int) Zone {
	return Zone(min(i, j, cells-1-i, cells-1-j, int(Update)))
}

// Own reports whether the agent stands in the cell: the middle one, or one of the four about the middle where the number of cells
// is even, since it then stands at their common corner.
func Own(cells, i, j int) bool {
	return near(cells, i) && near(cells, j)
}

// near says that of a column or a row.
func near(cells, i int) bool {
	off := 2*i + 1 - cells // from the middle, in half cells
	return off >= -1 && off <= 1
}

func checkCells(cells int) {
	if cells < MinCells || cells > MaxCells {
		panic(fmt.Sprintf("bvp: a map of %d cells along a side; %d to %d are allowed", cells, MinCells, MaxCells))
	}
}
