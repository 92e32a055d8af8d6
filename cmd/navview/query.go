package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
	"github.com/wayfront/wayfront/cmd/navview/internal/goalmap"
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
	states, err := v.answer(s, view, points)
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
		points, err = readPoints(stdin, "standard input")
	default:
		f, e := os.Open(v.Points)
		if e != nil {
			return nil, &scenes.ReadError{Name: v.Points, Err: e}
		}
		defer func() { _ = f.Close() }() // only read from
		points, err = readPoints(f, v.Points)
	}
	for _, text := range v.At {
		p, ok := parsePoint(text)
		if !ok {
			return nil, console.Usagef("--at %s: %s, as in --at 3,4.5", console.Quoted(text), neededPoint)
		}
		points = append(points, p)
	}
	return points, err
}

// queryAnswer is an element of query --json.
type queryAnswer struct {
	X        float64      `json:"x"`
	Y        float64      `json:"y"`
	Distance *float64     `json:"distance"` // null where there is none
	ParentX  *float64     `json:"parent_x"`
	ParentY  *float64     `json:"parent_y"`
	State    string       `json:"state"`
	Path     []mgl64.Vec2 `json:"path,omitzero"` // with --path, empty where there is none
}

// queryStates are the names of states in JSON.
var queryStates = map[spm.State]string{spm.Unreached: "unreached", spm.Reached: "reached", spm.Obstacle: "obstacle"}

// queryWriter writes answers in order.
type queryWriter struct {
	row  func(text []byte) error
	done func() error
}

// writer writes CSV or JSON.
func (v queryVerb) writer(w io.Writer) (queryWriter, error) {
	b := bufio.NewWriter(w)
	plain := func(text []byte) error { _, err := b.Write(text); return err }
	if v.JSON {
		begun := "[\n"
		return queryWriter{
			row: func(text []byte) error {
				_, err := b.WriteString(begun)
				begun = ",\n"
				return errors.Join(err, plain(text))
			},
			done: func() error {
				if begun == "[\n" {
					_, _ = b.WriteString("[") // the error is Flush's
				}
				_, _ = b.WriteString("\n]\n")
				return b.Flush()
			},
		}, nil
	}
	header := "x,y,distance,parent_x,parent_y"
	if v.Path {
		header += ",path"
	}
	return queryWriter{row: plain, done: b.Flush}, plain([]byte(header + "\n"))
}

// answer writes a row for each point and counts states. Rows are formatted in parallel, and written
// in order.
func (v queryVerb) answer(s *console.Session, view *spm.View, points []mgl64.Vec2) (states map[spm.State]int, err error) {
	w, err := v.writer(s.Stdout)
	if err != nil {
		return nil, err
	}
	states = map[spm.State]int{}
	bar := console.NewProgress(s.Stderr, "query", len(points))
	defer bar.Done()
	const batch = 4096
	rows := make([][]byte, batch)
	found := make([]spm.State, batch)
	for first := 0; first < len(points); first += batch {
		part := points[first:min(first+batch, len(points))]
		var wait sync.WaitGroup
		workers := runtime.GOMAXPROCS(0)
		for worker := range workers {
			wait.Go(func() {
				for i := worker; i < len(part); i += workers {
					rows[i], found[i] = v.row(view, part[i])
				}
			})
		}
		wait.Wait()
		for i, row := range rows[:len(part)] {
			if err := w.row(row); err != nil {
				return states, err
			}
			states[found[i]]++
			bar.Step()
		}
	}
	return states, w.done()
}

// row returns the answer about a point as text, and its state.
func (v queryVerb) row(view *spm.View, p mgl64.Vec2) (text []byte, state spm.State) {
	a := view.Query(p)
	found := a.State == spm.Reached
	var path []mgl64.Vec2
	if v.Path {
		if path = view.Path(p); path == nil {
			path = []mgl64.Vec2{}
		}
	}
	if v.JSON {
		answer := queryAnswer{X: p[0], Y: p[1], State: queryStates[a.State], Path: path}
		if found {
			answer.Distance, answer.ParentX, answer.ParentY = &a.Distance, &a.Parent[0], &a.Parent[1]
		}
		text, err := json.Marshal(answer)
		if err != nil {
			panic(err) // numbers are finite
		}
		return append([]byte("  "), text...), a.State
	}
	fields := []string{number(p[0]), number(p[1]), number(a.Distance), "", ""}
	if found {
		fields[3], fields[4] = number(a.Parent[0]), number(a.Parent[1])
	}
	line := strings.Join(fields, ",")
	if v.Path {
		line += ","
		if len(path) > 0 {
			line += `"` + lineString(path) + `"` // which has commas
		}
	}
	return []byte(line + "\n"), a.State
}

// number formats a float64 exactly, without an exponent at the size of coordinates: some readers of
// well-known text know none.
func number(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "inf"
	case math.IsNaN(v):
		return "nan"
	}
	if a := math.Abs(v); a == 0 || 1e-6 <= a && a < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// lineString formats a path as well-known text; "" for none.
func lineString(path []mgl64.Vec2) string {
	if len(path) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("LINESTRING (")
	for i, p := range path {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(number(p[0]) + " " + number(p[1]))
	}
	b.WriteString(")")
	return b.String()
}
