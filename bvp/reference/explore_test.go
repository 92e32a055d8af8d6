package reference

import (
	"math"
	"testing"
)

// TestInSight holds sight between cells against the line between their middles, past walls without
// ends: straight ones between rows or columns, with a gap.
func TestInSight(t *testing.T) {
	const n = 15
	for gap := range n {
		g := gridOf(n, n, func(k, to int) bool { return k/n != 7 || to/n != 8 || k%n == gap })
		for from := range 8 * n {
			for to := 8 * n; to < n*n; to++ {
				// Where the line passes from row 7 to row 8, in columns.
				fx, fy, tx, ty := float64(from%n), float64(from/n), float64(to%n), float64(to/n)
				x := fx + (tx-fx)*(7.5-fy)/(ty-fy)
				if off := math.Abs(x - float64(gap)); off != 0.5 && inSight(g, from, to) != (off < 0.5) {
					t.Fatalf("from %d, %d to %d, %d past a gap in column %d: seen %v", from%n, from/n, to%n, to/n, gap, off >= 0.5)
				}
			}
		}
	}
}
