package scenes

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	simple "github.com/peterstace/simplefeatures/geom"

	"github.com/wayfront/wayfront/engine/geom"
)

// readSVG reads a drawing. A user unit is a metre, and y points up: what the
// drawing has at the top is at the top. The sheet (viewBox, or else width and
// height) is the domain if nothing in the drawing names one.
//
// What a shape stands for is said by its class, layer (inkscape:label), id or
// data-role, or those of the nearest group around it that says something: the
// first word of roleWords. Shapes without a role are obstacles. data-count says
// how many people a spawn has. What is not drawn (defs, display: none) is not
// read, nor are texts, images and references (use).
//
// Curves become lines, 16 for each Bezier curve and 32 for a full turn. Paths are
// filled by the even-odd rule, and taken as closed but for those of goals.
func readSVG(in *source) (*content, error) {
	r := &svgReader{sketch: &sketch{source: in}, decoder: xml.NewDecoder(bytes.NewReader(in.data))}
	r.frames = []svgFrame{{toWorld: affine{1, 0, 0, 1, 0, 0}, role: roleObstacle}}
	for {
		r.at = int(r.decoder.InputOffset())
		token, err := r.decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				return nil, in.wrong(r.at, "no valid XML: %s", syntax.Msg)
			}
			return nil, in.wrong(r.at, "no valid XML: %v", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if err := r.start(t); err != nil {
				return nil, err
			}
		case xml.EndElement:
			r.frames = r.frames[:len(r.frames)-1]
		}
	}
	if !r.opened {
		return nil, in.wrong(0, "there is no <svg> element")
	}
	return r.content(r.sheet)
}

type svgReader struct {
	*sketch
	decoder *xml.Decoder
	at      int // offset of the element
	opened  bool
	sheet   *Rect
	frames  []svgFrame // of the elements around, the innermost last
}

// svgFrame is what an element hands down.
type svgFrame struct {
	toWorld affine
	role    role
}

// affine takes (x, y) to (a x + c y + e, b x + d y + f), as SVG's matrix does.
type affine [6]float64

// of returns a point of the drawing in the world, rounded to a thousandth of a
// millimetre: sines differ between machines in bits far below.
func (m affine) of(p mgl64.Vec2) mgl64.Vec2 {
	const grain = 1e6
	x := float64(m[0]*p[0]) + float64(m[2]*p[1]) + m[4]
	y := float64(m[1]*p[0]) + float64(m[3]*p[1]) + m[5]
	return mgl64.Vec2{math.Round(x*grain) / grain, math.Round(y*grain) / grain}
}

// after returns the map that does n first.
func (m affine) after(n affine) affine {
	return affine{
		float64(m[0]*n[0]) + float64(m[2]*n[1]), float64(m[1]*n[0]) + float64(m[3]*n[1]),
		float64(m[0]*n[2]) + float64(m[2]*n[3]), float64(m[1]*n[2]) + float64(m[3]*n[3]),
		float64(m[0]*n[4]) + float64(m[2]*n[5]) + m[4], float64(m[1]*n[4]) + float64(m[3]*n[5]) + m[5],
	}
}

// similar reports whether circles stay circles, and by how much they grow.
func (m affine) similar() (float64, bool) {
	x, y := math.Hypot(m[0], m[1]), math.Hypot(m[2], m[3])
	const slack = 1e-9 // of rounding in a product of matrices
	return x, math.Abs(x-y) <= slack*x && math.Abs(m[0]*m[2]+m[1]*m[3]) <= slack*x*x
}

// undrawn are the elements whose inside is not drawn where it stands, or is no
// shape.
var undrawn = map[string]bool{
	"defs": true, "clipPath": true, "mask": true, "symbol": true, "marker": true, "pattern": true, "style": true, "script": true, "metadata": true,
	"text": true, "title": true, "desc": true, "linearGradient": true, "radialGradient": true, "filter": true, "image": true, "use": true, "namedview": true,
}

