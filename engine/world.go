package engine

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// World is a scene that runs: its ground, a shortest path map per goal, and its crowd. Its methods
// may be called from any goroutine, and wait for one another. Those that use the device run on the
// thread of its context: a world of Headless or a Pool takes them there, and one of New returns a
// *gpu.ContextError on any other thread. What the world hands out, such as its crowd and its maps,
// belongs to that thread and takes no turns: use it inside of World.Do. Views are free of that.
type World struct {
	device   *gpu.Device
	scene    *scenes.Scene
	terrain  *terrain
	builder  *spm.Builder
	maps     *spm.Map
	next     *nextMaps // nil, unless edits have added goals: the next tick builds them
	epoch    uint64    // of maps that are replaced
	building []int     // layers of the pending maps
	mapSize  int       // of Options; 0: the scene's
	crowd    *agents.Crowd
	local    *localMaps

	doc       authored
	goals     []goalState // by slot
	goalIDs   handles[GoalID]
	obstacles handles[ObstacleID]
	population
	areaSet
	latest
	watch    watch
	events   eventLog
	revision uint64
	walked   *geom.Ground // whose walls the crowd has
	moving   bool         // the crowd has obstacles that move
	work     Work
	uploaded int // grounds, by New

	ticks uint64
	owed  time.Duration // time that Advance was given and has not run

	turn
	thread *contextThread // nil: calls run on the caller's thread
	torn   error          // a rollback ended half way; nil: none did
	ended  error          // why no call can be made any more; nil: they can
	closed func()         // what Close does besides; nil: nothing

	memory   gpu.Memory
	tickTime time.Duration

	began       *scenes.Scene // of New
	fingerprint Fingerprint
	journal     *journal // nil: none is written
}

// Options are what a scene leaves to whoever runs it. The zero value takes everything from the
// scene.
type Options struct {
	MapSize int        // texels along the domain's longer side; 0: as the scene says
	Method  spm.Method // that maps are built by; the zero value is the fast one
	Latest  int        // ticks between the states that World.Latest returns; 0: it returns none
	Events  EventKinds // that World.Events returns

	// Memory limits the bytes of the world's buffers and textures on the device; 0: the device
	// does. What exceeds it is a *gpu.MemoryError, of New too.
	Memory int64
	// TickTime limits how long a tick takes, the device's work included; 0: nothing does. With a
	// limit each tick waits for the device. One that took longer counts and is a *TimeError: the
	// host decides whether the world goes on.
	TickTime time.Duration

	// Journal is what the world writes all to that changes it, for Replay; nil: nothing is written. It
	// is written to by calls of the world, and has all of it once Close has returned.
	Journal io.Writer
	// HashEvery is the number of ticks between the hashes of the state that the journal has, of which
	// each waits for the device; 0: 600.
	HashEvery int
}

// worlds counts the worlds of the process: its low bits are the tags of their handles.
var worlds atomic.Uint32

// New makes a world of a scene on a device: the ground, the map of every goal, and the crowd at its
// start. The world has a copy of the scene with every default filled in (see scenes.Scene.Checked);
// the scene that is given is not changed, and changes of it after New do not reach the world. A
// scene that is not sound is refused with a *scenes.Invalid, which has the path of every fault.
// Other errors say what of the scene the device or the ground refuses: *spm.SourceError,
// *spawn.RoomError, *gpu.CapacityError; or what of the options there is not: *spm.MethodError,
// *UsageError, *JournalError; or they are those of gpu.Device.Do. No scene is a *UsageError, no
// device a *gpu.ContextError.
func New(d *gpu.Device, scene *scenes.Scene, o Options) (*World, error) {
	if o.Memory < 0 || o.TickTime < 0 {
		return nil, &UsageError{"New", fmt.Sprintf("a limit of %d bytes, and %v for a tick", o.Memory, o.TickTime), "give limits above 0, or 0 for none"}
	}
	if o.Latest < 0 {
		return nil, &UsageError{"New", fmt.Sprintf("a state every %d ticks", o.Latest), "give Options.Latest a number of ticks, or 0 for none"}
	}
	if o.Events&^AllEvents != 0 {
		return nil, &UsageError{"New", fmt.Sprintf("events of the kinds %#x", o.Events), "give Options.Events a sum of kinds, such as Arrived | Left, or AllEvents"}
	}
	if o.HashEvery < 0 {
		return nil, &UsageError{"New", fmt.Sprintf("a hash every %d ticks", o.HashEvery), "give Options.HashEvery a number of ticks, or 0 for 600"}
	}
	if o.MapSize < 0 {
		return nil, &UsageError{"New", fmt.Sprintf("a map of %d texels", o.MapSize), "give Options.MapSize a size, or 0 for that of the scene"}
	}
	if scene == nil {
		return nil, &UsageError{"New", "there is no scene", "give it one of scenes.Load, scenes.Read or scenes.New"}
	}
	checked, problems := scene.Checked()
	if checked == nil {
		return nil, fmt.Errorf("engine: %w", &scenes.Invalid{Problems: problems})
	}
	tag := uint8(worlds.Add(1))
	w := &World{
		device: d, scene: checked,
		goalIDs: handles[GoalID]{kind: "goal", tag: tag}, obstacles: handles[ObstacleID]{kind: "obstacle", tag: tag},
		population: newPopulation(tag), areaSet: areaSet{areaIDs: handles[AreaID]{kind: "area", tag: tag}}, memory: gpu.Memory{Limit: o.Memory}, tickTime: o.TickTime,
	}
	if err := d.Do(func() error { return d.Within(&w.memory, func() error { return w.open(o) }) }); err != nil {
		_ = w.discard() // without its context there is nothing to free
		return nil, fmt.Errorf("engine: scene %q: %w", checked.Name, err)
	}
	w.began, w.fingerprint = checked, fingerprintOf(d, checked, o)
	if err := w.beginJournal(o); err != nil {
		_ = w.discard() // as above
		return nil, err
	}
	return w, nil
}

