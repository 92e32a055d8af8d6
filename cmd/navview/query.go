package main

import (
	"errors"
	"io"
	"os"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
	"github.com/wayfront/wayfront/cmd/navview/internal/goalmap"
	"github.com/wayfront/wayfront/cmd/navview/internal/query"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

type queryVerb struct {
	goalmap.Flags `embed:""`
	Points        string   `placeholder:"FILE|-" help:"Lines of x y (or x,y), meters, or CSV with a header that names x and y; - reads standard input."`
	At            []string `placeholder:"X,Y" sep:"none" help:"A point, meters; give it again for more. They come after those of --points."`
	Path          bool     `help:"Add a column path: a WKT LINESTRING from the point to the source; with --json the list of its points."`
	JSON          bool     `name:"json" help:"Print a JSON array instead of CSV."`
}

func (queryVerb) Help() string {
	return `Prints CSV with the header x,y,distance,parent_x,parent_y, a row a point, in order. Answers are exact at the points
themselves, whatever the map's size. Unreachable: distance inf; in an obstacle, nearer to one than the goal's clearance, or outside the
domain: nan; parents are empty then. Where no point has a path or none is on free ground, a note on standard error says so.

JSON: an array of objects with the same names and a state, "reached", "unreached" or "obstacle". What CSV has as inf, nan or nothing is null.

Examples:
  navview query plaza --at 3,4 --at 12,9.5
  echo 3 4 | navview query plaza --points -
  navview query hall.json --goal exits --points seats.csv --path > paths.csv
  navview query plaza --at 3,4 --path --json | jq '.[0].path'`
}

// Validate checks that there are points.
func (v queryVerb) Validate() error {
	if v.Points == "" && len(v.At) == 0 {
		return errors.New("--points FILE or --at X,Y is missing")
	}
	return v.Flags.Validate()
}

func (v queryVerb) Run(s *console.Session) (err error) {
	if v.Points == "-" && v.Scene == "-" {
		return console.Usagef("the scene and the points cannot both come from standard input")
	}
	doc, goal, err := v.Load()
	if err != nil {
		return err
	}
	points, err := v.points(s.Stdin)
	if err != nil {
		return err
	}
	var view *spm.View
	err = device.With(s, func(h *device.Host) error {
		m, _, err := v.Build(s, h.Device, doc, goal, 0, false)
		if err != nil {
			return err
		}
		defer m.Delete()
		view = m.View(0)
		device.ReportTimes(s, h.Device)
		return nil
	})
	if err != nil {
		return err
	}
	bar := console.NewProgress(s.Stderr, "query", len(points))
	states, err := query.Form{JSON: v.JSON, Path: v.Path}.Write(s.Stdout, view, points, bar.Step)
	bar.Done()
	switch {
	case err != nil || len(points) == 0 || states[spm.Reached] > 0:
	case states[spm.Unreached] > 0:
		s.Note("no path leads to goal %s from any of the points", console.Quoted(goal.ID))
	default:
		s.Note("no point is on free ground: all are outside the domain, in obstacles, or nearer to one than the clearance of goal %s", console.Quoted(goal.ID))
	}
	return err
}

// points reads the points of the flags.
func (v queryVerb) points(stdin io.Reader) (points []mgl64.Vec2, err error) {
	switch v.Points {
	case "":
	case "-":
		points, err = query.ReadPoints(stdin, "standard input")
	default:
		f, e := os.Open(v.Points)
		if e != nil {
			return nil, &scenes.ReadError{Name: v.Points, Err: e}
		}
		defer func() { _ = f.Close() }() // only read from
		points, err = query.ReadPoints(f, v.Points)
	}
	for _, text := range v.At {
		p, ok := query.ParsePoint(text)
		if !ok {
			return nil, console.Usagef("--at %s: %s, as in --at 3,4.5", console.Quoted(text), query.NeededPoint)
		}
		points = append(points, p)
	}
	return points, err
}
