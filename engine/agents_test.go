package engine_test

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// yard is a hall with a wall, two goals, and two agents.
const yard = `{"version": 1, "name": "yard", "domain": [0, 0, 30, 20], "obstacles": [{"id": "wall", "rect": [14, 4, 15, 16]}],
	"goals": [{"id": "east", "points": [[28, 10]]}, {"id": "west", "points": [[2, 10]]}],
	"profiles": [{"id": "walker", "preferredSpeed": {"std": 0}}, {"id": "fast", "preferredSpeed": {"mean": 1.8, "std": 0}}],
	"groups": [{"count": 2, "profile": "walker", "onArrival": "stay", "spawn": {"points": [[3, 3], [3, 17]]}}], "map": {"size": 60}}`

func snapshot(t testing.TB, w *engine.World) *engine.Snapshot {
	t.Helper()
	var s engine.Snapshot
	if err := w.Snapshot(&s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// TestAgentsByHandle adds, sends, pauses, places and removes agents.
func TestAgentsByHandle(t *testing.T) {
	run(t, open(t, yard), func(_ *gpu.Device, w *engine.World) {
		east, west, walker, fast := w.Goals()[0], w.Goals()[1], w.Profiles()[0], w.Profiles()[1]
		first := w.Agents(nil)
		if len(first) != 2 || len(snapshot(t, w).IDs) != 2 {
			t.Fatalf("the scene's agents are %v", first)
		}
		var ids []engine.AgentID
		report, err := w.Edit(func(e *engine.Edit) error {
			ids = e.AddAgents(ids, engine.Spawn{At: mgl64.Vec2{20, 10}, Goal: east, Profile: fast, Tag: 7}, engine.Spawn{At: mgl64.Vec2{20, 14}, Goal: west, Profile: walker, Tag: 8},
				engine.Spawn{At: mgl64.Vec2{25, 2}, Goal: east, Profile: walker})
			e.Pause(true, ids[2])
			return nil
		})
		if err != nil || report.Revision != 1 || report.Applies != 1 || len(ids) != 3 {
			t.Fatalf("%+v, %v: %v", report, ids, err)
		}
		if s := snapshot(t, w); len(s.IDs) != 2 || s.Tick != 0 {
			t.Errorf("before the tick the snapshot has %v", s.IDs)
		}
		at := func(id engine.AgentID) mgl64.Vec2 {
			s := snapshot(t, w)
			i, ok := s.Index(id)
			if !ok {
				t.Fatalf("agent %#x is not there", id)
			}
			return s.Positions[i]
		}
		steps(t, w, 10)
		s := snapshot(t, w)
		if i, _ := s.Index(ids[0]); len(s.IDs) != 5 || s.Tick != 10 || s.Tags[i] != 7 || s.Statuses[i] != agents.Walking || s.Velocities[i][0] < 1.7 {
			t.Errorf("after a second: %+v", s)
		}
		if x := at(ids[0])[0]; x < 21.5 || x > 21.9 {
			t.Errorf("at 1.8 m/s for a second the agent got from 20 to %v", x)
		}
		if p := at(ids[2]); p.Sub(mgl64.Vec2{25, 2}).Len() > 1e-3 {
			t.Errorf("the agent that is paused is at %v", p)
		}
		edit(t, w, func(e *engine.Edit) {
			e.Send(west, ids[0], first[0])
			e.Pause(false, ids[2])
			e.AssignProfile(fast, ids[2])
			e.Place(ids[1], mgl64.Vec2{5, 10}, mgl64.Vec2{})
			e.Remove(first[1])
		})
		before := at(ids[0])
		steps(t, w, 10)
		if p := at(ids[0]); p.Sub(before).Len() < 0.5 || p[0] > before[0] {
			t.Errorf("sent west the agent went from %v to %v", before, p)
		}
		if p := at(ids[1]); p[0] > 4 || p[0] < 3 {
			t.Errorf("placed at x = 5 the agent is at %v a second later", p)
		}
		if p := at(ids[2]); p.Sub(mgl64.Vec2{25, 2}).Len() < 1.5 {
			t.Errorf("as a fast one, not paused, the agent went to %v", p)
		}
		if s := snapshot(t, w); len(s.IDs) != 4 || slices.Contains(s.IDs, first[1]) {
			t.Errorf("the agent that was removed is there: %v", s.IDs)
		}
		var stale *engine.HandleError
		if _, err := w.Edit(func(e *engine.Edit) error { e.Send(west, first[1]); return nil }); !errors.As(err, &stale) || stale.Fault != engine.StaleHandle || stale.Kind != "agent" {
			t.Errorf("a removed agent gave %v", err)
		}
		// An agent that has arrived stays, and walks again when it is sent.
		steps(t, w, 200)
		s = snapshot(t, w)
		if i, ok := s.Index(ids[1]); !ok || s.Statuses[i] != agents.Arrived {
			t.Errorf("in the end agent 1 has status %d", s.Statuses[i])
		}
		edit(t, w, func(e *engine.Edit) { e.Send(east, ids[1]) })
		before = at(ids[1])
		steps(t, w, 10)
		if p := at(ids[1]); p[0] < before[0]+0.5 {
			t.Errorf("sent on the agent went from %v to %v", before, p)
		}
	})
}

// TestLatest: states come back without waiting, newest first, and equal those of Snapshot of their
// tick.
func TestLatest(t *testing.T) {
	runWith(t, open(t, yard), engine.Options{Latest: 2}, func(d *gpu.Device, w *engine.World) {
		var latest engine.Snapshot
		byTick := map[uint64]*engine.Snapshot{}
		seen := 0
		for tick := range 30 {
			if tick == 10 {
				edit(t, w, func(e *engine.Edit) {
					e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{20, 10}, Goal: w.Goals()[0], Profile: w.Profiles()[0], Tag: 5})
					e.Remove(w.Agents(nil)[0])
				})
			}
			steps(t, w, 1)
			byTick[w.Ticks()] = snapshot(t, w)
			if tick%3 == 2 {
				d.Finish()
			}
			newer, err := w.Latest(&latest)
			if err != nil {
				t.Fatal(err)
			}
			if !newer {
				continue
			}
			seen++
			want := byTick[latest.Tick]
			if latest.Tick%2 != 0 || !slices.Equal(latest.IDs, want.IDs) || !slices.Equal(latest.Positions, want.Positions) || !slices.Equal(latest.Tags, want.Tags) {
				t.Fatalf("the latest state is %+v, want %+v", latest, want)
			}
		}
		if seen < 5 {
			t.Errorf("%d states came back in 30 ticks", seen)
		}
	})
}

