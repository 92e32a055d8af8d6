package bench

import (
	"encoding/json"
	"encoding/xml"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// TestOfficeDoors: they are the office floor's: gaps between walls, with the rooms on the left.
func TestOfficeDoors(t *testing.T) {
	s, err := builtin.Load("evac-500")
	if err != nil {
		t.Fatal(err)
	}
	ground, err := s.Ground()
	if err != nil {
		t.Fatal(err)
	}
	free := func(p mgl64.Vec2) bool { return ground.Free(ground.Lattice.Snap(p)) }
	for _, d := range officeDoors {
		along := d.B.Sub(d.A)
		beyond := along.Normalize().Mul(0.25) // walls are 0.4 m thick, and end 0.2 m into the gap
		left := mgl64.Vec2{-along[1], along[0]}.Mul(2)
		middle := d.A.Add(d.B).Mul(0.5)
		if !free(middle) || free(d.A.Sub(beyond)) || free(d.B.Add(beyond)) {
			t.Errorf("%+v is no door", d)
		}
		if inside := middle.Add(left); inside[0] < 0 || inside[0] > 140 {
			t.Errorf("%v is not inside", inside)
		}
	}
}

// TestObservers: crowds whose order is known.
func TestObservers(t *testing.T) {
	told := func(o observer, frames ...measure.Frame) behaviour {
		for _, f := range frames {
			o.see(f)
		}
		var b behaviour
		o.report(&b)
		return b
	}
	s, err := builtin.Load("crosswalk")
	if err != nil {
		t.Fatal(err)
	}
	lanes := newLaneObserver(s)
	var two, outside measure.Frame
	for i := range 60 {
		y, v := 7.0, 1.0
		if i%2 == 0 {
			y, v = 15, -1
		}
		two.Walkers = append(two.Walkers, measure.Walker{ID: i, At: mgl64.Vec2{s.Domain[2]/2 + 0.1*float64(i-30), y}, Velocity: mgl64.Vec2{v, 0}})
		outside.Walkers = append(outside.Walkers, measure.Walker{ID: i, At: mgl64.Vec2{3, 7 + 0.1*float64(i)}, Velocity: mgl64.Vec2{v, 0}})
	}
	two.Time = 3
	if b := told(lanes, two, outside, measure.Frame{}); math.Abs(b.Measures["lanes"]-1) > 1e-12 || len(b.Curves["lanes"]) != 1 || b.Curves["lanes"][0][0] != 3 || b.Still.Time != 3 || len(b.Still.People) != 60 {
		t.Errorf("%+v", b)
	}

	var ring measure.Frame
	for i := range 40 {
		sin, cos := math.Sincos(float64(i))
		ring.Walkers = append(ring.Walkers, measure.Walker{ID: i, At: mgl64.Vec2{2 * cos, 2 * sin}, Velocity: mgl64.Vec2{sin, -cos}})
	}
	if b := told(&swirlObserver{within: 3.5}, ring, measure.Frame{}, ring); math.Abs(b.Measures["swirl"]+1) > 1e-12 || b.Measures["most_in_the_middle"] != 40 || len(b.Curves["swirl"]) != 2 || len(b.Still.People) != 40 {
		t.Errorf("%+v", b)
	}

	// A half disc before the western door, and one person a second through the eastern one.
	var frames []measure.Frame
	for second := range 5 {
		f := measure.Frame{Time: float64(second)}
		for i := range 10 {
			for j := range 19 {
				if x, y := 0.25+0.5*float64(i), 0.5*float64(j-9); math.Hypot(x, y) < 5 {
					f.Walkers = append(f.Walkers, measure.Walker{ID: len(f.Walkers), At: mgl64.Vec2{x, 45 + y}})
				}
			}
		}
		for i := range 5 {
			f.Walkers = append(f.Walkers, measure.Walker{ID: 1000 + i, At: mgl64.Vec2{139.5 + float64(second) - float64(i), 45}, Velocity: mgl64.Vec2{1, 0}})
		}
		frames = append(frames, f)
	}
	b := told(&jamObserver{}, frames...)
	// A grid of 0.5 m stands for the half disc to within its step: a tenth of the radius.
	if math.Abs(b.Measures["arch_radius"]/5-1) > 0.1 || math.Abs(b.Measures["arch_shape"]-1) > 0.1 || math.Abs(b.Measures["flow"]-1.0/5) > 1e-12 || b.Still.Time != 0 || b.Still.View[0] != jamView.Low[0] {
		t.Errorf("%+v", b)
	}

	dense := &densityObserver{}
	for range densitySamples {
		f := measure.Frame{}
		for i := range 8 { // on 4 m2
			f.Walkers = append(f.Walkers, measure.Walker{ID: i, At: mgl64.Vec2{10.1 + 0.2*float64(i), 20.5}, Velocity: mgl64.Vec2{0, measure.Weidmann(freeSpeed, 2)}})
		}
		dense.see(f)
	}
	if b := told(dense); len(b.Curves["speed against density"]) != 1 || b.Curves["speed against density"][0][0] != 2 || b.Measures["weidmann_deviation"] > 1e-12 {
		t.Errorf("%+v", b)
	}
}

// TestStills: what is written is read again, but for what centimeters lose.
func TestStills(t *testing.T) {
	f := measure.Frame{Time: 2.5, Walkers: []measure.Walker{
		{At: mgl64.Vec2{1, 2}, Velocity: mgl64.Vec2{-0.125, 1.5}}, {At: mgl64.Vec2{1e6 + 0.25, -3}}, {At: mgl64.Vec2{2, 3}, Velocity: mgl64.Vec2{0, -1.004}},
	}}
	data, err := json.Marshal(stillOf(f, measure.Rect{Low: mgl64.Vec2{0, -4}, High: mgl64.Vec2{2e6, 9}}))
	if err != nil {
		t.Fatal(err)
	}
	var got still
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	want := still{Time: 2.5, View: [4]float64{0, -4, 2e6, 9}, People: []agentSample{
		{mgl64.Vec2{1, 2}, mgl64.Vec2{-0.12, 1.5}}, {mgl64.Vec2{1e6 + 0.25, -3}, mgl64.Vec2{}}, {mgl64.Vec2{2, 3}, mgl64.Vec2{0, -1}},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v, in %s", got, want, data)
	}
	if err := json.Unmarshal([]byte(`"1 2 3"`), new(agentSample)); err == nil {
		t.Error("three numbers for four")
	}
}

// TestCurves: few points are told as they are, many as means.
func TestCurves(t *testing.T) {
	var b behaviour
	b.curve("none", nil)
	b.curve("few", [][2]float64{{1, 5}, {2, 7}})
	many := make([][2]float64, 3*curvePoints-1)
	for i := range many {
		many[i] = [2]float64{float64(i), -float64(i)}
	}
	b.curve("many", many)
	if c := b.Curves["few"]; len(b.Curves["none"]) != 0 || len(c) != 2 || c[1] != [2]float64{2, 7} {
		t.Errorf("%v", b.Curves)
	}
	if c := b.Curves["many"]; len(c) != curvePoints-1 || c[0] != [2]float64{1, -1} || c[10] != [2]float64{31, -31} {
		t.Errorf("%d points, %v", len(c), c[:11])
	}
}

// TestDrawingsOfCrowds: a page with every section, each drawing of it is whole, and a picture shows whoever it is of.
func TestDrawingsOfCrowds(t *testing.T) {
	moment := &still{Time: 2, View: [4]float64{40, 4, 100, 18}, People: []agentSample{
		{mgl64.Vec2{50, 10}, mgl64.Vec2{1, 0}}, {mgl64.Vec2{60, 11}, mgl64.Vec2{-1, 0}}, {mgl64.Vec2{70, 12}, mgl64.Vec2{-1, 0}},
	}}
	ran := func(name, method string, rounds int, m map[string]float64) Result {
		return Result{
			Suite: suiteBehaviour, Case: name, Method: method, Params: map[string]int{"agents": 400, "contact_rounds": rounds, "steps": 70},
			Checks: map[string]any{"arrived": 400.0},
			behaviour: behaviour{
				Measures: m, Still: moment,
				Curves: map[string][][2]float64{"lanes": {{2, 0.5}, {3, 0.25}}, "speed against density": {{1, 1}, {2, 0.5}}, "swirl": {{1, 0}, {2, 0.25}}},
			},
		}
	}
	timed := func(suite, name, method string, people int, wall float64) Result {
		all := func(v float64) spread { return spread{v, v, v} }
		return Result{
			Suite: suite, Case: name, Method: method, Params: map[string]int{"agents": people}, Wall: all(wall),
			Passes: map[string]spread{"cells": all(wall / 8), "neighbors": all(wall / 8), "avoid": all(wall / 2), exhaustivePass: all(4 * wall)},
		}
	}
	report := Report{Renderer: "a renderer", Software: true, Processors: 3, Results: []Result{
		ran("crosswalk", "rvo", 16, map[string]float64{"lanes": 0.375, "lanes_greatest": 0.5}),
		ran("crosswalk", "rvo", 0, map[string]float64{"lanes": 0.75, "lanes_greatest": 0.8}),
		ran("evac-500", "orca", 16, map[string]float64{"arch_shape": 1.25, "weidmann_deviation": 0.1}),
		ran("circle-250", "orca", 16, map[string]float64{"swirl": -0.125, "swirl_greatest": -0.5}),
		ran("back-and-forth-80", "clearpath", 0, nil),
		timed(suiteAvoidance, "disc-1k", "orca", 1000, 8), timed(suiteAvoidance, "disc-10k", "orca", 10000, 64), timed(suiteAvoidance, "disc-10k", "orca", 10000, 1e6), timed(suiteAvoidance, "evacuation-10k", "rvo", 10000, 50),
		timed(suiteAvoidance, "disc-8", rvoFlat, 8, 6), timed(suiteAvoidance, "disc-8", rvoNested, 8, 2),
		timed(suiteSearch, "evacuation-500", "rvo", 500, 16), timed(suiteSearch, "evacuation-1k", "rvo", 1000, 32),
	}}
	report.conclude()
	var page strings.Builder
	if err := (avoidanceBench{}).markdown(&page, report, "x/crowds.svg"); err != nil {
		t.Fatal(err)
	}
	drawings := (avoidanceBench{}).charts(report)
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
	for _, suffix := range []string{"", launchChart, searchChart, passBars, densityChart, laneChart, swirlChart, walkwaySheet, exitSheet, middleSheet} {
		d, ok := drawings[suffix]
		if !ok || !strings.Contains(page.String(), "](crowds"+suffix+".svg)") {
			t.Errorf("%q is not shown", suffix)
			continue
		}
		var document strings.Builder
		if err := d.write(&document); err != nil {
			t.Error(err)
		}
		if err := xml.Unmarshal([]byte(document.String()), new(struct{})); err != nil {
			t.Errorf("%q: %v", suffix, err)
		}
		// A full circle is two arcs: three people, and two colors in the legend.
		if arcs := len(regexp.MustCompile(`A[0-9]`).FindAllString(document.String(), -1)); suffix == walkwaySheet && arcs != 2*(3+2) {
			t.Errorf("%d arcs for three people", arcs)
		}
	}
	if len(drawings) != 10 {
		t.Errorf("%d drawings", len(drawings))
	}
}
