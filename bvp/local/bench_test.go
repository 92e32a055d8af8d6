package local_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// BenchmarkStep is a step of a crowd on the device, as in Fischer et al. 2009, figure 9, next to
// the plain passes one after another.
func BenchmarkStep(b *testing.B) {
	for _, cells := range []int{11, 16, 21} {
		for _, agents := range []int{50, 1000, 10000} {
			kinds := []scenes.BVP{kindOf(cells, 60, 180)}
			c := newCrowd(kinds, make([]int, agents), rand.New(rand.NewPCG(21, 21)))
			report := func(b *testing.B) {
				b.ReportMetric(float64(b.N)*float64(agents)/b.Elapsed().Seconds(), "agents/s")
			}
			b.Run(fmt.Sprintf("%d cells/%d agents/device", cells, agents), func(b *testing.B) {
				gputest.Run(b, func(d *gpu.Device) {
					m, err := local.New(d, kinds, c.of)
					if err != nil {
						b.Fatal(err)
					}
					defer m.Close()
					w := c.world(b, d, 16, 30)
					c.prepare(m)
					for b.Loop() {
						m.Step(w)
						d.Finish()
					}
					report(b)
				})
			})
			if agents > 1000 {
				continue
			}
			b.Run(fmt.Sprintf("%d cells/%d agents/plain", cells, agents), func(b *testing.B) {
				for b.Loop() {
					for agent := range agents {
						for pass := range 3 {
							c.pass(pass, agent, 0)
						}
					}
				}
				report(b)
			})
		}
	}
}
