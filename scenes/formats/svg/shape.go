package svg

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats/plan"
)

// draw takes the shape that an element is, if it is one.
func (r *reader) draw(e *element, f frame, id string) {
	s := plan.Shape{At: r.at, Role: f.role, ID: id}
	if count := e.value("data-count"); count != "" {
		s.Count = r.Count(r.at, "data-count", count)
	}
	if clearance := e.value("data-clearance"); clearance != "" {
		s.Clearance = r.Clearance(r.at, "data-clearance", clearance)
	}
	lines := r.outline(e, f, &s)
	switch filled := f.paint.filled() && e.name != "line"; {
	case r.Err != nil:
	case s.Disc != nil:
		r.Add(s)
	case lines == nil:
	case f.role != plan.RoleObstacle || filled:
		r.AddLines(s, lines, f.toWorld)
	case f.paint.stroked():
		r.walls(s, lines, f)
	default:
		r.Notef(r.at, "what has neither fill nor stroke is not drawn, and no obstacle")
	}
}

// outline returns the lines of the shape that an element is; nil if it is none, is not drawn, or is
// a disc, which is set.
func (r *reader) outline(e *element, f frame, s *plan.Shape) []plan.Line {
	number := func(name string) float64 { return r.number(e, f, name) }
	switch e.name {
	case "rect":
		x, y, w, h := number("x"), number("y"), number("width"), number("height")
		if !r.drawable(e, w, h) {
			return nil
		}
		if number("rx") > 0 || number("ry") > 0 {
			r.Notef(r.at, "the round corners of rectangles are taken as square")
		}
		return []plan.Line{{Points: []mgl64.Vec2{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, Closed: true}}
	case "circle":
		c := mgl64.Vec2{number("cx"), number("cy")}
		radius := number("r")
		return r.ellipse(e, f, s, c, radius, radius)
	case "ellipse":
		c := mgl64.Vec2{number("cx"), number("cy")}
		return r.ellipse(e, f, s, c, number("rx"), number("ry"))
	case "line":
		return []plan.Line{{Points: []mgl64.Vec2{{number("x1"), number("y1")}, {number("x2"), number("y2")}}}}
	case "polygon", "polyline":
		scan := scanner{text: e.value("points")}
		points := []mgl64.Vec2{}
		for scan.more() && scan.err == nil {
			points = append(points, mgl64.Vec2{scan.number(), scan.number()})
		}
		if scan.err != nil {
			r.fail("the points of <%s>: %v", e.name, scan.err)
		}
		return []plan.Line{{Points: points, Closed: e.name == "polygon"}}
	case "path":
		lines, err := readPath(e.value("d"))
		if err != nil {
			r.fail("the path's data: %v", err)
		}
		return lines
	}
	return nil // a group, or what is not known
}

// drawable reports whether none of the sizes of a shape is 0 or below, which SVG does not draw, and
// notes it otherwise.
func (r *reader) drawable(e *element, sizes ...float64) bool {
	if r.Err != nil || slices.Min(sizes) > 0 {
		return true
	}
	r.Notef(r.at, "a <%s> is left out: its size is not above 0, and it is not drawn", e.name)
	return false
}

// ellipse returns the outline of an ellipse, or sets the disc that it is.
func (r *reader) ellipse(e *element, f frame, s *plan.Shape, c mgl64.Vec2, rx, ry float64) []plan.Line {
	if !r.drawable(e, rx, ry) {
		return nil
	}
	if grow, ok := f.toWorld.Similar(); ok && rx == ry && (f.paint.filled() || f.role != plan.RoleObstacle) {
		s.Disc = r.Disc(s.At, f.toWorld, c, grow*rx)
		return nil
	}
	points := make([]mgl64.Vec2, 32)
	for k := range points {
		at := scenes.OnCircle(mgl64.Vec2{}, 1, k, len(points))
		points[k] = mgl64.Vec2{c[0] + float64(rx*at[0]), c[1] + float64(ry*at[1])}
	}
	return []plan.Line{{Points: points, Closed: true}}
}
