//go:build !headless

package main

import (
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/engine/window"
)

// walkers is a corridor with a pillar for four: the first and the last have local maps, and are guided by global potentials. The first is
// at its goal in a few seconds.
const walkers = `{"version": 1, "name": "walkers", "domain": [0, 0, 16, 8],
	"obstacles": [{"rect": [8, 3, 9, 5]}],
	"goals": [{"id": "east", "points": [[12, 6]]}, {"id": "west", "points": [[1, 2]]}],
	"profiles": [{"id": "field", "steering": "bvp", "avoidance": "none", "bvp": {"cells": 17, "cellSize": 0.3, "guide": "harmonic"}}, {"id": "straight", "avoidance": "none"}],
	"groups": [{"profile": "field", "spawn": {"points": [[9.6, 4.4]]}, "itinerary": ["east"]},
		{"profile": "straight", "spawn": {"points": [[3, 2], [3, 6]]}, "itinerary": ["east"]},
		{"profile": "field", "spawn": {"points": [[6, 0.6]]}, "itinerary": ["east", "west"]}],
	"map": {"size": 64}}`

// The colours of what a local map is sure to have, as its legend says.
var (
	goalColour   = render.LocalMapKeys()[0].Colours[0]
	borderColour = render.LocalMapKeys()[1].Colours[0]
)

// holds checks the border and the goals of an agent's local map in the picture: they are where it was stamped. Its own
// place on the device is what is compared with.
func (a *author) holds(agent int) {
	a.t.Helper()
	picture := a.alone()
	maps := a.stage.world.LocalMaps()
	i, ok := maps.Walker(agent)
	if !ok {
		a.t.Fatalf("agent %d has no local map", agent)
	}
	w, p := maps.Read(i)
	if p.Cells == 0 {
		a.t.Fatal("there is no map yet")
	}
	origin := a.stage.world.Ground().Lattice.Origin
	goals, border := 0, 0
	for k := range p.Q {
		x, y := k%p.Cells, k/p.Cells
		if bvp.ZoneOf(p.Cells, x, y) != bvp.Border {
			continue
		}
		off := mgl64.Vec2{float64(x) + 0.5 - float64(p.Cells)/2, float64(y) + 0.5 - float64(p.Cells)/2}.Mul(0.3)
		at := origin.Add(mgl64.Vec2{float64(w.Stamped[0]), float64(w.Stamped[1])}).Add(off)
		px, py := a.camera.Pixel(at)
		if px < 2 || py < 2 || px > 798 || py > 498 || px > 400 && py > 340 {
			continue // out of the picture, or below words
		}
		got := picture.RGBAAt(int(px), int(py))
		if p.Q[k] == 1 {
			if got != goalColour {
				a.t.Errorf("agent %d: at the goal in cell %d,%d the picture is %v", agent, x, y, got)
			}
			goals++
			continue
		}
		if got == goalColour {
			a.t.Errorf("agent %d: cell %d,%d looks like a goal", agent, x, y)
		}
		border++
	}
	// The goal is three cells long; where it does not begin with a cell, those at its ends are goals in part.
	if goals < 2 || border < 20 {
		a.t.Errorf("agent %d: %d goals and %d other cells of the border are in the picture", agent, goals, border)
	}
}

// alone is the last frame without paths, agents and sources, which may lie on it.
func (a *author) alone() *image.RGBA {
	a.t.Helper()
	before := a.stage.look.Layers
	a.stage.look.Layers &^= layers(render.Paths | render.Agents | render.Sources)
	a.frame()
	a.stage.look.Layers = before
	return a.canvas.read()
}

// mapPixels counts the pixels of borders of local maps, over ground of a colour.
func mapPixels(m *image.RGBA, under color.RGBA) int {
	mix := func(a, b uint8) float64 { return float64(a) + 0.8*(float64(b)-float64(a)) }
	n := 0
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			c := m.RGBAAt(x, y)
			if math.Abs(float64(c.R)-mix(under.R, borderColour.R)) < 2 && math.Abs(float64(c.G)-mix(under.G, borderColour.G)) < 2 && math.Abs(float64(c.B)-mix(under.B, borderColour.B)) < 2 {
				n++
			}
		}
	}
	return n
}

