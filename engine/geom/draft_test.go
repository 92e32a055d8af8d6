package geom

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// Rings come and go: the draft is what arrange makes of those there are, and what it says changed is what did.
func TestDraft(t *testing.T) {
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 54))
		l := unit(t, Steps, Steps)
		size := []float64{10, 40, 500, Steps}[seed%4]
		d := newDraft(l, 1+rng.IntN(200))
		revised(t, d)
		before := arrange(l, nil, unlimited())
		type drawn struct {
			polygon Polygon
			rings   []int32
		}
		var there []drawn
		for range 30 {
			for range 1 + rng.IntN(3) {
				if n := len(there); n > 0 && rng.IntN(3) == 0 {
					k := rng.IntN(n)
					for _, i := range there[k].rings {
						d.remove(i)
					}
					there[k] = there[n-1]
					there = there[:n-1]
					continue
				}
				p := randomPolygon(rng, size, size*0.4*rng.Float64())
				if n := len(there); n > 0 && rng.IntN(3) == 0 { // touches another, in numbers that are not on the lattice
					other := there[rng.IntN(n)].polygon.Outer
					a, b := other[0], other[1]
					s := rng.Float64()
					p.Outer[0] = mgl64.Vec2{a[0] + s*(b[0]-a[0]), a[1] + s*(b[1]-a[1])}
				}
				var rings []int32
				for k, r := range p.rings() {
					rings = append(rings, d.add(r, turnOf(k)))
				}
				there = append(there, drawn{p, rings})
			}
			var polygons []Polygon
			for _, o := range there {
				polygons = append(polygons, o.polygon)
			}
			e := effort{most: MaxMeetings}
			after := arrange(l, joined(l, polygons, &e), &e)
			got, want := revised(t, d), difference(before, after)
			if !slices.Equal(got.gone, want.gone) || !slices.Equal(got.come, want.come) || !slices.Equal(got.recount, want.recount) ||
				!slices.Equal(got.more, want.more) || !slices.EqualFunc(got.less, want.less, func(a, b edge) bool { return compareEdges(a, b) == 0 }) {
				t.Fatalf("seed %d: revision is %+v, want %+v", seed, got, want)
			}
			if len(d.hot) != len(after.vertices) || len(d.edges) != len(after.edges) {
				t.Fatalf("seed %d: %d vertices and %d edges, want %d and %d", seed, len(d.hot), len(d.edges), len(after.vertices), len(after.edges))
			}
			if n := e.meetings.Load(); d.meetings != n {
				t.Fatalf("seed %d: %d meetings, want %d", seed, d.meetings, n)
			}
			before = after
		}
	}
}

// revised is a revision that has to be possible.
func revised(t *testing.T, d *draft) revision {
	t.Helper()
	r, ok := d.revise()
	if !ok {
		t.Fatal("the draft refuses what is far below its limit")
	}
	return r
}
