package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// ErrBusy says that a Pool has as many worlds as it may have.
var ErrBusy = errors.New("engine: the pool has as many worlds as it may have: close one, or try again later")

// Pool is a number of worlds that share one OpenGL context without a display and the OS thread that
// it is current on, where their calls run one after the other. Worlds of a pool share compiled
// shaders, so that all but the first open fast. Methods may be called from any goroutine.
type Pool struct {
	most int

	mu      sync.Mutex
	thread  *contextThread
	opening int
	worlds  map[*World]*contextThread
	closed  bool
}

// NewPool makes a pool of at most so many worlds, of which none is open yet. The error is a
// *UsageError of a number below 1, a *headless.Error where the machine offers no context, or one of
// gpu.NewOwn.
func NewPool(worlds int) (*Pool, error) {
	if worlds < 1 {
		return nil, &UsageError{"NewPool", fmt.Sprintf("a pool of %d worlds", worlds), "give it 1 or more"}
	}
	t, err := startThread()
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	return &Pool{most: worlds, thread: t, worlds: map[*World]*contextThread{}}, nil
}

// Open makes a world of a scene. When ctx is done the world is closed: calls then return an error
// that is both ErrClosed and the cause of ctx. Errors are those of New; ErrBusy, at once, where the
// pool has as many worlds as it may have; ErrClosed of a closed pool; or the cause of ctx. After
// the driver has lost the context, which ends all of the pool's worlds, Open makes another context.
func (p *Pool) Open(ctx context.Context, scene *scenes.Scene, o Options) (*World, error) {
	return p.open(ctx, func(d *gpu.Device) (*World, error) { return New(d, scene, o) })
}

func (p *Pool) open(ctx context.Context, open func(d *gpu.Device) (*World, error)) (*World, error) {
	t, err := p.enter()
	if err != nil {
		return nil, err
	}
	w, err := t.world(ctx, open, p.leave)
	p.mu.Lock()
	p.opening--
	if w != nil {
		p.worlds[w] = t
	}
	closed := p.closed
	p.mu.Unlock()
	switch {
	case w == nil:
		return nil, err
	case closed:
		return nil, errors.Join(ErrClosed, w.Close())
	}
	w.start(ctx)
	return w, err
}

// enter counts a world that is being opened, and returns its thread.
func (p *Pool) enter() (*contextThread, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, ErrClosed
	}
	if p.opening+len(p.worlds) >= p.most {
		return nil, ErrBusy
	}
	if p.thread.lost.Load() {
		t, err := startThread()
		if err != nil {
			return nil, fmt.Errorf("engine: %w", err)
		}
		p.thread = t
	}
	p.opening++
	return p.thread, nil
}

// leave takes a closed world out. A thread whose context is lost ends with its last world.
func (p *Pool) leave(w *World) {
	p.mu.Lock()
	t := p.worlds[w]
	delete(p.worlds, w)
	last := t != p.thread
	for _, other := range p.worlds {
		last = last && other != t
	}
	p.mu.Unlock()
	if last {
		t.stop()
	}
}

// Worlds is how many worlds are open.
func (p *Pool) Worlds() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.worlds)
}

// Close closes all worlds of the pool, and then its context and its thread. Closing twice does
// nothing. The error is a *UsageError inside of a function given to World.Edit or World.Do: the
// world of that function, the context and the thread are still open then, and Close may be called
// again.
func (p *Pool) Close() error {
	p.mu.Lock()
	p.closed = true
	var worlds []*World
	for w := range p.worlds {
		worlds = append(worlds, w)
	}
	p.mu.Unlock()
	var errs []error
	for _, w := range worlds {
		errs = append(errs, w.Close())
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	p.thread.stop()
	return nil
}
