package engine_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// causeScene is a scene made to show a cause: of its first agent, or of the one that begin adds.
type causeScene struct {
	name     string
	scene    string
	begin    func(t *testing.T, w *engine.World) engine.AgentID // nil: the first
	because  engine.Cause
	from, to uint64 // of the ticks after begin, all that have the cause
	facts    func(t *testing.T, w *engine.World, r *agents.Reasons, m *engine.Mind)
}

// lone is a hall with an agent of a profile at (3, 5), and a goal at its other end, with obstacles
// and fields of the goal; and what it does on arrival, with fields of its group. A tick is a tenth of a second.
func lone(profile, obstacles, goal, group string) string {
	return fmt.Sprintf(`{"version": 1, "domain": [0, 0, 16, 10], "obstacles": [%s], "goals": [{"id": "east", "points": [[15, 5]]%s}],
		"profiles": [{"preferredSpeed": {"std": 0}, "radius": 0.25, %s}],
		"groups": [{"spawn": {"points": [[3, 5]]}, "onArrival": %s}], "map": {"size": 64}}`, obstacles, goal, profile, cmp.Or(group, `"stay"`))
}

// puppet adds an agent that stands where it is, and avoids none.
func puppet(t *testing.T, w *engine.World, at mgl64.Vec2) (id engine.AgentID) {
	t.Helper()
	p, err := w.Profile(w.Profiles()[0])
	if err != nil {
		t.Fatal(err)
	}
	p.ID, p.Control, p.Avoidance, p.Steering = "puppet", engine.Puppet, scenes.AvoidanceORCA, scenes.SteeringDirect
	edit(t, w, func(e *engine.Edit) {
		id = e.AddAgents(nil, engine.Spawn{At: at, Goal: w.Goals()[0], Profile: e.AddProfile(p)})[0]
	})
	return id
}

// added adds an agent like the scene's.
func added(t *testing.T, w *engine.World, at mgl64.Vec2, does scenes.OnArrival) (id engine.AgentID) {
	t.Helper()
	edit(t, w, func(e *engine.Edit) {
		id = e.AddAgents(nil, engine.Spawn{At: at, Goal: w.Goals()[0], Profile: w.Profiles()[0], OnArrival: does})[0]
	})
	return id
}

// meets has the scene's agent meet a puppet at a place.
func meets(at mgl64.Vec2) func(t *testing.T, w *engine.World) engine.AgentID {
	return func(t *testing.T, w *engine.World) engine.AgentID {
		puppet(t, w, at)
		return w.Agents(nil)[0]
	}
}

func vec64(v [2]float32) mgl64.Vec2 { return mgl64.Vec2{float64(v[0]), float64(v[1])} }

// stands wants an agent that has not moved, and knows no path.
func stands(t *testing.T, _ *engine.World, r *agents.Reasons, _ *engine.Mind) {
	if r.Place != r.PlaceAfter || r.Velocity != [2]float32{} || r.Routed || r.Corner != [2]float32{} || !math.IsInf(float64(r.Distance), 1) {
		t.Errorf("it moves, or knows a path: %+v", r)
	}
}

// waits wants one that has not entered, as others are in its place or not.
func waits(occupied int) func(t *testing.T, w *engine.World, r *agents.Reasons, m *engine.Mind) {
	return func(t *testing.T, w *engine.World, r *agents.Reasons, m *engine.Mind) {
		stands(t, w, r, m)
		if r.Status != agents.Waiting || r.Lost != occupied || len(r.Constraints) > 0 {
			t.Errorf("it does not wait: %+v", r)
		}
	}
}

