package engine_test

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
)

// memory is what a world takes: bytes of Go's heap, bytes of the process in memory, and objects of
// OpenGL.
type memory struct {
	heap, resident int
	objects        [4]int
}

func memoryNow(t *testing.T) (m memory) {
	t.Helper()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	m.heap, m.objects = int(stats.HeapAlloc), liveObjects()
	if text, err := os.ReadFile("/proc/self/statm"); err == nil { // Linux
		pages, err := strconv.Atoi(strings.Fields(string(text))[1])
		if err != nil {
			t.Fatal(err)
		}
		m.resident = pages * os.Getpagesize()
	}
	return m
}

// enduring is a small world that goes on for ever, with what a server does beside its steps: agents
// that come and go, a wall that is moved to and fro, events, states.
const enduring = `{"version": 1, "domain": [0, 0, 12, 8], "obstacles": [{"id": "wall", "rect": [5, 0, 5.5, 3]}],
	"goals": [{"id": "east", "points": [[11, 4]]}, {"id": "west", "points": [[1, 4]]}], "profiles": [{"avoidance": "none"}],
	"groups": [{"count": 2, "spawn": {"rect": [1, 1, 4, 7]}, "itinerary": ["east", "west"], "onArrival": "loop"}], "map": {"size": 16}}`

// endure steps a world, and changes it every 50 ticks.
func endure(t *testing.T, w *engine.World, ticks int) {
	t.Helper()
	var events []engine.Event
	var latest engine.Snapshot
	var ids []engine.AgentID
	wall := w.Obstacles()[0]
	for tick := range ticks {
		if tick%50 == 0 {
			edit(t, w, func(e *engine.Edit) {
				e.Remove(ids...)
				ids = e.AddAgents(ids[:0], engine.Spawn{At: mgl64.Vec2{8, 1 + float64(tick/50%6)}, Goal: w.Goals()[0], Profile: w.Profiles()[0]})
				if tick%1000 == 0 {
					e.MoveObstacle(wall, mgl64.Vec2{0, float64(1 - tick/1000%2*2)})
				}
			})
		}
		steps(t, w, 1)
		events = w.Events(events[:0])
		if _, err := w.Latest(&latest); err != nil {
			t.Fatal(err)
		}
		if tick%1000 == 500 {
			c, err := w.Checkpoint()
			if err != nil {
				t.Fatal(err)
			}
			steps(t, w, 2)
			if err := w.Rollback(c); err != nil {
				t.Fatal(err)
			}
			c.Free()
		}
	}
	edit(t, w, func(e *engine.Edit) { e.Remove(ids...) })
	steps(t, w, 3) // completes maps
	if len(w.Agents(nil)) != 2 || latest.Tick == 0 || slices.ContainsFunc(latest.Positions, func(p mgl64.Vec2) bool { return !(p[0] >= 0 && p[0] <= 12) }) {
		t.Errorf("%d agents, the latest state is %+v", len(w.Agents(nil)), latest)
	}
}

// atLength is how often something is done: quick in `make test`, and as often as is promised where
// ENDURANCE is set, as `make endurance` does.
func atLength(quick, promised int) int {
	if os.Getenv("ENDURANCE") != "" {
		return promised
	}
	return quick
}

// TestEndurance: memory of Go, of the process and of OpenGL stays flat.
func TestEndurance(t *testing.T) {
	ticks := atLength(20_000, 100_000)
	runWith(t, open(t, enduring), engine.Options{Latest: 1, Events: engine.AllEvents}, func(_ *gpu.Device, w *engine.World) {
		endure(t, w, 4000)
		before := memoryNow(t)
		endure(t, w, ticks-4000)
		after := memoryNow(t)
		t.Logf("after 4000 ticks %+v, after %d %+v", before, ticks, after)
		more := false
		for kind := range after.objects {
			more = more || after.objects[kind] > before.objects[kind]
		}
		if more || after.heap > before.heap+1<<19 || after.resident > before.resident+1<<23 {
			t.Errorf("after 4000 ticks %+v, after %d %+v", before, ticks, after)
		}
	})
}
