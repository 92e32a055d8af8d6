package triangulation

import "github.com/wayfront/wayfront/engine/geom/internal/lattice"

// hilbertBits is how many bits of both coordinates hilbert takes at a time. It divides
// lattice.Bits+1.
const hilbertBits = 3

// hilbertTable has, for a state of the curve and the next bits of x and y, the next bits of the
// distance and the new state. The curve in a quadrant is the whole curve with its axes swapped
// (state 1), both reversed (2), or both.
var hilbertTable = func() (table [4][1 << (2 * hilbertBits)]struct{ distance, state uint8 }) {
	for s := range uint8(4) {
		for xy := range table[s] {
			state, d := s, uint8(0)
			for bit := hilbertBits - 1; bit >= 0; bit-- {
				x, y := uint8(xy>>(hilbertBits+bit)&1), uint8(xy>>bit&1)
				if state&2 != 0 {
					x, y = 1-x, 1-y
				}
				if state&1 != 0 {
					x, y = y, x
				}
				d = d<<2 | 3*x ^ y
				if y == 0 {
					state ^= 1 | 2*x
				}
			}
			table[s][xy].distance, table[s][xy].state = d, state
		}
	}
	return table
}()

// hilbert returns the distance of a point along the Hilbert curve over the lattice. Neighbors on
// the curve are a step apart.
func hilbert(p lattice.Point) uint64 {
	var d uint64
	var state uint8
	for shift := lattice.Bits + 1 - hilbertBits; shift >= 0; shift -= hilbertBits {
		const mask = 1<<hilbertBits - 1
		e := hilbertTable[state][int(p.X)>>shift&mask<<hilbertBits|int(p.Y)>>shift&mask]
		d, state = d<<(2*hilbertBits)|uint64(e.distance), e.state
	}
	return d
}
