package headless

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/ebitengine/purego"
)

// handle is an EGLDisplay, EGLConfig, EGLContext, EGLSurface or EGLDeviceEXT; 0 is none.
type handle uintptr

// functions are those of EGL in use, "egl" left out of their names. So no EGL headers are needed to
// build.
type functions struct {
	GetProcAddress       func(name string) uintptr
	GetError             func() int32
	GetDisplay           func(native uintptr) handle
	Initialize           func(display handle, major, minor *int32) uint32
	GetCurrentContext    func() handle
	QueryString          func(display handle, name int32) string
	BindAPI              func(api uint32) uint32
	ChooseConfig         func(display handle, attributes []int32, configs *handle, size int32, count *int32) uint32
	CreateContext        func(display, config, share handle, attributes []int32) handle
	DestroyContext       func(display, context handle) uint32
	CreatePbufferSurface func(display, config handle, attributes []int32) handle
	DestroySurface       func(display, surface handle) uint32
	MakeCurrent          func(display, draw, read, context handle) uint32
}

// extensions are functions of EGL that a library may lack: nil then.
type extensions struct {
	GetPlatformDisplayEXT func(platform uint32, native handle, attributes []int32) handle
	QueryDevicesEXT       func(size int32, devices []handle, count *int32) uint32
	QueryDeviceStringEXT  func(device handle, name int32) string
}

// Values from the Khronos registry (egl.xml, gl.xml).
const (
	eglSuccess                 = 0x3000
	eglNone                    = 0x3038
	eglSurfaceType             = 0x3033
	eglPbufferBit              = 0x0001
	eglRenderableType          = 0x3040
	eglOpenGLBit               = 0x0008
	eglExtensions              = 0x3055
	eglHeight                  = 0x3056
	eglWidth                   = 0x3057
	eglOpenGLAPI               = 0x30A2
	eglContextMajor            = 0x3098
	eglContextMinor            = 0x30FB
	eglContextProfileMask      = 0x30FD
	eglContextCoreBit          = 0x0001
	eglContextDebug            = 0x31B0
	eglContextNoErrorKHR       = 0x31B3
	eglPlatformDeviceEXT       = 0x313F
	eglPlatformSurfacelessMESA = 0x31DD
	eglRendererEXT             = 0x335F
	eglDRMDeviceFileEXT        = 0x3233

	glRenderer = 0x1F01
	glVersion  = 0x1F02
)

var errorNames = map[int32]string{
	0x3001: "EGL_NOT_INITIALIZED", 0x3002: "EGL_BAD_ACCESS", 0x3003: "EGL_BAD_ALLOC", 0x3004: "EGL_BAD_ATTRIBUTE",
	0x3005: "EGL_BAD_CONFIG", 0x3006: "EGL_BAD_CONTEXT", 0x3007: "EGL_BAD_CURRENT_SURFACE", 0x3008: "EGL_BAD_DISPLAY",
	0x3009: "EGL_BAD_MATCH", 0x300A: "EGL_BAD_NATIVE_PIXMAP", 0x300B: "EGL_BAD_NATIVE_WINDOW",
	0x300C: "EGL_BAD_PARAMETER", 0x300D: "EGL_BAD_SURFACE", 0x300E: "EGL_CONTEXT_LOST",
}

// library is libEGL. It stays loaded for the life of the process: drivers do not survive unloading.
type library struct {
	functions
	extensions
}

var (
	librariesMutex sync.Mutex
	libraries      = map[string]*library{}
)

// loadLibrary loads libEGL by its file name.
func loadLibrary(name string) (*library, error) {
	librariesMutex.Lock()
	defer librariesMutex.Unlock()
	if l := libraries[name]; l != nil {
		return l, nil
	}
	file, err := openFile(name)
	if err != nil {
		return nil, err
	}
	l := &library{}
	err = register(&l.functions, func(function string) (uintptr, error) {
		address, err := file.symbol(function)
		if err != nil {
			return 0, fmt.Errorf("%s has no function %s", name, function)
		}
		return address, nil
	})
	if err != nil {
		file.close()
		return nil, err
	}
	_ = register(&l.extensions, func(function string) (uintptr, error) { return l.GetProcAddress(function), nil })
	libraries[name] = l
	return l, nil
}

// register makes the fields of a struct the functions at the addresses of their names; 0 is none.
func register(functions any, address func(function string) (uintptr, error)) error {
	fields := reflect.ValueOf(functions).Elem()
	for i := range fields.NumField() {
		at, err := address("egl" + fields.Type().Field(i).Name)
		if err != nil {
			return err
		}
		if at != 0 {
			purego.RegisterFunc(fields.Field(i).Addr().Interface(), at)
		}
	}
	return nil
}

