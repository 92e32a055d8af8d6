package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/cmd/navview/internal/measuring"
)

// passagePlaces are a gate in the gap of the passage, with the west to its left, and an area before it.
var passagePlaces = []string{"--gate", "gap=0,-1,0,1", "--area", "west=-9,-3,-1,3", "--sample", "0.5"}

func measureOf(t *testing.T, source, stdin string, args ...string) measuring.Report {
	t.Helper()
	a := call{args: append([]string{"measure", source, "--json"}, args...), stdin: stdin}.run(t).done(t)
	var r measuring.Report
	decoder := json.NewDecoder(strings.NewReader(a.stdout))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		t.Fatalf("%v in\n%s", err, a.stdout)
	}
	return r
}

// TestMeasure: a scene, its report, and its trajectories in each format give the same measures, and
// those are the passage's: all of a group cross the gap in one direction.
func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("passage.json"), []byte(passage), 0o600); err != nil {
		t.Fatal(err)
	}
	want := measureOf(t, "-", passage, passagePlaces...)
	if want.Agents != 21 || len(want.Groups) != 2 || want.Groups[0].Agents != 12 || want.Groups[0].Left != 12 || want.Groups[1].Left != 9 {
		t.Errorf("groups %+v of %d agents", want.Groups, want.Agents)
	}
	if g := want.Gates[0]; g.Crossings != 21 || g.ToLeft != 9 || g.Flow == nil || math.Abs(*g.Specific-*g.Flow/2) > 1e-12 {
		t.Errorf("gate %+v: want 21 crossings, 9 of them to the west", g)
	}
	if e := want.Exits; len(e) != 2 || e[0].Exit != "west" || e[0].Left != 9 || e[1].Left != 12 {
		t.Errorf("exits %+v", e)
	}
	// At the start the 12 of the west are in the area, all of it free ground.
	first := want.Areas[0].Samples[0]
	if math.Abs(first.Density-12.0/48) > 1e-9 || first.VoronoiDensity == nil || first.Time != 0 {
		t.Errorf("the first sample is %+v", first)
	}
	if end := want.Evacuation[len(want.Evacuation)-1]; end.Agents != 0 {
		t.Errorf("%d agents are left at %v s", end.Agents, end.Time)
	}
	// Text has no row for a frame without agents, so it ends with the last agent: compared up to 8 s.
	early := append([]string{"--to", "8s"}, passagePlaces...)
	wantEarly := measureOf(t, "-", passage, early...)
	for _, ending := range []string{"csv", "sqlite", "parquet", "txt"} {
		written, report := at("run."+ending), at(ending+".json")
		args := []string{"simulate", at("passage.json"), "--trajectories", written, "--report", report}
		navview(t, append(args, passagePlaces...)...).done(t)
		known := []string{"--scene", at("passage.json")}
		agree(t, ending, measureOf(t, written, "", append(known, early...)...), wantEarly, ending != "txt")
		if ending == "sqlite" || ending == "parquet" {
			agree(t, ending, measureOf(t, written, "", append(known, passagePlaces...)...), want, true)
		}
		var whole struct {
			Measures measuring.Report `json:"measures"`
		}
		data, err := os.ReadFile(report)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &whole); err != nil {
			t.Fatal(err)
		}
		agree(t, "the report", whole.Measures, want, true)
	}
	part := measureOf(t, at("run.csv"), "", "--from", "2s", "--to", "4s")
	if math.Abs(part.From-2) > 1e-9 || math.Abs(part.To-4) > 1e-9 || len(part.Exits) != 0 {
		t.Errorf("from %v to %v s, exits %+v", part.From, part.To, part.Exits)
	}
}

// agree compares two reports to the digits that trajectories have; velocities that were computed from
// places, and groups, which some formats do not have, are left out.
func agree(t *testing.T, what string, got, want measuring.Report, whole bool) {
	t.Helper()
	near := func(name string, a, b float64) {
		if math.Abs(a-b) > 1e-4*max(1, math.Abs(b)) {
			t.Errorf("%s: %s is %v, want %v", what, name, a, b)
		}
	}
	if got.Agents != want.Agents || len(got.Evacuation) != len(want.Evacuation) || len(got.Areas[0].Samples) != len(want.Areas[0].Samples) || got.Gates[0].Crossings != want.Gates[0].Crossings {
		t.Fatalf("%s: %d agents, %d steps of evacuation, %d samples, %d crossings", what, got.Agents, len(got.Evacuation), len(got.Areas[0].Samples), got.Gates[0].Crossings)
	}
	near("the flow", *got.Gates[0].Flow, *want.Gates[0].Flow)
	for i, c := range want.Evacuation {
		near("an evacuation time", got.Evacuation[i].Time, c.Time)
	}
	for i, s := range want.Areas[0].Samples {
		other := got.Areas[0].Samples[i]
		near("a density", other.Density, s.Density)
		near("a density of Voronoi cells", *other.VoronoiDensity, *s.VoronoiDensity)
		if (s.Speed == nil) != (other.Speed == nil) {
			t.Fatalf("%s: speed %v, want %v", what, other.Speed, s.Speed)
		}
		if whole && s.Speed != nil {
			near("a speed", *other.Speed, *s.Speed)
			near("a speed of Voronoi cells", *other.VoronoiSpeed, *s.VoronoiSpeed)
		}
	}
	if whole {
		for i, g := range want.Groups {
			if got.Groups[i].Group != g.Group || got.Groups[i].Left != g.Left {
				t.Errorf("%s: group %+v, want %+v", what, got.Groups[i], g)
			}
		}
	}
}

func TestMeasureRefuses(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.csv")
	if err := os.WriteFile(bad, []byte("frame,time,id,x,y\n0,0,1,a,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{statusFailed, "bad.csv:2: x is \"a\", not a number", []string{bad}},
		{statusFailed, "no such file", []string{filepath.Join(dir, "none.txt")}},
		{statusUsage, "want NAME=X0,Y0,X1,Y1, in meters", []string{"plaza", "--gate", "1,2,3"}},
		{statusUsage, "the ends are the same point", []string{"plaza", "--gate", "g=1,2,1,2"}},
		{statusUsage, `"b" is not a number`, []string{"plaza", "--area", "a=1,2,b,4"}},
		{statusUsage, "the rectangle has no area", []string{"plaza", "--area", "1,2,1,4"}},
		{statusUsage, "--sample", []string{"plaza", "--sample", "-1"}},
		{statusUsage, "--cutoff", []string{"plaza", "--cutoff", "NaN"}},
		{statusUsage, "0 <= from < to", []string{"plaza", "--from", "5s", "--to", "2s"}},
		{statusUsage, "is a scene itself", []string{"plaza", "--scene", "plaza"}},
	} {
		a := navview(t, append([]string{"measure"}, c.args...)...)
		if a.status != c.status || !strings.Contains(a.stderr, c.want) {
			t.Errorf("%v: status %d, %s", c.args, a.status, a.stderr)
		}
	}
}
