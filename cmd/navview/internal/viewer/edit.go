//go:build !headless

package viewer

import (
	"errors"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// editSession edits sources and obstacles of a world by a pointer, and undoes edits. Edits that the
// world refuses are errors of type *engine.GoalError or *engine.ObstacleError, and change nothing.
type editSession struct {
	world     *engine.World
	hovered   selection      // at the pointer, or dragged
	grab      *grab          // nil: no drag
	undoStack []func() error // the last edit last
}

// grab is a selection that is dragged.
type grab struct {
	selection
	from    mgl64.Vec2   // the start of the drag
	sources spm.Goal     // of the source's goal at the start
	shape   geom.Polygon // of the obstacle at the start
	limits  scenes.Rect  // the offsets that keep it in the domain
	by      mgl64.Vec2   // the offset of the pointer
	moved   mgl64.Vec2   // the offset of the last edit
}

// sources returns the sources of a goal. A session's handles are always valid in its world.
func (h *editSession) sources(goal engine.Goal) spm.Goal {
	sources, err := h.world.Sources(goal)
	if err != nil {
		panic(err)
	}
	return sources
}

func (h *editSession) state(o engine.Obstacle) engine.ObstacleState {
	state, err := h.world.ObstacleState(o)
	if err != nil {
		panic(err)
	}
	return state
}

// goal returns the index of a goal.
func (h *editSession) goal(g engine.Goal) int { return slices.Index(h.world.Goals(), g) }

// start starts to drag a selection from a point.
func (h *editSession) start(t selection, from mgl64.Vec2) {
	h.hovered, h.grab = t, &grab{selection: t, from: from}
	var points []mgl64.Vec2
	if t.part == body {
		h.grab.shape = h.state(t.obstacle).Shape
		points = h.grab.shape.Outer
	} else {
		h.grab.sources = h.sources(t.source.Goal)
		points = t.points(h.grab.sources)
	}
	domain := h.world.Scene().Domain
	limits := scenes.Rect{math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)}
	for _, p := range points {
		for k := range 2 {
			limits[k] = max(limits[k], domain[k]-p[k])
			limits[k+2] = min(limits[k+2], domain[k+2]-p[k])
		}
	}
	h.grab.limits = limits
}

// points returns the points of sources that move with the selection. It shares their memory.
func (t selection) points(s spm.Goal) []mgl64.Vec2 {
	i := t.source.Index
	if t.part == point {
		return s.Points[i : i+1]
	}
	switch segment := &s.Segments[i-len(s.Points)]; t.part {
	case startEnd:
		return segment[:1]
	case stopEnd:
		return segment[1:]
	default:
		return segment[:]
	}
}

// dragTo sets where the pointer is. The selection stays in the domain.
func (h *editSession) dragTo(to mgl64.Vec2) {
	for k, d := range to.Sub(h.grab.from) {
		h.grab.by[k] = math.Min(math.Max(d, h.grab.limits[k]), h.grab.limits[k+2])
	}
}

// apply moves the selection in the world to where it was dragged.
func (h *editSession) apply() error {
	if h.grab == nil || h.grab.by == h.grab.moved {
		return nil
	}
	by := h.grab.by
	err := h.world.Edit(func(e *engine.Edit) error { h.grab.move(e, h.world.Scene().Domain, by); return nil })
	if err == nil {
		h.grab.moved = by
	}
	return err
}

// move edits the selection to an offset from its start.
func (h *grab) move(e *engine.Edit, domain scenes.Rect, by mgl64.Vec2) {
	shift := func(points []mgl64.Vec2) {
		for i, p := range points {
			for k := range p {
				points[i][k] = min(max(p[k]+by[k], domain[k]), domain[k+2]) // against rounding only
			}
		}
	}
	if h.part != body {
		sources := spm.Goal{Points: slices.Clone(h.sources.Points), Segments: slices.Clone(h.sources.Segments)}
		shift(h.points(sources))
		e.SetSources(h.source.Goal, sources)
		return
	}
	shape := geom.Polygon{Outer: slices.Clone(h.shape.Outer)}
	shift(shape.Outer)
	for _, hole := range h.shape.Holes {
		shape.Holes = append(shape.Holes, slices.Clone(hole))
		shift(shape.Holes[len(shape.Holes)-1])
	}
	e.SetObstacle(h.obstacle, shape)
}

