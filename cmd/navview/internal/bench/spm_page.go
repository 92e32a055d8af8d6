package bench

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/spm"
)

// printed are the times of the paper's Table 1 (Farias and Kallmann 2018, GeForce GTX 970),
// computed and with transfer, and of the authors' OpenGL code on two cores of software OpenGL; 0:
// none. Unit: ms.
var printed = map[string]*struct{ Computed, Transferred, Published float64 }{
	"simple1": {1.1, 20.9, 0}, "simple2": {1.8, 22.1, 0}, "concave1": {1.1, 20.7, 0}, "concave2": {8.8, 46.5, 0}, "spiral": {2.2, 27.4, 0},
	"spmex1": {1.6, 21.5, 0}, "spmex2": {10, 47, 0}, "profiling0": {1.4, 22.1, 450}, "profiling1": {5.4, 40.4, 1660},
	"profiling2": {45.6, 85.8, 3430}, "profiling3": {125.1, 168, 7890}, "profiling4": {270.1, 309.9, 13100},
	"profiling5": {856.4, 886.3, 32100}, "profiling6": {2737.1, 2807, 93700},
}

// profilingVertices are the vertices of profiling0 to profiling6.
var profilingVertices = []int{16, 64, 144, 256, 400, 784, 1600}

// spmView is what the page of the suite shows.
type spmView struct {
	page
	ManyGoals []Result
}

// markdown writes the page of the suite.
func (v spmBench) markdown(w io.Writer, report Report, chart string) error {
	p := newPage(report, suiteSPM, v.charts(report), chart)
	var one, many []Result // by the number of goals
	for _, r := range report.Of(suiteSPM) {
		if r.Params["goals"] <= 1 {
			one = append(one, r)
		} else if r.Apart != nil {
			many = append(many, r)
		}
	}
	p.Cases = casesOf(one)
	return writePage(w, "spm", spmView{p, many})
}

// MapMethods are the methods that build maps.
func (spmView) MapMethods() []string { return spm.Methods }

// Printed are the paper's own times, by case.
func (spmView) Printed() any { return printed }

// SequentialMost is the number of vertices up to which method sequential runs.
func (spmView) SequentialMost() int { return sequentialMost }

// Families are the cases of a series of sizes.
func (v spmView) Families() []*caseRow {
	return slices.DeleteFunc(slices.Clone(v.Cases), func(c *caseRow) bool { return familyOf(c.Name) == "" || c.Any.Vertices() == 0 })
}

// Sources are the cases of many sources, if there are any.
func (v spmView) Sources() []*caseRow {
	return slices.DeleteFunc(slices.Clone(v.Cases), func(c *caseRow) bool { return !slices.Contains(manySources, c.Name) })
}

// Sizes are the sizes of maps with one goal.
func (v spmView) Sizes() string {
	var all []string
	for _, c := range v.Cases {
		for _, r := range c.by {
			if size := console.Figure(float64(r.Params["size"])); !slices.Contains(all, size) {
				all = append(all, size)
			}
		}
	}
	slices.Sort(all)
	return strings.Join(all, " or ")
}

// WithRead is the time of building and reading back. Unit: ms.
func (r Result) WithRead() float64 { return r.Wall.Median + r.Read.Median }

// WithoutGround is the time without that of the ground. Unit: ms.
func (r Result) WithoutGround() float64 { return r.Wall.Median - r.Ground.Median }

// PerGoal is the time per goal of a batch. Unit: ms.
func (r Result) PerGoal() float64 { return r.Wall.Median / float64(r.Params["goals"]) }

// growthChart is time against vertices, with the paper's times.
func growthChart(report Report) chart {
	colors := map[string]color.Color{"wavefront": blue, "sequential": vermillion, methodCPU: green}
	dashes := map[string][]vg.Length{"octagons": dashed}
	c := chart{
		title: fmt.Sprintf("From the scene to the finished map, %s", report.Renderer),
		x:     "vertices of obstacles", y: "wall time, ms",
	}
	all := curves(report.Results)
	for _, family := range []string{"squares", "octagons"} {
		for _, method := range []string{"wavefront", "sequential", methodCPU} {
			if samples := all[series{suiteSPM, family, method}]; len(samples) > 0 {
				c.curves = append(c.curves, curve{name: method + ", " + family, color: colors[method], dashes: dashes[family], samples: samples})
			}
		}
	}
	if len(c.curves) == 0 {
		return c
	}
	paper := curve{name: "paper (GeForce GTX 970)", color: gray, dashes: dotted}
	for i, name := range table1[7:] {
		paper.samples = append(paper.samples, plotter.XY{X: float64(profilingVertices[i]), Y: printed[name].Computed})
	}
	c.curves = append(c.curves, paper)
	for _, f := range report.Fits {
		if f.Family == "squares" && f.Method == "wavefront" {
			// The line n log n starts where the fit does.
			samples := all[series{f.Suite, f.Family, f.Method}]
			from := samples[slices.IndexFunc(samples, func(s plotter.XY) bool { return s.X == float64(f.From) })]
			growth := math.Pow(float64(f.To)/float64(f.From), f.NLogN)
			c.curves = append(c.curves, curve{name: "n log n", color: ink, dashes: dotted, bare: true, samples: plotter.XYs{from, {X: float64(f.To), Y: from.Y * growth}}})
		}
	}
	return c
}
