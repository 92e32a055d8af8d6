package engine_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// TestHarmonicMapsWhereWalked: goals have a global map while an agent walks to them whose profile
// asks for it, and it is made anew only where its cells are other ones: not for a wall that moves
// within them, nor for a source that does.
func TestHarmonicMapsWhereWalked(t *testing.T) {
	s := open(t, `{"version": 1, "domain": [0, 0, 16, 8],
		"goals": [{"id": "a", "points": [[15, 4]]}, {"id": "b", "points": [[1, 4]]}, {"id": "c", "points": [[8, 7]]}, {"id": "d", "points": [[8, 1]]}],
		"profiles": [{"id": "harmonic", "steering": "bvp", "bvp": {"cellSize": 0.25, "guide": "harmonic"}}, {"id": "spm", "steering": "bvp"}],
		"groups": [{"profile": "harmonic", "spawn": {"points": [[3, 2]]}, "itinerary": ["a", "c"]}, {"profile": "spm", "spawn": {"points": [[3, 6]]}, "itinerary": ["b"]},
			{"profile": "harmonic", "count": 0, "spawn": {"rect": [1, 1, 2, 2]}, "itinerary": ["d"]}], "map": {"size": 160}}`)
	run(t, s, func(_ *gpu.Device, w *engine.World) {
		maps := func() (maps [4]any, made [4]bool) {
			for i, goal := range w.Goals() {
				m, err := w.HarmonicMap(goal)
				if err != nil {
					t.Fatal(err)
				}
				maps[i], made[i] = m, m != nil
			}
			return maps, made
		}
		before, made := maps()
		if want := [4]bool{true, false, true, false}; made != want {
			t.Errorf("goals have maps: %v, want %v", made, want)
		}
		after := func(what string, same [4]bool, change func(*engine.Edit)) {
			edit(t, w, change)
			steps(t, w, 2) // one begins maps, the next has them
			now, _ := maps()
			for i := range now {
				if (now[i] == before[i]) != same[i] {
					t.Errorf("%s: the map of goal %d is the same: %v, want %v", what, i, !same[i], same[i])
				}
			}
			before = now
		}
		// Cells are of 0.25 m, and their middles at 4.125 and 4.375 m.
		var wall engine.ObstacleID
		all, none := [4]bool{true, true, true, true}, [4]bool{false, true, false, true}
		after("a wall", none, func(e *engine.Edit) { wall = e.AddObstacle(scenes.Obstacle{}.Shaped(box(4.2, 3.2, 5.2, 4.2))) })
		after("within cells", all, func(e *engine.Edit) { e.MoveObstacle(wall, mgl64.Vec2{0.1, 0.1}) })
		after("into others", none, func(e *engine.Edit) { e.MoveObstacle(wall, mgl64.Vec2{0.1, 0}) })
		after("a source within its cell", all, func(e *engine.Edit) { e.SetSources(w.Goals()[0], at(mgl64.Vec2{15.1, 4.1})) })
		after("a source elsewhere", [4]bool{false, true, true, true}, func(e *engine.Edit) { e.SetSources(w.Goals()[0], at(mgl64.Vec2{14.1, 4.1})) })

		own, _ := engine.LocalMap(w, 0)
		other := own
		other.Guide = scenes.GuideSPM
		if err := engine.SetLocalMap(w, 0, &other); err != nil {
			t.Fatal(err)
		}
		if err := engine.SetLocalMap(w, 1, &own); err != nil {
			t.Fatal(err)
		}
		if _, made := maps(); made != [4]bool{false, true, false, false} {
			t.Errorf("once the others are guided by them goals have maps: %v", made)
		}
		steps(t, w, 2)
	})
}
