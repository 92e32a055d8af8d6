package engine_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/explore"
	"github.com/wayfront/wayfront/bvp/grid"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// TestTwoFindItSooner is Dapper's figure 8: both find the object, two in fewer steps than one; the
// one that finds it stops, and so does all of its team, some way off the object.
func TestTwoFindItSooner(t *testing.T) {
	taken := map[string]int{}
	for _, name := range []string{"dapper-8a", "dapper-8b"} {
		s, err := builtin.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		run(t, s, func(_ *gpu.Device, w *engine.World) {
			for w.Crowd().Counters().Reached == 0 && w.Time() < 120 {
				steps(t, w, 1)
			}
			taken[name] = int(w.Ticks())
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

// unknownPlaces are walls of places of 6 x 6 m: rooms with doors, a corridor between offices, and
// pillars in a hall. They fill cells of half a meter, and gaps are three of them wide: local maps of
// such cells close narrower ones.
var unknownPlaces = map[string][]scenes.Rect{
	"rooms":   {{2.5, 0, 3, 1}, {2.5, 2.5, 3, 6}, {0, 3, 0.5, 3.5}, {2, 3, 4, 3.5}, {5.5, 3, 6, 3.5}},
	"offices": {{0, 1.5, 0.5, 2}, {2, 1.5, 3.5, 2}, {5, 1.5, 6, 2}, {0, 4, 1, 4.5}, {2.5, 4, 3.5, 4.5}, {5, 4, 6, 4.5}, {2.5, 0, 3, 2}, {2.5, 4, 3, 6}},
	"hall":    {{1.5, 1.5, 2.5, 2.5}, {4, 1.5, 4.5, 2.5}, {1.5, 4, 2.5, 4.5}, {4, 4, 4.5, 4.5}},
}

// batch is how many starts share a world.
const batch = 5

// teamsOfOneAndTwo is a scene of ten copies of a place, walled off from each other, each with a team
// that seeks an object there: of one explorer in the first five, of two in the others, from the same
// five starts for the same objects.
func teamsOfOneAndTwo(t *testing.T, place []scenes.Rect, firstSeed int, frontier string) *scenes.Scene {
	const side = 6.0
	var walls, groups, objects []string
	rect := func(x, y float64, r scenes.Rect) {
		walls = append(walls, fmt.Sprintf(`{"rect": [%g, %g, %g, %g]}`, x+r[0], y+r[1], x+r[2], y+r[3]))
	}
	rect(0, side, scenes.Rect{0, -0.01, side * batch, 0.01})
	for i := 1; i < batch; i++ {
		rect(side*float64(i), 0, scenes.Rect{-0.01, 0, 0.01, 2 * side})
	}
	for n := range 2 * batch {
		x, y := side*float64(n%batch), side*float64(n/batch)
		for _, r := range place {
			rect(x, y, r)
		}
		r := rand.New(rand.NewPCG(uint64(firstSeed+n%batch), 8))
		free := func(ok func(p mgl64.Vec2) bool) mgl64.Vec2 {
			for {
				p := mgl64.Vec2{0.6 + (side-1.2)*r.Float64(), 0.6 + (side-1.2)*r.Float64()}
				if ok(p) && !slices.ContainsFunc(place, func(w scenes.Rect) bool {
					return p[0] > w[0]-0.4 && p[0] < w[2]+0.4 && p[1] > w[1]-0.4 && p[1] < w[3]+0.4
				}) {
					return p
				}
			}
		}
		start := free(func(mgl64.Vec2) bool { return true })
		second := free(func(p mgl64.Vec2) bool { return p.Sub(start).Len() > 0.6 && p.Sub(start).Len() < 2 })
		object := free(func(p mgl64.Vec2) bool { return p.Sub(start).Len() > 2.5 })
		points := fmt.Sprintf("[%g, %g]", x+start[0], y+start[1])
		if n >= batch {
			points += fmt.Sprintf(", [%g, %g]", x+second[0], y+second[1])
		}
		objects = append(objects, fmt.Sprintf("[%g, %g]", x+object[0], y+object[1]))
		groups = append(groups, fmt.Sprintf(`{"spawn": {"points": [%s]}, "onArrival": "stay", "explores": {"team": "team %d"%s}}`, points, n, frontier))
	}
	return open(t, fmt.Sprintf(`{"version": 1, "domain": [0, 0, %g, %g], "obstacles": [%s], "goals": [{"points": [%s]}],
		"profiles": [{"id": "p", "steering": "bvp", "avoidance": "none", "preferredSpeed": 1.3, "bvp": {"cells": 11, "cellSize": 0.5, "relaxations": 15}}],
		"groups": [%s], "map": {"size": 64}, "simulation": {"timestep": 0.2}}`, side*batch, 2*side, strings.Join(walls, ", "), strings.Join(objects, ", "), strings.Join(groups, ", ")))
}

// teamOf is the team of an agent of such a scene.
func teamOf(agent int) int {
	if agent < batch {
		return agent
	}
	return batch + (agent-batch)/2
}

// TestTwoBeatOne: in three places, from 20 starts each, two explorers find the object in fewer steps
// than one, in the mean and more often than not, by the papers' potential and by frontiers. None goes
// through an obstacle, steps read nothing back, and the same search again ends in the same state.
// Where they are to keep apart, the targets of teammates are less often near each other than where
// they are not.
func TestTwoBeatOne(t *testing.T) {
	const seeds = 20
	near, pairs := map[string]float64{}, map[string]float64{}
	for name, place := range unknownPlaces {
		for form, frontier := range map[string]string{"potential": "", "frontier": `, "frontier": {}`, "together": `, "frontier": {"apart": 0}`} {
			if form == "together" && name != "hall" {
				continue
			}
			one, two, sooner := 0, 0, 0
			for first := 0; first < seeds; first += batch {
				s := teamsOfOneAndTwo(t, place, first, frontier)
				const twice = 10 // steps
				var hash uint64
				if first == 0 {
					run(t, s, func(_ *gpu.Device, w *engine.World) {
						steps(t, w, twice)
						hash = hashOf(t, w)
					})
				}
				run(t, s, func(d *gpu.Device, w *engine.World) {
					var taken [2 * batch]int
					before := crowd(w)
					choices := make([]explore.Choice, len(before))
					for left := len(taken); left > 0 && w.Time() < 60; {
						reads := d.Readbacks()
						steps(t, w, 1)
						if d.Readbacks() != reads {
							t.Fatalf("%s, %s: steps read back", name, form)
						}
						if first == 0 && w.Ticks() == twice && hashOf(t, w) != hash {
							t.Errorf("%s, %s: after %d steps the state is %x, and then %x", name, form, twice, hash, hashOf(t, w))
						}
						after := crowd(w)
						for i, a := range after {
							from, to := world2(w, before[i]), world2(w, a)
							for _, o := range s.Obstacles {
								if goesThrough(from, to, mgl64.Vec2{o.Rect[0], o.Rect[1]}, mgl64.Vec2{o.Rect[2], o.Rect[3]}) {
									t.Fatalf("%s, %s: at %g s explorer %d goes from %v to %v, through %v", name, form, w.Time(), i, from, to, *o.Rect)
								}
							}
							if a.Status == agents.Arrived && taken[teamOf(i)] == 0 {
								taken[teamOf(i)] = int(w.Ticks())
								left--
							}
						}
						before = after
						if name != "hall" || form == "potential" {
							continue
						}
						w.Teams().Choices().Read(0, choices)
						for i := batch; i < len(after); i += 2 {
							if a, b := choices[i], choices[i+1]; a.Held == 1 && b.Held == 1 {
								pairs[form]++
								if apart(w.Teams().Grid(), a.Target, b.Target) < 2 {
									near[form]++
								}
							}
						}
					}
					for k := range batch {
						alone, both := taken[k], taken[batch+k]
						if alone == 0 || both == 0 {
							t.Errorf("%s, %s: from start %d the object is found after %d steps by one and %d by two, 0: never", name, form, first+k, alone, both)
						}
						one, two = one+alone, two+both
						if both <= alone {
							sooner++
						}
					}
				})
			}
			t.Logf("%s, %s: one takes %d steps, two %d, and are as soon in %d of %d", name, form, one/seeds, two/seeds, sooner, seeds)
			if form != "together" && (two >= one || 2*sooner <= seeds) {
				t.Errorf("%s, %s: one takes %d steps, two %d, and are as soon in %d of %d", name, form, one/seeds, two/seeds, sooner, seeds)
			}
		}
	}
	split, together := near["frontier"]/pairs["frontier"], near["together"]/pairs["together"]
	t.Logf("hall: %.2f of all pairs of targets are near, %.2f of those that need not be apart", split, together)
	if split > 0.8*together {
		t.Errorf("hall: %.2f of all pairs of targets are near, %.2f of those that need not be apart", split, together)
	}
}

// apart is how far two cells of a grid are from each other, m, along the axis where they are farther.
func apart(g *grid.Grid, a, b uint32) float64 {
	off := g.Middle(int(a)).Sub(g.Middle(int(b)))
	return max(math.Abs(off[0]), math.Abs(off[1]))
}

// goesThrough reports whether a line meets a rectangle: no axis of its sides, nor that across the line,
// separates them.
func goesThrough(a, b, low, high mgl64.Vec2) bool {
	for k := range 2 {
		if max(a[k], b[k]) < low[k] || min(a[k], b[k]) > high[k] {
			return false
		}
	}
	left, right := false, false
	for _, corner := range []mgl64.Vec2{low, {low[0], high[1]}, high, {high[0], low[1]}} {
		d, off := b.Sub(a), corner.Sub(a)
		side := d[0]*off[1] - d[1]*off[0]
		left, right = left || side >= 0, right || side <= 0
	}
	return left && right
}

// TestExplorersLeaveRooms: out of rooms that are smaller than the local map, and into the next one,
// until the object is seen.
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

// TestExplorersKnowNothing: explorers head for what they do not know, not for the goal's map;
// without a team every agent knows what it has seen alone; where nothing unknown is left to reach,
// they stand, and are lost; not before, be the goal out of reach or not. An agent with two goals
// goes on from the first to look for the second.
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
			t.Fatal("none explores")
		}
		for agent := range 3 { // each by himself
			if team, ok := w.Team(agent); !ok || team != agent {
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
			t.Errorf("the agent with two goals is at %v of stage %d, status %d", world2(w, a), a.Stage, a.Status)
		}
		if off := world2(w, state[2]).Sub(mgl64.Vec2{9, 7}).Len(); off > 0.5 {
			t.Errorf("the agent that leaves by its second goal has left %.2f m off it", off)
		}
		// All of their rooms but for what lies beside walls: 10 m and 7 m long, 8 m wide, in cells
		// of 24 m / 96.
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

// TestExplorersLoop: an agent that begins its itinerary again walks to what it has seen, and goes
// on from one goal to the next.
func TestExplorersLoop(t *testing.T) {
	s := open(t, `{"version": 1, "domain": [0, 0, 12, 6], "obstacles": [{"rect": [6, 0, 6.3, 4]}],
		"goals": [{"id": "a", "points": [[11, 1]], "arrivalRadius": 0.5}, {"id": "b", "points": [[1, 5]], "arrivalRadius": 0.5}],
		"profiles": [{"id": "p", "steering": "bvp", "avoidance": "none"}],
		"groups": [{"spawn": {"points": [[2, 2]]}, "itinerary": ["a", "b"], "onArrival": "loop", "explores": {}}], "map": {"size": 120}}`)
	run(t, s, func(_ *gpu.Device, w *engine.World) {
		west, crossings := true, 0
		for w.Time() < 120 && crossings < 4 {
			steps(t, w, 1)
			if x := crowd(w)[0].Position[0]; west && x > 10 || !west && x < 2 {
				west = !west
				crossings++
			}
		}
		if a := crowd(w)[0]; crossings < 4 || a.Arrivals < 1 || a.Status != agents.Walking {
			t.Errorf("after %g s the explorer is at %v for the %d time, status %d, %d arrivals", w.Time(), world2(w, a), crossings, a.Status, a.Arrivals)
		}
	})
}

// TestGoalsThatMoveAreSoughtAgain: a goal that is taken to where an agent has been, but is not any
// more, is not found; one that is put before its feet is.
func TestGoalsThatMoveAreSoughtAgain(t *testing.T) {
	s := open(t, `{"version": 1, "domain": [0, 0, 24, 4], "goals": [{"id": "g", "points": [[23, 2]]}],
		"profiles": [{"id": "p", "steering": "bvp", "avoidance": "none", "bvp": {"cells": 21}}],
		"groups": [{"spawn": {"points": [[2, 2]]}, "onArrival": "stay", "explores": {}}], "map": {"size": 120}}`)
	run(t, s, func(_ *gpu.Device, w *engine.World) {
		goal := w.Goals()[0]
		for crowd(w)[0].Position[0] < 12 {
			if steps(t, w, 1); w.Time() > 60 {
				t.Fatal("the explorer does not come by")
			}
		}
		grid := w.Teams().Grid()
		words := make([]uint32, w.Teams().Seen().Len())
		w.Teams().Seen().Read(0, words)
		if cell, _ := grid.Cell(mgl64.Vec2{2, 2}); words[cell]&(1<<31) != 0 {
			t.Fatal("the explorer does not know where it began")
		}
		edit(t, w, func(e *engine.Edit) { e.SetSources(goal, at(mgl64.Vec2{2, 2})) })
		for range 50 {
			steps(t, w, 1)
			if a := crowd(w)[0]; a.Status != agents.Walking {
				t.Fatalf("%g s: the explorer at %v has found what it has not seen", w.Time(), world2(w, a))
			}
		}
		edit(t, w, func(e *engine.Edit) { e.SetSources(goal, at(world2(w, crowd(w)[0]).Add(mgl64.Vec2{0.3, 0}))) })
		steps(t, w, 3)
		if a := crowd(w)[0]; a.Status != agents.Arrived {
			t.Errorf("the explorer at %v has status %d before the goal", world2(w, a), a.Status)
		}
	})
}

// TestExplorersThatComeLater: agents that explore do so from when their profile has a local map, in
// the team that there is, whose knowledge stays.
func TestExplorersThatComeLater(t *testing.T) {
	s := open(t, `{"version": 1, "domain": [0, 0, 16, 8], "goals": [{"points": [[15, 1]]}], "obstacles": [{"rect": [10, 0, 10.3, 7]}],
		"profiles": [{"id": "p", "steering": "bvp"}, {"id": "q"}],
		"groups": [{"profile": "p", "spawn": {"points": [[2, 2]]}, "explores": {"team": "a"}},
			{"profile": "q", "spawn": {"points": [[2, 6], [3, 6]]}, "explores": {}}, {"profile": "q", "spawn": {"points": [[5, 6]]}, "explores": {"team": "a"}}], "map": {"size": 120}}`)
	run(t, s, func(_ *gpu.Device, w *engine.World) {
		team := func(want ...int) {
			t.Helper()
			for agent, number := range want {
				if team, ok := w.Team(agent); ok != (number >= 0) || ok && team != number {
					t.Errorf("agent %d is in team %d, %v, want %d", agent, team, ok, number)
				}
			}
		}
		known := func() (counts []int) {
			grid := w.Teams().Grid()
			words := make([]uint32, w.Teams().Seen().Len())
			w.Teams().Seen().Read(0, words)
			counts = make([]int, len(words)/(grid.Columns*grid.Rows))
			for k, word := range words {
				if word&(1<<31) == 0 {
					counts[k/(grid.Columns*grid.Rows)]++
				}
			}
			return counts
		}
		team(0, -1, -1, -1)
		steps(t, w, 10)
		before := known()
		m, _ := engine.LocalMap(w, 0)
		if err := engine.SetLocalMap(w, 1, &m); err != nil {
			t.Fatal(err)
		}
		team(0, 1, 2, 0)
		if now := known(); len(before) != 1 || len(now) != 3 || now[0] != before[0] || now[1] != 0 || now[2] != 0 {
			t.Errorf("teams know %v cells, before %v", now, before)
		}
		steps(t, w, 10)
		if now := known(); now[0] <= before[0] || now[1] == 0 || now[2] == 0 {
			t.Errorf("teams know %v cells, before %v", now, before)
		}
		if err := engine.SetLocalMap(w, 1, nil); err != nil {
			t.Fatal(err)
		}
		team(0, -1, -1, -1)
		for _, agent := range []int{-1, 4} {
			func() {
				defer func() {
					if said, _ := recover().(string); !strings.HasPrefix(said, "engine: ") {
						t.Errorf("agent %d: %q", agent, said)
					}
				}()
				w.Team(agent)
			}()
		}
	})
}

// TestTooManyTeams: where the maps of all do not fit none explores, and all stays as it
// was.
func TestTooManyTeams(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		count := d.Info().Limits.MaxStorageBlock/(128*128*4) + 1
		w, err := engine.New(d, open(t, fmt.Sprintf(`{"version": 1, "domain": [0, 0, 100, 100], "goals": [{"points": [[99, 99]]}], "profiles": [{"id": "p", "radius": 0.1}],
			"groups": [{"count": %d, "spawn": {"rect": [1, 1, 99, 99]}, "explores": {}}], "map": {"size": 64}}`, count)), engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		m := scenes.Default[scenes.BVP]()
		var full *gpu.CapacityError
		if err := engine.SetLocalMap(w, 0, &m); !errors.As(err, &full) {
			t.Fatalf("%d maps of 128 x 128 cells: %v", count, err)
		}
		if _, ok := w.Team(0); ok || w.Teams() != nil {
			t.Errorf("an agent explores: %v, maps %v", ok, w.Teams())
		}
		steps(t, w, 1)
	})
}
