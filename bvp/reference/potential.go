package reference

import (
	"fmt"
	"math"
	"slices"

	"github.com/wayfront/wayfront/bvp/local"
)

// MinCells and MaxCells bound the cells along a side of a local map: with fewer than 5 there is no
// update zone; of 5 and 6 all of it are cells that the agent stands in, so that nothing is seen.
const (
	MinCells = 5
	MaxCells = 63
)

// Real is what potentials are computed in: float32 as the device does, float64 to compare with.
type Real interface{ float32 | float64 }

// Potential is the field of a local map.
type Potential[F Real] = local.Potential[F]

// NewPotential returns a map that is free but for its border, and 0 everywhere.
func NewPotential[F Real](cells int) Potential[F] {
	if cells < MinCells || cells > MaxCells {
		panic(fmt.Sprintf("bvp: a map of %d cells along a side; %d to %d are allowed", cells, MinCells, MaxCells))
	}
	p := Potential[F]{Cells: cells, Q: make([]F, cells*cells), Fixed: make([]bool, cells*cells)}
	for k := range p.Fixed {
		p.Fixed[k] = ZoneOf(cells, k%cells, k/cells) == Border
	}
	return p
}

// Words is the map as it lies on the device: the bits of each float, its sign set where the cell is
// fixed.
func Words(p Potential[float32]) []uint32 {
	words := make([]uint32, len(p.Q))
	for k, q := range p.Q {
		words[k] = math.Float32bits(q)
		if p.Fixed[k] {
			words[k] |= local.FixedBit
		}
	}
	return words
}

// Zone is a part of a local map (Fischer et al. 2009, figure 5).
type Zone int

// The zones, from the outside inwards.
const (
	Border Zone = iota // the outermost ring: obstacles but for the intermediate goal
	Free               // the ring inside it, which nothing takes
	Update             // the rest, where what is seen takes cells
)

// ZoneOf is the zone of the cell in column i and row j, from 0, of a map with so many cells along a
// side.
func ZoneOf(cells, i, j int) Zone {
	return Zone(min(i, j, cells-1-i, cells-1-j, int(Update)))
}

// Own reports whether the agent stands in the cell: the middle one, or one of the four about the
// middle where the number of cells is even, since it then stands at their common corner.
func Own(cells, i, j int) bool { return near(cells, i) && near(cells, j) }

// near says that of a column or a row.
func near(cells, i int) bool {
	off := 2*i + 1 - cells // from the middle, in half cells
	return off >= -1 && off <= 1
}

func clone[F Real](p Potential[F]) Potential[F] {
	return Potential[F]{Cells: p.Cells, Q: slices.Clone(p.Q), Fixed: slices.Clone(p.Fixed)}
}
