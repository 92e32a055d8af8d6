package engine_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes/scenestest"
	"github.com/wayfront/wayfront/spm"
)

func TestMain(m *testing.M) {
	gputest.WithoutThreads()
	gputest.Main(m)
}

const rooms2 = `{
  "version": 1, "name": "two-rooms", "domain": [0, 0, 20, 10],
  "obstacles": [{"rect": [9, 0, 11, 8]}],
  "goals": [{"id": "east", "points": [[18, 2]]}, {"id": "west", "points": [[2, 2]]}],
  "profiles": [{"id": "p", "avoidance": "none", "preferredSpeed": {"mean": 1, "std": 0}}],
  "groups": [
    {"id": "a", "profile": "p", "count": 20, "spawn": {"rect": [1, 1, 8, 9]}, "itinerary": ["east"], "onArrival": "leave"},
    {"id": "b", "profile": "p", "count": 10, "spawn": {"rect": [12, 1, 19, 9]}, "itinerary": ["west", "east"], "onArrival": "loop"}
  ],
  "map": {"size": 200}
}`

// world opens the two rooms and hands them to f, on the device's thread.
func world(t testing.TB, f func(d *gpu.Device, w *engine.World)) {
	t.Helper()
	s := scenestest.Read(t, "two-rooms", rooms2)
	gputest.Run(t, func(d *gpu.Device) {
		w, err := engine.New(d, s, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		f(d, w)
	})
}

// at is a goal's sources at points.
func at(points ...mgl64.Vec2) spm.Goal { return spm.Goal{Points: points} }

func steps(t testing.TB, w *engine.World, n int) {
	t.Helper()
	for range n {
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
	}
}

// hashOf is the hash of a world's state.
func hashOf(t testing.TB, w *engine.World) uint64 {
	t.Helper()
	hash, err := w.Hash()
	if err != nil {
		t.Error(err)
	}
	return hash
}

func TestAllArrive(t *testing.T) {
	world(t, func(d *gpu.Device, w *engine.World) {
		// The longest way is under 40 m, at 1 m/s and a tenth of a second a tick.
		steps(t, w, 450)
		state := make([]agents.Agent, w.Crowd().Count())
		w.Crowd().Snapshot(state)
		for i, a := range state {
			if a.Arrivals == 0 && i < 20 || i < 20 && a.Status != agents.Left {
				t.Errorf("agent %d of group a has status %d and %d arrivals at %v", i, a.Status, a.Arrivals, a.Position)
			}
			if i >= 20 && a.Status != agents.Walking {
				t.Errorf("agent %d of group b, which loops, has status %d", i, a.Status)
			}
		}
		if w.Ticks() != 450 || math.Abs(w.Time()-45) > 1e-9 {
			t.Errorf("%d ticks, %v s", w.Ticks(), w.Time())
		}
	})
}

// TestFramesReadNothingBack is the promise of the frame loop: stepping, edits and counters
// included.
func TestFramesReadNothingBack(t *testing.T) {
	world(t, func(d *gpu.Device, w *engine.World) {
		steps(t, w, 1)
		east, _ := w.Goal("east")
		before := d.Readbacks()
		for i := range 100 {
			if i%20 == 10 {
				if _, err := w.Edit(func(e *engine.Edit) error {
					e.SetSources(east, at(mgl64.Vec2{15, 1 + float64(i)/20}))
					return nil
				}); err != nil {
					t.Fatal(err)
				}
			}
			steps(t, w, 1)
			w.Buffers()
			w.Crowd().Counters()
		}
		if n := d.Readbacks() - before; n != 0 {
			t.Errorf("100 frames read back %d times", n)
		}
		if c := w.Crowd().Counters(); c.Step == 0 || c.Walking+c.Left != w.Crowd().Count() {
			t.Errorf("counters %+v do not account for %d agents", c, w.Crowd().Count())
		}
		if d.Readbacks() == before {
			hashOf(t, w)
			if d.Readbacks() == before {
				t.Error("a read-back was not counted")
			}
		}
	})
}

func TestSameRunSameState(t *testing.T) {
	var hashes []uint64
	for range 2 {
		world(t, func(d *gpu.Device, w *engine.World) {
			steps(t, w, 50)
			east, _ := w.Goal("east")
			if _, err := w.Edit(func(e *engine.Edit) error { e.SetSources(east, at(mgl64.Vec2{15, 9})); return nil }); err != nil {
				t.Fatal(err)
			}
			steps(t, w, 50)
			hashes = append(hashes, hashOf(t, w))
			steps(t, w, 1)
			if hashOf(t, w) == hashes[len(hashes)-1] {
				t.Error("a step left the hash as it was, though agents walk")
			}
		})
	}
	if hashes[0] != hashes[1] {
		t.Errorf("two runs ended in %x and %x", hashes[0], hashes[1])
	}
}

func TestEditTakesAllOrNothing(t *testing.T) {
	world(t, func(d *gpu.Device, w *engine.World) {
		east, _ := w.Goal("east")
		west, _ := w.Goal("west")
		probe := mgl64.Vec2{18, 2}
		distance := func(g engine.GoalID) float64 {
			v, err := w.View(g)
			if err != nil {
				t.Fatal(err)
			}
			return v.Query(probe).Distance
		}
		if d := distance(east); d != 0 {
			t.Fatalf("distance at the source is %v", d)
		}
		_, refused := w.Edit(func(e *engine.Edit) error {
			e.SetSources(east, at(mgl64.Vec2{15, 2}))
			e.SetSources(west, at(mgl64.Vec2{1, 1}, mgl64.Vec2{20.5, 4})) // the second is outside the domain
			return nil
		})
		var why *engine.EditError
		var source *spm.SourceError
		if !errors.As(refused, &why) || why.ID != "west" || why.Handle != west || why.Path != "Points[1]" || why.At[0] != (mgl64.Vec2{20.5, 4}) || !errors.As(refused, &source) || source.Index != 1 {
			t.Fatalf("a source outside the domain gave %v", refused)
		}
		_, refused = w.Edit(func(e *engine.Edit) error {
			e.SetSources(west, spm.Goal{Segments: [][2]mgl64.Vec2{{{1, 1}, {1, 1}}}})
			return nil
		})
		if !errors.As(refused, &source) || source.Index != 0 || !strings.Contains(refused.Error(), "need a length") {
			t.Fatalf("a segment without length gave %v", refused)
		}
		own := errors.New("changed my mind")
		if _, err := w.Edit(func(e *engine.Edit) error { e.SetSources(east, at(mgl64.Vec2{15, 2})); return own }); !errors.Is(err, own) {
			t.Fatalf("got %v, want the error of the change itself", err)
		}
		steps(t, w, 2)
		if d := distance(east); d != 0 {
			t.Fatalf("a refused edit moved the source by %v", d)
		}
		// More sources than the map has room for: it grows, and agents go on by the new one.
		epoch := w.Buffers().Epoch
		if _, err := w.Edit(func(e *engine.Edit) error {
			e.SetSources(east, at(mgl64.Vec2{15, 2}, mgl64.Vec2{15, 4}, mgl64.Vec2{15, 6}))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if d := distance(east); d != 0 {
			t.Errorf("the edit took effect before the tick: distance %v", d)
		}
		steps(t, w, 2) // the map is begun with the first tick, and there with the second
		if d := distance(east); math.Abs(d-3) > 1e-5*(3+20) {
			t.Errorf("after the edit the distance is %v, want 3", d)
		}
		if w.Buffers().Epoch == epoch {
			t.Error("the map grew and the epoch stayed")
		}
		if got, _ := w.Sources(east); len(got.Points) != 3 {
			t.Errorf("sources are %v", got)
		}
		// Without sources the goal is out of reach, and agents stand.
		if _, err := w.Edit(func(e *engine.Edit) error { e.SetSources(east, at()); return nil }); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 20)
		if d := distance(east); !math.IsInf(d, 1) {
			t.Errorf("without sources the distance is %v", d)
		}
		state := make([]agents.Agent, w.Crowd().Count())
		w.Crowd().Snapshot(state)
		for i, a := range state {
			if a.Position[0] != a.Position[0] || a.Velocity[0] != a.Velocity[0] {
				t.Errorf("agent %d is at %v with velocity %v", i, a.Position, a.Velocity)
			}
		}
	})
}

// TestWallsStopArrivals moves a source to the other side of a wall, a step away from a
// crowd that was about to reach it: they have to walk round.
func TestWallsStopArrivals(t *testing.T) {
	s := scenestest.Read(t, "wall", `{"version": 1, "domain": [0, 0, 40, 25], "obstacles": [{"rect": [20, 0, 20.3, 20]}],
		"goals": [{"id": "g", "points": [[5, 10]], "arrivalRadius": 4}], "profiles": [{"id": "p", "avoidance": "none"}],
		"groups": [{"profile": "p", "count": 20, "spawn": {"rect": [18, 8, 19.5, 12]}}], "map": {"size": 200}}`)
	gputest.Run(t, func(d *gpu.Device) {
		w, err := engine.New(d, s, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		steps(t, w, 10)
		if _, err := w.Edit(func(e *engine.Edit) error { e.SetSources(w.Goals()[0], at(mgl64.Vec2{20.5, 10})); return nil }); err != nil {
			t.Fatal(err)
		}
		// The way round is 19 m long: none walks that in half a second.
		steps(t, w, 5)
		state := make([]agents.Agent, w.Crowd().Count())
		w.Crowd().Snapshot(state)
		for i, a := range state {
			if a.Status != agents.Walking || a.Position[0] > 20.01 {
				t.Errorf("agent %d at %v has status %d", i, a.Position, a.Status)
			}
		}
		steps(t, w, 400)
		w.Crowd().Snapshot(state)
		for i, a := range state {
			if a.Status != agents.Left {
				t.Errorf("in the end agent %d at %v has status %d", i, a.Position, a.Status)
			}
		}
	})
}

func TestForeignHandles(t *testing.T) {
	var stranger engine.GoalID
	world(t, func(d *gpu.Device, w *engine.World) { stranger = w.Goals()[0] })
	world(t, func(d *gpu.Device, w *engine.World) {
		for _, h := range []engine.GoalID{0, stranger} {
			var refused *engine.HandleError
			if _, err := w.View(h); !errors.As(err, &refused) {
				t.Errorf("View of a foreign handle gave %v", err)
			}
			if _, err := w.Sources(h); !errors.As(err, &refused) {
				t.Errorf("Sources of a foreign handle gave %v", err)
			}
			if _, err := w.Edit(func(e *engine.Edit) error { e.SetSources(h, at()); return nil }); !errors.As(err, &refused) {
				t.Errorf("SetSources of a foreign handle gave %v", err)
			}
		}
		if _, ok := w.Goal("nowhere"); ok {
			t.Error("there is a goal nowhere")
		}
	})
}

// TestAdvance cuts the same time in different ways.
func TestAdvance(t *testing.T) {
	run := func(each time.Duration, n int) (hash uint64, ticks int) {
		world(t, func(d *gpu.Device, w *engine.World) {
			for range n {
				p, err := w.Advance(each)
				if err != nil {
					t.Fatal(err)
				}
				if p.Fraction < 0 || p.Fraction >= 1 || p.Dropped != 0 {
					t.Fatalf("progress %+v", p)
				}
				ticks += p.Ticks
			}
			hash = hashOf(t, w)
		})
		return hash, ticks
	}
	fine, n := run(10*time.Millisecond, 300)
	coarse, m := run(300*time.Millisecond, 10)
	if n != 30 || m != 30 || fine != coarse {
		t.Errorf("%d ticks to %x in small steps, %d to %x in large ones; want 30 and the same", n, fine, m, coarse)
	}
	world(t, func(d *gpu.Device, w *engine.World) {
		p, err := w.Advance(time.Duration(engine.MaxTicks+5)*100*time.Millisecond + 30*time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		if p.Ticks != engine.MaxTicks || p.Dropped != 500*time.Millisecond || math.Abs(p.Fraction-0.3) > 1e-9 {
			t.Errorf("after a hitch: %+v", p)
		}
		if p, _ = w.Advance(-time.Second); p.Ticks != 0 {
			t.Errorf("time ran backwards: %+v", p)
		}
	})
}

func TestCrowdWithoutRoom(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		s := scenestest.Read(t, "", `{"version": 1, "domain": [0, 0, 10, 10], "goals": [{"points": [[1, 1]]}],
			"profiles": [{"id": "p", "radius": 1, "avoidance": "none"}],
			"groups": [{"profile": "p", "count": 9, "spawn": {"rect": [4, 4, 9, 9]}}, {"profile": "p", "count": 2, "spawn": {"rect": [4, 4, 9, 9]}}]}`)
		_, err := engine.New(d, s, engine.Options{})
		var room *spawn.RoomError
		if !errors.As(err, &room) {
			t.Errorf("a crowd without room gave %v", err)
		}
	})
}

// TestTickLengths: at both limits of a scene's time step and between them a clock's tick is the
// simulation's, to the nanosecond, and places stay finite.
func TestTickLengths(t *testing.T) {
	for _, c := range []struct {
		timestep float64 // s
		tick     time.Duration
	}{{1e-6, 1000}, {1.5e-6, 1500}, {0.0011, 1100 * time.Microsecond}, {1.0 / 60, 16666667}, {3600, time.Hour}} {
		s := scenestest.Read(t, "two-rooms", rooms2)
		s.Simulation.Timestep = c.timestep
		gputest.Run(t, func(d *gpu.Device) {
			w, err := engine.New(d, s, engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			if got := w.Timestep(); got != c.tick {
				t.Errorf("a tick of %v s is %v long, want %v", c.timestep, got, c.tick)
			}
			for k := range 20 {
				short, err := w.Advance(c.tick - 1)
				if err != nil || short.Ticks != 0 {
					t.Fatalf("a nanosecond less than %v: %+v, %v", c.tick, short, err)
				}
				if p, err := w.Advance(1); err != nil || p.Ticks != 1 || p.Fraction != 0 {
					t.Fatalf("tick %d of %v: %+v, %v", k, c.tick, p, err)
				}
			}
			if got, want := w.Time(), 20*c.timestep; got != want {
				t.Errorf("after 20 ticks of %v s it is %v s", c.timestep, got)
			}
			state := make([]agents.Agent, w.Crowd().Count())
			w.Crowd().Snapshot(state)
			for i, a := range state {
				if x := float64(a.Position[0] + a.Position[1]); math.IsNaN(x) || math.IsInf(x, 0) {
					t.Errorf("a tick of %v s: agent %d is at %v", c.timestep, i, a.Position)
				}
			}
		})
	}
}