// TestChoosing shows the local map of one agent after another: by key and by click, while time passes, as long as it walks.
func TestChoosing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "scene.json")
	if err := os.WriteFile(file, []byte(walkers), 0o644); err != nil {
		t.Fatal(err)
	}
	sitting(t, file, size{800, 560}, 1, func(a *author) {
		a.stage.look.Layers &^= layers(render.Regions | render.Isolines)
		chosen := func(want int) {
			t.Helper()
			if a.stage.chosen != want {
				t.Fatalf("agent %d is chosen, want %d", a.stage.chosen, want)
			}
		}
		a.settled()
		chosen(-1)
		ground := a.alone().RGBAAt(60, 40)
		a.key("n", 0)
		chosen(0)
		if n := mapPixels(a.alone(), ground); n != 0 {
			t.Errorf("%d pixels of a local map before the first step", n)
		}
		for range 3 {
			if err := a.step(); err != nil {
				t.Fatal(err)
			}
		}
		a.holds(0)
		if n := mapPixels(a.alone(), ground); n < 100 {
			t.Errorf("%d pixels of the border of a local map", n)
		}
		for range 2 {
			if err := a.step(); err != nil {
				t.Fatal(err)
			}
			a.holds(0) // it goes with him
		}
		a.key("n", 0)
		chosen(1)
		if n := mapPixels(a.alone(), ground); n != 0 {
			t.Errorf("agent 1 has no local map, and there are %d pixels of one", n)
		}
		if told := a.stage.legend(render.Picture{Layers: render.LocalMap}); len(told) != 1 || told[0].Keys[0].Text != "agent 1 (straight) has no local map" {
			t.Errorf("told: %v", told)
		}
		a.key("n", window.Shift)
		chosen(0)
		a.key("n", window.Shift)
		chosen(3)
		a.holds(3) // it reaches beyond the domain
		a.key("9", 0)
		if n := mapPixels(a.alone(), ground); n != 0 {
			t.Errorf("local maps are not to be shown, and there are %d pixels of one", n)
		}
		a.key("9", 0)
		state := make([]agents.Agent, 4)
		a.stage.world.Crowd().Snapshot(state)
		place := func(i int) mgl64.Vec2 {
			return mgl64.Vec2{float64(state[i].Position[0]), float64(state[i].Position[1])}
		}
		a.clickOn(place(3), 0)
		chosen(-1)
		a.clickOn(place(0), 0)
		chosen(0)

		// The global potential of the goal that is shown. It is lightest at the goal.
		before := a.alone()
		a.key("8", 0)
		with := a.alone()
		x, y := a.camera.Pixel(mgl64.Vec2{13, 7})
		far, fy := a.camera.Pixel(mgl64.Vec2{1, 7})
		if a, b, c := before.RGBAAt(int(x), int(y)), with.RGBAAt(int(x), int(y)), with.RGBAAt(int(far), int(fy)); a == b || int(b.R)+int(b.G) <= int(c.R)+int(c.G) {
			t.Errorf("the ground is %v without the potential, with it %v near the goal and %v far away", a, b, c)
		}
		a.key("tab", 0)
		if other := a.alone().RGBAAt(int(x), int(y)); other == with.RGBAAt(int(x), int(y)) {
			t.Errorf("the other goal's potential looks the same: %v", other)
		}
		a.key("tab", 0)
		a.key("8", 0)

		// Who is there leaves, and takes the map along; who is chosen stays chosen when everything begins again.
		for range 100 {
			if err := a.step(); err != nil {
				t.Fatal(err)
			}
			if a.stage.world.Crowd().Snapshot(state); state[0].Status != agents.Walking {
				break
			}
		}
		if state[0].Status == agents.Walking {
			t.Fatal("agent 0 never arrives")
		}
		if n := mapPixels(a.alone(), ground); n != 0 {
			t.Errorf("agent 0 has left, and there are %d pixels of its map", n)
		}
		a.key("r", 0)
		chosen(0)
	})
}

