package geom

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Triangles come in the one order, whatever their order was and wherever they began.
func TestOrdered(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 31))
		size := []int32{1, 5, 40, Steps}[seed%4]
		m := triangulate(randomPoints(rng, rng.IntN(100), size, max(1, size/2)))
		for h := range m.edge { // as if some edges stayed; twins agree
			m.note(int32(h), int32(rng.IntN(3)-1))
		}
		want := m.ordered(m.inOrder(), m.points, counting(0, len(m.points)), []int32{-1, 0, 1}, make([]int32, len(m.start)))
		checkTriangulation(t, want)
		for h := int32(0); int(h) < len(want.start); h += 3 {
			if v := want.start[h : h+3]; v[0] != slices.Min(v) {
				t.Fatalf("triangle %d begins at %d, of %v", h/3, v[0], v)
			}
			if want.twin[h] > h {
				t.Fatalf("triangle %d has %d below it", h/3, want.twin[h]/3)
			}
		}

		// Triangles in another order, begun elsewhere, edges with other numbers.
		slots := rng.Perm(len(m.start) / 3)
		other := &triangulation{
			points: m.points, start: make([]int32, len(m.start)), twin: make([]int32, len(m.start)),
			edge: make([]int32, len(m.start)), out: make([]int32, len(m.points)),
		}
		place := make([]int32, len(m.start))
		for i, slot := range slots {
			turn := rng.IntN(3)
			for k := range 3 {
				place[3*i+k] = int32(3*slot + (k+turn)%3)
			}
		}
		for h, k := range place {
			other.start[k], other.out[m.start[h]] = m.start[h], k
			other.twin[k], other.edge[k] = -1, -1
			if g := m.twin[h]; g >= 0 {
				other.twin[k] = place[g]
			}
			if e := m.edge[h]; e >= 0 {
				other.edge[k] = 1 - e
			}
		}
		got := other.ordered(other.inOrder(), m.points, counting(0, len(m.points)), []int32{-1, 1, 0}, place)
		if !slices.Equal(got.start, want.start) || !slices.Equal(got.twin, want.twin) || !slices.Equal(got.edge, want.edge) || !slices.Equal(got.out, want.out) {
			t.Fatalf("seed %d: another order", seed)
		}
	}
}
