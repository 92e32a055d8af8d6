package studio

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
)

// ok fails a test where the tool fails.
func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// types types into the tool, which has to take it.
func (s *Studio) types(t *testing.T, text string) {
	t.Helper()
	if done, err := s.Tool.Type(s, text); !done || err != nil {
		t.Fatalf("typed %q: %v, %v", text, done, err)
	}
}

// draws runs a test of one tool: what it does is one entry of the history with a title, the document
// is sound and the world has it, and undo restores every byte.
func draws(t *testing.T, make func() Tool, title string, do func(s *Studio)) {
	t.Helper()
	with(t, room, func(s *Studio) {
		before := string(s.Doc.Text())
		ok(t, s.Use(make()))
		do(s)
		if all, done := s.Doc.History(); len(all) != 1 || done != 1 || all[0].Title != title {
			t.Fatalf("history %v, %d done, want %q", all, done, title)
		}
		if s.Fault != nil || !reflect.DeepEqual(s.World().Document(), s.Doc.Scene()) {
			t.Errorf("fault %v; the world has not what the document has", s.Fault)
		}
		ok(t, s.Go(0))
		if got := string(s.Doc.Text()); got != before {
			t.Errorf("undone to\n%s", got)
		}
	})
}

// last returns the last obstacle.
func last(s *Studio) scenes.Obstacle { return s.Scene().Obstacles[len(s.Scene().Obstacles)-1] }

func TestDrawingIsCancelled(t *testing.T) {
	for _, make := range Tools[1:] {
		name := make().Name()
		t.Run(name, func(t *testing.T) {
			with(t, room, func(s *Studio) {
				ok(t, s.Use(make()))
				ok(t, s.Tool.Press(s, s.at(2, 8)))
				ok(t, s.Tool.Drag(s, s.at(3, 9)))
				for done := true; done; {
					var err error
					done, err = s.Tool.Cancel(s)
					ok(t, err)
				}
				if all, _ := s.Doc.History(); len(all) != 0 || s.Doc.Dragging() || string(s.Doc.Text()) != room {
					t.Errorf("history %v, text\n%s", all, s.Doc.Text())
				}
				s.Tool.Draw(s)
			})
		})
	}
}

func TestDoor(t *testing.T) {
	open := []scenes.Interval{{0, doorTime}}
	draws(t, newDoor, "put a door into wall", func(s *Studio) {
		ok(t, s.Tool.Hover(s, s.at(8, 3.4)))
		s.click(t, s.at(8, 3.4))
		high, low, middle := scenes.Rect{8, 4, 9, 6}, scenes.Rect{8, 0, 9, 2.8}, scenes.Rect{8, 2.8, 9, 4}
		want := []scenes.Obstacle{{ID: "wall", Rect: &low}, s.Scene().Obstacles[1], {ID: "wall-2", Rect: &high}, {ID: "door-1", Rect: &middle, Open: open}}
		if got := s.Scene().Obstacles; !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if len(s.Selected) != 1 || s.Selected[0] != (Ref{Obstacles, 3, -1}) {
			t.Errorf("selected %v", s.Selected)
		}
	})
	draws(t, newDoor, "put a door into wall", func(s *Studio) {
		s.drag(t, s.at(9, 4), s.at(9, 5), s.at(9, 6)) // to the end of the wall
		all := s.Scene().Obstacles
		if len(all) != 3 || *all[0].Rect != (scenes.Rect{8, 0, 9, 4}) || *all[2].Rect != (scenes.Rect{8, 4, 9, 6}) {
			t.Errorf("got %v", all)
		}
	})
	draws(t, newDoor, "put a door into wall", func(s *Studio) {
		ok(t, s.Tool.Press(s, s.at(9, 2)))
		ok(t, s.Tool.Drag(s, s.at(9, 3)))
		s.types(t, "0.8")
		ok(t, s.Tool.Release(s, s.at(9, 3)))
		if got := last(s); *got.Rect != (scenes.Rect{8, 2, 9, 2.8}) {
			t.Errorf("typed: %v", got.Rect)
		}
	})
}

