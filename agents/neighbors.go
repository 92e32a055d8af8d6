package agents

import "github.com/wayfront/wayfront/engine/gpu"

// The passes that are for some bodies only.
const (
	listingAgain = iota
	listingWalls
	lookingPastWalls
	listingPastWalls
	listPasses = listingPastWalls + sightPasses
)

// sightPasses is how many passes list agents that walls do not hide: the first one completes all
// lists but those of agents with some hundreds hidden around them.
const sightPasses = 16

// listLength is how many neighbors a pass lists at most; longer lists take more passes.
const listLength = 16

// listed is how many of a list's neighbors a pass lists.
func listed(capacity int) int { return min(capacity, listLength) }

// listMacros is what passes that make lists are compiled with.
func listMacros(capacity int) map[string]any { return map[string]any{"LIST": listed(capacity)} }

// windowSize is how many bodies a pass over a dense crowd looks at: Mesa's software renderer ends
// all loops of an invocation after 65,535 turns, and a pass over more could take seconds.
const windowSize = 1 << 13

// chunk is how many candidates are taken at a time where walls hide agents.
const chunk = 16

// wallCapacity is how many walls an agent keeps clear of at once. Round obstacles have short
// ones, and in a corridor of the width of a door some six matter.
const wallCapacity = 16

// lists are what is near the agents that avoid others.
type lists struct {
	capacity  int // neighbors that a list can hold
	window    int // bodies that a pass over a dense crowd looks at
	neighbors *gpu.Buffer[uint32]
	nearWalls *gpu.Buffer[uint32]
	deferred  deferredQueue
	empty     *[listPasses][4]uint32 // of deferred, before a step
	chunks    *gpu.Buffer[uint32]    // candidates of each body
}

// listInput is that of agents/neighbors.glsl, with agents/cells.glsl.
type listInput struct {
	bodyInput
	deferredInput
	params    *gpu.Buffer[AvoidanceParams] `gpu:"read"`
	neighbors *gpu.Buffer[uint32]          `gpu:"readwrite"`
	count     uint32
}

func (c *Crowd) listing() listInput {
	return listInput{c.cells.visiting(), c.lists.deferred.input(), c.paramBuffer, c.lists.neighbors, uint32(c.count)}
}

// wallReachInput is that of agents/wallreach.glsl.
type wallReachInput struct {
	motionInput
	timestep float32
}

// The inputs of the passes that make lists, in order.
type (
	neighborsInput struct {
		listInput
		First uint32
	}
	neighborsAgainInput struct {
		listInput
		counters     *gpu.Buffer[uint32] `gpu:"readwrite"`
		First        uint32
		round        uint32
		window       [2]uint32
		begins, ends bool
	}
	nearWallsInput struct {
		listInput
		placeInput
		wallReachInput
		nearWalls *gpu.Buffer[uint32] `gpu:"write"`
		First     uint32
	}
	nearWallsListInput struct {
		listInput
		placeInput
		wallReachInput
		before    *gpu.Buffer[Agent]  `gpu:"read"`
		nearWalls *gpu.Buffer[uint32] `gpu:"readwrite"`
		counters  *gpu.Buffer[uint32] `gpu:"readwrite"`
	}
	neighborSightInput struct {
		listInput
		placeInput
		before *gpu.Buffer[Agent] `gpu:"read"`
	}
	neighborsPastInput struct {
		listInput
		placeInput
		before           *gpu.Buffer[Agent]  `gpu:"read"`
		counters         *gpu.Buffer[uint32] `gpu:"readwrite"`
		chunks           *gpu.Buffer[uint32] `gpu:"readwrite"`
		neighborCapacity uint32
		pass, passes     uint32
	}
)

// capacityFor is how many neighbors the lists of a crowd of so many slots need to hold.
func capacityFor(params []AvoidanceParams, slots int) int {
	capacity := 1
	for _, m := range params {
		if m.Method != NoMethod {
			capacity = max(capacity, min(int(m.MaxNeighbors), slots-1))
		}
	}
	return capacity
}

