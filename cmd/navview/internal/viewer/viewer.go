package viewer

import (
	"image"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/engine/window"
)

// Run shows a scene in a window until its user quits.
func Run(s *console.Session, doc *document.Document, l worldview.Look, paused bool, changes *watcher) error {
	w, err := window.Open(window.Options{Title: "navview", Width: 1280, Height: 800, Visible: true})
	if err != nil {
		return err
	}
	defer w.Close()
	return device.On(s, device.Host{Context: "GLFW"}, func(h *device.Host) error {
		v, err := newViewer(windowScreen{w}, h.Device, doc, l)
		if err != nil {
			return err
		}
		defer v.clear()
		v.playing, v.verbose, v.changes = !paused, s.Verbose, changes
		for !w.ShouldClose() {
			if err := v.frame(time.Now()); err != nil {
				return err
			}
		}
		return nil
	})
}

// screen is a window, or its substitute in tests.
type screen interface {
	Poll() []window.Event
	Wait(seconds float64) []window.Event
	Swap()
	Quit()
	Stay()
	FramebufferSize() (width, height int)
	ContentScale() float32
	SetTitle(title string)
	SetPointer(p window.Pointer)
	target(d *gpu.Device, width, height int) *gpu.Target // what Swap shows
}

// windowScreen is a window as a screen.
type windowScreen struct{ window.Window }

func (windowScreen) target(d *gpu.Device, width, height int) *gpu.Target {
	return gpu.DefaultTarget(d, width, height)
}

// viewer shows a world on a screen and handles input.
type viewer struct {
	screen screen
	device *gpu.Device
	view   *worldview.View
	camera render.Camera
	fitted bool // the camera shows the whole domain: the user has not zoomed or panned
	target *gpu.Target

	doc      *document.Document // the scene that is shown
	changes  *watcher           // of its file; nil: none
	outdated bool               // its file has changed, but there are unsaved edits

	playing    bool
	verbose    bool
	help       bool
	scroll     int  // lines of the help above those shown
	scrolls    bool // the help has more lines than the window
	tuner      tuner
	alarm      []string // errors, until the next success
	notice     string   // what was done
	noticeAt   time.Time
	saved      saved
	question   string // the action that waits for a second press to drop unsaved edits
	questionAt time.Time
	answered   string // the action that the last press requested

	edits       *editSession
	pointer     [2]float64
	outside     bool           // the pointer is
	pressed     window.Button  // 0: none
	shifted     bool           // when it was pressed
	grip        mgl64.Vec2     // the place on the ground where it was pressed
	grabbed     [2]float64     // the pixel where it was pressed
	dragged     bool           // the pointer has moved since
	crowd       []agents.Agent // as it was read back last
	traits      []agents.Traits
	behind      float64       // how much of the last tick is still to be shown. Unit: s
	due         time.Duration // until the next tick
	last        time.Time     // of the last frame; zero before the first
	lastPicture pictureKey    // in that frame
	moved       time.Time     // when it last changed
	draft       bool          // the ground is drawn at draft quality
	since       time.Time     // counting frames
	frames      int
	rate        float64 // frames a second
}

func newViewer(w screen, d *gpu.Device, doc *document.Document, l worldview.Look) (*viewer, error) {
	v := &viewer{screen: w, device: d, doc: doc, playing: true, outside: true, fitted: true}
	l.Layers |= render.Paths | render.LocalMap
	first, err := worldview.New(d, doc, l)
	if err != nil {
		return nil, err
	}
	v.show(first)
	v.resize()
	return v, nil
}

// show replaces the view.
func (v *viewer) show(next *worldview.View) {
	v.clear()
	next.Edited = true
	v.view, v.edits = next, &editSession{world: next.World}
	v.behind, v.due, v.pressed = 0, next.World.Timestep(), 0
}

// clear frees the view.
func (v *viewer) clear() {
	if v.view != nil {
		v.view.Delete()
	}
	v.view = nil
}

// frame handles events, advances the world, and draws. While nothing moves it sleeps between
// frames.
func (v *viewer) frame(now time.Time) error {
	events := v.screen.Poll
	if !v.playing && !v.view.World.Building() && !v.last.IsZero() {
		events = func() []window.Event { return v.screen.Wait(0.05) }
	}
	if v.changes != nil && v.changes.due(now) {
		v.changed()
	}
	for _, e := range events() {
		if err := v.handle(e); err != nil {
			return err
		}
	}
	if err := v.updateEdits(); err != nil {
		return err
	}
	elapsed := now.Sub(v.last)
	if v.last.IsZero() {
		elapsed = 0
	}
	v.last = now
	if err := v.advance(elapsed); err != nil {
		return err
	}
	if v.camera.Width == 0 || v.camera.Height == 0 {
		return nil // minimized
	}
	if err := v.draw(now); err != nil {
		return err
	}
	v.screen.Swap()
	v.device.FrameEnd()
	v.count(now)
	return nil
}

