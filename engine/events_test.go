package engine_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// witness finds events by comparing the snapshots of ticks.
type witness struct {
	before *engine.Snapshot
	events []engine.Event
}

// compare adds what happened between the last two ticks, of all kinds that statuses show.
func (x *witness) compare(t *testing.T, w *engine.World) {
	t.Helper()
	now := snapshot(t, w)
	for _, id := range x.before.IDs {
		was, _ := x.before.Index(id)
		is, there := now.Index(id)
		kinds := engine.EventKinds(0)
		switch {
		case !there:
			kinds = engine.Left
		case x.before.Statuses[was] == agents.Waiting && now.Statuses[is] != agents.Waiting:
			kinds = engine.Entered
		}
		if !there || x.before.Statuses[was] == agents.Walking && now.Statuses[is] == agents.Arrived {
			kinds |= engine.Arrived
		}
		if kinds != 0 {
			x.events = append(x.events, engine.Event{Tick: now.Tick, Agent: id, Kinds: kinds, Tag: x.before.Tags[was]})
		}
	}
	x.before = now
}

// wide has agents arrive at the first goal from so many meters.
func wide(t *testing.T, w *engine.World, radius float64) {
	t.Helper()
	sources, err := w.Sources(w.Goals()[0])
	if err != nil {
		t.Fatal(err)
	}
	goal := scenes.Goal{Points: sources.Points, Segments: sources.Segments, ArrivalRadius: radius}
	edit(t, w, func(e *engine.Edit) { e.SetGoal(w.Goals()[0], goal) })
}

// TestEvents adds agents that stay and agents that leave, and holds each event against what the
// snapshots of ticks show, at the tick that it surfaces in: three later.
func TestEvents(t *testing.T) {
	const kinds = engine.Entered | engine.Arrived | engine.Left
	runWith(t, open(t, yard), engine.Options{Events: kinds}, func(_ *gpu.Device, w *engine.World) {
		wide(t, w, 3)
		seen := witness{before: snapshot(t, w)}
		left, arrived := 0, 0
		for tick := range 150 {
			var added []engine.AgentID
			if tick%5 == 0 && tick < 100 {
				edit(t, w, func(e *engine.Edit) {
					for i, leave := range []scenes.OnArrival{scenes.ArrivalStay, scenes.ArrivalLeave} {
						added = e.AddAgents(added, engine.Spawn{
							At: mgl64.Vec2{22 + 2*float64(i), 2 + float64(tick%8)}, Goal: w.Goals()[0], Profile: w.Profiles()[1], OnArrival: leave, Tag: uint32(tick),
						})
					}
				})
			}
			steps(t, w, 1)
			now := snapshot(t, w)
			for _, id := range added { // they entered in this tick, and were not in the snapshot before
				if i, ok := now.Index(id); ok && now.Statuses[i] != agents.Waiting {
					seen.events = append(seen.events, engine.Event{Tick: now.Tick, Agent: id, Kinds: engine.Entered, Tag: uint32(tick)})
				}
			}
			seen.compare(t, w)
			slices.SortStableFunc(seen.events, func(a, b engine.Event) int {
				return cmp.Or(cmp.Compare(a.Tick, b.Tick), cmp.Compare(uint32(a.Agent), uint32(b.Agent)))
			})
			var want []engine.Event
			for _, e := range seen.events {
				if e.Tick+3 == w.Ticks() {
					want = append(want, e)
				}
			}
			got := w.Events(nil)
			if !slices.Equal(got, want) {
				t.Fatalf("after tick %d: %+v, want %+v", w.Ticks(), got, want)
			}
			for _, e := range got {
				if e.Kinds&engine.Left != 0 {
					left++
					if _, err := w.Edit(func(x *engine.Edit) error { x.Remove(e.Agent); return nil }); err == nil {
						t.Error("the handle of an agent that has left is good")
					}
				} else if e.Kinds&engine.Arrived != 0 {
					arrived++
				}
			}
		}
		if left < 10 || arrived < 10 || w.EventsLost() != 0 {
			t.Errorf("%d agents left and %d arrived; the scene is no test", left, arrived)
		}
	})
}

