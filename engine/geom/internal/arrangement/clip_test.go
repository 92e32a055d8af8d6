package arrangement

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// A ring is cut at the same places, to the last bit, whichever way round it is.
func TestClipIsSymmetric(t *testing.T) {
	c := clipper{lattice: geomtest.Unit(t, lattice.Steps, lattice.Steps/2)}
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 19))
		var r polygon.Ring
		for range 3 + rng.IntN(6) {
			r = append(r, mgl64.Vec2{(3*rng.Float64() - 1) * lattice.Steps, (3*rng.Float64() - 1) * lattice.Steps / 2})
		}
		sorted := func() [][2]float64 {
			c.clip(r)
			return slices.SortedFunc(slices.Values(c.ring), func(a, b [2]float64) int { return slices.Compare(a[:], b[:]) })
		}
		want := sorted()
		slices.Reverse(r)
		if got := sorted(); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v backwards, %v forwards", seed, got, want)
		}
	}
}
