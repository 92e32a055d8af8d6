package bench

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// What charts other than the first are called behind its name.
const (
	fieldGrowthChart = "-growth"
	relaxationChart  = "-relaxation-" // and a clutter's name
)

// Speed-ups of Fischer et al. 2009, figure 9: GeForce 9800 GX2 over one thread of a Core 2 6300.
const (
	paperLeast = 2.85
	paperMost  = 56.6 // 500 people, 21 cells
)

var bvpColors = []color.Color{blue, vermillion, green, purple}

// fieldDrawings are the drawings that there are results for.
func fieldDrawings(report Report) map[string]drawing {
	all := map[string]drawing{}
	add := func(suffix string, c chart) {
		if len(c.curves) > 0 {
			all[suffix] = c
		}
	}
	add("", speedUpChart(report))
	add(fieldGrowthChart, fieldGrowthOf(report))
	for _, in := range clutters {
		add(relaxationChart+in.name, leftOf(report, in))
	}
	return all
}

// speedUpChart is figure 9 of Fischer et al. 2009.
func speedUpChart(report Report) chart {
	c := chart{title: "Speed-up of a step over one sequential thread, " + report.Renderer, x: "people", y: "times as fast"}
	people := measuredSizes(report, "agents")
	for i, cells := range measuredSizes(report, "cells") {
		k := curve{name: fmt.Sprintf("%d cells", cells), color: bvpColors[i%len(bvpColors)]}
		for _, n := range people {
			if times, ok := speedUp(report, n, cells); ok {
				k.samples = append(k.samples, plotter.XY{X: float64(n), Y: times})
			}
		}
		if len(k.samples) > 0 {
			c.curves = append(c.curves, k)
		}
	}
	if len(c.curves) > 0 {
		for name, times := range map[string]float64{"paper's most, 56.6": paperMost, "paper's least, 2.85": paperLeast} {
			c.curves = append(c.curves, curve{name: name, color: gray, dashes: dotted, bare: true, samples: plotter.XYs{{X: 50, Y: times}, {X: 1000, Y: times}}})
		}
		slices.SortFunc(c.curves, func(a, b curve) int { return strings.Compare(a.name, b.name) })
	}
	return c
}

// fieldSteps are the results of steps, by cells, people and method.
func fieldSteps(report Report) []Result {
	all := slices.DeleteFunc(slices.Clone(report.Results), func(r Result) bool { return r.Suite != suiteBVP })
	slices.SortStableFunc(all, func(a, b Result) int {
		return cmp.Or(a.Params["cells"]-b.Params["cells"], a.size()-b.size(), strings.Compare(a.Method, b.Method))
	})
	return all
}

// fieldGrowthOf is the time of a step against people.
func fieldGrowthOf(report Report) chart {
	c := chart{title: "A step of people with local maps, " + report.Renderer, x: "people", y: "wall time, ms"}
	for i, cells := range measuredSizes(report, "cells") {
		for _, method := range fieldMethods {
			var samples plotter.XYs
			for _, r := range fieldSteps(report) {
				if r.Params["cells"] == cells && r.Method == method && r.Wall.Min > 0 {
					samples = append(samples, plotter.XY{X: float64(r.size()), Y: r.Wall.Min})
				}
			}
			if len(samples) > 1 {
				c.curves = append(c.curves, curve{
					name: fmt.Sprintf("%s, %d cells", report.by(method), cells), color: bvpColors[i%len(bvpColors)],
					dashes: map[string][]vg.Length{fieldSequential: dashed}[method], samples: samples,
				})
			}
		}
	}
	return c
}

// leftOf is the error and the residual of maps with some clutter against the work done.
func leftOf(report Report, in clutter) chart {
	c := chart{title: fmt.Sprintf("What relaxations leave of maps of %d cells, %s", relaxedCells, in.text), x: "times that each free cell is set", y: "greatest error, and greatest residual (dashed)"}
	for i, by := range relaxationMethods {
		for _, r := range report.Results {
			if r.Suite != suiteRelaxation || r.Case != in.name || r.Method != by.name {
				continue
			}
			for _, what := range []string{"error", "residual"} {
				k := curve{name: by.name + ", " + what, color: bvpColors[i]}
				if what == "residual" {
					k.dashes = dashed
				}
				for _, at := range r.Curves[what] {
					if at[1] > 0 {
						k.samples = append(k.samples, plotter.XY{X: at[0], Y: at[1]})
					}
				}
				if len(k.samples) > 0 {
					c.curves = append(c.curves, k)
				}
			}
		}
	}
	return c
}

// fieldPage writes the tables of a report. Drawings are shown if they are written beside the chart.
func fieldPage(w io.Writer, report Report, chart string) error {
	d := &doc{w: w}
	shows := d.shower(fieldDrawings(report), chart)
	d.heading("Local maps by boundary value problems", report,
		"GPU: not yet measured. All figures here are those of software that runs the shaders on the processor: speed-ups are those of its",
		"threads and vectors, over Go on one thread and without vectors. What a GPU has to reach, 10,000 people with 21 cells and 60 relaxations in",
		"1 ms, is to be measured on one.")
	if len(measuredSizes(report, "agents")) > 0 {
		fieldTimes(d, report, shows)
	}
	if slices.ContainsFunc(report.Results, func(r Result) bool { return r.Suite == suiteRelaxation }) {
		fieldLeft(d, report, shows)
	}
	return d.err
}

