package engine_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/bvp/reference"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// track is where an agent was, step by step until it has arrived.
type track = measure.Track

// tenth is the time step of most scenes, s.
const tenth = 0.1

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

// sharpest is the sharpest turn from one step to the next, in degrees, of an agent that does not
// stand.
func sharpest(k track) float64 {
	most := 0.0
	for i := range len(k) - 2 {
		a, b := k[i+1].Sub(k[i]), k[i+2].Sub(k[i+1])
		if min(a.Len(), b.Len()) < measure.Standing*tenth {
			continue
		}
		most = max(most, math.Abs(math.Atan2(a[0]*b[1]-a[1]*b[0], a.Dot(b))))
	}
	return most * 180 / math.Pi
}

// at is where along y the track passes an x, or along x a y.
func passes(k track, axis int, where float64) float64 {
	for i := range len(k) - 1 {
		if a, b := k[i][axis], k[i+1][axis]; a <= where && b > where {
			return k[i][1-axis] + (k[i+1][1-axis]-k[i][1-axis])*(where-a)/(b-a)
		}
	}
	return math.NaN()
}

// extremes are where along y a track turns back, between two places along x.
func extremes(k track, from, to float64) (all []float64) {
	for i := 1; i < len(k)-1; i++ {
		if k[i][0] > from && k[i][0] < to && (k[i][1]-k[i-1][1])*(k[i+1][1]-k[i][1]) < 0 {
			all = append(all, k[i][1])
		}
	}
	return all
}

// TestBiasBendsThePath is Fischer's figure 2 and Dapper's figure 1, of corridors of 4 m: the
// harmonic path is in the middle; a positive strength pulls towards its direction, the more the
// stronger; and one that swings makes the path weave.
func TestBiasBendsThePath(t *testing.T) {
	last := 0.0
	for i, name := range []string{"dapper-1", "fischer-2"} {
		tracks, arrived := tracksOf(t, name, 60)
		for _, id := range []string{"a", "b", "c"} {
			if !arrived[id] {
				t.Errorf("%s: %s has not arrived", name, id)
			}
		}
		// Half way up the second part of the corridor, from its left wall.
		middle, pulled := passes(tracks["a"], 1, 29)-40, passes(tracks["b"], 1, 18)-40
		if math.Abs(middle-2) > 0.25 || pulled < 2.5 {
			t.Errorf("%s: %.2f m from the left wall of 4 m, and with a pull to the right %.2f m", name, middle, pulled)
		}
		if i > 0 && pulled <= last {
			t.Errorf("a strength of 1 leads to %.2f m, one of 0.8 to %.2f m", pulled, last)
		}
		last = pulled
		// The corridor turns by 90 degrees, and the third path by some 50 at each swing.
		turnLittle(t, name, tracks, map[string]turns{"a": {115, 0}, "b": {225, 0}, "c": {450, 1}})
		// Along the first part, 36 m in 28 s, a pull of 10.5 s swings five times.
		weave := extremes(tracks["c"], 3, 39)
		t.Logf("%s: the path turns back at %.2f", name, weave)
		if len(weave) < 5 || len(weave) > 6 || len(extremes(tracks["a"], 3, 35)) > len(weave) {
			t.Fatalf("%s: the path turns back at %.2f", name, weave)
		}
		for k := 1; k < len(weave); k++ {
			if math.Abs(weave[k]-weave[k-1]) < 0.7 || (weave[k]-2)*(weave[k-1]-2) > 0 {
				t.Errorf("%s: it swings from %.2f to %.2f m", name, weave[k-1], weave[k])
			}
		}
	}
}

// TestUnseenNeighbor is Dapper's figure 3 and Fischer's figure 7: of two agents in its update zone
// one marks those that its view cone covers, and not the one behind it.
func TestUnseenNeighbor(t *testing.T) {
	s, err := builtin.Load("dapper-3")
	if err != nil {
		t.Fatal(err)
	}
	run(t, s, func(_ *gpu.Device, w *engine.World) {
		for w.Time() < 2.4 { // until the first is round the corner
			before := crowd(w)
			steps(t, w, 1)
			x, p := w.LocalMaps().Read(1)
			param := w.LocalMaps().Parameters(1)
			taken := func(agent int) (in, fixed bool) {
				i := int((before[agent].Position[0]-x.Position[0])/float32(param.CellSize) + float32(p.Cells)/2)
				j := int((before[agent].Position[1]-x.Position[1])/float32(param.CellSize) + float32(p.Cells)/2)
				return reference.ZoneOf(p.Cells, i, j) == reference.Update, p.Fixed[j*p.Cells+i] && p.Q[j*p.Cells+i] == 0
			}
			behindIn, behind := taken(0)
			aheadIn, ahead := taken(2)
			if w.Time() > 0.5 && (!behindIn || !aheadIn || behind || !ahead) {
				t.Fatalf("at %.1f s the agent behind is in the map %v, marked %v; the one ahead %v, %v", w.Time(), behindIn, behind, aheadIn, ahead)
			}
		}
	})
}

