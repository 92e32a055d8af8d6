package engine_test

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
)

// glGetError is where go-gl keeps the function.
//
//go:linkname glGetError github.com/go-gl/gl/v4.5-core/gl.gpGetError
var glGetError unsafe.Pointer

// failing is the code that errors has glGetError answer with, once or for ever.
var (
	failing  uintptr
	forever  bool
	errorsOf = purego.NewCallback(func() uintptr {
		code := failing
		if !forever {
			failing = 0
		}
		return code
	})
)

// failingWith runs f while the driver reports an error.
func failingWith(code uintptr, always bool, f func() error) error {
	was := glGetError
	failing, forever = code, always
	glGetError = *(*unsafe.Pointer)(unsafe.Pointer(&errorsOf))
	defer func() { glGetError = was }()
	return f()
}

// TestLostContextEndsWorlds has the driver report a lost context, and a device out of memory, in
// the midst of a tick: the world ends with a typed error, and those of other contexts go on.
func TestLostContextEndsWorlds(t *testing.T) {
	p := pool(t, 3)
	other, err := engine.Headless(t.Context(), readScene(t, rooms2), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	a, b := opened(t, p, t.Context(), rooms2), opened(t, p, t.Context(), rooms2)
	steps(t, a, 1)
	var driver *gpu.GLError
	if err := failingWith(gl.OUT_OF_MEMORY, false, a.Step); !errors.As(err, &driver) || !driver.OutOfMemory() {
		t.Errorf("out of memory: %v", err)
	}
	if err := a.Step(); !errors.As(err, &driver) {
		t.Errorf("after it was out of memory: %v", err)
	}
	steps(t, b, 2)
	var lost *gpu.ContextError
	if err := failingWith(gl.CONTEXT_LOST, true, b.Step); !errors.As(err, &lost) || lost.Kind != gpu.Lost {
		t.Errorf("lost: %v", err)
	}
	if err := b.Step(); !errors.As(err, &lost) || lost.Kind != gpu.Lost {
		t.Errorf("after it was lost: %v", err)
	}
	c := opened(t, p, t.Context(), rooms2) // in another context
	steps(t, c, 2)
	steps(t, other, 2)
	for _, w := range []*engine.World{a, b, b, c} {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := b.Step(); !errors.Is(err, engine.ErrClosed) || p.Worlds() != 0 {
		t.Errorf("after Close: %v, %d worlds", err, p.Worlds())
	}
}
