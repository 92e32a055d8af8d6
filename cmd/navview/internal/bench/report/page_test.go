package report

import (
	"encoding/xml"
	"regexp"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// TestRowsOfSoftware: rows of a software renderer are not those of a GPU.
func TestRowsOfSoftware(t *testing.T) {
	for software, want := range map[bool]string{true: "software", false: "gpu"} {
		r := Report{Software: software, Results: []Result{{Suite: BVP, Method: GPU, Params: map[string]int{"agents": 10, "cells": 11}}}}
		var page strings.Builder
		if err := r.Write(&page, BVP, "page", "", nil); err != nil || !strings.Contains(page.String(), "\n| 10 | 11 | "+want+" | ") {
			t.Errorf("software %v: %v\n%s", software, err, &page)
		}
	}
}

// TestDrawingsOfCrowds: a page with every section, each drawing of it is whole, and a picture
// shows its agents.
func TestDrawingsOfCrowds(t *testing.T) {
	moment := &Still{Time: 2, View: [4]float64{40, 4, 100, 18}, People: []Agent{
		{mgl64.Vec2{50, 10}, mgl64.Vec2{1, 0}}, {mgl64.Vec2{60, 11}, mgl64.Vec2{-1, 0}}, {mgl64.Vec2{70, 12}, mgl64.Vec2{-1, 0}},
	}}
	ran := func(name, method string, rounds int, m map[string]float64) Result {
		return Result{
			Suite: Behavior, Case: name, Method: method, Params: map[string]int{"agents": 400, "contact_rounds": rounds, "steps": 70},
			Checks: map[string]any{"arrived": 400.0},
			Observations: Observations{
				Measures: m, Still: moment,
				Curves: map[string][][2]float64{"lanes": {{2, 0.5}, {3, 0.25}}, "speed against density": {{1, 1}, {2, 0.5}}, "swirl": {{1, 0}, {2, 0.25}}},
			},
		}
	}
	timed := func(suite, name, method string, people int, wall float64) Result {
		all := func(v float64) Spread { return Spread{v, v, v} }
		return Result{
			Suite: suite, Case: name, Method: method, Params: map[string]int{"agents": people}, Wall: all(wall),
			Passes: map[string]Spread{"cells": all(wall / 8), "neighbors": all(wall / 8), "avoid": all(wall / 2), Exhaustive: all(4 * wall)},
		}
	}
	r := Report{Renderer: "a renderer", Software: true, Processors: 3, Results: []Result{
		ran("crosswalk", "rvo", 16, map[string]float64{"lanes": 0.375, "lanes_greatest": 0.5}),
		ran("crosswalk", "rvo", 0, map[string]float64{"lanes": 0.75, "lanes_greatest": 0.8}),
		ran("evac-500", "orca", 16, map[string]float64{"arch_shape": 1.25, "weidmann_deviation": 0.1}),
		ran("circle-250", "orca", 16, map[string]float64{"swirl": -0.125, "swirl_greatest": -0.5}),
		ran("back-and-forth-80", "clearpath", 0, nil),
		timed(Avoidance, "disc-1k", "orca", 1000, 8), timed(Avoidance, "disc-10k", "orca", 10000, 64), timed(Avoidance, "disc-10k", "orca", 10000, 1e6), timed(Avoidance, "evacuation-10k", "rvo", 10000, 50),
		timed(Avoidance, "disc-8", RVOFlat, 8, 6), timed(Avoidance, "disc-8", RVONested, 8, 2),
		timed(Search, "evacuation-500", "rvo", 500, 16), timed(Search, "evacuation-1k", "rvo", 1000, 32),
	}}
	r.Conclude()
	var page strings.Builder
	if err := r.Write(&page, Avoidance, "page", "x/crowds.svg", Values{"RawMost": 1000}); err != nil {
		t.Fatal(err)
	}
	drawings := r.Charts(Avoidance, "crowds.svg")
	for _, want := range []string{
		"on 3 processors", "on a GPU, none of this has been measured yet", "| 50 ms, 20 steps/s |", "| 0 contacts in 70 steps without a contact pass |",
		"| 3.00 times, of velocities alone |", "| up to 4.8 times |", "| crosswalk | 400 | rvo | 400 | 0 | 0.0 | 0 | 0.0% | 400 | 0 | 0 | 0.0% | 0 |", "| evac-500 | 400 | orca | 400 | 0 | 0.0 | 0 | 0.0% |  |  |  |  | 0 |",
		"| crosswalk | rvo | 16 | 0.375 | 0.5 |", "| evac-500 | orca | 16 | 0.1 |",
		"| disc-10k | 10,000 | 0 | orca | 64 |", "| disc | orca | 1,000 | 10,000 | 0.90 |", "| 8 | 6 | 2 | 3 | 1 | 3.00 |", "| evacuation-1k | 1,000 | 8 | 128 | 32 | 152 | 4.8 |",
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %q in\n%s", want, &page)
		}
	}
	if strings.Contains(page.String(), "![](") {
		t.Error("a picture without words")
	}
	for _, suffix := range []string{"", "-launch", "-search", "-passes", "-density", "-lanes", "-swirl", "-walkway", "-exit", "-middle"} {
		d, ok := drawings["crowds"+suffix+".svg"]
		if !ok || !strings.Contains(page.String(), "](crowds"+suffix+".svg)") {
			t.Errorf("%q is not shown", suffix)
			continue
		}
		var document strings.Builder
		if err := d.Write(&document); err != nil {
			t.Error(err)
		}
		if err := xml.Unmarshal([]byte(document.String()), new(struct{})); err != nil {
			t.Errorf("%q: %v", suffix, err)
		}
		// A full circle is two arcs: three people, and two colors in the legend.
		if arcs := len(regexp.MustCompile(`A[0-9]`).FindAllString(document.String(), -1)); suffix == "-walkway" && arcs != 2*(3+2) {
			t.Errorf("%d arcs for three people", arcs)
		}
	}
	if len(drawings) != 10 {
		t.Errorf("%d drawings", len(drawings))
	}
}
