package engine

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/explore"
	"github.com/wayfront/wayfront/bvp/grid"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// explorers are the agents that begin without a map and seek their goals, of those with local maps.
type explorers struct {
	roster
	teams   *explore.Teams // nil: no agent ever explored
	cells   int            // along the longer side of the domain
	guide   *gpu.Pass[exploreGuide]
	ends    [][]int             // cells of each goal
	targets *gpu.Buffer[uint32] // they on the device
}

// roster is which agents explore, and in which team.
type roster struct {
	count   uint32            // teams
	named   map[string]uint32 // those with a name
	members []member          // by agent
	times   int               // relaxations a step
}

// member is how an agent explores.
type member struct {
	team      uint32 // explore.NoTeam: it does not
	frontiers bool   // it seeks frontiers by these costs, and does not follow the potential
	frontier  scenes.Frontier
}

// exploreGuide is what exploreguide.comp.glsl takes: it guides explorers by what their teams know.
type exploreGuide struct {
	walkers       *gpu.Buffer[local.Walker]    `gpu:"readwrite"`
	traits        *gpu.Buffer[agents.Traits]   `gpu:"read"`
	guidance      *gpu.Buffer[agents.Guidance] `gpu:"readwrite"`
	seen          *gpu.Buffer[uint32]          `gpu:"read"` // explore.Teams.Seen
	ways          *gpu.Buffer[uint32]          `gpu:"read"` // explore.Teams.Ways
	members       *gpu.Buffer[explore.Member]  `gpu:"read"`
	choices       *gpu.Buffer[explore.Choice]  `gpu:"read"`
	targets       *gpu.Buffer[uint32]          `gpu:"read"` // cells of goals
	walkerCount   uint32
	gridSize      [2]int32
	cellsPerMeter float32
	cellSize      float32 // m
	First         uint32  // RunEach sets it
}

var exploreGuidePass = gpu.PassSpec[exploreGuide]{
	Stages: []string{"engine/exploreguide.comp.glsl"},
	Defines: map[string]any{
		"GROUP_SIZE":      groupSize,
		"STATUS_WALKING":  agents.Walking,
		"STATUS_ARRIVED":  agents.Arrived,
		"ON_ARRIVAL_STAY": agents.OnArrivalStay,
		"OWN_POINT":       agents.OwnPoint,
		"ELSEWHERE":       agents.Elsewhere,
		"NO_TEAM":         explore.NoTeam,
		"STALE":           explore.Stale,
		"NO_CELL":         explore.NoCell,
		"NOT_THERE":       local.NotThere,
		"NO_GOAL":         local.NoGoal[0],
		"AFAR":            float32(local.Afar),
	},
}

// enlistExplorers has the agents of groups that explore do so, as far as their profiles have local
// maps by now. Teams that there are keep what they know. After an error, a *gpu.CapacityError or
// *gpu.CompileError, all is as it was.
func (w *World) enlistExplorers() error {
	x := &w.local.explorers
	next := roster{count: x.count, named: maps.Clone(x.named), members: slices.Clone(x.members)}
	if next.named == nil {
		next.named = map[string]uint32{}
	}
	for len(next.members) < len(w.population.agents) {
		next.members = append(next.members, member{team: explore.NoTeam})
	}
	finest := math.Inf(1)
	for agent, a := range w.population.agents {
		p := w.profiles[a.traits.Profile].localMap()
		if a.traits.Group == agents.NoGroup {
			next.members[agent] = member{team: explore.NoTeam} // others may have had the slot
			continue
		}
		if !a.present { // Sync may have taken its group away
			continue
		}
		g := w.scene.Groups[a.traits.Group]
		if g.Explores == nil {
			next.members[agent] = member{team: explore.NoTeam} // Sync may have ended it
		}
		if g.Explores == nil || p == nil {
			continue
		}
		size, times := p.CellSize.Mean, int(p.Relaxations.Mean)
		if a.bvp != nil {
			size, times = a.bvp.CellSize, a.bvp.Relaxations
		}
		finest, next.times = min(finest, size), max(next.times, times)
		m := &next.members[agent]
		if m.frontiers = g.Explores.Frontier != nil; m.frontiers {
			m.frontier = *g.Explores.Frontier
		}
		name := g.Explores.Team
		if m.team != explore.NoTeam && next.nameOf(m.team) == name {
			continue
		}
		team, known := next.named[name]
		if !known || name == "" { // without a name every agent is alone
			team, next.named[name] = next.count, next.count
			next.count++
		}
		m.team = team
	}
	if next.count == 0 {
		return nil
	}
	if x.teams == nil {
		opened := explorers{roster: next, cells: cellsAlong(w.ground().Lattice.Length(), finest, explore.MostCells)}
		if err := opened.open(w); err != nil {
			opened.close()
			return err
		}
		*x = opened
	} else if next.count > x.count {
		if err := x.teams.Add(int(next.count - x.count)); err != nil {
			return err
		}
	}
	if err := x.setMembers(next.members); err != nil {
		return err
	}
	x.roster = next
	return nil
}

