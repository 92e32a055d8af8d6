package agents

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/agentstest"
	"github.com/wayfront/wayfront/agents/reference"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

func wide2(v [2]float32) mgl64.Vec2 { return mgl64.Vec2{float64(v[0]), float64(v[1])} }

// watchedSituations decides situations by a method, watched and not, which chooses the same to the
// bit, and gives test each situation with its reasons. Lists hold room neighbors.
func watchedSituations(t *testing.T, name scenes.Avoidance, nested bool, room int, situations []reference.Situation, test func(s reference.Situation, r Reasons)) {
	gputest.Run(t, func(d *gpu.Device) {
		v := kernelVariant{method: methodOf(t, name), nested: nested}
		h := &gpu.ResourceSet{Device: d}
		defer h.Delete()
		plain := &stage{device: d, variant: v, kernel: newKernel(h, v, room)}
		v.watched = true
		watched := &stage{device: d, variant: v, kernel: newKernel(h, v, room), lists: gpu.Compile(h, watchListsPass())}
		if h.Err != nil {
			t.Fatal(h.Err)
		}
		want, got := plain.decide(t)(situations), watched.decide(t)(situations)
		if !slices.Equal(got, want) {
			t.Fatal("watched agents choose other velocities")
		}
		for i, s := range situations {
			r := watched.reasons[i]
			if wide2(r.Chosen) != got[i] || r.Slot != int(s.ID) || len(r.Neighbors) != len(s.Neighbors) || len(r.Walls) != len(s.Walls) {
				t.Fatalf("situation %d, %+v:\nreasons %+v, chosen %v", i, s, r, got[i])
			}
			for k, n := range r.Neighbors {
				if want := s.Neighbors[k]; n.Slot != int(want.ID) || wide2(n.Offset) != want.Position || wide2(n.Velocity) != want.Velocity || n.Shares != want.Shares {
					t.Fatalf("situation %d: neighbor %d is %+v, want %+v", i, k, n, want)
				}
			}
			for k, w := range r.Walls {
				if want := s.Walls[k]; wide2(w.A) != want.A || wide2(w.B) != want.B || wide2(w.Velocity) != want.Velocity {
					t.Fatalf("situation %d: wall %d is %+v, want %+v", i, k, w, want)
				}
			}
			test(s, r)
		}
	})
}

// forbidder is a half plane or cone of the reference.
type forbidder interface{ Wrong(v mgl64.Vec2) float64 }

// sameBorder says whether velocities are as wrong by a constraint as by the reference's, but for
// rounding.
func sameBorder(c Constraint, want forbidder) bool {
	for x := -2.0; x <= 2; x++ {
		for y := -2.0; y <= 2; y++ {
			got, want := c.Wrong([2]float32{float32(x), float32(y)}), want.Wrong(mgl64.Vec2{x, y})
			if !(math.Abs(got-want) <= velocityRounding) && !(got < -1e5 && want < -1e5) {
				return false
			}
		}
	}
	return true
}

// Constraints of ORCA are the reference's half planes, each of its neighbor or wall, and no
// velocity that keeps to all is cut.
func TestReasonsOfORCA(t *testing.T) {
	for _, room := range []int{10, 100} {
		all, off, jammed, free := 0, 0, 0, 0
		watchedSituations(t, scenes.AvoidanceORCA, false, room, agentstest.Situations(6, 1000), func(s reference.Situation, r Reasons) {
			walls, step, neighbors := s.HalfPlanes()
			kinds := map[ConstraintKind]map[int]forbidder{LineOfWall: {}, LineOfStep: {}, LineOfNeighbor: {}}
			for kind, planes := range map[ConstraintKind][]reference.HalfPlane{LineOfWall: walls, LineOfStep: step, LineOfNeighbor: neighbors} {
				for _, p := range planes {
					kinds[kind][p.Index] = p
				}
			}
			if r.Outcome == KeepsStep {
				jammed++
			} else {
				kinds[LineOfStep] = nil
			}
			wrong := 0
			for _, c := range r.Constraints {
				all++
				want := kinds[c.Kind][c.Index]
				if want == nil {
					t.Fatalf("%+v: a constraint %+v, outcome %d", s, c, r.Outcome)
				}
				if !sameBorder(c, want) {
					off++
				}
				if c.Cuts(r.Chosen) {
					wrong++
				}
			}
			if n := len(walls) + len(kinds[LineOfStep]) + len(neighbors); len(r.Constraints) != n {
				t.Errorf("%+v: %d constraints, want %d", s, len(r.Constraints), n)
			}
			if r.Outcome == KeepsAll {
				if free++; wrong > 0 {
					t.Errorf("%+v: keeps to all, but %d of %+v cut %v", s, wrong, r.Constraints, r.Chosen)
				}
			}
		})
		t.Logf("lists of %d: %d constraints, %d off, %d jammed, %d free", room, all, off, jammed, free)
		if off > 0 || jammed < 20 || free < 300 {
			t.Errorf("lists of %d: %d of %d constraints are not the reference's; %d situations are jammed, %d free", room, off, all, jammed, free)
		}
	}
}

