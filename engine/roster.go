package engine

import (
	"cmp"
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/scenes"
)

// population is the agents and profiles of a world as the CPU knows them, with the edits that take
// effect in the next tick.
type population struct {
	profiles   []Profile // by slot, which is the crowd's index
	profileIDs handles[ProfileID]
	known      int // profiles of the crowd: more than these after an edit that the device refused

	agents   []agentState // by slot
	agentIDs handles[AgentID]
	pending  []agents.Change // for the next tick, at most one a slot
	recordOf map[uint32]int  // in pending, by slot
	entering []newcomer      // with the next tick
	removed  []removal       // in the order of ticks

	reporting bool // events
	unsure    bool // whether agents left before they were reported
}

// clone returns a copy.
func (r *population) clone() population {
	c := *r
	c.profiles, c.agents = slices.Clone(r.profiles), slices.Clone(r.agents)
	c.profileIDs, c.agentIDs = r.profileIDs.clone(), r.agentIDs.clone()
	c.pending, c.recordOf = slices.Clone(r.pending), maps.Clone(r.recordOf)
	c.entering, c.removed = slices.Clone(r.entering), slices.Clone(r.removed)
	return c
}

// removal is a slot whose agent or area is gone.
type removal struct {
	slot uint32
	tick uint64 // the last one that an edit could change it in
}

func newPopulation(tag uint8) population {
	return population{
		profileIDs: handles[ProfileID]{kind: "profile", tag: tag}, agentIDs: handles[AgentID]{kind: "agent", tag: tag},
		recordOf: map[uint32]int{},
	}
}

// enlist takes the profiles and agents of a scene.
func (r *population) enlist(scene *scenes.Scene, crowd *agents.Crowd) {
	for _, p := range scene.Profiles {
		r.profiles = append(r.profiles, Profile{Profile: p})
		r.profileIDs.take()
	}
	r.known = len(r.profiles)
	counts := make([]uint32, len(scene.Groups)) // of agents so far
	choices := make([][]int, len(scene.Groups))
	for i := range choices {
		choices[i] = spawn.Routes(scene, i)
	}
	r.agents = make([]agentState, crowd.Count())
	for slot := range r.agents {
		t := crowd.Traits(slot)
		a := agentState{traits: t, speed: t.PreferredSpeed, present: true}
		a.born = birth{scene.Simulation.Seed, true, t.Group, counts[t.Group]}
		a.choice = choices[t.Group][counts[t.Group]]
		counts[t.Group]++
		a.individualize(&r.profiles[t.Profile], a.born.draw())
		r.agents[slot] = a
		r.agentIDs.take()
	}
}

// Agents appends the handles of all agents to dst, by their slots: those of the scene in its order
// come first, then those that were added. An agent that has left is among them until the host can
// know of it.
func (w *World) Agents(dst []AgentID) []AgentID {
	w.mu.Lock()
	defer w.mu.Unlock()
	for slot, a := range w.population.agents {
		if a.present {
			dst = append(dst, w.agentIDs.at(slot))
		}
	}
	return dst
}

// recycleSlots has the slots of agents and areas that are gone given out again, once no event of
// theirs can surface any more.
func (w *World) recycleSlots() {
	w.removed = recycled(w, w.removed, &w.agentIDs)
	w.areasGone = recycled(w, w.areasGone, &w.areaIDs)
}

// recycled recycles what has been gone for long enough, and returns the rest.
func recycled[T ~uint64](w *World, gone []removal, ids *handles[T]) []removal {
	done := 0
	for done < len(gone) && gone[done].tick+eventLatency < w.ticks {
		ids.recycle(gone[done].slot)
		done++
	}
	return slices.Delete(gone, 0, done)
}

// changeAgents has the crowd take what edits did to agents since the last tick.
func (w *World) changeAgents() error {
	if len(w.pending) == 0 {
		return nil
	}
	slices.SortFunc(w.pending, func(a, b agents.Change) int { return cmp.Compare(a.Slot, b.Slot) })
	clear(w.recordOf)
	if err := w.crowd.Apply(w.pending); err != nil {
		for i, c := range w.pending {
			w.recordOf[c.Slot] = i
		}
		return err
	}
	w.pending, w.entering = w.pending[:0], w.entering[:0]
	return nil
}