// TestFaultsOfAgents makes every fault at once: all are returned, and nothing has changed.
func TestFaultsOfAgents(t *testing.T) {
	var stranger engine.AgentID
	var untouched uint64
	run(t, open(t, yard), func(_ *gpu.Device, w *engine.World) {
		stranger = w.Agents(nil)[0]
		steps(t, w, 1)
		var err error
		if untouched, err = w.Hash(); err != nil {
			t.Fatal(err)
		}
	})
	run(t, open(t, yard), func(_ *gpu.Device, w *engine.World) {
		east, walker, agent := w.Goals()[0], w.Profiles()[0], w.Agents(nil)[0]
		nan := math.NaN()
		cases := []struct {
			op, path string
			cause    any
			change   func(e *engine.Edit)
		}{
			{"Send", "ids[1]", new(*engine.HandleError), func(e *engine.Edit) { e.Send(east, agent, stranger) }},
			{"Remove", "ids[0]", new(*engine.HandleError), func(e *engine.Edit) { e.Remove(0) }},
			{"Send", "goal", new(*engine.HandleError), func(e *engine.Edit) { e.Send(0, agent) }},
			{"AssignProfile", "profile", new(*engine.HandleError), func(e *engine.Edit) { e.AssignProfile(99, agent) }},
			{"AddAgents", "spawns[0].At", new(*engine.OutsideError), func(e *engine.Edit) {
				e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{nan, 3}, Goal: east, Profile: walker})
			}},
			{"AddAgents", "spawns[1].At", new(*engine.OutsideError), func(e *engine.Edit) {
				e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{7, 3}, Goal: east, Profile: walker}, engine.Spawn{At: mgl64.Vec2{7, 30}, Goal: east, Profile: walker})
			}},
			{"AddAgents", "spawns[0].Goal", new(*engine.HandleError), func(e *engine.Edit) { e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{7, 3}, Profile: walker}) }},
			{"AddAgents", "spawns[0].Profile", new(*engine.HandleError), func(e *engine.Edit) { e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{7, 3}, Goal: east}) }},
			{"AddAgents", "", new(*engine.RoomError), func(e *engine.Edit) {
				e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{14.5, 8}, Goal: east, Profile: walker}, engine.Spawn{At: mgl64.Vec2{9, 8}, Goal: east, Profile: walker},
					engine.Spawn{At: mgl64.Vec2{9.4, 8}, Goal: east, Profile: walker})
			}},
			{"Place", "at", new(*engine.OutsideError), func(e *engine.Edit) { e.Place(agent, mgl64.Vec2{3, nan}, mgl64.Vec2{}) }},
			{"SetGoal", "ArrivalRadius", nil, func(e *engine.Edit) { e.SetGoal(east, scenes.Goal{Points: []mgl64.Vec2{{20, 10}}}) }},
			{"AddGoal", "Clearance", nil, func(e *engine.Edit) { e.AddGoal(scenes.Goal{Clearance: 10}) }},
			{"AddGoal", "ID", nil, func(e *engine.Edit) { e.AddGoal(scenes.Goal{ID: "east"}) }},
			{"SetProfile", "$.radius", nil, func(e *engine.Edit) {
				p := engine.Profile{Profile: scenes.DefaultProfile()}
				p.Radius = scenes.Exactly(-1)
				e.SetProfile(walker, p)
			}},
			{"AddProfile", "ID", nil, func(e *engine.Edit) {
				p := engine.Profile{Profile: scenes.DefaultProfile()}
				p.ID = "fast"
				e.AddProfile(p)
			}},
		}
		var all []func(e *engine.Edit)
		for _, c := range cases {
			_, err := w.Edit(func(e *engine.Edit) error { c.change(e); return nil })
			var faults engine.EditErrors
			if !errors.As(err, &faults) || len(faults) != 1 || faults[0].Op != c.op || faults[0].Path != c.path || c.cause != nil && !errors.As(err, c.cause) {
				t.Errorf("%s, %s gave %v", c.op, c.path, err)
			}
			all = append(all, c.change)
		}
		var faults engine.EditErrors
		_, err := w.Edit(func(e *engine.Edit) error {
			for _, change := range slices.Backward(all) {
				change(e)
			}
			return nil
		})
		// The walker's profile is broken by then: agents of it cannot be checked.
		if !errors.As(err, &faults) || len(faults) < len(cases)-4 {
			t.Errorf("all together gave %v", err)
		}
		var room *engine.RoomError
		if _, err := w.Edit(func(e *engine.Edit) error { cases[8].change(e); return nil }); !errors.As(err, &room) || room.Wanted != 3 || room.Fit != 1 {
			t.Errorf("where one of three fits: %+v", room)
		}
		steps(t, w, 1)
		if s := snapshot(t, w); len(s.IDs) != 2 || len(w.Goals()) != 2 || len(w.Profiles()) != 2 {
			t.Errorf("refused edits left %v", s.IDs)
		}
		if got, err := w.Hash(); err != nil || got != untouched {
			t.Errorf("after refused edits a tick leads to %x, without to %x: %v", got, untouched, err)
		}
	})
}

