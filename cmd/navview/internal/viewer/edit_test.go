//go:build !headless

package viewer

import (
	"errors"
	"flag"
	"image"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/engine/window"
	"github.com/wayfront/wayfront/spm"
)

// plate is a screen without a window: the test says what happens on it.
type plate struct {
	canvas  *render.Canvas
	events  []window.Event
	slept   int // how often nothing was to be done
	pointer window.Pointer
	quit    bool
}

func (p *plate) Poll() []window.Event {
	events := p.events
	p.events = nil
	return events
}

func (p *plate) Wait(float64) []window.Event {
	p.slept++
	return p.Poll()
}

func (p *plate) Swap() {}
func (p *plate) Quit() { p.quit = true }
func (p *plate) Stay() { p.quit = false }
func (p *plate) FramebufferSize() (width, height int) {
	return p.canvas.Target.Size()
}
func (p *plate) ContentScale() float32                    { return float32(p.canvas.Oversize) }
func (p *plate) SetTitle(string)                          {}
func (p *plate) SetPointer(to window.Pointer)             { p.pointer = to }
func (p *plate) target(*gpu.Device, int, int) *gpu.Target { return p.canvas.Target }

// author is a user at a viewer on a plate.
type author struct {
	*viewer
	*plate
	t   testing.TB
	now time.Time
}

// yard is 40 m by 25 m, at 10 pixels a meter with a margin: a door in a wall, things that stand and
// one that moves, two goals.
const yard = `{"version": 1, "name": "yard", "domain": [0, 0, 40, 25],
	"obstacles": [{"id": "wall", "rect": [14, 0, 14.5, 10]}, {"id": "door", "rect": [14, 10, 14.5, 13], "open": [[4, 20]]}, {"rect": [14, 13, 14.5, 25]},
		{"id": "column", "circle": {"center": [26, 12], "radius": 2}},
		{"id": "ring", "polygon": [[18, 2], [24, 2], [24, 8], [18, 8]], "holes": [[[19, 3], [23, 3], [23, 7], [19, 7]]]},
		{"id": "cart", "rect": [31, 2, 33, 4], "motion": {"path": [[0, 0], [5, 0]], "speed": 1}}],
	"goals": [{"id": "exits", "points": [[38, 9], [38, 20]], "segments": [[[20, 22], [28, 22]]]}, {"id": "stage", "points": [[3, 3]]}],
	"profiles": [{"id": "p", "avoidance": "none"}],
	"groups": [{"profile": "p", "count": 8, "spawn": {"rect": [2, 14, 12, 22]}, "itinerary": ["exits"]}],
	"map": {"size": 50}}`

// at opens a paused viewer on a scene and hands it to use.
func at(t testing.TB, scene string, use func(a *author)) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "scene.json")
	if err := os.WriteFile(file, []byte(scene), 0o644); err != nil {
		t.Fatal(err)
	}
	sitting(t, file, image.Pt(448, 298), 1, use)
}

// sitting is a user's at a paused viewer, of some size on a display of some scale.
func sitting(t testing.TB, scene string, pixels image.Point, scale int, use func(a *author)) {
	t.Helper()
	doc, err := document.Load(scene)
	if err != nil {
		t.Fatal(err)
	}
	gputest.Fresh(t, func(d *gpu.Device) {
		c, err := render.NewCanvas(d, pixels, scale)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Delete()
		all := render.Regions | render.Isolines | render.Obstacles | render.Sources | render.Agents
		p := &plate{canvas: c}
		v, err := newViewer(p, d, doc, worldview.Look{Layers: all, Palette: render.PaletteCalm})
		if err != nil {
			t.Fatal(err)
		}
		defer v.clear()
		v.playing = false
		use(&author{viewer: v, plate: p, t: t, now: time.Now()})
	})
}

// frameTime is the time between two frames of an author.
const frameTime = 20 * time.Millisecond

// frame is one frame, frameTime after the last, in which events happen.
func (a *author) frame(events ...window.Event) {
	a.t.Helper()
	a.events = append(a.events, events...)
	a.now = a.now.Add(frameTime)
	if err := a.viewer.frame(a.now); err != nil {
		a.t.Fatal(err)
	}
}

// settled draws frames until maps and clicks are done.
func (a *author) settled() {
	a.t.Helper()
	for start := time.Now(); time.Since(start) < 20*time.Second; {
		a.frame()
		if !a.view.World.Building() {
			return
		}
	}
	a.t.Fatal("maps are never done")
}

func (a *author) to(p mgl64.Vec2) window.Event {
	x, y := a.camera.Pixel(p)
	return window.MoveEvent{X: x, Y: y}
}

func (a *author) press(b window.Button) { a.frame(window.ButtonEvent{Button: b, Action: window.Press}) }

func (a *author) release(b window.Button) {
	a.frame(window.ButtonEvent{Button: b, Action: window.Release})
}

// pull drags with a button from one place on the ground to another, without letting go.
func (a *author) pull(b window.Button, from, to mgl64.Vec2) {
	a.t.Helper()
	// As the picture is when it begins.
	moves := []window.Event{a.to(from), a.to(from.Add(to).Mul(0.5)), a.to(to)}
	a.frame(moves[0])
	a.press(b)
	a.frame(moves[1])
	a.frame(moves[2])
}

