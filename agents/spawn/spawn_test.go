package spawn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/google/go-cmp/cmp"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/scenestest"
)

// world is a scene with its ground.
type world struct {
	scene  *scenes.Scene
	ground *geom.Ground
	grid   *geom.WallGrid
}

func read(t testing.TB, text string) world {
	t.Helper()
	scene, ground, grid := scenestest.Ground(t, text)
	return world{scene, ground, grid}
}

func (w world) spawn(t testing.TB) []Placement {
	t.Helper()
	placements, err := Agents(w.scene, w.ground, w.grid)
	if err != nil {
		t.Fatal(err)
	}
	return placements
}

// checkPlacements holds every promise of Agents against brute force. Discs of the
// group named may overlap walls.
func checkPlacements(t *testing.T, w world, placements []Placement, centerOnly string) {
	t.Helper()
	step := w.ground.Lattice.Step
	profile := func(p Placement) scenes.Profile {
		profile, _ := w.scene.Profile(w.scene.Groups[p.Group].Profile)
		return profile
	}
	counts := make([]int, len(w.scene.Groups))
	for i, p := range placements {
		counts[p.Group]++
		if !w.ground.Free(p.At) {
			t.Fatalf("agent %d starts inside an obstacle at %v", i, p.At)
		}
		own := profile(p)
		if !(p.Speed > 0 && p.Speed <= own.MaxSpeed.Mean) {
			t.Fatalf("agent %d prefers %v m/s, at most %v allowed", i, p.Speed, own.MaxSpeed.Mean)
		}
		// Distances are rounded in their last bits only.
		const rounding = 1 - 1e-12
		if w.scene.Groups[p.Group].ID != centerOnly {
			for _, wall := range w.ground.Walls {
				d := math.Sqrt(distance2(p.At, w.ground.Vertices[wall.A], w.ground.Vertices[wall.B])) * step
				if d < p.Radius*rounding {
					t.Fatalf("agent %d is %v m from a wall, its radius is %v", i, d, p.Radius)
				}
			}
		}
		for j, q := range placements[:i] {
			dx, dy := float64(p.At.X-q.At.X), float64(p.At.Y-q.At.Y)
			sum := p.Radius + q.Radius
			earlier := profile(q).PreferredSpeed.Mean
			if p.Time < q.Time {
				earlier = own.PreferredSpeed.Mean
			}
			if math.Hypot(dx, dy)*step < sum*rounding && math.Abs(p.Time-q.Time) < sum/earlier*rounding {
				t.Fatalf("agents %d and %d overlap at %v and %v", j, i, q.At, p.At)
			}
		}
	}
	for i, g := range w.scene.Groups {
		if counts[i] != g.Count {
			t.Errorf("group %q has %d agents, want %d", g.ID, counts[i], g.Count)
		}
	}
}

const rooms = `{"version": 1, "domain": [-10, 5, 30, 30],
	"obstacles": [{"rect": [8, 5, 8.3, 20]}, {"circle": {"center": [0, 15], "radius": 2}}, {"polygon": [[20, 10], [24, 12], [19, 16]]}],
	"goals": [{"id": "exit", "points": [[29, 29]]}],
	"profiles": [{"id": "adult"}, {"id": "child", "radius": 0.15, "preferredSpeed": {"mean": 1, "std": 0.3}}],
	"groups": [%s]}`

