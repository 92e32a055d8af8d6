package agents

import (
	"fmt"
	"maps"

	"github.com/wayfront/wayfront/engine/gpu"
)

// texels makes a buffer readable by texels.
func texels[T any](r *gpu.ResourceSet, b *gpu.Buffer[T], format gpu.Format) *gpu.TexelBuffer {
	return gpu.Keep(r, func() (*gpu.TexelBuffer, error) { return gpu.NewTexelBuffer(b, format) })
}

// need makes passes that are not there, with their own constants.
func need(r *gpu.ResourceSet, own map[string]any, passes ...anyPass) {
	for _, p := range passes {
		p.need(r, own)
	}
}

// change changes settings and makes what the crowd then needs. After an error all is as it was.
func (c *Crowd) change(what string, settings func(r *gpu.ResourceSet)) error {
	return c.do(func() error {
		before, r := *c, &gpu.ResourceSet{Device: c.device}
		settings(r)
		c.prepare(r)
		if err := before.held.Take(r); err != nil {
			*c = before
			return fmt.Errorf("agents: %s %d agents: %w", what, c.count, err)
		}
		c.held = before.held
		return nil
	})
}

// prepare makes what the settings of a crowd need and is not there yet.
func (c *Crowd) prepare(r *gpu.ResourceSet) {
	gpu.Fit(r, &c.guidance, "agents guidance", c.capacity)
	gpu.Fit(r, &c.events.marks, "agents marks", c.capacity)
	if c.events.on {
		c.events.prepare(r, c.capacity, c.areas.room(c.capacity), c.clock)
		need(r, nil, &c.passes.events)
		if len(c.areas.all) > 0 {
			c.areas.prepare(r, c.capacity)
			need(r, nil, &c.passes.areas)
		}
	}
	need(r, nil, c.passes.always()...)
	need(r, simpleMaps(c.pointSourcesOnly), c.passes.guiding(c.pointSourcesOnly).all()...)
	if c.cleared() {
		need(r, nil, &c.passes.escape)
	}
	if c.serving.desks != nil {
		c.serving.prepare(r, c.capacity)
		need(r, nil, c.passes.serving()...)
	}
	if c.sorts() {
		c.prepareSorting(r)
	}
	if c.avoids() {
		c.prepareLists(r)
		c.prepareAvoidance(r)
	}
	c.prepareWatching(r)
	c.walls.set(r, c.terrain, c.guide.Terrains)
}

// prepareSorting makes what passes that look for neighbors need.
func (c *Crowd) prepareSorting(r *gpu.ResourceSet) {
	c.cells.prepare(r, c.lattice, c.capacity)
	c.contacts.prepare(r, c.capacity)
	need(r, nil, c.passes.sorting()...)
	need(r, simpleMaps(true), &c.passes.contactDeferred) // no map leads an agent there
	if c.enters {
		gpu.Fit(r, &c.late, "agents late", 1+c.capacity)
		need(r, nil, &c.passes.enter)
	}
	if c.measured {
		gpu.Fit(r, &c.rests, "agents rests", c.capacity)
		need(r, nil, &c.passes.measure)
	}
}

// prepareLists makes what passes that list neighbors and walls need.
func (c *Crowd) prepareLists(r *gpu.ResourceSet) {
	p, before := &c.passes, c.lists.capacity
	capacity := max(before, capacityFor(c.params, c.capacity))
	if capacity != before {
		c.kernels = map[kernelVariant]kernel{}
	}
	if listed(capacity) != listed(before) {
		p.neighbors.Pass, p.neighborsAgain.Pass, p.neighborsPast.Pass = nil, nil, nil
	}
	c.lists.prepare(r, c.capacity, capacity)
	need(r, listMacros(capacity), p.listing()...)
}

// prepareAvoidance makes what the methods of avoidance need.
func (c *Crowd) prepareAvoidance(r *gpu.ResourceSet) {
	if c.methodQueue == nil {
		c.methodQueue = gpu.Upload(r, "agents deferred by the broad phase", emptyMethodQueues)
	}
	if c.claims() && c.wishes == nil {
		c.wishes = gpu.Compile(r, wishesPass())
	}
	c.kernels = maps.Clone(c.kernels) // those of before stay where an error comes
	for _, m := range c.params {
		v := c.variantOf(m.Method)
		if _, ok := c.kernels[v]; !ok && m.Method != NoMethod {
			c.kernels[v] = newKernel(r, v, c.lists.capacity)
		}
	}
}
