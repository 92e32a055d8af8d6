package main

import (
	"encoding/json"
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
			Wall                map[string]float64 `json:"wall_ms"`
			Runs                int
			Checks              map[string]bool
		}
	}
	if err := json.Unmarshal([]byte(a.stdout), &r); err != nil {
		t.Fatal(err)
	}
	if r.Renderer == "" || !strings.HasPrefix(r.Version, "4.") || len(r.Date) < 10 || len(r.Results) != 4 {
		t.Fatalf("%+v", r)
	}
	for i, want := range []string{"simple1 wavefront", "simple1 sequential", room + " wavefront", room + " sequential"} {
		got := r.Results[i]
		if got.Suite != "spm" || got.Case+" "+got.Method != want || got.Runs != 2 || got.Params["size"] != 60 || !got.Checks["validated"] {
			t.Errorf("result %d is %+v, want %s", i, got, want)
		}
		// The map is drawn within the wall time, and neither is nothing.
		for _, s := range []map[string]float64{got.GPU, got.Wall} {
			if !(0 < s["min"] && s["min"] <= s["median"] && s["median"] <= s["p95"]) {
				t.Errorf("%s: %v", want, s)
			}
		}
	}
	table := navview(t, "bench", "all", "--cases", "simple1", "--methods", "wavefront", "--size", "60", "--runs", "1").done(t)
	if !strings.Contains(table.stdout, r.Renderer) || !strings.Contains(table.stdout, "simple1") || strings.Contains(table.stdout, "sequential") {
		t.Errorf("the table is\n%s", table.stdout)
	}
	if help := navview(t, "bench", "--help").done(t); !strings.Contains(help.stdout, "navview bench spm") {
		t.Errorf("no examples in\n%s", help.stdout)
	}
}

func TestBenchRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"suite":  {[]string{"bench", "everything"}, statusUsage, "spm"},
		"method": {[]string{"bench", "spm", "--methods", "wavefront,magic"}, statusUsage, "--methods magic: any of wavefront, sequential"},
		"runs":   {[]string{"bench", "spm", "--runs", "0"}, statusUsage, "--runs 0: at least 1"},
		"size":   {[]string{"bench", "spm", "--size", "16385"}, statusUsage, "1 to 16384 texels"},
		"case":   {[]string{"bench", "spm", "--cases", "nowhere"}, statusFailed, "nowhere"},
	} {
		if a := navview(t, c.args...); a.status != c.status || !strings.Contains(a.stderr, c.says) {
			t.Errorf("%s: exit status %d, standard error:\n%s", name, a.status, a.stderr)
		}
	}
}
