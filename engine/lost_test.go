package engine_test

import (
	"bytes"
	"errors"
	"runtime"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/headless"
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

// hosted runs f with a device in a headless context that is the host's own.
func hosted(t *testing.T, f func(d *gpu.Device)) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := headless.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.MakeCurrent(); err != nil {
		t.Fatal(err)
	}
	d, err := gpu.New(gpu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	f(d)
}

// TestHostLosesContext has the context of a host be lost under two of its worlds: both end with a
// typed error that later calls have too, closing them works, and in another context of the host a
// world that was saved goes on as it would have.
func TestHostLosesContext(t *testing.T) {
	var saved bytes.Buffer
	var want uint64
	isLost := func(call string, err error) {
		t.Helper()
		var lost *gpu.ContextError
		if !errors.As(err, &lost) || lost.Kind != gpu.Lost {
			t.Errorf("%s: %v", call, err)
		}
	}
	hosted(t, func(d *gpu.Device) {
		var worlds [2]*engine.World
		for i := range worlds {
			w, err := engine.New(d, readScene(t, rooms2), engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			worlds[i] = w
			steps(t, w, 5)
		}
		if err := worlds[0].Save(&saved); err != nil {
			t.Fatal(err)
		}
		steps(t, worlds[1], 5)
		want = hashOf(t, worlds[1])
		_ = failingWith(gl.CONTEXT_LOST, true, func() error { // as drivers do from then on
			for range 2 {
				for _, w := range worlds {
					isLost("Step", w.Step())
					_, err := w.Edit(func(e *engine.Edit) error { e.Pause(true, w.Agents(nil)...); return nil })
					isLost("Edit", err)
					_, err = w.Checkpoint()
					isLost("Checkpoint", err)
					_, err = w.Hash()
					isLost("Hash", err)
				}
			}
			_, err := engine.New(d, readScene(t, rooms2), engine.Options{})
			isLost("New", err)
			for _, w := range worlds {
				if err := w.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
				if err := w.Step(); !errors.Is(err, engine.ErrClosed) {
					t.Errorf("Step after Close: %v", err)
				}
			}
			return nil
		})
	})
	hosted(t, func(d *gpu.Device) {
		w, err := engine.Restore(d, &saved, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		if steps(t, w, 5); hashOf(t, w) != want {
			t.Error("in another context it does not go on as it would have")
		}
	})
}
