package agents

import (
	"fmt"
	"maps"
	"slices"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// method is how a method of scenes.AvoidanceMethods runs. Its shader has its name.
type method struct {
	name  scenes.Avoidance
	nests bool // the shader has a nested form
	// the shader has a form that accepts most velocities fast, and one for the rest
	broadPhase bool
	claims     bool // its agents claim the right of way
	// of loops that an agent takes with lists of that size, at most
	turns func(m AvoidanceParams, capacity int) int
	// velocities that an agent with so many neighbors compares, at most; nil: it compares none
	candidates func(m AvoidanceParams, neighbors int) int
	retries    bool // it may go back to an earlier attempt
}

// methods are the ways of avoiding others, by Method.
var methods = []method{
	{name: scenes.AvoidanceNone},
	{name: scenes.AvoidanceRVO, nests: true, turns: rvoTurns, candidates: rvoCandidates},
	{name: scenes.AvoidanceClearPath, broadPhase: true, claims: true, turns: clearPathTurns, candidates: clearPathCandidates, retries: true},
	{name: scenes.AvoidanceORCA, broadPhase: true, claims: true, turns: orcaTurns},
}

// avoidance is what a crowd needs to keep clear of one another.
type avoidance struct {
	profiles    []scenes.Profile
	params      []AvoidanceParams // of each profile
	seed        [2]uint32
	paramBuffer *gpu.Buffer[AvoidanceParams]
	lists       lists
	// of each method the dispatch for the agents that the broad phase defers, and how many they are
	methodQueue *gpu.Buffer[[4]uint32]
	// computes each agent's Wish; nil while none claims the right of way
	wishes  *gpu.Pass[avoidInput]
	kernels map[kernelVariant]kernel
	launch  Launch
}

// begin takes the profiles of a scene.
func (a *avoidance) begin(scene *scenes.Scene) {
	seed := scene.Simulation.Seed
	a.seed = [2]uint32{uint32(seed), uint32(seed >> 32)}
	a.profiles = scene.Profiles
	for _, p := range scene.Profiles {
		a.params = append(a.params, paramsOf(p))
	}
}

// avoids reports whether any agent avoids others.
func (a *avoidance) avoids() bool {
	return slices.ContainsFunc(a.params, func(m AvoidanceParams) bool { return m.Method != NoMethod })
}

// claims reports whether an agent claims the right of way.
func (a *avoidance) claims() bool {
	return slices.ContainsFunc(a.params, func(m AvoidanceParams) bool { return methods[m.Method].claims })
}

// Launch is how methods that sample velocities are dispatched: an agent by an invocation, or by a
// work group that shares its samples. The velocities are the same. Source: Bleiweiss
// 2009, section 4.3, where the nested form is 3.5 times as fast for 32 agents.
type Launch uint32

// The launches.
const (
	// nested for at most nestedMost agents, on a device of its own; else flat
	LaunchAuto Launch = iota
	LaunchFlat        // an invocation for each agent
	// a work group for each agent; flat for more agents than a dispatch has groups
	LaunchNested
)

// nestedMost is up to how many agents their samples are shared by default: with groups of 64
// invocations a GPU of some 10^5 is about full then. A software renderer is full with one agent.
const nestedMost = 1024

// dispatchMost is how many work groups any device can dispatch along an axis.
const dispatchMost = 65535

// SetLaunch chooses how methods are launched, from the next step on. The error is a
// *gpu.CompileError or ErrDeleted; all is then as it was.
func (c *Crowd) SetLaunch(l Launch) error {
	if l > LaunchNested {
		panic(fmt.Sprintf("agents: there is no launch %d; use LaunchAuto, LaunchFlat or LaunchNested", l))
	}
	return c.change("another launch for", func(*gpu.ResourceSet) { c.launch = l })
}

// kernelVariant is a form of a method's passes.
type kernelVariant struct {
	method  Method
	nested  bool
	watched bool // it keeps the reasons of watched agents
}

// variantOf is the form of a method that this crowd launches.
func (c *Crowd) variantOf(m Method) kernelVariant {
	nested := c.capacity <= dispatchMost && c.launch == LaunchNested
	if c.launch == LaunchAuto {
		nested = c.capacity <= nestedMost && !c.device.Info().Software
	}
	return kernelVariant{method: m, nested: nested && methods[m].nests, watched: len(c.watching.slots) > 0}
}

// avoidInput is that of agents/avoid.glsl, which the shaders of all methods include.
type avoidInput struct {
	placeInput
	motionInput
	deferredInput
	ReasonInput
	spotsOf   *gpu.TexelBuffer
	params    *gpu.Buffer[AvoidanceParams] `gpu:"read"`
	guidance  *gpu.Buffer[Guidance]        `gpu:"readwrite"`
	neighbors *gpu.Buffer[uint32]          `gpu:"read"`
	nearWalls *gpu.Buffer[uint32]          `gpu:"read"`
	count     uint32
	First     uint32
	method    uint32
	clock     uint32
	timestep  float32
	seed      [2]uint32
	pass      uint32
}

// Avoid computes, from preferred velocities, velocities that keep agents apart, a method after
// another. It reads lists of neighbors and walls, and writes guidance. It does nothing where
// FindNeighbors does nothing.
func (c *Crowd) Avoid() {
	if c.finds() {
		c.device.Stage("avoid", c.avoid)
	}
}

// emptyMethodQueues is emptyQueues of all methods.
var emptyMethodQueues = emptyQueues(len(methods))

func (c *Crowd) avoid() {
	c.methodQueue.Write(0, emptyMethodQueues)
	in := avoidInput{
		placeInput: c.place(), motionInput: c.motions.input(), deferredInput: deferredQueue{c.methodQueue, c.lists.deferred.queues}.input(),
		ReasonInput: c.watching.input(),
		spotsOf:     c.cells.spots, params: c.paramBuffer, guidance: c.guidance, neighbors: c.lists.neighbors, nearWalls: c.lists.nearWalls,
		count: uint32(c.count), clock: c.clock, timestep: c.timestep, seed: c.seed,
	}
	if c.claims() {
		c.wishes.Run(in, c.groups())
	}
	for m := NoMethod + 1; int(m) < len(methods); m++ {
		turns := 0 // the most of all agents
		for _, params := range c.params {
			if params.Method == m {
				turns = max(turns, methods[m].turns(params, c.lists.capacity))
			}
		}
		if turns > 0 {
			v := c.variantOf(m)
			c.kernels[v].run(v, in, turns)
		}
	}
	if len(c.watching.slots) > 0 {
		c.watching.lists.Run(in, c.groups())
	}
}

// rvoCandidates are the samples and the preferred velocity.
func rvoCandidates(m AvoidanceParams, _ int) int { return int(m.Own0) + 1 }

// clearPathCandidates are the desired velocity, and of each side of a region where its walk begins
// and ends.
func clearPathCandidates(_ AvoidanceParams, neighbors int) int {
	return 1 + 2*3*(neighbors+wallCapacity)
}

// kernel is the passes of a variant: one for all agents, or a broad phase for all agents and one
// for those that it defers.
type kernel struct{ broad, avoid *gpu.Pass[avoidInput] }

func newKernel(r *gpu.ResourceSet, v kernelVariant, capacity int) (k kernel) {
	passes := avoidPasses(v, capacity)
	k.avoid = gpu.Compile(r, passes[0])
	if len(passes) > 1 {
		k.broad = gpu.Compile(r, passes[1])
	}
	return k
}

// run makes all agents of a method choose, which take so many turns at most. The queue of the
// method is empty.
func (k kernel) run(v kernelVariant, in avoidInput, turns int) {
	in.method, in.pass = v.method, v.method
	count, group := int(in.count), groupSize
	if v.nested {
		group = 1
	}
	if k.broad != nil {
		k.broad.RunEach(in, count, group, turns)
		runDeferred(k.avoid, in, in.deferred, int(v.method), count, turns)
	} else {
		k.avoid.RunEach(in, count, group, turns)
	}
}

// wishesPass describes the pass that computes the Wish of each agent.
func wishesPass() gpu.PassSpec[avoidInput] { return bareAvoidPass("wishes") }

// watchListsPass describes the pass that copies the lists of watched agents into their records.
func watchListsPass() gpu.PassSpec[avoidInput] { return bareAvoidPass("watchlists") }

// bareAvoidPass describes a pass with the frame of a method that brings its own main.
func bareAvoidPass(stage string) gpu.PassSpec[avoidInput] {
	return specOfStage[avoidInput](stage, map[string]any{"NEIGHBOR_CAPACITY": 1, "NESTED": 1, "WATCHED": 1})
}

// avoidPasses describe the passes of a variant for lists of so many neighbors: the one that
// avoids, and the broad phase before it, if there is one.
func avoidPasses(v kernelVariant, capacity int) (all []gpu.PassSpec[avoidInput]) {
	m := methods[v.method]
	forms := []string{"FLAT"}
	switch {
	case v.nested:
		forms = []string{"NESTED"}
	case m.broadPhase:
		forms = []string{"QUEUED", "BROAD_PHASE"}
	}
	for _, form := range forms {
		own := paramMacros(m.name)
		maps.Copy(own, map[string]any{"NEIGHBOR_CAPACITY": capacity, "WATCHED": v.watched, form: 1})
		all = append(all, specOfStage[avoidInput](string(m.name), own))
	}
	return all
}
