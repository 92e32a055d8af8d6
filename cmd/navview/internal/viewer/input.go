//go:build !headless

package viewer

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/engine/window"
)

// hand is the pointer and what is held down.
type hand struct {
	pointer   [2]float64
	outside   bool // the pointer is
	modifiers window.Modifiers
	pressed   window.Button // 0: none
	panning   bool
	grabbed   [2]float64 // the pixel where it was pressed
	dragged   bool       // the pointer has left the dead zone since
	double    bool
	at        time.Time // of the last press
	typed     string    // a number that is being typed
	space     bool      // it is held down: the left button pans
	spacePans bool      // it has, so that its release is no key
}

const (
	reachWidth = 10                     // how far from a thing the pointer points at it. Unit: nominal pixels
	doubleTime = 350 * time.Millisecond // between two presses that are a double click
)

// shape is the picture of the pointer over the ground.
func (h *hand) shape(s *studio.Studio) window.Pointer {
	if !s.Hovered.IsNone() || h.panning && h.dragged {
		return window.Hand
	}
	return window.Arrow
}

// point is the pointer for tools.
func (v *viewer) point() studio.Pointer {
	h, c := &v.hand, v.studio.Camera
	return studio.Pointer{
		At: c.World(h.pointer[0], h.pointer[1]), Pixel: h.pointer, Reach: reachWidth * v.studio.Ratio / c.Scale, Double: h.double,
		Shift: h.modifiers&window.Shift != 0, Control: h.modifiers&window.Control != 0, Alt: h.modifiers&window.Alt != 0,
	}
}

// handle hands an event to the panels, and what they do not want to the tool.
func (v *viewer) handle(e window.Event, now time.Time) error {
	v.panels.Handle(e)
	h := &v.hand
	switch e := e.(type) {
	case window.ResizeEvent, window.ScaleEvent:
		v.resize()
	case window.CloseEvent:
		v.screen.Stay()
		v.quit()
	case window.DropEvent:
		if len(e.Files) > 0 {
			v.open(e.Files[0])
		}
	case window.ScrollEvent:
		if !v.panels.WantsPointer() {
			const notch = 1.15
			v.fitted = false
			v.studio.Camera.Zoom(math.Pow(notch, e.DY), h.pointer[0], h.pointer[1], v.limits())
		}
	case window.MoveEvent:
		return v.move(e.X, e.Y)
	case window.LeaveEvent:
		h.outside, v.studio.Hovered = true, studio.Ref{}
	case window.ButtonEvent:
		h.modifiers = e.Modifiers
		return v.button(e, now)
	case window.KeyEvent:
		return v.key(e)
	}
	return nil
}

// limits returns the limits of the scale: the domain has at least 40 pixels, and a pixel is not
// smaller than float32 distinguishes on the device.
func (v *viewer) limits() [2]float64 {
	length := v.studio.World().Ground().Lattice.Length()
	return [2]float64{40 / length, 4e6 / length}
}

func (v *viewer) move(x, y float64) error {
	h := &v.hand
	before := h.pointer
	h.pointer, h.outside = [2]float64{x, y}, false
	if h.pressed == 0 {
		if v.panels.WantsPointer() {
			v.studio.Hovered = studio.Ref{}
		} else {
			return v.studio.Tool.Hover(v.studio, v.point())
		}
		return nil
	}
	if !h.dragged {
		dx, dy := x-h.grabbed[0], y-h.grabbed[1]
		if max(dx, -dx, dy, -dy) <= studio.DeadZone*v.studio.Ratio {
			return nil // still a click
		}
		h.dragged, before = true, h.grabbed
	}
	if h.panning && h.pressed == window.Middle && v.studio.Camera.Tilt > 0 {
		v.studio.Camera.Orbit(x-before[0], y-before[1])
		return nil
	}
	if h.panning {
		v.fitted = false
		v.studio.Camera.Pan(x-before[0], y-before[1])
		return nil
	}
	return v.studio.Tool.Drag(v.studio, v.point())
}

