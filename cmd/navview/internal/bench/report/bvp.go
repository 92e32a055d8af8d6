package report

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/wayfront/wayfront/cmd/navview/internal/bench/chart"
)

// Clutter names a kind of obstacles in the maps of suite Relaxation.
type Clutter struct{ Name, Text string }

// Clutters are the cases of suite Relaxation.
var Clutters = []Clutter{
	{"open", "nothing in the way"},
	{"figure", "two walls, a gap in one (Dapper et al. 2007, figure 2)"},
	{"cells", "15% of all cells taken at random"},
	{"walls", "seven walls at random"},
}

// RelaxedCells are the cells along a side of the maps of suite Relaxation.
const RelaxedCells = 21

// Relaxations are the numbers of relaxations that suite Relaxation measures.
var Relaxations = []int{2, 4, 8, 15, 30, 60, 120, 240}

// After is a point of a curve of suite Relaxation: what is left after so many relaxations.
func (r Result) After(curve string, relaxations int) float64 {
	if n := slices.Index(Relaxations, relaxations); n >= 0 && n < len(r.Curves[curve]) {
		return r.Curves[curve][n][1]
	}
	return math.NaN()
}

// Speed-ups of Fischer et al. 2009, figure 9: GeForce 9800 GX2 over one thread of a Core 2 6300.
var paperSpeedUps = map[string]float64{"paper's most, 56.6": 56.6, "paper's least, 2.85": 2.85}

// speedUps are the sequential times of steps over those of the device, by agents and by cells.
func speedUps(steps []Result) map[int]map[int]float64 {
	all := map[int]map[int]float64{}
	for _, c := range cases(steps) {
		device, sequential, people := c.By[GPU], c.By[Sequential], c.First.Size()
		if device == nil || sequential == nil || device.Wall.Min == 0 {
			continue
		}
		if all[people] == nil {
			all[people] = map[int]float64{}
		}
		all[people][c.First.Params["cells"]] = sequential.Wall.Min / device.Wall.Min
	}
	return all
}

// bvpSteps are the results of steps, sorted by cells, agents and method.
func bvpSteps(r Report) []Result {
	steps := r.Of(BVP)
	slices.SortStableFunc(steps, func(a, b Result) int {
		return cmp.Or(a.Params["cells"]-b.Params["cells"], a.Size()-b.Size(), strings.Compare(a.Method, b.Method))
	})
	return steps
}

func bvpValues(r Report) Values {
	steps := bvpSteps(r)
	return Values{
		"Steps": steps, "Sizes": values(steps, "cells"), "Relaxations": values(steps, "relaxations"),
		"SpeedUps": speedUps(steps), "Clutters": Clutters, "RelaxedCells": RelaxedCells, "Explored": exploringCharts(r),
		"Full": slices.ContainsFunc(steps, func(r Result) bool { return r.Wall.Min == 0 }),
	}
}

var bvpColors = []color.Color{chart.Blue, chart.Vermillion, chart.Green, chart.Purple}

func bvpCharts(r Report) map[string]chart.Drawing {
	all := map[string]chart.Drawing{"": speedUpChart(r), "-growth": stepChart(r), "-rate": rateChart(r)}
	for _, in := range Clutters {
		all["-relaxation-"+in.Name] = leftChart(r, in)
	}
	for place, c := range exploringCharts(r) {
		all["-exploring-"+place] = c
	}
	return all
}

// speedUpChart is figure 9 of Fischer et al. 2009.
func speedUpChart(r Report) *chart.Chart {
	c := &chart.Chart{Title: "Speed-up of a step over one sequential thread, " + r.Renderer, X: "people", Y: "times as fast"}
	steps := bvpSteps(r)
	times := speedUps(steps)
	for i, cells := range values(steps, "cells") {
		for _, people := range values(steps, "agents") {
			if t := times[people][cells]; t > 0 {
				curve := chart.Curve{Name: fmt.Sprintf("%d cells", cells), Color: bvpColors[i%len(bvpColors)]}
				c.Add(curve, plotter.XY{X: float64(people), Y: t})
			}
		}
	}
	if !c.Empty() {
		for name, times := range paperSpeedUps {
			paper := chart.Curve{Name: name, Color: chart.Gray, Dashes: chart.Dotted, Bare: true}
			c.Add(paper, plotter.XY{X: 50, Y: times}, plotter.XY{X: 1000, Y: times})
		}
	}
	return c
}

