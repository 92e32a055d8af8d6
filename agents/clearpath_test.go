package agents

import (
	"math"
	"testing"

	"github.com/wayfront/wayfront/agents/agentstest"
	"github.com/wayfront/wayfront/agents/reference"
	"github.com/wayfront/wayfront/scenes"
)

// The device's velocity is the reference's but for rounding: that of regions as they are, or
// grown or shrunk by what rounding can do. Where two paths round agents are nearly as short it
// may be either: then it is no farther from the desired velocity, and no nearer, than those.
func TestClearPathAgreesWithReference(t *testing.T) {
	onDevice(t, scenes.AvoidanceClearPath, func(t *testing.T, st *stage) {
		situations := agentstest.Situations(7, 3000)
		same, turned := 0, 0
		for i, got := range st.decide(t)(situations) {
			s := situations[i]
			least, most := math.Inf(1), 0.0
			near := false
			for _, margin := range []float64{-velocityRounding, 0, velocityRounding} {
				s.Margin = margin
				want := reference.ClearPath(s)
				cost := want.Sub(s.Desired()).Len()
				least, most = min(least, cost), max(most, cost)
				// Borders that cross at a sharp angle do so farther off.
				near = near || got.Sub(want).Len() < 16*velocityRounding
			}
			s.Margin = 0
			if near {
				same++
				continue
			}
			turned++
			if mayBeORCA(s, got) {
				continue // nothing is left
			}
			if cost := got.Sub(s.Desired()).Len(); cost < least-2*velocityRounding || cost > most+2*velocityRounding {
				t.Errorf("situation %d, %+v:\n%v, %v away, want %v, between %v and %v away", i, s, got, cost, reference.ClearPath(s), least, most)
			}
		}
		if same < 2970 {
			t.Errorf("%d of 3000 velocities are the reference's, %d are others", same, turned)
		}
	})
}
