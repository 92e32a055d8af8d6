package bench

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
)

// crowdPage writes the tables of a report. Drawings are shown if they are written beside the chart.
func crowdPage(w io.Writer, report Report, chart string) error {
	d := &doc{w: w}
	shows := d.shower(crowdDrawings(report), chart)
	of := func(suite string) (list []Result) {
		for _, r := range report.Results {
			if r.Suite == suite {
				list = append(list, r)
			}
		}
		return list
	}
	d.heading("Crowds that avoid each other", report, softwareOnly)
	besidePapers(d, report)
	if ran := of(suiteBehaviour); len(ran) > 0 {
		runsToTheEnd(d, ran)
		measured(d, ran, shows)
	}
	if timed := of(suiteAvoidance); len(timed) > 0 {
		stepTimes(d, report, timed, shows)
		launches(d, timed, shows)
	}
	if searched := of(suiteSearch); len(searched) > 0 {
		searchTimes(d, searched, shows)
	}
	return d.err
}

// besidePapers sets what the papers are known for beside what is here.
func besidePapers(d *doc, report Report) {
	find := func(suite, name, method string) (Result, bool) {
		i := slices.IndexFunc(report.Results, func(r Result) bool {
			return r.Suite == suite && r.Case == name && r.Method == method && (suite != suiteBehaviour || r.Params["contact_rounds"] == 0)
		})
		if i < 0 {
			return Result{}, false
		}
		return report.Results[i], true
	}
	var rows [][]string
	timed := func(what, there, name, method string) {
		r, ok := find(suiteAvoidance, name, method)
		if !ok {
			return
		}
		here := fmt.Sprintf("%s ms, %s steps/s", console.MS(r.Wall.Median), console.MS(1000/r.Wall.Median))
		for _, later := range report.Results {
			if later.Suite == r.Suite && later.Case == name && later.Method == method && later.Params["after_s"] != r.Params["after_s"] {
				here += fmt.Sprintf("; %s ms after %d s", console.MS(later.Wall.Median), later.Params["after_s"])
			}
		}
		rows = append(rows, []string{what, there, here})
	}
	timed("RVO, Evacuation, 10,000 people", "18 frames/s, GeForce GTX 280 (Bleiweiss 2009, section 5)", "evacuation-10k", "rvo")
	timed("ClearPath, Evac-1K", "550 frames/s on 4 cores, 4,500 on 32 of Larrabee (Guy 2009, figure 1)", "evac-1k", "clearpath")
	timed("ClearPath, Circle-1K", "1,000 frames/s on 4 cores, 8,000 on 32 of Larrabee (Guy 2009, figure 2)", "circle-1k", "clearpath")
	timed("ClearPath, 10,000 people; here City-10K", "36 frames/s on 4 cores, 302 on 32 of Larrabee (Guy 2009, Table B.2)", "city-10k", "clearpath")
	timed("ClearPath, \"a few hundred thousand\"; here City-100K", "35 ms on 64 cores of Larrabee (Guy 2009, section 1)", "city-100k", "clearpath")
	timed("ORCA, 10,000 people, disc-10k", "14 to 16 ms, RVO2 library on one thread of a processor like this one, at the same density, neighbors and horizon", "disc-10k", "orca")
	if r, ok := find(suiteBehaviour, "back-and-forth-80", "clearpath"); ok {
		rows = append(rows, []string{
			"Back&Forth, 80 people", "OpenSteer 16 collisions a frame, ClearPath none (Guy 2009, figure 8)",
			fmt.Sprintf("%s contacts in %s steps without a contact pass", console.Figure(r.number("agent_contacts")), console.Figure(float64(r.Params["steps"]))),
		})
	}
	sum, n := 0.0, 0.0
	for _, name := range fewDiscs[:4] { // up to 32 people
		flat, ok := find(suiteAvoidance, name, rvoFlat)
		nested, both := find(suiteAvoidance, name, rvoNested)
		if ok && both {
			sum, n = sum+flat.Passes["avoid"].Median/nested.Passes["avoid"].Median, n+1
		}
	}
	if n > 0 {
		rows = append(rows, []string{
			"RVO, at most 32 people, a work group each instead of an invocation", "3.5 times as fast (Bleiweiss 2009, figure 11)",
			fmt.Sprintf("%.2f times, of velocities alone", sum/n),
		})
	}
	greatest := 0.0
	for _, r := range report.Results {
		if r.Suite == suiteSearch {
			greatest = max(greatest, r.amongAll()/r.Wall.Median)
		}
	}
	if greatest > 0 {
		rows = append(rows, []string{
			"A step that finds neighbors by cells instead of among all", "up to 4 times as fast (Bleiweiss 2009, figure 12)",
			fmt.Sprintf("up to %.1f times", greatest),
		})
	}
	if len(rows) == 0 {
		return
	}
	d.line("")
	d.line("## Beside the papers")
	d.line("")
	d.line("Here a step is all of it: directions of the maps, neighbors that walls do not hide, walls, velocities, moves cut at walls, contacts.")
	d.line("")
	d.row("", "there", "here")
	d.line("| --- | --- | --- |")
	for _, row := range rows {
		d.row(row...)
	}
}

