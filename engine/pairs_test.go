package engine_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
)

const pairCount = 100

// passing is what became of pairs.
type passing struct {
	radius  float64 // of an agent, m
	tracks  []track
	arrived []bool
	stood   []int
}

// passPairs has a hundred pairs pass, of a profile that is changed.
func passPairs(t *testing.T, seconds float64, change func(*scenes.Profile)) (p passing) {
	t.Helper()
	s, err := builtin.Load(fmt.Sprintf("pairs-%d", 2*pairCount))
	if err != nil {
		t.Fatal(err)
	}
	change(&s.Profiles[0])
	run(t, s, func(_ *gpu.Device, w *engine.World) {
		n := w.Crowd().Count()
		p = passing{s.Profiles[0].Radius.Mean, make([]track, n), make([]bool, n), make([]int, n)}
		standing := make([]int, n)
		for w.Time() < seconds {
			all := true
			for i, a := range crowd(w) {
				p.arrived[i] = a.Arrivals > 0
				all = all && p.arrived[i]
				if p.arrived[i] || a.Status != agents.Walking {
					continue
				}
				p.tracks[i] = append(p.tracks[i], mgl64.Vec2{float64(a.Position[0]), float64(a.Position[1])})
				standing[i]++
				if math.Hypot(float64(a.Velocity[0]), float64(a.Velocity[1])) >= 0.2 {
					standing[i] = 0
				}
				p.stood[i] = max(p.stood[i], standing[i])
			}
			if all {
				break
			}
			steps(t, w, 1)
		}
	})
	return p
}

// bounds hold pairs to what they may do.
type bounds struct {
	path    float64 // of a path over the straight line to the goal
	overlap float64 // of a pair, over both radii
	stood   float64 // at a stretch, s
}

// hold logs a row for each width, and fails where a pair exceeds the bounds.
func (p *passing) hold(t *testing.T, name string, most bounds) {
	t.Helper()
	for k, width := range builtin.PairWidths {
		passed, worst := 0, bounds{}
		for i := k; i < pairCount; i += len(builtin.PairWidths) {
			a, b := i, i+pairCount
			if p.arrived[a] && p.arrived[b] {
				passed++
			}
			for _, j := range []int{a, b} {
				k := p.tracks[j]
				worst.path = max(worst.path, k.Length()/math.Abs(k[len(k)-1][0]-k[0][0]))
				worst.stood = max(worst.stood, 0.1*float64(p.stood[j]))
			}
			worst.overlap = max(worst.overlap, 1-least(p.tracks[a], p.tracks[b])/(2*p.radius))
		}
		t.Logf("%s, %.2f m: %d pass, paths up to %.3f of the straight line, overlap %.3f, standing %.1f s", name, width, passed, worst.path, worst.overlap, worst.stood)
		if passed != pairCount/len(builtin.PairWidths) || worst.path > most.path || worst.overlap > most.overlap || worst.stood > most.stood {
			t.Errorf("%s, %.2f m: %d pass, at worst %+v, want %+v", name, width, passed, worst, most)
		}
	}
}

// TestPairsPass: a hundred pairs of one profile pass each other head-on, with and without speed
// control, and with and without avoidance on top. A path alone is no shorter than the straight
// line that theirs are compared with.
func TestPairsPass(t *testing.T) {
	for control, methods := range map[bool][]scenes.Avoidance{
		true:  {scenes.AvoidanceNone, scenes.AvoidanceRVO, scenes.AvoidanceClearPath, scenes.AvoidanceORCA},
		false: {scenes.AvoidanceNone},
	} {
		for _, avoidance := range methods {
			most := bounds{path: 1.15, overlap: 0.05, stood: 5}
			if avoidance != scenes.AvoidanceNone {
				most.overlap = 0.01
			}
			p := passPairs(t, 40, func(p *scenes.Profile) { p.Avoidance, p.BVP.SpeedControl = avoidance, control })
			p.hold(t, fmt.Sprintf("speed control %v, avoidance %s", control, avoidance), most)
		}
	}
}

// TestCounterflow: 75 agents, and as many that come towards them, get through a passage that is 2 m
// wide and 10 m long, with avoidance on top.
func TestCounterflow(t *testing.T) {
	s, err := builtin.Load("counterflow-150")
	if err != nil {
		t.Fatal(err)
	}
	run(t, s, func(_ *gpu.Device, w *engine.World) {
		if err := w.Crowd().Measure(true); err != nil {
			t.Fatal(err)
		}
		for w.Time() < 150 && w.Crowd().CountersNow().Left < 150 {
			steps(t, w, 10)
		}
		c := w.Crowd().CountersNow()
		t.Logf("%d have arrived after %.0f s, penetration %.4f", c.Left, w.Time(), c.Tally.Penetration)
		if c.Left != 150 || c.Tally.Contacts > 0 || c.Tally.WallPenetration > w.Ground().Lattice.Step {
			t.Errorf("after %.0f s %d of 150 have arrived, %d pairs overlap by more than 1%%, %g m into walls", w.Time(), c.Left, c.Tally.Contacts, c.Tally.WallPenetration)
		}
	})
}
