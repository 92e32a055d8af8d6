package engine

import (
	"fmt"
	"slices"
)

// The handles of a world: a slot in the low 32 bits, its generation in the next 24, and a tag of
// the world in the high 8. The zero handle is none. Handles are comparable, and no two things of a
// world ever have the same: a slot begins with generation 1, takes the next one each time that it
// is given out, and is never given out again after the last.
type (
	// AgentID is a handle of an agent. It goes stale when the agent is removed, or when it has left
	// and the host can know of it: with its event Left.
	AgentID uint64
	// GoalID is a handle of a goal. The slot of a goal is the layer of its map.
	GoalID uint64
	// ObstacleID is a handle of an obstacle: of one that moves or opens, too, wherever it is. It
	// goes stale when the obstacle is removed.
	ObstacleID uint64
	// ProfileID is a handle of a profile.
	ProfileID uint64
	// AreaID is a handle of an area. It goes stale when the area is removed.
	AreaID uint64
)

// HandleFault says why a handle is not good.
type HandleFault uint8

// The values of HandleFault.
const (
	NoHandle      HandleFault = iota // it is zero
	ForeignHandle                    // another world made it
	StaleHandle                      // what it stood for was removed, or never came to be
)

// HandleError says that a handle is none of the world that it was given to, or not any more. Tags
// of worlds have 8 bits: of 256 handles of another world one is taken for one of this.
type HandleError struct {
	Kind   string // "agent", "goal", "obstacle", "profile" or "area"
	Handle uint64
	Fault  HandleFault
}

func (e *HandleError) Error() string {
	why := [...]string{
		NoHandle:      "is zero",
		ForeignHandle: "is one of another world",
		StaleHandle:   "is stale: the " + e.Kind + " was removed, or its edit was refused",
	}[e.Fault]
	return fmt.Sprintf("engine: the handle %#x of the %s %s; take one from the world or from an edit of it", e.Handle, e.Kind, why)
}

const (
	generationBits = 24
	lastGeneration = 1<<generationBits - 1
)

// handles gives out the handles of one kind, and knows which are good.
type handles[T ~uint64] struct {
	kind  string
	tag   uint8
	slots []handleSlot
	spare []uint32     // free slots, the next one last
	log   []handleStep // since begin
}

// handleSlot is the generation of a slot's handle, or of the next one where it is not used. One
// more than the last: the slot is worn out.
type handleSlot struct {
	generation uint32
	used       bool
}

// handleStep is a slot that was given out or dropped.
type handleStep struct {
	slot  uint32
	taken bool
}

// clone returns a copy.
func (h *handles[T]) clone() handles[T] {
	c := *h
	c.slots, c.spare, c.log = slices.Clone(h.slots), slices.Clone(h.spare), nil
	return c
}

// begin begins what rollBack undoes.
func (h *handles[T]) begin() { h.log = h.log[:0] }

// rollBack takes back all since begin: handles that were given out are stale, those that were
// dropped are good again, and the next slots are the same as before, unless one is worn out.
func (h *handles[T]) rollBack() {
	for i := len(h.log) - 1; i >= 0; i-- {
		step := h.log[i]
		s := &h.slots[step.slot]
		if s.used = !step.taken; s.used {
			s.generation--
			continue
		}
		s.generation++
		h.recycle(step.slot)
	}
	h.log = h.log[:0]
}

// take gives a handle out.
func (h *handles[T]) take() T {
	var slot uint32
	if last := len(h.spare) - 1; last >= 0 {
		slot, h.spare = h.spare[last], h.spare[:last]
	} else {
		slot = uint32(len(h.slots))
		h.slots = append(h.slots, handleSlot{generation: 1})
	}
	h.slots[slot].used = true
	h.log = append(h.log, handleStep{slot, true})
	return h.at(int(slot))
}

// drop makes the handle of a slot stale. The slot is not given out again before it is recycled.
func (h *handles[T]) drop(slot int) {
	h.slots[slot].used = false
	h.slots[slot].generation++
	h.log = append(h.log, handleStep{uint32(slot), false})
}

// recycle has a slot that was dropped given out again, unless it is worn out.
func (h *handles[T]) recycle(slot uint32) {
	if h.slots[slot].generation <= lastGeneration {
		h.spare = append(h.spare, slot)
	}
}

// at is the handle of a slot that is used.
func (h *handles[T]) at(slot int) T {
	return T(uint64(slot) | uint64(h.slots[slot].generation)<<32 | uint64(h.tag)<<(32+generationBits))
}

// last is the handle that a slot has, or had last.
func (h *handles[T]) last(slot int) T {
	id := h.at(slot)
	if !h.slots[slot].used {
		id -= 1 << 32
	}
	return id
}

// used reports whether a slot's handle is good.
func (h *handles[T]) used(slot int) bool { return slot < len(h.slots) && h.slots[slot].used }

// found is what a world has for a handle, of all things of its kind by slot. What an edit that is
// being made adds is not there yet. The error is a *HandleError or ErrClosed.
func found[T ~uint64, S any](w *World, ids *handles[T], id T, all []S, there func(*S) bool) (*S, error) {
	if w.ended != nil {
		return nil, w.ended
	}
	slot, err := ids.slot(id)
	switch {
	case err != nil:
		return nil, err
	case slot >= len(all) || !there(&all[slot]):
		return nil, &HandleError{ids.kind, uint64(id), StaleHandle}
	}
	return &all[slot], nil
}

// Has reports whether a handle stands for something in the world, with the edits that take effect in
// the next tick. An agent that has left is there until the host can know of it. A world that was
// closed has nothing.
func Has[ID AgentID | GoalID | ObstacleID | ProfileID | AreaID](w *World, id ID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended != nil {
		return false
	}
	var err error
	switch id := any(id).(type) {
	case AgentID:
		_, err = found(w, &w.agentIDs, id, w.population.agents, func(a *agentState) bool { return a.present })
	case GoalID:
		_, err = w.goal(id)
	case ObstacleID:
		_, err = found(w, &w.obstacles, id, w.terrain.slots, func(s *slot) bool { return s.there })
	case ProfileID:
		_, err = found(w, &w.profileIDs, id, w.profiles, func(p *Profile) bool { return !p.gone() })
	case AreaID:
		_, err = found(w, &w.areaIDs, id, w.areas, func(a *Area) bool { return a.Corners != nil })
	}
	return err == nil
}

// slot is the slot of a handle. The error is a *HandleError.
func (h *handles[T]) slot(id T) (int, error) {
	fault := StaleHandle
	switch slot := int(uint32(id)); {
	case id == 0:
		fault = NoHandle
	case uint8(id>>(32+generationBits)) != h.tag:
		fault = ForeignHandle
	case h.used(slot) && h.at(slot) == id:
		return slot, nil
	}
	return 0, &HandleError{h.kind, uint64(id), fault}
}
