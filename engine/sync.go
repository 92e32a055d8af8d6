package engine

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"

	"github.com/wayfront/wayfront/scenes"
)

// SyncError says that a document has another time step than a world. Events, entries, statistics
// and trajectories count ticks, and one time step makes seconds of them: that of the world.
type SyncError struct {
	Is, Wanted float64 // time steps, s
}

func (e *SyncError) Error() string {
	return fmt.Sprintf("engine: Sync: $.simulation.timestep is %v s in the document and %v s in the world, whose ticks count as so many seconds from the first one on; make another world of the document, or keep the time step", e.Wanted, e.Is)
}

// Sync makes the world equal to a document by the smallest edit that does: after it Document
// returns what scenes.Scene.Checked makes of it. It takes effect as Edit does, and what is equal
// already is not touched: no map is made anew for a goal that stays, and no agent moves. Undo and
// redo of an editor are Sync of documents that were kept; so is loading a file that has changed.
//
// Obstacles, goals, profiles and groups are the same as before where they have the same id; of the
// others where all but the id is equal; and of what is left in order. So handles stay good. An
// obstacle that differs is left to its timetable (see SetDoor), profiles keep their Control.
//
// Agents stay where they are. A group with a larger count gets more, where New would have placed
// them: they enter as soon as their places are free. One with a smaller count loses the last ones,
// and a group that is gone all. Agents of a group with another profile are assigned that; with
// another itinerary they begin it, unless Send has given them a goal of their own; another spawn
// moves none. Where Send's goal or AssignProfile's profile is gone, agents of groups return to
// their group's, and those of AddAgents are removed: see Report.Removed.
//
// Another map size makes the maps of all goals anew with the next tick, as Edit.AddGoal does, unless
// Options.MapSize has set another one for good. Another seed is that of agents which come later.
//
// With another domain agents keep their places in the world, to the lattice of that. Those beyond it
// come to the nearest place on its border, or where obstacles cover that to the nearest free ground,
// as under new obstacles (event Displaced). All maps are made anew, what explorers know is forgotten,
// and Buffers.Origin is another place after the tick.
//
// The document is checked as by New: the error is a *scenes.Invalid with all faults. Another time
// step is a *SyncError. Other errors are those of Edit, among them a *spawn.RoomError where agents
// that are added do not fit. Nothing has changed then.
func (w *World) Sync(s *scenes.Scene) (Report, error) {
	if s == nil {
		return Report{}, &UsageError{"Sync", "there is no document", "give it one of World.Document, scenes.Load or scenes.Read"}
	}
	return w.Edit(func(e *Edit) error { e.Sync(s); return nil })
}

// Sync is World.Sync as the first change of an edit. After others it is a fault with a *UsageError;
// other faults are the errors of World.Sync.
func (e *Edit) Sync(s *scenes.Scene) {
	e.begin("Sync", s)
	if len(e.obstacles)+len(e.goals)+len(e.profiles)+len(e.agents)+len(e.areas) > 0 || e.scene != e.world.scene {
		e.fault(EditError{Op: "Sync", Cause: &UsageError{"Sync", "there were other changes before", "sync first, or in an edit of its own"}})
		return
	}
	to, problems := s.Checked()
	if to == nil {
		e.fault(EditError{Op: "Sync", Cause: &scenes.Invalid{Problems: problems}})
		return
	}
	lattice, err := to.Lattice()
	if err != nil {
		e.fault(EditError{Op: "Sync", Cause: err})
		return
	}
	was := e.world.document()
	if is, wanted := was.Simulation.Timestep, to.Simulation.Timestep; is != wanted {
		e.fault(EditError{Op: "Sync", Cause: &SyncError{is, wanted}})
		return
	}
	e.scene, e.to = to, lattice
	e.syncObstacles(was.Obstacles, to.Obstacles)
	e.syncGoals(was.Goals, to.Goals)
	e.syncProfiles(was.Profiles, to.Profiles)
	e.syncGroups(was.Groups, to.Groups)
}

func (e *Edit) syncObstacles(was, now []scenes.Obstacle) {
	w := e.world
	put := func(slot uint32, o scenes.Obstacle) { e.obstacles[slot] = obstacle{there: true, shape: o} }
	e.doc.obstacles = syncList(was, now, e.doc.obstacles, func(o *scenes.Obstacle) *string { return &o.ID }, syncing[scenes.Obstacle]{
		add: func(o scenes.Obstacle) uint32 {
			slot := uint32(take(w, &w.obstacles))
			put(slot, o)
			return slot
		},
		set:    put,
		remove: func(slot uint32) { e.obstacles[slot] = obstacle{} },
	})
}

