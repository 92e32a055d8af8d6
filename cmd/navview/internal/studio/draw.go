package studio

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
)

// Shape is a tool that draws a figure by a drag, or by two clicks. The document has the record from
// the first moment on, so that the map follows.
type Shape struct {
	name, title string
	kind        FigureKind
	list        List
	// add adds a record, or an item of one, with the figure to a scene.
	add func(t *Shape, s *Studio, to *scenes.Scene, f Figure) Ref
	// click adds what a click without a drag stands for; nil: a click begins a figure that the next
	// one ends.
	click func(s *Studio, p Pointer) error

	count  bool // a number that is typed is the count, not the size
	typed  int
	size   []float64 // that was typed, which stays while the pointer moves on; nil: none was
	from   mgl64.Vec2
	to     mgl64.Vec2
	snap   Snap
	drawn  Figure // NoFigure: too small to be one
	drawn1 Ref    // what it is in the document
	begun  bool
	open   bool // a first click has been made
	round  bool // Alt: a circle instead of a rectangle
	fresh  bool // Shift was held at the press
}

func (t *Shape) Name() string { return t.name }

// Hover draws on where a first click has been made.
func (t *Shape) Hover(s *Studio, p Pointer) error {
	if t.open {
		return t.update(s, p)
	}
	t.snap = s.SnapTo(p, nil)
	return nil
}

// Press begins a figure.
func (t *Shape) Press(s *Studio, p Pointer) error {
	if !t.open {
		t.snap = s.SnapTo(p, nil)
		t.from, t.to, t.typed, t.size, t.round, t.fresh, t.begun = t.snap.At, t.snap.At, 0, nil, p.Alt, p.Shift, true
	}
	return nil
}

// Drag draws the figure from where it began to the pointer.
func (t *Shape) Drag(s *Studio, p Pointer) error {
	if !t.begun {
		return nil
	}
	return t.update(s, p)
}

func (t *Shape) update(s *Studio, p Pointer) error {
	var from *mgl64.Vec2
	if t.kind == Line {
		from = &t.from
		p.Shift = p.Shift && !(t.fresh && t.list == Goals)
	}
	t.snap = s.SnapTo(p, from)
	t.to = t.snap.At
	if t.size != nil {
		t.resize()
		return t.redraw(s, t.figure(false))
	}
	return t.redraw(s, t.figure(p.Shift))
}

// resize has the figure end where a size that was typed has it end.
func (t *Shape) resize() {
	d := t.to.Sub(t.from)
	switch n := t.size; {
	case t.kind == Rect:
		t.to = finely(t.from.Add(mgl64.Vec2{math.Copysign(n[0], d[0]), math.Copysign(n[len(n)-1], d[1])}))
	case d.Len() > 0:
		t.to = finely(t.from.Add(d.Normalize().Mul(n[0])))
	}
}

// figure is what lies between the two places; square: with equal sides.
func (t *Shape) figure(square bool) Figure {
	d := t.to.Sub(t.from)
	switch {
	case t.kind == Line:
		if d.Len() == 0 {
			return Figure{}
		}
		return Figure{Kind: Line, Points: []mgl64.Vec2{t.from, t.to}}
	case t.kind == Circle || t.round && t.list == Groups:
		if d.Len() == 0 {
			return Figure{}
		}
		return Figure{Kind: Circle, Points: []mgl64.Vec2{t.from}, Radius: math.Round(d.Len()*1e3) / 1e3}
	case d[0] == 0 || d[1] == 0:
		return Figure{}
	case square:
		return squared(t.from, t.to)
	}
	return RectFigure(t.from, t.to)
}

// redraw makes a figure that of the gesture.
func (t *Shape) redraw(s *Studio, f Figure) error {
	if t.drawn = f; f.Kind == NoFigure {
		return nil
	}
	if !s.Doc.Dragging() {
		if err := s.Begin(t.title); err != nil {
			return err
		}
	}
	return s.Drag(func(to *scenes.Scene) { t.drawn1 = t.add(t, s, to, f) })
}

