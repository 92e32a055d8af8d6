package gpu

/*
#include <stdlib.h>
#include <string.h>

// The first message since the last take. OpenGL calls receive inside of the call that caused the
// message, on its thread.
typedef struct {
	int set;
	unsigned int source, kind, id;
	char text[1024];
} Message;

#ifdef _WIN32
#define CALL __stdcall
#else
#define CALL
#endif

static void CALL receive(unsigned int source, unsigned int kind, unsigned int id, unsigned int severity, int length, const char *text, const void *to) {
	Message *m = (Message *)to;
	// Neither DEBUG_TYPE_ERROR nor DEBUG_SEVERITY_HIGH.
	if (m->set || (kind != 0x824C && severity != 0x9146)) return;
	m->set = 1;
	m->source = source, m->kind = kind, m->id = id;
	strncpy(m->text, text, sizeof m->text - 1);
}

typedef void (CALL *DebugMessageCallback)(void *, const void *);
static void setCallback(void *f, void *callback, const void *to) { ((DebugMessageCallback)f)(callback, to); }
static void *receiver(void) { return (void *)receive; }
*/
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"
)

// DebugError is an error or a high-severity message of the driver. Only devices of NewOwn have
// them: in a host's context messages go to the host.
type DebugError struct {
	Type    string // "error" or "high severity"
	Source  uint32 // GL_DEBUG_SOURCE_API and such
	ID      uint32
	Message string
}

func (e *DebugError) Error() string {
	return fmt.Sprintf("gpu: the driver says (%s, source 0x%04X, id %d): %s", e.Type, e.Source, e.ID, e.Message)
}

// watcher keeps the driver's first message. It lies in C memory and calls no Go: a callback of
// go-gl would replace that of every other context of the process.
type watcher struct {
	message *C.Message
}

// watch has the driver send messages to a watcher.
func watch() watcher {
	w := watcher{(*C.Message)(C.calloc(1, C.sizeof_Message))}
	gl.Enable(gl.DEBUG_OUTPUT)
	gl.Enable(gl.DEBUG_OUTPUT_SYNCHRONOUS)
	gl.DebugMessageControl(gl.DONT_CARE, gl.DONT_CARE, gl.DONT_CARE, 0, nil, false)
	gl.DebugMessageControl(gl.DONT_CARE, gl.DEBUG_TYPE_ERROR, gl.DONT_CARE, 0, nil, true)
	gl.DebugMessageControl(gl.DONT_CARE, gl.DONT_CARE, gl.DEBUG_SEVERITY_HIGH, 0, nil, true)
	C.setCallback(loaded["glDebugMessageCallback"], C.receiver(), unsafe.Pointer(w.message))
	return w
}

// close ends the messages.
func (w *watcher) close() {
	if w.message == nil {
		return
	}
	gl.Disable(gl.DEBUG_OUTPUT)
	C.setCallback(loaded["glDebugMessageCallback"], nil, nil)
	C.free(unsafe.Pointer(w.message))
	w.message = nil
}

// take returns the first message since the last call, or nil.
func (w *watcher) take() error {
	m := w.message
	if m == nil || m.set == 0 {
		return nil
	}
	e := &DebugError{Type: "high severity", Source: uint32(m.source), ID: uint32(m.id), Message: C.GoString(&m.text[0])}
	if m.kind == gl.DEBUG_TYPE_ERROR {
		e.Type = "error"
	}
	w.forget()
	return e
}

// forget drops the message, if there is one.
func (w *watcher) forget() {
	if w.message != nil {
		*w.message = C.Message{}
	}
}
