package gpu

import (
	"fmt"
	"slices"
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
	NoContext    ContextKind = iota + 1 // the thread has none: it is another thread, or the context was released or destroyed
	OtherContext                        // the thread has another one, be it one that was made after the device's was destroyed
	Closed                              // the device was closed
	Lost                                // the driver has lost the context: make another, and a device of it
	Unchecked                           // of New and NewOwn: the context was made with the no-error flag
	NoDevice                            // the device is nil
)

func (e *ContextError) Error() string {
	switch e.Kind {
	case NoContext:
		return "gpu: no OpenGL context is current on this thread: make the device's context current first, with the goroutine locked to its thread"
	case OtherContext:
		return "gpu: another OpenGL context than the device's is current on this thread: make the device's current, or make a device of this one"
	case Lost:
		return "gpu: the driver has lost the OpenGL context: make another one, and a device of it"
	case Unchecked:
		return "gpu: the OpenGL context has the no-error flag: it reports no errors, so a device out of memory, errors of the host and conditional rendering cannot be seen: make the context without the no-error flag"
	case NoDevice:
		return "gpu: the device is nil: make one with New or NewOwn"
	}
	return "gpu: the device was closed"
}

// HostError passes on errors that the host's own calls had left in the context. They are the
// host's: nothing was done, and OpenGL has forgotten them by reporting them. The next call finds
// the context without them.
type HostError struct {
	Codes []uint32 // as glGetError gave them
}

