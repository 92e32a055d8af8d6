//go:build !headless

package viewer

import (
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/engine/window"
)

func TestMain(m *testing.M) { gputest.Main(m) }

// room is the scene that most tests run on.
const room = "../../testdata/room.json"

// The size of the screen.
const (
	width  = 1280
	height = 800
)

// desk is a screen without a display, and the user before it: events go through the whole program.
type desk struct {
	t         testing.TB
	v         *viewer
	events    []window.Event
	clipboard string
	closed    bool
	title     string
	drawn     *gpu.Target
	now       time.Time
	held      window.Modifiers
}

func (d *desk) Clipboard() string                               { return d.clipboard }
func (d *desk) SetClipboard(text string)                        { d.clipboard = text }
func (d *desk) Poll() []window.Event                            { all := d.events; d.events = nil; return all }
func (d *desk) Wait(float64) []window.Event                     { return d.Poll() }
func (d *desk) Swap()                                           {}
func (d *desk) Quit()                                           { d.closed = true }
func (d *desk) Stay()                                           { d.closed = false }
func (d *desk) FramebufferSize() (int, int)                     { return width, height }
func (d *desk) ContentScale() float32                           { return 1 }
func (d *desk) SetTitle(title string)                           { d.title = title }
func (d *desk) SetPointer(window.Pointer)                       {}
func (d *desk) target(device *gpu.Device, w, h int) *gpu.Target { return d.drawn }

