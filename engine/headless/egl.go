package headless

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// The few EGL 1.5 types and calls in use, spelled out so that no EGL headers are needed to build.
typedef void *Handle;      // EGLDisplay, EGLConfig, EGLContext, EGLSurface, EGLDeviceEXT
typedef unsigned int Bool;

typedef void *(*ProcGetProcAddress)(const char *);
typedef int (*ProcGetError)(void);
typedef Handle (*ProcGetDisplay)(void *);
typedef Bool (*ProcInitialize)(Handle, int *, int *);
typedef Handle (*ProcGetCurrentContext)(void);
typedef const char *(*ProcQueryString)(Handle, int);
typedef Bool (*ProcBindAPI)(unsigned int);
typedef Bool (*ProcChooseConfig)(Handle, const int *, Handle *, int, int *);
typedef Handle (*ProcCreateContext)(Handle, Handle, Handle, const int *);
typedef Bool (*ProcDestroyContext)(Handle, Handle);
typedef Handle (*ProcCreatePbufferSurface)(Handle, Handle, const int *);
typedef Bool (*ProcDestroySurface)(Handle, Handle);
typedef Bool (*ProcMakeCurrent)(Handle, Handle, Handle, Handle);
typedef Handle (*ProcGetPlatformDisplayEXT)(unsigned int, void *, const int *);
typedef Bool (*ProcQueryDevicesEXT)(int, Handle *, int *);
typedef const char *(*ProcQueryDeviceStringEXT)(Handle, int);
typedef const unsigned char *(*ProcGetString)(unsigned int);

static void *openLibrary(const char *name, const char **error) {
	void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (!library) *error = dlerror();
	return library;
}
static int callGetError(void *f) { return ((ProcGetError)f)(); }
static Handle callGetDisplay(void *f) { return ((ProcGetDisplay)f)(0); }
static Bool callInitialize(void *f, Handle d, int *major, int *minor) { return ((ProcInitialize)f)(d, major, minor); }
static Handle callGetCurrentContext(void *f) { return ((ProcGetCurrentContext)f)(); }
static const char *callQueryString(void *f, Handle d, int name) { return ((ProcQueryString)f)(d, name); }
static Bool callBindAPI(void *f, unsigned int api) { return ((ProcBindAPI)f)(api); }
static Bool callChooseConfig(void *f, Handle d, const int *attributes, Handle *configs, int size, int *count) {
	return ((ProcChooseConfig)f)(d, attributes, configs, size, count);
}
static Handle callCreateContext(void *f, Handle d, Handle config, const int *attributes) {
	return ((ProcCreateContext)f)(d, config, 0, attributes);
}
static Bool callDestroyContext(void *f, Handle d, Handle c) { return ((ProcDestroyContext)f)(d, c); }
static Handle callCreatePbufferSurface(void *f, Handle d, Handle config, const int *attributes) {
	return ((ProcCreatePbufferSurface)f)(d, config, attributes);
}
static Bool callDestroySurface(void *f, Handle d, Handle s) { return ((ProcDestroySurface)f)(d, s); }
static Bool callMakeCurrent(void *f, Handle d, Handle s, Handle c) { return ((ProcMakeCurrent)f)(d, s, s, c); }
static Handle callGetPlatformDisplay(void *f, unsigned int platform, Handle native, const int *attributes) {
	return ((ProcGetPlatformDisplayEXT)f)(platform, native, attributes);
}
static Bool callQueryDevices(void *f, int size, Handle *devices, int *count) {
	return ((ProcQueryDevicesEXT)f)(size, devices, count);
}
static const char *callQueryDeviceString(void *f, Handle device, int name) {
	return ((ProcQueryDeviceStringEXT)f)(device, name);
}
static const char *callGetString(void *f, unsigned int name) { return (const char *)((ProcGetString)f)(name); }
static void *callGetProcAddress(void *f, const char *name) { return ((ProcGetProcAddress)f)(name); }
*/
import "C"

import (
	"fmt"
	"sync"
	"unsafe"
)

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

	glVendor   = 0x1F00
	glRenderer = 0x1F01
	glVersion  = 0x1F02
)

