package engine_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
)

// TestAreas has an agent walk 12 m along a line: it comes into a yard and goes out of it, and
// passes a gate, each in the tick in which its place says so. What is placed by the host passes,
// too.
func TestAreas(t *testing.T) {
	runWith(t, open(t, yard), engine.Options{Events: engine.CameIn | engine.WentOut}, func(_ *gpu.Device, w *engine.World) {
		var ids []engine.AgentID
		var lawn, gate engine.AreaID
		edit(t, w, func(e *engine.Edit) {
			e.Remove(w.Agents(nil)...)
			puppet, err := w.Profile(w.Profiles()[0])
			if err != nil {
				t.Fatal(err)
			}
			puppet.ID, puppet.Control = "puppet", engine.Puppet
			ids = e.AddAgents(nil,
				engine.Spawn{At: mgl64.Vec2{16, 10}, Goal: w.Goals()[0], Profile: w.Profiles()[0], Tag: 9},
				engine.Spawn{At: mgl64.Vec2{5, 5}, Goal: w.Goals()[0], Profile: e.AddProfile(puppet)})
			lawn = e.AddArea(engine.Area{ID: "lawn", Corners: []mgl64.Vec2{{18, 9}, {20, 9}, {20, 11}, {18, 11}}})
			gate = e.AddArea(engine.Area{ID: "gate", Corners: []mgl64.Vec2{{22, 8}, {22, 12}}})
		})
		var want, got []engine.Event
		x := 16.0
		var after []engine.AreaID
		for tick := range uint64(90) {
			if tick == 40 { // the host puts the puppet on the lawn, and the lawn goes while it stands there
				edit(t, w, func(e *engine.Edit) { e.Place(ids[1], mgl64.Vec2{19, 10.5}, mgl64.Vec2{}) })
				want = append(want, engine.Event{Tick: tick + 1, Agent: ids[1], Kinds: engine.CameIn, Area: lawn})
			}
			if tick == 60 {
				edit(t, w, func(e *engine.Edit) {
					e.RemoveArea(lawn)
					after = append(after, e.AddArea(engine.Area{Corners: []mgl64.Vec2{{18, 9}, {18, 11}, {20, 11}}})) // the puppet is in it
				})
				want = append(want, engine.Event{Tick: tick + 1, Agent: ids[1], Kinds: engine.CameIn, Area: after[0]})
			}
			if tick == 70 {
				edit(t, w, func(e *engine.Edit) { e.Remove(ids[1]) })
				want = append(want, engine.Event{Tick: tick + 1, Agent: ids[1], Kinds: engine.WentOut, Area: after[0]})
			}
			steps(t, w, 1)
			s := snapshot(t, w)
			if i, ok := s.Index(ids[0]); ok {
				now := s.Positions[i][0]
				for _, line := range []struct {
					x     float64
					area  engine.AreaID
					kinds engine.EventKinds
				}{{18, lawn, engine.CameIn}, {20, lawn, engine.WentOut}, {22, gate, engine.WentOut}} { // to the right of the way from y = 8 to 12
					if x < line.x && now >= line.x {
						want = append(want, engine.Event{Tick: s.Tick, Agent: ids[0], Kinds: line.kinds, Tag: 9, Area: line.area})
					}
				}
				x = now
			}
			got = w.Events(got)
		}
		slices.SortStableFunc(want, func(a, b engine.Event) int { return int(a.Tick) - int(b.Tick) })
		if !slices.Equal(got, want) || len(want) != 6 {
			t.Errorf("the events are\n%+v, want\n%+v", got, want)
		}
		if all := w.Areas(); !slices.Equal(all, []engine.AreaID{gate, after[0]}) && !slices.Equal(all, []engine.AreaID{after[0], gate}) {
			t.Errorf("the areas are %v", all)
		}
		if a, err := w.Area(gate); err != nil || a.ID != "gate" || a.Corners[1] != (mgl64.Vec2{22, 12}) {
			t.Errorf("%+v, %v", a, err)
		}
		var stale *engine.HandleError
		if _, err := w.Area(lawn); !errors.As(err, &stale) || stale.Fault != engine.StaleHandle {
			t.Errorf("an area that was removed gives %v", err)
		}
	})
}

// TestFaultsOfAreas refuses what is no area, and changes nothing then.
func TestFaultsOfAreas(t *testing.T) {
	run(t, open(t, yard), func(_ *gpu.Device, w *engine.World) {
		square := []mgl64.Vec2{{1, 1}, {2, 1}, {2, 2}}
		var known engine.AreaID
		edit(t, w, func(e *engine.Edit) { known = e.AddArea(engine.Area{ID: "a", Corners: square}) })
		for path, change := range map[string]func(e *engine.Edit){
			"Corners":    func(e *engine.Edit) { e.AddArea(engine.Area{Corners: square[:1]}) },
			"Corners[1]": func(e *engine.Edit) { e.AddArea(engine.Area{Corners: []mgl64.Vec2{{1, 1}, {1, 1}}}) },
			"Corners[2]": func(e *engine.Edit) {
				e.SetArea(known, engine.Area{Corners: []mgl64.Vec2{{1, 1}, {2, 1}, {2, math.NaN()}}})
			},
			"Corners[0]": func(e *engine.Edit) { e.AddArea(engine.Area{Corners: []mgl64.Vec2{{-1, 1}, {1, 1}}}) },
			"ID":         func(e *engine.Edit) { e.AddArea(engine.Area{ID: "a", Corners: square}) },
			"":           func(e *engine.Edit) { e.RemoveArea(known); e.SetArea(known, engine.Area{Corners: square}) },
		} {
			var faults engine.EditErrors
			if _, err := w.Edit(func(e *engine.Edit) error { change(e); return nil }); !errors.As(err, &faults) || len(faults) != 1 || faults[0].Path != path {
				t.Errorf("%q gave %v", path, err)
			}
		}
		var crossing, capacity engine.EditErrors
		if _, err := w.Edit(func(e *engine.Edit) error {
			e.AddArea(engine.Area{Corners: []mgl64.Vec2{{1, 1}, {2, 2}, {2, 1}, {1, 2}}})
			return nil
		}); !errors.As(err, &crossing) {
			t.Errorf("a ring that crosses itself gave %v", err)
		}
		var full *gpu.CapacityError
		if _, err := w.Edit(func(e *engine.Edit) error {
			for range 32 {
				e.AddArea(engine.Area{Corners: square})
			}
			return nil
		}); !errors.As(err, &capacity) || !errors.As(err, &full) || full.Limit != 32 {
			t.Errorf("33 areas gave %v", err)
		}
		if len(w.Areas()) != 1 {
			t.Errorf("refused edits left %v", w.Areas())
		}
	})
}
