package agents

import (
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Steerer has agents walk by what they see instead of straight along their maps: it stands between these and
// avoidance. Crowd.Step asks it after everybody has been told his way and is sorted, and before people avoid each other.
type Steerer interface {
	// Steer may put other velocities in the place of Preferred and Velocity in the guidance of agents that walk. It may bind
	// what it likes. Buffers are those of this call alone.
	Steer(s Surroundings)
}

// Surroundings are what a Steerer finds on the device.
type Surroundings struct {
	Time     float64 // when the step begins, s
	Timestep float64 // s
	Lattice  geom.Lattice

	Agents   *gpu.Buffer[Agent] // before the step
	Traits   *gpu.Buffer[Traits]
	Guidance *gpu.Buffer[Guidance]
	Guide    Guide
	Walls    *gpu.Buffer[[4]int32] // those that agents are cut at, as shaders/include/walls.glsl reads them
	Grid     [4]int32              // of them: shift, columns, rows, and where it begins

	// Bodies of who is there, and of each agent its body, in the first word. Neighbors are lists of bodies near each, in the layout
	// of shaders/agents/neighbors.glsl; empty ones of those whose Manner neither avoids nor looks.
	Bodies    *gpu.Buffer[Body]
	Places    *gpu.Buffer[[2]uint32]
	Neighbors *gpu.Buffer[uint32]

	// Counters: word Flat counts agents that nothing steers in this step, the two words from FlatSum on sum them up.
	Counters      *gpu.Buffer[uint32]
	Flat, FlatSum int
}

// SetSteerer has somebody steer from the next step on; nil: nobody. Profiles whose agents it wants to know the neighbours
// of look, in their Manner.
func (c *Crowd) SetSteerer(s Steerer) { c.steerer = s }

// steerBySight has the Steerer steer.
func (c *Crowd) steerBySight() {
	if c.steerer == nil || c.count == 0 || c.buried() {
		return
	}
	a := &c.avoidance
	c.device.Pass("local", func() {
		c.steerer.Steer(Surroundings{
			Time: float64(c.clock) * c.tick, Timestep: c.tick, Lattice: c.lattice,
			Agents: c.agents[0], Traits: c.traits, Guidance: c.guidance, Guide: c.guide,
			Walls: c.walls.buffer, Grid: c.walls.head(c.walls.own),
			Bodies: a.cells.bodies, Places: a.cells.places, Neighbors: a.near.neighbors,
			Counters: c.counters, Flat: counterFlat, FlatSum: counterFlatSum,
		})
	})
	c.device.Barrier(gpu.BarrierStorage | gpu.BarrierTexture)
	c.bind()
}
