package agents

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/agentstest"
	"github.com/wayfront/wayfront/agents/reference"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

const rvoMethod Method = 1

// Both launches choose the same velocity, to the bit: also of samples that cost the same.
func TestRVOLaunches(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		situations := agentstest.Situations(3, 400)
		for i := range situations {
			situations[i].Params.Samples = 1 + i%200
			if i%5 == 0 {
				situations[i].Params.Aggression = 0
			}
		}
		flat := stageOf(t, d, kernelVariant{method: rvoMethod}).decide(t)(situations)
		nested := stageOf(t, d, kernelVariant{method: rvoMethod, nested: true}).decide(t)(situations)
		for i := range flat {
			if flat[i] != nested[i] {
				t.Errorf("situation %d: flat %v, nested %v", i, flat[i], nested[i])
			}
		}
	})
}

// What rounding may do to costs.
const (
	// Of products of numbers below 4 m and 20 m/s, as differences of which float32 decides whether
	// discs of 0.2 m and more are met: 8 roundings by 2^-24 of 4 m, over 0.2 m.
	rvoRadii = 8.0 / (1 << 24) * 4 / 0.2
	// Times and sums of tens of operations; and how deep two get is a share of their radii, twice, of
	// which up to the square divides.
	rvoShare = 1.0/(1<<17) + 4*rvoRadii
)

// The device's choice is the reference's, or costs as little but for rounding. Where a way grazes
// an agent rounding may let it be met or missed, and its weight come or go: radii a little
// smaller or larger do so too. So the choice's cost with smaller radii is at most that of the
// reference's choice with larger ones.
func TestRVOAgreesWithReference(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		situations := agentstest.Situations(4, 2000)
		st := stageOf(t, d, kernelVariant{method: rvoMethod})
		same := 0
		for i, got := range st.decide(t)(situations) {
			s := situations[i]
			want := references[methods[rvoMethod].name](s, st.seed)
			if got.Sub(want).Len() < 1e-5 {
				same++
				continue
			}
			if least, most := cost(s, got, 1-rvoRadii), cost(s, want, 1+rvoRadii); !(least <= most*(1+rvoShare)) {
				t.Errorf("situation %d: %v costs %v at least, the reference's %v %v at most", i, got, least, want, most)
			}
		}
		if same < 1900 {
			t.Errorf("%d of 2000 choices are the reference's", same)
		}
	})
}

// cost is what a velocity costs with all radii scaled.
func cost(s reference.Situation, v mgl64.Vec2, scale float64) float64 {
	s.Radius *= scale
	s.Neighbors = append([]reference.Neighbor(nil), s.Neighbors...)
	for i := range s.Neighbors {
		s.Neighbors[i].Radius *= scale
	}
	return reference.Cost(s, v)
}

// An agent that takes no share of evading walks as it prefers among those that share it.
func TestRVOWithoutShare(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		situations := agentstest.Situations(5, 300)
		for i := range situations {
			s := &situations[i]
			s.Params.LoadFactor, s.Walls = 0, nil
			s.Params.MaxAcceleration = 1000
			for k := range s.Neighbors {
				s.Neighbors[k].Shares = true
			}
		}
		for i, got := range stageOf(t, d, kernelVariant{method: rvoMethod}).decide(t)(situations) {
			// The wish, turned right by a milliradian, and no faster than can be.
			want := situations[i].Preferred
			if want.Len() > situations[i].MaxSpeed {
				want = want.Mul(situations[i].MaxSpeed / want.Len())
			}
			if !(got.Sub(want).Len() <= 2e-3*math.Max(1, want.Len())) {
				t.Errorf("situation %d: %v, want %v", i, got, want)
			}
		}
	})
}
