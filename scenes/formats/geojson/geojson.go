package geojson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"
	simple "github.com/peterstace/simplefeatures/geom"
	"github.com/tailscale/hujson"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats/plan"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// Format is GeoJSON.
var Format = plan.Format{
	Name: "geojson", Ending: ".geojson", Geographic: true, Read: read, Write: write,
	Help: `features with a property role, and clearance and arrivalRadius of goals. Degrees of longitude and latitude are projected to meters
around the middle of the file; what coordinates are taken for is noted, and --units says otherwise.`,
}

func read(in *plan.Source) *scenes.Scene {
	file := text.File{Data: bytes.Clone(in.Data)}
	root, words, fatal := file.Parse()
	if len(words) > 0 {
		fatal = &words[0]
	}
	if fatal != nil {
		in.Fail(fatal.Offset, "%s", fatal.Message)
		return nil
	}
	r := &reader{Sketch: &plan.Sketch{Source: in}}
	r.decide(&root)
	r.object(&root, nil)
	// Maps of towns are full of trees and lanes without a role.
	called := r.HasGoals()
	for _, s := range r.unsaid {
		if called {
			r.Notef(s.At, "points and lines without a role are passed over, since others are called goals")
			continue
		}
		r.Notef(s.At, "points and lines without a role are goals: a property role says otherwise")
		r.Add(s)
	}
	if r.Err != nil {
		return nil
	}
	return r.Scene()
}

type reader struct {
	*plan.Sketch
	globe  *globe       // of coordinates in degrees; nil: they are meters
	unsaid []plan.Shape // points and lines without a role
}

// textOf returns a member that is a string or a number, or "".
func textOf(node *hujson.Value, name string) string {
	if m := text.Member(node, name); m != nil {
		if lit, ok := m.Value.(hujson.Literal); ok && lit.Kind() == '"' {
			return lit.String()
		} else if ok && lit.Kind() == '0' {
			return string(lit)
		}
	}
	return ""
}

// elements returns the elements of a list.
func (r *reader) elements(node *hujson.Value) []hujson.Value {
	if a, ok := node.Value.(*hujson.Array); ok {
		return a.Elements
	}
	r.Fail(node.StartOffset, "a list is needed here")
	return nil
}

// each calls do with the elements of a list until something fails.
func (r *reader) each(list *hujson.Value, do func(*hujson.Value)) {
	elements := r.elements(list)
	for i := 0; i < len(elements) && r.Err == nil; i++ {
		do(&elements[i])
	}
}

// object reads a GeoJSON object; feature is the one that it is the geometry of.
func (r *reader) object(node, feature *hujson.Value) {
	if node.Value.Kind() != '{' {
		r.Fail(node.StartOffset, "a GeoJSON object is needed here: {\"type\": ...}")
	}
	kind, list := textOf(node, "type"), "coordinates"
	switch kind {
	case "FeatureCollection":
		list = "features"
	case "GeometryCollection":
		list = "geometries"
	}
	m := text.Member(node, list)
	switch {
	case r.Err != nil:
	case list == "coordinates" && m != nil && empty(m):
		r.Notef(node.StartOffset, "an empty geometry is passed over")
	case kind == "":
		r.Fail(node.StartOffset, "the field type is missing: FeatureCollection, Feature, Polygon, ...")
	case kind == "Feature":
		// Without a geometry it has no place.
		if geometry := text.Member(node, "geometry"); geometry != nil && geometry.Value.Kind() != 'n' {
			r.object(geometry, node)
		}
	case !slices.Contains(kinds, kind):
		r.Fail(text.Member(node, "type").StartOffset, "%s is no type of GeoJSON", text.Quote(kind))
	case m == nil:
		r.Fail(node.StartOffset, "the field %s is missing", list)
	default:
		r.geometry(kind, m, node.StartOffset, feature)
	}
}

// kinds are the types of GeoJSON but for Feature.
var kinds = []string{"FeatureCollection", "GeometryCollection", "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"}

