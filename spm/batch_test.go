package spm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// awkward are points where answers go wrong first: vertices, points on walls and a few lattice steps beside them, texel
// borders and centres, anywhere, outside, and no points at all.
func awkward(g *geom.Ground, r *rand.Rand, n int) []mgl64.Vec2 {
	l := g.Lattice
	side := l.World(l.Size).Sub(l.Origin)
	extent := NewExtent(side[0], side[1], testSize)
	nan, inf := math.NaN(), math.Inf(1)
	points := []mgl64.Vec2{
		{nan, nan}, {nan, l.Origin[1]}, {inf, l.Origin[1]}, {-inf, inf}, {math.MaxFloat64, 0}, {1e300, nan},
		l.Origin, l.Origin.Add(side), l.Origin.Sub(side), l.Origin.Add(side.Mul(2)),
		l.Origin.Sub(mgl64.Vec2{l.Step / 4, 0}), l.Origin.Add(mgl64.Vec2{side[0] + l.Step/4, 0}),
	}
	anywhere := func() mgl64.Vec2 {
		return l.Origin.Add(mgl64.Vec2{r.Float64() * side[0], r.Float64() * side[1]})
	}
	for len(points) < n {
		p := anywhere()
		if len(g.Walls) > 0 && r.IntN(2) == 0 {
			w := g.Walls[r.IntN(len(g.Walls))]
			a, b := l.World(g.Vertices[w.A]), l.World(g.Vertices[w.B])
			switch r.IntN(3) {
			case 0:
				p = g.Place(g.Vertices[w.A])
			case 1:
				p = a.Add(b.Sub(a).Mul(r.Float64()))
			default: // some steps off, to the sides of what SnapSlack reaches
				p = a.Add(b.Sub(a).Mul(r.Float64())).Add(mgl64.Vec2{(10*r.Float64() - 5) * l.Step, (10*r.Float64() - 5) * l.Step})
			}
		} else if r.IntN(4) == 0 {
			column, row := r.IntN(extent.Columns), r.IntN(extent.Rows)
			p = l.Origin.Add(mgl64.Vec2{float64(column), float64(row)}.Mul(extent.Cell))
			if r.IntN(2) == 0 {
				p = p.Add(mgl64.Vec2{extent.Cell / 2, extent.Cell / 2})
			}
		}
		points = append(points, p)
	}
	return points
}

// TestBatch holds batches of questions against View.Query, on the reference and on the map's own view.
func TestBatch(t *testing.T) {
	test := func(name string, scene func(t testing.TB) (*geom.Ground, Goal)) {
		t.Run(name, func(t *testing.T) {
			g, goal := scene(t)
			gputest.Run(t, func(d *gpu.Device) {
				b, m, reference := build(t, d, Wavefront, g, goal, 50)
				defer b.Delete()
				defer m.Delete()
				checkBatch(t, d, m, reference, 700)
			})
		})
	}
	for _, name := range table1 {
		test(name, func(t testing.TB) (*geom.Ground, Goal) { return sceneGround(t, name) })
	}
	for _, k := range known {
		test(k.name, func(t testing.TB) (*geom.Ground, Goal) {
			return ground(t, k.domain, k.obstacles...), Goal{Points: []mgl64.Vec2{k.source}}
		})
	}
	for seed := range uint64(40) {
		test(fmt.Sprint(seed), func(t testing.TB) (*geom.Ground, Goal) { return randomScene(t, seed) })
	}
	test("no source", func(t testing.TB) (*geom.Ground, Goal) {
		return ground(t, [4]float64{0, 0, 20, 10}, box(3, 3, 5, 5)), Goal{}
	})
	test("a side shut off", func(t testing.TB) (*geom.Ground, Goal) {
		return ground(t, [4]float64{0, 0, 20, 10}, box(9, 0, 11, 10), box(3, 3, 5, 5), box(14, 3, 15, 5)), Goal{Points: []mgl64.Vec2{{2, 2}}}
	})
	test("a passage thinner than a texel", func(t testing.TB) (*geom.Ground, Goal) {
		return ground(t, [4]float64{0, 0, 100, 100}, box(50, 0, 51, 49.99), box(50, 50, 51, 100)), Goal{Points: []mgl64.Vec2{{80, 10}, {81, 99}}}
	})
	test("all covered", func(t testing.TB) (*geom.Ground, Goal) {
		return ground(t, [4]float64{0, 0, 10, 10}, box(-1, -1, 11, 11)), Goal{}
	})
}

func checkBatch(t *testing.T, d *gpu.Device, m *Map, reference *View, n int) {
	t.Helper()
	batch, err := NewBatch(d, m)
	if err != nil {
		t.Fatal(err)
	}
	defer batch.Delete()
	points := awkward(reference.ground, rand.New(rand.NewPCG(5, 6)), n)
	answers, err := batch.Query(0, points)
	if err != nil {
		t.Fatal(err)
	}
	own := m.View(0)
	for i, p := range points {
		got, want := answers[i], reference.Query(p)
		tolerance := reference.Tolerance(want.Distance)
		if got.State != want.State {
			t.Fatalf("state at %v is %v, want %v", p, got.State, want.State)
		}
		if got.State != Reached {
			if !math.IsNaN(got.Distance) == (got.State == Obstacle) || math.IsInf(got.Distance, 1) != (got.State == Unreached) || got.next != -1 {
				t.Fatalf("at %v: %+v", p, got)
			}
			continue
		}
		if !(math.Abs(got.Distance-want.Distance) <= tolerance) {
			t.Fatalf("distance at %v is %v, want %v", p, got.Distance, want.Distance)
		}
		// The parent is in sight, and the way over it is a shortest one.
		if node := own.nodes[got.next]; node.position != got.Parent || !inSight(own.ground, p, got.Parent) {
			t.Fatalf("the parent of %v, %v, is not in sight", p, got.Parent)
		}
		if over := reference.nodes[got.next].distance + p.Sub(got.Parent).Len(); !(math.Abs(over-want.Distance) <= tolerance) {
			t.Fatalf("over the parent of %v the way is %v, want %v", p, over, want.Distance)
		}
	}
	if batch.Undecided() != 0 {
		t.Errorf("%d points were left to the view", batch.Undecided())
	}
}
