package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
)

// Growth is the growth of a method's wall time over a family of cases: n to the power of Exponent.
type Growth struct {
	Suite    string  `json:"suite"`
	Family   string  `json:"family"`
	Method   string  `json:"method"`
	From     int     `json:"from"` // vertices or agents
	To       int     `json:"to"`
	Exponent float64 `json:"exponent"`
	NLogN    float64 `json:"n_log_n"` // what n log n would have between the same ends
}

// fitFrom is the size from which growth is fitted. Fixed costs hide it below.
var fitFrom = map[string]int{SPM: 1600, Avoidance: 1000, Search: 1000, BVP: 1000}

// Family returns the name of a case without its size: squares of squares-400; "" without a size.
func Family(name string) string {
	cut := strings.LastIndexByte(name, '-')
	if cut < 0 {
		return ""
	}
	digits := strings.TrimSuffix(name[cut+1:], "k")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return name[:cut]
}

// series identifies a curve.
type series struct{ suite, family, method string }

// curves returns wall times in ms against sizes, sorted by size. Of several results of one size the
// first counts.
func curves(results []Result) map[series]plotter.XYs {
	all := map[series]plotter.XYs{}
	for _, r := range results {
		family, size := Family(r.Case), float64(r.Size())
		if family == "" || r.Params["goals"] > 1 || size == 0 || r.Wall.Median == 0 {
			continue
		}
		key := series{r.Suite, family, r.Method}
		if !slices.ContainsFunc(all[key], func(p plotter.XY) bool { return p.X == size }) {
			all[key] = append(all[key], plotter.XY{X: size, Y: r.Wall.Median})
		}
	}
	for _, c := range all {
		slices.SortFunc(c, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
	}
	return all
}

// fits returns the exponents of all curves with at least two points from fitFrom on.
func fits(results []Result) (list []Growth) {
	for key, c := range curves(results) {
		least := float64(fitFrom[key.suite])
		c = filter(c, func(p plotter.XY) bool { return p.X >= least })
		if len(c) < 2 {
			continue
		}
		low, high := c[0].X, c[len(c)-1].X
		list = append(list, Growth{
			Suite: key.suite, Family: key.family, Method: key.method,
			From: int(low), To: int(high), Exponent: slope(c),
			NLogN: 1 + math.Log(math.Log(high)/math.Log(low))/math.Log(high/low),
		})
	}
	slices.SortFunc(list, func(a, b Growth) int {
		return cmp.Or(strings.Compare(a.Suite, b.Suite), strings.Compare(a.Family, b.Family), strings.Compare(a.Method, b.Method))
	})
	return list
}

// Growth returns the fits of a suite.
func (r Report) Growth(suite string) []Growth {
	return filter(r.Fits, func(f Growth) bool { return f.Suite == suite })
}

// slope is that of the straight line nearest to the points, in least squares, where both axes are
// logarithmic.
func slope(points plotter.XYs) float64 {
	var n, x, y, xx, xy float64
	for _, p := range points {
		a, b := math.Log(p.X), math.Log(p.Y)
		n, x, y, xx, xy = n+1, x+a, y+b, xx+a*a, xy+a*b
	}
	return (n*xy - x*y) / (n*xx - x*x)
}

// BreakEven is the number of agents from which a map costs less than answers on the CPU. Reading a
// texel is not counted.
type BreakEven struct {
	Searches int `json:"searches"` // against a search from scratch for each
	Queries  int `json:"queries"`  // against one search for all, and a query each
}

// setBreakEvens compares maps with method cpu. Both need the ground.
func setBreakEvens(results []Result) {
	for i := range results {
		r := &results[i]
		for _, c := range results {
			if r.Method == CPU || r.Params["goals"] > 1 || c.Method != CPU || c.Case != r.Case || c.Questions == nil {
				continue
			}
			build, solve := r.Wall.Median-r.Ground.Median, c.Wall.Median-c.Ground.Median
			agents := func(saved, each float64) int { return max(1, int(math.Ceil(saved/each))) }
			r.BreakEven = &BreakEven{
				Searches: agents(build, c.Questions.Search),
				Queries:  agents(build-solve, c.Questions.Query),
			}
		}
	}
}
