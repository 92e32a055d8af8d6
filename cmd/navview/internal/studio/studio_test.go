package studio

import (
	"os"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
	"github.com/wayfront/wayfront/scenes/edit"
)

const room = `{
  // A room with a wall and a pillar.
  "version": 1, "name": "room", "domain": [0, 0, 20, 10],
  "obstacles": [
    {"id": "wall", "rect": [8, 0, 9, 6]}, // to the left of the middle
    {"id": "pillar", "circle": {"center": [14, 5], "radius": 1}},
  ],
  "goals": [{"id": "exit", "points": [[19, 5]]}],
  "groups": [{"count": 8, "spawn": {"rect": [1, 1, 5, 9]}}],
}
`

func TestMain(m *testing.M) {
	if file := os.Getenv(killed); file != "" {
		editUntilKilled(file)
	}
	gputest.WithoutThreads()
	gputest.Main(m)
}

// opened returns a paused studio of a built-in scene.
func opened(t testing.TB, d *gpu.Device, name string) *Studio {
	t.Helper()
	file, text, err := builtin.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(d, edit.New(file, text), worldview.Look{Layers: render.Regions | render.Obstacles | render.Sources | render.Agents, Palette: render.PaletteCalm})
	if err != nil {
		t.Fatal(err)
	}
	s.Playing, s.now = false, time.Unix(0, 0)
	return s
}

// with runs a test with a paused studio on a document.
func with(t *testing.T, text string, test func(s *Studio)) {
	t.Helper()
	gputest.Run(t, func(d *gpu.Device) {
		doc := edit.New("room.json", []byte(text))
		l := worldview.Look{Layers: render.Regions | render.Obstacles | render.Sources | render.Agents, Palette: render.PaletteCalm}
		s, err := New(d, doc, l)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		s.Playing, s.now = false, time.Unix(0, 0)
		s.Camera.Width, s.Camera.Height = 800, 400
		s.Fit()
		test(s)
	})
}

// at returns the pointer at a place.
func (s *Studio) at(x, y float64) Pointer {
	return Pointer{At: mgl64.Vec2{x, y}, Reach: 10 / s.Camera.Scale}
}

// drag drags the tool from one place to others.
func (s *Studio) drag(t *testing.T, from Pointer, to ...Pointer) {
	t.Helper()
	if err := s.Tool.Hover(s, from); err != nil {
		t.Fatal(err)
	}
	if err := s.Tool.Press(s, from); err != nil {
		t.Fatal(err)
	}
	for _, p := range to {
		if err := s.Tool.Drag(s, p); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Tool.Release(s, to[len(to)-1]); err != nil {
		t.Fatal(err)
	}
}

// click presses and releases the tool.
func (s *Studio) click(t *testing.T, p Pointer) {
	t.Helper()
	if err := s.Tool.Press(s, p); err != nil {
		t.Fatal(err)
	}
	if err := s.Tool.Release(s, p); err != nil {
		t.Fatal(err)
	}
}

func TestDragMovesAndUndoRestores(t *testing.T) {
	with(t, room, func(s *Studio) {
		before := string(s.Doc.Text())
		s.drag(t, s.at(8.5, 3), s.at(9, 3), s.at(10.5, 3))
		if got, want := *s.Scene().Obstacles[0].Rect, (scenes.Rect{10, 0, 11, 6}); got != want {
			t.Fatalf("the wall is at %v, want %v", got, want)
		}
		if got := s.World().Document().Obstacles[0].Rect; *got != (scenes.Rect{10, 0, 11, 6}) {
			t.Errorf("the world's wall is at %v", *got)
		}
		if all, done := s.Doc.History(); len(all) != 1 || done != 1 || all[0].Title != "move wall" {
			t.Errorf("history %v, %d done", all, done)
		}
		if err := s.Go(0); err != nil {
			t.Fatal(err)
		}
		if string(s.Doc.Text()) != before {
			t.Errorf("undone to\n%s", s.Doc.Text())
		}
		if got := s.World().Document().Obstacles[0].Rect; *got != (scenes.Rect{8, 0, 9, 6}) {
			t.Errorf("the world's wall is at %v after undo", *got)
		}
	})
}

func TestClickMovesNothing(t *testing.T) {
	with(t, room, func(s *Studio) {
		s.click(t, s.at(8.5, 3))
		if all, _ := s.Doc.History(); len(all) != 0 {
			t.Errorf("a click changed: %v", all)
		}
		if len(s.Selected) != 1 || s.Selected[0] != (Ref{Obstacles, 0, -1}) {
			t.Errorf("selected %v", s.Selected)
		}
	})
}

func TestReshape(t *testing.T) {
	with(t, room, func(s *Studio) {
		s.Select(Ref{Obstacles, 1, -1})
		s.drag(t, s.at(15, 5), s.at(16, 5))
		if got := s.Scene().Obstacles[1].Circle.Radius; got != 2 {
			t.Errorf("radius %v, want 2", got)
		}
		s.Select(Ref{Obstacles, 0, -1})
		s.drag(t, s.at(9, 6), s.at(10, 7))
		if got := *s.Scene().Obstacles[0].Rect; got != (scenes.Rect{8, 0, 10, 7}) {
			t.Errorf("corner: %v", got)
		}
		s.drag(t, s.at(8, 3.5), s.at(7, 2))
		if got := *s.Scene().Obstacles[0].Rect; got != (scenes.Rect{7, 0, 10, 7}) {
			t.Errorf("edge: %v", got)
		}
	})
}

func TestFaultKeepsTheWorld(t *testing.T) {
	with(t, room, func(s *Studio) {
		s.drag(t, s.at(14, 5), s.at(19, 5)) // onto the goal
		if s.Fault == nil || s.Doc.Sound() {
			t.Fatalf("fault %v", s.Fault)
		}
		if got := s.World().Document().Obstacles[1].Circle.Center; got[0] > 18 {
			t.Errorf("the world has the fault: %v", got)
		}
		if err := s.Go(0); err != nil || s.Fault != nil {
			t.Errorf("after undo: %v, %v", err, s.Fault)
		}
	})
}
