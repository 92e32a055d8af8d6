package agents

import "github.com/wayfront/wayfront/engine/gpu"

type escapeInput struct {
	placeInput
	texelInput
	traits   *gpu.Buffer[Traits]   `gpu:"read"`
	before   *gpu.Buffer[Agent]    `gpu:"read"`
	guidance *gpu.Buffer[Guidance] `gpu:"write"`
	stages   *gpu.Buffer[Stage]    `gpu:"read"`
	count    uint32
	First    uint32
	clock    uint32
}

// Escape finds, for agents inside the clearance of their goal's map, the nearest place outside of
// it. It reads agents and writes guidance, for Guide. It does nothing where no map has a
// clearance, and where no ground is free.
func (c *Crowd) Escape() {
	if c.Buried() || !c.cleared() {
		return
	}
	c.device.Stage("escape", func() {
		c.passes.escape.RunEach(escapeInput{
			placeInput: c.place(), texelInput: c.texels(),
			traits: c.traits, before: c.agents[0], guidance: c.guidance, stages: c.stages,
			count: uint32(c.count), clock: c.clock,
		}, c.count, groupSize, 2*c.walls.turns.nearestFree())
	})
}
