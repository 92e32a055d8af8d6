// Package query reads points, and writes what a shortest path map answers about them.
package query

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/spm"
)

// Form is how answers are written.
type Form struct {
	JSON bool // an array instead of CSV with a header
	Path bool // with the path from the point to the source
}

// answer is an element of the array.
type answer struct {
	X        float64      `json:"x"`
	Y        float64      `json:"y"`
	Distance *float64     `json:"distance"` // null where there is none
	ParentX  *float64     `json:"parent_x"`
	ParentY  *float64     `json:"parent_y"`
	State    string       `json:"state"`
	Path     []mgl64.Vec2 `json:"path,omitzero"` // if requested, empty where there is none
}

// stateNames are the names of states in JSON.
var stateNames = map[spm.State]string{spm.Unreached: "unreached", spm.Reached: "reached", spm.Obstacle: "obstacle"}

// Write writes an answer for each point, calls step after each, and counts states. Answers are
// formatted in parallel, and written in order.
func (f Form) Write(to io.Writer, view *spm.View, points []mgl64.Vec2, step func()) (states map[spm.State]int, err error) {
	w := bufio.NewWriter(to) // keeps its first error for Flush
	separator, end := "x,y,distance,parent_x,parent_y\n", ""
	if f.Path {
		separator = "x,y,distance,parent_x,parent_y,path\n"
	}
	if f.JSON {
		separator, end = "[\n", "]\n"
	}
	if !f.JSON || len(points) == 0 {
		_, _ = w.WriteString(separator)
		separator = ""
	}
	states = map[spm.State]int{}
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
					rows[i], found[i] = f.row(view, part[i])
				}
			})
		}
		wait.Wait()
		for i, row := range rows[:len(part)] {
			_, _ = w.WriteString(separator)
			if separator != "" {
				separator = ",\n"
			}
			if _, err := w.Write(row); err != nil {
				return states, err
			}
			states[found[i]]++
			step()
		}
	}
	if f.JSON && len(points) > 0 {
		end = "\n" + end
	}
	_, _ = w.WriteString(end)
	return states, w.Flush()
}

// row returns the answer about a point as text, and its state.
func (f Form) row(view *spm.View, p mgl64.Vec2) (text []byte, state spm.State) {
	a := view.Query(p)
	found := a.State == spm.Reached
	path := []mgl64.Vec2{}
	if f.Path && found {
		path = view.Path(p)
	}
	if f.JSON {
		answer := answer{X: p[0], Y: p[1], State: stateNames[a.State]}
		if f.Path {
			answer.Path = path
		}
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
	if f.Path {
		fields = append(fields, lineString(path))
	}
	return []byte(strings.Join(fields, ",") + "\n"), a.State
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

// lineString formats a path as a quoted LINESTRING of well-known text; "" for none.
func lineString(path []mgl64.Vec2) string {
	if len(path) == 0 {
		return ""
	}
	points := make([]string, len(path))
	for i, p := range path {
		points[i] = number(p[0]) + " " + number(p[1])
	}
	return `"LINESTRING (` + strings.Join(points, ", ") + `)"`
}
