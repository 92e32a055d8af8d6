package formats

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats/plan"
)

// hall is one place drawn in both formats: 20 m by 10 m, a wall with an opening, a pillar, an exit
// line and a corner to go to, agents that start in a rectangle.
var hall = map[*Format]string{
	GeoJSON: `{"type": "FeatureCollection", "features": [
  {"type": "Feature", "properties": {"role": "domain"}, "geometry": {"type": "Polygon", "coordinates": [[[0,0],[20,0],[20,10],[0,10],[0,0]]]}},
  {"type": "Feature", "id": "wall", "properties": {}, "geometry": {"type": "MultiPolygon", "coordinates": [
     [[[8,-2],[9,-2],[9,4],[8,4],[8,-2]]], [[[8,6],[9,6],[9,10],[8,10],[8,6]]]]}},
  {"type": "Feature", "properties": null, "geometry": {"type": "Polygon", "coordinates": [
     [[12,2],[16,2],[16,6],[12,6],[12,2]], [[13,3],[15,3],[15,5],[13,5],[13,3]]]}},
  {"type": "Feature", "properties": {"role": "exit", "id": "out"}, "geometry": {"type": "LineString", "coordinates": [[19.5,2,7],[19.5,8,7]]}},
  {"type": "Feature", "properties": {"class": "main goal", "id": "out"}, "geometry": {"type": "Point", "coordinates": [18,9]}},
  {"type": "Feature", "properties": {"role": "nothing"}, "geometry": null},
  {"type": "Feature", "properties": {"name": "spawn west", "count": 7, "id": "west"}, "geometry": {"type": "Polygon", "coordinates": [[[1,1],[5,1],[5,9],[1,9],[1,1]]]}}
]}`,
	SVG: `<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" viewBox="0 0 20 10">
  <defs><rect width="3" height="3"/></defs>
  <g id="wall-layer">
    <path id="wall" d="M8,6v6h1V6z m0-2V0H9v4Z"/>
    <path d="m12 8 4,0 0-4-4 0z m1-1h2v-2h-2z"/>
  </g>
  <g inkscape:label="Exits" transform="translate(20) scale(-1, 1)">
    <line id="out" x1="0.5" y1="8" x2=".5" y2="2"/>
  </g>
  <g class="goal"><path id="out" d="M18 1h0.5"/></g>
  <rect display="none" width="5" height="5"/>
  <text>exit</text>
  <rect id="west" class="spawn" data-count="7" x="1" y="1" width="4" height="8"/>
</svg>`,
}

func TestSketches(t *testing.T) {
	for format, file := range hall {
		t.Run(format.Name, func(t *testing.T) {
			s, _, err := Import(format, "some/hall.x", []byte(file), Options{})
			if err != nil {
				t.Fatal(err)
			}
			sameAgain(t, s)
			g, area, piece := groundOf(t, s)
			// The walls without what leaves the domain, and the pillar, whose inside is out of reach.
			if want := 200.0 - 4 - 4 - 16 + 4; s.Domain != (scenes.Rect{0, 0, 20, 10}) || math.Abs(area-want) > areaSlack(g) {
				t.Errorf("domain %v, free area %v, want %v", s.Domain, area, want)
			}
			at := func(x, y float64) int { return piece[g.Locate(g.Lattice.Snap(mgl64.Vec2{x, y}))] }
			if at(2, 2) != at(18, 2) || at(2, 2) == at(14, 4) || g.Free(g.Lattice.Snap(mgl64.Vec2{8.5, 2})) || !g.Free(g.Lattice.Snap(mgl64.Vec2{8.5, 5})) {
				t.Error("the wall has no opening, or the pillar no inside of its own")
			}
			if len(s.Goals) != 1 || s.Goals[0].ID != "out" || !reflect.DeepEqual(s.Goals[0].Segments[0], scenes.Segment{{19.5, 2}, {19.5, 8}}) {
				t.Errorf("goals %+v", s.Goals)
			}
			if len(s.Groups) != 1 || s.Groups[0].Count != 7 || s.Groups[0].ID != "west" || *s.Groups[0].Spawn.Rect != (scenes.Rect{1, 1, 5, 9}) || s.Groups[0].Itinerary[0] != "out" {
				t.Errorf("groups %+v", s.Groups)
			}
			if s.Obstacles[0].ID != "wall" {
				t.Errorf("the first obstacle is %+v", s.Obstacles[0])
			}
			again, _, err := Import(format, "some/hall.x", []byte(file), Options{})
			if err != nil || !reflect.DeepEqual(again, s) {
				t.Errorf("the same file gave another scene: %v", err)
			}
		})
	}
}

