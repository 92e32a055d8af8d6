package agents

import "github.com/wayfront/wayfront/engine/gpu"

// hoard gathers what is made on a device, to be deleted together. After the
// first error nothing more is made, and what is asked for is nil.
type hoard struct {
	device *gpu.Device
	held   []interface{ Delete() }
	err    error
}

// keep makes something and holds it.
func keep[T interface{ Delete() }](h *hoard, build func() (T, error)) (kept T) {
	if h.err != nil {
		return kept
	}
	made, err := build()
	if err != nil {
		h.err = err
		return kept
	}
	h.held = append(h.held, made)
	return made
}

// upload makes a buffer of data.
func upload[T any](h *hoard, label string, data []T) *gpu.Buffer[T] {
	return keep(h, func() (*gpu.Buffer[T], error) {
		b, err := gpu.NewBuffer[T](h.device, label, len(data))
		if err == nil {
			b.Write(0, data)
		}
		return b, err
	})
}

// program compiles one of this package's passes.
func program(h *hoard, stage string, plain bool) *gpu.Program {
	return keep(h, func() (*gpu.Program, error) { return gpu.NewProgram(h.device, spec(stage, plain)) })
}

func (h *hoard) delete() {
	for _, x := range h.held {
		x.Delete()
	}
	h.held = nil
}
