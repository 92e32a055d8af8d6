package engine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/bvp/harmonic"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/bvp/reference"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
)

// corridors is a scene of straight corridors side by side, turned by an angle in degrees: 20
// agents, each alone in one of its own, begin within 3/20 of its width from its middle, since
// nearer to a wall the harmonic path itself turns by more, up to a right angle, and walk 21 m to
// its end. Profile says what the local map of each is.
func corridors(angle float64, goal string, timestep float64, profile func(i int) string) string {
	const length, count = 23.0, 20
	widths := []float64{2.5, 3, 3.4, 4, 5}
	height := 0.5
	for i := range count {
		height += widths[i%len(widths)] + 0.5
	}
	sin, cos := math.Sincos(angle * math.Pi / 180)
	at := func(x, y float64) string { // within the first quadrant for up to 90 degrees
		return fmt.Sprintf("[%.4f, %.4f]", cos*x-sin*y+sin*height, sin*x+cos*y)
	}
	wall := func(x0, y0, x1, y1 float64) string {
		return fmt.Sprintf(`{"polygon": [%s, %s, %s, %s]}`, at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1))
	}
	obstacles := []string{wall(0, 0, length, 0.5), wall(0, 0.5, 0.5, height), wall(length-0.5, 0.5, length, height)}
	var goals, profiles, groups []string
	y := 0.5
	for i := range count {
		width := widths[i%len(widths)]
		middle := y + width/2
		off := width * 0.15 * math.Remainder(float64(i)*0.618034*2, 2) // spread evenly
		ends := fmt.Sprintf(`"points": [%s]`, at(length-1, middle))
		if goal == "segment" {
			ends = fmt.Sprintf(`"segments": [[%s, %s]]`, at(length-1, y+0.3), at(length-1, y+width-0.3))
		}
		goals = append(goals, fmt.Sprintf(`{"id": "%d", %s, "arrivalRadius": 0.5}`, i, ends))
		profiles = append(profiles, fmt.Sprintf(`{"id": "%d", "radius": 0.2, "steering": "bvp", "avoidance": "none", "preferredSpeed": {"mean": 1.3, "std": 0}, "bvp": {%s}}`, i, profile(i)))
		groups = append(groups, fmt.Sprintf(`{"id": "%d", "profile": "%d", "spawn": {"points": [%s]}, "itinerary": ["%d"], "onArrival": "stay"}`, i, i, at(1+0.05*float64(i), middle+off), i))
		obstacles = append(obstacles, wall(0.5, y+width, length-0.5, y+width+0.5))
		y += width + 0.5
	}
	return fmt.Sprintf(`{"version": 1, "domain": [0, 0, %.4f, %.4f], "obstacles": [%s], "goals": [%s], "profiles": [%s], "groups": [%s],
		"map": {"size": 200}, "simulation": {"timestep": %g}}`,
		cos*length+sin*height, sin*length+cos*height, strings.Join(obstacles, ","), strings.Join(goals, ","), strings.Join(profiles, ","), strings.Join(groups, ","), timestep)
}

// TestStraightCorridor: alone in a straight empty corridor an agent turns by at most 60 degrees in
// all, wherever in it it begins, whichever way the corridor leads, by either guide, by maps of any
// size, an even number of cells included, whatever the view, the inertia and the time step.
func TestStraightCorridor(t *testing.T) {
	plain := func(int) string { return "" }
	varied := func(i int) string {
		return fmt.Sprintf(`, "cells": %d, "viewAngle": %d`, []int{11, 16, 20, 21, 41}[i/4], []int{120, 180, 360}[i%3])
	}
	for _, test := range []struct {
		name, goal string
		angle      float64
		timestep   float64
		profile    func(i int) string
	}{
		{"along an axis", "point", 0, 0.1, plain},
		{"turned by 30 degrees", "point", 30, 0.1, plain},
		{"to a segment, in short steps", "segment", 77, 0.05, plain},
		{"by maps of many kinds", "point", 0, 0.1, varied},
	} {
		for _, guide := range []string{"spm", "harmonic"} {
			s := open(t, corridors(test.angle, test.goal, test.timestep, func(i int) string { return fmt.Sprintf(`"guide": %q`, guide) + test.profile(i) }))
			tracks, arrived := tracksIn(t, s, 17.5)
			most := 0.0
			for id, k := range tracks {
				turning := k.Turning(test.timestep)
				most = max(most, turning)
				if reversals := k.Reversals(test.timestep); !arrived[id] || turning > 60 || reversals > 0 {
					t.Errorf("%s, guide %s: agent %s turns by %.0f degrees, back %d times; arrived %v", test.name, guide, id, turning, reversals, arrived[id])
				}
			}
			if len(tracks) != 20 {
				t.Errorf("%s: %d agents", test.name, len(tracks))
			}
			t.Logf("%s, guide %s: up to %.0f degrees", test.name, guide, most)
		}
	}
}

