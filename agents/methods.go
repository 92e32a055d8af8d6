package agents

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/avoid"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// method is a way of avoiding others.
type method struct {
	name      scenes.Avoidance
	shader    string                                          // the stage that decides by it; none of NoMethod
	nests     bool                                            // the stage has a nested form
	glances   bool                                            // the stage has a form for a glance, and avoid is for the rest
	turns     func(m Manner, room int) int                    // of loops that an agent takes, at most
	claims    bool                                            // its agents claim the right of way
	reference func(s avoid.Situation, seed uint64) mgl64.Vec2 // its plain form
}

// methods are the ways of avoiding others, by Method. A new one is a line here, a shader
// that includes agents/avoid.glsl, its plain form in package avoid, and a test.
var methods = []method{
	{name: scenes.AvoidanceNone},
	{
		name: scenes.AvoidanceRVO, shader: "agents/rvo.comp.glsl", nests: true, turns: rvoTurns,
		reference: func(s avoid.Situation, seed uint64) mgl64.Vec2 {
			return avoid.RVO(s, func(sample int) [2]float64 { return randomPair(seed, s.ID, s.Step, uint32(sample)) })
		},
	},
	{
		name: scenes.AvoidanceClearPath, shader: "agents/clearpath.comp.glsl", glances: true, claims: true, turns: clearPathTurns,
		reference: func(s avoid.Situation, _ uint64) mgl64.Vec2 { return avoid.ClearPath(s) },
	},
	{
		name: scenes.AvoidanceORCA, shader: "agents/orca.comp.glsl", glances: true, claims: true, turns: orcaTurns,
		reference: func(s avoid.Situation, _ uint64) mgl64.Vec2 { return avoid.ORCA(s) },
	},
}

// bindManners is the binding point of the Manner of each profile, bindBodies that of the bodies; of passes that
// decide, bindWaiting is that of how many wait, bindWaiters that of who.
const (
	bindBodies  = 5
	bindManners = 7
	bindWaiting = 1
	bindWaiters = 4
)

// avoidance is what a crowd needs to keep clear of one another.
type avoidance struct {
	manners  []Manner // of each profile
	seed     [2]uint32
	settings *gpu.Buffer[Manner]
	cells    cells
	near     lists
	waiting  *gpu.Buffer[[4]uint32] // of each method the dispatch for those for whom a glance is not enough, and how many they are
	wishes   *gpu.Program           // computes each agent's Wish; nil while none claims the right of way
	deciders map[decider]programs
	launch   Launch
	hoard    hoard
}

// avoids reports whether anybody avoids others.
func (a *avoidance) avoids() bool {
	return slices.ContainsFunc(a.manners, func(m Manner) bool { return m.Method != NoMethod })
}

// claims reports whether an agent claims the right of way.
func (a *avoidance) claims() bool {
	return slices.ContainsFunc(a.manners, func(m Manner) bool { return methods[m.Method].claims })
}

// begin takes the manners of a scene's profiles.
func (a *avoidance) begin(d *gpu.Device, scene *scenes.Scene, lattice geom.Lattice, count int) error {
	seed := scene.Simulation.Seed
	a.seed = [2]uint32{uint32(seed), uint32(seed >> 32)}
	a.hoard.device = d
	a.manners = make([]Manner, len(scene.Profiles))
	for i, p := range scene.Profiles {
		a.manners[i] = MannerOf(p)
	}
	return a.prepare(lattice, count)
}

// prepare makes what the manners need and is not there yet.
func (a *avoidance) prepare(lattice geom.Lattice, count int) error {
	if !a.avoids() {
		return nil
	}
	h := &hoard{device: a.hoard.device}
	fresh := *a
	fresh.sorting(h, lattice, count)
	fresh.near.prepare(h, count, roomFor(a.manners, count))
	if fresh.wishes == nil && fresh.claims() {
		fresh.wishes = newWishes(h)
	}
	deciders := map[decider]programs{}
	for _, m := range fresh.manners {
		d := fresh.decider(m.Method, count)
		switch kept, ok := a.deciders[d]; {
		case m.Method == NoMethod || deciders[d].avoid != nil:
		case ok && fresh.near.room == a.near.room:
			deciders[d] = kept
		default:
			deciders[d] = newPrograms(h, d, fresh.near.room)
		}
	}
	if h.err != nil {
		h.delete()
		return h.err
	}
	if fresh.near.room == a.near.room {
		for d, p := range a.deciders {
			deciders[d] = p // also those that nobody needs now
		}
	}
	fresh.deciders = deciders
	fresh.hoard.held = append(fresh.hoard.held, h.held...)
	*a = fresh
	return nil
}

