package scenes

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/tailscale/hujson"

	"github.com/wayfront/wayfront/engine/geom"
)

// readGeoJSON reads features (RFC 7946) in planar coordinates, metres. What a
// feature stands for is said by its property role, or else class, layer, type or
// name: the first of these with a word of roleWords in it. Polygons without a role
// are obstacles, points and lines are goals. A property count says how many people
// a spawn has, id names the shape.
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
	g := &geoReader{sketch: &sketch{source: in}}
	if err := g.object(&root, nil); err != nil {
		return nil, err
	}
	return g.content(nil)
}

type geoReader struct{ *sketch }

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
		err = each("coordinates", func(p *hujson.Value) error { return g.polygon(p, &s) })
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

// take adds a shape with what its feature says about it.
func (g *geoReader) take(s shape, feature *hujson.Value) error {
	s.role = roleGoal
	if s.polygons != nil {
		s.role = roleObstacle
	}
	if feature != nil {
		s.id = textOf(feature, "id")
		if properties := member(feature, "properties"); properties != nil {
			for _, name := range []string{"role", "class", "layer", "type", "name"} {
				if r, ok := roleOf(textOf(properties, name)); ok {
					s.role = r
					break
				}
			}
			if id := textOf(properties, "id"); id != "" {
				s.id = id
			}
			s.count, _ = strconv.Atoi(textOf(properties, "count"))
		}
	}
	return g.add(s)
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
	return v, nil
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
	if len(rings) == 0 {
		return g.wrong(node.StartOffset, "the polygon has no ring")
	}
	s.polygons = append(s.polygons, geom.Polygon{Outer: rings[0], Holes: rings[1:]})
	return nil
}
