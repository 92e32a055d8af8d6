package bench

import (
	"fmt"
	"io"
	"slices"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
)

// avoidanceView is what the page of the suite shows.
type avoidanceView struct{ page }

// markdown writes the page of the suite.
func (v avoidanceBench) markdown(w io.Writer, report Report, chart string) error {
	return writePage(w, "avoidance", avoidanceView{newPage(report, suiteAvoidance, v.charts(report), chart)})
}

// RawMost is up to how many people runs are made without contact rounds too.
func (avoidanceView) RawMost() int { return rawMost }

// Passes are those that have a column.
func (avoidanceView) Passes() []string { return shownPasses }

// Timed are the results of steps.
func (v avoidanceView) Timed() []Result { return v.Of(suiteAvoidance) }

// Launched reports whether the method is a launch of rvo.
func (r Result) Launched() bool { return r.Method == rvoFlat || r.Method == rvoNested }

// DiscGrowth is the growth over crowds of one density.
func (v avoidanceView) DiscGrowth() []growthFit {
	return slices.DeleteFunc(v.GrowthOf(suiteAvoidance), func(f growthFit) bool { return f.Family != "disc" })
}

// AmongAll is the time of a step that finds neighbors among all agents. Unit: ms.
func (r Result) AmongAll() float64 {
	return r.Wall.Median - r.ByCells() + r.Passes[exhaustivePass].Median
}

// crowdRun is a run with contact rounds, and the same one without, if there is one.
type crowdRun struct {
	With Result
	Raw  *Result
}

// InWalls is the greatest depth of a center in an obstacle, in both runs. Unit: m.
func (c crowdRun) InWalls() float64 {
	depth := c.With.Check("max_wall_penetration")
	if c.Raw != nil {
		depth = max(depth, c.Raw.Check("max_wall_penetration"))
	}
	return depth
}

// Runs are the runs to the end.
func (v avoidanceView) Runs() (runs []crowdRun) {
	for _, r := range v.Of(suiteBehaviour) {
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

// launch is a step by both launches of rvo.
type launch struct{ Flat, Nested *Result }

// Ratio is the time of velocities flat over nested.
func (l launch) Ratio() float64 {
	return l.Flat.Passes["avoid"].Median / l.Nested.Passes["avoid"].Median
}

// Launches are the cases that were measured by both launches.
func (v avoidanceView) Launches() (all []launch) {
	launched := slices.DeleteFunc(v.Of(suiteAvoidance), func(r Result) bool { return !r.Launched() })
	for _, c := range casesOf(launched) {
		if flat, nested := c.By(rvoFlat), c.By(rvoNested); flat != nil && nested != nil {
			all = append(all, launch{flat, nested})
		}
	}
	return all
}

// comparison is a row of a paper's result and ours.
type comparison struct{ What, There, Here string }

// paperTimes are the times of steps that papers report.
var paperTimes = []struct{ name, method, what, there string }{
	{"evacuation-10k", "rvo", "RVO, Evacuation, 10,000 people", "18 frames/s, GeForce GTX 280 (Bleiweiss 2009, section 5)"},
	{"evac-1k", "clearpath", "ClearPath, Evac-1K", "550 frames/s on 4 cores, 4,500 on 32 of Larrabee (Guy 2009, figure 1)"},
	{"circle-1k", "clearpath", "ClearPath, Circle-1K", "1,000 frames/s on 4 cores, 8,000 on 32 of Larrabee (Guy 2009, figure 2)"},
	{"city-10k", "clearpath", "ClearPath, 10,000 people; here City-10K", "36 frames/s on 4 cores, 302 on 32 of Larrabee (Guy 2009, Table B.2)"},
	{"city-100k", "clearpath", "ClearPath, \"a few hundred thousand\"; here City-100K", "35 ms on 64 cores of Larrabee (Guy 2009, section 1)"},
	{"disc-10k", "orca", "ORCA, 10,000 people, disc-10k", "14 to 16 ms, RVO2 library on one thread of a processor like this one, at the same density, neighbors and horizon"},
}

// BesidePapers compares with what the papers are known for.
func (v avoidanceView) BesidePapers() (rows []comparison) {
	for _, p := range paperTimes {
		here := ""
		for _, r := range v.Of(suiteAvoidance) {
			switch {
			case r.Case != p.name || r.Method != p.method:
			case here == "":
				here = fmt.Sprintf("%s ms, %s steps/s", console.MS(r.Wall.Median), console.MS(1000/r.Wall.Median))
			default:
				here += fmt.Sprintf("; %s ms after %d s", console.MS(r.Wall.Median), r.Params["after_s"])
			}
		}
		if here != "" {
			rows = append(rows, comparison{p.what, p.there, here})
		}
	}
	for _, r := range v.Of(suiteBehaviour) {
		if r.Params["contact_rounds"] == 0 && r.Case == "back-and-forth-80" && r.Method == "clearpath" {
			rows = append(rows, comparison{
				"Back&Forth, 80 people", "OpenSteer 16 collisions a frame, ClearPath none (Guy 2009, figure 8)",
				fmt.Sprintf("%s contacts in %s steps without a contact pass", console.Figure(r.Check("agent_contacts")), console.Figure(float64(r.Params["steps"]))),
			})
		}
	}
	sum, n := 0.0, 0.0
	for _, l := range v.Launches() {
		if slices.Contains(fewDiscs[:4], l.Flat.Case) { // up to 32 people
			sum, n = sum+l.Ratio(), n+1
		}
	}
	if n > 0 {
		rows = append(rows, comparison{
			"RVO, at most 32 people, a work group each instead of an invocation", "3.5 times as fast (Bleiweiss 2009, figure 11)",
			fmt.Sprintf("%.2f times, of velocities alone", sum/n),
		})
	}
	greatest := 0.0
	for _, r := range v.Of(suiteSearch) {
		greatest = max(greatest, r.AmongAll()/r.Wall.Median)
	}
	if greatest > 0 {
		rows = append(rows, comparison{
			"A step that finds neighbors by cells instead of among all", "up to 4 times as fast (Bleiweiss 2009, figure 12)",
			fmt.Sprintf("up to %.1f times", greatest),
		})
	}
	return rows
}

// Measured returns the runs with a measure.
func (v avoidanceView) Measured(measure string) []Result {
	return slices.DeleteFunc(v.Of(suiteBehaviour), func(r Result) bool { _, ok := r.Measures[measure]; return !ok })
}