// TestAddedGoals adds goals with and without clearance, and profiles, and sends agents there.
func TestAddedGoals(t *testing.T) {
	run(t, open(t, yard), func(d *gpu.Device, w *engine.World) {
		var south, wide engine.GoalID
		var kind engine.ProfileID
		var ids []engine.AgentID
		report, err := w.Edit(func(e *engine.Edit) error {
			south = e.AddGoal(scenes.Goal{ID: "south", Points: []mgl64.Vec2{{20, 2}}})
			wide = e.AddGoal(scenes.Goal{Points: []mgl64.Vec2{{14.5, 10}}, Clearance: 0.5, ArrivalRadius: 0.3})
			p := engine.Profile{Profile: scenes.DefaultProfile()}
			p.ID, p.PreferredSpeed, p.Radius = "slow", scenes.Exactly(0.5), scenes.Exactly(0.4)
			kind = e.AddProfile(p)
			ids = e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{20, 4}, Goal: south, Profile: kind})
			return nil
		})
		if err != nil || !slices.Equal(report.Unreachable, []engine.GoalID{wide}) {
			t.Fatalf("%+v, %v", report, err)
		}
		if _, err := w.View(south); err == nil {
			t.Error("a goal has a map before the tick")
		}
		steps(t, w, 10)
		s := snapshot(t, w)
		if i, _ := s.Index(ids[0]); math.Abs(s.Positions[i][1]-3.5) > 0.06 {
			t.Errorf("the agent on its way south is at %v", s.Positions[i])
		}
		if got := distance(t, w, 2, mgl64.Vec2{20, 10}); math.Abs(got-8) > tolerance(30, got) {
			t.Errorf("to the goal that was added it is %v m", got)
		}
		checkComplete(t, d, w)
		report, err = w.Edit(func(e *engine.Edit) error {
			e.SetGoal(wide, scenes.Goal{Points: []mgl64.Vec2{{18, 10}}, ArrivalRadius: 2, Clearance: 0.5})
			p, _ := w.Profile(kind)
			p.PreferredSpeed.Mean = 1
			e.SetProfile(kind, p)
			e.Send(wide, ids[0])
			return nil
		})
		if err != nil || len(report.Unreachable) > 0 {
			t.Fatalf("%+v, %v", report, err)
		}
		steps(t, w, 60)
		s = snapshot(t, w)
		if i, _ := s.Index(ids[0]); s.Statuses[i] != agents.Arrived || math.Abs(s.Positions[i].Sub(mgl64.Vec2{18, 10}).Len()-2) > 0.15 {
			t.Errorf("the agent that arrives at 2 m is at %v with status %d", s.Positions[i], s.Statuses[i])
		}
		if g, ok := w.Document().Goal("south"); !ok || len(w.Document().Profiles) != 3 || g.ArrivalRadius != 0.5 {
			t.Errorf("the edited scene has %+v", w.Document())
		}
		if got, ok := w.Goal("south"); !ok || got != south {
			t.Errorf("the goal is %#x, not %#x", got, south)
		}
	})
}