func TestDoorSaysWhyNot(t *testing.T) {
	for name, p := range map[string]mgl64.Vec2{"no wall": {3, 3}, "thick": {8.5, 6}, "short": {14.98, 5.05}} {
		with(t, room, func(s *Studio) {
			ok(t, s.Use(newDoor()))
			s.click(t, s.at(p[0], p[1]))
			if all, _ := s.Doc.History(); len(all) != 0 || s.Notice() == "" {
				t.Errorf("%s: history %v, notice %q", name, all, s.Notice())
			}
		})
	}
}

// TestOpenings compares the areas of what openings leave of polygons, and the number of parts.
func TestOpenings(t *testing.T) {
	ring := geom.Polygon{Outer: geom.Ring{{0, 0}, {10, 0}, {10, 8}, {0, 8}}, Holes: []geom.Ring{{{1, 1}, {9, 1}, {9, 7}, {1, 7}}}}
	bent := geom.Polygon{Outer: wallOf([]mgl64.Vec2{{0, 0}, {6, 2}, {7, 8}}, 0.5).Points}
	wide := geom.Polygon{Outer: geom.Ring{{0, 0}, {10, 0}, {10, 1}, {0, 1}}, Holes: []geom.Ring{{{8, 0.2}, {9, 0.2}, {9, 0.8}, {8, 0.8}}}}
	for name, test := range map[string]struct {
		p          geom.Polygon
		ring, edge int
		from, to   float64
		parts      int // 0: there is no opening
	}{
		"room from outside": {ring, 0, 0, 4, 5, 1},
		"room from inside":  {ring, 1, 0, 4, 5, 1},
		"slanted":           {bent, 0, 0, 2, 3, 2},
		"other side":        {bent, 0, 3, 2, 3, 2},
		"end":               {bent, 0, 0, 0, 1, 1},
		"beside a hole":     {wide, 0, 0, 2, 3, 2},
		"around a hole":     {wide, 0, 0, 7.5, 9.5, 0},
		"at a bend":         {bent, 0, 4, 0, 0.5, 0},
		"all of it":         {scenes.Rect{0, 0, 3, 1}.Polygon(), 0, 0, 0, 3, -1},
	} {
		o, ok := openingOf(test.p, test.ring, test.edge, test.from, test.to)
		var parts []geom.Polygon
		if ok {
			parts, ok = o.cut(test.p)
		}
		if ok != (test.parts != 0) || ok && len(parts) != max(test.parts, 0) {
			t.Errorf("%s: %v, %d parts, want %d", name, ok, len(parts), test.parts)
			continue
		}
		sum, door := 0.0, o.door()
		for _, part := range parts {
			sum += area(part)
			for _, v := range door.Outer { // they touch, no more
				middle := v.Mul(0.999).Add(door.Outer[0].Add(door.Outer[2]).Mul(0.0005))
				if within(part, middle) {
					t.Errorf("%s: %v is of the door and of the wall", name, middle)
				}
			}
		}
		if ok && math.Abs(sum+area(door)-area(test.p)) > 1e-6 {
			t.Errorf("%s: areas %v and %v of %v", name, sum, area(door), area(test.p))
		}
	}
}

func TestMotion(t *testing.T) {
	with(t, room, func(s *Studio) {
		s.Select(Ref{Obstacles, 1, -1})
		ok(t, s.Use(newMotion()))
		s.click(t, s.at(14, 8))
		s.click(t, s.at(16.5, 8))
		s.click(t, s.at(16.5, 8))
		want := []scenes.Keyframe{{}, {Time: 3, Offset: mgl64.Vec2{0, 3}}, {Time: 5.5, Offset: mgl64.Vec2{2.5, 3}}, {Time: 7.5, Offset: mgl64.Vec2{2.5, 3}}}
		if m := s.Scene().Obstacles[1].Motion; m == nil || !reflect.DeepEqual(m.Keyframes, want) {
			t.Fatalf("got %+v", m)
		}
		if s.Fault != nil || !reflect.DeepEqual(s.World().Document(), s.Doc.Scene()) {
			t.Errorf("fault %v; the world has not what the document has", s.Fault)
		}
		if o := s.Tool.Draw(s); len(o.Labels) < 2 {
			t.Errorf("labels %v", o.Labels)
		}
		for range 3 {
			_, done := s.Doc.History()
			ok(t, s.Go(done-1))
		}
		if string(s.Doc.Text()) != room {
			t.Errorf("undone to\n%s", s.Doc.Text())
		}
	})
}

