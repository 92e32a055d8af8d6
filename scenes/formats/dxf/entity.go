package dxf

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes/formats/plan"
)

// sagitta is how far lines in the place of a curve lie from it at most, meters.
const sagitta = 0.005

// remarks are the kinds of entities that stand for no shape.
var remarks = map[string]bool{
	"TEXT": true, "MTEXT": true, "DIMENSION": true, "LEADER": true, "MULTILEADER": true, "ATTDEF": true, "ATTRIB": true, "SEQEND": true,
	"VERTEX": true, "VIEWPORT": true, "IMAGE": true, "TOLERANCE": true, "WIPEOUT": true, "XLINE": true, "RAY": true, "LIGHT": true,
}

// outline is the lines that an entity draws, in its own coordinates, and whether they bound what is
// filled. It is false for what is no shape, with a note where that may be missed. The vertices are
// those that follow a POLYLINE.
func (r *reader) outline(e *record, vertices []record, m plan.Affine) (lines []plan.Line, filled, ok bool) {
	var l plan.Line
	const closed, meshes = 1, 16 | 64
	switch e.kind {
	case "LINE":
		l.Points = []mgl64.Vec2{r.point(e, 10), r.point(e, 11)}
	case "POINT":
		l.Points = []mgl64.Vec2{r.point(e, 10)}
	case "LWPOLYLINE":
		l.Closed = r.flag(e, 70, closed)
		var corners []corner
		for _, g := range e.groups {
			switch last := len(corners) - 1; {
			case g.code == 10:
				corners = append(corners, corner{at: mgl64.Vec2{r.parsed(g)}})
			case g.code == 20 && last >= 0:
				corners[last].at[1] = r.parsed(g)
			case g.code == 42 && last >= 0:
				corners[last].bulge = r.parsed(g)
			}
		}
		l.Points = bent(corners, l.Closed, m)
	case "POLYLINE":
		if r.flag(e, 70, meshes) {
			r.Notef(e.at, "meshes are left out")
			return nil, false, false
		}
		l.Closed = r.flag(e, 70, closed)
		var corners []corner
		for i := range vertices {
			const control = 16 // of a spline, which has vertices of its own
			if v := &vertices[i]; !r.flag(v, 70, control) {
				corners = append(corners, corner{r.point(v, 10), r.number(v, 42, 0)})
			}
		}
		l.Points = bent(corners, l.Closed, m)
	case "CIRCLE", "ARC":
		radius := r.number(e, 40, 0)
		begin, span := 0., 2*math.Pi
		if l.Closed = e.kind == "CIRCLE"; !l.Closed {
			begin, span = sweep(r.number(e, 50, 0)*math.Pi/180, r.number(e, 51, 360)*math.Pi/180)
		}
		l.Points = curve(r.point(e, 10), mgl64.Vec2{radius, 0}, mgl64.Vec2{0, radius}, begin, span, m)
	case "ELLIPSE":
		major := r.point(e, 11)
		minor := mgl64.Vec2{-major[1], major[0]}.Mul(r.number(e, 40, 1))
		if r.number(e, 230, 1) < 0 {
			minor = minor.Mul(-1)
		}
		begin, span := sweep(r.number(e, 41, 0), r.number(e, 42, 2*math.Pi))
		l.Closed = span >= 2*math.Pi
		l.Points = curve(r.point(e, 10), major, minor, begin, span, m)
	case "SOLID", "TRACE": // the third corner lies across from the second
		l = plan.Line{Points: []mgl64.Vec2{r.point(e, 10), r.point(e, 11), r.point(e, 13), r.point(e, 12)}, Closed: true}
		filled = true
	default:
		if !remarks[e.kind] {
			r.Notef(e.at, "entities %s are left out: explode them, or draw them as polylines", e.kind)
		}
		return nil, false, false
	}
	return []plan.Line{l}, filled, true
}

// point is the point of a code and the code of its y.
func (r *reader) point(e *record, code int) mgl64.Vec2 {
	return mgl64.Vec2{r.number(e, code, 0), r.number(e, code+10, 0)}
}

// corner is a point of a polyline. The line to the next one is an arc with a bulge: the tangent of a
// quarter of its angle, above 0 to the left.
type corner struct {
	at    mgl64.Vec2
	bulge float64
}

// bent is the points of a polyline with arcs.
func bent(corners []corner, closed bool, m plan.Affine) (points []mgl64.Vec2) {
	for i, c := range corners {
		points = append(points, c.at)
		next := corners[(i+1)%len(corners)].at
		if c.bulge == 0 || c.at == next || i+1 == len(corners) && !closed {
			continue
		}
		chord := next.Sub(c.at)
		center := c.at.Add(chord.Mul(0.5)).Add(mgl64.Vec2{-chord[1], chord[0]}.Mul((1 - c.bulge*c.bulge) / (4 * c.bulge)))
		arm := c.at.Sub(center)
		arc := curve(center, arm, mgl64.Vec2{-arm[1], arm[0]}, 0, 4*math.Atan(c.bulge), m)
		points = append(points, arc[1:len(arc)-1]...)
	}
	return points
}

// sweep is where an arc from an angle to another begins, and how far it turns left: all around where
// both are the same.
func sweep(from, to float64) (begin, span float64) {
	if span = math.Mod(to-from, 2*math.Pi); span <= 0 {
		span += 2 * math.Pi
	}
	return from, span
}

// curve is points of an arc of an ellipse of two half axes; a full turn ends ahead of where it begins.
func curve(center, u, v mgl64.Vec2, begin, span float64, m plan.Affine) (points []mgl64.Vec2) {
	radius := max(u.Len(), v.Len()) * math.Sqrt(math.Abs(m[0]*m[3]-m[1]*m[2])) // meters, but of unequal scales
	most := 2 * math.Pi / 8                                                    // the angle of a piece
	if radius > sagitta {
		most = min(most, 2*math.Acos(1-sagitta/radius)) // as radius (1 - cos(angle / 2)) is the sagitta
	}
	const fewest, mostPieces = 1, 1024
	pieces := int(max(fewest, min(mostPieces, math.Ceil(math.Abs(span)/most))))
	last := pieces
	if math.Abs(span) >= 2*math.Pi {
		last--
	}
	for k := range last + 1 {
		sin, cos := math.Sincos(begin + span*float64(k)/float64(pieces))
		points = append(points, center.Add(u.Mul(cos)).Add(v.Mul(sin)))
	}
	return points
}
