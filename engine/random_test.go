package engine_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// caller makes random calls, valid and not, of a world.
type caller struct {
	random *rand.Rand
	world  *engine.World
	other  *engine.World // whose handles are foreign
}

func (c *caller) point() mgl64.Vec2 {
	if c.random.IntN(10) == 0 {
		return mgl64.Vec2{math.NaN(), math.Inf(1)}
	}
	return mgl64.Vec2{c.random.Float64()*24 - 2, c.random.Float64()*14 - 2}
}

func (c *caller) goal() engine.GoalID {
	from := c.world
	switch c.random.IntN(10) {
	case 0:
		return engine.GoalID(0)
	case 1:
		from = c.other
	}
	all := from.Goals()
	return all[c.random.IntN(len(all))]
}

// edit makes up to three changes of obstacles and sources.
func (c *caller) edit() error {
	return failed(c.world.Edit(func(e *engine.Edit) error {
		for range c.random.IntN(4) {
			all := append(c.world.Obstacles(), engine.ObstacleID(0))
			o := all[c.random.IntN(len(all))]
			p := c.point()
			switch c.random.IntN(5) {
			case 0:
				e.AddObstacle(scenes.Obstacle{}.Shaped(geom.Polygon{Outer: geom.Ring{p, p.Add(mgl64.Vec2{1, 0}), p.Add(mgl64.Vec2{1, 1})}}))
			case 1:
				e.MoveObstacle(o, mgl64.Vec2{0.1, 0})
			case 2:
				e.RemoveObstacle(o)
			case 3:
				e.SetDoor(o, engine.Door(c.random.IntN(3)))
			case 4:
				e.SetSources(c.goal(), spm.Goal{Points: []mgl64.Vec2{p}})
			}
		}
		if c.random.IntN(5) == 0 {
			return c.world.Step() // a *UsageError
		}
		return nil
	}))
}

// call makes a call, and returns its error.
func (c *caller) call() error {
	w := c.world
	switch c.random.IntN(16) {
	case 0, 1:
		return w.Step()
	case 2:
		_, err := w.Advance(time.Duration(c.random.Int64N(int64(time.Second))) - 100*time.Millisecond)
		return err
	case 3:
		return w.Poll()
	case 4:
		return w.Apply()
	case 5, 6:
		return c.edit()
	case 7:
		return engine.SetLocalMap(w, 0, nil)
	case 8:
		v, err := w.View(c.goal())
		if err == nil {
			v.Query(c.point())
		}
		return err
	case 9:
		_, err := w.Hash()
		return err
	case 10:
		return w.Do(func(*gpu.Device) error { return w.Poll() }) // a *UsageError
	case 11:
		_, err := w.ObstacleState(engine.ObstacleID(0))
		return err
	case 12:
		_, err := w.Sources(c.goal())
		return err
	case 13:
		w.Sees(c.point(), c.point())
		w.NearestFree(c.point(), c.random.NormFloat64())
		w.ObstacleAt(c.point())
		w.SourceAt(c.point(), 3)
	case 14:
		w.Document()
		w.Buffers()
		w.BlockedSources()
		w.Work()
	default:
		_ = w.Time() + float64(w.Ticks()) + float64(w.Memory())
	}
	return nil
}

// typed reports whether an error is one of those that calls promise.
func typed(err error) bool {
	var usage *engine.UsageError
	var handle *engine.HandleError
	var goal *engine.GoalError
	var obstacle *engine.ObstacleError
	var limit *geom.LimitError
	var faults engine.EditErrors
	return err == nil || errors.As(err, &faults) || errors.Is(err, engine.ErrClosed) || errors.As(err, &usage) || errors.As(err, &handle) || errors.As(err, &goal) ||
		errors.As(err, &obstacle) || errors.As(err, &limit)
}