// Release ends a drag. A click begins a figure, or ends the one that a click has begun.
func (t *Shape) Release(s *Studio, p Pointer) error {
	switch {
	case !t.begun:
		return nil
	case t.open || s.Doc.Dragging():
		t.end(s)
		return nil
	case t.click != nil:
		t.begun = false
		p.At = t.snap.At
		return t.click(s, p)
	}
	t.open = true
	return nil
}

// end makes the figure a step of the history, and selects it.
func (t *Shape) end(s *Studio) {
	if s.Doc.Dragging() {
		s.End()
		if t.drawn1.There(s.Scene()) {
			s.Select(t.drawn1)
		}
	}
	t.begun, t.open, t.drawn = false, false, Figure{}
}

// Enter ends a figure that a click has begun.
func (t *Shape) Enter(s *Studio) error {
	t.end(s)
	return nil
}

// Type sets the size of the figure, or the number of agents in it.
func (t *Shape) Type(s *Studio, text string) (bool, error) {
	n, ok := Numbers(text)
	if !ok || !s.Doc.Dragging() || n[0] <= 0 || n[len(n)-1] <= 0 {
		return false, nil
	}
	if t.count {
		t.typed = int(math.Min(math.Round(n[0]), scenes.MaxAgents))
		return true, t.redraw(s, t.drawn)
	}
	t.size = n
	t.resize()
	return true, t.redraw(s, t.figure(false))
}

// Cancel takes the figure back.
func (t *Shape) Cancel(s *Studio) (bool, error) {
	was := t.begun
	t.begun, t.open, t.drawn, t.snap = false, false, Figure{}, Snap{}
	if s.Doc.Dragging() {
		return true, s.Cancel()
	}
	return was, nil
}

// Draw shows the size of the figure and why the pointer is drawn to where it is.
func (t *Shape) Draw(s *Studio) (o Overlay) {
	t.snap.Draw(&o)
	o.Hint = t.hint()
	if t.drawn.Kind == NoFigure {
		return o
	}
	o.Sketches = append(o.Sketches, render.Sketch{Lines: t.drawn.Lines(), Color: render.Highlight, Width: hoverWidth})
	words := t.drawn.Size()
	if t.list == Groups && t.drawn1.There(s.Scene()) {
		words = fmt.Sprintf("%d agents", s.Scene().Groups[t.drawn1.Index].Count)
	}
	o.Labels = append(o.Labels, Label{t.drawn.Center(), words})
	return o
}

func (t *Shape) hint() string {
	size := "type its size, such as 4 x 2"
	switch {
	case t.count:
		return "drag over where agents start; type their number; shift: a square, alt: a circle"
	case t.click != nil:
		return "click for a point of the goal that is shown, drag for a line; shift: a new goal"
	case t.kind == Line:
		return "drag a line, or click its ends; type its length; shift: along an axis"
	case t.kind == Circle:
		size = "type its radius"
	}
	return "drag, or click two corners; " + size + "; shift: a square, ctrl: no snapping"
}

func newObstacle(f Figure) func(to *scenes.Scene) Ref {
	return func(to *scenes.Scene) Ref {
		to.Obstacles = append(to.Obstacles, scenes.Default[scenes.Obstacle]())
		r := Ref{Obstacles, len(to.Obstacles) - 1, -1}
		r.SetFigure(to, f)
		return r
	}
}

func addObstacle(_ *Shape, _ *Studio, to *scenes.Scene, f Figure) Ref { return newObstacle(f)(to) }

// perArea is the number of agents that a spawn begins with. Unit: 1/m^2.
const perArea = 0.5

func addAgents(t *Shape, s *Studio, to *scenes.Scene, f Figure) Ref {
	return s.newGroup(to, f, t.typed)
}

