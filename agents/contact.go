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

// carry is the share of the push before that carries on in a round: that of the step before
// in the first one.
func carry(round int) float32 {
	if round == 0 {
		return 0.8
	}
	return float32(round) / float32(round+3)
}

// grainOf is what pushes are multiples of while they are added up, so that sums are exact and
// their order does not matter: at most 2^22 of them make the sum of two radii.
func grainOf(largest float32) float32 {
	_, exponent := math.Frexp(float64(largest))
	return float32(math.Ldexp(1, max(exponent, -100)-21))
}

// pushLimit is how much farther contacts put a body from where it began a step than its own move did. Bodies are looked
// for that much farther away; one that is deeper in a heap comes out over several steps.
//
// The limit is about where the step began and not about where contacts do: a body that runs into others at more than
// this much a step could otherwise not be held back, and would go deeper into them in each step.
func pushLimit(largest float32) float32 { return largest / 2 }

// offTurns is how many overlaps with walls a disc is taken out of at once: the two of a corner, twice, as curved walls take more,
// and the last is only measured.
const offTurns = 5

// The binding points of the passes that end a step, where they are not those of other passes.
const (
	bindShifts = 3 // Shift of each body
	bindRounds = 4 // work done, then the dispatches of all rounds

	// Of passes that move.
	bindContactLater  = 0
	bindContactQueues = 1

	// Of contactbodies.
	bindBodiesLater  = 4
	bindBodiesQueues = 6
)

// roundFirst is the index of the first dispatch in that buffer.
const roundFirst = 2

// contacts part people whose discs overlap at the end of a step.
type contacts struct {
	rounds     int // at most, in a step
	largest    float32
	drift      float32 // how far from where they were sorted people may be at the end of a step
	shifts     *gpu.Buffer[Shift]
	dispatches *gpu.Buffer[uint32]
	update     *gpu.Program // of bodies
	push, move *gpu.Program
	past       *gpu.Program           // moves those whom move has left
	later      *gpu.Buffer[[4]uint32] // of each round the dispatch for those, and how many they are
}

// begin takes the crowd's measures, which stay.
func (s *contacts) begin(rounds int, traits []Traits, timestep float32, step float64) {
	s.rounds = rounds
	fastest := float32(0)
	for _, t := range traits {
		s.largest, fastest = max(s.largest, t.Radius), max(fastest, t.MaxSpeed)
	}
	// By speed, or by a hop, rounded to the lattice once for each wall that is met, to a neighbour at worst: two of them in its own
	// move, in one off walls before the rounds, and in two moves of each round; 2^-20 is more than float32 rounds off.
	rounding := (hop + float64(4*(rounds+1))*1.5*math.Sqrt2) * step
	moved := float64(fastest)*float64(timestep) + rounding + float64(pushLimit(s.largest))
	s.drift = float32(moved * (1 + 1.0/(1<<20)))
}

// prepare makes what is not there yet.
func (s *contacts) prepare(h *hoard, count int) {
	if s.shifts != nil {
		return
	}
	s.shifts = upload(h, "agents shifts", make([]Shift, count))
	s.dispatches = upload(h, "agents contact rounds", make([]uint32, roundFirst+3*(2*s.rounds+1)))
	s.later = upload(h, "agents contact later", nobodyWaits(s.rounds+1))
	stage := func(name string) *gpu.Program {
		return keep(h, func() (*gpu.Program, error) { return gpu.NewProgram(h.device, contactSpec(name)) })
	}
	s.update = keep(h, func() (*gpu.Program, error) { return gpu.NewProgram(h.device, contactBodiesSpec()) })
	s.push = stage("agents/contactpush.comp.glsl")
	s.move = stage("agents/contactmove.comp.glsl")
	s.past = stage("agents/contactpast.comp.glsl")
}

// contactSpec says how a stage of the passes that end a step is put together.
func contactSpec(stage string) gpu.Spec {
	s := avoidanceSpec(stage, map[string]any{
		"SHIFTS_BINDING": bindShifts,
		"ROUNDS_BINDING": bindRounds,
		"ROUND_FIRST":    uint32(roundFirst),
		"PLAIN":          1, // nobody is led by a map
		"OFF_TURNS":      offTurns,
		"MOST_TURNS":     uint32(gpu.LongestInvocation / 2), // of eight bodies, which are the work of two
		"LATER_BINDING":  bindContactLater,
		"QUEUES_BINDING": bindContactQueues,
	})
	s.Structs = append(s.Structs, Shift{})
	return s
}

