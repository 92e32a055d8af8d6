package bench

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/plot/plotter"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// methodColors are the colors of curves.
var methodColors = map[string]color.Color{
	"none": gray, "rvo": vermillion, "clearpath": blue, "orca": green, rvoFlat: blue, rvoNested: vermillion,
}

// Suffixes of the drawings' files, besides the chart of growth.
const (
	densityChart = "-density"
	laneChart    = "-lanes"
	swirlChart   = "-swirl"
	launchChart  = "-launch"
	searchChart  = "-search"
	passBars     = "-passes"
	walkwaySheet = "-walkway"
	exitSheet    = "-exit"
	middleSheet  = "-middle"
)

// charts returns the drawings that results exist for, by suffix.
func (avoidanceBench) charts(report Report) map[string]drawing {
	all := map[string]drawing{}
	for suffix, c := range map[string]chart{
		"":           growthOfDiscs(report, "A step of a crowd at one density, "+report.Renderer, avoidanceMethods[:4]),
		launchChart:  growthOfDiscs(report, "A step of few people by rvo, an invocation or a work group for each", []string{rvoFlat, rvoNested}),
		searchChart:  searches(report),
		densityChart: speedAgainstDensity(report),
		laneChart:    curvesOf(report, "lanes", chart{title: "Order of lanes on the crosswalk", x: "time, s", y: "order"}),
		swirlChart:   curvesOf(report, "swirl", chart{title: "Swirl in the middle of the circle", x: "time, s", y: "swirl, counter-clockwise above 0"}),
	} {
		if len(c.curves) > 0 {
			all[suffix] = c
		}
	}
	if b := passes(report); len(b.rows) > 0 {
		all[passBars] = b
	}
	for suffix, s := range map[string]sheet{walkwaySheet: walkways(report), exitSheet: jams(report), middleSheet: middles(report)} {
		if len(s.panels) > 0 {
			all[suffix] = s
		}
	}
	return all
}

// growthOfDiscs is the time of a step against agents at one density.
func growthOfDiscs(report Report, title string, methods []string) chart {
	c := chart{title: title, x: "people", y: "wall time, ms"}
	all := curves(report.Results)
	for _, method := range methods {
		if samples := all[series{suiteAvoidance, "disc", method}]; len(samples) > 0 {
			c.curves = append(c.curves, curve{name: method, color: methodColors[method], samples: samples})
		}
	}
	return c
}

// passColors are the colors of shownPasses, and of the rest of a step.
var passColors = []color.Color{rgb(0xF3D08A), rgb(0xE69F00), rgb(0x8A6D3B), rgb(0x56B4E9), blue, vermillion, green, purple, rgb(0xC9C5BA)}

// passCrowds are the scenes whose passes are drawn.
var passCrowds = []string{"circle-1k", "4-streams", "crosswalk", "evac-1k", "evac-5k", "stadium-25k", "city-10k", "city-100k", "evacuation-10k", "disc-10k"}

// passes are the parts of steps.
func passes(report Report) bars {
	b := bars{title: "Where the time of a step goes, " + report.Renderer, x: "\u00b5s a person"}
	for i, color := range passColors {
		text := "rest"
		if i < len(shownPasses) {
			text = shownPasses[i]
		}
		b.parts = append(b.parts, key{color, text})
	}
	for _, name := range passCrowds {
		drawn := map[string]bool{} // methods: of several moments the first counts
		for _, r := range report.Results {
			if r.Suite != suiteAvoidance || r.Case != name || drawn[r.Method] {
				continue
			}
			drawn[r.Method] = true
			row, rest := bar{group: name, name: r.Method}, r.Wall.Median
			for _, pass := range shownPasses {
				t := r.Passes[pass].Median
				row.parts = append(row.parts, 1000*t/float64(r.Size()))
				rest -= t
			}
			row.parts = append(row.parts, 1000*max(0, rest)/float64(r.Size()))
			b.rows = append(b.rows, row)
		}
	}
	return b
}

// searches is the time of finding neighbors, by cells and among all.
func searches(report Report) chart {
	c := chart{title: "Finding the neighbors of all agents, evacuations of an office floor", x: "people", y: "time, ms"}
	cells, all := curve{name: "cells", color: blue}, curve{name: "among all", color: vermillion}
	for _, r := range report.Results {
		if r.Suite == suiteSearch {
			n := float64(r.Size())
			cells.samples, all.samples = append(cells.samples, plotter.XY{X: n, Y: r.ByCells()}), append(all.samples, plotter.XY{X: n, Y: r.Passes[exhaustivePass].Median})
		}
	}
	if len(all.samples) > 0 {
		c.curves = []curve{cells, all}
	}
	return c
}

// ByCells is the time of the passes that find neighbors. Unit: ms.
func (r Result) ByCells() float64 {
	return r.Passes["cells"].Median + r.Passes["neighbors"].Median
}

// speedAgainstDensity compares crowds with pedestrians.
func speedAgainstDensity(report Report) chart {
	c := curvesOf(report, "speed against density", chart{title: "Speed against density, evacuations of an office floor", x: "people/m\u00b2", y: "speed, m/s"})
	if len(c.curves) == 0 {
		return c
	}
	weidmann := curve{name: "Weidmann 1993", color: ink, dashes: dotted, bare: true}
	for density := 0.1; density < 5.4; density += 0.1 {
		weidmann.samples = append(weidmann.samples, plotter.XY{X: density, Y: measure.Weidmann(freeSpeed, density)})
	}
	c.curves = append(c.curves, weidmann)
	return c
}

