package agents

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Watched agents leave records of why they move as they do (shaders/agents/reasons.glsl): each
// pass that decides something about them keeps what it computes. No pass reads a record, so that
// no outcome depends on it.

const (
	// MaxWatched is how many agents a crowd can watch at once.
	MaxWatched = 64
	// MaxReasonNeighbors is how many neighbors Reasons hold at most, the nearest.
	MaxReasonNeighbors = 256
	// MaxReasonCandidates is how many candidates Reasons hold at most, the first.
	MaxReasonCandidates = 4096

	// reasonLatency is how many steps late reasons arrive, always the same.
	reasonLatency = 3
	reasonTurns   = 7 // of a search among MaxWatched
)

// reasonHead is the first rows of a record, each of four words.
type reasonHead struct {
	Slot, StatusBefore, LostBefore, Routed uint32

	Outcome, Half, Constraints, Candidates uint32 // row REASON_OUTCOME

	Desired [2]float32 // REASON_DESIRED
	Best    uint32
	_       uint32

	Index      uint32 // REASON_DEMAND
	Near, Far  float32
	KeepsSides uint32

	Method, Neighbors, Walls uint32 // REASON_LISTS
	_                        uint32

	Chosen, Wish [2]float32 // REASON_CHOSEN

	Walker        uint32 // REASON_LOCAL; its index and one more
	CellsPerMeter float32
	Gradient      [2]float32 // as steer.comp.glsl sums it up
	LocalGuide    [2]float32
	Heading       float32
	Cells         uint32

	Guided         [2]float32 // REASON_GUIDED
	Distance       float32
	Target         uint32
	Layer, Stage   uint32
	Status         uint32
	PreferredSpeed float32
	Corner, Place  [2]float32
	Velocity       [2]float32
	Radius         float32
	MaxSpeed       float32

	Preferred     [2]float32 // REASON_MOVED
	TargetAfter   uint32
	StatusAfter   uint32
	PlaceAfter    [2]float32
	VelocityAfter [2]float32
	Pushed        [2]float32
	LostAfter     uint32
	ArrivalsAfter uint32
}

// headRow is the row of a field of reasonHead.
func headRow(offset uintptr) uint32 { return uint32(offset / 16) }

// reasonMacros are what shaders call the rows, and what they keep in them.
func reasonMacros() map[string]any {
	var h reasonHead
	return map[string]any{
		"WATCHED":        0, // of passes that keep nothing
		"REASON_HEAD":    headRow(unsafe.Sizeof(h)),
		"REASON_OUTCOME": headRow(unsafe.Offsetof(h.Outcome)),
		"REASON_DESIRED": headRow(unsafe.Offsetof(h.Desired)),
		"REASON_DEMAND":  headRow(unsafe.Offsetof(h.Index)),
		"REASON_LISTS":   headRow(unsafe.Offsetof(h.Method)),
		"REASON_CHOSEN":  headRow(unsafe.Offsetof(h.Chosen)),
		"REASON_LOCAL":   headRow(unsafe.Offsetof(h.Walker)),
		"REASON_GUIDED":  headRow(unsafe.Offsetof(h.Guided)),
		"REASON_MOVED":   headRow(unsafe.Offsetof(h.Preferred)),
		"REASON_MOST":    MaxWatched,
		"REASON_TURNS":   uint32(reasonTurns),

		"LINE_OF_NEIGHBOR": uint32(LineOfNeighbor),
		"LINE_OF_STEP":     uint32(LineOfStep),
		"LINE_OF_WALL":     uint32(LineOfWall),
		"CONE_OF_NEIGHBOR": uint32(ConeOfNeighbor),
		"CONE_OF_WALL":     uint32(ConeOfWall),

		"CANDIDATE_OUT_OF_REACH": uint32(OutOfReach),
		"CANDIDATE_OPEN":         uint32(Open),
		"CANDIDATE_HIDDEN":       uint32(Hidden),
		"CANDIDATE_MEETS_AGENT":  uint32(MeetsAgent),
		"CANDIDATE_MEETS_WALL":   uint32(MeetsWall),

		"KEEPS_ALL":   uint32(KeepsAll),
		"KEEPS_LESS":  uint32(KeepsLess),
		"KEEPS_STEP":  uint32(KeepsStep),
		"KEEPS_WALLS": uint32(KeepsWalls),
		"KEEPS_NONE":  uint32(KeepsNone),
		"CHEAPEST":    uint32(Cheapest),
	}
}

// ReasonMacros are what shaders of other packages that keep reasons are compiled with.
func ReasonMacros() map[string]any {
	all := reasonMacros()
	all["WATCHED"] = 1
	return all
}

// reasonShape is how long the parts of a record are, which follow its head.
type reasonShape struct {
	neighbors, constraints, candidates int // held at most
	halves                             int // of constraints and candidates: see choice.glsl
}

func (s reasonShape) lists() int { return int(headRow(unsafe.Sizeof(reasonHead{}))) }
func (s reasonShape) walls() int { return s.lists() + 2*s.neighbors }
func (s reasonShape) half(i int) int {
	return s.walls() + 2*wallCapacity + i*(3*s.constraints+s.candidates)
}
func (s reasonShape) rows() int { return s.half(s.halves) }

// reasonShapeFor is that of records for agents of some parameters, with lists of so many
// neighbors.
func reasonShapeFor(params []AvoidanceParams, capacity int) reasonShape {
	s := reasonShape{halves: 1}
	for _, m := range params {
		if m.Method == NoMethod {
			continue
		}
		s.neighbors = min(capacity, MaxReasonNeighbors)
		s.constraints = 2*s.neighbors + wallCapacity
		if method := methods[m.Method]; method.candidates != nil {
			s.candidates = max(s.candidates, min(method.candidates(m, s.neighbors), MaxReasonCandidates))
		}
		if methods[m.Method].retries {
			s.halves = 2
		}
	}
	return s
}

