package bvp

import "math"

// Real is what potentials are computed in: float32 as the device does, float64 to compare with.
type Real interface{ float32 | float64 }

// Potential is the field of a local map, q = 1 - p: cells row by row from the lowest.
type Potential[F Real] struct {
	Cells int    // along a side
	Q     []F    // from 0, obstacles, to 1, goals
	Fixed []bool // cells that relaxation leaves alone: the border, obstacles and goals
}

// NewPotential returns a map that is free but for its border, and 0 everywhere.
func NewPotential[F Real](cells int) Potential[F] {
	checkCells(cells)
	p := Potential[F]{cells, make([]F, cells*cells), make([]bool, cells*cells)}
	for k := range p.Fixed {
		p.Fixed[k] = ZoneOf(cells, k%cells, k/cells) == Border
	}
	return p
}

// fixedBit marks, in a potential on the device, a cell that relaxation leaves alone. It is the sign of the float, which no
// potential needs.
const fixedBit = 1 << 31

// Words is the map as it lies on the device: the bits of each float, its sign set where the cell is fixed.
func Words(p Potential[float32]) []uint32 {
	words := make([]uint32, len(p.Q))
	for k, q := range p.Q {
		words[k] = math.Float32bits(q)
		if p.Fixed[k] {
			words[k] |= fixedBit
		}
	}
	return words
}

// PotentialOf is the map that lies on the device as those words: Words undone.
func PotentialOf(cells int, words []uint32) Potential[float32] {
	p := NewPotential[float32](cells)
	for k, w := range words[:cells*cells] {
		p.Q[k] = math.Float32frombits(w &^ fixedBit)
		p.Fixed[k] = w&fixedBit != 0
	}
	return p
}
