package engine_test

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// track is where an agent was, step by step until it has arrived, m.
type track []mgl64.Vec2

// tracksOf runs a built-in scene for so many seconds, and returns the tracks of all agents, with
// those that has arrived.
func tracksOf(t *testing.T, name string, seconds float64) (tracks map[string]track, arrived map[string]bool) {
	t.Helper()
	s, err := builtin.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return tracksIn(t, s, seconds)
}

// tracksIn likewise, of any scene.
func tracksIn(t *testing.T, s *scenes.Scene, seconds float64) (tracks map[string]track, arrived map[string]bool) {
	t.Helper()
	tracks, arrived = map[string]track{}, map[string]bool{}
	run(t, s, func(_ *gpu.Device, w *engine.World) {
		traits := make([]agents.Traits, w.Crowd().Count())
		w.Buffers().Agents.Traits.Read(0, traits)
		for w.Time() < seconds {
			for i, a := range crowd(w) {
				id := s.Groups[traits[i].Group].ID
				if s.Groups[traits[i].Group].Count > 1 {
					continue // agents that stand in the way
				}
				if arrived[id] = a.Arrivals > 0; !arrived[id] {
					tracks[id] = append(tracks[id], mgl64.Vec2{float64(a.Position[0]), float64(a.Position[1])})
				}
			}
			steps(t, w, 1)
		}
	})
	return tracks, arrived
}

func (k track) length() float64 {
	sum := 0.0
	for i := range len(k) - 1 {
		sum += k[i+1].Sub(k[i]).Len()
	}
	return sum
}

// sharpest is the sharpest turn from one step to the next, in degrees, of an agent that does not
// stand.
func (k track) sharpest() float64 {
	most := 0.0
	for i := range len(k) - 2 {
		a, b := k[i+1].Sub(k[i]), k[i+2].Sub(k[i+1])
		if min(a.Len(), b.Len()) < standstill {
			continue
		}
		most = max(most, math.Abs(math.Atan2(a[0]*b[1]-a[1]*b[0], a.Dot(b))))
	}
	return most * 180 / math.Pi
}

// standstill is what an agent walks at most that stands: 0.2 m/s for a tenth of a second.
const standstill = 0.02

// stood is for how many steps it stands, but for the first.
func (k track) stood() int {
	count := 0
	for i := 1; i < len(k)-1; i++ {
		if k[i+1].Sub(k[i]).Len() < standstill {
			count++
		}
	}
	return count
}

// at is where along y the track passes an x, or along x a y.
func (k track) passes(axis int, where float64) float64 {
	for i := range len(k) - 1 {
		if a, b := k[i][axis], k[i+1][axis]; a <= where && b > where {
			return k[i][1-axis] + (k[i+1][1-axis]-k[i][1-axis])*(where-a)/(b-a)
		}
	}
	return math.NaN()
}

// TestBiasBendsThePath is Fischer's figure 2 and Dapper's figure 1: a positive strength pulls
// towards its direction, the more the stronger, and one that swings makes the path swing.
func TestBiasBendsThePath(t *testing.T) {
	last := 0.0
	for i, name := range []string{"dapper-1", "fischer-2"} {
		tracks, arrived := tracksOf(t, name, 30)
		for _, id := range []string{"a", "b", "c"} {
			if !arrived[id] {
				t.Errorf("%s: %s has not arrived", name, id)
			}
		}
		// Half way up the second part of the corridor, from its left wall. The harmonic path is in
		// the middle, within a cell.
		middle, pulled := tracks["a"].passes(1, 8)-10, tracks["b"].passes(1, 8)-25
		if math.Abs(middle-2) > 0.25 || pulled < 2.5 {
			t.Errorf("%s: %.2f m from the left wall of 4 m, and with a pull to the right %.2f m", name, middle, pulled)
		}
		// The corridor turns by 90 degrees, and the third path once more at each swing of the pull.
		turnLittle(t, name, tracks, map[string]turns{"a": {115, 0}, "b": {225, 0}, "c": {350, 1}})
		if i > 0 && pulled <= last {
			t.Errorf("a strength of 1 leads to %.2f m, one of 0.8 to %.2f m", pulled, last)
		}
		last = pulled
		// Along the first part the pull swings across: to the left, until 5.2 s.
		straight, swung := tracks["a"].passes(0, 7), tracks["c"].passes(0, 37)
		if swung < straight+0.25 {
			t.Errorf("%s: the path that swings is at %.2f m, the harmonic one at %.2f m", name, swung, straight)
		}
	}
}

