package studio

import (
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
