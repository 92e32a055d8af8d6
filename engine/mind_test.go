package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// Watching changes no hash, minds name the tick of three before, and other handles are errors.
func TestWatchingChangesNoHash(t *testing.T) {
	for _, name := range []string{"plaza", "car", "evac-500", "every method"} {
		t.Run(name, func(t *testing.T) {
			s, err := builtin.Load(name)
			if name == "every method" {
				s, err = open(t, manyMaps), nil
			}
			if err != nil {
				t.Fatal(err)
			}
			gputest.Run(t, func(d *gpu.Device) {
				var hashes [2]uint64
				for i := range hashes {
					w, err := engine.New(d, s, engine.Options{})
					if err != nil {
						t.Fatal(err)
					}
					defer w.Close()
					ids := w.Agents(nil)
					var handle *engine.HandleError
					if _, _, err := w.Mind(0); !errors.As(err, &handle) {
						t.Errorf("the mind of no agent: %v", err)
					}
					if err := w.Watch(ids[0], 0); !errors.As(err, &handle) {
						t.Errorf("Watch of no agent: %v", err)
					}
					if i == 1 {
						if err := w.Watch(ids[:min(len(ids), 64)]...); err != nil {
							t.Fatal(err)
						}
					}
					for tick := 1; tick <= 60; tick++ {
						if err := w.Step(); err != nil {
							t.Fatal(err)
						}
						m, ok, err := w.Mind(ids[0])
						if err != nil || ok != (i == 1 && tick > 3) || ok && (m.Tick != uint64(tick-3) || m.Agent != ids[0]) {
							t.Fatalf("tick %d: %v, %v, %+v", tick, err, ok, m)
						}
					}
					if hashes[i], err = w.Hash(); err != nil {
						t.Fatal(err)
					}
				}
				if hashes[0] != hashes[1] {
					t.Errorf("the hash is %x, of watched agents %x", hashes[0], hashes[1])
				}
			})
		})
	}
}

// mind is the mind of an agent that has one, of the tick of three before.
func mind(t *testing.T, w *engine.World, id engine.AgentID) engine.Mind {
	t.Helper()
	m, ok, err := w.Mind(id)
	if err != nil || !ok || m.Tick != w.Ticks()-3 {
		t.Fatalf("after tick %d: the mind of %#x: %+v, %v, %v", w.Ticks(), uint64(id), m, ok, err)
	}
	return m
}

func watchAll(t *testing.T, w *engine.World, ids ...engine.AgentID) {
	t.Helper()
	if err := w.Watch(ids...); err != nil {
		t.Fatal(err)
	}
}

// isStale wants the error of a call to say that a handle is stale.
func isStale(t *testing.T, w *engine.World, id engine.AgentID, call string, err error) {
	t.Helper()
	var handle *engine.HandleError
	if !errors.As(err, &handle) || handle.Fault != engine.StaleHandle || handle.Handle != uint64(id) {
		t.Errorf("%s after tick %d: %#x is no stale handle: %v", call, w.Ticks(), uint64(id), err)
	}
}

// TestMindsOfSlots: agents that get the slots of watched ones that were removed or have left are
// not watched, and show nothing of them. Those ones can be watched no more, and have minds until
// then.
func TestMindsOfSlots(t *testing.T) {
	run(t, open(t, yard), func(_ *gpu.Device, w *engine.World) {
		spawn := engine.Spawn{At: mgl64.Vec2{24, 3}, Goal: w.Goals()[0], Profile: w.Profiles()[1]}
		leaver := spawn
		leaver.At, leaver.OnArrival = mgl64.Vec2{26, 10}, scenes.ArrivalLeave
		kept := w.Agents(nil)[0]
		var old []engine.AgentID
		edit(t, w, func(e *engine.Edit) { old = e.AddAgents(nil, spawn, leaver) })
		var usage *engine.UsageError
		if err := w.Watch(old[0]); !errors.As(err, &usage) {
			t.Errorf("Watch of an agent that the next tick adds: %v", err)
		}
		steps(t, w, 1)
		watchAll(t, w, kept, old[0], old[1])
		steps(t, w, 4)
		mind(t, w, old[0])
		edit(t, w, func(e *engine.Edit) { e.Remove(old[0]) })
		isStale(t, w, old[0], "Watch", w.Watch(old[0]))
		mind(t, w, old[0])
		reused := map[uint32]engine.AgentID{}
		for tick := 0; len(reused) < 2; tick++ {
			if tick == 400 {
				t.Fatalf("agents got %v of the slots of %#x", reused, old)
			}
			var added []engine.AgentID
			spawn.At = mgl64.Vec2{18 + 2*float64(tick%5), 2 + 2*float64(tick/5%9)}
			if tick%5 == 0 && tick < 200 || len(w.Agents(nil)) < 4 {
				edit(t, w, func(e *engine.Edit) { added = e.AddAgents(nil, spawn) })
			}
			for _, id := range added {
				for _, o := range old {
					if uint32(o) == uint32(id) {
						reused[uint32(id)] = id
						_, _, err := w.Mind(o)
						isStale(t, w, o, "Mind", err)
						isStale(t, w, o, "Watch", w.Watch(o))
						var usage *engine.UsageError
						if err := w.Watch(id); !errors.As(err, &usage) {
							t.Errorf("Watch of an agent that the next tick adds to a slot: %v", err)
						}
					}
				}
			}
			steps(t, w, 1)
			for _, id := range reused {
				if m, ok, err := w.Mind(id); ok || err != nil {
					t.Fatalf("an agent that got a slot has a mind: %+v, %v", m, err)
				}
			}
		}
		steps(t, w, 4)
		mind(t, w, kept)
		for slot, id := range reused {
			watchAll(t, w, id)
			for tick := 1; tick <= 5; tick++ {
				steps(t, w, 1)
				if m, ok, err := w.Mind(id); err != nil || ok != (tick > 3) || ok && m.Agent != id {
					t.Errorf("tick %d: the new agent of slot %d: %+v, %v, %v", tick, slot, m, ok, err)
				}
			}
		}
	})
}

