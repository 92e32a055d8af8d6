package viewer

import (
	"math"
	"slices"
	"strings"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/engine/window"
)

// presses reports whether an event is a press of a key or a button, or a request to close.
func presses(e window.Event) bool {
	switch e := e.(type) {
	case window.KeyEvent:
		return e.Action != window.Release
	case window.ButtonEvent:
		return e.Action != window.Release
	case window.CloseEvent:
		return true
	}
	return false
}

// handle handles an event.
func (v *viewer) handle(e window.Event) error {
	if presses(e) {
		v.answered, v.question = v.question, ""
	}
	switch e := e.(type) {
	case window.ResizeEvent, window.ScaleEvent:
		v.resize()
	case window.CloseEvent:
		v.screen.Stay()
		v.leave()
	case window.ScrollEvent:
		if v.help && v.scrolls {
			v.scroll -= int(math.Copysign(math.Ceil(3*math.Abs(e.DY)), e.DY))
			break
		}
		v.fitted = false
		v.camera.Zoom(zoomStep(e.DY), v.pointer[0], v.pointer[1], v.limits())
	case window.MoveEvent:
		v.move(e.X, e.Y)
	case window.LeaveEvent:
		v.outside = true
	case window.ButtonEvent:
		return v.button(e)
	case window.KeyEvent:
		if e.Action != window.Release {
			v.updateHover() // the pointer may have moved in this frame
			return v.key(e)
		}
	}
	return nil
}

// zoomStep returns the factor of so many notches of the wheel.
func zoomStep(notches float64) float64 {
	const notch = 1.15
	return math.Pow(notch, notches)
}

func (v *viewer) move(x, y float64) {
	before := v.pointer
	v.pointer, v.outside = [2]float64{x, y}, false
	if v.pressed == 0 {
		return
	}
	if !v.dragged {
		dx, dy := x-v.grabbed[0], y-v.grabbed[1]
		if max(dx, -dx, dy, -dy) <= clickWidth*v.ratio() {
			return // still a click
		}
		v.dragged, before = true, v.grabbed
		if t := v.at(v.grip); v.pressed == window.Left && t.part != nothing {
			if t.part != body {
				v.view.Show(v.view.Goal)
			}
			v.edits.start(t, v.grip)
		}
	}
	if v.edits.grab == nil {
		v.fitted = false
		v.camera.Pan(x-before[0], y-before[1])
	}
}

// button handles clicks and drags. The left button drags the selection, or else the picture; other
// buttons drag the picture. Of several buttons the first counts.
func (v *viewer) button(e window.ButtonEvent) error {
	switch {
	case e.Action == window.Press && v.pressed == 0:
		v.pressed, v.dragged, v.shifted = e.Button, false, e.Modifiers&window.Shift != 0
		v.grabbed, v.grip = v.pointer, v.ground()
	case e.Action == window.Release && e.Button == v.pressed:
		clicked := e.Button == window.Left && !v.dragged
		v.pressed, v.dragged = 0, false
		if clicked {
			return v.click(v.grip, v.shifted)
		}
		if v.edits.grab != nil {
			v.edits.dragTo(v.ground())
			err := v.showRefusal(v.edits.apply())
			v.edits.finish()
			return err
		}
	}
	return nil
}

// backwards is -1 for a key with shift, else 1.
func backwards(e window.KeyEvent) int {
	if e.Modifiers&window.Shift != 0 {
		return -1
	}
	return 1
}

// key handles a key; Keys is the list.
func (v *viewer) key(e window.KeyEvent) error {
	st, control := v.view, e.Modifiers&window.Control != 0
	switch e.Key {
	case "up", "down", "pageup", "pagedown", "left", "right", ".":
		return v.arrow(e.Key)
	case "escape":
		return v.escape()
	case "b":
		v.tuner.shown = !v.tuner.shown
	case "space":
		v.playing = !v.playing
	case "tab":
		goals := len(st.World.Goals())
		st.Show((st.Goal + goals + backwards(e)) % goals)
	case "n":
		return v.pickAnother(backwards(e))
	case "d":
		if t := v.edits.hovered; t.part == body && backwards(e) < 0 {
			return v.showRefusal(v.edits.setDoor(t.obstacle, engine.DoorTimed))
		} else if t.part == body {
			return v.showRefusal(v.edits.toggle(t.obstacle))
		}
	case "delete", "backspace":
		if v.edits.grab == nil {
			return v.showRefusal(v.edits.remove(v.edits.hovered))
		}
	case "z":
		if control {
			return v.showRefusal(v.edits.undo())
		}
	case "s":
		if control {
			return v.save()
		}
	case "f":
		v.fit()
	case "r":
		v.startAgain()
	case "q":
		v.leave()
	case "h":
		v.help, v.scroll = !v.help, 0
	case "c":
		i := slices.Index(render.Palettes, st.Look.Palette)
		st.Look.Palette = render.Palettes[(i+1)%len(render.Palettes)]
	default:
		if i := strings.Index("1234567890", e.Key); i >= 0 && len(e.Key) == 1 {
			st.Look.Layers ^= 1 << i
		}
	}
	return nil
}

// arrow scrolls the help, changes the local map, or takes one step.
func (v *viewer) arrow(key string) error {
	rows, scrolls := map[string]int{"up": -1, "down": 1, "pageup": -10, "pagedown": 10}[key]
	switch {
	case scrolls && v.help:
		v.scroll += rows
	case v.tuner.shown && slices.Contains([]string{"up", "down", "left", "right"}, key):
		return v.tune(key)
	case key == "right" || key == ".":
		v.playing = false
		return v.step()
	}
	return nil
}

// escape cancels the innermost state.
func (v *viewer) escape() error {
	switch {
	case v.edits.grab != nil:
		return v.showRefusal(v.edits.cancel())
	case v.help:
		v.help = false
	case v.tuner.shown:
		v.tuner.shown = false
	default:
		return v.view.Choose(-1)
	}
	return nil
}
