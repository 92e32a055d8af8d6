package bench

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// printed are the times of the paper's Table 1 (Farias and Kallmann 2018, GeForce GTX 970): computation, and computation
// with transfer. Unit: ms.
var printed = map[string]struct{ computed, transferred float64 }{
	"simple1": {1.1, 20.9}, "simple2": {1.8, 22.1}, "concave1": {1.1, 20.7}, "concave2": {8.8, 46.5}, "spiral": {2.2, 27.4},
	"spmex1": {1.6, 21.5}, "spmex2": {10, 47},
	"profiling0": {1.4, 22.1}, "profiling1": {5.4, 40.4}, "profiling2": {45.6, 85.8}, "profiling3": {125.1, 168},
	"profiling4": {270.1, 309.9}, "profiling5": {856.4, 886.3}, "profiling6": {2737.1, 2807},
}

// published are the times of the OpenGL code that the paper's authors published, on software OpenGL with two cores. Unit: ms.
var published = map[string]float64{
	"profiling0": 450, "profiling1": 1660, "profiling2": 3430, "profiling3": 7890, "profiling4": 13100, "profiling5": 32100, "profiling6": 93700,
}

// profilingVertices are those of profiling0 to profiling6.
var profilingVertices = []int{16, 64, 144, 256, 400, 784, 1600}

// spmPage writes the tables of a report. The chart is shown if there is one.
func spmPage(w io.Writer, report Report, chart string) error {
	d := &doc{w: w}
	d.heading("Shortest path maps: times", report, softwareOnly)
	d.line("")
	d.line("All times are milliseconds, medians of the runs that count, of maps with %s texels along the longer side if nothing else is", counts(report, "size"))
	d.line("said. They run from the scene in memory to the finished map: snapping, union, triangulation and upload included. `cpu` is")
	d.line("`spm.Solve`, the exact distances of all corners without a map, on one thread of the processor. Before anything is timed each")
	d.line("map is held against a computation from scratch in float64, and the processor's ways there against its ways back.")

	at := map[[2]string]Result{}
	var names []string
	for _, r := range report.Results {
		if r.Params["goals"] > 1 || r.Suite != suiteSPM {
			continue
		}
		at[[2]string{r.Case, r.Method}] = r
		if !slices.Contains(names, r.Case) {
			names = append(names, r.Case)
		}
	}
	of := func(name, method string, f func(Result) float64) string {
		if r, ok := at[[2]string{name, method}]; ok {
			return console.MS(f(r))
		}
		return ""
	}
	wall := func(r Result) float64 { return r.Wall.Median }
	withRead := func(r Result) float64 { return r.Wall.Median + r.Read.Median }
	vertices := func(name string) int {
		for _, r := range report.Results {
			if r.Case == name {
				return r.vertices()
			}
		}
		return 0
	}

	d.line("")
	d.line("## The maps of the paper's Table 1")
	d.line("")
	d.line("\"Paper\" is what Farias and Kallmann 2018 print for a GeForce GTX 970, computation and computation with transfer; \"+ read\" is")
	d.line("ours with the map read back. \"Published\" is the OpenGL code of the paper's authors on software OpenGL with two cores.")
	d.line("")
	d.row("map", "vertices", "wavefront", "+ read", "sequential", "+ read", "cpu", "paper", "paper, transfer", "published")
	d.rule(10)
	for _, name := range names {
		if p, ok := printed[name]; ok {
			old := ""
			if t, ok := published[name]; ok {
				old = console.MS(t)
			}
			d.row(name, strconv.Itoa(vertices(name)), of(name, "wavefront", wall), of(name, "wavefront", withRead),
				of(name, "sequential", wall), of(name, "sequential", withRead), of(name, methodCPU, wall), console.MS(p.computed), console.MS(p.transferred), old)
		}
	}
	d.line("")
	d.line("The sequential method is faster than the published form of the same procedures because a corner's cone is drawn in its taut")
	d.line("wedge only, and walls outside of that cast no shadow; the map is the same.")

	d.line("")
	d.line("## Cost against vertices")
	if chart != "" {
		d.line("")
		d.line("![Wall time against vertices, both axes logarithmic.](%s)", filepath.Base(chart))
	}
	d.line("")
	d.line("squares-N are N squares in rows as in the Profiling maps, where everything sees far; octagons-N are N octagons of unlike")
	d.line("sizes, moved and turned at random. \"Ground\" is the part of the wall time that snapping, union and triangulation take; method")
	d.line("sequential is measured up to %s vertices.", console.Figure(sequentialMost))
	d.line("")
	d.row("scene", "vertices", "wavefront", "on the GPU", "ground", "sequential", "cpu")
	d.rule(7)
	for _, name := range names {
		if familyOf(name) != "" && vertices(name) > 0 {
			d.row(name, console.Figure(float64(vertices(name))), of(name, "wavefront", wall), of(name, "wavefront", func(r Result) float64 { return r.GPU.Median }),
				of(name, "wavefront", func(r Result) float64 { return r.Ground.Median }), of(name, "sequential", wall), of(name, methodCPU, wall))
		}
	}
	if growth := report.fits(suiteSPM); len(growth) > 0 {
		d.line("")
		d.line("Fitted in least squares over the logarithms, wall time grows as a power of the vertices:")
		d.line("")
		d.row("scenes", "method", "from", "to", "exponent", "n log n has")
		d.rule(6)
		for _, f := range growth {
			d.row(f.Family, f.Method, console.Figure(float64(f.From)), console.Figure(float64(f.To)), fmt.Sprintf("%.2f", f.Exponent), fmt.Sprintf("%.2f", f.NLogN))
		}
	}

	if slices.Contains(names, manySources[0]) {
		d.line("")
		d.line("## Many sources")
		d.line("")
		d.line("Points in an empty room, of which the nearest counts. All see all of the room, but what each lights ends where another one is")
		d.line("nearer. Method sequential draws a cone over the whole room for each.")
		d.line("")
		d.row("sources", "wavefront", "on the GPU", "sequential")
		d.rule(4)
		for _, name := range manySources {
			if r, ok := at[[2]string{name, "wavefront"}]; ok {
				d.row(console.Figure(float64(r.Params["sources"])), console.MS(r.Wall.Median), console.MS(r.GPU.Median), of(name, "sequential", wall))
			}
		}
	}

	d.line("")
	d.line("## Against a query for each agent")
	d.line("")
	d.line("What one thread of the processor takes for an agent's shortest path, once the ground is there: by a search of its own from")
	d.line("scratch (`spm.Solve` from the agent, then a query at the source), or by a query to one search that all agents share. Behind")
	d.line("them, from how many agents on building a map by `wavefront` costs less than these answers.")
	d.line("")
	d.row("scene", "vertices", "search", "agents", "shared search", "query", "agents")
	d.rule(7)
	for _, name := range names {
		c, ok := at[[2]string{name, methodCPU}]
		m, both := at[[2]string{name, "wavefront"}]
		if ok && both && c.Questions != nil && m.BreakEven != nil {
			d.row(name, console.Figure(float64(c.vertices())), console.MS(c.Questions.Search), console.Figure(float64(m.BreakEven.Searches)),
				console.MS(c.Wall.Median-c.Ground.Median), console.MS(c.Questions.Query), console.Figure(float64(m.BreakEven.Queries)))
		}
	}

	if slices.ContainsFunc(report.Results, func(r Result) bool { return r.Params["goals"] > 1 }) {
		d.line("")
		d.line("## Many goals")
		d.line("")
		d.line("The maps of several goals of one scene, a layer each: built in one batch, and one after another.")
		d.line("")
		d.row("scene", "vertices", "goals", "texels", "method", "one batch", "on the GPU", "one after another", "a goal, in the batch")
		d.rule(9)
		for _, r := range report.Results {
			if goals := r.Params["goals"]; goals > 1 && r.Apart != nil {
				d.row(r.Case, console.Figure(float64(r.vertices())), strconv.Itoa(goals), console.Figure(float64(r.Params["size"])), r.Method,
					console.MS(r.Wall.Median), console.MS(r.GPU.Median), console.MS(r.Apart.Median), console.MS(r.Wall.Median/float64(goals)))
			}
		}
	}
	return d.err
}

