package reference

import (
	"math"
	"testing"

	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/scenes"
)

// byRules are settings of a map of 25 cm cells with a view ahead.
func byRules(cells int, rules scenes.Rules, viewAngle float64) local.Settings {
	p := defaults(cells)
	p.Rules, p.ViewAngle, p.SpeedControl, p.Inertia = rules, viewAngle, false, 0
	return local.SettingsAt(p, 0, 0.1)
}

// rescues are what package bvp/local names, each with a situation that it is for, and whether it is
// seen to work there.
var rescues = map[string]func(s local.Settings) bool{
	"looking round": func(s local.Settings) bool {
		s.View = 0 // half of all
		w := newWalker(5, 5)
		w.Stood = s.Patience()
		p := Stamp(Potential[float32]{}, w, s, nil, Disc{}, []Disc{{Center: [2]float32{4, 5}, Radius: 0.25}})
		return p.Fixed[cellOf(21, -1, 0)]
	},
	"keeping in mind": func(s local.Settings) bool {
		s.View = 0                                // half of all
		w := heading(180)                         // its guide's point is in the east
		behind := Disc{Center: [2]float32{6, 5}}  // towards that
		aside := Disc{Center: [2]float32{5, 6.5}} // at the edge of both cones
		behind.Radius, aside.Radius = 0.25, 0.25
		p := Stamp(Potential[float32]{}, w, s, nil, Disc{}, []Disc{behind, aside})
		return p.Fixed[cellOf(21, 1, 0)] && p.Fixed[cellOf(21, 0, 1.5)]
	},
	"extra goal at the guide's point": func(s local.Settings) bool {
		return goalInside(s, [2]float32{6.6, 6.2})
	},
	"extra goal in the guide's direction": func(s local.Settings) bool {
		return goalInside(s, [2]float32{5 + local.Afar, 5})
	},
	"guide where flat": func(s local.Settings) bool {
		w := heading(90) // its guide's point is in the east
		Steer(NewPotential[float32](21), w, s)
		return w.Heading == 0
	},
	"standing": func(s local.Settings) bool {
		w := newWalker(5, 5)
		p := Stamp(Potential[float32]{}, w, s, nil, Disc{}, everywhere(w))
		v, flat := Steer(p, w, s)
		return flat && v == [2]float32{}
	},
	"parts of cells": func(s local.Settings) bool {
		w := newWalker(5, 5)
		w.Goal, w.Stamped, w.Cells = [2]float32{5.95, 5.3}, w.Position, 21
		p := Stamp(fullOf(21), w, s, []Wall{{{0, 6.4}, {9, 6.4}}}, Disc{}, []Disc{{Center: [2]float32{6.4, 4.6}, Radius: 0.25}})
		part := false
		for k, q := range p.Q {
			part = part || q > 0 && q < 1 && ZoneOf(21, k%21, k/21) != Free
		}
		return part
	},
	"last step": func(s local.Settings) bool {
		w := newWalker(5, 5)
		w.Goal = [2]float32{4.94, 5.08}
		p := Stamp(Potential[float32]{}, w, s, nil, Disc{}, nil)
		Relax(p, s, scenes.MethodRedBlack, 60)
		v, _ := Steer(p, w, s)
		return math.Abs(float64(v[0])+0.6) < 1e-4 && math.Abs(float64(v[1])-0.8) < 1e-4
	},
	"wall beside": func(s local.Settings) bool {
		w := newWalker(5, 5)
		p := Stamp(Potential[float32]{}, w, s, []Wall{{{0, 4.9}, {9, 4.9}}}, Disc{}, nil)
		return !p.Fixed[cellOf(21, 0.25, 0)] && !p.Fixed[cellOf(21, -0.25, 0)]
	},
	"foresight": func(s local.Settings) bool {
		f := frameOf(newWalker(5, 5), &s)
		there := [2]float32{6.5, 5}
		return f.foreseen(Disc{Radius: 0.25, Velocity: [2]float32{1, 0}}, Disc{Center: there, Radius: 0.25, Velocity: [2]float32{-1, 0}}) != there
	},
	"yielding": func(s local.Settings) bool {
		w, other := newWalker(5, 5), Disc{Center: [2]float32{6, 5}, Radius: 0.3, Yields: true}
		w.Cells, w.Stamped = 21, w.Position
		p := Stamp(fullOf(21), w, s, nil, Disc{Radius: 0.3, Yields: true}, []Disc{other})
		return p.Q[cellOf(21, 1, 0)] > 0
	},
	"disc around": func(s local.Settings) bool {
		w := newWalker(5, 5)
		p := Stamp(Potential[float32]{}, w, s, nil, Disc{}, []Disc{{Center: [2]float32{5.1, 5}, Radius: 0.5}})
		return !p.Fixed[cellOf(21, 0.25, 0)]
	},
}

// goalInside reports whether there is a goal besides the intermediate one in a room that is smaller
// than the map.
func goalInside(s local.Settings, guide [2]float32) bool {
	w := newWalker(5, 5)
	w.Guide = guide
	p := Stamp(Potential[float32]{}, w, s, loop([2]float32{4, 4}, [2]float32{7, 4}, [2]float32{7, 7}, [2]float32{4, 7}), Disc{}, nil)
	sum, _ := goalsIn(p)
	return sum > 0
}

// TestRescues: each rescue is on by robust rules and off by the papers'.
func TestRescues(t *testing.T) {
	for name, works := range rescues {
		for _, rules := range []scenes.Rules{scenes.RulesRobust, scenes.RulesPaper} {
			if got := works(byRules(21, rules, 360)); got != (rules == scenes.RulesRobust) {
				t.Errorf("%s by rules %q: works %v", name, rules, got)
			}
		}
	}
}