// newGroup adds agents that start in a figure, to the goal that is shown; of 0 as many as fit there
// with room.
func (s *Studio) newGroup(to *scenes.Scene, f Figure, count int) Ref {
	box := f.Box()
	area := (box[2] - box[0]) * (box[3] - box[1])
	switch f.Kind {
	case Circle:
		area = math.Pi * f.Radius * f.Radius
	case Polygon:
		area = math.Abs(geom.Ring(f.Points).Area())
	}
	g := scenes.Default[scenes.Group]()
	g.Spawn, g.Count = SpawnOf(f), count
	if count == 0 {
		g.Count = max(1, int(math.Min(math.Round(area*perArea), scenes.MaxAgents)))
	}
	if goal := s.View.Goal; goal < len(to.Goals) {
		g.Itinerary = []string{to.Goals[goal].ID}
	}
	g.Profile = to.Profiles[0].ID
	if n := len(to.Groups); n > 0 {
		g.Profile = to.Groups[n-1].Profile
	}
	to.Groups = append(to.Groups, g)
	r := Ref{Groups, len(to.Groups) - 1, -1}
	to.Groups[r.Index].ID = freeID(to, Groups, fmt.Sprintf("group-%d", len(to.Groups)))
	return r
}

func addGate(_ *Shape, _ *Studio, to *scenes.Scene, f Figure) Ref {
	to.Gates = append(to.Gates, scenes.Gate{Line: scenes.Segment{f.Points[0], f.Points[1]}})
	r := Ref{Gates, len(to.Gates) - 1, -1}
	*r.id(to) = freeID(to, Gates, fmt.Sprintf("gate-%d", len(to.Gates)))
	return r
}

func addArea(_ *Shape, _ *Studio, to *scenes.Scene, f Figure) Ref {
	to.Areas = append(to.Areas, scenes.Area{Rect: f.rect()})
	r := Ref{Areas, len(to.Areas) - 1, -1}
	*r.id(to) = freeID(to, Areas, fmt.Sprintf("area-%d", len(to.Areas)))
	return r
}

// addSegment adds a line to the goal that is shown, or a new goal with it.
func addSegment(t *Shape, s *Studio, to *scenes.Scene, f Figure) Ref {
	i := s.goalFor(to, t.fresh)
	g := &to.Goals[i]
	g.Segments = append(g.Segments, scenes.Segment{f.Points[0], f.Points[1]})
	return Ref{Goals, i, len(g.Points) + len(g.Segments) - 1}
}

// goalFor returns the goal that is shown, or one that it adds.
func (s *Studio) goalFor(to *scenes.Scene, fresh bool) int {
	if !fresh {
		return min(s.View.Goal, len(to.Goals)-1)
	}
	to.Goals = append(to.Goals, scenes.Default[scenes.Goal]())
	i := len(to.Goals) - 1
	to.Goals[i].ID = freeID(to, Goals, fmt.Sprintf("goal-%d", i+1))
	return i
}

// addPoint adds a point to the goal that is shown; with shift it is a new goal.
func addPoint(s *Studio, p Pointer) error {
	var made Ref
	err := s.Change("goal point", func(to *scenes.Scene) {
		i := s.goalFor(to, p.Shift)
		g := &to.Goals[i]
		g.Points = append(g.Points, p.At)
		made = Ref{Goals, i, len(g.Points) - 1}
	})
	if err != nil || s.Fault != nil {
		return err
	}
	s.Select(made)
	if made.Index < len(s.World().Goals()) {
		s.View.Show(made.Index)
	}
	return nil
}

func newRectangle() Tool {
	return &Shape{name: "Rectangle", title: "draw rectangle", kind: Rect, list: Obstacles, add: addObstacle}
}

func newCircle() Tool {
	return &Shape{name: "Circle", title: "draw circle", kind: Circle, list: Obstacles, add: addObstacle}
}

func newGoal() Tool {
	return &Shape{name: "Goal", title: "goal line", kind: Line, list: Goals, add: addSegment, click: addPoint}
}

func newAgents() Tool {
	return &Shape{name: "Agents", title: "agents", kind: Rect, list: Groups, add: addAgents, count: true}
}

func newGate() Tool {
	return &Shape{name: "Gate", title: "gate", kind: Line, list: Gates, add: addGate}
}

func newArea() Tool {
	return &Shape{name: "Area", title: "area", kind: Rect, list: Areas, add: addArea}
}
