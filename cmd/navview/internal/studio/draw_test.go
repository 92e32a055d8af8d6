package studio

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// named returns a tool by name.
func named(t *testing.T, name string) Tool {
	t.Helper()
	for _, make := range Tools {
		if tool := make(); tool.Name() == name {
			return tool
		}
	}
	t.Fatalf("there is no tool %s", name)
	return nil
}

// TestShapesAreDrawn: each tool makes one record by one drag, as one step of the history that undo
// takes back to the byte.
func TestShapesAreDrawn(t *testing.T) {
	for _, c := range []struct {
		tool string
		want func(s *scenes.Scene) bool
	}{
		{"Rectangle", func(s *scenes.Scene) bool { return *s.Obstacles[2].Rect == scenes.Rect{10, 7, 12, 9} }},
		{"Circle", func(s *scenes.Scene) bool { return s.Obstacles[2].Circle.Center == mgl64.Vec2{10, 7} }},
		{"Goal", func(s *scenes.Scene) bool {
			return len(s.Goals) == 1 && s.Goals[0].Segments[0] == scenes.Segment{{10, 7}, {12, 9}}
		}},
		{"Agents", func(s *scenes.Scene) bool {
			return s.Groups[1].Count == 2 && *s.Groups[1].Spawn.Rect == scenes.Rect{10, 7, 12, 9} && s.Groups[1].Itinerary[0] == "exit"
		}},
		{"Gate", func(s *scenes.Scene) bool { return s.Gates[0].Line == scenes.Segment{{10, 7}, {12, 9}} }},
		{"Area", func(s *scenes.Scene) bool { return s.Areas[0].Rect == scenes.Rect{10, 7, 12, 9} }},
	} {
		t.Run(c.tool, func(t *testing.T) {
			with(t, room, func(s *Studio) {
				before := string(s.Doc.Text())
				if err := s.Use(named(t, c.tool)); err != nil {
					t.Fatal(err)
				}
				s.drag(t, s.at(10, 7), s.at(11, 7.9), s.at(12, 9))
				if s.Fault != nil || !c.want(s.Scene()) {
					t.Fatalf("fault %v in\n%s", s.Fault, s.Doc.Text())
				}
				if all, _ := s.Doc.History(); len(all) != 1 || len(s.Selected) != 1 {
					t.Errorf("history %v, selected %v", all, s.Selected)
				}
				if err := s.Go(0); err != nil || string(s.Doc.Text()) != before {
					t.Errorf("undone: %v\n%s", err, s.Doc.Text())
				}
			})
		})
	}
}

// TestPathsAreDrawn: a polygon and a wall, click by click.
func TestPathsAreDrawn(t *testing.T) {
	with(t, room, func(s *Studio) {
		if err := s.Use(named(t, "Polygon")); err != nil {
			t.Fatal(err)
		}
		for _, p := range []mgl64.Vec2{{10, 8}, {12, 8}, {11, 9.5}, {10, 8}} {
			s.click(t, s.at(p[0], p[1]))
		}
		if got := s.Scene().Obstacles; len(got) != 3 || len(got[2].Outline) != 3 || s.Fault != nil {
			t.Fatalf("%v: %v", s.Fault, got)
		}
		if err := s.Use(&Path{Thickness: 0.5}); err != nil {
			t.Fatal(err)
		}
		for _, p := range []mgl64.Vec2{{16, 1}, {18, 1}, {18, 3}} {
			s.click(t, s.at(p[0], p[1]))
		}
		if err := s.Tool.Enter(s); err != nil {
			t.Fatal(err)
		}
		want := []mgl64.Vec2{{16, 1.25}, {17.75, 1.25}, {17.75, 3}, {18.25, 3}, {18.25, 0.75}, {16, 0.75}}
		got := s.Scene().Obstacles[3].Outline
		if len(got) != len(want) {
			t.Fatalf("wall %v, want %v", got, want)
		}
		for i := range want {
			if got[i].Sub(want[i]).Len() > 1e-6 {
				t.Errorf("corner %d of the wall is at %v, want %v", i, got[i], want[i])
			}
		}
		if all, _ := s.Doc.History(); len(all) != 2 {
			t.Errorf("history %v", all)
		}
	})
}

