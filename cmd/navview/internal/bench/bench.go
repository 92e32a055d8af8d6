package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

type Verb struct {
	SPM       spmBench       `cmd:"" name:"spm" help:"How long shortest path maps take."`
	BVP       bvpBench       `cmd:"" name:"bvp" help:"How long people's local maps take."`
	Avoidance avoidanceBench `cmd:"" help:"How long a step of a crowd takes."`
	All       allBench       `cmd:"" name:"all" help:"Every suite, as it comes."`
}

func (Verb) Help() string {
	return `Examples:
  navview bench spm
  navview bench bvp --agents 100,1000
  navview bench avoidance --cases growth
  navview bench spm --help
  navview bench all --json > bench.json`
}

// Names of suites.
const (
	suiteSPM        = "spm"
	suiteAvoidance  = "avoidance"
	suiteBehaviour  = "behaviour" // of avoidance, with --behaviour
	suiteSearch     = "search"    // of avoidance, with --exhaustive
	suiteBVP        = "bvp"
	suiteRelaxation = "relaxation" // of bvp
)

// suite is a set of measurements with their tables, page and charts.
type suite interface {
	// jobs returns its cases by its methods. It reads scenes only.
	jobs() ([]job, error)
	// head and row are lines of the table on standard output.
	head() string
	row(r Result) string
	// conclude prints what follows from all results.
	conclude(w io.Writer, report Report)
	markdown(w io.Writer, report Report, chart string) error
	// charts returns the drawings that results exist for, by suffix of the file.
	charts(report Report) map[string]drawing
}

// job is a case by a method.
type job struct {
	name, method string
	runs         int // that the bar goes on by
	measure      func(d *gpu.Device, bar *console.Progress) (Result, error)
}

// benchFlags are the flags of every suite.
type benchFlags struct {
	JSON    bool     `name:"json" help:"Print one JSON document."`
	Results []string `placeholder:"FILE,..." help:"Measure nothing: take what earlier runs printed with --json."`
	Report  string   `placeholder:"OUT.md" help:"Write tables of the results."`
	Chart   string   `placeholder:"OUT.svg" help:"Write a chart of cost against size, and others beside it."`
}

// validate checks the files' endings.
func (v benchFlags) validate() error {
	for _, out := range []struct{ flag, name, ending string }{{"--report", v.Report, ".md"}, {"--chart", v.Chart, ".svg"}} {
		if out.name != "" && !strings.HasSuffix(strings.ToLower(out.name), out.ending) {
			return fmt.Errorf("%s %s: a name that ends in %s is needed", out.flag, out.name, out.ending)
		}
	}
	return nil
}

// anyOf checks the values of a flag against a list.
func anyOf(flag string, values, list []string) error {
	for _, name := range values {
		if !slices.Contains(list, name) {
			return fmt.Errorf("%s %s: any of %s", flag, console.Legible(name), strings.Join(list, ", "))
		}
	}
	return nil
}

// within checks the values of a flag against limits.
func within(flag string, values []int, low, high int) error {
	for _, n := range values {
		if n < low || n > high {
			return fmt.Errorf("%s %d: %s to %s", flag, n, console.Figure(float64(low)), console.Figure(float64(high)))
		}
	}
	return nil
}

type allBench struct {
	JSON bool `name:"json" help:"Print one JSON document."`
}

func (allBench) Help() string {
	return `Measures the papers' cases of every suite. Each suite has flags of its own to measure less, or more.

Examples:
  navview bench all
  navview bench all --json > bench.json`
}

func (v allBench) Run(s *console.Session) error {
	_, err := measureSuites(s, v.JSON, allSuites()...)
	return err
}

// allSuites are the suites of bench all, with default flags.
func allSuites() []suite {
	return []suite{
		spmBench{Cases: []string{"all"}, Methods: spmMethods, Size: 1000, Goals: 1, Runs: 5},
		bvpBench{Cases: []string{bvpFew, bvpRelaxation}, Agents: []int{50, 100, 250, 500, 750, 1000}, Cells: []int{11, 16, 21}, Relaxations: 60, Methods: bvpMethods, Runs: 5},
		avoidanceBench{Cases: []string{"all"}, Methods: avoidanceMethods[1:], Runs: 20},
	}
}

// run measures a suite, or reads earlier results, and writes page and charts.
func (v benchFlags) run(s *console.Session, of suite) error {
	var report Report
	var err error
	if len(v.Results) > 0 {
		if report, err = readResults(v.Results); err == nil {
			report.conclude()
			if v.JSON {
				err = console.WriteJSON(s.Stdout, report)
			}
		}
	} else {
		report, err = measureSuites(s, v.JSON, of)
	}
	if err != nil {
		return err
	}
	if v.Report != "" {
		if err := writeFile(s, v.Report, func(o *console.Output) error { return of.markdown(o, report, v.Chart) }); err != nil {
			return err
		}
	}
	if v.Chart == "" {
		return nil
	}
	charts := of.charts(report)
	if len(charts) == 0 {
		return errors.New("nothing to draw: no case belongs to a series such as squares-N or disc-N (--cases growth)")
	}
	for suffix, c := range charts {
		if err := writeFile(s, chartFile(v.Chart, suffix), func(o *console.Output) error { return c.write(o) }); err != nil {
			return err
		}
	}
	return nil
}

