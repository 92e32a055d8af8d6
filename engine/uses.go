package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wayfront/wayfront/scenes"
)

// UseError says that a goal or a profile cannot be removed, as agents or groups need it, or as it
// is the last one. Agents that have left count until the host can know of it: see World.Events.
type UseError struct {
	Kind   string   // "goal" or "profile"
	Agents int      // that walk to the goal, or have the profile
	Groups []string // ids of those that do
	Last   bool     // a scene has at least one
}

func (e *UseError) Error() string {
	if e.Last {
		return fmt.Sprintf("engine: it is the last %s, and a world has at least one; add another one in the same edit", e.Kind)
	}
	var by []string
	if e.Agents > 0 {
		by = append(by, fmt.Sprintf("%d agents", e.Agents))
	}
	for _, g := range e.Groups {
		by = append(by, fmt.Sprintf("group %q", g))
	}
	return fmt.Sprintf("engine: the %s is needed by %s; give them another one: agents in the same edit, groups by Sync", e.Kind, strings.Join(by, ", "))
}

// checkUses notes goals and profiles that the edit removes and that are needed.
func (e *Edit) checkUses() {
	w := e.world
	for _, slot := range slices.Sorted(maps.Keys(e.goals)) {
		if id := w.goalIDs.at(slot); e.goals[slot].gone {
			e.checkUse("RemoveGoal", id, UseError{Kind: "goal", Last: len(e.doc.goals) == 0},
				func(a *agentState) bool { return a.goal == id },
				func(g *scenes.Group) bool {
					return slot < len(w.goals) && g.WalksTo(w.goals[slot].ID)
				})
		}
	}
	for _, slot := range slices.Sorted(maps.Keys(e.profiles)) {
		if p := e.profiles[slot]; p.gone() {
			e.checkUse("RemoveProfile", w.profileIDs.at(slot), UseError{Kind: "profile", Last: len(e.doc.profiles) == 0},
				func(a *agentState) bool { return int(a.traits.Profile) == slot },
				func(g *scenes.Group) bool { return slot < len(w.profiles) && g.Profile == w.profiles[slot].ID })
		}
	}
}

// checkUse notes a thing that is removed and that agents or groups need.
func (e *Edit) checkUse(op string, handle any, use UseError, agent func(a *agentState) bool, group func(g *scenes.Group) bool) {
	w := e.world
	for slot := range w.agentIDs.slots {
		if a := e.member(slot); a != nil && agent(&a.agentState) {
			use.Agents++
		}
	}
	for i := range w.scene.Groups {
		if g := &w.scene.Groups[i]; e.scene == w.scene && group(g) { // another scene has its own groups
			use.Groups = append(use.Groups, g.ID)
		}
	}
	if use.Last || use.Agents > 0 || len(use.Groups) > 0 {
		e.fault(EditError{Op: op, Handle: handle, Cause: &use})
	}
}

// renamed is the scene of the edit, with groups that name goals and profiles by their ids after it.
func (e *Edit) renamed() *scenes.Scene {
	w := e.world
	if e.scene != w.scene { // another scene names those of now
		return e.scene
	}
	goals, profiles := map[string]string{}, map[string]string{}
	for slot, g := range e.goals {
		if slot < len(w.goals) && !w.goals[slot].gone && !g.gone && g.ID != w.goals[slot].ID {
			goals[w.goals[slot].ID] = g.ID
		}
	}
	for slot, p := range e.profiles {
		if slot < len(w.profiles) && !w.profiles[slot].gone() && !p.gone() && p.ID != w.profiles[slot].ID {
			profiles[w.profiles[slot].ID] = p.ID
		}
	}
	if len(goals)+len(profiles) == 0 {
		return e.scene
	}
	s := e.scene.Clone()
	for i := range s.Groups {
		g := &s.Groups[i]
		if to, ok := profiles[g.Profile]; ok {
			g.Profile = to
		}
		g.RenameGoals(goals)
	}
	return s
}