// geometry reads the coordinates of a geometry at an offset, or the objects of a collection.
func (r *reader) geometry(kind string, m *hujson.Value, at int, feature *hujson.Value) {
	s := plan.Shape{At: at}
	switch kind {
	case "Point":
		s.Points = []mgl64.Vec2{r.position(m)}
	case "MultiPoint":
		r.each(m, func(p *hujson.Value) { s.Points = append(s.Points, r.position(p)) })
	case "LineString":
		s.Line = r.line(m)
	case "MultiLineString":
		r.each(m, func(line *hujson.Value) {
			if !empty(line) {
				r.geometry("LineString", line, line.StartOffset, feature)
			}
		})
		return
	case "Polygon":
		s.Polygons = []geom.Polygon{r.polygon(m)}
	case "MultiPolygon":
		r.each(m, func(p *hujson.Value) {
			if !empty(p) {
				s.Polygons = append(s.Polygons, r.polygon(p))
			}
		})
	default:
		r.each(m, func(inner *hujson.Value) { r.object(inner, feature) })
		return
	}
	if r.Err == nil {
		r.take(s, feature)
	}
}

// empty reports whether a value is a list of nothing, or of such lists: RFC 7946 lets geometries
// have no coordinates.
func empty(node *hujson.Value) bool {
	list, ok := node.Value.(*hujson.Array)
	return ok && !slices.ContainsFunc(list.Elements, func(v hujson.Value) bool { return !empty(&v) })
}

// take adds a shape with what its feature says about it.
func (r *reader) take(s plan.Shape, feature *hujson.Value) {
	said := false
	if s.Role = plan.RoleGoal; s.Polygons != nil {
		s.Role, said = plan.RoleObstacle, true
	}
	if feature != nil {
		s.ID = textOf(feature, "id")
		if properties := text.Member(feature, "properties"); properties != nil {
			said = r.properties(properties, &s) || said
		}
	}
	switch {
	case r.Err != nil:
	case said:
		r.Add(s)
	default:
		r.unsaid = append(r.unsaid, s)
	}
}

// properties takes what a feature says about its shape, and reports whether that is a role.
func (r *reader) properties(node *hujson.Value, s *plan.Shape) (said bool) {
	given := func(name string, take func(at int, value string)) {
		if m := text.Member(node, name); m != nil && m.Value.Kind() != 'n' {
			take(m.StartOffset, textOf(node, name))
		}
	}
	role, at := textOf(node, "role"), node.StartOffset
	given("role", func(m int, word string) {
		if at = m; word == "" {
			r.Notef(at, "a role is a word, such as %q: without one the shape is taken as %s", plan.RoleObstacle, s.Role)
		}
	})
	s.Role, said = r.RoleIn(at, role, s.Role, role, textOf(node, "class"), textOf(node, "layer"), textOf(node, "type"), textOf(node, "name"))
	s.ID = cmp.Or(textOf(node, "id"), s.ID)
	given("count", func(at int, value string) { s.Count = r.Count(at, "count", value) })
	given("clearance", func(at int, value string) { s.Clearance = r.Clearance(at, "clearance", value) })
	given("arrivalRadius", func(at int, value string) {
		radius := r.Number(at, "arrivalRadius", value, "meters above 0 are", func(v float64) bool { return v >= text.Smallest && v <= text.Largest })
		s.ArrivalRadius = &radius
	})
	return said
}

func (r *reader) position(node *hujson.Value) (v mgl64.Vec2) {
	list := r.elements(node)
	if len(list) < 2 {
		r.Fail(node.StartOffset, "a position of two numbers is needed")
		return v
	}
	for i := range v {
		lit, ok := list[i].Value.(hujson.Literal)
		if !ok || lit.Kind() != '0' {
			r.Fail(list[i].StartOffset, "a number is needed here")
		}
		var err error
		if v[i], err = strconv.ParseFloat(string(lit), 64); err != nil {
			r.Fail(list[i].StartOffset, "the number is out of range")
		}
	}
	if r.globe == nil {
		return v.Mul(r.Options.Meters())
	}
	if math.Abs(v[0]) > 360 || math.Abs(v[1]) > 90 {
		r.Fail(node.StartOffset, "%s is no longitude and latitude in degrees, up to 180 and 90: if coordinates are meters, choose units metres", scenes.ShowPoint(v))
	}
	return r.globe.project(v)
}

// line reads positions, at least two.
func (r *reader) line(node *hujson.Value) (points []mgl64.Vec2) {
	r.each(node, func(p *hujson.Value) {
		if v := r.position(p); len(points) == 0 || v != points[len(points)-1] {
			points = append(points, v)
		}
	})
	if len(points) < 2 {
		r.Fail(node.StartOffset, "a line needs two distinct positions")
	}
	return points
}

