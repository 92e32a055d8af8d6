package agents

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Change is what a host does to the agent of a slot at the begin of a step.
type Change struct {
	Slot   uint32
	Fields uint32 // which of what follows counts: ChangeNew or the sum of others
	Traits Traits
	Agent  Agent
}

// The fields of a Change, as bits. Agents that have left ignore ChangePlace and later ones.
const (
	// The whole of Traits and Agent: a new agent, or one that was saved. One whose Status is Waiting
	// enters in the step Traits.Entry, which is that step or a later one, and waits while its place
	// is occupied.
	ChangeNew uint32 = 1 << iota
	// Traits. An agent that has left has them, too, so that Crowd.Traits is always true.
	ChangeTraits
	// Agent.Position, FromX, FromY, Perturbation and Velocity. It has no target then, and nothing
	// has pushed it.
	ChangePlace
	// Agent.Layer and Stage, of the agent's itinerary. It has no target then, is not lost, and where
	// it has arrived it walks again.
	ChangeGoal
	// Agent.Status
	ChangeStatus
)

// changing is the changes of a step on the device.
type changing struct {
	changes   *gpu.Buffer[[2]uint32] // slot, fields
	newTraits *gpu.Buffer[Traits]
	newAgents *gpu.Buffer[Agent]
}

// changeInput is that of change.comp.glsl: an invocation a change.
type changeInput struct {
	changes   *gpu.Buffer[[2]uint32] `gpu:"read"`
	newTraits *gpu.Buffer[Traits]    `gpu:"read"`
	newAgents *gpu.Buffer[Agent]     `gpu:"read"`
	traits    *gpu.Buffer[Traits]    `gpu:"write"`
	agents    *gpu.Buffer[Agent]     `gpu:"readwrite"`
	marks     *gpu.Buffer[uint32]    `gpu:"readwrite"`
	count     uint32                 // of changes
}

// NewAgent is an agent that waits to enter at a place of the world, in meters, on its way to the
// first stage of its itinerary: for ChangeNew, and with its place and velocity for ChangePlace. The
// place is rounded to the lattice of the ground, and on a wall the agent stands in the first free
// sector. It is false where the place is covered or outside of the domain.
func NewAgent(ground *geom.Ground, at mgl64.Vec2, stage Stage) (Agent, bool) {
	place, ok := ground.Standing(at)
	if !ok {
		return Agent{}, false
	}
	from := place
	if sectors := ground.Sectors(place); len(sectors) > 0 {
		from = sectors[0].From
	}
	return Agent{
		Position: ground.Lattice.Local(place),
		FromX:    from.X, FromY: from.Y, Perturbation: 1,
		Target: NoTarget,
		Layer:  stage.Layer,
		Status: Waiting,
	}, true
}

// Apply changes agents, between Begin and Displace of a step: at most one change a slot, sorted by
// slot, of slots below Capacity. Slots below one that is used for the first time are used from then
// on, too, and free. The error is a *gpu.CapacityError, a *gpu.CompileError or ErrDeleted; nothing
// has changed then. Changes that no crowd could follow panic: slots out of order or out of range,
// profiles and itineraries that there are not, values that are not finite.
//
// Agents that enter in this step find places occupied as the step before has left them: what is
// placed or removed in this step counts for those that enter in the next one.
func (c *Crowd) Apply(changes []Change) error {
	if len(changes) == 0 {
		return c.do(func() error { return nil })
	}
	for i, change := range changes {
		if i > 0 && change.Slot <= changes[i-1].Slot {
			panic(fmt.Sprintf("agents: a change of slot %d after one of slot %d; sort changes by slot, one for each", change.Slot, changes[i-1].Slot))
		}
		c.checkChange(change)
	}
	err := c.change("changes of", func(r *gpu.ResourceSet) {
		for _, change := range changes {
			c.foresee(change)
		}
		c.slice = sliceFor(c.count)
		c.changing.prepare(r, len(changes))
		need(r, nil, &c.passes.change)
	})
	if err != nil {
		return err
	}
	c.mirror = append(c.mirror, make([]Traits, c.count-len(c.mirror))...)
	for _, change := range changes {
		if change.Fields&(ChangeNew|ChangeTraits) != 0 {
			c.mirror[change.Slot] = change.Traits
		}
	}
	return c.do(func() error {
		c.device.Stage("change", func() { c.runChanges(changes) })
		return nil
	})
}

// foresee makes settings hold for the crowd after a change.
func (c *Crowd) foresee(change Change) {
	c.count = max(c.count, int(change.Slot)+1)
	if change.Fields&(ChangeNew|ChangeTraits) != 0 {
		c.admit(change.Traits)
	}
	if change.Fields&(ChangeNew|ChangeStatus) != 0 && change.Agent.Status == Waiting {
		c.enters, c.waitsSince = true, c.clock
	}
}

