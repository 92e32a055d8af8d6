//go:build !headless

package viewer

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/reference"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/engine/window"
	"github.com/wayfront/wayfront/scenes/scenestest"
)

// The colors of what a local map is sure to have, as its legend says.
var (
	goalColor   = render.LocalMapKeys()[0].Colors[0]
	borderColor = render.LocalMapKeys()[1].Colors[0]
)

// holds checks the border and the goals of an agent's local map in the picture: they are where it
// was stamped. Its own place on the device is what is compared with.
func (a *author) holds(agent int) {
	a.t.Helper()
	picture := a.alone()
	maps := a.view.World.LocalMaps()
	i, ok := maps.Walker(agent)
	if !ok {
		a.t.Fatalf("agent %d has no local map", agent)
	}
	w, p := maps.Read(i)
	if p.Cells == 0 {
		a.t.Fatal("there is no map yet")
	}
	origin := a.view.World.Ground().Lattice.Origin
	goals, border := 0, 0
	for k := range p.Q {
		x, y := k%p.Cells, k/p.Cells
		if reference.ZoneOf(p.Cells, x, y) != reference.Border {
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
			if got != goalColor {
				a.t.Errorf("agent %d: at the goal in cell %d,%d the picture is %v", agent, x, y, got)
			}
			goals++
			continue
		}
		if got == goalColor {
			a.t.Errorf("agent %d: cell %d,%d looks like a goal", agent, x, y)
		}
		border++
	}
	// The goal is three cells long; where it does not begin with a cell, those at its ends are
	// goals in part.
	if goals < 2 || border < 20 {
		a.t.Errorf("agent %d: %d goals and %d other cells of the border are in the picture", agent, goals, border)
	}
}

// alone is the last frame without paths, agents and sources, which may lie on it.
func (a *author) alone() *image.RGBA {
	a.t.Helper()
	before := a.view.Look.Layers
	a.view.Look.Layers &^= render.Paths | render.Agents | render.Sources
	a.frame()
	a.view.Look.Layers = before
	return a.canvas.Read()
}

// mapPixels counts the pixels of borders of local maps, over ground of a color.
func mapPixels(m *image.RGBA, under color.RGBA) int {
	mix := func(a, b uint8) float64 { return float64(a) + 0.8*(float64(b)-float64(a)) }
	n := 0
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			c := m.RGBAAt(x, y)
			if math.Abs(float64(c.R)-mix(under.R, borderColor.R)) < 2 && math.Abs(float64(c.G)-mix(under.G, borderColor.G)) < 2 && math.Abs(float64(c.B)-mix(under.B, borderColor.B)) < 2 {
				n++
			}
		}
	}
	return n
}

// TestChoosing shows the local map of one agent after another: by key and by click, while time
// passes, as long as it walks.
func TestChoosing(t *testing.T) {
	sitting(t, "../../testdata/walkers.json", image.Pt(800, 560), 1, func(a *author) {
		a.view.Look.Layers &^= render.Regions | render.Isolines
		chosen := func(want int) {
			t.Helper()
			if a.view.Chosen != want {
				t.Fatalf("agent %d is chosen, want %d", a.view.Chosen, want)
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
			a.holds(0) // it moves with the agent
		}
		a.key("n", 0)
		chosen(1)
		if n := mapPixels(a.alone(), ground); n != 0 {
			t.Errorf("agent 1 has no local map, and there are %d pixels of one", n)
		}
		if panels := a.view.Legend(render.Picture{Layers: render.LocalMap}); len(panels) != 1 || panels[0].Keys[0].Text != "agent 1 (straight) has no local map" {
			t.Errorf("legend: %v", panels)
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
		a.view.World.Crowd().Snapshot(state)
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

		// An agent that leaves takes its map along; the chosen agent stays chosen after a restart.
		for range 100 {
			if err := a.step(); err != nil {
				t.Fatal(err)
			}
			if a.view.World.Crowd().Snapshot(state); state[0].Status != agents.Walking {
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

// TestTrailsInViewer: a key shows where agents have walked since, and hides it; a restart removes
// trails.
func TestTrailsInViewer(t *testing.T) {
	sitting(t, "../../testdata/walkers.json", image.Pt(800, 560), 1, func(a *author) {
		a.view.Look.Layers &^= render.Regions | render.Isolines
		a.settled()
		// Ahead of agent 2, which walks on to x = 12, and behind it after 20 steps.
		x, y := a.camera.Pixel(mgl64.Vec2{3.5, 6})
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

// TestGoalOfTheChosen: the map shown is of the goal that the chosen agent walks to, later of its
// next one, unless a goal was given; the legend names the goal of the potential.
func TestGoalOfTheChosen(t *testing.T) {
	const wanderers = `{"version": 1, "name": "wanderers", "domain": [0, 0, 16, 8],
		"goals": [{"id": "east", "points": [[12, 6]]}, {"id": "west", "points": [[6, 2]]}, {"id": "south", "points": [[14, 1]]}],
		"profiles": [{"id": "field", "steering": "bvp", "avoidance": "none", "bvp": {"guide": "harmonic"}}], "map": {"size": 64},
		"groups": [{"profile": "field", "spawn": {"points": [[7, 2]]}, "itinerary": ["west", "east"]},
			{"profile": "field", "spawn": {"points": [[3, 6]]}, "itinerary": ["south"]}]}`
	scene := scenestest.Read(t, "scene.json", wanderers)
	doc := &document.Document{Scene: scene, File: "scene.json"}
	gputest.Fresh(t, func(d *gpu.Device) {
		for agent, want := range []int{1, 2} {
			for _, given := range []string{"", "east"} {
				st, err := worldview.New(d, doc, worldview.Look{Agent: &agent, Goal: given, Layers: render.Potential, Palette: render.PaletteCalm})
				if err != nil {
					t.Fatal(err)
				}
				name := doc.Goals[want].ID
				if given != "" {
					want, name = 0, given
				}
				keys := st.Legend(render.Picture{Layers: render.Potential})[0].Keys
				if st.Goal != want || keys[len(keys)-1].Text != "ground: potential of goal "+name {
					t.Errorf("agent %d, --goal %q: goal %d is shown, want %d; the legend says %v", agent, given, st.Goal, want, keys)
				}
				for range 60 {
					if err := st.Step(); err != nil {
						t.Fatal(err)
					}
				}
				st.FollowGoal()
				if agent == 0 {
					want = 0 // the east, by now
				}
				if st.Goal != want {
					t.Errorf("agent %d, --goal %q: goal %d is shown after a while, want %d", agent, given, st.Goal, want)
				}
				st.Delete()
			}
		}
	})
	at(t, wanderers, func(a *author) {
		a.settled()
		goal := func(doing string, want int) {
			t.Helper()
			if a.view.Goal != want {
				t.Errorf("%s: goal %d is shown, want %d", doing, a.view.Goal, want)
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
		goal("pinned, and of the first", 0)
		a.key("r", 0)
		goal("pinned, and after a restart", 0)
		a.key("tab", window.Shift)
		goal("the one before", 2)
	})
}
