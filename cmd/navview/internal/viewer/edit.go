package viewer

import (
	"errors"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// editSession edits sources and obstacles of a world by a pointer, and undoes edits. Edits that the
// world refuses change nothing and return an error that refusal knows.
type editSession struct {
	world     *engine.World
	hovered   selection      // at the pointer, or dragged
	grab      *grab          // nil: no drag
	undoStack []func() error // the last edit last
}

// grab is a selection that is dragged.
type grab struct {
	start  content     // at the start of the drag
	from   mgl64.Vec2  // the pointer then
	limits scenes.Rect // the offsets that keep it in the domain
	by     mgl64.Vec2  // the offset of the pointer
	moved  mgl64.Vec2  // the offset of the last edit
}

// content is what an edit replaces: the shape of an obstacle, or the sources of a goal.
type content struct {
	of      selection
	shape   scenes.Obstacle
	sources spm.Goal
}

// content returns a copy of what a selection is part of.
func (h *editSession) content(t selection) content {
	if t.part == body {
		shape, err := h.world.Shape(t.obstacle)
		if err != nil {
			panic(err)
		}
		return content{of: t, shape: shape}
	}
	return content{of: t, sources: h.sources(t.source.Goal)}
}

// put replaces the content of the world.
func (c content) put(e *engine.Edit) {
	if c.of.part == body {
		e.SetObstacle(c.of.obstacle, c.shape)
	} else {
		e.SetSources(c.of.source.Goal, c.sources)
	}
}

// points returns the points that move with the selection; those of sources share the content's
// memory.
func (c content) points() []mgl64.Vec2 {
	if c.of.part != body {
		return c.of.points(c.sources)
	}
	return slices.Concat(c.shape.Polygon().Rings()...)
}

// moved returns a copy that is moved by an offset, within a domain.
func (c content) moved(by mgl64.Vec2, domain scenes.Rect) content {
	if c.of.part == body {
		c.shape = c.shape.Moved(by)
		for _, p := range c.points() { // against rounding only
			if in := within(p, domain); in != p {
				c.shape = c.shape.Moved(in.Sub(p).Mul(2))
			}
		}
		return c
	}
	c.sources = spm.Goal{Points: slices.Clone(c.sources.Points), Segments: slices.Clone(c.sources.Segments)}
	points := c.points()
	for i, p := range points {
		points[i] = within(p.Add(by), domain) // against rounding only
	}
	return c
}

// within returns the point of a rectangle nearest to p.
func within(p mgl64.Vec2, r scenes.Rect) mgl64.Vec2 {
	return mgl64.Vec2{min(max(p[0], r[0]), r[2]), min(max(p[1], r[1]), r[3])}
}

// sources returns the sources of a goal. A session's handles are always valid in its world.
func (h *editSession) sources(goal engine.GoalID) spm.Goal {
	sources, err := h.world.Sources(goal)
	if err != nil {
		panic(err)
	}
	return sources
}

func (h *editSession) state(o engine.ObstacleID) engine.ObstacleState {
	state, err := h.world.ObstacleState(o)
	if err != nil {
		panic(err)
	}
	return state
}

// goal returns the index of a goal.
func (h *editSession) goal(g engine.GoalID) int { return slices.Index(h.world.Goals(), g) }

// start starts to drag a selection from a point.
func (h *editSession) start(t selection, from mgl64.Vec2) {
	h.hovered = t
	h.grab = &grab{
		start: h.content(t), from: from, limits: scenes.Rect{math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)},
	}
	domain, limits := h.world.Scene().Domain, &h.grab.limits
	for _, p := range h.grab.start.points() {
		for k := range 2 {
			limits[k] = max(limits[k], domain[k]-p[k])
			limits[k+2] = min(limits[k+2], domain[k+2]-p[k])
		}
	}
}

// dragTo sets where the pointer is. The selection stays in the domain.
func (h *editSession) dragTo(to mgl64.Vec2) {
	for k, d := range to.Sub(h.grab.from) {
		h.grab.by[k] = min(max(d, h.grab.limits[k]), h.grab.limits[k+2])
	}
}

// apply moves the selection in the world to where it was dragged.
func (h *editSession) apply() error {
	if h.grab == nil || h.grab.by == h.grab.moved {
		return nil
	}
	err := h.edit(h.grab.start.moved(h.grab.by, h.world.Scene().Domain).put, nil)
	if err == nil {
		h.grab.moved = h.grab.by
	}
	return err
}

// finish ends a drag, which can be undone then.
func (h *editSession) finish() {
	if h.grab != nil && h.grab.moved != (mgl64.Vec2{}) {
		h.pushUndo(h.grab.start.put)
	}
	h.grab = nil
}

// cancel ends a drag and restores the selection.
func (h *editSession) cancel() error {
	if h.grab == nil {
		return nil
	}
	back := h.grab.start.put
	h.grab = nil
	return h.edit(back, nil)
}

// edit changes the world; back undoes it.
func (h *editSession) edit(change, back func(*engine.Edit)) error {
	_, err := h.world.Edit(func(e *engine.Edit) error { change(e); return nil })
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

// addPoint adds a point to a goal's sources.
func (h *editSession) addPoint(goal engine.GoalID, at mgl64.Vec2) error {
	c := h.content(selection{part: point, source: engine.Source{Goal: goal}})
	before := c
	c.sources.Points = append(slices.Clone(c.sources.Points), at)
	return h.edit(c.put, before.put)
}

// remove removes a source.
func (h *editSession) remove(t selection) error {
	if t.part == nothing || t.part == body {
		return nil
	}
	h.hovered = selection{}
	c, before := h.content(t), h.content(t)
	if i, points := t.source.Index, len(c.sources.Points); i < points {
		c.sources.Points = slices.Delete(c.sources.Points, i, i+1)
	} else {
		c.sources.Segments = slices.Delete(c.sources.Segments, i-points, i-points+1)
	}
	return h.edit(c.put, before.put)
}

// toggle removes an obstacle, or puts it back.
func (h *editSession) toggle(o engine.ObstacleID) error {
	if h.state(o).Present {
		return h.setDoor(o, engine.DoorOpen)
	}
	return h.setDoor(o, engine.DoorShut)
}

func (h *editSession) setDoor(o engine.ObstacleID, to engine.Door) error {
	before := h.state(o).Door
	return h.edit(func(e *engine.Edit) { e.SetDoor(o, to) }, func(e *engine.Edit) { e.SetDoor(o, before) })
}

// refusal returns the message of a refused edit; false for any other error.
func refusal(err error) (string, bool) {
	var goal *engine.GoalError
	var obstacle *engine.ObstacleError
	var faults engine.EditErrors
	var capacity *gpu.CapacityError
	if errors.As(err, &faults) || errors.As(err, &goal) || errors.As(err, &obstacle) || errors.As(err, &capacity) {
		return console.WithoutPackages(err.Error()), true
	}
	return "", false
}