func TestResizeSeveral(t *testing.T) {
	draws(t, func() Tool { return &Select{} }, "resize 2 things", func(s *Studio) {
		s.Select(Ref{Obstacles, 0, -1}, Ref{Obstacles, 1, -1}) // the box is 8, 0 to 15, 6
		s.drag(t, s.at(15, 0), s.at(15, 0.5), s.at(11.5, 3))
		all := s.Scene().Obstacles
		if got := *all[0].Rect; got != (scenes.Rect{8, 3, 8.5, 6}) {
			t.Errorf("the wall is %v", got)
		}
		if got := all[1].Circle; got.Center != (mgl64.Vec2{11, 5.5}) || got.Radius != 0.5 {
			t.Errorf("the pillar is %v", got)
		}
	})
	draws(t, func() Tool { return &Select{} }, "resize 2 things", func(s *Studio) {
		s.Select(Ref{Obstacles, 0, -1}, Ref{Obstacles, 1, -1})
		ok(t, s.Tool.Press(s, s.at(15, 3))) // the middle of an edge
		ok(t, s.Tool.Drag(s, s.at(14, 3)))
		s.types(t, "3.5")
		ok(t, s.Tool.Release(s, s.at(14, 3)))
		all := s.Scene().Obstacles
		if got, c := *all[0].Rect, all[1].Circle; got != (scenes.Rect{8, 0, 8.5, 6}) || c.Center != (mgl64.Vec2{11, 5}) || c.Radius != 0.75 {
			t.Errorf("the wall is %v, the pillar %v", got, c)
		}
	})
}

// ferry is the room with a pillar that waits at its second keyframe.
var ferry = strings.Replace(room, `"radius": 1}`, `"radius": 1}, "motion": {"keyframes": [
      {"time": 0}, {"time": 3, "offset": [0, 3]}, {"time": 5, "offset": [0, 3]}, {"time": 8, "offset": [3, 3]}]}`, 1)

func TestKeyframesAreDragged(t *testing.T) {
	with(t, ferry, func(s *Studio) {
		frames := func() []scenes.Keyframe { return s.Scene().Obstacles[1].Motion.Keyframes }
		before := frames()
		s.Select(Ref{Obstacles, 1, -1})
		s.drag(t, s.at(14, 8), s.at(14, 8.5), s.at(13, 8))
		want := slices.Clone(before)
		want[1].Offset, want[2].Offset = mgl64.Vec2{-1, 3}, mgl64.Vec2{-1, 3}
		if got := frames(); !reflect.DeepEqual(got, want) {
			t.Errorf("dragged to %v, want %v", got, want)
		}
		turner := mgl64.Vec2{17, 8 + s.turnHandle()}
		s.drag(t, s.at(turner[0], turner[1]), s.at(16, 8.5), s.at(15, 8))
		want[3].Angle = 90
		if got := frames(); !reflect.DeepEqual(got, want) {
			t.Errorf("turned to %v, want %v", got, want)
		}
		if all, _ := s.Doc.History(); len(all) != 2 || s.Fault != nil || !reflect.DeepEqual(s.World().Document(), s.Doc.Scene()) {
			t.Errorf("history %v, fault %v", all, s.Fault)
		}
		if o := s.Tool.Draw(s); !slices.ContainsFunc(o.Labels, func(l Label) bool { return l.Words == "3 to 5 s" }) {
			t.Errorf("labels %v", o.Labels)
		}
		ok(t, s.Go(0))
		if string(s.Doc.Text()) != ferry {
			t.Errorf("undone to\n%s", s.Doc.Text())
		}
	})
}

