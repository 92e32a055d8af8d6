package geom

import (
	"math/rand/v2"
	"testing"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
)

// seesBySectors is InSight by definition.
func seesBySectors(g *Ground, a, b Point) bool {
	for _, s := range g.Sectors(a) {
		for _, to := range g.Sectors(b) {
			if g.Sees(s, to) {
				return true
			}
		}
	}
	return false
}

// InSight is what Sees says of sectors: between vertices, points on walls and edges and beside
// them, and points anywhere.
func TestInSight(t *testing.T) {
	scenes := fullScenes(t)
	for name, g := range smallScenes(t) {
		scenes[name] = g
	}
	scenes["wide"] = groundOf(t, fullLattice(t, 1000, 250))
	scenes["covered"] = groundOf(t, fullLattice(t, 10, 10), geomtest.Rect(-901, -501, 0, 0))
	random := rand.New(rand.NewPCG(18, 18))
	counts := map[bool]int{}
	for name, g := range sorted(scenes) {
		point := func() Point {
			v := g.Triangles[random.IntN(len(g.Triangles))].V
			a, b := g.Vertices[v[0]], g.Vertices[v[1]]
			switch random.IntN(5) {
			case 0:
				return a
			case 1:
				return Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2}
			case 2:
				return Point{X: 2*b.X - a.X, Y: 2*b.Y - a.Y} // straight on, outside at times
			case 3:
				return Point{X: a.X + random.Int32N(3) - 1, Y: a.Y + random.Int32N(3) - 1}
			}
			return Point{X: random.Int32N(g.Lattice.Size.X + 1), Y: random.Int32N(g.Lattice.Size.Y + 1)}
		}
		for range 400 {
			a, b := point(), point()
			if random.IntN(20) == 0 {
				b = a
			}
			want := seesBySectors(g, a, b)
			counts[want]++
			if got := g.InSight(a, b); got != want {
				t.Fatalf("%s: %v and %v are in sight: %v, want %v", name, a, b, got, want)
			}
			if g.InSight(b, a) != want {
				t.Fatalf("%s: from %v to %v is not as the way back", name, a, b)
			}
		}
	}
	if counts[true] < 1000 || counts[false] < 1000 {
		t.Errorf("the cases are one-sided: %v", counts)
	}
}

func BenchmarkInSight(b *testing.B) {
	g := groundOf(b, geomtest.Unit(b, 1, 1), octagons(400)...)
	random := rand.New(rand.NewPCG(19, 19))
	free := func() Point {
		for {
			if p := (Point{X: random.Int32N(Steps), Y: random.Int32N(Steps)}); g.Free(p) {
				return p
			}
		}
	}
	var pairs [256][2]Point
	for i := range pairs {
		pairs[i] = [2]Point{free(), free()}
	}
	i := 0
	for b.Loop() {
		g.InSight(pairs[i%256][0], pairs[i%256][1])
		i++
	}
}