// amongAll is what a step would take with neighbours found among all. Unit: ms.
func (r Result) amongAll() float64 {
	return r.Wall.Median - r.byCells() + r.Passes[exhaustivePass].Median
}

// runsToTheEnd writes what simulate would say of the runs, a row for those with contact rounds and those without.
func runsToTheEnd(d *doc, ran []Result) {
	d.line("")
	d.line("## What crowds do")
	d.line("")
	d.line("Every scene runs until all have arrived or are stuck; Back&Forth until all have been there and back, or for 120 s. A contact is")
	d.line("a pair in a step whose discs overlap by more than 1%% of the sum of their radii; beside it the greatest overlap, as a part of that sum.")
	d.line("\"In walls\" is how deep a center ever was in an obstacle. \"Raw\" is the same run without the contact pass, up to %s people.", console.Figure(rawMost))
	d.line("")
	d.row("scene", "people", "method", "arrived", "stuck", "last arrival, s", "contacts", "greatest overlap", "raw: arrived", "stuck", "contacts", "greatest overlap", "in walls, m")
	d.rule(13)
	told := func(r Result) []string {
		return []string{console.Figure(r.number("arrived")), console.Figure(r.number("stuck")), console.Figure(r.number("agent_contacts")), fmt.Sprintf("%.1f%%", 100*r.number("max_penetration"))}
	}
	for i, r := range ran {
		if r.Params["contact_rounds"] == 0 {
			continue
		}
		with, raw, walls := told(r), make([]string, 4), r.number("max_wall_penetration")
		if i+1 < len(ran) && ran[i+1].Case == r.Case && ran[i+1].Method == r.Method {
			raw, walls = told(ran[i+1]), max(walls, ran[i+1].number("max_wall_penetration"))
		}
		last := ""
		if r.number("arrived") > 0 {
			last = fmt.Sprintf("%.1f", r.number("last_arrival_s"))
		}
		d.row(r.Case, console.Figure(float64(r.Params["agents"])), r.Method, with[0], with[1], last, with[2], with[3], raw[0], raw[1], raw[2], raw[3], console.MS(walls))
	}
}

// stepTimes writes what steps take.
func stepTimes(d *doc, report Report, timed []Result, shows func(suffix, what string)) {
	d.line("")
	d.line("## Times")
	d.line("")
	d.line("Milliseconds, medians of the steps that count, of a step with nothing before and after it in the queue, at the time at which a")
	d.line("scene is busiest. Beside the wall time are the times of its passes; software renderers do the work of a pass when its commands are")
	d.line("submitted: there it is the time of submission. \"Escape\" leads agents out of the clearance of their map, \"neighbors\" finds those that")
	d.line("walls do not hide, \"walls\" the walls near an agent. After the steps each crowd is checked: positions and velocities are finite, no")
	d.line("center is in a wall, no agent exceeds its maximum speed.")
	d.line("")
	d.row(append([]string{"scene", "people", "after, s", "method", "wall"}, shownPasses...)...)
	d.rule(5 + len(shownPasses))
	for _, r := range timed {
		if r.Method == rvoFlat || r.Method == rvoNested {
			continue
		}
		row := []string{r.Case, console.Figure(float64(r.size())), strconv.Itoa(r.Params["after_s"]), r.Method, console.MS(r.Wall.Median)}
		for _, pass := range shownPasses {
			cell := ""
			if t, ok := r.Passes[pass]; ok {
				cell = console.MS(t.Median)
			}
			row = append(row, cell)
		}
		d.row(row...)
	}
	shows(passBars, "The passes of steps, in microseconds a person.")
	shows("", "Wall time of a step against people, both axes logarithmic.")
	growth := slices.DeleteFunc(report.fits(suiteAvoidance), func(f growthFit) bool { return f.Family != "disc" })
	if len(growth) == 0 {
		return
	}
	d.line("")
	d.line("At one density, fitted in least squares over the logarithms, wall time grows as a power of the people:")
	d.line("")
	d.row("scenes", "method", "from", "to", "exponent")
	d.rule(5)
	for _, f := range growth {
		d.row(f.Family, f.Method, console.Figure(float64(f.From)), console.Figure(float64(f.To)), fmt.Sprintf("%.2f", f.Exponent))
	}
}

