package headless

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unsafe"
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
	s := a.Platform
	if a.Device != "" {
		s += " " + a.Device
	}
	switch {
	case a.Err != nil:
		return s + ": " + a.Err.Error()
	case a.Chosen:
		return s + ": " + a.Renderer + ", OpenGL " + a.Version + " (chosen)"
	}
	return s + ": " + a.Renderer + ", OpenGL " + a.Version + " (usable, another was preferred)"
}

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
	for _, a := range e.Attempts {
		if a.Platform == "library" {
			return "Install EGL: apt-get install libegl1 libgl1-mesa-dri (Debian, Ubuntu)."
		}
	}
	for _, a := range e.Attempts {
		if a.Version != "" {
			return "The driver is too old: update it, or use Mesa's software renderer (apt-get install libgl1-mesa-dri; unset MESA_GL_VERSION_OVERRIDE; __EGL_VENDOR_LIBRARY_FILENAMES=/usr/share/glvnd/egl_vendor.d/50_mesa.json)."
		}
	}
	return "Install a driver: apt-get install libegl1 libgl1-mesa-dri for Mesa with its software renderer (Debian, Ubuntu), or the NVIDIA driver with its EGL library for an NVIDIA card."
}

// Options say what kind of context Open makes.
type Options struct {
	// Release makes a context without debug output. Drivers check less in it and may run faster.
	Release bool

	// Library is the file name of libEGL; empty is "libEGL.so.1".
	Library string
}

// Context is an OpenGL 4.5 core context that has no display.
type Context struct {
	library  *library
	display  unsafe.Pointer
	surface  unsafe.Pointer // nil for a context without a surface
	context  unsafe.Pointer
	attempts []Attempt
	closed   bool
}

// Open makes a context for debugging with the default Options. It is not current yet. Errors are of type *Error.
func Open() (*Context, error) { return OpenWith(Options{}) }

// OpenWith makes a context. It leaves the calling thread with no current context of EGL.
func OpenWith(options Options) (*Context, error) {
	var attributes []int
	if !options.Release {
		attributes = []int{eglContextDebug, 1}
	}
	return open(options.Library, attributes)
}

// open makes a context with attributes of EGL besides those of its version.
func open(name string, attributes []int) (*Context, error) {
	// Trying a context makes it current, which is state of the thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if name == "" {
		name = "libEGL.so.1"
	}
	l, err := loadLibrary(name)
	if err != nil {
		return nil, &Error{Attempts: []Attempt{{Platform: "library", Device: name, Err: err}}}
	}
	o := opener{library: l, attributes: attributes}
	o.devices()
	if o.best == nil { // the devices are all there is, where EGL can list them
		o.surfaceless()
	}
	if o.best == nil {
		o.standard()
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
	attributes []int // of EGL, besides those of the version
	attempts   []Attempt
	best       *Context
	bestIndex  int
}

// hardware reports whether the best context so far is one of a graphics card.
func (o *opener) hardware() bool {
	return o.best != nil && !software(o.attempts[o.bestIndex].Renderer)
}

// software recognises the renderers that run on the processor.
func software(renderer string) bool {
	renderer = strings.ToLower(renderer)
	return slices.ContainsFunc([]string{"llvmpipe", "softpipe", "swrast", "software"}, func(s string) bool {
		return strings.Contains(renderer, s)
	})
}

func (o *opener) fail(platform, device string, err error) {
	o.attempts = append(o.attempts, Attempt{Platform: platform, Device: device, Err: err})
}

func (o *opener) devices() {
	devices, err := o.library.devices()
	if err != nil {
		o.fail("device", "", err)
		return
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
		if err != nil {
			o.fail("device", name, err)
			continue
		}
		o.try("device", name, display)
		if o.hardware() {
			return
		}
	}
}

func (o *opener) surfaceless() {
	if !strings.Contains(o.library.query(nil, eglExtensions), "EGL_MESA_platform_surfaceless") || o.library.getPlatformDisplay == nil {
		o.fail("surfaceless", "", fmt.Errorf("this libEGL has no EGL_MESA_platform_surfaceless"))
		return
	}
	display, err := o.library.platformDisplay(eglPlatformSurfacelessMESA, nil)
	if err != nil {
		o.fail("surfaceless", "", err)
		return
	}
	o.try("surfaceless", "", display)
}

