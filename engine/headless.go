package engine

import (
	"context"
	"fmt"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// Headless makes a world of a scene in an OpenGL context of its own, which needs no display and is
// current on an OS thread of its own. Close ends the context and the thread too. When ctx is done
// the world is closed, as in Pool.Open. Errors are those of New, a *headless.Error where the
// machine offers no context, or the cause of ctx.
func Headless(ctx context.Context, scene *scenes.Scene, o Options) (*World, error) {
	return headlessWorld(ctx, func(d *gpu.Device) (*World, error) { return New(d, scene, o) })
}

// headlessWorld makes a world in a context and on a thread of its own.
func headlessWorld(ctx context.Context, open func(d *gpu.Device) (*World, error)) (*World, error) {
	t, err := startThread()
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	w, err := t.world(ctx, open, func(*World) { t.stop() })
	if w == nil {
		t.stop()
		return nil, err
	}
	w.start(ctx)
	return w, err
}

// world makes a world on the thread. Closed runs after the world was closed. The error is the cause
// of ctx where that is done before the thread is free or the world is there; with a world it is one
// that leaves the world open.
func (t *contextThread) world(ctx context.Context, open func(d *gpu.Device) (*World, error), closed func(*World)) (w *World, err error) {
	err = t.runUntil(ctx, call{plain: func() (err error) {
		w, err = open(t.device)
		return err
	}})
	if w == nil {
		return nil, err
	}
	w.thread = t
	w.closed = func() { closed(w) }
	return w, err
}

// start has ctx close the world. The world has not been handed out yet.
func (w *World) start(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() {
		_ = w.end(fmt.Errorf("%w: %w", ErrClosed, context.Cause(ctx)))
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	if closed := w.closed; w.ended == nil {
		w.closed = func() { stop(); closed() }
	}
}
