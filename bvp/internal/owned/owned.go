// Package owned holds what maps have on a device until they are closed.
package owned

import (
	"errors"

	"github.com/wayfront/wayfront/engine/gpu"
)

// ErrClosed says that maps were closed before the call. A world closes its maps when it is closed.
var ErrClosed = errors.New("bvp: the maps were closed, with their world if they had one: make others")

// Resources are what maps have on a device, until Close.
type Resources struct {
	gpu.ResourceSet
	closed bool
}

// Make runs f, which makes what the set holds, in the device's context. On an error all are deleted.
func (r *Resources) Make(f func(r *gpu.ResourceSet)) error {
	err := r.Device.Do(func() error { f(&r.ResourceSet); return r.Err })
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

// Close deletes all that the maps have. Later calls of Do return ErrClosed.
func (r *Resources) Close() {
	r.closed = true
	r.Delete()
}
