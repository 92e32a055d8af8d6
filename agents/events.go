package agents

import (
	"cmp"
	"slices"

	"github.com/wayfront/wayfront/engine/gpu"
)

// EventKinds is a sum of kinds of events.
type EventKinds = uint32

// What happens to an agent in a step.
const (
	EventEntered   EventKinds = 1 << iota // it waited, and is there now
	EventArrived                          // at the end of its itinerary; each time, where it loops
	EventLeft                             // it was at the end, and is gone; what the host removes has none
	EventStuck                            // it has stayed within its radius of a place for 10 s; then none until Freed
	EventFreed                            // it was stuck and is not any more: it walks on, stands or is gone
	EventNoRoute                          // it sees no way to go, and saw one in the step before
	EventDisplaced                        // it was put on free ground, as an obstacle covered it
	EventBlocked                          // it is due to enter and waits, as its place is occupied
	EventMissed                           // a change passed over it, as it had left
	EventCameIn                           // into an area, or through a gate to its left
	EventWentOut                          // of an area, or through a gate to its right
)

// markStuck is what the mark of a slot has besides events: its agent is stuck.
const markStuck = 1 << 31

// NoArea is the Area of events that are about none.
const NoArea uint32 = 0xffffffff

// Event is what happens to the agent of a slot in a step.
type Event struct {
	Slot  uint32
	Kinds EventKinds
	Area  uint32 // that it came into or went out of; NoArea for all other kinds
}

// eventWords are the words of an event in the list.
const eventWords = 3

// eventLatency is how many steps late events arrive, always the same.
const eventLatency = 3

// events are what steps report about single agents.
type events struct {
	on      bool
	fresh   bool                // no step has reported yet
	marks   *gpu.Buffer[uint32] // of each slot: events of passes that change states before the step
	rests   *gpu.Buffer[Rest]
	list    *gpu.Buffer[uint32] // how many events, then of each its slot, kinds and area
	mail    *gpu.Mailbox[uint32]
	first   uint32 // steps done when the mailbox was made
	arrived *arrivedEvents
}

// arrivedEvents are events on the CPU. They stay where settings are taken back.
type arrivedEvents struct {
	steps stepLog // in order; none is empty
	free  [][]Event
	words []uint32
	lost  uint64 // for want of room
}

type stepEvents struct {
	step   int // steps done with the one that they happened in
	events []Event
}

type stepLog []stepEvents

// clone returns a copy.
func (l stepLog) clone() stepLog {
	l = slices.Clone(l)
	for i := range l {
		l[i].events = slices.Clone(l[i].events)
	}
	return l
}

type eventsInput struct {
	traits   *gpu.Buffer[Traits] `gpu:"read"`
	before   *gpu.Buffer[Agent]  `gpu:"read"`
	after    *gpu.Buffer[Agent]  `gpu:"read"`
	marks    *gpu.Buffer[uint32] `gpu:"readwrite"`
	rests    *gpu.Buffer[Rest]   `gpu:"readwrite"`
	list     *gpu.Buffer[uint32] `gpu:"readwrite"`
	count    uint32
	clock    uint32
	patience uint32
	fresh    bool
}

// ReportEvents makes the coming steps report events, or not. It costs a pass and a readback of 12
// bytes a slot in each step, without a wait. Those that are on their way still arrive. The error is
// a *gpu.CapacityError, a *gpu.CompileError or ErrDeleted; all is then as it was.
func (c *Crowd) ReportEvents(on bool) error {
	if on == c.events.on {
		return c.do(func() error { return nil })
	}
	err := c.change("events of", func(r *gpu.ResourceSet) {
		c.areas.fresh = ^uint32(0)
		if c.events.on, c.events.fresh = on, on; !on {
			c.events.retire(r)
		}
	})
	if err != nil {
		return err
	}
	return c.do(func() error { c.events.marks.Clear(); return nil }) // of steps without reports
}

// TakeEvents returns the events of the oldest step that has any and was done exactly three steps
// ago or earlier, in dst, sorted by slot and area, one for each slot and as many as it has of
// areas, and how many steps were done with that one. It reports false where there is none. It never
// waits for a step after that.
func (c *Crowd) TakeEvents(dst []Event) (events []Event, step int, ok bool) {
	log := c.events.arrived
	if log == nil || len(log.steps) == 0 || log.steps[0].step+eventLatency > int(c.clock) {
		return dst[:0], 0, false
	}
	oldest := log.steps[0]
	log.steps = slices.Delete(log.steps, 0, 1)
	log.free = append(log.free, oldest.events)
	return append(dst[:0], oldest.events...), oldest.step, true
}

