//go:build !headless

package panels

import (
	"errors"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/gui"
	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/window"
)

// Clipboard is the system's clipboard.
type Clipboard = gui.Clipboard

// Options say how panels start.
type Options struct {
	Scale     float32 // pixels of the framebuffer to a pixel of a plain display
	Clipboard Clipboard
	Settings  string // the file of the layout and the theme; "": they are not kept
}

// Status is what the host knows and the studio does not.
type Status struct {
	Pointer  [2]float64 // in the window, pixels
	Outside  bool       // the pointer is
	Frames   float64    // a second
	Programs []string   // what is going on beside the window, such as a film
}

// Panels are all panels of a window.
type Panels struct {
	Status   Status
	ui       *gui.UI
	settings settings
	file     string // of the settings
	dialog   dialog // nil: none is open
	hints    hints
	time     timeline
	plots    plots
	active   int // frames that are still drawn without an event

	outline   outline
	inspector inspector
	mind      mind
	past      past
}

// New makes panels that draw on a device.
func New(d *gpu.Device, o Options) (*Panels, error) {
	p := &Panels{file: o.Settings, settings: readSettings(o.Settings)}
	go galleryEntries()
	var err error
	p.ui, err = gui.New(d, gui.Options{Scale: o.Scale, Clipboard: o.Clipboard, Light: p.settings.Light, Layout: p.settings.Layout})
	return p, err
}

// Delete keeps the layout and frees the panels.
func (p *Panels) Delete() {
	p.settings.Layout = p.ui.Layout()
	p.settings.write(p.file)
	p.ui.Delete()
}

// Handle gives the panels an event of the window.
func (p *Panels) Handle(e window.Event) {
	p.active = 3 // Dear ImGui shows what an event has done a frame or two later
	p.ui.Handle(e)
}

// Busy reports whether the next frame differs without an event.
func (p *Panels) Busy() bool { return p.active > 0 || p.ui.WantsText() }

// WantsPointer reports whether the pointer is the panels', not the ground's.
func (p *Panels) WantsPointer() bool { return p.dialog != nil || p.ui.WantsPointer() }

// WantsText reports whether keys are typed into a field, or are a dialog's.
func (p *Panels) WantsText() bool { return p.dialog != nil || p.ui.WantsText() }

// Escape closes the dialog; false: none is open.
func (p *Panels) Escape() bool {
	open := p.dialog != nil
	p.dialog = nil
	return open
}

// Pointer returns what the pointer looks like: the panels' over them, else the given one.
func (p *Panels) Pointer(over window.Pointer) window.Pointer {
	if p.WantsPointer() {
		return p.ui.Pointer()
	}
	return over
}

// SetScale sets the pixels of the framebuffer to a pixel of a plain display.
func (p *Panels) SetScale(scale float32) { p.ui.SetScale(scale) }

// Inset returns what docked panels cover of the window at each side, pixels.
func (p *Panels) Inset() studio.Inset { return p.settings.inset }

// Frame draws the panels over what a target has.
func (p *Panels) Frame(s *studio.Studio, o studio.Overlay, actions []studio.Action, to *gpu.Target, elapsed time.Duration) error {
	if p.active > 0 {
		p.active--
	}
	width, height := s.Camera.Width, s.Camera.Height
	p.ui.Begin(width, height, elapsed)
	p.ground(s, o)
	chosen := p.menu(s, actions)
	p.statusLine(s, o)
	err := errors.Join(p.outline.draw(s), p.inspector.draw(s), p.past.draw(s), p.mind.draw(s), p.faults(s))
	if a := p.time.draw(s, actions); a != nil {
		chosen = a
	}
	p.plots.draw(s)
	if a := p.dialogs(s, actions); a != nil {
		chosen = a
	}
	x, y, w, h := p.ui.Central()
	p.settings.inset = studio.Inset{Left: x, Top: y, Right: float64(width) - x - w, Bottom: float64(height) - y - h}
	if err := errors.Join(err, p.ui.End(to)); err != nil {
		return err
	}
	if chosen != nil {
		return chosen.Do(s)
	}
	return nil
}

// Actions returns what a user can do with the panels.
func (p *Panels) Actions() []studio.Action {
	do := func(f func()) func(*studio.Studio) error { return func(*studio.Studio) error { f(); return nil } }
	return []studio.Action{
		{Menu: "View", Name: "Light panels", Key: "ctrl+l", On: func(*studio.Studio) bool { return p.settings.Light }, Do: do(func() {
			p.settings.Light = !p.settings.Light
			p.ui.SetLight(p.settings.Light)
		})},
		{Menu: "View", Name: "Reset the panels", Do: do(p.ui.ResetLayout)},
		{Menu: "Help", Name: "Find an action", Key: "ctrl+p", Do: do(func() { p.open(&palette{}) })},
		{Menu: "Help", Name: "Keys", Key: "shift+/", Do: do(func() { p.open(&keySheet{}) })},
	}
}
