//go:build !headless

package viewer

import (
	"errors"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/stage"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// part is what of a source or an obstacle a hand is on.
type part int

const (
	nothing  part = iota // free ground
	point                // a source that is a point
	startEnd             // of a segment
	stopEnd
	middle // of a segment: the whole of it
	body   // an obstacle
)

// selection is what of a world can be held. The zero thing is nothing.
type selection struct {
	part     part
	source   engine.Source   // unless it is a body
	obstacle engine.Obstacle // of a body
}

// editSession touches the sources and obstacles of a world: what it does with them are edits, each of which can be taken back.
// Edits that the world refuses are errors of type *engine.GoalError or *engine.ObstacleError, and change nothing.
type editSession struct {
	world     *engine.World
	hovered   selection      // what it is on, or holds
	grab      *grab          // nil: nothing
	undoStack []func() error // take back what was done, the last one last
}

// grab is a thing that is dragged.
type grab struct {
	selection
	from    mgl64.Vec2   // where it was taken
	sources spm.Goal     // of the source's goal as they were
	shape   geom.Polygon // of the body as it was
	room    scenes.Rect  // the offsets that keep it in the domain
	by      mgl64.Vec2   // how far it shall be moved
	moved   mgl64.Vec2   // and is
}

// find is what is at a point, or within a reach in metres of it: sources of a goal, those of others, then obstacles, those
// that are away too. Only layers that are shown count.
func (h *editSession) find(p mgl64.Vec2, reach float64, goal engine.Goal, shown render.Layers) selection {
	if shown&render.Sources != 0 {
		s, ok := h.world.SourceAt(p, reach, goal)
		if !ok {
			s, ok = h.world.SourceAt(p, reach)
		}
		if ok {
			return selection{part: h.partAt(s, p, reach), source: s}
		}
	}
	if shown&render.Obstacles != 0 {
		if o, ok := h.obstacleAt(p, reach/2); ok {
			return selection{part: body, obstacle: o}
		}
	}
	return selection{}
}

// partAt is the part of a source that a point is at.
func (h *editSession) partAt(s engine.Source, p mgl64.Vec2, reach float64) part {
	sources := h.sources(s.Goal)
	i := s.Index - len(sources.Points)
	if i < 0 {
		return point
	}
	a, b := sources.Segments[i][0], sources.Segments[i][1]
	// Of a short segment a third is left for the middle.
	switch end := math.Min(1.5*reach, b.Sub(a).Len()/3); {
	case p.Sub(a).Len() <= end:
		return startEnd
	case p.Sub(b).Len() <= end:
		return stopEnd
	}
	return middle
}

// obstacleAt is the obstacle nearest to a point, of several the last one that is there, or else the last one.
func (h *editSession) obstacleAt(p mgl64.Vec2, reach float64) (engine.Obstacle, bool) {
	var best engine.Obstacle
	found, there := false, false
	for _, o := range h.world.Obstacles() {
		state := h.state(o)
		if !beside(state.Polygon, p, reach) {
			continue
		}
		if d := away(state.Polygon, p); d < reach || d == reach && (state.Present || !there) {
			best, reach, found, there = o, d, true, state.Present
		}
	}
	return best, found
}

// beside reports whether a point is within a reach of the box around a polygon, as most polygons are not.
func beside(polygon geom.Polygon, p mgl64.Vec2, reach float64) bool {
	left, right, below, above := true, true, true, true // all of it is
	for _, v := range polygon.Outer {
		left = left && v[0] < p[0]-reach
		right = right && v[0] > p[0]+reach
		below = below && v[1] < p[1]-reach
		above = above && v[1] > p[1]+reach
	}
	return !left && !right && !below && !above
}

// away is how far a point is from a polygon, 0 inside of it. Unit: m.
func away(polygon geom.Polygon, p mgl64.Vec2) float64 {
	inside, least := false, math.Inf(1)
	for i := -1; i < len(polygon.Holes); i++ {
		ring := polygon.Outer
		if i >= 0 {
			ring = polygon.Holes[i]
		}
		a := ring[len(ring)-1]
		for _, b := range ring {
			if (a[1] > p[1]) != (b[1] > p[1]) && p[0] > a[0]+(p[1]-a[1])/(b[1]-a[1])*(b[0]-a[0]) {
				inside = !inside
			}
			along := b.Sub(a)
			t := math.Min(math.Max(p.Sub(a).Dot(along)/along.Dot(along), 0), 1)
			least = math.Min(least, p.Sub(a.Add(along.Mul(t))).LenSqr())
			a = b
		}
	}
	if inside {
		return 0
	}
	return math.Sqrt(least)
}

// sources are those of a goal. Handles in a hand are always of its world.
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

// goal is the number of a goal.
func (h *editSession) goal(g engine.Goal) int { return slices.Index(h.world.Goals(), g) }

// start begins to drag a thing from a point.
func (h *editSession) start(t selection, from mgl64.Vec2) {
	h.hovered, h.grab = t, &grab{selection: t, from: from}
	if t.part == body {
		h.grab.shape = h.state(t.obstacle).Shape
	} else {
		h.grab.sources = h.sources(t.source.Goal)
	}
	domain := h.world.Scene().Domain
	room := scenes.Rect{math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)}
	for _, p := range h.grab.points() {
		for k := range 2 {
			room[k] = math.Max(room[k], domain[k]-p[k])
			room[k+2] = math.Min(room[k+2], domain[k+2]-p[k])
		}
	}
	h.grab.room = room
}

