// Package owned holds what maps have on a device until they are closed.
package owned

import (
	"errors"

	"github.com/wayfront/wayfront/engine/gpu"
)

// ErrClosed says that maps were closed before the call. A world closes its maps when it is closed.
var ErrClosed = errors.New("bvp: the maps were closed, with their world if they had one: make others")

// Resources are buffers that are deleted together, and the device that they are on. After the first
// error nothing more is made, and what is returned is nil.
type Resources struct {
	Device *gpu.Device
	held   []interface{ Delete() }
	err    error
	closed bool
}

// Upload makes a buffer of data.
func Upload[T any](r *Resources, label string, data []T) *gpu.Buffer[T] {
	if r.err != nil {
		return nil
	}
	b, err := gpu.NewBuffer[T](r.Device, label, len(data))
	if err != nil {
		r.err = err
		return nil
	}
	b.Write(0, data)
	r.held = append(r.held, b)
	return b
}

// Compile makes a pass.
func Compile[T any](r *Resources, spec gpu.PassSpec[T]) (p *gpu.Pass[T]) {
	if r.err == nil {
		p, r.err = gpu.NewPass(r.Device, spec)
	}
	return p
}

// Err is the first error.
func (r *Resources) Err() error { return r.err }

// Make runs f, which makes resources, in the device's context. On an error all are deleted.
func (r *Resources) Make(f func()) error {
	err := r.Device.Do(func() error { f(); return r.err })
	if err != nil {
		r.Close()
	}
	return err
}

// Do runs f in the device's context. The error is ErrClosed after Close.
func (r *Resources) Do(f func() error) error {
	if r.closed {
		return ErrClosed
	}
	return r.Device.Do(f)
}

// MustDo is Do for what has no error to return: it panics with that of Do.
func (r *Resources) MustDo(f func()) {
	if err := r.Do(func() error { f(); return nil }); err != nil {
		panic(err)
	}
}

// Close deletes all buffers. Later calls of Do return ErrClosed.
func (r *Resources) Close() {
	r.closed = true
	for _, b := range r.held {
		b.Delete()
	}
	r.held = nil
}