func (w *World) open(o Options) (err error) {
	if w.terrain, err = newTerrain(w.scene); err != nil {
		return err
	}
	if _, err = w.terrain.lay(0); err != nil {
		return err
	}
	for _, g := range w.scene.Goals {
		on := w.terrain.of(g.Passage())
		w.goals = append(w.goals, goalState{Goal: g, begun: on, shown: on, itinerary: -1})
		w.goalIDs.take()
	}
	for range w.scene.Obstacles {
		w.obstacles.take()
	}
	if w.builder, err = spm.NewBuilder(w.device, o.Method); err != nil {
		return err
	}
	w.mapSize = o.MapSize
	size := w.sizeOfMaps(w.scene)
	var changes []spm.Change
	for i := range w.goals {
		changes = append(changes, w.change(i))
	}
	spec, err := w.mapSpec(size, w.goals, changes)
	if err != nil {
		return err
	}
	if w.maps, err = w.builder.NewMap(spec); err != nil {
		if size > spm.MaxSize {
			err = fmt.Errorf("%w; lower the scene's map.size, or give a smaller Options.MapSize", err)
		}
		return err
	}
	if err = w.builder.Build(w.maps, changes...); err != nil {
		return w.named(err)
	}
	w.uploaded = w.builder.Stats().Grounds
	walk := w.terrain.of(scenes.Walked)
	w.walked = walk.Ground
	if w.crowd, err = agents.New(w.device, w.scene, walk.Ground, walk.Grid, w.guide()); err != nil {
		return err
	}
	w.enlist(w.scene, w.crowd)
	w.doc.author(w.scene, &w.population)
	w.local = &localMaps{device: w.device}
	w.latest.every, w.events.kinds = o.Latest, o.Events
	if o.Events != 0 {
		if err := w.reportEvents(); err != nil {
			return err
		}
	}
	return w.prepareLocalMaps()
}

// Close frees what the world has on the device. All later calls of the world's that return errors
// return ErrClosed, but Close, which does nothing a second time. Of what the world has handed out,
// the crowd's methods return or panic with agents.ErrDeleted, those of local and global maps with
// bvp.ErrClosed, and those of a Batch with spm.ErrDeleted; buffers, which were deleted, panic where
// they are used. What needs no device still answers, and views do. The error is a *gpu.ContextError
// where the device's context is not current: the world is then open as before. Where that context
// is gone, so is all that the world had. A *JournalError says that the journal is not whole; the
// world is closed all the same.
func (w *World) Close() error { return w.end(ErrClosed) }

// end closes the world for a reason, which is an ErrClosed and what later calls return.
func (w *World) end(reason error) error {
	if err := w.take("Close"); err != nil {
		return err
	}
	defer w.free()
	if errors.Is(w.ended, ErrClosed) {
		return nil
	}
	var journal error
	err := w.thread.run(func() error {
		w.mu.Lock()
		defer w.mu.Unlock()
		if err := w.device.Current(); err != nil && w.thread == nil {
			return fmt.Errorf("engine: %w", err)
		}
		journal = w.endJournal()
		w.ended = reason
		if err := w.discard(); w.thread == nil {
			return err
		}
		return nil // without its context there is nothing to free
	})
	if err == nil && w.closed != nil {
		w.closed()
	}
	return errors.Join(err, journal)
}

