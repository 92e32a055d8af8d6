package agents

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/shaders"
)

// Guide has the shortest path maps that agents read, one layer a goal: buffers and textures of the
// maps' builder. Layer l's generators are records l*Stride..(l+1)*Stride. The first Sources of them
// are the goal's sources, points and light fields of segments; unused records have an infinite
// distance. The textures are arrays with the same layers, row 0 lowest, and texel (i, j) covers the
// square of side Cell with its lower left corner at (j*Cell, i*Cell), local. Positions of
// generators count as their lattice points.
type Guide struct {
	Generators *gpu.Buffer[shaders.Generator]
	Stride     int // generators of a layer
	Sources    int // of them that are sources
	// R32UI array: index of the texel's generator in its layer, NoParent where none
	Parents *gpu.Texture
	// RGBA32F array: in alpha the state, Unreached where ground is free and no source reaches it
	Field      *gpu.Texture
	Unreached  float32 // that state
	Cell       float64 // m
	PointsOnly bool    // no generator is a light field: that makes steps faster

	// Terrains has the ground of each layer's map where it is not the crowd's: the crowd's with
	// obstacles grown by a clearance. A layer with a zero Terrain, and every layer where Terrains
	// is nil, has a map of the crowd's ground, also after SetGround.
	Terrains []Terrain
}

// Terrain is a ground with the grid of its walls. Layers that share both share what is uploaded.
type Terrain struct {
	Ground *geom.Ground
	Grid   *geom.WallGrid
}

// Crowd is the agents of a scene on the device.
type Crowd struct {
	device   *gpu.Device
	lattice  geom.Lattice
	timestep float32
	tick     float64 // the time step, s
	capacity int     // slots that buffers have
	count    int     // of them, the first ones, that any agent ever had
	clock    uint32  // steps done

	mirror      []Traits // of each slot up to count
	traits      *gpu.Buffer[Traits]
	agents      [2]*gpu.Buffer[Agent] // agents[0] is the newest state
	guidance    *gpu.Buffer[Guidance]
	stages      *gpu.Buffer[Stage]
	itineraries []Stage
	counters    *gpu.Buffer[uint32]
	begins      []uint32 // the first counters as a step begins: 0, and its number
	mail        *gpu.Mailbox[uint32]
	latest      Counters
	enters      bool   // some agent enters after the begin
	waitsSince  uint32 // steps done when the newest agents that enter were added
	lastEntry   uint32 // the step in which the last agents enter

	terrain          Terrain // that agents walk on
	guide            Guide
	walls            walls
	motions          motions
	mapUnchanged     bool // the agents' Sees is of this guide and these walls
	pointSourcesOnly bool // all generators are points, all maps of these walls
	wallsChanged     bool // since the last step
	wallsEverChanged bool // since New

	measured bool // steps make up a Tally
	freshly  bool // no step has been measured yet
	rests    *gpu.Buffer[Rest]

	late       *gpu.Buffer[uint32] // how many enter late, then their indices
	sorted     bool                // bodies are those of the newest step
	sortAlways bool
	turns      int // how often an agent may have to search all generators in a step
	slice      int // generators that a dispatch asks about for each
	deferred   deferredQueue
	changing   changing
	events     events
	areas      areas
	watching   watching
	serving    serving
	cells      cells
	contacts   contacts
	avoidance

	passes  passes
	held    gpu.ResourceSet
	deleted bool
}

