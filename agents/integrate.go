package agents

import "github.com/wayfront/wayfront/engine/gpu"

// integrateInput is that of integrate.comp.glsl: all agents.
type integrateInput struct {
	deferredInput
	placeInput
	traits   *gpu.Buffer[Traits]          `gpu:"read"`
	before   *gpu.Buffer[Agent]           `gpu:"read"`
	after    *gpu.Buffer[Agent]           `gpu:"write"`
	guidance *gpu.Buffer[Guidance]        `gpu:"read"`
	params   *gpu.Buffer[AvoidanceParams] `gpu:"read"`
	count    uint32
	clock    uint32
	timestep float32
	stride   uint32
	avoiding bool
}

// integrateDeferredInput is that of integratedeferred.comp.glsl: agents that have walls near or
// walk by a map.
type integrateDeferredInput struct {
	deferredInput
	generatorInput
	traits   *gpu.Buffer[Traits] `gpu:"read"`
	after    *gpu.Buffer[Agent]  `gpu:"readwrite"`
	count    uint32
	timestep float32
}

// Integrate moves agents by their velocities, cut at walls. It reads agents before the step and
// guidance, and writes agents after the step.
func (c *Crowd) Integrate() {
	c.device.Stage("integrate", func() { c.integrate(c.paramBuffer, c.avoids()) })
}

// integrate moves agents, by these params if any agent avoids others. The queue of moving is
// empty.
func (c *Crowd) integrate(params *gpu.Buffer[AvoidanceParams], avoiding bool) {
	c.passes.integrate.Run(integrateInput{
		deferredInput: c.deferred.input(), placeInput: c.place(),
		traits: c.traits, before: c.agents[0], after: c.agents[1], guidance: c.guidance, params: params,
		count: uint32(c.count), clock: c.clock, timestep: c.timestep, stride: uint32(c.guide.Stride), avoiding: avoiding,
	}, c.groups())
	runDeferred(c.passes.guiding(c.pointSourcesOnly).integrate.Pass, integrateDeferredInput{
		deferredInput: c.deferred.input(), generatorInput: c.generators(), traits: c.traits, after: c.agents[1],
		count: uint32(c.count), timestep: c.timestep,
	}, c.deferred.table, moving, c.count, c.walls.turns.moving())
}
