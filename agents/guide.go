package agents

import (
	"github.com/wayfront/wayfront/engine/gpu"
)

// Searches of all generators of a layer (shaders/agents/search.glsl).
const (
	// searchWords is what one takes among the queues: SEARCH_WORDS there.
	searchWords = 7 + mostBends

	// searchTurns is how many generators an invocation asks about in a dispatch, at most. Sight of
	// one may take some thousand turns of loops, of 65,535 that Mesa's software renderer allows.
	searchTurns = 16

	// searchAtOnce is how many sources agents that walk straight ask about without a search.
	searchAtOnce = 64

	// searchPairs is how many pairs of agents and generators a dispatch asks about, at most, while
	// agents are fewer: less than 2 s where a device makes 2 10^7 tests of sight a second. Each
	// dispatch has a cost even if none searches, and there are as many as all agents would need.
	searchPairs = 1 << 25
)

// An agent that sees no generator that a texel names looks for mostBends corners over which the
// path is as long as over the one that it does not see, but for a texel over bendParts.
const (
	mostBends = 4
	bendParts = 16.0
)

// guideInput is that of guide.comp.glsl: agents that stand, and those that walk to their own
// point.
type guideInput struct {
	deferredInput
	traits   *gpu.Buffer[Traits]   `gpu:"read"`
	before   *gpu.Buffer[Agent]    `gpu:"read"`
	guidance *gpu.Buffer[Guidance] `gpu:"write"`
	stages   *gpu.Buffer[Stage]    `gpu:"read"`
	count    uint32
	clock    uint32
	timestep float32
	buried   bool
}

// guideByMapInput is that of guidebymap.comp.glsl: agents that walk by a map.
type guideByMapInput struct {
	routeInput
	before       *gpu.Buffer[Agent]           `gpu:"read"`
	guidance     *gpu.Buffer[Guidance]        `gpu:"readwrite"`
	params       *gpu.Buffer[AvoidanceParams] `gpu:"read"`
	timestep     float32
	mapUnchanged bool
	avoids       bool
	next         uint32
}

// guideSearchInput is that of guidesearch.comp.glsl: agents that see no generator near them.
type guideSearchInput struct {
	routeInput
	before       *gpu.Buffer[Agent] `gpu:"read"`
	mapUnchanged bool
	first        uint32
	slice        uint32
}

// Guide computes preferred velocities from goals and their maps, arrivals and next goals. It
// reads agents, walls, maps and what Escape has found, and writes guidance.
func (c *Crowd) Guide() { c.device.Stage("guide", c.guideAll) }

func (c *Crowd) guideAll() {
	c.deferred.reset()
	c.passes.guide.Run(guideInput{
		deferredInput: c.deferred.input(), traits: c.traits, before: c.agents[0], guidance: c.guidance, stages: c.stages,
		count: uint32(c.count), clock: c.clock, timestep: c.timestep, buried: c.Buried(),
	}, c.groups())
	byMap := c.passes.guiding(c.pointSourcesOnly)
	guide := func(pass, next int) {
		runDeferred(byMap.guide.Pass, guideByMapInput{
			routeInput: c.route(c.deferred, c.count, pass), before: c.agents[0], guidance: c.guidance, params: c.paramBuffer,
			timestep: c.timestep, mapUnchanged: c.mapUnchanged, avoids: c.avoids(), next: uint32(next),
		}, c.deferred.table, pass, c.count, c.walls.turns.steering())
	}
	guide(steering, searching)
	for _, pass := range []int{searching, searchingAgain}[:c.turns] {
		search(byMap.search.Pass, guideSearchInput{
			routeInput: c.route(c.deferred, c.count, pass), before: c.agents[0], mapUnchanged: c.mapUnchanged,
		}, c.slice)
		guide(pass, searchingAgain)
	}
	c.runWatch(c.agents[0], false)
}

// search runs the searches of a deferred pass to their end, by slices of so many generators.
func search(p *gpu.Pass[guideSearchInput], in guideSearchInput, slice int) {
	in.slice = uint32(slice)
	for ; in.first < in.stride; in.first += in.slice {
		p.RunIndirect(in, in.deferred, in.deferred.Stride()*int(in.pass))
	}
}

// sliceFor is how many generators a dispatch of searches by so many agents asks about.
func sliceFor(agents int) int { return max(1, min(searchTurns*groupSize, searchPairs/max(agents, 1))) }