// chartFile returns the file of a chart.
func chartFile(name, suffix string) string {
	ending := filepath.Ext(name)
	return strings.TrimSuffix(name, ending) + suffix + ending
}

// Report is the document of bench --json.
type Report struct {
	Renderer   string      `json:"renderer"`
	Version    string      `json:"version"` // of OpenGL
	Date       string      `json:"date"`
	Software   bool        `json:"software"`
	Processors int         `json:"processors"`
	Results    []Result    `json:"results"`
	Fits       []growthFit `json:"fits,omitempty"`
}

// By is the label of a method: "gpu" on a software renderer is "software".
func (r Report) By(method string) string {
	if method == bvpGPU && r.Software {
		return "software"
	}
	return method
}

type Result struct {
	Suite  string         `json:"suite"`
	Case   string         `json:"case"`
	Method string         `json:"method"`
	Params map[string]int `json:"params"`
	GPU    spread         `json:"gpu_ms"`
	Wall   spread         `json:"wall_ms"`
	Ground spread         `json:"ground_ms,omitzero"` // of the wall time: snapping, union, triangulation
	Read   spread         `json:"read_back_ms,omitzero"`
	Apart  *spread        `json:"apart_ms,omitempty"` // of several goals: building them one after another
	Runs   int            `json:"runs"`
	Checks map[string]any `json:"checks"`

	Passes map[string]spread `json:"passes_ms,omitempty"` // of avoidance: on the device, by the names of passes
	Counts []passCount       `json:"counts,omitempty"`    // of the last run, by pass
	behaviour

	Questions *questionTimes `json:"questions,omitempty"`  // of method cpu
	BreakEven *breakEven     `json:"break_even,omitempty"` // of the others, where the case was measured by method cpu too
}

// Vertices is the number of vertices of obstacles.
func (r Result) Vertices() int { return r.Params["vertices"] }

// Size is what costs are compared by: agents or vertices.
func (r Result) Size() int {
	if r.Suite == suiteAvoidance || r.Suite == suiteSearch || r.Suite == suiteBVP {
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

// writeFile writes a file completely, or not at all.
func writeFile(s *console.Session, name string, write func(*console.Output) error) (err error) {
	o, err := console.Create(name, s.Stdout)
	if err != nil {
		return err
	}
	defer o.Close(&err)
	return write(o)
}

// readResults joins documents of earlier runs; the head is that of the first.
func readResults(files []string) (Report, error) {
	var all Report
	for i, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return all, &scenes.ReadError{Name: name, Err: err}
		}
		var one Report
		if err := json.Unmarshal(data, &one); err != nil {
			return all, fmt.Errorf("%s is not what bench --json prints: %w", name, err)
		}
		one.Results = append(all.Results, one.Results...)
		if i > 0 {
			one.Renderer, one.Version, one.Date, one.Software, one.Processors = all.Renderer, all.Version, all.Date, all.Software, all.Processors
		}
		all = one
	}
	return all, nil
}

// named replaces names of lists by their cases.
func named(cases []string, lists map[string][]string) []string {
	var all []string
	for _, name := range cases {
		if list, ok := lists[name]; ok {
			all = append(all, list...)
		} else {
			all = append(all, name)
		}
	}
	return all
}

// conclude computes fits and break-evens.
func (r *Report) conclude() {
	r.Fits = fits(r.Results)
	compareQuestions(r.Results)
}

// measureSuites measures suites, and prints each result, or one JSON document at the end.
func measureSuites(s *console.Session, asJSON bool, suites ...suite) (report Report, err error) {
	todo := make([][]job, len(suites))
	runs := 0
	for i, of := range suites {
		if todo[i], err = of.jobs(); err != nil {
			return report, err
		}
		for _, j := range todo[i] {
			runs += j.runs
		}
	}
	err = device.With(s, func(h *device.Host) error {
		report, err = runJobs(s, h.Device, asJSON, suites, todo, runs)
		return err
	})
	return report, err
}

// runJobs runs the jobs of suites.
func runJobs(s *console.Session, d *gpu.Device, asJSON bool, suites []suite, todo [][]job, runs int) (Report, error) {
	info := d.Info()
	report := Report{Renderer: info.Renderer, Version: info.Version, Date: time.Now().UTC().Format(time.RFC3339), Software: info.Software, Processors: runtime.NumCPU(), Results: []Result{}}
	bar := console.NewProgress(s.Stderr, "measuring", runs)
	defer bar.Done()
	say := s.Stdout
	if asJSON {
		say = io.Discard
	}
	fmt.Fprintln(say, info.Renderer)
	for i, of := range suites {
		fmt.Fprint(say, of.head())
		for _, j := range todo[i] {
			result, err := j.measure(d, bar)
			if err != nil {
				return report, fmt.Errorf("%s by %s: %w", j.name, j.method, err)
			}
			result.Case, result.Method = j.name, j.method
			report.Results = append(report.Results, result)
			result.Method = report.By(j.method)
			fmt.Fprintln(say, of.row(result))
		}
	}
	report.conclude()
	for _, of := range suites {
		of.conclude(say, report)
	}
	writeCounts(say, report)
	if asJSON {
		return report, console.WriteJSON(s.Stdout, report)
	}
	return report, nil
}
