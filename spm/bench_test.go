package spm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes/builtin"
	"github.com/wayfront/wayfront/spm/exact"
)

// BenchmarkBuild builds maps of Table 1 at the paper's 1000 x 1000 texels, from the ground on the
// device to the finished map. Every case is validated before it is timed.
func BenchmarkBuild(b *testing.B) {
	for method := range Methods {
		for _, name := range table1 {
			b.Run(Methods[method]+"/"+name, func(b *testing.B) {
				g, goal := sceneGround(b, name)
				gputest.Run(b, func(d *gpu.Device) {
					builder, m, _ := build(b, d, Method(method), g, goal, 1000)
					defer builder.Delete()
					defer m.Delete()
					if err := m.Validate(0, 100); err != nil {
						b.Fatal(err)
					}
					for b.Loop() {
						if err := builder.Build(m, Change{Goal: goal}); err != nil {
							b.Fatal(err)
						}
						d.Finish()
					}
				})
			})
		}
	}
}

// BenchmarkSolve is the same question to one thread of the CPU: distances of all corners, no map.
func BenchmarkSolve(b *testing.B) {
	for _, name := range table1 {
		b.Run(name, func(b *testing.B) {
			g, goal := sceneGround(b, name)
			for b.Loop() {
				if _, err := exact.Solve(g, goal); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func sceneGround(t testing.TB, name string) (g *geom.Ground, goal Goal) {
	t.Helper()
	s, err := builtin.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	if g, err = s.Ground(); err != nil {
		t.Fatal(err)
	}
	return g, Goal{Points: s.Goals[0].Points}
}

// BenchmarkQuery asks a view at random points of free ground, with one source and with 2,000. Half
// of them are light fields.
func BenchmarkQuery(b *testing.B) {
	for _, sources := range []int{1, 2000} {
		b.Run(fmt.Sprint("sources=", sources), func(b *testing.B) {
			g, goal := sceneGround(b, "profiling6")
			r := rand.New(rand.NewPCG(1, 1))
			for len(goal.Points)+len(goal.Segments) < sources {
				p := somewhereOn(g, r)
				q := p.Add(mgl64.Vec2{r.Float64() - 0.5, r.Float64() - 0.5}.Mul(g.Lattice.Length() / 50))
				more := Goal{Points: []mgl64.Vec2{p}, Segments: [][2]mgl64.Vec2{{p, q}}}
				if _, err := exact.Sources(g, more); err == nil {
					goal.Points, goal.Segments = append(goal.Points, p), append(goal.Segments, more.Segments...)
				}
			}
			v, err := exact.Solve(g, goal)
			if err != nil {
				b.Fatal(err)
			}
			points := make([]mgl64.Vec2, 1<<14)
			for i := range points {
				for points[i] = somewhereOn(g, r); v.Query(points[i]).State != Reached; points[i] = somewhereOn(g, r) {
				}
			}
			b.ReportAllocs()
			b.ResetTimer()
			for i := 0; b.Loop(); i++ {
				v.Query(points[i%len(points)])
			}
		})
	}
}