// start takes an element.
func (r *svgReader) start(t xml.StartElement) error {
	if len(r.frames) > maxDepth {
		return r.wrong(r.at, "elements lie more than %d deep in one another", maxDepth)
	}
	f := r.frames[len(r.frames)-1]
	r.frames = append(r.frames, f) // the end of the element, or Skip below, takes it away
	value := func(name string) string {
		for _, a := range t.Attr {
			if a.Name.Local == name {
				return a.Value
			}
		}
		return ""
	}
	name := t.Name.Local
	hidden := value("display") == "none" || strings.Contains(strings.ReplaceAll(value("style"), " ", ""), "display:none")
	if undrawn[name] || hidden {
		r.frames = r.frames[:len(r.frames)-1]
		if err := r.decoder.Skip(); err != nil {
			return r.wrong(r.at, "no valid XML: the element <%s> does not end", name)
		}
		return nil
	}
	for _, attribute := range []string{"class", "label", "data-role", "id"} {
		if said, ok := roleOf(value(attribute)); ok {
			f.role = said
			break
		}
	}
	if !r.opened {
		if name != "svg" {
			return r.wrong(r.at, "the element <%s> where <svg> is needed", shorten(name))
		}
		r.opened = true
		if err := r.open(value, &f); err != nil {
			return err
		}
	}
	m, err := r.transform(value("transform"))
	if err != nil {
		return err
	}
	f.toWorld = f.toWorld.after(m)
	r.frames[len(r.frames)-1] = f

	s := shape{at: r.at, role: f.role, id: value("id")}
	s.count, _ = strconv.Atoi(value("data-count"))
	number := func(name string) float64 {
		v, e := svgLength(value(name))
		if e != nil && err == nil {
			err = r.wrong(r.at, "%s=%s of <%s> is no number", name, excerpt([]byte(value(name))), name)
		}
		return v
	}
	var lines []subpath
	switch name {
	case "rect":
		x, y, w, h := number("x"), number("y"), number("width"), number("height")
		if err == nil && (w == 0 || h == 0) {
			return nil // is not drawn
		}
		lines = []subpath{{[]mgl64.Vec2{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, true}}
	case "circle", "ellipse":
		c := mgl64.Vec2{number("cx"), number("cy")}
		rx, ry := number("rx"), number("ry")
		if name == "circle" {
			rx = number("r")
			ry = rx
		}
		if grow, ok := f.toWorld.similar(); err == nil && ok && rx == ry && rx > 0 {
			s.disc = &Disc{f.toWorld.of(c), grow * rx}
			return r.add(s)
		}
		lines = []subpath{{closed: true}}
		for k := range 32 {
			at := onCircle(mgl64.Vec2{}, 1, k, 32)
			lines[0].points = append(lines[0].points, mgl64.Vec2{c[0] + float64(rx*at[0]), c[1] + float64(ry*at[1])})
		}
	case "line":
		lines = []subpath{{points: []mgl64.Vec2{{number("x1"), number("y1")}, {number("x2"), number("y2")}}}}
	case "polygon", "polyline":
		p := pathReader{text: value("points")}
		var points []mgl64.Vec2
		for p.more() && p.err == nil {
			points = append(points, mgl64.Vec2{p.number(), p.number()})
		}
		if p.err != nil {
			err = r.wrong(r.at, "the points of <%s>: %v", name, p.err)
		}
		lines = []subpath{{points, name == "polygon"}}
	case "path":
		var e error
		if lines, e = readPath(value("d")); e != nil {
			err = r.wrong(r.at, "the path's data: %v", e)
		}
	default:
		return nil // a group, or what is not known
	}
	if err != nil {
		return err
	}
	return r.shapes(s, lines, f.toWorld)
}

// open takes the outermost element: the sheet, and that y points down on it.
func (r *svgReader) open(value func(string) string, f *svgFrame) error {
	var box [4]float64 // x, y, width, height
	if text := value("viewBox"); text != "" {
		p := pathReader{text: text}
		for i := range box {
			box[i] = p.number()
		}
		if p.err != nil || !(box[2] > 0 && box[3] > 0) {
			return r.wrong(r.at, "viewBox=%s: four numbers are needed, x y width height, the last two above 0", excerpt([]byte(text)))
		}
	} else {
		w, e1 := svgLength(value("width"))
		h, e2 := svgLength(value("height"))
		if e1 == nil && e2 == nil && w > 0 && h > 0 {
			box = [4]float64{0, 0, w, h}
		}
	}
	if box[2] > 0 {
		r.sheet = &Rect{box[0], box[1], box[0] + box[2], box[1] + box[3]}
	}
	f.toWorld = affine{1, 0, 0, -1, 0, float64(2*box[1]) + box[3]}
	return nil
}

// shapes takes the lines of one element for what its role says.
func (r *svgReader) shapes(s shape, lines []subpath, m affine) error {
	var rings []geom.Ring
	for _, l := range lines {
		var points []mgl64.Vec2
		for _, p := range l.points {
			if q := m.of(p); len(points) == 0 || q != points[len(points)-1] {
				points = append(points, q)
			}
		}
		for _, v := range points {
			if math.IsNaN(v[0]+v[1]) || math.IsInf(v[0]+v[1], 0) {
				return r.wrong(s.at, "a coordinate is out of range")
			}
		}
		if s.role == roleGoal && !l.closed {
			if len(points) >= 2 {
				one := s
				one.line = points
				if err := r.add(one); err != nil {
					return err
				}
			}
			continue
		}
		for len(points) > 1 && points[0] == points[len(points)-1] {
			points = points[:len(points)-1]
		}
		if len(points) > 0 {
			rings = append(rings, points)
		}
	}
	if len(rings) == 0 {
		return nil
	}
	if len(rings) == 1 && len(rings[0]) < 3 && s.role != roleGoal {
		s.line = rings[0]
		return r.add(s) // which says what the role needs instead of a line
	}
	polygons, err := evenOdd(rings)
	if err != nil {
		return r.wrong(s.at, "%s", plain(err))
	}
	if s.polygons = polygons; len(rings) == 1 && isRect(polygons[0]) && s.role != roleGoal {
		box := boxOf(rings[0])
		s.rect, s.polygons = &box, nil
	}
	return r.add(s)
}

// evenOdd returns what rings enclose by the even-odd rule: each turns its inside
// over.
func evenOdd(rings []geom.Ring) ([]geom.Polygon, error) {
	all := []geom.Polygon{{Outer: rings[0]}}
	if len(rings) == 1 {
		return all, nil
	}
	o := &overlay{given: map[mgl64.Vec2]bool{}}
	box := boxOf(slices.Concat(rings...))
	o.slack = max(box[2]-box[0], box[3]-box[1]) / (1000 * geom.Steps)
	for i, ring := range rings {
		one := geom.Polygon{Outer: ring}
		if err := one.Check(); err != nil {
			return nil, err
		}
		for _, v := range ring {
			o.given[v] = true
		}
		if i > 0 {
			all = o.clean(simple.SymmetricDifference(areaOf(all), areaOf([]geom.Polygon{one})))
		}
	}
	return all, o.err
}

// svgLength returns a number, in whatever unit it stands: a user unit is what counts.
// Nothing is 0.
func svgLength(text string) (float64, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, nil
	}
	return strconv.ParseFloat(strings.TrimRight(text, "abcdfghijklmnopqrstuvwxyz%"), 64)
}

