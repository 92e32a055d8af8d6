package arrangement

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// All cells that hold something within the margin of a segment are found, each once, whether it
// lies in the domain or not.
func TestRasterNear(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 51))
		l := geomtest.Unit(t, lattice.Steps, lattice.Steps/(1+rng.Float64()*3))
		r := newRaster(l, 1+rng.IntN(400))
		point := func() [2]float64 {
			reach := []float64{1, 1, 3}[rng.IntN(3)]
			return [2]float64{
				(0.5 + reach*(rng.Float64()-0.5)) * float64(l.Size.X),
				(0.5 + reach*(rng.Float64()-0.5)) * float64(l.Size.Y),
			}
		}
		a, b := point(), point()
		switch rng.IntN(5) {
		case 0:
			b[0] = a[0]
		case 1:
			b[1] = a[1]
		case 2:
			b = [2]float64{a[0] + rng.Float64()*r.cell, a[1] + rng.Float64()*r.cell}
		}
		margin := r.cell * rng.Float64()
		got := r.near(a, b, margin, nil)
		slices.Sort(got)
		if n := len(got); len(slices.Compact(slices.Clone(got))) != n {
			t.Fatalf("seed %d: a cell twice", seed)
		}
		for k := range 2000 {
			s := float64(k) / 1999
			p := [2]float64{
				a[0] + s*(b[0]-a[0]) + margin*(2*rng.Float64()-1),
				a[1] + s*(b[1]-a[1]) + margin*(2*rng.Float64()-1),
			}
			if p[0] < 0 || p[1] < 0 || p[0] > float64(l.Size.X) || p[1] > float64(l.Size.Y) {
				continue
			}
			if _, ok := slices.BinarySearch(got, r.of(p)); !ok {
				t.Fatalf("seed %d: %v is within %v of %v %v, in cell %d of %v", seed, p, margin, a, b, r.of(p), got)
			}
		}
	}
}