// restore edits the selection back to its start.
func (h *grab) restore(e *engine.Edit) {
	if h.part == body {
		e.SetObstacle(h.obstacle, h.shape)
	} else {
		e.SetSources(h.source.Goal, h.sources)
	}
}

// finish ends a drag, which can be undone then.
func (h *editSession) finish() {
	if h.grab != nil && h.grab.moved != (mgl64.Vec2{}) {
		h.pushUndo(h.grab.restore)
	}
	h.grab = nil
}

// cancel ends a drag and restores the selection.
func (h *editSession) cancel() error {
	if h.grab == nil {
		return nil
	}
	back := h.grab.restore
	h.grab = nil
	return h.edit(back, nil)
}

// edit changes the world; back undoes it.
func (h *editSession) edit(change, back func(*engine.Edit)) error {
	err := h.world.Edit(func(e *engine.Edit) error { change(e); return nil })
	if err == nil && back != nil {
		h.pushUndo(back)
	}
	return err
}

// pushUndo adds an edit to the undo stack.
func (h *editSession) pushUndo(back func(*engine.Edit)) {
	h.undoStack = append(h.undoStack, func() error { return h.edit(back, nil) })
}

// undo undoes the last edit, if there is one.
func (h *editSession) undo() error {
	if h.grab != nil || len(h.undoStack) == 0 {
		return nil
	}
	back := h.undoStack[len(h.undoStack)-1]
	h.undoStack = h.undoStack[:len(h.undoStack)-1]
	return back()
}

// setSources replaces a goal's sources.
func (h *editSession) setSources(goal engine.Goal, to spm.Goal) error {
	before := h.sources(goal)
	return h.edit(func(e *engine.Edit) { e.SetSources(goal, to) }, func(e *engine.Edit) { e.SetSources(goal, before) })
}

// addPoint adds a point to a goal's sources.
func (h *editSession) addPoint(goal engine.Goal, at mgl64.Vec2) error {
	to := h.sources(goal)
	to.Points = append(to.Points, at)
	return h.setSources(goal, to)
}

// remove removes a source.
func (h *editSession) remove(t selection) error {
	if t.part == nothing || t.part == body {
		return nil
	}
	h.hovered = selection{}
	to := h.sources(t.source.Goal)
	if i := t.source.Index; i < len(to.Points) {
		to.Points = slices.Delete(to.Points, i, i+1)
	} else {
		i -= len(to.Points)
		to.Segments = slices.Delete(to.Segments, i, i+1)
	}
	return h.setSources(t.source.Goal, to)
}

// toggle removes an obstacle, or puts it back.
func (h *editSession) toggle(o engine.Obstacle) error {
	if h.state(o).Present {
		return h.setDoor(o, engine.DoorOpen)
	}
	return h.setDoor(o, engine.DoorShut)
}

func (h *editSession) setDoor(o engine.Obstacle, to engine.Door) error {
	before := h.state(o).Door
	return h.edit(func(e *engine.Edit) { e.SetDoor(o, to) }, func(e *engine.Edit) { e.SetDoor(o, before) })
}

// refusal returns the message of a refused edit; false for any other error.
func refusal(err error) (string, bool) {
	var goal *engine.GoalError
	var obstacle *engine.ObstacleError
	if errors.As(err, &goal) || errors.As(err, &obstacle) {
		return console.WithoutPackages(err.Error()), true
	}
	return "", false
}