// fieldTimes writes what steps take, and how many times as fast the device is.
func fieldTimes(d *doc, report Report, shows func(suffix, what string)) {
	cells, people := measuredSizes(report, "cells"), measuredSizes(report, "agents")
	d.line("")
	d.line("## Steps")
	d.line("")
	d.line("A step of all local maps: what an agent sees is stamped, the map is relaxed %s times by `red-black`, and its agent turns. People", relaxedOften(report))
	d.line("stand at random, %g m2 each, a wall of 1 to 4 m among every %d of them; cells are %g m, the view is half round. Before it is timed", fieldArea, fieldWalls, fieldCell)
	d.line("each crowd takes a step that is held against the plain passes in Go, bit by bit. Those are what `sequential` times: the same")
	d.line("relaxations on one thread, written to be read. Milliseconds, the least of the steps that count: each does the same as the others.")
	rows := 0
	for _, n := range people {
		row := []string{console.Figure(float64(n))}
		any := false
		for _, c := range cells {
			cell := ""
			if times, ok := speedUp(report, n, c); ok {
				cell, any = fmt.Sprintf("%.2f", times), true
			}
			row = append(row, cell)
		}
		if !any {
			continue
		}
		if rows == 0 {
			d.line("")
			d.line("### Beside the paper's figure 9")
			d.line("")
			d.line("How many times as fast a step is on the device as on one sequential thread. Fischer et al. 2009 have from %g to %g times, the", paperLeast, paperMost)
			d.line("most for 500 people with 21 cells, on a GeForce 9800 GX2 over a Core 2 6300 of 1.86 GHz, up to 1,000 people.")
			shows("", "Speed-up against people, both axes logarithmic.")
			d.line("")
			head := []string{"people"}
			for _, c := range cells {
				head = append(head, fmt.Sprintf("%d cells", c))
			}
			d.row(head...)
			d.rule(1 + len(cells))
		}
		d.row(row...)
		rows++
	}
	d.line("")
	d.line("### Times")
	shows(fieldGrowthChart, "Wall time of a step against people, both axes logarithmic.")
	d.line("")
	d.row("people", "cells", "method", "wall", "stamp", "relax", "turn", "us a person")
	d.rule(8)
	for _, r := range fieldSteps(report) {
		row := []string{console.Figure(float64(r.size())), strconv.Itoa(r.Params["cells"]), report.by(r.Method)}
		if r.Wall.Min == 0 {
			d.row(append(row, "no room", "", "", "", "")...)
			continue
		}
		row = append(row, console.MS(r.Wall.Min))
		for _, pass := range fieldPasses {
			row = append(row, console.MS(r.Passes[pass].Min))
		}
		d.row(append(row, console.MS(1000*r.Wall.Min/float64(r.size())))...)
	}
	if slices.ContainsFunc(report.Results, func(r Result) bool { return r.Suite == suiteBVP && r.Wall.Min == 0 }) {
		d.line("")
		d.line("No room: the device has not the memory for so many potentials, four bytes a cell.")
	}
}

// relaxedOften are the numbers of relaxations that steps had.
func relaxedOften(report Report) string {
	var all []string
	for _, n := range measuredSizes(report, "relaxations") {
		all = append(all, console.Figure(float64(n)))
	}
	return strings.Join(all, " or ")
}

// fieldLeft writes what the methods of relaxation leave.
func fieldLeft(d *doc, report Report, shows func(suffix, what string)) {
	d.line("")
	d.line("## What relaxations leave")
	d.line("")
	d.line("The three methods from nothing, on %d maps of %d cells with each clutter and a bias of strength 0, 0.36 or 1: the worst of all.", relaxedMaps, relaxedCells)
	d.line("`red-black` is the default. `jacobi-gs` is the paper's, here from cell to cell in order; on a device its order is that of chance, and what")
	d.line("it leaves lies between this and Jacobi's. `adi` is what the paper names as future work; a relaxation of it sets each cell twice, and")
	d.line("is drawn so. Errors are from the direct solution, of potentials from 0 to 1; degrees are by how much an agent would")
	d.line("turn elsewhere, 180 where nothing of the goal has come to it yet. The time is that of plain Go on one thread.")
	for _, in := range clutters {
		shows(relaxationChart+in.name, "Error and residual against work, both axes logarithmic: "+in.text+".")
	}
	d.line("")
	d.row("clutter", "method", "error after 15", "30", "60", "120", "residual after 60", "degrees after 15", "30", "60", "120", "us a relaxation")
	d.rule(12)
	for _, r := range report.Results {
		if r.Suite != suiteRelaxation {
			continue
		}
		row := []string{r.Case, r.Method}
		for _, times := range []int{15, 30, 60, 120} {
			row = append(row, fmt.Sprintf("%.1e", after(r, "error", times)))
		}
		row = append(row, fmt.Sprintf("%.1e", after(r, "residual", 60)))
		for _, times := range []int{15, 30, 60, 120} {
			degrees := fmt.Sprintf("%.2g", after(r, "degrees", times))
			if v := after(r, "degrees", times); v >= 100 {
				degrees = fmt.Sprintf("%.0f", v)
			}
			row = append(row, degrees)
		}
		d.row(append(row, console.MS(1000*r.Wall.Median))...)
	}
	d.line("")
	for _, in := range clutters {
		d.line("- %s: %s", in.name, in.text)
	}
}
