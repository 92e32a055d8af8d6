package engine

import (
	"maps"
	"reflect"
	"slices"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
)

// route is an itinerary that agents of a group begin.
type route struct {
	group, choice int // in the scene of the edit, of scenes.Group.Itineraries
	first         uint32
	count         uint32
	layer         uint32 // of the first stage
	known         bool   // the crowd has it
}

// groupRoutes are the itineraries of a group, and which of them each of its agents has.
type groupRoutes struct {
	all     []*route
	choices []int
}

// recruit is an agent that Sync adds to a group of the scene of the edit.
type recruit struct {
	id           AgentID
	group, index int
}

// syncGroups makes the agents of groups those of other groups.
func (e *Edit) syncGroups(was, now []scenes.Group) {
	w := e.world
	from, gone := match(was, now, func(g *scenes.Group) *string { return &g.ID })
	for _, k := range gone {
		e.dismiss(w.doc.members[k])
	}
	members, routes := make([][]AgentID, len(now)), make([]groupRoutes, len(now))
	for j := range now {
		routes[j].choices = spawn.Routes(e.scene, j)
		for i := range now[j].Itineraries() {
			routes[j].all = append(routes[j].all, &route{group: j, choice: i})
		}
		if k := from[j]; k >= 0 {
			all := w.doc.members[k]
			stay := min(len(all), now[j].Count)
			e.dismiss(all[stay:])
			members[j] = slices.Clone(all[:stay])
			e.syncGroup(&was[k], &now[j], j != k, &routes[j], members[j])
		}
		for index := len(members[j]); index < now[j].Count; index++ {
			members[j] = append(members[j], e.recruit(&now[j], &routes[j], index))
		}
	}
	e.doc.members = members
	e.leaveRemoved(routes)
}

// dismiss removes those agents that are there.
func (e *Edit) dismiss(ids []AgentID) {
	for _, id := range ids {
		slot, err := e.world.agentIDs.slot(id)
		if err != nil {
			continue
		}
		if a := e.member(slot); a != nil {
			a.leave()
			e.agents[uint32(slot)] = a
		}
	}
}

// syncGroup makes agents of a group follow what of it differs.
func (e *Edit) syncGroup(was, now *scenes.Group, moved bool, to *groupRoutes, members []AgentID) {
	profile := e.profileNamed(now.Profile)
	assigned := profile != slices.IndexFunc(e.world.profiles, func(p Profile) bool { return p.ID == was.Profile })
	before, after := layersOf(e.world.goals, was), layersOf(e.editedGoals(), now)
	routed := was.Goal != now.Goal || !reflect.DeepEqual(before, after) || !slices.Equal(shares(was), shares(now))
	started := was.Start != now.Start
	if !moved && !assigned && !routed && !started && was.OnArrival == now.OnArrival && reflect.DeepEqual(was.Explores, now.Explores) {
		return
	}
	for index, id := range members {
		slot, err := e.world.agentIDs.slot(id)
		if err != nil {
			continue
		}
		a := e.member(slot)
		if a == nil {
			continue
		}
		e.agents[uint32(slot)] = a
		a.traits.Group, a.traits.OnArrival = uint32(to.all[0].group), agents.OnArrivalOf(now.OnArrival)
		a.change.Fields |= agents.ChangeTraits
		if assigned {
			a.own = nil
			e.follow(a, profile)
		}
		if choice := to.choices[index]; routed {
			if a.goal == 0 && (was.Goal != now.Goal || !slices.Equal(before[a.choice], after[choice])) {
				a.route = to.all[choice]
			}
			a.choice = choice
		}
		if ring := now.Spawn.Ring; routed && now.Goal == scenes.AntipodeGoal {
			place := scenes.OnCircle(ring.Center, ring.Radius, index, now.Count)
			own := ring.Center.Mul(2).Sub(place).Sub(e.scene.Min())
			a.traits.Own = [2]float32{float32(own[0]), float32(own[1])}
		}
		if started && uint64(a.traits.Entry) > e.world.ticks { // it has not entered
			a.traits.Entry = e.entryOf(now, index)
		}
	}
}

// entryOf is the step in which the agent of a group enters, from the next one on.
func (e *Edit) entryOf(g *scenes.Group, index int) uint32 {
	at := g.Start.At
	if g.Start.Rate > 0 {
		at += float64(index) / g.Start.Rate
	}
	return max(agents.EntryStep(at, e.scene.Simulation.Timestep), uint32(e.world.ticks))
}

// recruit adds an agent to a group. It has its place later.
func (e *Edit) recruit(g *scenes.Group, routes *groupRoutes, index int) AgentID {
	id := take(e.world, &e.world.agentIDs)
	to := routes.all[routes.choices[index]]
	a := &agentEdit{spawn: &Spawn{}, route: to, agentState: agentState{present: true, choice: to.choice}}
	a.born = birth{e.scene.Simulation.Seed, true, uint32(to.group), uint32(index)}
	a.traits = agents.Traits{Group: uint32(to.group), OnArrival: agents.OnArrivalOf(g.OnArrival), Entry: e.entryOf(g, index)}
	a.change = agents.Change{Slot: uint32(id), Fields: agents.ChangeNew}
	e.follow(a, e.profileNamed(g.Profile))
	e.agents[uint32(id)] = a
	e.recruits = append(e.recruits, recruit{id, to.group, index})
	return id
}

