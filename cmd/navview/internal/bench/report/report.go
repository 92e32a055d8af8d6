package report

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/scenes"
)

// Names of suites.
const (
	SPM        = "spm"
	Avoidance  = "avoidance"
	Behavior   = "behavior" // of avoidance, with --behavior
	Search     = "search"   // of avoidance, with --exhaustive
	BVP        = "bvp"
	Relaxation = "relaxation" // of bvp
	Relaxers   = "relaxers"   // of bvp: steps by methods of relaxation
	Steering   = "steering"   // of bvp: what crowds do by rules, its methods
	Exploring  = "exploring"  // of bvp
)

// Names of methods that packages of the engine do not have.
const (
	CPU        = "cpu"        // of spm: exact.Solve on one thread
	GPU        = "gpu"        // of bvp: on this device
	Sequential = "sequential" // of bvp: plain Go on one thread
	RVOFlat    = "rvo-flat"   // of avoidance: rvo with an invocation an agent
	RVONested  = "rvo-nested" // with a work group an agent
)

// Exhaustive is the pass of suite Search that finds neighbors among all agents.
const Exhaustive = "exhaustive"

// Passes of steps of avoidance that tables and charts show; the document has all.
var Passes = []string{"escape", "guide", "cells", "neighbors", "walls", "avoid", "integrate", "contact"}

// Report is the document of bench --json.
type Report struct {
	Renderer   string   `json:"renderer"`
	Version    string   `json:"version"` // of OpenGL
	Date       string   `json:"date"`
	Software   bool     `json:"software"`
	Processors int      `json:"processors"`
	Results    []Result `json:"results"`
	Fits       []Growth `json:"fits,omitempty"`
}

// Result is what was measured of a case by a method.
type Result struct {
	Suite  string         `json:"suite"`
	Case   string         `json:"case"`
	Method string         `json:"method"`
	Params map[string]int `json:"params"`
	GPU    Spread         `json:"gpu_ms"`
	Wall   Spread         `json:"wall_ms"`
	Ground Spread         `json:"ground_ms,omitzero"` // of the wall time: snapping, union, triangulation
	Read   Spread         `json:"read_back_ms,omitzero"`
	Apart  *Spread        `json:"apart_ms,omitempty"` // of several goals: building them one after another
	Runs   int            `json:"runs"`
	Checks map[string]any `json:"checks"`

	Passes map[string]Spread `json:"passes_ms,omitempty"` // of a step, on the device, by pass
	Counts []PassCount       `json:"counts,omitempty"`    // of the last run
	Observations

	Questions *Questions `json:"questions,omitempty"`  // of method cpu
	BreakEven *BreakEven `json:"break_even,omitempty"` // of maps, where method cpu has the case too
}

// Spread summarizes the times of runs. Unit: ms.
type Spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	P95    float64 `json:"p95"`
}

// SpreadOf summarizes times, which it sorts; the zero Spread of none.
func SpreadOf(times []time.Duration) Spread {
	if len(times) == 0 {
		return Spread{}
	}
	slices.Sort(times)
	at := func(share float64) float64 {
		return console.Milliseconds(times[int(share*float64(len(times)-1)+0.5)])
	}
	return Spread{Median: at(0.5), Min: at(0), P95: at(0.95)}
}

// PassCount is what a pass did in a run, a gpu.PassCount.
type PassCount struct {
	Name       string `json:"pass"`
	Dispatches int64  `json:"dispatches"`
	Groups     int64  `json:"work_groups"`
	Draws      int64  `json:"draws"`
	Barriers   int64  `json:"barriers"`
	Bytes      int64  `json:"bytes"`
}

// Questions are the times of answers for one agent on one thread. Unit: ms.
type Questions struct {
	Search float64 `json:"search_ms"` // a shortest path from scratch, on an existing ground
	Query  float64 `json:"query_ms"`  // a query of a view that all agents share
}

// Read joins documents of earlier runs. All but the results is that of the first.
func Read(files []string) (all Report, err error) {
	for i, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return all, &scenes.ReadError{Name: name, Err: err}
		}
		var one Report
		if err := json.Unmarshal(data, &one); err != nil {
			return all, fmt.Errorf("%s is not what bench --json prints: %w", name, err)
		}
		if i == 0 {
			all = one
		} else {
			all.Results = append(all.Results, one.Results...)
		}
	}
	all.Conclude()
	return all, nil
}

// Conclude computes fits and break-evens.
func (r *Report) Conclude() {
	r.Fits = fits(r.Results)
	setBreakEvens(r.Results)
}

// Label names a method on this device: "gpu" on a software renderer is "software".
func (r Report) Label(method string) string {
	if method == GPU && r.Software {
		return "software"
	}
	return method
}

// Of returns the results of a suite.
func (r Report) Of(suite string) []Result { return r.Find(suite, "", "") }

// Find returns the results of a suite, a case and a method; "" matches all.
func (r Report) Find(suite, name, method string) []Result {
	return filter(r.Results, func(r Result) bool {
		return (suite == "" || r.Suite == suite) && (name == "" || r.Case == name) && (method == "" || r.Method == method)
	})
}

// Vertices is the number of vertices of obstacles.
func (r Result) Vertices() int { return r.Params["vertices"] }

// Size is what costs are compared by: agents or vertices.
func (r Result) Size() int {
	switch r.Suite {
	case Avoidance, Search, BVP, Relaxers:
		return r.Params["agents"]
	}
	return r.Vertices()
}

// Pass formats the time of a pass; "" if it did not run.
func (r Result) Pass(name string) string {
	if t, ok := r.Passes[name]; ok {
		return console.MS(t.Median)
	}
	return ""
}

// Total sums up the counts of passes.
func (r Result) Total() (sum PassCount) {
	for _, c := range r.Counts {
		sum.Dispatches += c.Dispatches
		sum.Groups += c.Groups
		sum.Draws += c.Draws
		sum.Barriers += c.Barriers
		sum.Bytes += c.Bytes
	}
	return sum
}

// ByCells is the time of the passes that find neighbors. Unit: ms.
func (r Result) ByCells() float64 { return r.Passes["cells"].Median + r.Passes["neighbors"].Median }

// AmongAll is the time of a step that finds neighbors among all agents. Unit: ms.
func (r Result) AmongAll() float64 { return r.Wall.Median - r.ByCells() + r.Passes[Exhaustive].Median }

// values returns the values of a parameter, sorted.
func values(results []Result, param string) (all []int) {
	for _, r := range results {
		all = append(all, r.Params[param])
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// filter returns the elements that a condition holds for.
func filter[T any](all []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(v T) bool { return !keep(v) })
}

// number returns a number of any type as float64; 0 for nil.
func number(v any) float64 {
	switch r := reflect.ValueOf(v); {
	case r.CanInt():
		return float64(r.Int())
	case r.CanUint():
		return float64(r.Uint())
	case r.CanFloat():
		return r.Float()
	}
	return 0
}
