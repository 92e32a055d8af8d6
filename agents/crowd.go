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

// Guide is the shortest path maps that agents read, a layer a goal: buffers and
// textures of their builder. Layer l's generators are records
// l*Stride..(l+1)*Stride, the first Sources of them the goal's sources (those
// of infinite distance are none), beams of segments among them. The textures are
// arrays with the same layers, row 0 lowest, and texel (i, j) covers the square of
// side Cell whose lower left corner is (j*Cell, i*Cell), local. Positions of
// generators count as their lattice points.
type Guide struct {
	Generators *gpu.Buffer[shaders.Generator]
	Stride     int          // generators of a layer
	Sources    int          // of them that are sources
	Parents    *gpu.Texture // R32UI array: index of the texel's generator in its layer, NoParent where none
	Field      *gpu.Texture // RGBA32F array: in alpha the state, Unreached where ground is free and no source reaches it
	Unreached  float32      // that state
	Cell       float64      // m
	PointsOnly bool         // no generator is a beam: that makes steps faster

	// Terrains are what the layers' maps are of, where that is not the ground that
	// agents walk on: that with obstacles grown by a clearance. nil: all maps
	// are of the crowd's ground; so is that of a layer whose Terrain is zero, also
	// after SetGround.
	Terrains []Terrain
}

// Terrain is a ground with the grid of its walls. Layers that share both share what
// is uploaded.
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
	count    int
	clock    uint32 // steps done

	traits      *gpu.Buffer[Traits]
	agents      [2]*gpu.Buffer[Agent] // agents[0] is the newest state
	guidance    *gpu.Buffer[Guidance]
	stages      *gpu.Buffer[Stage]
	itineraries []Stage
	counters    *gpu.Buffer[uint32]
	mail        *gpu.Mailbox[uint32]
	latest      Counters
	walls       walls
	motions     motions
	guide       Guide
	lastEntry   uint32 // the step in which the last agents enter

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
	avoidance  avoidance
	contacts   contacts
	passes     passes
	held       resources
	deleted    bool
}

// passes are those of the stages of a crowd, nil before they are needed.
type passes struct {
	displace  *gpu.Pass[displaceInput]
	enter     *gpu.Pass[enterInput]
	escape    *gpu.Pass[escapeInput]
	guide     *gpu.Pass[guideInput]
	integrate *gpu.Pass[integrateInput]
	tally     *gpu.Pass[tallyInput]
	measure   *gpu.Pass[measureInput]
	follow    *gpu.Pass[pathFollowInput]
	path      *gpu.Pass[pathInput]
	seek      *gpu.Pass[guideSearchInput]
	variants  map[bool]variant // by pointSourcesOnly
}

// variant is the passes of which there is one for simple maps.
type variant struct {
	guide     *gpu.Pass[guideByMapInput]
	search    *gpu.Pass[guideSearchInput]
	integrate *gpu.Pass[integrateDeferredInput]
}

// Counters say how many agents are in which status after a step.
type Counters struct {
	Step    int // how many steps had been done
	Waiting int // have not entered yet
	Walking int // on their way
	Arrived int // at the end of their itinerary, standing there
	Left    int // at the end of their itinerary, gone
	Reached int // reached the end of their itinerary at least once, looping or not
	Lost    int // on their way, but see none to go: out of reach of every source, or where no map helps; explorers: nothing is left to explore
	Buried  int // there, but no ground is free any more: asleep until some is

	// Stuck are on their way, have not reached the end of their itinerary, and have stayed within
	// their radius of a place for 10 s; counted only where Measure is on.
	Stuck int

	// ZeroGradient are on their way, but their local map has no gradient: their velocities stay as
	// they were.
	ZeroGradient int

	// Displaced is how often, in all steps so far, an agent was put on the nearest
	// free ground because obstacles had come to lie on it.
	Displaced int

	// NeighborListOverflow is how often, in all steps so far, an agent had too many around it for
	// the device to visit them all: some are missing among those that it avoids, or, where Measure
	// is on, contacts with them in the Tally. WallListOverflow is how often an agent that avoids
	// others had more walls near than it can keep clear of at once: the nearest count.
	NeighborListOverflow, WallListOverflow uint64

	Tally Tally
}

// The counters on the device: the statuses, then these. Those up to the step's number begin
// with every step anew, the others go on.
const (
	counterReached = 4 + iota
	counterLost
	counterBuried
	counterStuck
	counterZeroGradient
	counterStep
	counterDisplaced
	// Sums of two words each.
	counterNeighborListOverflow
	_
	counterWallListOverflow
	_
	counterContacts
	_
	counterWallContacts
	_
	counterTravel // steps
	_
	counterTravellers
	_
	counterZeroGradientSum
	_
	// Greatest values: bits of floats, and steps.
	counterPenetration
	counterWallPenetration
	counterSpeedExcess
	counterFirst // complement of the first step
	counterLast
	counterCount
	counterGreatest = counterPenetration
)

