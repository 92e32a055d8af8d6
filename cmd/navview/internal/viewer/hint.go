package viewer

import (
	"slices"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine"
)

// gap separates the parts of a hint.
const gap = "    "

// hint describes what mouse and keys do at the pointer.
func (h *editSession) hint(goal engine.GoalID) string {
	switch t := h.hovered; t.part {
	case nothing:
		hint := "shift+click: the goal is here too" + gap + "drag: pan" + gap
		if len(h.undoStack) > 0 {
			return hint + "ctrl+z: undo" + gap + "ctrl+s: save" + gap + "h: help"
		}
		return hint + "wheel: zoom" + gap + "h: help"
	case body:
		return h.bodyHint(t.obstacle)
	default:
		return h.sourceHint(t, goal)
	}
}

func (h *editSession) bodyHint(o engine.ObstacleID) string {
	state := h.state(o)
	name, is, key := console.Legible(state.ID), "", "d: take it away"
	if name == "" {
		name = "obstacle"
	}
	switch {
	case state.Opens && state.Present:
		is, key = ", shut", "click: open it"
	case state.Opens:
		is, key = ", open", "click: shut it"
	case !state.Present:
		is, key = ", away", "d: put it back"
	}
	if h.grab != nil {
		return "moving " + name + gap + "escape: put it back"
	}
	if state.Opens && state.Door != engine.DoorTimed {
		is += " by hand"
		key += gap + "shift+d: leave it to its timetable"
	}
	return name + is + gap + "drag: move it" + gap + key
}

func (h *editSession) sourceHint(t selection, goal engine.GoalID) string {
	name := "goal " + console.Legible(h.world.Scene().Goals[h.goal(t.source.Goal)].ID)
	what := map[part]string{point: "this point", startEnd: "this end", stopEnd: "this end", middle: "the segment"}[t.part]
	blocked := ""
	if slices.Contains(h.world.BlockedSources(), t.source) {
		blocked = gap + "blocked: an obstacle covers it"
	}
	if h.grab != nil {
		return name + ": moving " + what + gap + "escape: put it back" + blocked
	}
	hint := name + gap + "drag: move " + what
	if t.source.Goal != goal {
		hint += gap + "click: show its map"
	}
	return hint + gap + "delete: remove it" + blocked
}
