package scenes

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/tailscale/hujson"

	"github.com/wayfront/wayfront/engine/geom"
)

// readGeoJSON reads features (RFC 7946), in metres of a plane or in degrees, which
// are projected (see geoReader.decide). What a
// feature stands for is said by its property role, or else class, layer, type or
// name: the first of these with a word of roleWords in it. Polygons without a role
// are obstacles, points and lines are goals if no others are called so. A property count says how many people
// a spawn has, clearance and arrivalRadius are a goal's, id names the shape.
func readGeoJSON(in *source) (*content, error) {
	data := bytes.Clone(in.data)
	words, fatal, _ := scan(data, len(data))
	if fatal == nil && len(words) > 0 {
		fatal = &words[0]
	}
	if fatal != nil {
		return nil, in.wrong(fatal.offset, "%s", fatal.message)
	}
	root, err := hujson.Parse(data)
	if err != nil {
		r := reader{file: in.file, data: data}
		return nil, in.wrong(r.parseOffset(err), "no valid JSON: %s", parseMessage(err))
	}
	g := &geoReader{sketch: newSketch(in)}
	if err := g.decide(&root); err != nil {
		return nil, err
	}
	if err := g.object(&root, nil); err != nil {
		return nil, err
	}
	if err := g.addUnsaid(); err != nil {
		return nil, err
	}
	return g.content(nil)
}

type geoReader struct {
	*sketch
	globe  *globe  // of coordinates in degrees; nil: they are metres
	unsaid []shape // points and lines without a role
}

// textOf returns a member that is a string or a number, or "".
func textOf(node *hujson.Value, name string) string {
	if m := member(node, name); m != nil {
		if lit, ok := m.Value.(hujson.Literal); ok && lit.Kind() == '"' {
			return lit.String()
		} else if ok && lit.Kind() == '0' {
			return string(lit)
		}
	}
	return ""
}

// list returns a member that is an array, or an error at its place.
func (g *geoReader) list(node *hujson.Value, name string) ([]hujson.Value, error) {
	m := member(node, name)
	if m == nil {
		return nil, g.wrong(node.StartOffset, "the field %s is missing", name)
	}
	return g.elements(m)
}

func (g *geoReader) elements(node *hujson.Value) ([]hujson.Value, error) {
	a, ok := node.Value.(*hujson.Array)
	if !ok {
		return nil, g.wrong(node.StartOffset, "a list is needed here")
	}
	return a.Elements, nil
}

// object reads a GeoJSON object; feature is the one that it is the geometry of.
func (g *geoReader) object(node, feature *hujson.Value) error {
	if node.Value.Kind() != '{' {
		return g.wrong(node.StartOffset, "a GeoJSON object is needed here: {\"type\": ...}")
	}
	each := func(name string, f func(*hujson.Value) error) error {
		list, err := g.list(node, name)
		for i := 0; i < len(list) && err == nil; i++ {
			err = f(&list[i])
		}
		return err
	}
	if m := member(node, "coordinates"); m != nil && empty(m) {
		g.remark(node.StartOffset, "an empty geometry is passed over")
		return nil
	}
	s := shape{at: node.StartOffset}
	var err error
	switch kind := textOf(node, "type"); kind {
	case "FeatureCollection":
		return each("features", func(f *hujson.Value) error { return g.object(f, nil) })
	case "Feature":
		geometry := member(node, "geometry")
		if geometry == nil || geometry.Value.Kind() == 'n' {
			return nil // a feature without a place
		}
		return g.object(geometry, node)
	case "GeometryCollection":
		return each("geometries", func(f *hujson.Value) error { return g.object(f, feature) })
	case "Point":
		if m := member(node, "coordinates"); m != nil {
			var v mgl64.Vec2
			v, err = g.position(m)
			s.points = []mgl64.Vec2{v}
		}
	case "MultiPoint":
		err = each("coordinates", func(p *hujson.Value) error {
			v, err := g.position(p)
			s.points = append(s.points, v)
			return err
		})
	case "LineString":
		s.line, err = g.line(member(node, "coordinates"))
	case "MultiLineString":
		return each("coordinates", func(p *hujson.Value) error {
			if empty(p) {
				return nil
			}
			one := s
			one.at = p.StartOffset
			one.line, err = g.line(p)
			if err != nil {
				return err
			}
			return g.take(one, feature)
		})
	case "Polygon":
		if m := member(node, "coordinates"); m != nil {
			err = g.polygon(m, &s)
		}
	case "MultiPolygon":
		err = each("coordinates", func(p *hujson.Value) error {
			if empty(p) {
				return nil
			}
			return g.polygon(p, &s)
		})
	case "":
		return g.wrong(node.StartOffset, "the field type is missing: FeatureCollection, Feature, Polygon, ...")
	default:
		return g.wrong(member(node, "type").StartOffset, "%s is no type of GeoJSON", excerpt([]byte(kind)))
	}
	if err != nil {
		return err
	}
	if s.points == nil && s.line == nil && s.polygons == nil {
		return g.wrong(node.StartOffset, "the geometry has no coordinates")
	}
	return g.take(s, feature)
}

// empty reports whether a value is a list of nothing, or of such lists: RFC 7946 lets geometries have
// no coordinates.
func empty(node *hujson.Value) bool {
	list, ok := node.Value.(*hujson.Array)
	return ok && !slices.ContainsFunc(list.Elements, func(v hujson.Value) bool { return !empty(&v) })
}

