package agents

import (
	"fmt"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Steerer has agents walk by what they see instead of straight along their maps: it stands between these and
// avoidance. Crowd.Step asks it after everybody has been told his way and is sorted, and before people avoid each other.
type Steerer interface {
	// Steer may put other velocities in the place of Preferred and Velocity in the guidance of agents that walk, and other Targets: NoTarget or
	// Elsewhere. It may bind what it likes. Buffers are those of this call alone.
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

	Bodies Bodies                 // of who is there, walks or stands
	Places *gpu.Buffer[[2]uint32] // of each agent its body, in the first word

	// Counters: word Flat counts agents that nothing steers in this step, the two words from FlatSum on sum them up.
	Counters      *gpu.Buffer[uint32]
	Flat, FlatSum int
}

// Bodies are everybody who is there, sorted into cells, as shaders/include/bodies.glsl reads them.
type Bodies struct {
	Cells         *gpu.TexelBuffer // of each cell its first part and its side in parts
	Parts         *gpu.TexelBuffer // of each part its first body
	Spots         *gpu.TexelBuffer // of each body two texels: its Body
	Size          [2]int32         // columns and rows of cells
	CellsPerMetre float32
	Largest       float32 // radius of anybody, m
}

// SetSteerer has somebody steer from the next step on; nil: nobody. The error is a *gpu.CapacityError or *gpu.CompileError, and all
// stays as it was.
func (c *Crowd) SetSteerer(s Steerer) error {
	if c.deleted {
		return ErrDeleted
	}
	before := c.steerer
	c.steerer = s
	if err := c.equip(); err != nil {
		c.steerer = before
		return fmt.Errorf("agents: sorting a crowd of %d for a steerer: %w", c.count, err)
	}
	return nil
}

// steerBySight has the Steerer steer.
func (c *Crowd) steerBySight() {
	if c.steerer == nil || c.count == 0 || c.buried() {
		return
	}
	sorted := &c.avoidance.cells
	c.device.Pass("local", func() {
		c.steerer.Steer(Surroundings{
			Time: float64(c.clock) * c.tick, Timestep: c.tick, Lattice: c.lattice,
			Agents: c.agents[0], Traits: c.traits, Guidance: c.guidance, Guide: c.guide,
			Walls: c.walls.buffer, Grid: c.walls.head(c.walls.own),
			Bodies: Bodies{
				Cells: sorted.cellTexels, Parts: sorted.partTexels, Spots: sorted.spots,
				Size: sorted.size, CellsPerMetre: sorted.cellsPerMetre, Largest: c.contacts.largest,
			},
			Places:   sorted.places,
			Counters: c.counters, Flat: counterFlat, FlatSum: counterFlatSum,
		})
	})
	c.device.Barrier(gpu.BarrierStorage | gpu.BarrierTexture)
	c.bind()
}
