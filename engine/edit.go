package engine

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// Goal is a handle of one of a world's goals. The zero Goal is none.
type Goal struct {
	index      uint32
	generation uint32
}

// Obstacle is a handle of one of a world's obstacles: of one that moves or opens, too, wherever it
// is. It goes stale when the obstacle is removed, and no other ever gets the same. The zero
// Obstacle is none.
type Obstacle struct {
	slot       uint32
	serial     uint32
	generation uint32
}

// HandleError says that a handle does not belong to the world that it was given to, or not any
// more.
type HandleError struct {
	Kind string // "goal" or "obstacle"
}

func (e *HandleError) Error() string {
	if e.Kind == "obstacle" {
		return "engine: the obstacle handle is not of this world, or the obstacle was removed; take it from World.Obstacles or World.Obstacle"
	}
	return fmt.Sprintf("engine: the %s handle is not of this world; take it from World.Goals or World.Goal", e.Kind)
}

// GoalError says that a goal cannot be changed as asked, and why.
type GoalError struct {
	ID    string
	Cause error // *spm.SourceError
}

func (e *GoalError) Error() string { return fmt.Sprintf("engine: goal %q: %v", e.ID, e.Cause) }

// Unwrap returns the cause.
func (e *GoalError) Unwrap() error { return e.Cause }

// ObstacleError says that an obstacle cannot be as asked, and why.
type ObstacleError struct {
	ID    string // empty: it has none
	Cause error  // *polygon.Error or *OutsideError
}

func (e *ObstacleError) Error() string {
	if e.ID == "" {
		return fmt.Sprintf("engine: the obstacle: %v", e.Cause)
	}
	return fmt.Sprintf("engine: obstacle %q: %v", e.ID, e.Cause)
}

// Unwrap returns the cause.
func (e *ObstacleError) Unwrap() error { return e.Cause }

// OutsideError says that a vertex or a source lies outside the domain.
type OutsideError = scenes.OutsideError

// Door says whether an obstacle is there.
type Door uint8

// The ways of Door.
const (
	DoorTimed Door = iota // as its timetable says; without one it is there
	DoorOpen              // it is not there
	DoorShut              // it is there
)

// Edit is a set of changes that is taken as a whole or not at all.
type Edit struct {
	world     *World
	obstacles map[uint32]obstacle // by slot, as they shall be
	slots     int                 // how many there are then
	sources   map[uint32]spm.Goal // by goal, the new ones
	err       error
	over      bool // Edit has returned
}

// going reports whether nothing has gone wrong so far. It panics once Edit has returned.
func (e *Edit) going() bool {
	if e.over {
		panic(&UsageError{"Edit", "a change after the edit is over", "make changes inside the function given to Edit"})
	}
	return e.err == nil
}

// SetSources replaces the sources of a goal, its points and segments, world metres. Agents on their
// way to it turn to the new ones. Without sources the goal is out of reach everywhere. Sources have
// to lie in the domain, segments to have a length. One that obstacles bury is no error: it sleeps
// until they are gone (see World.Asleep).
func (e *Edit) SetSources(goal Goal, sources spm.Goal) {
	if !e.going() {
		return
	}
	state, err := e.world.goal(goal)
	if err != nil {
		e.err = err
		return
	}
	if err := checkSources(e.world.scene.Domain, sources); err != nil {
		e.err = &GoalError{ID: state.ID, Cause: err}
		return
	}
	e.sources[goal.index] = cloneSources(sources)
}

// checkSources finds what is wrong with sources wherever obstacles are.
func checkSources(domain scenes.Rect, sources spm.Goal) error {
	outside := func(i int, p mgl64.Vec2) error {
		return &spm.SourceError{Index: i, Point: p, Why: fmt.Sprintf("lies outside the domain %v", domain)}
	}
	for i, p := range sources.Points {
		if !domain.Contains(p) { // false for NaN too
			return outside(i, p)
		}
	}
	for i, s := range sources.Segments {
		for _, p := range s {
			if !domain.Contains(p) {
				return outside(len(sources.Points)+i, p)
			}
		}
		if s[0] == s[1] {
			return &spm.SourceError{Index: len(sources.Points) + i, Point: s[0], Why: "is a segment without length"}
		}
	}
	return nil
}

func cloneSources(s spm.Goal) spm.Goal {
	return spm.Goal{Points: slices.Clone(s.Points), Segments: slices.Clone(s.Segments)}
}

