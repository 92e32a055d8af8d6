package geom

import (
	"slices"
	"testing"
)

// In a block of 64 by 64 points the curve takes 4,096 distances in a row, each
// a step from the last.
func TestHilbertIsACurve(t *testing.T) {
	for _, corner := range []Point{{0, 0}, {64, 0}, {Steps - 64, Steps - 64}, {1 << 19, 64 * 77}} {
		type place struct {
			d uint64
			p Point
		}
		var places []place
		for x := range int32(64) {
			for y := range int32(64) {
				p := Point{corner.X + x, corner.Y + y}
				places = append(places, place{hilbert(p), p})
			}
		}
		slices.SortFunc(places, func(a, b place) int { return int(int64(a.d) - int64(b.d)) })
		for i := 1; i < len(places); i++ {
			a, b := places[i-1], places[i]
			if b.d != a.d+1 || distance2(a.p, b.p) != 1 {
				t.Fatalf("after %v at %d comes %v at %d", a.p, a.d, b.p, b.d)
			}
		}
	}
}
