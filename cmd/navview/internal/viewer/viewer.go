//go:build !headless

package viewer

import (
	"image"
	"slices"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
	"github.com/wayfront/wayfront/cmd/navview/internal/panels"
	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/engine/window"
	"github.com/wayfront/wayfront/scenes/edit"
)

// Run shows a document in a window until its user quits.
func Run(s *console.Session, doc *edit.Document, l worldview.Look, paused bool, changes *watcher) error {
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
		defer v.close()
		v.studio.Playing, v.changes = !paused, changes
		if err := v.studio.Recover(); err != nil {
			return err
		}
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
	panels.Clipboard
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

// viewer shows a studio on a screen and handles input.
type viewer struct {
	screen  screen
	device  *gpu.Device
	target  *gpu.Target
	studio  *studio.Studio
	panels  *panels.Panels
	actions []studio.Action
	changes *watcher // of the document's file; nil: none

	canvas     *render.Canvas // of the branch; nil: none is drawn beside the run
	canvasSize image.Point

	hand    hand
	waiting []window.Event // for the next frame
	fitted  bool           // the camera shows the whole domain: the user has not zoomed or panned
	inset   studio.Inset
	last    time.Time // of the last frame; zero before the first
	title   string

	sees     pictureKey // in the last frame
	moved    time.Time  // when that last changed
	draft    bool       // the ground is drawn at draft quality
	since    time.Time  // counting frames
	frames   int
	rate     float64 // frames a second
	programs []*program
	gallery  *gallery
}

func newViewer(w screen, d *gpu.Device, doc *edit.Document, l worldview.Look) (*viewer, error) {
	s, err := studio.New(d, doc, l)
	if err != nil {
		return nil, err
	}
	v := &viewer{screen: w, device: d, studio: s, fitted: true, gallery: newGallery(d, float64(w.ContentScale()))}
	if v.panels, err = panels.New(d, panels.Options{Scale: w.ContentScale(), Clipboard: w, Settings: panels.SettingsFile()}); err != nil {
		s.Close()
		return nil, err
	}
	v.actions = slices.Concat(v.fileActions(), studio.Actions(), v.panels.Actions())
	v.resize()
	return v, nil
}

func (v *viewer) close() {
	v.endPrograms()
	v.gallery.close()
	v.canvas.Delete()
	v.panels.Delete()
	v.studio.Close()
}

// frame handles events, advances the world, and draws. While nothing moves it sleeps between
// frames.
func (v *viewer) frame(now time.Time) error {
	elapsed := now.Sub(v.last)
	if v.last.IsZero() {
		elapsed = 0
	}
	events := v.screen.Poll
	if !v.studio.Busy() && !v.panels.Busy() && len(v.waiting) == 0 && elapsed > 0 {
		events = func() []window.Event { return v.screen.Wait(0.05) }
	}
	v.last = now
	for _, e := range v.due(newest(append(v.waiting, events()...))) {
		if err := v.handle(e, now); err != nil {
			return err
		}
	}
	if v.changes != nil && v.changes.due(now) {
		if err := v.takeChanges(); err != nil {
			return err
		}
	}
	if err := v.studio.Advance(now); err != nil {
		return err
	}
	v.studio.KeepRecovery()
	v.gallery.frame()
	if v.studio.Camera.Width == 0 || v.studio.Camera.Height == 0 {
		return nil // minimized
	}
	if err := v.draw(now, elapsed); err != nil {
		return err
	}
	v.screen.Swap()
	v.device.FrameEnd()
	v.count(now)
	return nil
}

// newest returns events without moves of the pointer that others follow: each that is handled while
// something is dragged makes a map.
func newest(all []window.Event) []window.Event {
	kept := all[:0]
	for i, e := range all {
		if i+1 < len(all) {
			_, moves := e.(window.MoveEvent)
			if _, on := all[i+1].(window.MoveEvent); moves && on {
				continue
			}
		}
		kept = append(kept, e)
	}
	return kept
}

// due returns the events of a frame; the others wait for the next one. A press after a move waits, as
// the panels know only then whether the pointer is over them.
func (v *viewer) due(all []window.Event) []window.Event {
	moved := false
	for i, e := range all {
		switch e := e.(type) {
		case window.MoveEvent:
			moved = true
		case window.ButtonEvent:
			if moved && e.Action == window.Press {
				v.waiting = slices.Clone(all[i:])
				return all[:i]
			}
		}
	}
	v.waiting = nil
	return all
}

// draw draws the ground, and the panels over it.
func (v *viewer) draw(now time.Time, elapsed time.Duration) error {
	v.hurry(now)
	picture, overlay := v.studio.Picture()
	picture.Target, picture.Draft = v.target, v.draft
	if err := v.studio.View.Draw(picture); err != nil {
		return err
	}
	if err := v.drawBranch(); err != nil {
		return err
	}
	v.panels.Status = panels.Status{Pointer: v.hand.pointer, Outside: v.hand.outside, Frames: v.rate, Programs: v.programStates()}
	if err := v.panels.Frame(v.studio, overlay, v.actions, v.target, elapsed); err != nil {
		return err
	}
	if inset := v.halved(v.panels.Inset()); inset != v.inset {
		v.inset, v.studio.Inset = inset, inset
		if v.fitted {
			v.studio.Fit()
		}
	}
	v.screen.SetPointer(v.panels.Pointer(v.hand.shape(v.studio)))
	return nil
}

// halved is what panels and the picture of a branch beside that of the run cover.
func (v *viewer) halved(in studio.Inset) studio.Inset {
	if _, _, beside := v.studio.BranchPicture(); beside {
		in.Right += (float64(v.studio.Camera.Width) - in.Left - in.Right) / 2
	}
	return in
}

// drawBranch draws the branch in the right half of the ground: the same part of it as the run's in the
// left one.
func (v *viewer) drawBranch() error {
	view, picture, beside := v.studio.BranchPicture()
	if !beside {
		v.canvas.Delete()
		v.canvas = nil
		return nil
	}
	c := v.studio.Camera
	if v.canvas == nil || v.canvasSize != image.Pt(c.Width, c.Height) {
		v.canvas.Delete()
		var err error
		if v.canvas, err = render.NewCanvas(v.device, image.Pt(c.Width, c.Height), 1); err != nil {
			return err
		}
		v.canvasSize = image.Pt(c.Width, c.Height)
	}
	in := v.panels.Inset()
	half := (float64(c.Width) - in.Left - in.Right) / 2
	picture.Camera.Pan(half, 0)
	picture.Target, picture.Draft = v.canvas.Target, v.draft
	if err := view.Draw(picture); err != nil {
		return err
	}
	v.canvas.Target.CopyColumns(v.target, int(in.Left+half), c.Width)
	return nil
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

// hurry decides whether the ground is drawn at draft quality: where it is slow to draw and keeps
// changing.
func (v *viewer) hurry(now time.Time) {
	view := v.studio.View
	goal := view.World.Goals()[view.Goal]
	sees := pictureKey{v.studio.Camera, view.World, view.Goal, view.World.Buffers().Maps.Builds(worldview.Layer(goal))}
	if sees != v.sees {
		v.sees, v.moved = sees, now
	}
	slow := slices.ContainsFunc(v.device.Timings(), func(t gpu.Timing) bool { return t.Name == "ground" && t.Mean > tooSlow })
	v.draft = slow && (view.World.Building() || now.Sub(v.moved) < atRest)
}

// count measures the frame rate, twice a second, and updates the title.
func (v *viewer) count(now time.Time) {
	if title := v.studio.Title(); title != v.title {
		v.title = title
		v.screen.SetTitle(title + " - navview")
	}
	v.frames++
	passed := now.Sub(v.since)
	if passed < 500*time.Millisecond {
		return
	}
	if !v.since.IsZero() {
		v.rate = float64(v.frames) / passed.Seconds()
	}
	v.since, v.frames = now, 0
}

// resize adapts to the window's size: a domain that was shown whole stays so.
func (v *viewer) resize() {
	c := &v.studio.Camera
	c.Width, c.Height = v.screen.FramebufferSize()
	v.studio.Ratio = float64(v.screen.ContentScale())
	v.panels.SetScale(v.screen.ContentScale())
	v.target = v.screen.target(v.device, c.Width, c.Height)
	if v.fitted {
		v.studio.Fit()
	}
}
