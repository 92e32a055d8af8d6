//go:build !headless

package window

import (
	"errors"
	"fmt"
	"log"
	"os"
	"runtime"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// Open opens the window and makes its context current on the calling thread. Errors are of type
// *Error.
func Open(o Options) (Window, error) {
	if reason := start(); reason != "" {
		return nil, &Error{Kind: NoDisplay, Reason: reason}
	}
	if o.Width == 0 {
		o.Width = 1280
	}
	if o.Height == 0 {
		o.Height = 800
	}
	glfw.DefaultWindowHints()
	for hint, value := range map[glfw.Hint]int{
		glfw.ContextVersionMajor:     4,
		glfw.ContextVersionMinor:     5,
		glfw.OpenGLProfile:           glfw.OpenGLCoreProfile,
		glfw.OpenGLForwardCompatible: glfw.True,
		glfw.OpenGLDebugContext:      truth(o.Debug),
		glfw.Visible:                 truth(o.Visible),
		glfw.Resizable:               glfw.True,
		glfw.ScaleToMonitor:          glfw.True,
		glfw.DepthBits:               24,
		glfw.StencilBits:             8,
	} {
		glfw.WindowHint(hint, value)
	}
	var made *glfw.Window
	reason := catch(func() error {
		var err error
		made, err = glfw.CreateWindow(o.Width, o.Height, o.Title, nil, nil)
		return err
	})
	if made == nil {
		glfw.Terminate()
		return nil, &Error{Kind: NoOpenGL, Reason: reason}
	}
	w := &glfwWindow{window: made}
	w.listen()
	made.MakeContextCurrent()
	glfw.SwapInterval(1 - truth(o.Free))
	return w, nil
}

// start initializes GLFW and returns what is wrong, or nothing.
func start() string {
	if os.Getenv("DISPLAY") == "" && runtime.GOOS != "windows" && runtime.GOOS != "darwin" {
		return "the environment variable DISPLAY is not set"
	}
	if reason := catch(glfw.Init); reason != "" {
		return reason
	}
	// Where the display does not answer, Init only logs it. The next call then fails as not
	// initialized.
	return catch(func() error { glfw.GetMonitors(); return nil })
}

// catch calls into GLFW and returns what went wrong, or nothing. The binding returns some errors,
// panics with others, and writes those of the platform to the standard logger.
func catch(f func() error) (reason string) {
	var logged strings.Builder
	before, flags := log.Writer(), log.Flags()
	log.SetOutput(&logged)
	log.SetFlags(0)
	defer func() {
		log.SetOutput(before)
		log.SetFlags(flags)
		if p := recover(); p != nil {
			var failed *glfw.Error
			if err, ok := p.(error); !ok || !errors.As(err, &failed) {
				panic(p)
			}
			reason = failed.Error()
		}
		if said := strings.TrimSpace(logged.String()); said != "" {
			reason = said
		}
	}()
	if err := f(); err != nil {
		return err.Error()
	}
	return ""
}

func truth(b bool) int {
	if b {
		return glfw.True
	}
	return glfw.False
}

// glfwWindow is a window of GLFW.
type glfwWindow struct {
	window  *glfw.Window // nil once it is closed
	events  []Event
	closing bool
	pointer Pointer
	cursors [len(shapes)]*glfw.Cursor // made when first shown; GLFW frees them when it ends
}

// open returns the window of GLFW for a call, which panics after Close.
func (w *glfwWindow) open(call string) *glfw.Window {
	if w.window == nil {
		panic("window: " + call + " after Close")
	}
	return w.window
}

func (w *glfwWindow) Swap()                 { w.open("Swap").SwapBuffers() }
func (w *glfwWindow) SetTitle(title string) { w.open("SetTitle").SetTitle(title) }
func (w *glfwWindow) Quit()                 { w.closing = true }
func (w *glfwWindow) Stay()                 { w.closing = false }
func (w *glfwWindow) ShouldClose() bool     { return w.closing || w.window == nil }

func (w *glfwWindow) Poll() []Event {
	w.open("Poll")
	w.events = w.events[:0]
	glfw.PollEvents()
	return w.events
}

func (w *glfwWindow) Wait(seconds float64) []Event {
	w.open("Wait")
	w.events = w.events[:0]
	glfw.WaitEventsTimeout(max(seconds, 1e-3))
	return w.events
}

func (w *glfwWindow) FramebufferSize() (width, height int) {
	return w.open("FramebufferSize").GetFramebufferSize()
}

func (w *glfwWindow) ContentScale() float32 {
	x, y := w.open("ContentScale").GetContentScale()
	return max(x, y)
}

func (w *glfwWindow) SetPointer(p Pointer) {
	window := w.open("SetPointer")
	if p == w.pointer {
		return
	}
	w.pointer = p
	if p != Arrow && w.cursors[p] == nil {
		// A system that has none logs that, and the arrow stays.
		catch(func() error { w.cursors[p] = glfw.CreateStandardCursor(shapes[p]); return nil })
	}
	window.SetCursor(w.cursors[p])
}

// shapes are GLFW's pictures of pointers.
var shapes = [...]glfw.StandardCursor{Hand: glfw.HandCursor, Text: glfw.IBeamCursor, ResizeX: glfw.HResizeCursor, ResizeY: glfw.VResizeCursor}

func (w *glfwWindow) Clipboard() (text string) {
	window := w.open("Clipboard")
	// A clipboard without text is an error to GLFW.
	catch(func() error { text = window.GetClipboardString(); return nil })
	return text
}

func (w *glfwWindow) SetClipboard(text string) {
	window := w.open("SetClipboard")
	catch(func() error { window.SetClipboardString(text); return nil })
}

func (w *glfwWindow) Close() {
	if w.window != nil {
		w.window.Destroy()
		glfw.Terminate()
		w.window = nil
	}
}

// pixels turns GLFW's screen coordinates into pixels of the framebuffer.
func (w *glfwWindow) pixels(x, y float64) (float64, float64) {
	width, height := w.window.GetSize()
	fullWidth, fullHeight := w.window.GetFramebufferSize()
	if width == 0 || height == 0 {
		return x, y
	}
	return x * float64(fullWidth) / float64(width), y * float64(fullHeight) / float64(height)
}

// listen turns GLFW's callbacks into events.
func (w *glfwWindow) listen() {
	add := func(e Event) { w.events = append(w.events, e) }
	w.window.SetKeyCallback(func(_ *glfw.Window, key glfw.Key, _ int, action glfw.Action, mods glfw.ModifierKey) {
		add(KeyEvent{Key: keyName(key), Action: actions[action], Modifiers: modifiers(mods)})
	})
	w.window.SetDropCallback(func(_ *glfw.Window, files []string) { add(DropEvent{Files: files}) })
	w.window.SetCharCallback(func(_ *glfw.Window, r rune) { add(TextEvent{Rune: r}) })
	w.window.SetMouseButtonCallback(func(_ *glfw.Window, button glfw.MouseButton, action glfw.Action, mods glfw.ModifierKey) {
		x, y := w.pixels(w.window.GetCursorPos())
		add(ButtonEvent{Button: Button(button-glfw.MouseButton1) + Left, Action: actions[action], Modifiers: modifiers(mods), X: x, Y: y})
	})
	w.window.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) {
		x, y = w.pixels(x, y)
		add(MoveEvent{X: x, Y: y})
	})
	w.window.SetCursorEnterCallback(func(_ *glfw.Window, entered bool) {
		if !entered {
			add(LeaveEvent{})
		}
	})
	w.window.SetScrollCallback(func(_ *glfw.Window, dx, dy float64) {
		x, y := w.pixels(w.window.GetCursorPos())
		add(ScrollEvent{DX: dx, DY: dy, X: x, Y: y})
	})
	w.window.SetFramebufferSizeCallback(func(_ *glfw.Window, width, height int) { add(ResizeEvent{Width: width, Height: height}) })
	w.window.SetContentScaleCallback(func(_ *glfw.Window, x, y float32) { add(ScaleEvent{Scale: max(x, y)}) })
	w.window.SetCloseCallback(func(*glfw.Window) {
		w.closing = true
		add(CloseEvent{})
	})
}

