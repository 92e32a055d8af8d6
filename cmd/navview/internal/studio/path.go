package studio

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
)

// Path is a tool that draws click by click: a polygon, or a wall along a line. Enter, a double click,
// and a click on the first point, which closes it, end it.
type Path struct {
	Thickness float64 // of a wall, m; 0: it is a polygon
	Spawn     bool    // agents start in the polygon: it is no obstacle
	points    []mgl64.Vec2
	to        mgl64.Vec2 // the pointer, where the next point would be
	length    float64    // to the next point, that was typed; 0: the pointer says it
	snap      Snap
	made      []Ref
}

func (t *Path) Name() string {
	switch {
	case t.Thickness > 0:
		return "Wall"
	case t.Spawn:
		return "Agents in a polygon"
	}
	return "Polygon"
}

// Sizes are the thickness of a wall.
func (t *Path) Sizes() []Size {
	if t.Thickness == 0 {
		return nil
	}
	return []Size{{"thickness", "m", &t.Thickness}}
}

// least is the number of points that make a figure.
func (t *Path) least() int {
	if t.Thickness > 0 {
		return 2
	}
	return 3
}

// Hover draws on to the pointer.
func (t *Path) Hover(s *Studio, p Pointer) error {
	var from *mgl64.Vec2
	if n := len(t.points); n > 0 {
		from = &t.points[n-1]
	}
	t.snap = s.SnapTo(p, from)
	if len(t.points) >= 3 && p.At.Sub(t.points[0]).Len() < p.Reach {
		t.snap, t.length = Snap{At: t.points[0], Why: "closed"}, 0
	}
	t.to = t.snap.At
	if from == nil {
		return nil
	}
	t.reach(*from)
	return t.redraw(s, append(slices.Clone(t.points), t.to))
}

// closes reports whether the next point is the first one.
func (t *Path) closes() bool { return len(t.points) >= 3 && t.to == t.points[0] }

// reach has the next point at the length that was typed.
func (t *Path) reach(from mgl64.Vec2) {
	if d := t.to.Sub(from); t.length > 0 && d.Len() > 0 {
		t.to = finely(from.Add(d.Normalize().Mul(t.length)))
	}
}

// redraw makes a line of points the figure of the gesture.
func (t *Path) redraw(s *Studio, points []mgl64.Vec2) error {
	points = slices.Compact(points)
	if n := len(points); t.Thickness == 0 && n > 1 && points[n-1] == points[0] {
		points = points[:n-1]
	}
	if len(points) < t.least() {
		return nil
	}
	if !s.Doc.Dragging() {
		title := "draw " + strings.ToLower(t.Name())
		if t.Spawn {
			title = "agents"
		}
		if err := s.Begin(title); err != nil {
			return err
		}
	}
	return s.Drag(func(to *scenes.Scene) {
		t.made = nil
		if t.Spawn {
			t.made = []Ref{s.newGroup(to, Figure{Kind: Polygon, Points: points}, 0)}
			return
		}
		for _, f := range t.figures(points, to.Domain) {
			t.made = append(t.made, newObstacle(f)(to))
		}
	})
}

// figures are what a line of points stands for.
func (t *Path) figures(points []mgl64.Vec2, domain scenes.Rect) []Figure {
	if t.Thickness == 0 {
		return []Figure{{Kind: Polygon, Points: points}}
	}
	whole := wallOf(points, t.Thickness)
	if len(points) == 2 {
		return []Figure{whole}
	}
	o := scenes.Obstacle{Outline: whole.Points, Holes: whole.Holes}
	_, problems := o.Checked(domain)
	if free(whole.Holes, points, t.Thickness/2) && !slices.ContainsFunc(problems, func(p scenes.Problem) bool { return !p.Note }) {
		return []Figure{whole}
	}
	var all []Figure // it meets itself: a figure for each of its parts, and their union counts
	for i := range len(points) - 1 {
		all = append(all, wallOf(points[i:i+2], t.Thickness))
	}
	return all
}

// free reports whether no corner of holes is nearer to a line than a distance: the hole of a ring that is
// thinner than its wall comes out inverted.
func free(holes [][]mgl64.Vec2, line []mgl64.Vec2, distance float64) bool {
	const rounding = 1e-6 // corners are rounded to micrometers
	for _, hole := range holes {
		for _, p := range hole {
			for i := range len(line) - 1 {
				if nearest(line[i].Sub(p), line[i+1].Sub(p)).Len() < distance-rounding {
					return false
				}
			}
		}
	}
	return true
}

// mostMiter is how far the outer corner of a wall reaches from the line, in half thicknesses: sharper
// corners are cut off, as a miter of 15 degrees would be eight thicknesses long.
const mostMiter = 4

