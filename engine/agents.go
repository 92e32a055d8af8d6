package engine

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
)

// Spawn is an agent to add.
type Spawn struct {
	At        mgl64.Vec2 // center, on free ground; world meters
	Goal      GoalID     // that it walks to
	Profile   ProfileID
	OnArrival scenes.OnArrival // at the goal; empty: scenes.ArrivalStay, until it is sent on
	Tag       uint32           // the host's own; events and snapshots have it
}

// RoomError says that agents that are added have no room: inside obstacles, or overlapping others
// that are added with the same tick.
type RoomError struct {
	Wanted, Fit int
}

func (e *RoomError) Error() string {
	return fmt.Sprintf("engine: %d of %d agents fit where they should be added, clear of obstacles and of one another; move or leave out the others", e.Fit, e.Wanted)
}

// agentState is what the CPU knows of an agent, by its slot, with the edits that take effect in the
// next tick.
type agentState struct {
	traits agents.Traits
	born   birth
	goal   GoalID  // that it was sent to; 0: it walks by an itinerary of its group
	choice int     // of scenes.Group.Itineraries
	speed  float32 // that it prefers when it is not paused, m/s
	// own is what SetIndividual gave it; nil: it draws from its profile. bvp is its local map, where
	// that differs from others' of the profile.
	own     *scenes.Individual
	bvp     *scenes.BVP
	paused  bool
	present bool
}

// agentEdit is an agent as an edit shall leave it.
type agentEdit struct {
	agentState
	change agents.Change
	spawn  *Spawn // it is added
	sent   bool   // to another goal
	route  *route // its group's itinerary is another one
}

// newcomer is an agent that enters with the next tick.
type newcomer struct {
	at     geom.Point
	radius float64 // lattice steps
}

// AddAgents adds agents, which enter with the next tick, and appends their handles to dst, in
// order. One whose place other agents occupy then waits until they are gone, and has an event
// Blocked; a Puppet does not wait. Faults are places that are no numbers or outside the domain,
// goals and profiles that are none, and, for all agents of a call together, a *RoomError, with the
// places that are inside obstacles or overlap others that enter with the same tick.
func (e *Edit) AddAgents(dst []AgentID, spawns ...Spawn) []AgentID {
	e.begin("AddAgents", []AgentID(nil), spawns)
	var batch []AgentID
	for i := range spawns {
		s := spawns[i]
		id := take(e.world, &e.world.agentIDs)
		dst = append(dst, id)
		f := EditError{Op: "AddAgents", Handle: id}
		faults := len(e.faults)
		if !e.scene.Domain.Contains(s.At) { // false for NaN too
			f.Path, f.At = fmt.Sprintf("spawns[%d].At", i), []mgl64.Vec2{s.At}
			f.Cause = &OutsideError{What: "the agent's place", Point: s.At, Domain: e.scene.Domain}
			e.fault(f)
		}
		goal, goalOK := e.goalOf(f, fmt.Sprintf("spawns[%d].Goal", i), s.Goal)
		profile, profileOK := e.profileOf(f, fmt.Sprintf("spawns[%d].Profile", i), s.Profile)
		onArrival, known := map[scenes.OnArrival]uint32{
			"": agents.OnArrivalStay, scenes.ArrivalStay: agents.OnArrivalStay, scenes.ArrivalLeave: agents.OnArrivalLeave, scenes.ArrivalLoop: agents.OnArrivalLoop,
		}[s.OnArrival]
		if !known {
			f.Path, f.Why = fmt.Sprintf("spawns[%d].OnArrival", i), fmt.Sprintf("agents do not %q on arrival", s.OnArrival)
			e.fault(f)
		}
		if len(e.faults) > faults || !goalOK || !profileOK {
			e.broken[id] = true
			continue
		}
		a := &agentEdit{
			spawn: &s, sent: true, agentState: agentState{goal: s.Goal, present: true},
		}
		a.traits = agents.Traits{Group: agents.NoGroup, Stages: 1, OnArrival: onArrival, Profile: uint32(profile), Entry: uint32(e.world.ticks), Tag: s.Tag}
		a.change = agents.Change{Slot: uint32(id), Fields: agents.ChangeNew}
		a.born = birth{seed: e.scene.Simulation.Seed, a: uint32(id), b: uint32(id>>32) & lastGeneration}
		e.follow(a, profile)
		a.change.Agent.Layer = uint32(goal)
		e.agents[uint32(id)] = a
		batch = append(batch, id)
	}
	e.batches = append(e.batches, batch)
	return dst
}

// setSpeed has an agent prefer its speed, or to stand.
func (a *agentEdit) setSpeed() {
	if a.traits.PreferredSpeed = a.speed; a.paused {
		a.traits.PreferredSpeed = 0
	}
}

