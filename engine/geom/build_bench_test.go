package geom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
)

// squares returns n by n squares in uniform rows over the unit square, as in the profiling maps of
// Farias and Kallmann 2018.
func squares(n int) []Polygon {
	var obstacles []Polygon
	d := 1 / float64(n)
	for i := range n {
		for j := range n {
			x, y := (float64(i)+0.25)*d, (float64(j)+0.25)*d
			obstacles = append(obstacles, geomtest.Rect(x, y, x+d/2, y+d/2))
		}
	}
	return obstacles
}

// octagons returns n octagons of random size and turn, overlapping at random.
func octagons(n int) []Polygon {
	rng := rand.New(rand.NewPCG(1, 8))
	var obstacles []Polygon
	for range n {
		x, y, r, turn := rng.Float64(), rng.Float64(), (0.2+0.5*rng.Float64())/math.Sqrt(float64(n)), rng.Float64()
		var p Polygon
		for k := range 8 {
			a := (float64(k) + turn) / 4 * math.Pi
			p.Outer = append(p.Outer, mgl64.Vec2{x + r*math.Cos(a), y + r*math.Sin(a)})
		}
		obstacles = append(obstacles, p)
	}
	return obstacles
}

func BenchmarkBuild(b *testing.B) {
	l, err := NewLattice(mgl64.Vec2{0, 0}, mgl64.Vec2{1, 1})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		obstacles []Polygon
		corners   int // -1: not known beforehand
	}{
		{"squares-400", squares(20), 1600},
		{"squares-1600", squares(40), 6400},
		{"squares-5041", squares(71), 4 * 5041},
		{"squares-10000", squares(100), 40000},
		{"octagons-400", octagons(400), -1},
		{"octagons-2500", octagons(2500), -1},
	} {
		b.Run(c.name, func(b *testing.B) {
			var g *Ground
			for b.Loop() {
				g, err = Build(l, c.obstacles)
				if err != nil {
					b.Fatal(err)
				}
			}
			if c.corners >= 0 && len(g.Corners) != c.corners {
				b.Errorf("%d corners, want %d", len(g.Corners), c.corners)
			}
			b.ReportMetric(float64(len(g.Vertices)), "vertices")
			b.ReportMetric(float64(freeArea2(g))/(2*Steps*Steps), "free")
		})
	}
}

func BenchmarkLocate(b *testing.B) {
	l, _ := NewLattice(mgl64.Vec2{0, 0}, mgl64.Vec2{1, 1})
	g := groundOf(b, l, squares(40)...)
	rng := rand.New(rand.NewPCG(1, 9))
	points := make([]Point, 4096)
	for i := range points {
		points[i] = Point{X: rng.Int32N(Steps + 1), Y: rng.Int32N(Steps + 1)}
	}
	free, asked := 0, 0
	for b.Loop() {
		if g.Free(points[asked%len(points)]) {
			free++
		}
		asked++
	}
	// The squares cover a quarter; in 4,096 points that is off by less than 0.05 but for one case
	// in 10^12.
	if share := float64(free) / float64(asked); asked >= len(points) && math.Abs(share-0.75) > 0.06 {
		b.Error(fmt.Sprint("free share is ", share))
	}
}

// Thousands of obstacles are grown when a scene with clearances is loaded, a few when some move.
func BenchmarkGrow(b *testing.B) {
	for _, c := range []struct {
		name      string
		obstacles []Polygon
	}{
		{"squares-2500", squares(50)},
		{"octagons-970", octagons(970)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			count := 0
			for b.Loop() {
				count = 0
				for _, o := range c.obstacles {
					count += len(o.Grow(0.001, 16))
				}
			}
			if count != len(c.obstacles) { // all are convex
				b.Errorf("%d polygons of %d", count, len(c.obstacles))
			}
		})
	}
}