// Constraints of ClearPath are the reference's cones for the same demand; the candidate chosen
// lies in none, and is the nearest to the desired velocity of those that are open.
func TestReasonsOfClearPath(t *testing.T) {
	for _, room := range []int{10, 100} {
		all, off, less, hidden := 0, 0, 0, 0
		watchedSituations(t, scenes.AvoidanceClearPath, false, room, agentstest.Situations(6, 600), func(s reference.Situation, r Reasons) {
			if r.Outcome != KeepsAll && r.Outcome != KeepsLess || len(r.Constraints) > 0 && !r.Constraints[0].IsCone() {
				return // ORCA's
			}
			if r.Outcome == KeepsLess {
				less++
			}
			neighbors, walls := s.Cones(r.Demand.Index, float64(r.Demand.Near), float64(r.Demand.Far), r.Demand.KeepsSides && s.Params.Variant == 1)
			if len(r.Constraints) != len(neighbors)+len(walls) {
				t.Fatalf("%+v: %d constraints, want %d and %d", s, len(r.Constraints), len(neighbors), len(walls))
			}
			wanted := walls
			for _, c := range r.Constraints {
				all++
				var want forbidder
				if c.OfWall() {
					if want, wanted = wanted[0], wanted[1:]; want.(reference.Cone).Index != c.Index {
						t.Fatalf("%+v: %+v is of wall %d", s, c, want.(reference.Cone).Index)
					}
				} else {
					want = neighbors[c.Index]
				}
				if !sameBorder(c, want) {
					off++
				}
				if c.Cuts(r.Chosen) {
					t.Errorf("%+v: %v is in %+v", s, r.Chosen, c)
				}
			}
			best := r.Candidates[r.Best]
			if best.Velocity != r.Chosen || best.State != Open {
				t.Fatalf("%+v: chose %v, the best is %+v", s, r.Chosen, best)
			}
			for _, c := range r.Candidates {
				if c.State == Hidden {
					hidden++
				} else if c.Cost < best.Cost {
					t.Errorf("%+v: chose %+v, but %+v is open", s, best, c)
				}
				// A root of a sum of a few roundings of squares up to 16^2 m2/s2.
				if want := wide2(c.Velocity).Sub(wide2(r.Desired)).Len(); math.Abs(float64(c.Cost)-want) > 1e-3 {
					t.Errorf("%+v: %+v costs %v", s, c, want)
				}
			}
		})
		t.Logf("lists of %d: %d constraints, %d off, %d less, %d hidden", room, all, off, less, hidden)
		if off > 0 || less < 5 || hidden < 300 {
			t.Errorf("lists of %d: %d of %d constraints are not the reference's; %d demand less; %d candidates are hidden", room, off, all, less, hidden)
		}
	}
}

// Candidates of RVO cost what the reference says, and the one of least cost is chosen.
func TestReasonsOfRVO(t *testing.T) {
	const turning = 8 * 4.0 / (1 << 24) // of the preferred velocity, below 4 m/s: 8 roundings
	for _, nested := range []bool{false, true} {
		examined, out, wrong, states := 0, 0, 0, map[CandidateState]int{}
		watchedSituations(t, scenes.AvoidanceRVO, nested, 10, agentstest.Situations(4, 300), func(s reference.Situation, r Reasons) {
			if len(r.Candidates) != s.Params.Samples+1 || r.Best < 0 || r.Candidates[r.Best].Velocity != r.Chosen {
				t.Fatalf("%+v: %d candidates, chose %v, best %d", s, len(r.Candidates), r.Chosen, r.Best)
			}
			for i, c := range r.Candidates {
				if c.State == OutOfReach {
					out++
					continue
				}
				examined++
				if met := meets(s, wide2(c.Velocity)); c.State != met {
					wrong++
				}
				states[c.State]++
				if c.Cost < r.Candidates[r.Best].Cost {
					t.Errorf("%+v: chose %+v, and %+v is cheaper", s, r.Candidates[r.Best], c)
				}
				v := wide2(c.Velocity)
				least, most := cost(s, v, 1-rvoRadii)*(1-rvoShare)-turning, cost(s, v, 1+rvoRadii)*(1+rvoShare)+turning
				if got := float64(c.Cost); !(least <= got && got <= most) {
					t.Errorf("candidate %d, %v, costs %v to %v: %v\n%+v", i, c, least, most, cost(s, v, 1), s)
				}
			}
		})
		if examined < 5000 || out < 100 {
			t.Errorf("%d candidates were examined, %d out of reach", examined, out)
		}
		// Where a neighbor weighs as much as a wall but for rounding, either may be named.
		if wrong > examined/1000 || states[Open] < 100 || states[MeetsAgent] < 100 || states[MeetsWall] < 100 {
			t.Errorf("of %d candidates %d meet other things than the reference says; states: %v", examined, wrong, states)
		}
	}
}

// meets is what a velocity meets that weighs the most.
func meets(s reference.Situation, v mgl64.Vec2) CandidateState {
	neighbors, walls := s, s
	neighbors.Walls, walls.Neighbors = nil, nil
	weight := func(s reference.Situation) float64 { return reference.Cost(s, v) - s.Desired().Sub(v).Len() }
	switch n, w := weight(neighbors), weight(walls); {
	case n == 0 && w == 0:
		return Open
	case n >= w:
		return MeetsAgent
	}
	return MeetsWall
}

