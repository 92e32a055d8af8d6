package report

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/plotter"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/cmd/navview/internal/bench/chart"
	"github.com/wayfront/wayfront/scenes"
)

// The methods of avoidance, in order, and the launches of rvo, with the colors of their curves.
var (
	avoidances = colored(scenes.Avoidances())
	launches   = []chart.Key{{Text: RVOFlat, Color: chart.Blue}, {Text: RVONested, Color: chart.Vermillion}}
	methods    = slices.Concat(avoidances, launches)
)

// colored gives names a color each. More than six names share colors.
func colored(names []string) (keys []chart.Key) {
	colors := []color.RGBA{chart.Gray, chart.Vermillion, chart.Blue, chart.Green, chart.Purple, chart.Ink}
	for i, name := range names {
		keys = append(keys, chart.Key{Text: name, Color: colors[i%len(colors)]})
	}
	return keys
}

// crowdRun is a run with contact rounds, and the same one without, if there is one.
type crowdRun struct {
	With Result
	Raw  *Result
}

// InWalls is the greatest depth of a center in an obstacle, in both runs. Unit: m.
func (c crowdRun) InWalls() float64 {
	depth := number(c.With.Checks["max_wall_penetration"])
	if c.Raw != nil {
		depth = max(depth, number(c.Raw.Checks["max_wall_penetration"]))
	}
	return depth
}

// crowdRuns pairs the runs to the end.
func crowdRuns(results []Result) (runs []crowdRun) {
	for _, r := range results {
		last := len(runs) - 1
		switch {
		case r.Params["contact_rounds"] > 0:
			runs = append(runs, crowdRun{With: r})
		case last >= 0 && runs[last].With.Case == r.Case && runs[last].With.Method == r.Method:
			runs[last].Raw = &r
		}
	}
	return runs
}

func avoidanceValues(r Report) Values {
	launched := map[string]bool{RVOFlat: true, RVONested: true}
	both := filter(cases(filter(r.Of(Avoidance), func(r Result) bool { return launched[r.Method] })), func(c *Row) bool { return len(c.By) == 2 })
	ratios := map[string]float64{} // of velocities, flat over nested
	few, fewRatios := 0.0, 0.0     // cases of at most 32 agents, and the sum of their ratios
	for _, c := range both {
		ratios[c.Name] = c.By[RVOFlat].Passes["avoid"].Median / c.By[RVONested].Passes["avoid"].Median
		if c.First.Size() <= 32 {
			few, fewRatios = few+1, fewRatios+ratios[c.Name]
		}
	}
	saved := 0.0
	for _, s := range r.Of(Search) {
		saved = max(saved, s.AmongAll()/s.Wall.Median)
	}
	measured := map[string][]Result{}
	for _, run := range r.Of(Behavior) {
		for name := range run.Measures {
			measured[name] = append(measured[name], run)
		}
	}
	return Values{
		"Crowds": crowdRuns(r.Of(Behavior)), "Measured": measured,
		"Launched": launched, "Launches": both, "Ratios": ratios, "LaunchRatio": fewRatios / max(1, few), "SearchRatio": saved,
		"DiscGrowth": filter(r.Growth(Avoidance), func(f Growth) bool { return f.Family == "disc" }),
	}
}

func avoidanceCharts(r Report) map[string]chart.Drawing {
	density := observed(r, "speed against density", "Speed against density, evacuations of an office floor", "people/m\u00b2", "speed, m/s")
	if !density.Empty() {
		for d := 0.1; d < 5.4; d += 0.1 {
			curve := chart.Curve{Name: "Weidmann 1993", Color: chart.Ink, Dashes: chart.Dotted, Bare: true}
			density.Add(curve, plotter.XY{X: d, Y: measure.Weidmann(FreeSpeed, d)})
		}
	}
	return map[string]chart.Drawing{
		"":         stepsOfDiscs(r, "A step of a crowd at one density, "+r.Renderer, avoidances),
		"-launch":  stepsOfDiscs(r, "A step of few people by rvo, an invocation or a work group for each", launches),
		"-search":  searches(r),
		"-density": density,
		"-lanes":   observed(r, "lanes", "Order of lanes on the crosswalk", "time, s", "order"),
		"-swirl":   observed(r, "swirl", "Swirl in the middle of the circle", "time, s", "swirl, counter-clockwise above 0"),
		"-passes":  passes(r),
		"-walkway": walkways.of(r),
		"-exit":    exits.of(r),
		"-middle":  middles.of(r),
	}
}

