package engine_test

import (
	"fmt"
	"testing"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/headless"
	"github.com/wayfront/wayfront/scenes"
)

// endless is a scene of 10,000 agents of a profile that walk for hours: to a goal with a clearance
// and to one without, through two gates, past a door that opens later.
func endless(t testing.TB, profile, group string) *scenes.Scene {
	return readScene(t, fmt.Sprintf(`{"version": 1, "domain": [0, 0, 400, 400],
		"obstacles": [{"rect": [199, 20, 201, 380]}, {"rect": [390, 390, 391, 391], "open": [[100, 1000]]}],
		"goals": [{"id": "east", "segments": [[[390, 10], [390, 380]]]}, {"id": "west", "segments": [[[10, 10], [10, 390]]], "clearance": 0.3}],
		"profiles": [{"id": "p", %s}],
		"groups": [{"profile": "p", "count": 5000, "spawn": {"rect": [15, 5, 195, 395]}, "itinerary": ["east", "west"], "onArrival": "loop"%s},
			{"profile": "p", "count": 5000, "spawn": {"rect": [205, 5, 385, 385]}, "itinerary": ["west", "east"], "onArrival": "loop"}],
		"map": {"size": 64}}`, profile, group))
}

// reporting are options of a world that reports all events and its state.
var reporting = engine.Options{Events: engine.AllEvents, Latest: 1}

// steadily counts what the whole process allocates in Go while a world goes on, and the host takes
// events and states.
func steadily(t *testing.T, w *engine.World) {
	t.Helper()
	const ticks = 3
	if n := w.Crowd().Count(); n != 10_000 {
		t.Fatalf("%d agents", n)
	}
	var snapshot engine.Snapshot
	var events []engine.Event
	tick := func() {
		steps(t, w, 1)
		if _, err := w.Latest(&snapshot); err != nil {
			t.Fatal(err)
		}
		events = w.Events(events[:0])
	}
	for range 6 {
		tick()
	}
	n := testing.AllocsPerRun(1, func() {
		for range ticks {
			tick()
		}
	})
	if n != 0 {
		t.Errorf("%v objects in %d ticks", n, ticks)
	}
	if snapshot.Tick == 0 || len(snapshot.IDs) != 10_000 {
		t.Errorf("a state of tick %d with %d agents", snapshot.Tick, len(snapshot.IDs))
	}
}

// localMaps is a profile of agents with local maps.
const localMaps = `"avoidance": "orca", "steering": "bvp", "bvp": {"cells": 11, "relaxations": 2}`

// TestSteadyStateAllocatesNothing is about every method and guide.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	for name, s := range map[string]*scenes.Scene{
		"orca":      endless(t, `"avoidance": "orca"`, ""),
		"rvo":       endless(t, `"avoidance": "rvo"`, ""),
		"clearpath": endless(t, `"avoidance": "clearpath"`, ""),
		"local":     endless(t, localMaps, ""),
		"harmonic":  endless(t, `"steering": "bvp", "bvp": {"cells": 11, "cellSize": 5, "relaxations": 2, "guide": "harmonic"}`, ""),
		"explorers": endless(t, `"steering": "bvp", "bvp": {"cells": 11, "cellSize": 5, "relaxations": 2}`, `, "explores": {"team": "a"}`),
	} {
		t.Run(name, func(t *testing.T) {
			gputest.Run(t, func(d *gpu.Device) {
				w, err := engine.New(d, s, reporting)
				if err != nil {
					t.Fatal(err)
				}
				defer w.Close()
				steadily(t, w)
			})
		})
	}
}

// TestSteadyStateOfContexts is about worlds of every kind of context.
func TestSteadyStateOfContexts(t *testing.T) {
	s := endless(t, `"avoidance": "orca"`, "")
	t.Run("a host's", func(t *testing.T) {
		gputest.Host(t, func(*headless.Context) {
			d, err := gpu.New(gpu.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			w, err := engine.New(d, s, reporting)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			steadily(t, w)
		})
	})
	t.Run("Headless", func(t *testing.T) {
		w, err := engine.Headless(t.Context(), s, reporting)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		steadily(t, w)
	})
	t.Run("Pool", func(t *testing.T) {
		w, err := pool(t, 2).Open(t.Context(), s, reporting)
		if err != nil {
			t.Fatal(err)
		}
		steadily(t, w)
	})
}
