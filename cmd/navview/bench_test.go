package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBench(t *testing.T) {
	a := navview(t, "bench", "spm", "--cases", "simple1,"+room, "--size", "60", "--runs", "2", "--json").done(t)
	var r struct {
		Renderer, Version, Date string
		Results                 []struct {
			Suite, Case, Method string
			Params              map[string]float64
			GPU                 map[string]float64 `json:"gpu_ms"`
			Ground              map[string]float64 `json:"ground_ms"`
			Questions           map[string]float64
			BreakEven           map[string]int     `json:"break_even"`
			Wall                map[string]float64 `json:"wall_ms"`
			Runs                int
			Checks              map[string]bool
		}
	}
	if err := json.Unmarshal([]byte(a.stdout), &r); err != nil {
		t.Fatal(err)
	}
	if r.Renderer == "" || !strings.HasPrefix(r.Version, "4.") || len(r.Date) < 10 || len(r.Results) != 6 {
		t.Fatalf("%+v", r)
	}
	for i, want := range []string{
		"simple1 wavefront", "simple1 sequential", "simple1 cpu", room + " wavefront", room + " sequential", room + " cpu",
	} {
		got := r.Results[i]
		if got.Suite != "spm" || got.Case+" "+got.Method != want || got.Runs != 2 || got.Params["size"] != 60 || !got.Checks["validated"] {
			t.Errorf("result %d is %+v, want %s", i, got, want)
		}
		// Nothing that was measured took no time.
		onCPU := got.Method == "cpu"
		for _, s := range []map[string]float64{got.GPU, got.Wall, got.Ground} {
			if idle := onCPU && s["p95"] == 0; !idle && !(0 < s["min"] && s["min"] <= s["median"] && s["median"] <= s["p95"]) {
				t.Errorf("%s: %v", want, s)
			}
		}
		if asked := got.Questions["search_ms"] > got.Questions["query_ms"] && got.Questions["query_ms"] > 0; asked != onCPU {
			t.Errorf("%s: questions took %v", want, got.Questions)
		}
		if even := got.BreakEven["searches"] >= 1 && got.BreakEven["queries"] >= 1; even == onCPU {
			t.Errorf("%s: break-even at %v agents", want, got.BreakEven)
		}
	}
	table := navview(t, "bench", "spm", "--cases", "simple1", "--methods", "wavefront", "--size", "60", "--runs", "1").done(t)
	if !strings.Contains(table.stdout, r.Renderer) || !strings.Contains(table.stdout, "simple1") || strings.Contains(table.stdout, "sequential") {
		t.Errorf("the table is\n%s", table.stdout)
	}
	if help := navview(t, "bench", "--help").done(t); !strings.Contains(help.stdout, "navview bench spm") {
		t.Errorf("no examples in\n%s", help.stdout)
	}
}