// overAgents is a quantity of steps against agents.
func overAgents(r Report, title, y string, of func(s Result) float64) *chart.Chart {
	c := &chart.Chart{Title: title + ", " + r.Renderer, X: "people", Y: y}
	sizes := values(r.Of(BVP), "cells")
	for _, s := range bvpSteps(r) {
		if s.Wall.Min > 0 {
			cells := s.Params["cells"]
			c.Add(chart.Curve{
				Name:   fmt.Sprintf("%s, %d cells", r.Label(s.Method), cells),
				Color:  bvpColors[slices.Index(sizes, cells)%len(bvpColors)],
				Dashes: map[string][]vg.Length{Sequential: chart.Dashed}[s.Method],
			}, plotter.XY{X: float64(s.Size()), Y: of(s)})
		}
	}
	return c
}

// stepChart is the time of a step against agents, where there are at least two crowds.
func stepChart(r Report) *chart.Chart {
	c := overAgents(r, "A step of people with local maps", "wall time, ms", func(s Result) float64 { return s.Wall.Min })
	c.Curves = filter(c.Curves, func(k *chart.Curve) bool { return len(k.Points) > 1 })
	return c
}

// paperRates are how often a second all of so many agents take a step: Dapper et al. 2007, section
// 6.5 and figure 9, with 60 relaxations on an Athlon 64 of 2.2 GHz.
var paperRates = []plotter.XY{{X: 200, Y: 3.5}, {X: 300, Y: 2}}

// rateChart is figure 9 of Dapper et al. 2007.
func rateChart(r Report) *chart.Chart {
	c := overAgents(r, "How often people with local maps can take a step", "steps a second", Result.Rate)
	if !c.Empty() {
		c.Add(chart.Curve{Name: "paper, Athlon 64", Color: chart.Gray, Dashes: chart.Dotted}, paperRates...)
	}
	return c
}

// Rate is how many steps a second there is time for.
func (r Result) Rate() float64 { return 1000 / r.Wall.Min }

// leftChart is error and residual against work, for one clutter.
func leftChart(r Report, in Clutter) *chart.Chart {
	c := &chart.Chart{
		Title: fmt.Sprintf("What relaxations leave of maps of %d cells, %s", RelaxedCells, in.Text),
		X:     "times that each free cell is set", Y: "greatest error, and greatest residual (dashed)",
	}
	for i, s := range r.Find(Relaxation, in.Name, "") {
		for _, k := range []chart.Curve{{Name: "error"}, {Name: "residual", Dashes: chart.Dashed}} {
			left := filter(points(s.Curves[k.Name]), func(p plotter.XY) bool { return p.Y > 0 })
			k.Name, k.Color = s.Method+", "+k.Name, bvpColors[i%len(bvpColors)]
			c.Add(k, left...)
		}
	}
	return c
}

// exploringCharts are what is seen against steps, by place.
func exploringCharts(r Report) map[string]*chart.Chart {
	all, colors := map[string]*chart.Chart{}, map[string]color.Color{"potential": chart.Gray, "nearest": chart.Blue, "frontier": chart.Vermillion}
	for _, s := range r.Of(Exploring) {
		place := Family(s.Case)
		if all[place] == nil {
			all[place] = &chart.Chart{Title: "Ground that is seen, " + place, X: "steps", Y: "%", Linear: true}
		}
		explorers := s.Params["explorers"]
		all[place].Add(chart.Curve{
			Name: fmt.Sprintf("%d, %s", explorers, s.Method), Color: colors[s.Method], Bare: true,
			Dashes: map[int][]vg.Length{1: chart.Dotted, 2: chart.Dashed}[explorers],
		}, points(s.Curves["explored"])...)
	}
	return all
}
