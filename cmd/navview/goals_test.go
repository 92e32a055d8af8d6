//go:build !headless

package main

import (
	"fmt"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/engine/render"
)

// TestMarksOfGoals: a picture without a map shows the goals of all agents, in their colors; one
// with a map shows its goal alone, and so does one with --goal.
func TestMarksOfGoals(t *testing.T) {
	scene := writtenFile(t, "scene.json", `{"version": 1, "domain": [0, 0, 16, 8],
		"goals": [{"id": "east", "points": [[12, 6]]}, {"id": "unused", "points": [[8, 4]]}, {"id": "west", "segments": [[[1, 2], [3, 2]]]}],
		"profiles": [{"id": "p"}], "map": {"size": 64},
		"groups": [{"profile": "p", "spawn": {"points": [[5, 7]]}, "itinerary": ["east"]}, {"profile": "p", "spawn": {"points": [[14, 1]]}, "itinerary": ["west"]}]}`)
	red := render.LocalMapKeys()[0].Colors[0]
	for _, c := range []struct {
		args             []string
		east, none, west color.RGBA // zero: no mark
	}{
		{[]string{"--layers", "sources,agents,trails"}, render.GoalColor(0), color.RGBA{}, render.GoalColor(2)},
		{[]string{"--layers", "sources,paths,isolines"}, red, color.RGBA{}, color.RGBA{}},
		{[]string{"--layers", "sources,agents", "--goal", "unused"}, color.RGBA{}, red, color.RGBA{}},
		{[]string{"--layers", "agents,trails"}, color.RGBA{}, color.RGBA{}, color.RGBA{}},
	} {
		out := navview(t, append([]string{"render", scene, "-o", "-", "--size", "848x448"}, c.args...)...).done(t).stdout
		m := decode(t, out)
		at := func(x, y float64) color.RGBA { // 50 pixels a meter and a margin of 24
			c, _ := color.RGBAModel.Convert(m.At(int(24+50*x), int(448-24-50*y))).(color.RGBA)
			return c
		}
		plain := at(15, 7)
		for _, goal := range []struct {
			x, y float64
			want color.RGBA
		}{{12, 6, c.east}, {8, 4, c.none}, {2, 2, c.west}} {
			if goal.want == (color.RGBA{}) {
				goal.want = plain
			}
			if got := at(goal.x, goal.y); got != goal.want {
				t.Errorf("%v: at the goal at %v, %v the picture is %v, want %v", c.args, goal.x, goal.y, got, goal.want)
			}
		}
	}
}

// TestRenderAgent: the picture is the viewer's, from the command line, and films have it too.
func TestRenderAgent(t *testing.T) {
	dir := t.TempDir()
	scene, out := filepath.Join(dir, "scene.json"), filepath.Join(dir, "out.png")
	if err := os.WriteFile(scene, []byte(walkers(t)), 0o644); err != nil {
		t.Fatal(err)
	}
	goals := func(note string, args ...string) int {
		t.Helper()
		a := navview(t, append([]string{"render", scene, "-o", out, "--size", "640x400", "--at", "0.3s"}, args...)...)
		if a.status != statusDone || a.stderr == "" != (note == "") || !strings.Contains(a.stderr, note) {
			t.Fatalf("%v: exit status %d, standard error, which is to have %q:\n%s", args, a.status, note, a.stderr)
		}
		f, err := os.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		m, err := png.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for y := range 300 { // above the legend
			for x := range 630 {
				square := true // wider than paths
				for k := range 16 {
					square = square && color.RGBAModel.Convert(m.At(x+k%4, y+k/4)) == render.LocalMapKeys()[0].Colors[0]
				}
				if square {
					n++
				}
			}
		}
		return n
	}
	// Three cells of 0.3 m, 9 pixels or more, less the lines around them, have at least so many
	// squares of 4 pixels each way.
	const some = 3 * 3 * 3
	for _, c := range []struct {
		note  string
		args  []string
		drawn bool
	}{
		{"", []string{"--layers", "obstacles,localmap", "--agent", "0"}, true},
		{"the local map is that of agent 0", []string{"--layers", "obstacles,potential,localmap"}, true},
		{"the local map is that of agent 3", []string{"--layers", "obstacles,localmap", "--at", "4s"}, true},
		{"agent 0 has a local map from its first step on", []string{"--layers", "obstacles,localmap", "--at", "0s"}, false},
		{"agent 1 has no local map: its path is shown alone", []string{"--layers", "obstacles", "--agent", "1"}, false},
		{"agent 0 has arrived at 60 s", []string{"--layers", "obstacles", "--agent", "0", "--at", "60s"}, false},
		{"no agent with a local map is walking at 60 s", []string{"--layers", "localmap", "--at", "60s"}, false},
	} {
		if n := goals(c.note, c.args...); n >= some != c.drawn {
			t.Errorf("%v: %d pixels of goals in a local map", c.args, n)
		}
	}
	explorer := navview(t, "render", "dapper-8b", "-o", out, "--size", "320x200", "--at", "2s", "--agent", "0")
	if !strings.Contains(explorer.stderr, "agent 0 explores: it has no path to show") {
		t.Errorf("the note on an explorer's path: %s", explorer.stderr)
	}
	plain := writtenFile(t, "plain.json", strings.ReplaceAll(walkers(t), `"steering": "bvp", `, ""))
	for _, c := range []struct {
		scene, want string
		args        []string
	}{
		{scene, "numbered from 0", []string{"--agent", "4"}},
		{scene, "numbered from 0", []string{"--agent=-1"}},
		{scene, "agent 1 has no local map; the first agent with one is --agent 0", []string{"--layers", "localmap", "--agent", "1"}},
		{plain, `no profile of an agent has`, []string{"--layers", "localmap"}},
		{plain, `no agent with a local map of the guide "harmonic" walks there`, []string{"--layers", "potential"}},
		{scene, "from above alone", []string{"--agent", "0", "--view", "perspective"}},
		{scene, "from above alone", []string{"--layers", "potential", "--view", "perspective"}},
	} {
		if a := navview(t, append([]string{"render", c.scene, "-o", out}, c.args...)...); a.status != statusUsage || !strings.Contains(a.stderr, c.want) {
			t.Errorf("%v: %+v", c.args, a)
		}
	}
}

