package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// BenchmarkEdit is a tick of a world without agents in which a source, or an obstacle, has moved,
// up to the finished map; with the work that a tick took by stages.
func BenchmarkEdit(b *testing.B) {
	for _, octagons := range []int{156, 1250, 2500} {
		s, err := builtin.Load(fmt.Sprint("octagons-", octagons))
		if err != nil {
			b.Fatal(err)
		}
		for _, what := range []string{"source", "obstacle"} {
			b.Run(fmt.Sprintf("%s of %d vertices", what, s.Vertices()), func(b *testing.B) {
				gputest.Run(b, func(d *gpu.Device) {
					w, err := engine.New(d, s, engine.Options{})
					if err != nil {
						b.Fatal(err)
					}
					defer w.Close()
					steps(b, w, 2)
					one, goal := w.Obstacles()[0], w.Goals()[0]
					from := s.Goals[0].Points[0]
					before := w.Work()
					turn := 1.0
					for b.Loop() {
						turn = -turn
						by := mgl64.Vec2{turn * 0.01, 0}
						edit(b, w, func(e *engine.Edit) {
							if what == "source" {
								e.SetSources(goal, at(from.Add(by)))
							} else {
								e.MoveObstacle(one, by)
							}
						})
						steps(b, w, 2)
						d.Finish()
					}
					work := w.Work()
					b.ReportMetric(float64(work.Grounds-before.Grounds)/float64(b.N), "grounds/op")
					b.ReportMetric(float64(work.Maps-before.Maps)/float64(b.N), "maps/op")
				})
			})
		}
	}
}

// crowdOf is a scene of 10,000 agents with local maps in a hall, whose profile has these numbers.
const crowdOf = `{"version": 1, "domain": [0, 0, 160, 120], "goals": [{"id": "east", "segments": [[[159, 1], [159, 119]]]}],
	"profiles": [{"id": "p", "steering": "bvp", "avoidance": "none", NUMBERS}],
	"groups": [{"count": 10000, "spawn": {"rect": [2, 2, 150, 118]}, "itinerary": ["east"], "onArrival": "stay"}], "map": {"size": 200}}`

// BenchmarkIndividuals is a tick of 10,000 agents that are alike, and of as many that differ in
// radius, speeds and every number of their local maps, which have the same mean work: cells times
// relaxations.
func BenchmarkIndividuals(b *testing.B) {
	for _, c := range []struct{ name, numbers string }{
		{"alike", `"radius": 0.25, "preferredSpeed": 1.3, "maxSpeed": 2,
			"bvp": {"cells": 15, "cellSize": 0.25, "relaxations": 15, "inertia": 0.5, "bias": {"strength": 0.3, "direction": [0, 1], "wave": {"amplitude": 0.5, "frequency": 0.2}}}`},
		{"differing", `"radius": {"min": 0.2, "max": 0.3}, "preferredSpeed": {"mean": 1.3, "std": 0.2}, "maxSpeed": {"min": 1.8, "max": 2.2},
			"bvp": {"cells": {"min": 13, "max": 17}, "cellSize": {"min": 0.2, "max": 0.3}, "relaxations": {"min": 10, "max": 20}, "viewAngle": {"min": 180, "max": 360},
			"inertia": {"min": 0.2, "max": 0.8}, "inertiaTime": {"min": 0.1, "max": 0.5},
			"bias": {"strength": {"min": 0, "max": 0.6}, "direction": [{"min": -1, "max": 1}, {"min": -1, "max": 1}],
			"wave": {"amplitude": {"min": 0, "max": 1}, "frequency": {"min": 0.1, "max": 0.3}, "phase": {"min": 0, "max": 360}}}}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			gputest.Run(b, func(d *gpu.Device) {
				w, err := engine.New(d, open(b, strings.Replace(crowdOf, "NUMBERS", c.numbers, 1)), engine.Options{})
				if err != nil {
					b.Fatal(err)
				}
				defer w.Close()
				before := snapshotAt(b, w)
				steps(b, w, 2)
				for b.Loop() {
					steps(b, w, 1)
					d.Finish()
				}
				b.StopTimer()
				advance, kinds := 0.0, map[string]bool{}
				for i, now := range snapshotAt(b, w) {
					advance += now[0] - before[i][0]
				}
				for _, id := range w.Agents(nil) {
					own, err := w.Individual(id)
					if err != nil {
						b.Fatal(err)
					}
					kinds[fmt.Sprint(own)] = true
				}
				// A random walk of 10,000 agents would come to a hundredth of their speed.
				if mean := advance / 10000 / w.Time(); mean < 0.6 || mean > 2.2 || len(kinds) != map[string]int{"alike": 1, "differing": 10000}[c.name] {
					b.Errorf("agents advance by %v m/s, and there are %d kinds", mean, len(kinds))
				}
				b.ReportMetric(float64(len(kinds)), "kinds")
			})
		})
	}
}

// snapshotAt are the places of all agents.
func snapshotAt(b *testing.B, w *engine.World) []mgl64.Vec2 {
	b.Helper()
	var s engine.Snapshot
	if err := w.Snapshot(&s); err != nil {
		b.Fatal(err)
	}
	return s.Positions
}
