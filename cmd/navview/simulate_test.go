package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/cmd/navview/internal/simulation"
)

// passage is a scene of two groups that meet in a gap, one of them with a comma in its name.
const passage = `{"version": 1, "name": "passage", "domain": [-10, -4, 10, 4],
  "obstacles": [{"rect": [-0.5, -4, 0.5, -1]}, {"rect": [-0.5, 1, 0.5, 4]}],
  "goals": [{"id": "west", "points": [[-9, 0]]}, {"id": "east", "points": [[9, 0]]}],
  "profiles": [{"id": "adult", "avoidance": "none"}, {"id": "child", "radius": 0.18, "preferredSpeed": {"mean": 0.9, "std": 0.1}, "avoidance": "none"}],
  "groups": [
    {"id": "west, side", "count": 12, "spawn": {"rect": [-9, -3, -5, 3]}, "itinerary": ["east"]},
    {"id": "east", "profile": "child", "count": 9, "spawn": {"rect": [5, -3, 9, 3]}, "itinerary": ["west"], "start": {"at": 1, "rate": 3}}],
  "map": {"size": 100}}`

// The radii of the passage's groups.
var passageRadii = map[string]float64{"west, side": 0.25, "east": 0.18}

// simulated is the output of a run of simulate.
type simulated struct {
	report simulation.Report
	rows   []row
	csv    string
}

// row is a row of trajectories.
type row struct {
	frame, id          int
	time, x, y, vx, vy float64
	group              string
}

func simulate(t *testing.T, scene string, args ...string) simulated {
	t.Helper()
	dir := t.TempDir()
	reported, written := filepath.Join(dir, "report.json"), filepath.Join(dir, "ways.csv")
	a := call{args: append([]string{"simulate", "-", "--report", reported, "--trajectories", written}, args...), stdin: scene}.run(t).done(t)
	if !strings.Contains(a.stdout, "arrived") {
		t.Errorf("the summary is\n%s", a.stdout)
	}
	var s simulated
	data, err := os.ReadFile(reported)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&s.report); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(written)
	if err != nil {
		t.Fatal(err)
	}
	s.csv = string(file)
	records, err := csv.NewReader(strings.NewReader(s.csv)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if head := strings.Join(records[0], ","); head != "frame,time,id,x,y,vx,vy,group" {
		t.Fatalf("the header is %s", head)
	}
	for _, record := range records[1:] {
		number := func(i int) float64 {
			v, err := strconv.ParseFloat(record[i], 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%q: %v", record, err)
			}
			return v
		}
		s.rows = append(s.rows, row{
			frame: int(number(0)), id: int(number(2)), time: number(1),
			x: number(3), y: number(4), vx: number(5), vy: number(6), group: record[7],
		})
	}
	return s
}

// written is how far a number of the trajectories may be off: half of its last digit.
const written = 0.5e-6