// launches writes what both launches of rvo take.
func launches(d *doc, timed []Result, shows func(suffix, what string)) {
	at := map[[2]string]Result{}
	var names []string
	for _, r := range timed {
		if r.Method != rvoFlat && r.Method != rvoNested {
			continue
		}
		at[[2]string{r.Case, r.Method}] = r
		if !slices.Contains(names, r.Case) {
			names = append(names, r.Case)
		}
	}
	if len(names) == 0 {
		return
	}
	d.line("")
	d.line("### Few people: an invocation for each, or a work group")
	d.line("")
	d.line("`rvo` tries velocities; flat, each person's invocation tries them one after the other, nested, a work group shares them out")
	d.line("(Bleiweiss 2009, section 4.3 and figure 11). Nested fills a GPU with few people; a software renderer is full with one. So flat is")
	d.line("what software renderers get, and nested what GPUs get for up to 1,024 people. ms, the whole step and velocities alone.")
	d.line("")
	d.row("people", "flat", "nested", "velocities, flat", "velocities, nested", "flat over nested")
	d.rule(6)
	for _, name := range names {
		flat, ok := at[[2]string{name, rvoFlat}]
		nested, both := at[[2]string{name, rvoNested}]
		if a, b := flat.Passes["avoid"].Median, nested.Passes["avoid"].Median; ok && both {
			d.row(console.Figure(float64(flat.size())), console.MS(flat.Wall.Median), console.MS(nested.Wall.Median), console.MS(a), console.MS(b), fmt.Sprintf("%.2f", a/b))
		}
	}
	shows(launchChart, "Wall time of a step by both launches, both axes logarithmic.")
}

// searchTimes writes what finding neighbours takes, by cells and among all.
func searchTimes(d *doc, searched []Result, shows func(suffix, what string)) {
	d.line("")
	d.line("### Neighbors by cells, or among all")
	d.line("")
	d.line("The same ten nearest within a distance, found by the cells of each step, cells included, and by a search of all agents")
	d.line("(Bleiweiss 2009, figure 12); walls, which hide some, come afterwards. \"Step among all\" is the step with the one in the place of the other. ms.")
	d.line("")
	d.row("scene", "people", "cells", "among all", "step", "step among all", "times as long")
	d.rule(7)
	for _, r := range searched {
		d.row(r.Case, console.Figure(float64(r.size())), console.MS(r.byCells()), console.MS(r.Passes[exhaustivePass].Median), console.MS(r.Wall.Median), console.MS(r.amongAll()),
			fmt.Sprintf("%.1f", r.amongAll()/r.Wall.Median))
	}
	shows(searchChart, "Time of finding neighbors against people, both axes logarithmic.")
}

// measured writes what was found out about crowds as a whole: a section for each phenomenon of the papers that was looked for.
func measured(d *doc, ran []Result, shows func(suffix, what string)) {
	for _, section := range []struct {
		title   string
		text    []string
		columns []string // of measures, with their titles
		titles  []string
		sheet   string
		shown   string
		chart   string
		what    string
	}{
		{
			title: "Lanes",
			text: []string{
				"1 if in every strip of the walkway, 0.7 m wide, all walk the same way, 0 if directions were dealt at random (Nowak and Schadschneider",
				"2012). Looked at is the middle third of the walkway, while ten people or more of either direction are there: the mean, and the greatest.",
				"Where the streams meet the order is that of chance; lanes come while they walk through each other.",
			},
			columns: []string{"lanes", "lanes_greatest"}, titles: []string{"mean", "greatest"},
			sheet: walkwaySheet, shown: "Two streams on a walkway, colored by direction.", chart: laneChart, what: "Order of lanes against time.",
		},
		{
			title: "Arches before the exits, and flow through them",
			text: []string{
				"Shape is 1 for a jam that lies around the door as a half disc, 0 for a queue away from it, more for one along the wall; means",
				"over the times with 20 people or more in a jam. Flow is people a second and meter of door; experiments have about 1.9 for widths",
				"of 0.8 to 1.2 m, and IMO asks for at most 1.33.",
			},
			columns: []string{"arch_shape", "arch_radius", "arch_people", "arch_density", "flow"},
			titles:  []string{"shape", "radius, m", "people", "people/m2", "flow, 1/(m s)"},
			sheet:   exitSheet, shown: "The jam before an exit, colored by speed.",
		},
		{
			title: "Swirl in the middle of the circle",
			text: []string{
				"The angular momentum about the middle, of those within a quarter of the circle's radius, over what it would be if all walked",
				"square to their direction from it; counter-clockwise above 0. The mean over the times with ten people or more there, and the greatest.",
			},
			columns: []string{"swirl", "swirl_greatest", "most_in_the_middle"}, titles: []string{"mean", "greatest", "most people at once"},
			sheet: middleSheet, shown: "The middle of the circle, colored by the sense in which people turn.", chart: swirlChart, what: "Swirl against time.",
		},
		{
			title: "Speed against density",
			text: []string{
				"In squares of 2 m all over the office floor, every half second. The deviation is the mean distance from Weidmann's curve for a free",
				"speed of 1.34 m/s, over the densities that occur. The methods know of collisions only, not of the distance that pedestrians keep;",
				"where people overlap nevertheless (above), they need not slow down.",
			},
			columns: []string{"weidmann_deviation"}, titles: []string{"mean deviation, m/s"},
			chart: densityChart, what: "Speed against density, beside Weidmann's curve.",
		},
	} {
		has := func(r Result) bool { _, ok := r.Measures[section.columns[0]]; return ok }
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
		if section.sheet != "" {
			shows(section.sheet, section.shown)
		}
		if section.chart != "" {
			shows(section.chart, section.what)
		}
	}
}