// TestRandomCalls makes 10,000 calls, valid and not, of worlds of a pool from 8 goroutines, some of
// them while a world is closed. It is for the race detector.
func TestRandomCalls(t *testing.T) {
	const calls = 10_000
	p := pool(t, 3)
	other := opened(t, p, t.Context(), rooms2)
	const rounds = 5
	for round := range rounds {
		ctx, cancel := context.WithCancel(t.Context())
		w := opened(t, p, ctx, rooms2)
		var wait sync.WaitGroup
		for g := range 8 {
			wait.Go(func() {
				c := caller{rand.New(rand.NewPCG(uint64(round), uint64(g))), w, other}
				for i := range calls / rounds / 8 {
					if round%2 == 1 && g == 0 && i == calls/rounds/16 {
						cancel()
					}
					if err := c.call(); !typed(err) {
						t.Errorf("round %d, goroutine %d, call %d: %T %v", round, g, i, err, err)
					}
				}
			})
		}
		wait.Wait()
		cancel()
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if err := w.Step(); !errors.Is(err, engine.ErrClosed) {
			t.Errorf("a step of a closed world: %v", err)
		}
	}
}

// TestManyWorlds opens and closes 200 worlds: OpenGL has as many objects as before, and Go's memory
// stays within a tenth.
func TestManyWorlds(t *testing.T) {
	p := pool(t, 2)
	keeps := opened(t, p, t.Context(), rooms2)
	measure := func() (objects [4]int, heap uint64) {
		_ = keeps.Do(func(*gpu.Device) error { objects = liveObjects(); return nil })
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return objects, m.HeapAlloc
	}
	open := func(n int) {
		for range n {
			w := opened(t, p, t.Context(), rooms2)
			steps(t, w, 1)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	open(20)
	objects, heap := measure()
	open(200)
	after, grown := measure()
	if after != objects || float64(grown) > 1.1*float64(heap) {
		t.Errorf("buffers, textures, framebuffers, queries: %v, after 200 worlds %v; %d bytes of Go's heap, then %d", objects, after, heap, grown)
	}
}

// TestBudgets gives worlds too little memory, and too little time for a tick.
func TestBudgets(t *testing.T) {
	p := pool(t, 1)
	w := opened(t, p, t.Context(), rooms2)
	used := w.Memory()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if left := w.Memory(); used == 0 || left != 0 {
		t.Errorf("a world takes %d bytes, %d once it is closed", used, left)
	}
	var full *gpu.MemoryError
	if _, err := p.Open(t.Context(), readScene(t, rooms2), engine.Options{Memory: used - 1}); !errors.As(err, &full) || full.Limit != used-1 {
		t.Errorf("a world of %d bytes that may have %d: %v", used, used-1, err)
	}
	w, err := p.Open(t.Context(), readScene(t, rooms2), engine.Options{Memory: used, TickTime: 1})
	if err != nil {
		t.Fatal(err)
	}
	var slow *engine.TimeError
	if err := w.Step(); !errors.As(err, &slow) || slow.Took <= slow.Limit || w.Ticks() != 1 {
		t.Errorf("a tick of more than a nanosecond: %v", err)
	}
	if progress, err := w.Advance(2 * w.Timestep()); !errors.As(err, &slow) || progress.Ticks != 1 || w.Ticks() != 2 {
		t.Errorf("two ticks of more than a nanosecond: %+v, %v", progress, err)
	}
}

// TestWorldOfOneThread calls a world in a test's own context from another thread.
func TestWorldOfOneThread(t *testing.T) {
	run(t, readScene(t, rooms2), func(_ *gpu.Device, w *engine.World) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			runtime.LockOSThread()
			var wrong *gpu.ContextError
			_, hash := w.Hash()
			for call, err := range map[string]error{"Step": w.Step(), "Hash": hash, "Close": w.Close(), "Do": w.Do(func(*gpu.Device) error { return nil })} {
				if !errors.As(err, &wrong) || wrong.Kind != gpu.NoContext {
					t.Errorf("%s on another thread: %v", call, err)
				}
			}
			if w.Ticks() != 0 {
				t.Error("a tick has run")
			}
		}()
		<-done
		steps(t, w, 1)
	})
}