// TestSimulateAgreesWithItsTrajectories counts from the trajectories, every pair of every frame,
// what the report says.
func TestSimulateAgreesWithItsTrajectories(t *testing.T) {
	s := simulate(t, passage)
	r := s.report
	if r.Scene != "passage" || r.Seed != 1 || r.Timestep != 0.1 || r.Agents != 21 || r.Arrived != 21 || r.Stuck != 0 || r.Displaced != 0 {
		t.Errorf("%+v", r)
	}
	if math.Abs(r.Simulated-float64(r.Steps)*0.1) > 1e-9 || r.WallClock <= 0 || math.Abs(r.PerStep-r.WallClock*1000/float64(r.Steps)) > 1e-6 {
		t.Errorf("%d steps, %v s, took %v s, %v ms each", r.Steps, r.Simulated, r.WallClock, r.PerStep)
	}

	frames := map[int][]row{}
	first, last := map[int]row{}, map[int]row{}
	for i, now := range s.rows {
		frames[now.frame] = append(frames[now.frame], now)
		if _, ok := first[now.id]; !ok {
			first[now.id] = now
		}
		last[now.id] = now
		if i > 0 && !(s.rows[i-1].frame < now.frame || s.rows[i-1].frame == now.frame && s.rows[i-1].id < now.id) {
			t.Fatalf("row %d: %+v after %+v", i, now, s.rows[i-1])
		}
		if math.Abs(now.time-0.1*float64(now.frame)) > 1e-9 || math.Abs(now.x) > 10 || math.Abs(now.y) > 4 {
			t.Fatalf("%+v", now)
		}
		// The lattice's step is 2e-5 m.
		if inWall := math.Abs(now.x) < 0.5-1e-4 && math.Abs(now.y) > 1+1e-4; inWall {
			t.Errorf("%+v is in a wall", now)
		}
	}
	// All agents leave at the goal, so the last frame is that of the arrival.
	var sum, earliest, latest float64 = 0, math.Inf(1), 0
	for id, a := range first {
		b := last[id]
		if want := map[string]float64{"west, side": 9, "east": -9}[a.group]; math.Hypot(b.x-want, b.y) > 0.5+2*0.1 {
			t.Errorf("%d leaves at %v, %v", id, b.x, b.y)
		}
		sum += b.time - a.time
		earliest, latest = min(earliest, b.time), max(latest, b.time)
		if entered := a.group == "east"; entered != (a.time >= 1) {
			t.Errorf("%d of %s enters at %v s", id, a.group, a.time)
		}
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{{"first arrival", *r.FirstArrival, earliest}, {"last arrival", *r.LastArrival, latest}, {"mean travel", *r.MeanTravel, sum / 21}} {
		if math.Abs(c.got-c.want) > 0.1+1e-9 { // a step, which the CSV does not resolve
			t.Errorf("%s: %v, the trajectories say %v", c.what, c.got, c.want)
		}
	}

	// Contacts nearer to the limit than what the digits left out could go either way.
	surely, perhaps, deepest := uint64(0), uint64(0), 0.0
	for step := 1; step <= r.Steps; step++ {
		for i, a := range frames[step] {
			for _, b := range frames[step][:i] {
				sum := passageRadii[a.group] + passageRadii[b.group]
				overlap, off := 1-math.Hypot(a.x-b.x, a.y-b.y)/sum, 4*written/sum
				if overlap > 0.01+off {
					surely++
				}
				if overlap > 0.01-off {
					perhaps++
				}
				deepest = max(deepest, overlap)
			}
		}
	}
	if r.AgentContacts < surely || r.AgentContacts > perhaps || surely == 0 {
		t.Errorf("%d contacts, the trajectories have %d to %d", r.AgentContacts, surely, perhaps)
	}
	if math.Abs(r.MaxPenetration-deepest) > 4*written/(2*0.18)+1e-6 { // what float32 adds
		t.Errorf("at most %v of the radii overlap, the trajectories say %v", r.MaxPenetration, deepest)
	}
	// Walls and centers are measured on the lattice, of 20 m / 2^20: each is off by less than a
	// step.
	const snapped = 3 * 20.0 / (1 << 20)
	surely, perhaps = 0, 0
	for step := 1; step <= r.Steps; step++ {
		for _, a := range frames[step] {
			space := min(10-math.Abs(a.x), 4-math.Abs(a.y), math.Hypot(max(0, math.Abs(a.x)-0.5), max(0, 1-math.Abs(a.y))))
			if space < 0.99*passageRadii[a.group]-snapped {
				surely++
			}
			if space < 0.99*passageRadii[a.group]+snapped {
				perhaps++
			}
		}
	}
	if r.WallContacts < surely || r.WallContacts > perhaps || surely == 0 {
		t.Errorf("%d contacts with walls, the trajectories have %d to %d", r.WallContacts, surely, perhaps)
	}
	if r.MaxWallPenetration != 0 {
		t.Errorf("an agent was %v m inside a wall", r.MaxWallPenetration)
	}
}

// TestSimulateTwice: the same scene and seed give the same run, and another seed another one.
func TestSimulateTwice(t *testing.T) {
	once, again := simulate(t, passage, "--seed", "3"), simulate(t, passage, "--seed", "3")
	again.report.WallClock, again.report.PerStep = once.report.WallClock, once.report.PerStep
	a, _ := json.Marshal(once.report)
	b, _ := json.Marshal(again.report)
	if string(a) != string(b) || once.csv != again.csv {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
	if len(once.report.StateHash) != 16 || once.report.Seed != 3 {
		t.Errorf("%+v", once.report)
	}
	if other := simulate(t, passage); other.report.StateHash == once.report.StateHash || other.csv == once.csv {
		t.Error("another seed gives the same run")
	}
}

// TestSimulateEvery: frames farther apart are those of the steps between which they stand.
func TestSimulateEvery(t *testing.T) {
	all, some := simulate(t, passage, "--steps", "40"), simulate(t, passage, "--steps", "40", "--every", "8")
	var want []row
	for _, r := range all.rows {
		if r.frame%8 == 0 {
			r.frame /= 8
			want = append(want, r)
		}
	}
	if fmt.Sprint(some.rows) != fmt.Sprint(want) || len(want) == 0 {
		t.Errorf("%d rows, want %d", len(some.rows), len(want))
	}
}

// TestSimulateEnds: when each kind of run ends.
func TestSimulateEnds(t *testing.T) {
	scene := func(more string) string {
		return `{"version": 1, "domain": [0, 0, 20, 10], "map": {"size": 40}, "profiles": [{"id": "adult", "avoidance": "none", "preferredSpeed": {"mean": 1, "std": 0}}], ` + more + `}`
	}
	const (
		closed = `"obstacles": [{"polygon": [[10, 0], [20, 0], [20, 10], [10, 10]], "holes": [[[12, 2], [18, 2], [18, 8], [12, 8]]]}], `
		inside = `"goals": [{"points": [[15, 5]]}], `
		near   = `"goals": [{"points": [[5, 5]]}], `
		two    = `"goals": [{"points": [[5, 5]]}, {"points": [[7, 5]]}], `
	)
	for name, c := range map[string]struct {
		scene                           string
		args                            []string
		Partial, agents, arrived, stuck int
	}{
		"steps":             {scene(near + `"groups": [{"spawn": {"points": [[1, 1]]}}]`), []string{"--steps", "7"}, 7, 1, 0, 0},
		"no steps":          {scene(near + `"groups": [{"spawn": {"points": [[1, 1]]}}]`), []string{"--steps", "0"}, 0, 1, 0, 0},
		"duration":          {scene(near + `"groups": [{"spawn": {"points": [[1, 1]]}}]`), []string{"--duration", "1500ms"}, 15, 1, 0, 0},
		"a part of a step":  {scene(near + `"groups": [{"spawn": {"points": [[1, 1]]}}]`), []string{"--duration", "1501ms"}, 16, 1, 0, 0},
		"what a scene says": {scene(near + `"simulation": {"duration": 2.1}, "groups": [{"spawn": {"points": [[1, 1]]}}]`), nil, 21, 1, 0, 0},
		"over what it says": {scene(near + `"simulation": {"duration": 2.1}, "groups": [{"spawn": {"points": [[1, 1]]}}]`), []string{"--steps", "7"}, 7, 1, 0, 0},
		// 3.5 m at 1 m/s but for the arrival radius; looked at once a second.
		"all arrived": {scene(near + `"groups": [{"spawn": {"points": [[5, 1]]}}]`), nil, 40, 1, 1, 0},
		// Whoever sees no way stands, and after the first step does so for 10 s; looked at once a
		// second.
		"all stuck":   {scene(closed + inside + `"groups": [{"spawn": {"points": [[5, 1]]}}]`), nil, 110, 1, 0, 1},
		"no agents":   {scene(near + `"groups": []`), nil, 0, 0, 0, 0},
		"all in time": {scene(near + `"groups": [{"spawn": {"points": [[5, 1]]}, "start": {"at": 2}}]`), nil, 60, 1, 1, 0},
		"too early":   {scene(near + `"groups": [{"spawn": {"points": [[5, 1]]}, "start": {"at": 2}}]`), []string{"--duration", "1s"}, 10, 0, 0, 0},
		// Going round counts once the itinerary has been walked: 3.5 m, then 1.56 m.
		"in circles": {scene(two + `"groups": [{"spawn": {"points": [[5, 1]]}, "itinerary": ["goal-1", "goal-2"], "onArrival": "loop"}]`), nil, 60, 1, 1, 0},
		// One goes on for ever, so the others' being stuck does not end it.
		"at the latest": {
			scene(closed + `"goals": [{"id": "in", "points": [[15, 5]]}, {"id": "a", "points": [[5, 3]]}, {"id": "b", "points": [[5, 8]]}], "simulation": {"timestep": 0.5},
			"groups": [{"spawn": {"points": [[2, 1]]}, "itinerary": ["in"]}, {"spawn": {"points": [[5, 1]]}, "itinerary": ["a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b"], "onArrival": "loop"}]`),
			nil, 240, 2, 0, 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := call{args: append([]string{"simulate", "-", "--report", "-"}, c.args...), stdin: c.scene}.run(t).done(t)
			var r simulation.Report
			if err := json.Unmarshal([]byte(a.stdout), &r); err != nil {
				t.Fatalf("%v in\n%s", err, a.stdout)
			}
			if r.Steps != c.Partial || r.Agents != c.agents || r.Arrived != c.arrived || r.Stuck != c.stuck || r.Walking != c.agents-c.arrived-c.stuck {
				t.Errorf("%d steps, %d agents, %d arrived, %d stuck, %d walking; want %+v", r.Steps, r.Agents, r.Arrived, r.Stuck, r.Walking, c)
			}
			// Here only agents without a path are stuck.
			if waiting := name == "too early"; r.Lost != c.stuck || (r.Waiting == 1) != waiting {
				t.Errorf("%d lost, %d waiting; want %+v", r.Lost, r.Waiting, c)
			}
			if (r.FirstArrival == nil) != (c.arrived == 0) || (r.MeanTravel == nil) != (c.arrived == 0) {
				t.Errorf("arrivals of %d: %v, %v", c.arrived, r.FirstArrival, r.MeanTravel)
			}
		})
	}
}

// TestSimulateNotes: counts of failures are in the document and in words.
func TestSimulateNotes(t *testing.T) {
	s := simulate(t, `{"version": 1, "domain": [0, 0, 20, 10], "map": {"size": 40}, "profiles": [{"id": "adult", "avoidance": "orca"}],
		"obstacles": [{"circle": {"center": [3, 3], "radius": 0.5, "sides": 128}}, {"id": "gate", "rect": [10, 2, 14, 8], "open": [[0, 0.25]]},
			{"polygon": [[16, 5], [19, 5], [19, 8], [16, 8]], "holes": [[[17, 6], [18, 6], [18, 7], [17, 7]]]}],
		"goals": [{"id": "out", "points": [[19, 1]]}, {"id": "in", "points": [[17.5, 6.5]]}],
		"groups": [{"spawn": {"points": [[3, 3.8]]}, "itinerary": ["out"]}, {"count": 5, "spawn": {"rect": [11.5, 4.5, 13.5, 6.5]}, "itinerary": ["out"]},
			{"count": 3, "spawn": {"rect": [1, 7, 5, 9]}, "itinerary": ["in"]}, {"spawn": {"points": [[1, 1]]}, "itinerary": ["out"], "start": {"at": 5}}]}`, "--steps", "12")
	r := s.report
	if r.Waiting != 1 || r.Lost != 3 || r.Displaced != 5 || r.Buried != 0 || r.Crowded != 0 || r.Hemmed < 10 || r.MaxWallPenetration != 0 {
		t.Errorf("%+v", r)
	}
}

// TestSimulateNames: a report may have any name, and trajectories where their format is said.
func TestSimulateNames(t *testing.T) {
	folder := t.TempDir()
	report, ways := filepath.Join(folder, "x.out"), filepath.Join(folder, "ways")
	navview(t, "simulate", room, "--steps", "2", "--report", report, "--trajectories", ways, "--format", "csv").done(t)
	data, err := os.ReadFile(report)
	var r simulation.Report
	if err != nil || json.Unmarshal(data, &r) != nil || r.Steps != 2 {
		t.Errorf("%s, %v", data, err)
	}
	if data, err := os.ReadFile(ways); err != nil || !strings.HasPrefix(string(data), "frame,time,id,") {
		t.Errorf("%.40s, %v", data, err)
	}
}

// TestSimulateKeepsItsFiles: no output takes the place of the scene or of the other output, however
// the names are spelled.
func TestSimulateKeepsItsFiles(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	scene := []byte(`{"version": 1, "domain": [0, 0, 4, 4], "goals": [{"points": [[1, 1]]}], "map": {"size": 16}}`)
	if err := errors.Join(os.WriteFile(at("scene.json"), scene, 0o600), os.Symlink("scene.json", at("link.json")), os.Symlink("new.csv", at("later.csv")), os.Mkdir(at("sub"), 0o755)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"is the scene itself", []string{"--report", at("scene.json")}},
		{"is the scene itself", []string{"--report", at("link.json")}},
		{"is the scene itself", []string{"--trajectories", folder + "/sub/../scene.json", "--format", "csv"}},
		{"cannot both go to", []string{"--report", at("new.csv"), "--trajectories", folder + "/sub/../new.csv"}},
		{"cannot both go to", []string{"--report", at("new.csv"), "--trajectories", at("later.csv")}},
	} {
		if a := navview(t, append([]string{"simulate", at("scene.json"), "--steps", "1"}, c.args...)...); a.status != statusUsage || !strings.Contains(a.stderr, c.want) {
			t.Errorf("%v: %+v", c.args, a)
		}
	}
	if data, err := os.ReadFile(at("scene.json")); err != nil || !bytes.Equal(data, scene) {
		t.Errorf("the scene is %s, %v", data, err)
	}
	navview(t, "simulate", at("scene.json"), "--steps", "1", "--report", os.DevNull, "--trajectories", os.DevNull, "--format", "csv").done(t)
}

