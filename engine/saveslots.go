package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/spm"
)

// checkSlots finds slots, indices and maps of a checkpoint that was read which lead nowhere.
func (c *Checkpoint) checkSlots() error {
	lattice, err := c.terrain.scene.Lattice()
	if err != nil {
		return err
	}
	p := &c.population
	known := func(id GoalID) bool { return id == 0 || int(uint32(id)) < len(c.goals) }
	switch {
	case lattice != c.terrain.lattice:
		return errors.New("the grounds are on another lattice than that of their scene")
	case !lists(c.doc.obstacles, len(c.terrain.slots), func(i uint32) bool { return c.terrain.slots[i].there }),
		!lists(c.doc.goals, len(c.goals), func(i uint32) bool { return !c.goals[i].gone }),
		!lists(c.doc.profiles, len(p.profiles), func(i uint32) bool { return !p.profiles[i].gone() }):
		return errors.New("the document has slots of nothing, or twice the same")
	case len(c.doc.goals) == 0 || len(c.doc.profiles) == 0 || len(c.doc.members) != len(c.scene.Groups):
		return errors.New("the document has no goal or no profile, or other groups")
	case !c.goalIDs.sound() || !c.obstacles.sound() || !p.profileIDs.sound() || !p.agentIDs.sound() || !c.areas.areaIDs.sound():
		return errors.New("handles are free that there are not, or twice the same")
	case len(c.areas.areaIDs.slots) < len(c.areas.areas) || len(c.areas.areas) > agents.MostAreas || p.known > len(p.profiles):
		return errors.New("there are more areas or profiles than can be")
	}
	for slot, a := range p.agents {
		grouped := a.traits.Group == agents.NoGroup || int(a.traits.Group) < len(c.scene.Groups)
		if int(a.traits.Profile) >= len(p.profiles) || !known(a.goal) || a.present && (!grouped || !p.agentIDs.used(slot)) {
			return fmt.Errorf("the agent of slot %d has a profile, a goal or a group that there is not", slot)
		}
	}
	for i, change := range p.pending {
		if at, ok := p.recordOf[change.Slot]; !ok || at != i || int(change.Slot) >= len(p.agents) {
			return fmt.Errorf("the change %d is of no agent", i)
		}
	}
	for _, r := range slices.Concat(p.removed, c.areas.areasGone) {
		if int(r.slot) >= max(len(p.agentIDs.slots), len(c.areas.areaIDs.slots)) {
			return errors.New("something is gone that was never there")
		}
	}
	return c.checkMaps()
}

// checkMaps finds maps that are none of the grounds.
func (c *Checkpoint) checkMaps() error {
	fits := func(e spm.Extent, l geom.Lattice) bool {
		made := spm.NewExtent(float64(l.Size.X)*l.Step, float64(l.Size.Y)*l.Step, min(max(e.Size, 1), spm.MaxSize))
		off := max(e.Columns-made.Columns, made.Columns-e.Columns, e.Rows-made.Rows, made.Rows-e.Rows)
		return e.Size == made.Size && off <= 1 && math.Abs(e.Cell/made.Cell-1) < 1e-5 // a lattice rounds the shorter side
	}
	if !fits(c.extent, c.walked.Lattice) {
		return errors.New("the maps have another extent than their ground")
	}
	if c.next == nil {
		return nil
	}
	absent := func(g *geom.Ground) bool { return g == nil || g.Lattice != c.terrain.lattice }
	if len(c.next.Grounds) != len(c.goals) || slices.ContainsFunc(c.next.Grounds, absent) || !fits(c.next.Extent, c.terrain.lattice) ||
		c.next.Sources < 0 || c.next.Corners < 0 {
		return errors.New("the maps that come are none of the goals")
	}
	return nil
}

// lists reports whether slots are below a count, of what is there, and each once.
func lists(slots []uint32, count int, there func(uint32) bool) bool {
	seen := map[uint32]bool{}
	for _, slot := range slots {
		if int(slot) >= count || seen[slot] || !there(slot) {
			return false
		}
		seen[slot] = true
	}
	return true
}

// sound reports whether the free slots are slots that are not used, each once.
func (h *handles[T]) sound() bool {
	return lists(h.spare, len(h.slots), func(slot uint32) bool { return !h.slots[slot].used })
}