// TestNothingIsSeenBehindTheDashes: which way walkers are remembered to have looked is which way their maps were stamped, so that
// obstacles in the update zone lie in the view cone, in part at least. What they looked when the step was over is another way.
func TestNothingIsSeenBehindTheDashes(t *testing.T) {
	doc, err := load("dapper-6")
	if err != nil {
		t.Fatal(err)
	}
	for i := range doc.Profiles {
		doc.Profiles[i].BVP.ViewAngle = 180
	}
	agent := 10 // walks round a group
	gputest.Fresh(t, func(d *gpu.Device) {
		st, err := newStage(d, doc, look{Agent: &agent, Palette: render.PaletteCalm})
		if err != nil {
			t.Fatal(err)
		}
		defer st.free()
		maps := st.world.LocalMaps()
		i, _ := maps.Walker(agent)
		half := maps.Parameters(i).ViewAngle / 2
		cells, behindNow, steps := 0, 0, 0
		for range 120 {
			if err := st.step(); err != nil {
				t.Fatal(err)
			}
			walkers := make([]bvp.Walker, st.before.Len())
			st.before.Read(0, walkers)
			before := walkers[i]
			now, p := maps.Read(i)
			if before.Stood >= bvp.Patience(st.world.Scene().Simulation.Timestep) || before.Heading == bvp.NoHeading {
				continue
			}
			steps++
			for k := range p.Q {
				x, y := k%p.Cells, k/p.Cells
				if !p.Fixed[k] || p.Q[k] != 0 || bvp.ZoneOf(p.Cells, x, y) != bvp.Update {
					continue
				}
				cells++
				off := mgl64.Vec2{float64(2*x + 1 - p.Cells), float64(2*y + 1 - p.Cells)}.Mul(0.5)
				// A cell counts in part as far as its middle is less than half a cell outside the cone. The device
				// has float32: to 2^-23 of two products of at most 11 cells.
				behind := func(heading float32) bool {
					look := mgl64.Vec2{math.Cos(float64(heading)), math.Sin(float64(heading))}
					ahead, side := off.Dot(look), off[1]*look[0]-off[0]*look[1]
					return ahead*math.Sin(half)-math.Abs(side)*math.Cos(half) < -0.5-1e-5
				}
				if behind(before.Heading) {
					t.Fatalf("step %d: cell %d,%d is an obstacle, and not in the view cone of heading %v", steps, x, y, before.Heading)
				}
				if behind(now.Heading) {
					behindNow++
				}
			}
		}
		if steps < 50 || cells < 1000 || behindNow == 0 {
			t.Errorf("%d steps, %d cells that are obstacles, %d of them behind the view of the step to come", steps, cells, behindNow)
		}
	})
}

// TestTrailsInViewer: a key shows where agents have walked since, and hides it; who begins again leaves no trail behind.
func TestTrailsInViewer(t *testing.T) {
	sitting(t, write(t, "scene.json", walkers), size{800, 560}, 1, func(a *author) {
		a.stage.look.Layers &^= layers(render.Regions | render.Isolines)
		a.settled()
		x, y := a.camera.Pixel(mgl64.Vec2{3.5, 6}) // ahead of agent 2, which walks on to x = 12, and behind it after 20 steps
		walk := func(steps int) color.RGBA {
			for range steps {
				if err := a.step(); err != nil {
					t.Fatal(err)
				}
			}
			return a.alone().RGBAAt(int(x), int(y))
		}
		ground := walk(0)
		a.key("0", 0)
		if got := walk(20); got == ground {
			t.Errorf("where agent 2 was there is no trail, but %v", got)
		}
		a.key("0", 0)
		if got := walk(1); got != ground {
			t.Errorf("the trail is hidden, and where agent 2 was the picture is %v", got)
		}
		a.key("0", 0)
		if got := walk(3); got != ground {
			t.Errorf("the trail begins anew, and where agent 2 was before the picture is %v", got)
		}
		a.key("r", 0)
		if got := walk(20); got == ground {
			t.Errorf("begun again, where agent 2 was there is no trail, but %v", got)
		}
	})
}

