package report

import (
	"fmt"
	"math"
	"testing"
)

// TestFits: powers of n are found again, and families and methods kept apart.
func TestFits(t *testing.T) {
	var results []Result
	add := func(name, method string, vertices, goals int, wall float64) {
		results = append(results, Result{Suite: SPM, Case: name, Method: method, Params: map[string]int{"vertices": vertices, "goals": goals}, Wall: Spread{Median: wall}})
	}
	for _, n := range []int{6400, 16, 1600, 3136} {
		add(fmt.Sprintf("squares-%d", n/4), "wavefront", n, 1, 50)
		add(fmt.Sprintf("squares-%d", n/4), "cpu", n, 1, 1e-6*math.Pow(float64(n), 1.5))
		add(fmt.Sprintf("octagons-%d", n/8), "cpu", n, 1, 1e-6*math.Pow(float64(n), 2))
		add(fmt.Sprintf("squares-%d", n/4), "cpu", n, 64, 1)
	}
	add("squares-40000", "wavefront", 160000, 1, 0) // no room
	add("squares-400", "sequential", 1600, 1, 3)
	add("profiling6", "wavefront", 1600, 1, 3)
	got := fits(results)
	want := []Growth{{"spm", "octagons", "cpu", 1600, 6400, 2, 0}, {"spm", "squares", "cpu", 1600, 6400, 1.5, 0}, {"spm", "squares", "wavefront", 1600, 6400, 0, 0}}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i, w := range want {
		// n log n over a factor of four from 1600: log 6400 / log 1600 = 1.1879, and log 1.1879 /
		// log 4 = 0.1242. Rounding in float64 is far below 1e-9; the last figure has four digits.
		g := got[i]
		if math.Abs(g.Exponent-w.Exponent) > 1e-9 || math.Abs(g.NLogN-1.1242) > 5e-5 {
			t.Errorf("%+v, want exponent %v", g, w.Exponent)
		}
		g.Exponent, g.NLogN = w.Exponent, 0
		if g != w {
			t.Errorf("%+v, want %+v", g, w)
		}
	}
}
