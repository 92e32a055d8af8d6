package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"

	"github.com/wayfront/wayfront/cmd/navview/internal/bench/chart"
)

// printed are the times of the paper's Table 1 (Farias and Kallmann 2018, GeForce GTX 970),
// computed and with transfer, and of the authors' OpenGL code on two cores of software OpenGL; 0:
// none. Unit: ms.
var printed = map[string]struct{ Computed, Transferred, Published float64 }{
	"simple1": {1.1, 20.9, 0}, "simple2": {1.8, 22.1, 0}, "concave1": {1.1, 20.7, 0}, "concave2": {8.8, 46.5, 0}, "spiral": {2.2, 27.4, 0},
	"spmex1": {1.6, 21.5, 0}, "spmex2": {10, 47, 0}, "profiling0": {1.4, 22.1, 450}, "profiling1": {5.4, 40.4, 1660},
	"profiling2": {45.6, 85.8, 3430}, "profiling3": {125.1, 168, 7890}, "profiling4": {270.1, 309.9, 13100},
	"profiling5": {856.4, 886.3, 32100}, "profiling6": {2737.1, 2807, 93700},
}

// profilingVertices are the vertices of profiling0 to profiling6.
var profilingVertices = []float64{16, 64, 144, 256, 400, 784, 1600}

func spmValues(r Report) Values {
	one := filter(r.Of(SPM), func(r Result) bool { return r.Params["goals"] <= 1 })
	rows := cases(one)
	return Values{
		"Cases": rows, "Sizes": values(one, "size"), "Printed": printed,
		"Families":  filter(rows, func(c *Row) bool { return Family(c.Name) != "" && c.First.Vertices() > 0 }),
		"Sources":   filter(rows, func(c *Row) bool { return Family(c.Name) == "points" }),
		"ManyGoals": filter(r.Of(SPM), func(r Result) bool { return r.Params["goals"] > 1 && r.Apart != nil }),
	}
}

// spmMethods are the methods with the colors of their curves.
var spmMethods = []chart.Key{
	{Text: "wavefront", Color: chart.Blue}, {Text: "sequential", Color: chart.Vermillion}, {Text: CPU, Color: chart.Green},
}

// spmCharts are time against vertices, with the paper's times.
func spmCharts(r Report) map[string]chart.Drawing {
	all := curves(r.Results)
	c := &chart.Chart{
		Title: "From the scene to the finished map, " + r.Renderer,
		X:     "vertices of obstacles", Y: "wall time, ms",
	}
	for _, m := range spmMethods {
		squares, octagons := series{SPM, "squares", m.Text}, series{SPM, "octagons", m.Text}
		c.Add(chart.Curve{Name: m.Text + ", squares", Color: m.Color}, all[squares]...)
		c.Add(chart.Curve{Name: m.Text + ", octagons", Color: m.Color, Dashes: chart.Dashed}, all[octagons]...)
	}
	if c.Empty() {
		return nil
	}
	paper := chart.Curve{Name: "paper (GeForce GTX 970)", Color: chart.Gray, Dashes: chart.Dotted}
	for i, vertices := range profilingVertices {
		c.Add(paper, plotter.XY{X: vertices, Y: printed[fmt.Sprintf("profiling%d", i)].Computed})
	}
	for _, f := range r.Growth(SPM) {
		if f.Family == "squares" && f.Method == "wavefront" {
			// The line n log n starts where the fit does.
			points := all[series{SPM, f.Family, f.Method}]
			from := points[slices.IndexFunc(points, func(p plotter.XY) bool { return p.X == float64(f.From) })]
			to := plotter.XY{X: float64(f.To), Y: from.Y * math.Pow(float64(f.To)/from.X, f.NLogN)}
			c.Add(chart.Curve{Name: "n log n", Color: chart.Ink, Dashes: chart.Dotted, Bare: true}, from, to)
		}
	}
	return map[string]chart.Drawing{"": c}
}