func TestSpawnKinds(t *testing.T) {
	for _, c := range []struct {
		name, group string
		centerOnly  bool
	}{
		{name: "rect", group: `{"id": "g", "count": 150, "spawn": {"rect": [-9, 6, 7, 29]}}`},
		{name: "polygon", group: `{"id": "g", "count": 60, "spawn": {"polygon": [[10, 6], [18, 6], [18, 9], [13, 9], [13, 16], [10, 16]]}}`},
		{name: "circle", group: `{"id": "g", "count": 60, "spawn": {"circle": {"center": [0, 15], "radius": 5}}}`},
		{name: "ring", group: `{"id": "g", "count": 12, "spawn": {"ring": {"center": [2, 25], "radius": 4}}, "goal": "antipode"}`},
		{name: "points", group: `{"id": "g", "spawn": {"points": [[1, 25], [1.5, 25], [8, 6]]}}`, centerOnly: true},
		{name: "grid", group: `{"id": "g", "count": 250, "spawn": {"grid": {"rect": [-9, 6, 7, 29], "spacing": 1}}}`},
		{name: "two groups in one place", group: `{"id": "g", "count": 60, "spawn": {"rect": [10, 6, 18, 12]}}, {"id": "h", "profile": "child", "count": 200, "spawn": {"rect": [10, 6, 18, 12]}}`},
		{name: "rate", group: `{"id": "g", "count": 500, "spawn": {"rect": [-9.5, 6, -8, 7]}, "start": {"at": 2, "rate": 2}}`},
		{name: "dense", group: `{"id": "g", "count": 200, "spawn": {"rect": [10, 22, 18, 28]}}`},
		{name: "narrow", group: `{"id": "g", "count": 5, "spawn": {"rect": [-9.9, 5.1, -9.8, 29]}}`, centerOnly: true},
		{name: "no agents", group: `{"id": "g", "count": 0, "spawn": {"rect": [0, 6, 1, 7]}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := read(t, fmt.Sprintf(rooms, c.group))
			placements := w.spawn(t)
			only := ""
			if c.centerOnly {
				only = "g"
			}
			checkPlacements(t, w, placements, only)
			if diff := cmp.Diff(placements, w.spawn(t)); diff != "" {
				t.Errorf("the same scene spawns differently: %s", diff)
			}
		})
	}
}

// TestSpawnPolygon: an L is two rectangles.
func TestSpawnPolygon(t *testing.T) {
	w := read(t, fmt.Sprintf(rooms, `{"id": "g", "count": 60, "spawn": {"polygon": [[10, 6], [18, 6], [18, 9], [13, 9], [13, 16], [10, 16]]}}`))
	parts := map[bool]int{}
	for i, p := range w.spawn(t) {
		at := w.ground.Lattice.World(p.At)
		upright, flat := (scenes.Rect{10, 6, 13, 16}).Contains(at), (scenes.Rect{10, 6, 18, 9}).Contains(at)
		if !upright && !flat {
			t.Errorf("agent %d starts at %v, outside", i, at)
		}
		parts[upright]++
	}
	if parts[false] == 0 || parts[true] == 0 {
		t.Errorf("a part of the polygon is empty: %v", parts)
	}
}

func TestSpawnRing(t *testing.T) {
	w := read(t, fmt.Sprintf(rooms, `{"id": "g", "count": 16, "spawn": {"ring": {"center": [2, 25], "radius": 4}}, "goal": "antipode"}`))
	center := mgl64.Vec2{2, 25}
	for k, p := range w.spawn(t) {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / 16)
		want := center.Add(mgl64.Vec2{4 * cos, 4 * sin})
		// Rounded to the lattice: half a step along each axis.
		if d := w.ground.Lattice.World(p.At).Sub(want).Len(); d > w.ground.Lattice.Step {
			t.Errorf("agent %d is %v m from its place on the ring", k, d)
		}
		// Directions are rounded to 2^-40, 4e-12 m here.
		if d := p.Own.Sub(center.Mul(2).Sub(want)).Len(); d > 1e-11 {
			t.Errorf("agent %d's goal is %v m from the antipode", k, d)
		}
	}
}

func TestSpawnSeeds(t *testing.T) {
	w := read(t, fmt.Sprintf(rooms, `{"id": "g", "count": 30, "spawn": {"rect": [-9, 6, 7, 29]}}`))
	first := w.spawn(t)
	w.scene.Simulation.Seed = 1 + 1<<40 // the upper half counts too
	second := w.spawn(t)
	for i := range first {
		if first[i].At == second[i].At || first[i].Speed == second[i].Speed {
			t.Errorf("agent %d starts alike under another seed", i)
		}
	}
	// One known start: a change of it changes every run.
	if got, want := first[0].At, (geom.Point{X: 308071, Y: 312964}); got != want {
		t.Errorf("the first agent starts at %v, want %v", got, want)
	}
}

func TestSpawnWithoutRoom(t *testing.T) {
	for _, c := range []struct {
		name, group string
		count       int // where package scenes would refuse it already
		least, most int // how many must be said to fit
		cause       bool
	}{
		// 250 discs of 0.25 m have the area of the rectangle grown by a radius.
		{"rect", `{"id": "g", "count": 100, "spawn": {"rect": [10, 22, 18, 28]}}`, 2000, 200, 260, false},
		{"covered", `{"id": "g", "count": 3, "spawn": {"rect": [8.05, 6, 8.2, 19]}}`, 3, 0, 0, false},
		{"disc", `{"id": "g", "count": 1, "spawn": {"circle": {"center": [5, 25], "radius": 0.1}}}`, 2, 1, 1, false},
		{"ring in wall", `{"id": "g", "count": 8, "spawn": {"ring": {"center": [0, 15], "radius": 1.9}}}`, 8, 0, 0, true},
		{"same points", `{"id": "g", "spawn": {"points": [[5, 25], [6, 25]]}}`, 3, 2, 2, true},
		// Of the places around the circle only the corners are off its wall.
		{"grid", `{"id": "g", "spawn": {"grid": {"rect": [-2, 13, 2, 17], "spacing": 1}}}`, 25, 4, 4, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := read(t, fmt.Sprintf(rooms, c.group))
			w.scene.Groups[0].Count = c.count
			_, err := Agents(w.scene, w.ground, w.grid)
			var room *RoomError
			if !errors.As(err, &room) {
				t.Fatalf("error %v, want a *RoomError", err)
			}
			if room.Group != "g" || room.Wanted != c.count || room.Fit < c.least || room.Fit > c.most || (room.Cause != "") != c.cause {
				t.Errorf("%+v, want %d to %d to fit", room, c.least, c.most)
			}
		})
	}
}

// TestSpawnOfUnequalRadii: however small a radius is beside another, agents find their places. A
// search that walks the squares of the small one over the reach of the large one does not return.
func TestSpawnOfUnequalRadii(t *testing.T) {
	const ant, man = `{"profile": "ant", "count": 300, "spawn": {"rect": [1, 6, 9, 12]}}`, `{"profile": "man", "count": 20, "spawn": {"rect": [1, 6, 9, 12]}}`
	for _, radius := range []float64{1e-2, 1e-5, 1e-12} {
		for _, groups := range []string{ant + "," + man, man + "," + ant} {
			text := fmt.Sprintf(rooms, groups)
			text = strings.Replace(text, `{"id": "adult"}`, fmt.Sprintf(`{"id": "ant", "radius": %g}, {"id": "man"}`, radius), 1)
			w := read(t, text)
			checkPlacements(t, w, w.spawn(t), "")
		}
	}
}

// TestDiscs compares searches with a look at every disc.
func TestDiscs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	within := func(n int32) geom.Point { return geom.Point{X: r.Int32N(n + 1), Y: r.Int32N(n + 1)} }
	found := 0
	for _, width := range []int32{7, 1000, geom.Steps} {
		for _, radius := range []float64{1e-9, 0.5, 0.6, 37, 4000, geom.Steps / 2, 2 * geom.Steps, 1e300} {
			c, all := newDiscs(shiftOf(2*radius)), []disc(nil)
			for k := range 60 {
				d := disc{at: within(width), time: float64(k % 4), speed: float64(k % 2)}
				c.add(d)
				all = append(all, d)
			}
			for range 15 {
				last := all[len(all)-1]
				c.remove(last.at, last.time)
				all = all[:len(all)-1]
			}
			for k := range 200 {
				p, near := within(geom.Steps), radius+math.Ldexp(1, k%24)
				if k%2 == 0 {
					p = within(width)
				}
				from, until := float64(r.IntN(4))-1, float64(r.IntN(3)+2)
				odd := func(d disc) bool { return d.speed == 1 }
				want := slices.ContainsFunc(all, func(d disc) bool {
					dx, dy := float64(d.at.X-p.X), float64(d.at.Y-p.Y)
					return dx*dx+dy*dy < near*near && from < d.time && d.time < until && odd(d)
				})
				if got := c.any(search{p, near, from, until, odd}); got != want {
					t.Fatalf("radius %v: a disc nearer than %v to %v: %v, want %v", radius, near, p, got, want)
				}
				if want {
					found++
				}
			}
		}
	}
	if found < 1000 || found > 3800 {
		t.Errorf("%d of 4800 searches find a disc: too few or too many to mean much", found)
	}
}

// TestSpawnAtScale places what took minutes where every agent is held against all others at its
// place, or every place of a lattice in a wall was tried.
func TestSpawnAtScale(t *testing.T) {
	const scene = `{"version": 1, "domain": [0, 0, 100, 100], "obstacles": [{"rect": [10, 10, 90, 90]}], "goals": [{"points": [[99, 99]]}],
		"profiles": [{"id": "adult"}, {"id": "ant", "radius": 1e-6}], "groups": [%s]}`
	for name, group := range map[string]string{
		"a source at a point":   `{"profile": "adult", "count": 200000, "spawn": {"points": [[5, 5]]}, "start": {"rate": 0.5}, "itinerary": ["goal-1"]}`,
		"a source over an area": `{"profile": "adult", "count": 200000, "spawn": {"rect": [5, 5, 6, 6]}, "start": {"rate": 0.5}, "itinerary": ["goal-1"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := read(t, fmt.Sprintf(scene, group))
			if n := len(w.spawn(t)); n != 200000 {
				t.Errorf("%d agents have a place", n)
			}
		})
	}
	w := read(t, fmt.Sprintf(scene, `{"profile": "ant", "count": 5, "spawn": {"rect": [11, 11, 89, 89]}, "itinerary": ["goal-1"]}`))
	var room *RoomError
	if _, err := Agents(w.scene, w.ground, w.grid); !errors.As(err, &room) || room.Fit != 0 {
		t.Errorf("of agents in a wall: %v", err)
	}
}