// TestRandomEdits makes random edits, valid and not, and compares what is there with a plain model.
func TestRandomEdits(t *testing.T) {
	run(t, open(t, yard), func(_ *gpu.Device, w *engine.World) {
		r := rand.New(rand.NewPCG(14, 2))
		there := map[engine.AgentID]uint32{} // tags
		obstacles := map[engine.ObstacleID]bool{w.Obstacles()[0]: true}
		for _, id := range w.Agents(nil) {
			there[id] = 0
		}
		any := func(m map[engine.AgentID]uint32) engine.AgentID {
			ids := slices.Sorted(maps.Keys(m))
			if len(ids) == 0 || r.IntN(12) == 0 {
				return engine.AgentID(r.Uint64())
			}
			return ids[r.IntN(len(ids))]
		}
		refused := 0
		for round := range 150 {
			agents, boxes, ok := maps.Clone(there), maps.Clone(obstacles), true
			_, err := w.Edit(func(e *engine.Edit) error {
				for range r.IntN(4) {
					id := any(agents)
					_, good := agents[id]
					p := mgl64.Vec2{1 + 12*r.Float64(), 19 * r.Float64()}
					goal, kind := w.Goals()[r.IntN(2)], w.Profiles()[r.IntN(2)]
					switch r.IntN(7) {
					case 0:
						tag := r.Uint32()
						if r.IntN(8) == 0 {
							p[0], ok = 31, false
						}
						added := e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{p[0], float64(round)/8 + 0.5}, Goal: goal, Profile: kind, Tag: tag})
						agents[added[0]] = tag
						return nil // another one might overlap it
					case 1:
						e.Remove(id)
						delete(agents, id)
						ok = ok && good
					case 2:
						e.Send(goal, id)
						ok = ok && good
					case 3:
						e.Place(id, p, mgl64.Vec2{1, 0})
						ok = ok && good
					case 4:
						e.Pause(r.IntN(2) == 0, id)
						ok = ok && good
					case 5:
						e.AssignProfile(kind, id)
						ok = ok && good
					case 6:
						boxes[e.AddObstacle(scenes.Obstacle{}.Shaped(box(20+r.Float64(), 1, 22, 2)))] = true
					}
				}
				return nil
			})
			if ok != (err == nil) {
				t.Fatalf("round %d: possible is %v, got %v", round, ok, err)
			}
			if ok {
				there, obstacles = agents, boxes
			} else {
				refused++
			}
			steps(t, w, 1)
			s := snapshot(t, w)
			if len(s.IDs) != len(there) || len(w.Obstacles()) != len(obstacles) {
				t.Fatalf("round %d: %d agents, want %d; %d obstacles, want %d", round, len(s.IDs), len(there), len(w.Obstacles()), len(obstacles))
			}
			for i, id := range s.IDs {
				if tag, ok := there[id]; !ok || tag != s.Tags[i] || !(s.Positions[i][0] >= 0 && s.Positions[i][0] <= 30) {
					t.Fatalf("round %d: agent %#x at %v with tag %d, %v", round, id, s.Positions[i], s.Tags[i], ok)
				}
			}
		}
		if refused < 10 || refused > 120 {
			t.Errorf("%d of 150 edits were refused", refused)
		}
	})
}

