package agents

import (
	"github.com/wayfront/wayfront/engine/gpu"
)

// The binding points of lists of what is near, in the layout of shaders/agents/neighbors.glsl.
const (
	bindNeighbors = 0 // lists of neighbours
	bindNearWalls = 2 // lists of walls
)

// listRoom is how many neighbours a pass lists at most; longer lists take more passes.
const listRoom = 16

// windowSize is how many bodies a pass over a dense crowd looks at: Mesa's software renderer ends
// all loops of an invocation after 65,535 turns, and a pass over more could take seconds.
const windowSize = 1 << 15

// nearWallRoom is how many walls an agent keeps clear of at once. Round obstacles have
// short ones, and in a corridor of the width of a door some six matter.
const nearWallRoom = 16

// lists are who and what is near the agents that avoid others.
type lists struct {
	room      int // neighbours that a list has room for
	neighbors *gpu.Buffer[uint32]
	nearWalls *gpu.Buffer[uint32]
	first     *gpu.Program          // lists up to listRoom neighbours
	again     map[bool]*gpu.Program // lists any number; true: past walls
	walls     *gpu.Program
	sight     *gpu.Program
}

// roomFor is how many neighbours the lists of a crowd need to hold.
func roomFor(manners []Manner, count int) int {
	room := 1
	for _, m := range manners {
		if m.Method != NoMethod {
			room = max(room, min(int(m.MaxNeighbors), count-1))
		}
	}
	return room
}

// prepare makes lists for so many agents and neighbours, if there are none as long.
func (l *lists) prepare(h *hoard, count, room int) {
	if l.neighbors != nil && room <= l.room {
		return
	}
	stage := func(name string, past int) *gpu.Program {
		return keep(h, func() (*gpu.Program, error) { return gpu.NewProgram(h.device, listSpec(name, room, past)) })
	}
	if l.nearWalls == nil {
		l.nearWalls = upload(h, "agents near walls", make([]uint32, count*(nearWallRoom+1)))
		l.walls = stage("agents/nearwalls.comp.glsl", 0)
		l.sight = stage("agents/neighborsight.comp.glsl", 0)
	}
	l.neighbors = upload(h, "agents neighbours", make([]uint32, count*(room+1)))
	if l.first == nil || l.room < min(room, listRoom) {
		l.first = stage("agents/neighbors.comp.glsl", 0)
		l.again = map[bool]*gpu.Program{
			false: stage("agents/neighborsagain.comp.glsl", 0),
			true:  stage("agents/neighborsagain.comp.glsl", 1),
		}
	}
	l.room = room
}

// listSpec says how a stage that makes lists is put together.
func listSpec(stage string, room, past int) gpu.Spec {
	return avoidanceSpec(stage, map[string]any{
		"LIST":       min(room, listRoom),
		"ROOM":       uint32(nearWallRoom),
		"PAST_WALLS": past,

		"COUNTER_CROWDED": counterCrowded,
		"COUNTER_HEMMED":  counterHemmed,
	})
}

// listNeighbors lists who is near, of those sorted into cells.
func (c *Crowd) listNeighbors() {
	l, sorted := &c.avoidance.lists, &c.avoidance.cells
	groups := gpu.Groups(c.count, groupSize)
	c.avoidance.settings.Bind(bindManners)
	c.agents[0].Bind(bindBefore)
	c.counters.Bind(bindCounters)
	c.walls.bind()
	l.neighbors.Bind(bindNeighbors)
	l.nearWalls.Bind(bindNearWalls)
	run := func(p *gpu.Program) {
		p.Set("count", uint32(c.count))
		sorted.uniforms(p)
		p.Dispatch(groups, 1, 1)
		c.device.Barrier(gpu.BarrierStorage)
	}
	c.device.Pass("neighbors", func() {
		run(l.first)
		c.listAgain(run, false)
	})
	c.device.Pass("walls", func() {
		c.place(l.walls)
		l.walls.Set("timestep", c.timestep)
		run(l.walls)
		c.place(l.sight)
		run(l.sight)
		c.place(l.again[true])
		c.listAgain(run, true)
	})
}

// listAgain makes those lists that are to be made again, and goes on with those that are full so far.
func (c *Crowd) listAgain(run func(*gpu.Program), pastWalls bool) {
	l := &c.avoidance.lists
	p := l.again[pastWalls]
	rounds := (l.room + listRoom - 1) / listRoom
	for round := range rounds {
		for first := 0; first < c.count; first += windowSize {
			ends := first+windowSize >= c.count
			p.Set("round", uint32(round))
			p.Set("window", [2]uint32{uint32(first), uint32(first + windowSize)})
			p.Set("begins", first == 0)
			p.Set("ends", ends)
			p.Set("last", ends && round == rounds-1)
			run(p)
		}
	}
}

// listPrograms are the programs that make lists, of one size.
func listPrograms() []gpu.Spec {
	return []gpu.Spec{
		listSpec("agents/neighbors.comp.glsl", 10, 0),
		listSpec("agents/neighborsagain.comp.glsl", 10, 0),
		listSpec("agents/neighborsagain.comp.glsl", 10, 1),
		listSpec("agents/nearwalls.comp.glsl", 10, 0),
		listSpec("agents/neighborsight.comp.glsl", 10, 0),
	}
}