func TestTypedSizesStay(t *testing.T) {
	draws(t, newRectangle, "draw rectangle", func(s *Studio) {
		ok(t, s.Tool.Press(s, s.at(2, 1.5)))
		ok(t, s.Tool.Drag(s, s.at(3, 2)))
		s.types(t, "1.5 x 0.7")
		ok(t, s.Tool.Drag(s, s.at(1, 3)))
		ok(t, s.Tool.Release(s, s.at(1, 3)))
		if got := last(s).Rect; got == nil || *got != (scenes.Rect{0.5, 1.5, 2, 2.2}) {
			t.Errorf("got %+v", last(s))
		}
	})
	draws(t, func() Tool { return &Path{} }, "draw polygon", func(s *Studio) {
		s.click(t, s.at(10, 7))
		ok(t, s.Tool.Hover(s, s.at(11, 7)))
		s.types(t, "2.25")
		ok(t, s.Tool.Enter(s))
		ok(t, s.Tool.Hover(s, s.at(12, 8)))
		s.click(t, s.at(12, 9))
		ok(t, s.Tool.Enter(s))
		if got, want := last(s).Outline, []mgl64.Vec2{{10, 7}, {12.25, 7}, {12, 9}}; !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

// TestTurnDoors: a key opens and closes a door at any time, whatever its timetable says, and leaves the
// past as it was.
func TestTurnDoors(t *testing.T) {
	interval := func(from, to float64) scenes.Interval { return scenes.Interval{from, to} }
	for _, c := range []struct {
		open, closed, thenOpen, thenClosed []scenes.Interval
	}{
		{open: []scenes.Interval{interval(1, 3)}, thenOpen: []scenes.Interval{interval(1, 2)}},
		{open: []scenes.Interval{interval(3, 4)}, thenOpen: []scenes.Interval{interval(2, 4)}},
		{open: []scenes.Interval{interval(0, 1)}, thenOpen: []scenes.Interval{interval(0, 1), interval(2, engine.Forever)}},
		{open: []scenes.Interval{interval(2, 5)}, thenClosed: []scenes.Interval{interval(0, engine.Forever)}},
		{open: []scenes.Interval{interval(2, 5), interval(8, 9)}, thenOpen: []scenes.Interval{interval(8, 9)}},
		{closed: []scenes.Interval{interval(2, engine.Forever)}, thenOpen: []scenes.Interval{interval(0, engine.Forever)}},
		{closed: []scenes.Interval{interval(0, 3), interval(5, 6)}, thenClosed: []scenes.Interval{interval(0, 2), interval(5, 6)}},
	} {
		with(t, room, func(s *Studio) {
			ok(t, s.Change("door", func(to *scenes.Scene) { to.Obstacles[0].Open, to.Obstacles[0].Closed = c.open, c.closed }))
			s.ticks(t, int(2/s.World().Scene().Simulation.Timestep), nil)
			s.Select(Ref{Obstacles, 1, -1})
			if _, can := OfKey(Actions(), s, "d"); can {
				t.Error("a pillar is a door")
			}
			s.Select(Ref{Obstacles, 0, -1})
			a, can := OfKey(Actions(), s, "d")
			was := s.Scene().Obstacles[0]
			if !can || a.Do(s) != nil || s.Fault != nil {
				t.Fatalf("%v: fault %v", can, s.Fault)
			}
			o := s.Scene().Obstacles[0]
			if !reflect.DeepEqual(o.Open, c.thenOpen) || !reflect.DeepEqual(o.Closed, c.thenClosed) {
				t.Errorf("open %v, closed %v: then open %v, closed %v", c.open, c.closed, o.Open, o.Closed)
			}
			if o.PresentAt(2) == was.PresentAt(2) || o.PresentAt(1.9) != was.PresentAt(1.9) || o.PresentAt(0.5) != was.PresentAt(0.5) {
				t.Errorf("open %v, closed %v: it is there at 0.5, 1.9 and 2 s: %v, %v, %v", c.open, c.closed, o.PresentAt(0.5), o.PresentAt(1.9), o.PresentAt(2))
			}
		})
	}
}
