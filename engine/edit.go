package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
)

// Edit is a set of changes that is taken as a whole or not at all. Each change is checked when it
// is made, what depends on several of them at the end. A change that is refused returns as others
// do, with a handle that is good for the rest of the edit, and what follows is checked, too:
// World.Edit returns all faults together. All methods panic with a *UsageError once World.Edit has
// returned.
type Edit struct {
	world      *World
	obstacles  map[uint32]obstacle // by slot, as they shall be
	goals      map[int]goalState   // by slot, as they shall be
	next       *nextMaps           // where the edit adds goals
	profiles   map[int]Profile     // by slot, as they shall be
	doc        authored            // as it shall be
	scene      *scenes.Scene       // as it shall be
	agents     map[uint32]*agentEdit
	batches    [][]AgentID           // that AddAgents adds, call by call
	recruits   []recruit             // that Sync adds to groups
	placed     map[uint32]mgl64.Vec2 // where Place puts agents
	entering   []newcomer
	areas      map[uint32]Area // by slot, as they shall be
	faults     EditErrors
	freshAreas uint32       // bits of those that are added
	broken     map[any]bool // handles of what a fault is about
	report     Report
	refused    error // nil: it is taken
	over       bool  // World.Edit has returned

	operations []operation // for the journal

	from geom.Lattice // of local places, before the edit; unless it has another domain, the one after
	to   geom.Lattice
}

// EditError is one fault of an edit.
type EditError struct {
	Op     string       // the method of Edit, or "Edit" for what only all changes together bring about
	Handle any          // of what was to change: an AgentID, GoalID, ObstacleID, ProfileID or AreaID; or nil
	ID     string       // its id, where it has one
	Path   string       // which part of the arguments is at fault, such as "points[1]"; "": all
	Why    string       // what is wrong
	At     []mgl64.Vec2 // where, where that is known: a vertex, a crossing, a place; world meters
	Cause  error        // *HandleError, *UseError, *OutsideError, *RoomError, *polygon.Error, *spm.SourceError, *geom.LimitError; or nil
}

func (e *EditError) Error() string {
	what := e.Op
	if e.ID != "" {
		what = fmt.Sprintf("%s of %q", what, e.ID)
	}
	if e.Path != "" {
		what += ": " + e.Path
	}
	return fmt.Sprintf("engine: %s: %s", what, e.Why)
}

// Unwrap returns the cause.
func (e *EditError) Unwrap() error { return e.Cause }

// EditErrors are all faults of an edit, in the order of its changes; those that only all changes
// together bring about come last.
type EditErrors []*EditError

func (e EditErrors) Error() string {
	lines := make([]string, len(e))
	for i, fault := range e {
		lines[i] = fault.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the faults.
func (e EditErrors) Unwrap() []error {
	all := make([]error, len(e))
	for i, fault := range e {
		all[i] = fault
	}
	return all
}

// OutsideError says that a vertex or a source lies outside the domain.
type OutsideError = scenes.OutsideError

// Report says what an edit has brought about.
type Report struct {
	Revision uint64 // of the world: how many edits it has taken, this one included
	Applies  uint64 // the tick that it takes effect in, as World.Ticks counts them after it
	// Unreachable are the goals that no path leads to from anywhere once it takes effect: they have
	// no sources, or obstacles cover all of them. Only edits of goals and obstacles look for them.
	Unreachable []GoalID
	Touched     Touched
	// Removed are agents that Edit.AddAgents has added and that Sync has taken away: of a goal or a
	// profile that the document does not have.
	Removed []AgentID
}

// Touched is how many things an edit has added, changed or removed, each counted once.
type Touched struct {
	Obstacles, Goals, Profiles, Agents int
}

// fault notes a fault. Later changes of what it is about are not looked at.
func (e *Edit) fault(f EditError) {
	if f.Why == "" {
		f.Why = withoutPackage(f.Cause)
	}
	if f.Handle != nil {
		e.broken[f.Handle] = true
	}
	e.faults = append(e.faults, &f)
}

// withoutPackage is the message of an error without the package that it begins with.
func withoutPackage(err error) string {
	text := err.Error()
	if first, rest, ok := strings.Cut(text, ": "); ok && !strings.Contains(first, " ") {
		return rest
	}
	return text
}

// mustBeOpen panics once World.Edit has returned.
func (e *Edit) mustBeOpen() {
	if e.over {
		panic(&UsageError{"Edit", "a change after the edit is over", "make changes inside the function given to Edit"})
	}
}

// Edit collects changes and, if all of them are possible and change returns nil, has them take
// effect at the next tick: walls and agents with it, maps a tick later. Otherwise nothing changes,
// and the error is an EditErrors with all faults, what change returned, or both, joined. Handles of
// what the edit added are stale then.
//
// An edit of obstacles and sources waits for nothing and needs no context; its ground is made here,
// and the tick uses it. One that adds goals or changes agents or profiles makes what they need on
// the device: it may return a *gpu.CapacityError, a *gpu.CompileError, a *spm.GroundError or an
// error of gpu.Device.Do, too, and nothing has changed then either.
//
// Inside of change the world answers questions; Edit, Step, Advance, Poll, Apply and Close return a
// *UsageError there, and so does Edit of no function.
func (w *World) Edit(change func(*Edit) error) (Report, error) {
	if change == nil {
		return Report{}, &UsageError{"Edit", "there is no function that makes changes", "give it one"}
	}
	if err := w.lend("Edit"); err != nil {
		return Report{}, err
	}
	defer w.free()
	e := &Edit{
		world: w, obstacles: map[uint32]obstacle{}, goals: map[int]goalState{}, profiles: map[int]Profile{},
		agents: map[uint32]*agentEdit{}, placed: map[uint32]mgl64.Vec2{}, areas: map[uint32]Area{}, broken: map[any]bool{},
		doc: w.doc, scene: w.scene, from: w.terrain.lattice, to: w.terrain.lattice,
	}
	w.beginEdit()
	ended := editPanicked
	defer func() {
		if e.over = true; ended != editTaken {
			w.rollBackEdit()
		}
		w.journalEdit(e, ended)
	}()
	own := change(e)
	ended = editRefused
	if e.needsDevice() {
		if err := w.run(plain, func() error { return e.commit(own) }); err != nil {
			return Report{}, err
		}
	} else if err := w.locked(func() error { return e.commit(own) }); err != nil {
		return Report{}, err
	}
	if e.refused == nil {
		ended = editTaken
	}
	return e.report, e.refused
}

// locked runs f with mu locked.
func (w *World) locked(f func() error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return f()
}

// beginEdit begins what rollBackEdit takes back.
func (w *World) beginEdit() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.recycleSlots()
	w.obstacles.begin()
	w.goalIDs.begin()
	w.profileIDs.begin()
	w.agentIDs.begin()
	w.areaIDs.begin()
}

// rollBackEdit takes back what a refused edit did to handles.
func (w *World) rollBackEdit() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.obstacles.rollBack()
	w.goalIDs.rollBack()
	w.profileIDs.rollBack()
	w.agentIDs.rollBack()
	w.areaIDs.rollBack()
}

