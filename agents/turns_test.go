package agents

import (
	"math"
	"testing"
)

// The rows of parts within a reach, counted cell by cell as celldivide.comp divides them, are
// never more than rows says, however a crowd is spread.
func TestRows(t *testing.T) {
	n := &numbers{seed: 9}
	closest := 0.0
	for range 2000 {
		s := cells{size: [2]int32{int32(1 + n.below(40)), int32(1 + n.below(40))}, cellsPerMeter: 0.1 + n.share()}
		agents := make([]int, s.size[0]*s.size[1])
		count := n.below(20000)
		favored := 1 + n.below(len(agents)) // cells that all agents are in
		for range count {
			agents[n.below(favored)]++
		}
		reach := n.share() * n.share() * 50
		low, high := [2]int32{}, [2]int32{}
		for k := range 2 {
			at := n.share() * float32(s.size[k]) / s.cellsPerMeter
			cell := func(x float32) int32 { return int32(min(max(x*s.cellsPerMeter, 0), float32(s.size[k]-1))) }
			low[k], high[k] = cell(at-reach), cell(at+reach)
		}
		rows := 0
		for y := low[1]; y <= high[1]; y++ {
			for x := low[0]; x <= high[0]; x++ {
				rows += max(1, int(math.Sqrt(float64(agents[y*s.size[0]+x]/partAgents))))
			}
		}
		if most := s.rows(reach, count); rows > most {
			t.Fatalf("%d rows within %v m, %d agents in %v cells: rows says %d", rows, reach, count, s.size, most)
		} else {
			closest = max(closest, float64(rows)/float64(most))
		}
	}
	if closest < 0.5 {
		t.Errorf("no crowd comes near the bound: %v of it", closest)
	}
}

// What an agent may take in the situations that docs/dispatches.md speaks of is what it says
// there.
func TestTurns(t *testing.T) {
	w := wallTurns{sight: 3*512 + 2*128, near: 64 + 2*128, all: 1 << 16, longest: 128}
	m := AvoidanceParams{Own0: 10_000} // samples of rvo
	for name, c := range map[string]struct{ turns, bits int }{
		"steering": {w.steering(), 18}, "moving": {w.moving(), 18}, "pushing": {w.pushing(), 15}, "nearest free": {2 * w.nearestFree(), 21},
		"rvo": {rvoTurns(m, 10), 18}, "orca": {orcaTurns(m, 10), 16}, "clearpath": {clearPathTurns(m, 10), 19},
		"past walls": {looksPastWalls*(1+w.near) + 1<<17 + 1<<20, 21},
	} {
		if c.turns > 1<<c.bits || 2*c.turns <= 1<<c.bits {
			t.Errorf("%s takes %d turns, not about 2^%d", name, c.turns, c.bits)
		}
	}
}
