package agents

import (
	"unsafe"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Counters say how many agents are in which status after a step.
type Counters struct {
	Step    int // how many steps had been done
	Waiting int // have not entered yet
	Walking int // on their way
	Arrived int // at the end of their itinerary, standing there
	Left    int // at the end of their itinerary, gone; slots that are free
	Placed  int // placed by the host
	Reached int // reached the end of their itinerary at least once, looping or not
	// on their way, but without a path: out of reach of every source, or where no map helps;
	// explorers: nothing is left to explore
	Lost   int
	Buried int // there, but no ground is free: they stay as they are

	// Stuck are on their way, have not reached the end of their itinerary, and have stayed within
	// their radius of a place for 10 s; counted only where Measure is on.
	Stuck int

	// ZeroGradient are on their way, but their local map has no gradient at their place: they head
	// for the guide's point, and stand where obstacles enclose them.
	ZeroGradient int

	// Displaced is how often, in all steps so far, an agent was put on the nearest free ground
	// because an obstacle covered it.
	Displaced int

	// NeighborListOverflow is how often, in all steps so far, an agent had too many around it for
	// the device to visit them all: some are missing among those that it avoids, or, where Measure
	// is on, contacts with them in the Tally. WallListOverflow is how often an agent that avoids
	// others had more walls near than it can keep clear of at once: the nearest count.
	NeighborListOverflow, WallListOverflow uint64

	Tally Tally
}

// Tally is the statistics of a run, from New or the last call of Measure on, as far as it was
// measured. Overlaps are those at the ends of steps.
type Tally struct {
	// Contacts counts pairs, over all steps, whose discs overlap by more than 1% of the sum of their
	// radii.
	Contacts uint64
	// Penetration is the greatest overlap of a pair, as a share of the sum of their radii.
	Penetration float64
	// WallContacts counts agents, over all steps, whose center is nearer to a wall than 99% of their
	// radius. Walls and centers are those of the lattice.
	WallContacts uint64
	// WallPenetration is the greatest depth of a center inside an obstacle or outside the domain.
	// Agents are not measured while no ground is free at all. Unit: m.
	WallPenetration float64
	// SpeedExcess is the greatest excess of a velocity over its agent's greatest speed, but for what
	// float32 rounds. Being pushed in contacts is no velocity. Unit: m/s.
	SpeedExcess float64
	// ZeroGradient sums up Counters.ZeroGradient over all steps.
	ZeroGradient uint64
	// Arrived counts agents that reached the end of their itinerary for the first time. The times
	// are of that. Unit: s, since the run began; MeanTravel since they entered.
	Arrived                               uint64
	FirstArrival, LastArrival, MeanTravel float64
}

// deviceCounters are the counters on the device. Those before Step begin with every step anew,
// the others go on; those from Contacts on are of the Tally.
type deviceCounters struct {
	Statuses             [statuses]uint32 // by Status
	Reached              uint32
	Lost                 uint32
	Buried               uint32
	Stuck                uint32
	ZeroGradient         uint32
	Step                 uint32
	Displaced            uint32
	NeighborListOverflow wide
	WallListOverflow     wide
	Contacts             wide
	WallContacts         wide
	Travel               wide // steps
	Travellers           wide
	ZeroGradientSum      wide
	Penetration          float32 // from here on the greatest of all values
	WallPenetration      float32
	SpeedExcess          float32
	First                uint32 // complement of the first step
	Last                 uint32 // step
}

// wide is the two words of a sum.
type wide [2]uint32

func (w wide) sum() uint64 { return uint64(w[0]) | uint64(w[1])<<32 }

// Words of the counters.
const (
	counterStep            = int(unsafe.Offsetof(deviceCounters{}.Step) / 4)
	counterZeroGradient    = int(unsafe.Offsetof(deviceCounters{}.ZeroGradient) / 4)
	counterZeroGradientSum = int(unsafe.Offsetof(deviceCounters{}.ZeroGradientSum) / 4)
	counterTally           = int(unsafe.Offsetof(deviceCounters{}.Contacts) / 4)
	counterWords           = int(unsafe.Sizeof(deviceCounters{}) / 4)
)

// counterLatency is how many steps late counters arrive, always the same.
const counterLatency = 3

// readout returns the counters of a readback.
func (c *Crowd) readout(words *[counterWords]uint32) Counters {
	n := (*deviceCounters)(unsafe.Pointer(words))
	t := Tally{
		Contacts: n.Contacts.sum(), Penetration: float64(n.Penetration),
		WallContacts: n.WallContacts.sum(), WallPenetration: float64(n.WallPenetration),
		SpeedExcess:  float64(n.SpeedExcess),
		ZeroGradient: n.ZeroGradientSum.sum(),
		Arrived:      n.Travellers.sum(),
	}
	if t.Arrived > 0 {
		t.FirstArrival, t.LastArrival = float64(^n.First)*c.tick, float64(n.Last)*c.tick
		t.MeanTravel = float64(n.Travel.sum()) / float64(t.Arrived) * c.tick
	}
	return Counters{
		Step: int(n.Step), Waiting: int(n.Statuses[Waiting]), Walking: int(n.Statuses[Walking]),
		Arrived: int(n.Statuses[Arrived]), Left: int(n.Statuses[Left]), Placed: int(n.Statuses[Placed]), Reached: int(n.Reached),
		Lost: int(n.Lost), Buried: int(n.Buried), Stuck: int(n.Stuck), ZeroGradient: int(n.ZeroGradient), Displaced: int(n.Displaced),
		NeighborListOverflow: n.NeighborListOverflow.sum(), WallListOverflow: n.WallListOverflow.sum(),
		Tally: t,
	}
}

// Rest is where an agent has been of late, and since when: it has stayed within its radius of the
// place since the end of that step.
type Rest struct {
	X, Y  float32 // m, local
	Since uint32  // step
}

// stuckTime is how long an agent that is stuck has stayed within its radius of a place, in s.
const stuckTime = 10

// Measure makes the coming steps count agents that are stuck, and make up the Tally, or not. It
// costs a pass over all neighbors in each step. Switching it on begins anew. The error is a
// *gpu.CapacityError, a *gpu.CompileError or ErrDeleted; the crowd is then measured as before.
func (c *Crowd) Measure(on bool) error {
	err := c.change("measuring", func(*gpu.ResourceSet) { c.measured, c.freshly = on, on })
	if err != nil || !on {
		return err
	}
	return c.do(func() error {
		c.counters.Write(counterTally, make([]uint32, counterWords-counterTally))
		return nil
	})
}

type tallyInput struct {
	after    *gpu.Buffer[Agent]  `gpu:"read"`
	counters *gpu.Buffer[uint32] `gpu:"readwrite"`
	count    uint32
	buried   bool
}

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

// CountStatuses counts the agents in each status after the step. It reads agents after the step
// and writes counters.
func (c *Crowd) CountStatuses() {
	c.device.Stage("statuses", func() {
		c.passes.tally.Run(tallyInput{c.agents[1], c.counters, uint32(c.count), c.Buried()}, c.groups())
	})
}

// MeasureContacts measures overlaps, speeds, arrivals and agents that are stuck, for the Tally.
// It reads agents after the step, as contacts have left their bodies, and writes counters. It
// does nothing unless Measure is on.
func (c *Crowd) MeasureContacts() {
	if !c.measured || c.count == 0 {
		return
	}
	c.device.Stage("measure", func() {
		c.passes.measure.RunEach(measureInput{
			placeInput: c.place(), nearInput: c.near(), traits: c.traits, after: c.agents[1], counters: c.counters, rests: c.rests,
			count: uint32(c.count), clock: c.clock, patience: EntryStep(stuckTime, c.tick), fresh: c.freshly, buried: c.Buried(),
		}, c.count, groupSize, c.visitTurns()+c.walls.turns.nearestFree())
	})
	c.freshly = false
}