// updateEdits updates the selection, and moves it while it is dragged.
func (v *viewer) updateEdits() error {
	v.updateHover()
	pointer := window.Arrow
	if v.edits.hovered.part != nothing {
		pointer = window.Hand
	}
	v.screen.SetPointer(pointer)
	if v.edits.grab == nil {
		return nil
	}
	v.edits.dragTo(v.ground())
	return v.showRefusal(v.edits.apply())
}

// updateHover finds the selection at the pointer.
func (v *viewer) updateHover() {
	switch {
	case v.edits.grab != nil: // that
	case v.outside || v.pressed != 0 && v.dragged:
		v.edits.hovered = selection{}
	default:
		v.edits.hovered = v.at(v.ground())
	}
}

// at returns the selection at a place on the ground.
func (v *viewer) at(p mgl64.Vec2) selection {
	return v.edits.find(p, pickRadius*v.ratio()/v.camera.Scale, v.goal(), v.view.Look.Layers)
}

// ground returns the place on the ground at the pointer.
func (v *viewer) ground() mgl64.Vec2 { return v.camera.World(v.pointer[0], v.pointer[1]) }

// goal returns the goal whose map is shown.
func (v *viewer) goal() engine.GoalID { return v.view.World.Goals()[v.view.Goal] }

// showRefusal shows a refused edit until the next successful one. Other errors are returned.
func (v *viewer) showRefusal(err error) error {
	if words, ok := refusal(err); ok {
		v.alarm = []string{words}
		return nil
	}
	if err == nil {
		v.alarm = nil
	}
	return err
}

// patience is how long a frame waits for maps that the next tick needs.
const patience = 5 * time.Millisecond

// advance advances the world by elapsed time. A paused world applies edits. Where maps of a due
// tick are pending, simulated time waits for them, and frames go on.
func (v *viewer) advance(elapsed time.Duration) error {
	world := v.view.World
	if !v.playing {
		return world.Apply()
	}
	for ticks := 0; ticks < engine.MaxTicks; ticks++ {
		if elapsed < v.due {
			v.due -= elapsed
			break
		}
		for start := time.Now(); world.Building() && time.Since(start) < patience; time.Sleep(patience / 50) {
			if err := world.Poll(); err != nil {
				return err
			}
		}
		if world.Building() {
			break
		}
		if err := v.view.Step(); err != nil {
			return err
		}
		elapsed -= v.due
		v.due = world.Timestep()
	}
	v.behind = v.due.Seconds()
	return world.Poll()
}

// pictureKey is what the picture of the ground depends on.
type pictureKey struct {
	camera render.Camera
	world  *engine.World
	goal   int
	builds uint64
}

const (
	tooSlow = 15 * time.Millisecond  // a ground that takes longer to draw is not drawn in every frame
	atRest  = 300 * time.Millisecond // after so long without a change it is drawn well again
)

// draw draws the frame. A ground that is slow to draw and keeps changing is drawn at draft quality.
func (v *viewer) draw(now time.Time) error {
	world := v.view.World
	sees := pictureKey{v.camera, world, v.view.Goal, world.Buffers().Maps.Builds(worldview.Layer(v.goal()))}
	if sees != v.lastPicture {
		v.lastPicture, v.moved = sees, now
	}
	slow := slices.ContainsFunc(v.device.Timings(), func(t gpu.Timing) bool { return t.Name == "ground" && t.Mean > tooSlow })
	v.draft = slow && (world.Building() || now.Sub(v.moved) < atRest)
	return v.view.Draw(v.picture(v.target))
}

// picture returns what the window shows, on any target.
func (v *viewer) picture(target *gpu.Target) render.Picture {
	return render.Picture{
		Target: target, Camera: v.camera, PixelRatio: v.ratio(), Behind: v.behind, Panels: v.panels(), Draft: v.draft,
		Sketches: v.edits.sketches(v.goal(), v.view.Look.Layers),
	}
}

func (v *viewer) ratio() float64 { return float64(v.screen.ContentScale()) }

// resize adapts to the window's size: a domain that was shown whole stays so.
func (v *viewer) resize() {
	v.camera.Width, v.camera.Height = v.screen.FramebufferSize()
	v.target = v.screen.target(v.device, v.camera.Width, v.camera.Height)
	if v.fitted {
		v.fit()
	}
}

// fit shows the whole domain, above the text at the lower edge.
func (v *viewer) fit() {
	words := 40.0 // nominal pixels that they reach beyond the margin
	if v.view.World.LocalMaps() != nil {
		words = 68 // with three lines of their legend
	}
	width, height := v.camera.Width, v.camera.Height // 0 while the window is minimized
	v.camera = v.view.Fit(image.Pt(max(1, width), max(1, height)), v.ratio(), words*v.ratio())
	v.camera.Width, v.camera.Height, v.fitted = width, height, true
}

// limits returns the limits of the scale: the domain has at least 40 pixels, and a pixel is not
// smaller than float32 distinguishes on the device.
func (v *viewer) limits() [2]float64 {
	length := v.view.World.Ground().Lattice.Length()
	return [2]float64{40 / length, 4e6 / length}
}

func (v *viewer) step() error {
	v.behind = 0
	return v.view.Step()
}
