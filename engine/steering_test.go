package engine_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

func TestProgramsCompile(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) { gputest.Programs(t, d, engine.Passes()) })
}

// walkers is a scene of agents with local maps, of obstacles, a goal, a profile and places.
func walkers(obstacles, goal, bvp, spawn string) string {
	return fmt.Sprintf(`{"version": 1, "domain": [-5, 3, 15, 23], "obstacles": [%s], "goals": [{"id": "goal", %s}],
		"profiles": [{"id": "p", "radius": 0.05, "steering": "bvp", "avoidance": "none", "preferredSpeed": {"mean": 1.3, "std": 0}, "bvp": {%s}}],
		"groups": [{"spawn": {"points": [%s]}, "onArrival": "stay"}], "map": {"size": 200}}`, obstacles, goal, bvp, spawn)
}

// arrive steps until all have arrived, or so many seconds have passed. None may ever be
// inside of an obstacle.
func arrive(t *testing.T, w *engine.World, seconds float64) bool {
	t.Helper()
	for w.Time() < seconds {
		steps(t, w, 1)
		all := true
		for i, a := range crowd(w) {
			if math.IsNaN(float64(a.Position[0]+a.Position[1]+a.Velocity[0]+a.Velocity[1])) || !w.Ground().Free(w.Ground().Lattice.Snap(world2(w, a))) {
				t.Fatalf("at %.1f s agent %d is at %v with %v", w.Time(), i, a.Position, a.Velocity)
			}
			all = all && a.Arrivals > 0
		}
		if all {
			return true
		}
	}
	return false
}

// world2 is where an agent is in the world.
func world2(w *engine.World, a agents.Agent) mgl64.Vec2 {
	return w.Ground().Lattice.Origin.Add(mgl64.Vec2{float64(a.Position[0]), float64(a.Position[1])})
}

// TestNoLocalMinima: out of a trap that opens away from the goal, rooms that are smaller than the
// largest map, a dead end, and a spiral, guided by parent points and by harmonic maps, with local
// maps of every size.
func TestNoLocalMinima(t *testing.T) {
	for _, test := range []struct{ name, obstacles, goal, at string }{
		{"trap", `{"polygon": [[1, 7], [9, 7], [9, 19], [1, 19], [1, 18.6], [8.6, 18.6], [8.6, 7.4], [1, 7.4]]}`, "[13, 13]", "[7, 13]"},
		{"room of 4 m", `{"polygon": [[2, 10], [6, 10], [6, 14], [4.6, 14], [4.6, 13.7], [5.7, 13.7], [5.7, 10.3], [2.3, 10.3], [2.3, 13.7], [3.4, 13.7], [3.4, 14], [2, 14]]}`, "[4, 6]", "[2.5, 10.5]"},
		{
			"rooms of 4 m", `{"rect": [-5, 7, 15, 7.3]}, {"rect": [-1, 4.2, -0.7, 7]}, {"rect": [3, 3, 3.3, 5.8]}, {"rect": [7, 4.2, 7.3, 7]}, {"rect": [11, 3, 11.3, 5.8]}`,
			"[14, 4]", "[-4, 6]",
		},
		{"dead end", `{"rect": [-5, 12, 7, 12.3]}, {"rect": [-5, 13.9, 7, 14.2]}`, "[-4, 6]", "[-4, 13]"},
		{
			"spiral",
			`{"polygon": [[7, 12], [7, 15], [3, 15], [3, 9], [10, 9], [10, 18], [-1, 18], [-1, 6], [12, 6], [12, 5.7], [-1.3, 5.7], [-1.3, 18.3], [10.3, 18.3], [10.3, 8.7], [2.7, 8.7], [2.7, 15.3], [7.3, 15.3], [7.3, 12]]}`,
			"[13, 21]", "[5, 13]",
		},
	} {
		for _, guide := range []string{"spm", "harmonic"} {
			for _, cells := range []int{5, 12, 21, 63} {
				settings := fmt.Sprintf(`"guide": %q, "cells": %d`, guide, cells)
				run(t, open(t, walkers(test.obstacles, `"points": [`+test.goal+`]`, settings, test.at)), func(_ *gpu.Device, w *engine.World) {
					if !arrive(t, w, 90) {
						t.Errorf("%s, guide %s, %d cells: after 90 s the agent is at %v", test.name, guide, cells, world2(w, crowd(w)[0]))
					}
				})
			}
		}
	}
}

