package engine_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
)

// present calls f with all agents that are there, having checked that each is on free ground.
func present(t *testing.T, w *engine.World, f func(i int, at mgl64.Vec2, a agents.Agent)) {
	t.Helper()
	for i, a := range crowd(w) {
		if a.Status != agents.Walking && a.Status != agents.Arrived {
			continue
		}
		at := mgl64.Vec2{float64(a.Position[0]), float64(a.Position[1])}
		if _, ok := w.Ground().Standing(at); !ok || math.IsNaN(float64(a.Velocity[0]+a.Velocity[1])) {
			t.Fatalf("tick %d: agent %d is in an obstacle: %+v", w.Ticks(), i, a)
		}
		f(i, at, a)
	}
}

// A wall that comes nearer, until 9 m2 are left for 24, pushes agents together, but none through
// the wall behind them, however thin that is; and what was pressed has room again when it goes
// back.
func TestPress(t *testing.T) {
	for _, m := range manners {
		t.Run(m.String(), func(t *testing.T) {
			s := open(t, m.in(`{"version": 1, "domain": [0, 0, 14, 6], "simulation": {"timestep": 0.1},
				"obstacles": [{"id": "press", "rect": [0, 0, 2, 6], "motion": {"path": [[0, 0], [6.5, 0]], "speed": 1}}, {"rect": [10, 0, 10.000001, 6]}],
				"goals": [{"id": "g", "points": [[9, 3]], "arrivalRadius": 0.4}],
				"groups": [{"profile": "p", "count": 24, "spawn": {"rect": [2.5, 0.3, 9.5, 5.7]}, "onArrival": "stay"}]`))
			run(t, s, func(d *gpu.Device, w *engine.World) {
				if err := w.Crowd().Measure(true); err != nil {
					t.Fatal(err)
				}
				for range 130 {
					steps(t, w, 1)
					// The press goes on for 6.5 s, at 1 m/s, and back. The ground is that at the
					// beginning of the tick.
					time := w.Time() - 0.1
					face := 2 + math.Min(time, 13-time)
					present(t, w, func(i int, at mgl64.Vec2, a agents.Agent) {
						if at[0] < face-1e-4 || at[0] > 10+1e-4 {
							t.Fatalf("tick %d: agent %d is at %v, not between %v and the wall", w.Ticks(), i, at, face)
						}
					})
				}
				c := w.Crowd().CountersNow()
				if c.Tally.WallPenetration != 0 || c.Buried != 0 || c.Walking+c.Arrived != 24 {
					t.Errorf("%+v", c)
				}
				// At the end people have parted.
				before := c.Tally.Contacts
				steps(t, w, 1)
				if now := w.Crowd().CountersNow().Tally.Contacts; now != before {
					t.Errorf("%d pairs still overlap", now-before)
				}
			})
		})
	}
}

// A door that shuts on a crowd leaves all on one of its sides: agents that it meets it pushes out,
// counted; after that none passes.
func TestDoorShutsOnACrowd(t *testing.T) {
	for _, m := range manners {
		t.Run(m.String(), func(t *testing.T) {
			s := open(t, m.in(`{"version": 1, "domain": [0, 0, 16, 8], "simulation": {"timestep": 0.1},
				"obstacles": [{"rect": [7.5, 0, 8.5, 3]}, {"id": "door", "rect": [7.5, 3, 8.5, 5], "open": [[0, 4], [12, 100]]}, {"rect": [7.5, 5, 8.5, 8]}],
				"goals": [{"id": "g", "points": [[15, 4]]}],
				"groups": [{"profile": "p", "count": 40, "spawn": {"rect": [2, 1, 7, 7]}}]`))
			run(t, s, func(d *gpu.Device, w *engine.World) {
				east := func() (n int) {
					gone := w.Crowd().CountersNow().Left
					present(t, w, func(_ int, at mgl64.Vec2, _ agents.Agent) {
						if at[0] > 8 {
							n++
						}
					})
					return n + gone
				}
				steps(t, w, 40)
				open, displaced := east(), w.Crowd().CountersNow().Displaced
				if open == 0 || open == 40 || displaced != 0 {
					t.Fatalf("%d of 40 have passed before the door shuts, and %d were displaced: that is no test", open, displaced)
				}
				steps(t, w, 1)
				shut, displaced := east(), w.Crowd().CountersNow().Displaced
				if displaced == 0 {
					t.Error("no agent stood in the door when it shut")
				}
				for range 78 {
					steps(t, w, 1)
					if n := east(); n != shut {
						t.Fatalf("tick %d: %d are beyond the door that is shut, there were %d", w.Ticks(), n, shut)
					}
				}
				if n := w.Crowd().CountersNow().Displaced; n != displaced {
					t.Errorf("%d were displaced while nothing moved", n-displaced)
				}
				// They can go nowhere else, so with the door open all get out.
				o, c := finish(t, w, 600)
				if o.arrived != 40 {
					t.Errorf("%+v, %+v", o, c)
				}
			})
		})
	}
}

