package window

// Options say how the window starts.
type Options struct {
	Title   string
	Width   int  // before scaling by the display's scale; 0 is 1280
	Height  int  // likewise; 0 is 800
	Visible bool // false for a window that is only a context
	Debug   bool // the context sends messages about errors; slower on some drivers
	Free    bool // Swap does not wait for the display's refresh
}

// Error says why there is no window.
type Error struct {
	Kind   Kind
	Reason string // what the system said
}

// Kind tells the causes apart.
type Kind int

// The causes.
const (
	NoDisplay Kind = iota + 1 // no display to open it on
	NoOpenGL                  // a display, but no OpenGL 4.5 core context there
	NotBuilt                  // this build has no window
)

func (e *Error) Error() string {
	what := map[Kind]string{
		NoDisplay: "no display",
		NoOpenGL:  "no OpenGL 4.5 on this display",
		NotBuilt:  "this build has no window",
	}[e.Kind]
	if e.Reason != "" {
		what += " (" + e.Reason + ")"
	}
	return "window: " + what + ". " + e.Remedy()
}

// Remedy is what to do about it, in a sentence.
func (e *Error) Remedy() string {
	switch e.Kind {
	case NoDisplay:
		return "Start it in a graphical session, or under a virtual display: apt-get install xvfb xauth, then xvfb-run -a COMMAND; what needs no window works without one."
	case NoOpenGL:
		return "Update the graphics driver, or use Mesa's software renderer: apt-get install libgl1-mesa-dri, then LIBGL_ALWAYS_SOFTWARE=1 (macOS ends at OpenGL 4.1)."
	}
	return "Build without the tag headless to have one."
}

// Window is a window with its context.
type Window struct {
	host    host
	events  []Event
	closing bool
}

// host is the window system's side of a window, so that the rest builds without one.
type host interface {
	makeCurrent()
	swap()
	poll(w *Window)
	wait(w *Window, seconds float64)
	framebufferSize() (width, height int)
	contentScale() float32
	setTitle(title string)
	setFree(free bool)
	setPointer(p Pointer)
	show()
	destroy()
}

// MakeCurrent makes the window's context current on the calling thread. Open has done so.
func (w *Window) MakeCurrent() { w.host.makeCurrent() }

// Swap shows what was drawn to the default framebuffer.
func (w *Window) Swap() { w.host.swap() }

// Poll gives what happened since the last call, in order. The slice is valid until the next call of Poll or Wait.
func (w *Window) Poll() []Event {
	w.events = w.events[:0]
	w.host.poll(w)
	return w.events
}

// Wait is Poll, except that it sleeps until something happens, at most so many seconds.
func (w *Window) Wait(seconds float64) []Event {
	w.events = w.events[:0]
	w.host.wait(w, seconds)
	return w.events
}

// ShouldClose reports whether the user asked to close the window, or Quit was called.
func (w *Window) ShouldClose() bool { return w.closing }

// Quit makes ShouldClose true.
func (w *Window) Quit() { w.closing = true }

// Stay makes ShouldClose false again: what the user asked for with a CloseEvent is not done.
func (w *Window) Stay() { w.closing = false }

// FramebufferSize is the size to draw at, in pixels; 0 x 0 while the window is minimised on some systems.
func (w *Window) FramebufferSize() (width, height int) { return w.host.framebufferSize() }

// ContentScale is how many pixels a pixel of a plain display is on this one: 1, 1.25, 2 and so on. Texts and lines grow
// with it.
func (w *Window) ContentScale() float32 { return w.host.contentScale() }

// SetTitle replaces the title.
func (w *Window) SetTitle(title string) { w.host.setTitle(title) }

// SetFree says whether Swap returns at once (true) or waits for the display's refresh.
func (w *Window) SetFree(free bool) { w.host.setFree(free) }

// Pointer is what the pointer looks like over the window.
type Pointer int

// The pointers.
const (
	Arrow Pointer = iota
	Hand          // over what can be clicked or dragged
)

// SetPointer says what the pointer looks like. Systems without such a picture show the arrow.
func (w *Window) SetPointer(p Pointer) { w.host.setPointer(p) }

// Show makes a window visible that was opened without.
func (w *Window) Show() { w.host.show() }

// Close destroys the window and its context. Closing twice does nothing.
func (w *Window) Close() {
	if w.host != nil {
		w.host.destroy()
		w.host = closed{}
		w.closing = true
	}
}

// closed stands in for the host of a window that is gone.
type closed struct{}

func misused(call string) { panic("window: " + call + " after Close") }

func (closed) makeCurrent()                { misused("MakeCurrent") }
func (closed) swap()                       { misused("Swap") }
func (closed) poll(*Window)                { misused("Poll") }
func (closed) wait(*Window, float64)       { misused("Wait") }
func (closed) framebufferSize() (_, _ int) { misused("FramebufferSize"); return 0, 0 }
func (closed) contentScale() float32       { misused("ContentScale"); return 0 }
func (closed) setTitle(string)             { misused("SetTitle") }
func (closed) setFree(bool)                { misused("SetFree") }
func (closed) setPointer(Pointer)          { misused("SetPointer") }
func (closed) show()                       { misused("Show") }
func (closed) destroy()                    {}
