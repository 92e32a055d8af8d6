package bench

import (
	"fmt"
	"math"
	"strings"
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

// TestLogTicks: ticks lie on the axis, at most a factor of 2 apart, and short axes have more labels.
func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		labels    string
	}{
		{16, 20_164, "100 1,000 10,000"}, {2, 8, "2 5"}, {0.6, 56, "1 2 5 10 20 50"}, {0.00001, 0.5, "1e-05 0.0001 0.001 0.01 0.1"},
	} {
		var labels []string
		last := 0.0
		for _, tick := range logTicks(c.low, c.high) {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
			if last > 0 && tick.Value > 2.001*last || tick.Value <= last || tick.Value < c.low || tick.Value > c.high {
				t.Errorf("%v to %v: a tick at %v follows that at %v", c.low, c.high, tick.Value, last)
			}
			last = tick.Value
		}
		if got := strings.Join(labels, " "); got != c.labels {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, got, c.labels)
		}
	}
}
