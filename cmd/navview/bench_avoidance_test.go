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

func TestBenchAvoidance(t *testing.T) {
	folder := t.TempDir()
	page, drawing := filepath.Join(folder, "a.md"), filepath.Join(folder, "a.svg")
	a := navview(t, "bench", "avoidance", "--cases", "disc,robots", "--agents", "1000,1500", "--methods", "none", "--runs", "2", "--json", "--report", page, "--chart", drawing).done(t)
	var r report.Report
	if err := json.Unmarshal([]byte(a.stdout), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Results) != 3 || len(r.Fits) != 1 || r.Fits[0].Suite != "avoidance" || r.Fits[0].Family != "disc" || r.Fits[0].From != 1000 || r.Fits[0].To != 1500 {
		t.Fatalf("%+v", r)
	}
	for i, want := range []struct {
		name          string
		agents, there int
	}{{"disc-1k", 1000, 1000}, {"disc-1500", 1500, 1500}, {"robots", 24, 24}} {
		got := r.Results[i]
		if got.Suite != "avoidance" || got.Case != want.name || got.Method != "none" || got.Runs != 2 || got.Params["agents"] != want.agents {
			t.Errorf("%+v, want %+v", got, want)
		}
		if got.Checks["sane"] != true || got.Checks["there"] != float64(want.there) {
			t.Errorf("%s: %v", want.name, got.Checks)
		}
		if !(0 < got.GPU.Min && got.GPU.Min <= got.GPU.Median && got.GPU.Median <= got.GPU.P95) || got.Passes["guide"].Min <= 0 || got.Wall.Min <= 0 {
			t.Errorf("%s: %+v", want.name, got)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{r.Renderer, "](a.svg)", "\n| disc-1500 | 1,500 | 0 | none | "} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	svg, err := os.ReadFile(drawing)
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(svg, new(struct{})); err != nil {
		t.Error(err)
	}
}

func TestBenchAvoidanceRefusals(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"--methods", "luck"}, statusUsage, "--methods luck: any of none, rvo, clearpath, orca"},
		{[]string{"--agents", "0"}, statusUsage, "--agents 0: at least 1"},
		{[]string{"--at", "-1s"}, statusUsage, "--at -1s: 0s to 24h"},
		{[]string{"--runs", "0"}, statusUsage, "--runs 0: at least 1"},
		{[]string{"--cases", "nowhere"}, statusFailed, "nowhere"},
		{[]string{"--cases", "robots", "--methods", "none", "--runs", "1", "--chart", filepath.Join(t.TempDir(), "a.svg")}, statusFailed, "--cases growth"},
	} {
		a := navview(t, append([]string{"bench", "avoidance"}, c.args...)...)
		if a.status != c.status || !strings.Contains(a.stderr, c.says) {
			t.Errorf("%q: exit status %d, standard error:\n%s", c.args, a.status, a.stderr)
		}
		prefixed(t, a.stderr)
	}
}
