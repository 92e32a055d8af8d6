package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"

	"github.com/wayfront/wayfront/engine/gpu"
)

// ErrClosed says that a world was closed before the call. Its parts have errors of their own for
// that: spm.ErrDeleted, agents.ErrDeleted and bvp.ErrClosed.
var ErrClosed = errors.New("engine: the world was closed")

// UsageError says that a call cannot be made as it was, and what to do instead. Nothing has
// changed.
type UsageError struct {
	Call   string // the function or method
	Why    string
	Remedy string
}

func (e *UsageError) Error() string {
	return fmt.Sprintf("engine: %s: %s; %s", e.Call, e.Why, e.Remedy)
}

// turn orders the calls of a world. A call that changes the world or uses its device takes the turn
// until it returns, and others wait for it. The turn is held while a function of the caller's runs,
// given to Edit or Do; mu is not, so that the function may ask the world. All fields of a world are
// read and written with mu locked, except by the function given to Edit: only it could write then.
//
// Every exported method of World thus begins with a lock of mu, or is a call of do, read, lend or
// take (TestMethodsTakeTurns).
type turn struct {
	mu    sync.Mutex
	freed sync.Cond // of mu: the turn may be free
	taken bool
	lent  uint64 // the goroutine that runs a function of the caller's; 0: none does
}

// take takes the turn. It waits for other goroutines. The error is a *UsageError where that would
// be for ever: the call is made inside of the function that the turn is lent to.
func (w *World) take(call string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.freed.L = &w.mu; w.taken; w.freed.Wait() {
		if w.lent != 0 && w.lent == goroutine() {
			return &UsageError{call, "a function given to Edit or Do of the world is running", "call it after that function has returned"}
		}
		if w.thread.here() {
			return &UsageError{call, "another goroutine uses the world, and waiting for it would stop the thread of its context", "call it after the function given to Do of another world has returned"}
		}
	}
	w.taken = true
	return nil
}

// lend takes the turn of an open world for a function of the caller's on this goroutine.
func (w *World) lend(call string) error {
	if err := w.take(call); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lent = goroutine()
	return w.unlessEnded()
}

// unlessEnded returns why the world has ended, and frees the turn then.
func (w *World) unlessEnded() error {
	if w.ended != nil {
		w.taken, w.lent = false, 0
		w.freed.Broadcast()
	}
	return w.ended
}

// free gives the turn to the next call.
func (w *World) free() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.taken, w.lent = false, 0
	w.freed.Broadcast()
}

// do runs f, which changes the world, on the thread of the device's context.
func (w *World) do(call string, f func() error) error { return w.doWith(call, plain, f) }

// plain is the call of a function that knows its world.
func plain(_ *World, f any) error { return f.(func() error)() }

// doWith is do of a function with an argument, which takes no memory where f is no closure and arg
// is a pointer.
func (w *World) doWith(call string, f func(w *World, arg any) error, arg any) error {
	if err := w.take(call); err != nil {
		return err
	}
	defer w.free()
	return w.run(f, arg)
}

// read is do for a call that changes nothing, so that a function given to Edit or Do may make it.
func (w *World) read(f func() error) error { return w.readWith(plain, f) }

// readWith is read of a function with an argument, as doWith.
func (w *World) readWith(f func(w *World, arg any) error, arg any) error {
	w.mu.Lock()
	lent := w.lent != 0 && w.lent == goroutine()
	w.mu.Unlock()
	if lent {
		return w.run(f, arg)
	}
	return w.doWith("reading the world", f, arg)
}

// run runs f on the thread of the device's context, with mu locked. An error that leaves nothing to
// go on with ends the world.
func (w *World) run(f func(w *World, arg any) error, arg any) error {
	return w.thread.runUntil(context.Background(), call{world: w, f: f, arg: arg})
}

// runLocked is run on the thread.
func (w *World) runLocked(f func(w *World, arg any) error, arg any) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended != nil {
		return w.ended
	}
	err := w.device.Do(func() error { return w.device.Within(&w.memory, func() error { return f(w, arg) }) })
	if err != nil {
		err = fmt.Errorf("engine: %w", err)
		w.endBy(err)
	}
	return err
}

// endBy ends the world after an error that leaves nothing on the device to rely on.
func (w *World) endBy(err error) {
	var gone *gpu.ContextError
	var driver *gpu.GLError
	lost := errors.As(err, &gone) && gone.Kind == gpu.Lost
	if lost && w.thread != nil {
		w.thread.lost.Store(true)
	}
	if lost || errors.As(err, &driver) && driver.OutOfMemory() {
		w.ended = err
	}
}

// Do runs f on the thread of the device's context, and in it as gpu.Device.Do does, while no other
// call uses the world: for what the world has handed out, such as its crowd and its maps. Inside of
// f the world answers questions; methods that change it return a *UsageError. The error is that of
// f, a *UsageError, ErrClosed, or one of gpu.Device.Do. A panic of f is one of Do's.
func (w *World) Do(f func(d *gpu.Device) error) error {
	if f == nil {
		return &UsageError{"Do", "there is no function to run", "give it one"}
	}
	if err := w.take("Do"); err != nil {
		return err
	}
	defer w.free()
	return w.thread.run(func() error {
		w.mu.Lock()
		w.lent = goroutine()
		ended := w.ended
		w.mu.Unlock()
		if ended != nil {
			return ended
		}
		return w.device.Do(func() error { return f(w.device) })
	})
}

// goroutine is the number of the calling goroutine, from 1 on. It tells a call inside of a function
// of the caller's, which would wait for itself, from one of another goroutine, which has to wait;
// nothing else depends on it. It takes about a microsecond, and is asked for only where a call has
// to wait or hops to a thread.
func goroutine() uint64 {
	space := stackTexts.Get().(*[64]byte)
	defer stackTexts.Put(space)
	text := space[:runtime.Stack(space[:], false)]
	text = bytes.TrimPrefix(text, []byte("goroutine "))
	number, err := strconv.ParseUint(string(text[:max(0, bytes.IndexByte(text, ' '))]), 10, 64)
	if err != nil {
		panic(fmt.Sprintf("engine: a stack begins with %q", text))
	}
	return number
}

// stackTexts are where goroutine has stacks written to.
var stackTexts = sync.Pool{New: func() any { return new([64]byte) }}
