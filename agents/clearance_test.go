package agents

import (
	"fmt"
	"math"
	"testing"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// toWalls is how far a place is from the walls that agents are cut at, in meters.
func (x *trial) toWalls(place [2]float32) float64 {
	least := math.Inf(1)
	p := [2]float64{float64(place[0]) / x.ground.Lattice.Step, float64(place[1]) / x.ground.Lattice.Step}
	for _, w := range x.reference.Walls {
		ax, ay := float64(w.AX), float64(w.AY)
		dx, dy := float64(w.BX)-ax, float64(w.BY)-ay
		t := min(max(((p[0]-ax)*dx+(p[1]-ay)*dy)/(dx*dx+dy*dy), 0), 1)
		least = min(least, math.Hypot(p[0]-ax-dx*t, p[1]-ay-dy*t))
	}
	return least * x.ground.Lattice.Step
}

// An agent that starts outside the clearance never comes nearer to walls than it; one that starts
// inside leaves it by the shortest path and stays outside. Each agent that has a path in the map
// arrives, after as many meters as the map says.
func TestClearanceIsKept(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		const clearance = 0.35
		x := try(t, d, fmt.Sprintf(`{"version": 1, "domain": [-10, 5, 30, 30],
			"obstacles": [%s, {"polygon": [[-9, 28], [3, 29.5], [3, 29.50000001]]}],
			"goals": [{"id": "out", "clearance": %v, "points": [[12.9, 5.6]], "segments": [[[29, 29], [25, 8]]]}],
			"profiles": [{"id": "p", "radius": 0.01}],
			"groups": [{"count": 300, "profile": "p", "spawn": {"rect": [-9.9, 5.1, 29.9, 29.9]}}]}`, clutter, clearance), 40)
		r := x.reference
		mapped := x.grounds[0]
		n := x.crowd.Count()
		inside := make([]bool, n) // is still
		reached := make([]bool, n)
		left := make([]float64, n)
		began := 0
		for i, a := range x.after {
			at := r.onLattice(a.Position)
			inside[i] = !mapped.Free(at)
			if inside[i] {
				began++
				continue
			}
			left[i] = r.distance(mapped, 0, at)
			reached[i] = !math.IsInf(left[i], 1)
		}
		// Snapping moves a wall, here and on the grown obstacles, by a step along either
		// axis, and agents are rounded to the lattice, to a neighbor at worst.
		slack := (1 + 1 + 1.5) * math.Sqrt2 * r.Lattice.Step
		out := 0
		for step := 0; step < 800; step++ {
			x.step()
			x.checkMove(t, step)
			for i, a := range x.after {
				if a.Status != Walking {
					continue
				}
				at := r.onLattice(a.Position)
				if inside[i] {
					if a.Lost == 0 && a.Target != WayOut {
						t.Fatalf("step %d: agent %d is inside the clearance and goes to %d: %+v", step, i, a.Target, a)
					}
					if mapped.Free(at) {
						inside[i] = false
						out++
						left[i] = r.distance(mapped, 0, at)
						reached[i] = !math.IsInf(left[i], 1)
					}
					continue
				}
				if off := x.toWalls(a.Position); off < clearance-slack {
					t.Fatalf("step %d: agent %d is %v m from walls: %+v before %+v", step, i, off, a, x.before[i])
				}
				if reached[i] {
					left[i] -= float64(length(minus(a.Position, x.before[i].Position)))
				}
				if reached[i] && a.Lost > 0 {
					t.Fatalf("step %d: agent %d is lost at %v: %+v", step, i, at, a)
				}
			}
		}
		arrived := 0
		for i, a := range x.after {
			if reached[i] != (a.Status == Left) {
				t.Errorf("agent %d, reachable %v, inside %v: %+v", i, reached[i], inside[i], a)
			}
			if a.Status == Left {
				arrived++
			}
		}
		t.Logf("%d of %d begin inside the clearance, %d get out, %d arrive", began, n, out, arrived)
		if began < 30 || out < began*9/10 || arrived < n*9/10 {
			t.Errorf("%d of %d begin inside the clearance, %d get out, %d arrive", began, n, out, arrived)
		}
	})
}

