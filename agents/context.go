package agents

import (
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// StepContext is what local maps find on the device in a step, between Sort and Avoid: they may
// put other velocities in the place of Preferred and Velocity in the guidance of agents that
// walk, and other Targets: NoTarget or Elsewhere. Buffers are those of this step alone.
type StepContext struct {
	Time     float64 // when the step begins, s
	Timestep float64 // s
	Lattice  geom.Lattice

	Agents   *gpu.Buffer[Agent] // before the step
	Traits   *gpu.Buffer[Traits]
	Guidance *gpu.Buffer[Guidance]
	Guide    Guide
	// those that agents are cut at, as shaders/include/walls.glsl reads them
	Walls *gpu.Buffer[[4]int32]
	Grid  [4]int32 // of them: shift, columns, rows, and where it begins

	Bodies Bodies                 // of agents that are there, walking or standing
	Places *gpu.Buffer[[2]uint32] // of each agent its body, in the first word

	// Counters: word ZeroGradient counts agents without a gradient in this step, the two
	// words from ZeroGradientSum on sum them up.
	Counters                      *gpu.Buffer[uint32]
	ZeroGradient, ZeroGradientSum int

	Reasons ReasonInput // where reasons of watched agents go: shaders/agents/reasons.glsl
}

// Bodies are all agents that are there, sorted into cells, as shaders/include/bodies.glsl reads
// them.
type Bodies struct {
	Cells         *gpu.TexelBuffer // of each cell its first part and its side in parts
	Parts         *gpu.TexelBuffer // of each part its first body
	Spots         *gpu.TexelBuffer // of each body two texels: its Body
	Size          [2]int32         // columns and rows of cells
	CellsPerMeter float32
	Largest       float32 // the largest of all agents, m
}

// SortAlways has agents sorted into cells in every step from the next one on, or only where the
// crowd needs it: local maps find bodies by that. The error is a *gpu.CapacityError, a
// *gpu.CompileError or ErrDeleted; all is then as it was.
func (c *Crowd) SortAlways(on bool) error {
	return c.change("sorting", func(*gpu.ResourceSet) { c.sortAlways = on })
}

// StepContext returns the context of the step that runs, once agents are sorted. It is false
// where they are not sorted, as there are none, and where no ground is free.
func (c *Crowd) StepContext() (StepContext, bool) {
	if !c.sorted || c.Buried() {
		return StepContext{}, false
	}
	sorted := &c.cells
	return StepContext{
		Time: float64(c.clock) * c.tick, Timestep: c.tick, Lattice: c.lattice,
		Agents: c.agents[0], Traits: c.traits, Guidance: c.guidance, Guide: c.guide,
		Walls: c.walls.buffer, Grid: c.walls.head(c.terrain),
		Bodies: Bodies{
			Cells: sorted.cellTexels, Parts: sorted.partTexels, Spots: sorted.spots,
			Size: sorted.size, CellsPerMeter: sorted.cellsPerMeter, Largest: c.contacts.largest,
		},
		Places:   sorted.places,
		Counters: c.counters, ZeroGradient: counterZeroGradient, ZeroGradientSum: counterZeroGradientSum,
		Reasons: c.watching.input(),
	}, true
}
