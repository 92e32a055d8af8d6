package engine

import (
	"fmt"
	"slices"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/scenes"
)

// Control says what moves the agents of a profile.
type Control uint8

// The values of Control.
const (
	// EngineMoves: the engine computes velocities and moves agents by them.
	EngineMoves Control = iota
	// HostMoves: the engine computes velocities, which snapshots have; the host moves agents, by
	// Edit.Place.
	HostMoves
	// Puppet: the host moves agents and gives their velocities, by Edit.Place, such as those of a
	// player or a cart. Others avoid them; they avoid none, and contacts do not push them.
	Puppet
)

// Profile is a kind of agent, as a scene has it, and what moves it.
type Profile struct {
	scenes.Profile
	Control Control
}

// AddProfile adds a profile. No field has a default here: begin with scenes.DefaultProfile. Without
// an id it has one by its place. Faults are what scenes.Profile.Check and scenes.BVP.Check refuse,
// an id that another profile has, and a Control that there is not.
func (e *Edit) AddProfile(p Profile) ProfileID {
	e.begin("AddProfile", p)
	id := take(e.world, &e.world.profileIDs)
	if p.ID == "" {
		p.ID = unnamed("profile", e.doc.profiles, func(slot int) string { return e.profile(slot).ID })
	}
	e.doc.profiles = append(slices.Clip(e.doc.profiles), uint32(id))
	e.setProfile("AddProfile", id, p)
	return id
}

// SetProfile replaces a profile, for all of its agents: radius, speeds, steering with its local
// map, avoidance, control. What an agent draws from a distribution is the same as long as the
// distribution is, and SetIndividual stays in effect. Those whose local map keeps its size keep its
// potentials, and all keep their headings. Without an id it has the one that it had. Faults are
// those of AddProfile.
func (e *Edit) SetProfile(id ProfileID, p Profile) {
	e.begin("SetProfile", id, p)
	slot, ok := e.profileSlot("SetProfile", id, id)
	if !ok {
		return
	}
	if p.ID == "" {
		p.ID = e.profile(slot).ID
	}
	e.setProfile("SetProfile", id, p)
}

// RemoveProfile removes a profile. Its handle is stale from then on. Agents and groups that have it
// are a fault with a *UseError: assign agents another one in the same edit; groups change by Sync.
// So is the last profile.
func (e *Edit) RemoveProfile(id ProfileID) {
	e.begin("RemoveProfile", id)
	if slot, ok := e.profileSlot("RemoveProfile", id, id); ok {
		e.profiles[slot] = Profile{}
		e.doc.profiles = without(e.doc.profiles, uint32(slot))
	}
}

// gone reports whether the profile was removed: all others have an id.
func (p *Profile) gone() bool { return p.ID == "" }

// setProfile has the edit change a profile, or notes what is wrong with it.
func (e *Edit) setProfile(op string, id ProfileID, p Profile) {
	slot := int(uint32(id))
	f := EditError{Op: op, Handle: id, ID: p.ID}
	for _, other := range e.doc.profiles {
		if int(other) != slot && e.profile(int(other)).ID == p.ID {
			f.Path, f.Why = "ID", "another profile has this id; ids of profiles differ"
			e.fault(f)
		}
	}
	if p.Control > Puppet {
		f.Path, f.Why = "Control", fmt.Sprintf("there is no Control %d; take EngineMoves, HostMoves or Puppet", p.Control)
		e.fault(f)
	}
	for _, problem := range p.Check() {
		if !problem.Note {
			f.Path, f.Why = problem.Path, problem.Message
			e.fault(f)
		}
	}
	p.BVP.Table = slices.Clone(p.BVP.Table)
	e.profiles[slot] = p
}

// profileSlot is the slot of a profile that is good and not broken; a fault is about what.
func (e *Edit) profileSlot(op string, id ProfileID, what any) (int, bool) {
	if e.broken[id] {
		return 0, false
	}
	slot, err := e.world.profileIDs.slot(id)
	if p := e.profile(slot); err == nil && p.gone() {
		err = &HandleError{"profile", uint64(id), StaleHandle}
	}
	if err != nil {
		e.fault(EditError{Op: op, Handle: what, Path: "profile", Cause: err})
	}
	return slot, err == nil
}

// profile is the profile of a slot as the edit has it so far.
func (e *Edit) profile(slot int) Profile {
	if p, ok := e.profiles[slot]; ok || slot >= len(e.world.profiles) {
		return p
	}
	return e.world.profiles[slot]
}

// apply gives the traits of an agent what follows from a profile and is the same for all agents.
func (p Profile) apply(t *agents.Traits) {
	t.Steering = agents.SPM
	if p.Steering == scenes.SteeringDirect {
		t.Steering = agents.Direct
	}
	if t.Control = agents.ControlEngine; p.Control == HostMoves {
		t.Control = agents.ControlHost
	}
}

// Profiles are the handles of all profiles, in the order of Document.
func (w *World) Profiles() []ProfileID {
	w.mu.Lock()
	defer w.mu.Unlock()
	return handlesOf(&w.profileIDs, w.doc.profiles)
}

// Profile is a profile, with the edits that take effect in the next tick. The error is a
// *HandleError or ErrClosed.
func (w *World) Profile(h ProfileID) (Profile, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	known, err := found(w, &w.profileIDs, h, w.profiles, func(p *Profile) bool { return !p.gone() })
	if err != nil {
		return Profile{}, err
	}
	p := *known
	p.BVP.Table = slices.Clone(p.BVP.Table)
	return p, nil
}

// localMap is the local map of a profile; nil: it has none.
func (p *Profile) localMap() *scenes.BVPDistribution {
	if p.Steering != scenes.SteeringBVP {
		return nil
	}
	return &p.BVP
}