// TestGoalOfTheChosen: the map shown is of the goal that the chosen agent walks to, later of its next one, unless a goal was told; the
// legend says whose potential that is.
func TestGoalOfTheChosen(t *testing.T) {
	const wanderers = `{"version": 1, "name": "wanderers", "domain": [0, 0, 16, 8],
		"goals": [{"id": "east", "points": [[12, 6]]}, {"id": "west", "points": [[6, 2]]}, {"id": "south", "points": [[14, 1]]}],
		"profiles": [{"id": "field", "steering": "bvp", "avoidance": "none", "bvp": {"guide": "harmonic"}}], "map": {"size": 64},
		"groups": [{"profile": "field", "spawn": {"points": [[7, 2]]}, "itinerary": ["west", "east"]},
			{"profile": "field", "spawn": {"points": [[3, 6]]}, "itinerary": ["south"]}]}`
	file := write(t, "scene.json", wanderers)
	doc, err := load(file)
	if err != nil {
		t.Fatal(err)
	}
	gputest.Fresh(t, func(d *gpu.Device) {
		for agent, want := range []int{1, 2} {
			for _, told := range []string{"", "east"} {
				st, err := newStage(d, doc, look{Agent: &agent, Goal: told, Layers: layers(render.Potential), Palette: render.PaletteCalm})
				if err != nil {
					t.Fatal(err)
				}
				name := doc.Goals[want].ID
				if told != "" {
					want, name = 0, told
				}
				keys := st.legend(render.Picture{Layers: render.Potential})[0].Keys
				if st.goal != want || keys[len(keys)-1].Text != "ground: potential of goal "+name {
					t.Errorf("agent %d, told %q: goal %d is shown, want %d; the legend says %v", agent, told, st.goal, want, keys)
				}
				for range 60 {
					if err := st.step(); err != nil {
						t.Fatal(err)
					}
				}
				st.aim()
				if agent == 0 {
					want = 0 // the east, by now
				}
				if st.goal != want {
					t.Errorf("agent %d, told %q: goal %d is shown after a while, want %d", agent, told, st.goal, want)
				}
				st.free()
			}
		}
	})
	at(t, wanderers, func(a *author) {
		a.settled()
		goal := func(doing string, want int) {
			t.Helper()
			if a.stage.goal != want {
				t.Errorf("%s: goal %d is shown, want %d", doing, a.stage.goal, want)
			}
		}
		goal("at the start", 0)
		a.key("n", 0)
		goal("of the first", 1)
		a.key("n", 0)
		goal("of the second", 2)
		a.key("r", 0)
		goal("of the second, begun again", 2)
		a.key("tab", 0)
		goal("the next", 0)
		a.key("n", 0)
		goal("told, and of the first", 0)
		a.key("r", 0)
		goal("told, and begun again", 0)
		a.key("tab", window.Shift)
		goal("the one before", 2)
	})
}

// TestMarksOfGoals: a picture without any goal's map shows where all go, in the colours of those who do; one with a map shows its goal
// alone, and so does one whose goal was told.
func TestMarksOfGoals(t *testing.T) {
	scene := write(t, "scene.json", `{"version": 1, "domain": [0, 0, 16, 8],
		"goals": [{"id": "east", "points": [[12, 6]]}, {"id": "nobody", "points": [[8, 4]]}, {"id": "west", "segments": [[[1, 2], [3, 2]]]}],
		"profiles": [{"id": "p"}], "map": {"size": 64},
		"groups": [{"profile": "p", "spawn": {"points": [[5, 7]]}, "itinerary": ["east"]}, {"profile": "p", "spawn": {"points": [[14, 1]]}, "itinerary": ["west"]}]}`)
	red := goalColour
	for _, c := range []struct {
		args             []string
		east, none, west color.RGBA // zero: no mark
	}{
		{[]string{"--layers", "sources,agents,trails"}, render.GoalColour(0), color.RGBA{}, render.GoalColour(2)},
		{[]string{"--layers", "sources,paths,isolines"}, red, color.RGBA{}, color.RGBA{}},
		{[]string{"--layers", "sources,agents", "--goal", "nobody"}, color.RGBA{}, red, color.RGBA{}},
		{[]string{"--layers", "agents,trails"}, color.RGBA{}, color.RGBA{}, color.RGBA{}},
	} {
		out := navview(t, append([]string{"render", scene, "-o", "-", "--size", "848x448"}, c.args...)...).done(t).stdout
		m := decode(t, out)
		at := func(x, y float64) color.RGBA { // 50 pixels a metre and a margin of 24
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
	if err := os.WriteFile(scene, []byte(walkers), 0o644); err != nil {
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
					square = square && color.RGBAModel.Convert(m.At(x+k%4, y+k/4)) == goalColour
				}
				if square {
					n++
				}
			}
		}
		return n
	}
	// Three cells of 0.3 m, 9 pixels or more, less the lines around them, have at least so many squares of 4 pixels each way.
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
		t.Errorf("of an explorer's path is told: %s", explorer.stderr)
	}
	plain := write(t, "plain.json", strings.ReplaceAll(walkers, `"steering": "bvp", `, ""))
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