// TestSimulateRefuses: uses that are wrong, and files that cannot be written, which is known before
// any work.
func TestSimulateRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--steps", "3", "--duration", "1s"}, "--duration and --steps can't be used together"},
		{[]string{"--steps", "-3"}, "--steps -3: at least 0"},
		{[]string{"--duration", "25h"}, "--duration 25h0m0s: 0s to 24h"},
		{[]string{"--duration", "60x"}, "--duration 60x: a time is needed"},
		{[]string{"--contact-rounds", "-1"}, "--contact-rounds -1: 0 to 1024"},
		{[]string{"--every", "0"}, "--every 0: at least 1"},
		{[]string{"--avoidance", "luck"}, "none"},
		{[]string{"--seed", "-1"}, "--seed -1: a whole number is needed"},
		{[]string{"--report", "-", "--trajectories", "-"}, "cannot both go to standard output"},
		{[]string{"--trajectories", "a.json"}, "ends in .csv or .sqlite or .parquet or .txt is needed, or --format csv, sqlite"},
		{[]string{"--trajectories", "a.csv", "--format", "xml"}, "--format must be one of \"csv\",\"sqlite\""},
	} {
		a := navview(t, append([]string{"simulate", room}, c.args...)...)
		if a.status != statusUsage || !strings.Contains(a.stderr, c.want) || a.stdout != "" {
			t.Errorf("%q: exit status %d, want 2 and %q; standard error:\n%s", c.args, a.status, c.want, a.stderr)
		}
		prefixed(t, a.stderr)
	}
	empty := t.TempDir()
	report := filepath.Join(empty, "report.json")
	a := navview(t, "simulate", room, "--report", report, "--trajectories", filepath.Join(empty, "no", "a.csv"))
	if a.status != statusFailed || !strings.Contains(a.stderr, "cannot write") {
		t.Errorf("exit status %d\n%s", a.status, a.stderr)
	}
	if left, _ := os.ReadDir(empty); len(left) > 0 {
		t.Errorf("%s was left behind", left[0].Name())
	}
}
