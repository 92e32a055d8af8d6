package gpu

/*
#cgo !windows LDFLAGS: -ldl
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>

#ifdef _WIN32
#include <windows.h>
// Both are loaded already, if they are in use.
static void *ofEGL(const char *name) {
	HMODULE egl = GetModuleHandleA("libEGL.dll");
	return egl ? (void *)GetProcAddress(egl, name) : 0;
}
static void *linked(const char *name) {
	HMODULE gl = GetModuleHandleA("opengl32.dll");
	return gl ? (void *)GetProcAddress(gl, name) : 0;
}
#define OTHER "wglGetProcAddress"
#define CALL APIENTRY
#else
#include <dlfcn.h>
static void *linked(const char *name) { return dlsym(RTLD_DEFAULT, name); }
static void *ofEGL(const char *name) { return linked(name); }
#define OTHER "glXGetProcAddress"
#define CALL
#endif

typedef void *(CALL *GetAddress)(const char *);
typedef void *(CALL *GetCurrent)(void);
typedef void (CALL *DrawArraysIndirect)(unsigned int mode, const void *offset);

// procAddress asks the interface that made the current context: EGL where it knows a current one,
// else GLX or WGL, else what is linked, as WGL knows no function of OpenGL 1.1.
static void *procAddress(const char *name) {
	GetCurrent eglContext = (GetCurrent)ofEGL("eglGetCurrentContext");
	GetAddress egl = (GetAddress)ofEGL("eglGetProcAddress");
	GetAddress other = (GetAddress)linked(OTHER);
	GetAddress get = egl && (!other || (eglContext && eglContext())) ? egl : other;
	intptr_t f = get ? (intptr_t)get(name) : 0;
	return f < -1 || f > 3 ? (void *)f : linked(name); // WGL returns -1 to 3 for none
}

static void drawArraysIndirect(void *f, unsigned int mode, uintptr_t offset) {
	((DrawArraysIndirect)f)(mode, (const void *)offset);
}
*/
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"
)

// LoaderError says that a context has other functions than the first one of the process. The
// functions of OpenGL are kept once a process, so such a context cannot be used beside the first.
type LoaderError struct {
	Function string // the first that differs
}

func (e *LoaderError) Error() string {
	return fmt.Sprintf("gpu: %s of this context is another function than that of the process's first context: use one driver, one of EGL and GLX, and one Options.GetProcAddress in a process", e.Function)
}

// The functions of OpenGL, by name, as the first context of the process has them. They are loaded
// once: go-gl keeps them in variables of its package, which other threads read without a lock.
var (
	loading sync.Mutex
	loaded  map[string]unsafe.Pointer
)

// load loads the functions of OpenGL by their addresses, or checks that those are the ones that are
// loaded.
func load(address func(name string) unsafe.Pointer) error {
	if address == nil {
		address = procAddress
	}
	loading.Lock()
	defer loading.Unlock()
	for name, known := range loaded {
		if address(name) != known {
			return &LoaderError{name}
		}
	}
	if loaded != nil {
		return nil
	}
	found := map[string]unsafe.Pointer{}
	err := gl.InitWithProcAddrFunc(func(name string) unsafe.Pointer {
		found[name] = address(name)
		return found[name]
	})
	if err != nil {
		return fmt.Errorf("gpu: no OpenGL 4.5 in the current context, or no context is current on this thread: the driver lacks %w", err)
	}
	loaded = found
	return nil
}

func procAddress(name string) unsafe.Pointer {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return C.procAddress(text)
}

// drawArraysIndirect is the one call that go-gl cannot make: OpenGL wants a byte offset where C has
// a pointer, and go-gl takes it as a Go pointer. An offset is none. The race detector's pointer
// checks refuse it, and a stack that grows while it is held, as in a debug callback from inside of
// the draw, ends the program.
func (d *Device) drawArraysIndirect(mode Mode, offset int) {
	C.drawArraysIndirect(d.indirect, C.uint(mode), C.uintptr_t(offset))
}
