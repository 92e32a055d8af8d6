package studio

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
)

// Select selects, moves, turns and resizes.
type Select struct {
	from    mgl64.Vec2 // where it was pressed
	over    Ref        // what was there
	handle  *Handle    // of the one that is selected; nil: none was pressed
	doing   doing
	copies  bool // Alt was held: a copy is dragged
	snap    Snap
	box     scenes.Rect // of the rubber band
	figure  Figure      // whose handle is dragged, as it was
	angle   float64     // by which things are turned, rad
	by      mgl64.Vec2  // by which things are moved
	pivot   mgl64.Vec2
	dragged []Ref
	frame   *keyframe // of the obstacle that is selected; nil: none was pressed
}

// doing is what a drag does.
type doing int

const (
	idle doing = iota
	moving
	reshaping
	turning
	banding
	scaling      // of several things, by the handles of their box
	movingFrame  // of a motion
	turningFrame // of a motion
)

// turnHandle is how far above the box the handle for turning is. Unit: nominal pixels.
const turnHandle = 28

func (t *Select) Name() string { return "Select" }

// Hover finds what is at the pointer.
func (t *Select) Hover(s *Studio, p Pointer) error {
	s.Hovered = Find(s.Scene(), p.At, p.Reach, s.seen)
	return nil
}

// single returns the one selected record with a figure, or the item.
func (s *Studio) single() (Ref, Figure, bool) {
	if len(s.Selected) != 1 {
		return Ref{}, Figure{}, false
	}
	figures := s.Selected[0].Figures(s.Scene())
	if len(figures) != 1 {
		return Ref{}, Figure{}, false
	}
	r := s.Selected[0]
	if n := items(s.Scene(), r); n == 1 {
		r.Item = 0
	}
	return r, figures[0], true
}

// handled returns the figure that has handles: that of the one selected record, or the box of
// several.
func (s *Studio) handled() (Figure, bool) {
	if _, f, ok := s.single(); ok {
		return f, true
	}
	box, ok := s.selectionBox()
	return rectOf(box), ok && len(s.Selected) > 1
}

// handleAt returns the handle of the selected record at a place; corners before edges.
func (s *Studio) handleAt(p Pointer) *Handle {
	f, ok := s.handled()
	if !ok {
		return nil
	}
	best, least := (*Handle)(nil), p.Reach
	for _, h := range f.Handles() {
		d := h.At.Sub(p.At).Len()
		if h.Edge { // corners come first
			d *= 2
		}
		if d < least {
			best, least = &h, d
		}
	}
	return best
}

// selectionBox returns the box around what is selected.
func (s *Studio) selectionBox() (scenes.Rect, bool) {
	var corners []mgl64.Vec2
	for _, r := range s.Selected {
		for _, f := range r.Figures(s.Scene()) {
			corners = append(corners, f.Corners()...)
		}
	}
	if corners == nil {
		return scenes.Rect{}, false
	}
	return scenes.Around(corners), true
}

// turner returns the place of the handle for turning; false where nothing selected can be turned.
func (s *Studio) turner() (at, pivot mgl64.Vec2, ok bool) {
	turns := slices.ContainsFunc(s.Selected, func(r Ref) bool { return r.List == Obstacles || len(s.Selected) > 1 })
	box, ok := s.selectionBox()
	if !ok || !turns {
		return at, pivot, false
	}
	pivot = box.Min().Add(box.Max()).Mul(0.5)
	return mgl64.Vec2{pivot[0], box.Max()[1] + s.turnHandle()}, pivot, true
}

// turnHandle is how far away the handle for turning is, m.
func (s *Studio) turnHandle() float64 { return turnHandle * s.Ratio / s.Camera.Scale }

// Press remembers what is at the pointer. It moves nothing.
func (t *Select) Press(s *Studio, p Pointer) error {
	*t = Select{from: p.At, copies: p.Alt}
	t.find(s, p)
	if p.Double && t.handle != nil && t.handle.Edge {
		return t.split(s)
	}
	return nil
}

// find finds what is at the place of the press.
func (t *Select) find(s *Studio, p Pointer) {
	p.At = t.from
	t.doing, t.handle, t.frame, t.over = idle, nil, nil, Ref{}
	if at, pivot, ok := s.turner(); ok && at.Sub(p.At).Len() < p.Reach {
		t.doing, t.pivot = turning, pivot
		return
	}
	t.over = Find(s.Scene(), p.At, p.Reach, s.seen)
	if t.handle = s.handleAt(p); t.handle == nil {
		t.frame, t.doing = s.frameAt(p)
	}
}