// TestRefusedGoal refuses an edit that adds a goal: later edits and ticks go on without it.
func TestRefusedGoal(t *testing.T) {
	run(t, open(t, yard), func(d *gpu.Device, w *engine.World) {
		before := w.Goals()
		_, err := w.Edit(func(e *engine.Edit) error {
			e.AddGoal(scenes.Goal{Points: []mgl64.Vec2{{3, 3}}})
			return errors.New("on second thoughts")
		})
		if err == nil {
			t.Fatal("the edit is taken")
		}
		edit(t, w, func(e *engine.Edit) { e.AddObstacle(scenes.Obstacle{}.Shaped(box(4, 4, 5, 5))) })
		steps(t, w, 3)
		if now := w.Goals(); !slices.Equal(now, before) {
			t.Errorf("the goals are %v, before %v", now, before)
		}
		edit(t, w, func(e *engine.Edit) { e.AddGoal(scenes.Goal{Points: []mgl64.Vec2{{3, 3}}}) })
		steps(t, w, 3)
	})
}

// TestBlockedBeforeTheFirstTick adds agents where agents of the scene stand, before any step has
// sorted those: they wait as they would later, until the place is free.
func TestBlockedBeforeTheFirstTick(t *testing.T) {
	s := open(t, `{"version": 1, "domain": [0, 0, 20, 10], "goals": [{"id": "g", "points": [[19, 5]]}],
		"profiles": [{"id": "p", "avoidance": "orca"}], "groups": [{"count": 1, "spawn": {"points": [[5, 5]]}}], "map": {"size": 20}}`)
	gputest.Run(t, func(d *gpu.Device) {
		w, err := engine.New(d, s, engine.Options{Events: engine.AllEvents})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		var added []engine.AgentID
		edit(t, w, func(e *engine.Edit) {
			spawn := engine.Spawn{At: mgl64.Vec2{5.1, 5}, Goal: w.Goals()[0], Profile: w.Profiles()[0]}
			free := spawn
			free.At = mgl64.Vec2{9, 5}
			added = e.AddAgents(nil, spawn, free)
		})
		steps(t, w, 1)
		if all := crowd(w); all[1].Status != agents.Waiting || all[2].Status != agents.Walking {
			t.Errorf("where another agent stands one is %v, on free ground %v", all[1].Status, all[2].Status)
		}
		steps(t, w, 20)
		if all := crowd(w); all[1].Status != agents.Walking {
			t.Errorf("after 2 s it is %v", all[1].Status)
		}
		blocked := slices.ContainsFunc(w.Events(nil), func(e engine.Event) bool {
			return e.Agent == added[0] && e.Kinds&engine.Blocked != 0 && e.Tick == 1
		})
		if !blocked {
			t.Error("there is no event Blocked")
		}
	})
}
