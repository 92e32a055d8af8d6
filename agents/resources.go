package agents

import (
	"fmt"
	"maps"
	"slices"

	"github.com/wayfront/wayfront/engine/gpu"
)

// deleter frees something on a device.
type deleter interface{ Delete() }

// resources are what is made on a device, to be freed together. After the first error nothing
// more is made, and what is returned is nil.
type resources struct {
	device   *gpu.Device
	held     []deleter
	replaced []deleter // to be freed once all is made
	err      error
}

// keep makes something and holds it.
func keep[T deleter](r *resources, build func() (T, error)) (kept T) {
	if r.err != nil {
		return kept
	}
	made, err := build()
	if err != nil {
		r.err = err
		return kept
	}
	r.held = append(r.held, made)
	return made
}

// upload makes a buffer of data.
func upload[T any](r *resources, label string, data []T) *gpu.Buffer[T] {
	return keep(r, func() (*gpu.Buffer[T], error) {
		b, err := gpu.NewBuffer[T](r.device, label, len(data))
		if err == nil {
			b.Write(0, data)
		}
		return b, err
	})
}

// texels makes a buffer readable by texels.
func texels[T any](r *resources, b *gpu.Buffer[T], format gpu.Format) *gpu.TexelBuffer {
	return keep(r, func() (*gpu.TexelBuffer, error) { return gpu.NewTexelBuffer(b, format) })
}

// compile makes a pass. The device keeps what the driver has made of it.
func compile[T any](r *resources, spec gpu.PassSpec[T]) (p *gpu.Pass[T]) {
	if r.err == nil {
		p, r.err = gpu.NewPass(r.device, spec)
	}
	return p
}

// need makes passes that are not there, with their own constants.
func (r *resources) need(own map[string]any, passes ...anyPass) {
	for _, p := range passes {
		p.need(r, own)
	}
}

// fit makes a buffer hold so many elements: what it held, then zeros. One that holds them stays.
func fit[T any](r *resources, b **gpu.Buffer[T], label string, length int) {
	old := *b
	if old != nil && old.Len() >= length {
		return
	}
	*b = keep(r, func() (*gpu.Buffer[T], error) { return gpu.NewBuffer[T](r.device, label, length) })
	if old != nil && *b != nil {
		old.CopyTo(*b, old.Len())
		r.replaced = append(r.replaced, old)
	}
}

// take moves what others hold to these, and frees what they have replaced. Where they have an
// error, what they hold is freed and the error returned.
func (r *resources) take(others *resources) error {
	if others.err != nil {
		others.delete()
		return others.err
	}
	for _, old := range others.replaced {
		r.held = slices.DeleteFunc(r.held, func(x deleter) bool { return x == old })
		old.Delete()
	}
	r.held = append(r.held, others.held...)
	return nil
}

func (r *resources) delete() {
	for _, x := range r.held {
		x.Delete()
	}
	r.held = nil
}

// change changes settings and makes what the crowd then needs. After an error all is as it was.
func (c *Crowd) change(what string, settings func(r *resources)) error {
	return c.do(func() error {
		before, r := *c, &resources{device: c.device}
		settings(r)
		c.prepare(r)
		if err := before.held.take(r); err != nil {
			*c = before
			return fmt.Errorf("agents: %s %d agents: %w", what, c.count, err)
		}
		c.held = before.held
		return nil
	})
}

// prepare makes what the settings of a crowd need and is not there yet.
func (c *Crowd) prepare(r *resources) {
	fit(r, &c.guidance, "agents guidance", c.capacity)
	fit(r, &c.events.marks, "agents marks", c.capacity)
	if c.events.on {
		c.events.prepare(r, c.capacity, c.areas.room(c.capacity), c.clock)
		r.need(nil, &c.passes.events)
		if len(c.areas.all) > 0 {
			c.areas.prepare(r, c.capacity)
			r.need(nil, &c.passes.areas)
		}
	}
	r.need(nil, c.passes.always()...)
	r.need(simpleMaps(c.pointSourcesOnly), c.passes.guiding(c.pointSourcesOnly).all()...)
	if c.cleared() {
		r.need(nil, &c.passes.escape)
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
func (c *Crowd) prepareSorting(r *resources) {
	c.cells.prepare(r, c.lattice, c.capacity)
	c.contacts.prepare(r, c.capacity)
	r.need(nil, c.passes.sorting()...)
	r.need(simpleMaps(true), &c.passes.contactDeferred) // no map leads an agent there
	if c.enters {
		fit(r, &c.late, "agents late", 1+c.capacity)
		r.need(nil, &c.passes.enter)
	}
	if c.measured {
		fit(r, &c.rests, "agents rests", c.capacity)
		r.need(nil, &c.passes.measure)
	}
}

// prepareLists makes what passes that list neighbors and walls need.
func (c *Crowd) prepareLists(r *resources) {
	p, before := &c.passes, c.lists.capacity
	capacity := max(before, capacityFor(c.params, c.capacity))
	if capacity != before {
		c.kernels = map[kernelVariant]kernel{}
	}
	if listed(capacity) != listed(before) {
		p.neighbors.Pass, p.neighborsAgain.Pass, p.neighborsPast.Pass = nil, nil, nil
	}
	c.lists.prepare(r, c.capacity, capacity)
	r.need(listMacros(capacity), p.listing()...)
}

// prepareAvoidance makes what the methods of avoidance need.
func (c *Crowd) prepareAvoidance(r *resources) {
	if c.methodQueue == nil {
		c.methodQueue = upload(r, "agents deferred by the broad phase", emptyMethodQueues)
	}
	if c.claims() && c.wishes == nil {
		c.wishes = compile(r, wishesPass())
	}
	c.kernels = maps.Clone(c.kernels) // those of before stay where an error comes
	for _, m := range c.params {
		v := c.variantOf(m.Method)
		if _, ok := c.kernels[v]; !ok && m.Method != NoMethod {
			c.kernels[v] = newKernel(r, v, c.lists.capacity)
		}
	}
}