// TestEventsOfEdits: an agent that an obstacle covers is displaced, one that is added on another
// one waits, and one that has left in the meantime was missed.
func TestEventsOfEdits(t *testing.T) {
	runWith(t, open(t, yard), engine.Options{Events: engine.AllEvents}, func(_ *gpu.Device, w *engine.World) {
		find := func(kind engine.EventKinds, id engine.AgentID) (found int) {
			for range 6 {
				steps(t, w, 1)
				for _, e := range w.Events(nil) {
					if e.Kinds&kind != 0 && e.Agent == id {
						found++
					}
				}
			}
			return found
		}
		first := w.Agents(nil)
		p := snapshot(t, w).Positions[0]
		edit(t, w, func(e *engine.Edit) {
			e.Pause(true, first...)
			e.AddObstacle(scenes.Obstacle{}.Shaped(box(p[0]-0.5, p[1]-0.5, p[0]+0.5, p[1]+0.5)))
		})
		if n := find(engine.Displaced, first[0]); n != 1 {
			t.Errorf("the agent that was covered has %d events", n)
		}
		var blocked []engine.AgentID
		at := snapshot(t, w).Positions[1]
		edit(t, w, func(e *engine.Edit) {
			blocked = e.AddAgents(nil, engine.Spawn{At: at, Goal: w.Goals()[0], Profile: w.Profiles()[0]})
		})
		if n := find(engine.Blocked, blocked[0]); n != 1 {
			t.Errorf("the agent without room has %d events", n)
		}
		var leaves []engine.AgentID
		edit(t, w, func(e *engine.Edit) {
			leaves = e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{27.8, 10}, Goal: w.Goals()[0], Profile: w.Profiles()[0], OnArrival: scenes.ArrivalLeave})
		})
		for range 200 {
			steps(t, w, 1)
			if _, there := snapshot(t, w).Index(leaves[0]); !there {
				break
			}
		}
		edit(t, w, func(e *engine.Edit) { e.Pause(true, leaves[0]) }) // it has left, which no call reports yet
		if n := find(engine.Missed, leaves[0]); n != 1 {
			t.Errorf("the agent that had left has %d events", n)
		}
	})
}

