package agents

import (
	"fmt"
	"math"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Tally is what a run is judged by, from New or the last call of Measure on, as far as it was
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
	// Flat sums up those who were Flat, over all steps.
	Flat uint64
	// Arrived counts those who reached the end of their itinerary for the first time. The
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

// stuckTime is how long who is stuck has stayed within his radius of a place. Units: s.
const stuckTime = 10

// patience is that time in whole steps.
func patience(timestep float64) uint32 { return entryStep(stuckTime, timestep) }

// bindRests is the binding point of the rests in the tally.
const bindRests = 3

// Measure has the coming steps tell who is stuck and make up the Tally, or not. It costs a
// pass over all neighbours in each step. Switching it on begins anew. The error is a
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
	c.device.Barrier(gpu.BarrierUpdate)
	c.counters.Write(counterContacts, make([]uint32, counterCount-counterContacts))
	c.freshly = true
	return nil
}

// tallySpec says how a stage that counts is put together.
func tallySpec(stage string) gpu.Spec {
	s := contactSpec(stage)
	s.Structs = append(s.Structs, Rest{})
	for name, value := range map[string]int{
		"RESTS_BINDING":            bindRests,
		"COUNTER_STUCK":            counterStuck,
		"COUNTER_CROWDED":          counterCrowded,
		"COUNTER_STEP":             counterStep,
		"COUNTER_CONTACTS":         counterContacts,
		"COUNTER_WALL_CONTACTS":    counterWallContacts,
		"COUNTER_TRAVEL":           counterTravel,
		"COUNTER_TRAVELLERS":       counterTravellers,
		"COUNTER_GREATEST":         counterGreatest,
		"COUNTER_PENETRATION":      counterPenetration,
		"COUNTER_WALL_PENETRATION": counterWallPenetration,
		"COUNTER_SPEED_EXCESS":     counterSpeedExcess,
		"COUNTER_FIRST":            counterFirst,
		"COUNTER_LAST":             counterLast,
	} {
		s.Defines[name] = uint32(value)
	}
	return s
}

// tally counts what the step has led to.
func (c *Crowd) tally() {
	c.agents[1].Bind(bindAfter)
	c.counters.Bind(bindCounters)
	c.device.Pass("tally", func() {
		p := c.statuses
		p.Set("count", uint32(c.count))
		p.Set("buried", c.buried())
		p.Dispatch(c.groups(), 1, 1)
	})
	if !c.measured || c.count == 0 {
		return
	}
	c.device.Pass("measure", func() {
		p := c.measure
		c.traits.Bind(bindTraits)
		c.walls.bind()
		c.rests.Bind(bindRests)
		c.place(p)
		c.near(p)
		p.Set("count", uint32(c.count))
		p.Set("buried", c.buried())
		p.Set("clock", c.clock)
		p.Set("patience", patience(c.tick))
		p.Set("fresh", c.freshly)
		p.DispatchEach(c.count, groupSize, c.visitTurns()+c.walls.turns.nearestFree())
		c.freshly = false
	})
}

// wide joins the two words of a sum.
func wide(words []uint32) uint64 { return uint64(words[0]) | uint64(words[1])<<32 }

// tallyOf reads a Tally off the counters.
func tallyOf(n []uint32, timestep float64) Tally {
	float := func(word uint32) float64 { return float64(math.Float32frombits(word)) }
	t := Tally{
		Contacts: wide(n[counterContacts:]), Penetration: float(n[counterPenetration]),
		WallContacts: wide(n[counterWallContacts:]), WallPenetration: float(n[counterWallPenetration]),
		SpeedExcess: float(n[counterSpeedExcess]),
		Flat:        wide(n[counterFlatSum:]),
		Arrived:     wide(n[counterTravellers:]),
	}
	if t.Arrived > 0 {
		t.FirstArrival, t.LastArrival = float64(^n[counterFirst])*timestep, float64(n[counterLast])*timestep
		t.MeanTravel = float64(wide(n[counterTravel:])) / float64(t.Arrived) * timestep
	}
	return t
}
