package bench

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Verb is the verb bench.
type Verb struct {
	SPM       spmBench       `cmd:"" name:"spm" help:"How long shortest path maps take."`
	BVP       bvpBench       `cmd:"" name:"bvp" help:"How long people's local maps take."`
	Avoidance avoidanceBench `cmd:"" help:"How long a step of a crowd takes."`
	All       allBench       `cmd:"" name:"all" help:"Every suite, as it comes."`
}

func (Verb) Help() string { return report.Text("bench help", nil) }

// suite is a set of measurements. Its texts are those of its name in package report.
type suite interface {
	name() string
	// jobs returns its cases by its methods. It reads scenes only.
	jobs() ([]job, error)
	// facts are what its texts mention.
	facts() report.Values
}

// job is a case by a method.
type job struct {
	name, method string
	runs         int // steps of the progress bar
	measure      func(d *gpu.Device, bar *console.Progress) (report.Result, error)
}

// flags are those of every suite.
type flags struct {
	JSON    bool     `name:"json" help:"Print one JSON document."`
	Results []string `placeholder:"FILE,..." help:"Measure nothing: take what earlier runs printed with --json."`
	Report  string   `placeholder:"OUT.md" help:"Write tables of the results."`
	Chart   string   `placeholder:"OUT.svg" help:"Write a chart of cost against size, and others beside it."`
}

// check checks the names of files, and the number of runs.
func (v flags) check(runs int) error {
	ends := func(flag, name, ending string) error {
		ok := name == "" || strings.HasSuffix(strings.ToLower(name), ending)
		return console.Check(ok, "%s %s: a name that ends in %s is needed", flag, name, ending)
	}
	return cmp.Or(
		console.Check(runs >= 1, "--runs %d: at least 1", runs),
		ends("--report", v.Report, ".md"), ends("--chart", v.Chart, ".svg"),
	)
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

// named replaces names of lists by their cases.
func named(cases []string, lists map[string][]string) (all []string) {
	for _, name := range cases {
		if list, ok := lists[name]; ok {
			all = append(all, list...)
		} else {
			all = append(all, name)
		}
	}
	return all
}

type allBench struct {
	JSON bool `name:"json" help:"Print one JSON document."`
}

func (allBench) Help() string { return report.Text("all help", nil) }

// Run measures every suite; their flags have their defaults.
func (v allBench) Run(s *console.Session, suites *Verb) error {
	_, err := runSuites(s, v.JSON, suites.SPM, suites.BVP, suites.Avoidance)
	return err
}

// run measures a suite, or reads earlier results, and writes page and charts.
func (v flags) run(s *console.Session, of suite) (err error) {
	var r report.Report
	if len(v.Results) == 0 {
		r, err = runSuites(s, v.JSON, of)
	} else if r, err = report.Read(v.Results); err == nil && v.JSON {
		err = console.WriteJSON(s.Stdout, r)
	}
	if err != nil {
		return err
	}
	if v.Report != "" {
		page := func(w io.Writer) error { return r.Write(w, of.name(), "page", v.Chart, of.facts()) }
		if err := console.WriteFile(v.Report, s.Stdout, page); err != nil {
			return err
		}
	}
	if v.Chart == "" {
		return nil
	}
	charts := r.Charts(of.name(), v.Chart)
	if len(charts) == 0 {
		return errors.New("nothing to draw: no case belongs to a series such as squares-N or disc-N (--cases growth)")
	}
	for file, c := range charts {
		if err := console.WriteFile(file, s.Stdout, c.Write); err != nil {
			return err
		}
	}
	return nil
}

// runSuites measures suites, and prints each result, or one JSON document at the end.
func runSuites(s *console.Session, asJSON bool, suites ...suite) (r report.Report, err error) {
	todo := make([][]job, len(suites))
	runs := 0
	for i, of := range suites {
		if todo[i], err = of.jobs(); err != nil {
			return r, err
		}
		for _, j := range todo[i] {
			runs += j.runs
		}
	}
	table := s.Stdout
	if asJSON {
		table = io.Discard
	}
	err = device.With(s, func(h *device.Host) error {
		info := h.Device.Info()
		r = report.Report{
			Renderer: info.Renderer, Version: info.Version, Date: time.Now().UTC().Format(time.RFC3339),
			Software: info.Software, Processors: runtime.NumCPU(), Results: []report.Result{},
		}
		bar := console.NewProgress(s.Stderr, "measuring", runs)
		defer bar.Done()
		fmt.Fprintln(table, info.Renderer)
		for i, of := range suites {
			fmt.Fprint(table, report.Text(of.name()+" head", of.facts()))
			for _, j := range todo[i] {
				result, err := j.measure(h.Device, bar)
				if err != nil {
					return fmt.Errorf("%s by %s: %w", j.name, j.method, err)
				}
				result.Case, result.Method = j.name, j.method
				r.Results = append(r.Results, result)
				result.Method = r.Label(j.method)
				fmt.Fprint(table, report.Text(of.name()+" row", result))
			}
		}
		r.Conclude()
		for _, of := range suites {
			if err := r.Write(table, of.name(), "end", "", of.facts()); err != nil {
				return err
			}
		}
		fmt.Fprint(table, report.Text("counts", r))
		if asJSON {
			return console.WriteJSON(s.Stdout, r)
		}
		return nil
	})
	return r, err
}
