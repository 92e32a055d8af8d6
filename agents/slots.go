package agents

import (
	"fmt"
	"slices"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Slots. A crowd has a capacity, the slots that its buffers have, and a count, the slots that any
// agent ever had: the first ones. Passes run over the count, and nothing that they compute depends
// on the capacity. An agent keeps its slot for life; a free slot has the status Left.

// Reserve makes the crowd have at least so many slots, and at least twice as many as before where
// it has fewer. All states stay; buffers have other names afterwards. It is for the time between
// steps. The error is a *gpu.CapacityError, a *gpu.CompileError or ErrDeleted; all is then as it
// was.
//
// Local maps (package bvp/local) know agents by their slots: whoever owns such maps calls
// local.Maps.Assign with a kind for each slot up to Count after Apply has added agents. A slot
// that a new agent takes over has to be assigned local.NoMap in between, or the new agent begins
// with the heading and the potentials of the one before. Crowd.Traits has the profile of each slot.
func (c *Crowd) Reserve(slots int) error {
	if slots <= c.capacity {
		return c.do(func() error { return nil })
	}
	return c.change("more slots for", func(r *gpu.ResourceSet) {
		before := c.capacity
		c.capacity = max(slots, 2*before)
		gpu.Fit(r, &c.traits, "agents traits", c.capacity)
		gpu.Fit(r, &c.deferred.queues, "agents deferred", queueWords(c.capacity))
		for i := range c.agents {
			gpu.Fit(r, &c.agents[i], "agents state", c.capacity)
		}
		if r.Err == nil {
			c.freeSlots(before)
		}
	})
}

// freeSlots makes all slots from one on free.
func (c *Crowd) freeSlots(first int) {
	const most = 1 << 12 // written at once
	free := slices.Repeat([]Agent{{Status: Left}}, min(most, c.capacity-first))
	for ; first < c.capacity; first += most {
		for _, b := range c.agents {
			b.Write(first, free[:min(most, c.capacity-first)])
		}
	}
}

// Traits returns what the crowd last took over about the agent of a slot, without a readback. A slot
// that no agent ever had panics.
func (c *Crowd) Traits(slot int) Traits {
	if slot < 0 || slot >= c.count {
		panic(fmt.Sprintf("agents: there is no slot %d; the crowd has %d, counted from 0", slot, c.count))
	}
	return c.mirror[slot]
}

// FirstLayer is the layer of the first stage of an agent's itinerary.
func (c *Crowd) FirstLayer(t Traits) uint32 { return c.itineraries[t.FirstStage].Layer }

// AddItinerary adds an itinerary to those that Traits.FirstStage may name, and returns the index of
// its first stage: of an equal one where there is one. Layers are those of the guide, or OwnPoint
// alone; Sources need not be given. The error is a *gpu.CapacityError or ErrDeleted; there is none
// then. No stages panic.
func (c *Crowd) AddItinerary(stages ...Stage) (first int, err error) {
	if len(stages) == 0 {
		panic("agents: AddItinerary of no stages; an agent has at least one")
	}
	for _, s := range stages {
		if s.Layer == OwnPoint && len(stages) > 1 {
			panic("agents: AddItinerary with an own point among other stages; it is the only stage of an itinerary")
		}
	}
	for first := range max(0, len(c.itineraries)-len(stages)+1) {
		if slices.Equal(c.itineraries[first:first+len(stages)], stages) {
			return first, c.do(func() error { return nil })
		}
	}
	first = len(c.itineraries)
	err = c.change("another itinerary for", func(r *gpu.ResourceSet) {
		c.itineraries = append(slices.Clip(c.itineraries), stages...)
		if needed := len(c.itineraries); needed > c.stages.Len() {
			gpu.Fit(r, &c.stages, "agents itineraries", 2*needed)
		}
	})
	if err != nil {
		return 0, err
	}
	return first, c.do(func() error { c.writeSources(); return nil })
}

// admit makes what the crowd knows of all its agents hold for agents of these traits, too.
func (c *Crowd) admit(traits ...Traits) {
	for _, t := range traits {
		c.lastEntry = max(c.lastEntry, t.Entry)
		if t.Stages > 1 {
			c.turns = 2 // an agent that arrives goes on to the next stage at once
		}
	}
	c.contacts.admit(traits, c.timestep, c.lattice.Step)
}