// split makes a vertex in the middle of the pressed edge.
func (t *Select) split(s *Studio) error {
	r, f, ok := s.single()
	if !ok {
		return nil
	}
	if f.Kind == Rect {
		f = Figure{Kind: Polygon, Points: f.Corners()}
	}
	if r.List == Gates || r.List == Areas || r.List == Scene || f.Kind != Polygon {
		return nil
	}
	split, _ := f.Split(*t.handle)
	t.handle = nil
	return s.Change("add a vertex to "+r.Name(s.Scene()), func(to *scenes.Scene) { r.SetFigure(to, split) })
}

// Drag moves, turns or resizes, or draws the band that selects.
func (t *Select) Drag(s *Studio, p Pointer) error {
	if !s.Doc.Dragging() && t.doing != banding {
		if err := t.begin(s, p); err != nil || t.doing == banding {
			t.band(p)
			return err
		}
	}
	switch t.doing {
	case banding:
		t.band(p)
		return nil
	case reshaping:
		return t.reshape(s, p)
	case scaling:
		t.snap = s.SnapTo(p, nil, t.dragged...)
		return t.scale(s, t.figure.Dragged(*t.handle, t.snap.At), p.Shift)
	case movingFrame:
		t.snap = s.SnapTo(p, nil, t.over)
		return t.setFrame(s, t.snap.At.Sub(t.frame.From), t.frame.Angle)
	case turningFrame:
		return t.turnFrame(s, p)
	case turning:
		d, was := p.At.Sub(t.pivot), t.from.Sub(t.pivot)
		t.angle = math.Atan2(d[1], d[0]) - math.Atan2(was[1], was[0])
		if s.Snaps && !p.Control {
			const step = angleStep * math.Pi / 180
			t.angle = math.Round(t.angle/step) * step
		}
		return t.turn(s)
	}
	return t.move(s, p)
}

func (t *Select) band(p Pointer) {
	t.box = RectFigure(t.from, p.At).rect()
}

// begin decides what the drag does, and begins a gesture for it.
func (t *Select) begin(s *Studio, p Pointer) error {
	t.find(s, p) // again: a key may have changed the document since
	title := "move"
	switch {
	case t.doing == turning:
		title = "turn"
	case t.frame != nil:
		t.over = s.Selected[0]
		return s.Begin("change a keyframe of " + t.over.Name(s.Scene()))
	case t.handle != nil && len(s.Selected) > 1:
		t.doing, title = scaling, "resize"
		t.figure, _ = s.handled()
	case t.handle != nil:
		t.doing, title = reshaping, "reshape"
		t.over, t.figure, _ = s.single()
		t.dragged = []Ref{t.over}
		return s.Begin(title + " " + t.over.Name(s.Scene()))
	case t.over.IsNone():
		t.doing = banding
		return nil
	default:
		t.doing = moving
		if !s.IsSelected(t.over) {
			s.Select(t.over)
		}
		if t.copies {
			title = "copy"
		}
	}
	t.dragged = slices.Clone(s.Selected)
	return s.Begin(title + " " + s.title(t.dragged))
}

// move moves what is selected. Where it was pressed goes to a corner or an edge of another record; else
// its box to equal gaps in a row, or else to the grid.
func (t *Select) move(s *Studio, p Pointer) error {
	anchor, way := t.anchor(s), p.At.Sub(t.from)
	still := -1 // the axis that it does not move along
	if p.Shift {
		if still = 0; math.Abs(way[0]) > math.Abs(way[1]) {
			still = 1
		}
		way[still] = 0
	}
	p.At = anchor.Add(way)
	t.snap = s.SnapTo(p, nil, t.dragged...)
	t.by = t.snap.At.Sub(anchor)
	if why := t.snap.Why; why == "" || why == "grid" {
		t.space(s, p, way)
	}
	if still >= 0 {
		t.by[still] = 0
	}
	return t.shift(s)
}

