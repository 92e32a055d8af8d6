package spawn

import (
	"math"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/scenes"
)

// TestRoutesKeepToTheirShares holds every beginning of a group to the shares, rounded up or down;
// TestRoutesAreDrawn shows that it is the seed that chooses.
func TestRoutesKeepToTheirShares(t *testing.T) {
	for _, shares := range [][]float64{{1}, {2, 1}, {1, 1, 1}, {100, 50, 1}, {0.1, 0.7, 0.2, 1e-9}, {5, 3, 3, 2, 2, 1, 1, 1, 1}, {math.Pi, math.E, 1}} {
		scene := &scenes.Scene{Groups: []scenes.Group{{Count: 2000}}}
		sum := 0.0
		for _, s := range shares {
			scene.Groups[0].Routes = append(scene.Groups[0].Routes, scenes.Route{Share: s})
			sum += s
		}
		for seed := range uint64(20) {
			scene.Simulation.Seed = seed
			given := make([]float64, len(shares))
			for k, route := range Routes(scene, 0) {
				given[route]++
				for i, s := range shares {
					if want := float64(k+1) * s / sum; math.Abs(given[i]-want) >= 1 {
						t.Fatalf("shares %v: route %d has %v of the first %d agents, want %v", shares, i, given[i], k+1, want)
					}
				}
			}
		}
	}
}

func TestRoutesAreDrawn(t *testing.T) {
	scene := &scenes.Scene{Groups: slices.Repeat([]scenes.Group{{Count: 400, Routes: []scenes.Route{{Share: 1}, {Share: 1}}}}, 2)}
	first, other := Routes(scene, 0), Routes(scene, 1)
	scene.Simulation.Seed = 1
	again := Routes(scene, 0)
	scene.Groups[0].Count = 100
	fewer := Routes(scene, 0)
	if !slices.Equal(fewer, again[:100]) {
		t.Error("another count changes which agent takes which route")
	}
	// 200 pairs, of which each is in one order or the other: 5 deviations of that.
	for name, x := range map[string][]int{"group": other, "seed": again} {
		same := 0
		for k := range x {
			if x[k] == first[k] {
				same++
			}
		}
		if math.Abs(float64(same)-200) > 2*5*math.Sqrt(200)/2 {
			t.Errorf("another %s: %d of 400 agents take the same route", name, same)
		}
	}
}
