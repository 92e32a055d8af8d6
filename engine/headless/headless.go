package headless

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// Version that contexts are made for.
const (
	wantMajor = 4
	wantMinor = 5
)

// Attempt is one try at making a context.
type Attempt struct {
	Platform string // "library", "device", "surfaceless" or "default"
	Device   string // what EGL calls the device; empty where it does not say
	Renderer string // GL_RENDERER; empty where no context came about
	Version  string // GL_VERSION; empty where no context came about
	Err      error  // why it was not to be had; nil for a usable context
	Chosen   bool   // the one that Open returned
}

func (a Attempt) String() string {
	switch {
	case a.Err != nil:
		return a.display() + ": " + a.Err.Error()
	case a.Chosen:
		return a.context() + " (chosen)"
	}
	return a.context() + " (usable, another was preferred)"
}

// display names the platform and the device.
func (a Attempt) display() string { return strings.TrimSpace(a.Platform + " " + a.Device) }

// context names the display and its context.
func (a Attempt) context() string { return a.display() + ": " + a.Renderer + ", OpenGL " + a.Version }

// Error says why no context could be made.
type Error struct {
	Attempts []Attempt
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("headless: no OpenGL 4.5 context without a display")
	for _, a := range e.Attempts {
		b.WriteString("\n  tried " + a.String())
	}
	b.WriteString("\n  " + e.Remedy())
	return b.String()
}

// Remedy is what to do about it, in a sentence.
func (e *Error) Remedy() string {
	if slices.ContainsFunc(e.Attempts, func(a Attempt) bool { return a.Platform == "library" }) {
		return installEGL
	}
	if slices.ContainsFunc(e.Attempts, func(a Attempt) bool { return a.Version != "" }) {
		return "The driver is too old: update it, or use Mesa's software renderer (apt-get install libgl1-mesa-dri; unset MESA_GL_VERSION_OVERRIDE; __EGL_VENDOR_LIBRARY_FILENAMES=/usr/share/glvnd/egl_vendor.d/50_mesa.json)."
	}
	return installDriver
}

// Context is an OpenGL 4.5 core context that has no display.
type Context struct {
	library  *library
	display  handle
	surface  handle // 0 for a context without a surface
	context  handle
	attempts []Attempt
	closed   bool
}

// Open makes a context for debugging. It is not current yet, and the calling thread has no current
// context of EGL afterwards. Errors are of type *Error.
func Open() (*Context, error) { return open(libraryName, eglContextDebug, 1) }

// open makes a context with a library and attributes of EGL besides those of its version.
func open(name string, attributes ...int32) (*Context, error) {
	// Trying a context makes it current, which is state of the thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l, err := loadLibrary(name)
	if err != nil {
		return nil, &Error{Attempts: []Attempt{{Platform: "library", Device: name, Err: err}}}
	}
	o := opener{library: l, attributes: attributes}
	for _, try := range []func(){o.devices, o.surfaceless, o.standard} {
		if try(); o.best != nil { // the devices are all there is, where EGL can list them
			break
		}
	}
	if o.best == nil {
		return nil, &Error{Attempts: o.attempts}
	}
	o.attempts[o.bestIndex].Chosen = true
	o.best.attempts = o.attempts
	return o.best, nil
}

// opener tries one display after the other and keeps the best context.
type opener struct {
	library    *library
	attributes []int32 // of EGL, besides those of the version
	attempts   []Attempt
	best       *Context
	bestIndex  int
}

// software recognizes renderers that run on the processor.
var software = regexp.MustCompile(`(?i)llvmpipe|softpipe|swrast|software`)

// hardware reports whether the best context so far is one of a graphics card.
func (o *opener) hardware() bool {
	return o.best != nil && !software.MatchString(o.attempts[o.bestIndex].Renderer)
}

func (o *opener) devices() {
	devices, err := o.library.devices()
	if err != nil {
		o.try("device", "", 0, err)
	}
	for i, device := range devices {
		name := o.library.deviceString(device, eglDRMDeviceFileEXT)
		if vendor := o.library.deviceString(device, eglRendererEXT); vendor != "" {
			name = strings.TrimSpace(vendor + " " + name)
		}
		if name == "" {
			name = fmt.Sprintf("%d", i)
		}
		display, err := o.library.platformDisplay(eglPlatformDeviceEXT, device)
		o.try("device", name, display, err)
		if o.hardware() {
			return
		}
	}
}

