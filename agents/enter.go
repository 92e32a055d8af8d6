package agents

import "github.com/wayfront/wayfront/engine/gpu"

// bindLate is the binding point of those who enter late.
const bindLate = 3

// enterSpec says how the pass that holds people back is put together.
func enterSpec() gpu.Spec {
	s := contactSpec("agents/enter.comp.glsl")
	s.Defines["LATE_BINDING"] = bindLate
	return s
}

// awaited reports whether somebody may still have to enter.
func (c *Crowd) awaited() bool {
	return c.lastEntry > 0 && (c.latest.Step == 0 || c.latest.Waiting > 0)
}

// hold keeps who is to enter waiting while somebody stands in his place.
func (c *Crowd) hold() {
	if !c.awaited() || c.late == nil {
		return
	}
	c.device.Pass("enter", func() {
		p := c.enter
		c.avoidance.settings.Bind(bindManners)
		c.late.Write(0, []uint32{0})
		c.late.Bind(bindLate)
		c.near(p)
		p.Set("count", uint32(c.count))
		p.Set("clock", c.clock)
		p.Set("asks", c.sorted)
		for _, among := range [...]bool{false, true} {
			p.Set("among", among)
			c.device.Barrier(gpu.BarrierStorage)
			p.DispatchEach(c.count, groupSize, c.visitTurns()+c.count)
		}
	})
	c.device.Barrier(gpu.BarrierStorage)
	c.bind()
}

// Hold tells, of agents before the step that is numbered clock, who is due and has to wait: the plain
// form of the pass.
func (r *Reference) Hold(agents []Agent, traits []Traits, clock uint32) []bool {
	careful := func(i int) bool { return r.Manners != nil && r.Manners[traits[i].Profile].Method != NoMethod }
	due := func(i int) bool { return agents[i].Status == Waiting && clock >= traits[i].Entry }
	overlap := func(i, j int) bool {
		radii := traits[i].Radius + traits[j].Radius
		return squaredLength(minus(agents[i].Position, agents[j].Position)) < float32(radii*radii)
	}
	first, held := make([]bool, len(agents)), make([]bool, len(agents))
	for i := range agents {
		for j, b := range agents {
			there := b.Status == Walking || b.Status == Arrived
			first[i] = first[i] || there && due(i) && careful(i) && overlap(i, j)
		}
	}
	for i := range agents {
		held[i] = first[i]
		for j := range i {
			late := due(j) && careful(j) && clock > traits[j].Entry && !first[j]
			held[i] = held[i] || late && due(i) && careful(i) && overlap(i, j)
		}
	}
	return held
}