// checkChange panics for a change that this crowd cannot follow.
func (c *Crowd) checkChange(change Change) {
	refuse := func(format string, values ...any) {
		panic(fmt.Sprintf("agents: the change of slot %d %s", change.Slot, fmt.Sprintf(format, values...)))
	}
	fields, a := change.Fields, change.Agent
	known := fields == ChangeNew || fields > ChangeNew && fields < 2*ChangeStatus && fields&ChangeNew == 0
	slots := c.count
	if fields == ChangeNew {
		slots = c.capacity
	}
	switch {
	case !known:
		refuse("has the fields %#x; they are ChangeNew, or others", fields)
	case int(change.Slot) >= slots:
		refuse("is beyond the %d slots that it may have; Reserve more, and make agents by ChangeNew", slots)
	case fields&(ChangeNew|ChangeStatus) != 0 && a.Status >= statuses:
		refuse("has the status %d", a.Status)
	case fields&(ChangeNew|ChangeTraits) != 0 && change.Traits.Control > ControlHost:
		refuse("has the control %d", change.Traits.Control)
	case fields&(ChangeNew|ChangePlace) != 0 && !finite2(a.Position, a.Velocity):
		refuse("puts it at %v with %v m/s", a.Position, a.Velocity)
	}
	t := change.Traits
	if fields&(ChangeNew|ChangeTraits) == 0 {
		t = c.mirror[change.Slot]
	} else {
		c.checkTraits(t, refuse)
	}
	if fields&(ChangeTraits|ChangeGoal) == ChangeTraits {
		if before := c.mirror[change.Slot]; t.FirstStage != before.FirstStage || t.Stages != before.Stages {
			refuse("gives it another itinerary and no stage of it; add ChangeGoal")
		}
	}
	if fields&(ChangeNew|ChangeGoal) != 0 {
		if a.Stage >= t.Stages || c.itineraries[t.FirstStage+a.Stage].Layer != a.Layer {
			refuse("sends it to layer %d by stage %d, which its itinerary has not", a.Layer, a.Stage)
		}
	}
}

func (c *Crowd) checkTraits(t Traits, refuse func(format string, values ...any)) {
	switch measures := [2]float32{t.Radius, t.MaxSpeed}; {
	case !finite2(measures, t.Own, [2]float32{t.PreferredSpeed}) || t.Radius <= 0 || t.MaxSpeed < 0 || t.PreferredSpeed < 0:
		refuse("has the radius %v m, the speeds %v and %v m/s and the own point %v", t.Radius, t.PreferredSpeed, t.MaxSpeed, t.Own)
	case int(t.Profile) >= len(c.params):
		refuse("has the profile %d of %d", t.Profile, len(c.params))
	case t.Stages == 0 || uint64(t.FirstStage)+uint64(t.Stages) > uint64(len(c.itineraries)):
		refuse("has the stages %d to %d of %d", t.FirstStage, t.FirstStage+t.Stages, len(c.itineraries))
	}
}

// finite2 reports whether all values are numbers.
func finite2(pairs ...[2]float32) bool {
	for _, p := range pairs {
		if sum := float64(p[0]) + float64(p[1]); math.IsNaN(sum) || math.IsInf(sum, 0) {
			return false
		}
	}
	return true
}

// prepare makes buffers for so many changes.
func (s *changing) prepare(r *gpu.ResourceSet, count int) {
	if s.changes.Len() >= count {
		return
	}
	count = max(count, 2*s.changes.Len(), 16)
	gpu.Fit(r, &s.changes, "agents changes", count)
	gpu.Fit(r, &s.newTraits, "agents changed traits", count)
	gpu.Fit(r, &s.newAgents, "agents changed state", count)
}

// beginRest has an agent be at a place since now.
func (c *Crowd) beginRest(slot int, position [2]float32) {
	for _, rests := range [...]*gpu.Buffer[Rest]{c.rests, c.events.rests} {
		if rests != nil {
			rests.Write(slot, []Rest{{position[0], position[1], c.clock}})
		}
	}
}

func (c *Crowd) runChanges(changes []Change) {
	heads, traits, agents := make([][2]uint32, len(changes)), make([]Traits, len(changes)), make([]Agent, len(changes))
	for i, change := range changes {
		heads[i], traits[i], agents[i] = [2]uint32{change.Slot, change.Fields}, change.Traits, change.Agent
	}
	s := &c.changing
	s.changes.Write(0, heads)
	s.newTraits.Write(0, traits)
	s.newAgents.Write(0, agents)
	for _, change := range changes {
		if change.Fields == ChangeNew && There(change.Agent.Status) { // it does not enter
			c.beginRest(int(change.Slot), change.Agent.Position)
		}
	}
	c.passes.change.Run(changeInput{
		s.changes, s.newTraits, s.newAgents, c.traits, c.agents[0], c.events.marks, uint32(len(changes)),
	}, gpu.Groups(len(changes), groupSize))
}
