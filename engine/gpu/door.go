package gpu

import (
	"cmp"
	"slices"

	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/engine/gpu/internal/glstate"
)

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
		d.freeLater()
	} else {
		d.collect()
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
		gl.GetObjectLabel(gl.VERTEX_ARRAY, d.vertexArray, int32(len(d.current)), &d.length, &d.current[0])
		if string(d.current[:d.length]) == d.mark {
			return nil
		}
	}
	return &ContextError{OtherContext}
}

// putAside checks that the host is not in the middle of something, and sets the state that every
// door relies on.
func (d *Device) putAside() error {
	switch codes := glstate.Errors(); {
	case slices.Contains(codes, gl.CONTEXT_LOST):
		return &ContextError{Lost}
	case codes != nil:
		return &HostError{codes}
	}
	d.aside.Keep(glstate.Always, 0)
	what, remedy := d.probes.Busy()
	if what == "" {
		return nil
	}
	glstate.Errors() // of the checks themselves
	d.putBack()
	return &StateError{what, remedy}
}

// putBack gives the host its state back.
func (d *Device) putBack() {
	if codes := d.aside.PutBack(); codes != nil {
		d.stick(&StateError{"bindings of objects that were deleted in another context (" + glNames(codes...) + ")", "unbind objects before they are deleted: these could not be bound again"})
	}
}

// keep makes what a group of state relies on true, once a door: in a host's context it saves the
// host's values first. In a context of its own the device has set them when it was made.
func (d *Device) keep(g *glstate.Group, index uint32) {
	if d.guest && !d.aside.Has(g, index) {
		d.collect()
		d.aside.Keep(g, index)
	}
}

// stick keeps an error for Err, if it is one, unless there is one already.
func (d *Device) stick(err error) { d.sticky = cmp.Or(d.sticky, err) }

// collect takes the driver's errors, which are those of this package. A message says more than the
// code of its error, but one that ends worlds is never hidden by it.
func (d *Device) collect() {
	d.stick(d.watcher.take())
	for _, code := range glstate.Errors() {
		if err := driverError(code); code == gl.CONTEXT_LOST || code == gl.OUT_OF_MEMORY {
			d.sticky = err
		} else {
			d.stick(err)
		}
	}
}

// driverError is the error of a code that glGetError gave.
func driverError(code uint32) error {
	if code == gl.CONTEXT_LOST {
		return &ContextError{Lost}
	}
	return &GLError{code}
}

// attempt runs f, which the device may have no memory for.
func (d *Device) attempt(f func()) (outOfMemory bool) {
	d.collect()
	f()
	codes := glstate.Errors()
	for _, code := range codes {
		if code != gl.OUT_OF_MEMORY {
			d.stick(driverError(code))
		}
	}
	outOfMemory = slices.Contains(codes, gl.OUT_OF_MEMORY)
	if outOfMemory {
		d.watcher.forget() // the refusal is reported by the error
	}
	return outOfMemory
}

// Err returns the first error of OpenGL or high-severity message of the driver that no call has
// returned, and forgets it: a *GLError, or in a context of NewOwn a *DebugError.
func (d *Device) Err() error {
	// Outside of doors the error flags of a host's context are the host's.
	if (!d.guest || d.depth > 0) && d.Current() == nil {
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
// device is used next. Where a host's state is put aside, f runs when that is back: the host may
// have bound what f deletes, and OpenGL unbinds only what is bound.
func (d *Device) free(f func()) {
	if d.freeing > 0 {
		f()
	} else if d.guest && d.depth > 0 || d.Free(f) != nil {
		d.later = append(d.later, f)
	}
}

// freeLater runs the deletions that had to wait.
func (d *Device) freeLater() {
	for _, f := range d.later {
		f()
	}
	d.later = nil
}
