package agents

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/avoid"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// method is a way of avoiding others.
type method struct {
	name      scenes.Avoidance
	shader    string                                          // the stage that decides by it; none of NoMethod
	reference func(s avoid.Situation, seed uint64) mgl64.Vec2 // its plain form
}

// methods are the ways of avoiding others, by Method. A new one is a line here, a shader
// that includes agents/avoid.glsl, its plain form in package avoid, and a test.
var methods = []method{
	{name: scenes.AvoidanceNone},
}

// Body is what others see of an agent, and what avoidance knows of it.
type Body struct {
	Position [2]float32 // m, local
	Velocity [2]float32 // m/s
	Radius   float32    // m
	MaxSpeed float32    // m/s
	ID       uint32     // its slot in the buffers of agents
	Manner   uint32     // of its profile; NoManner of who avoids nobody
}

// NoManner is the Manner of a Body that avoids nobody: who stands, or has NoMethod.
const NoManner uint32 = 0xffffffff

// The binding points of the passes of avoidance, where they are not those of state.go.
const (
	bindBodies    = 5 // Body of each agent
	bindManners   = 7 // Manner of each profile
	bindNeighbors = 1 // avoid: lists of neighbours
	bindNearWalls = 2 // avoid: lists of walls
)

// nearWallRoom is how many walls an agent keeps clear of at once.
const nearWallRoom = 16

// avoidance is what a crowd needs to keep clear of one another.
type avoidance struct {
	manners   []Manner // of each profile
	seed      [2]uint32
	settings  *gpu.Buffer[Manner]
	bodies    *gpu.Buffer[Body]
	neighbors *gpu.Buffer[uint32] // for each body how many, then which bodies
	nearWalls *gpu.Buffer[uint32] // for each body how many, then which records of the walls
	room      int                 // neighbours that a list has room for
	gather    *gpu.Program
	deciders  map[Method]*gpu.Program
	hoard     hoard
}

// avoids reports whether anybody avoids others.
func (a *avoidance) avoids() bool {
	return slices.ContainsFunc(a.manners, func(m Manner) bool { return m.Method != NoMethod })
}

// begin takes the manners of a scene's profiles.
func (a *avoidance) begin(d *gpu.Device, scene *scenes.Scene, count int) error {
	seed := scene.Simulation.Seed
	a.seed = [2]uint32{uint32(seed), uint32(seed >> 32)}
	a.hoard.device = d
	a.manners = make([]Manner, len(scene.Profiles))
	for i, p := range scene.Profiles {
		a.manners[i] = MannerOf(p)
	}
	return a.prepare(count)
}

// prepare makes what the manners need and is not there yet.
func (a *avoidance) prepare(count int) error {
	if !a.avoids() {
		return nil
	}
	room := 0
	for _, m := range a.manners {
		if m.Method != NoMethod {
			room = max(room, min(int(m.MaxNeighbors), count-1))
		}
	}
	h := &hoard{device: a.hoard.device}
	fresh := *a
	if a.settings == nil {
		fresh.settings = upload(h, "agents manners", a.manners)
		fresh.bodies = upload(h, "agents bodies", make([]Body, count))
		fresh.nearWalls = upload(h, "agents near walls", make([]uint32, count*(nearWallRoom+1)))
		fresh.gather = keep(h, func() (*gpu.Program, error) {
			return gpu.NewProgram(h.device, avoidanceSpec("agents/bodies.comp.glsl", nil))
		})
	}
	if a.neighbors == nil || room > a.room {
		fresh.neighbors = upload(h, "agents neighbours", make([]uint32, count*(room+1)))
		fresh.room = room
	}
	deciders := map[Method]*gpu.Program{}
	for _, m := range a.manners {
		if m.Method != NoMethod && a.deciders[m.Method] == nil && deciders[m.Method] == nil {
			deciders[m.Method] = keep(h, func() (*gpu.Program, error) {
				return gpu.NewProgram(h.device, avoidanceSpec(methods[m.Method].shader, nil))
			})
		}
	}
	if h.err != nil {
		h.delete()
		return h.err
	}
	fresh.deciders = deciders
	for m, p := range a.deciders {
		deciders[m] = p
	}
	fresh.hoard.held = append(fresh.hoard.held, h.held...)
	*a = fresh
	a.settings.Write(0, a.manners)
	return nil
}

// Manner is how the agents of a profile avoid others.
func (c *Crowd) Manner(profile int) Manner { return c.avoidance.manners[profile] }

// SetManner changes how the agents of a profile, by its index in the scene, avoid others,
// from the next step on. The error is a *gpu.CapacityError where the device has no memory
// for that many neighbours, or a *gpu.CompileError; all is then as it was. Values that
// no scene could have panic.
func (c *Crowd) SetManner(profile int, m Manner) error {
	m.check()
	a := &c.avoidance
	before := a.manners
	a.manners = slices.Clone(before)
	a.manners[profile] = m
	if err := a.prepare(c.count); err != nil {
		a.manners = before
		return fmt.Errorf("agents: another manner for a crowd of %d: %w", c.count, err)
	}
	return nil
}

// avoid makes of the preferred velocities such that keep people apart.
func (c *Crowd) avoid() {
	a := &c.avoidance
	if !a.avoids() || c.count == 0 {
		return
	}
	groups := gpu.Groups(c.count, groupSize)
	a.settings.Bind(bindManners)
	a.bodies.Bind(bindBodies)
	c.device.Pass("cells", func() {
		a.gather.Set("count", uint32(c.count))
		a.gather.Dispatch(groups, 1, 1)
	})
	c.device.Barrier(gpu.BarrierStorage)
	a.neighbors.Bind(bindNeighbors)
	a.nearWalls.Bind(bindNearWalls)
	c.device.Pass("avoid", func() {
		for m := range methods {
			p := a.deciders[Method(m)]
			if p == nil || !slices.ContainsFunc(a.manners, func(of Manner) bool { return of.Method == Method(m) }) {
				continue
			}
			p.Set("count", uint32(c.count))
			p.Set("method", uint32(m))
			p.Set("clock", c.clock)
			p.Set("timestep", c.timestep)
			p.Set("seed", a.seed)
			p.Set("neighborRoom", uint32(a.room))
			p.Set("wallRoom", uint32(nearWallRoom))
			c.place(p)
			p.Dispatch(groups, 1, 1)
		}
	})
	c.device.Barrier(gpu.BarrierStorage)
	c.bind()
}

// avoidancePrograms are the programs of avoidance.
func avoidancePrograms() []gpu.Spec {
	specs := []gpu.Spec{avoidanceSpec("agents/bodies.comp.glsl", nil)}
	for _, m := range methods[1:] {
		specs = append(specs, avoidanceSpec(m.shader, nil))
	}
	return specs
}

// avoidanceSpec says how a stage of avoidance is put together; defines go before those
// that all have.
func avoidanceSpec(stage string, defines map[string]any) gpu.Spec {
	s := spec(stage, false)
	s.Structs = append(s.Structs, Manner{}, Body{})
	s.Defines["BODIES_BINDING"] = bindBodies
	s.Defines["MANNERS_BINDING"] = bindManners
	s.Defines["NEIGHBORS_BINDING"] = bindNeighbors
	s.Defines["NEAR_WALLS_BINDING"] = bindNearWalls
	s.Defines["STREAM_AVOID"] = uint32(streamAvoid)
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