func (e *Edit) syncGoals(was, now []scenes.Goal) {
	w := e.world
	e.doc.goals = syncList(was, now, e.doc.goals, func(g *scenes.Goal) *string { return &g.ID }, syncing[scenes.Goal]{
		add: func(g scenes.Goal) uint32 {
			slot := uint32(take(w, &w.goalIDs))
			e.putGoal(int(slot), e.newGoal(int(slot)), g)
			return slot
		},
		set: func(slot uint32, g scenes.Goal) { e.putGoal(int(slot), e.goalAt(int(slot)), g) },
		remove: func(slot uint32) {
			state := e.goalAt(int(slot))
			state.Goal, state.gone, state.stale = scenes.Goal{}, true, true
			e.goals[int(slot)] = state
		},
	})
}

func (e *Edit) syncProfiles(was, now []scenes.Profile) {
	w := e.world
	e.doc.profiles = syncList(was, now, e.doc.profiles, func(p *scenes.Profile) *string { return &p.ID }, syncing[scenes.Profile]{
		add: func(p scenes.Profile) uint32 {
			slot := uint32(take(w, &w.profileIDs))
			e.profiles[int(slot)] = Profile{Profile: p}
			return slot
		},
		set: func(slot uint32, p scenes.Profile) {
			e.profiles[int(slot)] = Profile{Profile: p, Control: e.profile(int(slot)).Control}
		},
		remove: func(slot uint32) { e.profiles[int(slot)] = Profile{} },
	})
}

// syncing is what becomes of the things of a kind.
type syncing[T any] struct {
	add    func(T) uint32 // returns its slot
	set    func(uint32, T)
	remove func(uint32)
}

// syncList makes a list of another one, and returns the slots of that.
func syncList[T any](was, now []T, slots []uint32, id func(*T) *string, do syncing[T]) []uint32 {
	from, gone := match(was, now, id)
	for _, k := range gone {
		do.remove(slots[k])
	}
	var next []uint32
	for i, k := range from {
		switch {
		case k < 0:
			next = append(next, do.add(now[i]))
			continue
		case !reflect.DeepEqual(was[k], now[i]):
			do.set(slots[k], now[i])
		}
		next = append(next, slots[k])
	}
	return next
}

// match finds what things of one list are in another one: by id, of the others by equality but for
// the id, and what is left by order. It returns for each of the second list the index in the first,
// or -1, and what of the first is in none.
func match[T any](was, now []T, id func(*T) *string) (from, gone []int) {
	from = make([]int, len(now))
	taken, named := make([]bool, len(was)), map[string]int{}
	for k := range was {
		named[*id(&was[k])] = k
	}
	for i := range now {
		from[i] = -1
		if k, ok := named[*id(&now[i])]; ok && *id(&now[i]) != "" {
			from[i], taken[k] = k, true
		}
	}
	equal := map[string][]int{}
	for k := range was {
		if !taken[k] {
			text := contentOf(was[k], id)
			equal[text] = append(equal[text], k)
		}
	}
	for i := range now {
		if from[i] >= 0 {
			continue
		}
		text := contentOf(now[i], id)
		if same := equal[text]; len(same) > 0 {
			from[i], taken[same[0]], equal[text] = same[0], true, same[1:]
		}
	}
	for k := range was {
		if !taken[k] {
			gone = append(gone, k)
		}
	}
	for i := range now {
		if from[i] < 0 && len(gone) > 0 {
			from[i], gone = gone[0], gone[1:]
		}
	}
	return from, gone
}

// contentOf is all of a thing but its id.
func contentOf[T any](t T, id func(*T) *string) string {
	*id(&t) = ""
	return string(appendContent(nil, reflect.ValueOf(t)))
}

// appendContent appends all that a value of a document holds: the same for equal values alone.
func appendContent(to []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return append(to, 0)
		}
		return appendContent(append(to, 1), v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			to = appendContent(to, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		to = binary.AppendUvarint(to, uint64(v.Len()))
		for i := range v.Len() {
			to = appendContent(to, v.Index(i))
		}
	case reflect.String:
		to = append(binary.AppendUvarint(to, uint64(v.Len())), v.String()...)
	case reflect.Float64:
		to = binary.LittleEndian.AppendUint64(to, math.Float64bits(v.Float()))
	default:
		to = fmt.Append(append(to, 0), v.Interface(), ";")
	}
	return to
}
