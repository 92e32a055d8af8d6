package engine_test

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/spm"
)

// apply calls Apply until maps are as edited, as frames do.
func apply(t *testing.T, d *gpu.Device, w *engine.World) {
	t.Helper()
	for {
		if err := w.Apply(); err != nil {
			t.Fatal(err)
		}
		if !w.Building() {
			return
		}
		d.Finish()
	}
}

// TestApply edits a world that stands still: walls and maps are those of a fresh world, to the last
// byte, and nothing else has changed. Half way through a run too, where a timetable and a motion
// are to stay where they are.
func TestApply(t *testing.T) {
	const scene = `{"version": 1, "name": "hall", "domain": [0, 0, 30, 20],
		"obstacles": [{"rect": [14, 0, 15, 8]}, {"id": "door", "rect": [14, 8, 15, 10], "open": [[4, 20]]}, {"rect": [14, 10, 15, 18]},
			{"id": "cart", "rect": [20, 2, 22, 4], "motion": {"path": [[0, 0], [5, 0]], "speed": 1}}],
		"goals": [{"id": "exit", "points": [[28, 9]]}, {"id": "wide", "points": [[28, 9]], "clearance": 0.3}],
		"profiles": [{"id": "p", "avoidance": "none"}],
		"groups": [{"profile": "p", "count": 30, "spawn": {"rect": [2, 2, 12, 17]}}],
		"map": {"size": 150}}`
	run(t, open(t, scene), func(d *gpu.Device, w *engine.World) {
		door, _ := w.Obstacle("door")
		cart, _ := w.Obstacle("cart")
		for _, ticks := range []int{0, 25, 1} {
			steps(t, w, ticks)
			apply(t, d, w) // what the last tick began
			before, hash := w.Ticks(), hashOf(t, w)
			away, err := w.ObstacleState(cart)
			if err != nil {
				t.Fatal(err)
			}
			straight := 24.0
			for _, open := range []engine.Door{engine.DoorOpen, engine.DoorShut} {
				edit(t, w, func(e *engine.Edit) {
					e.SetDoor(door, open)
					e.SetSources(w.Goals()[0], spm.Goal{Points: []mgl64.Vec2{{28, 9}}})
				})
				apply(t, d, w)
				if got := distance(t, w, 0, mgl64.Vec2{4, 9}); open == engine.DoorOpen && math.Abs(got-straight) > tolerance(30, got) ||
					open == engine.DoorShut && got < straight+1 {
					t.Errorf("after %d ticks, door %d: %v m", w.Ticks(), open, got)
				}
				if w.Sees(mgl64.Vec2{13, 9}, mgl64.Vec2{16, 9}) != (open == engine.DoorOpen) {
					t.Errorf("door %d does not follow", open)
				}
				checkComplete(t, d, w)
			}
			now, err := w.ObstacleState(cart)
			if err != nil {
				t.Fatal(err)
			}
			if w.Ticks() != before || hashOf(t, w) != hash || !slices.Equal(now.Polygon.Outer, away.Polygon.Outer) {
				t.Errorf("time has passed: %d ticks were %d, the cart at %v was at %v, or agents have moved", w.Ticks(), before, now.Polygon, away.Polygon)
			}
		}
		if w.Time() > 4 {
			t.Fatal("the door is open by itself")
		}
	})
}

// TestApplyDoesNotWait: edits that come while maps are pending are taken when these are done, and
// the maps before are read until then.
func TestApplyDoesNotWait(t *testing.T) {
	run(t, open(t, hall), func(d *gpu.Device, w *engine.World) {
		door, _ := w.Obstacle("door")
		set := func(door engine.ObstacleID, to engine.Door) {
			edit(t, w, func(e *engine.Edit) { e.SetDoor(door, to) })
		}
		apply(t, d, w)
		round := distance(t, w, 0, mgl64.Vec2{2, 9})
		set(door, engine.DoorOpen)
		if err := w.Apply(); err != nil {
			t.Fatal(err)
		}
		if !w.Building() {
			t.Fatal("no map was begun")
		}
		opened := w.Ground()
		set(door, engine.DoorShut)
		for first := true; w.Building() && w.Ground() == opened; first = false {
			if first && distance(t, w, 0, mgl64.Vec2{2, 9}) != round {
				t.Fatal("the map has changed before it was complete")
			}
			d.Finish()
			if err := w.Apply(); err != nil {
				t.Fatal(err)
			}
		}
		if w.Ground() == opened {
			t.Error("the second edit was not taken with the call that completed the first one's maps")
		}
		apply(t, d, w)
		if got := distance(t, w, 0, mgl64.Vec2{2, 9}); got != round {
			t.Errorf("%v m round the shut door, want %v", got, round)
		}
		if w.Work().Waits != 0 {
			t.Errorf("%d ticks waited", w.Work().Waits)
		}
	})
}

// TestStatesOfObstacles tells shapes from places.
func TestStatesOfObstacles(t *testing.T) {
	const scene = `{"version": 1, "domain": [0, 0, 30, 20], "obstacles": [
		{"id": "cart", "rect": [2, 2, 4, 4], "motion": {"path": [[0, 0], [5, 0]], "speed": 1}}, {"id": "door", "rect": [14, 8, 15, 10], "open": [[4, 20]]}],
		"goals": [{"id": "exit", "points": [[28, 9]]}]}`
	run(t, open(t, scene), func(d *gpu.Device, w *engine.World) {
		steps(t, w, 11) // the last one begins at 1 s
		for id, want := range map[string]engine.ObstacleState{
			"cart": {Polygon: box(3, 2, 5, 4), Shape: box(2, 2, 4, 4), Moves: true},
			"door": {Polygon: box(14, 8, 15, 10), Shape: box(14, 8, 15, 10), Opens: true},
		} {
			h, _ := w.Obstacle(id)
			got, err := w.ObstacleState(h)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Polygon.Outer, want.Polygon.Outer) || !slices.Equal(got.Shape.Outer, want.Shape.Outer) ||
				got.Opens != want.Opens || got.Moves != want.Moves || !got.Present || got.ID != id {
				t.Errorf("%s: %+v", id, got)
			}
			shape, err := w.Shape(h)
			if err != nil {
				t.Fatal(err)
			}
			// What Shape says is what SetObstacle takes: nothing changes.
			edit(t, w, func(e *engine.Edit) { e.SetObstacle(h, shape) })
			if again, err := w.ObstacleState(h); err != nil || !slices.Equal(again.Polygon.Outer, want.Polygon.Outer) {
				t.Errorf("%s: set to its own shape it is %+v", id, again)
			}
		}
	})
}
