package lattice

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// All cells that hold something within the margin of a segment are found, each once, whether it
// lies in the grid or not.
func TestNear(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 51))
		columns, rows := 1+rng.IntN(40), 1+rng.IntN(40)
		point := func() [2]float64 {
			reach := []float64{1, 1, 3}[rng.IntN(3)]
			return [2]float64{
				(0.5 + reach*(rng.Float64()-0.5)) * float64(columns),
				(0.5 + reach*(rng.Float64()-0.5)) * float64(rows),
			}
		}
		a, b := point(), point()
		switch rng.IntN(5) {
		case 0:
			b[0] = a[0]
		case 1:
			b[1] = a[1]
		case 2:
			b = [2]float64{a[0] + rng.Float64(), a[1] + rng.Float64()}
		case 3:
			b[0] = a[0] + 0.6*rng.Float64()
		}
		margin := [2]float64{rng.Float64(), rng.Float64()}
		got := Near(a, b, margin, columns, rows, nil)
		slices.Sort(got)
		if n := len(got); len(slices.Compact(slices.Clone(got))) != n {
			t.Fatalf("seed %d: a cell twice", seed)
		}
		for k := range 2000 {
			s := float64(k) / 1999
			p := [2]float64{
				a[0] + s*(b[0]-a[0]) + margin[0]*(2*rng.Float64()-1),
				a[1] + s*(b[1]-a[1]) + margin[1]*(2*rng.Float64()-1),
			}
			if p[0] < 0 || p[1] < 0 || p[0] > float64(columns) || p[1] > float64(rows) {
				continue
			}
			cell := int32(Cell(p[0], columns)*rows + Cell(p[1], rows))
			if _, ok := slices.BinarySearch(got, cell); !ok {
				t.Fatalf("seed %d: %v is within %v of %v %v, in cell %d of %v", seed, p, margin, a, b, cell, got)
			}
		}
		if high := (b[1] - a[1]) * (b[1] - a[1]); len(got) > 3*(columns+rows)+20 && high > 0.1 && margin[0] < 0.1 && margin[1] < 0.1 {
			t.Errorf("seed %d: %d cells of %d by %d near %v %v", seed, len(got), columns, rows, a, b)
		}
	}
}
