package engine

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
)

// Mind is why an agent moved as it did in a tick. Places in Reasons are in meters from the lower
// left corner of the domain.
type Mind struct {
	Tick      uint64 // as World.Ticks counts them after it: three ticks ago
	Agent     AgentID
	Because   Cause
	Goal      GoalID     // that it is led to in the tick; 0 for an own point
	Corner    mgl64.Vec2 // the next one on its path, world meters; where Reasons.Routed
	Neighbors []AgentID  // of the tick, of Reasons.Neighbors in the same order; one may be stale by now
	Reasons   agents.Reasons
}

// Cause is the main reason of a motion.
type Cause uint8

// The causes, the first that holds.
const (
	Gone           Cause = iota // it has left or was removed
	NotEntered                  // it is due later
	EntryOccupied               // others occupy the place where it enters
	AtGoal                      // it has arrived, and stands
	MovedByHost                 // the host places it
	IsPaused                    // it is paused, or prefers no speed
	WithoutRoute                // no path leads on
	LeavesWall                  // it is inside the clearance of its goal's map, on its way out
	Explores                    // it goes where its team knows nothing
	IsServed                    // its goal serves it where it stands, or it is in the line before that
	BlockedByAgent              // others leave it less than a tenth of its preferred velocity
	BlockedByWall               // walls do
	EvadesAgents                // it turns or slows for others
	EvadesWalls                 // it turns or slows for walls, or slides along them
	FollowsMap                  // its local map leads it
	WalksFreely                 // nothing keeps it from its path
)

var causes = [...]string{
	"has left", "waits until it is due", "waits, as others occupy its place to enter", "stands at its goal",
	"is moved by the host", "is paused", "sees no path to its goal", "leaves the clearance of a wall", "explores", "is served, or stands in line",
	"is blocked by agents", "is blocked by walls", "evades agents", "evades walls", "follows its local map", "walks freely",
}

// String returns a predicate, such as "walks freely".
func (c Cause) String() string { return causes[c] }

// String returns a sentence for a status line.
func (m *Mind) String() string {
	return fmt.Sprintf("tick %d: the agent %v, with %.2f of %.2f m/s", m.Tick, m.Because,
		mgl64.Vec2{float64(m.Reasons.Velocity[0]), float64(m.Reasons.Velocity[1])}.Len(), m.Reasons.PreferredSpeed)
}

// watch is what the world needs to know of the agents that it watches. The crowd watches slots.
type watch struct {
	ids   []AgentID
	goals [eventLatency + 1][]GoalID // of the last ticks, by the tick and by layer; 0: none
}

// nameGoals notes which goals have the layers of the tick.
func (w *World) nameGoals() {
	if len(w.watch.ids) == 0 {
		return
	}
	goals := &w.watch.goals[w.ticks%uint64(len(w.watch.goals))]
	*goals = (*goals)[:0]
	for layer, s := range w.goalIDs.slots {
		id := GoalID(0)
		if s.used {
			id = w.goalIDs.at(layer)
		}
		*goals = append(*goals, id)
	}
}

// goalOf is the goal of a layer in one of the last ticks.
func (w *World) goalOf(tick uint64, layer uint32) GoalID {
	goals := w.watch.goals[tick%uint64(len(w.watch.goals))]
	if layer == agents.OwnPoint || int(layer) >= len(goals) {
		return 0
	}
	return goals[layer]
}

// Watch has the coming ticks record the minds of agents, instead of those watched before; of none:
// of none. It changes nothing of what agents do, and costs nothing where none is watched. An agent
// that is removed or leaves is Gone until another one gets its slot, which is not watched. Agents
// stay watched across rollbacks to when they were there. The error is a *HandleError, a *UsageError
// for more than agents.MaxWatched agents or one that the next tick adds, one of agents.Crowd.Watch,
// or one of gpu.Device.Do; all is then as it was.
func (w *World) Watch(ids ...AgentID) error {
	var usage error
	err := w.do("Watch", func() error {
		slots := make([]int, len(ids))
		for i, id := range ids {
			slot, err := w.agentIDs.slot(id)
			if i, ok := w.recordOf[uint32(slot)]; err == nil && ok && w.pending[i].Fields == agents.ChangeNew {
				err = &UsageError{"Watch", fmt.Sprintf("the agent %#x is added with the next tick", uint64(id)), "watch it after that tick"}
			}
			if err != nil {
				usage = err
				return nil
			}
			slots[i] = slot
		}
		if len(ids) > agents.MaxWatched {
			usage = &UsageError{"Watch", fmt.Sprintf("%d agents are too many", len(ids)), fmt.Sprintf("watch at most %d at once", agents.MaxWatched)}
			return nil
		}
		if err := w.crowd.Watch(slots); err != nil {
			return err
		}
		w.watch.ids = slices.Clone(ids)
		return nil
	})
	if usage != nil {
		return usage
	}
	return err
}

