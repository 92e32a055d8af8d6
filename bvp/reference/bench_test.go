package reference

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/scenes"
)

// BenchmarkMethods tells what relaxations of each method cost, one map after another in the plain
// form, and what they leave: the most that a potential is off, and the most that an agent is
// turned, over maps of 21 cells that begin with nothing. Equation 1 with |eps| of 0, 0.36 and 1.
func BenchmarkMethods(b *testing.B) {
	for _, clutter := range clutters {
		for _, m := range []scenes.Method{scenes.MethodRedBlack, scenes.MethodJacobiGS, scenes.MethodADI} {
			for _, times := range []int{4, 8, 15, 30, 60} {
				b.Run(fmt.Sprintf("%s/%s/%d", clutter.name, m, times), func(b *testing.B) {
					const maps = 30
					var begin [maps]Potential[float32]
					var exact [maps]Potential[float64]
					var under [maps]local.Settings
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
							p := clone(begin[i])
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
