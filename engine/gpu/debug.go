package gpu

/*
#include <stdlib.h>
#include <string.h>

// The first message since the last take. OpenGL calls receive inside of the call that caused the
// message, on its thread.
typedef struct {
	int set;
	unsigned int source, kind, id, severity;
	char text[1024];
} Message;

static void receive(unsigned int source, unsigned int kind, unsigned int id, unsigned int severity, int length, const char *text, const void *to) {
	Message *m = (Message *)to;
	// Neither DEBUG_TYPE_ERROR nor DEBUG_SEVERITY_HIGH.
	if (m->set || (kind != 0x824C && severity != 0x9146)) return;
	m->set = 1;
	m->source = source, m->kind = kind, m->id = id, m->severity = severity;
	strncpy(m->text, text, sizeof m->text - 1);
}

typedef void (*DebugMessageCallback)(void *, const void *);
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
	Source   string
	Type     string
	Severity string
	ID       uint32
	Message  string
}

func (e *DebugError) Error() string {
	return fmt.Sprintf("gpu: the driver says (%s, %s, %s severity, id %d): %s", e.Source, e.Type, e.Severity, e.ID, e.Message)
}

// The names of OpenGL's sources, types and severities, from the first on.
var (
	sourceNames   = [...]string{"API", "window system", "shader compiler", "third party", "application", "other source"}
	typeNames     = [...]string{"error", "deprecated behavior", "undefined behavior", "portability", "performance", "other type"}
	severityNames = [...]string{"high", "medium", "low"}
)

// nameOf is the name of a value, or its number.
func nameOf(value C.uint, first uint32, names []string) string {
	if i := uint32(value) - first; i < uint32(len(names)) {
		return names[i]
	}
	return fmt.Sprintf("0x%04X", uint32(value))
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
	e := &DebugError{
		Source: nameOf(m.source, gl.DEBUG_SOURCE_API, sourceNames[:]), Type: nameOf(m.kind, gl.DEBUG_TYPE_ERROR, typeNames[:]),
		Severity: nameOf(m.severity, gl.DEBUG_SEVERITY_HIGH, severityNames[:]),
		ID:       uint32(m.id), Message: C.GoString(&m.text[0]),
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
