package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/wayfront/wayfront/agents/measure"
)

// methodColours are those of curves.
var methodColours = map[string]string{"none": "#8A8F94", "rvo": "#D55E00", "clearpath": "#0072B2", "orca": "#009E73"}

// The charts of crowds besides that of growth, by what comes after its name.
const (
	densityChart = "-density"
	laneChart    = "-lanes"
)

// crowdCharts are the charts that there are results for.
func crowdCharts(report benchReport) map[string]chart {
	all := map[string]chart{
		"":           growthOfDiscs(report),
		densityChart: curvesOf(report, "speed against density", chart{title: "Speed against density, evacuations of an office floor", x: "people/m2", y: "speed, m/s"}),
		laneChart:    curvesOf(report, "lanes", chart{title: "Order of lanes on the crosswalk", x: "time, s", y: "order"}),
	}
	if c := all[densityChart]; len(c.curves) > 0 {
		weidmann := curve{name: "Weidmann 1993", colour: chartInk, dash: "1 4", bare: true}
		for density := 0.1; density < 5.4; density += 0.1 {
			weidmann.samples = append(weidmann.samples, sample{density, measure.Weidmann(freeSpeed, density)})
		}
		c.curves = append(c.curves, weidmann)
		all[densityChart] = c
	}
	for suffix, c := range all {
		if len(c.curves) == 0 {
			delete(all, suffix)
		}
	}
	return all
}

// growthOfDiscs is the cost of a step against people at one density.
func growthOfDiscs(report benchReport) chart {
	c := chart{title: "A step of a crowd at one density, " + report.Renderer, x: "people", y: "wall time, ms"}
	all := curves(report.Results)
	for _, method := range crowdMethods {
		if samples := all[series{suiteAvoidance, "disc", method}]; len(samples) > 0 {
			c.curves = append(c.curves, curve{name: method, colour: methodColours[method], samples: samples})
		}
	}
	return c
}

// curvesOf are the curves of a name by method, of the largest case that has them, with contact rounds.
func curvesOf(report benchReport, name string, c chart) chart {
	c.linear = true
	best := map[string]benchResult{}
	for _, r := range report.Results {
		if before, ok := best[r.Method]; r.Params["contact_rounds"] > 0 && len(r.Curves[name]) > 0 && (!ok || r.Params["agents"] > before.Params["agents"]) {
			best[r.Method] = r
		}
	}
	for _, method := range crowdMethods {
		r, ok := best[method]
		if !ok {
			continue
		}
		k := curve{name: method + ", " + r.Case, colour: methodColours[method], bare: len(r.Curves[name]) > 40}
		for _, p := range r.Curves[name] {
			k.samples = append(k.samples, sample{p[0], p[1]})
		}
		c.curves = append(c.curves, k)
	}
	return c
}

// crowdPage writes the tables of a report. The chart is shown if there is one, pictures that lie in the page's folder too.
func crowdPage(w io.Writer, report benchReport, chart, folder string) error {
	d := &doc{w: w}
	charts := crowdCharts(report)
	shows := func(suffix, what string) {
		if _, ok := charts[suffix]; ok && chart != "" {
			d.line("")
			d.line("![%s](%s)", what, filepath.Base(chartFile(chart, suffix)))
		}
	}
	picture := func(name, what string) {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			d.line("")
			d.line("![%s](%s)", what, name)
		}
	}
	date, _, _ := strings.Cut(report.Date, "T")
	d.line("# Crowds that avoid each other")
	d.line("")
	d.line("`make benchmarks` measures all of this anew and writes this page. Renderer: %s, OpenGL %s. %s.", report.Renderer, report.Version, date)

	var ran []benchResult
	for _, r := range report.Results {
		if r.Suite == suiteBehaviour {
			ran = append(ran, r)
		}
	}
	if len(ran) > 0 {
		d.line("")
		d.line("## What crowds do")
		d.line("")
		d.line("Every scene runs until all have arrived or are stuck, with the contact pass and, with 0 rounds, without it. A contact is a pair")
		d.line("in a step whose discs overlap by more than 1%% of the sum of their radii; beside it the greatest overlap, as a part of that sum.")
		d.line("\"In walls\" is how deep a centre ever was in an obstacle.")
		d.line("")
		d.row("scene", "people", "method", "rounds", "arrived", "stuck", "last arrival, s", "contacts", "greatest overlap", "in walls, m", "ms a step")
		d.rule(11)
		for _, r := range ran {
			whole := func(check string) string { return figure(r.number(check)) }
			last := ""
			if r.number("arrived") > 0 {
				last = fmt.Sprintf("%.1f", r.number("last_arrival_s"))
			}
			d.row(r.Case, figure(float64(r.Params["agents"])), r.Method, strconv.Itoa(r.Params["contact_rounds"]), whole("arrived"), whole("stuck"), last,
				whole("agent_contacts"), fmt.Sprintf("%.2f%%", 100*r.number("max_penetration")), ms(r.number("max_wall_penetration")), ms(r.Wall.Median))
		}
		measured(d, ran, shows, picture)
	}

	if slices.ContainsFunc(report.Results, func(r benchResult) bool { return r.Suite == suiteAvoidance }) {
		d.line("")
		d.line("## Times")
		d.line("")
		d.line("Milliseconds, medians of the steps that count, of a step with nothing before and after it in the queue, at the time at which a")
		d.line("scene is busiest. \"GPU\" is the time between the step's first and last command on the device, and behind it that of its passes;")
		d.line("on software renderers, which do what a pass asks for while it asks, it is the time of asking.")
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
		shows("", "Wall time of a step against people, both axes logarithmic.")
		if growth := report.fits(suiteAvoidance); len(growth) > 0 {
			d.line("")
			d.line("Fitted in least squares over the logarithms, wall time grows as a power of the people:")
			d.line("")
			d.row("scenes", "method", "from", "to", "exponent")
			d.rule(5)
			for _, f := range growth {
				d.row(f.Family, f.Method, figure(float64(f.From)), figure(float64(f.To)), fmt.Sprintf("%.2f", f.Exponent))
			}
		}
	}
	return d.err
}

