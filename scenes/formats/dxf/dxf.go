package dxf

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats/plan"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// Format is DXF.
var Format = plan.Format{
	Name: "dxf", Ending: ".dxf", Read: read, Layered: true,
	Help: `lines, polylines, circles, arcs, ellipses, solids, points and blocks of model space, as ASCII. A layer's name or --layer says the
role of what lies on it. Layers without one are left out, or are walls where no layer has one. Lines are walls 2 cm thick, or as wide as a polyline says;
solids are filled. All lines of a layer of goals are one goal. The unit is the file's ($INSUNITS), or what --scale says.`,
}

// wallWidth is the width of walls that are drawn by lines without one, meters: plans draw the faces
// of walls, which it moves by a centimeter into the room.
const wallWidth = 0.02

// units are the meters of the values of $INSUNITS.
var units = map[string]float64{
	"1": 0.0254, "2": 0.3048, "3": 1609.344, "4": 0.001, "5": 0.01, "6": 1, "7": 1000, "8": 2.54e-8, "9": 2.54e-5, "10": 0.9144, "13": 1e-6, "14": 0.1,
}

// reader draws the entities of a drawing until its first error.
type reader struct {
	plan.Sketch
	layers map[string]*layer // by their names in small letters
	blocks map[string]*block
	named  bool // something is on a layer with a role
	left   int  // entities that may still be drawn
}

// layer is a layer that the file names.
type layer struct {
	name   string
	hidden bool
	role   plan.Role
	said   bool // the user or its name says the role
}

type block struct {
	base     mgl64.Vec2
	entities []record
}

// mostEntities is the number of entities that a drawing may have, each insertion of a block counted
// anew: a block of blocks of blocks has no bounds.
const mostEntities = 1 << 20

// frame is what an insertion hands down.
type frame struct {
	toWorld plan.Affine
	layer   *layer   // that of entities on layer 0; nil: that one
	blocks  []string // that are being inserted, the innermost last
}

func read(in *plan.Source) *scenes.Scene {
	r := &reader{Sketch: plan.Sketch{Source: in}, layers: map[string]*layer{}, blocks: map[string]*block{}, left: mostEntities}
	all := records(in)
	scale, entities := r.sections(all)
	if in.Err == nil && entities == nil {
		in.Fail(0, "there is no section ENTITIES: the file is no drawing in DXF")
	}
	if in.Options.Scale != 0 {
		scale = in.Options.Scale
	} else if scale == 0 {
		scale = 1
		in.Notef(0, "the file does not name its unit ($INSUNITS), which counts as a meter: --scale 0.001 takes it as a millimeter")
	}
	r.name(all)
	if r.draw(entities, frame{toWorld: plan.Affine{scale, 0, 0, scale}}); in.Err != nil {
		return nil
	}
	return r.Scene()
}

// sections takes layers and blocks, and returns the unit in meters, 0 where it is not known, and the
// entities of the drawing, nil where there is no section of them.
func (r *reader) sections(all []record) (scale float64, entities []record) {
	section, open := "", (*block)(nil)
	for i, e := range all {
		switch {
		case e.kind == "SECTION":
			section = e.value(2)
			if section == "HEADER" {
				scale = unitOf(e)
			} else if section == "ENTITIES" {
				entities = []record{}
			}
		case e.kind == "ENDSEC":
			section = ""
		case section == "TABLES" && e.kind == "LAYER":
			const frozen = 1
			off := strings.HasPrefix(e.value(62), "-") // as colors below 0 say
			r.layers[strings.ToLower(e.value(2))] = &layer{name: e.value(2), hidden: off || r.flag(&all[i], 70, frozen)}
		case section == "BLOCKS" && e.kind == "BLOCK":
			open = &block{base: r.point(&all[i], 10)}
			r.blocks[strings.ToLower(e.value(2))] = open
		case section == "BLOCKS" && e.kind == "ENDBLK":
			open = nil
		case section == "BLOCKS" && open != nil:
			open.entities = append(open.entities, e)
		case section == "ENTITIES":
			entities = append(entities, e)
		}
	}
	return scale, entities
}

// unitOf is the unit that a header names, meters; 0 where it names none.
func unitOf(header record) float64 {
	for i, g := range header.groups {
		if g.code == 9 && g.value == "$INSUNITS" && i+1 < len(header.groups) {
			return units[header.groups[i+1].value]
		}
	}
	return 0
}

// name gives the layers that are named anywhere their roles.
func (r *reader) name(all []record) {
	for i := range all {
		if name := all[i].value(8); name != "" && r.layers[strings.ToLower(name)] == nil {
			r.layers[strings.ToLower(name)] = &layer{name: name}
		}
	}
	for _, l := range r.layers {
		l.role, l.said = plan.RoleOf(l.name)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Options.Layers)) {
		l := r.layers[strings.ToLower(name)]
		if l == nil {
			var names []string
			for _, l := range r.layers {
				names = append(names, l.name)
			}
			slices.Sort(names)
			r.Fail(0, "the file has no layer %s: %s", text.Quote(name), text.Suggest(name, names))
			return
		}
		l.role, l.said = r.Options.Layers[name], true
	}
	for _, l := range r.layers {
		r.named = r.named || l.said && l.role != plan.RoleNone
	}
}

