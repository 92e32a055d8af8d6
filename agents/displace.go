package agents

import "github.com/wayfront/wayfront/engine/gpu"

type displaceInput struct {
	placeInput
	traits   *gpu.Buffer[Traits] `gpu:"read"`
	agents   *gpu.Buffer[Agent]  `gpu:"readwrite"`
	marks    *gpu.Buffer[uint32] `gpu:"readwrite"`
	counters *gpu.Buffer[uint32] `gpu:"readwrite"`
	count    uint32
	First    uint32
	clock    uint32
	moved    bool

	wallMotions *gpu.TexelBuffer
	swept       int32
}

// Displace moves agents that walls have come to cover, or that enter where walls do, to the
// nearest free ground; but those that a moving wall has pushed or passed over since the step before
// to where it meets them. It writes agents. It does nothing while no wall has changed, and where no
// ground is free.
func (c *Crowd) Displace() {
	if c.Buried() || !c.wallsChanged && !(c.wallsEverChanged && c.clock <= c.lastEntry) {
		return
	}
	c.device.Stage("displace", func() {
		c.passes.displace.RunEach(displaceInput{
			placeInput: c.place(), traits: c.traits, agents: c.agents[0], marks: c.events.marks, counters: c.counters,
			count: uint32(c.count), clock: c.clock, moved: c.wallsChanged,
			wallMotions: c.motions.texels, swept: c.motions.swept,
		}, c.count, groupSize, c.walls.turns.nearestFree()+c.walls.turns.swept())
	})
	c.wallsChanged = false
}