// TestBorders: on the domain's border and in its corners, on a wall, beside the goal and on it,
// all agents get there; also by maps larger than the domain.
func TestBorders(t *testing.T) {
	for _, settings := range []string{`"cells": 21`, `"cells": 62, "cellSize": 0.5`, `"cells": 6, "cellSize": 0.1`} {
		s := open(t, walkers(`{"rect": [2, 3, 4, 16]}`, `"points": [[10, 10]], "arrivalRadius": 0.05`, settings,
			"[-5, 3], [-5, 23], [15, 3], [15, 13], [4, 10], [2, 3], [3, 16], [10.6, 10.3], [9.95, 10.2], [10, 10]"))
		run(t, s, func(_ *gpu.Device, w *engine.World) {
			if !arrive(t, w, 60) {
				for i, a := range crowd(w) {
					if a.Arrivals == 0 {
						t.Errorf("%s: agent %d is at %v", settings, i, world2(w, a))
					}
				}
			}
		})
	}
}

// TestWalledInWalker: an agent that no way leads from, or that has walls all about it, stands, and
// is counted; others go on.
func TestWalledInWalker(t *testing.T) {
	// A box of 6 m, and one whose walls touch all cells about the agent.
	walls := `{"polygon": [[-4, 4], [2, 4], [2, 10], [-4, 10]], "holes": [[[-3.7, 4.3], [1.7, 4.3], [1.7, 9.7], [-3.7, 9.7]]]},
		{"polygon": [[5, 5], [7, 5], [7, 7], [5, 7]], "holes": [[[5.8, 5.8], [6.2, 5.8], [6.2, 6.2], [5.8, 6.2]]]}`
	s := open(t, walkers(walls, `"points": [[12, 20]]`, `"cells": 21, "viewAngle": 360`, "[-1, 7], [6, 6], [-4, 20]"))
	run(t, s, func(_ *gpu.Device, w *engine.World) {
		before := crowd(w)
		steps(t, w, 200)
		after := crowd(w)
		for i := range 2 {
			if after[i].Position != before[i].Position || after[i].Velocity != [2]float32{} || after[i].Status != agents.Walking {
				t.Errorf("agent %d has gone from %v to %v", i, before[i].Position, after[i].Position)
			}
		}
		if after[2].Arrivals != 1 {
			t.Errorf("the agent that is free has not arrived, but is at %v", world2(w, after[2]))
		}
		c := w.Crowd().CountersNow()
		if c.Lost != 2 || c.ZeroGradient < 1 || c.Tally.ZeroGradient < 200 {
			t.Errorf("%d are lost, %d flat, in all steps %d", c.Lost, c.ZeroGradient, c.Tally.ZeroGradient)
		}
	})
}

// TestHarmonicMapsFollowEdits: an agent guided by a global map turns to the other door when the one
// ahead is shut, and to a goal that moves.
func TestHarmonicMapsFollowEdits(t *testing.T) {
	doors := `{"rect": [5, 3, 5.4, 7]}, {"rect": [5, 9, 5.4, 17]}, {"rect": [5, 19, 5.4, 23]}`
	run(t, open(t, walkers(doors, `"points": [[13, 8]]`, `"guide": "harmonic"`, "[-3, 8]")), func(_ *gpu.Device, w *engine.World) {
		goal := w.Goals()[0]
		before, err := w.HarmonicMap(goal)
		if err != nil || before == nil {
			t.Fatal(before, err)
		}
		steps(t, w, 40)
		if at := world2(w, crowd(w)[0]); at[0] < 1 || math.Abs(at[1]-8) > 1 {
			t.Errorf("after 4 s the agent is at %v, not on the way to the nearer door", at)
		}
		edit(t, w, func(e *engine.Edit) { e.AddObstacle(scenes.Obstacle{}.Shaped(box(4.9, 6.5, 5.5, 9.5))) })
		for w.Time() < 30 && world2(w, crowd(w)[0])[0] < 6 {
			steps(t, w, 1)
			if at := world2(w, crowd(w)[0]); at[0] > 5 && at[0] < 5.4 && (at[1] < 17 || at[1] > 19) {
				t.Fatalf("the agent is in a wall, at %v", at)
			}
		}
		if after, _ := w.HarmonicMap(goal); after == before {
			t.Error("the global map is still that of before the edit")
		}
		edit(t, w, func(e *engine.Edit) { e.SetSources(goal, at(mgl64.Vec2{13, 21})) })
		if !arrive(t, w, 60) || world2(w, crowd(w)[0]).Sub(mgl64.Vec2{13, 21}).Len() > 0.5 {
			t.Errorf("at %g s the agent is at %v, has not come to where the goal is now", w.Time(), world2(w, crowd(w)[0]))
		}
	})
}

