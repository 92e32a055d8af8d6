package bench

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/goalmap"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
	"github.com/wayfront/wayfront/spm"
)

type spmBench struct {
	Cases   []string `placeholder:"SCENE,..." default:"all" help:"Scenes to build the first goal's map of. all: the fourteen maps of the paper's Table 1; growth: squares and octagons from 16 to 20,000 vertices; sources: an empty room with 1 to 1,000 sources."`
	Methods []string `placeholder:"METHOD,..." default:"wavefront,sequential,cpu" help:"Methods to build it by. cpu: the exact distances of all corners by one thread of the processor."`
	Size    int      `placeholder:"N" default:"1000" help:"Texels along the longer side of the domain."`
	Goals   int      `placeholder:"N" default:"1" help:"Goals whose maps are built in one batch, a layer each; those beyond the first are spread over the ground."`
	Runs    int      `placeholder:"N" default:"5" help:"Runs that count, after one that does not."`

	benchFlags `embed:""`
}

func (spmBench) Help() string {
	return `Measures how long maps take on this device. Each case is first held against a computation from scratch in
float64 on the processor; one that fails is an error. Times run from the scene in memory to the finished map: snapping, union,
triangulation and upload included. What reading the map back would take comes beside it. Method sequential, whose cost grows
with the square of the vertices, leaves out cases of more than 2,000.

squares-N and octagons-N are scenes of N obstacles, points-N is an empty room with N sources. With cases of several sizes the exponent of growth is fitted from 1,600
vertices on. With method cpu the break-even is reported: for how many agents a map is cheaper than a search or a query each.

Examples:
  navview bench spm
  navview bench spm --cases profiling3,profiling6 --methods wavefront --runs 20
  navview bench spm --cases growth --methods wavefront,cpu --chart growth.svg
  navview bench spm --cases profiling3 --goals 64 --size 250 --methods wavefront
  navview bench spm --cases hall.json --size 2000 --json > hall-bench.json`
}

// Validate checks the flags.
func (v spmBench) Validate() error {
	return cmp.Or(
		console.Check(v.Size >= 1 && v.Size <= spm.MaxSize, "--size %d: 1 to %d texels", v.Size, spm.MaxSize),
		console.Check(v.Runs >= 1, "--runs %d: at least 1", v.Runs),
		console.Check(v.Goals >= 1, "--goals %d: at least 1", v.Goals),
		anyOf("--methods", v.Methods, spmMethods), v.validate(),
	)
}

func (v spmBench) Run(s *console.Session) error { return v.run(s, v) }

// methodCPU is spm.Solve on one thread.
const methodCPU = "cpu"

// spmMethods are the methods of the suite.
var spmMethods = append(slices.Clone(spm.Methods), methodCPU)

// sequentialMost is the number of vertices up to which method sequential runs.
const sequentialMost = 2000

// table1 are the maps of the paper's Table 1.
var table1 = []string{
	"simple1", "simple2", "concave1", "concave2", "spiral", "spmex1", "spmex2",
	"profiling0", "profiling1", "profiling2", "profiling3", "profiling4", "profiling5", "profiling6",
}

// growth are scenes of 16 to 20,164 vertices, each about twice the one before.
var growth = []string{
	"squares-4", "squares-16", "squares-64", "squares-196", "squares-400", "squares-784", "squares-1600", "squares-3136", "squares-5041",
	"octagons-2", "octagons-8", "octagons-32", "octagons-100", "octagons-200", "octagons-400", "octagons-800", "octagons-1600", "octagons-2500",
}

// manySources are scenes of sources that see each other.
var manySources = []string{"points-1", "points-10", "points-100", "points-1k"}

func (v spmBench) jobs() ([]job, error) {
	var list []job
	for _, name := range named(v.Cases, map[string][]string{"all": table1, "growth": growth, "sources": manySources}) {
		scene, err := builtin.Load(name)
		if err != nil {
			return nil, err
		}
		for _, method := range v.Methods {
			if method == spm.Sequential.String() && scene.Vertices() > sequentialMost {
				continue
			}
			list = append(list, job{name, method, v.Runs + 1, func(d *gpu.Device, bar *console.Progress) (Result, error) {
				if method == methodCPU {
					return v.measureCPU(scene, bar)
				}
				return v.measure(d, scene, method, bar)
			}})
		}
	}
	return list, nil
}

