package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/polygon"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Area is a part of the ground whose visitors have events CameIn and WentOut, or a gate whose
// passages have: CameIn to its left, seen from its first end, and WentOut to its right. It changes
// nothing of what agents do.
type Area struct {
	ID string // unique among areas, or empty
	// Corners are those of a simple polygon in either order, at least three, or the two ends of a
	// gate. World meters, in the domain.
	Corners []mgl64.Vec2
}

// areaSet is the areas of a world, by slot, and their handles. An area without corners is none.
type areaSet struct {
	areas     []Area
	areaIDs   handles[AreaID]
	areasGone []removal
}

// clone returns a copy.
func (s *areaSet) clone() areaSet {
	return areaSet{slices.Clone(s.areas), s.areaIDs.clone(), slices.Clone(s.areasGone)}
}

// AddArea adds an area, from the next tick on: agents that stand in it come in with that tick. It
// has the world report events. Faults are fewer than two corners, those of a polygon or outside of
// the domain, an id that another area has, more than 32 areas, and more than 1,024 corners of all
// areas together.
func (e *Edit) AddArea(a Area) AreaID {
	e.begin("AddArea", a)
	id := take(e.world, &e.world.areaIDs)
	e.freshAreas |= 1 << uint32(id)
	e.setArea("AddArea", id, a)
	return id
}

// SetArea replaces an area. Agents that are in the one and not in the other come in or go out with
// the next tick. Faults are those of AddArea, or a *HandleError.
func (e *Edit) SetArea(id AreaID, a Area) {
	e.begin("SetArea", id, a)
	if e.knowsArea("SetArea", id) {
		e.setArea("SetArea", id, a)
	}
}

// RemoveArea takes an area away, without events. Its handle is stale from then on.
func (e *Edit) RemoveArea(id AreaID) {
	e.begin("RemoveArea", id)
	if e.knowsArea("RemoveArea", id) {
		e.areas[uint32(id)] = Area{}
	}
}

// knowsArea reports whether an area is one, and not broken.
func (e *Edit) knowsArea(op string, id AreaID) bool {
	if e.broken[id] {
		return false
	}
	slot, err := e.world.areaIDs.slot(id)
	if a, changed := e.areas[uint32(slot)]; err == nil && changed && a.Corners == nil {
		err = &HandleError{"area", uint64(id), StaleHandle}
	}
	if err != nil {
		e.fault(EditError{Op: op, Handle: id, Cause: err})
	}
	return err == nil
}

// setArea has the edit change an area, or notes what is wrong with it.
func (e *Edit) setArea(op string, id AreaID, a Area) {
	f := EditError{Op: op, Handle: id, ID: a.ID}
	for i, p := range a.Corners {
		if !e.scene.Domain.Contains(p) { // false for NaN too
			f.Path, f.At = fmt.Sprintf("Corners[%d]", i), []mgl64.Vec2{p}
			f.Cause = &OutsideError{What: "the corner", Point: p, Domain: e.scene.Domain}
			e.fault(f)
			return
		}
	}
	var at *polygon.Error
	switch n := len(a.Corners); {
	case n < 2:
		f.Path, f.Why = "Corners", fmt.Sprintf("an area with %d corners; it has two as a gate, or three and more", n)
	case n == 2 && a.Corners[0] == a.Corners[1]:
		f.Path, f.Why, f.At = "Corners[1]", "is the gate's other end", a.Corners[:1]
	case n > 2:
		if err := (geom.Polygon{Outer: a.Corners}).Check(); errors.As(err, &at) {
			f.Path, f.At, f.Cause = fmt.Sprintf("Corners[%d]", at.Index), []mgl64.Vec2{at.Point}, err
		}
	}
	if f.Path != "" {
		e.fault(f)
	}
	a.Corners = slices.Clone(a.Corners)
	e.areas[uint32(id)] = a
}

// editedAreas are the areas as the edit has them, by slot.
func (e *Edit) editedAreas() []Area {
	all := slices.Clone(e.world.areas)
	for range len(e.world.areaIDs.slots) - len(all) {
		all = append(all, Area{})
	}
	for slot, a := range e.areas {
		all[slot] = a
	}
	return all
}

// checkAreas notes what is wrong with all areas together.
func (e *Edit) checkAreas() {
	if len(e.areas) == 0 {
		return
	}
	ids, corners, all := map[string]bool{}, 0, e.editedAreas()
	for slot, a := range all {
		if a.ID != "" && ids[a.ID] {
			e.fault(EditError{Op: "Edit", ID: a.ID, Handle: e.world.areaIDs.last(slot), Path: "ID", Why: "another area has this id; ids of areas differ"})
		}
		ids[a.ID] = true
		corners += len(a.Corners)
	}
	if len(all) > agents.MostAreas {
		cause := &gpu.CapacityError{What: "a world", Unit: "areas", Needed: int64(len(all)), Limit: agents.MostAreas}
		e.fault(EditError{Op: "Edit", Why: cause.Error(), Cause: cause})
	}
	if corners > agents.MostAreaCorners {
		cause := &gpu.CapacityError{What: "all areas of a world", Unit: "corners", Needed: int64(corners), Limit: agents.MostAreaCorners}
		e.fault(EditError{Op: "Edit", Why: cause.Error(), Cause: cause})
	}
}

// prepareAreas has the crowd report visits of the edit's areas. After an error all is as it was.
func (e *Edit) prepareAreas() error {
	w := e.world
	if len(e.areas) == 0 {
		return nil
	}
	if err := w.reportEvents(); err != nil {
		return err
	}
	all := e.editedAreas()
	if err := w.crowd.SetAreas(w.localAreas(all), e.freshAreas); err != nil {
		return err
	}
	w.areas = all
	for _, slot := range slices.Sorted(maps.Keys(e.areas)) {
		if e.areas[slot].Corners == nil {
			w.areaIDs.drop(int(slot))
			w.areasGone = append(w.areasGone, removal{slot, w.ticks + 1})
		}
	}
	return nil
}

// localAreas are areas as the crowd has them; without those at the end that are none.
func (w *World) localAreas(all []Area) []agents.Area {
	origin, local := w.walked.Lattice.Origin, make([]agents.Area, len(all))
	used := 0
	for slot, a := range all {
		for _, p := range a.Corners {
			q := p.Sub(origin)
			local[slot] = append(local[slot], [2]float32{float32(q[0]), float32(q[1])})
			used = slot + 1
		}
	}
	return local[:used]
}

// Areas are the handles of all areas, with the edits that take effect in the next tick.
func (w *World) Areas() []AreaID {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []AreaID
	for slot, a := range w.areas {
		if a.Corners != nil {
			all = append(all, w.areaIDs.at(slot))
		}
	}
	return all
}

// Area is an area, with the edits that take effect in the next tick. The error is a *HandleError or
// ErrClosed.
func (w *World) Area(id AreaID) (Area, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a, err := found(w, &w.areaIDs, id, w.areas, func(a *Area) bool { return a.Corners != nil })
	if err != nil {
		return Area{}, err
	}
	return Area{a.ID, slices.Clone(a.Corners)}, nil
}
