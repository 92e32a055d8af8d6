package bench

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// TestExhaustive: the nearest present agents, by sorting all, some of them on the same spot or
// equally near.
func TestExhaustive(t *testing.T) {
	gputest.Fresh(t, func(d *gpu.Device) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, count := range []int{1, 2, 9, 500} {
			var state []agents.Agent
			var places [][2]float32
			for range count {
				a := agents.Agent{Position: [2]float32{float32(r.IntN(40)), r.Float32() * 20}, Status: uint32(r.IntN(4))}
				if r.IntN(4) == 0 && len(places) > 0 {
					a.Position = places[0]
				}
				if state = append(state, a); a.Status == agents.Walking || a.Status == agents.Arrived {
					places = append(places, a.Position)
				}
			}
			p := scenes.DefaultProfile()
			p.MaxNeighbors, p.NeighborDistance = 7, 6
			e, err := newExhaustive(d, count, p)
			if err != nil {
				t.Fatal(err)
			}
			defer e.free()
			if there := e.search(state); there != len(places) {
				t.Fatalf("%d are there, want %d", there, len(places))
			}
			got := make([]uint32, count*e.most)
			e.nearest.Read(0, got)
			for me, at := range places {
				squared := func(i uint32) float32 {
					x, y := places[i][0]-at[0], places[i][1]-at[1]
					return float32(x*x) + float32(y*y)
				}
				var want []uint32
				for i := range uint32(len(places)) {
					if squared(i) <= e.reach*e.reach && int(i) != me {
						want = append(want, i)
					}
				}
				slices.SortFunc(want, func(a, b uint32) int { return cmp.Or(cmp.Compare(squared(a), squared(b)), cmp.Compare(a, b)) })
				for len(want) < e.most {
					want = append(want, ^uint32(0))
				}
				if list := got[me*e.most : (me+1)*e.most]; !slices.Equal(list, want[:e.most]) {
					t.Fatalf("%d of %d: %v, want %v", me, len(places), list, want[:e.most])
				}
			}
		}
		if _, err := newExhaustive(d, exhaustiveMost+1, scenes.DefaultProfile()); err == nil {
			t.Error("more agents than a loop may have turns")
		}
	})
}