// yieldsTo wants an agent that its method keeps from what it desires, for the only other agent or
// for a wall: by the constraints that the velocities cross, or by what the sample that it prefers
// meets.
func yieldsTo(wall bool) func(t *testing.T, w *engine.World, r *agents.Reasons, m *engine.Mind) {
	return func(t *testing.T, w *engine.World, r *agents.Reasons, m *engine.Mind) {
		if r.Chosen == r.Desired || wall != (len(m.Neighbors) == 0) || wall && len(r.Walls) == 0 {
			t.Fatalf("neighbors %v, walls %v, chose %v of %v", m.Neighbors, r.Walls, r.Chosen, r.Desired)
		}
		if !wall && (m.Neighbors[0] != w.Agents(nil)[1] || r.Neighbors[0].Shares) {
			t.Errorf("neighbors %#x, %+v, not the puppet %#x", m.Neighbors, r.Neighbors, w.Agents(nil)[1])
		}
		if r.Outcome == agents.Cheapest {
			if met := map[bool]agents.CandidateState{false: agents.MeetsAgent, true: agents.MeetsWall}[wall]; r.Best <= 0 || r.Candidates[0].State != met {
				t.Errorf("the sample %d is best; the desired one is %+v", r.Best, r.Candidates[0])
			}
			return
		}
		if !slices.ContainsFunc(r.Constraints, func(c agents.Constraint) bool { return c.OfWall() == wall && c.Cuts(r.Desired) }) {
			t.Errorf("no constraint cuts %v: %+v", r.Desired, r.Constraints)
		}
	}
}

// walks are the causes of agents that have no method of avoidance.
func walks() []causeScene {
	box := `{"polygon": [[6, 6], [9, 6], [9, 9], [6, 9]], "holes": [[[6.5, 6.5], [8.5, 6.5], [8.5, 8.5], [6.5, 8.5]]]}`
	gone := func(t *testing.T, w *engine.World, r *agents.Reasons, m *engine.Mind) {
		if r.Status != agents.Left || r.StatusBefore != agents.Left || r.Place != r.PlaceAfter || r.Routed {
			t.Errorf("it is there: %+v", r)
		}
	}
	led := func(t *testing.T, w *engine.World, r *agents.Reasons, m *engine.Mind) {
		if r.Target != agents.WayOut || r.Routed || !(r.PlaceAfter[1] > r.Place[1]) || r.PlaceAfter[0] != r.Place[0] {
			t.Errorf("it does not leave the wall below it: %+v", r)
		}
	}
	explores := func(t *testing.T, w *engine.World, r *agents.Reasons, m *engine.Mind) {
		if r.Target != agents.Elsewhere || r.Routed || r.Corner != [2]float32{} || !math.IsInf(float64(r.Distance), 1) || r.Local.Walker != 0 {
			t.Errorf("it knows a path, or has no local map: %+v", r)
		}
	}
	cut := func(t *testing.T, w *engine.World, r *agents.Reasons, m *engine.Mind) {
		if r.Velocity == r.Chosen || r.Pushed != [2]float32{} {
			t.Errorf("the wall does not cut %v, or it is pushed: %+v", r.Chosen, r)
		}
	}
	past := func(t *testing.T, w *engine.World, r *agents.Reasons, m *engine.Mind) {
		if r.Velocity != r.Preferred || len(m.Neighbors) > 0 {
			t.Errorf("it minds the puppet: %+v", r)
		}
	}
	served := func(t *testing.T, w *engine.World, r *agents.Reasons, m *engine.Mind) {
		if r.Target != agents.InService || r.Place != r.PlaceAfter || r.Preferred != [2]float32{} {
			t.Errorf("it does not stand at its goal: %+v", r)
		}
	}
	free := `"avoidance": "none"`
	return []causeScene{
		{"not entered", lone(free, "", "", `"stay", "start": {"at": 0.5}`), nil, engine.NotEntered, 1, 5, waits(0)},
		{"entry occupied", lone(`"avoidance": "orca"`, "", "", ""), func(t *testing.T, w *engine.World) engine.AgentID {
			puppet(t, w, mgl64.Vec2{8, 8})
			steps(t, w, 1)
			return added(t, w, mgl64.Vec2{8.3, 8.2}, scenes.ArrivalStay)
		}, engine.EntryOccupied, 1, 30, waits(1)},
		{"left", lone(free, "", "", `"leave"`), nil, engine.Gone, 90, 110, gone},
		{"without route", lone(free, box, "", ""), func(t *testing.T, w *engine.World) engine.AgentID {
			return added(t, w, mgl64.Vec2{7.5, 7.5}, scenes.ArrivalStay)
		}, engine.WithoutRoute, 2, 20, stands},
		{"leaves a wall", lone(free, `{"rect": [2, 4, 8, 4.6]}`, `, "clearance": 0.6`, ""), nil, engine.LeavesWall, 1, 2, led},
		{"explores", lone(free+`, "steering": "bvp"`, `{"rect": [7, 0, 7.5, 8]}`, "", `"stay", "explores": {}`), nil, engine.Explores, 1, 20, explores},
		{"served", lone(free, "", `, "service": {"time": 2}`, `"leave"`), nil, engine.IsServed, 92, 105, served},
		{"explored all", lone(free+`, "steering": "bvp", "bvp": {"cells": 61}`, `{"rect": [5, 0, 5.5, 10]}`, "", `"stay", "explores": {}`), nil, engine.WithoutRoute, 60, 70, stands},
		{"at a wall", lone(free+`, "steering": "direct"`, `{"rect": [4, 0, 4.5, 8]}`, "", ""), nil, engine.BlockedByWall, 9, 20, cut},
		{"along a wall", lone(free+`, "steering": "direct"`, `{"polygon": [[3.5, 4], [10, 9], [10, 4]]}`, "", ""), nil, engine.EvadesWalls, 15, 40, cut},
		{"through an agent", lone(free+`, "steering": "direct"`, "", "", ""), meets(mgl64.Vec2{4, 5}), engine.WalksFreely, 2, 20, past},
	}
}