// Agents in the way of something that moves, that can see it come, get out of its way: none is
// run over.
func TestRoadIsCleared(t *testing.T) {
	for _, m := range manners {
		t.Run(m.String(), func(t *testing.T) {
			s := open(t, m.in(`{"version": 1, "domain": [0, 0, 40, 20], "simulation": {"timestep": 0.1},
				"obstacles": [{"id": "car", "polygon": [[1, 9.3], [1.3, 9], [4.5, 9], [5, 9.5], [5, 10.5], [4.5, 11], [1.3, 11], [1, 10.7]], "motion": {"path": [[0, 0], [33, 0]], "speed": 2.2, "loop": "once"}}],
				"goals": [{"id": "north", "segments": [[[8, 19], [36, 19]]]}, {"id": "south", "segments": [[[8, 1], [36, 1]]]}, {"id": "west", "points": [[1, 10]]}],
				"groups": [{"profile": "p", "count": 8, "spawn": {"rect": [10, 2, 32, 6]}, "itinerary": ["north"]},
					{"profile": "p", "count": 8, "spawn": {"rect": [10, 14, 32, 18]}, "itinerary": ["south"]},
					{"profile": "p", "spawn": {"points": [[30, 10]]}, "itinerary": ["west"]}]`))
			run(t, s, func(d *gpu.Device, w *engine.World) {
				met := 0
				for range 160 {
					steps(t, w, 1)
					nose := 5 + 2.2*math.Min(w.Time()-0.1, 15)
					present(t, w, func(_ int, at mgl64.Vec2, _ agents.Agent) {
						if at[0] > nose && at[0] < nose+3 && at[1] > 8.5 && at[1] < 11.5 {
							met++
						}
					})
				}
				if c := w.Crowd().CountersNow(); c.Displaced != 0 || met == 0 {
					t.Errorf("%d times an agent was before the car; %+v", met, c)
				}
			})
		})
	}
}

// Two runs of a crowd among doors and things that move are the same, tick by tick, under every
// method; another seed makes another run.
func TestSameCrowdSameState(t *testing.T) {
	for _, m := range manners {
		t.Run(m.String(), func(t *testing.T) {
			hashes := func(seed uint64) (all []uint64) {
				s := open(t, m.in(`{"version": 1, "domain": [0, 0, 20, 10],
					"obstacles": [{"rect": [9, 0, 10, 4]}, {"id": "door", "rect": [9, 4, 10, 6], "open": [[1, 4], [6, 50]]}, {"rect": [9, 6, 10, 10]},
						{"id": "cart", "rect": [2, 4, 4, 6], "motion": {"path": [[0, 0], [4, 0]], "speed": 1.1}}],
					"goals": [{"id": "east", "points": [[19, 5]]}, {"id": "west", "points": [[1, 5]]}],
					"groups": [{"profile": "p", "count": 40, "spawn": {"rect": [0.5, 0.5, 8.5, 9.5]}, "itinerary": ["east", "west"], "onArrival": "loop"},
						{"profile": "p", "count": 20, "spawn": {"rect": [11, 1, 19, 9]}, "itinerary": ["west"], "start": {"rate": 4}}]`))
				s.Simulation.Seed = seed
				run(t, s, func(d *gpu.Device, w *engine.World) {
					for range 16 {
						steps(t, w, 5)
						all = append(all, hashOf(t, w))
					}
				})
				return all
			}
			one, again, other := hashes(1), hashes(1), hashes(2)
			for i := range one {
				if one[i] != again[i] || one[i] == other[i] {
					t.Fatalf("after %d ticks the hashes are %x and %x, with another seed %x", 5*(i+1), one[i], again[i], other[i])
				}
			}
		})
	}
}
