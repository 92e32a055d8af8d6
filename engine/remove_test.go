package engine_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

const court = `{"version": 1, "domain": [0, 0, 20, 20], "map": {"size": 64},
	"goals": [{"id": "east", "points": [[18, 10]]}, {"id": "west", "points": [[2, 10]]}],
	"profiles": [{"id": "adult"}, {"id": "child", "radius": 0.15}],
	"groups": [{"id": "walkers", "profile": "adult", "count": 3, "spawn": {"rect": [5, 5, 9, 15]}, "itinerary": ["east"]}]}`

// TestRemoveGoalsAndProfiles removes what is needed, which is refused with what needs it, and what
// is not; what is added then has the slot, and agents walk to it.
func TestRemoveGoalsAndProfiles(t *testing.T) {
	run(t, open(t, court), func(_ *gpu.Device, w *engine.World) {
		goals, profiles := w.Goals(), w.Profiles()
		var one []engine.AgentID
		edit(t, w, func(e *engine.Edit) {
			one = e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{10, 18}, Goal: goals[1], Profile: profiles[1]})
		})
		steps(t, w, 2)
		before := hashOf(t, w)
		for _, c := range []struct {
			change func(e *engine.Edit)
			want   engine.UseError
		}{
			{func(e *engine.Edit) { e.RemoveGoal(goals[0]) }, engine.UseError{Kind: "goal", Groups: []string{"walkers"}}},
			{func(e *engine.Edit) { e.RemoveGoal(goals[1]) }, engine.UseError{Kind: "goal", Agents: 1}},
			{func(e *engine.Edit) { e.RemoveProfile(profiles[0]) }, engine.UseError{Kind: "profile", Agents: 3, Groups: []string{"walkers"}}},
			{func(e *engine.Edit) { e.RemoveProfile(profiles[1]) }, engine.UseError{Kind: "profile", Agents: 1}},
			{func(e *engine.Edit) {
				e.Remove(w.Agents(nil)...)
				e.RemoveGoal(goals[1])
				e.RemoveGoal(goals[0])
			}, engine.UseError{Kind: "goal", Groups: []string{"walkers"}, Last: true}},
		} {
			var use *engine.UseError
			_, err := w.Edit(func(e *engine.Edit) error { c.change(e); return nil })
			if !errors.As(err, &use) || !reflect.DeepEqual(*use, c.want) {
				t.Errorf("%v, want %+v", err, c.want)
			}
		}
		if hashOf(t, w) != before || len(w.Goals()) != 2 {
			t.Error("a refused edit has changed the world")
		}
		edit(t, w, func(e *engine.Edit) {
			e.Send(goals[0], one...)
			e.AssignProfile(profiles[0], one...)
			e.RemoveGoal(goals[1])
			e.RemoveProfile(profiles[1])
		})
		if d := w.Document(); len(d.Goals) != 1 || len(d.Profiles) != 1 || len(w.Goals()) != 1 || len(w.Profiles()) != 1 {
			t.Errorf("after the removal: %d goals, %d profiles", len(d.Goals), len(d.Profiles))
		}
		if _, err := w.Sources(goals[1]); err == nil {
			t.Error("the handle of a goal that was removed is good")
		}
		steps(t, w, 2)
		var north engine.GoalID
		edit(t, w, func(e *engine.Edit) {
			north = e.AddGoal(scenes.Goal{ID: "west", Points: []mgl64.Vec2{{10, 19}}})
			p := scenes.DefaultProfile()
			p.ID = "child"
			e.AssignProfile(e.AddProfile(engine.Profile{Profile: p}), one...)
			e.Send(north, w.Agents(nil)...)
		})
		if uint32(north) != uint32(goals[1]) || north == goals[1] {
			t.Errorf("the goal that was added is %#x; the one removed was %#x", north, goals[1])
		}
		steps(t, w, 150)
		for _, a := range crowd(w)[:4] {
			if at := world2(w, a); at.Sub(mgl64.Vec2{10, 19}).Len() > 2 && a.Status != agents.Left {
				t.Errorf("an agent sent to the new goal is at %v", at)
			}
		}
	})
}

// TestObstaclesFromCode adds a door and a cart from code: the ground is that of a scene that has
// them.
func TestObstaclesFromCode(t *testing.T) {
	const empty = `{"version": 1, "domain": [0, 0, 30, 20], "goals": [{"id": "exit", "points": [[28, 9]]}]`
	door := scenes.Obstacle{ID: "door", Rect: &scenes.Rect{14, 8, 15, 10}, Open: []scenes.Interval{{0.3, 0.6}}}
	cart := scenes.Obstacle{ID: "cart", Circle: &scenes.Circle{Center: mgl64.Vec2{3, 3}, Radius: 1}, Motion: &scenes.Motion{Path: []mgl64.Vec2{{0, 0}, {5, 0}}, Speed: 1}}
	both := open(t, empty+`, "obstacles": [{"id": "door", "rect": [14, 8, 15, 10], "open": [[0.3, 0.6]]},
		{"id": "cart", "circle": {"center": [3, 3], "radius": 1}, "motion": {"path": [[0, 0], [5, 0]], "speed": 1}}]}`)
	run(t, open(t, empty+"}"), func(d *gpu.Device, w *engine.World) {
		other, err := engine.New(d, both, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		edit(t, w, func(e *engine.Edit) { e.AddObstacle(door); e.AddObstacle(cart) })
		if !reflect.DeepEqual(w.Document(), other.Document()) {
			t.Errorf("%+v, want %+v", w.Document(), other.Document())
		}
		for range 9 {
			steps(t, w, 1)
			steps(t, other, 1)
			if one, two := w.Ground(), other.Ground(); !reflect.DeepEqual(one.Vertices, two.Vertices) || !reflect.DeepEqual(one.Walls, two.Walls) {
				t.Fatalf("at %v s the grounds differ", w.Time())
			}
		}
		for path, o := range map[string]scenes.Obstacle{
			"$.circle.radius": {Circle: &scenes.Circle{Center: mgl64.Vec2{3, 3}, Radius: -1}},
			"$.open[0]":       {Rect: door.Rect, Open: []scenes.Interval{{3, 2}}},
			"$.motion.speed":  {Rect: door.Rect, Motion: &scenes.Motion{Path: cart.Motion.Path, Speed: -1}},
			"$":               {Rect: door.Rect, Circle: cart.Circle},
			"ID":              {ID: "door", Rect: door.Rect},
			"Outline[1]":      {Outline: []mgl64.Vec2{{1, 1}, {31, 1}, {1, 2}}},
		} {
			var faults engine.EditErrors
			if _, err := w.Edit(func(e *engine.Edit) error { e.AddObstacle(o); return nil }); !errors.As(err, &faults) || faults[0].Path != path {
				t.Errorf("want a fault at %s: %v", path, err)
			}
		}
	})
}