// check returns the last error on this thread of a call, where it returned 0.
func check[T uint32 | handle](l *library, call string, result T) error {
	if result != 0 {
		return nil
	}
	code := l.GetError()
	if code == eglSuccess {
		return fmt.Errorf("%s failed without an error code", call)
	}
	if name, ok := errorNames[code]; ok {
		return fmt.Errorf("%s failed: %s", call, name)
	}
	return fmt.Errorf("%s failed: EGL error 0x%04X", call, code)
}

// query reads a string of a display, or of the library where the display is 0. Nothing is the empty
// string.
func (l *library) query(display handle, name int32) string {
	s := l.QueryString(display, name)
	if s == "" {
		l.GetError() // a client that has no extensions of its own says EGL_BAD_DISPLAY
	}
	return s
}

func (l *library) deviceString(device handle, name int32) string {
	if l.QueryDeviceStringEXT == nil {
		return ""
	}
	s := l.QueryDeviceStringEXT(device, name)
	if s == "" {
		l.GetError()
	}
	return s
}

// devices lists the devices in EGL's order.
func (l *library) devices() ([]handle, error) {
	if l.QueryDevicesEXT == nil || l.GetPlatformDisplayEXT == nil {
		return nil, fmt.Errorf("this libEGL has no EGL_EXT_platform_device")
	}
	var count int32
	if err := check(l, "eglQueryDevicesEXT", l.QueryDevicesEXT(0, nil, &count)); err != nil {
		return nil, err
	}
	if count == 0 {
		return nil, fmt.Errorf("EGL lists no devices")
	}
	found := make([]handle, count)
	err := check(l, "eglQueryDevicesEXT", l.QueryDevicesEXT(count, found, &count))
	return found[:count], err
}

// platformDisplay is the display of a device, or that of a platform.
func (l *library) platformDisplay(platform uint32, native handle) (handle, error) {
	display := l.GetPlatformDisplayEXT(platform, native, []int32{eglNone})
	return display, check(l, "eglGetPlatformDisplayEXT", display)
}

// start initializes a display, and chooses desktop OpenGL for this thread's next contexts.
func (l *library) start(display handle) error {
	var major, minor int32
	if err := check(l, "eglInitialize", l.Initialize(display, &major, &minor)); err != nil {
		return err
	}
	if major == 1 && minor < 4 {
		return fmt.Errorf("EGL %d.%d is older than 1.4", major, minor)
	}
	return l.bind()
}

// bind chooses desktop OpenGL for this thread.
func (l *library) bind() error {
	if err := check(l, "eglBindAPI", l.BindAPI(eglOpenGLAPI)); err != nil {
		return fmt.Errorf("no desktop OpenGL: %w", err)
	}
	return nil
}

// config finds a configuration. Nothing is drawn to a surface, so any for OpenGL will do; one with
// pbuffers serves where there are no contexts without a surface.
func (l *library) config(display handle) (config handle, err error) {
	for _, surface := range []int32{eglPbufferBit, 0} {
		attributes := []int32{eglSurfaceType, surface, eglRenderableType, eglOpenGLBit, eglNone}
		var count int32
		if err := check(l, "eglChooseConfig", l.ChooseConfig(display, attributes, &config, 1, &count)); err != nil {
			return 0, err
		}
		if count > 0 {
			return config, nil
		}
	}
	return 0, fmt.Errorf("no configuration for OpenGL")
}

// create makes a context; more are further attributes, each with its value.
func (l *library) create(display, config handle, major, minor int32, more ...int32) (handle, error) {
	attributes := append([]int32{
		eglContextMajor, major, eglContextMinor, minor, eglContextProfileMask, eglContextCoreBit,
	}, more...)
	context := l.CreateContext(display, config, 0, append(attributes, eglNone))
	return context, check(l, "eglCreateContext", context)
}

func (l *library) pbuffer(display, config handle) (handle, error) {
	surface := l.CreatePbufferSurface(display, config, []int32{eglWidth, 1, eglHeight, 1, eglNone})
	return surface, check(l, "eglCreatePbufferSurface", surface)
}

// current makes a context current on this thread; with context 0 it leaves the thread with none.
func (l *library) current(display, surface, context handle) error {
	return check(l, "eglMakeCurrent", l.MakeCurrent(display, surface, surface, context))
}

// describe reads version and renderer of the current OpenGL context.
func (l *library) describe(a *Attempt) {
	if address := l.GetProcAddress("glGetString"); address != 0 {
		var getString func(name uint32) string
		purego.RegisterFunc(&getString, address)
		a.Version, a.Renderer = getString(glVersion), getString(glRenderer)
	}
}
