package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

type benchVerb struct {
	Suite   string   `arg:"" enum:"spm,all" help:"What to measure: ${enum}."`
	Cases   []string `placeholder:"SCENE,..." default:"all" help:"Scenes to build the first goal's map of. all: the fourteen maps of the paper's Table 1; growth: squares and octagons from 16 to 20,000 vertices."`
	Methods []string `placeholder:"METHOD,..." default:"wavefront,sequential,cpu" help:"Methods to build it by. cpu: the exact distances of all corners by one thread of the processor."`
	Size    int      `placeholder:"N" default:"1000" help:"Texels along the longer side of the domain."`
	Goals   int      `placeholder:"N" default:"1" help:"Goals whose maps are built in one batch, a layer each; those beyond the first are spread over the ground."`
	Runs    int      `placeholder:"N" default:"5" help:"Runs that count, after one that does not."`
	JSON    bool     `name:"json" help:"Print one JSON document."`

	Results []string `placeholder:"FILE,..." help:"Measure nothing: take what earlier runs printed with --json."`
	Report  string   `placeholder:"OUT.md" help:"Write tables of the results."`
	Chart   string   `placeholder:"OUT.svg" help:"Write a chart of cost against vertices."`
}

func (benchVerb) Help() string {
	return `Measures how long maps take on this device. Each case is first held against a computation from scratch in
float64 on the processor; one that fails is an error. Times run from the scene in memory to the finished map: snapping, union,
triangulation and upload included. What reading the map back would take comes beside it. Method sequential, whose cost grows
with the square of the vertices, leaves out cases of more than 2,000.

squares-N and octagons-N are scenes of N obstacles. With cases of several sizes the exponent of growth is fitted from 1,600
vertices on. With method cpu the break-even is told: for how many agents a map is cheaper than a search or a query each.

Examples:
  navview bench spm
  navview bench spm --cases profiling3,profiling6 --methods wavefront --runs 20
  navview bench spm --cases growth --methods wavefront,cpu --chart growth.svg
  navview bench spm --cases profiling3 --goals 64 --size 250 --methods wavefront
  navview bench spm --cases hall.json --size 2000 --json > hall-bench.json`
}

// methodCPU is the reference on one thread of the processor, beside the methods of package spm.
const methodCPU = "cpu"

// sequentialMost is the number of vertices up to which method sequential is measured.
const sequentialMost = 2000

// Validate refuses what cannot be measured.
func (v benchVerb) Validate() error {
	if v.Size < 1 || v.Size > spm.MaxSize {
		return fmt.Errorf("--size %d: 1 to %d texels", v.Size, spm.MaxSize)
	}
	if v.Runs < 1 {
		return fmt.Errorf("--runs %d: at least 1", v.Runs)
	}
	if v.Goals < 1 {
		return fmt.Errorf("--goals %d: at least 1", v.Goals)
	}
	known := append(slices.Clone(spm.Methods), methodCPU)
	for _, name := range v.Methods {
		if !slices.Contains(known, name) {
			return fmt.Errorf("--methods %s: any of %s", name, strings.Join(known, ", "))
		}
	}
	for _, out := range []struct{ flag, name, ending string }{{"--report", v.Report, ".md"}, {"--chart", v.Chart, ".svg"}} {
		if out.name != "" && !strings.HasSuffix(strings.ToLower(out.name), out.ending) {
			return fmt.Errorf("%s %s: a name that ends in %s is needed", out.flag, out.name, out.ending)
		}
	}
	return nil
}

// table1 are the maps of the paper's Table 1.
var table1 = []string{
	"simple1", "simple2", "concave1", "concave2", "spiral", "spmex1", "spmex2",
	"profiling0", "profiling1", "profiling2", "profiling3", "profiling4", "profiling5", "profiling6",
}

// growth are scenes from 16 to 20,164 vertices, about twice as many each.
var growth = []string{
	"squares-4", "squares-16", "squares-64", "squares-196", "squares-400", "squares-784", "squares-1600", "squares-3136", "squares-5041",
	"octagons-2", "octagons-8", "octagons-32", "octagons-100", "octagons-200", "octagons-400", "octagons-800", "octagons-1600", "octagons-2500",
}

// benchReport is what bench --json prints.
type benchReport struct {
	Renderer string        `json:"renderer"`
	Version  string        `json:"version"` // of OpenGL
	Date     string        `json:"date"`
	Results  []benchResult `json:"results"`
	Fits     []growthFit   `json:"fits,omitempty"`
}

type benchResult struct {
	Suite  string         `json:"suite"`
	Case   string         `json:"case"`
	Method string         `json:"method"`
	Params map[string]int `json:"params"`
	GPU    spread         `json:"gpu_ms"`
	Wall   spread         `json:"wall_ms"`
	Ground spread         `json:"ground_ms"` // of the wall time: snapping, union, triangulation
	Read   spread         `json:"read_back_ms"`
	Apart  *spread        `json:"apart_ms,omitempty"` // of several goals: building them one after another
	Runs   int            `json:"runs"`
	Checks map[string]any `json:"checks"`

	Questions *questionTimes `json:"questions,omitempty"`  // of method cpu
	BreakEven *breakEven     `json:"break_even,omitempty"` // of the others, where the case was measured by method cpu too
}