func (a *author) drag(from, to mgl64.Vec2) {
	a.t.Helper()
	a.pull(window.Left, from, to)
	a.release(window.Left)
	a.settled()
}

func (a *author) clickOn(p mgl64.Vec2, m window.Modifiers) {
	a.t.Helper()
	a.frame(a.to(p))
	a.frame(window.ButtonEvent{Button: window.Left, Action: window.Press, Modifiers: m})
	a.release(window.Left)
	a.settled()
}

func (a *author) key(key string, m window.Modifiers) {
	a.t.Helper()
	a.frame(window.KeyEvent{Key: key, Action: window.Press, Modifiers: m})
	a.settled()
}

// state is all that edits change.
type state struct {
	sources   []spm.Goal
	obstacles []engine.ObstacleState
}

func (a *author) state() state {
	var s state
	for _, g := range a.view.World.Goals() {
		s.sources = append(s.sources, a.edits.sources(g))
	}
	for _, o := range a.view.World.Obstacles() {
		s.obstacles = append(s.obstacles, a.edits.state(o))
	}
	return s
}

// obstacle is the state of an obstacle.
func (a *author) obstacle(id string) engine.ObstacleState {
	a.t.Helper()
	o, ok := a.view.World.Obstacle(id)
	if !ok {
		a.t.Fatalf("no obstacle is called %s", id)
	}
	return a.edits.state(o)
}

// near reports whether two points are the same but for the rounding of pixels and back: a part in
// 2^52 of some hundred pixels, of coordinates of 40 m, a few times over.
func near(p, q mgl64.Vec2) bool { return p.Sub(q).Len() < 1e-10 }

// TestDragSource drags each kind of source, and each part of a segment: that one moves as the
// pointer does, nothing else changes, and the map follows.
func TestDragSource(t *testing.T) {
	for name, c := range map[string]struct {
		from, to mgl64.Vec2
		change   func(s *spm.Goal)
	}{
		"point":       {mgl64.Vec2{38, 20}, mgl64.Vec2{30, 17}, func(s *spm.Goal) { s.Points[1] = mgl64.Vec2{30, 17} }},
		"beside it":   {mgl64.Vec2{38.3, 9.2}, mgl64.Vec2{30.3, 9.2}, func(s *spm.Goal) { s.Points[0] = mgl64.Vec2{30, 9} }},
		"start":       {mgl64.Vec2{20, 22}, mgl64.Vec2{17, 15}, func(s *spm.Goal) { s.Segments[0][0] = mgl64.Vec2{17, 15} }},
		"stop":        {mgl64.Vec2{28, 22}, mgl64.Vec2{30, 24}, func(s *spm.Goal) { s.Segments[0][1] = mgl64.Vec2{30, 24} }},
		"middle":      {mgl64.Vec2{23, 22}, mgl64.Vec2{25, 20}, func(s *spm.Goal) { s.Segments[0] = [2]mgl64.Vec2{{22, 20}, {30, 20}} }},
		"over a wall": {mgl64.Vec2{38, 20}, mgl64.Vec2{5, 20}, func(s *spm.Goal) { s.Points[1] = mgl64.Vec2{5, 20} }},
		"outside":     {mgl64.Vec2{38, 20}, mgl64.Vec2{41, 26}, func(s *spm.Goal) { s.Points[1] = mgl64.Vec2{40, 25} }},
		"all outside": {mgl64.Vec2{24, 22}, mgl64.Vec2{39, 27}, func(s *spm.Goal) { s.Segments[0] = [2]mgl64.Vec2{{32, 25}, {40, 25}} }},
	} {
		t.Run(name, func(t *testing.T) {
			at(t, yard, func(a *author) {
				a.settled()
				want, camera, work := a.state(), a.camera, a.view.World.Work()
				c.change(&want.sources[0])
				a.drag(c.from, c.to)
				got := a.state()
				for i, p := range want.sources[0].Points {
					if !near(got.sources[0].Points[i], p) {
						t.Errorf("point %d is %v, want %v", i, got.sources[0].Points[i], p)
					}
				}
				for i, p := range want.sources[0].Segments[0] {
					if !near(got.sources[0].Segments[0][i], p) {
						t.Errorf("end %d is %v, want %v", i, got.sources[0].Segments[0][i], p)
					}
				}
				if !reflect.DeepEqual(got.sources[1], want.sources[1]) || !reflect.DeepEqual(got.obstacles, want.obstacles) {
					t.Error("something else has changed")
				}
				if a.camera != camera {
					t.Error("the picture has moved too")
				}
				view, err := a.view.World.View(a.goal())
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range append(got.sources[0].Points, got.sources[0].Segments[0][0]) {
					if q := view.Query(p); q.State != spm.Reached || q.Distance > 1e-4 {
						t.Errorf("the map is %v at the source at %v", q, p)
					}
				}
				now := a.view.World.Work()
				if now.Grounds != work.Grounds || now.Walls != work.Walls || a.view.World.Ticks() != 0 {
					t.Errorf("a source that moves in a world that stands still made %+v of %+v, %d ticks", now, work, a.view.World.Ticks())
				}
			})
		})
	}
}