// New places the agents of a scene and uploads them. Errors are of type
// *spawn.RoomError, *gpu.CapacityError or *gpu.CompileError. Positions and all else
// are the same whenever the scene is the same.
//
// The guide's layers are the scene's goals in order.
func New(device *gpu.Device, scene *scenes.Scene, ground *geom.Ground, grid *geom.WallGrid, guide Guide) (*Crowd, error) {
	placements, err := spawn.Agents(scene, ground, grid)
	if err != nil {
		return nil, err
	}
	c := &Crowd{device: device, lattice: ground.Lattice, timestep: float32(scene.Simulation.Timestep), tick: scene.Simulation.Timestep, count: len(placements)}
	if err := device.Do(func() error { return c.open(scene, ground, grid, guide, placements) }); err != nil {
		c.Delete()
		return nil, fmt.Errorf("agents: a crowd of %d: %w", c.count, err)
	}
	return c, nil
}

func (c *Crowd) open(scene *scenes.Scene, ground *geom.Ground, grid *geom.WallGrid, guide Guide, placements []spawn.Placement) error {
	traits, agents, stages := begin(scene, ground.Lattice, placements)
	c.itineraries = stages
	for i := range traits {
		c.lastEntry = max(c.lastEntry, traits[i].Entry)
	}
	c.walls = walls{device: c.device, own: Terrain{ground, grid}}
	err := c.allocate(traits, agents)
	if err == nil {
		c.motions, err = newMotions(c.device, 1)
	}
	c.contacts.begin(scene.Simulation.ContactRounds, traits, c.timestep, c.lattice.Step)
	if err == nil {
		err = c.avoidance.begin(c.device, scene, ground.Lattice, c.count)
	}
	if err == nil {
		err = c.equip()
	}
	if err == nil {
		err = c.SetGuide(guide)
	}
	return err
}

// begin makes the records of the agents of a scene, and of their itineraries.
func begin(scene *scenes.Scene, lattice geom.Lattice, placements []spawn.Placement) ([]Traits, []Agent, []Stage) {
	var stages []Stage
	first := make([]uint32, len(scene.Groups))
	for i, g := range scene.Groups {
		first[i] = uint32(len(stages))
		profile, _ := scene.Profile(g.Profile)
		if g.Goal == scenes.AntipodeGoal {
			// One's own point is reached when one's disc covers it.
			stages = append(stages, Stage{Layer: OwnPoint, ArrivalRadius: float32(profile.Radius)})
			continue
		}
		for _, id := range g.Itinerary {
			layer := slices.IndexFunc(scene.Goals, func(goal scenes.Goal) bool { return goal.ID == id })
			if layer < 0 {
				panic(fmt.Sprintf("agents: group %q walks to the unknown goal %q; check scenes before making a crowd", g.ID, id))
			}
			stages = append(stages, Stage{Layer: uint32(layer), ArrivalRadius: float32(scene.Goals[layer].ArrivalRadius)})
		}
	}
	traits := make([]Traits, len(placements))
	agents := make([]Agent, len(placements))
	for i, p := range placements {
		g := scene.Groups[p.Group]
		profile := slices.IndexFunc(scene.Profiles, func(profile scenes.Profile) bool { return profile.ID == g.Profile })
		who := scene.Profiles[profile]
		own := p.Own.Sub(lattice.Origin)
		t := &traits[i]
		*t = Traits{
			Own:            [2]float32{float32(own[0]), float32(own[1])},
			Radius:         float32(who.Radius),
			PreferredSpeed: float32(p.Speed),
			MaxSpeed:       float32(who.MaxSpeed),
			Steering:       SPM,
			Group:          uint32(p.Group),
			Entry:          entryStep(p.Time, scene.Simulation.Timestep),
			FirstStage:     first[p.Group],
			Stages:         uint32(max(1, len(g.Itinerary))),
			OnArrival:      OnArrivalLeave,
			Profile:        uint32(profile),
		}
		if g.Goal == scenes.AntipodeGoal {
			t.Stages = 1
		}
		if who.Steering == scenes.SteeringDirect {
			t.Steering = Direct
		}
		switch g.OnArrival {
		case scenes.ArrivalStay:
			t.OnArrival = OnArrivalStay
		case scenes.ArrivalLoop:
			t.OnArrival = OnArrivalLoop
		}
		agents[i] = Agent{
			Position: lattice.Local(p.At),
			FromX:    p.From.X, FromY: p.From.Y, Perturbation: 1,
			Target: NoTarget,
			Layer:  stages[t.FirstStage].Layer,
			Status: Waiting,
		}
		if t.Entry == 0 {
			agents[i].Status = Walking // an agent that is there from the beginning is there before the first step
		}
	}
	return traits, agents, stages
}

