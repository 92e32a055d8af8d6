package bench

import (
	"cmp"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
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

	flags `embed:""`
}

func (spmBench) Help() string { return report.Text("spm help", nil) }

// Validate checks the flags.
func (v spmBench) Validate() error {
	return cmp.Or(
		console.Check(v.Size >= 1 && v.Size <= spm.MaxSize, "--size %d: 1 to %d texels", v.Size, spm.MaxSize),
		console.Check(v.Goals >= 1, "--goals %d: at least 1", v.Goals),
		anyOf("--methods", v.Methods, append(slices.Clone(spm.Methods), report.CPU)), v.check(v.Runs),
	)
}

func (v spmBench) Run(s *console.Session) error { return v.run(s, v) }

func (spmBench) name() string { return report.SPM }

func (v spmBench) facts() report.Values {
	return report.Values{"Size": v.Size, "Runs": v.Runs, "SequentialMost": sequentialMost}
}

// sequentialMost is the number of vertices up to which method sequential runs.
const sequentialMost = 2000

var spmCases = map[string][]string{
	// The maps of the paper's Table 1.
	"all": {
		"simple1", "simple2", "concave1", "concave2", "spiral", "spmex1", "spmex2",
		"profiling0", "profiling1", "profiling2", "profiling3", "profiling4", "profiling5", "profiling6",
	},
	// Scenes of 16 to 20,164 vertices, each about twice the one before.
	"growth": {
		"squares-4", "squares-16", "squares-64", "squares-196", "squares-400", "squares-784", "squares-1600", "squares-3136", "squares-5041",
		"octagons-2", "octagons-8", "octagons-32", "octagons-100", "octagons-200", "octagons-400", "octagons-800", "octagons-1600", "octagons-2500",
	},
	// Scenes of sources that see each other.
	"sources": {"points-1", "points-10", "points-100", "points-1k"},
}

func (v spmBench) jobs() (list []job, err error) {
	for _, name := range named(v.Cases, spmCases) {
		scene, err := builtin.Load(name)
		if err != nil {
			return nil, err
		}
		for _, method := range v.Methods {
			if method == spm.Sequential.String() && scene.Vertices() > sequentialMost {
				continue
			}
			measure := func(d *gpu.Device, bar *console.Progress) (report.Result, error) {
				if method == report.CPU {
					return v.measureCPU(scene, bar)
				}
				return v.measure(d, scene, method, bar)
			}
			list = append(list, job{name, method, 1 + v.Runs, measure})
		}
	}
	return list, nil
}

// result returns the result of a case before it is measured.
func (v spmBench) result(scene *scenes.Scene) report.Result {
	return report.Result{
		Suite: report.SPM, Runs: v.Runs,
		Params: map[string]int{
			"size": v.Size, "obstacles": len(scene.Obstacles), "vertices": scene.Vertices(), "goals": v.Goals,
			"sources": len(scene.Goals[0].Points) + len(scene.Goals[0].Segments),
		},
		Checks: map[string]any{"validated": true}, // else there is an error
	}
}

// goals returns the scene's first goal, and others in the middle of free triangles, evenly spread
// over their list, which depends on the ground only.
func (v spmBench) goals(scene *scenes.Scene, ground *geom.Ground) []spm.Goal {
	all := []spm.Goal{{Points: scene.Goals[0].Points, Segments: scene.Goals[0].Segments}}
	var middles []mgl64.Vec2
	for _, t := range ground.Triangles {
		if t.Free {
			at := func(i int) mgl64.Vec2 { return ground.Place(ground.Vertices[t.V[i]]) }
			middles = append(middles, at(0).Add(at(1)).Add(at(2)).Mul(1.0/3))
		}
	}
	for i := 1; i < v.Goals; i++ {
		all = append(all, spm.Goal{Points: []mgl64.Vec2{middles[i*len(middles)/v.Goals]}})
	}
	return all
}

// measure times building the scene's maps, from the scene in memory on.
func (v spmBench) measure(d *gpu.Device, scene *scenes.Scene, name string, bar *console.Progress) (report.Result, error) {
	r, times := v.result(scene), stopwatch{}
	method, err := spm.ParseMethod(name)
	if err != nil {
		return r, err
	}
	builder, err := spm.NewBuilder(d, method)
	if err != nil {
		return r, err
	}
	defer builder.Delete()
	err = times.repeat(1, v.Runs, bar, func(run int) error {
		d.Finish()
		d.ResetCounts()
		start := time.Now()
		ground, err := scene.Ground()
		if err != nil {
			return err
		}
		times.add("ground", time.Since(start))
		goals := v.goals(scene, ground)
		m, err := goalmap.New(builder, ground, scene, goals, v.Size)
		if err != nil {
			return err
		}
		defer m.Delete()
		d.Finish()
		times.add(wall, time.Since(start))
		r.Counts, r.Params["corners"] = countsOf(d), len(ground.Corners)
		times.time("read", func() {
			for layer := range m.Layers {
				m.Field.Read(layer, make([][4]float32, m.Extent.Columns*m.Extent.Rows))
			}
		})
		for layer := range m.Layers {
			if run > 0 {
				break
			}
			if err := m.Validate(layer, max(1, v.Size/20)); err != nil {
				return err
			}
		}
		times.add("gpu", onDevice(d, "spm ground", "spm "+name))
		if m.Layers == 1 {
			return nil
		}
		times.time("apart", func() {
			for layer, goal := range goals {
				err = cmp.Or(err, builder.Build(m, spm.Change{Layer: layer, Goal: goal}))
			}
			d.Finish()
		})
		onDevice(d) // these passes are none of the next run's
		return err
	})
	r.Wall, r.Ground, r.GPU, r.Read = times.of(wall), times.of("ground"), times.of("gpu"), times.of("read")
	if apart := times.of("apart"); apart.Median > 0 {
		r.Apart = &apart
	}
	return r, err
}
