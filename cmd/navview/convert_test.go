package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
	"github.com/wayfront/wayfront/scenes/scenestest"
)

// hall is walkable ground with a pillar, and beside an L-shaped outside.
const hall = "POLYGON ((0 0, 10 0, 10 4,\n 4 4, 4 10, 0 10, 0 0), (1 1, 1 3, 3 3, 3 1, 1 1))"

// corridor is a grid of 3 m by 2 m with one blocked cell, at the top left.
const corridor = "type octile\nheight 2\nwidth 3\nmap\n@..\n...\n"

// TestConvert: what is written is canonical, can be read by the other verbs, and answers as the
// file's ground must.
func TestConvert(t *testing.T) {
	in := writtenFile(t, "hall.wkt", hall)
	out := filepath.Join(t.TempDir(), "hall.json")
	if a := navview(t, "convert", in, out).done(t); a.stdout != "" {
		t.Errorf("standard output: %q", a.stdout)
	}
	scene, err := scenes.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	again, err := scene.Encode()
	if err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != string(again) || scene.Name != "hall" || scene.Domain != (scenes.Rect{0, 0, 10, 10}) {
		t.Errorf("not canonical, or another scene:\n%s", written)
	}
	if a := navview(t, "validate", out).done(t); a.stdout != "" {
		t.Errorf("validate: %s", a.stdout)
	}
	piped := call{args: []string{"convert", "-", "-", "--from", "wkt", "--goal", "0.5,9"}, stdin: hall}.run(t).done(t)
	// Round the inner corner at 4, 4: and not through the outside.
	a := call{args: []string{"query", writtenFile(t, "l.json", piped.stdout), "--points", "-"}, stdin: "0.5 4\n9 9\n2 2\n"}.run(t).done(t)
	if a.stdout != "x,y,distance,parent_x,parent_y\n0.5,4,5,0.5,9\n9,9,nan,,\n2,2,nan,,\n" {
		t.Errorf("got\n%s", a.stdout)
	}
}

func TestConvertGrid(t *testing.T) {
	in := writtenFile(t, "corridor.map", corridor)
	a := navview(t, "convert", in, "-", "--goal=2.5,0.5").done(t)
	want := `{
  "version": 1,
  "name": "corridor",
  "domain": [0, 0, 3, 2],
  "obstacles": [
    {"polygon": [[1, 1], [1, 2], [0, 2], [0, 1]]}
  ],
  "goals": [
    {"id": "goal", "points": [[2.5, 0.5]]}
  ],
  "profiles": [
    {"id": "default"}
  ]
}
`
	if a.stdout != want {
		t.Errorf("got\n%s", a.stdout)
	}
}

// TestConvertDrawing: a drawing becomes a scene with its goal, --goal replaces that, and the scene
// is exported and read again.
func TestConvertDrawing(t *testing.T) {
	in := writtenFile(t, "plan.svg", `<svg viewBox="0 0 20 10"><rect x="8" y="0" width="1" height="6"/><circle class="exit" id="out" cx="18" cy="5" r="1"/></svg>`)
	folder := t.TempDir()
	out := func(name string) string { return filepath.Join(folder, name) }
	goalOf := func(name string) scenes.Goal {
		s, err := builtin.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		return s.Goals[0]
	}
	navview(t, "convert", in, out("plan.json")).done(t)
	if g := goalOf(out("plan.json")); g.ID != "out" || g.Points[0] != (mgl64.Vec2{18, 5}) || g.ArrivalRadius != 1 {
		t.Errorf("goal %+v", g)
	}
	navview(t, "convert", in, out("moved.json"), "--goal", "2,2").done(t)
	if g := goalOf(out("moved.json")); g.Points[0] != (mgl64.Vec2{2, 2}) {
		t.Errorf("goal %+v", g)
	}
	navview(t, "convert", out("plan.json"), out("plan.geojson")).done(t)
	navview(t, "convert", out("plan.geojson"), out("again.json")).done(t)
	if g := goalOf(out("again.json")); g.ID != "out" || g.Points[0] != (mgl64.Vec2{18, 5}) {
		t.Errorf("goal %+v", g)
	}
	navview(t, "convert", out("plan.json"), out("plan.wkt")).done(t)
	if text, err := os.ReadFile(out("plan.wkt")); err != nil || !strings.HasPrefix(string(text), "POLYGON((") {
		t.Errorf("%s, %v", text, err)
	}
}

