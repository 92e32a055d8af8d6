package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

type benchVerb struct {
	Suite   string   `arg:"" enum:"spm,all" help:"What to measure: ${enum}."`
	Cases   []string `placeholder:"SCENE,..." default:"all" help:"Scenes to build the first goal's map of; all is the fourteen maps of the paper's Table 1."`
	Methods []string `placeholder:"METHOD,..." default:"wavefront,sequential" help:"Methods to build it by."`
	Size    int      `placeholder:"N" default:"1000" help:"Texels along the longer side of the domain."`
	Runs    int      `placeholder:"N" default:"5" help:"Runs that count, after one that does not."`
	JSON    bool     `name:"json" help:"Print one JSON document."`
}

func (benchVerb) Help() string {
	return `Measures how long maps take on this device. Each case is first held against a computation from scratch in
float64 on the processor; one that fails is an error. Times run from the scene in memory to the finished map: snapping, union,
triangulation and upload included. What reading the map back would take comes beside it.

Examples:
  navview bench spm
  navview bench spm --cases profiling3,profiling6 --methods wavefront --runs 20
  navview bench spm --cases hall.json --size 2000 --json > hall-bench.json`
}

// Validate refuses what cannot be measured.
func (v benchVerb) Validate() error {
	if v.Size < 1 || v.Size > spm.MaxSize {
		return fmt.Errorf("--size %d: 1 to %d texels", v.Size, spm.MaxSize)
	}
	if v.Runs < 1 {
		return fmt.Errorf("--runs %d: at least 1", v.Runs)
	}
	for _, name := range v.Methods {
		if !slices.Contains(spm.Methods, name) {
			return fmt.Errorf("--methods %s: any of %s", name, strings.Join(spm.Methods, ", "))
		}
	}
	return nil
}

// table1 are the maps of the paper's Table 1.
var table1 = []string{
	"simple1", "simple2", "concave1", "concave2", "spiral", "spmex1", "spmex2",
	"profiling0", "profiling1", "profiling2", "profiling3", "profiling4", "profiling5", "profiling6",
}

// benchReport is what bench --json prints.
type benchReport struct {
	Renderer string        `json:"renderer"`
	Version  string        `json:"version"` // of OpenGL
	Date     string        `json:"date"`
	Results  []benchResult `json:"results"`
}

type benchResult struct {
	Suite  string         `json:"suite"`
	Case   string         `json:"case"`
	Method string         `json:"method"`
	Params map[string]int `json:"params"`
	GPU    spread         `json:"gpu_ms"`
	Wall   spread         `json:"wall_ms"`
	Read   spread         `json:"read_back_ms"`
	Runs   int            `json:"runs"`
	Checks map[string]any `json:"checks"`
}

// spread sums up the runs of a case. Unit: ms.
type spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	P95    float64 `json:"p95"`
}

func spreadOf(runs []time.Duration) spread {
	slices.Sort(runs)
	at := func(share float64) float64 {
		return runs[int(share*float64(len(runs)-1)+0.5)].Seconds() * 1000
	}
	return spread{Median: at(0.5), Min: at(0), P95: at(0.95)}
}

func (v benchVerb) Run(s *session) error {
	cases := v.Cases
	if slices.Equal(cases, []string{"all"}) {
		cases = table1
	}
	var worlds []*scenes.Scene
	for _, name := range cases {
		scene, err := scenes.Load(name)
		if err != nil {
			return err
		}
		worlds = append(worlds, scene)
	}
	h, err := s.open()
	if err != nil {
		return err
	}
	info := h.device.Info()
	report := benchReport{Renderer: info.Renderer, Version: info.Version, Date: time.Now().UTC().Format(time.RFC3339), Results: []benchResult{}}
	bar := newProgress(s.stderr, "measuring", len(worlds)*len(v.Methods)*(v.Runs+1))
	if !v.JSON {
		fmt.Fprintf(s.stdout, "%s\n%d texels, median of %d runs\n\n%-14s%10s  %-12s%12s%12s%12s\n",
			info.Renderer, v.Size, v.Runs, "case", "vertices", "method", "wall ms", "GPU ms", "read ms")
	}
	for i, scene := range worlds {
		for _, name := range v.Methods {
			result, err := v.measure(h.device, scene, name, bar)
			if err != nil {
				bar.done()
				return h.finish(fmt.Errorf("%s by %s: %w", cases[i], name, err))
			}
			result.Case = cases[i]
			report.Results = append(report.Results, result)
			if !v.JSON {
				fmt.Fprintf(s.stdout, "%-14s%10d  %-12s%12.2f%12.2f%12.2f\n",
					result.Case, scene.Vertices(), name, result.Wall.Median, result.GPU.Median, result.Read.Median)
			}
		}
	}
	bar.done()
	if v.JSON {
		return h.finish(writeJSON(s.stdout, report))
	}
	return h.finish(nil)
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
	r := benchResult{
		Suite: "spm", Method: name, Runs: v.Runs,
		Params: map[string]int{"size": v.Size, "obstacles": len(scene.Obstacles), "vertices": scene.Vertices()},
	}
	var wall, device, read []time.Duration
	for run := range v.Runs + 1 {
		d.Finish()
		start := time.Now()
		ground, err := scene.Ground()
		if err != nil {
			return r, err
		}
		m, err := newMap(builder, ground, scene, scene.Goals[0], v.Size)
		if err != nil {
			return r, err
		}
		d.Finish()
		took := time.Since(start)
		start = time.Now()
		m.Field.Read(0, make([][4]float32, m.Extent.Columns*m.Extent.Rows))
		back := time.Since(start)
		if run == 0 {
			// The first run is a warm-up, and the one that is checked.
			if err := m.Validate(0, max(1, v.Size/20)); err != nil {
				m.Delete()
				return r, err
			}
			r.Params["corners"] = len(ground.Corners)
			r.Checks = map[string]any{"validated": true} // else there is no result
		}
		if drawn := onDevice(d, "spm ground", "spm "+name); run > 0 {
			wall, device, read = append(wall, took), append(device, drawn), append(read, back)
		}
		m.Delete()
		bar.step()
	}
	r.Wall, r.GPU, r.Read = spreadOf(wall), spreadOf(device), spreadOf(read)
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
