package engine_test

import (
	"fmt"
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