// entryStep is the first step that begins at a time or after it. A time that is
// a whole number of steps but for a part in 10^9 counts as one.
func entryStep(time, timestep float64) uint32 {
	return uint32(min(math.Ceil(time/timestep*(1-1e-9)), math.MaxUint32))
}

func (c *Crowd) allocate(traits []Traits, agents []Agent) error {
	h := &c.held
	h.device = c.device
	c.traits = upload(h, "agents traits", traits)
	c.agents = [2]*gpu.Buffer[Agent]{upload(h, "agents state", agents), upload(h, "agents state", agents)}
	c.guidance = upload(h, "agents guidance", make([]Guidance, len(agents)))
	c.stages = upload(h, "agents itineraries", c.itineraries)
	c.counters = upload(h, "agents counters", make([]uint32, counterCount))
	c.mail = keep(h, func() (*gpu.Mailbox[uint32], error) {
		return gpu.NewMailbox[uint32](h.device, gpu.MailboxSpec{Label: "agents counters", Length: counterCount, Latency: counterLatency})
	})
	c.deferred = newDeferredQueue(h, len(agents))
	c.passes = passes{
		displace: compile(h, displacePass()), guide: compile(h, guidePass()), integrate: compile(h, integratePass()),
		tally: compile(h, tallyPass()), variants: map[bool]variant{},
	}
	c.turns, c.slice = 1, sliceFor(len(agents))
	if slices.ContainsFunc(traits, func(t Traits) bool { return t.Stages > 1 }) {
		c.turns = 2 // an agent that arrives goes on to the next stage at once
	}
	return h.err
}

// counterLatency is how many steps late counters arrive, always the same.
const counterLatency = 3

// take makes a ground and a guide those of the crowd. After an error everything is
// as it was.
func (c *Crowd) take(own Terrain, guide Guide) error {
	grown := cleared(own, guide.Terrains)
	simple := guide.PointsOnly && !grown
	h := &resources{device: c.device}
	if grown && c.passes.escape == nil {
		c.passes.escape = compile(h, escapePass())
	}
	made, ok := c.passes.variants[simple]
	if !ok {
		made = variant{compile(h, guideByMapPass(simple)), compile(h, guideSearchPass(simple)), compile(h, integrateDeferredPass(simple))}
	}
	if h.err != nil {
		return h.err
	}
	c.passes.variants[simple] = made
	if err := c.walls.set(own, guide.Terrains); err != nil {
		return err
	}
	c.guide, c.pointSourcesOnly, c.mapUnchanged = guide, simple, false
	return nil
}

// sorts reports whether some pass looks for neighbors.
func (c *Crowd) sorts() bool {
	return c.count > 0 && (c.measured || c.sortAlways || c.avoidance.avoids())
}

// equip makes what the passes that ask for people near each other need, where there are
// such passes. After an error everything is as it was.
func (c *Crowd) equip() error {
	if !c.sorts() {
		return nil
	}
	h := &resources{device: c.device}
	avoidance, contacts, rests, late, passes := c.avoidance, c.contacts, c.rests, c.late, c.passes
	avoidance.sorting(h, c.lattice, c.count)
	contacts.prepare(h, c.count)
	if c.lastEntry > 0 && late == nil {
		late = upload(h, "agents late", make([]uint32, 1+c.count))
		passes.enter = compile(h, enterPass())
	}
	if c.measured && rests == nil {
		rests = upload(h, "agents rests", make([]Rest, c.count))
		passes.measure = compile(h, measurePass())
	}
	if err := c.held.take(h); err != nil {
		return err
	}
	c.avoidance, c.contacts, c.rests, c.late, c.passes = avoidance, contacts, rests, late, passes
	return nil
}

// SetGuide makes the agents follow other maps from the next step on: after
// sources changed, or everything. The layers are the scene's goals in order.
// Agents keep their targets as a hint only, so the generators may be numbered
// anew. The error is a *gpu.CapacityError where the device has no memory for the
// guide's Terrains, or a *gpu.CompileError; the maps are then those of before.
func (c *Crowd) SetGuide(guide Guide) error {
	for _, t := range guide.Terrains {
		c.checkLattice("SetGuide", t.Ground)
	}
	return c.do(func() error {
		if err := c.take(c.walls.own, guide); err != nil {
			return err
		}
		for i := range c.itineraries {
			c.itineraries[i].Sources = uint32(guide.Sources)
		}
		c.stages.Write(0, c.itineraries)
		return nil
	})
}