// avoids are the causes of agents of a method.
func avoids(method string) []causeScene {
	profile := `"avoidance": ` + method
	alley := `{"rect": [0, 0, 16, 4.5]}, {"rect": [0, 5.5, 16, 10]}`
	straight := `"steering": "direct", ` + profile
	return []causeScene{
		{method + " blocked by an agent", lone(profile, alley, "", ""), meets(mgl64.Vec2{5, 5}), engine.BlockedByAgent, 30, 30, yieldsTo(false)},
		{method + " evades an agent", lone(profile, "", "", ""), meets(mgl64.Vec2{5, 5.1}), engine.EvadesAgents, 2, 8, yieldsTo(false)},
		{method + " blocked by a wall", lone(straight, `{"rect": [4, 0, 4.5, 8]}`, "", ""), nil, engine.BlockedByWall, 15, 40, yieldsTo(true)},
		{method + " evades a wall", lone(straight, `{"polygon": [[3.5, 4], [10, 9], [10, 4]]}`, "", ""), nil, engine.EvadesWalls, 10, 20, yieldsTo(true)},
	}
}

// TestCausesOfScenes: agents of scenes made to show a cause have it in the ticks that they should,
// with what shows it, and were where the states of those ticks say.
func TestCausesOfScenes(t *testing.T) {
	all := slices.Concat(walks(), avoids(`"orca"`), avoids(`"clearpath"`), avoids(`"clearpath", "clearpath": {"variant": 1}`), avoids(`"rvo"`))
	shown := map[engine.Cause]bool{}
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			run(t, open(t, c.scene), func(_ *gpu.Device, w *engine.World) {
				id := w.Agents(nil)[0]
				if c.begin != nil {
					id = c.begin(t, w)
					steps(t, w, 1)
				}
				first := w.Ticks()
				watchAll(t, w, id)
				places := map[uint64]mgl64.Vec2{}
				for range c.to + 3 - first + 1 {
					steps(t, w, 1)
					if s := snapshot(t, w); slices.Contains(s.IDs, id) {
						i, _ := s.Index(id)
						places[w.Ticks()] = s.Positions[i]
					}
					m, ok, err := w.Mind(id)
					if err != nil || ok != (w.Ticks() > first+3) {
						t.Fatalf("tick %d: %v, %v", w.Ticks(), ok, err)
					}
					if !ok || m.Tick < c.from || m.Tick > c.to {
						continue
					}
					if m.Because != c.because || m.Agent != id {
						t.Fatalf("%v, not that it %v: %+v", &m, c.because, m.Reasons)
					}
					shown[c.because] = true
					c.facts(t, w, &m.Reasons, &m)
					was, there := places[m.Tick]
					if is := w.Ground().Lattice.Origin.Add(vec64(m.Reasons.PlaceAfter)); there && is.Sub(was).Len() > 1e-6 {
						t.Errorf("in tick %d it was at %v, not at %v", m.Tick, was, is)
					}
				}
			})
		})
	}
	if len(shown) < 11 {
		t.Errorf("causes %v were shown", shown)
	}
}
