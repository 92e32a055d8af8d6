package engine

import (
	"errors"
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
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

// AddObstacle adds an obstacle, world meters. The polygon is checked as the reader of scenes does: a
// simple polygon inside the domain, equal neighbors are merged. Faults are a *polygon.Error or an
// *OutsideError.
func (e *Edit) AddObstacle(p geom.Polygon) ObstacleID {
	e.mustBeOpen()
	id := take(e.world, &e.world.obstacles)
	if p, ok := e.checkedPolygon("AddObstacle", id, "", p); ok {
		e.obstacles[uint32(id)] = obstacle{there: true, shape: outlined(scenes.Obstacle{}, p)}
	}
	return id
}

// MoveObstacle moves an obstacle by an offset in meters. What moves by itself goes on with its
// motion from there. Faults are those of AddObstacle, or a *HandleError.
func (e *Edit) MoveObstacle(o ObstacleID, by mgl64.Vec2) {
	e.changeObstacle("MoveObstacle", o, func(state *obstacle) {
		if p, ok := e.checkedPolygon("MoveObstacle", o, state.shape.ID, scenes.Shift(by).Polygon(state.shape.Polygon())); ok {
			state.shape = outlined(state.shape, p)
		}
	})
}

// SetObstacle gives an obstacle another shape, as of AddObstacle. Its id, timetable and motion
// stay.
func (e *Edit) SetObstacle(o ObstacleID, p geom.Polygon) {
	e.changeObstacle("SetObstacle", o, func(state *obstacle) {
		if p, ok := e.checkedPolygon("SetObstacle", o, state.shape.ID, p); ok {
			state.shape = outlined(state.shape, p)
		}
	})
}

// RemoveObstacle takes an obstacle away for good. Its handle is stale from then on.
func (e *Edit) RemoveObstacle(o ObstacleID) {
	e.changeObstacle("RemoveObstacle", o, func(state *obstacle) { *state = obstacle{} })
}

// SetDoor takes an obstacle away or puts it back by hand, whatever its timetable says, or leaves it
// to that again.
func (e *Edit) SetDoor(o ObstacleID, d Door) {
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
	e.mustBeOpen()
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

// checkedPolygon returns a copy of a polygon, with equal neighbors merged, or notes its fault.
func (e *Edit) checkedPolygon(op string, o ObstacleID, id string, p geom.Polygon) (geom.Polygon, bool) {
	f := EditError{Op: op, Handle: o, ID: id}
	if f.Cause = p.Check(); f.Cause != nil {
		if at := (*polygon.Error)(nil); errors.As(f.Cause, &at) {
			f.At, f.Path = []mgl64.Vec2{at.Point}, ringPath(at.Ring, at.Index)
		}
		e.fault(f)
		return p, false
	}
	for r, ring := range p.Rings() {
		for i, v := range ring {
			if !e.world.scene.Domain.Contains(v) {
				f.Cause = &OutsideError{What: "the vertex", Point: v, Domain: e.world.scene.Domain}
				f.At, f.Path = []mgl64.Vec2{v}, ringPath(r, i)
				e.fault(f)
				return p, false
			}
		}
	}
	p, _ = p.Merged()
	return p, true
}

// ringPath is the part of a polygon that a vertex is.
func ringPath(ring, vertex int) string {
	if ring == 0 {
		return fmt.Sprintf("outer[%d]", vertex)
	}
	return fmt.Sprintf("holes[%d][%d]", ring-1, vertex)
}