// vertices of the case.
func (r benchResult) vertices() int { return r.Params["vertices"] }

// spread sums up the runs of a case. Unit: ms.
type spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	P95    float64 `json:"p95"`
}

func spreadOf(runs []time.Duration) spread {
	slices.Sort(runs)
	at := func(share float64) float64 {
		return milliseconds(runs[int(share*float64(len(runs)-1)+0.5)])
	}
	return spread{Median: at(0.5), Min: at(0), P95: at(0.95)}
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }

func (v benchVerb) Run(s *session) (err error) {
	var report benchReport
	if len(v.Results) > 0 {
		report, err = readResults(v.Results)
	} else {
		report, err = v.measureAll(s)
	}
	if err != nil {
		return err
	}
	report.Fits = fits(report.Results)
	compareQuestions(report.Results)
	if v.Report != "" {
		if err := writeFile(s, v.Report, func(o *output) error { return markdown(o, report, v.Chart) }); err != nil {
			return err
		}
	}
	if v.Chart != "" {
		if err := writeFile(s, v.Chart, func(o *output) error { return growthChart(report).write(o) }); err != nil {
			return err
		}
	}
	if v.JSON {
		return writeJSON(s.stdout, report)
	}
	if len(v.Results) == 0 {
		v.conclude(s, report)
	}
	return nil
}

// writeFile writes a file whole or not at all.
func writeFile(s *session, name string, write func(*output) error) (err error) {
	o, err := create(name, s.stdout)
	if err != nil {
		return err
	}
	defer o.close(&err)
	return write(o)
}

// readResults joins what earlier runs printed; the head is that of the first.
func readResults(files []string) (benchReport, error) {
	var all benchReport
	for i, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return all, fmt.Errorf("the results cannot be read: %w", err)
		}
		var one benchReport
		if err := json.Unmarshal(data, &one); err != nil {
			return all, fmt.Errorf("%s is not what bench --json prints: %w", name, err)
		}
		one.Results = append(all.Results, one.Results...)
		if i > 0 {
			one.Renderer, one.Version, one.Date = all.Renderer, all.Version, all.Date
		}
		all = one
	}
	return all, nil
}

// measureAll measures every case by every method, and tells each result as it comes.
func (v benchVerb) measureAll(s *session) (report benchReport, err error) {
	var cases []string
	for _, name := range v.Cases {
		switch name {
		case "all":
			cases = append(cases, table1...)
		case "growth":
			cases = append(cases, growth...)
		default:
			cases = append(cases, name)
		}
	}
	var worlds []*scenes.Scene
	for _, name := range cases {
		scene, err := scenes.Load(name)
		if err != nil {
			return report, err
		}
		worlds = append(worlds, scene)
	}
	h, err := s.open()
	if err != nil {
		return report, err
	}
	defer func() { err = h.finish(err) }()
	info := h.device.Info()
	report = benchReport{Renderer: info.Renderer, Version: info.Version, Date: time.Now().UTC().Format(time.RFC3339), Results: []benchResult{}}
	bar := newProgress(s.stderr, "measuring", len(worlds)*len(v.Methods)*(v.Runs+1))
	defer bar.done()
	if !v.JSON {
		fmt.Fprintf(s.stdout, "%s\n%d texels, median of %d runs\n\n%-14s%10s  %-12s%12s%12s%12s\n",
			info.Renderer, v.Size, v.Runs, "case", "vertices", "method", "wall ms", "GPU ms", "read ms")
	}
	for i, scene := range worlds {
		for _, name := range v.Methods {
			if name == spm.Sequential.String() && scene.Vertices() > sequentialMost {
				continue
			}
			var result benchResult
			if name == methodCPU {
				result, err = v.measureCPU(scene, bar)
			} else {
				result, err = v.measure(h.device, scene, name, bar)
			}
			if err != nil {
				return report, fmt.Errorf("%s by %s: %w", cases[i], name, err)
			}
			result.Case = cases[i]
			report.Results = append(report.Results, result)
			if v.JSON {
				continue
			}
			fmt.Fprintf(s.stdout, "%-14s%10d  %-12s%12.2f", result.Case, scene.Vertices(), name, result.Wall.Median)
			if name != methodCPU {
				fmt.Fprintf(s.stdout, "%12.2f%12.2f", result.GPU.Median, result.Read.Median)
			}
			fmt.Fprintln(s.stdout)
		}
	}
	return report, nil
}

