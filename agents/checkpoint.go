package agents

import (
	"cmp"
	"slices"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Checkpoint is the state of a crowd between two steps, with an archive of what is on the device.
type Checkpoint struct {
	crowd  Crowd
	events stepLog // that were not taken
}

// The names in archives.
const (
	archivedAgents   = "agents state"
	archivedTraits   = "agents traits"
	archivedCounters = "agents counters"
	archivedMail     = "agents counters on their way"
	archivedRests    = "agents rests"
	archivedMarks    = "agents marks"
	archivedWaits    = "agents rests of events"
	archivedPresence = "agents presence"
	archivedCells    = "agents cells"
	archivedParts    = "agents parts of cells"
	archivedBodies   = "agents bodies"
	archivedDesks    = "agents desks"
	archivedLines    = "agents lines"
)

// Checkpoint returns the state of the crowd, and keeps in an archive what of it is on the device:
// 120 bytes an agent, some 34 more where agents are sorted (agents that enter ask the bodies of the
// last step), 12 each where they are measured and where events are reported, and 32 where goals
// serve. All other buffers of the crowd are written in every step before they are read. It is for
// the time between steps, and waits for events that are on their way. Errors are those of the
// archive, and ErrDeleted.
func (c *Crowd) Checkpoint(a *gpu.Archive) (*Checkpoint, error) {
	err := c.do(func() error {
		a.Keep(archivedAgents, c.agents[0], c.count)
		a.Keep(archivedTraits, c.traits, c.count)
		a.Keep(archivedCounters, c.counters, c.counters.Len())
		gpu.KeepMail(a, archivedMail, c.mail)
		if c.measured && !c.freshly {
			a.Keep(archivedRests, c.rests, c.count)
		}
		a.Keep(archivedMarks, c.events.marks, c.count)
		if e := &c.events; e.on {
			e.take((*gpu.Mailbox[uint32]).TakeNow)
			if !e.fresh {
				a.Keep(archivedWaits, e.rests, c.count)
			}
			if len(c.areas.all) > 0 {
				a.Keep(archivedPresence, c.areas.presence, c.count)
			}
		}
		if s := &c.cells; c.sorted {
			a.Keep(archivedCells, s.cells, int(s.size[0])*int(s.size[1]))
			a.Keep(archivedParts, s.starts, s.parts+1)
			a.Keep(archivedBodies, s.bodies, c.count)
		}
		if s := &c.serving; s.desks != nil {
			a.Keep(archivedDesks, s.state, len(s.desks))
			a.Keep(archivedLines, s.lines[0], c.count)
		}
		return a.Err()
	})
	if err != nil {
		return nil, err
	}
	k := &Checkpoint{*c, c.events.pending().clone()}
	k.crowd.capacity, k.crowd.events = 0, events{on: c.events.on, fresh: c.events.fresh}      // the rest is the device's
	k.crowd.itineraries, k.crowd.mirror = slices.Clone(c.itineraries), slices.Clone(c.mirror) // which are written to
	return k, nil
}

// Rollback brings the crowd back to a checkpoint, with the archive that was given to Checkpoint.
// The guide shows the maps of then, with the same numbers of generators. Buffers that have grown
// since stay so, which changes nothing of what is computed. Events that were not taken are those of
// then. Errors are a *gpu.CapacityError, a *gpu.CompileError or ErrDeleted; all is then as it was.
// Agents that are watched stay so where they were there then, and their reasons begin to arrive
// anew.
func (c *Crowd) Rollback(k *Checkpoint, a *gpu.Archive, guide Guide) error {
	err := c.change("a rollback of", func(r *gpu.ResourceSet) {
		live := *c
		*c = k.crowd
		c.itineraries, c.mirror = slices.Clone(c.itineraries), slices.Clone(c.mirror)
		c.takeResources(&live)
		c.events.retire(r)
		c.watching.retire(r)
		c.watching.keepBelow(c.count)
		c.guide = guide
		gpu.Fit(r, &c.stages, "agents itineraries", len(c.itineraries))
		gpu.Fit(r, &c.paramBuffer, "agents avoidance parameters", len(c.params))
	})
	if err != nil {
		return err
	}
	return c.do(func() error {
		c.events.marks.Clear()
		a.Return(archivedMarks, c.events.marks)
		if c.events.arrived != nil {
			c.events.arrived.steps = k.events.clone()
		}
		if a.Has(archivedWaits) {
			a.Return(archivedWaits, c.events.rests)
		}
		if a.Has(archivedPresence) {
			a.Return(archivedPresence, c.areas.presence)
		}
		c.areas.write()
		for _, b := range c.agents {
			a.Return(archivedAgents, b)
			b.Write(c.count, slices.Repeat([]Agent{{Status: Left}}, b.Len()-c.count)) // came since
		}
		a.Return(archivedTraits, c.traits)
		a.Return(archivedCounters, c.counters)
		gpu.ReturnMail(a, archivedMail, c.mail)
		if a.Has(archivedRests) {
			a.Return(archivedRests, c.rests)
		}
		if s := &c.cells; c.sorted {
			a.Return(archivedCells, s.cells)
			a.Return(archivedParts, s.starts)
			a.Return(archivedBodies, s.bodies)
		}
		if s := &c.serving; s.desks != nil {
			s.lines[0].Clear() // agents came since
			a.Return(archivedDesks, s.state)
			a.Return(archivedLines, s.lines[0])
			s.write(c.tick)
		}
		c.paramBuffer.Write(0, c.params)
		c.writeSources()
		return nil
	})
}

// takeResources takes what another state of the crowd has on the device, with the sizes of it, and
// what is about the device alone.
func (c *Crowd) takeResources(live *Crowd) {
	c.device, c.capacity = live.device, live.capacity
	c.traits, c.agents, c.guidance, c.stages = live.traits, live.agents, live.guidance, live.stages
	c.counters, c.mail, c.rests, c.late = live.counters, live.mail, live.rests, live.late
	c.deferred, c.changing, c.walls, c.passes = live.deferred, live.changing, live.walls, live.passes
	c.motions.records, c.motions.texels = live.motions.records, live.motions.texels

	sorting := c.cells
	if c.cells = live.cells; c.sorted {
		c.cells.size, c.cells.cellsPerMeter, c.cells.parts = sorting.size, sorting.cellsPerMeter, sorting.parts
	}
	c.contacts.shifts, c.contacts.dispatches, c.contacts.table, c.contacts.begin = live.contacts.shifts, live.contacts.dispatches, live.contacts.table, live.contacts.begin

	c.areas.corners, c.areas.ranges, c.areas.presence = live.areas.corners, live.areas.ranges, live.areas.presence
	on, fresh := c.events.on, c.events.fresh
	c.events = live.events
	c.events.on, c.events.fresh = on, fresh
	c.watching = live.watching
	c.serving.table, c.serving.state, c.serving.lines = live.serving.table, live.serving.state, live.serving.lines

	c.paramBuffer, c.lists, c.methodQueue = live.paramBuffer, live.lists, live.methodQueue
	c.wishes, c.kernels, c.launch = live.wishes, live.kernels, live.launch
	c.held, c.deleted = live.held, live.deleted
}

// OrderBodies puts the bodies of an archive that was read back in the order of their agents within
// each part of a cell. The device leaves that order to chance and nothing depends on it, so that
// equal states are equal words only afterwards.
func OrderBodies(parts []gpu.Part) {
	bodies, first := gpu.Elements[Body](parts, archivedBodies), gpu.Elements[uint32](parts, archivedParts)
	for i, begin := range first {
		end := uint32(len(bodies))
		if i+1 < len(first) {
			end = first[i+1]
		}
		slices.SortFunc(bodies[begin:end], func(a, b Body) int { return cmp.Compare(a.ID, b.ID) })
	}
}
