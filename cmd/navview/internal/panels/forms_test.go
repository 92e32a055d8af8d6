//go:build !headless

package panels

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/engine/window"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/edit"
)

func TestMain(m *testing.M) { gputest.Main(m) }

const hall = `{
  // A hall with a wall.
  "version": 1, "name": "hall", "domain": [0, 0, 20, 10],
  "obstacles": [{"id": "wall", "rect": [8, 0, 9, 6]}, {"id": "pillar", "circle": {"center": [14, 5], "radius": 1}}],
  "goals": [{"id": "exit", "points": [[19, 5]]}, {"id": "shop", "points": [[19, 1]]}],
  "profiles": [{"id": "adult"}, {"id": "child", "radius": 0.2}],
  "groups": [{"id": "one", "profile": "adult", "count": 8, "spawn": {"rect": [1, 1, 5, 9]}, "itinerary": ["shop", "exit"]}],
}
`

// desk is a user before the panels: events go in, pixels come out.
type desk struct {
	t      testing.TB
	s      *studio.Studio
	p      *Panels
	canvas *render.Canvas
	fields map[studio.Place][2]float64 // where editors are
	rows   map[studio.Ref][2]float64   // where rows of the outline are
}

// with runs a test with the panels of a paused studio on a document.
func with(t testing.TB, text string, test func(d *desk)) {
	t.Helper()
	gputest.Run(t, func(device *gpu.Device) {
		l := worldview.Look{Layers: render.Regions | render.Obstacles | render.Agents, Palette: render.PaletteCalm}
		s, err := studio.New(device, edit.New("hall.json", []byte(text)), l)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		s.Playing = false
		canvas, err := render.NewCanvas(device, image.Pt(1280, 800), 1)
		if err != nil {
			t.Fatal(err)
		}
		defer canvas.Delete()
		p, err := New(device, Options{Scale: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer p.ui.Delete()
		s.Camera.Width, s.Camera.Height = 1280, 800
		s.Fit()
		d := &desk{t: t, s: s, p: p, canvas: canvas}
		middle := func() [2]float64 {
			low, high := imgui.ItemRectMin(), imgui.ItemRectMax()
			return [2]float64{float64(low.X+high.X) / 2, float64(low.Y+high.Y) / 2}
		}
		p.inspector.probe = func(at studio.Place) { d.fields[at] = middle() }
		p.outline.probe = func(r studio.Ref) { d.rows[r] = middle() }
		d.frames(6)
		test(d)
	})
}

// frames draws frames, 60 a second.
func (d *desk) frames(n int) { d.t.Helper(); d.draw(n, time.Second/60) }

// pause draws a frame after a second: the next click is no second one.
func (d *desk) pause() { d.t.Helper(); d.draw(1, time.Second) }

func (d *desk) draw(n int, elapsed time.Duration) {
	d.t.Helper()
	for range n {
		d.fields, d.rows = map[studio.Place][2]float64{}, map[studio.Ref][2]float64{}
		d.canvas.Target.ClearColor(1, 1, 1, 1)
		if err := d.p.Frame(d.s, studio.Overlay{}, nil, d.canvas.Target, elapsed); err != nil {
			d.t.Fatal(err)
		}
	}
}

// do handles events, each in a frame of its own.
func (d *desk) do(events ...window.Event) {
	d.t.Helper()
	for _, e := range events {
		d.p.Handle(e)
		d.frames(1)
	}
}

// press moves the pointer to a place and presses a button there.
func (d *desk) press(at [2]float64, button window.Button, mods window.Modifiers) {
	d.t.Helper()
	x, y := at[0], at[1]
	d.do(window.MoveEvent{X: x, Y: y}, window.ButtonEvent{Button: button, Action: window.Press, Modifiers: mods, X: x, Y: y},
		window.ButtonEvent{Button: button, Action: window.Release, Modifiers: mods, X: x, Y: y})
	d.frames(2)
}

// click clicks an editor that is seen.
func (d *desk) click(at studio.Place) {
	d.t.Helper()
	d.pause()
	place, ok := d.fields[at]
	if !ok {
		d.t.Fatalf("no field %q is seen", at)
	}
	d.press(place, window.Left, 0)
}

// key presses a key with what it types.
func (d *desk) key(name string, mods window.Modifiers, text string) {
	d.t.Helper()
	d.do(window.KeyEvent{Key: name, Action: window.Press, Modifiers: mods})
	for _, r := range text {
		d.do(window.TextEvent{Rune: r})
	}
	d.do(window.KeyEvent{Key: name, Action: window.Release}) // what was held is not any more
}

// retype replaces the text of the field that is being edited.
func (d *desk) retype(text string) {
	d.t.Helper()
	d.key("a", window.Control, "")
	for _, r := range text {
		d.do(window.TextEvent{Rune: r})
	}
	d.key("enter", 0, "")
	d.frames(2)
}

// typeInto clicks a number twice, and types another one.
func (d *desk) typeInto(at studio.Place, text string) {
	d.t.Helper()
	d.click(at)
	d.press(d.fields[at], window.Left, 0)
	if !d.p.WantsText() {
		d.t.Fatalf("%q takes no text after a double click", at)
	}
	d.retype(text)
}

// entries returns the titles of the history.
func (d *desk) entries() (titles []string) {
	all, _ := d.s.Doc.History()
	for _, e := range all {
		titles = append(titles, e.Title)
	}
	return titles
}

// want compares the history and the fault.
func (d *desk) want(titles ...string) {
	d.t.Helper()
	if got := d.entries(); !slices.Equal(got, titles) || d.s.Doc.Dragging() {
		d.t.Errorf("history %q, want %q; in a gesture: %v", got, titles, d.s.Doc.Dragging())
	}
	if d.s.Fault != nil {
		d.t.Errorf("fault %q", d.s.Fault.Words)
	}
}

func TestDragIsOneEntry(t *testing.T) {
	with(t, hall, func(d *desk) {
		d.s.Select(studio.Ref{List: studio.Goals, Item: -1})
		d.frames(3)
		at := d.fields[".arrivalRadius"]
		d.do(window.MoveEvent{X: at[0], Y: at[1]}, window.ButtonEvent{Button: window.Left, Action: window.Press, X: at[0], Y: at[1]})
		for k := 1.0; k <= 5; k++ {
			d.do(window.MoveEvent{X: at[0] + 5*k, Y: at[1]})
			if !d.s.Doc.Dragging() {
				t.Fatal("a drag is no gesture")
			}
		}
		d.do(window.ButtonEvent{Button: window.Left, Action: window.Release, X: at[0] + 25, Y: at[1]})
		d.frames(2)
		d.want("set arrivalRadius of exit")
		if got := d.s.Scene().Goals[0].ArrivalRadius; got < 0.8 || got > 1.1 { // 0.5 m and 25 pixels of 0.02 m
			t.Errorf("dragged to %v m", got)
		}
		if text := string(d.s.Doc.Text()); !strings.Contains(text, "// A hall with a wall.") {
			t.Error("the comment is lost")
		}
	})
}

func TestTypedNumbers(t *testing.T) {
	with(t, hall, func(d *desk) {
		d.s.Select(studio.Ref{List: studio.Goals, Item: -1})
		d.typeInto(".arrivalRadius", "1.25")
		d.want("set arrivalRadius of exit")
		if got := d.s.Scene().Goals[0].ArrivalRadius; got != 1.25 {
			t.Errorf("typed 1.25, got %v", got)
		}
		d.typeInto(".arrivalRadius", "-3")
		if got := d.s.Scene().Goals[0].ArrivalRadius; got != 1.25 || d.s.Fault == nil || !strings.Contains(d.s.Fault.Words[0], "has to be above 0 m, got -3") {
			t.Errorf("-3 m: %v, %+v", got, d.s.Fault)
		}
		if fix, ok := d.s.Fix(); !ok || fix.Do(d.s) != nil || d.s.Fault != nil {
			t.Errorf("the refusal stays: %+v", d.s.Fault)
		}
	})
}

func TestChoicesAndToggles(t *testing.T) {
	with(t, hall, func(d *desk) {
		profile := studio.Ref{List: studio.Profiles, Index: 1, Item: -1}
		d.s.Select(profile)
		d.click(".avoidance")
		d.click(".avoidance=rvo")
		d.click(".radius~")
		d.want("set avoidance of child", "set radius of child")
		if p := d.s.Scene().Profiles[1]; p.Avoidance != "rvo" || p.Radius.Mean != 0.2 || p.Radius.Std <= 0 {
			t.Errorf("%v, %v", p.Avoidance, p.Radius)
		}
		d.click(".radius")
		d.click(".radius=uniform")
		if p := d.s.Scene().Profiles[1]; studio.DistributionKind(p.Radius) != studio.Uniform {
			t.Errorf("%v is not uniform", p.Radius)
		}
		d.typeInto(".radius.max", "0.3")
		if p := d.s.Scene().Profiles[1]; p.Radius.Max != 0.3 || studio.DistributionKind(p.Radius) != studio.Uniform {
			t.Errorf("%v, want a max of 0.3", p.Radius)
		}
		d.s.Select(studio.Ref{List: studio.Obstacles, Item: -1})
		d.click(".motion")
		if m := d.s.Scene().Obstacles[0].Motion; m == nil || m.Speed != 1 {
			t.Errorf("motion %+v", m)
		}
		d.click(".motion")
		if m := d.s.Scene().Obstacles[0].Motion; m != nil {
			t.Errorf("motion %+v", m)
		}
		d.click(".kind")
		d.click(".kind=circle")
		if o := d.s.Scene().Obstacles[0]; o.Circle == nil || o.Circle.Center != (mgl64.Vec2{8.5, 3}) {
			t.Errorf("%+v is no circle", o)
		}
	})
}

func TestSeveralRecords(t *testing.T) {
	with(t, hall, func(d *desk) {
		d.s.Select(studio.All(d.s.Scene(), studio.Profiles)...)
		d.typeInto(".radius", "0.22")
		d.want("set radius of 2 things")
		for _, p := range d.s.Scene().Profiles {
			if p.Radius != scenes.Exactly(0.22) {
				t.Errorf("%s has a radius of %v", p.ID, p.Radius)
			}
		}
	})
}

// TestAnotherSelectionEndsTheGesture selects another record while a number is typed into.
func TestAnotherSelectionEndsTheGesture(t *testing.T) {
	with(t, hall, func(d *desk) {
		d.s.Select(studio.Ref{List: studio.Goals, Item: -1})
		d.click(".arrivalRadius")
		d.press(d.fields[".arrivalRadius"], window.Left, 0)
		d.do(window.TextEvent{Rune: '7'})
		d.s.Select(studio.Ref{List: studio.Goals, Index: 1, Item: -1})
		d.frames(2)
		if d.s.Doc.Dragging() {
			t.Error("the gesture goes on")
		}
		if got := d.s.Scene().Goals[1].ArrivalRadius; got != 0.5 {
			t.Errorf("the other goal has %v m", got)
		}
	})
}

func TestOutlineSelectsAndRenames(t *testing.T) {
	with(t, hall, func(d *desk) {
		goal := func(i int) studio.Ref { return studio.Ref{List: studio.Goals, Index: i, Item: -1} }
		d.press(d.rows[goal(0)], window.Left, 0)
		if !slices.Equal(d.s.Selected, []studio.Ref{goal(0)}) || d.s.Hovered != goal(0) {
			t.Errorf("selected %v, hovered %v", d.s.Selected, d.s.Hovered)
		}
		d.pause()
		d.press(d.rows[goal(1)], window.Left, window.Shift)
		if !slices.Equal(d.s.Selected, []studio.Ref{goal(0), goal(1)}) {
			t.Errorf("with Shift: %v", d.s.Selected)
		}
		d.pause()
		d.press(d.rows[goal(0)], window.Left, window.Control)
		if !slices.Equal(d.s.Selected, []studio.Ref{goal(1)}) {
			t.Errorf("with Control: %v", d.s.Selected)
		}
		d.pause()
		d.press(d.rows[goal(1)], window.Left, 0)
		d.press(d.rows[goal(1)], window.Left, 0)
		d.retype("market")
		d.want("call shop market")
		if got := d.s.Scene().Groups[0].Itinerary; !slices.Equal(got, []string{"market", "exit"}) {
			t.Errorf("itinerary %v", got)
		}
	})
}

// TestLongOutlineStaysFast draws 10,000 obstacles in the outline.
func TestLongOutlineStaysFast(t *testing.T) {
	text := strings.Builder{}
	text.WriteString(`{"version": 1, "domain": [0, 0, 400, 400], "map": {"size": 100}, "goals": [{"points": [[399.5, 399.5]]}], "obstacles": [`)
	for i := range 10000 {
		x, y := float64(i%100)*3.9+1, float64(i/100)*3.9+1
		fmt.Fprintf(&text, `{"rect": [%g, %g, %g, %g]},`, x, y, x+1, y+1)
	}
	text.WriteString("]}")
	with(t, text.String(), func(d *desk) {
		d.s.Select(studio.Ref{List: studio.Obstacles, Index: 9000, Item: -1}) // opens the list and scrolls
		d.frames(4)
		if _, seen := d.rows[d.s.Selected[0]]; !seen || len(d.rows) > 200 {
			t.Errorf("%d rows are drawn, that of the selection: %v", len(d.rows), seen)
		}
		start := time.Now()
		d.frames(20)
		if each := time.Since(start) / 20; each > 100*time.Millisecond { // 33 ms are what a viewer has; machines of tests are slow
			t.Errorf("a frame takes %v", each)
		}
	})
}

func TestHistoryAndFaults(t *testing.T) {
	with(t, hall, func(d *desk) {
		before := string(d.s.Doc.Text())
		if err := d.s.Change("spoil", func(to *scenes.Scene) { to.Goals[0].Points[0] = mgl64.Vec2{8.5, 3} }); err != nil {
			t.Fatal(err)
		}
		d.s.Select(studio.Ref{List: studio.Goals, Item: -1})
		d.frames(4)
		if d.s.Fault == nil {
			t.Fatal("a goal in a wall is no fault")
		}
		if name := os.Getenv("FORMS_PICTURE"); name != "" {
			f, _ := os.Create(name)
			_ = png.Encode(f, d.canvas.Target.ReadRGBA())
			_ = f.Close()
		}
		if err := d.s.Go(0); err != nil || d.s.Fault != nil || string(d.s.Doc.Text()) != before {
			t.Errorf("undone: %v, %+v", err, d.s.Fault)
		}
	})
}