// leaveRemoved has agents leave goals and profiles that the edit removes: those of groups for what
// their group has, the others for good.
func (e *Edit) leaveRemoved(routes []groupRoutes) {
	w := e.world
	goals, profiles := map[GoalID]bool{}, map[uint32]bool{}
	for slot, g := range e.goals {
		if g.gone {
			goals[w.goalIDs.at(slot)] = true
		}
	}
	for slot, p := range e.profiles {
		if p.gone() {
			profiles[uint32(slot)] = true
		}
	}
	if len(goals)+len(profiles) == 0 {
		return
	}
	for slot := range w.population.agents {
		a := e.member(slot)
		if a == nil || !goals[a.goal] && !profiles[a.traits.Profile] {
			continue
		}
		id := w.agentIDs.at(slot)
		e.agents[uint32(slot)] = a
		if a.traits.Group == agents.NoGroup {
			e.dismiss([]AgentID{id})
			e.report.Removed = append(e.report.Removed, id)
			continue
		}
		if goals[a.goal] {
			a.goal, a.route = 0, routes[a.traits.Group].all[a.choice]
		}
		if profiles[a.traits.Profile] {
			a.own = nil
			e.follow(a, e.profileNamed(e.scene.Groups[a.traits.Group].Profile))
		}
	}
}

// profileNamed is the slot of a profile as the edit has them so far.
func (e *Edit) profileNamed(id string) int {
	i := slices.IndexFunc(e.doc.profiles, func(slot uint32) bool { p := e.profile(int(slot)); return p.ID == id })
	return int(e.doc.profiles[i])
}

// layersOf are the layers of the goals of each itinerary of a group.
func layersOf(goals []goalState, g *scenes.Group) [][]uint32 {
	all := make([][]uint32, len(g.Itineraries()))
	for i, itinerary := range g.Itineraries() {
		for _, id := range itinerary {
			all[i] = append(all[i], uint32(slices.IndexFunc(goals, func(g goalState) bool { return g.ID == id })))
		}
	}
	return all
}

// shares are those of a group's routes.
func shares(g *scenes.Group) (all []float64) {
	for _, r := range g.Routes {
		all = append(all, r.Share)
	}
	return all
}

// placeRecruits gives the agents that Sync adds their places, on the ground that the edit leaves.
func (e *Edit) placeRecruits(ground *geom.Ground) {
	if len(e.recruits) == 0 {
		return
	}
	s, added := *e.scene, map[[2]int]AgentID{}
	s.Groups = slices.Clone(s.Groups)
	grow := map[int]bool{}
	for _, r := range e.recruits {
		added[[2]int{r.group, r.index}], grow[r.group] = r.id, true
	}
	for i := range s.Groups {
		if !grow[i] {
			s.Groups[i].Count = 0 // its agents have walked on
		}
	}
	placements, err := spawn.Agents(&s, ground, geom.NewWallGrid(ground))
	if err != nil {
		e.fault(EditError{Op: "Sync", Cause: err})
		return
	}
	index := make([]int, len(s.Groups))
	for _, p := range placements {
		id, ok := added[[2]int{p.Group, index[p.Group]}]
		if index[p.Group]++; !ok {
			continue
		}
		a, own := e.agents[uint32(id)], p.Own.Sub(ground.Lattice.Origin)
		a.traits.Own = [2]float32{float32(own[0]), float32(own[1])}
		a.change.Agent = agents.Agent{
			Position: ground.Lattice.Local(p.At),
			FromX:    p.From.X, FromY: p.From.Y, Perturbation: 1,
			Target: agents.NoTarget, Status: agents.Waiting,
		}
		if e.controlOf(int(a.traits.Profile)) == Puppet {
			a.change.Agent.Status = agents.Placed
		}
	}
}

// prepareRoutes has agents begin the itineraries of their groups.
func (e *Edit) prepareRoutes() error {
	goals := e.editedGoals()
	for _, slot := range slices.Sorted(maps.Keys(e.agents)) {
		a := e.agents[slot]
		if a.route == nil || !a.present {
			continue
		}
		if err := e.prepareRoute(a.route, goals, a.traits.Radius); err != nil {
			return err
		}
		a.traits.FirstStage, a.traits.Stages = a.route.first, a.route.count
		a.change.Agent.Layer, a.change.Agent.Stage = a.route.layer, 0
		if a.spawn == nil {
			a.change.Fields |= agents.ChangeGoal | agents.ChangeTraits
		}
	}
	return nil
}

// prepareRoute has the crowd have an itinerary. An agent's own point is reached when its disc
// covers it, so that of agents of other radii is another one.
func (e *Edit) prepareRoute(r *route, goals []goalState, radius float32) error {
	if r.known {
		return nil
	}
	var stages []agents.Stage
	g := &e.scene.Groups[r.group]
	if g.Goal == scenes.AntipodeGoal {
		stages = append(stages, agents.Stage{Layer: agents.OwnPoint, ArrivalRadius: radius})
	}
	for _, layer := range layersOf(goals, g)[r.choice] {
		stages = append(stages, agents.Stage{Layer: layer, ArrivalRadius: float32(goals[layer].ArrivalRadius)})
	}
	first, err := e.world.crowd.AddItinerary(stages...)
	*r = route{r.group, r.choice, uint32(first), uint32(len(stages)), stages[0].Layer, err == nil && g.Goal == ""}
	return err
}