// corners is a scene of corridors with one corner each, side by side, in which an agent each walks 8
// m to the corner and 8 m from it.
func corners(guide string, angles, widths []float64) string {
	var obstacles, goals, groups []string
	for i, angle := range angles {
		for j, width := range widths {
			id, turn := fmt.Sprintf("%g-%g", angle, width), angle*math.Pi/180
			corner := mgl64.Vec2{10 + 24*float64(i), 14 + 26*float64(j)}
			ways := [2]mgl64.Vec2{{1, 0}, {math.Cos(turn), math.Sin(turn)}}
			ends := [2]mgl64.Vec2{corner.Sub(ways[0].Mul(9)), corner.Add(ways[1].Mul(9))}
			normal := func(k int) mgl64.Vec2 { return mgl64.Vec2{-ways[k][1], ways[k][0]} }
			miter := normal(0).Add(normal(1)).Mul(1 / (1 + normal(0).Dot(normal(1))))
			quad := func(points ...mgl64.Vec2) {
				text := ""
				for _, p := range points {
					text += fmt.Sprintf(", [%.4f, %.4f]", p[0], p[1])
				}
				obstacles = append(obstacles, fmt.Sprintf(`{"polygon": [%s]}`, text[2:]))
			}
			for k, end := range ends {
				across, out := normal(k).Mul(width/2+0.5), ways[k].Mul(float64(k)-0.5)
				quad(end.Sub(across), end.Add(across), end.Add(across).Add(out), end.Sub(across).Add(out))
			}
			for _, side := range []float64{-1, 1} {
				near, far := side*width/2, side*(width/2+0.5)
				for k, end := range ends {
					quad(end.Add(normal(k).Mul(near)), corner.Add(miter.Mul(near)), corner.Add(miter.Mul(far)), end.Add(normal(k).Mul(far)))
				}
			}
			from, to := corner.Sub(ways[0].Mul(8)), corner.Add(ways[1].Mul(8))
			goals = append(goals, fmt.Sprintf(`{"id": %q, "points": [[%.4f, %.4f]]}`, id, to[0], to[1]))
			groups = append(groups, fmt.Sprintf(`{"id": %q, "spawn": {"points": [[%.4f, %.4f]]}, "itinerary": [%q], "onArrival": "stay"}`, id, from[0], from[1], id))
		}
	}
	return fmt.Sprintf(`{"version": 1, "domain": [0, 0, %g, %g], "obstacles": [%s], "goals": [%s], "groups": [%s],
		"profiles": [{"id": "p", "radius": 0.2, "steering": "bvp", "avoidance": "none", "preferredSpeed": 1.3, "bvp": {"guide": %q}}], "map": {"size": 300}}`,
		24*float64(len(angles)), 26*float64(len(widths)), strings.Join(obstacles, ","), strings.Join(goals, ","), strings.Join(groups, ","), guide)
}

// TestOneCorner: alone around a corner an agent turns by at most 30 degrees more than the corner,
// by either guide.
func TestOneCorner(t *testing.T) {
	angles, widths := []float64{30, 60, 90}, []float64{2.5, 3.2, 4}
	for _, guide := range []string{"spm", "harmonic"} {
		tracks, arrived := tracksIn(t, open(t, corners(guide, angles, widths)), 20)
		for _, angle := range angles {
			for _, width := range widths {
				id := fmt.Sprintf("%g-%g", angle, width)
				turning := tracks[id].Turning(tenth)
				t.Logf("guide %s: around %g degrees in a corridor of %g m it turns by %.0f", guide, angle, width, turning)
				if !arrived[id] || turning > angle+30 || turning < angle-10 {
					t.Errorf("guide %s, %s: arrived %v, turns by %.0f degrees", guide, id, arrived[id], turning)
				}
			}
		}
	}
}