func (w *World) discard() error {
	return w.device.Free(func() {
		if w.crowd != nil {
			w.crowd.Delete()
		}
		if w.local != nil {
			w.local.close()
		}
		w.latest.mail.Delete()
		w.maps.Delete()
		w.next.delete()
		w.builder.Delete()
	})
}

// Step runs one tick of the scene's time step, from Time on. It reads nothing back. It waits for
// the device only where maps that were begun with the last tick are not there yet (see Work.Waits).
// The error is that of a device without the memory that an edit or a moving obstacle asks for, or
// of one that was lost, or a *geom.LimitError of obstacles that are too intricate where they move
// to; the tick has not run then, the goal concerned may be out of reach, and the next call tries
// again. Where the device cannot be used from here, or the host is in the middle of something, it
// is one of gpu.Device.Do, and nothing has changed. After a *gpu.GLError or *gpu.DebugError the
// tick counts, and what it did is undefined. A *JournalError comes once, and the tick has run.
func (w *World) Step() error { return w.doWith("Step", stepping, nil) }

func stepping(w *World, _ any) error { return w.step() }

// changeGround brings the ground up to the time, and to what was edited.
func (w *World) changeGround() error { return w.changeGroundAt(w.time()) }

func (w *World) changeGroundAt(time float64) error {
	made, err := w.terrain.lay(time)
	if err != nil {
		return err
	}
	w.work.Grounds += uint64(made)
	if walk := w.terrain.of(scenes.Walked); walk.Ground != w.walked {
		if err := w.crowd.SetGround(walk.Ground, walk.Grid); err != nil {
			return err
		}
		if by := walk.Ground.Lattice.Origin.Sub(w.walked.Lattice.Origin); by.Len() > 0 && w.local.inUse() {
			w.local.maps.Shift([2]float32{float32(by[0]), float32(by[1])})
		}
		w.walked = walk.Ground
		w.work.Walls++
	}
	if moving := w.terrain.motions(w.scene.Simulation.Timestep); len(moving) > 0 || w.moving {
		w.moving = len(moving) > 0
		return w.crowd.SetMotions(moving)
	}
	return nil
}

// Poll advances pending maps, without waiting. Call it between ticks, with each frame, so
// that the next tick finds them done; Advance does. It changes nothing of what agents do: however
// often it is called, maps take effect for them with the tick after the one that began them. Only
// what reads maps for itself, such as drawing, sees them earlier. Errors are those of Step.
func (w *World) Poll() error { return w.do("Poll", w.poll) }

func (w *World) poll() error { return w.advanceMaps(false) }

// Apply has edits take effect between ticks: walls at once, and maps of what changed as soon as
// they are built. While maps are pending it advances those, as Poll does, and edits wait for
// the next call. It never waits for the device. Call it with each frame of a world that stands
// still while it is edited. No time passes: timetables and agents stay as they are, and agents
// that new walls cover are moved to free ground by the next tick. What the next tick finds
// then depends on when Apply was called and how fast the device is; a run that is to be repeated
// leaves edits to its ticks. Errors are those of Step.
func (w *World) Apply() error { return w.do("Apply", w.apply) }

func (w *World) apply() error {
	if w.torn != nil {
		return w.torn
	}
	if err := w.poll(); err != nil || len(w.building) > 0 {
		return err
	}
	var err error
	w.journal.put(journalEntry{Kind: entryApply, Tick: w.ticks})
	w.device.Stage("apply", func() {
		if err = w.changeGroundAt(w.terrain.time); err == nil {
			err = w.beginMaps()
		}
	})
	return err
}

// Building reports whether maps are pending. A tick would wait for them.
func (w *World) Building() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.building) > 0
}

// Work counts what a world has done since New, by stages. A source that moves makes maps and
// nothing else; an obstacle makes a ground for each clearance of the goals, walls, and the maps of
// all goals.
type Work struct {
	Grounds uint64 // divided anew: snapped, united, triangulated
	Walls   uint64 // of the crowd, uploaded
	Uploads uint64 // of grounds, for maps
	Maps    uint64 // begun, one for each goal
	Waits   uint64 // ticks that had to wait for a map
}

// Memory is how many bytes the world's buffers and textures take on the device.
func (w *World) Memory() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.memory.Used()
}

// Work returns the counts.
func (w *World) Work() Work {
	w.mu.Lock()
	defer w.mu.Unlock()
	work := w.work
	work.Uploads = uint64(w.builder.Stats().Grounds - w.uploaded)
	return work
}