// TestDragObstacle: whole obstacles move, with holes, doors and what moves by itself; they stay in
// the domain.
func TestDragObstacle(t *testing.T) {
	for name, c := range map[string]struct {
		id           string
		from, to, by mgl64.Vec2
	}{
		"column": {"column", mgl64.Vec2{26, 13}, mgl64.Vec2{31, 15}, mgl64.Vec2{5, 2}},
		// A pixel beside it.
		"by its rim":   {"column", mgl64.Vec2{23.9, 12}, mgl64.Vec2{21.9, 12}, mgl64.Vec2{-2, 0}},
		"with a hole":  {"ring", mgl64.Vec2{18.5, 5}, mgl64.Vec2{19.5, 8}, mgl64.Vec2{1, 3}},
		"door":         {"door", mgl64.Vec2{14.2, 11}, mgl64.Vec2{10.2, 11}, mgl64.Vec2{-4, 0}},
		"cart":         {"cart", mgl64.Vec2{32, 3}, mgl64.Vec2{32, 6}, mgl64.Vec2{0, 3}},
		"out below":    {"cart", mgl64.Vec2{32, 3}, mgl64.Vec2{33, -1}, mgl64.Vec2{1, -2}},
		"out above":    {"column", mgl64.Vec2{26, 12}, mgl64.Vec2{50, 30}, mgl64.Vec2{12, 11}},
		"no room at y": {"wall", mgl64.Vec2{14.2, 5}, mgl64.Vec2{15.2, 4}, mgl64.Vec2{1, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			at(t, yard, func(a *author) {
				a.settled()
				before, camera := a.state(), a.camera
				a.drag(c.from, c.to)
				got := a.state()
				moved := 0
				for i, was := range before.obstacles {
					now, by := got.obstacles[i], mgl64.Vec2{}
					if was.ID == c.id {
						by = c.by
						moved++
					}
					for k, ring := range append([]geom.Ring{was.Shape.Outer}, was.Shape.Holes...) {
						to := append([]geom.Ring{now.Shape.Outer}, now.Shape.Holes...)[k]
						for j, p := range ring {
							if !near(to[j], p.Add(by)) {
								t.Fatalf("%s: a vertex at %v is now at %v, want %v", was.ID, p, to[j], p.Add(by))
							}
						}
					}
					if now.Opens != was.Opens || now.Moves != was.Moves || now.Door != was.Door {
						t.Errorf("%+v is now %+v", was, now)
					}
				}
				if moved != 1 || !reflect.DeepEqual(before.sources, got.sources) || a.camera != camera {
					t.Error("something else has moved")
				}
				if _, ok := a.view.World.ObstacleAt(c.from.Add(c.by)); !ok && name != "by its rim" {
					t.Error("the obstacle is not under the pointer")
				}
				if a.alarm != nil {
					t.Errorf("alarm %q", a.alarm)
				}
			})
		})
	}
}

// TestMapFollowsEveryDrag: while the button is down the map is that of where things are, with a
// tick in no frame.
func TestMapFollowsEveryDrag(t *testing.T) {
	at(t, yard, func(a *author) {
		world := a.view.World
		distance := func(p mgl64.Vec2) float64 {
			view, err := world.View(world.Goals()[0])
			if err != nil {
				t.Fatal(err)
			}
			return view.Query(p).Distance
		}
		shut := distance(mgl64.Vec2{10, 11.5})
		if !math.IsInf(shut, 1) {
			t.Fatalf("the wall lets through: %v", shut)
		}
		a.pull(window.Left, mgl64.Vec2{14.25, 11.5}, mgl64.Vec2{8.25, 11.5})
		a.settled()
		if got := distance(mgl64.Vec2{10, 11.5}); math.IsInf(got, 1) {
			t.Error("the door was dragged out of the wall, and the map does not know")
		}
		a.frame(a.to(mgl64.Vec2{14.25, 11.5}))
		a.settled()
		if got := distance(mgl64.Vec2{10, 11.5}); !math.IsInf(got, 1) {
			t.Errorf("the door was dragged back into the wall: %v", got)
		}
		if world.Ticks() != 0 || a.edits.grab == nil {
			t.Errorf("%d ticks; held: %v", world.Ticks(), a.edits.grab)
		}
	})
}

// TestCancel: escape puts everything back to the last bit, ends the drag though the button stays
// down, leaves the help, bending and the chosen agent, and never quits.
func TestCancel(t *testing.T) {
	at(t, yard, func(a *author) {
		a.settled()
		before := a.state()
		for _, from := range []mgl64.Vec2{{38, 9}, {20, 22}, {24, 22}, {26, 12}, {14.25, 11}, {32, 3}} {
			a.pull(window.Left, from, from.Add(mgl64.Vec2{-1.7, 0.37}))
			a.settled()
			if reflect.DeepEqual(a.state(), before) {
				t.Fatalf("nothing is dragged from %v", from)
			}
			a.key("escape", 0)
			if !reflect.DeepEqual(a.state(), before) {
				t.Errorf("dragged from %v: it is not back", from)
			}
			camera := a.camera
			a.frame(a.to(from.Add(mgl64.Vec2{-3, 1})))
			a.release(window.Left)
			a.settled()
			if !reflect.DeepEqual(a.state(), before) {
				t.Errorf("the drag from %v went on after escape", from)
			}
			a.camera = camera
		}
		if len(a.edits.undoStack) != 0 {
			t.Error("there is something to undo")
		}
		a.key("h", 0)
		a.key("escape", 0)
		if a.help || a.quit {
			t.Error("escape did not close the help, or quit too")
		}
		a.key("b", 0)
		a.key("escape", 0)
		if a.tuner.shown || a.quit {
			t.Error("escape did not leave bending, or quit too")
		}
		if err := a.view.Choose(3); err != nil {
			t.Fatal(err)
		}
		a.key("escape", 0)
		if a.view.Chosen != -1 {
			t.Error("escape did not leave the agent")
		}
		a.key("escape", 0)
		if a.quit {
			t.Error("escape has quit")
		}
	})
}

