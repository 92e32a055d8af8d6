package agents

import "github.com/wayfront/wayfront/engine/gpu"

// The passes that are for some bodies only.
const (
	listingAgain = iota
	listingWalls
	lookingPastWalls
	listingPastWalls
	listPasses = listingPastWalls + pastPasses
)

// pastPasses is how many passes list agents that walls do not hide: the first one completes all
// lists but those of agents with some hundreds hidden around them.
const pastPasses = 16

// listRoom is how many neighbours a pass lists at most; longer lists take more passes.
const listRoom = 16

// windowSize is how many bodies a pass over a dense crowd looks at: Mesa's software renderer ends
// all loops of an invocation after 65,535 turns, and a pass over more could take seconds.
const windowSize = 1 << 13

// chunk is how many candidates are taken at a time where walls hide people.
const chunk = 16

// nearWallRoom is how many walls an agent keeps clear of at once. Round obstacles have
// short ones, and in a corridor of the width of a door some six matter.
const nearWallRoom = 16

// lists are what is near the agents that avoid others.
type lists struct {
	room      int // neighbours that a list has room for
	window    int // bodies that a pass over a dense crowd looks at
	neighbors *gpu.Buffer[uint32]
	nearWalls *gpu.Buffer[uint32]
	waiting   deferredQueue
	chunks    *gpu.Buffer[uint32] // candidates of each body

	first     *gpu.Pass[neighborsInput]      // lists up to listRoom neighbours
	again     *gpu.Pass[neighborsAgainInput] // lists any number
	walls     *gpu.Pass[nearWallsInput]      // finds agents that have walls near
	listWalls *gpu.Pass[nearWallsListInput]
	sight     *gpu.Pass[neighborSightInput]
	past      *gpu.Pass[neighborsPastInput] // lists those that are seen
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
	l := &c.avoidance.near
	return listInput{c.avoidance.cells.visiting(), l.waiting.input(), c.avoidance.paramBuffer, l.neighbors, uint32(c.count)}
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
		before       *gpu.Buffer[Agent]  `gpu:"read"`
		counters     *gpu.Buffer[uint32] `gpu:"readwrite"`
		chunks       *gpu.Buffer[uint32] `gpu:"readwrite"`
		neighborRoom uint32
		pass, passes uint32
	}
)

// listSpec describes the pass of a stage that makes lists of so many neighbors.
func listSpec[T any](stage string, room int) gpu.PassSpec[T] {
	return specOf[T](stage, map[string]any{"LIST": min(room, listRoom), "CHUNK": chunk, "ROOM": uint32(nearWallRoom)})
}

func neighborsPass(room int) gpu.PassSpec[neighborsInput] {
	return listSpec[neighborsInput]("neighbors", room)
}

func neighborsAgainPass(room int) gpu.PassSpec[neighborsAgainInput] {
	return listSpec[neighborsAgainInput]("neighborsagain", room)
}

func nearWallsPass(room int) gpu.PassSpec[nearWallsInput] {
	return listSpec[nearWallsInput]("nearwalls", room)
}

func nearWallsListPass(room int) gpu.PassSpec[nearWallsListInput] {
	return listSpec[nearWallsListInput]("nearwallslist", room)
}

func neighborSightPass(room int) gpu.PassSpec[neighborSightInput] {
	return listSpec[neighborSightInput]("neighborsight", room)
}

func neighborsPastPass(room int) gpu.PassSpec[neighborsPastInput] {
	return listSpec[neighborsPastInput]("neighborspast", room)
}

// neighborPasses are the passes that make lists, of one size.
func neighborPasses() []gpu.PassInfo {
	const room = 10
	return []gpu.PassInfo{
		neighborsPass(room).Info(), neighborsAgainPass(room).Info(), nearWallsPass(room).Info(),
		nearWallsListPass(room).Info(), neighborSightPass(room).Info(), neighborsPastPass(room).Info(),
	}
}

// roomFor is how many neighbours the lists of a crowd need to hold.
func roomFor(params []AvoidanceParams, count int) int {
	room := 1
	for _, m := range params {
		if m.Method != NoMethod {
			room = max(room, min(int(m.MaxNeighbors), count-1))
		}
	}
	return room
}