// mixedCrowd has agents of all methods, some of which wait, in two rooms with a door.
const mixedCrowd = `{"version": 1, "domain": [0, 0, 16, 12], "obstacles": [{"rect": [7, 0, 8, 5]}, {"rect": [7, 7, 8, 12]}],
	"goals": [{"id": "west", "points": [[1, 6]]}, {"id": "east", "points": [[15, 6]], "clearance": 0.25}],
	"profiles": [{"id": "a", "avoidance": "rvo"}, {"id": "b", "avoidance": "clearpath", "clearpath": {"variant": 1}}, {"id": "c", "avoidance": "clearpath"}, {"id": "d", "avoidance": "orca"},
		{"id": "e", "avoidance": "none"}],
	"groups": [{"count": 20, "profile": "a", "spawn": {"rect": [0.5, 0.5, 6.5, 11.5]}, "itinerary": ["east"]}, {"count": 20, "profile": "b", "spawn": {"rect": [8.5, 0.5, 15.5, 11.5]}, "itinerary": ["west"]},
		{"count": 20, "profile": "c", "spawn": {"rect": [0.5, 0.5, 6.5, 11.5]}, "itinerary": ["east"]}, {"count": 20, "profile": "d", "spawn": {"rect": [8.5, 0.5, 15.5, 11.5]}, "itinerary": ["west"]},
		{"count": 5, "profile": "e", "spawn": {"rect": [0.5, 0.5, 6.5, 11.5]}, "itinerary": ["east"]},
		{"count": 5, "profile": "d", "spawn": {"rect": [0.5, 0.5, 6.5, 11.5]}, "itinerary": ["east"], "start": {"at": 3, "rate": 1}}]}`

// Watching changes no agent in any step, and its reasons come exactly three steps late, with
// what the agents did in that step.
func TestWatching(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		plain, watched := try(t, d, mixedCrowd, 40), try(t, d, mixedCrowd, 40)
		slots := []int{0, 5, 5, 25, 30, 45, 65, 70, 81, 89, 88}
		if err := watched.crowd.Watch(slots); err != nil {
			t.Fatal(err)
		}
		var before, after [][]Agent // by step
		met := map[Method]int{}
		cut := 0
		for step := range 60 {
			plain.step()
			watched.step()
			if !slices.Equal(watched.after, plain.after) {
				t.Fatalf("step %d: watching changes agents", step)
			}
			before, after = append(before, slices.Clone(watched.before)), append(after, slices.Clone(watched.after))
			for _, slot := range slots {
				r, ok := watched.crowd.Reasons(slot)
				if ok != (step >= reasonLatency) {
					t.Fatalf("step %d: reasons of slot %d are there: %v", step, slot, ok)
				}
				if !ok {
					continue
				}
				was, is := before[r.Step-1][slot], after[r.Step-1][slot]
				if r.Slot != slot || r.Step != step+1-reasonLatency || r.Place != was.Position || r.PlaceAfter != is.Position || r.Velocity != is.Velocity || r.Status != is.Status {
					t.Fatalf("step %d: slot %d: %+v\nwas %+v\nis %+v", step, slot, r, was, is)
				}
				met[r.Method]++
				if r.Routed && length(minus(r.Corner, r.Place)) > r.Distance+1e-3 {
					t.Errorf("step %d: slot %d walks by %v, which is farther than its goal, %v m", step, slot, r.Corner, r.Distance)
				}
				if r.Method == NoMethod && r.Chosen != r.Preferred {
					t.Errorf("step %d: slot %d chose %v alone, not %v", step, slot, r.Chosen, r.Preferred)
				}
				for i := range r.Constraints {
					if c := &r.Constraints[i]; c.Cuts(r.Preferred) {
						cut++
					}
				}
			}
		}
		for m := range methods {
			if met[Method(m)] == 0 {
				t.Errorf("no reasons of method %s", methods[m].name)
			}
		}
		if _, ok := watched.crowd.Reasons(1); ok || cut == 0 {
			t.Errorf("reasons of an agent that is not watched: %v; constraints that cut: %d", ok, cut)
		}
		if err := watched.crowd.Watch(nil); err != nil {
			t.Fatal(err)
		}
		if _, ok := watched.crowd.Reasons(0); ok {
			t.Error("reasons of an agent that is not watched any more")
		}
		plain.step()
		if watched.step(); !slices.Equal(watched.after, plain.after) {
			t.Error("agents that were watched move otherwise")
		}
	})
}

// What no crowd can watch panics.
func TestWatchRefuses(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		c := try(t, d, mixedCrowd, 40).crowd
		for _, slots := range [][]int{{-1}, {90}, make([]int, 0, 65)} {
			for len(slots) < 65 && cap(slots) > 64 {
				slots = append(slots, len(slots))
			}
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("Watch of %v does not panic", slots)
					}
				}()
				_ = c.Watch(slots)
			}()
		}
	})
}
