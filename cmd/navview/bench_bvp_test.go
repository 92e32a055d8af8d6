package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
	"github.com/wayfront/wayfront/cmd/navview/internal/simulation"
)

// TestBenchBVP measures small crowds and all relaxations, and writes the page and the charts of
// what it printed.
func TestBenchBVP(t *testing.T) {
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	out := navview(t, "bench", "bvp", "--agents", "40,10", "--cells", "11,5", "--relaxations", "7", "--runs", "2", "--json").done(t).stdout
	var r report.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if want := 2*2*2 + 4*3; len(r.Results) != want {
		t.Fatalf("%d results, want %d", len(r.Results), want)
	}
	for i, want := range []string{
		"cells11-10 gpu", "cells11-10 sequential", "cells11-40 gpu", "cells11-40 sequential", "cells5-10 gpu", "cells5-10 sequential", "cells5-40 gpu", "cells5-40 sequential",
	} {
		got := r.Results[i]
		if got.Suite != "bvp" || got.Case+" "+got.Method != want || got.Runs != 2 || got.Params["relaxations"] != 7 || got.Wall.Min <= 0 || got.Wall.Min > got.Wall.Median {
			t.Errorf("result %d is %+v, want %s", i, got, want)
		}
		if checked := got.Checks["validated"] == true; checked != (got.Method == "gpu") {
			t.Errorf("%s: checks %v", want, got.Checks)
		}
		for _, pass := range []string{"stamp", "relax", "steer"} {
			if took := got.Passes[pass].Median; took <= 0 || took > got.Wall.P95 {
				t.Errorf("%s: pass %s took %v of %v ms", want, pass, took, got.Wall)
			}
		}
	}
	explored := report.Result{Suite: report.Exploring, Case: "museum-2", Method: "frontier", Params: map[string]int{"explorers": 2, "seeds": 20}}
	explored.Set("anywhere_steps", 123)
	explored.SetCurve("explored", [][2]float64{{0, 10}, {5, 20}})
	r.Results = append(r.Results, explored)
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file("a.json"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	navview(t, "bench", "bvp", "--results", file("a.json"), "--report", file("a.md"), "--chart", file("a.svg")).done(t)
	page, err := os.ReadFile(file("a.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{r.Renderer, "](a.svg)", "](a-growth.svg)", "](a-rate.svg)", "](a-relaxation-figure.svg)", "\n| 40 | ", "\n| walls | adi | ", "](a-exploring-museum.svg)", "\n| museum-2 | frontier | 20 | 123 |", "2.85 to 56.6"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if r.Software != strings.Contains(string(page), "GPU: not yet measured") {
		t.Errorf("software %v, and the page says\n%s", r.Software, page)
	}
	for _, name := range []string{"a.svg", "a-growth.svg", "a-rate.svg", "a-relaxation-open.svg", "a-exploring-museum.svg"} {
		drawing, err := os.ReadFile(file(name))
		if err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(drawing, new(struct{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, wrong := range [][]string{
		{"--cells", "4"}, {"--cells", "22"}, {"--agents", "0"}, {"--relaxations", "0"}, {"--methods", "magic"}, {"--cases", "nowhere"}, {"--runs", "0"}, {"--seeds", "0"}, {"--explorers", "11"}, {"--report", "a.txt"},
	} {
		if a := navview(t, append([]string{"bench", "bvp"}, wrong...)...); a.status != statusUsage || !strings.Contains(a.stderr, wrong[0]+" "+wrong[1]) {
			t.Errorf("%v: %+v", wrong, a)
		}
	}
}

// TestBenchSteering: what crowds do by rules agrees with simulate, and every method of relaxation is
// timed on the device.
func TestBenchSteering(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a")
	out := navview(t, "bench", "bvp", "--cases", "dapper-7,relaxers", "--agents", "20", "--cells", "7", "--relaxations", "5", "--runs", "1", "--json").done(t).stdout
	var r report.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Results) != 3+2 {
		t.Fatalf("%d results", len(r.Results))
	}
	for i, want := range []string{"red-black", "jacobi-gs", "adi"} {
		if got := r.Results[i]; got.Suite != "relaxers" || got.Method != want || got.Passes["relax"].Min <= 0 || got.Checks["validated"] != true {
			t.Errorf("%+v", got)
		}
	}
	var run simulation.Report
	if err := json.Unmarshal([]byte(navview(t, "simulate", "dapper-7", "--report", "-").done(t).stdout), &run); err != nil {
		t.Fatal(err)
	}
	robust, paper := r.Results[3], r.Results[4]
	if paper.Checks["arrived"] != float64(run.Arrived) || paper.Checks["last_arrival_s"] != *run.LastArrival || paper.Checks["max_penetration"] != run.MaxPenetration {
		t.Errorf("%+v is not what simulate says: %+v", paper, run)
	}
	if robust.Measures["turning_degrees"] >= paper.Measures["turning_degrees"] || paper.Measures["waiting_s"] <= 0 || paper.Measures["longest_wait_s"] < paper.Measures["waiting_s"] {
		t.Errorf("by robust rules %v, by the paper's %v", robust.Measures, paper.Measures)
	}
	if err := os.WriteFile(file+".json", []byte(out), 0o644); err != nil {
		t.Fatal(err)
	}
	navview(t, "bench", "bvp", "--results", file+".json", "--report", file+".md").done(t)
	page, err := os.ReadFile(file + ".md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n| dapper-7 | paper | 4 of 4 | 0 |", "\n| 7 | red-black | ", " | 1.00 |\n| 7 | jacobi-gs | "} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
}
