package studio

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
)

// Door cuts an opening through a wall and puts an obstacle there that opens by a timetable.
type Door struct {
	Width float64 // of a door that is clicked, m

	pressed bool
	dragged bool
	from    float64 // along the edge, m
	last    Pointer
	typed   []float64
	edge    wallEdge
	opening opening
	left    []geom.Polygon // of the wall
	why     string         // there is no opening; empty: there is one
}

// wallEdge is an edge of an obstacle near a place.
type wallEdge struct {
	of         Ref // None: there is none
	polygon    geom.Polygon
	ring, edge int
	at, length float64 // along the edge, m
}

// doorWidth is the width of a door that is clicked; doorTime is how long a new one is open. Units: m,
// s.
const (
	doorWidth = 1.2
	doorTime  = 60
)

func newDoor() Tool { return &Door{Width: doorWidth} }

func (t *Door) Name() string { return "Door" }

// Sizes are the width of a door that is clicked.
func (t *Door) Sizes() []Size { return []Size{{"width", "m", &t.Width}} }

// edgeAt returns the edge of a wall at a pointer: near it, or that of the wall that it is in.
func (s *Studio) edgeAt(p Pointer) (best wallEdge) {
	least := math.Inf(1)
	for _, r := range All(s.Scene(), Obstacles) {
		if !s.seen(r) {
			continue
		}
		polygon := s.Scene().Obstacles[r.Index].Polygon()
		if len(polygon.Outer) < 3 {
			continue // a fault
		}
		reach := p.Reach
		if within(polygon, p.At) {
			reach = thickest
		}
		for k, ring := range polygon.Rings() {
			for i := range ring {
				a, b := ends(ring, i)
				length := b.Sub(a).Len()
				if length == 0 {
					continue
				}
				along := b.Sub(a).Mul(1 / length)
				at := min(max(p.At.Sub(a).Dot(along), 0), length)
				if d := a.Add(along.Mul(at)).Sub(p.At).Len(); d < min(least, reach) {
					least, best = d, wallEdge{r, polygon, k, i, at, length}
				}
			}
		}
	}
	return best
}

// follow finds the opening at the pointer.
func (t *Door) follow(s *Studio, p Pointer) {
	s.Hovered, t.last = Ref{}, p
	e := t.edge
	if !t.pressed || !e.of.There(s.Scene()) || !reflect.DeepEqual(e.polygon, s.Scene().Obstacles[e.of.Index].Polygon()) {
		e = s.edgeAt(p)
		t.edge, t.from = e, e.at
	}
	if e.of.IsNone() {
		t.why = "no wall is here: click the edge of one"
		return
	}
	o := s.Scene().Obstacles[e.of.Index]
	if o.Motion != nil || o.Timed() {
		t.why = e.of.Name(s.Scene()) + " moves or opens itself: a door goes into a wall that stays"
		return
	}
	from, to := t.span(s)
	if from >= to || from < 0 {
		t.why = fmt.Sprintf("an opening of %.2f m does not fit: the edge is %.2f m long", to-from, e.length)
		return
	}
	var ok bool
	if t.opening, ok = openingOf(e.polygon, e.ring, e.edge, from, to); !ok {
		t.why = fmt.Sprintf("no edge lies across within %v m: a door goes through a straight part of a wall", thickest)
	} else if t.left, ok = t.opening.cut(e.polygon); !ok {
		t.why = "what is left of the wall would not be simple: make the opening narrower, or elsewhere"
	} else {
		t.why = ""
	}
}

// span returns where the opening begins and ends along the edge.
func (t *Door) span(s *Studio) (from, to float64) {
	e := t.edge
	if t.dragged {
		a, b := e.polygon.Rings()[e.ring][e.edge], t.last.At
		next := e.polygon.Rings()[e.ring][(e.edge+1)%len(e.polygon.Rings()[e.ring])]
		from, to = t.from, min(max(b.Sub(a).Dot(next.Sub(a).Normalize()), 0), e.length)
		if s.Snaps && !t.last.Control {
			from, to = s.round(from), min(s.round(to), e.length)
		}
		if t.typed != nil {
			to = from + math.Copysign(t.typed[0], to-from)
		}
		from, to = min(from, to), max(from, to)
		if to > e.length {
			return -1, to - 1 - from // does not fit
		}
		return from, to
	}
	if t.Width > e.length {
		return -1, t.Width - 1
	}
	middle := e.at
	if s.Snaps && !t.last.Control {
		if math.Abs(middle-e.length/2) < s.snapReach() {
			middle = e.length / 2
		} else {
			middle = s.round(middle-t.Width/2) + t.Width/2
		}
	}
	from = min(max(middle-t.Width/2, 0), e.length-t.Width)
	return from, from + t.Width
}

// Hover shows the opening.
func (t *Door) Hover(s *Studio, p Pointer) error {
	t.follow(s, p)
	return nil
}

// Press is where the opening is, or where its drag begins.
func (t *Door) Press(s *Studio, p Pointer) error {
	t.pressed, t.dragged, t.typed = false, false, nil
	t.follow(s, p)
	t.pressed, t.from = true, t.edge.at
	return nil
}