// button handles clicks and drags. The left button is the tool's; the middle one, the right one,
// and the left one while space is held pan, but in street view the middle one turns the eye about. Of several buttons the first counts.
func (v *viewer) button(e window.ButtonEvent, now time.Time) error {
	h := &v.hand
	h.pointer = [2]float64{e.X, e.Y}
	switch {
	case e.Action == window.Press && h.pressed != 0 && e.Button == window.Right:
		_, err := v.studio.Tool.Cancel(v.studio)
		return err
	case e.Action == window.Press && h.pressed == 0 && !v.panels.WantsPointer():
		far := max(math.Abs(e.X-h.grabbed[0]), math.Abs(e.Y-h.grabbed[1])) > studio.DeadZone*v.studio.Ratio
		h.double = e.Button == window.Left && now.Sub(h.at) < doubleTime && !far
		h.pressed, h.dragged, h.grabbed, h.at, h.typed = e.Button, false, h.pointer, now, ""
		h.panning = e.Button != window.Left || h.space
		h.spacePans = h.spacePans || h.space
		if h.panning {
			return nil
		}
		return v.studio.Tool.Press(v.studio, v.point())
	case e.Action == window.Release && e.Button == h.pressed:
		h.pressed, h.typed = 0, ""
		if h.panning {
			h.panning = false
			return nil
		}
		defer func() { h.double = false }()
		return v.studio.Tool.Release(v.studio, v.point())
	}
	return nil
}

// modifierKeys are the keys that other events come with.
var modifierKeys = map[string]window.Modifiers{"shift": window.Shift, "control": window.Control, "alt": window.Alt, "super": window.Super}

// keyNamed returns a key as actions have it, such as "ctrl+shift+z".
func keyNamed(e window.KeyEvent) string {
	name := e.Key
	for _, m := range []struct {
		held window.Modifiers
		name string
	}{{window.Shift, "shift+"}, {window.Alt, "alt+"}, {window.Control, "ctrl+"}} {
		if e.Modifiers&m.held != 0 {
			name = m.name + name
		}
	}
	return name
}

// key handles a key: a digit of a number that is typed while something is drawn or dragged, or an
// action's.
func (v *viewer) key(e window.KeyEvent) error {
	h := &v.hand
	if m, ok := modifierKeys[e.Key]; ok {
		if h.modifiers |= m; e.Action == window.Release {
			h.modifiers &^= m
		}
		return nil
	}
	if v.panels.WantsText() {
		h.space = false
		return nil
	}
	if e.Key == "space" && e.Modifiers == 0 {
		return v.spaceBar(e.Action)
	}
	if e.Action == window.Release {
		return nil
	}
	if done, err := v.typeNumber(e); done || err != nil {
		return err
	}
	switch {
	case e.Key == "escape":
		h.pressed = 0
		if v.panels.Escape() {
			return nil
		}
		return v.studio.Escape()
	case e.Key == "enter" || e.Key == "kpenter":
		h.typed = ""
		return v.studio.Tool.Enter(v.studio)
	}
	if a, ok := studio.OfKey(v.actions, v.studio, keyNamed(e)); ok {
		return a.Do(v.studio)
	}
	return nil
}

// spaceBar plays and pauses when it is released, unless it was held down to pan.
func (v *viewer) spaceBar(a window.Action) error {
	h := &v.hand
	switch a {
	case window.Press:
		h.space, h.spacePans = true, false
	case window.Release:
		panned := h.spacePans || !h.space
		h.space, h.spacePans = false, false
		if run, ok := studio.OfKey(v.actions, v.studio, "space"); ok && !panned {
			return run.Do(v.studio)
		}
	}
	return nil
}

// typeNumber adds a key to the number that is typed, and has the tool take it; false: the key is
// none of a number, or nothing is drawn or dragged.
func (v *viewer) typeNumber(e window.KeyEvent) (bool, error) {
	h := &v.hand
	key := strings.TrimPrefix(e.Key, "kp")
	next := h.typed
	switch {
	case e.Modifiers&^window.Shift != 0:
		return false, nil
	case slices.Contains([]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "-", "x"}, key):
		next += key
	case key == "backspace" && next != "":
		next = next[:len(next)-1]
	default:
		return false, nil
	}
	if strings.HasSuffix(next, "x") && len(next) > 1 && h.typed != "" {
		h.typed = next // the second number follows
		return true, nil
	}
	done, err := v.studio.Tool.Type(v.studio, next)
	if done {
		h.typed = next
	}
	return done, err
}
