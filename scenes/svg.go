package scenes

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	simple "github.com/peterstace/simplefeatures/geom"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// readSVG reads a drawing. A user unit, which is a pixel, is a metre, or what the scale says, and y points up: what the
// drawing has at the top is at the top. The sheet (viewBox, or else width and
// height) is the domain if nothing in the drawing names one.
//
// What a shape stands for is said by its class, layer (inkscape:label), id or
// data-role, or those of the nearest group around it that says something: the
// first word of roleWords. Shapes without a role are obstacles. data-count says
// how many people a spawn has, data-clearance what a goal's map keeps from walls.
// What is not drawn (defs, display: none) is not
// read, nor are texts and images. Clones (use) are read as what they show.
//
// Obstacles are what is drawn: what is filled is solid, and of what is not filled the stroke is a wall of its width. Other
// roles ask for no paint.
//
// Curves become lines, 16 for each Bezier curve and 32 for a full turn. Paths are
// filled by the even-odd rule, and taken as closed but for those of goals.
func readSVG(in *source) (*content, error) {
	root, err := parseSVG(in)
	if err != nil {
		return nil, err
	}
	r := &svgReader{sketch: newSketch(in), root: root, ids: map[string]*svgElement{}, left: mostSVGElements}
	r.index(root)
	frame := svgFrame{toWorld: affine{1, 0, 0, 1, 0, 0}, role: roleObstacle, paint: svgPaint{width: 1}}
	if err := r.open(root, &frame); err != nil {
		return nil, err
	}
	if err := r.element(root, frame); err != nil {
		return nil, err
	}
	return r.content(r.sheet)
}

type svgReader struct {
	*sketch
	root  *svgElement
	at    int   // offset of the element
	sheet *Rect // in metres
	ids   map[string]*svgElement
	rules cssRules
	left  int // elements that may still be drawn
}

// mostSVGElements is how many elements a drawing may have, each clone counted anew: a clone of clones of clones has no bounds.
const mostSVGElements = 1 << 20

// svgFrame is what an element hands down.
type svgFrame struct {
	toWorld affine
	size    mgl64.Vec2 // that percentages are of, in user units; 0: not known
	role    role
	paint   svgPaint
	clones  []*svgElement // what is being cloned, the innermost last
	id      string        // of the clone, for what it shows
}

// index takes the ids and style sheets of an element and what is inside it.
func (r *svgReader) index(e *svgElement) {
	if id := e.value("id"); id != "" && r.ids[id] == nil {
		r.ids[id] = e
	}
	if e.name == "style" {
		r.rules.read(e.text.String())
	}
	for _, inner := range e.inside {
		r.index(inner)
	}
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
	"text": true, "title": true, "desc": true, "linearGradient": true, "radialGradient": true, "filter": true, "image": true, "namedview": true,
}

// element takes an element where it stands, f is that of the one around it.
func (r *svgReader) element(e *svgElement, f svgFrame) error {
	if r.at = e.at; undrawn[e.name] {
		return nil
	}
	return r.show(e, f)
}

// show takes an element, also one that is drawn as a clone only.
func (r *svgReader) show(e *svgElement, f svgFrame) error {
	r.at = e.at
	if r.left--; r.left < 0 {
		return r.wrong(r.at, "with all its clones the drawing has more than %d elements", mostSVGElements)
	}
	look := r.rules.of(e)
	if look("display") == "none" {
		return nil
	}
	for _, attribute := range []string{"class", "label", "data-role", "id"} {
		if said, ok := roleOf(e.value(attribute)); ok {
			f.role = said
			break
		}
	}
	if text := e.value("data-role"); text != "" {
		if _, ok := roleOf(text); !ok {
			r.remark(r.at, "%s is no role, and the shape is taken as %s: %s", excerpt([]byte(text)), f.role, suggest(text, roleNames()))
		}
	}
	if err := r.paint(look, &f); err != nil {
		return err
	}
	m, err := r.transform(e.value("transform"))
	if err != nil {
		return err
	}
	if m[0]*m[3] == m[1]*m[2] {
		r.remark(r.at, "what transform=%s flattens is left out: nothing of it is drawn", excerpt([]byte(e.value("transform"))))
		return nil
	}
	f.toWorld = f.toWorld.after(m)
	if e.name == "svg" && e != r.root && !slices.Contains(f.clones, e) {
		x, y, err := r.numbers(e, f.size, "x", "y")
		if err != nil {
			return err
		}
		f.toWorld = f.toWorld.after(affine{1, 0, 0, 1, x, y})
		if err := r.viewport(e, 0, 0, &f); err != nil {
			return err
		}
	}
	if e.name == "use" {
		return r.use(e, f)
	}
	id := e.value("id")
	if len(f.clones) > 0 {
		id = f.id
		f.id = "" // it is that of one shape
	}
	if err := r.draw(e, f, id); err != nil {
		return err
	}
	for _, inner := range e.inside {
		if err := r.element(inner, f); err != nil {
			return err
		}
	}
	return nil
}