// points are all that move with what is held, as they were.
func (h *grab) points() []mgl64.Vec2 {
	if h.part == body {
		return h.shape.Outer
	}
	if h.part == point {
		return h.sources.Points[h.source.Index : h.source.Index+1]
	}
	segment := h.sources.Segments[h.source.Index-len(h.sources.Points)]
	switch h.part {
	case startEnd:
		return segment[:1]
	case stopEnd:
		return segment[1:]
	}
	return segment[:]
}

// dragTo says where the pointer has come to. What is held stays in the domain.
func (h *editSession) dragTo(to mgl64.Vec2) {
	for k, d := range to.Sub(h.grab.from) {
		h.grab.by[k] = math.Min(math.Max(d, h.grab.room[k]), h.grab.room[k+2])
	}
}

// apply edits the world so that what is held is where it was dragged to.
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

// move has what is held at an offset from where it was.
func (h *grab) move(e *engine.Edit, domain scenes.Rect, by mgl64.Vec2) {
	moved := func(p mgl64.Vec2) mgl64.Vec2 {
		for k := range p {
			p[k] = math.Min(math.Max(p[k]+by[k], domain[k]), domain[k+2]) // against rounding only
		}
		return p
	}
	if h.part == body {
		ring := func(from geom.Ring) geom.Ring {
			to := make(geom.Ring, len(from))
			for i, p := range from {
				to[i] = moved(p)
			}
			return to
		}
		shape := geom.Polygon{Outer: ring(h.shape.Outer)}
		for _, hole := range h.shape.Holes {
			shape.Holes = append(shape.Holes, ring(hole))
		}
		e.SetObstacle(h.obstacle, shape)
		return
	}
	sources := spm.Goal{Points: slices.Clone(h.sources.Points), Segments: slices.Clone(h.sources.Segments)}
	if h.part == point {
		sources.Points[h.source.Index] = moved(sources.Points[h.source.Index])
	} else {
		segment := &sources.Segments[h.source.Index-len(sources.Points)]
		if h.part != stopEnd {
			segment[0] = moved(segment[0])
		}
		if h.part != startEnd {
			segment[1] = moved(segment[1])
		}
	}
	e.SetSources(h.source.Goal, sources)
}

// restore puts what is held back to where it was.
func (h *grab) restore(e *engine.Edit) {
	if h.part == body {
		e.SetObstacle(h.obstacle, h.shape)
	} else {
		e.SetSources(h.source.Goal, h.sources)
	}
}

// finish lets go of what is held.
func (h *editSession) finish() {
	if h.grab != nil && h.grab.moved != (mgl64.Vec2{}) {
		h.pushUndo(h.grab.restore)
	}
	h.grab = nil
}

// cancel puts back what is held, and lets go of it.
func (h *editSession) cancel() error {
	if h.grab == nil {
		return nil
	}
	back := h.grab.restore
	h.grab = nil
	return h.edit(back, nil)
}

// edit changes the world; back is what takes that back.
func (h *editSession) edit(change, back func(*engine.Edit)) error {
	err := h.world.Edit(func(e *engine.Edit) error { change(e); return nil })
	if err == nil && back != nil {
		h.pushUndo(back)
	}
	return err
}

