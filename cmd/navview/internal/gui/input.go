//go:build !headless

package gui

import (
	"math"
	"strconv"

	"github.com/AllenDang/cimgui-go/imgui"

	"github.com/wayfront/wayfront/engine/window"
)

// Handle gives the UI an event of the window. What it does with events it does in the next Begin.
func (u *UI) Handle(e window.Event) {
	u.use()
	io := imgui.CurrentIO()
	switch e := e.(type) {
	case window.MoveEvent:
		io.AddMousePosEvent(float32(e.X), float32(e.Y))
	case window.LeaveEvent:
		io.AddMousePosEvent(-math.MaxFloat32, -math.MaxFloat32)
	case window.ButtonEvent:
		io.AddMousePosEvent(float32(e.X), float32(e.Y))
		addModifiers(io, e.Modifiers)
		if button := int32(e.Button - window.Left); button < int32(imgui.MouseButtonCOUNT) {
			io.AddMouseButtonEvent(button, e.Action == window.Press)
		}
	case window.ScrollEvent:
		io.AddMousePosEvent(float32(e.X), float32(e.Y))
		io.AddMouseWheelEvent(float32(e.DX), float32(e.DY))
	case window.KeyEvent:
		if e.Action == window.Repeat {
			return // Dear ImGui repeats keys that are held down itself
		}
		mods := e.Modifiers
		if m := modifierKeys[e.Key]; e.Action == window.Press { // systems differ in whether a key that is a modifier counts itself
			mods |= m
		} else {
			mods &^= m
		}
		addModifiers(io, mods)
		if key, ok := keys[e.Key]; ok {
			io.AddKeyEvent(key, e.Action == window.Press)
		}
	case window.TextEvent:
		io.AddInputCharacter(uint32(e.Rune))
	case window.ScaleEvent:
		u.SetScale(e.Scale)
	}
}

func addModifiers(io *imgui.IO, m window.Modifiers) {
	for _, pair := range modifiers {
		io.AddKeyEvent(pair.key, m&pair.modifier != 0)
	}
}

var modifiers = [...]struct {
	modifier window.Modifiers
	key      imgui.Key
}{{window.Shift, imgui.ModShift}, {window.Control, imgui.ModCtrl}, {window.Alt, imgui.ModAlt}, {window.Super, imgui.ModSuper}}

var modifierKeys = map[string]window.Modifiers{"shift": window.Shift, "control": window.Control, "alt": window.Alt, "super": window.Super}

// WantsPointer reports whether the pointer is over a window or menu, or drags something of it: its
// events are then not for the ground. It is so as of the last Begin.
func (u *UI) WantsPointer() bool { u.use(); return imgui.CurrentIO().WantCaptureMouse() }

// WantsText reports whether a text is being edited.
func (u *UI) WantsText() bool { u.use(); return imgui.CurrentIO().WantTextInput() }

// Pointer returns what the pointer should look like where WantsPointer.
func (u *UI) Pointer() window.Pointer {
	u.use()
	return pointers[imgui.CurrentMouseCursor()]
}

var pointers = map[imgui.MouseCursor]window.Pointer{
	imgui.MouseCursorHand: window.Hand, imgui.MouseCursorTextInput: window.Text,
	imgui.MouseCursorResizeEW: window.ResizeX, imgui.MouseCursorResizeNS: window.ResizeY,
}

// keys are the keys of window.KeyEvent.
var keys = namedKeys()

func namedKeys() map[string]imgui.Key {
	all := map[string]imgui.Key{
		"space": imgui.KeySpace, "enter": imgui.KeyEnter, "escape": imgui.KeyEscape, "tab": imgui.KeyTab,
		"backspace": imgui.KeyBackspace, "insert": imgui.KeyInsert, "delete": imgui.KeyDelete, "left": imgui.KeyLeftArrow,
		"right": imgui.KeyRightArrow, "up": imgui.KeyUpArrow, "down": imgui.KeyDownArrow, "pageup": imgui.KeyPageUp,
		"pagedown": imgui.KeyPageDown, "home": imgui.KeyHome, "end": imgui.KeyEnd, "menu": imgui.KeyMenu,
		"pause": imgui.KeyPause, "shift": imgui.KeyLeftShift, "control": imgui.KeyLeftCtrl, "alt": imgui.KeyLeftAlt,
		"super": imgui.KeyLeftSuper, "'": imgui.KeyApostrophe, ",": imgui.KeyComma, "-": imgui.KeyMinus,
		".": imgui.KeyPeriod, "/": imgui.KeySlash, ";": imgui.KeySemicolon, "=": imgui.KeyEqual,
		"[": imgui.KeyLeftBracket, "\\": imgui.KeyBackslash, "]": imgui.KeyRightBracket, "`": imgui.KeyGraveAccent,
		"kp.": imgui.KeyKeypadDecimal, "kp/": imgui.KeyKeypadDivide, "kp*": imgui.KeyKeypadMultiply, "kp-": imgui.KeyKeypadSubtract,
		"kp+": imgui.KeyKeypadAdd, "kpenter": imgui.KeyKeypadEnter, "kp=": imgui.KeyKeypadEqual,
	}
	for i := range 26 {
		all[string(rune('a'+i))] = imgui.KeyA + imgui.Key(i)
	}
	for i := range 10 {
		all[string(rune('0'+i))] = imgui.Key0 + imgui.Key(i)
		all["kp"+string(rune('0'+i))] = imgui.KeyKeypad0 + imgui.Key(i)
	}
	for i := range 24 { // Dear ImGui has no F25
		all["f"+strconv.Itoa(i+1)] = imgui.KeyF1 + imgui.Key(i)
	}
	return all
}
