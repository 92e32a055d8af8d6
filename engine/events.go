package engine

import (
	"slices"

	"github.com/wayfront/wayfront/agents"
)

// EventKinds is a sum of kinds of events.
type EventKinds = agents.EventKinds

// What happens to an agent in a tick.
const (
	Entered   = agents.EventEntered   // it waited, and is there now
	Arrived   = agents.EventArrived   // at its goal, or at the end of its itinerary; each time, where it loops
	Left      = agents.EventLeft      // it was at the end, and is gone; what Edit.Remove removes has none
	Stuck     = agents.EventStuck     // it has stayed within its radius of a place for 10 s
	Freed     = agents.EventFreed     // it was stuck and is not any more: it walks on, stands or is gone
	NoRoute   = agents.EventNoRoute   // no path leads on from where it is
	Displaced = agents.EventDisplaced // it was put on free ground, as an obstacle covered it
	Blocked   = agents.EventBlocked   // it is due to enter and waits, as others occupy its place
	Missed    = agents.EventMissed    // an edit of it came to nothing, as it had left
	CameIn    = agents.EventCameIn    // into an area, or through a gate to its left
	WentOut   = agents.EventWentOut   // of an area, or through a gate to its right; agents that leave the world, too
	AllEvents = Entered | Arrived | Left | Stuck | Freed | NoRoute | Displaced | Blocked | Missed | CameIn | WentOut
)

// Event is what happened to an agent in a tick.
type Event struct {
	Tick  uint64     // as World.Ticks counts them after it
	Agent AgentID    // stale by now, where it has left
	Kinds EventKinds // at least one
	Tag   uint32     // of Spawn
	Area  AreaID     // that it came into or went out of; 0 for all other kinds
}

// eventLatency is how many ticks late events surface, always the same.
const eventLatency = 3

// mostEvents is how many events wait for the host at most.
const mostEvents = 1 << 18

// eventLog is the events that the host has not taken.
type eventLog struct {
	kinds EventKinds // that it asks for
	all   []Event
	lost  uint64
	of    []agents.Event // a tick
}

// Events appends to dst the events that have surfaced since the last call, in the order of ticks
// and, within one, of slots of agents, each with its areas first, and returns it. The world has
// none of them any more. An event surfaces exactly three ticks after the one that it happened in,
// whatever the device does: edits that follow from events come out the same in every run. Only
// kinds of Options.Events surface. The world keeps 262,144 events at most; of more it loses the
// oldest, and counts them: see EventsLost.
func (w *World) Events(dst []Event) []Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	dst = append(dst, w.events.all...)
	w.events.all = w.events.all[:0]
	return dst
}

// EventsLost is how many events the world has lost since New: the host has not called Events for
// too long, or more than two areas an agent were entered or left in one tick.
func (w *World) EventsLost() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.events.lost + w.crowd.LostEvents()
}

// takeEvents takes the events that surface with the tick. Handles of agents that have left are
// stale from then on.
func (w *World) takeEvents() {
	if w.unsure {
		w.findLeft()
	}
	for {
		events, tick, ok := w.crowd.TakeEvents(w.events.of)
		w.events.of = events[:0]
		if !ok {
			return
		}
		for _, e := range events {
			a := &w.population.agents[e.Slot]
			if kinds := e.Kinds & w.events.kinds; kinds != 0 {
				w.events.add(Event{Tick: uint64(tick), Agent: w.agentIDs.last(int(e.Slot)), Kinds: kinds, Tag: a.traits.Tag, Area: w.areaOf(e.Area)})
			}
			if e.Kinds&Left != 0 && a.present {
				w.retire(e.Slot)
			}
		}
	}
}

// areaOf is the handle of the area of an event; 0 for none. Others get its slot once no event of it
// can surface any more.
func (w *World) areaOf(area uint32) AreaID {
	if area == agents.NoArea {
		return 0
	}
	return w.areaIDs.last(int(area))
}

// retire makes the handle of an agent stale that is gone, or is with the next tick.
func (w *World) retire(slot uint32) {
	w.population.agents[slot].present = false
	w.agentIDs.drop(int(slot))
	w.removed = append(w.removed, removal{slot, w.ticks + 1})
}

// add adds an event, and loses the oldest half where there are too many.
func (l *eventLog) add(e Event) {
	if len(l.all) == mostEvents {
		l.all = slices.Delete(l.all, 0, mostEvents/2)
		l.lost += mostEvents / 2
	}
	l.all = append(l.all, e)
}

// reportEvents has the crowd report events, from the next tick on. The error is that of
// agents.Crowd.ReportEvents.
func (w *World) reportEvents() error {
	if w.reporting {
		return nil
	}
	if err := w.crowd.ReportEvents(true); err != nil {
		return err
	}
	w.reporting, w.unsure = true, w.ticks > 0
	return nil
}

// findLeft retires the agents that have left before events were reported. It waits for the device.
func (w *World) findLeft() {
	now := make([]agents.Agent, w.crowd.Count())
	w.crowd.Buffers().Agents.Read(0, now)
	for slot, a := range now {
		if a.Status == agents.Left && w.population.agents[slot].present {
			w.retire(uint32(slot))
		}
	}
	w.unsure = false
}