// watching is which agents are watched, and their records.
type watching struct {
	slots   []int // in order
	shape   reasonShape
	reasons *gpu.Buffer[[4]uint32]
	mail    *gpu.Mailbox[[4]uint32] // nil while none is watched
	first   uint32                  // steps done when the mailbox was made
	arrived *arrivedReasons
	lists   *gpu.Pass[avoidInput] // nil while none that avoids others is watched
}

// arrivedReasons are the newest records on the CPU.
type arrivedReasons struct {
	step int // steps done with that one; 0: there are none
	rows [][4]uint32
}

// ReasonInput is that of agents/reasons.glsl.
type ReasonInput struct {
	Reasons           *gpu.Buffer[[4]uint32] `gpu:"readwrite"`
	Watched           uint32
	ReasonRows        uint32
	ReasonNeighbors   uint32
	ReasonConstraints uint32
	ReasonCandidates  uint32
}

func (w *watching) input() ReasonInput {
	return ReasonInput{
		w.reasons, uint32(len(w.slots)), uint32(w.shape.rows()),
		uint32(w.shape.neighbors), uint32(w.shape.constraints), uint32(w.shape.candidates),
	}
}

// watchInput is that of watch.comp.glsl: an invocation a watched agent.
type watchInput struct {
	generatorInput
	ReasonInput
	traits   *gpu.Buffer[Traits]   `gpu:"read"`
	agents   *gpu.Buffer[Agent]    `gpu:"read"`
	guidance *gpu.Buffer[Guidance] `gpu:"read"`
	slots    [MaxWatched]uint32
	ends     bool
}

// Watch has the coming steps record the reasons of the agents of some slots, instead of those
// watched before; of no slots: of none. It changes nothing of what agents do. Without watched
// agents it costs nothing; with them, two small passes and a readback a step, without a wait.
// The first reasons arrive three steps after the next one. The error is a *gpu.CapacityError, a
// *gpu.CompileError or ErrDeleted; all is then as it was. More than MaxWatched slots panic, and
// so do slots that no agent ever had.
func (c *Crowd) Watch(slots []int) error {
	slots = slices.Compact(slices.Sorted(slices.Values(slots)))
	if len(slots) > MaxWatched {
		panic(fmt.Sprintf("agents: Watch of %d agents; a crowd watches %d at once", len(slots), MaxWatched))
	}
	for _, slot := range slots {
		if slot < 0 || slot >= c.count {
			panic(fmt.Sprintf("agents: Watch of slot %d; the crowd has %d, counted from 0", slot, c.count))
		}
	}
	return c.change("reasons of", func(r *gpu.ResourceSet) {
		c.watching.slots = slots
		c.watching.retire(r)
	})
}

// retire drops records that are on their way, and those that have arrived.
func (w *watching) retire(r *gpu.ResourceSet) {
	if w.mail != nil {
		r.Replace(w.mail)
	}
	w.mail, w.arrived = nil, nil
}

// keepBelow stops watching slots from one on.
func (w *watching) keepBelow(slots int) {
	w.slots = slices.DeleteFunc(slices.Clone(w.slots), func(slot int) bool { return slot >= slots })
}

// prepareWatching makes what records need. Those that have another shape begin anew.
func (c *Crowd) prepareWatching(r *gpu.ResourceSet) {
	w := &c.watching
	gpu.Fit(r, &w.reasons, "agents reasons", 1) // passes have it
	shape := reasonShapeFor(c.params, c.lists.capacity)
	if len(w.slots) == 0 || w.mail != nil && w.shape == shape {
		return
	}
	w.retire(r)
	w.shape, w.first = shape, c.clock
	length := len(w.slots) * shape.rows()
	gpu.Fit(r, &w.reasons, "agents reasons", length)
	need(r, watchMacros(), &c.passes.watch)
	if c.avoids() && w.lists == nil {
		w.lists = gpu.Compile(r, watchListsPass())
	}
	w.mail = gpu.Keep(r, func() (*gpu.Mailbox[[4]uint32], error) {
		return gpu.NewMailbox[[4]uint32](r.Device, gpu.MailboxSpec{Label: "agents reasons", Length: length, Latency: reasonLatency})
	})
	w.arrived = &arrivedReasons{rows: make([][4]uint32, length)}
}

// watchMacros is what the pass that copies states into records is compiled with.
func watchMacros() map[string]any {
	all := simpleMaps(false)
	all["WATCHED"] = 1
	return all
}

// runWatch copies the states of watched agents into their records.
func (c *Crowd) runWatch(state *gpu.Buffer[Agent], ends bool) {
	if len(c.watching.slots) == 0 {
		return
	}
	in := watchInput{
		generatorInput: c.generators(), ReasonInput: c.watching.input(),
		traits: c.traits, agents: state, guidance: c.guidance, ends: ends,
	}
	for i, slot := range c.watching.slots {
		in.slots[i] = uint32(slot)
	}
	c.device.Stage("reasons", func() { c.passes.watch.Run(in, gpu.Groups(len(c.watching.slots), groupSize)) })
}

// postReasons sends the records of a step to the CPU, and takes the newest that has arrived.
func (c *Crowd) postReasons() {
	w := &c.watching
	if w.mail == nil {
		return
	}
	w.mail.Post(w.reasons, 0)
	for {
		number, ok := w.mail.Take(w.arrived.rows)
		if !ok {
			return
		}
		w.arrived.step = int(w.first) + int(number) + 1
	}
}