// use takes a clone: what it refers to, drawn where it stands.
func (r *svgReader) use(e *svgElement, f svgFrame) error {
	name, ok := strings.CutPrefix(strings.TrimSpace(e.value("href")), "#")
	target := r.ids[name]
	switch {
	case !ok || target == nil:
		r.remark(r.at, "the clone (use) of %s is passed over: nothing in the file has this id", excerpt([]byte(e.value("href"))))
		return nil
	case slices.Contains(f.clones, target):
		return r.wrong(r.at, "the clone (use) of %s holds itself", excerpt([]byte(name)))
	case len(f.clones) == maxDepth:
		return r.wrong(r.at, "clones (use) lie more than %d deep in one another", maxDepth)
	}
	x, y, err := r.numbers(e, f.size, "x", "y")
	if err != nil {
		return err
	}
	f.toWorld = f.toWorld.after(affine{1, 0, 0, 1, x, y})
	if target.name == "symbol" || target.name == "svg" {
		w, h, err := r.numbers(e, f.size, "width", "height")
		if err != nil {
			return err
		}
		if err := r.viewport(target, w, h, &f); err != nil {
			return err
		}
	}
	if len(f.clones) == 0 {
		f.id = e.value("id")
	}
	f.clones = append(f.clones[:len(f.clones):len(f.clones)], target)
	return r.show(target, f)
}

// viewport has what is inside of a symbol, or of a drawing in the drawing, fill the width and height that are given, as far as
// its viewBox asks for that, in the middle and in proportion. 0 is that of the element itself, or else that of what is around.
func (r *svgReader) viewport(e *svgElement, w, h float64, f *svgFrame) error {
	own, ownHeight, err := r.numbers(e, f.size, "width", "height")
	if err != nil {
		return err
	}
	w, h = cmp.Or(w, own, f.size[0]), cmp.Or(h, ownHeight, f.size[1])
	f.size = mgl64.Vec2{w, h}
	if e.value("viewBox") == "" {
		return nil
	}
	box, err := r.viewBox(e)
	if err != nil {
		return err
	}
	f.size = mgl64.Vec2{box[2], box[3]}
	w, h = cmp.Or(w, box[2]), cmp.Or(h, box[3])
	grow := [2]float64{w / box[2], h / box[3]}
	if !strings.HasPrefix(strings.TrimSpace(e.value("preserveAspectRatio")), "none") {
		least := min(grow[0], grow[1])
		grow = [2]float64{least, least}
	}
	f.toWorld = f.toWorld.after(affine{
		grow[0], 0, 0, grow[1],
		float64((w-float64(grow[0]*box[2]))/2) - float64(grow[0]*box[0]), float64((h-float64(grow[1]*box[3]))/2) - float64(grow[1]*box[1]),
	})
	return nil
}

// numbers returns two attributes that are lengths, 0 where they are not given.
func (r *svgReader) numbers(e *svgElement, size mgl64.Vec2, one, two string) (a, b float64, err error) {
	var v [2]float64
	for i, name := range []string{one, two} {
		text := e.value(name)
		if text == "" || text == "auto" {
			continue
		}
		whole := diagonal(size) // what a percentage is of
		switch name {
		case "x", "width", "cx", "rx", "x1", "x2":
			whole = size[0]
		case "y", "height", "cy", "ry", "y1", "y2":
			whole = size[1]
		}
		if v[i], err = svgLength(text, whole); err != nil {
			return 0, 0, r.wrong(r.at, "%s=%s of <%s>: %v", name, excerpt([]byte(text)), e.name, err)
		}
	}
	return v[0], v[1], nil
}

// diagonal is what percentages are of that are neither along x nor along y (SVG 2, 8.9).
func diagonal(size mgl64.Vec2) float64 { return size.Len() / math.Sqrt2 }

// drawable reports whether none of the sizes of a shape is 0 or below, which SVG does not draw, and
// notes it otherwise.
func (r *svgReader) drawable(e *svgElement, sizes ...float64) bool {
	if slices.Min(sizes) > 0 {
		return true
	}
	r.remark(r.at, "a <%s> is left out: its size is not above 0, and it is not drawn", e.name)
	return false
}