// TestSketchForms: each form of a shape in each role.
func TestSketchForms(t *testing.T) {
	svg := func(inside string) *scenes.Scene {
		t.Helper()
		s, _, err := Import(SVG, "a", []byte(`<svg width="100px" height="50">`+inside+`</svg>`), Options{})
		if err != nil {
			t.Fatalf("%s: %v", inside, err)
		}
		return s
	}
	same := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	s := svg(`<circle class="exit" cx="10" cy="10" r="3"/><circle class="start" cx="30" cy="20" r="4"/><circle cx="60" cy="20" r="5"/>
		<g transform="rotate(90 80 20)"><ellipse cx="80" cy="20" rx="6" ry="2"/></g>`)
	same("domain", s.Domain, scenes.Rect{0, 0, 100, 50})
	same("a circle to go to", s.Goals[0].Points, []mgl64.Vec2{{10, 40}})
	same("its radius", s.Goals[0].ArrivalRadius, 3.0)
	same("a circle to start in", *s.Groups[0].Spawn.Circle, scenes.Disc{Center: mgl64.Vec2{30, 30}, Radius: 4})
	same("a round obstacle", *s.Obstacles[0].Circle, scenes.Circle{Center: mgl64.Vec2{60, 30}, Radius: 5, Sides: 32})
	if box := plan.BoxOf(s.Obstacles[1].Outline); math.Abs(box[2]-box[0]-4) > 1e-6 || math.Abs(box[3]-box[1]-12) > 1e-6 {
		t.Errorf("the turned ellipse lies in %v", box) // rounded to 1e-6
	}

	s = svg(`<polyline class="goal" points="1,5 5 5,5 1"/><polygon id="goal two" points="20 20 30 20 30 30"/>
		<path class="spawn" d="M40 10h5v5h-5z"/><path d="M60 10h9v9h-9zm3 3v3h3v-3z"/>`)
	same("a line to go to", s.Goals[0].Segments, []scenes.Segment{{{1, 45}, {5, 45}}, {{5, 45}, {5, 49}}})
	same("an outline to go to", s.Goals[1].Segments, []scenes.Segment{{{20, 30}, {30, 30}}, {{30, 30}, {30, 20}}, {{30, 20}, {20, 30}}})
	same("a path to start in", *s.Groups[0].Spawn.Rect, scenes.Rect{40, 35, 45, 40})
	same("a path with a hole", len(s.Obstacles[0].Holes), 1)
	s = svg(`<path class="spawn" d="M40 10h5v5z"/><rect class="none" width="100" height="50"/>`)
	same("a triangle to start in", s.Groups[0].Spawn.Polygon, []mgl64.Vec2{{40, 40}, {45, 40}, {45, 35}})
	same("what is left out", len(s.Obstacles), 0)

	s, _, err := Import(GeoJSON, "a", []byte(`{"type": "GeometryCollection", "geometries": [
		{"type": "MultiPoint", "coordinates": [[1, 1], [2, 3]]}, {"type": "MultiLineString", "coordinates": [[[4, 4], [6, 4]], [[0, 0], [0, 9], [9, 9]]]}]}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	same("domain", s.Domain, scenes.Rect{0, 0, 9, 9})
	same("points to go to", s.Goals[0].Points, []mgl64.Vec2{{1, 1}, {2, 3}})
	same("goals", len(s.Goals), 3)
	same("lines to go to", s.Goals[2].Segments, []scenes.Segment{{{0, 0}, {0, 9}}, {{0, 9}, {9, 9}}})

	// Walkable ground: the rest of its bounding box is obstacles, and an obstacle on it stays one.
	s, _, err = Import(GeoJSON, "a", []byte(`{"type": "FeatureCollection", "features": [
		{"type": "Feature", "properties": {"role": "walkable"}, "geometry": {"type": "Polygon", "coordinates": [[[0,0],[10,0],[10,4],[4,4],[4,10],[0,10],[0,0]]]}},
		{"type": "Feature", "properties": {"role": "obstacle"}, "geometry": {"type": "Polygon", "coordinates": [[[1,1],[2,1],[2,2],[1,2],[1,1]]]}}]}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if g, area, _ := groundOf(t, s); math.Abs(area-63) > areaSlack(g) {
		t.Errorf("the free area is %v, want 63", area)
	}
}

// TestEmptyGeometries: what has no coordinates is passed over with a note, in every type, and a
// feature without a geometry without one.
func TestEmptyGeometries(t *testing.T) {
	const polygon = `{"type": "Polygon", "coordinates": [[[1,1],[9,1],[9,9],[1,9],[1,1]], [[2,2],[8,2],[8,8],[2,8],[2,2]]]}`
	want, _, err := Import(GeoJSON, "a", []byte(polygon), Options{Units: plan.UnitsMetres})
	if err != nil {
		t.Fatal(err)
	}
	for geometry, note := range map[string]bool{
		`null`: false, `{"type": "GeometryCollection", "geometries": []}`: false,
		`{"type": "Polygon", "coordinates": []}`: true, `{"type": "Polygon", "coordinates": [[]]}`: true, `{"type": "MultiPolygon", "coordinates": [[], [[]]]}`: true,
		`{"type": "Point", "coordinates": []}`: true, `{"type": "MultiPoint", "coordinates": []}`: true,
		`{"type": "LineString", "coordinates": []}`: true, `{"type": "MultiLineString", "coordinates": [[]]}`: true,
	} {
		file := `{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": null, "geometry": ` + geometry + `}, {"type": "Feature", "geometry": ` + polygon + `}]}`
		s, notes, err := Import(GeoJSON, "a", []byte(file), Options{Units: plan.UnitsMetres})
		if err != nil || !reflect.DeepEqual(s, want) || (len(notes) == 1) != note {
			t.Errorf("%s: %v, %v", geometry, err, notes)
		}
	}
}

// refusedSketches are malformed drawings. A « stands before the place that the error names.
var refusedSketches = []refusal{
	{GeoJSON, "«[1, 2]", "GeoJSON object"},
	{GeoJSON, `{"type": "Feature"«`, "no valid JSON"},
	{GeoJSON, `«{"kind": 3}`, "type is missing"},
	{GeoJSON, `{"type": «"Blob"}`, "no type of GeoJSON"},
	{GeoJSON, `«{"type": "Point"}`, "coordinates is missing"},
	{GeoJSON, `{"type": "Point", "coordinates": «[1]}`, "two numbers"},
	{GeoJSON, `{"type": "Point", "coordinates": [1, «"2"]}`, "a number"},
	{GeoJSON, `{"type": "LineString", "coordinates": «[[1, 2], [1, 2]]}`, "two distinct"},
	{GeoJSON, `{"type": "Polygon", "coordinates": [«[[0, 0], [1, 0], [1, 1]]]}`, "not closed"},
	{GeoJSON, `«{"type": "Polygon", "coordinates": [[[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]]}`, "intersect"},
	{GeoJSON, `«{"type": "FeatureCollection", "features": []}`, "nothing is drawn"},
	{GeoJSON, `{"type": "Feature", "properties": {"role": "wall"}, "geometry": «{"type": "Point", "coordinates": [1, 2]}}`, "an inside"},
	{GeoJSON, `{"type": "Feature", "properties": {"role": "spawn"}, "geometry": «{"type": "LineString", "coordinates": [[1, 2], [3, 4]]}}`, "people start"},
	{GeoJSON, `{"type": "Feature", "properties": {"role": "spawn", "count": «"many"}, "geometry": {"type": "Point", "coordinates": [1, 2]}}`, "count="},
	{GeoJSON, `{"type": "Feature", "properties": {"role": "spawn", "count": «1.5}, "geometry": {"type": "Point", "coordinates": [1, 2]}}`, "count="},
	{GeoJSON, `{"type": "Feature", "properties": {"clearance": «-1}, "geometry": {"type": "Point", "coordinates": [1, 2]}}`, "clearance="},
	{GeoJSON, `{"type": "Feature", "properties": {"arrivalRadius": «0}, "geometry": {"type": "Point", "coordinates": [1, 2]}}`, "arrivalRadius="},
	{GeoJSON, `{"type": "MultiPoint", "crs": {"properties": {"name": "EPSG:4326"}}, "coordinates": [[1, 2], «[3, 91]]}`, "longitude and latitude"},
	{SVG, "«", "no <svg>"},
	{SVG, "«<html/>", "<svg> is needed"},
	{SVG, "<svg><rect>«</svg>", "XML"},
	{SVG, `«<svg viewBox="0 0 0 1"/>`, "viewBox"},
	{SVG, `<svg viewBox="0 0 1 1">«<rect width="x"/></svg>`, "a number is needed"},
	{SVG, `<svg viewBox="0 0 1 1">«<rect width="NaN"/></svg>`, "a number is needed"},
	{SVG, `<svg viewBox="0 0 1 1">«<rect width="1e999"/></svg>`, "a number is needed"},
	{SVG, `<svg viewBox="0 0 1 1">«<rect width="3furlongs"/></svg>`, `"furlongs" is no unit`},
	{SVG, `<svg>«<rect width="3%"/></svg>`, "give a viewBox"},
	{SVG, `<svg viewBox="0 0 9 9">«<rect x="1e306" width="3" height="3"/></svg>`, "out of range"},
	{SVG, `<svg viewBox="0 0 9 9"><g transform="scale(1e200)">«<path d="M1 1H1e200V3z"/></g></svg>`, "out of range"},
	{SVG, `<svg viewBox="0 0 9 9">«<line x1="3" x2="5" stroke="red" stroke-width="1e308"/></svg>`, "out of range"},
	{SVG, `<svg viewBox="0 0 9 9">«<circle cx="1e20" r="3"/></svg>`, "out of range"},
	{SVG, `<svg viewBox="0 0 9 9">«<circle r="1e17"/></svg>`, "out of range"},
	{SVG, `<svg viewBox="0 0 9 9">«<rect x="1e20" width="3" height="3"/></svg>`, "out of range"},
	{SVG, `<svg viewBox="0 0 9 9">«<rect class="exit" x="1e20" width="3" height="3"/></svg>`, "out of range"},
	{SVG, `<svg viewBox="0 0 9 9">«<polygon points="-1e17 0 0 -1e17 1e17 1e16"/></svg>`, "out of range"},
	{SVG, `<svg viewBox="0 0 9 9"><rect class="domain" width="1e-4" height="1e-4"/>«<path d="M-1e9 -2e9L2e9 1e9H-1e9z"/></svg>`, "out of range"},
	{SVG, `<svg><rect width="9" height="9"/>«<line x1="1" y1="1" x2="2" y2="2" stroke="red" stroke-width="1e20"/></svg>`, "out of range"},
	{GeoJSON, `{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"role": "domain"}, "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9], [0, 0]]]}}, {"type": "Feature", "properties": {"role": "wall"}, "geometry": «{"type": "Polygon", "coordinates": [[[-1e17, -1e16], [1e17, 1e16], [0, 9], [-1e17, -1e16]]]}}]}`, "out of range"},
	{SVG, `<svg viewBox="0 0 9 9">«<line x1="3" x2="5" stroke="red" stroke-width="-1"/></svg>`, "stroke-width"},
	{SVG, `<svg viewBox="0 0 9 9">«<path d="M1 1A1 1 0 0 1 1e306 3V9z"/></svg>`, "out of range"},
	{SVG, `«<svg viewBox="0 0 1e300 1e300"><rect width="1e299" height="1e299"/></svg>`, "domain[2]: 1e+300 is too large"},
	{SVG, `<svg viewBox="0 0 9 9">` + "\n" + `«<path d="M0 0L1"/></svg>`, "number is needed"},
	{SVG, `<svg viewBox="0 0 9 9">«<g transform="turn(3)"/></svg>`, "transform"},
	{SVG, `<svg viewBox="0 0 9 9">«<polygon points="0 0 2 2 2 0 0 2"/></svg>`, "intersect"},
	{SVG, `<svg viewBox="0 0 9 9">«<polyline class="wall" points="1 1 5 1"/></svg>`, "needs a shape with an inside"},
	{SVG, `<svg viewBox="0 0 9 9">«<rect width="3" height="3" stroke-width="wide"/></svg>`, "stroke-width"},
	{SVG, `<svg viewBox="0 0 9 9">«<rect width="3" height="3" class="spawn" data-count="many"/></svg>`, "data-count"},
	{SVG, `<svg viewBox="0 0 9 9">«<circle r="3" class="exit" data-clearance="-1"/></svg>`, "data-clearance"},
	{SVG, `<svg viewBox="0 0 9 9"><g id="a">«<use href="#a"/></g></svg>`, "holds itself"},
	{SVG, `<svg viewBox="0 0 9 9"/>«<svg/>`, "a second element"},
	{SVG, `<svg viewBox="0 0 9 9">«<line class="spawn" x1="1" y1="1" x2="5" y2="1"/></svg>`, "people start"},
	{SVG, `<svg viewBox="0 0 9 9">«<path class="spawn" d="M1 1h6v6h-6zm2 2v2h2v-2z"/></svg>`, "people start"},
	{SVG, `«<svg viewBox="0 0 9 9"><rect width="9" height="9"/></svg>`, "no free ground"},
	{SVG, `«<svg/>`, "nothing is drawn"},
}

// sketches are the formats of drawings.
var sketches = []*Format{GeoJSON, SVG, DXF}

func sketch(f *Format) uint8 { return uint8(slices.Index(sketches, f)) }

func TestSketchesRefused(t *testing.T) { refuses(t, refusedSketches) }
func FuzzSketch(f *testing.F) {
	for format, file := range hall {
		f.Add(sketch(format), []byte(file))
	}
	for _, c := range refusedSketches {
		f.Add(sketch(c.format), []byte(strings.Replace(c.file, "«", "", 1)))
	}
	f.Add(sketch(SVG), []byte(`<?xml version="1.0" encoding="latin1"?><!DOCTYPE svg [<!ENTITY a "&b;&#65;"><!ENTITY b "1">]><svg viewBox="0 0 20 10">
		<g transform="rotate(30)"><path d="M-3 &a;h9v7h-9zm1 1v2h3v-2zm4 1v3h3v-3z"/></g><circle r="20%"/><polyline points="1 1 30 4 5 -5" fill="none" stroke="red"/></svg>`))
	f.Add(sketch(DXF), []byte(floorDXF))
	f.Add(sketch(SVG), utf16Of(hall[SVG], true))
	f.Fuzz(func(t *testing.T, format uint8, data []byte) {
		s, _, err := Import(sketches[int(format)%len(sketches)], "fuzz", data, Options{})
		var e *Error
		switch {
		case err == nil:
			sameAgain(t, s)
		case !errors.As(err, &e) || s != nil:
			t.Fatalf("scene %v, error %v", s, err)
		}
	})
}