// TestLocalMapsWithoutAgents: a world without agents has local maps like any, also those that come
// later.
func TestLocalMapsWithoutAgents(t *testing.T) {
	s := open(t, `{"version": 1, "domain": [0, 0, 10, 10], "goals": [{"points": [[5, 5]]}],
		"profiles": [{"id": "p", "steering": "bvp"}, {"id": "q"}], "groups": [{"profile": "p", "count": 0, "spawn": {"rect": [1, 1, 9, 9]}, "explores": {}}]}`)
	run(t, s, func(_ *gpu.Device, w *engine.World) {
		steps(t, w, 2)
		m, _ := engine.LocalMap(w, 0)
		m.Guide = scenes.GuideHarmonic
		if err := engine.SetLocalMap(w, 1, &m); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 2)
		if n := w.LocalMaps().Walkers().Len(); n != 0 || w.Teams() != nil {
			t.Errorf("%d walkers, teams %v", n, w.Teams())
		}
		if m, err := w.HarmonicMap(w.Goals()[0]); m != nil || err != nil {
			t.Errorf("no agent walks by the harmonic map %v, %v", m, err)
		}
	})
}

// mixed is people with maps of many sizes, guides, methods and ways of avoiding each other, and
// some without maps.
const mixed = `{"version": 1, "domain": [0, 0, 24, 16], "obstacles": [{"rect": [10, 4, 12, 16]}, {"circle": {"center": [17, 6], "radius": 1.5}}],
	"goals": [{"id": "east", "segments": [[[23, 2], [23, 14]]]}, {"id": "west", "points": [[1, 8]]}],
	"profiles": [
		{"id": "a", "steering": "bvp", "bvp": {"cells": 11, "bias": {"direction": [0, 1], "strength": 0.5}}},
		{"id": "b", "steering": "bvp", "avoidance": "none", "bvp": {"cells": 22, "guide": "harmonic", "bias": {"strength": 0.4, "wave": {"amplitude": 1, "frequency": 0.2}}}},
		{"id": "c", "steering": "bvp", "avoidance": "orca", "bvp": {"cells": 33, "method": "adi", "viewAngle": 100, "inertia": 0.8}},
		{"id": "d", "steering": "bvp", "avoidance": "rvo", "bvp": {"cells": 5, "cellSize": 0.5, "table": [[0, 1, 0, 0.5], [3, 0, 1, 0.1]]}},
		{"id": "e"}, {"id": "f", "steering": "direct"}],
	"groups": [
		{"profile": "a", "count": 6, "spawn": {"rect": [1, 1, 8, 15]}, "itinerary": ["east", "west"], "onArrival": "loop"},
		{"profile": "b", "count": 6, "spawn": {"rect": [13, 9, 23, 15]}, "itinerary": ["west"], "start": {"at": 0.5, "rate": 2}},
		{"profile": "c", "count": 6, "spawn": {"rect": [1, 1, 8, 15]}, "itinerary": ["east"], "onArrival": "stay"},
		{"profile": "d", "count": 6, "spawn": {"ring": {"center": [5, 6], "radius": 3}}, "goal": "antipode"},
		{"profile": "e", "count": 6, "spawn": {"rect": [13, 9, 23, 15]}, "itinerary": ["west"]},
		{"profile": "f", "count": 6, "spawn": {"rect": [1, 1, 8, 15]}, "itinerary": ["west"]}],
	"map": {"size": 150}}`