// dxfRoom is a drawing of a room with a door, in meters.
const dxfRoom = "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n" +
	"0\nLWPOLYLINE\n8\nRoom\n70\n1\n10\n0\n20\n0\n10\n8\n20\n0\n10\n8\n20\n4\n10\n0\n20\n4\n0\nLINE\n8\nDoor\n10\n7\n20\n1\n11\n7\n21\n2\n0\nENDSEC\n0\nEOF\n"

// TestConvertLayers: layers of a drawing are what --layer says.
func TestConvertLayers(t *testing.T) {
	a := call{args: []string{"convert", "-", "-", "--from", "dxf", "--layer", "room=walkable", "--layer", "Door=exit"}, stdin: dxfRoom}.run(t).done(t)
	s := scenestest.Read(t, "a", a.stdout)
	if s.Domain != (scenes.Rect{0, 0, 8, 4}) || len(s.Obstacles) != 0 || s.Goals[0].ID != "Door" || s.Goals[0].Segments[0] != (scenes.Segment{{7, 1}, {7, 2}}) {
		t.Errorf("domain %v, obstacles %v, goals %+v", s.Domain, s.Obstacles, s.Goals)
	}
}

// TestConvertScale: units of a file are as long as --scale says.
func TestConvertScale(t *testing.T) {
	a := navview(t, "convert", writtenFile(t, "corridor.map", corridor), "-", "--scale", "0.4").done(t)
	s := scenestest.Read(t, "a", a.stdout)
	if near := s.Domain[2] - 1.2; math.Abs(near) > 1e-9 || len(s.Obstacles) != 1 {
		t.Errorf("domain %v, obstacles %v", s.Domain, s.Obstacles)
	}
}

// TestConvertTellsWhatIsLost: an export says what of the scene it does not hold, and nothing where
// it holds all.
func TestConvertTellsWhatIsLost(t *testing.T) {
	for scene, want := range map[string]string{
		`{"version": 1, "domain": [0, 0, 9, 9], "goals": [{"points": [[1, 1]], "clearance": 0.3}], "groups": [{"spawn": {"points": [[2, 2]]}}]}`: "",
		`{"version": 1, "domain": [0, 0, 9, 9], "goals": [{"id": "a", "points": [[1, 1]]}, {"id": "b", "points": [[8, 8]]}], "profiles": [{"radius": 0.2}],
			"obstacles": [{"rect": [4, 4, 5, 5], "open": [[3, 4]]}, {"rect": [6, 4, 7, 5]}], "groups": [{"count": 2, "spawn": {"circle": {"center": [3, 3], "radius": 2}}, "itinerary": ["b"]}]}`: "navview: left out, since geojson has no form for it: itineraries; profiles; groups that start in circles, rings or grids (1); when obstacles open and move (1)\n",
	} {
		in := writtenFile(t, "scene.json", scene)
		a := navview(t, "convert", in, filepath.Join(t.TempDir(), "out.geojson"))
		if a.status != statusDone || a.stderr != want {
			t.Errorf("exit status %d, standard error %q, want %q", a.status, a.stderr, want)
		}
		if a := navview(t, "convert", in, filepath.Join(t.TempDir(), "out.wkt")); a.status != statusDone || a.stderr != "" {
			t.Errorf("as wkt: exit status %d, standard error %q", a.status, a.stderr)
		}
	}
}

// TestConvertUnits: the unit of coordinates is a note on standard error, and can be given.
func TestConvertUnits(t *testing.T) {
	in := writtenFile(t, "block.geojson", `{"type": "Polygon", "coordinates": [[[8.54, 47.37], [8.541, 47.37], [8.54, 47.371], [8.54, 47.37]]]}`)
	for units, want := range map[string]float64{"auto": 111.2, "degrees": 111.2, "metres": 0.001} {
		a := navview(t, "convert", in, "-", "--units", units)
		s := scenestest.Read(t, "a", a.stdout)
		// A degree's length differs by a percent over the globe.
		if high := s.Domain[3] - s.Domain[1]; math.Abs(high-want) > 0.01*want {
			t.Errorf("--units %s: %v m high, want %v", units, high, want)
		}
		if noted := strings.Contains(a.stderr, in+":1:1: note: coordinates are taken as degrees"); noted != (units != "metres") {
			t.Errorf("--units %s: %q", units, a.stderr)
		}
		prefixed(t, a.stderr)
	}
}