// space moves what is selected to equal gaps, where it is near any when it is moved by some way.
func (t *Select) space(s *Studio, p Pointer, by mgl64.Vec2) {
	var points []mgl64.Vec2
	for _, r := range t.dragged {
		for _, f := range r.Figures(s.Doc.Before()) {
			points = append(points, f.Moved(by).Corners()...)
		}
	}
	if len(points) == 0 {
		return
	}
	skip := t.dragged
	if t.copies {
		skip = nil // what is copied stays
	}
	box := scenes.Around(points)
	spaced, axes := s.SpaceTo(p, box, t.dragged[0].List, skip...)
	if spaced.Why == "" {
		return
	}
	to := t.by
	for axis, holds := range axes {
		if holds {
			to[axis] = millimeters(by[axis] + spaced.At[axis] - box.Min()[axis])
		}
	}
	spaced.At = t.snap.At.Add(to.Sub(t.by))
	t.snap, t.by = spaced, to
}

// anchor is the corner of what is dragged that is nearest to where it was pressed: it is what snaps.
func (t *Select) anchor(s *Studio) mgl64.Vec2 {
	best, least := t.from, math.Inf(1)
	if t.figure.Kind == NoFigure && len(t.dragged) > 0 {
		for _, f := range t.dragged[0].Figures(s.Scene()) {
			for _, c := range f.Points {
				if d := c.Sub(t.from).Len(); d < least {
					best, least = c, d
				}
			}
		}
		t.figure = Figure{Kind: Point, Points: []mgl64.Vec2{best}} // of the beginning
	}
	return t.figure.Points[0]
}

func (t *Select) shift(s *Studio) error {
	return s.Drag(func(to *scenes.Scene) {
		refs := t.dragged
		if t.copies {
			refs = copied(to, t.dragged, mgl64.Vec2{})
		}
		for _, r := range refs {
			r.moved(to, t.by)
		}
	})
}

func (t *Select) reshape(s *Studio, p Pointer) error {
	var from *mgl64.Vec2
	if t.figure.Kind == Line {
		from = &t.figure.Points[1-t.handle.N]
	}
	t.snap = s.SnapTo(p, from, t.over)
	figure := t.figure.Dragged(*t.handle, t.snap.At)
	if p.Shift && figure.Kind == Rect && !t.handle.Edge {
		figure = squared(t.figure.Corners()[(t.handle.N+2)%4], t.snap.At)
	}
	return s.Drag(func(to *scenes.Scene) { t.over.SetFigure(to, figure) })
}

// squared returns the square with a corner at one place that reaches as far as the other.
func squared(from, to mgl64.Vec2) Figure {
	d := to.Sub(from)
	side := math.Max(math.Abs(d[0]), math.Abs(d[1]))
	return RectFigure(from, from.Add(mgl64.Vec2{math.Copysign(side, d[0]), math.Copysign(side, d[1])}))
}

func (t *Select) turn(s *Studio) error {
	return s.Drag(func(to *scenes.Scene) {
		for _, r := range t.dragged {
			r.transform(to, func(f Figure) Figure {
				if turned := f.Turned(t.angle, t.pivot); turned.Kind == f.Kind || r.List == Obstacles {
					return turned
				}
				return f.Moved(f.turnedCenter(t.angle, t.pivot)) // it has to stay a rectangle
			})
		}
	})
}

// turnedCenter returns by how much the middle of a figure moves when that is turned.
func (f Figure) turnedCenter(angle float64, about mgl64.Vec2) mgl64.Vec2 {
	middle := Figure{Kind: Point, Points: []mgl64.Vec2{f.Center()}}
	return middle.Turned(angle, about).Points[0].Sub(middle.Points[0])
}

// Release ends a drag, or selects what was clicked.
func (t *Select) Release(s *Studio, p Pointer) error {
	was := t.doing
	t.doing, t.snap = idle, Snap{}
	if !t.over.There(s.Scene()) {
		t.over = Ref{}
	}
	switch {
	case s.Doc.Dragging():
		s.End()
		if n := len(t.dragged); t.copies && was == moving && n > 0 { // the copies came last
			s.Select(lastOf(s.Scene(), t.dragged)...)
		}
		return nil
	case was == banding:
		found := Within(s.Scene(), t.box, s.seen)
		if p.Shift {
			found = append(slices.Clone(s.Selected), found...)
		}
		s.Select(found...)
		return nil
	case was == turning || t.handle != nil || t.frame != nil:
		return nil
	}
	return t.click(s, p)
}

