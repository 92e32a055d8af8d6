package engine

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/explore"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// Checkpoint is the whole state of a world between two ticks: all that has influence on later ones.
// What of it is on the device stays there, in buffers of the checkpoint's own. It belongs to its
// world, and may be rolled back to any number of times, in any order with others.
type Checkpoint struct {
	world   *World
	archive *gpu.Archive // nil: it was freed
	number  uint64       // in the journal; 0: it is not there

	ticks  uint64
	owed   time.Duration
	moving bool
	walked *geom.Ground

	terrain *terrain
	goals   []goalState
	scene   *scenes.Scene
	doc     authored

	goalIDs    handles[GoalID]
	obstacles  handles[ObstacleID]
	population population
	areas      areaSet
	revision   uint64
	events     []Event // that the host has not taken

	extent spm.Extent // of the maps
	shown  *spm.Contents
	next   *spm.MapSpec // nil: no goals were added since the last tick
	crowd  *agents.Checkpoint
	local  localState
}

// localState is the state of local maps.
type localState struct {
	used bool
	maps *local.Checkpoint // nil: no agent ever had one

	roster roster
	cells  int // of explorers' maps
	ends   [][]int
	teams  *explore.Checkpoint // nil: no agent ever explored
}

// RollbackError says that a rollback ended half way, for lack of memory on the device. What the
// world is then is undefined, and so Step, Advance, Apply and Checkpoint return this error,
// until a Rollback has succeeded.
type RollbackError struct{ Cause error }

func (e *RollbackError) Error() string {
	return fmt.Sprintf("a rollback ended half way: %v; free memory on the device and roll back again, or close the world", e.Cause)
}

// Unwrap returns the cause.
func (e *RollbackError) Unwrap() error { return e.Cause }

// Checkpoint returns the state of the world as it is now, edits included that take effect with the
// next tick. It waits for pending maps, which changes nothing of what agents do, and reads nothing
// back. It takes about 120 bytes of device memory an agent, 34 more where agents are sorted for
// their neighbors, and the potentials of local maps and of explorers' maps (see Bytes). Maps of
// goals take none: Rollback makes those anew that have changed since. Free it when it is not needed
// any more.
//
// What the host has set about the device alone, such as Crowd.SetLaunch, is no state. The error is
// a *gpu.CapacityError, or one of Step.
func (w *World) Checkpoint() (c *Checkpoint, err error) {
	err = w.do("Checkpoint", func() error {
		if c, err = w.checkpoint(); err == nil && w.journal != nil {
			w.journal.checkpoints++
			c.number = w.journal.checkpoints
			w.journal.put(journalEntry{Kind: entryCheckpoint, Tick: w.ticks, Number: c.number})
		}
		return err
	})
	return c, err
}

func (w *World) checkpoint() (*Checkpoint, error) {
	if w.torn != nil {
		return nil, w.torn
	}
	if err := w.finishMaps(); err != nil {
		return nil, err
	}
	c := &Checkpoint{
		world: w, archive: gpu.NewArchive(w.device),
		ticks: w.ticks, owed: w.owed, moving: w.moving, walked: w.walked,
		goalIDs: w.goalIDs.clone(), obstacles: w.obstacles.clone(), population: w.population.clone(), areas: w.areaSet.clone(), revision: w.revision, events: slices.Clone(w.events.all),
		terrain: w.terrain.clone(), goals: slices.Clone(w.goals), scene: w.scene, doc: w.doc, extent: w.maps.Extent, shown: w.maps.Contents(),
	}
	if w.next != nil {
		c.next = &w.next.spec
	}
	var err error
	if c.crowd, err = w.crowd.Checkpoint(c.archive); err == nil {
		c.local, err = w.local.checkpoint(c.archive)
	}
	if err != nil {
		c.archive.Delete()
		return nil, err
	}
	return c, nil
}

// Bytes is the memory that the checkpoint takes on the device; none once it was freed.
func (c *Checkpoint) Bytes() int64 {
	c.world.mu.Lock()
	defer c.world.mu.Unlock()
	if c.archive == nil {
		return 0
	}
	return c.archive.Bytes()
}

// Ticks is World.Ticks at the checkpoint.
func (c *Checkpoint) Ticks() uint64 { return c.ticks }

// Free frees what the checkpoint has on the device. Freeing twice, or none, does nothing. Closing
// the world does not free its checkpoints. It may be called from any goroutine; without the context
// of the device it frees when that is used next.
func (c *Checkpoint) Free() {
	if c == nil {
		return
	}
	_ = c.world.thread.run(func() error { // once the thread has ended, so has the memory
		c.world.mu.Lock()
		defer c.world.mu.Unlock()
		if c.archive != nil && c.number != 0 {
			c.world.journal.put(journalEntry{Kind: entryFree, Tick: c.world.ticks, Number: c.number})
		}
		c.archive.Delete()
		c.archive = nil
		return nil
	})
}

