package gpu

import (
	"fmt"
	"strings"

	"github.com/go-gl/gl/v4.5-core/gl"
)

// ContextError says that a device cannot be used from here, or not be made here: its context is not
// the one that is current on the calling thread, or cannot serve. Nothing was done.
type ContextError struct {
	Kind ContextKind
}

// ContextKind is what is wrong with the current context.
type ContextKind int

// The kinds.
const (
	// NoContext: the thread has none. It is another thread, or the context was released or destroyed.
	NoContext ContextKind = iota + 1
	// OtherContext: the thread has another one, maybe made after the device's was destroyed.
	OtherContext
	// Closed: the device was closed.
	Closed
	// Lost: the driver has lost the context.
	Lost
	// Unchecked, of New and NewOwn: the context was made with the no-error flag.
	Unchecked
	// NoDevice: the device is nil.
	NoDevice
)

func (e *ContextError) Error() string {
	return "gpu: " + map[ContextKind]string{
		NoContext:    "no OpenGL context is current on this thread: make the device's context current first, with the goroutine locked to its thread",
		OtherContext: "another OpenGL context than the device's is current on this thread: make the device's current, or make a device of this one",
		Closed:       "the device was closed",
		Lost:         "the driver has lost the OpenGL context: make another one, and a device of it",
		Unchecked:    "the OpenGL context has the no-error flag: it reports no errors, so a device out of memory, errors of the host and conditional rendering cannot be seen: make the context without the no-error flag",
		NoDevice:     "the device is nil: make one with New or NewOwn",
	}[e.Kind]
}

// HostError passes on errors that the host's own calls had left in the context. They are the
// host's: nothing was done, and OpenGL has forgotten them by reporting them. The next call finds
// the context without them.
type HostError struct {
	Codes []uint32 // as glGetError gave them
}

func (e *HostError) Error() string {
	return fmt.Sprintf("gpu: the context already held %s of an earlier call of the host; nothing was done: call again, and check the host's own calls", glNames(e.Codes...))
}

// StateError says that the host is in the middle of something that Wayfront would spoil, or be
// spoiled by, and that cannot be put aside. Nothing was done.
type StateError struct {
	What   string // "an active query of GL_SAMPLES_PASSED"
	Remedy string
}

func (e *StateError) Error() string {
	return fmt.Sprintf("gpu: the context has %s; nothing was done: %s", e.What, e.Remedy)
}

// GLError is an error of OpenGL that a call of this package raised.
type GLError struct {
	Code uint32 // as glGetError gave it
}

func (e *GLError) Error() string { return "gpu: the driver reports " + glNames(e.Code) }

// OutOfMemory reports whether the device ran out of memory where no call could say for what. What
// the context holds is undefined then.
func (e *GLError) OutOfMemory() bool { return e.Code == gl.OUT_OF_MEMORY }

// glNames are OpenGL's names of errors.
func glNames(codes ...uint32) string {
	known := [...]string{
		"GL_INVALID_ENUM", "GL_INVALID_VALUE", "GL_INVALID_OPERATION", "GL_STACK_OVERFLOW", "GL_STACK_UNDERFLOW",
		"GL_OUT_OF_MEMORY", "GL_INVALID_FRAMEBUFFER_OPERATION", "GL_CONTEXT_LOST",
	}
	var all []string
	for _, code := range codes {
		name := fmt.Sprintf("error 0x%04X", code)
		if i := int(code) - gl.INVALID_ENUM; i >= 0 && i < len(known) {
			name = known[i]
		}
		all = append(all, name)
	}
	return strings.Join(all, ", ")
}

// CapacityError says that something does not fit the device.
type CapacityError struct {
	What   string // what was to be made, by its label
	Unit   string // of the numbers
	Needed int64
	Limit  int64 // 0 where the device did not say: it ran out of memory
}

func (e *CapacityError) Error() string {
	if e.Limit == 0 {
		return fmt.Sprintf("gpu: %s needs %d %s, and the device is out of memory", e.What, e.Needed, e.Unit)
	}
	return fmt.Sprintf("gpu: %s needs %d %s, the device's limit is %d", e.What, e.Needed, e.Unit, e.Limit)
}

// MemoryError says that an object would exceed the limit of its Memory.
type MemoryError struct {
	What   string // what was to be made, by its label
	Needed int64  // bytes
	Used   int64  // bytes of the others
	Limit  int64  // bytes
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("gpu: %s needs %d bytes; %d are in use, and the limit is %d", e.What, e.Needed, e.Used, e.Limit)
}