// pushUndo keeps what takes an edit back.
func (h *editSession) pushUndo(back func(*engine.Edit)) {
	h.undoStack = append(h.undoStack, func() error { return h.edit(back, nil) })
}

// undo takes back what was changed last, if anything was.
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

// addPoint has a goal at a point too, beside its other sources.
func (h *editSession) addPoint(goal engine.Goal, at mgl64.Vec2) error {
	to := h.sources(goal)
	to.Points = append(to.Points, at)
	return h.setSources(goal, to)
}

// remove takes a source away for good.
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

// toggle takes an obstacle away, or puts it back.
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

// refusal is what an edit was refused for, in words; false for any other error.
func refusal(err error) (string, bool) {
	var goal *engine.GoalError
	var obstacle *engine.ObstacleError
	if errors.As(err, &goal) || errors.As(err, &obstacle) {
		return console.WithoutPackages(err.Error()), true
	}
	return "", false
}

// gap is between the parts of a hint.
const gap = "    "

// hint says what the mouse and the keys do with what the hand is on, or is doing with what it holds.
func (h *editSession) hint(goal engine.Goal) string {
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

func (h *editSession) bodyHint(o engine.Obstacle) string {
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

func (h *editSession) sourceHint(t selection, goal engine.Goal) string {
	name := "goal " + console.Legible(h.world.Scene().Goals[h.goal(t.source.Goal)].ID)
	what := map[part]string{point: "this point", startEnd: "this end", stopEnd: "this end", middle: "the segment"}[t.part]
	blocked := ""
	if slices.Contains(h.world.Asleep(), t.source) {
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

// Measures of what the hand shows, in nominal pixels.
const (
	outlineWidth = 2.6  // of what it is on
	awayWidth    = 1.6  // of obstacles that are away
	shutWidth    = 1.2  // of doors that are shut
	awayDash     = 5    // of their dashes
	haloRadius   = 12.5 // behind a source
	haloWidth    = 10
	pickRadius   = 10 // how far from a source the pointer may be; half of it from an obstacle
)

// sketches show sources of other goals, doors, obstacles that are away, and what the hand is on.
func (h *editSession) sketches(goal engine.Goal, shown render.Layers) []render.Sketch {
	var all []render.Sketch
	if shown&render.Sources != 0 {
		for i, g := range h.world.Goals() {
			if g != goal {
				all = append(all, stage.MarksOf(h.sources(g), i))
			}
		}
	}
	if shown&render.Obstacles != 0 {
		gone := render.Sketch{Colour: render.Outline, Width: awayWidth, Dash: awayDash}
		shut := render.Sketch{Colour: render.Outline, Width: shutWidth}
		for _, o := range h.world.Obstacles() {
			if state := h.state(o); !state.Present {
				gone.Lines = append(gone.Lines, outlines(state.Polygon)...)
			} else if state.Opens {
				shut.Lines = append(shut.Lines, outlines(state.Polygon)...)
			}
		}
		all = append(all, shut, gone)
	}
	return append(all, h.halo())
}

// halo is around what the hand is on.
func (h *editSession) halo() render.Sketch {
	on := render.Sketch{Colour: render.Highlight, Radius: haloRadius, Width: haloWidth}
	t := h.hovered
	switch t.part {
	case nothing:
		return render.Sketch{}
	case body:
		state := h.state(t.obstacle)
		on.Lines, on.Width = outlines(state.Polygon), outlineWidth
		if !state.Present {
			on.Dash = awayDash
		}
		return on
	}
	sources := h.sources(t.source.Goal)
	if t.part == point {
		on.Marks = sources.Points[t.source.Index : t.source.Index+1]
		return on
	}
	segment := sources.Segments[t.source.Index-len(sources.Points)]
	switch t.part {
	case startEnd:
		on.Marks = segment[:1]
	case stopEnd:
		on.Marks = segment[1:]
	default:
		on.Lines = [][2]mgl64.Vec2{segment}
	}
	return on
}

// outlines are the edges of a polygon.
func outlines(p geom.Polygon) [][2]mgl64.Vec2 {
	var all [][2]mgl64.Vec2
	for _, ring := range append([]geom.Ring{p.Outer}, p.Holes...) {
		for i, a := range ring {
			all = append(all, [2]mgl64.Vec2{a, ring[(i+1)%len(ring)]})
		}
	}
	return all
}
