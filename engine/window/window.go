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

// Window is a window with its context. Methods other than Close panic after that.
type Window interface {
	// Swap shows what was drawn to the default framebuffer.
	Swap()

	// Poll returns what happened since the last call, in order. The slice is valid until the next call
	// of Poll or Wait.
	Poll() []Event

	// Wait is Poll, except that it sleeps until something happens, at most so many seconds.
	Wait(seconds float64) []Event

	// Quit makes ShouldClose true.
	Quit()

	// Stay makes ShouldClose false again: what the user asked for with a CloseEvent is not done.
	Stay()

	// FramebufferSize is the size to draw at, in pixels; 0 x 0 while the window is minimized on some
	// systems.
	FramebufferSize() (width, height int)

	// ContentScale is how many pixels a pixel of a plain display is on this one: 1, 1.25, 2 and so on.
	// Texts and lines grow with it.
	ContentScale() float32

	// SetTitle replaces the title.
	SetTitle(title string)

	// SetPointer sets what the pointer looks like. Systems without such a picture show the arrow.
	SetPointer(p Pointer)

	// Clipboard is the text in the system's clipboard; "" where that holds none.
	Clipboard() string

	// SetClipboard puts a text into the system's clipboard.
	SetClipboard(text string)

	// ShouldClose reports whether the user asked to close the window, or Quit or Close was called.
	ShouldClose() bool

	// Close destroys the window and its context. Closing twice does nothing.
	Close()
}

// Pointer is what the pointer looks like over the window.
type Pointer int

// The pointers.
const (
	Arrow   Pointer = iota
	Hand            // over what can be clicked or dragged
	Text            // over text that can be edited
	ResizeX         // over an edge that moves to the left and right
	ResizeY         // over an edge that moves up and down
)
