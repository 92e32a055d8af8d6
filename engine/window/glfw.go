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

// Open opens the window and makes its context current on the calling thread. Errors are of type *Error.
func Open(o Options) (*Window, error) {
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
	h := &glfwHost{window: made}
	w := &Window{host: h}
	h.listen(w)
	h.makeCurrent()
	h.setFree(o.Free)
	return w, nil
}

// start initialises GLFW and says what is wrong, or nothing.
func start() string {
	if os.Getenv("DISPLAY") == "" && runtime.GOOS != "windows" && runtime.GOOS != "darwin" {
		return "the environment variable DISPLAY is not set"
	}
	if reason := catch(glfw.Init); reason != "" {
		return reason
	}
	// Where the display does not answer, Init only logs it. The next call then fails as not initialised.
	return catch(func() error { glfw.GetMonitors(); return nil })
}

// catch calls into GLFW and says what went wrong, or nothing. The binding returns some errors, panics with others, and
// writes those of the platform to the standard logger.
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

// glfwHost is a window of GLFW.
type glfwHost struct {
	window  *glfw.Window
	pointer Pointer
	hand    *glfw.Cursor // once it was asked for; GLFW frees it when it ends
}

func (h *glfwHost) makeCurrent() { h.window.MakeContextCurrent() }
func (h *glfwHost) swap()        { h.window.SwapBuffers() }
func (h *glfwHost) poll(*Window) { glfw.PollEvents() }

func (h *glfwHost) wait(_ *Window, seconds float64) { glfw.WaitEventsTimeout(max(seconds, 1e-3)) }

func (h *glfwHost) framebufferSize() (width, height int) { return h.window.GetFramebufferSize() }
func (h *glfwHost) setTitle(title string)                { h.window.SetTitle(title) }
func (h *glfwHost) show()                                { h.window.Show() }

func (h *glfwHost) contentScale() float32 {
	x, y := h.window.GetContentScale()
	return max(x, y)
}

func (h *glfwHost) setFree(free bool) {
	if free {
		glfw.SwapInterval(0)
	} else {
		glfw.SwapInterval(1)
	}
}

func (h *glfwHost) setPointer(p Pointer) {
	if p == h.pointer {
		return
	}
	h.pointer = p
	var cursor *glfw.Cursor // the arrow
	if p == Hand {
		if h.hand == nil {
			// A system that has none logs that, and the arrow stays.
			catch(func() error { h.hand = glfw.CreateStandardCursor(glfw.HandCursor); return nil })
		}
		cursor = h.hand
	}
	h.window.SetCursor(cursor)
}

func (h *glfwHost) destroy() {
	h.window.Destroy()
	glfw.Terminate()
}

// pixels turns GLFW's screen coordinates into pixels of the framebuffer.
func (h *glfwHost) pixels(x, y float64) (float64, float64) {
	width, height := h.window.GetSize()
	fullWidth, fullHeight := h.window.GetFramebufferSize()
	if width == 0 || height == 0 {
		return x, y
	}
	return x * float64(fullWidth) / float64(width), y * float64(fullHeight) / float64(height)
}

// listen turns GLFW's callbacks into events of the window.
func (h *glfwHost) listen(w *Window) {
	add := func(e Event) { w.events = append(w.events, e) }
	h.window.SetKeyCallback(func(_ *glfw.Window, key glfw.Key, _ int, action glfw.Action, mods glfw.ModifierKey) {
		add(KeyEvent{Key: keyName(key), Action: actions[action], Modifiers: modifiers(mods)})
	})
	h.window.SetCharCallback(func(_ *glfw.Window, char rune) { add(TextEvent{Rune: char}) })
	h.window.SetMouseButtonCallback(func(_ *glfw.Window, button glfw.MouseButton, action glfw.Action, mods glfw.ModifierKey) {
		x, y := h.pixels(h.window.GetCursorPos())
		add(ButtonEvent{Button: Button(button-glfw.MouseButton1) + Left, Action: actions[action], Modifiers: modifiers(mods), X: x, Y: y})
	})
	h.window.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) {
		x, y = h.pixels(x, y)
		add(MoveEvent{X: x, Y: y})
	})
	h.window.SetCursorEnterCallback(func(_ *glfw.Window, entered bool) {
		if !entered {
			add(LeaveEvent{})
		}
	})
	h.window.SetScrollCallback(func(_ *glfw.Window, dx, dy float64) {
		x, y := h.pixels(h.window.GetCursorPos())
		add(ScrollEvent{DX: dx, DY: dy, X: x, Y: y})
	})
	h.window.SetFramebufferSizeCallback(func(_ *glfw.Window, width, height int) { add(ResizeEvent{Width: width, Height: height}) })
	h.window.SetContentScaleCallback(func(_ *glfw.Window, x, y float32) { add(ScaleEvent{Scale: max(x, y)}) })
	h.window.SetRefreshCallback(func(*glfw.Window) { add(RefreshEvent{}) })
	h.window.SetDropCallback(func(_ *glfw.Window, files []string) { add(DropEvent{Files: files}) })
	h.window.SetCloseCallback(func(*glfw.Window) {
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