func (o *opener) standard() {
	display, err := o.library.defaultDisplay()
	if err != nil {
		o.fail("default", "", err)
		return
	}
	o.try("default", "", display)
}

// try makes a context on a display and keeps it if it is the first, or the first of hardware.
func (o *opener) try(platform, device string, display unsafe.Pointer) {
	a := Attempt{Platform: platform, Device: device}
	c, err := o.make(display, &a)
	a.Err = err
	o.attempts = append(o.attempts, a)
	if err != nil {
		return
	}
	if o.best != nil {
		if o.hardware() || software(a.Renderer) {
			c.Close()
			return
		}
		o.best.Close()
	}
	o.best, o.bestIndex = c, len(o.attempts)-1
}

func (o *opener) make(display unsafe.Pointer, a *Attempt) (made *Context, err error) {
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
	if err := l.bind(); err != nil {
		return nil, err
	}
	config, err := l.config(display)
	if err != nil {
		return nil, err
	}
	if c.context, err = l.create(display, config, wantMajor, wantMinor, o.attributes...); err != nil {
		err = fmt.Errorf("no OpenGL %d.%d core context: %w", wantMajor, wantMinor, err)
		// What the driver does have is worth knowing.
		c.context, _ = l.create(display, config, 3, 2)
		if c.context != nil && l.current(display, nil, c.context) == nil {
			a.Version, a.Renderer = l.glString(glVersion), l.glString(glRenderer)
			_ = l.current(display, nil, nil)
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
	a.Version, a.Renderer = l.glString(glVersion), l.glString(glRenderer)
	if err := l.current(display, nil, nil); err != nil {
		return nil, err
	}
	var major, minor int
	if _, err := fmt.Sscanf(a.Version, "%d.%d", &major, &minor); err != nil || major < wantMajor || major == wantMajor && minor < wantMinor {
		return nil, fmt.Errorf("the driver made OpenGL %q where %d.%d was asked for", a.Version, wantMajor, wantMinor)
	}
	return c, nil
}

// MakeCurrent makes the context current on the calling OS thread. The goroutine must be locked to it.
func (c *Context) MakeCurrent() error {
	if c.closed {
		panic("headless: MakeCurrent on a closed Context")
	}
	// The API is state of the thread, and the context may have wandered to another.
	if err := c.library.bind(); err != nil {
		return fmt.Errorf("headless: %w", err)
	}
	if err := c.library.current(c.display, c.surface, c.context); err != nil {
		return fmt.Errorf("headless: %w", err)
	}
	return nil
}

// Release leaves the calling thread without a current context, so that another thread may take it.
func (c *Context) Release() error {
	if err := c.library.current(c.display, nil, nil); err != nil {
		return fmt.Errorf("headless: %w", err)
	}
	return nil
}

// Current reports whether the context is current on the calling thread.
func (c *Context) Current() bool { return !c.closed && c.library.isCurrent(c.context) }

// Close destroys the context. If it is current it must be so on the calling thread. Closing twice does nothing.
//
// The display stays initialised: EGL counts no references, so ending it would end every other context on it.
func (c *Context) Close() {
	if c.closed {
		return
	}
	c.closed = true
	if c.context != nil {
		if c.library.isCurrent(c.context) {
			_ = c.library.current(c.display, nil, nil)
		}
		c.library.destroy(c.display, c.context)
	}
	if c.surface != nil {
		c.library.destroyPbuffer(c.display, c.surface)
	}
}

// Attempts tells every try that Open made, in order.
func (c *Context) Attempts() []Attempt { return slices.Clone(c.attempts) }

// Describe names the platform, device, renderer and version in a line.
func (c *Context) Describe() string {
	for _, a := range c.attempts {
		if a.Chosen {
			s := "EGL " + a.Platform
			if a.Device != "" {
				s += " " + a.Device
			}
			return s + ": " + a.Renderer + ", OpenGL " + a.Version
		}
	}
	return "EGL"
}
