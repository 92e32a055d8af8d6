package engine

import (
	"fmt"
	"maps"
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
// radius it has that of scenes, and without an id one by its place. The tick that it takes effect
// in makes the maps of all goals anew, and waits for them: add goals together. Faults are those of
// SetSources, an id that another goal has, a radius that is not above 0, and a clearance that
// closes the domain.
func (e *Edit) AddGoal(g scenes.Goal) GoalID {
	e.begin("AddGoal", g)
	w := e.world
	id := take(w, &w.goalIDs)
	if g.ID == "" {
		g.ID = unnamed("goal", e.doc.goals, func(slot int) string { return e.goalAt(slot).ID })
	}
	if g.ArrivalRadius == 0 {
		g.ArrivalRadius = scenes.Default[scenes.Goal]().ArrivalRadius
	}
	e.doc.goals = append(slices.Clip(e.doc.goals), uint32(id))
	e.setGoal("AddGoal", id, e.newGoal(int(uint32(id))), g)
	return id
}

// newGoal is a goal that is given a slot.
func (e *Edit) newGoal(slot int) goalState {
	state := goalState{itinerary: -1}
	if slot < len(e.world.goals) { // the map of the goal that had the slot is there
		state = e.world.goals[slot]
		state.gone, state.stale = false, true
	}
	return state
}

// unnamed is the id of the next thing of a kind that is given none, by its place, as the reader of
// scenes gives it, or the next one that none has.
func unnamed(kind string, slots []uint32, idOf func(slot int) string) string {
	taken := map[string]bool{}
	for _, slot := range slots {
		taken[idOf(int(slot))] = true
	}
	for n := len(slots) + 1; ; n++ {
		if id := fmt.Sprintf("%s-%d", kind, n); !taken[id] {
			return id
		}
	}
}

// SetSources replaces the sources of a goal, its points and segments, world meters. Agents on their
// way to it turn to the new ones. Without sources the goal is out of reach everywhere. Sources have
// to lie in the domain, segments to have a length: else the fault is an *spm.SourceError. One that
// obstacles cover is no fault: no path leads to it until they are gone (see World.BlockedSources
// and Report.Unreachable).
func (e *Edit) SetSources(goal GoalID, sources spm.Goal) {
	e.begin("SetSources", goal, sources)
	if state, ok := e.goal("SetSources", goal); ok {
		to := state.Goal
		to.Points, to.Segments = sources.Points, sources.Segments
		e.setGoal("SetSources", goal, state, to)
	}
}

// SetGoal replaces a goal: its sources, as SetSources does, the distance at which agents arrive at
// it, its clearance, and its id. Without an id it has the one that it had. Faults are those of
// AddGoal.
func (e *Edit) SetGoal(goal GoalID, g scenes.Goal) {
	e.begin("SetGoal", goal, g)
	if state, ok := e.goal("SetGoal", goal); ok {
		if g.ID == "" {
			g.ID = state.ID
		}
		e.setGoal("SetGoal", goal, state, g)
	}
}

// RemoveGoal removes a goal, with its map. Its handle is stale from then on. Agents that walk to
// it, and itineraries of groups that name it, are a fault with a *UseError: send agents elsewhere
// in the same edit; groups change by Sync. So is the last goal.
func (e *Edit) RemoveGoal(goal GoalID) {
	e.begin("RemoveGoal", goal)
	if state, ok := e.goal("RemoveGoal", goal); ok {
		slot := int(uint32(goal))
		state.Goal, state.gone, state.stale = scenes.Goal{}, true, true
		e.goals[slot] = state
		e.doc.goals = without(e.doc.goals, uint32(slot))
	}
}

// goalAt is the goal of a slot as the edit has it so far.
func (e *Edit) goalAt(slot int) goalState {
	if g, ok := e.goals[slot]; ok || slot >= len(e.world.goals) {
		return g
	}
	return e.world.goals[slot]
}

// goal is a goal as the edit has it so far, unless it is broken or none.
func (e *Edit) goal(op string, goal GoalID) (goalState, bool) {
	if e.broken[goal] {
		return goalState{}, false
	}
	slot, err := e.world.goalIDs.slot(goal)
	state := e.goalAt(slot)
	if err == nil && state.gone {
		err = &HandleError{"goal", uint64(goal), StaleHandle}
	}
	if err != nil {
		e.fault(EditError{Op: op, Handle: goal, Cause: err})
	}
	return state, err == nil
}

// setGoal has the edit change a goal, or notes what is wrong with it.
func (e *Edit) setGoal(op string, id GoalID, state goalState, to scenes.Goal) {
	slot, f := int(uint32(id)), EditError{Op: op, Handle: id, ID: to.ID}
	for _, other := range e.doc.goals {
		if int(other) != slot && e.goalAt(int(other)).ID == to.ID {
			f.Path, f.Why = "ID", "another goal has this id; ids of goals differ"
			e.fault(f)
		}
	}
	side := e.scene.Max().Sub(e.scene.Min())
	if !(to.Clearance >= 0 && 2*to.Clearance < min(side[0], side[1])) {
		f.Path, f.Why = "Clearance", fmt.Sprintf("a clearance of %v m is not possible: it has to be at least 0, and below half the domain's shorter side, %v m", to.Clearance, min(side[0], side[1])/2)
		e.fault(f)
	}
	if !(to.ArrivalRadius > 0 && to.ArrivalRadius <= math.MaxFloat32) {
		f.Path, f.Why = "ArrivalRadius", fmt.Sprintf("agents cannot arrive at a distance of %v m: it has to be above 0 and finite", to.ArrivalRadius)
		e.fault(f)
	}
	for _, err := range checkSources(e.scene.Domain, to) {
		one := EditError{Op: op, Handle: id, ID: to.ID, Cause: err, At: []mgl64.Vec2{err.Point}}
		if one.Path = fmt.Sprintf("Points[%d]", err.Index); err.Index >= len(to.Points) {
			one.Path = fmt.Sprintf("Segments[%d]", err.Index-len(to.Points))
		}
		e.fault(one)
	}
	e.putGoal(slot, state, to)
}

// putGoal has the edit change a goal.
func (e *Edit) putGoal(slot int, state goalState, to scenes.Goal) {
	state.stale = state.stale || !slices.Equal(state.Points, to.Points) || !slices.Equal(state.Segments, to.Segments)
	state.Goal = to
	state.Points, state.Segments = slices.Clone(to.Points), slices.Clone(to.Segments)
	e.goals[slot] = state
}

// checkSources finds what is wrong with sources wherever obstacles are.
func checkSources(domain scenes.Rect, sources scenes.Goal) (faults []*spm.SourceError) {
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
	for _, slot := range slices.Sorted(maps.Keys(e.goals)) {
		if slot == len(all) {
			all = append(all, goalState{})
		}
		all[slot] = e.goals[slot]
	}
	return all
}
