package spm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// TestQueryMissesNothing holds answers, found by looking where something better may be, against those that come of looking at
// everything: every source tested against all walls, and every corner in sight. They are the same to the last bit.
func TestQueryMissesNothing(t *testing.T) {
	asked := 0
	for seed := range uint64(30) {
		g, goal := randomSegments(t, seed)
		v, err := Solve(g, goal)
		if err != nil {
			t.Fatal(err)
		}
		viewer := g.NewViewer()
		r := rand.New(rand.NewPCG(seed, 3))
		for k := range 100 {
			p := somewhereOn(g, r)
			if k%4 == 0 {
				p = g.Place(g.Vertices[r.IntN(len(g.Vertices))])
			}
			got := v.Query(p)
			if got.State == Obstacle {
				continue
			}
			best, next := math.Inf(1), -1
			offer := func(i int) {
				if d, _ := v.over(i, p); d < best || d == best && i < next {
					best, next = d, i
				}
			}
			for _, h := range sites(g, p, 0) {
				for i, s := range v.sources {
					if b, ok := s.beam(); ok && g.SeesFrom(b, h.sector) || !ok && g.Sees(s.sector, h.sector) {
						offer(i)
					}
				}
				viewer.Visible(h.sector, func(c int) { offer(len(v.sources) + c) })
			}
			if got.Distance != best || got.next != next {
				t.Fatalf("seed %d: at %v the answer is %v, over node %d; want %v over node %d", seed, p, got, got.next, best, next)
			}
			asked++
		}
	}
	if asked < 2000 {
		t.Errorf("only %d points are free", asked)
	}
}

// TestSkipFields compares views of maps that are made with fields and without.
func TestSkipFields(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		g := ground(t, [4]float64{0, 0, 100, 100}, squares(6)...)
		r := rand.New(rand.NewPCG(31, 3))
		goal, other := freeGoal(g, r, 5), freeGoal(g, r, 5)
		b, m, _ := build(t, d, Wavefront, g, goal, testSize)
		defer b.Delete()
		defer m.Delete()
		nodes := func(goal Goal) []node {
			if err := b.Build(m, Change{Goal: goal}); err != nil {
				t.Fatal(err)
			}
			return m.View(0).nodes
		}
		drawn, drawnOther := nodes(goal), nodes(other)
		b.SkipFields()
		if !slices.Equal(nodes(goal), drawn) || !slices.Equal(nodes(other), drawnOther) {
			t.Error("without fields the paths are others")
		}
	})
}