// needsDevice reports whether the edit adds goals, changes radii of goals, agents, profiles, or what
// the maps or the crowd have of the scene.
func (e *Edit) needsDevice() bool {
	for slot, g := range e.goals {
		if slot >= len(e.world.goals) || g.ArrivalRadius != e.world.goals[slot].ArrivalRadius || !reflect.DeepEqual(g.Service, e.world.goals[slot].Service) {
			return true
		}
	}
	return len(e.agents)+len(e.profiles)+len(e.areas) > 0 || e.scene.Simulation != e.world.scene.Simulation || e.scene.Map != e.world.scene.Map ||
		e.scene.Domain != e.world.scene.Domain
}

// prepare makes what the edit needs on the device, and has the roster take its agents and profiles.
// After an error all is as it was with the scene before.
func (e *Edit) prepare(l layout, before *scenes.Scene) error {
	w := e.world
	e.followProfiles()
	err := e.prepareGoals(l)
	if err == nil {
		err = w.crowd.Reserve(len(w.agentIDs.slots))
	}
	if err == nil && len(e.batches) > 0 { // slots of those that leave are for others
		err = w.reportEvents()
	}
	if err == nil {
		err = e.prepareItineraries()
	}
	goals, profiles, all := w.goals, w.profiles, slices.Clone(w.population.agents)
	if err == nil {
		w.goals = e.editedGoals()
		err = e.prepareProfiles()
	}
	if err == nil {
		err = e.setRadii(goals)
	}
	if err == nil {
		err = e.setServices(goals)
	}
	if err == nil {
		err = w.simulate(e.scene)
	}
	if err == nil {
		err = e.prepareAreas()
	}
	if err != nil {
		_ = w.simulate(before) // of which the crowd had what it needs
		_ = w.crowd.SetServices(servicesOf(goals))
		e.next.delete()
		w.goals, w.profiles, w.population.agents = goals, profiles, all
		return err
	}
	if e.next != nil {
		w.next.delete()
		w.next = e.next
	}
	e.takeAgents()
	return nil
}

// simulate has the crowd take what a scene says of the simulation.
func (w *World) simulate(s *scenes.Scene) error {
	if err := w.crowd.SetContactRounds(s.Simulation.ContactRounds); err != nil {
		return err
	}
	return w.crowd.SetSeed(s.Simulation.Seed)
}

// followProfiles has all agents of a profile that the edit changes follow it.
func (e *Edit) followProfiles() {
	w := e.world
	for slot, p := range e.profiles {
		if p.gone() || slot >= len(w.profiles) || !p.shapes(w.profiles[slot]) {
			continue
		}
		for i := range w.population.agents {
			if a := &w.population.agents[i]; a.present && int(a.traits.Profile) == slot && e.agents[uint32(i)] == nil {
				e.agents[uint32(i)] = e.known(i)
			}
		}
		for _, a := range e.agents {
			if int(a.traits.Profile) == slot {
				e.follow(a, slot)
			}
		}
	}
}

// shapes reports whether the traits of agents differ between two profiles, or their local maps
// where agents of one profile do.
func (p Profile) shapes(q Profile) bool {
	var a, b agents.Traits
	p.apply(&a)
	q.apply(&b)
	return a != b || p.Control != q.Control || p.PreferredSpeed != q.PreferredSpeed || p.Radius != q.Radius || p.MaxSpeed != q.MaxSpeed ||
		p.mapsDiffer() || q.mapsDiffer()
}

// prepareItineraries makes an itinerary for each goal that the edit sends agents to, and has those
// of changed goals arrive at their radii.
func (e *Edit) prepareItineraries() error {
	w, goals := e.world, e.editedGoals()
	for _, slot := range slices.Sorted(maps.Keys(e.agents)) {
		a := e.agents[slot]
		if !a.sent {
			continue
		}
		to := int(uint32(a.goal))
		if goals[to].itinerary < 0 {
			first, err := w.crowd.AddItinerary(agents.Stage{Layer: uint32(to), ArrivalRadius: float32(goals[to].ArrivalRadius)})
			if err != nil {
				return err
			}
			goals[to].itinerary = first
			e.goals[to] = goals[to]
		}
		a.traits.FirstStage = uint32(goals[to].itinerary)
	}
	return e.prepareRoutes()
}