// contactBodiesSpec says how the stage that comes before the rounds is put together.
func contactBodiesSpec() gpu.Spec {
	s := contactSpec("agents/contactbodies.comp.glsl")
	s.Defines["LATER_BINDING"], s.Defines["QUEUES_BINDING"] = bindBodiesLater, bindBodiesQueues
	return s
}

// part parts people whose discs overlap, in rounds that a device without a wait ends early.
func (c *Crowd) part() {
	s := &c.contacts
	if !c.sorts() {
		return
	}
	c.device.Pass("contact", func() {
		c.contactBodies()
		if s.rounds == 0 || !c.avoidance.avoids() {
			return
		}
		plan := make([]uint32, s.dispatches.Len())
		for i := roundFirst; i < len(plan); i += 3 {
			plan[i+1], plan[i+2] = 1, 1
		}
		s.dispatches.Write(0, plan)
		s.dispatches.Bind(bindRounds)
		s.later.Bind(bindContactLater)
		c.waits.queues.Bind(bindContactQueues)
		s.shifts.Bind(bindShifts)
		c.near(s.push)
		s.push.Set("nowhere", uint32(c.avoidance.cells.parts))
		s.push.Set("grain", grainOf(s.largest))
		s.push.Set("groups", c.groups())
		for _, p := range [...]*gpu.Program{s.move, s.past} {
			c.place(p)
			p.Set("count", uint32(c.count))
			p.Set("slack", pushLimit(s.largest))
			p.Set("timestep", c.timestep)
		}
		offWalls := func(pass int) {
			s.past.Set("pass", uint32(pass))
			c.device.Barrier(gpu.BarrierStorage | gpu.BarrierTexture | gpu.BarrierCommand)
			runFor(s.past, s.later, pass, c.count, c.walls.turns.pushing())
		}
		offWalls(0)
		for round := range s.rounds {
			for half, p := range [...]*gpu.Program{s.push, s.move} {
				p.Set("round", uint32(round))
				c.device.Barrier(gpu.BarrierStorage | gpu.BarrierTexture | gpu.BarrierCommand)
				if half == 1 {
					p.Set("last", round == s.rounds-1)
				} else {
					p.Set("first", uint32(0))
				}
				// Later rounds are left out where those before have taken 2^32 looks, which are 2^30 turns.
				if round == 0 && half == 0 {
					p.DispatchEach(c.count, groupSize, c.visitTurns())
					continue
				}
				p.DispatchIndirect(s.dispatches.Name(), 4*(roundFirst+3*(2*round+half)))
			}
			offWalls(round + 1)
		}
		c.device.Barrier(gpu.BarrierStorage | gpu.BarrierTexture)
	})
	c.bind()
}

// contactBodies brings bodies up to where agents have moved.
func (c *Crowd) contactBodies() {
	s := &c.contacts
	c.traits.Bind(bindTraits)
	c.agents[0].Bind(bindBefore)
	c.agents[1].Bind(bindAfter)
	c.avoidance.settings.Bind(bindManners)
	c.avoidance.cells.bodies.Bind(bindBodies)
	s.shifts.Bind(bindShifts)
	s.later.Write(0, nobodyWaits(s.later.Len()))
	s.later.Bind(bindBodiesLater)
	c.waits.queues.Bind(bindBodiesQueues)
	c.place(s.update)
	s.update.Set("count", uint32(c.count))
	s.update.Dispatch(gpu.Groups(c.count, groupSize), 1, 1)
	c.device.Barrier(gpu.BarrierStorage | gpu.BarrierTexture)
}

// near sets what shaders need to find people near each other at the end of a step.
func (c *Crowd) near(p *gpu.Program) {
	c.avoidance.cells.uniforms(p)
	p.Set("largest", c.contacts.largest)
	p.Set("drift", c.contacts.drift)
}
