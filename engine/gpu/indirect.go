package gpu

/*
#cgo LDFLAGS: -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

typedef void (*DrawArraysIndirect)(unsigned int mode, const void *offset);

static void *drawArraysIndirectAddress(void) {
	static const char *const getters[] = {"eglGetProcAddress", "glXGetProcAddress"};
	for (int i = 0; i < 2; i++) {
		void *(*get)(const char *) = (void *(*)(const char *))dlsym(RTLD_DEFAULT, getters[i]);
		void *f = get ? get("glDrawArraysIndirect") : 0;
		if (f) return f;
	}
	return 0;
}

static void drawArraysIndirect(void *f, unsigned int mode, uintptr_t offset) {
	((DrawArraysIndirect)f)(mode, (const void *)offset);
}
*/
import "C"

import (
	"errors"
	"unsafe"
)

// The one call that go-gl cannot make: OpenGL wants a byte offset where C has a pointer, and go-gl takes it as a Go
// pointer. An offset is none. The race detector's pointer checks refuse it, and a stack that grows while it is held, as
// in a debug callback from inside of the draw, ends the program.
type indirectDraw struct{ address unsafe.Pointer }

func loadIndirectDraw() (indirectDraw, error) {
	f := C.drawArraysIndirectAddress()
	if f == nil {
		return indirectDraw{}, errors.New("gpu: neither libGL nor libEGL of this process knows glDrawArraysIndirect: the driver's installation is broken")
	}
	return indirectDraw{f}, nil
}

func (i indirectDraw) draw(mode Mode, offset int) {
	C.drawArraysIndirect(i.address, C.uint(mode), C.uintptr_t(offset))
}
