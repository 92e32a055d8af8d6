package agents

import "github.com/wayfront/wayfront/engine/gpu"

// The binding points of lists of what is near, in the layout of shaders/agents/neighbors.glsl.
const (
	bindNeighbors = 0 // lists of neighbours
	bindNearWalls = 2 // lists of walls
	bindLater     = 3 // the passes below
	bindQueues    = 5 // who waits for them
	bindChunks    = 2 // neighborspast: candidates of each body
)

// The passes that are for some bodies only.
const (
	listingAgain = iota
	listingWalls
	lookingPastWalls
	listingPastWalls
	laterPasses = listingPastWalls + pastPasses
)

// pastPasses is how many passes list whom walls do not hide: the first one ends all lists but
// those of people who have some hundreds hidden around them.
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

// lists are who and what is near the agents that avoid others.
type lists struct {
	room      int // neighbours that a list has room for
	window    int // bodies that a pass over a dense crowd looks at
	neighbors *gpu.Buffer[uint32]
	nearWalls *gpu.Buffer[uint32]
	later     *gpu.Buffer[[4]uint32] // of each such pass a dispatch, and for how many bodies
	queues    *gpu.Buffer[uint32]    // which, of two passes at a time
	chunks    *gpu.Buffer[uint32]    // candidates of each body
	first     *gpu.Program           // lists up to listRoom neighbours
	again     *gpu.Program           // lists any number
	walls     *gpu.Program           // finds who has walls near
	listWalls *gpu.Program
	sight     *gpu.Program
	past      *gpu.Program // lists those who are seen
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
	stage := func(name string) *gpu.Program {
		return keep(h, func() (*gpu.Program, error) {
			return gpu.NewProgram(h.device, listSpec("agents/"+name+".comp.glsl", room))
		})
	}
	if l.nearWalls == nil {
		l.window = windowSize
		l.nearWalls = upload(h, "agents near walls", make([]uint32, count*(nearWallRoom+1)))
		l.later = upload(h, "agents later passes", nobodyWaits(laterPasses))
		l.chunks = upload(h, "agents candidates", make([]uint32, count*chunk))
		l.queues = upload(h, "agents waiting", make([]uint32, 2*count))
		l.walls = stage("nearwalls")
		l.listWalls = stage("wallslist")
		l.sight = stage("neighborsight")
	}
	l.neighbors = upload(h, "agents neighbours", make([]uint32, count*(1+room)))
	if l.first == nil || l.room < min(room, listRoom) {
		l.first = stage("neighbors")
		l.again = stage("neighborsagain")
		l.past = stage("neighborspast")
	}
	l.room = room
}

// listSpec says how a stage that makes lists is put together.
func listSpec(stage string, room int) gpu.Spec {
	return avoidanceSpec(stage, map[string]any{
		"LIST":  min(room, listRoom),
		"CHUNK": chunk,
		"ROOM":  uint32(nearWallRoom),

		"LATER_BINDING":   bindLater,
		"QUEUES_BINDING":  bindQueues,
		"CHUNKS_BINDING":  bindChunks,
		"COUNTER_CROWDED": counterCrowded,
		"COUNTER_HEMMED":  counterHemmed,
	})
}

// look lists who is near, for those who avoid others.
func (c *Crowd) look() {
	if c.avoidance.avoids() && c.count > 0 && !c.buried() {
		c.listNeighbors()
	}
}

// listNeighbors lists who is near, of those sorted into cells.
func (c *Crowd) listNeighbors() {
	l, sorted := &c.avoidance.near, &c.avoidance.cells
	c.avoidance.settings.Bind(bindManners)
	c.agents[0].Bind(bindBefore)
	c.counters.Bind(bindCounters)
	c.walls.bind()
	l.neighbors.Bind(bindNeighbors)
	l.nearWalls.Bind(bindNearWalls)
	passes := nobodyWaits(laterPasses)
	passes[lookingPastWalls][1] = uint32(l.room)
	l.later.Write(0, passes)
	l.later.Bind(bindLater)
	l.queues.Bind(bindQueues)
	reach := float32(0)
	for _, m := range c.avoidance.manners {
		reach = max(reach, m.NeighborDistance)
	}
	rows, walls := sorted.rows(reach, c.count), c.walls.turns
	run := func(p *gpu.Program, pass, turns int) {
		p.Set("count", uint32(c.count))
		sorted.uniforms(p)
		if pass == atOnce {
			p.DispatchEach(c.count, groupSize, turns)
		} else {
			runFor(p, l.later, pass, c.count, turns)
		}
		c.device.Barrier(gpu.BarrierStorage | gpu.BarrierCommand)
	}
	c.device.Pass("neighbors", func() {
		run(l.first, atOnce, looksAtFirst)
		for round := range (l.room + listRoom - 1) / listRoom {
			for first := 0; first < c.count; first += l.window {
				l.again.Set("round", uint32(round))
				l.again.Set("window", [2]uint32{uint32(first), uint32(first + l.window)})
				l.again.Set("begins", first == 0)
				l.again.Set("ends", first+l.window >= c.count)
				if round == 0 {
					run(l.again, listingAgain, l.window+rows)
				} else {
					run(l.again, atOnce, l.window+rows)
				}
			}
		}
	})
	c.device.Pass("walls", func() {
		for _, p := range [...]*gpu.Program{l.walls, l.listWalls, l.sight, l.past} {
			c.place(p)
		}
		l.walls.Set("timestep", c.timestep)
		l.listWalls.Set("timestep", c.timestep)
		c.motions.tell(l.walls)
		c.motions.tell(l.listWalls)
		run(l.walls, atOnce, 1)
		run(l.listWalls, listingWalls, 2*walls.all+nearWallRoom*walls.longest)
		run(l.sight, lookingPastWalls, l.room*walls.near)
		l.past.Set("neighborRoom", uint32(l.room))
		l.chunks.Bind(bindChunks)
		l.past.Set("passes", uint32(pastPasses))
		for pass := range pastPasses {
			l.past.Set("pass", uint32(pass))
			run(l.past, listingPastWalls+pass, looksPastWalls*(1+walls.near)+rows+c.count)
		}
		l.nearWalls.Bind(bindNearWalls)
	})
}

// atOnce stands for a dispatch of all bodies.
const atOnce = -1

// listPrograms are the programs that make lists, of one size.
func listPrograms() []gpu.Spec {
	var specs []gpu.Spec
	for _, stage := range [...]string{"neighbors", "neighborsagain", "nearwalls", "wallslist", "neighborsight", "neighborspast"} {
		specs = append(specs, listSpec("agents/"+stage+".comp.glsl", 10))
	}
	return specs
}