// conclude tells what follows from all results together.
func (v benchVerb) conclude(s *session, report benchReport) {
	if len(report.Fits) > 0 {
		fmt.Fprintln(s.stdout)
	}
	for _, f := range report.Fits {
		fmt.Fprintf(s.stdout, "%s, %s: grows as n^%.2f from %d to %d vertices (n log n: n^%.2f)\n", f.Family, f.Method, f.Exponent, f.From, f.To, f.NLogN)
	}
	title := "\nA map pays off from so many agents on, against a search each; against one search for all and a query each:\n"
	for _, r := range report.Results {
		if r.BreakEven == nil {
			continue
		}
		fmt.Fprintf(s.stdout, "%s%-14s%10d  %-12s%12d%12d\n", title, r.Case, r.vertices(), r.Method, r.BreakEven.Searches, r.BreakEven.Queries)
		title = ""
	}
	for _, r := range report.Results {
		if r.Apart != nil {
			fmt.Fprintf(s.stdout, "%s, %s: the maps of %d goals one after another %.2f ms\n", r.Case, r.Method, r.Params["goals"], r.Apart.Median)
		}
	}
}

// params are a case's counts, for the report.
func (v benchVerb) params(scene *scenes.Scene) map[string]int {
	return map[string]int{"size": v.Size, "obstacles": len(scene.Obstacles), "vertices": scene.Vertices(), "goals": v.Goals}
}

// goals are the scene's first goal and others, each with a point in the middle of one of the free triangles, evenly spread
// over their list. That list follows the shape of the ground only.
func (v benchVerb) goals(scene *scenes.Scene, ground *geom.Ground) []spm.Goal {
	all := []spm.Goal{spmGoal(scene.Goals[0])}
	var middles []mgl64.Vec2
	for _, t := range ground.Triangles {
		if t.Free {
			sum := ground.Place(ground.Vertices[t.V[0]]).Add(ground.Place(ground.Vertices[t.V[1]])).Add(ground.Place(ground.Vertices[t.V[2]]))
			middles = append(middles, sum.Mul(1.0/3))
		}
	}
	for i := 1; i < v.Goals; i++ {
		all = append(all, spm.Goal{Points: []mgl64.Vec2{middles[i*len(middles)/v.Goals]}})
	}
	return all
}

// measure builds a scene's map again and again.
func (v benchVerb) measure(d *gpu.Device, scene *scenes.Scene, name string, bar *progress) (benchResult, error) {
	method, err := spm.ParseMethod(name)
	if err != nil {
		return benchResult{}, err
	}
	builder, err := spm.NewBuilder(d, method)
	if err != nil {
		return benchResult{}, err
	}
	defer builder.Delete()
	r := benchResult{Suite: "spm", Method: name, Runs: v.Runs, Params: v.params(scene)}
	var wall, grounds, device, read, apart []time.Duration
	for run := range v.Runs + 1 {
		d.Finish()
		start := time.Now()
		ground, err := scene.Ground()
		if err != nil {
			return r, err
		}
		snapped := time.Since(start)
		goals := v.goals(scene, ground)
		m, err := newMap(builder, ground, scene, goals, v.Size)
		if err != nil {
			return r, err
		}
		d.Finish()
		took := time.Since(start)
		start = time.Now()
		for layer := range m.Layers {
			m.Field.Read(layer, make([][4]float32, m.Extent.Columns*m.Extent.Rows))
		}
		back := time.Since(start)
		if run == 0 {
			// The first run is a warm-up, and the one that is checked.
			for layer := range m.Layers {
				if err := m.Validate(layer, max(1, v.Size/20)); err != nil {
					m.Delete()
					return r, err
				}
			}
			r.Params["corners"] = len(ground.Corners)
			r.Checks = map[string]any{"validated": true} // else there is no result
		}
		if drawn := onDevice(d, "spm ground", "spm "+name); run > 0 {
			wall, grounds, device, read = append(wall, took), append(grounds, snapped), append(device, drawn), append(read, back)
		}
		if m.Layers > 1 {
			start := time.Now()
			for layer, goal := range goals {
				if err := builder.Build(m, spm.Change{Layer: layer, Goal: goal}); err != nil {
					m.Delete()
					return r, err
				}
			}
			d.Finish()
			if run > 0 {
				apart = append(apart, time.Since(start))
			}
			onDevice(d, "spm "+name) // is none of the next run's
		}
		m.Delete()
		bar.step()
	}
	r.Wall, r.Ground, r.GPU, r.Read = spreadOf(wall), spreadOf(grounds), spreadOf(device), spreadOf(read)
	if len(apart) > 0 {
		s := spreadOf(apart)
		r.Apart = &s
	}
	return r, nil
}

// onDevice ends a frame and says what its passes of those names took on the device. Figures come some frames late: empty
// frames follow until this one's are there.
func onDevice(d *gpu.Device, passes ...string) time.Duration {
	read := func() (frames int64, sum time.Duration) {
		for _, t := range d.Timings() {
			if slices.Contains(passes, t.Name) {
				frames, sum = frames+t.Frames, sum+t.Last
			}
		}
		return frames, sum
	}
	before, _ := read()
	for range 100 {
		d.FrameEnd()
		if frames, sum := read(); frames > before {
			return sum
		}
		d.Finish()
	}
	return 0 // a device without timestamps
}
