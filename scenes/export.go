package scenes

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// Export writes a scene in another format: what of it the format can say, which
// Import reads again. Obstacles are those that are present at time 0, where they
// are then.
//
// As WKT the walkable ground is written, as JuPedSim means it: one polygon with
// holes, or several. As GeoJSON domain, obstacles, goals with their clearance and
// arrival radius, and spawns in rectangles or on points are features with a role;
// round obstacles are polygons. Its member crs is null: coordinates are metres of
// a plane that is nowhere on the globe.
// Any other format is an error.
func Export(format Format, s *Scene) ([]byte, error) {
	var out strings.Builder
	var err error
	switch format {
	case WKT:
		err = exportWKT(&out, s)
	case GeoJSON:
		exportGeoJSON(&out, s)
	default:
		err = fmt.Errorf("scenes: a scene cannot be exported as %q: as %q or %q", format, WKT, GeoJSON)
	}
	return []byte(out.String()), err
}

// present returns the obstacles of the scene's beginning, with their ids.
func present(s *Scene) (list []geom.Polygon, ids []string) {
	for _, o := range s.Obstacles {
		if o.PresentAt(0) {
			list, ids = append(list, o.PolygonAt(0)), append(ids, o.ID)
		}
	}
	return list, ids
}

func exportWKT(out *strings.Builder, s *Scene) error {
	obstacles, _ := present(s)
	free, err := outside(obstacles, s.Domain)
	if err != nil {
		return fmt.Errorf("scenes: the free ground cannot be found: %s", plain(err))
	}
	ring := func(r geom.Ring) string { return "(" + positions(closed(r), " ", ", ", "") + ")" }
	texts := make([]string, len(free))
	for i, p := range free {
		rings := []string{ring(p.Outer)}
		for _, h := range p.Holes {
			rings = append(rings, ring(h))
		}
		texts[i] = "(" + strings.Join(rings, ", ") + ")"
	}
	switch len(texts) {
	case 0:
		out.WriteString("POLYGON EMPTY\n")
	case 1:
		out.WriteString("POLYGON " + texts[0] + "\n")
	default:
		out.WriteString("MULTIPOLYGON (" + strings.Join(texts, ", ") + ")\n")
	}
	return nil
}

// closed returns a ring's vertices with the first again at the end.
func closed(r geom.Ring) []mgl64.Vec2 { return append(slices.Clone(r), r[0]) }

// positions writes points: between numbers, between points, and "[" or nothing
// around each.
func positions(points []mgl64.Vec2, within, between, open string) string {
	texts := make([]string, len(points))
	for i, v := range points {
		texts[i] = digits(v[0]) + within + digits(v[1])
		if open != "" {
			texts[i] = "[" + texts[i] + "]"
		}
	}
	return strings.Join(texts, between)
}

// digits is the shortest decimal that reads back as the same number.
func digits(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// feature is a GeoJSON feature to be written, on a line of its own.
type feature struct{ kind, coordinates, role, id, more string }

func exportGeoJSON(out *strings.Builder, s *Scene) {
	list := func(points []mgl64.Vec2) string { return "[" + positions(points, ", ", ", ", "[") + "]" }
	area := func(p geom.Polygon) string {
		rings := []string{list(closed(p.Outer))}
		for _, h := range p.Holes {
			rings = append(rings, list(closed(h)))
		}
		return "[" + strings.Join(rings, ", ") + "]"
	}
	rect := func(r *Rect) string { return area(Obstacle{Rect: r}.Polygon()) }

	features := []feature{{"Polygon", rect(&s.Domain), "domain", "", ""}}
	obstacles, ids := present(s)
	for i, p := range obstacles {
		features = append(features, feature{"Polygon", area(p), "obstacle", ids[i], ""})
	}
	usual := records[reflect.TypeFor[Goal]()].blank.Interface().(Goal)
	for _, g := range s.Goals {
		more := ""
		if g.Clearance != usual.Clearance {
			more += `, "clearance": ` + digits(g.Clearance)
		}
		if g.ArrivalRadius != usual.ArrivalRadius {
			more += `, "arrivalRadius": ` + digits(g.ArrivalRadius)
		}
		if len(g.Points) > 0 {
			features = append(features, feature{"MultiPoint", list(g.Points), "goal", g.ID, more})
		}
		for _, line := range g.Segments {
			features = append(features, feature{"LineString", list(line[:]), "goal", g.ID, more})
		}
	}
	for _, g := range s.Groups {
		f := feature{role: "spawn", id: g.ID, more: `, "count": ` + strconv.Itoa(g.Count)}
		switch {
		case g.Spawn.Rect != nil:
			f.kind, f.coordinates = "Polygon", rect(g.Spawn.Rect)
		case g.Spawn.Points != nil:
			f.kind, f.coordinates = "MultiPoint", list(g.Spawn.Points)
		default:
			continue // discs, rings and grids have no form in GeoJSON that says what they are
		}
		features = append(features, f)
	}
	out.WriteString("{\"type\": \"FeatureCollection\", \"crs\": null, \"features\": [\n")
	for i, f := range features {
		id := ""
		if f.id != "" {
			id = `, "id": ` + quote(f.id)
		}
		end := ",\n"
		if i == len(features)-1 {
			end = "\n"
		}
		fmt.Fprintf(out, `  {"type": "Feature", "properties": {"role": %q%s%s}, "geometry": {"type": %q, "coordinates": %s}}%s`, f.role, id, f.more, f.kind, f.coordinates, end)
	}
	out.WriteString("]}\n")
}