func TestConvertFailures(t *testing.T) {
	in := writtenFile(t, "hall.wkt", hall)
	torn := writtenFile(t, "torn.wkt", "POLYGON ((0 0, 1 0,\n 1 north, 0 0))")
	for name, c := range map[string]struct {
		call
		status int
		want   []string
	}{
		"no ending":         {call{args: []string{"convert", "-", "-"}, stdin: hall}, statusUsage, []string{"--from"}},
		"a scene to import": {call{args: []string{"convert", "plaza", "-"}}, statusUsage, []string{"plaza is a scene by its name", "exported to .wkt or .geojson only"}},
		"a scene to itself": {call{args: []string{"convert", "in.json", "in.json"}}, statusUsage, []string{"exported to .wkt or .geojson only"}},
		"unknown ending":    {call{args: []string{"convert", "hall.dwg", "-"}}, statusUsage, []string{"hall.dwg", "--from wkt"}},
		"unknown format":    {call{args: []string{"convert", in, "-", "--from", "dwg"}}, statusUsage, []string{"movingai"}},
		"no scene":          {call{args: []string{"convert", in, "hall.txt"}}, statusUsage, []string{"hall.txt", ".json"}},
		"no output":         {call{args: []string{"convert", in}}, statusUsage, []string{"out"}},
		"a goal to export":  {call{args: []string{"convert", room, "a.wkt", "--goal", "3,4"}}, statusUsage, []string{"--goal"}},
		"units of wkt":      {call{args: []string{"convert", in, "-", "--units", "degrees"}}, statusUsage, []string{"--units is for geojson"}},
		"layers of wkt":     {call{args: []string{"convert", in, "-", "--layer", "a=wall"}}, statusUsage, []string{"--layer is for dxf"}},
		"role of a layer":   {call{args: []string{"convert", "-", "-", "--from", "dxf", "--layer", "a=tree"}, stdin: dxfRoom}, statusUsage, []string{"tree", "is no role"}},
		"layer not there":   {call{args: []string{"convert", "-", "-", "--from", "dxf", "--layer", "Rom=wall"}, stdin: dxfRoom}, statusFailed, []string{"did you mean \"Room\"?"}},
		"layers to export":  {call{args: []string{"convert", room, "a.wkt", "--layer", "a=wall"}}, statusUsage, []string{"--layer"}},
		"units to export":   {call{args: []string{"convert", room, "a.wkt", "--units", "metres"}}, statusUsage, []string{"--units"}},
		"no scale":          {call{args: []string{"convert", in, "-", "--scale", "-2"}}, statusUsage, []string{"--scale -2: meters above 0"}},
		"scale of degrees":  {call{args: []string{"convert", "-", "-", "--from", "geojson", "--units", "degrees", "--scale", "2"}, stdin: `{"type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]}`}, statusFailed, []string{"have no scale"}},
		"half a goal":       {call{args: []string{"convert", in, "-", "--goal", "3"}}, statusUsage, []string{"--goal 3", "two"}},
		"two goals":         {call{args: []string{"convert", in, "-", "--goal", "1,2\n3,4"}}, statusUsage, []string{"two finite numbers"}},
		"a goal outside":    {call{args: []string{"convert", in, "-", "--goal=-1,2"}}, statusUsage, []string{"outside the domain"}},
		"a goal in a wall":  {call{args: []string{"convert", in, "-", "--goal", "2,2"}}, statusUsage, []string{"interior of an obstacle"}},
		"no such file":      {call{args: []string{"convert", "nowhere.wkt", "-"}}, statusFailed, []string{"cannot read nowhere.wkt: no such file or directory: give"}},
		"no such folder":    {call{args: []string{"convert", in, filepath.Join("nowhere", "a.json")}}, statusFailed, []string{"cannot write"}},
		"a malformed file":  {call{args: []string{"convert", torn, "-"}}, statusFailed, []string{torn + ":2:4: ", "north"}},
		"the wrong format":  {call{args: []string{"convert", in, "-", "--from", "movingai"}}, statusFailed, []string{in + ":1:1: ", "header"}},
		"malformed and '-'": {call{args: []string{"convert", "-", "-", "--from", "movingai"}, stdin: corridor + "x"}, statusFailed, []string{"-:7:1: "}},
	} {
		t.Run(name, func(t *testing.T) {
			a := c.run(t)
			if a.status != c.status || a.stdout != "" {
				t.Errorf("exit status %d, standard output %q", a.status, a.stdout)
			}
			for _, want := range c.want {
				if !strings.Contains(a.stderr, want) {
					t.Errorf("no %q in\n%s", want, a.stderr)
				}
			}
			prefixed(t, a.stderr)
		})
	}
}

func TestConvertHelp(t *testing.T) {
	if a := navview(t, "convert", "--help").done(t); !strings.Contains(a.stdout, "Examples:") || !strings.Contains(a.stdout, "navview convert") {
		t.Errorf("no examples in\n%s", a.stdout)
	}
}