// TestWalkersHaveInputs: what their agents know: where they are, the parent point of the shortest
// path map, which is in sight and on the way that the map tells, or the direction of the global
// map, and the goal once it is the next point.
func TestWalkersHaveInputs(t *testing.T) {
	run(t, open(t, mixed), func(_ *gpu.Device, w *engine.World) {
		traits := make([]agents.Traits, w.Crowd().Count())
		w.Buffers().Agents.Traits.Read(0, traits)
		guided := 0
		for step := range 60 {
			before := crowd(w)
			steps(t, w, 1)
			after := crowd(w)
			for i, a := range after {
				k, ok := w.LocalMaps().Walker(i)
				if want := traits[i].Profile < 4; ok != want {
					t.Fatalf("agent %d has a walker: %v", i, ok)
				}
				if !ok {
					continue
				}
				x, _ := w.LocalMaps().Read(k)
				if a.Status != agents.Walking {
					if x.Body != local.NotThere {
						t.Fatalf("step %d: agent %d does not walk, its walker does", step, i)
					}
					continue
				}
				if x.Position != before[i].Position || x.Speed != min(traits[i].PreferredSpeed, traits[i].MaxSpeed) {
					t.Fatalf("step %d, agent %d: the walker is at %v with %v m/s", step, i, x.Position, x.Speed)
				}
				if a.Layer == agents.OwnPoint {
					if x.Guide != traits[i].Own || x.Goal != traits[i].Own {
						t.Fatalf("step %d, agent %d: guide %v, goal %v, want its own point %v", step, i, x.Guide, x.Goal, traits[i].Own)
					}
					continue
				}
				view, err := w.View(w.Goals()[a.Layer])
				if err != nil {
					t.Fatal(err)
				}
				at := world2(w, before[i])
				path := view.Path(at)
				guide := world2(w, agents.Agent{Position: x.Guide})
				if traits[i].Profile == 1 {
					// Somewhat the way of the shortest path, and farther than any map.
					if d := guide.Sub(at); d.Len() < 1000 || d.Dot(path[1].Sub(at)) <= 0 {
						t.Fatalf("step %d, agent %d at %v: the global map leads to %v, the path to %v", step, i, at, guide, path[1])
					}
					continue
				}
				// Over the guide's point the way is as long as the path.
				length := 0.0
				for j := range len(path) - 1 {
					length += path[j+1].Sub(path[j]).Len()
				}
				if over := guide.Sub(at).Len() + view.Query(guide).Distance; math.Abs(over-length) > tolerance(24, length)+1e-3 {
					t.Fatalf("step %d, agent %d at %v: %.4f m over the guide's point %v, the path is of %.4f m", step, i, at, over, guide, length)
				}
				if last := view.Query(guide).Distance < 1e-3; last != (x.Goal != local.NoGoal) || last && x.Goal != x.Guide {
					t.Fatalf("step %d, agent %d: the goal is %v, the guide's point %v", step, i, x.Goal, x.Guide)
				}
				guided++
			}
		}
		if guided < 500 {
			t.Errorf("%d were guided by a parent point", guided)
		}
	})
}

// TestPathInPlaceOfGradient: in the goal's own cell the global map does not rise. The shortest path
// map leads robust agents on; others have their heading alone, by a guide's point where they stand.
func TestPathInPlaceOfGradient(t *testing.T) {
	for _, rules := range []string{"robust", "paper"} {
		scene := fmt.Sprintf(`{"version": 1, "domain": [0, 0, 20, 20], "goals": [{"id": "g", "points": [[12, 11]], "arrivalRadius": 0.01}],
			"profiles": [{"id": "p", "steering": "bvp", "avoidance": "none", "bvp": {"guide": "harmonic", "rules": %q}}],
			"groups": [{"spawn": {"points": [[12.05, 11]]}}], "map": {"size": 200}}`, rules)
		run(t, open(t, scene), func(_ *gpu.Device, w *engine.World) {
			steps(t, w, 1)
			x, _ := w.LocalMaps().Read(0)
			want := x.Position
			if rules == "robust" {
				want = x.Goal
			}
			if x.Guide != want || x.Goal == x.Position {
				t.Errorf("by rules %q the walker at %v is led to %v, its goal is at %v", rules, x.Position, x.Guide, x.Goal)
			}
		})
	}
}