// FreeSpeed is the mean preferred speed of the papers' scenes. Unit: m/s.
const FreeSpeed = 1.34

// stepsOfDiscs is the time of a step against agents at one density.
func stepsOfDiscs(r Report, title string, methods []chart.Key) *chart.Chart {
	c := &chart.Chart{Title: title, X: "people", Y: "wall time, ms"}
	for _, m := range methods {
		points := curves(r.Results)[series{Avoidance, "disc", m.Text}]
		c.Add(chart.Curve{Name: m.Text, Color: m.Color}, points...)
	}
	return c
}

// passColors are the colors of Passes, and of the rest of a step.
var passColors = []color.Color{
	chart.RGB(0xF3D08A), chart.RGB(0xE69F00), chart.RGB(0x8A6D3B), chart.RGB(0x56B4E9),
	chart.Blue, chart.Vermillion, chart.Green, chart.Purple, chart.RGB(0xC9C5BA),
}

// passCrowds are the scenes whose passes are drawn.
var passCrowds = []string{"circle-1k", "4-streams", "crosswalk", "evac-1k", "evac-5k", "stadium-25k", "city-10k", "city-100k", "evacuation-10k", "disc-10k"}

// passes are the parts of steps. Of several results by one method the first counts.
func passes(r Report) *chart.Bars {
	b := &chart.Bars{Title: "Where the time of a step goes, " + r.Renderer, X: "\u00b5s a person"}
	for i, name := range append(slices.Clone(Passes), "rest") {
		b.Parts = append(b.Parts, chart.Key{Color: passColors[i], Text: name})
	}
	for _, name := range passCrowds {
		drawn, group := map[string]bool{}, name+"   "
		for _, r := range r.Find(Avoidance, name, "") {
			if drawn[r.Method] {
				continue
			}
			if len(drawn) == 0 && len(b.Rows) > 0 {
				b.Rows = append(b.Rows, chart.Bar{})
			}
			drawn[r.Method] = true
			row, rest, each := chart.Bar{Name: group + r.Method}, r.Wall.Median, 1000/float64(r.Size())
			for _, pass := range Passes {
				t := r.Passes[pass].Median
				row.Parts = append(row.Parts, t*each)
				rest -= t
			}
			row.Parts = append(row.Parts, max(0, rest)*each)
			b.Rows, group = append(b.Rows, row), ""
		}
	}
	return b
}

// searches is the time of finding neighbors, by cells and among all.
func searches(r Report) *chart.Chart {
	c := &chart.Chart{Title: "Finding the neighbors of all agents, evacuations of an office floor", X: "people", Y: "time, ms"}
	for _, r := range r.Of(Search) {
		n := float64(r.Size())
		c.Add(chart.Curve{Name: "cells", Color: chart.Blue}, plotter.XY{X: n, Y: r.ByCells()})
		c.Add(chart.Curve{Name: "among all", Color: chart.Vermillion}, plotter.XY{X: n, Y: r.Passes[Exhaustive].Median})
	}
	return c
}

// observed is a curve of the largest case with contact rounds, by each method.
func observed(r Report, name, title, x, y string) *chart.Chart {
	c := &chart.Chart{Title: title, X: x, Y: y, Linear: true}
	for _, m := range methods {
		if run := largest(r, func(r Result) bool { return len(r.Curves[name]) > 0 }).By[m.Text]; run != nil {
			curve := chart.Curve{Name: m.Text + ", " + run.Case, Color: m.Color, Bare: len(run.Curves[name]) > 40}
			c.Add(curve, points(run.Curves[name])...)
		}
	}
	return c
}

// largest returns the case of the most agents, with contact rounds, that a condition holds for.
func largest(r Report, has func(Result) bool) Row {
	runs := filter(r.Results, func(r Result) bool { return r.Params["contact_rounds"] > 0 && has(r) })
	sizes := values(runs, "agents")
	if len(sizes) == 0 {
		return Row{}
	}
	return *cases(filter(runs, func(r Result) bool { return r.Params["agents"] == sizes[len(sizes)-1] }))[0]
}

// points converts a curve.
func points(curve [][2]float64) (all plotter.XYs) {
	for _, p := range curve {
		all = append(all, plotter.XY{X: p[0], Y: p[1]})
	}
	return all
}
