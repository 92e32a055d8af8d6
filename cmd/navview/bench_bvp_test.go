package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// TestBenchBVP measures small crowds and all relaxations, and writes the page and the charts of what it printed.
func TestBenchBVP(t *testing.T) {
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	out := navview(t, "bench", "bvp", "--agents", "40,10", "--cells", "11,5", "--relaxations", "7", "--runs", "2", "--json").done(t).stdout
	var r benchReport
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
		for _, pass := range []string{"stamp", "relax", "turn"} {
			if took := got.Passes[pass].Median; took <= 0 || took > got.Wall.P95 {
				t.Errorf("%s: pass %s took %v of %v ms", want, pass, took, got.Wall)
			}
		}
	}
	if err := os.WriteFile(file("a.json"), []byte(out), 0o644); err != nil {
		t.Fatal(err)
	}
	navview(t, "bench", "bvp", "--results", file("a.json"), "--report", file("a.md"), "--chart", file("a.svg")).done(t)
	page, err := os.ReadFile(file("a.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{r.Renderer, "](a.svg)", "](a-growth.svg)", "](a-relaxation-figure.svg)", "\n| 40 | ", "\n| walls | adi | ", "2.85 to 56.6"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if r.Software != strings.Contains(string(page), "GPU: not yet measured") {
		t.Errorf("software %v, and the page says\n%s", r.Software, page)
	}
	for _, name := range []string{"a.svg", "a-growth.svg", "a-relaxation-open.svg"} {
		drawing, err := os.ReadFile(file(name))
		if err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(drawing, new(struct{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, wrong := range [][]string{
		{"--cells", "4"}, {"--cells", "22"}, {"--agents", "0"}, {"--relaxations", "0"}, {"--methods", "magic"}, {"--cases", "nowhere"}, {"--runs", "0"}, {"--report", "a.txt"},
	} {
		if a := navview(t, append([]string{"bench", "bvp"}, wrong...)...); a.status != statusUsage || !strings.Contains(a.stderr, wrong[0]+" "+wrong[1]) {
			t.Errorf("%v: %+v", wrong, a)
		}
	}
}

// TestRowsOfSoftware: rows of a software renderer are not those of a GPU.
func TestRowsOfSoftware(t *testing.T) {
	for software, want := range map[bool]string{true: "software", false: "gpu"} {
		r := benchReport{Software: software, Results: []benchResult{{Suite: suiteBVP, Method: fieldGPU, Params: map[string]int{"agents": 10, "cells": 11}}}}
		var page strings.Builder
		if err := fieldPage(&page, r, ""); err != nil || !strings.Contains(page.String(), "\n| 10 | 11 | "+want+" | ") {
			t.Errorf("software %v: %v\n%s", software, err, &page)
		}
	}
}

// TestFieldCrowdIsChecked: a crowd on the device is as the plain passes have it, for any number of cells, and one that differs in the least
// is found out.
func TestFieldCrowdIsChecked(t *testing.T) {
	gputest.Fresh(t, func(d *gpu.Device) {
		for _, cells := range []int{5, 11, 16, 21} {
			crowd := newFieldCrowd(300, cells, 2)
			blocked := 0
			p := crowd.plain(1)
			p.stamp()
			for _, field := range p.fields {
				for k, fixed := range field.Fixed {
					if fixed && field.Q[k] == 0 && bvp.ZoneOf(cells, k%cells, k/cells) == bvp.Update {
						blocked++
					}
				}
			}
			if cells > 5 && blocked < 300 {
				t.Errorf("maps of %d cells: %d cells are taken in all", cells, blocked)
			}
			for change, want := range map[string]bool{"nothing": true, "a guide": false, "a wall": cells == 5, "a disc": cells == 5} {
				run, err := crowd.on(d)
				if err != nil {
					t.Fatal(err)
				}
				// What the plain passes know is another crowd then.
				other := newFieldCrowd(300, cells, 2)
				switch change {
				case "a guide":
					other.walkers[17].Guide[0] -= 19
				case "a wall":
					for i := range other.lines {
						other.lines[i][2] += 1 << (crowd.shift - 1)
					}
				case "a disc":
					for i := range other.discs {
						other.discs[i][2] *= 2
					}
				}
				run.fieldCrowd = other
				if err := run.check(); (err == nil) != want {
					t.Errorf("maps of %d cells, changed: %s: %v", cells, change, err)
				}
				run.free()
			}
		}
	})
}

// TestRelaxations: all methods end at the solution; what is left grows less, and the angle is 180 degrees where nothing has come to an agent.
func TestRelaxations(t *testing.T) {
	for _, in := range clutters {
		for _, by := range relaxationMethods {
			r, err := relaxations(in, by)
			if err != nil {
				t.Fatal(err)
			}
			first, last := after(r, "error", relaxedTimes[0]), after(r, "error", relaxedTimes[len(relaxedTimes)-1])
			// Jacobi's error shrinks by cos^2(pi / 20) each time in the emptiest map, at least: by 2.6e-3 from the 2nd to the 240th.
			if !(last < first*2.6e-3 || last < 1e-6) || first > 1 {
				t.Errorf("%s by %s: an error of %g, then of %g", in.name, by.name, first, last)
			}
			if degrees := after(r, "degrees", 240); degrees > 1 {
				t.Errorf("%s by %s: %g degrees astray", in.name, by.name, degrees)
			}
			if at := r.Curves["error"][0][0]; at != float64(relaxedTimes[0]*by.sets) {
				t.Errorf("%s by %s: work of %g", in.name, by.name, at)
			}
		}
	}
	empty := bvp.NewPotential[float32](21)
	exact := bvp.Potential[float64]{Cells: 21, Q: make([]float64, 21*21), Fixed: empty.Fixed}
	if got := astray(empty, exact); got != 0 {
		t.Errorf("%g degrees where the solution has no gradient", got)
	}
	exact.Q[10*21+11] = 1 // eastwards
	if got := astray(empty, exact); got != 180 {
		t.Errorf("%g degrees without a gradient", got)
	}
	empty.Q[11*21+10] = 1 // northwards
	if got := astray(empty, exact); got != 90 {
		t.Errorf("%g degrees, want 90", got)
	}
}
