package bench

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
)

// Suffixes of the charts' files.
const (
	bvpGrowthChart  = "-growth"
	relaxationChart = "-relaxation-" // and a clutter's name
)

// Speed-ups of Fischer et al. 2009, figure 9: GeForce 9800 GX2 over one thread of a Core 2 6300.
const (
	paperLeast = 2.85
	paperMost  = 56.6 // 500 people, 21 cells
)

var bvpColors = []color.Color{blue, vermillion, green, purple}

// charts returns the drawings that results exist for, by suffix.
func (bvpBench) charts(report Report) map[string]drawing {
	all := map[string]drawing{}
	add := func(suffix string, c chart) {
		if len(c.curves) > 0 {
			all[suffix] = c
		}
	}
	add("", speedUpChart(report))
	add(bvpGrowthChart, bvpGrowthOf(report))
	for _, in := range clutters {
		add(relaxationChart+in.Name, leftOf(report, in))
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

// bvpSteps are the results of steps, sorted by cells, agents and method.
func bvpSteps(report Report) []Result {
	all := slices.DeleteFunc(slices.Clone(report.Results), func(r Result) bool { return r.Suite != suiteBVP })
	slices.SortStableFunc(all, func(a, b Result) int {
		return cmp.Or(a.Params["cells"]-b.Params["cells"], a.Size()-b.Size(), strings.Compare(a.Method, b.Method))
	})
	return all
}

// bvpGrowthOf is the time of a step against agents.
func bvpGrowthOf(report Report) chart {
	c := chart{title: "A step of people with local maps, " + report.Renderer, x: "people", y: "wall time, ms"}
	for i, cells := range measuredSizes(report, "cells") {
		for _, method := range bvpMethods {
			var samples plotter.XYs
			for _, r := range bvpSteps(report) {
				if r.Params["cells"] == cells && r.Method == method && r.Wall.Min > 0 {
					samples = append(samples, plotter.XY{X: float64(r.Size()), Y: r.Wall.Min})
				}
			}
			if len(samples) > 1 {
				c.curves = append(c.curves, curve{
					name: fmt.Sprintf("%s, %d cells", report.By(method), cells), color: bvpColors[i%len(bvpColors)],
					dashes: map[string][]vg.Length{bvpSequential: dashed}[method], samples: samples,
				})
			}
		}
	}
	return c
}

// leftOf is error and residual against work, for one clutter.
func leftOf(report Report, in clutter) chart {
	c := chart{title: fmt.Sprintf("What relaxations leave of maps of %d cells, %s", relaxedCells, in.Text), x: "times that each free cell is set", y: "greatest error, and greatest residual (dashed)"}
	for i, by := range relaxationMethods {
		for _, r := range report.Results {
			if r.Suite != suiteRelaxation || r.Case != in.Name || r.Method != by.name {
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

// bvpView is what the page of the suite shows.
type bvpView struct{ page }

// markdown writes the page of the suite.
func (v bvpBench) markdown(w io.Writer, report Report, chart string) error {
	return writePage(w, "bvp", bvpView{newPage(report, suiteBVP, v.charts(report), chart)})
}

// Steps are the results of steps.
func (v bvpView) Steps() []Result { return bvpSteps(v.Report) }

// Sizes are the numbers of cells along a side.
func (v bvpView) Sizes() []int { return measuredSizes(v.Report, "cells") }

// Relaxations are the numbers of relaxations of a step.
func (v bvpView) Relaxations() string {
	var all []string
	for _, n := range measuredSizes(v.Report, "relaxations") {
		all = append(all, console.Figure(float64(n)))
	}
	return strings.Join(all, " or ")
}

// Full reports whether a crowd exceeded the memory of the device.
func (v bvpView) Full() bool {
	return slices.ContainsFunc(v.Steps(), func(r Result) bool { return r.Wall.Min == 0 })
}

// PerPerson is the time of a step for each agent. Unit: us.
func (r Result) PerPerson() float64 { return 1000 * r.Wall.Min / float64(r.Size()) }

// speedUps are the speed-ups of a crowd by size of maps; 0: not measured.
type speedUps struct {
	People int
	Times  []float64
}

// SpeedUps are those of all crowds with any.
func (v bvpView) SpeedUps() (all []speedUps) {
	for _, n := range measuredSizes(v.Report, "agents") {
		s := speedUps{People: n}
		any := false
		for _, cells := range v.Sizes() {
			times, ok := speedUp(v.Report, n, cells)
			s.Times, any = append(s.Times, times), any || ok
		}
		if any {
			all = append(all, s)
		}
	}
	return all
}

// The numbers of the text.
func (bvpView) Area() float64       { return bvpArea }
func (bvpView) Walls() int          { return bvpWalls }
func (bvpView) Cell() float64       { return bvpCell }
func (bvpView) RelaxedMaps() int    { return relaxedMaps }
func (bvpView) RelaxedCells() int   { return relaxedCells }
func (bvpView) Clutters() []clutter { return clutters }
