package main

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/spm"
)

type queryVerb struct {
	mapFlags `embed:""`
	Points   string `required:"" placeholder:"FILE|-" help:"Lines of x y (or x,y), metres; - reads standard input."`
	Path     bool   `help:"Add a column path: a WKT LINESTRING from the point to the source."`
}

func (queryVerb) Help() string {
	return `Prints CSV with the header x,y,distance,parent_x,parent_y, a row a point, in order. Answers are exact at the points
themselves, whatever the map's size. Unreachable: distance inf; in an obstacle, nearer to one than the goal's clearance, or outside the
domain: nan; parents are empty then. Where no point has a path, a note on standard error says so.

Examples:
  echo 3 4 | navview query plaza --points -
  navview query hall.json --goal exits --points seats.csv --path > ways.csv`
}

func (v queryVerb) Run(s *session) (err error) {
	if v.Points == "-" && v.Scene == "-" {
		return usagef("the scene and the points cannot both come from standard input")
	}
	doc, goal, err := v.load()
	if err != nil {
		return err
	}
	points, err := v.points(s.stdin)
	if err != nil {
		return err
	}
	h, err := s.open()
	if err != nil {
		return err
	}
	view, err := func() (view *spm.View, err error) {
		defer func() { err = h.finish(err) }()
		m, err := v.build(s, h.device, doc, goal, steps{})
		if err != nil {
			return nil, err
		}
		defer m.free()
		view = m.View(0)
		s.tellTimes(h.device)
		return view, nil
	}()
	if err != nil {
		return err
	}
	reached, err := v.answer(s, view, points)
	if err == nil && reached == 0 && len(points) > 0 {
		s.note("no path leads to goal %s from any of the points", quoted(goal.ID))
	}
	return err
}

// points reads the points asked about.
func (v queryVerb) points(stdin io.Reader) ([]mgl64.Vec2, error) {
	in, name := stdin, "standard input"
	if v.Points != "-" {
		f, err := os.Open(v.Points)
		if err != nil {
			return nil, fmt.Errorf("the points cannot be read: %w", err)
		}
		defer f.Close()
		in, name = f, v.Points
	}
	return readPoints(in, name)
}

// pointLine is a line with a point: two decimal numbers with blanks or a comma between.
var pointLine = func() *regexp.Regexp {
	const decimal = `([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)`
	return regexp.MustCompile(`^\s*` + decimal + `(?:\s*,\s*|\s+)` + decimal + `\s*$`)
}()

// readPoints reads lines of two numbers. Empty lines are passed over, and the mark that some editors begin UTF-8 with.
func readPoints(in io.Reader, name string) ([]mgl64.Vec2, error) {
	var points []mgl64.Vec2
	lines := bufio.NewScanner(in)
	number := 1
	for ; lines.Scan(); number++ {
		line := lines.Text()
		if number == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		var p mgl64.Vec2
		fields := pointLine.FindStringSubmatch(line)
		ok := fields != nil
		for i := 0; ok && i < 2; i++ {
			var err error // of numbers beyond the range of float64
			p[i], err = strconv.ParseFloat(fields[i+1], 64)
			ok = err == nil
		}
		if !ok {
			return nil, fmt.Errorf("%s:%d: %s is no point: two finite decimal numbers, x y or x,y, are needed", name, number, quoted(line))
		}
		points = append(points, p)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%s:%d: the line is longer than any point: two finite decimal numbers, x y or x,y, are needed", name, number)
	case err != nil:
		return nil, fmt.Errorf("%s:%d: the points cannot be read: %w", name, number, err)
	}
	return points, nil
}

// answer writes a row a point, and counts those that are reached. Rows are made on all processors, some thousands at a time,
// and written in order.
func (v queryVerb) answer(s *session, view *spm.View, points []mgl64.Vec2) (reached int, err error) {
	w := csv.NewWriter(s.stdout)
	header := []string{"x", "y", "distance", "parent_x", "parent_y"}
	if v.Path {
		header = append(header, "path")
	}
	if err := w.Write(header); err != nil {
		return 0, err
	}
	bar := newProgress(s.stderr, "query", len(points))
	defer bar.done()
	const batch = 4096
	rows := make([][]string, batch)
	for first := 0; first < len(points); first += batch {
		part := points[first:min(first+batch, len(points))]
		var wait sync.WaitGroup
		workers := runtime.GOMAXPROCS(0)
		for worker := range workers {
			wait.Go(func() {
				for i := worker; i < len(part); i += workers {
					rows[i] = v.row(view, part[i])
				}
			})
		}
		wait.Wait()
		for _, row := range rows[:len(part)] {
			if err := w.Write(row); err != nil {
				return reached, err
			}
			if row[parentX] != "" {
				reached++
			}
			bar.step()
		}
	}
	w.Flush()
	return reached, w.Error()
}

// parentX is the column of a row that only points have from which a path leads.
const parentX = 3

func (v queryVerb) row(view *spm.View, p mgl64.Vec2) []string {
	a := view.Query(p)
	row := []string{number(p[0]), number(p[1]), number(a.Distance), "", ""}
	if a.State == spm.Reached {
		row[parentX], row[parentX+1] = number(a.Parent[0]), number(a.Parent[1])
	}
	if v.Path {
		row = append(row, lineString(view.Path(p)))
	}
	return row
}

// number writes a float64 with as many digits as it takes to read the same one back, and, as scene files do, without an exponent
// at the size that coordinates are of: not everything that reads well-known text knows exponents.
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

// lineString writes a path as well-known text; empty where there is none.
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
