package local

import "math"

// Potential is the field of a local map, q = 1 - p: cells row by row from the lowest.
type Potential[F float32 | float64] struct {
	Cells int    // along a side
	Q     []F    // from 0, obstacles, to 1, goals
	Fixed []bool // cells that relaxation leaves alone: the border, obstacles and goals
}

// FixedBit marks, in a potential on the device, a cell that relaxation leaves alone. It is the sign
// of the float, which no potential needs.
const FixedBit = 1 << 31

// PotentialOf is the map that lies on the device as those words: the bits of each float, and
// FixedBit.
func PotentialOf(cells int, words []uint32) Potential[float32] {
	p := Potential[float32]{cells, make([]float32, len(words)), make([]bool, len(words))}
	for k, w := range words {
		p.Q[k], p.Fixed[k] = math.Float32frombits(w&^FixedBit), w&FixedBit != 0
	}
	return p
}
