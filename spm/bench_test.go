package spm

import (
	"testing"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// BenchmarkBuild builds maps of Table 1 at the paper's 1000 x 1000 texels, from the ground on the device to the finished map.
// Every case is validated before it is timed.
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
				if _, err := Solve(g, goal); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func sceneGround(t testing.TB, name string) (g *geom.Ground, goal Goal) {
	t.Helper()
	s, err := scenes.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	if g, err = s.Ground(); err != nil {
		t.Fatal(err)
	}
	return g, Goal{Points: s.Goals[0].Points}
}
