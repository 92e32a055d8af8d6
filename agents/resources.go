package agents

import (
	"slices"

	"github.com/wayfront/wayfront/engine/gpu"
)

// resources are what is made on a device, to be freed together. After the first error nothing more
// is made, and what is returned is nil.
type resources struct {
	device *gpu.Device
	held   []interface{ Delete() }
	err    error
}

// keep makes something and holds it.
func keep[T interface{ Delete() }](r *resources, build func() (T, error)) (kept T) {
	if r.err != nil {
		return kept
	}
	made, err := build()
	if err != nil {
		r.err = err
		return kept
	}
	r.held = append(r.held, made)
	return made
}

// upload makes a buffer of data.
func upload[T any](r *resources, label string, data []T) *gpu.Buffer[T] {
	return keep(r, func() (*gpu.Buffer[T], error) {
		b, err := gpu.NewBuffer[T](r.device, label, len(data))
		if err == nil {
			b.Write(0, data)
		}
		return b, err
	})
}

// compile makes a pass. The device keeps what the driver has made of it.
func compile[T any](r *resources, spec gpu.PassSpec[T]) (p *gpu.Pass[T]) {
	if r.err == nil {
		p, r.err = gpu.NewPass(r.device, spec)
	}
	return p
}

// replace frees something held, in whose place something else is.
func (r *resources) replace(old interface{ Delete() }) {
	if i := slices.Index(r.held, old); i >= 0 {
		r.held = slices.Delete(r.held, i, i+1)
		old.Delete()
	}
}

// take moves what others hold to these. Where they have an error, what they hold is freed and the
// error returned.
func (r *resources) take(others *resources) error {
	if others.err != nil {
		others.delete()
		return others.err
	}
	r.held = append(r.held, others.held...)
	return nil
}

func (r *resources) delete() {
	for _, x := range r.held {
		x.Delete()
	}
	r.held = nil
}
