package engine

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"sync/atomic"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// World is a scene that runs: its ground, a shortest path map per goal, and its crowd. It is not safe for use from several
// goroutines, and belongs to the thread of its device's context; views of it are free of that.
type World struct {
	device  *gpu.Device
	scene   *scenes.Scene
	ground  *geom.Ground
	builder *spm.Builder
	maps    *spm.Map
	crowd   *agents.Crowd

	goals      []goalState
	generation uint32 // of this world's handles
	epoch      uint64

	ticks uint64
	owed  time.Duration // time that Advance was given and has not run
}

// goalState is a goal as the world runs it.
type goalState struct {
	id      string
	sources []mgl64.Vec2
	stale   bool // the sources changed since the map was built
	view    *spm.View
}

// Options are what a scene leaves to whoever runs it. The zero value takes everything from the scene.
type Options struct {
	MapSize int        // texels along the domain's longer side; 0: as the scene says
	Method  spm.Method // that maps are built by; the zero value is the fast one
}

// worlds counts the worlds of the process, so that a handle of one is foreign to all others.
var worlds atomic.Uint32

// New makes a world of a scene on a device: the ground, the map of every goal, and the crowd at its start. Errors say what
// of the scene the device or the ground refuses: *spm.SourceError, *agents.RoomError, *gpu.CapacityError.
func New(d *gpu.Device, scene *scenes.Scene, o Options) (*World, error) {
	w := &World{device: d, scene: scene, generation: worlds.Add(1)}
	if err := w.open(o); err != nil {
		w.Close()
		return nil, fmt.Errorf("engine: scene %q: %w", scene.Name, err)
	}
	return w, nil
}

func (w *World) open(o Options) (err error) {
	if w.ground, err = w.scene.Ground(); err != nil {
		return err
	}
	for _, g := range w.scene.Goals {
		w.goals = append(w.goals, goalState{id: g.ID, sources: g.Points, stale: true})
	}
	if w.builder, err = spm.NewBuilder(w.device, o.Method); err != nil {
		return err
	}
	size := w.scene.Map.Size
	if o.MapSize > 0 {
		size = o.MapSize
	}
	if err = w.newMaps(size); err != nil {
		return err
	}
	w.crowd, err = agents.New(w.device, w.scene, w.ground, geom.NewWallGrid(w.ground), w.guide())
	return err
}

// newMaps makes maps with room for the sources of every goal.
func (w *World) newMaps(size int) error {
	room, err := spm.SourceRoom(w.ground, w.allGoals()...)
	if err != nil {
		return err
	}
	side := w.scene.Max().Sub(w.scene.Min())
	maps, err := w.builder.NewMap(spm.MapSpec{
		Extent: spm.NewExtent(side[0], side[1], size), Grounds: slices.Repeat([]*geom.Ground{w.ground}, len(w.goals)), Sources: room,
	})
	if err != nil {
		return err
	}
	w.maps.Delete()
	w.maps = maps
	if w.crowd != nil {
		w.crowd.SetGuide(w.guide())
	}
	for i := range w.goals {
		w.goals[i].stale = true
	}
	w.epoch++
	return w.rebuild()
}

func (w *World) allGoals() []spm.Goal {
	all := make([]spm.Goal, len(w.goals))
	for i, g := range w.goals {
		all[i] = spm.Goal{Points: g.sources}
	}
	return all
}

// rebuild builds the maps of the goals whose sources changed. Agents then look anew: what they were sure to see may have moved.

func (w *World) rebuild() error {
	for i := range w.goals {
		g := &w.goals[i]
		if !g.stale {
			continue
		}
		if err := w.builder.Build(w.maps, spm.Change{Layer: i, Goal: spm.Goal{Points: g.sources}}); err != nil {
			return fmt.Errorf("goal %q: %w", g.id, err)
		}
		g.stale = false
		g.view = nil
		if w.crowd != nil {
			w.crowd.SetGuide(w.guide())
		}
	}
	return nil
}

// guide is how agents read the maps.
func (w *World) guide() agents.Guide {
	return agents.Guide{
		Generators: w.maps.Generators, Stride: w.maps.Stride, Sources: w.maps.Room,
		Parents: w.maps.Parents, Field: w.maps.Field, Unreached: float32(spm.Unreached), Cell: w.maps.Extent.Cell,
	}
}

// Close frees what the world has on the device.
func (w *World) Close() {
	if w.crowd != nil {
		w.crowd.Delete()
	}
	w.maps.Delete()
	w.builder.Delete()
}

