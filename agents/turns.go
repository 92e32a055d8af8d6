package agents

import "math"

// How many turns of loops one agent takes in a pass, at most, by which dispatches are cut: see
// gpu.Budget and docs/dispatches.md.

// rows is how many rows of parts are within a reach, at most. A cell of k agents has max(1,
// sqrt(k / partAgents)): so many together most where the crowd is in those cells, evenly.
func (s *cells) rows(reach float32, count int) int {
	within := func(cells int32) float64 { return min(2*float64(reach*s.cellsPerMeter)+2, float64(cells)) }
	cells := within(s.size[0]) * within(s.size[1])
	return int(cells + math.Sqrt(cells*float64(count)/partAgents))
}

// visitTurns is for a visit of all agents that may touch one (near.glsl), in a heap all of the
// crowd: eight bodies a turn, which is the work of two, and a turn for each row of parts.
func (c *Crowd) visitTurns() int {
	return c.cells.rows(2*c.contacts.largest+c.contacts.drift, c.count) + c.count/4
}

// looksAtFirst is what the first pass that lists neighbors looks at, at most: MOST in
// neighbors.comp.glsl, and after that one more run of as many.
const looksAtFirst = 2*4096 + 1

// looksPastWalls is how many bodies a pass past walls has looked at when it takes no more
// candidates: MOST_LOOKS in neighborspast.comp.glsl.
const looksPastWalls = 2048

// wallTurns are those of walls.
type wallTurns struct {
	sight   int // for a test of sight
	near    int // for a test of sight of an agent near
	all     int // to come by every cell, and by every wall in it
	longest int // list of a cell
}

// nearestFree are those of looking for the nearest free ground: a wall offers up to ten places,
// those of farther ones none.
func (w wallTurns) nearestFree() int { return 10 * w.all }

// swept are those of looking for walls that have pushed an agent, and past those that have not
// moved.
func (w wallTurns) swept() int { return 2 * w.all }

// steering are those of looking for a generator in sight among 11, then in rings of 25 and 81
// texels.
func (w wallTurns) steering() int { return (11 + 25 + 81) * w.sight }

// moving are those of a move led by a generator (move.glsl): four phases, of which two try the
// end of the move, its neighbors, hop points further on, and the neighbors again, and two the
// neighbors twice; each asks for sight of the place and by two rules from there.
func (w wallTurns) moving() int { return 3 * (2*(10+hop+11) + 2*20) * w.near }

// pushing are those of two moves led by nothing, and of the walls beside a disc, offTurns times.
func (w wallTurns) pushing() int { return 2*4*10*w.near + offTurns*4*w.longest }

// turnsOf is how long tests past walls take. A line crosses at most as many cells as there are
// columns and rows, and comes by the cells on either side of them, with two walls on average; it
// meets the longest list twice, at its ends.
func turnsOf(terrains []Terrain) (w wallTurns) {
	for _, t := range terrains {
		longest := 0
		for i, start := range t.Grid.Start[1:] {
			longest = max(longest, int(start-t.Grid.Start[i]))
		}
		longest *= 2 // both ways
		w.longest = max(w.longest, longest)
		w.sight = max(w.sight, 3*int(t.Grid.Columns+t.Grid.Rows)+2*longest)
		w.near = max(w.near, 64+2*longest)
		w.all = max(w.all, recordCount(t))
	}
	return w
}

// Turns of the methods, for an agent with a list of so many neighbors, at worst.

func rvoTurns(m AvoidanceParams, capacity int) int {
	samples := int(m.Own0) // the first parameter of scenes.RVO
	return (samples + 1) * (capacity + wallCapacity)
}

// orcaTurns are those of the last linear programs: for each line, with that of this step for each
// neighbor, one of all lines before it, which cuts each by those before it.
func orcaTurns(_ AvoidanceParams, capacity int) int {
	lines := 2*capacity + wallCapacity
	return lines * lines * lines
}

// clearPathTurns are those of walks along three sides of each region, in which each region ends
// some step, for up to eight demands, and of ORCA, the last resort.
func clearPathTurns(m AvoidanceParams, capacity int) int {
	regions := capacity + wallCapacity
	return 8*3*regions*regions*(1+regions) + orcaTurns(m, capacity)
}
