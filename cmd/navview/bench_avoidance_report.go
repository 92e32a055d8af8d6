package main

import (
	"io"
	"path/filepath"
	"strings"
)

// methodColours are those of curves.
var methodColours = map[string]string{"none": "#8A8F94", "rvo": "#D55E00", "clearpath": "#0072B2", "orca": "#009E73"}

// crowdChart is the cost of a step against people at one density.
func crowdChart(report benchReport) chart {
	c := chart{title: "A step of a crowd at one density, " + report.Renderer, x: "people", y: "wall time, ms"}
	all := curves(report.Results)
	for _, method := range crowdMethods {
		if samples := all[series{suiteAvoidance, "disc", method}]; len(samples) > 0 {
			c.curves = append(c.curves, curve{name: method, colour: methodColours[method], samples: samples})
		}
	}
	return c
}

// crowdPage writes the tables of a report. The chart is shown if there is one.
func crowdPage(w io.Writer, report benchReport, chart string) error {
	d := &doc{w: w}
	date, _, _ := strings.Cut(report.Date, "T")
	d.line("# Crowds that avoid each other: times")
	d.line("")
	d.line("`make benchmarks` measures all of this anew and writes this page. Renderer: %s, OpenGL %s. %s.", report.Renderer, report.Version, date)
	d.line("")
	d.line("All times are milliseconds, medians of the steps that count, of a step with nothing before and after it in the queue.")
	d.line("\"GPU\" is the time between the step's first and last command on the device, and behind it that of its passes; on software")
	d.line("renderers, which do what a pass asks for while it asks, it is the time of asking.")
	d.line("")
	d.row(append([]string{"scene", "people", "method", "wall", "GPU"}, shownPasses...)...)
	d.rule(5 + len(shownPasses))
	for _, r := range report.Results {
		if r.Suite != suiteAvoidance {
			continue
		}
		row := []string{r.Case, figure(float64(r.size())), r.Method, ms(r.Wall.Median), ms(r.GPU.Median)}
		for _, pass := range shownPasses {
			cell := ""
			if t, ok := r.Passes[pass]; ok {
				cell = ms(t.Median)
			}
			row = append(row, cell)
		}
		d.row(row...)
	}
	if chart != "" {
		d.line("")
		d.line("![Wall time of a step against people, both axes logarithmic.](%s)", filepath.Base(chart))
	}
	return d.err
}
