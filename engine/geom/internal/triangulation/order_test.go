package triangulation

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// Triangles come in the one order, whatever their order was and wherever they began.
func TestOrdered(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 31))
		size := []int32{1, 5, 40, lattice.Steps}[seed%4]
		m := delaunay(randomPoints(rng, rng.IntN(100), size, max(1, size/2)))
		for h := range m.Edge { // as if some edges stayed; twins agree
			m.mark(int32(h), int32(rng.IntN(3)-1))
		}
		numbers := lattice.Numbers(0, len(m.Points))
		want := m.ordered(m.inOrder(), m.Points, numbers, []int32{-1, 0, 1})
		geomtest.CheckMesh(t, want.Points, want.Start, want.Twin, want.Out)
		for h := int32(0); int(h) < len(want.Start); h += 3 {
			if v := want.Start[h : h+3]; v[0] != slices.Min(v) {
				t.Fatalf("triangle %d begins at %d, of %v", h/3, v[0], v)
			}
			if want.Twin[h] > h {
				t.Fatalf("triangle %d has %d below it", h/3, want.Twin[h]/3)
			}
		}

		// Triangles in another order, begun elsewhere, edges with other numbers.
		slots := rng.Perm(len(m.Start) / 3)
		other := &Mesh{
			Points: m.Points, Start: make([]int32, len(m.Start)), Twin: make([]int32, len(m.Start)),
			Edge: make([]int32, len(m.Start)), Out: make([]int32, len(m.Points)),
		}
		place := make([]int32, len(m.Start))
		for i, slot := range slots {
			turn := rng.IntN(3)
			for k := range 3 {
				place[3*i+k] = int32(3*slot + (k+turn)%3)
			}
		}
		for h, k := range place {
			other.Start[k], other.Out[m.Start[h]] = m.Start[h], k
			other.Twin[k], other.Edge[k] = -1, -1
			if g := m.Twin[h]; g >= 0 {
				other.Twin[k] = place[g]
			}
			if e := m.Edge[h]; e >= 0 {
				other.Edge[k] = 1 - e
			}
		}
		got := other.ordered(other.inOrder(), m.Points, numbers, []int32{-1, 1, 0})
		if !slices.Equal(got.Start, want.Start) || !slices.Equal(got.Twin, want.Twin) || !slices.Equal(got.Edge, want.Edge) || !slices.Equal(got.Out, want.Out) {
			t.Fatalf("seed %d: another order", seed)
		}
	}
}
