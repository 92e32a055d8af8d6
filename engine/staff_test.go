package engine_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
	"github.com/wayfront/wayfront/spm/exact"
)

// Staff walks through the door that is for staff only, visitors around by the other one; all arrive.
// The maps of both have the lengths of exact paths on grounds without the door and with it as a wall.
func TestStaffOnlyDoor(t *testing.T) {
	s, err := builtin.Load("clinic")
	if err != nil {
		t.Fatal(err)
	}
	door := s.Obstacles[slices.IndexFunc(s.Obstacles, func(o scenes.Obstacle) bool { return o.StaffOnly })].Rect
	run(t, s, func(_ *gpu.Device, w *engine.World) {
		lengthsAreThose(t, w, s)
		through, n := map[uint32]int{}, w.Crowd().CountersNow()
		for range 600 {
			present(t, w, func(_ int, at mgl64.Vec2, a agents.Agent) {
				if at[0] > door[0] && at[0] < door[2] && at[1] > door[1] && at[1] < door[3] {
					through[a.Layer]++
				}
			})
			if n = w.Crowd().CountersNow(); n.Left == 52 {
				break
			}
			steps(t, w, 1)
		}
		if n.Left != 52 || through[0] > 0 || through[1] == 0 {
			t.Errorf("%d of 52 have arrived; visitors were seen in the door %d times, staff %d times", n.Left, through[0], through[1])
		}
	})
}

// lengthsAreThose compares maps with exact ones of documents in which doors for staff only are walls,
// or are not there.
func lengthsAreThose(t *testing.T, w *engine.World, s *scenes.Scene) {
	t.Helper()
	for k, g := range s.Goals {
		plain := *s
		plain.Obstacles = nil
		for _, o := range s.Obstacles {
			if !o.StaffOnly || !g.Staff {
				o.StaffOnly = false
				plain.Obstacles = append(plain.Obstacles, o)
			}
		}
		ground, err := plain.Ground()
		if err != nil {
			t.Fatal(err)
		}
		sources := g.SourcesOn(ground, ground)
		want, err := exact.Solve(ground, exact.Goal{Points: sources.Points, Segments: sources.Segments})
		if err != nil {
			t.Fatal(err)
		}
		view, err := w.View(w.Goals()[k])
		if err != nil {
			t.Fatal(err)
		}
		for x := 0.25; x < 30; x += 0.5 {
			for y := 0.25; y < 16; y += 0.5 {
				at := mgl64.Vec2{x, y}
				a, b := view.Query(at).Distance, want.Query(at).Distance
				if a != b && !(math.IsNaN(a) && math.IsNaN(b)) {
					t.Fatalf("goal %s: %v at %v, want %v", g.ID, a, at, b)
				}
			}
		}
	}
}

// Walls become doors for staff and walls again while the world runs; a rollback and a saved world
// have what was then.
func TestWallsBecomeDoorsOfStaff(t *testing.T) {
	s, err := builtin.Load("clinic")
	if err != nil {
		t.Fatal(err)
	}
	door := slices.IndexFunc(s.Obstacles, func(o scenes.Obstacle) bool { return o.StaffOnly })
	s.Obstacles[door].StaffOnly = false
	run(t, s, func(d *gpu.Device, w *engine.World) {
		become := func(i int, staffOnly bool) {
			o := w.Document().Obstacles[i]
			o.StaffOnly = staffOnly
			if _, err := w.Edit(func(e *engine.Edit) error { e.SetObstacle(w.Obstacles()[i], o); return nil }); err != nil {
				t.Fatal(err)
			}
			steps(t, w, 20)
			for w.Building() {
				steps(t, w, 1)
			}
			lengthsAreThose(t, w, w.Document())
		}
		lengthsAreThose(t, w, w.Document())
		before, err := w.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		become(door, true)
		become(1, true)
		var saved bytes.Buffer
		if err := w.Save(&saved); err != nil {
			t.Fatal(err)
		}
		become(door, false)
		become(door, true)
		if err := w.Rollback(before); err != nil {
			t.Fatal(err)
		}
		lengthsAreThose(t, w, w.Document())
		other, err := engine.Restore(d, &saved, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		lengthsAreThose(t, other, other.Document())
		steps(t, other, 20)
		lengthsAreThose(t, other, other.Document())
	})
}