// TestWalkersRunAgain: the same run, settings changed on the way, has the same hash; without the
// changes another.
func TestWalkersRunAgain(t *testing.T) {
	var hashes []uint64
	for _, change := range []bool{true, true, false} {
		run(t, open(t, mixed), func(d *gpu.Device, w *engine.World) {
			steps(t, w, 1) // the first one reads places, where agents wait to enter: see agents.Crowd.Enter
			reads := d.Readbacks()
			for step := 1; step < 60; step++ {
				if change && step == 20 {
					// A larger map, another method, no map any more, and one for agents that had none.
					a, _ := engine.LocalMap(w, 0)
					a.Cells, a.Bias.Strength = 30, -0.5
					c, _ := engine.LocalMap(w, 2)
					c.Method, c.Inertia, c.Guide = scenes.MethodRedBlack, 0, scenes.GuideHarmonic
					for profile, m := range map[int]*scenes.BVP{0: &a, 2: &c, 3: nil, 4: &a} {
						if err := engine.SetLocalMap(w, profile, m); err != nil {
							t.Fatal(err)
						}
					}
					a.Cells = 7 // is the caller's
					if m, ok := engine.LocalMap(w, 0); !ok || m.Cells != 30 {
						t.Errorf("the map is %+v", m)
					}
					if _, ok := engine.LocalMap(w, 3); ok {
						t.Error("the map that was taken is still there")
					}
					// An edit, so that the global maps are made anew.
					edit(t, w, func(e *engine.Edit) { e.AddObstacle(scenes.Obstacle{}.Shaped(box(5, 6, 6, 7))) })
				}
				steps(t, w, 1)
			}
			if d.Readbacks() != reads {
				t.Error("steps read back")
			}
			hashes = append(hashes, hashOf(t, w))
		})
	}
	if hashes[0] != hashes[1] || hashes[0] == hashes[2] {
		t.Errorf("the runs end in %x, the one without changes included", hashes)
	}
}

// said is what a function panics with; "" if it does not.
// TestUnsoundLocalMaps: values out of their limits are refused with a message that says what they
// are, and the world stays as it was.
func TestUnsoundLocalMaps(t *testing.T) {
	run(t, open(t, mixed), func(_ *gpu.Device, w *engine.World) {
		before, _ := engine.LocalMap(w, 0)
		for want, change := range map[string]func(m *scenes.BVP){
			"cells has to be at most 63, got 64":                    func(m *scenes.BVP) { m.Cells = 64 },
			"cellSize has to be at least 0.001 m":                   func(m *scenes.BVP) { m.CellSize = 1e-20 },
			"relaxations has to be at least 1, got 0":               func(m *scenes.BVP) { m.Relaxations = 0 },
			"relaxations has to be at most 10000, got 10001":        func(m *scenes.BVP) { m.Relaxations = 10001 },
			"relaxations has to be at most 10000, got 8589934592":   func(m *scenes.BVP) { m.Relaxations = 1 << 33 },
			"viewAngle has to be above 0 degrees, got 0":            func(m *scenes.BVP) { m.ViewAngle = 0 },
			"viewAngle has to be above 0 degrees, got -90":          func(m *scenes.BVP) { m.ViewAngle = -90 },
			"viewAngle has to be at most 360 degrees, got 361":      func(m *scenes.BVP) { m.ViewAngle = 361 },
			"viewAngle has to be at most 360 degrees, got 720":      func(m *scenes.BVP) { m.ViewAngle = 720 },
			"inertia has to be below 1, got 1":                      func(m *scenes.BVP) { m.Inertia = 1 },
			`$.method: unknown word "nonsense"`:                     func(m *scenes.BVP) { m.Method = "nonsense" },
			`$.guide: unknown word ""`:                              func(m *scenes.BVP) { m.Guide = "" },
			"$.bias.strength: NaN":                                  func(m *scenes.BVP) { m.Bias.Strength = math.NaN() },
			"$.bias.wave.amplitude: +Inf":                           func(m *scenes.BVP) { m.Bias.Wave.Amplitude = math.Inf(1) },
			"$.bias.direction[1]: 10000000000000 is too large":      func(m *scenes.BVP) { m.Bias.Direction[1] = 1e13 },
			"$.bias.wave.frequency: frequency has to be at least 0": func(m *scenes.BVP) { m.Bias.Wave.Frequency = -1 },
			"$.table[1]: the sample's time 1 s is not after":        func(m *scenes.BVP) { m.Table = []scenes.Sample{{1, 1, 0, 1}, {1, 0, 1, 1}} },
			"$.table[0][3]: -Inf":                                   func(m *scenes.BVP) { m.Table = []scenes.Sample{{1, 1, 0, math.Inf(-1)}} },
		} {
			m := before
			change(&m)
			var faults engine.EditErrors
			if err := engine.SetLocalMap(w, 0, &m); !errors.As(err, &faults) || !strings.Contains(err.Error(), strings.TrimPrefix(want, "$")) {
				t.Errorf("got %v, want %q in it", err, want)
			}
			if now, ok := engine.LocalMap(w, 0); !ok || !reflect.DeepEqual(now, before) {
				t.Errorf("after %q the local map is %+v", want, now)
			}
		}
		steps(t, w, 1)
	})
}
