package engine_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/bvp/reference"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// manyMaps has agents with local maps of odd and even cells, of two guides, that explore, with
// inertia and without, and flat ones, which a relaxation a tick does not reach for long; among
// agents of every method.
const manyMaps = `{"version": 1, "domain": [0, 0, 16, 10],
	"obstacles": [{"rect": [7, 0, 7.5, 8]}],
	"goals": [{"id": "east", "points": [[15, 5]]}, {"id": "west", "points": [[1, 9]], "clearance": 0.3}],
	"profiles": [
		{"id": "odd", "steering": "bvp", "avoidance": "orca", "bvp": {"cells": 11, "cellSize": 0.3, "bias": {"strength": 0.4, "direction": [0, 1]}}},
		{"id": "even", "steering": "bvp", "avoidance": "none", "bvp": {"cells": 20, "guide": "harmonic", "inertia": 0.6}},
		{"id": "seeker", "steering": "bvp", "avoidance": "rvo", "bvp": {"cells": 15, "speedControl": false}},
		{"id": "sides", "avoidance": "clearpath", "clearpath": {"variant": 1}}, {"id": "cones", "avoidance": "clearpath"}, {"id": "straight", "avoidance": "orca", "steering": "direct"},
		{"id": "slow", "steering": "bvp", "bvp": {"cells": 41, "relaxations": 1}}],
	"groups": [
		{"profile": "odd", "count": 4, "spawn": {"rect": [1, 1, 6, 8]}, "itinerary": ["east", "west"], "onArrival": "loop"},
		{"profile": "even", "count": 3, "spawn": {"rect": [8, 4, 11, 8]}, "itinerary": ["west"], "onArrival": "leave"},
		{"profile": "seeker", "count": 3, "spawn": {"rect": [1, 1, 6, 8]}, "itinerary": ["east"], "onArrival": "stay", "explores": {"team": "a"}},
		{"profile": "sides", "count": 4, "spawn": {"rect": [1, 1, 6, 8]}, "itinerary": ["east"], "onArrival": "leave"},
		{"profile": "cones", "count": 4, "spawn": {"rect": [8, 4, 15, 8]}, "itinerary": ["west"], "onArrival": "leave", "start": {"at": 1, "rate": 2}},
		{"profile": "straight", "count": 4, "spawn": {"rect": [8, 4, 15, 8]}, "itinerary": ["west", "east"], "onArrival": "loop"}],
	"map": {"size": 64}}`

// mapOf is the local map of an agent after a tick, with its walker before the tick.
type mapOf struct {
	tick      uint64
	before, w local.Walker
	p         local.Potential[float32]
}

// slope is the gradient of a potential at its agent, 1/m: the differences of the cells on either
// side of those that it stands in, which are one or four.
func slope(p local.Potential[float32], cellSize float64) (g mgl64.Vec2) {
	at := func(i, j int) float64 { return float64(p.Q[j*p.Cells+i]) }
	near := []int{p.Cells / 2}
	if p.Cells%2 == 0 {
		near = []int{p.Cells/2 - 1, p.Cells / 2}
	}
	for _, i := range near {
		for _, j := range near {
			g = g.Add(mgl64.Vec2{at(i+1, j) - at(i-1, j), at(i, j+1) - at(i, j-1)})
		}
	}
	return g.Mul(1 / (2 * cellSize * float64(len(near)*len(near))))
}

// TestReasonsOfLocalMaps: gradient, guide and heading of minds are those of the potentials that
// were there in their tick, and the preferred velocity is what a plain form of steering makes of
// them.
func TestReasonsOfLocalMaps(t *testing.T) {
	run(t, open(t, manyMaps), func(_ *gpu.Device, w *engine.World) {
		var slow engine.AgentID
		edit(t, w, func(e *engine.Edit) {
			slow = e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{13, 2}, Goal: w.Goals()[0], Profile: w.Profiles()[6]})[0]
		})
		steps(t, w, 1)
		ids := append(w.Agents(nil)[:10], slow)
		watchAll(t, w, ids...)
		maps := w.LocalMaps()
		kept, checked, flat := map[engine.AgentID][]mapOf{}, 0, 0
		for range 40 {
			steps(t, w, 1)
			for _, id := range ids {
				walker, ok := maps.Walker(int(uint32(id)))
				if !ok {
					t.Fatalf("the agent %#x has no walker", id)
				}
				now := mapOf{tick: w.Ticks()}
				now.w, now.p = maps.Read(walker)
				if n := len(kept[id]); n > 0 {
					now.before = kept[id][n-1].w
				}
				kept[id] = append(kept[id], now)
				m, ok, err := w.Mind(id)
				if err != nil || !ok || len(kept[id]) < 5 {
					continue
				}
				was := kept[id][len(kept[id])-4]
				if was.w.Body == local.NotThere {
					continue
				}
				checked++
				if m.Reasons.Local.Flat {
					flat++
				}
				if m.Tick != was.tick || m.Reasons.Local.Walker != walker {
					t.Fatalf("tick %d: %+v", was.tick, m)
				}
				sameMap(t, &m.Reasons, &was, maps.Parameters(walker))
			}
		}
		if checked < 300 || flat == 0 {
			t.Errorf("only %d maps were compared, %d of them flat", checked, flat)
		}
	})
}