// shown returns the largest case with contact rounds by each method.
func shown(report Report, has func(Result) bool) []Result {
	largest := 0
	for _, r := range report.Results {
		if r.Params["contact_rounds"] > 0 && has(r) {
			largest = max(largest, r.Params["agents"])
		}
	}
	best := map[string]Result{}
	for _, r := range report.Results {
		if r.Params["contact_rounds"] > 0 && has(r) && r.Params["agents"] == largest {
			best[r.Method] = r
		}
	}
	var list []Result
	for _, method := range avoidanceMethods {
		if r, ok := best[method]; ok {
			list = append(list, r)
		}
	}
	return list
}

// curvesOf adds the curves of a name to a chart.
func curvesOf(report Report, name string, c chart) chart {
	c.linear = true
	for _, r := range shown(report, func(r Result) bool { return len(r.Curves[name]) > 0 }) {
		k := curve{name: r.Method + ", " + r.Case, color: methodColors[r.Method], bare: len(r.Curves[name]) > 40}
		for _, p := range r.Curves[name] {
			k.samples = append(k.samples, plotter.XY{X: p[0], Y: p[1]})
		}
		c.curves = append(c.curves, k)
	}
	return c
}

// Colors of directions, and of speeds from slow to fast.
var (
	directionColors = []color.Color{blue, vermillion, rgb(0xB9B6AE)}
	speedColors     = []color.Color{rgb(0x3B0F70), rgb(0x8C2981), rgb(0xDE4968), rgb(0xFE9F6D)}
)

// walkways shows lanes.
func walkways(report Report) sheet {
	s := sheet{legend: []key{{directionColors[0], "walks to the east"}, {directionColors[1], "walks to the west"}}}
	s.add(report, "Two streams on the walkway of %s, when lanes are at their clearest", "lanes", func(_, v mgl64.Vec2) int {
		if v[0] < 0 {
			return 1
		}
		return 0
	}, func(r Result) string { return fmt.Sprintf("order %.2f", valueAt(r.Curves["lanes"], r.Still.Time)) })
	return s
}

// valueAt returns the y of the point nearest in x; 0 of an empty curve.
func valueAt(curve [][2]float64, x float64) (y float64) {
	near := math.Inf(1)
	for _, p := range curve {
		if d := math.Abs(p[0] - x); d < near {
			near, y = d, p[1]
		}
	}
	return y
}

// jams shows arches before an exit.
func jams(report Report) sheet {
	s := sheet{legend: []key{
		{speedColors[0], "slower than 0.25 m/s"}, {speedColors[1], "than 0.5 m/s"}, {speedColors[2], "than 1 m/s"}, {speedColors[3], "faster"},
	}}
	s.add(report, "The western exit of %s, when most people stand before it", "arch_shape", func(_, v mgl64.Vec2) int {
		switch speed := v.Len(); {
		case speed < 0.25:
			return 0
		case speed < 0.5:
			return 1
		case speed < 1:
			return 2
		}
		return 3
	}, func(r Result) string { return fmt.Sprintf("mean shape %.2f", r.Measures["arch_shape"]) })
	return s
}

// middles shows swirls.
func middles(report Report) sheet {
	s := sheet{legend: []key{
		{directionColors[0], "turns counter-clockwise"}, {directionColors[1], "turns clockwise"}, {directionColors[2], "walks straight in or out, or stands"},
	}}
	s.add(report, "The middle of %s, when it turns most", "swirl_greatest", func(at, v mgl64.Vec2) int {
		// A third is 20 degrees off the line through the middle.
		turning, most := at[0]*v[1]-at[1]*v[0], at.Len()*v.Len()
		switch {
		case v.Len() < 0.1 || math.Abs(turning) < most/3:
			return 2
		case turning > 0:
			return 0
		}
		return 1
	}, func(r Result) string { return fmt.Sprintf("swirl %.2f", r.Measures["swirl_greatest"]) })
	return s
}

// add adds a panel for each method with a still and a measure. Colors are indices of the legend.
func (s *sheet) add(report Report, title, name string, color func(at, velocity mgl64.Vec2) int, says func(Result) string) {
	for _, r := range shown(report, func(r Result) bool { _, ok := r.Measures[name]; return ok && r.Still != nil }) {
		scene, err := builtin.Load(r.Case)
		if err != nil {
			continue // a file's, which is not there any more
		}
		p := panel{
			caption: fmt.Sprintf("%s after %s s: %s", r.Method, strings.TrimSuffix(fmt.Sprintf("%.1f", r.Still.Time), ".0"), says(r)),
			view:    r.Still.View,
			agents:  r.Still.People,
			radius:  scene.Profiles[0].Radius,
		}
		for _, o := range scene.Obstacles {
			p.walls = append(p.walls, o.PolygonAt(r.Still.Time))
		}
		for _, a := range r.Still.People {
			p.colors = append(p.colors, color(a.at, a.velocity))
		}
		s.title = fmt.Sprintf(title, r.Case)
		s.panels = append(s.panels, p)
	}
}