var actions = map[glfw.Action]Action{glfw.Press: Press, glfw.Release: Release, glfw.Repeat: Repeat}

func modifiers(m glfw.ModifierKey) (mods Modifiers) {
	for _, pair := range [...]struct {
		glfw glfw.ModifierKey
		ours Modifiers
	}{{glfw.ModShift, Shift}, {glfw.ModControl, Control}, {glfw.ModAlt, Alt}, {glfw.ModSuper, Super}} {
		if m&pair.glfw != 0 {
			mods |= pair.ours
		}
	}
	return mods
}

var keyNames = map[glfw.Key]string{
	glfw.KeySpace: "space", glfw.KeyEnter: "enter", glfw.KeyEscape: "escape", glfw.KeyTab: "tab",
	glfw.KeyBackspace: "backspace", glfw.KeyInsert: "insert", glfw.KeyDelete: "delete", glfw.KeyLeft: "left",
	glfw.KeyRight: "right", glfw.KeyUp: "up", glfw.KeyDown: "down", glfw.KeyPageUp: "pageup",
	glfw.KeyPageDown: "pagedown", glfw.KeyHome: "home", glfw.KeyEnd: "end", glfw.KeyMenu: "menu",
	glfw.KeyPause: "pause", glfw.KeyLeftShift: "shift", glfw.KeyRightShift: "shift",
	glfw.KeyLeftControl: "control", glfw.KeyRightControl: "control", glfw.KeyLeftAlt: "alt", glfw.KeyRightAlt: "alt",
	glfw.KeyLeftSuper: "super", glfw.KeyRightSuper: "super", glfw.KeyApostrophe: "'", glfw.KeyComma: ",",
	glfw.KeyMinus: "-", glfw.KeyPeriod: ".", glfw.KeySlash: "/", glfw.KeySemicolon: ";", glfw.KeyEqual: "=",
	glfw.KeyLeftBracket: "[", glfw.KeyBackslash: "\\", glfw.KeyRightBracket: "]", glfw.KeyGraveAccent: "`",
	glfw.KeyKPDecimal: "kp.", glfw.KeyKPDivide: "kp/", glfw.KeyKPMultiply: "kp*", glfw.KeyKPSubtract: "kp-",
	glfw.KeyKPAdd: "kp+", glfw.KeyKPEnter: "kpenter", glfw.KeyKPEqual: "kp=",
}

// keyName is KeyEvent.Key.
func keyName(key glfw.Key) string {
	switch {
	case key >= glfw.KeyA && key <= glfw.KeyZ:
		return string(rune('a' + key - glfw.KeyA))
	case key >= glfw.Key0 && key <= glfw.Key9:
		return string(rune('0' + key - glfw.Key0))
	case key >= glfw.KeyKP0 && key <= glfw.KeyKP9:
		return "kp" + string(rune('0'+key-glfw.KeyKP0))
	case key >= glfw.KeyF1 && key <= glfw.KeyF25:
		return fmt.Sprintf("f%d", key-glfw.KeyF1+1)
	}
	if name, ok := keyNames[key]; ok {
		return name
	}
	return "unknown"
}