// Rollback brings the world back to what it was at a checkpoint: after it, the same edits and ticks
// come out the same, bit for bit, whatever happened in between. Edits that take effect with the
// next tick are those of then. Handles of obstacles that were added since are stale, until the same
// edits add them again. Maps that have changed since are made anew, and it waits for them; buffers
// that have grown stay as large.
//
// The error is a *UsageError for a checkpoint of another world, or one that was freed; or a
// *RollbackError where the device has no memory for what the world had then. Others are those of
// gpu.Device.Do, and nothing has changed.
func (w *World) Rollback(c *Checkpoint) error {
	var usage *UsageError
	err := w.do("Rollback", func() error {
		switch {
		case c == nil || c.world != w:
			usage = &UsageError{"Rollback", "the checkpoint is nil or of another world", "give it one that this world's Checkpoint has returned"}
		case c.archive == nil:
			usage = &UsageError{"Rollback", "the checkpoint was freed", "call Free when it is not needed any more"}
		default:
			w.torn = nil
			e := journalEntry{Kind: entryRollback, Tick: w.ticks, Number: c.number}
			if err := w.rollback(c); err != nil {
				w.torn = &RollbackError{err}
				return w.torn
			}
			w.journal.put(e)
		}
		return nil
	})
	if usage != nil {
		return usage
	}
	return err
}

func (w *World) rollback(c *Checkpoint) error {
	w.building = nil
	if err := w.rollbackMaps(c); err != nil {
		return err
	}
	w.latest.drop() // it is of what does not happen now
	w.terrain, w.goals, w.scene, w.doc = c.terrain.clone(), slices.Clone(c.goals), c.scene, c.doc
	w.goalIDs, w.obstacles, w.population, w.revision = c.goalIDs.clone(), c.obstacles.clone(), c.population.clone(), c.revision
	w.events.all = append(w.events.all[:0], c.events...)
	w.areaSet = c.areas.clone()
	w.watch.ids = slices.DeleteFunc(w.watch.ids, func(id AgentID) bool { _, err := w.agentIDs.slot(id); return err != nil })
	w.ticks, w.owed, w.moving, w.walked = c.ticks, c.owed, c.moving, c.walked
	if err := w.crowd.Rollback(c.crowd, c.archive, w.guide()); err != nil {
		return err
	}
	return w.rollbackLocal(&c.local, c.archive)
}

// rollbackMaps brings the maps back, with the layers and the texels that they had.
func (w *World) rollbackMaps(c *Checkpoint) (err error) {
	w.next.delete()
	if w.next = nil; c.next != nil {
		if w.next, err = w.newNextMaps(*c.next); err != nil {
			return err
		}
	}
	to := w.maps
	if c.shown.Layers() != to.Layers || c.extent != to.Extent || c.shown.Lattice() != to.Contents().Lattice() {
		if to, err = w.builder.NewMap(c.shown.Spec(c.extent)); err != nil {
			return err
		}
	}
	if err := w.builder.Restore(to, c.shown); err != nil {
		if to != w.maps {
			to.Delete()
		}
		return err
	}
	w.replaceMaps(to)
	return nil
}

// clone returns a copy. Grounds and what obstacles are made of never change, and are shared.
func (t *terrain) clone() *terrain {
	copied := *t
	copied.slots, copied.passages, copied.grounds = slices.Clone(t.slots), slices.Clone(t.passages), slices.Clone(t.grounds)
	copied.plans = make([]*geom.Builder, len(t.plans))
	for i, plan := range t.plans {
		copied.plans[i] = plan.Clone()
	}
	return &copied
}

func (l *localMaps) checkpoint(a *gpu.Archive) (s localState, err error) {
	x := &l.explorers
	s = localState{used: l.used, roster: x.clone(), cells: x.cells, ends: x.ends}
	if l.maps != nil {
		s.maps, err = l.maps.Checkpoint(a)
	}
	if x.teams != nil && err == nil {
		s.teams, err = x.teams.Checkpoint(a)
	}
	return s, err
}

// clone returns a copy.
func (r roster) clone() roster {
	r.named, r.members = maps.Clone(r.named), slices.Clone(r.members)
	return r
}

// rollbackLocal brings local maps, harmonic maps and explorers back, after goals and the crowd.
func (w *World) rollbackLocal(s *localState, a *gpu.Archive) error {
	l := w.local
	l.used = s.used
	if s.maps == nil {
		l.close()
		l.maps, l.harmonic.cells, l.explorers = nil, 0, explorers{}
		return nil
	}
	if err := w.rollbackExplorers(s, a); err != nil {
		return err
	}
	err := w.prepareLocalMaps()
	if err == nil && l.maps == nil { // no profile has one any more
		err = l.equip(&w.population)
	}
	if err != nil {
		return err
	}
	all := make([]int, len(w.goals))
	for i := range all {
		all[i] = i
	}
	if err := w.solveHarmonicMaps(all...); err != nil {
		return err
	}
	return l.maps.Rollback(s.maps, a)
}

func (w *World) rollbackExplorers(s *localState, a *gpu.Archive) error {
	x := &w.local.explorers
	if x.teams != nil && (s.teams == nil || x.cells != s.cells || x.teams.Grid().Lattice != w.ground().Lattice) {
		x.close()
		*x = explorers{}
	}
	if s.teams == nil {
		return nil
	}
	if x.teams == nil {
		opened := explorers{roster: s.roster.clone(), cells: s.cells}
		if err := opened.open(w); err != nil {
			opened.close()
			return err
		}
		*x = opened
	}
	x.roster, x.ends = s.roster.clone(), s.ends
	if err := x.setMembers(x.members); err != nil {
		return err
	}
	if err := x.update(w); err != nil {
		return err
	}
	return x.teams.Rollback(s.teams, a)
}
