package svg

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats/plan"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// Format is SVG.
var Format = plan.Format{
	Name: "svg", Ending: ".svg", Read: read,
	Help: `shapes whose class, layer or id, or that of a group around them, says the role; a user unit, which is a pixel, 1/96 inch, is a
meter, or what --scale says, and the sheet is the domain. What is filled is solid; of what is not filled the stroke is a wall of its width. Clones (use) count as what
they show; what is not displayed, texts and images are passed over.`,
}

func read(in *plan.Source) *scenes.Scene {
	root := parse(in)
	if in.Err != nil {
		return nil
	}
	r := &reader{Sketch: &plan.Sketch{Source: in}, root: root, ids: map[string]*element{}, rules: cssRules{}, left: mostElements}
	r.index(root)
	if r.element(root, r.open(root)); r.Err != nil {
		return nil
	}
	return r.Scene()
}

// reader walks over the elements of a drawing until its first error.
type reader struct {
	*plan.Sketch
	root  *element
	at    int // offset of the element
	ids   map[string]*element
	rules cssRules
	left  int // elements that may still be drawn
}

// mostElements is the number of elements that a drawing may have, each clone counted anew: a clone
// of clones of clones has no bounds.
const mostElements = 1 << 20

// fail sets the error of the element.
func (r *reader) fail(format string, args ...any) { r.Fail(r.at, format, args...) }

// frame is what an element hands down.
type frame struct {
	toWorld plan.Affine
	size    mgl64.Vec2 // that percentages are of, in user units; 0: not known
	role    plan.Role
	paint   paint
	clones  []*element // what is being cloned, the innermost last
	id      string     // of the clone, for what it shows
}

