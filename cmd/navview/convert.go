package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
)

type convertVerb struct {
	In   string `arg:"" help:"The file to import; - for standard input."`
	Out  string `arg:"" help:"The scene to write, a .json; - for standard output."`
	From string `enum:"auto,wkt,movingai" default:"auto" placeholder:"FORMAT" help:"What IN is: ${enum}. auto: by its ending, .wkt or .map."`
	Goal string `placeholder:"X,Y" help:"Where the scene's goal is, metres. If not given, a place far from all walls."`
}

func (convertVerb) Help() string {
	return `Makes a scene of a file in another format. The domain is the bounding box of what the file describes.

wkt: POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION. Polygons are walkable ground and their holes are obstacles, as in JuPedSim; of several
the union counts. movingai: the grids of the MovingAI benchmark; . G S are free, @ O T W are blocked, a cell is a square metre, and nobody
walks between two blocked cells that touch in a corner.

These formats have no goals, and a scene needs one. Unless --goal is given it lies in the largest connected piece of free ground: of the
centroids of the triangles that the ground is divided into, the one farthest from walls.

Examples:
  navview convert station.wkt station.json
  navview convert AR0011SR.map arena.json --goal 120.5,80
  navview convert - - --from wkt --goal=-3,4 < hall.txt | navview render - -o hall.png`
}

func (v convertVerb) Run(s *session) (err error) {
	format, err := v.format()
	if err != nil {
		return err
	}
	if _, err := formatOf(v.Out, ".json"); err != nil {
		return err
	}
	var goal *mgl64.Vec2
	if v.Goal != "" {
		p, err := readPoints(strings.NewReader(v.Goal), "--goal")
		if err != nil || len(p) != 1 {
			return usagef("--goal %s: two finite numbers are needed, as in --goal 3,4.5", v.Goal)
		}
		goal = &p[0]
	}
	data, err := v.read(s.stdin)
	if err != nil {
		return err
	}
	scene, err := scenes.Import(format, v.In, data)
	if err != nil {
		var at *scenes.ImportError
		if errors.As(err, &at) {
			return fmt.Errorf("%s:%d:%d: %s", at.File, at.Line, at.Column, at.Message)
		}
		return err
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
	out, err := create(v.Out, s.stdout)
	if err != nil {
		return err
	}
	defer out.close(&err)
	_, err = out.Write(document)
	return err
}

func (v convertVerb) format() (scenes.Format, error) {
	if v.From != "auto" {
		return scenes.Format(v.From), nil
	}
	if format, ok := scenes.FormatOf(v.In); ok {
		return format, nil
	}
	return "", usagef("%s: its ending does not tell what it is: give --from wkt or --from movingai", v.In)
}

func (v convertVerb) read(stdin io.Reader) ([]byte, error) {
	if v.In == "-" {
		return io.ReadAll(stdin)
	}
	data, err := os.ReadFile(v.In)
	if err != nil {
		return nil, fmt.Errorf("the file cannot be read: %w", err)
	}
	return data, nil
}

// moveGoal puts the goal of an imported scene to a place that has to be free.
func moveGoal(scene *scenes.Scene, p mgl64.Vec2) error {
	ground, err := scene.Ground()
	if err != nil {
		return err
	}
	if !scene.Domain.Contains(p) {
		return usagef("--goal %v,%v lies outside the domain %v", p[0], p[1], scene.Domain)
	}
	if _, free := ground.NearestFree(ground.Lattice.Snap(p), geom.SnapSlack); !free {
		return usagef("--goal %v,%v lies in the interior of an obstacle: nobody could reach it", p[0], p[1])
	}
	scene.Goals[0].Points = []mgl64.Vec2{p}
	return nil
}
