package agents

import (
	"fmt"
	"math"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Tally is the statistics of a run, from New or the last call of Measure on, as far as it was
// measured. Overlaps are those at the ends of steps.
type Tally struct {
	// Contacts counts pairs, over all steps, whose discs overlap by more than 1% of the sum
	// of their radii.
	Contacts uint64
	// Penetration is the greatest overlap of a pair, as a share of the sum of their radii.
	Penetration float64
	// WallContacts counts agents, over all steps, whose centre is nearer to a wall than 99%
	// of their radius. Walls and centres are those of the lattice.
	WallContacts uint64
	// WallPenetration is the greatest depth of a centre inside an obstacle or outside the
	// domain. Agents are not measured while no ground is free at all. Units: m.
	WallPenetration float64
	// SpeedExcess is the greatest excess of a velocity over its agent's greatest speed, but
	// for what float32 rounds. Being pushed in contacts is no velocity. Units: m/s.
	SpeedExcess float64
	// ZeroGradient sums up Counters.ZeroGradient over all steps.
	ZeroGradient uint64
	// Arrived counts agents that reached the end of their itinerary for the first time. The
	// times are of that. Units: s, since the run began; MeanTravel since they entered.
	Arrived                               uint64
	FirstArrival, LastArrival, MeanTravel float64
}

// Rest is where an agent has been of late, and since when: it has stayed within its radius of
// the place since the end of that step.
type Rest struct {
	X, Y  float32 // m, local
	Since uint32  // step
}

// stuckTime is how long an agent that is stuck has stayed within its radius of a place. Units: s.
const stuckTime = 10

// patience is that time in whole steps.
func patience(timestep float64) uint32 { return entryStep(stuckTime, timestep) }

// Measure makes the coming steps count agents that are stuck, and make up the Tally, or not. It
// costs a pass over all neighbors in each step. Switching it on begins anew. The error is a
// *gpu.CapacityError, a *gpu.CompileError or ErrDeleted; nothing is then measured.
func (c *Crowd) Measure(on bool) error { return c.do(func() error { return c.measureFrom(on) }) }

func (c *Crowd) measureFrom(on bool) error {
	c.measured = on
	if !on {
		return nil
	}
	if err := c.equip(); err != nil {
		c.measured = false
		return fmt.Errorf("agents: measuring a crowd of %d: %w", c.count, err)
	}
	c.counters.Write(counterContacts, make([]uint32, counterCount-counterContacts))
	c.freshly = true
	return nil
}

type tallyInput struct {
	after    *gpu.Buffer[Agent]  `gpu:"read"`
	counters *gpu.Buffer[uint32] `gpu:"readwrite"`
	count    uint32
	buried   bool
}

func tallyPass() gpu.PassSpec[tallyInput] { return specOf[tallyInput]("tally", nil) }

type measureInput struct {
	placeInput
	nearInput
	traits   *gpu.Buffer[Traits] `gpu:"read"`
	after    *gpu.Buffer[Agent]  `gpu:"read"`
	counters *gpu.Buffer[uint32] `gpu:"readwrite"`
	rests    *gpu.Buffer[Rest]   `gpu:"readwrite"`
	count    uint32
	First    uint32
	clock    uint32
	patience uint32
	fresh    bool
	buried   bool
}

func measurePass() gpu.PassSpec[measureInput] { return specOf[measureInput]("measure", nil) }

// CountStatuses counts the agents in each status after the step. It reads agents after the step and
// writes counters.
func (c *Crowd) CountStatuses() {
	c.device.Stage("tally", func() {
		c.passes.tally.Run(tallyInput{c.agents[1], c.counters, uint32(c.count), c.Buried()}, c.groups())
	})
}

// MeasureContacts measures overlaps, speeds, arrivals and agents that are stuck, for the Tally. It
// reads agents after the step, as contacts have left their bodies, and writes counters. It does
// nothing unless Measure is on.
func (c *Crowd) MeasureContacts() {
	if !c.measured || c.count == 0 {
		return
	}
	c.device.Stage("measure", func() {
		c.passes.measure.RunEach(measureInput{
			placeInput: c.place(), nearInput: c.near(), traits: c.traits, after: c.agents[1], counters: c.counters, rests: c.rests,
			count: uint32(c.count), clock: c.clock, patience: patience(c.tick), fresh: c.freshly, buried: c.Buried(),
		}, c.count, groupSize, c.visitTurns()+c.walls.turns.nearestFree())
	})
	c.freshly = false
}

// wide joins the two words of a sum.
func wide(words []uint32) uint64 { return uint64(words[0]) | uint64(words[1])<<32 }

// tallyOf reads a Tally off the counters.
func tallyOf(n []uint32, timestep float64) Tally {
	float := func(word uint32) float64 { return float64(math.Float32frombits(word)) }
	t := Tally{
		Contacts: wide(n[counterContacts:]), Penetration: float(n[counterPenetration]),
		WallContacts: wide(n[counterWallContacts:]), WallPenetration: float(n[counterWallPenetration]),
		SpeedExcess:  float(n[counterSpeedExcess]),
		ZeroGradient: wide(n[counterZeroGradientSum:]),
		Arrived:      wide(n[counterTravellers:]),
	}
	if t.Arrived > 0 {
		t.FirstArrival, t.LastArrival = float64(^n[counterFirst])*timestep, float64(n[counterLast])*timestep
		t.MeanTravel = float64(wide(n[counterTravel:])) / float64(t.Arrived) * timestep
	}
	return t
}