// polygon reads rings, whose first and last positions are the same.
func (r *reader) polygon(node *hujson.Value) (p geom.Polygon) {
	var rings []geom.Ring
	r.each(node, func(ring *hujson.Value) {
		line := r.line(ring)
		last := len(line) - 1
		if r.Err == nil && line[0] != line[last] {
			r.Fail(ring.StartOffset, "the ring is not closed: its last position has to be its first, %s", scenes.ShowPoint(line[0]))
		}
		rings = append(rings, slices.Clip(line[:max(last, 0)]))
	})
	if r.Err == nil {
		p = geom.Polygon{Outer: rings[0], Holes: rings[1:]}
	}
	return p
}

// feature is a GeoJSON feature.
type feature struct {
	Type       string          `json:"type"`
	Properties properties      `json:"properties"`
	Geometry   simple.Geometry `json:"geometry"`
}

type properties struct {
	Role          plan.Role `json:"role"`
	ID            string    `json:"id,omitempty"`
	Count         *int      `json:"count,omitempty"`
	Clearance     float64   `json:"clearance,omitempty"`
	ArrivalRadius float64   `json:"arrivalRadius,omitempty"`
}

// write writes domain, obstacles, goals with their clearance and arrival radius, and spawns in
// rectangles or on points as features with a role; round obstacles are polygons. The member crs is
// null: coordinates are meters of a plane that is nowhere on the globe.
func write(s *scenes.Scene) (data []byte, lost []string, err error) {
	var out bytes.Buffer
	before := "{\"type\": \"FeatureCollection\", \"crs\": null, \"features\": [\n"
	add := func(p properties, g simple.Geometry) {
		line, e := json.Marshal(feature{"Feature", p, g})
		if err == nil {
			err = e
		}
		out.WriteString(before + "  " + string(line))
		before = ",\n"
	}
	area := func(p geom.Polygon) simple.Geometry { return plan.PolygonOf(p).AsGeometry() }
	points := func(list []mgl64.Vec2) simple.Geometry {
		var flat []float64
		for _, v := range list {
			flat = append(flat, v[0], v[1])
		}
		return simple.NewMultiPointXY(flat...).AsGeometry()
	}
	add(properties{Role: plan.RoleDomain}, area(s.Domain.Polygon()))
	for _, o := range s.Obstacles {
		if o.PresentAt(0) {
			add(properties{Role: plan.RoleObstacle, ID: o.ID}, area(o.PolygonAt(0)))
		}
	}
	usual := scenes.Default[scenes.Goal]()
	for _, g := range s.Goals {
		p := properties{Role: plan.RoleGoal, ID: g.ID, Clearance: g.Clearance}
		if g.ArrivalRadius != usual.ArrivalRadius {
			p.ArrivalRadius = g.ArrivalRadius
		}
		if len(g.Points) > 0 {
			add(p, points(g.Points))
		}
		for _, segment := range g.Segments {
			add(p, plan.LineOf(segment[:]).AsGeometry())
		}
	}
	for _, g := range s.Groups {
		p := properties{Role: plan.RoleSpawn, ID: g.ID, Count: &g.Count}
		switch {
		case g.Spawn.Rect != nil:
			add(p, area(g.Spawn.Rect.Polygon()))
		case g.Spawn.Points != nil:
			add(p, points(g.Spawn.Points))
		}
	}
	out.WriteString("\n]}\n")
	return out.Bytes(), unsaid(s), err
}

// unsaid lists what an export leaves out of a scene.
func unsaid(s *scenes.Scene) (lost []string) {
	timed, round, walks := 0, 0, false
	for _, o := range s.Obstacles {
		if o.Timed() {
			timed++
		}
	}
	for _, g := range s.Groups {
		if g.Spawn.Rect == nil && g.Spawn.Points == nil {
			round++
		}
		walks = walks || len(g.Itinerary) != 1 || g.Itinerary[0] != s.Goals[0].ID
	}
	leave := func(left bool, format string, args ...any) {
		if left {
			lost = append(lost, fmt.Sprintf(format, args...))
		}
	}
	leave(walks, "itineraries")
	leave(len(s.Profiles) != 1 || !reflect.DeepEqual(s.Profiles[0], scenes.DefaultProfile()), "profiles")
	leave(round > 0, "groups that start in circles, rings or grids (%d)", round)
	leave(timed > 0, "when obstacles open and move (%d)", timed)
	return lost
}