// take adds a shape with what its feature says about it.
func (g *geoReader) take(s shape, feature *hujson.Value) error {
	s.role = roleGoal
	if s.polygons != nil {
		s.role = roleObstacle
	}
	s.unsaid = true
	if feature != nil {
		s.id = textOf(feature, "id")
		if properties := member(feature, "properties"); properties != nil {
			if err := g.properties(properties, &s); err != nil {
				return err
			}
		}
	}
	if s.unsaid && s.polygons == nil {
		g.unsaid = append(g.unsaid, s)
		return nil
	}
	return g.add(s)
}

// addUnsaid takes the points and lines that have no role: as goals if the file has no others. Maps of towns are full of trees and
// lanes.
func (g *geoReader) addUnsaid() error {
	called := len(g.goals) > 0
	for _, s := range g.unsaid {
		if called {
			g.remark(s.at, "points and lines without a role are passed over, since others are called goals")
			continue
		}
		g.remark(s.at, "points and lines without a role are goals: a property role says otherwise")
		if err := g.add(s); err != nil {
			return err
		}
	}
	return nil
}

// properties takes what a feature says about its shape.
func (g *geoReader) properties(node *hujson.Value, s *shape) (err error) {
	for _, name := range []string{"role", "class", "layer", "type", "name"} {
		if r, ok := roleOf(textOf(node, name)); ok {
			s.role, s.unsaid = r, false
			break
		}
	}
	if m := member(node, "role"); m != nil && m.Value.Kind() != 'n' {
		if text := textOf(node, "role"); text == "" {
			g.remark(m.StartOffset, "a role is a word, such as %q: without one the shape is taken as %s", roleObstacle, s.role)
		} else if _, ok := roleOf(text); !ok {
			g.remark(m.StartOffset, "%s is no role, and the shape is taken as %s: %s", excerpt([]byte(text)), s.role, suggest(text, roleNames()))
		}
	}
	if id := textOf(node, "id"); id != "" {
		s.id = id
	}
	count, err := g.number(node, "count", "a whole number above 0", func(v float64) bool { return v >= 1 && v <= MaxAgents && v == math.Trunc(v) })
	if count != nil {
		s.count = int(*count)
	}
	if err == nil {
		s.clearance, err = g.number(node, "clearance", "metres, 0 or more,", func(v float64) bool { return v >= 0 && v <= largest })
	}
	if err == nil {
		s.arrival, err = g.number(node, "arrivalRadius", "metres above 0", func(v float64) bool { return v >= smallest && v <= largest })
	}
	return err
}

// number returns a member that is a number, also one in a string; nil if there is none.
func (g *geoReader) number(node *hujson.Value, name, want string, good func(float64) bool) (*float64, error) {
	m := member(node, name)
	if m == nil || m.Value.Kind() == 'n' {
		return nil, nil
	}
	v, err := strconv.ParseFloat(textOf(node, name), 64)
	if err != nil || !good(v) {
		return nil, g.wrong(m.StartOffset, "%s are needed as %s", want, name)
	}
	return &v, nil
}

func (g *geoReader) position(node *hujson.Value) (v mgl64.Vec2, err error) {
	list, err := g.elements(node)
	if err != nil {
		return v, err
	}
	if len(list) < 2 {
		return v, g.wrong(node.StartOffset, "a position of two numbers is needed")
	}
	for i := range v {
		lit, ok := list[i].Value.(hujson.Literal)
		if !ok || lit.Kind() != '0' {
			return v, g.wrong(list[i].StartOffset, "a number is needed here")
		}
		if v[i], err = strconv.ParseFloat(string(lit), 64); err != nil {
			return v, g.wrong(list[i].StartOffset, "the number is out of range")
		}
	}
	if g.globe == nil {
		return v.Mul(g.options.metres()), nil
	}
	if math.Abs(v[0]) > 360 || math.Abs(v[1]) > 90 {
		return v, g.wrong(node.StartOffset, "%s is no longitude and latitude in degrees, up to 180 and 90; of coordinates in metres say so", point(v))
	}
	return g.globe.project(v), nil
}

// line reads positions, at least two.
func (g *geoReader) line(node *hujson.Value) ([]mgl64.Vec2, error) {
	if node == nil {
		return nil, nil
	}
	list, err := g.elements(node)
	if err != nil {
		return nil, err
	}
	var points []mgl64.Vec2
	for i := range list {
		v, err := g.position(&list[i])
		if err != nil {
			return nil, err
		}
		if len(points) == 0 || v != points[len(points)-1] {
			points = append(points, v)
		}
	}
	if len(points) < 2 {
		return nil, g.wrong(node.StartOffset, "a line needs two distinct positions")
	}
	return points, nil
}

// polygon reads rings, whose first and last positions are the same.
func (g *geoReader) polygon(node *hujson.Value, s *shape) error {
	list, err := g.elements(node)
	if err != nil {
		return err
	}
	var rings []geom.Ring
	for i := range list {
		line, err := g.line(&list[i])
		if err != nil {
			return err
		}
		last := len(line) - 1
		if line[0] != line[last] {
			return g.wrong(list[i].StartOffset, "the ring is not closed: its last position has to be its first, %s", point(line[0]))
		}
		rings = append(rings, slices.Clone(line[:last]))
	}
	s.polygons = append(s.polygons, geom.Polygon{Outer: rings[0], Holes: rings[1:]})
	return nil
}
