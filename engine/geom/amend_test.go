package geom

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// From one arrangement to another that shares a part of it: the same mesh as from nothing.
func TestAmended(t *testing.T) {
	l := unit(t, Steps, Steps)
	var m amender // used again and again
	kept := 0
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 53))
		size := []int32{6, 30, 300, Steps}[seed%4]
		l.Size = Point{size, size}
		border := [][2]Point{{{0, 0}, {size, 0}}, {{0, 0}, {0, size}}, {{size, 0}, {size, size}}, {{0, size}, {size, size}}}
		var pool [][]Point // rings; of two points, walls of no thickness
		for range 2 + rng.IntN(20) {
			var ring []Point
			for range 2 + rng.IntN(4) {
				ring = append(ring, Point{rng.Int32N(size + 1), rng.Int32N(size + 1)})
			}
			pool = append(pool, ring)
		}
		some := func() *arrangement {
			r := arranger{lattice: l, effort: unlimited()}
			for i, ring := range pool {
				if rng.IntN(4) > 0 {
					r.addRing(ring, turnOf(i%3/2))
				}
			}
			for _, e := range border {
				r.add(e[0], e[1], 0)
			}
			return r.run()
		}
		ground := func(a *arrangement) *Ground {
			m := triangulate(a.vertices)
			m.constrain(a)
			m = m.ordered(m.inOrder(), a.vertices, counting(0, len(a.vertices)), counting(-1, len(a.edges)+1), make([]int32, len(m.start)))
			return newGround(l, a.edges, m)
		}
		before := some()
		g := ground(before)
		for range 4 {
			after := some()
			want := ground(after)
			got, was := m.amended(g, difference(before, after))
			got.places, want.places = nil, nil
			equalGrounds(t, got, want)
			for v, k := range was {
				if k < 0 != !slices.Contains(before.vertices, got.Vertices[v]) || k >= 0 && before.vertices[k] != got.Vertices[v] {
					t.Fatalf("seed %d: vertex %d was %d", seed, v, k)
				}
				if k >= 0 {
					kept++
				}
			}
			before, g = after, got
		}
	}
	if kept < 10_000 {
		t.Errorf("only %d vertices stayed", kept)
	}
}

// difference returns the revision that leads from a to b.
func difference(a, b *arrangement) revision {
	var r revision
	without := func(p, q []Point) []Point {
		return slices.DeleteFunc(slices.Clone(p), func(v Point) bool {
			_, ok := slices.BinarySearchFunc(q, v, Point.Compare)
			return ok
		})
	}
	r.gone, r.come = without(a.vertices, b.vertices), without(b.vertices, a.vertices)
	ends := func(a *arrangement) map[[2]Point]edge {
		m := map[[2]Point]edge{}
		for _, e := range a.edges {
			e.a, e.b = 0, 0
			m[[2]Point{e.from, e.to}] = e
		}
		return m
	}
	was, is := ends(a), ends(b)
	for _, k := range slices.SortedFunc(maps.Keys(was), comparePairs) {
		if _, ok := is[k]; !ok {
			r.less = append(r.less, was[k])
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(is), comparePairs) {
		if e, ok := was[k]; !ok {
			r.more = append(r.more, is[k])
		} else if e.net != is[k].net {
			r.recount = append(r.recount, is[k])
		}
	}
	return r
}

func comparePairs(p, q [2]Point) int {
	return slices.CompareFunc(p[:], q[:], Point.Compare)
}