// measured writes what was found out about crowds as a whole: a section for each phenomenon of the papers that was looked for.
func measured(d *doc, ran []benchResult, shows, picture func(name, what string)) {
	for _, section := range []struct {
		title   string
		text    []string
		columns []string // of measures, with their titles
		titles  []string
		chart   string
		what    string
		picture string
		shown   string
	}{
		{
			title: "Lanes",
			text: []string{
				"1 if in every strip of the walkway, 0.7 m wide, all walk the same way, 0 if directions were dealt at random (Nowak and Schadschneider",
				"2012). Looked at is the middle third of the walkway, at the times at which ten people or more of either direction are there: the mean,",
				"and the greatest.",
			},
			columns: []string{"lanes", "lanes_greatest"}, titles: []string{"mean", "greatest"},
			chart: laneChart, what: "Order of lanes against time.", picture: "avoidance-crosswalk.png", shown: "Two streams on a crosswalk.",
		},
		{
			title: "Arches before the exits, and flow through them",
			text: []string{
				"Shape is 1 for a jam that lies around the door as a half disc, 0 for a queue away from it, more for one along the wall; means",
				"over the times with 30 people or more in a jam. Flow is people a second and metre of door; experiments have about 1.9 for widths",
				"of 0.8 to 1.2 m, and IMO asks for at most 1.33.",
			},
			columns: []string{"arch_shape", "arch_radius", "arch_people", "arch_density", "flow"},
			titles:  []string{"shape", "radius, m", "people", "people/m2", "flow, 1/(m s)"},
			picture: "avoidance-evac-1k.png", shown: "People leave an office floor by two exits.",
		},
		{
			title: "Swirl in the middle of the circle",
			text: []string{
				"The angular momentum about the middle, of those within a quarter of the circle's radius, over what it would be if all walked",
				"square to their direction from it; counter-clockwise above 0. The mean over the times with ten people or more there, and the greatest.",
			},
			columns: []string{"swirl", "swirl_greatest", "most_in_the_middle"}, titles: []string{"mean", "greatest", "most people at once"},
			picture: "avoidance-circle-1k.png", shown: "A thousand people change places across a circle.",
		},
		{
			title: "Speed against density",
			text: []string{
				"In squares of 2 m all over the office floor, every half second. The deviation is the mean distance from Weidmann's curve for a free",
				"speed of 1.34 m/s, over the densities that occur.",
			},
			columns: []string{"weidmann_deviation"}, titles: []string{"mean deviation, m/s"},
			chart: densityChart, what: "Speed against density, beside Weidmann's curve.",
		},
	} {
		has := func(r benchResult) bool { _, ok := r.Measures[section.columns[0]]; return ok }
		if !slices.ContainsFunc(ran, has) {
			continue
		}
		d.line("")
		d.line("### %s", section.title)
		d.line("")
		for _, line := range section.text {
			d.line("%s", line)
		}
		d.line("")
		d.row(append([]string{"scene", "method", "rounds"}, section.titles...)...)
		d.rule(3 + len(section.titles))
		for _, r := range ran {
			if !has(r) {
				continue
			}
			row := []string{r.Case, r.Method, strconv.Itoa(r.Params["contact_rounds"])}
			for _, name := range section.columns {
				row = append(row, strconv.FormatFloat(r.Measures[name], 'g', 3, 64))
			}
			d.row(row...)
		}
		if section.chart != "" {
			shows(section.chart, section.what)
		}
		if section.picture != "" {
			picture(section.picture, section.shown)
		}
	}
}