// prepare makes lists for so many slots and neighbors, if there are none as long.
func (l *lists) prepare(r *gpu.ResourceSet, slots, capacity int) {
	if l.deferred.table == nil {
		l.window = windowSize
		l.empty = (*[listPasses][4]uint32)(emptyQueues(listPasses))
		l.deferred.table = gpu.Upload(r, "agents list passes", l.empty[:])
	}
	l.capacity = capacity
	gpu.Fit(r, &l.nearWalls, "agents near walls", slots*(wallCapacity+1))
	gpu.Fit(r, &l.deferred.queues, "agents deferred", 2*slots)
	gpu.Fit(r, &l.chunks, "agents candidates", slots*chunk)
	gpu.Fit(r, &l.neighbors, "agents neighbors", slots*(1+capacity))
}

// finds reports whether neighbors and walls are listed in this step.
func (c *Crowd) finds() bool { return c.avoids() && c.count > 0 && !c.Buried() }

// FindNeighbors lists the nearest agents around each one that avoids others. It reads agents
// before the step, as sorted, and writes lists. It does nothing where no agent avoids others, or
// no ground is free.
func (c *Crowd) FindNeighbors() {
	if c.finds() {
		c.device.Stage("neighbors", c.listNeighbors)
	}
}

// FindWalls lists the nearest walls around each agent that avoids others, and removes those that
// walls hide from its list of neighbors. It reads agents before the step, walls and lists, and
// writes lists. It does nothing where FindNeighbors does nothing.
func (c *Crowd) FindWalls() {
	if c.finds() {
		c.device.Stage("walls", c.listWalls)
	}
}

// visitRows is how many rows of parts of cells the search of neighbors comes by, at most.
func (c *Crowd) visitRows() int {
	reach := float32(0)
	for _, m := range c.params {
		reach = max(reach, m.NeighborDistance)
	}
	return c.cells.rows(reach, c.count)
}

func (c *Crowd) listNeighbors() {
	l, p := &c.lists, &c.passes
	table := l.deferred.table
	l.empty[lookingPastWalls][1] = uint32(l.capacity)
	table.Write(0, l.empty[:])
	p.neighbors.RunEach(neighborsInput{listInput: c.listing()}, c.count, groupSize, looksAtFirst)
	again, turns := neighborsAgainInput{listInput: c.listing(), counters: c.counters}, l.window+c.visitRows()
	for round := range (l.capacity + listLength - 1) / listLength {
		again.round = uint32(round)
		for first := 0; first < c.count; first += l.window {
			again.window = [2]uint32{uint32(first), uint32(first + l.window)}
			again.begins, again.ends = first == 0, first+l.window >= c.count
			if round == 0 {
				runDeferred(p.neighborsAgain.Pass, again, table, listingAgain, c.count, turns)
			} else {
				p.neighborsAgain.RunEach(again, c.count, groupSize, turns)
			}
		}
	}
}

func (c *Crowd) listWalls() {
	p, walls, capacity := &c.passes, c.walls.turns, c.lists.capacity
	list, place, table := c.listing(), c.place(), c.lists.deferred.table
	reach := wallReachInput{c.motions.input(), c.timestep}
	p.nearWalls.RunEach(nearWallsInput{listInput: list, placeInput: place, wallReachInput: reach, nearWalls: c.lists.nearWalls}, c.count, groupSize, 1)
	runDeferred(p.nearWallsList.Pass, nearWallsListInput{list, place, reach, c.agents[0], c.lists.nearWalls, c.counters},
		table, listingWalls, c.count, 2*walls.all+wallCapacity*walls.longest)
	runDeferred(p.neighborSight.Pass, neighborSightInput{list, place, c.agents[0]}, table, lookingPastWalls, c.count, capacity*walls.near)
	for pass := range sightPasses {
		runDeferred(p.neighborsPast.Pass, neighborsPastInput{
			listInput: list, placeInput: place, before: c.agents[0], counters: c.counters, chunks: c.lists.chunks,
			neighborCapacity: uint32(capacity), pass: uint32(pass), passes: sightPasses,
		}, table, listingPastWalls+pass, c.count, looksPastWalls*(1+walls.near)+c.visitRows()+c.count)
	}
}
