package engine_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// TestTooIntricateObstacles has a comb with long teeth come between bars that are upright: by an
// edit, and by itself. Their edges cross 3,600 times.
func TestTooIntricateObstacles(t *testing.T) {
	const n = 30
	s := scenes.New(scenes.Rect{0, 0, 40, 20})
	s.Goals = []scenes.Goal{{Points: []mgl64.Vec2{{1, 19}}}}
	s.Groups = []scenes.Group{{Spawn: scenes.Spawn{Points: []mgl64.Vec2{{5, 19}}}}}
	s.Map.Size = 16
	for i := range n {
		x := 21 + 18*float64(i)/n
		s.Obstacles = append(s.Obstacles, scenes.Obstacle{Rect: &scenes.Rect{x, 1, x + 0.01, 18}})
	}
	var comb []mgl64.Vec2
	for i := range n {
		y := 2 + 15*float64(i)/n
		comb = append(comb, mgl64.Vec2{1, y}, mgl64.Vec2{19, y}, mgl64.Vec2{19, y + 0.01}, mgl64.Vec2{1, y + 0.01})
	}
	comb = append(comb, mgl64.Vec2{0.5, 17}, mgl64.Vec2{0.5, 2})
	// It stands still for a while, and comes with a jump.
	s.Obstacles = append(s.Obstacles, scenes.Obstacle{
		ID: "comb", Outline: comb, Motion: &scenes.Motion{Path: []mgl64.Vec2{{0, 0}, {0, 0.001}, {20, 0}}, Speed: 100, Loop: scenes.LoopOnce},
		Open: []scenes.Interval{{0.15, 0.25}},
	})
	run(t, s, func(d *gpu.Device, w *engine.World) {
		const most = 5000
		engine.LimitMeetings(w, most)
		combHandle, _ := w.Obstacle("comb")
		before, obstacles, hash := w.Ground(), w.Obstacles(), hashOf(t, w)
		var limit *geom.LimitError
		_, err := w.Edit(func(e *engine.Edit) error {
			e.AddObstacle(scenes.Obstacle{}.Shaped(box(2, 18.5, 3, 19)))
			e.MoveObstacle(combHandle, mgl64.Vec2{20, 0})
			return nil
		})
		if !errors.As(err, &limit) || limit.Limit != most {
			t.Fatalf("the edit gave %v", err)
		}
		state, err := w.ObstacleState(combHandle)
		if err != nil || state.Polygon.Outer[0] != comb[0] || !slices.Equal(w.Obstacles(), obstacles) || hashOf(t, w) != hash {
			t.Errorf("the refused edit changed the world: %v", err)
		}
		if err := w.Apply(); err != nil || w.Ground() != before || w.Building() {
			t.Errorf("the refused edit changed the ground: %v", err)
		}
		// At 0.1 s the path has its end 10 m ahead.
		steps(t, w, 1)
		ticks, before, hash := w.Ticks(), w.Ground(), hashOf(t, w)
		for range 2 {
			if err := w.Step(); !errors.As(err, &limit) {
				t.Fatalf("the step gave %v", err)
			}
			if w.Ticks() != ticks || w.Ground() != before || hashOf(t, w) != hash {
				t.Fatal("a tick that did not run changed the world")
			}
		}
		edit(t, w, func(e *engine.Edit) { e.RemoveObstacle(combHandle) })
		steps(t, w, 2)
		if w.Ticks() != ticks+2 || w.Ground() == before {
			t.Error("the world does not go on")
		}
	})
}

// TestNewChecksTheScene is about scenes that programs build: what is left out has its default, what
// is wrong its message.
func TestNewChecksTheScene(t *testing.T) {
	s := &scenes.Scene{
		Domain: scenes.Rect{0, 0, 10, 5}, Goals: []scenes.Goal{{Points: []mgl64.Vec2{{9, 2}}}},
		Groups: []scenes.Group{{Count: 3, Spawn: scenes.Spawn{Rect: &scenes.Rect{1, 1, 4, 4}}}}, Map: scenes.Map{Size: 20},
	}
	run(t, s, func(d *gpu.Device, w *engine.World) {
		if s.Profiles != nil || s.Goals[0].ID != "" || w.Scene() == s || w.Scene().Profiles[0].Radius != scenes.DefaultProfile().Radius {
			t.Errorf("the scene given is %+v, that of the world %+v", s, w.Scene())
		}
		steps(t, w, 2)
		if w.Crowd().Count() != 3 {
			t.Errorf("%d agents", w.Crowd().Count())
		}
		s.Profiles = []scenes.Profile{{Avoidance: "orka"}}
		var invalid *scenes.Invalid
		for _, bad := range []*scenes.Scene{{}, s} {
			if w, err := engine.New(d, bad, engine.Options{}); w != nil || !errors.As(err, &invalid) || len(invalid.Problems) == 0 {
				t.Errorf("got %v", err)
			}
		}
		if p := invalid.Problems[0]; p.Path != "$.profiles[0].avoidance" {
			t.Errorf("got %v", p)
		}
	})
}