// New places the agents of a scene and uploads them. Errors are of type *spawn.RoomError,
// *gpu.CapacityError or *gpu.CompileError. Positions and all else are the same whenever the scene
// is the same.
//
// The guide's layers are the scene's goals in order.
func New(device *gpu.Device, scene *scenes.Scene, ground *geom.Ground, grid *geom.WallGrid, guide Guide) (*Crowd, error) {
	placements, err := spawn.Agents(scene, ground, grid)
	if err != nil {
		return nil, err
	}
	c := &Crowd{
		device: device, lattice: ground.Lattice, timestep: float32(scene.Simulation.Timestep), tick: scene.Simulation.Timestep,
		capacity: len(placements), count: len(placements), terrain: Terrain{ground, grid}, held: gpu.ResourceSet{Device: device},
		begins: make([]uint32, counterStep+1),
	}
	traits, agents, itineraries := begin(scene, ground.Lattice, placements)
	c.itineraries, c.mirror, c.turns, c.slice = itineraries, traits, 1, sliceFor(c.count)
	c.contacts = contacts{rounds: scene.Simulation.ContactRounds}
	c.admit(traits...)
	c.enters = c.lastEntry > 0
	c.avoidance.begin(scene)
	var services []*scenes.Service
	for _, g := range scene.Goals {
		services = append(services, g.Service)
	}
	c.serving.desks = desksOf(services)
	err = c.change("a crowd of", func(r *gpu.ResourceSet) {
		c.traits = gpu.Upload(r, "agents traits", traits)
		c.agents = [2]*gpu.Buffer[Agent]{gpu.Upload(r, "agents state", agents), gpu.Upload(r, "agents state", agents)}
		c.stages = gpu.Upload(r, "agents itineraries", c.itineraries)
		c.counters = gpu.Upload(r, "agents counters", make([]uint32, counterWords))
		c.mail = gpu.Keep(r, func() (*gpu.Mailbox[uint32], error) {
			return gpu.NewMailbox[uint32](device, gpu.MailboxSpec{Label: "agents counters", Length: counterWords, Latency: counterLatency})
		})
		c.paramBuffer = gpu.Upload(r, "agents avoidance parameters", c.params)
		c.motions.grow(r, 1)
		c.deferred = newDeferredQueue(r, c.capacity)
		c.setGuide(guide)
	})
	if err == nil {
		err = c.do(func() error {
			c.writeSources()
			if c.serving.desks != nil {
				c.serving.write(c.tick)
			}
			return nil
		})
	}
	if err != nil {
		c.Delete()
		return nil, err
	}
	return c, nil
}

// begin makes the records of the agents of a scene, and of their itineraries.
func begin(scene *scenes.Scene, lattice geom.Lattice, placements []spawn.Placement) ([]Traits, []Agent, []Stage) {
	var stages []Stage
	groups := make([][]Traits, len(scene.Groups)) // what the agents of each share, by their routes
	for i, g := range scene.Groups {
		profile := slices.IndexFunc(scene.Profiles, func(profile scenes.Profile) bool { return profile.ID == g.Profile })
		own := scene.Profiles[profile]
		shared := Traits{Steering: SPM, Group: uint32(i), OnArrival: OnArrivalOf(g.OnArrival), Profile: uint32(profile)}
		if own.Steering == scenes.SteeringDirect {
			shared.Steering = Direct
		}
		for _, itinerary := range g.Itineraries() {
			shared.FirstStage = uint32(len(stages))
			if g.Goal == scenes.AntipodeGoal {
				// An agent's own point is reached when its disc covers it.
				stages = append(stages, Stage{Layer: OwnPoint, ArrivalRadius: float32(own.Radius.Mean)})
			}
			for _, id := range itinerary {
				layer := slices.IndexFunc(scene.Goals, func(goal scenes.Goal) bool { return goal.ID == id })
				if layer < 0 {
					panic(fmt.Sprintf("agents: group %q walks to the unknown goal %q; check scenes before making a crowd", g.ID, id))
				}
				stages = append(stages, Stage{Layer: uint32(layer), ArrivalRadius: float32(scene.Goals[layer].ArrivalRadius)})
			}
			shared.Stages = uint32(len(stages)) - shared.FirstStage
			groups[i] = append(groups[i], shared)
		}
	}
	traits := make([]Traits, len(placements))
	agents := make([]Agent, len(placements))
	for i, p := range placements {
		t, own := &traits[i], p.Own.Sub(lattice.Origin)
		*t = groups[p.Group][p.Route]
		t.Own = [2]float32{float32(own[0]), float32(own[1])}
		t.Radius, t.PreferredSpeed, t.MaxSpeed = float32(p.Radius), float32(p.Speed), float32(p.MaxSpeed)
		if stage := stages[t.FirstStage]; stage.Layer == OwnPoint && stage.ArrivalRadius != t.Radius {
			t.FirstStage = uint32(len(stages))
			stages = append(stages, Stage{Layer: OwnPoint, ArrivalRadius: t.Radius})
		}
		t.Entry = EntryStep(p.Time, scene.Simulation.Timestep)
		agents[i] = Agent{
			Position: lattice.Local(p.At),
			FromX:    p.From.X, FromY: p.From.Y, Perturbation: 1,
			Target: NoTarget,
			Layer:  stages[t.FirstStage].Layer,
			Status: Waiting,
		}
		if t.Entry == 0 {
			agents[i].Status = Walking // there before the first step
		}
	}
	return traits, agents, stages
}

