package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// pairWidths are the widths of the corridors of pairs, in turn, m.
var pairWidths = []float64{1.75, 2, 2.5, 3, 4}

const (
	pairCount  = 100
	pairLength = 20.0 // of a corridor, m
	pairRadius = 0.25 // m
)

// pairs is a scene of corridors side by side with two agents of one profile in each, which begin
// near its ends, anywhere across it, the first pair of each width in its middle, and walk to the
// other end.
func pairs(profile string, groups ...string) string {
	r := rand.New(rand.NewPCG(15, 1))
	const wall = 0.25
	obstacles, ends, starts := []string{}, map[string][]string{}, map[string][]string{}
	y := wall
	for i := range pairCount {
		width := pairWidths[i%len(pairWidths)]
		for _, side := range []struct {
			id, other string
			x, inward float64
		}{{"west", "east", wall, 1}, {"east", "west", pairLength - wall, -1}} {
			from, off := 0.5+2*r.Float64(), (width/2-pairRadius-0.01)*(2*r.Float64()-1)
			if i < len(pairWidths) {
				from, off = 1, 0
			}
			starts[side.id] = append(starts[side.id], fmt.Sprintf("[%.4f, %.4f]", side.x+side.inward*from, y+width/2+off))
			x := side.x + 0.1*side.inward
			ends[side.id] = append(ends[side.id], fmt.Sprintf("[[%.4f, %.4f], [%.4f, %.4f]]", x, y+pairRadius, x, y+width-pairRadius))
		}
		y += width + wall
		obstacles = append(obstacles, fmt.Sprintf(`{"rect": [0, %.4f, %g, %.4f]}`, y-wall, pairLength, y))
	}
	walking := []string{}
	for _, id := range groups {
		to := map[string]string{"west": "east", "east": "west"}[id]
		walking = append(walking, fmt.Sprintf(`{"id": %q, "count": %d, "spawn": {"points": [%s]}, "itinerary": [%q]}`, id, pairCount, strings.Join(starts[id], ","), to))
	}
	return fmt.Sprintf(`{"version": 1, "domain": [0, 0, %g, %.4f],
		"obstacles": [{"rect": [0, 0, %g, %g]}, {"rect": [0, 0, %g, %.4f]}, {"rect": [%g, 0, %g, %.4f]}, %s],
		"goals": [{"id": "east", "segments": [%s]}, {"id": "west", "segments": [%s]}],
		"profiles": [{"id": "p", "radius": %g, "steering": "bvp", %s}], "groups": [%s], "map": {"size": 1000}}`,
		pairLength, y, pairLength, wall, wall, y, pairLength-wall, pairLength, y, strings.Join(obstacles, ","),
		strings.Join(ends["east"], ","), strings.Join(ends["west"], ","), pairRadius, profile, strings.Join(walking, ","))
}

// passing is what became of pairs.
type passing struct {
	tracks  []track
	arrived []bool
	stood   []int
}

func passPairs(t *testing.T, profile string, seconds float64, groups ...string) (p passing) {
	t.Helper()
	run(t, open(t, pairs(profile, groups...)), func(_ *gpu.Device, w *engine.World) {
		n := w.Crowd().Count()
		p = passing{make([]track, n), make([]bool, n), make([]int, n)}
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
	for k, width := range pairWidths {
		passed, worst := 0, bounds{}
		for i := k; i < pairCount; i += len(pairWidths) {
			a, b := i, i+pairCount
			if p.arrived[a] && p.arrived[b] {
				passed++
			}
			for _, j := range []int{a, b} {
				k := p.tracks[j]
				worst.path = max(worst.path, k.length()/math.Abs(k[len(k)-1][0]-k[0][0]))
				worst.stood = max(worst.stood, 0.1*float64(p.stood[j]))
			}
			worst.overlap = max(worst.overlap, 1-least(p.tracks[a], p.tracks[b])/(2*pairRadius))
		}
		t.Logf("%s, %.2f m: %d pass, paths up to %.3f of the straight line, overlap %.3f, standing %.1f s", name, width, passed, worst.path, worst.overlap, worst.stood)
		if passed != pairCount/len(pairWidths) || worst.path > most.path || worst.overlap > most.overlap || worst.stood > most.stood {
			t.Errorf("%s, %.2f m: %d pass, at worst %+v, want %+v", name, width, passed, worst, most)
		}
	}
}

// TestPairsPass: a hundred pairs of one profile pass each other head-on, with and without speed
// control, and with and without avoidance on top. A path alone is no shorter than the straight
// line that theirs are compared with.
func TestPairsPass(t *testing.T) {
	for _, control := range []bool{true, false} {
		for _, avoidance := range []scenes.Avoidance{scenes.AvoidanceNone, scenes.AvoidanceClearPath} {
			most := bounds{path: 1.15, overlap: 0.05, stood: 5}
			if avoidance != scenes.AvoidanceNone {
				most.overlap = 0.01
			}
			p := passPairs(t, fmt.Sprintf(`"preferredSpeed": 1.34, "avoidance": %q, "bvp": {"speedControl": %v}`, avoidance, control), 40, "west", "east")
			p.hold(t, fmt.Sprintf("speed control %v, avoidance %s", control, avoidance), most)
		}
	}
}

// TestCounterflow: a hundred agents, and fifty that come towards them, get through a passage that is
// 2 m wide and 10 m long, with avoidance on top.
func TestCounterflow(t *testing.T) {
	s := open(t, `{"version": 1, "domain": [0, 0, 30, 10], "obstacles": [{"rect": [10, 0, 20, 4]}, {"rect": [10, 6, 20, 10]}],
		"goals": [{"id": "e", "segments": [[[29, 1], [29, 9]]], "clearance": 0.2}, {"id": "w", "segments": [[[1, 1], [1, 9]]], "clearance": 0.2}],
		"profiles": [{"id": "p", "radius": 0.2, "steering": "bvp"}],
		"groups": [{"count": 100, "spawn": {"rect": [0.3, 0.3, 9, 9.7]}, "itinerary": ["e"]}, {"count": 50, "spawn": {"rect": [21, 0.3, 29.7, 9.7]}, "itinerary": ["w"]}],
		"map": {"size": 400}}`)
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