// sameMap compares reasons with the map of their tick.
func sameMap(t *testing.T, r *agents.Reasons, was *mapOf, p scenes.BVP) {
	t.Helper()
	l := r.Local
	// Differences of float32 below 1 are exact but for a rounding each, 8 of 2^-24 in all.
	if want := slope(was.p, p.CellSize); vec64(l.Gradient).Sub(want).Len() > 8/(p.CellSize*(1<<24)) || l.Flat != (want == mgl64.Vec2{}) {
		t.Errorf("tick %d: the gradient is %v, flat %v; that of the potentials is %v", was.tick, l.Gradient, l.Flat, want)
	}
	if l.Guide != was.w.Guide || l.Heading != was.w.Heading || l.Cells != was.p.Cells || l.Cells != p.Cells {
		t.Errorf("tick %d: %+v, but the walker is %+v", was.tick, l, was.w)
	}
	walker := was.w // its inputs are those of the tick
	walker.Heading, walker.Stood = was.before.Heading, was.before.Stood
	want, _ := reference.Steer(was.p, &walker, local.SettingsAt(p, 0, 0.1))
	if r.Preferred != want || l.Heading != walker.Heading {
		t.Errorf("tick %d: prefers %v, heading %v; by the plain form %v, %v", was.tick, r.Preferred, l.Heading, want, walker.Heading)
	}
	if math.Abs(float64(l.Heading)) > math.Pi+1e-6 {
		t.Errorf("tick %d: heading %v", was.tick, l.Heading)
	}
}

// TestWatchAcrossEdits: agents stay watched while profiles change, are assigned, and agents get
// what is their own, while another is removed, while it rolls back, and while the slot of a removed
// one is used again: minds come again within four ticks, with what is new, and no hash changes.
func TestWatchAcrossEdits(t *testing.T) {
	s := open(t, manyMaps)
	var hashes [2][]uint64
	for i := range hashes {
		run(t, s, func(_ *gpu.Device, w *engine.World) { hashes[i] = editWatched(t, w, i == 1) })
	}
	if !slices.Equal(hashes[0], hashes[1]) {
		t.Errorf("hashes are %x, of watched agents %x", hashes[0], hashes[1])
	}
}

