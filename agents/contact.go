package agents

import (
	"math"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Shift is what the contact pass knows of a body.
type Shift struct {
	Home   [2]float32 // where the step began, m, local
	Origin [2]float32 // where the pass began, m, local
	Wish   [2]float32 // where this round pushes it, m
	Last   [2]float32 // how far the round before has moved it, at first the step before, m
}

// grainOf is what pushes are multiples of while they are added up, so that sums are exact and
// their order does not matter: at most 2^22 of them make the sum of two radii.
func grainOf(largest float32) float32 {
	_, exponent := math.Frexp(float64(largest))
	return float32(math.Ldexp(1, max(exponent, -100)-21))
}

// pushLimit is how much farther contacts put a body from where it began a step than its own move
// did. Bodies are looked for that much farther away; one that is deeper in a heap comes out over
// several steps. The limit is about where the step began and not about where contacts do: else a
// body that runs into others at more than this much a step would go deeper into them in each
// step.
func pushLimit(largest float32) float32 { return largest / 2 }

// offTurns is the most overlaps with walls that a disc is moved out of at once: those with both
// walls of a corner, twice, as curved walls need more, and one that is only measured.
const offTurns = 5

// roundFirst is the index of the first dispatch in that buffer.
const roundFirst = 2

// contacts separate agents whose discs overlap at the end of a step.
type contacts struct {
	rounds     int     // at most, in a step
	largest    float32 // radius of any agent so far, m
	fastest    float32 // greatest speed of any agent so far, m/s
	drift      float32 // how far from where they were sorted agents may be at the end of a step
	shifts     *gpu.Buffer[Shift]
	dispatches *gpu.Buffer[uint32]
	// of the deferred passes: one before the rounds, then one a round
	table *gpu.Buffer[[4]uint32]
	begin *contactBegin
}

// contactBegin is what buffers hold before the rounds of a step.
type contactBegin struct {
	dispatches []uint32
	table      [][4]uint32
}

// nearInput is that of agents/near.glsl, with agents/cells.glsl.
type nearInput struct {
	bodyInput
	largest float32
	drift   float32
}

func (c *Crowd) near() nearInput {
	return nearInput{c.cells.visiting(), c.contacts.largest, c.contacts.drift}
}

// separatedInput is that of agents/separated.glsl, with agents/place.glsl and
// agents/deferred.glsl.
type separatedInput struct {
	placeInput
	deferredInput
	after    *gpu.Buffer[Agent] `gpu:"readwrite"`
	bodies   *gpu.Buffer[Body]  `gpu:"readwrite"`
	shifts   *gpu.Buffer[Shift] `gpu:"readwrite"`
	count    uint32
	slack    float32
	timestep float32
}

func (c *Crowd) separated() separatedInput {
	return separatedInput{
		placeInput: c.place(), deferredInput: c.contactQueue().input(),
		after: c.agents[1], bodies: c.cells.bodies, shifts: c.contacts.shifts,
		count: uint32(c.count), slack: pushLimit(c.contacts.largest), timestep: c.timestep,
	}
}

// contactQueue is the queue of contacts, which takes the place of that of guidance and
// integration.
func (c *Crowd) contactQueue() deferredQueue {
	return deferredQueue{c.contacts.table, c.deferred.queues}
}

// The inputs of the passes that separate agents, in order.
type (
	contactBodiesInput struct {
		placeInput
		deferredInput
		traits *gpu.Buffer[Traits]          `gpu:"read"`
		before *gpu.Buffer[Agent]           `gpu:"read"`
		after  *gpu.Buffer[Agent]           `gpu:"read"`
		params *gpu.Buffer[AvoidanceParams] `gpu:"read"`
		bodies *gpu.Buffer[Body]            `gpu:"readwrite"`
		shifts *gpu.Buffer[Shift]           `gpu:"write"`
		count  uint32
	}
	contactPushInput struct {
		nearInput
		shifts  *gpu.Buffer[Shift]  `gpu:"readwrite"`
		rounds  *gpu.Buffer[uint32] `gpu:"readwrite"`
		nowhere uint32
		grain   float32
		round   uint32
		First   uint32
		groups  uint32
	}
	contactMoveInput struct {
		separatedInput
		rounds *gpu.Buffer[uint32] `gpu:"readwrite"`
		round  uint32
		last   bool
	}
	contactDeferredInput struct {
		separatedInput
		pass uint32
	}
)

// admit makes the measures hold for agents of these traits, too.
func (s *contacts) admit(traits []Traits, timestep float32, step float64) {
	for _, t := range traits {
		s.largest, s.fastest = max(s.largest, t.Radius), max(s.fastest, t.MaxSpeed)
	}
	// By speed, or by a hop, rounded to the lattice once for each wall that is met, to a neighbor at
	// worst: two of them in its own move, in one off walls before the rounds, and in two moves of
	// each round; 2^-20 is more than float32 rounds off.
	rounding := (hop + float64(4*(s.rounds+1))*1.5*math.Sqrt2) * step
	moved := float64(s.fastest)*float64(timestep) + rounding + float64(pushLimit(s.largest))
	s.drift = float32(moved * (1 + 1.0/(1<<20)))
}

// prepare makes what is not there yet.
func (s *contacts) prepare(r *gpu.ResourceSet, capacity int) {
	gpu.Fit(r, &s.shifts, "agents shifts", capacity)
	if s.begin != nil && len(s.begin.table) == s.rounds+1 {
		return
	}
	s.begin = &contactBegin{make([]uint32, roundFirst+3*(2*s.rounds+1)), emptyQueues(s.rounds + 1)}
	plan := s.begin.dispatches
	for i := roundFirst; i < len(plan); i += 3 {
		plan[i+1], plan[i+2] = 1, 1
	}
	gpu.Fit(r, &s.dispatches, "agents contact rounds", len(plan))
	gpu.Fit(r, &s.table, "agents contact passes", len(s.begin.table))
}

// Separate separates agents that overlap each other or walls, in rounds that a device without a
// wait ends early. It reads agents before the step and writes agents after the step, and bodies.
// It does nothing where Sort does nothing, and separates none where no agent avoids others.
func (c *Crowd) Separate() {
	if c.sorted {
		c.device.Stage("contact", c.separate)
	}
}

func (c *Crowd) separate() {
	s, p := &c.contacts, &c.passes
	s.table.Write(0, s.begin.table)
	p.contactBodies.Run(contactBodiesInput{
		placeInput: c.place(), deferredInput: c.contactQueue().input(),
		traits: c.traits, before: c.agents[0], after: c.agents[1], params: c.paramBuffer,
		bodies: c.cells.bodies, shifts: s.shifts, count: uint32(c.count),
	}, c.groups())
	if s.rounds == 0 || !c.avoids() {
		return
	}
	s.dispatches.Write(0, s.begin.dispatches)
	push := contactPushInput{
		nearInput: c.near(), shifts: s.shifts, rounds: s.dispatches,
		nowhere: uint32(c.cells.parts), grain: grainOf(s.largest), groups: c.groups(),
	}
	separated := c.separated()
	offWalls := func(pass int) {
		runDeferred(p.contactDeferred.Pass, contactDeferredInput{separated, uint32(pass)}, s.table, pass, c.count, c.walls.turns.pushing())
	}
	offWalls(0)
	for round := range s.rounds {
		push.round = uint32(round)
		dispatch := 4 * (roundFirst + 6*round)
		if round == 0 {
			p.contactPush.RunEach(push, c.count, groupSize, c.visitTurns())
		} else { // left out where the rounds before have taken 2^32 looks, which are 2^30 turns
			p.contactPush.RunIndirect(push, s.dispatches, dispatch)
		}
		p.contactMove.RunIndirect(contactMoveInput{separated, s.dispatches, uint32(round), round == s.rounds-1}, s.dispatches, dispatch+12)
		offWalls(round + 1)
	}
}
