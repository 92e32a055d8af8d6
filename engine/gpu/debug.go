package gpu

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"
)

// DebugError is an error or a high-severity message of the driver.
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

var debugNames = map[uint32]string{
	gl.DEBUG_SOURCE_API:               "API",
	gl.DEBUG_SOURCE_WINDOW_SYSTEM:     "window system",
	gl.DEBUG_SOURCE_SHADER_COMPILER:   "shader compiler",
	gl.DEBUG_SOURCE_THIRD_PARTY:       "third party",
	gl.DEBUG_SOURCE_APPLICATION:       "application",
	gl.DEBUG_SOURCE_OTHER:             "other source",
	gl.DEBUG_TYPE_ERROR:               "error",
	gl.DEBUG_TYPE_DEPRECATED_BEHAVIOR: "deprecated behaviour",
	gl.DEBUG_TYPE_UNDEFINED_BEHAVIOR:  "undefined behaviour",
	gl.DEBUG_TYPE_PORTABILITY:         "portability",
	gl.DEBUG_TYPE_PERFORMANCE:         "performance",
	gl.DEBUG_TYPE_MARKER:              "marker",
	gl.DEBUG_TYPE_OTHER:               "other type",
	gl.DEBUG_SEVERITY_HIGH:            "high",
	gl.DEBUG_SEVERITY_MEDIUM:          "medium",
	gl.DEBUG_SEVERITY_LOW:             "low",
	gl.DEBUG_SEVERITY_NOTIFICATION:    "no",
}

// watch turns debug output on. Messages arrive inside the call that caused them, on its thread.
func (d *Device) watch() {
	d.key = new(byte)
	d.pinner.Pin(d.key)
	initMutex.Lock()
	devices[d.key] = d
	initMutex.Unlock()
	gl.Enable(gl.DEBUG_OUTPUT)
	gl.Enable(gl.DEBUG_OUTPUT_SYNCHRONOUS)
	gl.DebugMessageControl(gl.DONT_CARE, gl.DONT_CARE, gl.DONT_CARE, 0, nil, false)
	gl.DebugMessageControl(gl.DONT_CARE, gl.DEBUG_TYPE_ERROR, gl.DONT_CARE, 0, nil, true)
	gl.DebugMessageControl(gl.DONT_CARE, gl.DONT_CARE, gl.DEBUG_SEVERITY_HIGH, 0, nil, true)
	gl.DebugMessageCallback(receive, unsafe.Pointer(d.key))
}

func (d *Device) unwatch() {
	gl.Disable(gl.DEBUG_OUTPUT)
	initMutex.Lock()
	delete(devices, d.key)
	initMutex.Unlock()
	d.pinner.Unpin()
	d.key = nil
}

// receive takes a driver's message for any device.
func receive(source, kind, id, severity uint32, _ int32, message string, key unsafe.Pointer) {
	if kind != gl.DEBUG_TYPE_ERROR && severity != gl.DEBUG_SEVERITY_HIGH {
		return
	}
	initMutex.Lock()
	d := devices[(*byte)(key)]
	initMutex.Unlock()
	if d == nil || d.sticky != nil {
		return
	}
	d.sticky = &DebugError{Source: debugNames[source], Type: debugNames[kind], Severity: debugNames[severity], ID: id, Message: message}
}

// Err returns the first error of OpenGL or high-severity message of the driver since the last call, and forgets it.
// It is a *DebugError where the driver told more than a code.
func (d *Device) Err() error {
	err := d.sticky
	d.sticky = nil
	// Without a debug context, a driver may send no messages; the error flags are always there. At most one a kind.
	for range 8 {
		code := gl.GetError()
		if code == gl.NO_ERROR {
			break
		}
		if err == nil {
			err = fmt.Errorf("gpu: %w", glError(code))
		}
	}
	return err
}

func glError(code uint32) error {
	switch code {
	case gl.INVALID_ENUM:
		return errors.New("GL_INVALID_ENUM")
	case gl.INVALID_VALUE:
		return errors.New("GL_INVALID_VALUE")
	case gl.INVALID_OPERATION:
		return errors.New("GL_INVALID_OPERATION")
	case gl.INVALID_FRAMEBUFFER_OPERATION:
		return errors.New("GL_INVALID_FRAMEBUFFER_OPERATION")
	case gl.OUT_OF_MEMORY:
		return errors.New("GL_OUT_OF_MEMORY")
	case gl.CONTEXT_LOST:
		return errors.New("GL_CONTEXT_LOST")
	}
	return fmt.Errorf("GL error 0x%04X", code)
}