// TestCauses: agents of scenes made to show a cause have it, and its sentence.
func TestCauses(t *testing.T) {
	run(t, open(t, yard), func(_ *gpu.Device, w *engine.World) {
		p, err := w.Profile(w.Profiles()[0])
		if err != nil {
			t.Fatal(err)
		}
		p.ID, p.Control = "puppet", engine.Puppet
		east := w.Goals()[0]
		var ids []engine.AgentID
		edit(t, w, func(e *engine.Edit) {
			puppet := e.AddProfile(p)
			ids = e.AddAgents(nil,
				engine.Spawn{At: mgl64.Vec2{18, 10}, Goal: east, Profile: w.Profiles()[0]},
				engine.Spawn{At: mgl64.Vec2{5, 5}, Goal: east, Profile: w.Profiles()[0]},
				engine.Spawn{At: mgl64.Vec2{28, 10}, Goal: east, Profile: w.Profiles()[0]},
				engine.Spawn{At: mgl64.Vec2{5, 15}, Goal: east, Profile: puppet})
			e.Pause(true, ids[1])
		})
		steps(t, w, 1)
		watchAll(t, w, ids...)
		steps(t, w, 5)
		for i, want := range []struct {
			because  engine.Cause
			sentence string
		}{
			{engine.WalksFreely, "the agent walks freely"},
			{engine.IsPaused, "the agent is paused"},
			{engine.AtGoal, "the agent stands at its goal"},
			{engine.MovedByHost, "the agent is moved by the host"},
		} {
			m := mind(t, w, ids[i])
			if m.Because != want.because || !strings.Contains(m.String(), want.sentence) {
				t.Errorf("agent %d: %v, want %v: %+v", i, &m, want, m.Reasons)
			}
			if i == 0 && m.Goal != east {
				t.Errorf("its goal is %#x, not %#x", m.Goal, east)
			}
		}
	})
}

// TestWatchAcrossRollback: an agent stays watched where it was there; one that was added since is
// not, nor is what gets its handle. Too many agents and foreign handles are refused.
func TestWatchAcrossRollback(t *testing.T) {
	run(t, open(t, yard), func(_ *gpu.Device, w *engine.World) {
		kept := w.Agents(nil)[0]
		c, err := w.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		defer c.Free()
		var added []engine.AgentID
		edit(t, w, func(e *engine.Edit) {
			added = e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{24, 3}, Goal: w.Goals()[0], Profile: w.Profiles()[1]})
		})
		steps(t, w, 1)
		watchAll(t, w, kept, added[0])
		steps(t, w, 4)
		mind(t, w, added[0])
		edit(t, w, func(e *engine.Edit) { e.Remove(kept) })
		if err := w.Rollback(c); err != nil {
			t.Fatal(err)
		}
		_, _, err = w.Mind(added[0])
		isStale(t, w, added[0], "Mind", err)
		isStale(t, w, added[0], "Watch", w.Watch(added[0]))
		if _, ok, err := w.Mind(kept); ok || err != nil {
			t.Errorf("a mind of before the rollback: %v", err)
		}
		steps(t, w, 4)
		mind(t, w, kept)

		var usage *engine.UsageError
		if err := w.Watch(slices.Repeat([]engine.AgentID{kept}, 65)...); !errors.As(err, &usage) {
			t.Errorf("Watch of 65 agents: %v", err)
		}
		var handle *engine.HandleError
		if err := w.Watch(kept ^ 1<<56); !errors.As(err, &handle) || handle.Fault != engine.ForeignHandle {
			t.Errorf("Watch of an agent of another world: %v", err)
		}
		mind(t, w, kept) // as before
	})
}