// counts are the values that a parameter has in the results of one goal.
func counts(report Report, param string) string {
	var all []string
	for _, r := range report.Results {
		if v := console.Figure(float64(r.Params[param])); r.Params["goals"] <= 1 && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return strings.Join(all, " or ")
}

// doc writes lines of Markdown and keeps the first error.
type doc struct {
	w   io.Writer
	err error
}

func (d *doc) line(format string, args ...any) {
	if d.err == nil {
		_, d.err = fmt.Fprintf(d.w, format+"\n", args...)
	}
}

// softwareOnly is what a page says where its figures are of a software renderer.
const softwareOnly = "This is software: on a GPU, none of this has been measured yet."

// heading begins a page: its title, where its figures come from, and what to say if they are of a software renderer.
func (d *doc) heading(title string, report Report, ofSoftware ...string) {
	d.line("# %s", title)
	d.line("")
	on := ""
	if report.Processors > 0 {
		on = fmt.Sprintf(" on %d processors", report.Processors)
	}
	date, _, _ := strings.Cut(report.Date, "T")
	d.line("`make benchmarks` measures all of this anew and writes this page. Renderer: %s%s, OpenGL %s. %s.", report.Renderer, on, report.Version, date)
	if report.Software {
		for _, line := range ofSoftware {
			d.line("%s", line)
		}
	}
}

// shower shows drawings, by what comes after the name of the chart, if they are written beside it.
func (d *doc) shower(drawings map[string]drawing, chart string) func(suffix, what string) {
	return func(suffix, what string) {
		if _, ok := drawings[suffix]; ok && chart != "" {
			d.line("")
			d.line("![%s](%s)", what, filepath.Base(chartFile(chart, suffix)))
		}
	}
}

// row writes a row of a table.
func (d *doc) row(cells ...string) { d.line("%s", "| "+strings.Join(cells, " | ")+" |") }

// rule writes what parts the head of a table from its rows: the first column begins on the left, the others end on the right.
func (d *doc) rule(columns int) { d.line("%s", "| --- |"+strings.Repeat(" ---: |", columns-1)) }

// growthChart is cost against vertices: all families by all methods, and the paper's own times.
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
		paper.samples = append(paper.samples, plotter.XY{X: float64(profilingVertices[i]), Y: printed[name].computed})
	}
	c.curves = append(c.curves, paper)
	for _, f := range report.Fits {
		if f.Family == "squares" && f.Method == "wavefront" {
			// From where the fit begins, as n log n goes on.
			samples := all[series{f.Suite, f.Family, f.Method}]
			from := samples[slices.IndexFunc(samples, func(s plotter.XY) bool { return s.X == float64(f.From) })]
			growth := math.Pow(float64(f.To)/float64(f.From), f.NLogN)
			c.curves = append(c.curves, curve{name: "n log n", color: ink, dashes: dotted, bare: true, samples: plotter.XYs{from, {X: float64(f.To), Y: from.Y * growth}}})
		}
	}
	return c
}