// Drag makes it as wide as the drag along the edge.
func (t *Door) Drag(s *Studio, p Pointer) error {
	if t.pressed {
		t.dragged = true
		t.follow(s, p)
	}
	return nil
}

// Release cuts the wall and puts the door there.
func (t *Door) Release(s *Studio, p Pointer) error {
	if !t.pressed {
		return nil
	}
	t.follow(s, p)
	t.pressed, t.dragged, t.typed = false, false, nil
	if t.why != "" {
		s.Notify(t.why)
		return nil
	}
	now := math.Floor(s.World().Time())
	wall, parts, door := t.edge.of, t.left, t.opening.door()
	t.edge = wallEdge{}
	var made Ref
	err := s.Change("put a door into "+wall.Name(s.Scene()), func(to *scenes.Scene) {
		was := to.Obstacles[wall.Index].Clone()
		for i, part := range parts {
			r := wall
			if i > 0 {
				to.Obstacles = append(to.Obstacles, was)
				r.Index = len(to.Obstacles) - 1
				if was.ID != "" {
					to.Obstacles[r.Index].ID = freeID(to, Obstacles, was.ID)
				}
			}
			r.SetFigure(to, shape(part))
		}
		if len(parts) == 0 { // all of it is the door
			to.Obstacles = slices.Delete(to.Obstacles, wall.Index, wall.Index+1)
		}
		made = newObstacle(shape(door))(to)
		to.Obstacles[made.Index].ID = numberedID(to, Obstacles, "door")
		to.Obstacles[made.Index].Open = []scenes.Interval{{now, now + doorTime}}
	})
	if err == nil && made.There(s.Scene()) {
		s.Select(made)
	}
	return err
}

// Enter does nothing.
func (t *Door) Enter(*Studio) error { return nil }

// Type sets the width.
func (t *Door) Type(s *Studio, text string) (bool, error) {
	if !t.pressed {
		return false, nil
	}
	if typed(&t.typed, text) {
		if !t.dragged && t.typed != nil {
			t.Width = t.typed[0]
		}
		t.follow(s, t.last)
	}
	return true, nil
}

// Cancel takes the drag back.
func (t *Door) Cancel(*Studio) (bool, error) {
	was := t.pressed
	t.pressed, t.dragged, t.typed, t.edge = false, false, nil, wallEdge{}
	return was, nil
}

// Draw shows the opening with its width.
func (t *Door) Draw(*Studio) (o Overlay) {
	o.Hint = "click a wall's edge, or drag along it; type a width"
	if t.edge.of.IsNone() {
		return o
	}
	if t.why != "" {
		o.Labels = append(o.Labels, Label{t.last.At, t.why})
		return o
	}
	near := t.opening.near
	o.Sketches = append(o.Sketches, render.Sketch{
		Lines: shape(t.opening.door()).Lines(), Marks: near[:], Color: render.Highlight, Width: outlineWidth, Radius: edgeRadius,
	})
	o.Labels = append(o.Labels, Label{near[0].Add(near[1]).Mul(0.5), fmt.Sprintf("%.2f m", near[1].Sub(near[0]).Len())})
	return o
}

// typed takes lengths that were typed, all above 0; none where the text is empty. False: the text
// is no number yet.
func typed(numbers *[]float64, text string) bool {
	n, ok := Numbers(text)
	for _, v := range n {
		ok = ok && v > 0
	}
	if ok || text == "" {
		*numbers = n
	}
	return ok || text == ""
}

// doorsAtHand are the doors that are selected, or the one that the pointer is at.
func (s *Studio) doorsAtHand() (all []Ref) {
	for _, r := range append(slices.Clone(s.Selected), s.Hovered) {
		if r.List == Obstacles && r.There(s.Scene()) && s.Scene().Obstacles[r.Index].Opens() && (r != s.Hovered || len(s.Selected) == 0) {
			all = append(all, r)
		}
	}
	return all
}

// turnDoors opens doors that are closed now and closes those that are open, until their timetable
// changes them again.
func (s *Studio) turnDoors() error {
	doors, now := s.doorsAtHand(), fine(s.World().Time())
	return s.Change("open or close "+s.title(doors), func(to *scenes.Scene) {
		for _, r := range doors {
			turn := &to.Obstacles[r.Index]
			if len(turn.Closed) > 0 {
				if turn.Closed = turned(turn.Closed, now); turn.Closed == nil { // it would be there always
					turn.Open = []scenes.Interval{{0, engine.Forever}}
				}
			} else if turn.Open = turned(turn.Open, now); turn.Open == nil {
				turn.Closed = []scenes.Interval{{0, engine.Forever}} // it stays a door
			}
		}
	})
}

// turned returns intervals with the one that a time is in ended there; where it is in none, one begins
// there: the next one, or one that lasts.
func turned(all []scenes.Interval, now float64) (changed []scenes.Interval) {
	found := false
	for _, v := range all {
		switch {
		case found || v[1] <= now:
		case v[0] <= now:
			found, v[1] = true, now
		default:
			found, v[0] = true, now
		}
		if v[0] < v[1] {
			changed = append(changed, v)
		}
	}
	if !found {
		changed = append(changed, scenes.Interval{now, engine.Forever})
	}
	return changed
}