// wallOf returns the wall along a line: its outline is half a thickness from the line on either side.
// One along an axis is a rectangle; one that ends where it begins goes around a hole.
func wallOf(points []mgl64.Vec2, thickness float64) Figure {
	half, n := thickness/2, len(points)
	closed := n > 3 && points[0] == points[n-1]
	if closed {
		n--
		points = points[:n]
	}
	micrometers := func(p mgl64.Vec2) mgl64.Vec2 {
		return mgl64.Vec2{math.Round(p[0]*1e6) / 1e6, math.Round(p[1]*1e6) / 1e6}
	}
	side := func(sign float64) (all []mgl64.Vec2) {
		for i, p := range points {
			var before, after mgl64.Vec2 // normals to the left; none beyond an end
			if i > 0 || closed {
				before = left(points[(i+n-1)%n], p)
			}
			if i < n-1 || closed {
				after = left(p, points[(i+1)%n])
			}
			sum := before.Add(after)
			square := sum.Dot(sum)
			switch {
			case !closed && (i == 0 || i == n-1):
				all = append(all, micrometers(p.Add(sum.Mul(sign*half))))
			// The corner is where both sides meet: along the sum of the normals, 1 over the cosine of
			// half the turn away. The square of that cosine is a quarter of the sum's.
			case square*mostMiter*mostMiter >= 4:
				all = append(all, micrometers(p.Add(sum.Mul(2*sign*half/square))))
			default:
				all = append(all, micrometers(p.Add(before.Mul(sign*half))), micrometers(p.Add(after.Mul(sign*half))))
			}
		}
		return all
	}
	one, other := side(1), side(-1)
	if closed {
		if math.Abs(geom.Ring(one).Area()) < math.Abs(geom.Ring(other).Area()) {
			one, other = other, one
		}
		return Figure{Kind: Polygon, Points: one, Holes: [][]mgl64.Vec2{other}}
	}
	slices.Reverse(other)
	outline := append(one, other...)
	if d := points[n-1].Sub(points[0]); n == 2 && (d[0] == 0 || d[1] == 0) {
		return rectOf(scenes.Around(outline))
	}
	return Figure{Kind: Polygon, Points: outline}
}

// left is the unit normal to the left of the way from one point to another.
func left(a, b mgl64.Vec2) mgl64.Vec2 {
	d := b.Sub(a).Normalize()
	return mgl64.Vec2{-d[1], d[0]}
}

// Press adds a point, or ends the figure.
func (t *Path) Press(s *Studio, p Pointer) error {
	if err := t.Hover(s, p); err != nil {
		return err
	}
	n := len(t.points)
	switch {
	case t.closes():
		t.points, t.length = append(t.points, t.to), 0
		return t.Enter(s)
	case n > 0 && p.Double:
		return t.Enter(s)
	case n > 0 && t.to == t.points[n-1]:
		return nil
	}
	t.points, t.length = append(t.points, t.to), 0
	return nil
}

// Drag draws on to the pointer.
func (t *Path) Drag(s *Studio, p Pointer) error { return t.Hover(s, p) }

// Release adds the point that a drag has come to.
func (t *Path) Release(s *Studio, p Pointer) error {
	if n := len(t.points); n > 0 && t.to != t.points[n-1] {
		t.points, t.length = append(t.points, t.to), 0
	}
	return nil
}

// Enter adds the point at a length that was typed; else it ends the figure at the last point.
func (t *Path) Enter(s *Studio) error {
	if t.length > 0 && len(t.points) > 0 {
		t.points, t.length = append(t.points, t.to), 0
		return nil
	}
	points := slices.Compact(slices.Clone(t.points))
	t.points = nil
	if len(points) < t.least() {
		return s.Cancel()
	}
	if err := t.redraw(s, points); err != nil {
		return err
	}
	s.End()
	s.Select(t.made...)
	s.Selected = slices.DeleteFunc(s.Selected, func(r Ref) bool { return !r.There(s.Scene()) })
	return nil
}

// Type sets how far the next point is from the last one, while the pointer gives the direction.
func (t *Path) Type(s *Studio, text string) (bool, error) {
	numbers, ok := Numbers(text)
	n := len(t.points)
	if !ok || n == 0 || numbers[0] <= 0 || t.to == t.points[n-1] {
		return false, nil
	}
	t.length = numbers[0]
	t.reach(t.points[n-1])
	return true, t.redraw(s, append(slices.Clone(t.points), t.to))
}

// Cancel takes the last point back.
func (t *Path) Cancel(s *Studio) (bool, error) {
	n := len(t.points)
	if n == 0 {
		t.snap = Snap{}
		return false, nil
	}
	t.points, t.length = t.points[:n-1], 0
	if n-1+1 < t.least() || n == 1 {
		return true, s.Cancel()
	}
	return true, t.redraw(s, append(slices.Clone(t.points), t.to))
}

// Draw shows the line and the length of its last part.
func (t *Path) Draw(*Studio) (o Overlay) {
	t.snap.Draw(&o)
	o.Hint = "click point by point; enter, a double click or the first point ends it; type a length; shift: along an axis"
	n := len(t.points)
	if n == 0 {
		return o
	}
	line := render.Sketch{Marks: t.points, Color: render.Highlight, Width: hoverWidth, Radius: edgeRadius}
	for i, p := range t.points {
		next := t.to
		if i+1 < n {
			next = t.points[i+1]
		}
		line.Lines = append(line.Lines, [2]mgl64.Vec2{p, next})
	}
	o.Sketches = append(o.Sketches, line)
	if d := t.to.Sub(t.points[n-1]).Len(); d > 0 {
		o.Labels = append(o.Labels, Label{t.to, fmt.Sprintf("%.2f m", d)})
	}
	return o
}
