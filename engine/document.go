package engine

import (
	"slices"

	"github.com/wayfront/wayfront/scenes"
)

// authored is what a world knows of its document beside its obstacles, goals and profiles.
type authored struct {
	obstacles, goals, profiles []uint32    // slots, in the order of the document
	members                    [][]AgentID // of each group: as many as its count, stale ones of agents that are gone included
}

// without is a list without a slot. The list stays.
func without(list []uint32, slot uint32) []uint32 {
	return slices.DeleteFunc(slices.Clone(list), func(s uint32) bool { return s == slot })
}

// author takes what a scene has, by slots.
func (a *authored) author(s *scenes.Scene, r *population) {
	count := func(n int) (all []uint32) {
		for i := range n {
			all = append(all, uint32(i))
		}
		return all
	}
	a.obstacles, a.goals, a.profiles = count(len(s.Obstacles)), count(len(s.Goals)), count(len(s.Profiles))
	a.members = make([][]AgentID, len(s.Groups))
	for slot, agent := range r.agents {
		g := agent.traits.Group
		a.members[g] = append(a.members[g], r.agentIDs.at(slot))
	}
}

// Forever is the end of the interval that World.Document gives obstacles that SetDoor has taken
// away. Unit: s.
const Forever = 1e12

// Document returns the scene as edits have left it, those included that take effect with the next
// tick: a world that is made of it, or synced to it (see Sync), has the same ground, goals,
// profiles and groups. It is in the order of the scene; what edits have added comes last. An
// obstacle is where its author has it, without its motion, and SetDoor counts as its timetable: one
// that is open by hand is absent until Forever, one that is shut has no timetable.
//
// The document is what was authored, not what the crowd is doing: groups have the counts, spawns
// and itineraries that they were given, wherever their agents are by now. Agents that
// Edit.AddAgents has added are no part of it, and neither are Control, places, pauses and goals of
// single agents: a Checkpoint has those. It is a copy. Whether it is sound, as a scene whose
// sources are all buried is not, scenes.Scene.Checked says.
func (w *World) Document() *scenes.Scene {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.document()
}

func (w *World) document() *scenes.Scene {
	s := *w.scene
	s.Obstacles, s.Goals, s.Profiles = nil, nil, nil
	for _, slot := range w.doc.obstacles {
		s.Obstacles = append(s.Obstacles, w.terrain.slots[slot].authored())
	}
	for _, slot := range w.doc.goals {
		s.Goals = append(s.Goals, w.goals[slot].Goal)
	}
	for _, slot := range w.doc.profiles {
		s.Profiles = append(s.Profiles, w.profiles[slot].Profile)
	}
	return s.Clone()
}

// authored is the obstacle as a document has it.
func (o *obstacle) authored() scenes.Obstacle {
	shape := o.shape
	switch o.door {
	case DoorOpen:
		shape.Open, shape.Closed = []scenes.Interval{{0, Forever}}, nil
	case DoorShut:
		shape.Open, shape.Closed = nil, nil
	}
	return shape
}