// TestRenderFigure: figures have the colors of the picture of the same call.
func TestRenderFigure(t *testing.T) {
	out := func(name string) string {
		file := filepath.Join(t.TempDir(), name)
		navview(t, "render", room, "-o", file, "--size", "400x250", "--layers", "regions,obstacles,sources").done(t)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	shown, err := png.Decode(strings.NewReader(out("a.png")))
	if err != nil {
		t.Fatal(err)
	}
	count := map[color.Color]int{}
	for i := range 400 * 250 {
		count[color.RGBAModel.Convert(shown.At(i%400, i/400))]++
	}
	svg, large := out("a.svg"), 0
	for _, c := range render.Swatches() { // others are mixed along edges
		if count[c] < 500 {
			continue
		}
		large++
		if fill := fmt.Sprintf("fill:#%02X%02X%02X", c.R, c.G, c.B); !strings.Contains(svg, fill) {
			t.Errorf("the SVG lacks %s, which %d pixels of the picture have", fill, count[c])
		}
	}
	if large < 4 {
		t.Errorf("the picture has %d colors with many pixels", large)
	}
	if pdf := out("a.pdf"); !strings.HasPrefix(pdf, "%PDF-") {
		t.Errorf("the PDF begins with %.20q", pdf)
	}
}

// TestMarksOfTime: along the trail of an agent that walks 1 m/s there is a mark at each meter, and
// none between; where one stands there is a mark as large as six.
func TestMarksOfTime(t *testing.T) {
	scene := writtenFile(t, "scene.json", `{"version": 1, "domain": [0, 0, 16, 8], "goals": [{"id": "east", "points": [[14, 4]]}], "map": {"size": 64},
		"profiles": [{"id": "p", "avoidance": "none", "maxAcceleration": 1000, "preferredSpeed": 1}, {"id": "slow", "avoidance": "none", "preferredSpeed": 0.001}],
		"groups": [{"profile": "p", "spawn": {"points": [[2, 4]]}}, {"profile": "slow", "spawn": {"points": [[3, 2]]}}]}`)
	args := []string{"render", scene, "-o", "-", "--size", "848x448", "--at", "5s", "--layers", "obstacles,trails"}
	plain, marked := decode(t, navview(t, args...).done(t).stdout), decode(t, navview(t, append(args[:len(args)-1:len(args)-1], "obstacles", "--marks", "1s")...).done(t).stdout)
	if a := navview(t, append(args, "--marks", "-1s")...); a.status != statusUsage {
		t.Errorf("%+v", a)
	}
	for _, c := range []struct {
		x, y  float64
		above int // the trail or the place, pixels
		want  bool
	}{
		{3, 4, 3, true},
		{4, 4, 3, true},
		{6, 4, 3, true},
		{3.5, 4, 3, false},
		{5.5, 4, 3, false},
		{4, 4, 8, false},
		{3, 2, 8, true},
		{3, 2, 14, false},
	} {
		x, y := int(24+50*c.x), int(448-24-50*c.y)-c.above // 50 pixels a meter and a margin of 24
		if got := marked.At(x, y) != plain.At(x, y); got != c.want {
			t.Errorf("at %v, %v and %d pixels above it the mark is there: %v", c.x, c.y, c.above, got)
		}
	}
}
