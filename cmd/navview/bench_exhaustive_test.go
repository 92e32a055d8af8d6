package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
)

// TestBenchForms: both launches of a method, and looking among all.
func TestBenchForms(t *testing.T) {
	a := navview(t, "bench", "avoidance", "--cases", "disc-8,evac-50", "--methods", "rvo-flat,rvo-nested", "--exhaustive", "--runs", "2", "--json").done(t)
	var r report.Report
	if err := json.Unmarshal([]byte(a.stdout), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Results) != 4 {
		t.Fatalf("%d results", len(r.Results))
	}
	for i, got := range r.Results {
		if want := []string{"rvo-flat", "rvo-nested"}[i%2]; got.Method != want || got.Checks["sane"] != true || got.Passes["avoid"].Min <= 0 || got.Passes["exhaustive"].Min <= 0 {
			t.Errorf("%+v, want %s", got, want)
		}
	}
	if a := navview(t, "bench", "avoidance", "--cases", "disc-100k", "--methods", "none", "--exhaustive"); a.status != statusFailed || !strings.Contains(a.stderr, "at most 65535") {
		t.Errorf("exit status %d, standard error:\n%s", a.status, a.stderr)
	}
}
