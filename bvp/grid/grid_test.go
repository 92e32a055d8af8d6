package grid

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// groundOf builds a ground with obstacles.
func groundOf(t *testing.T, width, height float64, obstacles ...geom.Polygon) *geom.Ground {
	t.Helper()
	l, err := geom.NewLattice(mgl64.Vec2{10, 20}, mgl64.Vec2{10 + width, 20 + height})
	if err != nil {
		t.Fatal(err)
	}
	g, err := geom.Build(l, obstacles)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// touch reports whether two closed segments have a point in common, by the sides of their ends.
func touch(a, b, p, q geom.Point) bool {
	on := func(a, b, p geom.Point) bool {
		return geom.Orient(a, b, p) == geom.Collinear &&
			min(a.X, b.X) <= p.X && p.X <= max(a.X, b.X) && min(a.Y, b.Y) <= p.Y && p.Y <= max(a.Y, b.Y)
	}
	if on(a, b, p) || on(a, b, q) || on(p, q, a) || on(p, q, b) {
		return true
	}
	return geom.Orient(a, b, p)*geom.Orient(a, b, q) < 0 && geom.Orient(p, q, a)*geom.Orient(p, q, b) < 0
}

// TestGridWays compares every way with every wall. Some corners lie on middles of cells, and some
// walls on rows of them.
func TestGridWays(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 40))
		const width = 32.0
		height := []float64{32, 20, 0.7}[seed%3]
		var obstacles []geom.Polygon
		for range 8 {
			at := mgl64.Vec2{10 + width*r.Float64(), 20 + height*r.Float64()}
			if seed%2 == 0 {
				at = mgl64.Vec2{10 + 0.5*float64(r.IntN(64)), 20 + min(0.5*float64(r.IntN(64)), height-0.5)}
			}
			size := mgl64.Vec2{0.5 * float64(1+r.IntN(9)), 0.5 * float64(1+r.IntN(9))}
			corners := []mgl64.Vec2{at, at.Add(mgl64.Vec2{size[0], 0}), at.Add(size), at.Add(mgl64.Vec2{0, size[1]})}
			if seed%5 == 4 {
				corners[2] = corners[2].Add(mgl64.Vec2{3 * r.Float64(), 0}) // slanted
			}
			for i := range corners {
				corners[i] = mgl64.Vec2{min(corners[i][0], 10+width), min(corners[i][1], 20+height)}
			}
			obstacles = append(obstacles, geom.Polygon{Outer: corners})
		}
		ground := groundOf(t, width, height, obstacles...)
		g := New(ground, 32)
		if g.Columns != 32 || g.Side != 1<<15 {
			t.Fatalf("%d columns of %d steps", g.Columns, g.Side)
		}
		middle := func(k int) geom.Point {
			return geom.Point{X: int32(k%g.Columns)*g.Side + g.Side/2, Y: int32(k/g.Columns)*g.Side + g.Side/2}
		}
		for k := range g.Columns * g.Rows {
			for d := range 4 {
				to, got := g.Way(k, d)
				want := [4]bool{k%g.Columns < g.Columns-1, k%g.Columns > 0, k/g.Columns < g.Rows-1, k >= g.Columns}[d]
				for _, w := range ground.Walls {
					want = want && !touch(ground.Vertices[w.A], ground.Vertices[w.B], middle(k), middle(to))
				}
				if got != want {
					t.Fatalf("seed %d: the way from cell %d, %d in direction %d is open: %v", seed, k%g.Columns, k/g.Columns, d, got)
				}
			}
		}
	}
}

// TestGridCells: cells by place and back, and goals.
func TestGridCells(t *testing.T) {
	g := New(groundOf(t, 40, 25), 50)
	for k := range g.Columns * g.Rows {
		if got, ok := g.Cell(g.Middle(k)); !ok || got != k {
			t.Fatalf("the middle of cell %d is in cell %d", k, got)
		}
	}
	for p, want := range map[mgl64.Vec2]int{{0, 0}: 0, {99, 99}: g.Columns*g.Rows - 1, {10.1, 20.1}: 0, {10.9, 20.1}: 1} {
		if got, _ := g.Cell(p); got != want {
			t.Errorf("%v is in cell %d, want %d", p, got, want)
		}
	}
	got := g.Goals([]mgl64.Vec2{{10.1, 20.1}, {10.2, 20.2}}, [][2]mgl64.Vec2{{{12.1, 20.1}, {14.1, 20.1}}, {{11, 21}, {11, 21}}})
	if want := []int{0, 2, 3, 4, 5, g.Columns + 1}; !slices.Equal(got, want) {
		t.Errorf("the goal is %v, want %v", got, want)
	}
	// A domain flatter than half a cell has no middles.
	if g := New(groundOf(t, 40, 0.3), 40); g.Rows != 0 || len(g.Goals([]mgl64.Vec2{{10, 20}}, nil)) != 0 {
		t.Errorf("a flat domain has %d rows", g.Rows)
	}
}
