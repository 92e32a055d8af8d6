package triangulation

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/geom/internal/arrangement"
	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// Rings come and go: an update gives the same mesh as New, bit for bit, from any vertex on.
func TestUpdate(t *testing.T) {
	l := geomtest.Unit(t, lattice.Steps, lattice.Steps)
	var m Editor // used again and again
	kept := 0
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 53))
		size := []int32{6, 30, 300, lattice.Steps}[seed%4]
		l.Size = lattice.Point{X: size, Y: size}
		var pool []polygon.Polygon // of two points, walls of no thickness; without an outer ring, holes
		for i := range 2 + rng.IntN(20) {
			var ring polygon.Ring
			for range 2 + rng.IntN(4) {
				ring = append(ring, l.World(lattice.Point{X: rng.Int32N(size + 1), Y: rng.Int32N(size + 1)}))
			}
			p := polygon.Polygon{Outer: ring}
			if i%3 == 2 {
				p = polygon.Polygon{Holes: []polygon.Ring{ring}}
			}
			pool = append(pool, p)
		}
		d := arrangement.NewIncremental(l, 100, arrangement.MaxMeetings)
		rings := make([][]*arrangement.Ring, len(pool)) // of those in the arrangement
		update := func() (arrangement.Change, *arrangement.Arrangement) {
			var there []polygon.Polygon
			for i, p := range pool {
				for _, r := range rings[i] {
					d.Remove(r)
				}
				if rings[i] = nil; rng.IntN(4) > 0 {
					there = append(there, p)
					for k, r := range p.Rings() {
						rings[i] = append(rings[i], d.Add(r, arrangement.Winding(k)))
					}
				}
			}
			c, err := d.Update()
			if err != nil {
				t.Fatal(err)
			}
			a, err := arrangement.New(l, there, arrangement.MaxMeetings)
			if err != nil {
				t.Fatal(err)
			}
			return c, a
		}
		_, before := update()
		g, edges := New(before), before.Edges
		for range 4 {
			c, after := update()
			got, gotEdges, was := m.Update(g, edges, c, func(lattice.Point) int32 { return rng.Int32N(int32(len(g.Points))) })
			if want := New(after); !slices.Equal(got.Points, want.Points) || !slices.Equal(got.Start, want.Start) || !slices.Equal(got.Twin, want.Twin) ||
				!slices.Equal(got.Edge, want.Edge) || !slices.Equal(got.Out, want.Out) || !reflect.DeepEqual(gotEdges, after.Edges) {
				t.Fatalf("seed %d: another mesh", seed)
			}
			for v, k := range was {
				if k < 0 != !slices.Contains(before.Vertices, got.Points[v]) || k >= 0 && before.Vertices[k] != got.Points[v] {
					t.Fatalf("seed %d: vertex %d was %d", seed, v, k)
				}
				if k >= 0 {
					kept++
				}
			}
			before, g, edges = after, got, gotEdges
		}
	}
	if kept < 10_000 {
		t.Errorf("only %d vertices stayed", kept)
	}
}