// take gives out a handle: other goroutines may ask the world meanwhile.
func take[T ~uint64](w *World, h *handles[T]) T {
	w.mu.Lock()
	defer w.mu.Unlock()
	return h.take()
}

// commit checks what depends on all changes, and takes them if there is no fault. After an error,
// and where the edit is refused, all is as it was.
func (e *Edit) commit(own error) error {
	w := e.world
	e.checkAreas()
	e.checkNames()
	e.checkUses()
	touched := Touched{len(e.obstacles), len(e.goals), len(e.profiles), len(e.agents)}
	grounds, undo, err := e.layGrounds()
	if err != nil {
		e.faults = append(e.faults, limitFault(err))
	} else {
		e.checkPlaces(grounds.of(scenes.Walked))
		e.placeRecruits(grounds.of(scenes.Walked))
	}
	if own != nil || len(e.faults) > 0 {
		e.refused = errors.Join(own, e.all(), undo())
		return nil
	}
	scene, device := w.scene, e.needsDevice()
	w.scene = e.renamed()
	if device {
		if err := e.prepare(grounds, scene); err != nil {
			w.scene = scene
			return errors.Join(err, undo())
		}
	} else {
		w.goals = e.editedGoals()
	}
	for _, slot := range slices.Sorted(maps.Keys(e.obstacles)) {
		if !e.obstacles[slot].there {
			free(&w.obstacles, int(slot))
		}
	}
	for _, slot := range slices.Sorted(maps.Keys(e.goals)) {
		if e.goals[slot].gone {
			free(&w.goalIDs, slot)
		}
	}
	for _, slot := range slices.Sorted(maps.Keys(e.profiles)) {
		if p := e.profiles[slot]; p.gone() {
			free(&w.profileIDs, slot)
		}
	}
	w.doc = e.doc
	w.revision++
	e.report = Report{Revision: w.revision, Applies: w.ticks + 1, Unreachable: e.unreachable(grounds), Touched: touched, Removed: e.report.Removed}
	return nil
}

// free makes the handle of a slot stale, and has the slot given out again.
func free[T ~uint64](h *handles[T], slot int) {
	h.drop(slot)
	h.recycle(uint32(slot))
}

// all are the faults as an error; nil for none.
func (e *Edit) all() error {
	if len(e.faults) == 0 {
		return nil
	}
	return e.faults
}

// layGrounds has the terrain make the grounds of the edit, without what is broken, and returns how
// to take that back.
func (e *Edit) layGrounds() (grounds layout, undo func() error, err error) {
	changes := map[uint32]obstacle{}
	for slot, o := range e.obstacles {
		if !e.broken[e.world.obstacles.at(int(slot))] {
			changes[slot] = o
		}
	}
	var goals []scenes.Goal
	for slot, g := range e.goals {
		if !g.gone && !e.broken[e.world.goalIDs.at(slot)] {
			goals = append(goals, g.Goal)
		}
	}
	return e.world.terrain.put(changes, goals, e.scene)
}

// limitFault is the fault of grounds that cannot be made.
func limitFault(err error) *EditError {
	f := &EditError{Op: "Edit", Why: err.Error(), Cause: err}
	var one *ObstacleError
	if errors.As(err, &one) {
		f.ID, f.Why = one.ID, withoutPackage(one.Cause)
	}
	if limit := (*geom.LimitError)(nil); errors.As(err, &limit) {
		f.Why = withoutPackage(limit)
	}
	return f
}
