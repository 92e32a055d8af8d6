package engine

import (
	"math"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// exploring is the agents that begin without a map and seek their goals, where there are any with local maps.
type exploring struct {
	teams   *bvp.Teams // nil: nobody explores
	cells   int        // along the longer side of the domain
	times   int        // relaxations a step
	seek    *gpu.Program
	members []uint32            // team of each agent
	of      *gpu.Buffer[uint32] // on the device
	becomes *gpu.Buffer[uint32] // the status of each agent at the end of its itinerary
	targets *gpu.Buffer[uint32]
}

// The binding points of seek.comp, where they are not those of tell.comp.
const (
	bindSeen    = 2 // bvp.Teams.Seen
	bindWays    = 4 // bvp.Teams.Ways
	bindTeams   = 5 // of each agent
	bindBecomes = 6 // status of each agent at the end of its itinerary
	bindTargets = 7 // cells of goals
)

// mostTeamCells bounds the cells of teams' maps along the longer side of the domain, of which there may be one for each agent.
const mostTeamCells = 128

func seekSpec() gpu.Spec {
	s := tellSpec()
	s.Stages = []string{"engine/seek.comp.glsl"}
	for name, value := range map[string]any{
		"SEEN_BINDING": bindSeen, "WAYS_BINDING": bindWays, "TEAMS_BINDING": bindTeams, "BECOMES_BINDING": bindBecomes, "TARGETS_BINDING": bindTargets,
		"NO_TEAM": bvp.NoTeam, "ELSEWHERE": agents.Elsewhere,
	} {
		s.Defines[name] = value
	}
	return s
}

// explore begins the exploring of a scene's groups, where they have local maps.
func (w *World) explore() error {
	x := &w.steering.exploring
	var teams []uint32 // of each agent
	named := map[string]uint32{}
	count := uint32(0)
	finest := math.Inf(1)
	var becomes []uint32
	for _, t := range w.steering.people() {
		g, p := w.scene.Groups[t.Group], w.scene.Profiles[t.Profile]
		team, status := bvp.NoTeam, agents.Arrived
		if g.OnArrival == scenes.ArrivalLeave {
			status = agents.Left
		}
		if g.Explores != nil && p.Steering == scenes.SteeringBVP {
			name := g.Explores.Team
			number, known := named[name]
			if team = number; !known || name == "" { // without a name everybody is alone
				team, named[name] = count, count
				count++
			}
			finest = min(finest, p.BVP.CellSize)
			x.times = max(x.times, p.BVP.Relaxations)
		}
		teams, becomes = append(teams, team), append(becomes, status)
	}
	if count == 0 {
		return nil
	}
	x.cells = int(min(max(math.Ceil(w.Ground().Lattice.Length()/finest), leastCells), mostTeamCells))
	var err error
	if x.seek, err = gpu.NewProgram(w.device, seekSpec()); err != nil {
		return err
	}
	if x.of, err = gpu.NewBuffer[uint32](w.device, "explorers' teams", len(teams)); err != nil {
		return err
	}
	if x.becomes, err = gpu.NewBuffer[uint32](w.device, "explorers' ends", len(becomes)); err != nil {
		return err
	}
	x.members = teams
	x.of.Write(0, teams)
	x.becomes.Write(0, becomes)
	if x.teams, err = bvp.NewTeams(w.device, bvp.NewGrid(w.Ground(), x.cells), int(count)); err != nil {
		return err
	}
	return w.markTargets()
}

// markTargets tells explorers' maps where the walls are now, and where the goals.
func (w *World) markTargets() error {
	x := &w.steering.exploring
	if x.teams == nil {
		return nil
	}
	grid := bvp.NewGrid(w.Ground(), x.cells)
	x.teams.SetGrid(grid)
	first := make([]uint32, 0, len(w.goals)+1)
	var cells []uint32
	for _, g := range w.goals {
		first = append(first, uint32(len(w.goals)+1+len(cells)))
		for _, cell := range grid.Goals(g.awake.Points, g.awake.Segments) {
			cells = append(cells, uint32(cell))
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
	w.device.Barrier(gpu.BarrierUpdate)
	x.targets.Write(0, targets)
	return nil
}

// look has explorers see, and tells them where to.
func (x *exploring) look(maps *bvp.Maps, around agents.Surroundings) {
	if x.teams == nil {
		return
	}
	x.teams.Sense(maps, around.Time, around.Timestep, x.of)
	x.teams.Relax(x.times)
	p, grid, walkers := x.seek, x.teams.Grid(), maps.Walkers()
	walkers.Bind(bindWalkers)
	around.Traits.Bind(bindTraits)
	around.Guidance.Bind(bindGuidance)
	x.teams.Seen().Bind(bindSeen)
	x.teams.Ways().Bind(bindWays)
	x.of.Bind(bindTeams)
	x.becomes.Bind(bindBecomes)
	x.targets.Bind(bindTargets)
	p.Set("gridSize", [2]int32{int32(grid.Columns), int32(grid.Rows)})
	p.Set("cellsPerMetre", float32(1/grid.CellSize()))
	p.Set("walkerCount", uint32(walkers.Len()))
	p.Dispatch(gpu.Groups(walkers.Len(), groupSize), 1, 1)
}

func (x *exploring) close() {
	if x.teams != nil {
		x.teams.Close()
	}
	x.seek.Delete()
	x.of.Delete()
	x.becomes.Delete()
	x.targets.Delete()
}

// Teams are the maps of what explorers have seen, for drawing; nil where nobody explores.
func (w *World) Teams() *bvp.Teams { return w.steering.exploring.teams }

// Team is the number of an agent's team among Teams, and false if the agent does not explore.
func (w *World) Team(agent int) (int, bool) {
	members := w.steering.exploring.members
	if agent >= len(members) || members[agent] == bvp.NoTeam {
		return 0, false
	}
	return int(members[agent]), true
}
