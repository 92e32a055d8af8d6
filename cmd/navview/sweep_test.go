package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/wayfront/wayfront/cmd/navview/internal/sweep"
)

// sweepPlan is of two scenes by a pattern, two variants and three seeds.
const sweepPlan = `{
  "scenes": ["hall*.json"],
  "variants": [{"name": "plain"}, {"name": "wide", "set": {"profiles.adult.radius": 0.4, "groups.*.count": 3, "simulation.contactRounds": 4}}],
  "seeds": {"from": 7, "count": 3},
  "duration": 1.5
}`

// writeStudy writes the plan and its scenes into a new folder.
func writeStudy(t *testing.T, plan string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range map[string]string{
		"plan.json": plan, "hall-1.json": passage, "hall-2.json": strings.Replace(passage, `"name": "passage"`, `"name": "other"`, 1),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func readShard(t *testing.T, folder, name string) []sweep.Row {
	t.Helper()
	rows, err := parquet.ReadFile[sweep.Row](filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// untimed is a row without what differs between runs of the same.
func untimed(r sweep.Row) sweep.Row {
	r.WallClock, r.PerStep = 0, 0
	r.FirstArrival, r.LastArrival, r.MeanTravel = nil, nil, nil // pointers
	return r
}

// TestSweep: shards together have each run once, the same as one shard does and as simulate does; what
// is done is not done again, and what differs from the plan is.
func TestSweep(t *testing.T) {
	folder := writeStudy(t, sweepPlan)
	plan, whole, parts := filepath.Join(folder, "plan.json"), filepath.Join(folder, "whole"), filepath.Join(folder, "parts")
	run := func(want string, args ...string) {
		t.Helper()
		if a := navview(t, append([]string{"sweep", plan}, args...)...).done(t); !strings.Contains(a.stdout, want) {
			t.Errorf("%v: %q, want %q", args, a.stdout, want)
		}
	}
	run("12 runs, 12 of them now", "-o", whole)
	rows := readShard(t, whole, "results-0-of-1.parquet")
	if len(rows) != 12 {
		t.Fatalf("%d rows, want 12", len(rows))
	}
	for i, r := range rows {
		wide := i/3%2 == 1
		if int(r.Run) != i || r.Error != "" || r.Seed != uint64(7+i%3) || (r.Variant == "wide") != wide || (r.Scene == "other") != (i >= 6) {
			t.Errorf("row %d: %+v", i, r)
		}
		if want := map[bool]int{false: 21, true: 6}[wide]; r.Agents > want || r.Steps != 15 {
			t.Errorf("row %d: %d agents, %d steps", i, r.Agents, r.Steps)
		}
	}
	// The first run by simulate.
	s := simulate(t, passage, "--seed", "7", "--duration", "1.5s")
	if s.report.StateHash != rows[0].StateHash {
		t.Errorf("simulate ends in %s, the run in %s", s.report.StateHash, rows[0].StateHash)
	}

	var together []sweep.Row
	for _, index := range []string{"0", "1", "2"} {
		run("4 runs, 4 of them now", "-o", parts, "--index", index, "--count", "3")
		together = append(together, readShard(t, parts, "results-"+index+"-of-3.parquet")...)
	}
	slices.SortFunc(together, func(a, b sweep.Row) int { return int(a.Run - b.Run) })
	for i := range rows {
		if untimed(together[i]) != untimed(rows[i]) {
			t.Errorf("of a shard %+v, of all %+v", together[i], rows[i])
		}
	}

	run("12 runs, 0 of them now", "-o", whole)
	if again := readShard(t, whole, "results-0-of-1.parquet"); untimed(again[11]) != untimed(rows[11]) || again[11].WallClock != rows[11].WallClock {
		t.Errorf("a run that was done: %+v, then %+v", rows[11], again[11])
	}
	// A result that was cut short, and a scene that changed.
	if err := os.WriteFile(filepath.Join(whole, "runs", "0000004.json"), []byte(`{"run": 4`), 0o600); err != nil {
		t.Fatal(err)
	}
	run("12 runs, 1 of them now", "-o", whole)
	if err := os.WriteFile(filepath.Join(folder, "hall-2.json"), []byte(strings.Replace(passage, "12,", "11,", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	run("12 runs, 6 of them now", "-o", whole)

	t.Setenv("SLURM_ARRAY_TASK_ID", "2")
	t.Setenv("SLURM_ARRAY_TASK_COUNT", "3")
	run("4 runs, 0 of them now", "-o", parts[:0]+whole)
	if list := navview(t, "sweep", plan, "--list").done(t).stdout; strings.Count(list, "\n") != 4 || !strings.HasPrefix(list, "2 passage plain seed 9, ") {
		t.Errorf("listed\n%s", list)
	}
}

// TestSweepFailure: a run that cannot be made is a row with its error, and the others are made.
func TestSweepFailure(t *testing.T) {
	folder := writeStudy(t, `{"scenes": ["hall-1.json"], "seeds": [1], "duration": 0.5, "variants": [{"name": "full", "set": {"groups.*.count": 5000}}, {"name": "fits"}]}`)
	a := navview(t, "sweep", filepath.Join(folder, "plan.json"), "-o", folder)
	if a.status != statusFailed || !strings.Contains(a.stderr, "1 run could not be made") {
		t.Errorf("status %d: %s", a.status, a.stderr)
	}
	rows := readShard(t, folder, "results-0-of-1.parquet")
	if len(rows) != 2 || rows[0].Error == "" || rows[1].Error != "" || rows[1].Steps != 5 {
		t.Errorf("%+v", rows)
	}
}

func TestSweepRefuses(t *testing.T) {
	for _, c := range []struct{ plan, want string }{
		{`{`, "plan.json"},
		{`{"scenes": []}`, "the plan has no scenes"},
		{`{"scenes": ["nowhere*.json"]}`, "cannot read nowhere*.json"},
		{`{"scenes": ["hall-1.json"], "sets": 1}`, `unknown field "sets"`},
		{`{"scenes": ["hall-1.json"]} 1`, "there is more after the plan"},
		{`{"scenes": ["hall-1.json"], "seeds": 3}`, "seeds: want a list of numbers, or"},
		{`{"scenes": ["hall-1.json"], "seeds": {"from": 1, "count": 0}}`, "count 0"},
		{`{"scenes": ["hall-1.json"], "seeds": {"from": 1, "count": 10000000}, "variants": [{}, {"name": "b"}]}`, "20000000 runs"},
		{`{"scenes": ["hall-1.json"], "duration": -1}`, "duration -1"},
		{`{"scenes": ["hall-1.json"], "variants": [{"name": "a"}, {"name": "a"}]}`, `two are called "a"`},
		{`{"scenes": ["hall-1.json"], "variants": [{"name": "a", "set": {"profiles.9.radius": 1}}]}`, "profiles.9.radius: the scene has nothing there"},
		{`{"scenes": ["hall-1.json"], "variants": [{"name": "a", "set": {"profiles.adult.radius": -1}}]}`, "radius has to be above 0"},
		{`{"scenes": ["hall-1.json"], "variants": [{"name": "a", "set": {"profiles.adult.radios": 1}}]}`, "radios"},
	} {
		folder := writeStudy(t, c.plan)
		a := navview(t, "sweep", filepath.Join(folder, "plan.json"), "-o", folder)
		if a.status != statusFailed || !strings.Contains(a.stderr, c.want) {
			t.Errorf("%s: status %d, %s", c.plan, a.status, a.stderr)
		}
	}
	for _, args := range [][]string{{"--index", "2", "--count", "2"}, {"--index", "-1"}, {"--count", "0"}} {
		if a := navview(t, append([]string{"sweep", "plan.json"}, args...)...); a.status != statusUsage || !strings.Contains(a.stderr, "want 0 <= index < count") {
			t.Errorf("%v: status %d, %s", args, a.status, a.stderr)
		}
	}
}
