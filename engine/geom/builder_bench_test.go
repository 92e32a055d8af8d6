package geom

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// One obstacle of many moves: the time from there to the new ground, and to all that maps and
// crowds take from it.
func BenchmarkBuilder(b *testing.B) {
	l, err := NewLattice(mgl64.Vec2{0, 0}, mgl64.Vec2{1, 1})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		obstacles []Polygon
	}{
		{"squares-2500", squares(50)},
		{"squares-5041", squares(71)},
		{"octagons-970", octagons(970)},
		{"octagons-1940", octagons(1940)},
	} {
		for _, all := range []bool{false, true} {
			name := c.name + "/ground"
			if all {
				name = c.name + "/all"
			}
			b.Run(name, func(b *testing.B) {
				p := NewBuilder(l)
				for i, o := range c.obstacles {
					if err := p.Set(i, o); err != nil {
						b.Fatal(err)
					}
				}
				planned(b, p)
				moving := len(c.obstacles) / 2
				corner := c.obstacles[moving].Outer[0]
				at := 0
				var g *Ground
				for b.Loop() {
					at++
					by := mgl64.Vec2{float64(at%500) / 1000, float64(at%300) / 1000}.Sub(corner).Add(mgl64.Vec2{0.1, 0.1})
					if err := p.Set(moving, shifted(c.obstacles[moving:moving+1], by)...); err != nil {
						b.Fatal(err)
					}
					g = planned(b, p)
					if all {
						NewWallGrid(g)
						g.CornersOfTriangles()
					}
				}
				if want := p.fresh(b); len(g.Triangles) != len(want.Triangles) || len(g.Corners) != len(want.Corners) {
					b.Errorf("%d triangles and %d corners, want %d and %d", len(g.Triangles), len(g.Corners), len(want.Triangles), len(want.Corners))
				}
				b.ReportMetric(float64(len(g.Vertices)), "vertices")
			})
		}
	}
}