// TestHostMoves: an agent that the host moves has the velocity that the engine would move it by,
// and stays where it is put; a puppet has the velocity that it is given, and others avoid it.
func TestHostMoves(t *testing.T) {
	run(t, open(t, yard), func(_ *gpu.Device, w *engine.World) {
		p, err := w.Profile(w.Profiles()[0])
		if err != nil {
			t.Fatal(err)
		}
		var own, puppet engine.ProfileID
		var ids []engine.AgentID
		edit(t, w, func(e *engine.Edit) {
			e.Remove(w.Agents(nil)...)
			p.ID, p.Control = "own", engine.HostMoves
			own = e.AddProfile(p)
			p.ID, p.Control = "puppet", engine.Puppet
			puppet = e.AddProfile(p)
			ids = e.AddAgents(nil,
				engine.Spawn{At: mgl64.Vec2{20, 4}, Goal: w.Goals()[0], Profile: own},
				engine.Spawn{At: mgl64.Vec2{20, 16}, Goal: w.Goals()[0], Profile: puppet},
				engine.Spawn{At: mgl64.Vec2{18, 10.05}, Goal: w.Goals()[0], Profile: w.Profiles()[0]},
				engine.Spawn{At: mgl64.Vec2{21, 10}, Goal: w.Goals()[0], Profile: puppet})
		})
		steps(t, w, 2)
		nearest := math.Inf(1)
		for tick := range 30 {
			s := snapshot(t, w)
			index := func(id engine.AgentID) int {
				i, ok := s.Index(id)
				if !ok {
					t.Fatalf("tick %d: agent %#x is gone", tick, id)
				}
				return i
			}
			host, cart := index(ids[0]), index(ids[1])
			if s.Positions[host].Sub(mgl64.Vec2{20, 4}).Len() > 1e-3 && tick == 0 || s.Velocities[host].Len() < 0.5 {
				t.Fatalf("tick %d: the host's agent is at %v with %v m/s", tick, s.Positions[host], s.Velocities[host])
			}
			nearest = min(nearest, s.Positions[index(ids[2])].Sub(s.Positions[index(ids[3])]).Len())
			next := s.Positions[host].Add(s.Velocities[host].Mul(0.1))
			moved := mgl64.Vec2{20 + 0.1*float64(tick), 16}
			edit(t, w, func(e *engine.Edit) {
				e.Place(ids[0], next, s.Velocities[host])
				e.Place(ids[1], moved, mgl64.Vec2{1, 0})
			})
			steps(t, w, 1)
			s = snapshot(t, w)
			if at := s.Positions[index(ids[0])]; at.Sub(next).Len() > 1e-4 {
				t.Fatalf("tick %d: the host put the agent at %v, and it is at %v", tick, next, at)
			}
			if at, v := s.Positions[index(ids[1])], s.Velocities[index(ids[1])]; at.Sub(moved).Len() > 1e-4 || v != (mgl64.Vec2{1, 0}) || s.Statuses[cart] != agents.Placed {
				t.Fatalf("tick %d: the puppet is at %v with %v m/s and status %d", tick, at, v, s.Statuses[cart])
			}
		}
		s := snapshot(t, w)
		i, _ := s.Index(ids[2])
		if radii := 2 * p.Radius.Mean; nearest < radii-1e-3 || s.Positions[i][0] < 21.2 {
			t.Errorf("the agent that walks came as near as %v m to the puppet's center, and got to %v", nearest, s.Positions[i])
		}
		edit(t, w, func(e *engine.Edit) { e.AssignProfile(w.Profiles()[0], ids[1]) })
		before := s.Positions[1]
		steps(t, w, 20)
		s = snapshot(t, w)
		if i, _ := s.Index(ids[1]); s.Statuses[i] != agents.Walking || s.Positions[i].Sub(before).Len() < 1 {
			t.Errorf("no puppet any more, the agent is at %v with status %d", s.Positions[i], s.Statuses[i])
		}
	})
}

// TestAgentsComeAndGo adds and removes 10,000 agents, half of which leave by themselves: slots are
// used again, and OpenGL has no more objects than before.
func TestAgentsComeAndGo(t *testing.T) {
	run(t, open(t, yard), func(_ *gpu.Device, w *engine.World) {
		gone := []engine.AgentID{}
		add := func() {
			edit(t, w, func(e *engine.Edit) {
				e.Remove(gone...)
				gone = gone[:0]
				for i := range 50 {
					s := engine.Spawn{At: mgl64.Vec2{16 + 1.2*float64(i%10), 1 + 3.6*float64(i/10)}, Goal: w.Goals()[0], Profile: w.Profiles()[0]}
					if i%2 == 0 {
						s.At, s.OnArrival = mgl64.Vec2{27.2 + 0.3*float64(i%10), 9 + 0.6*float64(i/10)}, scenes.ArrivalLeave
						e.AddAgents(nil, s)
					} else {
						gone = e.AddAgents(gone, s)
					}
				}
			})
			steps(t, w, 6)
		}
		wide(t, w, 4)
		for range 20 {
			add()
		}
		slots, before := w.Crowd().Count(), liveObjects()
		for range 180 {
			add()
		}
		if now := liveObjects(); now != before || w.Crowd().Count() > slots+50 || len(w.Agents(nil)) > slots {
			t.Errorf("%d slots and %v objects, before %d and %v; %d agents", w.Crowd().Count(), now, slots, before, len(w.Agents(nil)))
		}
	})
}