// OnArrivalOf is Traits.OnArrival of what a scene says.
func OnArrivalOf(o scenes.OnArrival) uint32 {
	return map[scenes.OnArrival]uint32{scenes.ArrivalStay: OnArrivalStay, scenes.ArrivalLoop: OnArrivalLoop}[o]
}

// EntryStep is the first step that begins at a time or after it. A time that is a whole number of
// steps but for a part in 10^9 counts as one.
func EntryStep(time, timestep float64) uint32 {
	return uint32(min(math.Ceil(time/timestep*(1-1e-9)), math.MaxUint32))
}

// sorts reports whether some pass looks for neighbors.
func (c *Crowd) sorts() bool {
	return c.count > 0 && (c.measured || c.sortAlways || c.avoids())
}

// cleared reports whether some layer's map is of other ground than the one that agents walk on.
func (c *Crowd) cleared() bool {
	return slices.ContainsFunc(c.guide.Terrains, func(t Terrain) bool { return t != (Terrain{}) && t != c.terrain })
}

// SetGuide makes the agents follow other maps from the next step on: after sources changed, or
// everything. The layers are the scene's goals in order. Agents keep their targets as a hint
// only, so the generators may be numbered anew. The error is a *gpu.CapacityError where the
// device has no memory for the guide's Terrains, or a *gpu.CompileError; the maps are then those
// of before.
func (c *Crowd) SetGuide(guide Guide) error {
	for _, t := range guide.Terrains {
		c.checkLattice("SetGuide", t.Ground)
	}
	if err := c.change("other maps for", func(*gpu.ResourceSet) { c.setGuide(guide) }); err != nil {
		return err
	}
	return c.do(func() error { c.writeSources(); return nil })
}

func (c *Crowd) setGuide(guide Guide) {
	c.guide, c.mapUnchanged = guide, false
	c.pointSourcesOnly = guide.PointsOnly && !c.cleared()
}

// writeSources brings the itineraries up to the guide.
func (c *Crowd) writeSources() {
	for i := range c.itineraries {
		c.itineraries[i].Sources = uint32(c.guide.Sources)
	}
	c.stages.Write(0, c.itineraries)
}

// SetGround changes the walls that stop agents, from the next step on. That step first moves agents
// that obstacles now cover to the nearest free ground, at any distance; an agent that enters later
// is moved there when it enters. Where no ground is free, agents stay as they are.
//
// On the lattice of another domain agents keep their places in the world, and those beyond it come
// to its border; SetGuide has to follow. That waits for the device.
//
// The error is a *gpu.CapacityError where the device has no memory for the walls, or a
// *gpu.CompileError; the walls are then those of before.
func (c *Crowd) SetGround(ground *geom.Ground, grid *geom.WallGrid) error {
	from := c.lattice
	err := c.change("other walls for", func(r *gpu.ResourceSet) {
		if ground.Lattice != from {
			c.takeLattice(r, ground.Lattice)
		}
		c.terrain = Terrain{ground, grid}
		c.setGuide(c.guide)
		c.wallsChanged, c.wallsEverChanged, c.motions.some, c.motions.swept = true, true, false, 0
	})
	if err == nil && ground.Lattice != from {
		err = c.do(func() error { c.rebase(from); return nil })
	}
	return err
}

