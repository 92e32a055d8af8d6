package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/stage"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
)

type convertVerb struct {
	In    string   `arg:"" help:"The file to import, or the scene to export; - for standard input."`
	Out   string   `arg:"" help:"The scene to write, a .json, or the export, a .wkt or .geojson; - writes a scene to standard output."`
	From  string   `enum:"auto,wkt,movingai,geojson,svg" default:"auto" placeholder:"FORMAT" help:"What IN is: ${enum}. auto: by its ending, .wkt, .map, .geojson or .svg."`
	Units string   `enum:"auto,metres,degrees" default:"auto" help:"What the coordinates of geojson are: ${enum}. auto: as the file says, or as makes a ground to walk on."`
	Scale *float64 `placeholder:"METERS" help:"How long a unit of the file is: of its coordinates, or a cell of movingai. 1 if not given."`
	Goal  string   `placeholder:"X,Y" help:"Where the scene's one goal is, meters. If not given, as the file says, or else a place far from all walls."`
}

func (convertVerb) Help() string {
	return `Makes a scene of a file in another format, or the other way round. The domain is the bounding box of what the file
describes, if the file does not name one. What reaches out of the domain is cut at its border, and what lies outside is left out
with a note.

wkt: POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION. Polygons are walkable ground and their holes are obstacles, as in JuPedSim; of several
the union counts. movingai: the grids of the MovingAI benchmark; . G S are free, @ O T W are blocked, a cell is a square meter, and no
path leads between two blocked cells that touch in a corner.

geojson: features with a property role, and clearance and arrivalRadius of goals. Degrees of longitude and latitude are projected to meters
around the middle of the file; what coordinates are taken for is noted, and --units says otherwise.

svg: shapes whose class, layer or id, or that of a group around them, says the role; a user unit, which is a pixel, 1/96 inch, is a
meter, or what --scale says, and the sheet is the domain. What is filled is solid; of what is not filled the stroke is a wall of its width. Clones (use) count as what
they show; what is not displayed, texts and images are passed over.

Roles are obstacle (also wall, building), goal (exit), spawn (start), walkable and domain. Without one, polygons of geojson and all shapes
of svg are obstacles, and points and lines of geojson are goals if no others are called so. Where there is walkable ground the rest of
its bounding box is obstacles.

A scene needs a goal. Where neither the file nor --goal gives one it lies in the largest connected piece of free ground: of the
centroids of the triangles that the ground is divided into, the one farthest from walls.

Exported are the ground when the simulation starts, as wkt, and with geojson obstacles, goals and spawns too.

Examples:
  navview convert station.wkt station.json
  navview convert AR0011SR.map arena.json --goal 176.7,375
  navview convert plan.svg plan.json --scale 0.1
  navview convert square.geojson square.json --units degrees
  navview convert plaza plaza.geojson
  navview convert - - --from wkt --goal=-3,4 < hall.txt | navview render - -o hall.png`
}

// Validate checks the scale.
func (v convertVerb) Validate() error {
	if v.Scale != nil && !(*v.Scale >= 1e-12 && *v.Scale <= 1e12) { // false for NaN too
		return fmt.Errorf("--scale %v: meters above 0 are needed", *v.Scale)
	}
	return nil
}

func (v convertVerb) Run(s *console.Session) (err error) {
	ending, err := console.FormatOf(v.Out, ".json", ".wkt", ".geojson")
	if err != nil {
		return err
	}
	if ending != ".json" {
		return v.export(s)
	}
	format, err := v.format()
	if err != nil {
		return err
	}
	var goal *mgl64.Vec2
	if v.Goal != "" {
		p, ok := parsePoint(v.Goal)
		if !ok {
			return console.Usagef("--goal %s: two finite numbers are needed, as in --goal 3,4.5", console.Quoted(v.Goal))
		}
		goal = &p
	}
	defer console.NewProgress(s.Stderr, "convert", 0).Done()
	data, err := v.read(s.Stdin)
	if err != nil {
		return err
	}
	if v.Units != string(scenes.UnitsAuto) && format != scenes.GeoJSON {
		return console.Usagef("--units is for geojson: coordinates of %s are metres", format)
	}
	options := scenes.ImportOptions{Units: scenes.Units(v.Units)}
	if v.Scale != nil {
		options.Scale = *v.Scale
	}
	scene, notes, err := scenes.Import(format, v.In, data, options)
	if err != nil {
		var at *scenes.ImportError
		if errors.As(err, &at) {
			return fmt.Errorf("%s:%d:%d: %s", at.File, at.Line, at.Column, at.Message)
		}
		return err
	}
	for _, note := range notes {
		s.Note("%s", note)
	}
	if goal != nil {
		if err := moveGoal(scene, *goal); err != nil {
			return err
		}
	}
	document, err := scene.Encode()
	if err != nil {
		return err
	}
	out, err := console.Create(v.Out, s.Stdout)
	if err != nil {
		return err
	}
	defer out.Close(&err)
	_, err = out.Write(document)
	return err
}

