package arrangement

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// Lists hold what was added and not removed, as often, whatever their capacity.
func TestBins(t *testing.T) {
	l := geomtest.Unit(t, lattice.Steps, lattice.Steps)
	rng := rand.New(rand.NewPCG(1, 52))
	b := newBins[int](newRaster(l, 9), 2)
	want := make([][]int, len(b.lists))
	for range 3000 {
		cells := []int32{rng.Int32N(int32(len(b.lists)))}
		if next := (cells[0] + 1) % int32(len(b.lists)); rng.IntN(2) == 0 {
			cells = append(cells, next)
		}
		item := rng.IntN(5)
		if rng.IntN(2) == 0 {
			b.set(item, true, cells...)
			for _, c := range cells {
				want[c] = append(want[c], item)
			}
			continue
		}
		b.set(item, false, cells...)
		for _, c := range cells {
			if i := slices.Index(want[c], item); i >= 0 {
				want[c] = slices.Delete(want[c], i, i+1)
			}
		}
	}
	for c := range want {
		slices.Sort(want[c])
		got := slices.Sorted(slices.Values(b.lists[c]))
		if !slices.Equal(got, want[c]) {
			t.Errorf("cell %d lists %v, want %v", c, got, want[c])
		}
	}
}