// draw takes the shape that an element is, if it is one.
func (r *svgReader) draw(e *svgElement, f svgFrame, id string) (err error) {
	s := shape{at: r.at, role: f.role, id: id}
	if text := e.value("data-count"); text != "" {
		if s.count, err = strconv.Atoi(text); err != nil || s.count < 1 || s.count > MaxAgents {
			return r.wrong(r.at, "data-count=%s: a whole number above 0 is needed", excerpt([]byte(text)))
		}
	}
	if text := e.value("data-clearance"); text != "" {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !(v >= 0 && v <= largest) {
			return r.wrong(r.at, "data-clearance=%s: metres, 0 or more, are needed", excerpt([]byte(text)))
		}
		s.clearance = &v
	}
	number := func(name string) float64 {
		v, _, e := r.numbers(e, f.size, name, name)
		err = cmp.Or(err, e)
		return v
	}
	var lines []subpath
	filled := f.paint.filled()
	switch e.name {
	case "rect":
		x, y, w, h := number("x"), number("y"), number("width"), number("height")
		if err == nil && !r.drawable(e, w, h) {
			return nil
		}
		if number("rx") > 0 || number("ry") > 0 {
			r.remark(r.at, "the round corners of rectangles are taken as square")
		}
		lines = []subpath{{[]mgl64.Vec2{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, true}}
	case "circle", "ellipse":
		c := mgl64.Vec2{number("cx"), number("cy")}
		rx, ry := number("rx"), number("ry")
		if e.name == "circle" {
			rx = number("r")
			ry = rx
		}
		if err == nil && !r.drawable(e, rx, ry) {
			return nil
		}
		if grow, ok := f.toWorld.similar(); err == nil && ok && rx == ry && (filled || f.role != roleObstacle) {
			s.disc = &Disc{f.toWorld.of(c), grow * rx}
			box := s.disc.box()
			// An edge without a length has the center be in reach, the diagonal the radius.
			if _, err := r.placed(s.at, affine{1, 0, 0, 1, 0, 0}, []mgl64.Vec2{s.disc.Center, s.disc.Center, box.Min(), box.Max()}, false); err != nil {
				return err
			}
			return r.add(s)
		}
		lines = []subpath{{closed: true}}
		for k := range 32 {
			at := onCircle(mgl64.Vec2{}, 1, k, 32)
			lines[0].points = append(lines[0].points, mgl64.Vec2{c[0] + float64(rx*at[0]), c[1] + float64(ry*at[1])})
		}
	case "line":
		filled = false
		lines = []subpath{{points: []mgl64.Vec2{{number("x1"), number("y1")}, {number("x2"), number("y2")}}}}
	case "polygon", "polyline":
		p := pathReader{text: e.value("points")}
		var points []mgl64.Vec2
		for p.more() && p.err == nil {
			points = append(points, mgl64.Vec2{p.number(), p.number()})
		}
		if p.err != nil {
			err = r.wrong(r.at, "the points of <%s>: %v", e.name, p.err)
		}
		lines = []subpath{{points, e.name == "polygon"}}
	case "path":
		var e2 error
		if lines, e2 = readPath(e.value("d")); e2 != nil {
			err = r.wrong(r.at, "the path's data: %v", e2)
		}
	default:
		return nil // a group, or what is not known
	}
	if err != nil {
		return err
	}
	switch {
	case f.role != roleObstacle || filled:
		return r.shapes(s, lines, f.toWorld)
	case f.paint.stroked():
		return r.walls(s, lines, f)
	}
	r.remark(r.at, "what has neither fill nor stroke is not drawn, and no obstacle")
	return nil
}

// open takes the outermost element: the sheet, and that y points down on it.
func (r *svgReader) open(root *svgElement, f *svgFrame) (err error) {
	r.at = root.at
	var box [4]float64 // x, y, width, height
	if root.value("viewBox") != "" {
		if box, err = r.viewBox(root); err != nil {
			return err
		}
	} else if w, h, e := r.numbers(root, f.size, "width", "height"); e == nil && w > 0 && h > 0 {
		box = [4]float64{0, 0, w, h}
	}
	f.size = mgl64.Vec2{box[2], box[3]}
	k := r.options.metres()
	f.toWorld = affine{k, 0, 0, -k, 0, k * (float64(2*box[1]) + box[3])}
	if box[2] > 0 {
		// Rounded as shapes are: what is drawn along the edge of the sheet lies on the border.
		sheet := boxOf([]mgl64.Vec2{f.toWorld.of(mgl64.Vec2{box[0], box[1]}), f.toWorld.of(mgl64.Vec2{box[0] + box[2], box[1] + box[3]})})
		r.sheet = &sheet
	}
	return nil
}

// viewBox reads x, y, width and height.
func (r *svgReader) viewBox(e *svgElement) (box [4]float64, err error) {
	text := e.value("viewBox")
	p := pathReader{text: text}
	for i := range box {
		box[i] = p.number()
	}
	if p.err != nil || !(box[2] > 0 && box[3] > 0) {
		return box, r.wrong(e.at, "viewBox=%s: four numbers are needed, x y width height, the last two above 0", excerpt([]byte(text)))
	}
	return box, nil
}

// placed returns points of a line or ring in the world. It comes before any test of their form: where float64 numbers are too
// coarse for the sheet, rounding may already have collapsed it. Without a sheet a scene's limit holds.
func (r *svgReader) placed(at int, m affine, points []mgl64.Vec2, closed bool) ([]mgl64.Vec2, error) {
	bound := largest
	if r.sheet != nil {
		bound = reachOf(*r.sheet)
	}
	list := make([]mgl64.Vec2, len(points))
	for i, p := range points {
		if list[i] = m.of(p); math.IsNaN(list[i][0]+list[i][1]) || math.IsInf(list[i][0]+list[i][1], 0) {
			return nil, r.outOfReach(at, bound)
		}
	}
	if coarsest(list, closed) > bound {
		return nil, r.outOfReach(at, bound)
	}
	return list, nil
}

// shapes takes the lines of one element for what its role says.
func (r *svgReader) shapes(s shape, lines []subpath, m affine) error {
	var rings []geom.Ring
	for _, l := range lines {
		points, err := r.placed(s.at, m, l.points, s.role != roleGoal || l.closed)
		if err != nil {
			return err
		}
		points = slices.Compact(points)
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
	if len(rings) > 1 {
		rings = r.solid(s, rings)
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

// solid returns the rings that have an inside, or the first where none has. A path may move without
// drawing, and what it draws along one line only is not filled.
func (r *svgReader) solid(s shape, rings []geom.Ring) []geom.Ring {
	var kept []geom.Ring
	for _, ring := range rings {
		var e *polygon.Error
		if errors.As(geom.Polygon{Outer: ring}.Check(), &e) && (e.Kind == polygon.TooFewVertices || e.Kind == polygon.ZeroArea) {
			if len(ring) > 1 {
				r.remark(s.at, "a part of the path is left out: it lies on one line and has no inside")
			}
			continue
		}
		kept = append(kept, ring)
	}
	if kept == nil {
		return rings[:1]
	}
	return kept
}

// evenOdd returns what rings enclose by the even-odd rule: each turns its inside
// over.
func evenOdd(rings []geom.Ring) ([]geom.Polygon, error) {
	if len(rings) == 1 {
		return []geom.Polygon{{Outer: rings[0]}}, nil // which is checked where it is added
	}
	// Mostly one ring is around all others and these are its holes.
	outer := 0
	for i, ring := range rings {
		if math.Abs(ring.Area()) > math.Abs(rings[outer].Area()) {
			outer = i
		}
	}
	if one := (geom.Polygon{Outer: rings[outer], Holes: slices.Delete(slices.Clone(rings), outer, outer+1)}); one.Check() == nil {
		return []geom.Polygon{one}, nil
	}
	o := &overlay{given: map[mgl64.Vec2]bool{}}
	box := boxOf(slices.Concat(rings...))
	o.slack = max(box[2]-box[0], box[3]-box[1]) / (1000 * geom.Steps)
	for _, ring := range rings {
		if err := (geom.Polygon{Outer: ring}).Check(); err != nil {
			return nil, err
		}
		for _, v := range ring {
			o.given[v] = true
		}
	}
	return o.evenOdd(rings), o.err
}

// evenOdd takes two sets of rings at a time, like union.
func (o *overlay) evenOdd(rings []geom.Ring) []geom.Polygon {
	if len(rings) == 1 {
		return []geom.Polygon{{Outer: rings[0]}}
	}
	a, b := o.evenOdd(rings[:len(rings)/2]), o.evenOdd(rings[len(rings)/2:])
	return o.clean(simple.SymmetricDifference(areaOf(a), areaOf(b)))
}

// svgUnits are how many user units a unit of length is: pixels, of which an inch has 96, and letters
// of the usual size.
var svgUnits = map[string]float64{
	"": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96.0 / 72, "pc": 16, "em": 16, "rem": 16, "ex": 8,
}

// svgLength reads a length, in user units. A percentage is one of whole, 0 if that is not known.
func svgLength(text string, whole float64) (float64, error) {
	p := pathReader{text: text}
	v := p.number()
	unit := strings.ToLower(strings.TrimSpace(p.text))
	factor, ok := svgUnits[unit]
	switch {
	case p.err != nil:
		return 0, p.err
	case unit == "%" && whole > 0:
		return v / 100 * whole, nil
	case unit == "%":
		return 0, errors.New("what it is a part of has no size: give a viewBox")
	case !ok:
		return 0, fmt.Errorf("%s is no unit: px, mm, cm, in, pt, pc and %% are", excerpt([]byte(unit)))
	}
	return v * factor, nil
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