// The path out of a clearance leads around walls to ground from which a source is reachable. There
// is none where a disc does not fit at all.
func TestWayOutOfClearance(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		// A room whose door is too narrow, with an agent in the door; a thin wall; a
		// corridor too narrow, with a bend.
		x := try(t, d, `{"version": 1, "domain": [0, 0, 40, 20],
			"obstacles": [{"rect": [10, 2, 10.2, 9.7]}, {"rect": [10, 10.3, 10.2, 18]}, {"rect": [2, 2, 10, 2.2]}, {"rect": [2, 17.8, 10, 18]}, {"rect": [2, 2, 2.2, 18]},
				{"rect": [20, 4, 20.1, 16]},
				{"rect": [26, 1.2, 36, 1.4]}, {"rect": [36, 1.2, 36.2, 6]}, {"rect": [26, 2, 35.2, 2.2]}, {"rect": [35.2, 2, 35.4, 6]}, {"rect": [26, 1.4, 26.2, 2]}],
			"goals": [{"id": "out", "clearance": 0.5, "points": [[38, 18]]}],
			"profiles": [{"id": "p", "radius": 0.01}],
			"groups": [{"profile": "p", "spawn": {"points": [[9.9, 10.1], [19.9, 10], [20.2, 10], [27, 1.7], [5, 10]]}}]}`, 80)
		start := append([]Agent(nil), x.after...)
		for step := range 600 {
			x.step()
			x.checkMove(t, step)
			if x.after[2].Position[0] < 20.1 || step < 3 && x.after[1].Position[0] > 20 {
				t.Fatalf("step %d: an agent went through the wall: %v, %v", step, x.after[1].Position, x.after[2].Position)
			}
		}
		for i, want := range []Status{Left, Left, Left, Walking, Walking} {
			a := x.after[i]
			if a.Status != want || want == Walking && (a.Position != start[i].Position || a.Lost != 600) {
				t.Errorf("agent %d: %+v", i, a)
			}
		}
	})
}

// Terrains are uploaded once, shared or not; a guide without them does with less.
func TestTerrainsAreShared(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, maze, 50)
		if !x.crowd.pointSourcesOnly {
			t.Error("a guide of points on the crowd's ground is not plain")
		}
		grown := func(clearance float64) Terrain {
			g, err := x.scene.GroundFor(0, scenes.Passage{Clearance: clearance})
			if err != nil {
				t.Fatal(err)
			}
			return Terrain{g, geom.NewWallGrid(g)}
		}
		own, a, b := Terrain{x.ground, x.grid}, grown(0.2), grown(0.4)
		w := &x.crowd.walls
		set := func(terrains ...Terrain) {
			t.Helper()
			guide := x.guide
			guide.Terrains = terrains
			if err := x.crowd.SetGuide(guide); err != nil {
				t.Fatal(err)
			}
		}
		set(own, Terrain{}, own)
		if !x.crowd.pointSourcesOnly || len(w.held) != 1 {
			t.Errorf("the crowd's own ground is held %d times", len(w.held))
		}
		set(a, Terrain{}, a)
		if x.crowd.pointSourcesOnly || len(w.held) != 2 || w.head(a) == w.head(own) {
			t.Errorf("a ground that two layers share is held %d times", len(w.held)-1)
		}
		set(a, b, Terrain{})
		name, place := w.buffer.Name(), w.head(a)
		// What is needed no more makes room for what is; the rest stays where it is.
		set(a, grown(0.4), Terrain{})
		if w.buffer.Name() != name || w.head(a) != place || len(w.held) != 3 {
			t.Errorf("another ground, of the same size, moved %v to %v", place, w.head(a))
		}
		for _, h := range w.held {
			records := make([][4]int32, recordCount(h.Terrain))
			w.buffer.Read(h.first, records)
			for i, want := range wallRecords(h.Terrain) {
				if records[i] != want {
					t.Fatalf("record %d of a ground is %v, want %v", i, records[i], want)
				}
			}
		}
		heads := make([][4]int32, 3)
		w.buffer.Read(0, heads)
		if heads[0] != w.head(a) || heads[2] != w.head(own) || heads[1] == heads[0] {
			t.Errorf("layers find their grounds at %v", heads)
		}
	})
}
