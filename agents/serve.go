package agents

import (
	"math"

	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// Lines before goals that serve agents (scenes.Service). Each goal with places has one line.
//
// An agent joins the line when it arrives, or comes within lineReach of the last one of a line, or
// its own place before a goal that has a line: in a step one agent, of several the nearest to that
// one, then that of the lowest slot. It knows the agent ahead, and no other. The first that is not
// called yet is called as soon as fewer than the places are called. Called agents walk to the goal
// by its map; where they have arrived they stand until their time is over, and go on. The others
// want to stand lineGap behind the disc of the agent ahead, on the side that its way to the goal
// comes from: so lines follow the way back round corners. One that has more to walk than that agent,
// by two such places, and over another corner, goes on by the map, round walls; from elsewhere it
// goes straight, and where a wall is between it waits there until the line has moved up.
//
// An agent that leaves its line, whatever has it do so, still names the agent ahead of it for a
// step, so that the one behind closes up.
//
// A called agent takes its place from then on, so that a line is served at the rate of places to
// time as long as coming to the place takes less than that.
type serving struct {
	desks []desk // by layer; none: no goal serves
	table *gpu.Buffer[uint32]
	state *gpu.Buffer[DeskState]
	// of each slot, lines[0] the newest
	lines [2]*gpu.Buffer[InLine]
}

// desk is how a goal serves.
type desk struct {
	serves bool
	places int // 0: any number
	time   scenes.Distribution
}

// DeskState is what changes about a goal that serves.
type DeskState struct {
	Last   uint32 // of the line: its slot and 1; 0: none
	Called uint32 // how many have been in the step before
	Counts uint32 // how many are in this step
	Joins  uint32 // complement of how near the next is to the last one, 8 bits, and of its slot; 0: none
}

// InLine is where an agent is in a line.
type InLine struct {
	BehindX, BehindY float32 // the direction away from the goal by the agent's way, 0 where it has not walked
	Left             float32 // to walk to the goal, m
	Target           uint32  // as in Agent, when it walked by its map last
	Line             uint32  // layer and 1; 0: in none
	Ahead            uint32  // slot and 1 of the agent ahead; 0: none
	Until            uint32  // the last step of its service, at least; 0: it is not called
	Since            uint32  // the step in which it joined
}

const (
	// timeParts is how many times of equal probability stand for a distribution: a device draws one
	// of them.
	timeParts = 256

	// lineGap is how far agents of a line stand apart, between their discs. An agent within half of
	// it of its place stays. Unit: m.
	lineGap = 0.3

	// lineReach is how near the disc of an agent comes to that of the last one of a line when it joins.
	// Agents that keep apart pass one another nearer than that. Unit: m.
	lineReach = 1

	// mostGone is how many agents ahead that have left a line an agent looks past in a step.
	mostGone = 1 << 10
)

// serveInput is that of serve.comp.glsl: an invocation an agent.
type serveInput struct {
	traits   *gpu.Buffer[Traits]    `gpu:"read"`
	before   *gpu.Buffer[Agent]     `gpu:"read"`
	stages   *gpu.Buffer[Stage]     `gpu:"read"`
	table    *gpu.Buffer[uint32]    `gpu:"read"`
	lines    *gpu.Buffer[InLine]    `gpu:"read"`
	guidance *gpu.Buffer[Guidance]  `gpu:"readwrite"`
	desks    *gpu.Buffer[DeskState] `gpu:"readwrite"`
	next     *gpu.Buffer[InLine]    `gpu:"write"`
	count    uint32
	layers   uint32
	clock    uint32
	horizon  float32
	timestep float32
	seed     [2]uint32
}

// admitInput is that of admit.comp.glsl: an invocation a layer.
type admitInput struct {
	desks  *gpu.Buffer[DeskState] `gpu:"readwrite"`
	lines  *gpu.Buffer[InLine]    `gpu:"readwrite"`
	layers uint32
	clock  uint32
}

// desksOf is how goals serve; nil where none does.
func desksOf(goals []*scenes.Service) (all []desk) {
	serves := false
	for _, s := range goals {
		d := desk{}
		if s != nil {
			d, serves = desk{true, s.Places, s.Time}, true
		}
		all = append(all, d)
	}
	if !serves {
		return nil
	}
	return all
}

// SetServices has goals serve agents from the next step on: one of each layer, nil where it does
// not. Agents in a line stay there, and those that are served have the time that they began with.
// The error is a *gpu.CapacityError, a *gpu.CompileError or ErrDeleted; all is then as it was.
func (c *Crowd) SetServices(goals []*scenes.Service) error {
	fresh := c.serving.desks == nil
	if fresh && desksOf(goals) == nil {
		return c.do(func() error { return nil })
	}
	err := c.change("services for", func(*gpu.ResourceSet) { c.serving.desks = desksOf(goals) })
	if err != nil || c.serving.desks == nil {
		return err
	}
	return c.do(func() error {
		if fresh { // what is left there is of long ago
			c.serving.state.Clear()
			c.serving.lines[0].Clear()
		}
		c.serving.write(c.tick)
		return nil
	})
}

// prepare makes what services need, of so many slots.
func (s *serving) prepare(r *gpu.ResourceSet, slots int) {
	gpu.Fit(r, &s.table, "agents services", len(s.desks)*(1+timeParts))
	gpu.Fit(r, &s.state, "agents desks", len(s.desks))
	for i := range s.lines {
		gpu.Fit(r, &s.lines[i], "agents lines", slots)
	}
}

// write uploads the services: of each layer its places, and its times in steps.
func (s *serving) write(tick float64) {
	var words []uint32
	for _, d := range s.desks {
		words = append(words, deskPlaces(d))
		service := scenes.Service{Time: d.time}
		for i := range timeParts {
			steps := 0.0
			if d.serves {
				steps = math.Round(service.Draw(spawn.Quantile((float64(i)+0.5)/timeParts)) / tick)
			}
			words = append(words, uint32(min(max(steps, 1), math.MaxInt32)))
		}
	}
	s.table.Write(0, words)
}

// deskPlaces is the places of a goal as the device has them: 0 where it does not serve.
func deskPlaces(d desk) uint32 {
	switch {
	case !d.serves:
		return 0
	case d.places == 0:
		return math.MaxUint32
	}
	return uint32(d.places)
}

// Serve holds agents at goals that serve, and has others wait in lines before them. It reads agents,
// and changes their guidance. It does nothing where no goal serves.
func (c *Crowd) Serve() {
	s := &c.serving
	if s.desks == nil {
		return
	}
	horizon := float32(0) // one for all: a shader has eight buffers at most
	for i := range c.params {
		horizon = max(horizon, c.params[i].TimeHorizon)
	}
	c.device.Stage("serve", func() {
		c.passes.serve.Run(serveInput{
			c.traits, c.agents[0], c.stages, s.table, s.lines[0], c.guidance, s.state, s.lines[1],
			uint32(c.count), uint32(len(s.desks)), c.clock, horizon, c.timestep, c.seed,
		}, c.groups())
		s.lines[0], s.lines[1] = s.lines[1], s.lines[0]
		c.passes.admit.Run(admitInput{s.state, s.lines[0], uint32(len(s.desks)), c.clock}, gpu.Groups(len(s.desks), groupSize))
	})
}
