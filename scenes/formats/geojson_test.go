package formats

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats/plan"
)

// TestGeoUnits: what coordinates are taken for, and that it is said.
func TestGeoUnits(t *testing.T) {
	square := func(crs string, x, y, side float64) string {
		return fmt.Sprintf(`{"type": "FeatureCollection", %s "features": [
			{"type": "Feature", "properties": {"role": "domain", "bbox": [0, 0, 900, 900]}, "geometry": {"type": "Polygon", "coordinates": [[[%[2]v,%[3]v],[%[4]v,%[3]v],[%[4]v,%[5]v],[%[2]v,%[5]v],[%[2]v,%[3]v]]]}}]}`,
			crs, x, y, x+side, y+side)
	}
	named := func(name string) string { return `"crs": {"type": "name", "properties": {"name": "` + name + `"}},` }
	const degree = 111200.0
	for _, c := range []struct {
		file  string
		units Units
		wide  float64 // along y
		note  string
	}{
		{square("", 8.54, 47.37, 0.01), plan.UnitsAuto, 0.01 * degree, "taken as degrees (as meters"},
		{square("", 8.54, 47.37, 0.01), plan.UnitsDegrees, 0.01 * degree, "taken as degrees and"},
		{square("", 8.54, 47.37, 0.01), plan.UnitsMetres, 0.01, ""},
		{square("", 0, 0, 40), plan.UnitsAuto, 40, "taken as meters"},
		{square(`"crs": null,`, 0, 0, 40), plan.UnitsAuto, 40, ""},
		{square("", 0, 0, 40), plan.UnitsMetres, 40, ""},
		{square("", 500, 100, 40), plan.UnitsAuto, 40, ""},
		{square("", 2600000, 1200000, 40), plan.UnitsAuto, 40, ""},
		{square(named("urn:ogc:def:crs:OGC:1.3:CRS84"), 8.54, 47.37, 0.01), plan.UnitsAuto, 0.01 * degree, "as crs says"},
		{square(named("urn:ogc:def:crs:OGC:1.3:CRS84"), 8.54, 47.37, 0.01), plan.UnitsMetres, 0.01, ""},
		{square(named("EPSG:4326"), 8.5, 47, 2), plan.UnitsAuto, 2 * degree, "project it before"},
		{square(named("urn:ogc:def:crs:EPSG::2056"), 2600000, 1200000, 40), plan.UnitsAuto, 40, "EPSG::2056"},
		{square(named("EPSG:25832"), 50, 50, 0.5), plan.UnitsAuto, 0.5, "EPSG:25832"},
	} {
		s, notes, err := Import(GeoJSON, "a", []byte(c.file), Options{Units: c.units})
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		// Degrees of latitude differ by a percent between the equator and the poles.
		if got := s.Domain[3] - s.Domain[1]; math.Abs(got-c.wide) > 0.01*c.wide {
			t.Errorf("%s %s: %v m high, want %v", c.units, c.file, got, c.wide)
		}
		if said := fmt.Sprint(notes); c.note == "" && len(notes) > 0 || !strings.Contains(said, c.note) {
			t.Errorf("%s %s: notes %v, want %q", c.units, c.file, said, c.note)
		}
	}
}

// TestGeoRoles checks that an unknown role is noted, once, with the one that was perhaps meant.
func TestGeoRoles(t *testing.T) {
	feature := func(properties string, x float64) string {
		return fmt.Sprintf(`{"type": "Feature", "properties": {%s}, "geometry": {"type": "Polygon", "coordinates": [[[%[2]v,0],[%[3]v,0],[%[3]v,1],[%[2]v,1],[%[2]v,0]]]}}`,
			properties, x, x+1)
	}
	file := `{"type": "FeatureCollection", "crs": null, "features": [` + strings.Join([]string{
		feature(`"role": "domain"`, 0), feature(`"role": "gaol"`, 3), feature(`"role": "tree"`, 4), feature(`"role": "tree"`, 6),
		feature(`"role": "tree", "class": "exit"`, 8), feature(`"role": 7`, 9), feature(`"role": true`, 9), feature(`"role": null, "class": "tree"`, 9),
	}, ",\n") + `]}`
	file = strings.Replace(file, "[1,0],[1,1]", "[20,0],[20,9]", 1)
	file = strings.Replace(file, "[0,1]", "[0,9]", 1)
	_, notes, err := Import(GeoJSON, "a", []byte(file), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		`a:2:44: note: "gaol" is no role, and the shape is taken as obstacle: did you mean "goal"?`,
		`a:3:44: note: "tree" is no role, and the shape is taken as obstacle: allowed are "obstacle", "goal", "spawn", "walkable", "domain", "none" (here and in 1 more places)`,
		`a:5:44: note: "tree" is no role, and the shape is taken as goal: allowed are "obstacle", "goal", "spawn", "walkable", "domain", "none"`,
		`a:6:44: note: "7" is no role,`,
		`a:7:44: note: a role is a word, such as "obstacle": without one`,
	} {
		if i >= len(notes) || !strings.HasPrefix(notes[i].String(), want) {
			t.Errorf("note %d of\n%v\nwant %s", i, notes, want)
		}
	}
	if len(notes) != 5 {
		t.Errorf("%d notes", len(notes))
	}
	unsaid := `{"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": [[9, 9], [0, 9]]}},
		{"type": "Feature", "properties": null, "geometry": {"type": "Point", "coordinates": [1, 4]}}`
	for more, want := range map[string]string{
		"": "a:1:107: note: points and lines without a role are goals: a property role says otherwise (here and in 1 more places)",
		`, {"type": "Feature", "properties": {"role": "exit"}, "geometry": {"type": "Point", "coordinates": [1, 1]}},
			{"type": "Feature", "properties": {"role": "wall"}, "geometry": {"type": "Polygon", "coordinates": [[[3, 3], [4, 3], [4, 4], [3, 3]]]}}`: "a:1:107: note: points and lines without a role are passed over, since others are called goals (here and in 1 more places)",
	} {
		s, notes, err := Import(GeoJSON, "a", []byte(`{"type": "FeatureCollection", "crs": null, "features": [`+unsaid+more+`]}`), Options{})
		if err != nil || len(notes) != 1 || notes[0].String() != want {
			t.Errorf("notes %v, %v, want %s", notes, err, want)
			continue
		}
		if goals := len(s.Goals); more == "" && (goals != 2 || s.Domain != (scenes.Rect{0, 4, 9, 9})) || more != "" && (goals != 1 || s.Domain != (scenes.Rect{1, 1, 4, 4})) {
			t.Errorf("%d goals, domain %v", goals, s.Domain)
		}
	}
}
