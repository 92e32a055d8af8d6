package engine

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/spm"
)

// Goal is a handle of one of a world's goals. The zero Goal is none.
type Goal struct {
	index      uint32
	generation uint32
}

// HandleError says that a handle does not belong to the world that it was given to.
type HandleError struct {
	Kind string // "goal"
}

func (e *HandleError) Error() string {
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

// Edit is a set of changes that is taken as a whole or not at all.
type Edit struct {
	world   *World
	sources map[uint32][]mgl64.Vec2 // by goal, the new ones
	err     error
}

// SetSources replaces the sources of a goal, world metres. Agents on their way to it turn to the new ones. Without
// sources the goal is out of reach everywhere.
func (e *Edit) SetSources(goal Goal, points ...mgl64.Vec2) {
	if e.err != nil {
		return
	}
	state, err := e.world.goal(goal)
	if err != nil {
		e.err = err
		return
	}
	if _, err := spm.SourceRoom(e.world.ground, spm.Goal{Points: points}); err != nil {
		e.err = &GoalError{ID: state.id, Cause: err}
		return
	}
	e.sources[goal.index] = append([]mgl64.Vec2(nil), points...)
}

// Edit collects changes and, if all of them are possible and change returns nil, has them take effect at the next tick.
// Otherwise nothing changes and the first error is returned: *HandleError, *GoalError, or what change returned.
func (w *World) Edit(change func(*Edit) error) error {
	e := &Edit{world: w, sources: map[uint32][]mgl64.Vec2{}}
	err := change(e)
	if e.err != nil {
		return e.err
	}
	if err != nil {
		return err
	}
	for index, sources := range e.sources {
		w.goals[index].sources = sources
		w.goals[index].stale = true
	}
	return nil
}