// with runs a test with a paused viewer on a copy of a scene's file, in folders that go.
func with(t testing.TB, file string, test func(d *desk)) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	gputest.Run(t, func(device *gpu.Device) {
		canvas, err := render.NewCanvas(device, image.Pt(width, height), 1)
		if err != nil {
			t.Fatal(err)
		}
		defer canvas.Delete()
		name := file
		if text, err := os.ReadFile(file); err == nil {
			name = filepath.Join(t.TempDir(), filepath.Base(file))
			if err := os.WriteFile(name, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		doc, err := studio.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		d := &desk{t: t, drawn: canvas.Target, now: time.Unix(1000, 0)}
		layers := render.Regions | render.Isolines | render.Obstacles | render.Sources | render.Agents
		if d.v, err = newViewer(d, device, doc, worldview.Look{Layers: layers, Palette: render.PaletteCalm}); err != nil {
			t.Fatal(err)
		}
		defer d.v.close()
		d.v.studio.Playing = false
		d.v.changes = Watch(name)
		d.frames(6) // until docked windows have their places
		test(d)
	})
}

// frames draws so many frames, 60 a second.
func (d *desk) frames(n int) {
	d.t.Helper()
	for range n {
		d.now = d.now.Add(time.Second / 60)
		if err := d.v.frame(d.now); err != nil {
			d.t.Fatal(err)
		}
	}
}

// do gives events, each in a frame of its own.
func (d *desk) do(events ...window.Event) {
	d.t.Helper()
	for _, e := range events {
		d.events = append(d.events, e)
		d.frames(1)
	}
	d.frames(1)
}

// pixel is where a place of the ground is in the window.
func (d *desk) pixel(x, y float64) (float64, float64) {
	return d.v.studio.Camera.Pixel(mgl64.Vec2{x, y})
}

// drag drags from one place of the ground to others.
func (d *desk) drag(places ...[2]float64) {
	d.t.Helper()
	x, y := d.pixel(places[0][0], places[0][1])
	d.do(window.MoveEvent{X: x, Y: y}, window.ButtonEvent{Button: window.Left, Action: window.Press, Modifiers: d.held, X: x, Y: y})
	for _, p := range places[1:] {
		x, y = d.pixel(p[0], p[1])
		d.do(window.MoveEvent{X: x, Y: y})
	}
	d.do(window.ButtonEvent{Button: window.Left, Action: window.Release, Modifiers: d.held, X: x, Y: y})
}

// click clicks a place of the ground. A click right after another at the same place is a double one.
func (d *desk) click(x, y float64) { d.t.Helper(); d.drag([2]float64{x, y}) }

// pressAt clicks a pixel of the window.
func (d *desk) pressAt(x, y float64) {
	d.t.Helper()
	d.do(window.MoveEvent{X: x, Y: y}, window.ButtonEvent{Button: window.Left, Action: window.Press, X: x, Y: y},
		window.ButtonEvent{Button: window.Left, Action: window.Release, X: x, Y: y})
}

// key presses a key, such as "ctrl+z", with the keys that are held for it.
func (d *desk) key(name string) {
	d.t.Helper()
	parts := strings.Split(name, "+")
	last := len(parts) - 1
	var held window.Modifiers
	for _, part := range parts[:last] {
		d.do(window.KeyEvent{Key: heldKeys[part].key, Action: window.Press, Modifiers: held})
		held |= heldKeys[part].modifier
	}
	d.do(window.KeyEvent{Key: parts[last], Action: window.Press, Modifiers: held},
		window.KeyEvent{Key: parts[last], Action: window.Release, Modifiers: held})
	for _, part := range parts[:last] {
		d.do(window.KeyEvent{Key: heldKeys[part].key, Action: window.Release, Modifiers: held})
		held &^= heldKeys[part].modifier
	}
}

var heldKeys = map[string]struct {
	key      string
	modifier window.Modifiers
}{"ctrl": {"control", window.Control}, "shift": {"shift", window.Shift}, "alt": {"alt", window.Alt}}

// text types characters.
func (d *desk) text(words string) {
	d.t.Helper()
	for _, r := range words {
		d.do(window.TextEvent{Rune: r})
	}
}

// TestDragInTheWindow: a drag on the ground goes through the dead zone to the document; a click moves
// nothing; the middle button pans.
func TestDragInTheWindow(t *testing.T) {
	with(t, room, func(d *desk) {
		s := d.v.studio
		before := string(s.Doc.Text())
		box := studio.All(s.Scene(), studio.Obstacles)[0].Figure(s.Scene()).Box()
		x, y := (box[0]+box[2])/2, (box[1]+box[3])/2
		d.click(x, y)
		if string(s.Doc.Text()) != before || len(s.Selected) != 1 {
			t.Fatalf("a click: %v selected, text changed: %v", s.Selected, string(s.Doc.Text()) != before)
		}
		d.drag([2]float64{x, y}, [2]float64{x + 0.3, y}, [2]float64{x + 0.5, y})
		after := studio.All(s.Scene(), studio.Obstacles)[0].Figure(s.Scene()).Box()
		if after == box {
			t.Error("the drag moved nothing")
		}
		d.key("ctrl+z")
		if string(s.Doc.Text()) != before {
			t.Errorf("undone:\n%s", s.Doc.Text())
		}
		camera := s.Camera
		d.do(window.ButtonEvent{Button: window.Middle, Action: window.Press, X: 640, Y: 400}, window.MoveEvent{X: 700, Y: 400},
			window.ButtonEvent{Button: window.Middle, Action: window.Release, X: 700, Y: 400})
		if s.Camera == camera || string(s.Doc.Text()) != before {
			t.Error("the middle button does not pan, or changes the document")
		}
	})
}

// TestCloseAsks: nothing is lost by closing the window; Escape never quits.
func TestCloseAsks(t *testing.T) {
	with(t, room, func(d *desk) {
		s := d.v.studio
		for range 3 {
			d.key("escape")
		}
		if d.closed {
			t.Fatal("Escape quits")
		}
		s.Select(studio.Ref{List: studio.Obstacles, Index: 0, Item: -1})
		d.key("delete")
		d.do(window.CloseEvent{})
		if d.closed {
			t.Fatal("unsaved changes are lost")
		}
		d.key("escape")
		d.key("ctrl+s")
		if !s.Doc.Saved() {
			t.Fatal("not saved")
		}
		d.do(window.CloseEvent{})
		if !d.closed {
			t.Error("a saved document keeps the window open")
		}
	})
}

// TestOthersSave: what another program writes into the file is taken, agents kept.
func TestOthersSave(t *testing.T) {
	with(t, room, func(d *desk) {
		s := d.v.studio
		d.key(".")
		ticks := s.World().Ticks()
		text := strings.Replace(string(s.Doc.Text()), `"version"`, "// theirs\n  \"version\"", 1)
		if err := os.WriteFile(s.Doc.File(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 60 {
			if string(s.Doc.Text()) == text {
				break
			}
			d.frames(4)
		}
		if string(s.Doc.Text()) != text || !s.Doc.Saved() || s.World().Ticks() != ticks {
			t.Errorf("saved %v, ticks %d of %d:\n%s", s.Doc.Saved(), s.World().Ticks(), ticks, s.Doc.Text())
		}
	})
}

// TestPalette: an action is found by its words and done by Enter.
func TestPalette(t *testing.T) {
	with(t, room, func(d *desk) {
		d.key("ctrl+p")
		d.frames(3)
		d.text("light")
		d.key("enter")
		d.frames(2)
		if !d.v.panels.Light() {
			t.Error("the palette did nothing")
		}
	})
}

// TestKeysAreUnique: no key does two things.
func TestKeysAreUnique(t *testing.T) {
	with(t, room, func(d *desk) {
		of := map[string]string{}
		for _, a := range d.v.actions {
			if before, twice := of[a.Key]; twice && a.Key != "" {
				t.Errorf("%s is the key of %s and of %s", a.Key, before, a.Name)
			}
			of[a.Key] = a.Name
		}
	})
}

// TestScrub: dragging the head of the timeline brings the run back, and it goes on from there.
func TestScrub(t *testing.T) {
	with(t, room, func(d *desk) {
		s := d.v.studio
		for range 30 {
			d.key(".")
		}
		hash, err := s.World().Hash()
		if err != nil || s.World().Ticks() != 30 {
			t.Fatal(s.World().Ticks(), err)
		}
		at := func(seconds float64) (float64, float64) { // the track spans 10 s
			left, top, wide, high := d.v.panels.Track()
			return left + wide*seconds/10, top + high/2
		}
		x, y := at(1)
		d.pressAt(x, y)
		d.frames(5)
		if now := s.World().Time(); now < 0.9 || now > 1.1 {
			t.Fatalf("at %v s, want 1 s", now)
		}
		x, y = at(3)
		d.pressAt(x, y)
		d.frames(5)
		again, err := s.World().Hash()
		if err != nil || s.World().Ticks() != 30 || again != hash {
			t.Errorf("back at tick %d with hash %x, want 30 and %x: %v", s.World().Ticks(), again, hash, err)
		}
	})
}

// tool clicks a tool's button.
func (d *desk) tool(name string) {
	d.t.Helper()
	const em = 15 // of the font, pixels
	for i, make := range studio.Tools {
		if make().Name() == name {
			in := d.v.panels.Inset()
			d.pressAt(in.Left+0.85*em+em, in.Top+0.85*em+em+float64(i)*2.15*em)
			if got := d.v.studio.Tool.Name(); got != name {
				d.t.Fatalf("the button of %s gives %s", name, got)
			}
			return
		}
	}
	d.t.Fatalf("there is no tool %s", name)
}

// The places of buttons of the menu bar.
var (
	undoButton = [2]float64{297, 12}
	runButton  = [2]float64{406, 12}
)

// empty is a ground with a goal in a corner.
const empty = `// Two rooms, to be drawn.
{"version": 1, "domain": [0, 0, 20, 12], "goals": [{"id": "exit", "points": [[19, 11]]}]}
`

// TestTwoRooms: an evacuation of two rooms is drawn by the mouse alone, run until all have left, and
// undone to the first byte.
func TestTwoRooms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rooms.json")
	if err := os.WriteFile(file, []byte(empty), 0o600); err != nil {
		t.Fatal(err)
	}
	with(t, file, func(d *desk) {
		s := d.v.studio
		d.tool("Wall")
		for _, wall := range [][2][2]float64{{{10, 0}, {10, 5}}, {{10, 7}, {10, 12}}} {
			d.click(wall[0][0], wall[0][1])
			d.now = d.now.Add(time.Second) // no double click
			d.click(wall[1][0], wall[1][1])
			d.click(wall[1][0], wall[1][1]) // a double click ends it
			d.now = d.now.Add(time.Second)
		}
		if n := len(s.Scene().Obstacles); n != 2 || s.Fault != nil {
			t.Fatalf("%d walls, fault %v\n%s", n, s.Fault, s.Doc.Text())
		}
		d.tool("Select")
		d.drag([2]float64{19, 11}, [2]float64{19, 9}, [2]float64{19, 6})
		if at := s.Scene().Goals[0].Points[0]; at.Sub(mgl64.Vec2{19, 6}).Len() > 1e-9 {
			t.Fatalf("the exit is at %v", at)
		}
		d.tool("Agents")
		d.drag([2]float64{2, 2}, [2]float64{4, 4}, [2]float64{6, 10})
		if n := s.World().Crowd().Count(); n != 16 || s.Fault != nil {
			t.Fatalf("%d agents, fault %v", n, s.Fault)
		}
		d.tool("Select")
		d.pressAt(runButton[0], runButton[1])
		if !s.Playing {
			t.Fatal("the button does not run the scene")
		}
		for range 400 {
			d.now = d.now.Add(100 * time.Millisecond)
			d.frames(1)
			if c := s.World().Crowd().Counters(); s.World().Ticks() > 5 && c.Walking == 0 {
				break
			}
		}
		if c := s.World().Crowd().Counters(); c.Walking != 0 {
			t.Fatalf("%d walk still after %v s", c.Walking, s.World().Time())
		}
		d.pressAt(runButton[0], runButton[1])
		for range 4 {
			d.pressAt(undoButton[0], undoButton[1])
		}
		if got := string(s.Doc.Text()); got != empty {
			t.Errorf("undone to\n%s", got)
		}
	})
}