// lastOf returns the records that copies of some are, right after they were added.
func lastOf(scene *scenes.Scene, of []Ref) (all []Ref) {
	n := map[List]int{}
	for _, r := range of {
		n[r.List]++
	}
	for l, k := range n {
		refs := All(scene, l)
		all = append(all, refs[len(refs)-k:]...)
	}
	return all
}

func (t *Select) click(s *Studio, p Pointer) error {
	if agent := s.AgentAt(p); agent >= 0 && !p.Shift {
		return s.ChooseAgent(agent)
	}
	switch {
	case t.over.IsNone() && !p.Shift:
		s.Selected = nil
		return s.View.Choose(-1)
	case t.over.IsNone():
	case p.Shift && s.IsSelected(t.over):
		s.Selected = slices.DeleteFunc(s.Selected, func(r Ref) bool { return r == t.over })
	case p.Shift:
		s.Selected = append(s.Selected, t.over)
	default:
		s.Select(t.over)
		if t.over.List == Goals && t.over.Index < len(s.World().Goals()) {
			s.View.Show(t.over.Index)
		}
	}
	return nil
}

// Enter does nothing.
func (t *Select) Enter(*Studio) error { return nil }

// Type sets the offset ("2 x 3", or a length in the direction of the drag), the radius, or the angle
// in degrees.
func (t *Select) Type(s *Studio, text string) (bool, error) {
	if !s.Doc.Dragging() {
		return false, nil
	}
	numbers, ok := Numbers(text)
	if !ok {
		return false, nil
	}
	switch {
	case t.doing == turning:
		t.angle = numbers[0] * math.Pi / 180
		return true, t.turn(s)
	case t.doing == moving && len(numbers) == 2:
		t.by = mgl64.Vec2{numbers[0], numbers[1]}
		return true, t.shift(s)
	case t.doing == moving && t.by.Len() > 0:
		t.by = t.by.Normalize().Mul(numbers[0])
		return true, t.shift(s)
	case t.doing == turningFrame:
		return true, t.setFrame(s, t.frame.Offset, numbers[0])
	case t.doing == movingFrame && len(numbers) == 2:
		return true, t.setFrame(s, mgl64.Vec2{numbers[0], numbers[1]}, t.frame.Angle)
	case t.doing == scaling:
		box, ok := t.figure.Sized(numbers, *t.handle)
		if !ok {
			return false, nil
		}
		return true, t.scale(s, box, false)
	case t.doing == reshaping:
		figure, ok := t.figure.Sized(numbers, *t.handle)
		if !ok {
			return false, nil
		}
		return true, s.Drag(func(to *scenes.Scene) { t.over.SetFigure(to, figure) })
	}
	return false, nil
}

// Sized returns the figure with a size that was typed: a radius, a length, or two sides, which keeps
// what lies opposite to a handle.
func (f Figure) Sized(n []float64, h Handle) (Figure, bool) {
	switch {
	case n[0] <= 0:
		return f, false
	case f.Kind == Circle:
		f = f.Clone()
		f.Radius = n[0]
		return f, true
	case f.Kind == Line:
		other := f.Points[1-h.N]
		along := f.Points[h.N].Sub(other)
		if along.Len() == 0 {
			return f, false
		}
		return f.Dragged(h, other.Add(along.Normalize().Mul(n[0]))), true
	case f.Kind == Rect:
		if len(n) == 1 {
			n = []float64{n[0], n[0]}
		}
		corner, opposite := f.Corners()[h.N], f.Corners()[(h.N+2)%4]
		d := corner.Sub(opposite)
		if h.Edge {
			if h.N%2 == 0 {
				n[0] = math.Abs(d[0])
			} else {
				n[1] = math.Abs(d[1])
			}
		}
		return RectFigure(opposite, opposite.Add(mgl64.Vec2{math.Copysign(n[0], d[0]), math.Copysign(n[1], d[1])})), n[1] > 0
	}
	return f, false
}