// TestLateSight is figure 4 of both papers: an agent that sees late that another stands in its way
// turns by nearly a right angle by the gradient alone, and with an inertia of 0.5 a footstep in a
// curve. Inertia makes hits more likely, as both papers say: it brushes past.
func TestLateSight(t *testing.T) {
	tracks, arrived := tracksOf(t, "dapper-4", 20)
	gradient, vector := tracks["gradient"], tracks["vector"]
	steepest := func(k track) float64 {
		most := 0.0
		headings, _ := k.Headings(tenth)
		for _, h := range headings {
			most = max(most, math.Abs(h)*180/math.Pi)
		}
		return most
	}
	t.Logf("by the gradient up to %.0f degrees off, %.0f in a step; with inertia %.0f, %.0f", steepest(gradient), sharpest(gradient), steepest(vector), sharpest(vector))
	if !arrived["gradient"] || !arrived["vector"] || steepest(gradient) < 60 || sharpest(gradient) < 40 {
		t.Error("the gradient alone does not turn it abruptly")
	}
	if steepest(vector) > 50 || sharpest(vector) > 15 || vector.Turning(tenth) > gradient.Turning(tenth)/2 {
		t.Error("inertia does not make a curve of it")
	}
	for _, id := range []string{"gradient", "vector"} {
		for _, at := range tracks[id] {
			if at.Sub(tracks["a2-"+id][0]).Len() < 0.4 {
				t.Fatalf("%s walks into the one in its way at %v", id, at)
			}
		}
	}
}

// TestInertiaSmoothsThePath is Dapper's figure 5, by its own rules and footsteps, in corridors 37
// footsteps wide: the total turning falls strictly as eta grows from 0 to 0.95, and with 0.99 the
// agent passes the goal by and walks into the wall at the end of the corridor.
func TestInertiaSmoothsThePath(t *testing.T) {
	tracks, arrived := tracksOf(t, "dapper-5", 100)
	last := math.Inf(1)
	for _, id := range []string{"eta-0", "eta-0.25", "eta-0.5", "eta-0.75", "eta-0.95"} {
		turning := tracks[id].Turning(tenth)
		t.Logf("%s turns by %.0f degrees, by up to %.0f in a step", id, turning, sharpest(tracks[id]))
		if !arrived[id] || turning >= last {
			t.Errorf("%s: arrived %v, turns by %.0f degrees, before %.0f", id, arrived[id], turning, last)
		}
		last = turning
	}
	end := tracks["eta-0.99"][len(tracks["eta-0.99"])-1]
	if arrived["eta-0.99"] || end[0] < 263 || tracks["eta-0.99"].Turning(tenth) > last {
		t.Errorf("with an inertia of 0.99 it arrives %v, and ends at %v", arrived["eta-0.99"], end)
	}
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
		y := passes(tracks[id], 0, g.Spawn.Points[4][0])
		if !arrived[id] || (y < low || y > high) != round {
			t.Errorf("%s: arrived %v, passes the group from %.2f to %.2f at %.2f", id, arrived[id], low, high, y)
		}
		// Agents that stand still are no reason to wait: it takes a second at most to make up its
		// mind.
		if stood := tracks[id].Stood(tenth); stood > 10 {
			t.Errorf("%s stands for %d steps", id, stood)
		}
		t.Logf("%s: %d steps, %.1f m", id, len(tracks[id]), tracks[id].Length())
	}
	// The large map's way round the group is without kinks.
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

// TestSpeedControlWaits is Dapper's figure 7, of two agents of one profile that meet at a door. At
// constant speed neither stands, and the later one circles until its way is free. With speed control
// it waits, and turns by a full circle less and back less often; the first one never stands, and
// they do not touch. That does not depend on where and when they set out.
func TestSpeedControlWaits(t *testing.T) {
	// Of red's start. The steps that they meet at are others, and so are the cells that they find
	// each other in.
	for _, shift := range []mgl64.Vec2{{0, 0}, {-0.3, -0.15}, {-0.2, 0.2}, {-0.1, 0}, {0.1, 0.2}, {0.2, -0.15}} {
		s, err := builtin.Load("dapper-7")
		if err != nil {
			t.Fatal(err)
		}
		constant, controlled := s.Profiles[0], s.Profiles[1]
		if constant.ID, constant.BVP.SpeedControl = controlled.ID, true; len(s.Profiles) != 2 || !reflect.DeepEqual(constant, controlled) {
			t.Fatalf("the profiles differ by more than speed control: %+v and %+v", constant, controlled)
		}
		for i := range s.Groups {
			if at := s.Groups[i].Spawn.Points; at[0][0] < 8 { // red
				at[0] = at[0].Add(shift)
			}
		}
		tracks, arrived := tracksIn(t, s, 20)
		for _, id := range []string{"constant-red", "constant-blue", "controlled-red", "controlled-blue"} {
			k := tracks[id]
			t.Logf("%v: %s stands for %d steps, walks %.2f m, turns by %.0f degrees, back %d times", shift, id, k.Stood(tenth), k.Length(), k.Turning(tenth), k.Reversals(tenth))
			if stood := k.Stood(tenth); !arrived[id] || id == "controlled-blue" && stood < 5 || id != "controlled-blue" && stood > 0 {
				t.Errorf("%v: %s: arrived %v, stands for %d steps", shift, id, arrived[id], stood)
			}
		}
		circling, waiting := tracks["constant-blue"], tracks["controlled-blue"]
		if waiting.Turning(tenth) > circling.Turning(tenth)-360 || waiting.Length() > circling.Length()-0.5 || waiting.Reversals(tenth) >= circling.Reversals(tenth) {
			t.Errorf("%v: blue does not wait in the place of circling", shift)
		}
		// Both have a radius of 0.25 m.
		if d := least(tracks["controlled-red"], waiting); d < 0.5 {
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
