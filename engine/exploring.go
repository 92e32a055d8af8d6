package engine

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// exploring is the agents that begin without a map and seek their goals, where there are any with local maps.
type exploring struct {
	teams   *bvp.Teams // nil: nobody ever explored
	cells   int        // along the longer side of the domain
	times   int        // relaxations a step
	guide   *gpu.Pass[exploreGuide]
	count   uint32              // teams
	named   map[string]uint32   // those with a name
	members []uint32            // team of each agent
	of      *gpu.Buffer[uint32] // on the device
	stops   *gpu.Buffer[uint32] // whether an agent stops where he is once his last goal is seen
	ends    [][]int             // cells of each goal
	targets *gpu.Buffer[uint32] // they on the device
}

// exploreGuide is what exploreguide.comp.glsl takes: it guides explorers by what their teams know.
type exploreGuide struct {
	walkers       *gpu.Buffer[bvp.Walker]      `gpu:"readwrite"`
	traits        *gpu.Buffer[agents.Traits]   `gpu:"read"`
	guidance      *gpu.Buffer[agents.Guidance] `gpu:"readwrite"`
	seen          *gpu.Buffer[uint32]          `gpu:"read"` // bvp.Teams.Seen
	ways          *gpu.Buffer[uint32]          `gpu:"read"` // bvp.Teams.Ways
	teams         *gpu.Buffer[uint32]          `gpu:"read"` // of each agent
	stops         *gpu.Buffer[uint32]          `gpu:"read"` // of each agent
	targets       *gpu.Buffer[uint32]          `gpu:"read"` // cells of goals
	walkerCount   uint32
	gridSize      [2]int32
	cellsPerMetre float32
	First         uint32 // RunEach sets it
}

var exploreGuidePass = gpu.PassSpec[exploreGuide]{
	Stages: []string{"engine/exploreguide.comp.glsl"},
	Defines: map[string]any{
		"GROUP_SIZE":     groupSize,
		"STATUS_WALKING": agents.Walking,
		"STATUS_ARRIVED": agents.Arrived,
		"OWN_POINT":      agents.OwnPoint,
		"ELSEWHERE":      agents.Elsewhere,
		"NO_TEAM":        bvp.NoTeam,
		"DOUBTED":        bvp.Doubted,
		"NOT_THERE":      bvp.NotThere,
		"NO_GOAL":        bvp.NoGoal[0],
		"AFAR":           float32(bvp.Afar),
		"GOAL_CELL":      bvp.GoalCell,
	},
}

// mostTeamCells bounds the cells of teams' maps along the longer side of the domain, of which there may be one for each agent.
const mostTeamCells = 128

// explore has the agents of groups that explore do so, as far as their profiles have local maps by now. Teams that there are keep what they know.
// After an error, a *gpu.CapacityError or *gpu.CompileError, all is as it was.
func (w *World) explore() error {
	x := &w.steering.exploring
	next := exploring{named: maps.Clone(x.named), members: slices.Clone(x.members), count: x.count}
	people := w.steering.people()
	if next.members == nil {
		next.named, next.members = map[string]uint32{}, slices.Repeat([]uint32{bvp.NoTeam}, len(people))
	}
	finest := math.Inf(1)
	for agent, t := range people {
		g, p := w.scene.Groups[t.Group], w.steering.profiles[t.Profile]
		if g.Explores == nil || p == nil {
			continue
		}
		finest = min(finest, p.CellSize)
		next.times = max(next.times, p.Relaxations)
		if next.members[agent] != bvp.NoTeam {
			continue
		}
		name := g.Explores.Team
		team, known := next.named[name]
		if !known || name == "" { // without a name everybody is alone
			team, next.named[name] = next.count, next.count
			next.count++
		}
		next.members[agent] = team
	}
	switch {
	case next.count == 0:
		return nil
	case x.teams == nil:
		next.cells = int(min(max(math.Ceil(w.Ground().Lattice.Length()/finest), leastCells), mostTeamCells))
		if err := next.open(w, people); err != nil {
			next.close()
			return err
		}
		*x = next
	case next.count > x.count:
		if err := x.teams.Add(int(next.count - x.count)); err != nil {
			return err
		}
		x.of.Write(0, next.members)
	}
	x.times, x.count, x.named, x.members = next.times, next.count, next.named, next.members
	return nil
}