// TestInertiaSmoothsThePath is Dapper's figure 5: the sharpest turn shrinks as eta grows from 0 to
// 0.95, and with 0.99 the goal is missed.
func TestInertiaSmoothsThePath(t *testing.T) {
	tracks, arrived := tracksOf(t, "dapper-5", 40)
	last := 180.0
	for _, id := range []string{"eta-0", "eta-0.25", "eta-0.5", "eta-0.75", "eta-0.95"} {
		if turn := tracks[id].sharpest(); !arrived[id] || turn >= last {
			t.Errorf("%s: arrived %v, the sharpest turn is of %.1f degrees, before %.1f", id, arrived[id], turn, last)
		} else {
			last = turn
		}
	}
	if arrived["eta-0.99"] {
		t.Error("with an inertia of 0.99 the goal is reached")
	}
	turnLittle(t, "dapper-5", tracks, map[string]turns{"eta-0": {300, 0}, "eta-0.25": {265, 0}, "eta-0.5": {260, 0}, "eta-0.75": {210, 0}, "eta-0.95": {230, 0}})
}

// TestMapSizeSeesRound is Dapper's figure 6: the small map leads through the group, the large one
// round it.
func TestMapSizeSeesRound(t *testing.T) {
	tracks, arrived := tracksOf(t, "dapper-6", 30)
	s, _ := builtin.Load("dapper-6")
	for id, round := range map[string]bool{"small": false, "large": true} {
		// The middle of the group's second column, and its upper and lower ends.
		g := s.Groups[slices.IndexFunc(s.Groups, func(g scenes.Group) bool { return g.ID == "before-"+id })]
		low, high := math.Inf(1), math.Inf(-1)
		for _, p := range g.Spawn.Points {
			low, high = min(low, p[1]), max(high, p[1])
		}
		y := tracks[id].passes(0, g.Spawn.Points[4][0])
		if !arrived[id] || (y < low || y > high) != round {
			t.Errorf("%s: arrived %v, passes the group from %.2f to %.2f at %.2f", id, arrived[id], low, high, y)
		}
		// Agents that stand still are no reason to wait: it takes a second at most to make up its
		// mind.
		if stood := tracks[id].stood(); stood > 10 {
			t.Errorf("%s stands for %d steps", id, stood)
		}
		t.Logf("%s: %d steps, %.1f m", id, len(tracks[id]), tracks[id].length())
	}
	turnLittle(t, "dapper-6", tracks, map[string]turns{"small": {150, 0}, "large": {300, 0}})
}

// least is how near two people came to each other.
func least(a, b track) float64 {
	nearest := math.Inf(1)
	for i := range min(len(a), len(b)) {
		nearest = min(nearest, a[i].Sub(b[i]).Len())
	}
	return nearest
}