// TestDoors: a click opens and shuts a door and no other obstacle, a key all of them, and another
// gives it back to its timetable.
func TestDoors(t *testing.T) {
	at(t, yard, func(a *author) {
		a.settled()
		door, column, hint := mgl64.Vec2{14.25, 11}, mgl64.Vec2{26, 12}, func() string { return a.edits.hint(a.goal()) }
		sees := func() bool { return a.view.World.Sees(mgl64.Vec2{12, 11}, mgl64.Vec2{16, 11}) }
		step := func(what string, id string, present bool, by engine.Door, says string) {
			t.Helper()
			if got := a.obstacle(id); got.Present != present || got.Door != by {
				t.Errorf("%s: present %v, door %v", what, got.Present, got.Door)
			}
			if !strings.Contains(hint(), says) {
				t.Errorf("%s: the hint is %q, want %q in it", what, hint(), says)
			}
		}
		a.frame(a.to(door))
		step("hover", "door", true, engine.DoorTimed, "door, shut")
		a.clickOn(door, 0)
		step("click", "door", false, engine.DoorOpen, "click: shut it")
		if !sees() {
			t.Error("the ground does not follow")
		}
		a.clickOn(door, 0)
		step("second click", "door", true, engine.DoorShut, "shift+d")
		if sees() {
			t.Error("the ground does not follow back")
		}
		a.key("d", window.Shift)
		step("shift+d", "door", true, engine.DoorTimed, "click: open it")
		sources := a.state().sources
		a.clickOn(column, 0)
		step("click on a column", "column", true, engine.DoorTimed, "d: take it away")
		a.key("d", 0)
		step("d", "column", false, engine.DoorOpen, "d: put it back")
		a.key("d", 0)
		step("d again", "column", true, engine.DoorShut, "d: take it away")
		if !reflect.DeepEqual(a.state().sources, sources) {
			t.Error("a click on an obstacle moved a goal")
		}
		for range 5 {
			a.key("z", window.Control)
		}
		step("undone", "column", true, engine.DoorTimed, "d: take it away")
		a.frame(a.to(door))
		step("undone", "door", true, engine.DoorTimed, "click: open it")
		if len(a.edits.undoStack) != 0 {
			t.Errorf("%d edits are left to undo", len(a.edits.undoStack))
		}
	})
}

// TestPan: the left button pans on free ground and the others everywhere; nothing else changes.
func TestPan(t *testing.T) {
	at(t, yard, func(a *author) {
		a.settled()
		before := a.state()
		for name, c := range map[string]struct {
			button window.Button
			from   mgl64.Vec2
		}{
			"ground": {window.Left, mgl64.Vec2{30, 15}}, "outside": {window.Left, mgl64.Vec2{-0.5, 15}}, "in the ring": {window.Left, mgl64.Vec2{21, 5}},
			"obstacle, middle": {window.Middle, mgl64.Vec2{26, 12}}, "source, right": {window.Right, mgl64.Vec2{38, 9}},
		} {
			camera := a.camera
			a.pull(c.button, c.from, c.from.Add(mgl64.Vec2{-3, 2}))
			if got := a.ground(); !near(got, c.from) {
				t.Errorf("%s: %v was under the pointer, now %v is", name, c.from, got)
			}
			a.release(c.button)
			if a.camera.Scale != camera.Scale {
				t.Errorf("%s: zoomed", name)
			}
			a.camera = camera
		}
		a.settled()
		if !reflect.DeepEqual(a.state(), before) || len(a.edits.undoStack) != 0 {
			t.Error("panning has edited the world")
		}
	})
}