// index takes the ids and style sheets of an element and what is inside it.
func (r *reader) index(e *element) {
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

// open takes the outermost element: the sheet, and that y points down on it.
func (r *reader) open(root *element) frame {
	r.at = root.at
	var box [4]float64 // x, y, width, height
	if root.value("viewBox") != "" {
		box = r.viewBox(root)
	} else {
		w, e1 := attribute(root, mgl64.Vec2{}, "width")
		h, e2 := attribute(root, mgl64.Vec2{}, "height")
		if e1 == nil && e2 == nil && w > 0 && h > 0 {
			box = [4]float64{0, 0, w, h}
		}
	}
	k := r.Options.Meters()
	f := frame{
		toWorld: plan.Affine{k, 0, 0, -k, 0, k * (float64(2*box[1]) + box[3])}, size: mgl64.Vec2{box[2], box[3]},
		role: plan.RoleObstacle, paint: paint{width: 1},
	}
	if box[2] > 0 {
		// Rounded as shapes are: what is drawn along the edge of the sheet lies on the border.
		sheet := plan.BoxOf([]mgl64.Vec2{f.toWorld.Of(mgl64.Vec2{box[0], box[1]}), f.toWorld.Of(mgl64.Vec2{box[0] + box[2], box[1] + box[3]})})
		r.Sheet = &sheet
	}
	return f
}

// undrawn are the elements whose inside is not drawn where it is, or is no shape.
var undrawn = map[string]bool{
	"defs": true, "clipPath": true, "mask": true, "symbol": true, "marker": true, "pattern": true, "style": true, "script": true, "metadata": true,
	"text": true, "title": true, "desc": true, "linearGradient": true, "radialGradient": true, "filter": true, "image": true, "namedview": true,
}

// element takes an element where it is, f is that of the one around it.
func (r *reader) element(e *element, f frame) {
	if !undrawn[e.name] {
		r.show(e, f)
	}
}

// show takes an element, also one that is drawn as a clone only.
func (r *reader) show(e *element, f frame) {
	if r.Err != nil {
		return
	}
	r.at = e.at
	if r.left--; r.left < 0 {
		r.fail("with all its clones the drawing has more than %d elements", mostElements)
		return
	}
	look := r.rules.of(e)
	if look("display") == "none" {
		return
	}
	said := e.value("data-role")
	f.role, _ = r.RoleIn(r.at, said, f.role, e.value("class"), e.value("label"), said, e.value("id"))
	r.style(look, &f)
	m, err := transform(e.value("transform"))
	if err != nil {
		r.fail("transform=%s: %v", text.Quote(e.value("transform")), err)
		return
	}
	if m[0]*m[3] == m[1]*m[2] {
		r.Notef(r.at, "what transform=%s flattens is left out: nothing of it is drawn", text.Quote(e.value("transform")))
		return
	}
	f.toWorld = f.toWorld.After(m)
	if e.name == "svg" && e != r.root && !slices.Contains(f.clones, e) {
		f.toWorld = f.toWorld.After(r.corner(e, f))
		r.viewport(e, 0, 0, &f)
	}
	if e.name == "use" {
		r.use(e, f)
		return
	}
	id := e.value("id")
	if len(f.clones) > 0 {
		id, f.id = f.id, "" // it is that of one shape
	}
	if r.Err == nil {
		r.draw(e, f, id)
	}
	for _, inner := range e.inside {
		r.element(inner, f)
	}
}

// use takes a clone: what it refers to, drawn where the clone is.
func (r *reader) use(e *element, f frame) {
	name, ok := strings.CutPrefix(strings.TrimSpace(e.value("href")), "#")
	target := r.ids[name]
	switch {
	case !ok || target == nil:
		r.Notef(r.at, "the clone (use) of %s is passed over: nothing in the file has this id", text.Quote(e.value("href")))
		return
	case slices.Contains(f.clones, target):
		r.fail("the clone (use) of %s holds itself", text.Quote(name))
	case len(f.clones) == text.MaxDepth:
		r.fail("clones (use) lie more than %d deep in one another", text.MaxDepth)
	}
	f.toWorld = f.toWorld.After(r.corner(e, f))
	if target.name == "symbol" || target.name == "svg" {
		w := r.number(e, f, "width")
		r.viewport(target, w, r.number(e, f, "height"), &f)
	}
	if len(f.clones) == 0 {
		f.id = e.value("id")
	}
	f.clones = append(slices.Clip(f.clones), target)
	r.show(target, f)
}

// corner returns the move to an element's x and y.
func (r *reader) corner(e *element, f frame) plan.Affine {
	x := r.number(e, f, "x")
	return plan.Affine{1, 0, 0, 1, x, r.number(e, f, "y")}
}

// viewport fits what is inside of a symbol, or of a drawing in the drawing, into a width and a
// height, in the middle and in proportion, as far as its viewBox asks for that. 0 is that of the
// element itself, or else that of what is around.
func (r *reader) viewport(e *element, w, h float64, f *frame) {
	own := r.number(e, *f, "width")
	w, h = cmp.Or(w, own, f.size[0]), cmp.Or(h, r.number(e, *f, "height"), f.size[1])
	f.size = mgl64.Vec2{w, h}
	if e.value("viewBox") == "" || r.Err != nil {
		return
	}
	box := r.viewBox(e)
	f.size = mgl64.Vec2{box[2], box[3]}
	w, h = cmp.Or(w, box[2]), cmp.Or(h, box[3])
	grow := [2]float64{w / box[2], h / box[3]}
	if !strings.HasPrefix(strings.TrimSpace(e.value("preserveAspectRatio")), "none") {
		least := min(grow[0], grow[1])
		grow = [2]float64{least, least}
	}
	f.toWorld = f.toWorld.After(plan.Affine{
		grow[0], 0, 0, grow[1],
		float64((w-float64(grow[0]*box[2]))/2) - float64(grow[0]*box[0]), float64((h-float64(grow[1]*box[3]))/2) - float64(grow[1]*box[1]),
	})
}

// viewBox reads x, y, width and height.
func (r *reader) viewBox(e *element) (box [4]float64) {
	s := scanner{text: e.value("viewBox")}
	for i := range box {
		box[i] = s.number()
	}
	if s.err != nil || !(box[2] > 0 && box[3] > 0) {
		r.Fail(e.at, "viewBox=%s: four numbers are needed, x y width height, the last two above 0", text.Quote(e.value("viewBox")))
	}
	return box
}

// number returns an attribute that is a length, 0 where it is not given.
func (r *reader) number(e *element, f frame, name string) float64 {
	v, err := attribute(e, f.size, name)
	if err != nil {
		r.fail("%s=%s of <%s>: %v", name, text.Quote(e.value(name)), e.name, err)
	}
	return v
}

func attribute(e *element, around mgl64.Vec2, name string) (float64, error) {
	value := e.value(name)
	if value == "" || value == "auto" {
		return 0, nil
	}
	whole := diagonal(around) // what a percentage is of
	switch name {
	case "x", "width", "cx", "rx", "x1", "x2":
		whole = around[0]
	case "y", "height", "cy", "ry", "y1", "y2":
		whole = around[1]
	}
	return length(value, whole)
}

// diagonal is what percentages are of that are neither along x nor along y (SVG 2, 8.9).
func diagonal(size mgl64.Vec2) float64 { return size.Len() / math.Sqrt2 }

// units has the user units of a unit of length: pixels, of which an inch has 96, and letters of the
// usual size.
var units = map[string]float64{
	"": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96.0 / 72, "pc": 16, "em": 16, "rem": 16, "ex": 8,
}

// length reads a length, in user units. A percentage is one of whole, 0 if that is not known.
func length(value string, whole float64) (float64, error) {
	s := scanner{text: value}
	v := s.number()
	unit := strings.ToLower(strings.TrimSpace(s.text))
	factor, ok := units[unit]
	switch {
	case s.err != nil:
		return 0, s.err
	case unit == "%" && whole > 0:
		return v / 100 * whole, nil
	case unit == "%":
		return 0, errors.New("what it is a part of has no size: give a viewBox")
	case !ok:
		return 0, fmt.Errorf("%s is no unit: px, mm, cm, in, pt, pc and %% are", text.Quote(unit))
	}
	return v * factor, nil
}