// TestAscentsAreInterpolated: what a walker's guide is at each step is what the plain form has, bit
// for bit: of harmonic maps, and of what explorers know.
func TestAscentsAreInterpolated(t *testing.T) {
	const scene = `{"version": 1, "domain": [-5, 3, 15, 23], "goals": [{"id": "g", "points": [[12, 20]], "arrivalRadius": 0.1}],
		"obstacles": [{"rect": [2, 3, 2.4, 15]}, {"rect": [7, 9, 7.4, 23]}, {"polygon": [[8, 12], [14, 12.3], [14, 12.5]]}],
		"profiles": [{"id": "p", "radius": 0.1, "steering": "bvp", "avoidance": "none", "preferredSpeed": {"mean": 1.3, "std": 0}, "bvp": {"guide": "harmonic"}}],
		"groups": [{"spawn": {"points": %s}, "onArrival": "stay"%s}], "map": {"size": 200}}`
	run(t, open(t, fmt.Sprintf(scene, "[[-4.3, 4.1], [-1, 20.2], [5, 6.6], [12.2, 20.2], [2, 15]]", "")), func(_ *gpu.Device, w *engine.World) {
		m, err := w.HarmonicMap(w.Goals()[0])
		if err != nil {
			t.Fatal(err)
		}
		cells := make([]harmonic.Ascent, m.Ascents().Len())
		m.Ascents().Read(0, cells)
		grid := m.Grid()
		perMeter := float32(1 / grid.CellSize())
		guided, inGoal := 0, 0
		for w.Time() < 25 {
			steps(t, w, 1)
			for k := range w.LocalMaps().Walkers().Len() {
				x, _ := w.LocalMaps().Read(k)
				if x.Body == local.NotThere {
					continue
				}
				place := [2]float32{x.Position[0] * perMeter, x.Position[1] * perMeter}
				ascent := reference.AscentAt(place, grid.Columns, grid.Rows, func(cell int) uint32 { return cells[cell].Ways }, func(cell int) [2]float32 {
					return [2]float32{cells[cell].X, cells[cell].Y}
				})
				guide, ok := reference.Along(x.Position, ascent)
				// In the goal's cell the shortest path map leads on.
				if own := int(place[1])*grid.Columns + int(place[0]); cells[own].Ways&harmonic.GoalCell != 0 {
					ok = false
					inGoal++
				}
				if ok {
					guided++
				}
				if far := max(math.Abs(float64(x.Guide[0])), math.Abs(float64(x.Guide[1]))) > local.Afar/2; ok != far || ok && x.Guide != guide {
					t.Fatalf("at %.1f s the walker at %v is guided to %v, want %v", w.Time(), x.Position, x.Guide, guide)
				}
			}
		}
		if guided < 200 || inGoal == 0 {
			t.Errorf("walkers are guided %d times, and are %d times in the goal's cell", guided, inGoal)
		}
	})
	run(t, open(t, fmt.Sprintf(scene, "[[-4.3, 4.1], [-1, 20.2]]", `, "explores": {"team": "t"}`)), func(_ *gpu.Device, w *engine.World) {
		grid := w.Teams().Grid()
		seen, ways := make([]uint32, w.Teams().Seen().Len()), make([]uint32, w.Teams().Ways().Len())
		w.Teams().Ways().Read(0, ways)
		perMeter := float32(1 / grid.CellSize())
		guided := 0
		for w.Time() < 15 {
			steps(t, w, 1)
			w.Teams().Seen().Read(0, seen)
			for k := range w.LocalMaps().Walkers().Len() {
				x, _ := w.LocalMaps().Read(k)
				if x.Body == local.NotThere || x.Goal != local.NoGoal {
					continue
				}
				place := [2]float32{x.Position[0] * perMeter, x.Position[1] * perMeter}
				ascent := reference.AscentAt(place, grid.Columns, grid.Rows, func(cell int) uint32 { return ways[cell] }, func(cell int) [2]float32 {
					return reference.TeamAscent(seen, grid, cell)
				})
				if guide, ok := reference.Along(x.Position, ascent); ok {
					guided++
					if x.Guide != guide {
						t.Fatalf("at %.1f s the explorer at %v is guided to %v, want %v", w.Time(), x.Position, x.Guide, guide)
					}
				}
			}
		}
		if guided < 200 {
			t.Errorf("explorers are guided %d times", guided)
		}
	})
}

// turns is how much a path turns at most in all, in degrees, and how often it turns back within
// half a second.
type turns struct {
	degrees   float64
	reversals int
}

// turnLittle holds tracks to what they turn by, with step by step a tenth of a second.
func turnLittle(t *testing.T, figure string, tracks map[string]track, most map[string]turns) {
	t.Helper()
	for id, most := range most {
		k := tracks[id]
		t.Logf("%s: %s turns by %.0f degrees, back %d times, stands for %d steps, walks %.2f m", figure, id, k.Turning(tenth), k.Reversals(tenth), k.Stood(tenth), k.Length())
		if turning := k.Turning(tenth); len(k) == 0 || turning > most.degrees || k.Reversals(tenth) > most.reversals {
			t.Errorf("%s: %s turns by %.0f degrees, back %d times, in %d steps", figure, id, turning, k.Reversals(tenth), len(k))
		}
	}
}

// TestExplorersTurnLittle: in figure 8 explorers turn where they see that a room has nothing left,
// and little besides.
func TestExplorersTurnLittle(t *testing.T) {
	for figure, most := range map[string]map[string]turns{
		"dapper-8a": {"searcher-1": {1800, 3}},
		"dapper-8b": {"searcher-1": {1800, 5}, "searcher-2": {1800, 5}},
	} {
		tracks, _ := tracksOf(t, figure, 45)
		turnLittle(t, figure, tracks, most)
	}
}
