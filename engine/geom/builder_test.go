package geom

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
)

// equalGrounds compares everything a ground holds but what is made when first asked for.
func equalGrounds(t *testing.T, got, want *Ground) {
	t.Helper()
	if err := same(got, want); err != nil {
		t.Fatal(err)
	}
	for name, ok := range map[string]bool{
		"lattices":   got.Lattice == want.Lattice,
		"places":     slices.Equal(got.places, want.places),
		"edges":      slices.Equal(got.edges, want.edges),
		"hints":      reflect.DeepEqual(got.hints, want.hints),
		"first fans": slices.Equal(got.first, want.first),
		"points":     slices.Equal(got.mesh.Points, want.mesh.Points),
		"starts":     slices.Equal(got.mesh.Start, want.mesh.Start),
		"twins":      slices.Equal(got.mesh.Twin, want.mesh.Twin),
		"mesh edges": slices.Equal(got.mesh.Edge, want.mesh.Edge),
		"out":        slices.Equal(got.mesh.Out, want.mesh.Out),
	} {
		if !ok {
			t.Fatalf("%s differ", name)
		}
	}
}

// fresh builds the ground of the obstacles of a builder from nothing.
func (p *Builder) fresh(t testing.TB) *Ground {
	t.Helper()
	var all []Polygon
	for _, o := range p.obstacles {
		all = append(all, o.polygons...)
	}
	return groundOf(t, p.lattice, all...)
}

// Obstacles at random, set, moved and removed, a few at a time: touching exactly, overlapping,
// thin, with holes, half outside, crowded on few lattice points. After each step the ground is
// Build's.
func TestBuilderIsBuild(t *testing.T) {
	lattices := []Lattice{geomtest.Unit(t, Steps, Steps), geomtest.Unit(t, Steps, Steps/3)}
	for seed := range uint64(160) {
		rng := rand.New(rand.NewPCG(seed, 41))
		size := []float64{12, 60, 1000, Steps}[seed%4]
		l := lattices[seed/4%2]
		if size < 1000 && seed/8%2 == 0 {
			l = geomtest.Unit(t, Steps, Steps)
		}
		p := NewBuilder(l)
		if seed%5 > 0 {
			p.share = math.Inf(1) // by updates, whatever changes
		}
		step := size / 16
		random := func() Polygon {
			polygon := geomtest.RandomPolygon(rng, size, size*0.3*rng.Float64())
			if rng.IntN(2) == 0 {
				for _, r := range polygon.Rings() {
					for i := range r {
						r[i] = mgl64.Vec2{math.Round(r[i][0]/step) * step, math.Round(r[i][1]/step) * step}
					}
				}
			}
			return polygon
		}
		for id := range 10 + rng.IntN(30) {
			if err := p.Set(id, random()); err != nil {
				t.Fatal(err)
			}
		}
		for range 25 {
			for range 1 + rng.IntN(2) {
				id := rng.IntN(40)
				o, there := p.obstacles[id]
				switch what := rng.IntN(4); {
				case !there, what == 0:
					polygons := []Polygon{random()}
					if rng.IntN(5) == 0 && polygons[0].Check() == nil {
						polygons = polygons[0].Grow(size*0.05*rng.Float64(), 8)
					}
					if err := p.Set(id, polygons...); err != nil {
						t.Fatal(err)
					}
				case what == 1:
					p.Remove(id)
				default: // by a whole step or by next to nothing
					by := mgl64.Vec2{float64(rng.IntN(3)-1) * step, float64(rng.IntN(3)-1) * step}
					if what == 2 {
						by = mgl64.Vec2{rng.NormFloat64(), rng.NormFloat64()}
					}
					if err := p.Set(id, shifted(o.polygons, by)...); err != nil {
						t.Fatal(err)
					}
				}
			}
			got := planned(t, p)
			equalGrounds(t, got, p.fresh(t))
			again, err := Build(l, got.Obstacles())
			if err != nil {
				t.Fatal(err)
			}
			equalGrounds(t, again, got)
			if planned(t, p) != got {
				t.Fatal("another ground without a change")
			}
		}
	}
}

// shifted returns the polygons moved.
func shifted(polygons []Polygon, by mgl64.Vec2) []Polygon {
	move := func(r Ring) Ring {
		r = slices.Clone(r)
		for i := range r {
			r[i] = r[i].Add(by)
		}
		return r
	}
	result := make([]Polygon, len(polygons))
	for i, p := range polygons {
		result[i].Outer = move(p.Outer)
		for _, h := range p.Holes {
			result[i].Holes = append(result[i].Holes, move(h))
		}
	}
	return result
}

// TestResume has a builder go on from a ground of its obstacles, and from no other.
func TestResume(t *testing.T) {
	l := geomtest.Unit(t, Steps, Steps)
	rng := rand.New(rand.NewPCG(3, 41))
	a, b := NewBuilder(l), NewBuilder(l)
	for id := range 12 {
		p := geomtest.RandomPolygon(rng, Steps, Steps*0.2)
		for k, to := range []*Builder{a, b} {
			if err := to.Set(id+100*k, p); err != nil {
				t.Fatal(err)
			}
		}
	}
	g := planned(t, a)
	if err := b.Resume(g); err != nil {
		t.Fatal(err)
	}
	if planned(t, b) != g {
		t.Error("the builder returns another ground than the one that it resumed")
	}
	for k, to := range []*Builder{a, b} {
		to.Remove(4 + 100*k)
	}
	if err := b.Resume(g); err == nil {
		t.Error("a builder takes a ground of other obstacles")
	}
	equalGrounds(t, planned(t, b), planned(t, a))
}

func TestBuilderRefuses(t *testing.T) {
	p := NewBuilder(geomtest.Unit(t, Steps, Steps))
	if err := p.Set(1, geomtest.Rect(5, 5, 9, 9)); err != nil {
		t.Fatal(err)
	}
	before := planned(t, p)
	var bad *VertexError
	if err := p.Set(1, geomtest.Rect(5, 5, 8, 8), geomtest.Polygon(1, 1, 5, math.NaN(), 4, 4)); !errors.As(err, &bad) || bad.Obstacle != 1 || bad.Vertex != 1 {
		t.Errorf("got %v", err)
	}
	if planned(t, p) != before {
		t.Error("a refused obstacle changed the builder")
	}
	defer func() {
		if recover() == nil {
			t.Error("Remove of what is not there did not panic")
		}
	}()
	p.Remove(2)
}

// planned is the ground of a builder, which must be possible.
func planned(t testing.TB, p *Builder) *Ground {
	t.Helper()
	g, err := p.Ground()
	if err != nil {
		t.Fatal(err)
	}
	return g
}