func (e *HostError) Error() string {
	return fmt.Sprintf("gpu: the context already held %s of an earlier call of the host; nothing was done: call again, and check the host's own calls", glNames(e.Codes))
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

func (e *GLError) Error() string { return "gpu: the driver reports " + glNames([]uint32{e.Code}) }

func glNames(codes []uint32) string {
	var all []string
	for _, code := range codes {
		name := map[uint32]string{
			gl.INVALID_ENUM: "GL_INVALID_ENUM", gl.INVALID_VALUE: "GL_INVALID_VALUE", gl.INVALID_OPERATION: "GL_INVALID_OPERATION",
			gl.INVALID_FRAMEBUFFER_OPERATION: "GL_INVALID_FRAMEBUFFER_OPERATION", gl.OUT_OF_MEMORY: "GL_OUT_OF_MEMORY",
			gl.STACK_OVERFLOW: "GL_STACK_OVERFLOW", gl.STACK_UNDERFLOW: "GL_STACK_UNDERFLOW", gl.CONTEXT_LOST: "GL_CONTEXT_LOST",
		}[code]
		if name == "" {
			name = fmt.Sprintf("error 0x%04X", code)
		}
		all = append(all, name)
	}
	return strings.Join(all, ", ")
}

// glErrors takes the error flags of the context. There is one flag a kind, so that more than a few
// are no flags: a context that is lost reports that for ever.
func glErrors() (codes []uint32) {
	for range 8 {
		code := gl.GetError()
		if code == gl.NO_ERROR {
			break
		}
		codes = append(codes, code)
	}
	return codes
}

// Do runs f in the device's context, in the state that this package relies on, and gives the host
// its own state back afterwards. Calls of Do inside of f cost nothing more. A host that makes many
// calls in a row saves time by one Do around them.
//
// The error is that of f; without one, the first error of the driver since the last Do or Err.
// Where f cannot run it is a *ContextError, *HostError or *StateError, and nothing has happened.
func (d *Device) Do(f func() error) (err error) {
	if err := d.enter(); err != nil {
		return err
	}
	defer func() {
		d.leave()
		if d.depth == 0 && err == nil {
			err, d.sticky = d.sticky, nil
		}
	}()
	return f()
}

// MustDo is Do for what has no error to return: it panics with the error of Do.
func (d *Device) MustDo(f func()) {
	if err := d.Do(func() error { f(); return nil }); err != nil {
		panic(err)
	}
}

// enter begins a door: everything that issues commands is between enter and leave. They nest; the
// outermost checks the context and, if it is a host's, puts the host's state aside.
func (d *Device) enter() error {
	if d == nil || d.depth == 0 {
		if err := d.Current(); err != nil {
			return err
		}
		d.freeLater()
		if d.guest {
			if err := d.putAside(); err != nil {
				return err
			}
		}
		d.entries++
	}
	d.depth++
	return nil
}

// mustEnter is enter for what has no error to return. It returns leave: defer d.mustEnter()().
func (d *Device) mustEnter() (leave func()) {
	if err := d.enter(); err != nil {
		panic(err)
	}
	return d.leave
}

func (d *Device) leave() {
	d.depth--
	if d.depth > 0 {
		return
	}
	if d.watcher.message != nil {
		d.stick(d.watcher.take())
	}
	if d.guest {
		if d.dirty { // what the host does next with buffers is not known
			d.dirty = false
			d.order.next()
			for u := range uses {
				d.order.barrier(u)
			}
			d.barriers++
			gl.MemoryBarrier(gl.ALL_BARRIER_BITS)
		}
		d.collect()
		d.putBack()
	}
}

// Current returns nil where the device's context is current on this thread, else a *ContextError.
//
// Contexts share no vertex arrays, so the device's own, by a label that no other device of the
// process has, stands for the context.
func (d *Device) Current() error {
	if d == nil {
		return &ContextError{NoDevice}
	}
	if d.vertexArray == 0 {
		return &ContextError{Closed}
	}
	if gl.GetString(gl.VERSION) == nil {
		return &ContextError{NoContext}
	}
	if gl.IsVertexArray(d.vertexArray) {
		var length int32
		gl.GetObjectLabel(gl.VERTEX_ARRAY, d.vertexArray, int32(len(d.current)), &length, &d.current[0])
		if string(d.current[:length]) == d.mark {
			return nil
		}
	}
	return &ContextError{OtherContext}
}

// putAside checks that the host is not in the middle of something, and sets the state that every
// door relies on.
func (d *Device) putAside() error {
	switch codes := glErrors(); {
	case slices.Contains(codes, gl.CONTEXT_LOST):
		return &ContextError{Lost}
	case codes != nil:
		return &HostError{codes}
	}
	d.keepAll(always, 0)
	err := d.refusal()
	if err == nil {
		return nil
	}
	glErrors() // of the checks themselves
	d.putBack()
	return err
}

// refusal says what the host is in the middle of.
func (d *Device) refusal() error {
	for _, q := range d.counting {
		var name int32
		gl.GetQueryIndexediv(q.target, q.index, gl.CURRENT_QUERY, &name)
		if name != 0 {
			return &StateError{"an active query of " + q.name, "end it before the call, or it counts what Wayfront does"}
		}
	}
	if integer(gl.TRANSFORM_FEEDBACK_ACTIVE) != 0 && integer(gl.TRANSFORM_FEEDBACK_PAUSED) == 0 {
		return &StateError{"active transform feedback", "pause or end it before the call, or it captures what Wayfront draws"}
	}
	// OpenGL does not report conditional rendering, but refuses to begin it twice.
	gl.BeginConditionalRender(d.probe, gl.QUERY_NO_WAIT)
	if gl.GetError() != gl.NO_ERROR {
		return &StateError{"active conditional rendering", "end it before the call, or it may leave out what Wayfront does"}
	}
	gl.EndConditionalRender()
	if program := integer(gl.CURRENT_PROGRAM); program != 0 {
		var deleted int32
		gl.GetProgramiv(uint32(program), gl.DELETE_STATUS, &deleted)
		if deleted != 0 {
			return &StateError{"a current program that is marked for deletion", "use another one before the call: this one goes when Wayfront uses its own, and cannot be used again"}
		}
	}
	return nil
}

// counter is a kind of query that counts what is drawn or run while it is active. One of
// GL_TIME_ELAPSED is none: the host that has it active wants to know what Wayfront takes.
type counter struct {
	name   string
	target uint32
	index  uint32
}

// counters are the kinds of queries that the current context has.
func counters() []counter {
	all := []counter{
		{"GL_SAMPLES_PASSED", gl.SAMPLES_PASSED, 0},
		{"GL_ANY_SAMPLES_PASSED", gl.ANY_SAMPLES_PASSED, 0},
		{"GL_ANY_SAMPLES_PASSED_CONSERVATIVE", gl.ANY_SAMPLES_PASSED_CONSERVATIVE, 0},
	}
	streams := uint32(integer(gl.MAX_VERTEX_STREAMS))
	for i := range streams {
		all = append(all,
			counter{"GL_PRIMITIVES_GENERATED", gl.PRIMITIVES_GENERATED, i},
			counter{"GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN", gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, i})
	}
	for i := range integer(gl.NUM_EXTENSIONS) {
		switch gl.GoStr(gl.GetStringi(gl.EXTENSIONS, uint32(i))) {
		case "GL_ARB_pipeline_statistics_query":
			for _, target := range [...]uint32{
				gl.VERTICES_SUBMITTED_ARB, gl.PRIMITIVES_SUBMITTED_ARB, gl.VERTEX_SHADER_INVOCATIONS_ARB, gl.GEOMETRY_SHADER_INVOCATIONS,
				gl.GEOMETRY_SHADER_PRIMITIVES_EMITTED_ARB, gl.FRAGMENT_SHADER_INVOCATIONS_ARB, gl.COMPUTE_SHADER_INVOCATIONS_ARB,
				gl.CLIPPING_INPUT_PRIMITIVES_ARB, gl.CLIPPING_OUTPUT_PRIMITIVES_ARB,
			} {
				all = append(all, counter{"pipeline statistics", target, 0})
			}
		case "GL_ARB_transform_feedback_overflow_query":
			all = append(all, counter{"GL_TRANSFORM_FEEDBACK_OVERFLOW", gl.TRANSFORM_FEEDBACK_OVERFLOW_ARB, 0})
			for i := range streams {
				all = append(all, counter{"GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW", gl.TRANSFORM_FEEDBACK_STREAM_OVERFLOW_ARB, i})
			}
		}
	}
	return all
}

// stick keeps an error for Err, unless there is one already.
func (d *Device) stick(err error) {
	if d.sticky == nil {
		d.sticky = err
	}
}

// collect takes the driver's errors, which are those of this package.
func (d *Device) collect() {
	if err := d.watcher.take(); err != nil {
		d.stick(err)
	}
	for _, code := range glErrors() {
		d.stick(&GLError{code})
	}
}

// attempt runs f, which the device may have no memory for.
func (d *Device) attempt(f func()) (outOfMemory bool) {
	d.collect()
	f()
	for _, code := range glErrors() {
		if code == gl.OUT_OF_MEMORY {
			outOfMemory = true
		} else {
			d.stick(&GLError{code})
		}
	}
	if outOfMemory {
		d.watcher.forget() // the refusal is reported by the error
	}
	return outOfMemory
}

// Err returns the first error of OpenGL or high-severity message of the driver that no call has
// returned, and forgets it: a *GLError, or in a context of NewOwn a *DebugError.
func (d *Device) Err() error {
	if (!d.guest || d.depth > 0) && d.Current() == nil { // outside of doors a guest's flags are the host's
		d.collect()
	}
	err := d.sticky
	d.sticky = nil
	return err
}

// Free runs f, which only deletes: that changes nothing of a host's state, and needs the context
// alone. The error is a *ContextError, and f has not run.
func (d *Device) Free(f func()) error {
	if d == nil || d.depth == 0 {
		if err := d.Current(); err != nil {
			return err
		}
	}
	d.freeing++
	defer func() { d.freeing-- }()
	f()
	return nil
}

// free is Free for what has no error to return: where the context is not current, f runs when the
// device is used next.
func (d *Device) free(f func()) {
	if d.freeing > 0 {
		f()
	} else if d.Free(f) != nil {
		d.later = append(d.later, f)
	}
}

// freeLater runs the deletions that had to wait for the context.
func (d *Device) freeLater() {
	for _, f := range d.later {
		f()
	}
	d.later = nil
}
