package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/cmd/navview/internal/query"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats"
)

type convertVerb struct {
	In    string            `arg:"" help:"The file to import, or the scene to export; - for standard input."`
	Out   string            `arg:"" help:"The scene to write, a .json, or the export, a ${exports}; - writes a scene to standard output."`
	From  string            `enum:"auto,${formats}" default:"auto" placeholder:"FORMAT" help:"What IN is: ${enum}. auto: by its ending, ${endings}."`
	Units string            `enum:"auto,metres,degrees" default:"auto" help:"What the coordinates of ${geographic} are: ${enum}. auto: as the file says, or as makes a ground to walk on."`
	Scale *float64          `placeholder:"METERS" help:"How long a unit of the file is: of its coordinates, or a cell of movingai. 1 if not given."`
	Layer map[string]string `placeholder:"NAME=ROLE" mapsep:"none" help:"What the shapes of a layer of ${layered} are: obstacle, goal, spawn, walkable, domain, or none; may be given again. If not given, what its name says."`
	Goal  string            `placeholder:"X,Y" help:"Where the scene's one goal is, meters. If not given, as the file says, or else a place far from all walls."`
}

func (convertVerb) Help() string {
	var help strings.Builder
	for _, f := range formats.All {
		fmt.Fprintf(&help, "%s: %s\n\n", f.Name, f.Help)
	}
	return `Makes a scene of a file in another format, or the other way round. The domain is the bounding box of what the file
describes, if the file does not name one. What reaches out of the domain is cut at its border, and what lies outside is left out
with a note.

` + help.String() + `Roles are obstacle (also wall, building), goal (exit), spawn (start), walkable and domain. Without one, polygons of geojson and all shapes
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
  navview convert floor.dxf floor.json --layer A-WALL=wall --layer Doors=exit --scale 0.001
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

// The formats by name, by ending, and those that scenes are exported to by ending.
var (
	formatNames   = texts(formats.All, func(f *formats.Format) string { return f.Name })
	formatEndings = texts(formats.All, func(f *formats.Format) string { return f.Ending })
	exportEndings = texts(formats.All, func(f *formats.Format) string {
		if f.Write == nil {
			return ""
		}
		return f.Ending
	})
)

// formatsThat lists the names of formats that are something, as in "a, b or c".
func formatsThat(are func(*formats.Format) bool) string {
	return alternatives(texts(formats.All, func(f *formats.Format) string {
		if !are(f) {
			return ""
		}
		return f.Name
	}))
}

// formatVars are the formats as flags and help have them.
var formatVars = kong.Vars{
	"formats": strings.Join(formatNames, ","), "endings": alternatives(formatEndings),
	"exports":    alternatives(exportEndings),
	"geographic": formatsThat(func(f *formats.Format) bool { return f.Geographic }),
	"layered":    formatsThat(func(f *formats.Format) bool { return f.Layered }),
}

func (v convertVerb) Run(s *console.Session) error {
	ending, err := console.FormatOf(v.Out, append([]string{".json"}, exportEndings...)...)
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
		p, ok := query.ParsePoint(v.Goal)
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
	if v.Units != "auto" && !format.Geographic {
		return console.Usagef("--units is for %s: coordinates of %s are meters", formatVars["geographic"], format.Name)
	}
	if len(v.Layer) > 0 && !format.Layered {
		return console.Usagef("--layer is for %s: files of %s have no layers", formatVars["layered"], format.Name)
	}
	options := formats.Options{Units: formats.Units(v.Units), Layers: map[string]formats.Role{}}
	for name, role := range v.Layer {
		var ok bool
		if options.Layers[name], ok = formats.RoleOf(role); !ok {
			return console.Usagef("--layer %s=%s: %s is no role: obstacle, goal, spawn, walkable, domain or none is needed", name, role, console.Quoted(role))
		}
	}
	if v.Scale != nil {
		options.Scale = *v.Scale
	}
	scene, notes, err := formats.Import(format, v.In, data, options)
	if err != nil {
		var at *formats.Error
		if errors.As(err, &at) {
			return errors.New(at.Problem.String())
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
	return console.WriteFile(v.Out, s.Stdout, func(w io.Writer) error { _, err := w.Write(document); return err })
}

// export exports a scene.
func (v convertVerb) export(s *console.Session) error {
	if v.Goal != "" || v.From != "auto" || v.Units != "auto" || v.Scale != nil || len(v.Layer) > 0 {
		return console.Usagef("--goal, --from, --layer, --scale and --units are for imports: %s is an export", v.Out)
	}
	doc, err := document.Load(v.In)
	if err != nil {
		return err
	}
	defer console.NewProgress(s.Stderr, "convert", 0).Done()
	format := formats.OfFile(v.Out)
	data, lost, err := formats.Export(format, doc.Scene)
	if err != nil {
		return err
	}
	return console.WriteFile(v.Out, s.Stdout, func(w io.Writer) error {
		if len(lost) > 0 {
			s.Note("left out, since %s has no form for it: %s", format.Name, strings.Join(lost, "; "))
		}
		_, err := w.Write(data)
		return err
	})
}

func (v convertVerb) format() (*formats.Format, error) {
	if v.From != "auto" {
		return formats.Named(v.From), nil
	}
	if format := formats.OfFile(v.In); format != nil {
		return format, nil
	}
	from := alternatives(formatNames)
	if ending := strings.ToLower(filepath.Ext(v.In)); v.In != "-" && (ending == "" || ending == ".json") {
		return nil, console.Usagef("%s is a scene by its name, which is exported to %s only: give OUT such an ending, or --from %s", v.In, formatVars["exports"], from)
	}
	return nil, console.Usagef("%s: a name without a known ending: give --from %s", v.In, from)
}

func (v convertVerb) read(stdin io.Reader) ([]byte, error) {
	if v.In == "-" {
		return scenes.ReadInput(v.In, stdin)
	}
	return scenes.Open(v.In)
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
		scene.Groups[i].Itinerary, scene.Groups[i].Routes = []string{scene.Goals[0].ID}, nil
	}
	return nil
}