var errorNames = map[int]string{
	0x3001: "EGL_NOT_INITIALIZED", 0x3002: "EGL_BAD_ACCESS", 0x3003: "EGL_BAD_ALLOC", 0x3004: "EGL_BAD_ATTRIBUTE",
	0x3005: "EGL_BAD_CONFIG", 0x3006: "EGL_BAD_CONTEXT", 0x3007: "EGL_BAD_CURRENT_SURFACE", 0x3008: "EGL_BAD_DISPLAY",
	0x3009: "EGL_BAD_MATCH", 0x300A: "EGL_BAD_NATIVE_PIXMAP", 0x300B: "EGL_BAD_NATIVE_WINDOW",
	0x300C: "EGL_BAD_PARAMETER", 0x300D: "EGL_BAD_SURFACE", 0x300E: "EGL_CONTEXT_LOST",
}

// library is libEGL with its functions. It stays loaded for the life of the process: drivers do not survive unloading.
type library struct {
	getProcAddress, getError, getDisplay, initialize, getCurrentContext, queryString, bindAPI, chooseConfig, createContext,
	destroyContext, createPbufferSurface, destroySurface, makeCurrent unsafe.Pointer

	getPlatformDisplay, queryDevices, queryDeviceString unsafe.Pointer // extensions; may be nil
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
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	var message *C.char
	handle := C.openLibrary(cname, &message)
	if handle == nil {
		return nil, fmt.Errorf("%s", C.GoString(message))
	}
	l := &library{}
	for _, f := range []struct {
		name string
		into *unsafe.Pointer
	}{
		{"eglGetProcAddress", &l.getProcAddress},
		{"eglGetError", &l.getError},
		{"eglGetDisplay", &l.getDisplay},
		{"eglInitialize", &l.initialize},
		{"eglGetCurrentContext", &l.getCurrentContext},
		{"eglQueryString", &l.queryString},
		{"eglBindAPI", &l.bindAPI},
		{"eglChooseConfig", &l.chooseConfig},
		{"eglCreateContext", &l.createContext},
		{"eglDestroyContext", &l.destroyContext},
		{"eglCreatePbufferSurface", &l.createPbufferSurface},
		{"eglDestroySurface", &l.destroySurface},
		{"eglMakeCurrent", &l.makeCurrent},
	} {
		symbol := C.CString(f.name)
		*f.into = C.dlsym(handle, symbol)
		C.free(unsafe.Pointer(symbol))
		if *f.into == nil {
			C.dlclose(handle)
			return nil, fmt.Errorf("%s has no function %s", name, f.name)
		}
	}
	l.getPlatformDisplay = l.address("eglGetPlatformDisplayEXT")
	l.queryDevices = l.address("eglQueryDevicesEXT")
	l.queryDeviceString = l.address("eglQueryDeviceStringEXT")
	libraries[name] = l
	return l, nil
}

func (l *library) address(name string) unsafe.Pointer {
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	return C.callGetProcAddress(l.getProcAddress, cname)
}

// failed describes the last error of a call on this thread.
func (l *library) failed(call string) error {
	code := int(C.callGetError(l.getError))
	if code == eglSuccess {
		return fmt.Errorf("%s failed without an error code", call)
	}
	if name, ok := errorNames[code]; ok {
		return fmt.Errorf("%s failed: %s", call, name)
	}
	return fmt.Errorf("%s failed: EGL error 0x%04X", call, code)
}

// query reads a string of a display, or of the library where the display is nil. Nothing is the empty string.
func (l *library) query(display unsafe.Pointer, name int) string {
	s := C.callQueryString(l.queryString, C.Handle(display), C.int(name))
	if s == nil {
		C.callGetError(l.getError) // a client that has no extensions of its own says EGL_BAD_DISPLAY
		return ""
	}
	return C.GoString(s)
}

func (l *library) deviceString(device unsafe.Pointer, name int) string {
	if l.queryDeviceString == nil {
		return ""
	}
	s := C.callQueryDeviceString(l.queryDeviceString, C.Handle(device), C.int(name))
	if s == nil {
		C.callGetError(l.getError)
		return ""
	}
	return C.GoString(s)
}

// devices lists the devices in EGL's order.
func (l *library) devices() ([]unsafe.Pointer, error) {
	if l.queryDevices == nil || l.getPlatformDisplay == nil {
		return nil, fmt.Errorf("this libEGL has no EGL_EXT_platform_device")
	}
	var count C.int
	if C.callQueryDevices(l.queryDevices, 0, nil, &count) == 0 {
		return nil, l.failed("eglQueryDevicesEXT")
	}
	if count == 0 {
		return nil, fmt.Errorf("EGL lists no devices")
	}
	found := make([]C.Handle, count)
	if C.callQueryDevices(l.queryDevices, count, &found[0], &count) == 0 {
		return nil, l.failed("eglQueryDevicesEXT")
	}
	devices := make([]unsafe.Pointer, count)
	for i := range devices {
		devices[i] = unsafe.Pointer(found[i])
	}
	return devices, nil
}