// Progress says what Advance did.
type Progress struct {
	Ticks    int           // that it ran
	Fraction float64       // how far the time is between the last tick and the next, 0 to 1: for drawing
	Dropped  time.Duration // time that was given up because more than MaxTicks were due
}

// MaxTicks is how many ticks Advance runs at most, so that a device too slow for real time still
// shows every few ticks.
const MaxTicks = 4

// Advance runs as many ticks as are due after elapsed more time has passed. Results depend on the
// number of ticks alone, never on how time was cut into calls. Time before 0 is none. Errors are
// those of Step.
func (w *World) Advance(elapsed time.Duration) (p Progress, err error) {
	err = w.do("Advance", func() error {
		tick := w.timestep()
		w.owed += min(max(0, elapsed), math.MaxInt64-w.owed)
		for w.owed >= tick && p.Ticks < MaxTicks {
			before := w.ticks
			err := w.step()
			if w.ticks > before {
				w.owed -= tick
				p.Ticks++
			}
			if err != nil {
				return err
			}
		}
		if err := w.poll(); err != nil {
			return err
		}
		if w.owed >= tick {
			p.Dropped = w.owed - w.owed%tick
			w.owed -= p.Dropped
		}
		p.Fraction = float64(w.owed) / float64(tick)
		return nil
	})
	return p, err
}

// Timestep is the length of a tick, rounded to nanoseconds: the limits of scenes.Simulation keep
// that from meaning much.
func (w *World) Timestep() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.timestep()
}

func (w *World) timestep() time.Duration {
	return time.Duration(math.Round(w.scene.Simulation.Timestep * float64(time.Second)))
}

// Ticks is the number of ticks run.
func (w *World) Ticks() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ticks
}

// Time is the simulated time in seconds.
func (w *World) Time() float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.time()
}

func (w *World) time() float64 { return float64(w.ticks) * w.scene.Simulation.Timestep }

// Scene is the scene that the world was made of or last synced to, with every default filled in. Of
// its obstacles, goals and profiles edits change nothing: Document has those of now. Its groups are
// those that traits of agents count. It is the world's own: do not write to it.
func (w *World) Scene() *scenes.Scene {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.scene
}

// Ground is the ground that agents walk on, as of the last tick.
func (w *World) Ground() *geom.Ground {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ground()
}

func (w *World) ground() *geom.Ground { return w.terrain.of(scenes.Walked).Ground }

// Goals are the handles of all goals, in the order of Document. The slot of a goal is the layer of
// its map, from the tick on that its edit takes effect in.
func (w *World) Goals() []GoalID {
	w.mu.Lock()
	defer w.mu.Unlock()
	return handlesOf(&w.goalIDs, w.doc.goals)
}

// Goal finds a goal by its id.
func (w *World) Goal(id string) (GoalID, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.IndexFunc(w.goals, func(g goalState) bool { return g.ID == id })
	if i < 0 || id == "" {
		return 0, false
	}
	return w.goalIDs.at(i), true
}

func (w *World) goal(h GoalID) (*goalState, error) {
	return found(w, &w.goalIDs, h, w.goals, func(g *goalState) bool { return !g.gone })
}

// Sources are what a goal leads to, edits included that take effect with the next tick, and those
// that are blocked. The error is a *HandleError or ErrClosed.
func (w *World) Sources(h GoalID) (spm.Goal, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	g, err := w.goal(h)
	if err != nil {
		return spm.Goal{}, err
	}
	return cloneSources(spm.Goal{Points: g.Points, Segments: g.Segments}), nil
}

// View is the last complete map of a goal, to ask it questions from any goroutine. The first call
// after a change reads the map's generators back and so waits for the GPU; later ones return the
// same view. Where the goal has a clearance, or sources of it are blocked, NearestSource counts
// those of the map (see scenes.Goal.SourcesOn), not the goal's own. The error is a *HandleError, a
// *UsageError for a goal that was added since the last tick, ErrClosed, or one of gpu.Device.Do.
func (w *World) View(h GoalID) (*spm.View, error) {
	w.mu.Lock()
	g, err := w.goal(h)
	if err != nil || g.view != nil {
		defer w.mu.Unlock()
		if err != nil {
			return nil, err
		}
		return g.view, nil
	}
	layer := int(uint32(h))
	known := layer < w.maps.Layers
	w.mu.Unlock()
	if !known {
		return nil, &UsageError{"View", "the goal has no map yet", "call it after the next Step or Apply"}
	}
	var view *spm.View
	err = w.read(func() error {
		g := &w.goals[layer]
		if g.view == nil {
			g.view = w.maps.View(layer)
		}
		view = g.view
		return nil
	})
	if err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.goals[layer].view = nil
		return nil, err
	}
	return view, nil
}
