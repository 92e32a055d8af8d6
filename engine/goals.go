package engine

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// GoalError says that a goal cannot be as asked, and why.
type GoalError struct {
	ID    string
	Cause error // *spm.SourceError
}

func (e *GoalError) Error() string { return fmt.Sprintf("engine: goal %q: %v", e.ID, e.Cause) }

// Unwrap returns the cause.
func (e *GoalError) Unwrap() error { return e.Cause }

// AddGoal adds a goal with a map of its own. Its sources are as of SetSources; without an arrival
// radius it has that of scenes, and without an id one by its slot. The tick that it takes effect in
// makes the maps of all goals anew, and waits for them: add goals together. Faults are those of
// SetSources, an id that another goal has, a radius that is not above 0, and a clearance that
// closes the domain.
func (e *Edit) AddGoal(g scenes.Goal) GoalID {
	e.mustBeOpen()
	w := e.world
	id := take(w, &w.goalIDs)
	if g.ID == "" {
		g.ID = fmt.Sprintf("goal-%d", uint32(id)+1)
	}
	if g.ArrivalRadius == 0 {
		g.ArrivalRadius = scenes.Default[scenes.Goal]().ArrivalRadius
	}
	f := EditError{Op: "AddGoal", Handle: id, ID: g.ID}
	side := w.scene.Max().Sub(w.scene.Min())
	switch {
	case e.goalNamed(g.ID):
		f.Path, f.Why = "ID", "another goal has this id; ids of goals differ"
	case !(g.Clearance >= 0 && 2*g.Clearance < min(side[0], side[1])):
		f.Path, f.Why = "Clearance", fmt.Sprintf("a clearance of %v m is not possible: it has to be at least 0, and below half the domain's shorter side, %v m", g.Clearance, min(side[0], side[1])/2)
	}
	if f.Why != "" {
		e.fault(f)
	}
	e.setGoal(f, goalState{Goal: g, itinerary: -1}, spm.Goal{Points: g.Points, Segments: g.Segments}, g.ArrivalRadius)
	return id
}

// SetSources replaces the sources of a goal, its points and segments, world meters. Agents on their
// way to it turn to the new ones. Without sources the goal is out of reach everywhere. Sources have
// to lie in the domain, segments to have a length: else the fault is an *spm.SourceError. One that
// obstacles cover is no fault: no path leads to it until they are gone (see World.BlockedSources
// and Report.Unreachable).
func (e *Edit) SetSources(goal GoalID, sources spm.Goal) {
	if state, ok := e.goal("SetSources", goal); ok {
		e.setGoal(EditError{Op: "SetSources", Handle: goal, ID: state.ID}, state, sources, state.ArrivalRadius)
	}
}

// SetGoal replaces the sources of a goal, as SetSources does, and the distance at which agents
// arrive at it, in meters, above 0.
func (e *Edit) SetGoal(goal GoalID, sources spm.Goal, arrivalRadius float64) {
	if state, ok := e.goal("SetGoal", goal); ok {
		e.setGoal(EditError{Op: "SetGoal", Handle: goal, ID: state.ID}, state, sources, arrivalRadius)
	}
}

// goalNamed reports whether some goal has an id.
func (e *Edit) goalNamed(id string) bool {
	named := func(g goalState) bool { return g.ID == id }
	for _, g := range e.goals {
		if named(g) {
			return true
		}
	}
	return slices.ContainsFunc(e.world.goals, named)
}

// goal is a goal as the edit has it so far, unless it is broken or none.
func (e *Edit) goal(op string, goal GoalID) (goalState, bool) {
	e.mustBeOpen()
	if e.broken[goal] {
		return goalState{}, false
	}
	slot, err := e.world.goalIDs.slot(goal)
	if err != nil {
		e.fault(EditError{Op: op, Handle: goal, Cause: err})
		return goalState{}, false
	}
	state, ok := e.goals[slot]
	if !ok {
		state = e.world.goals[slot]
	}
	return state, true
}

// setGoal has the edit change a goal, or notes what is wrong with its sources and its radius.
func (e *Edit) setGoal(f EditError, state goalState, sources spm.Goal, arrivalRadius float64) {
	slot := int(uint32(f.Handle.(GoalID)))
	for _, err := range checkSources(e.world.scene.Domain, sources) {
		one := f
		one.Cause, one.At = err, []mgl64.Vec2{err.Point}
		if one.Path = fmt.Sprintf("Points[%d]", err.Index); err.Index >= len(sources.Points) {
			one.Path = fmt.Sprintf("Segments[%d]", err.Index-len(sources.Points))
		}
		e.fault(one)
	}
	if !(arrivalRadius > 0 && arrivalRadius <= math.MaxFloat32) {
		one := f
		one.Path, one.Why = "ArrivalRadius", fmt.Sprintf("agents cannot arrive at a distance of %v m: it has to be above 0 and finite", arrivalRadius)
		e.fault(one)
	}
	own := cloneSources(sources)
	state.stale = state.stale || !slices.Equal(state.Points, own.Points) || !slices.Equal(state.Segments, own.Segments)
	state.Points, state.Segments, state.ArrivalRadius = own.Points, own.Segments, arrivalRadius
	e.goals[slot] = state
}

// checkSources finds what is wrong with sources wherever obstacles are.
func checkSources(domain scenes.Rect, sources spm.Goal) (faults []*spm.SourceError) {
	outside := func(i int, p mgl64.Vec2) bool {
		if domain.Contains(p) { // false for NaN too
			return false
		}
		faults = append(faults, &spm.SourceError{Index: i, Point: p, Why: fmt.Sprintf("lies outside the domain %v", domain)})
		return true
	}
	for i, p := range sources.Points {
		outside(i, p)
	}
	for i, s := range sources.Segments {
		i += len(sources.Points)
		if !outside(i, s[0]) && !outside(i, s[1]) && s[0] == s[1] {
			faults = append(faults, &spm.SourceError{Index: i, Point: s[0], Why: "is a segment without length"})
		}
	}
	return faults
}

func cloneSources(s spm.Goal) spm.Goal {
	return spm.Goal{Points: slices.Clone(s.Points), Segments: slices.Clone(s.Segments)}
}

// edited are the goals as the edit has them, by slot.
func (e *Edit) editedGoals() []goalState {
	all := slices.Clone(e.world.goals)
	for slot := len(all); slot < len(e.world.goalIDs.slots); slot++ {
		all = append(all, goalState{})
	}
	for slot, g := range e.goals {
		all[slot] = g
	}
	return all
}