func (o *opener) surfaceless() {
	display, err := handle(0), fmt.Errorf("this libEGL has no EGL_MESA_platform_surfaceless")
	if strings.Contains(o.library.query(0, eglExtensions), "EGL_MESA_platform_surfaceless") && o.library.GetPlatformDisplayEXT != nil {
		display, err = o.library.platformDisplay(eglPlatformSurfacelessMESA, 0)
	}
	o.try("surfaceless", "", display, err)
}

func (o *opener) standard() {
	display := o.library.GetDisplay(0)
	o.try("default", "", display, check(o.library, "eglGetDisplay", display))
}

// try makes a context on a display, unless there is an error already, and keeps it if it is the
// first, or the first of hardware.
func (o *opener) try(platform, device string, display handle, err error) {
	a := Attempt{Platform: platform, Device: device, Err: err}
	var c *Context
	if err == nil {
		c, a.Err = o.make(display, &a)
	}
	o.attempts = append(o.attempts, a)
	switch {
	case a.Err != nil:
		return
	case o.best == nil:
	case o.hardware() || software.MatchString(a.Renderer):
		c.Close()
		return
	default:
		o.best.Close()
	}
	o.best, o.bestIndex = c, len(o.attempts)-1
}

func (o *opener) make(display handle, a *Attempt) (made *Context, err error) {
	l := o.library
	if err := l.start(display); err != nil {
		return nil, err
	}
	c := &Context{library: l, display: display}
	defer func() {
		if made == nil {
			c.Close()
		}
	}()
	config, err := l.config(display)
	if err != nil {
		return nil, err
	}
	if c.context, err = l.create(display, config, wantMajor, wantMinor, o.attributes...); err != nil {
		err = fmt.Errorf("no OpenGL %d.%d core context: %w", wantMajor, wantMinor, err)
		// What the driver does have is worth knowing.
		c.context, _ = l.create(display, config, 3, 2)
		if c.context != 0 && l.current(display, 0, c.context) == nil {
			l.describe(a)
			_ = l.current(display, 0, 0)
			err = fmt.Errorf("%w (it offers %s on %s)", err, a.Version, a.Renderer)
		}
		return nil, err
	}
	if !strings.Contains(l.query(display, eglExtensions), "EGL_KHR_surfaceless_context") {
		if c.surface, err = l.pbuffer(display, config); err != nil {
			return nil, err
		}
	}
	if err := l.current(display, c.surface, c.context); err != nil {
		return nil, err
	}
	l.describe(a)
	if err := l.current(display, 0, 0); err != nil {
		return nil, err
	}
	var major, minor int
	if _, err := fmt.Sscanf(a.Version, "%d.%d", &major, &minor); err != nil || major < wantMajor || major == wantMajor && minor < wantMinor {
		return nil, fmt.Errorf("the driver made OpenGL %q where %d.%d was asked for", a.Version, wantMajor, wantMinor)
	}
	return c, nil
}

// MakeCurrent makes the context current on the calling OS thread. The goroutine must be locked to
// it.
func (c *Context) MakeCurrent() error {
	if c.closed {
		panic("headless: MakeCurrent on a closed Context")
	}
	// The API is state of the thread, and the context may have wandered to another.
	err := c.library.bind()
	if err == nil {
		err = c.library.current(c.display, c.surface, c.context)
	}
	return wrap(err)
}

// wrap names the package in an error.
func wrap(err error) error {
	if err != nil {
		return fmt.Errorf("headless: %w", err)
	}
	return nil
}

// Release leaves the calling thread without a current context, so that another thread may take it.
func (c *Context) Release() error { return wrap(c.library.current(c.display, 0, 0)) }

// Current reports whether the context is current on the calling thread.
func (c *Context) Current() bool { return !c.closed && c.library.GetCurrentContext() == c.context }

// Close destroys the context. If it is current it must be so on the calling thread. Closing twice
// does nothing.
//
// The display stays initialized: EGL counts no references, so ending it would end every other
// context on it.
func (c *Context) Close() {
	if c.closed {
		return
	}
	c.closed = true
	if c.context != 0 {
		if c.library.GetCurrentContext() == c.context {
			_ = c.library.current(c.display, 0, 0)
		}
		c.library.DestroyContext(c.display, c.context)
	}
	if c.surface != 0 {
		c.library.DestroySurface(c.display, c.surface)
	}
}

// Attempts lists every try that Open made, in order.
func (c *Context) Attempts() []Attempt { return slices.Clone(c.attempts) }

// Describe names the platform, device, renderer and version in a line.
func (c *Context) Describe() string {
	chosen := slices.IndexFunc(c.attempts, func(a Attempt) bool { return a.Chosen })
	return "EGL " + c.attempts[chosen].context()
}
