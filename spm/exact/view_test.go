package exact_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/wayfront/wayfront/spm/exact"
	"github.com/wayfront/wayfront/spm/exact/exacttest"
)

// TestQueryMissesNothing compares answers, found by looking where something better may be, with
// those that come of looking at everything: every source tested against all walls, and every corner
// in sight. They are the same to the last bit.
func TestQueryMissesNothing(t *testing.T) {
	asked := 0
	for seed := range uint64(30) {
		g, goal := exacttest.RandomSegments(t, seed)
		v, err := exact.Solve(g, goal)
		if err != nil {
			t.Fatal(err)
		}
		sources, err := exact.Sources(g, goal)
		if err != nil {
			t.Fatal(err)
		}
		viewer := g.NewViewer()
		r := rand.New(rand.NewPCG(seed, 3))
		for k := range 100 {
			p := exacttest.SomewhereOn(g, r)
			if k%4 == 0 {
				p = g.Place(g.Vertices[r.IntN(len(g.Vertices))])
			}
			got := v.Query(p)
			if got.State == exact.Obstacle {
				continue
			}
			best, next := math.Inf(1), -1
			offer := func(i int) {
				if d := v.Over(i, p).Distance; d < best || d == best && i < next {
					best, next = d, i
				}
			}
			for _, here := range exacttest.SectorsAt(g, p) {
				for i, s := range sources {
					if b, ok := s.LightField(); ok && g.SeesFrom(b, here) || !ok && g.Sees(s.Sector, here) {
						offer(i)
					}
				}
				viewer.Visible(here, func(c int) { offer(len(sources) + c) })
			}
			if got.Distance != best || got.Node != next {
				t.Fatalf("seed %d: at %v the answer is %v, over node %d; want %v over node %d", seed, p, got, got.Node, best, next)
			}
			asked++
		}
	}
	if asked < 2000 {
		t.Errorf("only %d points are free", asked)
	}
}