// setMembers has the device know how agents explore.
func (x *explorers) setMembers(members []member) error {
	size := x.teams.Grid().CellSize()
	all := make([]explore.Member, len(members))
	for i, m := range members {
		if all[i].Team = m.team; m.frontiers {
			all[i] = explore.Member{
				Team: m.team, Frontiers: 1, Gain: uint32(math.Round(m.frontier.Gain * explore.Fraction)),
				Apart: uint32(math.Round(m.frontier.Apart / size)), Turn: uint32(math.Round(m.frontier.Turn / size * explore.Fraction)),
			}
		}
	}
	return x.teams.SetMembers(all)
}

// nameOf is the name of a team; empty: an agent is alone in it.
func (r *roster) nameOf(team uint32) string {
	for name, number := range r.named {
		if number == team {
			return name
		}
	}
	return ""
}

// open makes what exploring needs.
func (x *explorers) open(w *World) (err error) {
	if x.guide, err = gpu.NewPass(w.device, exploreGuidePass); err != nil {
		return err
	}
	if x.teams, err = explore.New(w.device, grid.New(w.ground(), x.cells), int(x.count)); err != nil {
		return err
	}
	return x.update(w)
}

// update brings explorers' maps up to date with the walls and the goals. A goal that has come to a
// cell has to be seen there, be the cell known or not.
func (x *explorers) update(w *World) error {
	if x.teams == nil {
		return nil
	}
	g := grid.New(w.ground(), x.cells)
	if g.Lattice != x.teams.Grid().Lattice {
		if err := x.beginAnew(w, g); err != nil {
			return err
		}
	}
	targets, ends := make([]uint32, len(w.goals)+1), make([][]int, len(w.goals))
	var come []int
	for i, goal := range w.goals {
		targets[i] = uint32(len(targets))
		ends[i] = g.Goals(goal.open.Points, goal.open.Segments)
		for _, cell := range ends[i] {
			targets = append(targets, uint32(cell))
			if i < len(x.ends) && !slices.Contains(x.ends[i], cell) {
				come = append(come, cell)
			}
		}
	}
	targets[len(w.goals)] = uint32(len(targets))
	if x.targets == nil || x.targets.Len() < len(targets) {
		buffer, err := gpu.NewBuffer[uint32](w.device, "explorers' goals", len(targets))
		if err != nil {
			return err
		}
		x.targets.Delete()
		x.targets = buffer
	}
	x.teams.SetGrid(g)
	if err := x.teams.MarkStale(come); err != nil {
		return err
	}
	x.targets.Write(0, targets)
	x.ends = ends
	return nil
}

// beginAnew has teams know nothing of the ground of another domain.
func (x *explorers) beginAnew(w *World, g *grid.Grid) error {
	teams, err := explore.New(w.device, g, int(x.count))
	if err != nil {
		return err
	}
	x.teams.Close()
	x.teams, x.ends = teams, nil
	return x.setMembers(x.members)
}

// look has explorers see, and leads them.
func (x *explorers) look(m *local.Maps, s agents.StepContext) {
	if x.teams == nil {
		return
	}
	x.teams.Sense(m, s.Time, s.Timestep)
	x.teams.Relax(x.times)
	x.teams.Seek(m, s.Time, s.Timestep)
	g, walkers := x.teams.Grid(), m.Walkers()
	x.guide.RunEach(exploreGuide{
		walkers: walkers, traits: s.Traits, guidance: s.Guidance,
		seen: x.teams.Seen(), ways: x.teams.Ways(), members: x.teams.Members(), choices: x.teams.Choices(), targets: x.targets,
		walkerCount: uint32(walkers.Len()), gridSize: g.Size(), cellsPerMeter: float32(1 / g.CellSize()), cellSize: float32(g.CellSize()),
	}, walkers.Len(), groupSize, x.targets.Len())
}

func (x *explorers) close() {
	if x.teams != nil {
		x.teams.Close()
	}
	x.targets.Delete()
}

// Teams are the maps of what explorers have seen, for drawing; nil where no agent ever explored.
// There are more of them after an edit has made explorers of agents that had no local maps.
func (w *World) Teams() *explore.Teams {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.local.explorers.teams
}

// Team is the number of an agent's team among Teams, by its slot, and false if the agent does not
// explore: its group does not, or its profile has no local map now. A slot that was never used
// panics.
func (w *World) Team(agent int) (int, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if count := len(w.population.agents); agent < 0 || agent >= count {
		panic(fmt.Sprintf("engine: there is no agent %d; the crowd has %d, counted from 0", agent, count))
	}
	members := w.local.explorers.members
	if agent >= len(members) || members[agent].team == explore.NoTeam || w.profiles[w.population.agents[agent].traits.Profile].localMap() == nil {
		return 0, false
	}
	return int(members[agent].team), true
}