// open makes what exploring needs.
func (x *exploring) open(w *World, people []agents.Traits) (err error) {
	if x.guide, err = gpu.NewPass(w.device, exploreGuidePass); err != nil {
		return err
	}
	if x.of, err = gpu.NewBuffer[uint32](w.device, "explorers' teams", len(people)); err != nil {
		return err
	}
	if x.stops, err = gpu.NewBuffer[uint32](w.device, "explorers who stop", len(people)); err != nil {
		return err
	}
	stops := make([]uint32, len(people))
	for agent, t := range people {
		if w.scene.Groups[t.Group].OnArrival == scenes.ArrivalStay {
			stops[agent] = 1
		}
	}
	x.of.Write(0, x.members)
	x.stops.Write(0, stops)
	if x.teams, err = bvp.NewTeams(w.device, bvp.NewGrid(w.Ground(), x.cells), int(x.count)); err != nil {
		return err
	}
	return x.mark(w)
}

// mark tells explorers' maps where the walls are now, and where the goals. A goal that has come to a cell has to be seen there, be the
// cell known or not.
func (x *exploring) mark(w *World) error {
	if x.teams == nil {
		return nil
	}
	grid := bvp.NewGrid(w.Ground(), x.cells)
	first := make([]uint32, 0, len(w.goals)+1)
	var cells []uint32
	var come []int
	ends := make([][]int, len(w.goals))
	for i, g := range w.goals {
		first = append(first, uint32(len(w.goals)+1+len(cells)))
		ends[i] = grid.Goals(g.awake.Points, g.awake.Segments)
		for _, cell := range ends[i] {
			cells = append(cells, uint32(cell))
			if x.ends != nil && !slices.Contains(x.ends[i], cell) {
				come = append(come, cell)
			}
		}
	}
	first = append(first, uint32(len(w.goals)+1+len(cells)))
	targets := append(first, cells...)
	if x.targets == nil || x.targets.Len() < len(targets) {
		buffer, err := gpu.NewBuffer[uint32](w.device, "explorers' goals", len(targets))
		if err != nil {
			return err
		}
		x.targets.Delete()
		x.targets = buffer
	}
	x.teams.SetGrid(grid)
	if err := x.teams.Doubt(come); err != nil {
		return err
	}
	x.targets.Write(0, targets)
	x.ends = ends
	return nil
}

// look has explorers see, and tells them where to.
func (x *exploring) look(local *bvp.Maps, around agents.StepContext) {
	if x.teams == nil {
		return
	}
	x.teams.Sense(local, around.Time, around.Timestep, x.of)
	x.teams.Relax(x.times)
	grid, walkers := x.teams.Grid(), local.Walkers()
	x.guide.RunEach(exploreGuide{
		walkers: walkers, traits: around.Traits, guidance: around.Guidance,
		seen: x.teams.Seen(), ways: x.teams.Ways(), teams: x.of, stops: x.stops, targets: x.targets,
		walkerCount: uint32(walkers.Len()),
		gridSize:    [2]int32{int32(grid.Columns), int32(grid.Rows)}, cellsPerMetre: float32(1 / grid.CellSize()),
	}, walkers.Len(), groupSize, x.targets.Len())
}

func (x *exploring) close() {
	if x.teams != nil {
		x.teams.Close()
	}
	x.of.Delete()
	x.stops.Delete()
	x.targets.Delete()
}

// Teams are the maps of what explorers have seen, for drawing; nil where nobody ever explored. There are more of them after SetLocalMap has made
// explorers of people who had no local maps.
func (w *World) Teams() *bvp.Teams { return w.steering.exploring.teams }

// Team is the number of an agent's team among Teams, and false if the agent does not explore: its group does not, or its profile has no
// local map now. An agent that is not in the crowd panics.
func (w *World) Team(agent int) (int, bool) {
	if count := w.crowd.Count(); agent < 0 || agent >= count {
		panic(fmt.Sprintf("engine: there is no agent %d; the crowd has %d, counted from 0", agent, count))
	}
	members := w.steering.exploring.members
	if members == nil || members[agent] == bvp.NoTeam || w.steering.profiles[w.steering.people()[agent].Profile] == nil {
		return 0, false
	}
	return int(members[agent]), true
}