// Send gives agents another goal, from where they are. Agents that have arrived walk again. An
// agent of a group leaves the group's itinerary, and does at the goal what it would have done at
// the itinerary's end.
func (e *Edit) Send(to GoalID, ids ...AgentID) {
	e.begin("Send", to, ids)
	goal, ok := e.goalOf(EditError{Op: "Send", Handle: to}, "goal", to)
	for i, id := range ids {
		if a := e.agent("Send", i, id); a != nil && ok {
			a.goal = to
			a.traits.Stages = 1 // the itinerary is known later
			a.change.Fields |= agents.ChangeGoal | agents.ChangeTraits
			a.change.Agent.Layer, a.change.Agent.Stage = uint32(goal), 0
			a.sent = true
		}
	}
}

// AssignProfile gives agents another profile. What they have of their own they draw from it.
func (e *Edit) AssignProfile(p ProfileID, ids ...AgentID) {
	e.begin("AssignProfile", p, ids)
	profile, ok := e.profileOf(EditError{Op: "AssignProfile", Handle: p}, "profile", p)
	for i, id := range ids {
		if a := e.agent("AssignProfile", i, id); a != nil && ok {
			a.own = nil
			e.follow(a, profile)
		}
	}
}

// follow gives an agent a profile, its own or another one.
func (e *Edit) follow(a *agentEdit, profile int) {
	puppet := e.controlOf(int(a.traits.Profile)) == Puppet
	a.traits.Profile = uint32(profile)
	p := e.profile(profile)
	p.apply(&a.traits)
	a.become(&p, a.born.draw())
	a.change.Fields |= agents.ChangeTraits
	if to := e.profile(profile).Control == Puppet; to != puppet && a.spawn == nil {
		a.change.Fields |= agents.ChangeStatus
		if a.change.Agent.Status = agents.Walking; to {
			a.change.Agent.Status = agents.Placed
		}
	}
}

// controlOf is what moved the agents of a profile before the edit.
func (e *Edit) controlOf(profile int) Control {
	if profile < len(e.world.profiles) {
		return e.world.profiles[profile].Control
	}
	return e.profile(profile).Control
}

// Pause has agents stand, or walk again. An agent that is paused prefers not to move, and still
// avoids others. It has no events Stuck and Freed.
func (e *Edit) Pause(on bool, ids ...AgentID) {
	e.begin("Pause", on, ids)
	for i, id := range ids {
		if a := e.agent("Pause", i, id); a != nil {
			a.paused = on
			a.setSpeed()
			a.change.Fields |= agents.ChangeTraits
		}
	}
}

// Remove takes agents away. Their handles are stale from then on.
func (e *Edit) Remove(ids ...AgentID) {
	e.begin("Remove", ids)
	for i, id := range ids {
		if a := e.agent("Remove", i, id); a != nil {
			a.leave()
		}
	}
}

// leave has the edit remove an agent.
func (a *agentEdit) leave() {
	a.present = false
	a.change.Fields |= agents.ChangeStatus
	a.change.Agent.Status = agents.Left
}

// Place puts an agent on free ground, world meters, with a velocity in m/s: a teleport, or the
// host's own motion of it. Faults are a place that is no number, outside the domain or inside an
// obstacle, and a velocity that is not finite.
func (e *Edit) Place(id AgentID, at, velocity mgl64.Vec2) {
	e.begin("Place", id, at, velocity)
	a := e.agent("Place", 0, id)
	if a == nil {
		return
	}
	f := EditError{Op: "Place", Handle: id, At: []mgl64.Vec2{at}}
	if !e.scene.Domain.Contains(at) { // false for NaN too
		f.Path, f.Cause = "at", &OutsideError{What: "the agent's place", Point: at, Domain: e.scene.Domain}
		e.fault(f)
		return
	}
	if speed := velocity.Len(); !(speed <= math.MaxFloat32) {
		f.Path, f.Why, f.At = "velocity", fmt.Sprintf("the velocity %v is not finite", velocity), nil
		e.fault(f)
		return
	}
	a.change.Fields |= agents.ChangePlace
	a.change.Agent.Velocity = [2]float32{float32(velocity[0]), float32(velocity[1])}
	e.placed[uint32(id)] = at
}

// agent is an agent as the edit has it so far; nil with a fault where it is none, and nil where it
// is broken.
func (e *Edit) agent(op string, i int, id AgentID) *agentEdit {
	if e.broken[id] {
		return nil
	}
	slot, err := e.world.agentIDs.slot(id)
	if err == nil {
		if a := e.member(slot); a != nil {
			e.agents[uint32(slot)] = a
			return a
		}
		err = &HandleError{"agent", uint64(id), StaleHandle}
	}
	e.fault(EditError{Op: op, Handle: id, Path: fmt.Sprintf("ids[%d]", i), Cause: err})
	return nil
}

// member is an agent of the world as the edit has it so far; nil where it is gone.
func (e *Edit) member(slot int) *agentEdit {
	a := e.agents[uint32(slot)]
	if a == nil {
		a = e.known(slot)
	}
	if a == nil || !a.present {
		return nil
	}
	return a
}

// known is an agent of the world that the edit has not changed so far.
func (e *Edit) known(slot int) *agentEdit {
	if slot >= len(e.world.agents) {
		return nil
	}
	a := &agentEdit{agentState: e.world.agents[slot], change: agents.Change{Slot: uint32(slot)}}
	a.traits.Own = e.onDomain(a.traits.Own)
	return a
}

