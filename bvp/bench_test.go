package bvp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// BenchmarkMethods tells what relaxations of each method cost, one map after another in the plain form, and what they leave: the most
// that a potential is off, and the most that an agent is turned, over maps of 21 cells that begin with nothing. Equation 1
// with |eps| of 0, 0.36 and 1.
func BenchmarkMethods(b *testing.B) {
	names := map[Method]string{RedBlack: "red-black", JacobiGS: "jacobi-gs", ADI: "adi"}
	for _, clutter := range clutters {
		for _, m := range []Method{RedBlack, JacobiGS, ADI} {
			for _, times := range []int{4, 8, 15, 30, 60} {
				b.Run(fmt.Sprintf("%s/%s/%d", clutter.name, names[m], times), func(b *testing.B) {
					const maps = 30
					var begin [maps]Potential[float32]
					var exact [maps]Potential[float64]
					var under [maps]Settings
					for i := range maps {
						r := rand.New(rand.NewPCG(uint64(i), 20))
						under[i] = settings(21, polar([]float64{0, 0.36, 1}[i%3], r.Float64()*2*math.Pi))
						begin[i] = aimed(NewPotential[float32](21), r.Float64()*2*math.Pi)
						clutter.fill(begin[i], r)
						exact[i] = wide(begin[i])
						Solve(exact[i], under[i])
					}
					var worst, turned float64
					for b.Loop() {
						worst, turned = 0, 0
						for i := range maps {
							p := begin[i].clone()
							Relax(p, under[i], m, times)
							worst = max(worst, distance(wide(p), exact[i]))
							want, ok := ascent(exact[i])
							if got, also := ascent(p); ok && also {
								turned = max(turned, apart(got, want))
							} else if ok {
								turned = 180
							}
						}
					}
					b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/maps, "us/map")
					b.ReportMetric(worst, "error")
					b.ReportMetric(turned, "degrees")
					b.ReportMetric(0, "ns/op")
				})
			}
		}
	}
}

// BenchmarkStep is a step of a crowd on the device, as in Fischer et al. 2009, figure 9, next to the plain passes one after another.
func BenchmarkStep(b *testing.B) {
	for _, cells := range []int{11, 16, 21} {
		for _, agents := range []int{50, 1000, 10000} {
			kinds := []Parameters{{Cells: cells, CellSize: 0.25, Relaxations: 60, ViewAngle: math.Pi, Inertia: 0.5, SpeedControl: true}}
			c := newCrowd(kinds, make([]int, agents), rand.New(rand.NewPCG(21, 21)))
			report := func(b *testing.B) {
				b.ReportMetric(float64(b.N)*float64(agents)/b.Elapsed().Seconds(), "agents/s")
			}
			b.Run(fmt.Sprintf("%d cells/%d agents/device", cells, agents), func(b *testing.B) {
				gputest.Run(b, func(d *gpu.Device) {
					m, err := NewMaps(d, kinds, c.of)
					if err != nil {
						b.Fatal(err)
					}
					defer m.Close()
					w, _ := c.world(b, d, 16, 30)
					c.told(m)
					for b.Loop() {
						m.Step(0, 0.1, w)
						d.Finish()
					}
					report(b)
				})
			})
			if agents > 1000 {
				continue
			}
			b.Run(fmt.Sprintf("%d cells/%d agents/plain", cells, agents), func(b *testing.B) {
				s := kinds[0].At(0, 0.1)
				for b.Loop() {
					for agent := range agents {
						for pass := range 3 {
							c.pass(pass, agent, s)
						}
					}
				}
				report(b)
			})
		}
	}
}

// BenchmarkHarmonic is a global map from its walls to the solution: the graphs on the processor, then the cycles on the device.
func BenchmarkHarmonic(b *testing.B) {
	for _, n := range []int{64, 128, 256} {
		for _, ground := range grounds {
			g := gridOf(n, n, ground.blocked(n))
			b.Run(fmt.Sprintf("%s/%d cells/graphs", ground.name, n), func(b *testing.B) {
				for b.Loop() {
					newHierarchy(g, []int{0})
				}
			})
			b.Run(fmt.Sprintf("%s/%d cells/cycles", ground.name, n), func(b *testing.B) {
				gputest.Run(b, func(d *gpu.Device) {
					s, err := NewSolver(d)
					if err != nil {
						b.Fatal(err)
					}
					var off float32
					for b.Loop() {
						m, err := s.Harmonic(g, []int{0})
						if err != nil {
							b.Fatal(err)
						}
						m.Relax(Cycles)
						if off, err = m.Imbalance(); err != nil || !(off <= 1e-3) {
							b.Fatalf("imbalance %g, %v", off, err)
						}
						m.Close()
					}
					b.ReportMetric(float64(off), "imbalance")
				})
			})
		}
	}
}