// sorting makes what sorting agents needs and is not there yet.
func (a *avoidance) sorting(h *hoard, lattice geom.Lattice, count int) {
	if a.settings == nil {
		a.settings = upload(h, "agents manners", a.manners)
		a.waiting = upload(h, "agents waiting", nobodyWaits(len(methods)))
		a.cells = newCells(h, lattice, count)
	}
}

// Manner is how the agents of a profile, by its index in the scene, avoid others. A profile that the scene
// does not have panics.
func (c *Crowd) Manner(profile int) Manner {
	c.checkProfile(profile)
	return c.avoidance.manners[profile]
}

func (c *Crowd) checkProfile(profile int) {
	if count := len(c.avoidance.manners); profile < 0 || profile >= count {
		panic(fmt.Sprintf("agents: there is no profile %d; the scene has %d, counted from 0", profile, count))
	}
}

// SetManner changes how the agents of a profile, by its index in the scene, avoid others,
// from the next step on. The error is a *gpu.CapacityError where the device has no memory
// for that many neighbours, or a *gpu.CompileError; all is then as it was. Values that
// no scene could have panic, and so does a profile that the scene does not have.
func (c *Crowd) SetManner(profile int, m Manner) error {
	c.checkProfile(profile)
	m.check()
	return c.do(func() error { return c.setManner(profile, m) })
}

func (c *Crowd) setManner(profile int, m Manner) error {
	a := &c.avoidance
	before := a.manners
	a.manners = slices.Clone(before)
	a.manners[profile] = m
	err := a.prepare(c.lattice, c.count)
	if err == nil {
		err = c.equip()
	}
	if err != nil {
		a.manners = before
	}
	if a.settings != nil {
		a.settings.Write(0, a.manners)
	}
	if err != nil {
		return fmt.Errorf("agents: another manner for a crowd of %d: %w", c.count, err)
	}
	return nil
}

// avoid makes of the preferred velocities such that keep people apart.
func (c *Crowd) avoid() {
	a := &c.avoidance
	if !a.avoids() || c.count == 0 || c.buried() {
		return
	}
	a.settings.Bind(bindManners)
	a.near.neighbors.Bind(bindNeighbors)
	a.near.nearWalls.Bind(bindNearWalls)
	a.waiting.Write(0, nobodyWaits(len(methods)))
	c.guidance.Bind(bindGuidance)
	a.cells.spots.Bind(unitSpots)
	a.waiting.Bind(bindWaiting)
	a.near.queues.Bind(bindWaiters)
	uniforms := func(p *gpu.Program) {
		p.Set("count", uint32(c.count))
		p.Set("clock", c.clock)
		p.Set("timestep", c.timestep)
		p.Set("seed", a.seed)
		c.motions.tell(p)
		c.place(p)
	}
	c.device.Pass("avoid", func() {
		if a.claims() {
			uniforms(a.wishes)
			a.wishes.Dispatch(c.groups(), 1, 1)
			c.device.Barrier(gpu.BarrierStorage)
		}
		for m := range methods {
			d := a.decider(Method(m), c.count)
			p, ok := a.deciders[d]
			if !ok || !slices.ContainsFunc(a.manners, func(of Manner) bool { return of.Method == Method(m) }) {
				continue
			}
			p.run(d, c.device, a.waiting, c.count, a.avoidTurns(Method(m)), uniforms)
		}
	})
	c.device.Barrier(gpu.BarrierStorage)
	c.bind()
}

// programs are those of a decider: one for everybody, or one for a glance of everybody and
// one for those who wait then.
type programs struct{ glance, avoid *gpu.Program }

func newPrograms(h *hoard, d decider, room int) (p programs) {
	specs := methodSpecs(d, room)
	for i, kept := range []**gpu.Program{&p.avoid, &p.glance}[:len(specs)] {
		*kept = keep(h, func() (*gpu.Program, error) { return gpu.NewProgram(h.device, specs[i]) })
	}
	return p
}

