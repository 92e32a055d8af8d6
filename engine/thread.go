package engine

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/headless"
)

// contextThread is an OS thread with an OpenGL context without a display, which is current there
// and nowhere else. It runs functions of any goroutine, one after the other.
type contextThread struct {
	context *headless.Context
	device  *gpu.Device
	jobs    chan *job
	quit    sync.Once
	ending  chan struct{} // closed: no more jobs
	ended   chan struct{} // closed: the context is gone
	serving atomic.Uint64 // the goroutine that runs jobs
	lost    atomic.Bool   // the driver has lost the context
}

// job is a call to make, and what came of it.
type job struct {
	call     call
	err      error
	panicked any
	returned bool // else the call panicked, or ended its goroutine
	done     chan struct{}
}

var idleJobs = sync.Pool{New: func() any { return &job{done: make(chan struct{}, 1)} }}

// call is a function to run: f of a world with arg, or plain, where there is no f. Unlike a closure
// that another goroutine runs it takes no memory.
type call struct {
	plain func() error
	world *World
	f     func(w *World, arg any) error
	arg   any
}

func (c call) run() error {
	if c.f == nil {
		return c.plain()
	}
	return c.world.runLocked(c.f, c.arg)
}

// startThread makes a context. The error is a *headless.Error, or one of gpu.NewOwn.
func startThread() (*contextThread, error) {
	t := &contextThread{jobs: make(chan *job), ending: make(chan struct{}), ended: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := t.open()
		started <- err
		if err == nil {
			t.serve()
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return t, nil
}

func (t *contextThread) open() (err error) {
	if t.context, err = headless.Open(); err != nil {
		return err
	}
	if err = t.context.MakeCurrent(); err == nil {
		t.device, err = gpu.NewOwn()
	}
	if err != nil {
		t.context.Close()
	}
	return err
}

// serve runs jobs until the thread is to end. The goroutine is never unlocked from the OS thread,
// which so ends with it.
func (t *contextThread) serve() {
	t.serving.Store(goroutine())
	for {
		select {
		case j := <-t.jobs:
			t.do(j)
		case <-t.ending:
			_ = t.device.Close() // without its context there is nothing to free
			t.context.Close()
			close(t.ended)
			return
		}
	}
}

// do runs a job. Where it ends the goroutine, as testing.T.FailNow does, another one on another OS
// thread goes on.
func (t *contextThread) do(j *job) {
	defer func() {
		j.panicked = recover()
		exits := !j.returned && j.panicked == nil
		if exits {
			_ = t.context.Release()
			next := make(chan struct{})
			go func() {
				runtime.LockOSThread()
				_ = t.context.MakeCurrent() // else later jobs return a *gpu.ContextError
				close(next)
				t.serve()
			}()
			<-next
		}
		j.done <- struct{}{}
	}()
	j.err = j.call.run()
	j.returned = true
}

// here reports whether the calling goroutine is the thread's.
func (t *contextThread) here() bool { return t != nil && t.serving.Load() == goroutine() }

// run runs f on the thread and waits for it; on the thread itself, or where there is none, at once.
// A panic of f is one of run's. The error is that of f, or ErrClosed of a thread that has ended.
func (t *contextThread) run(f func() error) error {
	return t.runUntil(context.Background(), call{plain: f})
}

// runUntil is run of a call, unless ctx is done before the thread comes to it: the error is its
// cause then.
func (t *contextThread) runUntil(ctx context.Context, c call) error {
	if t == nil || t.here() {
		return c.run()
	}
	if ctx.Err() != nil {
		return fmt.Errorf("engine: %w", context.Cause(ctx))
	}
	j := idleJobs.Get().(*job)
	defer func() {
		*j = job{done: j.done}
		idleJobs.Put(j)
	}()
	j.call = c
	select {
	case t.jobs <- j:
	case <-ctx.Done():
		return fmt.Errorf("engine: %w", context.Cause(ctx))
	case <-t.ending:
		return ErrClosed
	}
	<-j.done
	switch {
	case j.panicked != nil:
		panic(j.panicked)
	case !j.returned:
		runtime.Goexit()
	}
	return j.err
}

// stop ends the thread once its jobs are done, and waits for that. Stopping twice does nothing.
func (t *contextThread) stop() {
	t.quit.Do(func() { close(t.ending) })
	if !t.here() {
		<-t.ended
	}
}