// Numbers reads one number, or two with an x, a comma or a space between.
func Numbers(text string) ([]float64, bool) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == 'x' || r == ',' || r == ' ' || r == ';' })
	if len(fields) < 1 || len(fields) > 2 {
		return nil, false
	}
	out := make([]float64, len(fields))
	for i, field := range fields {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

// Cancel takes a drag back.
func (t *Select) Cancel(s *Studio) (bool, error) {
	was := t.doing
	t.doing, t.snap, t.handle, t.frame = idle, Snap{}, nil, nil
	if s.Doc.Dragging() {
		return true, s.Cancel()
	}
	return was == banding, nil
}

// Sizes of what is drawn for the selection. Unit: nominal pixels.
const (
	outlineWidth = 2.6
	hoverWidth   = 1.6
	handleRadius = 4.5
	edgeRadius   = 3
)

// Draw outlines what is selected and hovered, with its handles.
func (t *Select) Draw(s *Studio) (o Overlay) {
	t.outline(s, &o)
	if t.doing == banding {
		o.Sketches = append(o.Sketches, render.Sketch{Lines: rectOf(t.box).Lines(), Color: render.Highlight, Width: 1.2, Dash: 5})
	}
	t.snap.Draw(&o)
	at := t.from
	switch t.doing {
	case moving:
		o.Labels = append(o.Labels, Label{at.Add(t.by), fmt.Sprintf("%.2f x %.2f m", t.by[0], t.by[1])})
	case turning:
		o.Labels = append(o.Labels, Label{t.pivot, fmt.Sprintf("%.1f°", t.angle*180/math.Pi)})
	case reshaping, scaling:
		if f, ok := s.handled(); ok {
			o.Labels = append(o.Labels, Label{f.Center(), f.Size()})
		}
	}
	o.Hint = t.hint(s)
	return o
}

// Size says how large a figure is.
func (f Figure) Size() string {
	switch f.Kind {
	case Circle:
		return fmt.Sprintf("radius %.2f m", f.Radius)
	case Line:
		return fmt.Sprintf("%.2f m", f.Points[1].Sub(f.Points[0]).Len())
	case Rect, Polygon:
		box := f.Box()
		d := box.Max().Sub(box.Min())
		return fmt.Sprintf("%.2f x %.2f m", d[0], d[1])
	}
	return ""
}

func (t *Select) outline(s *Studio, o *Overlay) {
	scene := s.Scene()
	add := func(r Ref, width float64) {
		sketch := render.Sketch{Color: render.Highlight, Width: width, Radius: 9}
		for _, f := range r.Figures(scene) {
			sketch.Lines = append(sketch.Lines, f.Lines()...)
			if f.Kind == Point {
				sketch.Marks = append(sketch.Marks, f.Points[0])
			}
		}
		o.Sketches = append(o.Sketches, sketch)
	}
	if !s.Hovered.IsNone() && t.doing == idle {
		add(s.Hovered, hoverWidth)
	}
	for _, r := range s.Selected {
		add(r, outlineWidth)
	}
	if r, ok := s.mover(); ok {
		ghosts(s.Scene().Obstacles[r.Index], s.turnHandle(), o)
	}
	if f, ok := s.handled(); ok && t.doing != moving {
		corners := render.Sketch{Color: render.Highlight, Radius: handleRadius}
		edges := render.Sketch{Color: render.Outline, Radius: edgeRadius}
		for _, h := range f.Handles() {
			if h.Edge {
				edges.Marks = append(edges.Marks, h.At)
			} else {
				corners.Marks = append(corners.Marks, h.At)
			}
		}
		o.Sketches = append(o.Sketches, edges, corners)
	}
	if at, pivot, ok := s.turner(); ok && t.doing == idle {
		o.Sketches = append(o.Sketches, render.Sketch{
			Lines: [][2]mgl64.Vec2{{pivot, at}}, Marks: []mgl64.Vec2{at}, Color: render.Highlight, Width: 1, Dash: 3, Radius: handleRadius,
		})
	}
}

func (t *Select) hint(s *Studio) string {
	switch t.doing {
	case moving:
		return "type 2 x 3 to move by that, shift: along an axis, ctrl: no snapping, escape: put it back"
	case scaling:
		return "type 4 x 2 for the size of the box, shift: the same in both directions, escape: put it back"
	case movingFrame:
		return "type 2 x 3 for the offset, ctrl: no snapping, escape: put it back"
	case reshaping:
		return "type a size, shift: square, ctrl: no snapping, escape: put it back"
	case turning, turningFrame:
		return "type an angle, ctrl: any angle, escape: put it back"
	}
	if len(s.Selected) > 0 {
		return "drag to move, alt+drag a copy, delete removes; double-click an edge for a vertex"
	}
	return "click or drag what there is; drag free ground to select; click an agent to see its mind"
}