// wishesSpec says how the stage that computes the Wish of each agent is put together. It brings its
// own main, as nested stages do.
func wishesSpec() gpu.Spec {
	return avoidanceSpec("agents/wishes.comp.glsl", map[string]any{"NEIGHBOR_ROOM": 1, "WALL_ROOM": nearWallRoom, "NESTED": 1})
}

func newWishes(h *hoard) *gpu.Program {
	return keep(h, func() (*gpu.Program, error) { return gpu.NewProgram(h.device, wishesSpec()) })
}

// run has so many bodies decide, which take so many turns at most, with everything bound, waiting and waiters among it, and nobody
// waiting.
func (p programs) run(d decider, device *gpu.Device, waiting *gpu.Buffer[[4]uint32], count, turns int, uniforms func(p *gpu.Program)) {
	for _, program := range []*gpu.Program{p.glance, p.avoid} {
		if program != nil {
			uniforms(program)
			program.Set("method", d.method)
			program.Set("pass", d.method)
		}
	}
	switch {
	case p.glance != nil:
		p.glance.DispatchEach(count, groupSize, turns)
		device.Barrier(gpu.BarrierStorage | gpu.BarrierCommand)
		runFor(p.avoid, waiting, int(d.method), count, turns)
	case d.nested:
		p.avoid.DispatchEach(count, 1, turns)
	default:
		p.avoid.DispatchEach(count, groupSize, turns)
	}
	device.Barrier(gpu.BarrierStorage) // the next method's waiters take these ones' places
}

// avoidancePrograms are the programs of avoidance.
func avoidancePrograms() []gpu.Spec {
	specs := append(append(cellPrograms(), listPrograms()...), wishesSpec())
	for m := NoMethod + 1; int(m) < len(methods); m++ {
		specs = append(specs, methodSpecs(decider{m, false}, 10)...)
		if methods[m].nests {
			specs = append(specs, methodSpecs(decider{m, true}, 10)...)
		}
	}
	return specs
}

// methodSpecs say how the stages of a method are put together for lists of so many neighbours: the one
// that avoids, and that for a glance before it, if it has any.
func methodSpecs(d decider, room int) []gpu.Spec {
	of := func(form string) gpu.Spec {
		return avoidanceSpec(methods[d.method].shader, map[string]any{"NEIGHBOR_ROOM": room, "WALL_ROOM": nearWallRoom, form: 1})
	}
	switch {
	case d.nested:
		return []gpu.Spec{of("NESTED")}
	case methods[d.method].glances:
		return []gpu.Spec{of("QUEUED"), of("GLANCE")}
	default:
		return []gpu.Spec{of("FLAT")}
	}
}

// avoidanceSpec says how a stage of avoidance is put together; defines go before those
// that all have.
func avoidanceSpec(stage string, defines map[string]any) gpu.Spec {
	s := spec(stage, false)
	s.Structs = append(s.Structs, Manner{}, Body{})
	for name, value := range map[string]any{
		"BODIES_BINDING":     bindBodies,
		"MANNERS_BINDING":    bindManners,
		"CELLS_BINDING":      bindCells,
		"PARTS_BINDING":      bindParts,
		"PLACES_BINDING":     bindPlaces,
		"NEIGHBORS_BINDING":  bindNeighbors,
		"NEAR_WALLS_BINDING": bindNearWalls,
		"CELLS_UNIT":         unitCells,
		"PARTS_UNIT":         unitParts,
		"SPOTS_UNIT":         unitSpots,
		"MOTIONS_UNIT":       unitMotions,
		"POSITIONS_UNIT":     unitPositions,
		"PART_AGENTS":        uint32(partAgents),
		"LATER_BINDING":      bindWaiting,
		"QUEUES_BINDING":     bindWaiters,
		"STREAM_AVOID":       uint32(streamAvoid),
	} {
		s.Defines[name] = value
	}
	for name, value := range defines {
		s.Defines[name] = value
	}
	return s
}

// randomPair is the random numbers that an agent has in a step, as shaders/agents/avoid.glsl
// draws them.
func randomPair(seed uint64, id, step, number uint32) [2]float64 {
	words := Philox([4]uint32{uint32(streamAvoid), id, step, number}, [2]uint32{uint32(seed), uint32(seed >> 32)})
	unit := func(word uint32) float64 { return math.Ldexp(float64(word>>8), -24) }
	return [2]float64{unit(words[0]), unit(words[1])}
}