// LostEvents is how many events of areas steps had no room for since ReportEvents. Others always
// have room.
func (c *Crowd) LostEvents() uint64 {
	if c.events.arrived == nil {
		return 0
	}
	return c.events.arrived.lost
}

// room is how many events the list holds.
func (e *events) room() int { return (e.list.Len() - 1) / eventWords }

// prepare makes what events of so many slots need, and so many of areas, for a crowd that has done
// so many steps.
func (e *events) prepare(r *gpu.ResourceSet, slots, ofAreas int, clock uint32) {
	gpu.Fit(r, &e.rests, "agents rests of events", slots)
	length := 1 + eventWords*(slots+ofAreas)
	if e.list != nil {
		length = max(length, e.list.Len()) // it never shrinks
	}
	if e.mail != nil && e.list.Len() >= length {
		return
	}
	e.retire(r)
	gpu.Fit(r, &e.list, "agents events", length)
	e.mail = gpu.Keep(r, func() (*gpu.Mailbox[uint32], error) {
		return gpu.NewMailbox[uint32](r.Device, gpu.MailboxSpec{Label: "agents events", Length: length, Latency: eventLatency})
	})
	e.first = clock
	if e.arrived == nil {
		e.arrived = &arrivedEvents{}
	}
}

// retire takes what is in the mailbox, which it waits for, and has none then.
func (e *events) retire(r *gpu.ResourceSet) {
	if e.mail == nil {
		return
	}
	e.take((*gpu.Mailbox[uint32]).TakeNow)
	r.Replace(e.mail)
	e.mail = nil
}

// pending are the events that were not taken.
func (e *events) pending() stepLog {
	if e.arrived == nil {
		return nil
	}
	return e.arrived.steps
}

// take takes events from the mailbox, in a way of it, as long as it has any.
func (e *events) take(from func(*gpu.Mailbox[uint32], []uint32) (int64, bool)) {
	log := e.arrived
	log.words = slices.Grow(log.words[:0], e.list.Len())[:e.list.Len()]
	for {
		number, ok := from(e.mail, log.words)
		if !ok {
			return
		}
		log.add(int(e.first) + int(number) + 1)
	}
}

// add adds the events that are read back of a step.
func (log *arrivedEvents) add(step int) {
	n := int(log.words[0])
	if n == 0 {
		return
	}
	if room := (len(log.words) - 1) / eventWords; n > room {
		log.lost += uint64(n - room)
		n = room
	}
	var all []Event
	if k := len(log.free); k > 0 {
		all, log.free = log.free[k-1][:0], log.free[:k-1]
	}
	for i := range n {
		w := log.words[1+eventWords*i:]
		all = append(all, Event{w[0], w[1], w[2]})
	}
	// NoArea comes last: what an agent does at areas is before what else happens to it.
	slices.SortFunc(all, func(a, b Event) int { return cmp.Or(cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Area, b.Area)) })
	log.steps = append(log.steps, stepEvents{step, all})
}

// CompareStates finds what has happened to agents, for TakeEvents. It reads agents before and after
// the step. It does nothing unless ReportEvents is on.
func (c *Crowd) CompareStates() {
	e := &c.events
	if !e.on || c.count == 0 {
		return
	}
	c.device.Stage("events", func() {
		e.list.Write(0, noEvents)
		c.passes.events.Run(eventsInput{
			c.traits, c.agents[0], c.agents[1], e.marks, e.rests, e.list,
			uint32(c.count), c.clock, EntryStep(stuckTime, c.tick), e.fresh,
		}, c.groups())
		e.fresh = false
		c.look()
	})
}

// noEvents is the count of the list before a step.
var noEvents = []uint32{0}

// postEvents sends the events of a step to the CPU, and takes those that have arrived.
func (c *Crowd) postEvents() {
	if e := &c.events; e.mail != nil {
		e.mail.Post(e.list, 0)
		e.take((*gpu.Mailbox[uint32]).Take)
	}
}
