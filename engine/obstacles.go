package engine

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/polygon"
	"github.com/wayfront/wayfront/scenes"
)

// ObstacleError says that an obstacle cannot be as asked, and why.
type ObstacleError struct {
	ID    string // empty: it has none
	Cause error
}

func (e *ObstacleError) Error() string {
	if e.ID == "" {
		return fmt.Sprintf("engine: the obstacle: %v", e.Cause)
	}
	return fmt.Sprintf("engine: obstacle %q: %v", e.ID, e.Cause)
}

// Unwrap returns the cause.
func (e *ObstacleError) Unwrap() error { return e.Cause }

// Door says whether an obstacle is there.
type Door uint8

// The ways of Door.
const (
	DoorTimed Door = iota // as its timetable says; without one it is there
	DoorOpen              // it is not there
	DoorShut              // it is there
)

// AddObstacle adds an obstacle: its shape, world meters, and, if it has them, its id, timetable and
// motion. It is checked as the reader of scenes does, which fills in defaults and merges equal
// neighbors. Faults of an outline are a *polygon.Error; of any shape outside the domain an
// *OutsideError. Others are what scenes.Obstacle.Checked finds, and, of the whole edit, an id that
// another obstacle has.
func (e *Edit) AddObstacle(o scenes.Obstacle) ObstacleID {
	e.begin("AddObstacle", o)
	id := take(e.world, &e.world.obstacles)
	if o, ok := e.checkedObstacle("AddObstacle", id, o); ok {
		e.obstacles[uint32(id)] = obstacle{there: true, shape: o}
		e.doc.obstacles = append(slices.Clip(e.doc.obstacles), uint32(id))
	}
	return id
}

// MoveObstacle moves an obstacle by an offset in meters. What moves by itself goes on with its
// motion from there. Faults are those of AddObstacle, or a *HandleError.
func (e *Edit) MoveObstacle(o ObstacleID, by mgl64.Vec2) {
	e.begin("MoveObstacle", o, by)
	e.changeObstacle("MoveObstacle", o, func(state *obstacle) {
		if moved, ok := e.checkedObstacle("MoveObstacle", o, state.shape.Moved(by)); ok {
			state.shape = moved
		}
	})
}

// SetObstacle replaces an obstacle: its shape, id, timetable and motion, as of AddObstacle. What
// SetDoor has set stays. World.Shape returns what it replaces.
func (e *Edit) SetObstacle(o ObstacleID, to scenes.Obstacle) {
	e.begin("SetObstacle", o, to)
	e.changeObstacle("SetObstacle", o, func(state *obstacle) {
		if checked, ok := e.checkedObstacle("SetObstacle", o, to); ok {
			state.shape = checked
		}
	})
}

// RemoveObstacle takes an obstacle away for good. Its handle is stale from then on.
func (e *Edit) RemoveObstacle(o ObstacleID) {
	e.begin("RemoveObstacle", o)
	e.changeObstacle("RemoveObstacle", o, func(state *obstacle) {
		*state = obstacle{}
		e.doc.obstacles = without(e.doc.obstacles, uint32(o))
	})
}

// SetDoor takes an obstacle away or puts it back by hand, whatever its timetable says, or leaves it
// to that again.
func (e *Edit) SetDoor(o ObstacleID, d Door) {
	e.begin("SetDoor", o, d)
	e.changeObstacle("SetDoor", o, func(state *obstacle) {
		if d > DoorShut {
			e.fault(EditError{Op: "SetDoor", Handle: o, ID: state.shape.ID, Why: fmt.Sprintf("there is no Door %d; take DoorTimed, DoorOpen or DoorShut", d)})
		}
		state.door = d
	})
}

// obstacle is the obstacle of a slot as the edit has it so far.
func (e *Edit) obstacle(slot int) obstacle {
	if o, ok := e.obstacles[uint32(slot)]; ok || slot >= len(e.world.terrain.slots) {
		return o
	}
	return e.world.terrain.slots[slot].obstacle
}

// changeObstacle changes an obstacle, unless it is broken.
func (e *Edit) changeObstacle(op string, o ObstacleID, to func(*obstacle)) {
	if e.broken[o] {
		return
	}
	slot, err := e.world.obstacles.slot(o)
	state := e.obstacle(slot)
	if err == nil && !state.there {
		err = &HandleError{"obstacle", uint64(o), StaleHandle}
	}
	if err != nil {
		e.fault(EditError{Op: op, Handle: o, Cause: err})
		return
	}
	to(&state)
	e.obstacles[uint32(slot)] = state
}

// checkedObstacle returns what the reader of scenes makes of an obstacle, or notes its faults.
func (e *Edit) checkedObstacle(op string, id ObstacleID, o scenes.Obstacle) (scenes.Obstacle, bool) {
	f, before := EditError{Op: op, Handle: id, ID: o.ID}, len(e.faults)
	e.checkShape(f, o)
	if len(e.faults) > before {
		return o, false
	}
	checked, problems := o.Checked(e.scene.Domain)
	for _, problem := range problems {
		if !problem.Note {
			f.Path, f.Why = problem.Path, problem.Message
			e.fault(f)
		}
	}
	return checked, len(e.faults) == before
}

// checkShape notes the faults of a shape that have types.
func (e *Edit) checkShape(f EditError, o scenes.Obstacle) {
	if o.Circle != nil && (o.Circle.Sides < 0 || o.Circle.Sides > scenes.MaxSides) {
		return // which Checked finds
	}
	p, outline := o.Polygon(), o.Rect == nil && o.Circle == nil
	if f.Cause = p.Check(); f.Cause != nil && o.Circle == nil && len(p.Outer) > 0 {
		if at := (*polygon.Error)(nil); errors.As(f.Cause, &at) {
			if f.At = []mgl64.Vec2{at.Point}; outline {
				f.Path = ringPath(at.Ring, at.Index)
			}
		}
		e.fault(f)
		return
	}
	for r, ring := range p.Rings() {
		for i, v := range ring {
			if e.scene.Domain.Contains(v) {
				continue
			}
			f.Cause = &OutsideError{What: "the vertex", Point: v, Domain: e.scene.Domain}
			if f.At = []mgl64.Vec2{v}; outline {
				f.Path = ringPath(r, i)
			}
			e.fault(f)
			return
		}
	}
}

// checkNames notes obstacles of the edit whose ids others have, too.
func (e *Edit) checkNames() {
	slots := map[string]uint32{}
	for _, slot := range e.doc.obstacles {
		id := e.obstacle(int(slot)).shape.ID
		other, twice := slots[id]
		if slots[id] = slot; id == "" || !twice {
			continue
		}
		if _, edited := e.obstacles[slot]; !edited {
			slot = other
		}
		e.fault(EditError{Op: "Edit", Handle: e.world.obstacles.at(int(slot)), ID: id, Path: "ID", Why: "two obstacles have this id; ids of obstacles differ"})
	}
}

// ringPath is the part of an outline that a vertex is.
func ringPath(ring, vertex int) string {
	if ring == 0 {
		return fmt.Sprintf("Outline[%d]", vertex)
	}
	return fmt.Sprintf("Holes[%d][%d]", ring-1, vertex)
}