// TestPlace: clicks with shift place the goal beside its other sources, others change nothing;
// delete removes one; other goals' sources show their map.
func TestPlace(t *testing.T) {
	at(t, yard, func(a *author) {
		a.settled()
		before := a.state()
		here, there := mgl64.Vec2{30, 15}, mgl64.Vec2{33, 17}
		a.clickOn(here, window.Shift)
		if got := a.state().sources[0]; len(got.Points) != 3 || !near(got.Points[2], here) || len(got.Segments) != 1 {
			t.Errorf("shift+click: %v", got)
		}
		if err := a.view.Choose(3); err != nil {
			t.Fatal(err)
		}
		placed := a.state()
		a.clickOn(there, 0)
		if got := a.state(); !reflect.DeepEqual(got, placed) || len(a.edits.undoStack) != 1 || a.view.Chosen != -1 {
			t.Errorf("click: %v, agent %d", got, a.view.Chosen)
		}
		a.key("z", window.Control)
		if !reflect.DeepEqual(a.state(), before) {
			t.Error("not undone")
		}
		a.frame(a.to(mgl64.Vec2{38, 9}))
		a.key("delete", 0)
		a.frame(a.to(mgl64.Vec2{24, 22}))
		a.key("delete", 0)
		if got := a.state().sources[0]; len(got.Points) != 1 || got.Points[0] != (mgl64.Vec2{38, 20}) || len(got.Segments) != 0 {
			t.Errorf("delete: %v", got)
		}
		a.key("delete", 0) // nothing is there any more
		a.frame(a.to(mgl64.Vec2{26, 12}))
		a.key("delete", 0) // an obstacle
		if got := a.state(); len(got.sources[0].Points) != 1 || !a.obstacle("column").Present {
			t.Errorf("delete has removed more: %v", got.sources)
		}
		a.clickOn(mgl64.Vec2{3, 3}, 0)
		if a.view.Goal != 1 || !reflect.DeepEqual(a.state().sources[1], before.sources[1]) {
			t.Errorf("goal %d is shown, with %v", a.view.Goal, a.state().sources[1])
		}
		a.clickOn(mgl64.Vec2{-0.5, 3}, window.Shift)
		if a.alarm == nil || !strings.Contains(a.alarm[0], "outside the domain") {
			t.Errorf("alarm %q", a.alarm)
		}
		a.clickOn(mgl64.Vec2{5, 5}, window.Shift)
		if a.alarm != nil {
			t.Errorf("alarm %q is still shown", a.alarm)
		}
	})
}

// TestLeave: an action that drops unsaved edits needs a second press.
func TestLeave(t *testing.T) {
	ways := map[string]window.Event{
		"quit": window.KeyEvent{Key: "q", Action: window.Press}, "close": window.CloseEvent{}, "again": window.KeyEvent{Key: "r", Action: window.Press},
	}
	at(t, yard, func(a *author) {
		a.settled()
		left := func(how string) bool {
			quit, world := a.quit, a.view.World
			a.frame(ways[how])
			gone := a.quit != quit || a.view.World != world
			a.quit = false
			return gone
		}
		for how := range ways {
			if !left(how) {
				t.Errorf("%s: a question though nothing was edited", how)
			}
		}
		for how := range ways {
			a.settled()
			a.drag(mgl64.Vec2{38, 9}, mgl64.Vec2{36, 4})
			if left(how) {
				t.Errorf("%s: unsaved edits are lost", how)
			}
			if want := "ctrl+s saves"; !strings.Contains(strings.Join(a.notices(), "\n"), want) {
				t.Errorf("%s: said %q, want %q in it", how, a.notice, want)
			}
			other := "again"
			if how == other {
				other = "close"
			}
			if left(other) {
				t.Errorf("%s after %s: unsaved edits are lost", other, how)
			}
			left(how)
			a.key("escape", 0)
			if left(how) {
				t.Errorf("%s: unsaved edits are lost though escape was pressed in between", how)
			}
			a.now = a.now.Add(2 * noticeTime)
			a.frame()
			if left(how) {
				t.Errorf("%s: unsaved edits are lost long after the question", how)
			}
			if !left(how) {
				t.Errorf("%s: nothing happened at the second press", how)
			}
			if how != "again" {
				a.frame(a.to(mgl64.Vec2{36, 4}))
				a.key("z", window.Control)
				if !left(how) {
					t.Errorf("%s: a question though all was undone", how)
				}
			}
		}
		a.settled()
		a.drag(mgl64.Vec2{38, 9}, mgl64.Vec2{36, 4})
		a.key("s", window.Control)
		if !left("quit") {
			t.Error("a question though all is saved")
		}
	})
}

