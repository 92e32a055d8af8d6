package main

import (
	"math"
	"slices"
	"strings"
)

// growthFit is how a method's cost grows over scenes of one kind: wall time as n to the power of Exponent.
type growthFit struct {
	Family   string  `json:"family"`
	Method   string  `json:"method"`
	From     int     `json:"from"` // vertices
	To       int     `json:"to"`
	Exponent float64 `json:"exponent"`
	NLogN    float64 `json:"n_log_n"` // what n log n would have between the same ends
}

// fitFrom is the number of vertices from which on growth is fitted. Below, what a build costs at least hides it.
const fitFrom = 1600

// sample is a measured point of a curve.
type sample struct {
	vertices int
	wall     float64 // ms
}

// familyOf is the part of a case's name before its size: squares of squares-400; "" where it has none.
func familyOf(name string) string {
	family, digits, ok := strings.Cut(name, "-")
	if !ok || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return family
}

// curves are the samples of families, by family and method, each by rising vertices.
func curves(results []benchResult) map[[2]string][]sample {
	all := map[[2]string][]sample{}
	for _, r := range results {
		if family := familyOf(r.Case); family != "" && r.Params["goals"] <= 1 {
			key := [2]string{family, r.Method}
			all[key] = append(all[key], sample{r.vertices(), r.Wall.Median})
		}
	}
	for _, c := range all {
		slices.SortFunc(c, func(a, b sample) int { return a.vertices - b.vertices })
	}
	return all
}

// fits are the exponents of all curves that have at least two points from fitFrom on, in order of family and method.
func fits(results []benchResult) []growthFit {
	var list []growthFit
	for key, c := range curves(results) {
		from := slices.IndexFunc(c, func(s sample) bool { return s.vertices >= fitFrom })
		if from < 0 || c[from].vertices == c[len(c)-1].vertices {
			continue
		}
		low, high := float64(c[from].vertices), float64(c[len(c)-1].vertices)
		list = append(list, growthFit{
			Family: key[0], Method: key[1], From: int(low), To: int(high), Exponent: slope(c[from:]),
			NLogN: 1 + math.Log(math.Log(high)/math.Log(low))/math.Log(high/low),
		})
	}
	slices.SortFunc(list, func(a, b growthFit) int {
		return strings.Compare(a.Family+" "+a.Method, b.Family+" "+b.Method)
	})
	return list
}

// slope is that of the straight line that is nearest to the samples, in least squares, where both axes are logarithmic.
func slope(samples []sample) float64 {
	var n, x, y, xx, xy float64
	for _, s := range samples {
		a, b := math.Log(float64(s.vertices)), math.Log(s.wall)
		n, x, y, xx, xy = n+1, x+a, y+b, xx+a*a, xy+a*b
	}
	return (n*xy - x*y) / (n*xx - x*x)
}