// setRadii has agents arrive at the radii of changed goals. It fails only where the device is lost.
func (e *Edit) setRadii(before []goalState) (err error) {
	for slot, g := range e.goals {
		if slot < len(before) && g.ArrivalRadius != before[slot].ArrivalRadius {
			err = errors.Join(err, e.world.crowd.SetArrivalRadius(slot, float32(g.ArrivalRadius)))
		}
	}
	return err
}

// setServices has goals serve as the edit leaves them.
func (e *Edit) setServices(before []goalState) error {
	if now := servicesOf(e.world.goals); !reflect.DeepEqual(servicesOf(before), now) {
		return e.world.crowd.SetServices(now)
	}
	return nil
}

func servicesOf(goals []goalState) (all []*scenes.Service) {
	for _, g := range goals {
		all = append(all, g.Service)
	}
	return all
}

// prepareProfiles has the crowd take the profiles, and makes what local maps need. After an error
// the crowd's profiles are as they were, but that it may have more.
func (e *Edit) prepareProfiles() (err error) {
	w := e.world
	before := w.profiles
	w.profiles = slices.Clone(before)
	for _, slot := range slices.Sorted(maps.Keys(e.profiles)) {
		p := e.profiles[slot]
		if slot == len(w.profiles) {
			w.profiles = append(w.profiles, p)
		}
		if w.profiles[slot] = p; p.gone() {
			if slot < w.known {
				continue
			}
			p.Profile = scenes.DefaultProfile() // the crowd's profiles count without gaps
		}
		if slot >= w.known {
			if _, err = w.crowd.AddProfile(p.Profile); err == nil {
				w.known++
			}
		} else {
			err = w.crowd.SetProfile(slot, p.Profile)
		}
		if err != nil {
			break
		}
	}
	e.editAgents()
	if err == nil && len(e.profiles)+len(e.agents) > 0 {
		err = w.prepareLocalMaps()
	}
	if err != nil {
		for slot := range e.profiles {
			if slot < len(before) && !before[slot].gone() { // the crowd had what they need
				_ = w.crowd.SetProfile(slot, before[slot].Profile)
			}
		}
	}
	return err
}

// editAgents has the roster have the agents of the edit.
func (e *Edit) editAgents() {
	w := e.world
	for len(w.population.agents) < len(w.agentIDs.slots) {
		w.population.agents = append(w.population.agents, agentState{})
	}
	for slot, a := range e.agents {
		w.population.agents[slot] = a.agentState
	}
}

// takeAgents has the next tick change the agents of the edit.
func (e *Edit) takeAgents() {
	w := e.world
	e.takeDomain()
	for _, slot := range slices.Sorted(maps.Keys(e.agents)) {
		a := e.agents[slot]
		if !a.present {
			if a.spawn != nil { // it never came to be
				w.agentIDs.drop(int(slot))
				w.agentIDs.recycle(slot)
				continue
			}
			w.retire(slot)
		}
		w.merge(slot, a)
	}
	w.entering = append(w.entering, e.entering...)
}

// merge adds the change of an agent to what the next tick changes.
func (w *World) merge(slot uint32, a *agentEdit) {
	i, ok := w.recordOf[slot]
	if !ok {
		i = len(w.pending)
		w.recordOf[slot] = i
		w.pending = append(w.pending, agents.Change{Slot: slot})
	}
	to, from := &w.pending[i], &a.change
	to.Traits = a.traits
	if a.spawn != nil {
		to.Fields, to.Agent = agents.ChangeNew, from.Agent
		return
	}
	if to.Fields != agents.ChangeNew { // which has the whole agent
		to.Fields |= from.Fields
	}
	if from.Fields&agents.ChangePlace != 0 {
		to.Agent.Position, to.Agent.Velocity = from.Agent.Position, from.Agent.Velocity
		to.Agent.FromX, to.Agent.FromY, to.Agent.Perturbation = from.Agent.FromX, from.Agent.FromY, from.Agent.Perturbation
	}
	if from.Fields&agents.ChangeGoal != 0 {
		to.Agent.Layer, to.Agent.Stage = from.Agent.Layer, from.Agent.Stage
	}
	if from.Fields&agents.ChangeStatus != 0 {
		to.Agent.Status = from.Agent.Status
	}
}