// TestBenchGrowth: several goals, and what follows from several cases; again from the file of results.
func TestBenchGrowth(t *testing.T) {
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	// Sequential passes over more than 2,000 vertices, and one case makes no growth.
	text := navview(t, "bench", "spm", "--cases", "squares-501,squares-576,octagons-251", "--methods", "wavefront,sequential", "--size", "40", "--runs", "1").done(t).stdout
	if !strings.Contains(text, "squares, wavefront: grows as n^") || strings.Contains(text, "octagons, wavefront: grows") || strings.Contains(text, "sequential") {
		t.Errorf("got\n%s", text)
	}
	var r benchReport
	few := []string{"bench", "spm", "--cases", "squares-400,squares-576", "--methods", "wavefront,cpu", "--size", "40", "--runs", "1", "--json"}
	if err := json.Unmarshal([]byte(navview(t, few...).done(t).stdout), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Fits) != 2 || r.Fits[0].Method != "cpu" || r.Fits[1].From != 1600 || r.Fits[1].To != 2304 {
		t.Errorf("%+v", r.Fits)
	}
	goals := navview(t, "bench", "spm", "--cases", room, "--methods", "wavefront", "--goals", "5", "--size", "40", "--runs", "1", "--json").done(t).stdout
	var many benchReport
	if err := json.Unmarshal([]byte(goals), &many); err != nil {
		t.Fatal(err)
	}
	if g := many.Results[0]; g.Params["goals"] != 5 || g.Apart == nil || g.Apart.Median <= 0 || g.Checks["validated"] != true {
		t.Errorf("%+v", g)
	}
	for name, data := range map[string]any{"one.json": r, "many.json": many} {
		text, err := json.Marshal(data)
		if err == nil {
			err = os.WriteFile(file(name), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	joined := file("one.json") + "," + file("many.json")
	if a := navview(t, "bench", "spm", "--results", joined, "--report", file("a.md"), "--chart", file("a.svg")).done(t); a.stdout != "" {
		t.Errorf("standard output %q", a.stdout)
	}
	page, err := os.ReadFile(file("a.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{r.Renderer, "](a.svg)", "\n| squares-400 | 1,600 | ", "\n| squares | wavefront | 1,600 | 2,304 | ", "\n| " + room + " | 12 | 5 | 40 | wavefront | "} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	drawing, err := os.ReadFile(file("a.svg"))
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(drawing, new(struct{})); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"wavefront, squares", "cpu, squares", "n log n", "GTX 970"} {
		if !strings.Contains(string(drawing), want) {
			t.Errorf("no %q in the chart", want)
		}
	}
}

// TestFits: powers of n are found again, and families and methods kept apart.
func TestFits(t *testing.T) {
	var results []benchResult
	add := func(name, method string, vertices, goals int, wall float64) {
		results = append(results, benchResult{Suite: suiteSPM, Case: name, Method: method, Params: map[string]int{"vertices": vertices, "goals": goals}, Wall: spread{Median: wall}})
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

func TestFigures(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 7: "7", 0.25: "0.25", 999: "999", 1000: "1,000", 20164: "20,164", 1234567.5: "1,234,567.5"} {
		if got := figure(v); got != want {
			t.Errorf("figure(%v) = %s, want %s", v, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0", 0.0012345: "0.00123", 0.999: "0.999", 1.2345: "1.23", 45.67: "45.7", 123.4: "123", 93700: "93,700"} {
		if got := ms(v); got != want {
			t.Errorf("ms(%v) = %s, want %s", v, got, want)
		}
	}
}

func TestBenchRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"suite":  {[]string{"bench", "everything"}, statusUsage, "everything"},
		"none":   {[]string{"bench"}, statusUsage, `"spm"`},
		"method": {[]string{"bench", "spm", "--methods", "wavefront,magic"}, statusUsage, "--methods magic: any of wavefront, sequential, cpu"},
		"goals":  {[]string{"bench", "spm", "--goals", "0"}, statusUsage, "--goals 0: at least 1"},
		"report": {[]string{"bench", "spm", "--report", "a.txt"}, statusUsage, "ends in .md"},
		"chart":  {[]string{"bench", "spm", "--chart", "a.png"}, statusUsage, "ends in .svg"},
		"series": {[]string{"bench", "spm", "--cases", room, "--methods", "cpu", "--chart", filepath.Join(t.TempDir(), "a.svg")}, statusFailed, "--cases growth"},
		"file":   {[]string{"bench", "spm", "--results", "nowhere.json"}, statusFailed, "nowhere.json"},
		"scene":  {[]string{"bench", "spm", "--results", "testdata/points.txt"}, statusFailed, "not what bench --json prints"},
		"runs":   {[]string{"bench", "spm", "--runs", "0"}, statusUsage, "--runs 0: at least 1"},
		"size":   {[]string{"bench", "spm", "--size", "16385"}, statusUsage, "1 to 16384 texels"},
		"case":   {[]string{"bench", "spm", "--cases", "nowhere"}, statusFailed, "nowhere"},
	} {
		if a := navview(t, c.args...); a.status != c.status || !strings.Contains(a.stderr, c.says) {
			t.Errorf("%s: exit status %d, standard error:\n%s", name, a.status, a.stderr)
		}
	}
}