// goalOf is the slot of a goal that some change names; false with a fault where it is none.
func (e *Edit) goalOf(f EditError, path string, goal GoalID) (int, bool) {
	slot, err := e.world.goalIDs.slot(goal)
	if err == nil && e.goalAt(slot).gone {
		err = &HandleError{"goal", uint64(goal), StaleHandle}
	}
	if err != nil && !e.broken[goal] {
		f.Path, f.Cause = path, err
		e.fault(f)
	}
	return slot, err == nil && !e.broken[goal]
}

// profileOf is goalOf of a profile.
func (e *Edit) profileOf(f EditError, path string, profile ProfileID) (int, bool) {
	slot, err := e.world.profileIDs.slot(profile)
	if p := e.profile(slot); err == nil && p.gone() && !e.broken[profile] {
		err = &HandleError{"profile", uint64(profile), StaleHandle}
	}
	if err != nil && !e.broken[profile] {
		f.Path, f.Cause = path, err
		e.fault(f)
	}
	return slot, err == nil && !e.broken[profile]
}

// checkPlaces puts the agents that the edit places on the ground that it leaves, and notes those
// that have no room there.
func (e *Edit) checkPlaces(ground *geom.Ground) {
	entering := newGathering(e, ground)
	for _, batch := range e.batches {
		room := RoomError{Wanted: len(batch)}
		var crowded []AgentID
		var at []mgl64.Vec2
		for _, id := range batch {
			a := e.agents[uint32(id)]
			n := newcomer{ground.Lattice.Snap(a.spawn.At), float64(a.traits.Radius) / ground.Lattice.Step}
			switch {
			case e.broken[id] || !a.present:
				room.Fit++
			case e.stand(a, ground, a.spawn.At) && entering.add(n):
				room.Fit++
				e.entering = append(e.entering, n)
			default:
				crowded, at = append(crowded, id), append(at, a.spawn.At)
			}
		}
		if len(crowded) > 0 {
			e.fault(EditError{Op: "AddAgents", Handle: crowded[0], At: at, Cause: &room})
		}
	}
	for _, slot := range slices.Sorted(maps.Keys(e.placed)) {
		id, at := e.world.agentIDs.at(int(slot)), e.placed[slot]
		if a := e.agents[slot]; !e.broken[id] && a.present && !e.stand(a, ground, at) {
			e.fault(EditError{Op: "Place", Handle: id, Path: "at", At: []mgl64.Vec2{at}, Why: "the place is inside an obstacle; put the agent on free ground"})
		}
	}
}

// gathering finds newcomers that overlap, in squares as wide as the largest of them.
type gathering struct {
	width int32
	all   map[geom.Point][]newcomer
}

// newGathering has the agents that enter with the next tick because of earlier edits.
func newGathering(e *Edit, ground *geom.Ground) gathering {
	widest := 0.0
	for _, n := range e.world.entering {
		widest = max(widest, 2*n.radius)
	}
	for _, a := range e.agents {
		widest = max(widest, 2*float64(a.traits.Radius)/ground.Lattice.Step)
	}
	g := gathering{int32(min(math.Ceil(widest)+1, geom.Steps)), map[geom.Point][]newcomer{}}
	for _, n := range e.world.entering {
		g.put(n)
	}
	return g
}

func (g gathering) square(p geom.Point) geom.Point {
	return geom.Point{X: p.X / g.width, Y: p.Y / g.width}
}

func (g gathering) put(n newcomer) {
	at := g.square(n.at)
	g.all[at] = append(g.all[at], n)
}

// add adds a newcomer unless it overlaps others.
func (g gathering) add(n newcomer) bool {
	at := g.square(n.at)
	for y := at.Y - 1; y <= at.Y+1; y++ {
		for x := at.X - 1; x <= at.X+1; x++ {
			if slices.ContainsFunc(g.all[geom.Point{X: x, Y: y}], n.overlaps) {
				return false
			}
		}
	}
	g.put(n)
	return true
}

// overlaps reports whether two discs do.
func (n newcomer) overlaps(m newcomer) bool {
	dx, dy := float64(n.at.X-m.at.X), float64(n.at.Y-m.at.Y)
	radii := n.radius + m.radius
	return dx*dx+dy*dy < radii*radii
}

// stand puts an agent on a place of the ground; false if it is inside an obstacle.
func (e *Edit) stand(a *agentEdit, ground *geom.Ground, at mgl64.Vec2) bool {
	standing, ok := agents.NewAgent(ground, at, agents.Stage{Layer: a.change.Agent.Layer})
	if !ok {
		return false
	}
	to := &a.change.Agent
	to.Position, to.FromX, to.FromY, to.Perturbation = standing.Position, standing.FromX, standing.FromY, standing.Perturbation
	if a.spawn != nil {
		velocity := to.Velocity
		layer, stage := to.Layer, to.Stage
		*to = standing
		to.Velocity, to.Layer, to.Stage, to.Status = velocity, layer, stage, agents.Waiting
		if e.profile(int(a.traits.Profile)).Control == Puppet {
			to.Status = agents.Placed
		}
	}
	return true
}