// Step runs one tick of the scene's time step. It reads nothing back. After an edit of sources it waits while the device builds
// their maps (see spm.Builder.Build). The error is that of a device without the memory that an edit asks for, or of one
// that was lost; the goal concerned is then out of reach, and the next tick tries again.
func (w *World) Step() error {
	var err error
	w.device.Pass("step", func() {
		// 1. Edits were checked when they were made, and left their goals stale.
		// 2. Maps whose sources changed are rebuilt.
		if err = w.rebuild(); err != nil {
			return
		}
		// 3. Agents steer by their goals' maps: preferred velocities.
		// 4. Agents move: cut at walls, arrivals, next goals. Old and new state are two buffers.
		// 5. Counters are posted; they arrive some ticks later.
		w.crowd.Step()
	})
	if err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	w.ticks++
	return nil
}

// Progress says what Advance did.
type Progress struct {
	Ticks    int           // that it ran
	Fraction float64       // how far the time is between the last tick and the next, 0 to 1: for drawing
	Dropped  time.Duration // time that was given up because more than MaxTicks were due
}

// MaxTicks is how many ticks Advance runs at most, so that a device too slow for real time still shows every few ticks.
const MaxTicks = 4

// Advance runs as many ticks as are due after elapsed more time has passed. Results depend on the number of ticks alone,
// never on how time was cut into calls.
func (w *World) Advance(elapsed time.Duration) (Progress, error) {
	tick := w.Timestep()
	w.owed += max(0, elapsed)
	var p Progress
	for w.owed >= tick && p.Ticks < MaxTicks {
		if err := w.Step(); err != nil {
			return p, err
		}
		w.owed -= tick
		p.Ticks++
	}
	if w.owed >= tick {
		p.Dropped = w.owed - w.owed%tick
		w.owed -= p.Dropped
	}
	p.Fraction = float64(w.owed) / float64(tick)
	return p, nil
}

// Timestep is the length of a tick.
func (w *World) Timestep() time.Duration {
	return max(1, time.Duration(w.scene.Simulation.Timestep*float64(time.Second)))
}

// Ticks is the number of ticks run.
func (w *World) Ticks() uint64 { return w.ticks }

// Time is the simulated time in seconds.
func (w *World) Time() float64 { return float64(w.ticks) * w.scene.Simulation.Timestep }

// Scene is the scene that the world was made of; edits do not change it.
func (w *World) Scene() *scenes.Scene { return w.scene }

// Ground is the ground that agents walk on.
func (w *World) Ground() *geom.Ground { return w.ground }

// Crowd is the agents: their buffers for drawing, counters, followed ways and snapshots.
func (w *World) Crowd() *agents.Crowd { return w.crowd }

// Goals are the handles of all goals, in the scene's order: goal i has layer i of the maps.
func (w *World) Goals() []Goal {
	all := make([]Goal, len(w.goals))
	for i := range all {
		all[i] = Goal{uint32(i), w.generation}
	}
	return all
}

// Goal finds a goal by its id in the scene.
func (w *World) Goal(id string) (Goal, bool) {
	for i, g := range w.goals {
		if g.id == id {
			return Goal{uint32(i), w.generation}, true
		}
	}
	return Goal{}, false
}

func (w *World) goal(h Goal) (*goalState, error) {
	if h.generation != w.generation || int(h.index) >= len(w.goals) {
		return nil, &HandleError{Kind: "goal"}
	}
	return &w.goals[h.index], nil
}

// Sources are the points that a goal leads to at the moment, edits included that take effect with the next tick.
func (w *World) Sources(h Goal) ([]mgl64.Vec2, error) {
	g, err := w.goal(h)
	if err != nil {
		return nil, err
	}
	return slices.Clone(g.sources), nil
}

// View is the map of a goal as of the last tick, to ask it questions from any goroutine. The first call after a change
// reads the map's generators back and so waits for the GPU; later ones return the same view.
func (w *World) View(h Goal) (*spm.View, error) {
	g, err := w.goal(h)
	if err != nil {
		return nil, err
	}
	if g.view == nil {
		g.view = w.maps.View(int(h.index))
	}
	return g.view, nil
}

// Buffers are what a host draws from. Names are those of OpenGL; Epoch changes when the maps' names do. The agents' buffer
// is another one after each tick.
type Buffers struct {
	Epoch  uint64
	Maps   *spm.Map
	Agents agents.Buffers
}

// Buffers returns the names as they are now.
func (w *World) Buffers() Buffers {
	return Buffers{Epoch: w.epoch + w.maps.Epoch(), Maps: w.maps, Agents: w.crowd.Buffers()}
}

// StateHash is a hash of all agents in the order of their slots: equal for equal runs on one device. It reads the agents
// back and waits for the GPU.
func (w *World) StateHash() uint64 {
	state := make([]agents.Agent, w.crowd.Count())
	w.crowd.Snapshot(state)
	h := fnv.New64a()
	if err := binary.Write(h, binary.LittleEndian, state); err != nil {
		panic(err) // an Agent is of fixed size
	}
	return h.Sum64()
}