// AddObstacle adds an obstacle, world metres. The polygon is checked as the reader of scenes does:
// a simple polygon inside the domain, equal neighbours are merged. The handle is good for the rest
// of the edit, and after it if it succeeds.
func (e *Edit) AddObstacle(p geom.Polygon) Obstacle {
	p = e.checked("", p)
	if e.err != nil {
		return Obstacle{}
	}
	slot := uint32(e.slots)
	for i := range uint32(e.slots) {
		if e.at(i).serial == 0 {
			slot = i
			break
		}
	}
	e.slots = max(e.slots, int(slot)+1)
	serial := e.world.terrain.next()
	e.obstacles[slot] = obstacle{serial: serial, shape: outlined(scenes.Obstacle{}, p)}
	return Obstacle{slot, serial, e.world.generation}
}

// MoveObstacle moves an obstacle by an offset in metres. What moves by itself goes on with its
// motion from there.
func (e *Edit) MoveObstacle(o Obstacle, by mgl64.Vec2) {
	e.change(o, func(state *obstacle) {
		p := e.checked(state.shape.ID, scenes.Shift(by).Polygon(state.shape.Polygon()))
		state.shape = outlined(state.shape, p)
	})
}

// SetObstacle gives an obstacle another shape, as of AddObstacle. Its id, timetable and motion
// stay.
func (e *Edit) SetObstacle(o Obstacle, p geom.Polygon) {
	e.change(o, func(state *obstacle) {
		state.shape = outlined(state.shape, e.checked(state.shape.ID, p))
	})
}

// RemoveObstacle takes an obstacle away for good. Its handle is stale from then on.
func (e *Edit) RemoveObstacle(o Obstacle) {
	e.change(o, func(state *obstacle) { *state = obstacle{} })
}

// SetDoor takes an obstacle away or puts it back by hand, whatever its timetable says, or leaves it
// to that again.
func (e *Edit) SetDoor(o Obstacle, d Door) {
	if d > DoorShut {
		panic(fmt.Sprintf("engine: there is no Door %d", d))
	}
	e.change(o, func(state *obstacle) { state.door = d })
}

// at is the obstacle of a slot as the edit has it so far.
func (e *Edit) at(slot uint32) obstacle {
	if o, ok := e.obstacles[slot]; ok {
		return o
	}
	return e.world.terrain.slots[slot].obstacle
}

// change changes an obstacle.
func (e *Edit) change(o Obstacle, to func(*obstacle)) {
	if !e.going() {
		return
	}
	if o.generation != e.world.generation || int(o.slot) >= e.slots || o.serial == 0 || e.at(o.slot).serial != o.serial {
		e.err = &HandleError{Kind: "obstacle"}
		return
	}
	state := e.at(o.slot)
	if to(&state); e.err == nil {
		e.obstacles[o.slot] = state
	}
}

// checked returns a copy of a polygon, with equal neighbours merged, or sets the edit's error.
func (e *Edit) checked(id string, p geom.Polygon) geom.Polygon {
	if !e.going() {
		return p
	}
	if err := p.Check(); err != nil {
		e.err = &ObstacleError{ID: id, Cause: err}
		return p
	}
	for _, ring := range append([]geom.Ring{p.Outer}, p.Holes...) {
		for _, v := range ring {
			if !e.world.scene.Domain.Contains(v) {
				e.err = &ObstacleError{ID: id, Cause: &OutsideError{What: "the vertex", Point: v, Domain: e.world.scene.Domain}}
				return p
			}
		}
	}
	p, _ = p.Merged()
	return p
}

// Edit collects changes and, if all of them are possible and change returns nil, has them take
// effect at the next tick: walls with it, maps a tick later. Otherwise nothing changes and the
// first error is returned: *HandleError, *GoalError, *ObstacleError, *geom.LimitError of obstacles
// that are too intricate together, or what change returned. Edits wait for nothing and need no
// context. One of obstacles makes the ground that it leaves, which the tick then uses. Inside of
// change the world answers questions; Edit, Step, Advance, Poll, Apply, SetLocalMap and Close
// return a *UsageError there, and so does Edit of no function.
func (w *World) Edit(change func(*Edit) error) error {
	if change == nil {
		return &UsageError{"Edit", "there is no function that makes changes", "give it one"}
	}
	if err := w.lend("Edit"); err != nil {
		return err
	}
	defer w.free()
	e := &Edit{world: w, obstacles: map[uint32]obstacle{}, slots: len(w.terrain.slots), sources: map[uint32]spm.Goal{}}
	defer func() { e.over = true }()
	err := change(e)
	if e.err != nil {
		return e.err
	}
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(e.obstacles) > 0 {
		if err := w.terrain.put(e.obstacles, e.slots); err != nil {
			return fmt.Errorf("engine: %w", err)
		}
	}
	for i, sources := range e.sources {
		g := &w.goals[i]
		g.Points, g.Segments, g.stale = sources.Points, sources.Segments, true
	}
	return nil
}
