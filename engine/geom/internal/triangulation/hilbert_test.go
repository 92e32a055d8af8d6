package triangulation

import (
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// In a block of 64 by 64 points the curve takes 4,096 distances in a row, each a step from the
// last.
func TestHilbertIsACurve(t *testing.T) {
	for _, corner := range []lattice.Point{{X: 0, Y: 0}, {X: 64, Y: 0}, {X: lattice.Steps - 64, Y: lattice.Steps - 64}, {X: 1 << 19, Y: 64 * 77}} {
		type place struct {
			d uint64
			p lattice.Point
		}
		var places []place
		for x := range int32(64) {
			for y := range int32(64) {
				p := lattice.Point{X: corner.X + x, Y: corner.Y + y}
				places = append(places, place{hilbert(p), p})
			}
		}
		slices.SortFunc(places, func(a, b place) int { return int(int64(a.d) - int64(b.d)) })
		for i := 1; i < len(places); i++ {
			a, b := places[i-1], places[i]
			if b.d != a.d+1 || lattice.Distance2(a.p, b.p) != 1 {
				t.Fatalf("after %v at %d comes %v at %d", a.p, a.d, b.p, b.d)
			}
		}
	}
}
