package agents

import (
	"fmt"
	"maps"
	"slices"

	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// method is a method of avoiding others.
type method struct {
	name       scenes.Avoidance
	stage      string                                // that decides by it; none of NoMethod
	nests      bool                                  // the stage has a nested form
	broadPhase bool                                  // the stage has a form that accepts most velocities fast, and one for the rest
	turns      func(m AvoidanceParams, room int) int // of loops that an agent takes, at most
	claims     bool                                  // its agents claim the right of way
}

// methods are the ways of avoiding others, by Method. A new one is a line here, a shader
// that includes agents/avoid.glsl, its plain form in package agents/reference, and a test.
var methods = []method{
	{name: scenes.AvoidanceNone},
	{name: scenes.AvoidanceRVO, stage: "rvo", nests: true, turns: rvoTurns},
	{name: scenes.AvoidanceClearPath, stage: "clearpath", broadPhase: true, claims: true, turns: clearPathTurns},
	{name: scenes.AvoidanceORCA, stage: "orca", broadPhase: true, claims: true, turns: orcaTurns},
}

// avoidance is what a crowd needs to keep clear of one another.
type avoidance struct {
	params      []AvoidanceParams // of each profile
	seed        [2]uint32
	paramBuffer *gpu.Buffer[AvoidanceParams]
	cells       cells
	near        lists
	waiting     *gpu.Buffer[[4]uint32] // of each method the dispatch for the agents that the broad phase defers, and how many they are
	wishes      *gpu.Pass[avoidInput]  // computes each agent's Wish; nil while none claims the right of way
	kernels     map[kernelVariant]kernel
	launch      Launch
	held        resources
}

// avoids reports whether any agent avoids others.
func (a *avoidance) avoids() bool {
	return slices.ContainsFunc(a.params, func(m AvoidanceParams) bool { return m.Method != NoMethod })
}

// claims reports whether an agent claims the right of way.
func (a *avoidance) claims() bool {
	return slices.ContainsFunc(a.params, func(m AvoidanceParams) bool { return methods[m.Method].claims })
}

// begin takes the params of a scene's profiles.
func (a *avoidance) begin(d *gpu.Device, scene *scenes.Scene, lattice geom.Lattice, count int) error {
	seed := scene.Simulation.Seed
	a.seed = [2]uint32{uint32(seed), uint32(seed >> 32)}
	a.held.device = d
	a.params = make([]AvoidanceParams, len(scene.Profiles))
	for i, p := range scene.Profiles {
		a.params[i] = AvoidanceParamsOf(p)
	}
	a.paramBuffer = upload(&a.held, "agents avoidance parameters", a.params)
	if a.held.err != nil {
		return a.held.err
	}
	return a.prepare(lattice, count)
}

// prepare makes what the params need and is not there yet.
func (a *avoidance) prepare(lattice geom.Lattice, count int) error {
	if !a.avoids() {
		return nil
	}
	h := &resources{device: a.held.device}
	fresh := *a
	fresh.sorting(h, lattice, count)
	fresh.near.prepare(h, count, roomFor(a.params, count))
	if fresh.wishes == nil && fresh.claims() {
		fresh.wishes = compile(h, wishesPass())
	}
	fresh.kernels = map[kernelVariant]kernel{}
	if fresh.near.room == a.near.room {
		fresh.kernels = maps.Clone(a.kernels) // also those that no profile needs now
	}
	for _, m := range fresh.params {
		v := fresh.variant(m.Method, count)
		if _, ok := fresh.kernels[v]; !ok && m.Method != NoMethod {
			fresh.kernels[v] = newKernel(h, v, fresh.near.room)
		}
	}
	if err := fresh.held.take(h); err != nil {
		return err
	}
	if fresh.near.neighbors != a.near.neighbors && a.near.neighbors != nil {
		fresh.held.replace(a.near.neighbors)
	}
	*a = fresh
	return nil
}

// sorting makes what sorting agents needs and is not there yet.
func (a *avoidance) sorting(h *resources, lattice geom.Lattice, count int) {
	if a.cells.bodies == nil {
		a.waiting = upload(h, "agents deferred by the broad phase", emptyQueues(len(methods)))
		a.cells = newCells(h, lattice, count)
	}
}

// AvoidanceParams is how the agents of a profile, by its index in the scene, avoid others. A
// profile that the scene does not have panics.
func (c *Crowd) AvoidanceParams(profile int) AvoidanceParams {
	c.checkProfile(profile)
	return c.avoidance.params[profile]
}

func (c *Crowd) checkProfile(profile int) {
	if count := len(c.avoidance.params); profile < 0 || profile >= count {
		panic(fmt.Sprintf("agents: there is no profile %d; the scene has %d, counted from 0", profile, count))
	}
}

// SetAvoidanceParams changes how the agents of a profile, by its index in the scene, avoid others,
// from the next step on. The error is a *gpu.CapacityError where the device has no memory
// for that many neighbours, or a *gpu.CompileError; all is then as it was. Values that
// no scene could have panic, and so does a profile that the scene does not have.
func (c *Crowd) SetAvoidanceParams(profile int, m AvoidanceParams) error {
	c.checkProfile(profile)
	m.check()
	return c.do(func() error { return c.setAvoidanceParams(profile, m) })
}

func (c *Crowd) setAvoidanceParams(profile int, m AvoidanceParams) error {
	a := &c.avoidance
	before := a.params
	a.params = slices.Clone(before)
	a.params[profile] = m
	err := a.prepare(c.lattice, c.count)
	if err == nil {
		err = c.equip()
	}
	if err != nil {
		a.params = before
	}
	a.paramBuffer.Write(0, a.params)
	if err != nil {
		return fmt.Errorf("agents: other avoidance parameters for a crowd of %d: %w", c.count, err)
	}
	return nil
}

// avoidInput is that of agents/avoid.glsl, which the stages of all methods include.
type avoidInput struct {
	placeInput
	motionInput
	deferredInput
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

// Avoid makes of preferred velocities such that keep agents apart, a method after another. It reads
// lists of neighbors and walls, and writes guidance. It does nothing where FindNeighbors does
// nothing.
func (c *Crowd) Avoid() {
	if c.lists() {
		c.device.Stage("avoid", c.avoid)
	}
}

func (c *Crowd) avoid() {
	a := &c.avoidance
	a.waiting.Write(0, emptyQueues(len(methods)))
	in := avoidInput{
		placeInput: c.place(), motionInput: c.motions.input(), deferredInput: deferredQueue{a.waiting, a.near.waiting.queues}.input(),
		spotsOf: a.cells.spots, params: a.paramBuffer, guidance: c.guidance, neighbors: a.near.neighbors, nearWalls: a.near.nearWalls,
		count: uint32(c.count), clock: c.clock, timestep: c.timestep, seed: a.seed,
	}
	if a.claims() {
		a.wishes.Run(in, c.groups())
	}
	for m := range methods {
		v := a.variant(Method(m), c.count)
		if slices.ContainsFunc(a.params, func(of AvoidanceParams) bool { return m > 0 && of.Method == Method(m) }) {
			a.kernels[v].run(v, in, a.avoidTurns(Method(m)))
		}
	}
}

// kernel is the passes of a variant: one for all agents, or a broad phase for all agents and one
// for those that it defers.
type kernel struct{ broad, avoid *gpu.Pass[avoidInput] }

func newKernel(r *resources, v kernelVariant, room int) (k kernel) {
	passes := avoidPasses(v, room)
	k.avoid = compile(r, passes[0])
	if len(passes) > 1 {
		k.broad = compile(r, passes[1])
	}
	return k
}

// run makes all agents of a method choose, which take so many turns at most. The queue of the
// method is empty.
func (k kernel) run(v kernelVariant, in avoidInput, turns int) {
	in.method, in.pass = v.method, v.method
	count := int(in.count)
	switch {
	case k.broad != nil:
		k.broad.RunEach(in, count, groupSize, turns)
		runDeferred(k.avoid, in, in.deferred, int(v.method), count, turns)
	case v.nested:
		k.avoid.RunEach(in, count, 1, turns)
	default:
		k.avoid.RunEach(in, count, groupSize, turns)
	}
}

// wishesPass describes the pass that computes the Wish of each agent. It brings its own main, as
// nested stages do.
func wishesPass() gpu.PassSpec[avoidInput] {
	return specOf[avoidInput]("wishes", map[string]any{
		"NEIGHBOR_ROOM": 1, "WALL_ROOM": nearWallRoom, "STREAM_AVOID": spawn.StreamAvoid, "NESTED": 1,
	})
}

// avoidancePasses are the passes of avoidance, for lists of one size.
func avoidancePasses() []gpu.PassInfo {
	specs := []gpu.PassInfo{wishesPass().Info()}
	for m := NoMethod + 1; int(m) < len(methods); m++ {
		variants := []kernelVariant{{m, false}}
		if methods[m].nests {
			variants = append(variants, kernelVariant{m, true})
		}
		for _, v := range variants {
			for _, p := range avoidPasses(v, 10) {
				specs = append(specs, p.Info())
			}
		}
	}
	return specs
}

// avoidPasses describe the passes of a variant for lists of so many neighbors: the one that avoids,
// and the broad phase before it, if there is one.
func avoidPasses(v kernelVariant, room int) []gpu.PassSpec[avoidInput] {
	of := func(form string) gpu.PassSpec[avoidInput] {
		return specOf[avoidInput](methods[v.method].stage, map[string]any{
			"NEIGHBOR_ROOM": room, "WALL_ROOM": nearWallRoom, "STREAM_AVOID": spawn.StreamAvoid, form: 1,
		})
	}
	switch {
	case v.nested:
		return []gpu.PassSpec[avoidInput]{of("NESTED")}
	case methods[v.method].broadPhase:
		return []gpu.PassSpec[avoidInput]{of("QUEUED"), of("BROAD_PHASE")}
	default:
		return []gpu.PassSpec[avoidInput]{of("FLAT")}
	}
}