func (v spmBench) head() string {
	return fmt.Sprintf("%d texels, median of %d runs\n\n%-14s%10s  %-12s%12s%12s%12s\n", v.Size, v.Runs, "case", "vertices", "method", "wall ms", "GPU ms", "read ms")
}

func (v spmBench) row(r Result) string {
	row := fmt.Sprintf("%-14s%10d  %-12s%12.2f", r.Case, r.Vertices(), r.Method, r.Wall.Median)
	if r.Method != methodCPU {
		row += fmt.Sprintf("%12.2f%12.2f", r.GPU.Median, r.Read.Median)
	}
	return row
}

func (spmBench) charts(report Report) map[string]drawing {
	if c := growthChart(report); len(c.curves) > 0 {
		return map[string]drawing{"": c}
	}
	return nil
}

// conclude prints fits, break-evens and times of single goals.
func (v spmBench) conclude(w io.Writer, report Report) {
	growth := report.fits(suiteSPM)
	if len(growth) > 0 {
		fmt.Fprintln(w)
	}
	for _, f := range growth {
		fmt.Fprintf(w, "%s, %s: grows as n^%.2f from %d to %d vertices (n log n: n^%.2f)\n", f.Family, f.Method, f.Exponent, f.From, f.To, f.NLogN)
	}
	title := "\nA map pays off from so many agents on, against a search each; against one search for all and a query each:\n"
	for _, r := range report.Results {
		if r.BreakEven == nil {
			continue
		}
		fmt.Fprintf(w, "%s%-14s%10d  %-12s%12d%12d\n", title, r.Case, r.Vertices(), r.Method, r.BreakEven.Searches, r.BreakEven.Queries)
		title = ""
	}
	for _, r := range report.Results {
		if r.Apart != nil {
			fmt.Fprintf(w, "%s, %s: the maps of %d goals one after another %.2f ms\n", r.Case, r.Method, r.Params["goals"], r.Apart.Median)
		}
	}
}

// params are the counts of a case.
func (v spmBench) params(scene *scenes.Scene) map[string]int {
	return map[string]int{
		"size": v.Size, "obstacles": len(scene.Obstacles), "vertices": scene.Vertices(), "goals": v.Goals,
		"sources": len(scene.Goals[0].Points) + len(scene.Goals[0].Segments),
	}
}

// goals returns the scene's first goal, and others in the middle of free triangles, evenly spread
// over their list, which depends on the ground only.
func (v spmBench) goals(scene *scenes.Scene, ground *geom.Ground) []spm.Goal {
	all := []spm.Goal{{Points: scene.Goals[0].Points, Segments: scene.Goals[0].Segments}}
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

// measure times building the scene's maps.
func (v spmBench) measure(d *gpu.Device, scene *scenes.Scene, name string, bar *console.Progress) (Result, error) {
	method, err := spm.ParseMethod(name)
	if err != nil {
		return Result{}, err
	}
	builder, err := spm.NewBuilder(d, method)
	if err != nil {
		return Result{}, err
	}
	defer builder.Delete()
	r := Result{Suite: suiteSPM, Method: name, Runs: v.Runs, Params: v.params(scene)}
	var wall, grounds, device, read, apart []time.Duration
	for run := range v.Runs + 1 {
		d.Finish()
		d.ResetCounts()
		start := time.Now()
		ground, err := scene.Ground()
		if err != nil {
			return r, err
		}
		snapped := time.Since(start)
		goals := v.goals(scene, ground)
		m, err := goalmap.New(builder, ground, scene, goals, v.Size)
		if err != nil {
			return r, err
		}
		d.Finish()
		took := time.Since(start)
		r.Counts = countsOf(d)
		start = time.Now()
		for layer := range m.Layers {
			m.Field.Read(layer, make([][4]float32, m.Extent.Columns*m.Extent.Rows))
		}
		back := time.Since(start)
		if run == 0 {
			// The first run is a warm-up, and is checked.
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
		bar.Step()
	}
	r.Wall, r.Ground, r.GPU, r.Read = spreadOf(wall), spreadOf(grounds), spreadOf(device), spreadOf(read)
	if len(apart) > 0 {
		s := spreadOf(apart)
		r.Apart = &s
	}
	return r, nil
}