// TestWallCloses: a wall that ends on its first point goes around a hole; one that cannot is drawn in
// parts.
func TestWallCloses(t *testing.T) {
	with(t, room, func(s *Studio) {
		ok(t, s.Use(&Path{Thickness: 0.5}))
		for _, p := range []mgl64.Vec2{{10, 7}, {13, 7}, {13, 9}, {10, 9}, {10.1, 7.1}} {
			s.click(t, s.at(p[0], p[1]))
		}
		all, _ := s.Doc.History()
		o := last(s)
		if s.Fault != nil || len(all) != 1 || len(s.Scene().Obstacles) != 3 || len(o.Holes) != 1 {
			t.Fatalf("fault %v, history %v in\n%s", s.Fault, all, s.Doc.Text())
		}
		if outer, hole := scenes.Around(o.Outline), scenes.Around(o.Holes[0]); outer != (scenes.Rect{9.75, 6.75, 13.25, 9.25}) || hole != (scenes.Rect{10.25, 7.25, 12.75, 8.75}) {
			t.Errorf("a wall from %v to %v", outer, hole)
		}
		for _, p := range []mgl64.Vec2{{10, 1}, {12, 1}, {11.8, 1.2}, {10, 1}} { // thinner than the wall
			s.click(t, s.at(p[0], p[1]))
		}
		if n := len(s.Scene().Obstacles); n != 6 || s.Fault != nil {
			t.Errorf("%d obstacles, fault %v", n, s.Fault)
		}
	})
}

// TestAgentsInAPolygon: corner by corner; their number follows from its area.
func TestAgentsInAPolygon(t *testing.T) {
	draws(t, func() Tool { return &Path{Spawn: true} }, "agents", func(s *Studio) {
		for _, p := range []mgl64.Vec2{{10, 6}, {16, 6.5}, {13, 9.5}, {10, 6}} {
			s.click(t, s.at(p[0], p[1]))
		}
		g := s.Scene().Groups[1]
		const area = 9.75 // half of 6*3.5 - 0.5*3
		if len(g.Spawn.Polygon) != 3 || g.Count != 5 || g.Count != int(math.Round(area*perArea)) || g.Itinerary[0] != "exit" {
			t.Errorf("%+v", g)
		}
	})
}

// TestShiftMakesGoals: Shift begins a goal, by a click and by a drag.
func TestShiftMakesGoals(t *testing.T) {
	with(t, room, func(s *Studio) {
		ok(t, s.Use(newGoal()))
		shift := func(x, y float64) Pointer {
			p := s.at(x, y)
			p.Shift = true
			return p
		}
		s.drag(t, shift(10, 7), shift(10.5, 8), shift(11, 9))
		s.click(t, shift(16, 2))
		goals := s.Scene().Goals
		if len(goals) != 3 || s.Fault != nil || len(goals[0].Segments) != 0 || goals[1].Segments[0] != (scenes.Segment{{10, 7}, {11, 9}}) || goals[2].Points[0] != (mgl64.Vec2{16, 2}) {
			t.Errorf("fault %v, goals %+v", s.Fault, goals)
		}
	})
}

// TestShiftKeepsToAxes: with Shift a wall runs along an axis, past corners that are near.
func TestShiftKeepsToAxes(t *testing.T) {
	with(t, room, func(s *Studio) {
		ok(t, s.Use(&Path{Thickness: 0.5}))
		s.click(t, s.at(10, 7))
		p := s.at(13.9, 6.1) // the pillar's upper corner is at 14, 6
		p.Shift = true
		s.click(t, p)
		ok(t, s.Tool.Enter(s))
		if got := last(s).Rect; got == nil || *got != (scenes.Rect{10, 6.75, 13.9, 7.25}) {
			t.Errorf("the wall is %+v", last(s))
		}
	})
}

// TestSizesStay: what was set of a tool is that of the next one of its kind.
func TestSizesStay(t *testing.T) {
	with(t, room, func(s *Studio) {
		ok(t, s.Use(named(t, "Wall")))
		*s.Tool.(Sized).Sizes()[0].Value = 1
		ok(t, s.Use(newMotion()))
		*s.Tool.(Sized).Sizes()[1].Value = 5
		ok(t, s.Use(named(t, "Wall")))
		s.drag(t, s.at(10, 7), s.at(11, 7), s.at(13, 7))
		ok(t, s.Tool.Enter(s))
		if got := last(s).Rect; got == nil || *got != (scenes.Rect{10, 6.5, 13, 7.5}) {
			t.Errorf("the wall is %+v", last(s))
		}
		ok(t, s.Use(named(t, "Polygon")))
		ok(t, s.Use(newMotion()))
		if m := s.Tool.(*MotionTool); m.Dwell != 5 || m.Speed != motionSpeed {
			t.Errorf("the motion has %v m/s and %v s", m.Speed, m.Dwell)
		}
	})
}
