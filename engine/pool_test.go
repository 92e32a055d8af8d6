package engine_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
)

func pool(t testing.TB, worlds int) *engine.Pool {
	t.Helper()
	p, err := engine.NewPool(worlds)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(p.Close(), p.Close()); err != nil {
			t.Error(err)
		}
	})
	return p
}

func opened(t testing.TB, p *engine.Pool, ctx context.Context, text string) *engine.World {
	t.Helper()
	w, err := p.Open(ctx, readScene(t, text), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestPoolIsBusy opens as many worlds as a pool may have, and one more.
func TestPoolIsBusy(t *testing.T) {
	var usage *engine.UsageError
	if _, err := engine.NewPool(0); !errors.As(err, &usage) {
		t.Errorf("a pool of no worlds: %v", err)
	}
	p := pool(t, 2)
	a, b := opened(t, p, t.Context(), rooms2), opened(t, p, t.Context(), rooms2)
	if _, err := p.Open(t.Context(), readScene(t, rooms2), engine.Options{}); !errors.Is(err, engine.ErrBusy) || p.Worlds() != 2 {
		t.Errorf("a third world: %v, of %d", err, p.Worlds())
	}
	if err := errors.Join(a.Close(), a.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(t.Context(), readScene(t, rooms2), engine.Options{MapSize: -1}); !errors.As(err, &usage) {
		t.Errorf("a world with a map of -1 texels: %v", err)
	}
	c := opened(t, p, t.Context(), rooms2) // a world that was not made takes no room
	steps(t, b, 2)
	steps(t, c, 2)
	if hashOf(t, b) != hashOf(t, c) {
		t.Error("two worlds of one scene differ")
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.Step(); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("a step in a closed pool: %v", err)
	}
	if _, err := p.Open(t.Context(), readScene(t, rooms2), engine.Options{}); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("a world in a closed pool: %v", err)
	}
}

// TestContextEndsWorld cancels what a world was opened with.
func TestContextEndsWorld(t *testing.T) {
	p := pool(t, 1)
	why := errors.New("the match is over")
	ctx, cancel := context.WithCancelCause(t.Context())
	w := opened(t, p, ctx, rooms2)
	cancel(why)
	for deadline := time.Now().Add(10 * time.Second); p.Worlds() > 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if err := w.Step(); !errors.Is(err, engine.ErrClosed) || !errors.Is(err, why) {
		t.Errorf("a step after the end of its context: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if _, err := p.Open(ctx, readScene(t, rooms2), engine.Options{}); !errors.Is(err, why) || p.Worlds() != 0 {
		t.Errorf("a world of a context that has ended: %v", err)
	}
	if _, err := engine.Headless(ctx, readScene(t, rooms2), engine.Options{}); !errors.Is(err, why) {
		t.Errorf("a headless world of a context that has ended: %v", err)
	}
	opened(t, p, t.Context(), rooms2)
}

// TestHeadlessWorldsInterleave steps worlds in contexts of their own, and of one, in turns from
// goroutines of their own: all come out as one that is alone on the test's device.
func TestHeadlessWorldsInterleave(t *testing.T) {
	var want uint64
	run(t, readScene(t, rooms2), func(_ *gpu.Device, w *engine.World) {
		steps(t, w, 12)
		want = hashOf(t, w)
	})
	p := pool(t, 2)
	worlds := []*engine.World{opened(t, p, t.Context(), rooms2), opened(t, p, t.Context(), rooms2)}
	for range 2 {
		w, err := engine.Headless(t.Context(), readScene(t, rooms2), engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		worlds = append(worlds, w)
	}
	for range 12 {
		var wait sync.WaitGroup
		for _, w := range worlds {
			wait.Go(func() {
				if err := w.Step(); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
	}
	for i, w := range worlds {
		if got := hashOf(t, w); got != want {
			t.Errorf("world %d: hash %x, alone %x", i, got, want)
		}
	}
}

// TestDo runs functions on the thread of a world's context: answers, errors, panics and the end of
// the goroutine come out where Do was called, and other goroutines wait.
func TestDo(t *testing.T) {
	p := pool(t, 2)
	w, other := opened(t, p, t.Context(), rooms2), opened(t, p, t.Context(), rooms2)
	why := errors.New("on purpose")
	var state []agents.Agent
	err := w.Do(func(d *gpu.Device) error {
		state = make([]agents.Agent, w.Crowd().Count())
		w.Crowd().Snapshot(state)
		if err := d.Current(); err != nil {
			t.Error(err)
		}
		var usage *engine.UsageError
		for call, err := range map[string]error{"Step": w.Step(), "Close": w.Close(), "Do": w.Do(func(*gpu.Device) error { return nil })} {
			if !errors.As(err, &usage) || usage.Call != call {
				t.Errorf("%s inside of Do returns %v", call, err)
			}
		}
		if _, err := w.View(w.Goals()[0]); err != nil {
			t.Errorf("View inside of Do: %v", err)
		}
		if err := other.Step(); err != nil || other.Ticks() != 1 {
			t.Errorf("a step of another world: %v", err)
		}
		if err := p.Close(); !errors.As(err, &usage) {
			t.Errorf("the pool is closed inside of Do: %v", err)
		}
		return why
	})
	if !errors.Is(err, why) || len(state) == 0 {
		t.Errorf("Do returns %v, with %d agents", err, len(state))
	}
	if got := panicked(func() { _ = w.Do(func(*gpu.Device) error { panic(why) }) }); !errors.Is(got, why) {
		t.Errorf("a panic inside of Do: %v", got)
	}
	gone := make(chan bool)
	go func() {
		defer close(gone)
		_ = w.Do(func(*gpu.Device) error { runtime.Goexit(); return nil })
		gone <- true
	}()
	if <-gone {
		t.Error("a goroutine goes on that a function given to Do has ended")
	}
	var usage *engine.UsageError
	if err := w.Do(nil); !errors.As(err, &usage) {
		t.Errorf("Do of no function: %v", err)
	}
	steps(t, w, 1)
}

// TestEditsTakeTurns edits and steps a world from many goroutines: a step waits for the function
// given to Edit.
func TestEditsTakeTurns(t *testing.T) {
	w := opened(t, pool(t, 1), t.Context(), rooms2)
	var during []uint64
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			_, err := w.Edit(func(*engine.Edit) error {
				before := w.Ticks()
				time.Sleep(5 * time.Millisecond)
				during = append(during, w.Ticks()-before)
				_, err := w.View(w.Goals()[0])
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
		wait.Go(func() { steps(t, w, 2) })
	}
	wait.Wait()
	if !slices.Equal(during, make([]uint64, 4)) || w.Ticks() != 8 {
		t.Errorf("%d ticks; during edits %v", w.Ticks(), during)
	}
}
