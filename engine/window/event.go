package window

// Event is something that happened to the window: a value of one of the types below.
type Event any

// Action is what happened to a key or button.
type Action int

// The actions. Repeat is a key held down.
const (
	Press Action = iota + 1
	Release
	Repeat
)

// Modifiers are the keys held down beside another; several may be or'ed.
type Modifiers int

// The modifiers.
const (
	Shift Modifiers = 1 << iota
	Control
	Alt
	Super
)

// Button is a button of the mouse. Those beyond the third have the numbers that follow.
type Button int

// The buttons.
const (
	Left Button = iota + 1
	Right
	Middle
)

// KeyEvent is a key on the keyboard.
type KeyEvent struct {
	// Key is the key by its place on an American keyboard: "a" to "z", "0" to "9", "f1" to "f25",
	// "space", "enter", "escape", "tab", "backspace", "insert", "delete", "left", "right", "up",
	// "down", "pageup", "pagedown", "home", "end", "shift", "control", "alt", "super", "menu",
	// "pause", the printable signs as they are ("-", "="), and the number pad's as "kp0", "kp+",
	// "kpenter" and so on. Other keys are "unknown".
	Key       string
	Action    Action
	Modifiers Modifiers
}

// TextEvent is a character that the user has typed, by the layout of the keyboard and with its dead
// keys. A KeyEvent comes beside it; keys with Control or Alt make none.
type TextEvent struct{ Rune rune }

// DropEvent is files that the user has dragged onto the window from elsewhere.
type DropEvent struct{ Files []string }

// ButtonEvent is a button of the mouse.
type ButtonEvent struct {
	Button    Button
	Action    Action
	Modifiers Modifiers
	X, Y      float64 // where the pointer is
}

// MoveEvent is the pointer's new place.
type MoveEvent struct{ X, Y float64 }

// LeaveEvent says that the pointer has left the window. A MoveEvent follows when it is back.
type LeaveEvent struct{}

// ScrollEvent is a turn of the wheel or a swipe: DY is 1 a notch away from the user.
type ScrollEvent struct {
	DX, DY float64
	X, Y   float64 // where the pointer is
}

// ResizeEvent is a new size of the framebuffer.
type ResizeEvent struct{ Width, Height int }

// ScaleEvent is a new content scale, as after a move to another display.
type ScaleEvent struct{ Scale float32 }

// CloseEvent is the user's wish to close the window; ShouldClose is true from then on, until Stay.
type CloseEvent struct{}
