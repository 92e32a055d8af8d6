package engine_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// A thin leaf that turns, faster at its tip in a step than it is thick, pushes agents on, which do
// not see it come or do: none is in it, and none on its other side but round its end.
func TestLeafPushesAgents(t *testing.T) {
	for _, m := range append([]manner{{"none", "2"}}, manners...) {
		t.Run(m.String(), func(t *testing.T) {
			s := open(t, m.in(`{"version": 1, "domain": [0, 0, 12, 12], "simulation": {"timestep": 0.1},
				"obstacles": [{"id": "leaf", "rect": [2, 5.98, 10, 6.02], "motion": {"loop": "cycle", "keyframes": [{"time": 0}, {"time": 9, "angle": 360}]}}],
				"goals": [{"id": "g", "points": [[6, 11.5]]}],
				"groups": [{"profile": "p", "count": 30, "spawn": {"rect": [3, 3, 9, 5.5]}, "onArrival": "stay"}]`))
			run(t, s, func(d *gpu.Device, w *engine.World) {
				sides := map[int]bool{}
				for range 100 {
					steps(t, w, 1)
					sin, cos := math.Sincos((w.Time() - 0.1) / 9 * 2 * math.Pi)
					present(t, w, func(i int, at mgl64.Vec2, _ agents.Agent) {
						off := at.Sub(mgl64.Vec2{6, 6})
						along, left := math.Abs(off[0]*cos+off[1]*sin), off[1]*cos-off[0]*sin > 0
						before, known := sides[i]
						if along > 3.6 { // round the end within a step or two
							delete(sides, i)
							return
						}
						if sides[i] = left; known && before != left {
							t.Fatalf("tick %d: agent %d at %v has passed the leaf", w.Ticks(), i, at)
						}
					})
				}
				if c := w.Crowd().CountersNow(); c.Displaced == 0 && m.String() == "none" || c.Buried != 0 {
					t.Errorf("%+v", c)
				}
			})
		})
	}
}

// All agents of the scene with a revolving door and a sliding one get through, and none gets into a
// leaf.
func TestAllPassDoors(t *testing.T) {
	s, err := builtin.Load("doors")
	if err != nil {
		t.Fatal(err)
	}
	run(t, s, func(d *gpu.Device, w *engine.World) {
		for range 100 {
			steps(t, w, 5)
			present(t, w, func(int, mgl64.Vec2, agents.Agent) {})
		}
		if o, c := finish(t, w, 300); o.arrived != 60 || c.Buried != 0 {
			t.Errorf("%+v, %+v", o, c)
		}
	})
}

// What a watched agent knows of the walls near it: each has the velocity that its nearest point has
// until the next tick, by where its obstacle is then.
func TestWallsMoveAsTheirObstacle(t *testing.T) {
	s := open(t, `{"version": 1, "domain": [0, 0, 12, 12], "simulation": {"timestep": 0.1}, "map": {"size": 64},
		"obstacles": [{"id": "leaf", "rect": [4, 5.9, 8, 6.1], "motion": {"loop": "cycle", "pivot": [5, 6], "keyframes": [{"time": 0}, {"time": 8, "offset": [1, 0], "angle": 360}, {"time": 9, "angle": 360}]}},
			{"id": "pillar", "rect": [5, 2, 5.5, 2.5]}],
		"goals": [{"id": "g", "points": [[6, 11.5]]}], "profiles": [{"id": "p", "avoidance": "orca"}],
		"groups": [{"profile": "p", "count": 12, "spawn": {"rect": [3, 3, 9, 5]}, "onArrival": "stay"}]}`)
	leaf := s.Obstacles[0]
	run(t, s, func(d *gpu.Device, w *engine.World) {
		all := w.Agents(nil)
		if err := w.Watch(all...); err != nil {
			t.Fatal(err)
		}
		turned, stood := 0, 0
		for range 30 {
			steps(t, w, 1)
		}
		for range 60 {
			steps(t, w, 1)
			for _, id := range all {
				if mind, ok, err := w.Mind(id); err == nil && ok {
					ofLeaf, others := checkWalls(t, leaf, &mind)
					turned, stood = turned+ofLeaf, stood+others
				}
			}
		}
		if turned < 100 || stood < 30 {
			t.Errorf("%d walls of the leaf and %d others were near: that is no test", turned, stood)
		}
	})
}

// checkWalls compares velocities of walls near an agent with where points of the leaf go within the
// step, and counts walls of the leaf and others.
func checkWalls(t *testing.T, leaf scenes.Obstacle, m *engine.Mind) (ofLeaf, others int) {
	t.Helper()
	const step = 0.1
	start := float64(m.Tick-1) * step
	from, to := leaf.PolygonAt(start).Outer, leaf.PolygonAt(start+step).Outer
	wide := func(v [2]float32) mgl64.Vec2 { return mgl64.Vec2{float64(v[0]), float64(v[1])} }
	nearest := func(p, a, b mgl64.Vec2) float64 {
		return min(max(p.Sub(a).Dot(b.Sub(a))/b.Sub(a).LenSqr(), 0), 1)
	}
	mix := func(a, b mgl64.Vec2, share float64) mgl64.Vec2 { return a.Add(b.Sub(a).Mul(share)) }
	for _, w := range m.Reasons.Walls {
		a, b := wide(w.A), wide(w.B)
		p := mix(a, b, nearest(mgl64.Vec2{}, a, b)).Add(wide(m.Reasons.Place))
		var want mgl64.Vec2
		on := false
		for i := range from {
			k := (i + 1) % len(from)
			share := nearest(p, from[i], from[k])
			if q := mix(from[i], from[k], share); q.Sub(p).Len() < 1e-4 {
				want, on = mix(to[i], to[k], share).Sub(q).Mul(1/step), true
			}
		}
		if on {
			ofLeaf++
		} else {
			others++
		}
		// The places of walls are rounded to 1e-5 m, over a turn of 8 s, and velocities to float32.
		if got := wide(w.Velocity); got.Sub(want).Len() > 1e-4 {
			t.Fatalf("tick %d: the wall from %v to %v, nearest at %v, has the velocity %v, want %v", m.Tick, a, b, p, got, want)
		}
	}
	return ofLeaf, others
}