func (l *library) platformDisplay(platform int, native unsafe.Pointer) (unsafe.Pointer, error) {
	none := [1]C.int{eglNone}
	display := C.callGetPlatformDisplay(l.getPlatformDisplay, C.uint(platform), C.Handle(native), &none[0])
	if display == nil {
		return nil, l.failed("eglGetPlatformDisplayEXT")
	}
	return unsafe.Pointer(display), nil
}

func (l *library) defaultDisplay() (unsafe.Pointer, error) {
	display := C.callGetDisplay(l.getDisplay)
	if display == nil {
		return nil, l.failed("eglGetDisplay")
	}
	return unsafe.Pointer(display), nil
}

func (l *library) start(display unsafe.Pointer) error {
	var major, minor C.int
	if C.callInitialize(l.initialize, C.Handle(display), &major, &minor) == 0 {
		return l.failed("eglInitialize")
	}
	if major == 1 && minor < 4 {
		return fmt.Errorf("EGL %d.%d is older than 1.4", major, minor)
	}
	return nil
}

// bind chooses desktop OpenGL for this thread's next contexts.
func (l *library) bind() error {
	if C.callBindAPI(l.bindAPI, eglOpenGLAPI) == 0 {
		return fmt.Errorf("no desktop OpenGL: %w", l.failed("eglBindAPI"))
	}
	return nil
}

func (l *library) config(display unsafe.Pointer) (unsafe.Pointer, error) {
	// Nothing is drawn to a surface, so any configuration for OpenGL will do; one with pbuffers serves where there are
	// no contexts without a surface.
	for _, surface := range []C.int{eglPbufferBit, 0} {
		attributes := [...]C.int{eglSurfaceType, surface, eglRenderableType, eglOpenGLBit, eglNone}
		var config C.Handle
		var count C.int
		if C.callChooseConfig(l.chooseConfig, C.Handle(display), &attributes[0], &config, 1, &count) == 0 {
			return nil, l.failed("eglChooseConfig")
		}
		if count > 0 {
			return unsafe.Pointer(config), nil
		}
	}
	return nil, fmt.Errorf("no configuration for OpenGL")
}

// create makes a context; more are further attributes, each with its value.
func (l *library) create(display, config unsafe.Pointer, major, minor int, more ...int) (unsafe.Pointer, error) {
	attributes := []C.int{
		eglContextMajor, C.int(major), eglContextMinor, C.int(minor), eglContextProfileMask, eglContextCoreBit,
	}
	for _, a := range more {
		attributes = append(attributes, C.int(a))
	}
	attributes = append(attributes, eglNone)
	context := C.callCreateContext(l.createContext, C.Handle(display), C.Handle(config), &attributes[0])
	if context == nil {
		return nil, l.failed("eglCreateContext")
	}
	return unsafe.Pointer(context), nil
}

func (l *library) destroy(display, context unsafe.Pointer) {
	C.callDestroyContext(l.destroyContext, C.Handle(display), C.Handle(context))
}

func (l *library) pbuffer(display, config unsafe.Pointer) (unsafe.Pointer, error) {
	attributes := [...]C.int{eglWidth, 1, eglHeight, 1, eglNone}
	surface := C.callCreatePbufferSurface(l.createPbufferSurface, C.Handle(display), C.Handle(config), &attributes[0])
	if surface == nil {
		return nil, l.failed("eglCreatePbufferSurface")
	}
	return unsafe.Pointer(surface), nil
}

func (l *library) destroyPbuffer(display, surface unsafe.Pointer) {
	C.callDestroySurface(l.destroySurface, C.Handle(display), C.Handle(surface))
}

// current makes a context current on this thread; with a nil context it leaves the thread with none.
func (l *library) current(display, surface, context unsafe.Pointer) error {
	if C.callMakeCurrent(l.makeCurrent, C.Handle(display), C.Handle(surface), C.Handle(context)) == 0 {
		return l.failed("eglMakeCurrent")
	}
	return nil
}

// isCurrent reports whether a context is the calling thread's.
func (l *library) isCurrent(context unsafe.Pointer) bool {
	return unsafe.Pointer(C.callGetCurrentContext(l.getCurrentContext)) == context
}

// glString reads a string of the current OpenGL context.
func (l *library) glString(name int) string {
	f := l.address("glGetString")
	if f == nil {
		return ""
	}
	s := C.callGetString(f, C.uint(name))
	if s == nil {
		return ""
	}
	return C.GoString(s)
}