// draw draws entities where they are shown.
func (r *reader) draw(entities []record, f frame) {
	for i := range entities {
		if r.Err != nil {
			return
		}
		e := &entities[i]
		if r.left--; r.left < 0 {
			r.Fail(e.at, "with all its blocks the drawing has more than %d entities", mostEntities)
			return
		}
		on := r.layers[strings.ToLower(e.value(8))]
		if on == nil {
			on = &layer{} // the file names none
		}
		if on.name == "0" && f.layer != nil {
			on = f.layer
		}
		if on.hidden || e.value(67) == "1" || e.value(60) == "1" {
			continue // turned off, in paper space, or invisible
		}
		m, level := r.plane(e, f.toWorld)
		if !level {
			r.Notef(e.at, "what lies in another plane than that of the ground is left out")
			continue
		}
		if e.kind == "INSERT" {
			r.insert(e, frame{m, on, f.blocks})
			continue
		}
		vertices := entities[i+1:]
		if end := slices.IndexFunc(vertices, func(v record) bool { return v.kind != "VERTEX" }); end >= 0 {
			vertices = vertices[:end]
		}
		lines, filled, drawn := r.outline(e, vertices, m)
		if !drawn {
			continue
		}
		shape := plan.Shape{At: e.at, Role: plan.RoleObstacle}
		if on.said {
			shape.Role = on.role
		}
		if shape.Role == plan.RoleGoal {
			shape.ID = on.name
		}
		switch starts := shape.Role == plan.RoleSpawn; {
		case e.kind == "POINT" && !starts && shape.Role != plan.RoleGoal: // a mark
		case !on.said && r.named:
			r.Notef(e.at, "what lies on layer %s is left out, as its name says no role: --layer '%s=wall' takes it", text.Quote(on.name), on.name)
		default:
			if starts && e.kind != "POINT" {
				r.Notef(e.at, "one agent starts in an area of a drawing, which has no numbers: count in the scene says how many")
			}
			r.add(e, shape, lines, filled, m)
		}
	}
}

// plane is the map to the world from the coordinates of an entity. Its normal points up, or down:
// then x is mirrored, but of entities that have coordinates of the world.
func (r *reader) plane(e *record, m plan.Affine) (plan.Affine, bool) {
	x, y, z := r.number(e, 210, 0), r.number(e, 220, 0), r.number(e, 230, 1)
	worldly := e.kind == "LINE" || e.kind == "POINT" || e.kind == "ELLIPSE"
	const level = 1e-6 // of rounding in a file of six digits
	switch {
	case worldly:
		return m, true
	case math.Abs(x)+math.Abs(y) > level*math.Abs(z):
		return m, false
	case z < 0:
		return m.After(plan.Affine{-1, 0, 0, 1, 0, 0}), true
	}
	return m, true
}

// insert draws a block where it is inserted, in rows and columns.
func (r *reader) insert(e *record, f frame) {
	name := strings.ToLower(e.value(2))
	b := r.blocks[name]
	switch {
	case b == nil:
		r.Notef(e.at, "a block is left out: the file has none that is called %s", text.Quote(e.value(2)))
		return
	case slices.Contains(f.blocks, name):
		r.Fail(e.at, "the block %s holds itself", text.Quote(e.value(2)))
	case len(f.blocks) == text.MaxDepth:
		r.Fail(e.at, "blocks lie more than %d deep in one another", text.MaxDepth)
	}
	at, sin, cos := r.point(e, 10), 0., 1.
	if turn := r.number(e, 50, 0); turn != 0 {
		sin, cos = math.Sincos(turn * math.Pi / 180)
	}
	kx, ky := r.number(e, 41, 1), r.number(e, 42, 1)
	columns, rows := max(1, r.number(e, 70, 1)), max(1, r.number(e, 71, 1))
	if columns*rows > float64(r.left) {
		r.Fail(e.at, "with all its blocks the drawing has more than %d entities", mostEntities)
	}
	turned := plan.Affine{cos, sin, -sin, cos, at[0], at[1]}
	blocks := append(slices.Clip(f.blocks), name)
	for row := range int(rows) {
		for column := range int(columns) {
			if r.Err != nil {
				return
			}
			r.left--
			move := plan.Affine{1, 0, 0, 1, float64(column) * r.number(e, 44, 0), float64(row) * r.number(e, 45, 0)}
			own := plan.Affine{kx, 0, 0, ky, -kx * b.base[0], -ky * b.base[1]}
			r.draw(b.entities, frame{f.toWorld.After(turned).After(move).After(own), f.layer, blocks})
		}
	}
}

// add adds the shape of an entity as its role says.
func (r *reader) add(e *record, s plan.Shape, lines []plan.Line, filled bool, m plan.Affine) {
	grow, similar := m.Similar()
	switch {
	case r.Err != nil:
	case e.kind == "POINT":
		s.Points = r.Placed(s.At, m, lines[0].Points, false)
		r.Add(s)
	case e.kind == "CIRCLE" && similar && (s.Role == plan.RoleGoal || s.Role == plan.RoleSpawn):
		s.Disc = r.Disc(s.At, m, r.point(e, 10), grow*r.number(e, 40, 0))
		r.Add(s)
	case s.Role != plan.RoleObstacle || filled:
		r.AddLines(s, lines, m)
	default:
		width := wallWidth
		if code, ok := widthCodes[e.kind]; ok {
			if w := math.Abs(grow * r.number(e, code, 0)); w > 0 {
				width = w
			}
		}
		for _, l := range lines {
			l.Points = r.Placed(s.At, m, l.Points, l.Closed)
			r.AddStrokes(s, l.Stroke(width, false), plan.Affine{1, 0, 0, 1})
		}
	}
}

// widthCodes are the codes of the width that a line has all along, by the kind of its entity.
var widthCodes = map[string]int{"LWPOLYLINE": 43, "POLYLINE": 40}