func (c *Crowd) checkLattice(call string, g *geom.Ground) {
	if g != nil && g.Lattice != c.lattice {
		panic(fmt.Sprintf("agents: %s with a ground on another lattice; build it on that of the crowd's ground", call))
	}
}

// Count is the number of agents, those included that have not entered yet or have left.
func (c *Crowd) Count() int { return c.count }

// A step is the stages that follow, in the order of engine/frame.go, from Begin to End, inside of
// one gpu.Device.Do.

// Begin begins a step: it resets the counters of a step. It panics with ErrDeleted.
func (c *Crowd) Begin() {
	c.mustBe()
	c.begins[counterStep] = c.clock + 1
	c.counters.Write(0, c.begins)
}

// End ends a step: the state after it becomes the newest, and counters go to the CPU, which has
// them three steps later. It waits only for a device that is more than that behind.
func (c *Crowd) End() {
	c.runWatch(c.agents[1], true)
	c.agents[0], c.agents[1] = c.agents[1], c.agents[0]
	c.mapUnchanged = true
	c.clock++
	c.postEvents()
	c.postReasons()
	c.mail.Post(c.counters, 0)
	var words [counterWords]uint32
	for {
		if _, ok := c.mail.Take(words[:]); !ok {
			return
		}
		c.latest = c.readout(&words)
	}
}

// groups is how many work groups have an invocation for each agent.
func (c *Crowd) groups() uint32 { return gpu.Groups(c.count, groupSize) }

// Buried reports whether no ground is free: agents then stay as they are.
func (c *Crowd) Buried() bool { return len(c.terrain.Ground.Walls) == 0 }

// Counters returns the counters of three steps ago, without waiting; those of no steps before.
// Their Step says of when they are.
func (c *Crowd) Counters() Counters { return c.latest }

// CountersNow returns the counters of the newest step. It waits for the device and counts as a
// readback. It panics with ErrDeleted and the errors of gpu.Device.Do.
func (c *Crowd) CountersNow() Counters {
	var words [counterWords]uint32
	c.mustBe()
	c.counters.Read(0, words[:])
	return c.readout(&words)
}

// Snapshot reads the agents back into dst, which must have Count elements. It waits for the
// device and counts as a readback. It panics with ErrDeleted and the errors of gpu.Device.Do.
func (c *Crowd) Snapshot(dst []Agent) {
	if len(dst) != c.count {
		panic(fmt.Sprintf("agents: Snapshot of %d agents into %d", c.count, len(dst)))
	}
	c.mustBe()
	c.agents[0].Read(0, dst)
}

// Buffers are what drawing reads. Agents and Previous change names with each step.
type Buffers struct {
	Count    int
	Agents   *gpu.Buffer[Agent]  // position, velocity, layer, status
	Previous *gpu.Buffer[Agent]  // before the last step, with the changes that it began with
	Traits   *gpu.Buffer[Traits] // radius, group
}

// Buffers returns the newest state.
func (c *Crowd) Buffers() Buffers {
	return Buffers{Count: c.count, Agents: c.agents[0], Previous: c.agents[1], Traits: c.traits}
}

// ErrDeleted says that a crowd was deleted before the call. A world deletes its crowd when it is
// closed.
var ErrDeleted = errors.New("agents: the crowd was deleted, with its world if it had one: make another")

// do runs f in the device's context, unless the crowd was deleted.
func (c *Crowd) do(f func() error) error {
	if c.deleted {
		return ErrDeleted
	}
	return c.device.Do(f)
}

// mustBe panics where the crowd was deleted.
func (c *Crowd) mustBe() {
	if c.deleted {
		panic(ErrDeleted)
	}
}

// Delete frees what the crowd holds on the device. The guide's buffers are their owner's. Later
// calls that use the device return ErrDeleted, or panic with it.
func (c *Crowd) Delete() {
	c.deleted = true
	c.held.Delete()
}