// editWatched runs a world with edits, and returns its hashes.
func editWatched(t *testing.T, w *engine.World, watched bool) (hashes []uint64) {
	odd, _, sides, straight := w.Profiles()[0], w.Profiles()[1], w.Profiles()[3], w.Profiles()[5]
	ids := w.Agents(nil)
	all, last := []engine.AgentID{ids[0], ids[1], ids[10], ids[18]}, 3 // of odd, odd, sides, straight; those that are left
	if watched {
		watchAll(t, w, all...)
	}
	check := func(want func(i int, r *agents.Reasons) bool) {
		t.Helper()
		steps(t, w, 4)
		hashes = append(hashes, hashOf(t, w))
		for i, id := range all[:last+1] {
			m, ok, err := w.Mind(id)
			if err != nil || ok != watched || ok && (m.Tick != w.Ticks()-3 || m.Agent != id || !want(i, &m.Reasons)) {
				t.Errorf("tick %d: agent %d: %v, %v: %+v", w.Ticks(), i, ok, err, m)
			}
		}
	}
	maps := func(r *agents.Reasons) bool { return r.Local.Walker >= 0 }
	check(func(i int, r *agents.Reasons) bool { return maps(r) == (i < 2) })

	edit(t, w, func(e *engine.Edit) { e.AssignProfile(odd, ids[10]); e.AssignProfile(straight, ids[1]) })
	check(func(i int, r *agents.Reasons) bool { return maps(r) == (i%2 == 0) && r.Method != agents.NoMethod })

	p, err := w.Profile(straight)
	if err != nil {
		t.Fatal(err)
	}
	p.Avoidance, p.MaxNeighbors, p.Radius = scenes.AvoidanceRVO, 30, scenes.Exactly(0.15)
	p.RVO.Samples = 100
	edit(t, w, func(e *engine.Edit) { e.SetProfile(straight, p) })
	check(func(i int, r *agents.Reasons) bool {
		return (r.Outcome == agents.Cheapest && len(r.Candidates) == 101 && r.Radius == 0.15) == (i%2 == 1)
	})

	own, err := w.Individual(ids[0])
	if err != nil {
		t.Fatal(err)
	}
	own.Radius, own.PreferredSpeed, own.BVP.Cells = 0.125, 0.75, 13
	edit(t, w, func(e *engine.Edit) { e.SetIndividual(ids[0], own) })
	check(func(i int, r *agents.Reasons) bool {
		return (r.Radius == 0.125 && r.PreferredSpeed == 0.75 && r.Local.Cells == 13) == (i == 0)
	})

	c, err := w.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Free()
	edit(t, w, func(e *engine.Edit) { e.Remove(ids[18]); e.AssignProfile(sides, ids[0]) })
	last = 2
	check(func(i int, r *agents.Reasons) bool { return maps(r) == (i == 2) })
	if m, ok, err := w.Mind(ids[18]); watched && (err != nil || !ok || m.Because != engine.Gone || m.Agent != ids[18]) {
		t.Errorf("an agent that was removed has the mind %+v, %v, %v", m, ok, err)
	}
	var heir engine.AgentID
	for tries := 0; uint32(heir) != uint32(ids[18]); tries++ {
		if tries == 10 {
			t.Fatal("no agent gets the slot")
		}
		steps(t, w, 1)
		edit(t, w, func(e *engine.Edit) {
			heir = e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{14.5, 0.5 + 0.8*float64(tries)}, Goal: w.Goals()[1], Profile: straight})[0]
		})
	}
	check(func(i int, r *agents.Reasons) bool { return maps(r) == (i == 2) })
	var stale *engine.HandleError
	if _, _, err := w.Mind(ids[18]); !errors.As(err, &stale) {
		t.Errorf("an agent whose slot another one has gives %v", err)
	}
	if _, ok, err := w.Mind(heir); ok || err != nil {
		t.Errorf("what got the slot of a watched agent has a mind, or %v", err)
	}

	if err := w.Rollback(c); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Mind(heir); err == nil {
		t.Error("what got the slot has a handle after the rollback")
	}
	last = 3
	check(func(i int, r *agents.Reasons) bool { return maps(r) == (i%2 == 0) })
	return hashes
}

// TestGoneIsShown: the reasons of a watched agent end with those of the tick that it has left in,
// also where events make its handle stale in the tick that these arrive in.
func TestGoneIsShown(t *testing.T) {
	s := open(t, `{"version": 1, "domain": [0, 0, 10, 10], "goals": [{"id": "g", "points": [[8, 5]]}], "profiles": [{"avoidance": "none"}],
		"groups": [{"count": 1, "spawn": {"points": [[6, 5]]}, "onArrival": "leave"}], "map": {"size": 20}}`)
	gputest.Run(t, func(d *gpu.Device) {
		w, err := engine.New(d, s, engine.Options{Events: engine.AllEvents})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		id, left := w.Agents(nil)[0], uint64(0)
		watchAll(t, w, id)
		for range 60 {
			steps(t, w, 1)
			for _, e := range w.Events(nil) {
				if e.Kinds&engine.Left != 0 {
					left = e.Tick
				}
			}
			m, ok, err := w.Mind(id)
			if err != nil || ok != (w.Ticks() > 3) || ok && (m.Because == engine.Gone) != (left > 0 && m.Tick >= left) {
				t.Fatalf("tick %d, it left in %d: %+v, %v, %v", w.Ticks(), left, m, ok, err)
			}
		}
		if left == 0 || engine.Has(w, id) {
			t.Errorf("it left in tick %d, and is there: %v", left, engine.Has(w, id))
		}
	})
}