// Mind returns why a watched agent moved as it did three ticks ago, without waiting. It is false
// until reasons have arrived, which begin anew with Watch, with Rollback and with edits after which
// records have room for more neighbors or another method, and for agents that are not watched. Of a
// watched agent that is not there any more the handle is good here until another one gets its slot.
// The error is a *HandleError or ErrClosed.
func (w *World) Mind(id AgentID) (m Mind, ok bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended != nil {
		return m, false, w.ended
	}
	slot, err := w.agentIDs.slot(id)
	watched := slices.Contains(w.watch.ids, id)
	if watched && err != nil && w.agentIDs.last(int(uint32(id))) == id {
		slot, err = int(uint32(id)), nil
	}
	if err != nil {
		return m, false, err
	}
	r, ok := w.crowd.Reasons(slot)
	if ok = ok && watched; !ok {
		return m, false, nil
	}
	origin := w.walked.Lattice.Origin
	m = Mind{Tick: uint64(r.Step), Agent: id, Because: because(&r), Corner: origin.Add(vec(r.Corner)), Reasons: r}
	m.Goal = w.goalOf(m.Tick, r.Layer)
	for _, n := range r.Neighbors { // none of which has given its slot to another since: see recycled
		m.Neighbors = append(m.Neighbors, w.agentIDs.last(n.Slot))
	}
	return m, true, nil
}

func vec(v [2]float32) mgl64.Vec2 { return mgl64.Vec2{float64(v[0]), float64(v[1])} }

// because is the cause of a motion.
func because(r *agents.Reasons) Cause {
	switch {
	case r.Status == agents.Left:
		return Gone
	case r.Status == agents.Waiting && r.Lost > 0:
		return EntryOccupied
	case r.Status == agents.Waiting:
		return NotEntered
	case r.Status == agents.Arrived:
		return AtGoal
	case r.Status == agents.Placed:
		return MovedByHost
	case r.PreferredSpeed == 0:
		return IsPaused
	case r.Target == agents.WayOut:
		return LeavesWall
	case r.Target == agents.Elsewhere:
		return Explores
	case r.Target == agents.InService:
		return IsServed
	case !r.Routed:
		return WithoutRoute
	}
	return yields(r)
}

// yields is the cause of the motion of an agent that knows its way.
func yields(r *agents.Reasons) Cause {
	byAgent, byWall := binding(r)
	preferred, left := vec(r.Preferred), vec(r.Chosen)
	if r.Outcome == agents.NoOutcome {
		left = vec(r.Velocity)
	}
	blocked := left.Dot(preferred) < 0.1*preferred.LenSqr()
	switch {
	case byAgent && blocked:
		return BlockedByAgent
	case byWall && blocked:
		return BlockedByWall
	case byAgent:
		return EvadesAgents
	case byWall:
		return EvadesWalls
	case r.Local.Walker >= 0:
		return FollowsMap
	}
	return WalksFreely
}

// binding reports whether agents and walls keep an agent from the velocity that its method aims at:
// those that the chosen velocity yields to, or, of samples, what that one would meet; without a
// method the walls that its motion was cut at.
func binding(r *agents.Reasons) (byAgent, byWall bool) {
	switch r.Outcome {
	case agents.NoOutcome:
		return false, r.Velocity != r.Chosen
	case agents.Cheapest:
		kept := r.Best > 0 && len(r.Candidates) > 0
		return kept && r.Candidates[0].State == agents.MeetsAgent, kept && r.Candidates[0].State == agents.MeetsWall
	}
	cuts := func(c agents.Constraint) bool { return c.Cuts(r.Desired) }
	if !slices.ContainsFunc(r.Constraints, cuts) {
		return false, false
	}
	for i := range r.Constraints {
		if c := &r.Constraints[i]; c.Binds(r.Chosen) || c.Cuts(r.Chosen) {
			byAgent, byWall = byAgent || !c.OfWall(), byWall || c.OfWall()
		}
	}
	return byAgent, byWall
}
