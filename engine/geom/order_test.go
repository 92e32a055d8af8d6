package geom

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Triangles come in the one order, whatever numbers triangles and vertices had and wherever triangles began.
func TestOrdered(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 31))
		size := []int32{1, 5, 40, Steps}[seed%4]
		m := triangulate(randomPoints(rng, rng.IntN(100), size, max(1, size/2)))
		for h := range m.edge { // as if some edges stayed; twins agree
			m.note(int32(h), int32(rng.IntN(3)-1))
		}
		want := m.ordered(m.points, nil, nil)
		checkTriangulation(t, want)
		for h := int32(0); int(h) < len(want.start); h += 3 {
			if v := want.start[h : h+3]; v[0] != slices.Min(v) {
				t.Fatalf("triangle %d begins at %d, of %v", h/3, v[0], v)
			}
			if want.twin[h] > h {
				t.Fatalf("triangle %d has %d below it", h/3, want.twin[h]/3)
			}
		}

		// Vertices in another order, edges with other numbers, triangles in another order with gaps, turned.
		n, count := len(m.points), len(m.start)/3
		was, slots := shuffled(rng, n), shuffled(rng, count+3)
		other := &triangulation{points: make([]Point, n), out: make([]int32, n)}
		for v, k := range was {
			other.points[k] = m.points[v]
		}
		for range 3 * (count + 3) {
			other.start, other.twin, other.edge = append(other.start, -1), append(other.twin, -1), append(other.edge, -1)
		}
		place := make([]int32, 3*count)
		for i := range int32(count) {
			turn := rng.Int32N(3)
			for k := range int32(3) {
				place[3*i+k] = 3*slots[i] + (k+turn)%3
			}
		}
		for h, k := range place {
			other.start[k] = was[m.start[h]]
			other.out[other.start[k]] = k
			if g := m.twin[h]; g >= 0 {
				other.twin[k] = place[g]
			}
			if e := m.edge[h]; e >= 0 {
				other.edge[k] = 7 - 2*e
			}
		}
		got := other.ordered(m.points, was, []int32{0, 0, 0, 0, 0, 1, 0, 0})
		// Edge 0 was called 7 and edge 1 was called 5.
		if !slices.Equal(got.start, want.start) || !slices.Equal(got.twin, want.twin) || !slices.Equal(got.edge, want.edge) || !slices.Equal(got.out, want.out) {
			t.Fatalf("seed %d: another order", seed)
		}
	}
}

// shuffled returns the numbers from 0 to n-1 in random order.
func shuffled(rng *rand.Rand, n int) []int32 {
	s := make([]int32, n)
	for i, k := range rng.Perm(n) {
		s[i] = int32(k)
	}
	return s
}