// TestSpeedControlWaits is Dapper's figure 7: at constant speed neither agent waits, and both
// swerve; with speed control one waits and the other one never stands, they do not touch, and
// together they walk less far. The one that waits walks less far too, and turns half as sharply.
// Which one that is does not depend on where and when they set out.
func TestSpeedControlWaits(t *testing.T) {
	// Of red's start. The steps that they meet at are others, and so are the cells that they find
	// each other in.
	for _, shift := range []mgl64.Vec2{{0, 0}, {0, 0.15}, {0, 0.35}, {0.4, 0.1}, {0.8, 0.25}, {1.2, 0.05}} {
		s, err := builtin.Load("dapper-7")
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Groups {
			if at := s.Groups[i].Spawn.Points; at[0][0] < 10 { // red
				at[0] = at[0].Add(shift)
			}
		}
		tracks, arrived := tracksIn(t, s, 30)
		shorter := 0.0
		if shift == (mgl64.Vec2{}) {
			shorter = 0.4
		}
		for _, who := range []string{"red", "blue"} {
			constant, controlled := tracks["constant-"+who], tracks["controlled-"+who]
			t.Logf("%v: %s at constant speed stands for %d steps, walks %.2f m, turns by %.0f degrees; with speed control %d, %.2f m, %.0f degrees", shift, who,
				constant.stood(), constant.length(), constant.sharpest(), controlled.stood(), controlled.length(), controlled.sharpest())
			if !arrived["constant-"+who] || !arrived["controlled-"+who] {
				t.Errorf("%v: %s: arrived %v and %v", shift, who, arrived["constant-"+who], arrived["controlled-"+who])
			}
			if constant.stood() > 0 {
				t.Errorf("%v: %s at constant speed stands for %d steps", shift, who, constant.stood())
			}
			if stood := controlled.stood(); who == "red" && stood > 0 || who == "blue" && stood < 5 {
				t.Errorf("%v: %s with speed control stands for %d steps", shift, who, stood)
			}
			// Red's map is fine enough that it walks smoothly at any speed.
			if who == "red" {
				turnLittle(t, "dapper-7", tracks, map[string]turns{"constant-red": {300, 0}, "controlled-red": {300, 0}})
			} else if controlled.length() > constant.length()-shorter || controlled.sharpest() > constant.sharpest()/2 {
				t.Errorf("%v: %s swerves with speed control as without", shift, who)
			}
		}
		constant, controlled := tracks["constant-red"].length()+tracks["constant-blue"].length(), tracks["controlled-red"].length()+tracks["controlled-blue"].length()
		if controlled > constant-shorter {
			t.Errorf("%v: with speed control both walk %.2f m, without %.2f m", shift, controlled, constant)
		}
		// Both have a radius of 0.25 m.
		if d := least(tracks["controlled-red"], tracks["controlled-blue"]); d < 0.5 {
			t.Errorf("%v: with speed control they come within %.2f m", shift, d)
		}
	}
}

// TestCrowdArrives is Fischer's figure 1: two hundred people in streets that cross all arrive, and
// none is ever inside of a wall; with avoidance on top none overlaps another by more than 1%.
func TestCrowdArrives(t *testing.T) {
	for _, avoidance := range []scenes.Avoidance{scenes.AvoidanceNone, scenes.AvoidanceORCA} {
		s, err := builtin.Load("fischer-1")
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Profiles {
			s.Profiles[i].Avoidance = avoidance
		}
		run(t, s, func(d *gpu.Device, w *engine.World) {
			if err := w.Crowd().Measure(true); err != nil {
				t.Fatal(err)
			}
			c := w.Crowd().Counters()
			for c.Left < 200 && w.Time() < 150 {
				before := d.Readbacks()
				steps(t, w, 1)
				c = w.Crowd().Counters()
				if d.Readbacks() != before {
					t.Fatal("a step reads back")
				}
			}
			c = w.Crowd().CountersNow()
			t.Logf("avoidance %s: %d have arrived after %.0f s, penetration %.4f, %d flat", avoidance, c.Left, w.Time(), c.Tally.Penetration, c.Tally.ZeroGradient)
			if c.Left != 200 {
				t.Errorf("avoidance %s: %d of 200 have arrived after %g s, %d are stuck", avoidance, c.Left, w.Time(), c.Stuck)
			}
			// Places are rounded to the lattice.
			if step := w.Ground().Lattice.Step; c.Tally.WallPenetration > step {
				t.Errorf("avoidance %s: an agent is %g m inside of a wall", avoidance, c.Tally.WallPenetration)
			}
			if avoidance != scenes.AvoidanceNone && c.Tally.Contacts > 0 {
				t.Errorf("avoidance %s: %d pairs overlap by more than 1%%", avoidance, c.Tally.Contacts)
			}
		})
	}
}
