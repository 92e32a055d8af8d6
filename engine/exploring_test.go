package engine_test

import (
	"testing"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// TestTwoFindItSooner is Dapper's figure 8: both find the object, two in fewer steps than one; who finds it stops, and so do all of his
// team, some way off the object. Steps read nothing back, and the same search again ends in the same state.
func TestTwoFindItSooner(t *testing.T) {
	taken, hashes := map[string]int{}, map[string]uint64{}
	for _, name := range []string{"dapper-8a", "dapper-8b", "dapper-8b"} {
		s, err := scenes.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		run(t, s, func(d *gpu.Device, w *engine.World) {
			reads := d.Readbacks()
			c := w.Crowd().Counters()
			for c.Reached == 0 && w.Time() < 120 {
				steps(t, w, 1)
				c = w.Crowd().Counters()
			}
			if d.Readbacks() != reads {
				t.Errorf("%s: steps read back", name)
			}
			if hash, again := hashes[name]; again && hash != w.StateHash() {
				t.Errorf("%s ends in %x, and then in %x", name, hash, w.StateHash())
			}
			taken[name], hashes[name] = int(w.Ticks()), w.StateHash()
			for i, a := range crowd(w) {
				if a.Status != agents.Arrived || a.Arrivals != 1 {
					t.Errorf("%s: explorer %d is at %v, status %d", name, i, world2(w, a), a.Status)
				}
				if off := world2(w, a).Sub(s.Goals[0].Points[0]).Len(); off < 1 {
					t.Errorf("%s: explorer %d has gone on to %.2f m from the object", name, i, off)
				}
			}
		})
	}
	t.Logf("one takes %d steps, two %d", taken["dapper-8a"], taken["dapper-8b"])
	if taken["dapper-8b"] >= taken["dapper-8a"] {
		t.Errorf("one takes %d steps, two %d", taken["dapper-8a"], taken["dapper-8b"])
	}
}

// TestExplorersLeaveRooms: out of rooms that are smaller than the local map, and into the next one, until the object is seen.
func TestExplorersLeaveRooms(t *testing.T) {
	s := open(t, `{"version": 1, "domain": [0, 0, 20, 4], "goals": [{"points": [[19, 1]]}],
		"obstacles": [{"rect": [4, 1.2, 4.3, 4]}, {"rect": [8, 0, 8.3, 2.8]}, {"rect": [12, 1.2, 12.3, 4]}, {"rect": [16, 0, 16.3, 2.8]}],
		"profiles": [{"id": "p", "steering": "bvp", "avoidance": "none", "bvp": {"cells": 63}}],
		"groups": [{"spawn": {"points": [[1, 3]]}, "explores": {}, "onArrival": "stay"}], "map": {"size": 200}}`)
	run(t, s, func(_ *gpu.Device, w *engine.World) {
		if !arrive(t, w, 60) {
			t.Errorf("after 60 s the explorer is at %v", world2(w, crowd(w)[0]))
		}
	})
}

// TestExplorersKnowNothing: explorers head for what they do not know, not for the goal's map; without a team everybody knows what he has
// seen alone; where nothing unknown is left to reach, they stand, and are lost; not before, be the goal out of reach or not. Who has two goals goes on from the first to look for the second.
func TestExplorersKnowNothing(t *testing.T) {
	s := open(t, `{"version": 1, "domain": [0, 0, 24, 8], "obstacles": [{"rect": [10, 0, 11, 8]}, {"rect": [18, 0, 19, 8]}],
		"goals": [{"id": "far", "points": [[23, 4]]}, {"id": "first", "points": [[1, 1]]}, {"id": "second", "points": [[9, 7]]}],
		"profiles": [{"id": "p", "steering": "bvp", "avoidance": "none", "bvp": {"relaxations": 40, "cells": 15}}],
		"groups": [
			{"id": "lone", "count": 2, "spawn": {"points": [[3, 4.1], [14, 3.2]]}, "itinerary": ["far"], "explores": {}},
			{"id": "two", "spawn": {"points": [[5, 3.3]]}, "itinerary": ["first", "second"], "onArrival": "leave", "explores": {"team": "x"}}],
		"map": {"size": 120}}`)
	run(t, s, func(_ *gpu.Device, w *engine.World) {
		teams := w.Teams()
		if teams == nil {
			t.Fatal("nobody explores")
		}
		for agent := range 4 { // there are three, each by himself
			if team, ok := w.Team(agent); ok != (agent < 3) || ok && team != agent {
				t.Errorf("agent %d is in team %d, %v", agent, team, ok)
			}
		}
		grid := teams.Grid()
		cells := grid.Columns * grid.Rows
		known := func() (count [3]int, across int) {
			words := make([]uint32, teams.Seen().Len())
			if len(words) != 3*cells {
				t.Fatalf("maps of %d cells, want three of %d", len(words), cells)
			}
			teams.Seen().Read(0, words)
			for k, word := range words {
				if word&(1<<31) == 0 {
					count[k/cells]++
					// The first begins left of the first wall, the second right of it.
					if left := grid.Middle(k % cells)[0] < 10.5; left == (k/cells == 1) {
						across++
					}
				}
			}
			return count, across
		}
		last := [3]int{}
		for w.Time() < 60 {
			steps(t, w, 20)
			count, across := known()
			if across > 0 {
				t.Fatalf("at %g s %d cells behind walls are known", w.Time(), across)
			}
			for team := range count {
				if count[team] < last[team] {
					t.Fatalf("at %g s team %d knows %d cells, before %d", w.Time(), team, count[team], last[team])
				}
			}
			last = count
			if lost := w.Crowd().CountersNow().Lost; lost > 0 && w.Time() < 4 {
				t.Fatalf("at %g s %d explorers are lost", w.Time(), lost)
			}
		}
		state := crowd(w)
		if a := state[2]; a.Status != agents.Left || a.Arrivals != 1 {
			t.Errorf("who seeks two goals is at %v of stage %d, status %d", world2(w, a), a.Stage, a.Status)
		}
		// All of their rooms but for what lies beside walls: 10 m and 7 m long, 8 m wide, in cells of 24 m / 96.
		for i, room := range []float64{10 * 8, 7 * 8} {
			if area := float64(last[i]) * grid.CellSize() * grid.CellSize(); area < 0.95*room || area > 1.05*room {
				t.Errorf("explorer %d knows %.1f m2 of a room of %.0f", i, area, room)
			}
			if state[i].Status != agents.Walking {
				t.Errorf("explorer %d has status %d", i, state[i].Status)
			}
		}
		before := crowd(w)
		steps(t, w, 50)
		for i, a := range crowd(w)[:2] {
			if a.Position != before[i].Position {
				t.Errorf("explorer %d knows everything, and goes from %v to %v", i, before[i].Position, a.Position)
			}
		}
		if lost := w.Crowd().CountersNow().Lost; lost != 2 {
			t.Errorf("two have nothing left to explore, %d are lost", lost)
		}
	})
}
