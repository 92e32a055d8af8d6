package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
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
			Counts              []struct {
				Pass                               string
				Dispatches, Draws, Barriers, Bytes int64
			}
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
		var runs, bytes int64
		for _, c := range got.Counts {
			runs, bytes = runs+c.Dispatches+c.Draws, bytes+c.Bytes
		}
		if (runs == 0) != onCPU || (bytes == 0) != onCPU {
			t.Errorf("%s: %d dispatches and draws of %d bytes", want, runs, bytes)
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
	if text := table.stdout; !strings.Contains(text, "work groups") || !strings.Contains(text, "spm seed") {
		t.Errorf("no counts of passes in\n%s", text)
	}
	if help := navview(t, "bench", "--help").done(t); !strings.Contains(help.stdout, "navview bench spm") {
		t.Errorf("no examples in\n%s", help.stdout)
	}
}

// TestBenchGrowth: several goals, and what follows from several cases; again from the file of
// results.
func TestBenchGrowth(t *testing.T) {
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	// Sequential passes over more than 2,000 vertices, and one case makes no growth.
	text := navview(t, "bench", "spm", "--cases", "squares-501,squares-576,octagons-251", "--methods", "wavefront,sequential", "--size", "40", "--runs", "1").done(t).stdout
	if !strings.Contains(text, "squares, wavefront: grows as n^") || strings.Contains(text, "octagons, wavefront: grows") || strings.Contains(text, "sequential") {
		t.Errorf("got\n%s", text)
	}
	var r report.Report
	few := []string{"bench", "spm", "--cases", "squares-400,squares-576", "--methods", "wavefront,cpu", "--size", "40", "--runs", "1", "--json"}
	if err := json.Unmarshal([]byte(navview(t, few...).done(t).stdout), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Fits) != 2 || r.Fits[0].Method != "cpu" || r.Fits[1].From != 1600 || r.Fits[1].To != 2304 {
		t.Errorf("%+v", r.Fits)
	}
	goals := navview(t, "bench", "spm", "--cases", room, "--methods", "wavefront", "--goals", "5", "--size", "40", "--runs", "1", "--json").done(t).stdout
	var many report.Report
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