// SetGround changes the walls that agents are cut at, from the next step on. That
// step begins with putting agents whose place is now inside an obstacle on the
// nearest free ground, however far that is; an agent that enters later is put there when
// it enters. Where no ground is free at all agents stay as they are and sleep. The
// lattice has to be that of the ground before. The error is a *gpu.CapacityError
// where the device has no memory for the walls, or a *gpu.CompileError; they are
// then those of before.
func (c *Crowd) SetGround(ground *geom.Ground, grid *geom.WallGrid) error {
	c.checkLattice("SetGround", ground)
	if err := c.do(func() error { return c.take(Terrain{ground, grid}, c.guide) }); err != nil {
		return err
	}
	c.wallsChanged, c.wallsEverChanged = true, true
	c.motions.some = false
	return nil
}

func (c *Crowd) checkLattice(call string, g *geom.Ground) {
	if g != nil && g.Lattice != c.lattice {
		panic(fmt.Sprintf("agents: %s with a ground on another lattice; build it on that of the crowd's ground", call))
	}
}

// Count is the number of agents, those included that have not entered yet or
// have left.
func (c *Crowd) Count() int { return c.count }

// Steps is the number of steps done.
func (c *Crowd) Steps() int { return int(c.clock) }

// A step is the stages that follow, in the order of engine/frame.go, from Begin to End, inside of
// one gpu.Device.Do.

// Begin begins a step: it resets the counters of a step. It panics with ErrDeleted.
func (c *Crowd) Begin() {
	c.mustBe()
	c.counters.Write(0, append(make([]uint32, counterStep), c.clock+1))
}

// End ends a step: the state after it becomes the newest, and counters go to the CPU, which has
// them three steps later. It waits only for a device that is more than that behind.
func (c *Crowd) End() {
	c.agents[0], c.agents[1] = c.agents[1], c.agents[0]
	c.mapUnchanged = true
	c.clock++
	c.mail.Post(c.counters, 0)
	c.collect()
}

// groups is how many work groups have an invocation for each agent.
func (c *Crowd) groups() uint32 { return gpu.Groups(c.count, groupSize) }

// Buried reports whether no ground is free: agents then stay as they are.
func (c *Crowd) Buried() bool { return len(c.walls.own.Ground.Walls) == 0 }

// collect takes the counters that have arrived.
func (c *Crowd) collect() {
	var letter [counterCount]uint32
	for {
		if _, ok := c.mail.Take(letter[:]); !ok {
			return
		}
		c.latest = c.readout(letter)
	}
}

func (c *Crowd) readout(n [counterCount]uint32) Counters {
	return Counters{
		Step:    int(n[counterStep]),
		Waiting: int(n[Waiting]), Walking: int(n[Walking]), Arrived: int(n[Arrived]), Left: int(n[Left]),
		Reached: int(n[counterReached]), Lost: int(n[counterLost]),
		Buried: int(n[counterBuried]), Displaced: int(n[counterDisplaced]),
		Stuck: int(n[counterStuck]), NeighborListOverflow: wide(n[counterNeighborListOverflow:]), WallListOverflow: wide(n[counterWallListOverflow:]), ZeroGradient: int(n[counterZeroGradient]),
		Tally: tallyOf(n[:], c.tick),
	}
}

// Counters returns the counters of three steps ago, without waiting; those of
// no steps before. Their Step says of when they are.
func (c *Crowd) Counters() Counters { return c.latest }

// CountersNow returns the counters of the newest step. It waits for the device and counts as a
// read-back. It panics with ErrDeleted and the errors of gpu.Device.Do.
func (c *Crowd) CountersNow() Counters {
	var letter [counterCount]uint32
	c.mustBe()
	c.counters.Read(0, letter[:])
	return c.readout(letter)
}

// Snapshot reads the agents back into dst, which must have Count elements. It
// waits for the device and counts as a read-back. It panics with ErrDeleted and the errors of
// gpu.Device.Do.
func (c *Crowd) Snapshot(dst []Agent) {
	if len(dst) != c.count {
		panic(fmt.Sprintf("agents: Snapshot of %d agents into %d", c.count, len(dst)))
	}
	c.mustBe()
	c.agents[0].Read(0, dst)
}

// Buffers are what drawing reads. Agents changes its name with each step.
type Buffers struct {
	Count  int
	Agents *gpu.Buffer[Agent]  // position, velocity, layer, status
	Traits *gpu.Buffer[Traits] // radius, group
}

// Buffers returns the newest state.
func (c *Crowd) Buffers() Buffers {
	return Buffers{Count: c.count, Agents: c.agents[0], Traits: c.traits}
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

// Delete frees what the crowd holds on the device. The guide's buffers are their
// owner's. Later calls that use the device return ErrDeleted, or panic with it.
func (c *Crowd) Delete() {
	c.deleted = true
	c.walls.delete()
	c.motions.delete()
	c.avoidance.held.delete()
	c.held.delete()
}
