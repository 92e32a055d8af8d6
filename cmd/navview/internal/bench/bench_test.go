package bench

import (
	"fmt"
	"math"
	"testing"
)

// TestFits: powers of n are found again, and families and methods kept apart.
func TestFits(t *testing.T) {
	var results []Result
	add := func(name, method string, vertices, goals int, wall float64) {
		results = append(results, Result{Suite: suiteSPM, Case: name, Method: method, Params: map[string]int{"vertices": vertices, "goals": goals}, Wall: spread{Median: wall}})
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
	want := []growthFit{{"spm", "octagons", "cpu", 1600, 6400, 2, 0}, {"spm", "squares", "cpu", 1600, 6400, 1.5, 0}, {"spm", "squares", "wavefront", 1600, 6400, 0, 0}}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i, w := range want {
		// n log n over a factor of four from 1600: log 6400 / log 1600 = 1.1879, and log 1.1879 / log 4 = 0.1242.
		// Rounding in float64 is far below 1e-9; the last figure has four digits.
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

func TestAxis(t *testing.T) {
	for _, c := range []struct{ values, ticks []float64 }{
		{[]float64{16, 20164}, []float64{10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000}},
		{[]float64{3}, []float64{2, 5}},
		{[]float64{5, 10}, []float64{5, 10}},
		{[]float64{0.04, 0.3}, []float64{0.02, 0.05, 0.1, 0.2, 0.5}},
	} {
		a := axisOver(c.values, 100, 200)
		if len(a.ticks) != len(c.ticks) || a.at(a.ticks[0]) != 100 || math.Abs(a.at(a.ticks[len(a.ticks)-1])-200) > 1e-9 {
			t.Fatalf("%v: ticks %v, want %v", c.values, a.ticks, c.ticks)
		}
		for i, tick := range a.ticks {
			if math.Abs(tick-c.ticks[i]) > 1e-9*tick { // a product of two float64
				t.Errorf("%v: ticks %v, want %v", c.values, a.ticks, c.ticks)
			}
		}
	}
}

func TestLinearAxis(t *testing.T) {
	for _, c := range []struct{ values, ticks []float64 }{
		{[]float64{0.3, 5.4}, []float64{0, 1, 2, 3, 4, 5, 6}},
		{[]float64{12, 95}, []float64{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}},
		{[]float64{-0.12, 0.31}, []float64{-0.15, -0.1, -0.05, 0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35}},
		{[]float64{0, 0}, []float64{0, 0.1}},
		{[]float64{-3}, []float64{-3, -2.5, -2, -1.5, -1, -0.5, 0}},
	} {
		a := linearAxis(c.values, 100, 200)
		if len(a.ticks) != len(c.ticks) || a.at(a.ticks[0]) != 100 || math.Abs(a.at(a.ticks[len(a.ticks)-1])-200) > 1e-9 {
			t.Fatalf("%v: ticks %v, want %v", c.values, a.ticks, c.ticks)
		}
		for i, tick := range a.ticks {
			if math.Abs(tick-c.ticks[i]) > 1e-9 { // a product of two float64
				t.Errorf("%v: ticks %v, want %v", c.values, a.ticks, c.ticks)
			}
		}
	}
}