// export exports a scene.
func (v convertVerb) export(s *console.Session) (err error) {
	if v.Goal != "" || v.From != "auto" || v.Units != "auto" || v.Scale != nil {
		return console.Usagef("--goal, --from, --scale and --units are for imports: %s is an export", v.Out)
	}
	doc, err := stage.Load(v.In)
	if err != nil {
		return err
	}
	defer console.NewProgress(s.Stderr, "convert", 0).Done()
	format, _ := scenes.FormatOf(v.Out)
	data, err := scenes.Export(format, doc.Scene)
	if err != nil {
		return err
	}
	out, err := console.Create(v.Out, s.Stdout)
	if err != nil {
		return err
	}
	defer out.Close(&err)
	if lost := unsaid(doc.Scene); format == scenes.GeoJSON && len(lost) > 0 {
		s.Note("left out, since geojson has no form for it: %s", strings.Join(lost, "; "))
	}
	_, err = out.Write(data)
	return err
}

// unsaid lists what an export to GeoJSON omits.
func unsaid(scene *scenes.Scene) (lost []string) {
	timed, spread, walks := 0, 0, false
	for _, o := range scene.Obstacles {
		if o.Timed() {
			timed++
		}
	}
	for _, g := range scene.Groups {
		if g.Spawn.Rect == nil && g.Spawn.Points == nil {
			spread++
		}
		walks = walks || len(g.Itinerary) != 1 || g.Itinerary[0] != scene.Goals[0].ID
	}
	usual := scenes.DefaultProfile()
	leave := func(say bool, format string, args ...any) {
		if say {
			lost = append(lost, fmt.Sprintf(format, args...))
		}
	}
	leave(walks, "itineraries")
	leave(len(scene.Profiles) != 1 || !reflect.DeepEqual(scene.Profiles[0], usual), "profiles")
	leave(spread > 0, "groups that start in circles, rings or grids (%d)", spread)
	leave(timed > 0, "when obstacles open and move (%d)", timed)
	return lost
}

func (v convertVerb) format() (scenes.Format, error) {
	if v.From != "auto" {
		return scenes.Format(v.From), nil
	}
	if format, ok := scenes.FormatOf(v.In); ok {
		return format, nil
	}
	if ending := strings.ToLower(filepath.Ext(v.In)); v.In != "-" && (ending == "" || ending == ".json") {
		return "", console.Usagef("%s is a scene by its name, which is exported to .wkt or .geojson only: give OUT such an ending, or --from wkt, movingai, geojson or svg", v.In)
	}
	return "", console.Usagef("%s: a name without a known ending: give --from wkt, movingai, geojson or svg", v.In)
}

func (v convertVerb) read(stdin io.Reader) ([]byte, error) {
	in := stdin
	if v.In != "-" {
		f, err := os.Open(v.In)
		if err != nil {
			return nil, &scenes.ReadError{Name: v.In, Err: err}
		}
		defer func() { _ = f.Close() }() // only read from
		in = f
	}
	return scenes.ReadInput(v.In, in)
}

// moveGoal moves the goal of an imported scene to a place, which has to be free.
func moveGoal(scene *scenes.Scene, p mgl64.Vec2) error {
	ground, err := scene.Ground()
	if err != nil {
		return err
	}
	if !scene.Domain.Contains(p) {
		return console.Usagef("--goal %v,%v lies outside the domain %v", p[0], p[1], scene.Domain)
	}
	if _, free := ground.NearestFree(ground.Lattice.Snap(p), geom.SnapSlack); !free {
		return console.Usagef("--goal %v,%v lies in the interior of an obstacle, where no path leads: give a free point", p[0], p[1])
	}
	scene.Goals = scene.Goals[:1]
	scene.Goals[0].Points, scene.Goals[0].Segments = []mgl64.Vec2{p}, nil
	for i := range scene.Groups {
		scene.Groups[i].Itinerary = []string{scene.Goals[0].ID}
	}
	return nil
}
