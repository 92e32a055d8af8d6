package bench

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
)

// growthFit is the growth of a method's wall time over a family of cases: n to the power of
// Exponent.
type growthFit struct {
	Suite    string  `json:"suite"`
	Family   string  `json:"family"`
	Method   string  `json:"method"`
	From     int     `json:"from"` // vertices, or people
	To       int     `json:"to"`
	Exponent float64 `json:"exponent"`
	NLogN    float64 `json:"n_log_n"` // what n log n would have between the same ends
}

// fitFrom is the size from which growth is fitted. Fixed costs hide it below.
var fitFrom = map[string]int{suiteSPM: 1600, suiteAvoidance: 1000, suiteSearch: 1000, suiteBVP: 1000}

// familyOf returns the name of a case without its size: squares of squares-400; "" without a size.
func familyOf(name string) string {
	cut := strings.LastIndexByte(name, '-')
	if cut < 0 {
		return ""
	}
	if digits := strings.TrimSuffix(name[cut+1:], "k"); digits == "" || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return name[:cut]
}

// series identifies a curve.
type series struct{ suite, family, method string }

// curves returns wall times against sizes, sorted by size. Unit: ms.
func curves(results []Result) map[series]plotter.XYs {
	all := map[series]plotter.XYs{}
	for _, r := range results {
		if family := familyOf(r.Case); family != "" && r.Params["goals"] <= 1 && r.Size() > 0 && r.Wall.Median > 0 {
			key, size := series{r.Suite, family, r.Method}, float64(r.Size())
			if !slices.ContainsFunc(all[key], func(s plotter.XY) bool { return s.X == size }) {
				all[key] = append(all[key], plotter.XY{X: size, Y: r.Wall.Median})
			}
		}
	}
	for _, c := range all {
		slices.SortFunc(c, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
	}
	return all
}

// fits returns the exponents of all curves with at least two points from fitFrom on.
func fits(results []Result) []growthFit {
	var list []growthFit
	for key, c := range curves(results) {
		from := slices.IndexFunc(c, func(s plotter.XY) bool { return s.X >= float64(fitFrom[key.suite]) })
		if from < 0 || c[from].X == c[len(c)-1].X {
			continue
		}
		low, high := c[from].X, c[len(c)-1].X
		list = append(list, growthFit{
			Suite: key.suite, Family: key.family, Method: key.method, From: int(low), To: int(high), Exponent: slope(c[from:]),
			NLogN: 1 + math.Log(math.Log(high)/math.Log(low))/math.Log(high/low),
		})
	}
	slices.SortFunc(list, func(a, b growthFit) int {
		return cmp.Or(strings.Compare(a.Suite, b.Suite), strings.Compare(a.Family, b.Family), strings.Compare(a.Method, b.Method))
	})
	return list
}

// fits are those of a suite.
func (r Report) fits(suite string) []growthFit {
	return slices.DeleteFunc(slices.Clone(r.Fits), func(f growthFit) bool { return f.Suite != suite })
}

// slope is that of the straight line that is nearest to the samples, in least squares, where both
// axes are logarithmic.
func slope(samples plotter.XYs) float64 {
	var n, x, y, xx, xy float64
	for _, s := range samples {
		a, b := math.Log(s.X), math.Log(s.Y)
		n, x, y, xx, xy = n+1, x+a, y+b, xx+a*a, xy+a*b
	}
	return (n*xy - x*y) / (n*xx - x*x)
}