// prepare makes lists for so many agents and neighbours, if there are none as long.
func (l *lists) prepare(h *resources, count, room int) {
	if l.neighbors != nil && room <= l.room {
		return
	}
	if l.nearWalls == nil {
		l.window = windowSize
		l.nearWalls = upload(h, "agents near walls", make([]uint32, count*(nearWallRoom+1)))
		l.waiting = deferredQueue{upload(h, "agents list passes", emptyQueues(listPasses)), upload(h, "agents waiting", make([]uint32, 2*count))}
		l.chunks = upload(h, "agents candidates", make([]uint32, count*chunk))
		l.walls = compile(h, nearWallsPass(room))
		l.listWalls = compile(h, nearWallsListPass(room))
		l.sight = compile(h, neighborSightPass(room))
	}
	l.neighbors = upload(h, "agents neighbours", make([]uint32, count*(1+room)))
	if l.first == nil || l.room < min(room, listRoom) {
		l.first = compile(h, neighborsPass(room))
		l.again = compile(h, neighborsAgainPass(room))
		l.past = compile(h, neighborsPastPass(room))
	}
	l.room = room
}

// lists reports whether neighbors and walls are listed in this step.
func (c *Crowd) lists() bool { return c.avoidance.avoids() && c.count > 0 && !c.Buried() }

// FindNeighbors lists the nearest agents around each one that avoids others. It reads agents before
// the step, as sorted, and writes lists. It does nothing where no agent avoids others, and where no
// ground is free.
func (c *Crowd) FindNeighbors() {
	if c.lists() {
		c.device.Stage("neighbors", c.listNeighbors)
	}
}

// FindWalls lists the nearest walls around each agent that avoids others, and takes those that
// walls hide out of its list of neighbors. It reads agents before the step, walls and lists, and
// writes lists. It does nothing where FindNeighbors does nothing.
func (c *Crowd) FindWalls() {
	if c.lists() {
		c.device.Stage("walls", c.listWalls)
	}
}

// visitRows is how many rows of parts of cells the search of neighbors comes by, at most.
func (c *Crowd) visitRows() int {
	reach := float32(0)
	for _, m := range c.avoidance.params {
		reach = max(reach, m.NeighborDistance)
	}
	return c.avoidance.cells.rows(reach, c.count)
}

func (c *Crowd) listNeighbors() {
	l := &c.avoidance.near
	passes := emptyQueues(listPasses)
	passes[lookingPastWalls][1] = uint32(l.room)
	l.waiting.table.Write(0, passes)
	l.first.RunEach(neighborsInput{listInput: c.listing()}, c.count, groupSize, looksAtFirst)
	again, turns := neighborsAgainInput{listInput: c.listing(), counters: c.counters}, l.window+c.visitRows()
	for round := range (l.room + listRoom - 1) / listRoom {
		again.round = uint32(round)
		for first := 0; first < c.count; first += l.window {
			again.window = [2]uint32{uint32(first), uint32(first + l.window)}
			again.begins, again.ends = first == 0, first+l.window >= c.count
			if round == 0 {
				runDeferred(l.again, again, l.waiting.table, listingAgain, c.count, turns)
			} else {
				l.again.RunEach(again, c.count, groupSize, turns)
			}
		}
	}
}

func (c *Crowd) listWalls() {
	l, walls := &c.avoidance.near, c.walls.turns
	list, place, table := c.listing(), c.place(), c.avoidance.near.waiting.table
	reach := wallReachInput{c.motions.input(), c.timestep}
	l.walls.RunEach(nearWallsInput{listInput: list, placeInput: place, wallReachInput: reach, nearWalls: l.nearWalls}, c.count, groupSize, 1)
	runDeferred(l.listWalls, nearWallsListInput{list, place, reach, c.agents[0], l.nearWalls, c.counters},
		table, listingWalls, c.count, 2*walls.all+nearWallRoom*walls.longest)
	runDeferred(l.sight, neighborSightInput{list, place, c.agents[0]}, table, lookingPastWalls, c.count, l.room*walls.near)
	for pass := range pastPasses {
		runDeferred(l.past, neighborsPastInput{
			listInput: list, placeInput: place, before: c.agents[0], counters: c.counters, chunks: l.chunks,
			neighborRoom: uint32(l.room), pass: uint32(pass), passes: pastPasses,
		}, table, listingPastWalls+pass, c.count, looksPastWalls*(1+walls.near)+c.visitRows()+c.count)
	}
}
