package local_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
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

// BenchmarkSizes is a step of a crowd with maps of five sizes, with a dispatch for each class of
// sizes, as Step has it, and with one for all, in which every map has the invocations of the
// largest. Both come to the same maps.
func BenchmarkSizes(b *testing.B) {
	for _, agents := range []int{1000, 10000} {
		var kinds []scenes.BVP
		for _, cells := range []int{11, 16, 21, 27, 33} {
			kinds = append(kinds, kindOf(cells, 30, 180))
		}
		of := make([]int, agents)
		for agent := range of {
			of[agent] = agent % len(kinds)
		}
		c := newCrowd(kinds, of, rand.New(rand.NewPCG(22, 22)))
		var maps []local.Potential[float32] // of the first run, of some agents
		for _, one := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d agents/one=%v", agents, one), func(b *testing.B) {
				if one {
					defer local.OneClass(33)()
				}
				gputest.Run(b, func(d *gpu.Device) {
					m, err := local.New(d, kinds, of)
					if err != nil {
						b.Fatal(err)
					}
					defer m.Close()
					w := c.world(b, d, 16, 30)
					c.prepare(m)
					m.Step(w)
					for agent := range 100 {
						i, _ := m.Walker(agent)
						_, p := m.Read(i)
						if len(maps) <= agent {
							maps = append(maps, p)
						}
						if !reflect.DeepEqual(p, maps[agent]) {
							b.Fatalf("agent %d has other maps in one dispatch", agent)
						}
					}
					for b.Loop() {
						m.Step(w)
						d.Finish()
					}
				})
			})
		}
	}
}