// transform reads a list of transformations.
func (r *svgReader) transform(text string) (affine, error) {
	m := affine{1, 0, 0, 1, 0, 0}
	for rest := strings.TrimLeft(text, " ,\t\r\n"); rest != ""; rest = strings.TrimLeft(rest, " ,\t\r\n") {
		name, after, ok := strings.Cut(rest, "(")
		inside, after, closed := strings.Cut(after, ")")
		if !ok || !closed {
			return m, r.wrong(r.at, "transform=%s: a list such as translate(3 4) rotate(30) is needed", excerpt([]byte(text)))
		}
		rest = after
		p := pathReader{text: inside}
		var v []float64
		for p.more() && p.err == nil {
			v = append(v, p.number())
		}
		var one affine
		name = strings.TrimSpace(name)
		sin, cos := 0.0, 1.0
		if len(v) > 0 {
			sin, cos = math.Sincos(v[0] * math.Pi / 180)
		}
		switch n := len(v); {
		case p.err != nil:
			return m, r.wrong(r.at, "transform=%s: %v", excerpt([]byte(text)), p.err)
		case name == "matrix" && n == 6:
			one = affine(v)
		case name == "translate" && (n == 1 || n == 2):
			v = append(v, 0)
			one = affine{1, 0, 0, 1, v[0], v[1]}
		case name == "scale" && (n == 1 || n == 2):
			v = append(v, v[0])
			one = affine{v[0], 0, 0, v[1], 0, 0}
		case name == "rotate" && n == 1:
			one = affine{cos, sin, -sin, cos, 0, 0}
		case name == "rotate" && n == 3:
			one = affine{1, 0, 0, 1, v[1], v[2]}.after(affine{cos, sin, -sin, cos, 0, 0}).after(affine{1, 0, 0, 1, -v[1], -v[2]})
		case name == "skewX" && n == 1:
			one = affine{1, 0, sin / cos, 1, 0, 0}
		case name == "skewY" && n == 1:
			one = affine{1, sin / cos, 0, 1, 0, 0}
		default:
			return m, r.wrong(r.at, "transform=%s: %s with %d numbers is none of SVG's transformations", excerpt([]byte(text)), excerpt([]byte(name)), n)
		}
		m = m.after(one)
	}
	return m, nil
}