// TestReloadKeepsEdits: a file that changes does not drop unsaved edits; a second press of r does.
func TestReloadKeepsEdits(t *testing.T) {
	at(t, yard, func(a *author) {
		a.settled()
		a.changes = Watch(a.doc.File)
		write := func(text string) {
			t.Helper()
			if err := os.WriteFile(a.doc.File, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			for range 3 * lookEvery / frameTime { // until two looks have found it equal
				a.frame()
			}
			a.settled()
		}
		moved := func(to string) string { return strings.Replace(yard, "[[3, 3]]", to, 1) }
		write(moved("[[4, 4]]"))
		if got := a.state().sources[1].Points[0]; got != (mgl64.Vec2{4, 4}) {
			t.Errorf("without edits the file is not read again: %v", got)
		}
		a.drag(mgl64.Vec2{38, 9}, mgl64.Vec2{36, 4})
		want := a.state()
		write(moved("[[5, 5]]"))
		if !reflect.DeepEqual(a.state(), want) || a.alarm == nil || !strings.Contains(a.alarm[0], "has changed") {
			t.Errorf("edits are lost, or nothing is said: %q", a.alarm)
		}
		a.key("r", 0)
		a.key("r", 0)
		if got := a.state().sources; got[1].Points[0] != (mgl64.Vec2{5, 5}) || got[0].Points[0] != (mgl64.Vec2{38, 9}) || a.alarm != nil {
			t.Errorf("%v, alarm %q", got, a.alarm)
		}
	})
}

// TestResize: the whole domain stays in sight while the user has not zoomed or panned, else the
// middle and the scale stay.
func TestResize(t *testing.T) {
	at(t, yard, func(a *author) {
		first := a.plate.canvas
		resize := func(s image.Point) {
			t.Helper()
			c, err := render.NewCanvas(a.device, s, 1)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(c.Delete)
			a.plate.canvas = c
			a.frame(window.ResizeEvent{Width: s.X, Height: s.Y})
		}
		whole := func() bool {
			x0, y0 := a.camera.Pixel(mgl64.Vec2{0, 25})
			x1, y1 := a.camera.Pixel(mgl64.Vec2{40, 0})
			w, h := float64(a.camera.Width), float64(a.camera.Height)
			inside := x0 >= 0 && y0 >= 0 && x1 <= w && y1 <= h
			return inside && (x1-x0 >= w/2 || y1-y0 >= h/4)
		}
		a.settled()
		for _, s := range []image.Point{{900, 700}, {200, 500}, {640, 80}} {
			if resize(s); !whole() {
				t.Errorf("%v: the domain is not what the window shows: %+v", s, a.camera)
			}
		}
		a.frame(a.to(mgl64.Vec2{30, 15}), window.ScrollEvent{DY: 3})
		for _, s := range []image.Point{{900, 700}, {300, 200}} {
			before := a.camera
			if resize(s); a.camera.Center != before.Center || a.camera.Scale != before.Scale {
				t.Errorf("%v: %+v became %+v", s, before, a.camera)
			}
		}
		if a.key("f", 0); !whole() {
			t.Error("f does not fit")
		}
		if resize(image.Pt(500, 400)); !whole() {
			t.Error("after f a resize does not fit")
		}
		a.plate.canvas = first
	})
}

// TestHelpFits: in windows large and small the help lies inside, and every word of it is shown,
// after scrolling if need be.
func TestHelpFits(t *testing.T) {
	at(t, yard, func(a *author) {
		a.settled()
		words := func(lines []string) string { return strings.Join(strings.Fields(strings.Join(lines, " ")), " ") }
		for _, s := range []image.Point{{1280, 800}, {900, 500}, {640, 400}, {640, 200}, {400, 300}, {200, 150}} {
			a.camera.Width, a.camera.Height = s.X, s.Y
			a.help, a.scroll = true, 0
			var seen []string
			for {
				p := a.helpPanel()
				if got := p.Size(a.ratio()); got.X > s.X || got.Y > s.Y {
					t.Fatalf("%v: the help is %v", s, got)
				}
				if !a.scrolls {
					seen = p.Lines
					break
				}
				before := a.scroll
				page := p.Lines[:slices.IndexFunc(p.Lines, func(line string) bool { return strings.HasPrefix(line, "up/down:") })]
				seen = append(seen[:before], page...)
				if err := a.handle(window.ScrollEvent{DY: -1}); err != nil {
					t.Fatal(err)
				}
				if a.helpPanel(); a.scroll == before {
					break
				}
			}
			if got, want := words(seen), words(Keys); got != want {
				t.Errorf("%v: the help says %q", s, got)
			}
			a.scroll = -5
			a.helpPanel()
			if a.scroll < 0 {
				t.Errorf("%v: scrolled to %d", s, a.scroll)
			}
		}
	})
}

// TestPathsFollowEdits: what is shown of a chosen agent's path crosses no obstacle, after edits of
// a world that stands still too.
func TestPathsFollowEdits(t *testing.T) {
	sitting(t, "plaza", image.Pt(320, 200), 1, func(a *author) {
		world := a.view.World
		for world.Ticks() < 50 {
			if err := a.step(); err != nil {
				t.Fatal(err)
			}
		}
		a.settled()
		crowd := make([]agents.Agent, world.Crowd().Count())
		lattice := world.Ground().Lattice
		check := func(what string) {
			t.Helper()
			if err := a.view.Paths.Update(); err != nil {
				t.Fatal(err)
			}
			world.Crowd().Snapshot(crowd)
			points, commands := make([][2]float32, a.view.Paths.Points.Len()), make([]agents.Command, 1)
			a.view.Paths.Points.Read(0, points)
			a.view.Paths.Commands.Read(0, commands)
			c := commands[0]
			view, err := world.View(world.Goals()[crowd[a.view.Chosen].Layer])
			if err != nil {
				t.Fatal(err)
			}
			at := func(p [2]float32) mgl64.Vec2 { return lattice.Origin.Add(mgl64.Vec2{float64(p[0]), float64(p[1])}) }
			length := 0.0
			for i := c.First + 1; i < c.First+c.Count; i++ {
				length += at(points[i]).Sub(at(points[i-1])).Len()
			}
			q := view.Query(at(crowd[a.view.Chosen].Position))
			// Places of float32 on 128 m are a part in 2^24 off, and at most so many meters a
			// corner.
			if off := math.Abs(length - q.Distance); off > 1e-4*float64(c.Count) && q.State == spm.Reached {
				t.Errorf("%s, agent %d: a path of %v m over %d points, want %v m", what, a.view.Chosen, length, c.Count, q.Distance)
			}
		}
		for range 4 {
			a.key("n", 0)
			check("chosen")
			for range 2 {
				a.frame(a.to(mgl64.Vec2{45, 28}))
				if a.key("d", 0); len(a.edits.undoStack) == 0 {
					t.Fatal("nothing is there to take away")
				}
				check("after an edit")
			}
		}
	})
}

// TestBlockedSource: a source that is dragged into an obstacle is blocked, and the hint says so
// until it is dragged on.
func TestBlockedSource(t *testing.T) {
	at(t, yard, func(a *author) {
		a.settled()
		a.pull(window.Left, mgl64.Vec2{38, 9}, mgl64.Vec2{26, 12})
		a.settled()
		if got := a.view.World.BlockedSources(); len(got) != 1 || got[0].Index != 0 || !strings.Contains(a.edits.hint(a.goal()), "blocked: an obstacle covers it") {
			t.Errorf("%v are blocked, the hint is %q", got, a.edits.hint(a.goal()))
		}
		a.frame(a.to(mgl64.Vec2{31, 12}))
		a.settled()
		if got := a.view.World.BlockedSources(); len(got) != 0 || strings.Contains(a.edits.hint(a.goal()), "blocked: an obstacle covers it") {
			t.Errorf("%v are blocked, the hint is %q", got, a.edits.hint(a.goal()))
		}
	})
}

// TestHiddenIsNotHeld: what no layer shows cannot be taken.
func TestHiddenIsNotHeld(t *testing.T) {
	at(t, yard, func(a *author) {
		a.settled()
		for _, c := range []struct {
			key  string
			from mgl64.Vec2
		}{{"3", mgl64.Vec2{26, 12}}, {"6", mgl64.Vec2{38, 9}}} {
			before, camera := a.state(), a.camera
			a.frame(a.to(c.from))
			if a.pointer() != window.Hand {
				t.Errorf("at %v there is nothing to take", c.from)
			}
			a.key(c.key, 0)
			if a.pointer() != window.Arrow {
				t.Errorf("what key %s hides can be taken", c.key)
			}
			a.drag(c.from, c.from.Add(mgl64.Vec2{-2, 3}))
			if !reflect.DeepEqual(a.state(), before) {
				t.Errorf("what key %s hides was dragged", c.key)
			}
			a.camera = camera
			a.key(c.key, 0)
		}
		a.frame(a.to(mgl64.Vec2{26, 12}))
		a.frame(window.LeaveEvent{})
		if a.edits.hovered != (selection{}) {
			t.Error("the pointer has left, and is still on something")
		}
	})
}

func (a *author) pointer() window.Pointer { return a.plate.pointer }

// TestUndoAll makes random drags, clicks and keys, in a world that plays now and then, and takes
// all of it back.
func TestUndoAll(t *testing.T) {
	at(t, strings.Replace(yard, `"motion": {"path": [[0, 0], [5, 0]], "speed": 1}`, `"open": [[100, 110]]`, 1), func(a *author) {
		a.settled()
		before := a.state()
		random := rand.New(rand.NewPCG(3, 5))
		somewhere := func() mgl64.Vec2 { return mgl64.Vec2{random.Float64() * 40, random.Float64() * 25} }
		most := 0
		for range 120 {
			from := somewhere()
			if s := a.state(); random.IntN(2) == 0 { // most places are free
				all := s.obstacles[random.IntN(len(s.obstacles))].Polygon.Outer
				from = all[0].Add(all[2]).Mul(0.5)
				if points := s.sources[0].Points; random.IntN(2) == 0 && len(points) > 0 {
					from = points[random.IntN(len(points))]
				}
			}
			camera := a.camera
			switch random.IntN(6) {
			case 0:
				a.clickOn(from, window.Modifiers(random.IntN(2)))
			case 1:
				key := []string{"d", "delete", "tab", "space", "z", "z"}[random.IntN(6)]
				a.frame(a.to(from), window.KeyEvent{Key: key, Action: window.Press, Modifiers: window.Modifiers(random.IntN(4))})
			default:
				a.pull(window.Left, from, somewhere())
				a.release(window.Left)
			}
			a.camera = camera
			most = max(most, len(a.edits.undoStack))
		}
		if most < 25 {
			t.Fatalf("%d edits at most: the test does too little", most)
		}
		a.playing = false
		for range len(a.edits.undoStack) {
			a.key("z", window.Control)
		}
		a.key("z", window.Control)
		if a.view.World.Time() >= 4 {
			t.Fatal("the door has opened by itself")
		}
		if got := a.state(); !reflect.DeepEqual(got, before) {
			t.Errorf("after all is undone: %+v\nwant %+v", got, before)
		}
	})
}

// TestFramesDoNotWait: while something is dragged and time passes, no tick waits for a map, and
// time passes nevertheless.
func TestFramesDoNotWait(t *testing.T) {
	at(t, yard, func(a *author) {
		a.settled()
		a.playing = true
		a.frame()
		world := a.view.World
		ticks, maps, waits := world.Ticks(), world.Work().Maps, world.Work().Waits
		a.pull(window.Left, mgl64.Vec2{26, 12}, mgl64.Vec2{27, 13})
		for i := 0; world.Ticks() < ticks+20; i++ {
			if i > 5000 {
				t.Fatalf("%d ticks in %d frames", world.Ticks()-ticks, i)
			}
			a.frame(a.to(mgl64.Vec2{27 + float64(i%50)/20, 13}))
		}
		if got := world.Work(); got.Waits != waits || got.Maps < maps+2*19 {
			t.Errorf("%d ticks waited, %d maps were begun", got.Waits-waits, got.Maps-maps)
		}
	})
}

// TestTimePasses: with nothing to build, time is that of the clock, whatever the frames; of a long
// frame some ticks are left out.
func TestTimePasses(t *testing.T) {
	still := strings.Replace(yard, `, "motion": {"path": [[0, 0], [5, 0]], "speed": 1}`, "", 1)
	still = strings.Replace(still, `, "open": [[4, 20]]`, "", 1)
	at(t, still, func(a *author) {
		a.settled()
		tick := a.view.World.Timestep()
		for _, frame := range []time.Duration{tick / 7, tick, tick * 5 / 2, engine.MaxTicks * tick} {
			before, rest := a.view.World.Ticks(), tick-a.due
			a.playing = true
			for range 10 {
				if err := a.advance(frame); err != nil {
					t.Fatal(err)
				}
			}
			a.playing = false
			if got, want := a.view.World.Ticks()-before, uint64((rest+10*frame)/tick); got != want {
				t.Errorf("frames of %v: %d ticks, want %d", frame, got, want)
			}
			if a.behind < 0 || a.behind > tick.Seconds() {
				t.Errorf("frames of %v: %v s behind", frame, a.behind)
			}
		}
		before := a.view.World.Ticks()
		a.playing = true
		if err := a.advance(100 * tick); err != nil {
			t.Fatal(err)
		}
		if got := a.view.World.Ticks() - before; got != engine.MaxTicks {
			t.Errorf("%d ticks in one frame", got)
		}
	})
}

// TestStillFramesSleep: a paused viewer in which nothing happens leaves the processor alone.
func TestStillFramesSleep(t *testing.T) {
	at(t, yard, func(a *author) {
		a.settled()
		slept := a.slept
		for range 5 {
			a.frame()
		}
		if a.slept != slept+5 {
			t.Errorf("%d of 5 frames slept", a.slept-slept)
		}
	})
}

var pictures = flag.String("pictures", "", "a folder to write the README's picture of the viewer to; look at it before it is committed")

// TestPicture takes the README's picture: a building of the square is dragged to where people walk.
// It is golden there, and the map is complete.
func TestPicture(t *testing.T) {
	sitting(t, "plaza", image.Pt(1280, 800), 2, func(a *author) {
		until := func(seconds float64) {
			for a.view.World.Time() < seconds {
				if err := a.step(); err != nil {
					t.Fatal(err)
				}
			}
		}
		until(10)
		a.pull(window.Left, mgl64.Vec2{70, 19}, mgl64.Vec2{61, 24})
		until(16) // the agents that were there walk around it
		a.settled()
		a.now = a.now.Add(time.Second)
		a.frame() // at rest, not in haste
		m := a.canvas.Read()
		golden := 0
		for _, l := range outlines(a.edits.state(a.edits.grab.start.of.obstacle).Polygon) {
			for at := range 19 { // people stand before most places of a wall in their way
				x, y := a.camera.Pixel(l[0].Add(l[1].Sub(l[0]).Mul(float64(at+1) / 20)))
				if m.RGBAAt(int(x)/2, int(y)/2) == render.Highlight {
					golden++
					break
				}
			}
		}
		if golden != 4 {
			t.Errorf("%d of 4 walls of what is held are golden", golden)
		}
		if *pictures == "" {
			return
		}
		f, err := os.Create(filepath.Join(*pictures, "drag.png"))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(png.Encode(f, m), f.Close()); err != nil {
			t.Fatal(err)
		}
	})
}

// BenchmarkDrag drags a source and an obstacle of scenes with 10,000 corners, in a window of 1280 x
// 800 pixels, a pixel or two with each frame: how many frames there are a second, how many maps,
// and how long a frame takes at most.
func BenchmarkDrag(b *testing.B) {
	for _, scene := range []string{"squares-2500", "octagons-1250"} {
		for _, what := range []string{"source", "obstacle"} {
			b.Run(scene+"/"+what, func(b *testing.B) {
				sitting(b, scene, image.Pt(1280, 800), 1, func(a *author) {
					world := a.view.World
					a.settled()
					from := a.edits.sources(a.goal()).Points[0]
					if what == "obstacle" {
						ring := a.edits.state(world.Obstacles()[600]).Polygon.Outer
						from = ring[0].Add(ring[len(ring)/2]).Mul(0.5)
					}
					middle := world.Scene().Min().Add(world.Scene().Max()).Mul(0.5)
					a.pull(window.Left, from, middle)
					if a.edits.grab == nil {
						b.Fatal("nothing is held")
					}
					a.settled()
					maps, longest, i := world.Work().Maps, time.Duration(0), 0
					for b.Loop() {
						start := time.Now()
						a.now = start.Add(-20 * time.Millisecond) // the frame's own clock
						angle := float64(i) / 30
						i++
						a.frame(a.to(middle.Add(mgl64.Vec2{math.Cos(angle), math.Sin(angle)}.Mul(40 / a.camera.Scale))))
						a.device.Finish() // as a window waits for what it shows
						longest = max(longest, time.Since(start))
					}
					b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
					b.ReportMetric(float64(world.Work().Maps-maps)/b.Elapsed().Seconds(), "maps/s")
					b.ReportMetric(longest.Seconds()*1e3, "longest-ms")
				})
			})
		}
	}
}
