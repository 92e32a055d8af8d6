package arrangement

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// Rings come and go: the incremental arrangement equals that of the rings there are, and the change
// that Update returns is the difference.
func TestIncremental(t *testing.T) {
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 54))
		l := geomtest.Unit(t, lattice.Steps, lattice.Steps)
		size := []float64{10, 40, 500, lattice.Steps}[seed%4]
		d := NewIncremental(l, 1+rng.IntN(200), MaxMeetings)
		revised(t, d)
		before := arrange(l, nil, unlimited())
		type drawn struct {
			polygon polygon.Polygon
			rings   []*Ring
		}
		var there []drawn
		for range 30 {
			for range 1 + rng.IntN(3) {
				if n := len(there); n > 0 && rng.IntN(3) == 0 {
					k := rng.IntN(n)
					for _, i := range there[k].rings {
						d.Remove(i)
					}
					there[k] = there[n-1]
					there = there[:n-1]
					continue
				}
				p := geomtest.RandomPolygon(rng, size, size*0.4*rng.Float64())
				if n := len(there); n > 0 && rng.IntN(3) == 0 { // touches another, in numbers that are not on the lattice
					other := there[rng.IntN(n)].polygon.Outer
					a, b := other[0], other[1]
					s := rng.Float64()
					p.Outer[0] = mgl64.Vec2{a[0] + s*(b[0]-a[0]), a[1] + s*(b[1]-a[1])}
				}
				var rings []*Ring
				for k, r := range p.Rings() {
					rings = append(rings, d.Add(r, Winding(k)))
				}
				there = append(there, drawn{p, rings})
			}
			var polygons []polygon.Polygon
			for _, o := range there {
				polygons = append(polygons, o.polygon)
			}
			e := effort{most: MaxMeetings}
			after := arrange(l, joined(l, polygons, &e), &e)
			got, want := revised(t, d), difference(before, after)
			if !slices.Equal(got.Gone, want.Gone) || !slices.Equal(got.Come, want.Come) || !slices.Equal(got.Recounted, want.Recounted) ||
				!slices.Equal(got.Added, want.Added) || !slices.EqualFunc(got.Removed, want.Removed, func(a, b Edge) bool { return CompareEdges(a, b) == 0 }) {
				t.Fatalf("seed %d: Change is %+v, want %+v", seed, got, want)
			}
			if len(d.hot) != len(after.Vertices) || len(d.edges) != len(after.Edges) {
				t.Fatalf("seed %d: %d vertices and %d edges, want %d and %d", seed, len(d.hot), len(d.edges), len(after.Vertices), len(after.Edges))
			}
			if n := e.meetings.Load(); d.effort.meetings.Load() != n {
				t.Fatalf("seed %d: %d meetings, want %d", seed, d.effort.meetings.Load(), n)
			}
			before = after
		}
	}
}

// revised returns the change of an update within all limits.
func revised(t *testing.T, d *Incremental) Change {
	t.Helper()
	r, err := d.Update()
	if err != nil {
		t.Fatal("the incremental refuses what is far below its limit")
	}
	return r
}

// difference returns the Change that leads from a to b.
func difference(a, b *Arrangement) Change {
	var r Change
	without := func(p, q []lattice.Point) []lattice.Point {
		return slices.DeleteFunc(slices.Clone(p), func(v lattice.Point) bool {
			_, ok := slices.BinarySearchFunc(q, v, lattice.Point.Compare)
			return ok
		})
	}
	r.Gone, r.Come = without(a.Vertices, b.Vertices), without(b.Vertices, a.Vertices)
	ends := func(a *Arrangement) map[[2]lattice.Point]Edge {
		m := map[[2]lattice.Point]Edge{}
		for _, e := range a.Edges {
			e.A, e.B = 0, 0
			m[[2]lattice.Point{e.From, e.To}] = e
		}
		return m
	}
	was, is := ends(a), ends(b)
	for _, k := range slices.SortedFunc(maps.Keys(was), comparePairs) {
		if _, ok := is[k]; !ok {
			r.Removed = append(r.Removed, was[k])
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(is), comparePairs) {
		if e, ok := was[k]; !ok {
			r.Added = append(r.Added, is[k])
		} else if e.Net != is[k].Net {
			r.Recounted = append(r.Recounted, is[k])
		}
	}
	return r
}

func comparePairs(p, q [2]lattice.Point) int {
	return slices.CompareFunc(p[:], q[:], lattice.Point.Compare)
}
