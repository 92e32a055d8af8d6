package geom

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
)

// locateByAll is Locate over all triangles.
func locateByAll(g *Ground, p Point) int32 {
	best := int32(-1)
	for i, t := range g.Triangles {
		a, b, c := g.Vertices[t.V[0]], g.Vertices[t.V[1]], g.Vertices[t.V[2]]
		if Orient(a, b, p) != Right && Orient(b, c, p) != Right && Orient(c, a, p) != Right {
			if best < 0 || t.Free && !g.Triangles[best].Free {
				best = int32(i)
			}
		}
	}
	return best
}

func TestLocate(t *testing.T) {
	for seed := range uint64(40) {
		size := []float64{16, 64, Steps}[seed%3]
		l := geomtest.Unit(t, Steps, Steps)
		g := groundOf(t, l, randomScene(seed, size)...)
		rng := rand.New(rand.NewPCG(seed, 11))
		points := []Point{{X: -1, Y: 5}, {X: 5, Y: Steps + 1}, {X: 0, Y: 0}, {X: Steps, Y: Steps}, {X: Steps, Y: 17}}
		for range 200 {
			points = append(points, Point{X: rng.Int32N(int32(size) + 1), Y: rng.Int32N(int32(size) + 1)})
			v, w := g.Vertices[rng.IntN(len(g.Vertices))], g.Vertices[rng.IntN(len(g.Vertices))]
			points = append(points, v, Point{X: (v.X + w.X) / 2, Y: (v.Y + w.Y) / 2})
			e := g.Triangles[rng.IntN(len(g.Triangles))].V
			v, w = g.Vertices[e[0]], g.Vertices[e[1]]
			points = append(points, Point{X: (v.X + w.X) / 2, Y: (v.Y + w.Y) / 2})
		}
		for _, p := range points {
			want := locateByAll(g, p)
			if got := g.Locate(p); got != want {
				t.Fatalf("seed %d: Locate(%v) = %d, want %d", seed, p, got, want)
			}
			free := want >= 0 && g.Triangles[want].Free
			if got := g.Free(p); got != free {
				t.Fatalf("seed %d: Free(%v) = %v", seed, p, got)
			}
			checkSectorsAt(t, g, p)
			if near, ok := g.NearestFree(p, SnapSlack); ok && !g.Free(near) || free && near != p {
				t.Fatalf("seed %d: NearestFree(%v) = %v, %v", seed, p, near, ok)
			}
		}
	}
}

// checkSectorsAt compares the sectors at p with the free angle in the triangles that contain p.
func checkSectorsAt(t *testing.T, g *Ground, p Point) {
	t.Helper()
	want := 0.0
	for _, tri := range g.Triangles {
		v := [3]Point{g.Vertices[tri.V[0]], g.Vertices[tri.V[1]], g.Vertices[tri.V[2]]}
		inside := tri.Free
		around := 2 * math.Pi
		for i := range 3 {
			switch Orient(v[i], v[(i+1)%3], p) {
			case Right:
				inside = false
			case Collinear:
				around /= 2
			}
		}
		if !inside {
			continue
		}
		if i := slices.Index(v[:], p); i >= 0 {
			around = angle(p, v[(i+1)%3], v[(i+2)%3])
		}
		want += around
	}
	got := 0.0
	for _, s := range g.Sectors(p) {
		if s.At != p {
			t.Fatalf("sector %+v is not at %v", s, p)
		}
		checkSector(t, g, s)
		got += sectorAngle(s)
	}
	if math.Abs(got-want) > 1e-11 { // as in checkGround
		t.Fatalf("sectors at %v have an angle of %v, its triangles %v: %v", p, got, want, g.Sectors(p))
	}
}

func TestSectorsOnWalls(t *testing.T) {
	const all = Steps
	l := geomtest.Unit(t, all, all)
	g := groundOf(t, l,
		geomtest.Rect(100, 100, 200, 200), geomtest.Rect(200, 100, 300, 200), // one side of a run over two squares
		geomtest.Rect(400, 100, 500, 100.2), // a wall of no thickness
		geomtest.Rect(450, 100, 460, 150),   // and another that stands on its middle
	)
	at := func(x, y int32) Point { return Point{X: x, Y: y} }
	for _, c := range []struct {
		p    Point
		want []Sector
	}{
		{at(150, 100), []Sector{{at(150, 100), at(100, 100), at(300, 100), SectorStraight}}},
		{at(200, 100), []Sector{{at(200, 100), at(100, 100), at(300, 100), SectorStraight}}},
		{at(250, 200), []Sector{{at(250, 200), at(300, 200), at(100, 200), SectorStraight}}},
		{at(300, 200), []Sector{{at(300, 200), at(300, 100), at(100, 200), SectorReflex}}},
		{at(300, 130), []Sector{{at(300, 130), at(300, 100), at(300, 200), SectorStraight}}},
		{at(200, 150), nil},
		{at(150, 150), nil},
		{at(350, 150), []Sector{{at(350, 150), at(350, 150), at(350, 150), SectorAll}}},
		{at(0, 0), []Sector{{at(0, 0), at(all, 0), at(0, all), SectorConvex}}},
		{at(0, 7), []Sector{{at(0, 7), at(0, 0), at(0, all), SectorStraight}}},
		{at(7, all), []Sector{{at(7, all), at(0, all), at(all, all), SectorStraight}}},
		{at(420, 100), []Sector{
			{at(420, 100), at(450, 100), at(400, 100), SectorStraight},
			{at(420, 100), at(400, 100), at(500, 100), SectorStraight},
		}},
		{at(455, 100), []Sector{{at(455, 100), at(400, 100), at(500, 100), SectorStraight}}},
		{at(400, 100), []Sector{{at(400, 100), at(500, 100), at(500, 100), SectorAll}}},
		{at(500, 100), []Sector{{at(500, 100), at(400, 100), at(400, 100), SectorAll}}},
		{at(450, 100), []Sector{
			{at(450, 100), at(450, 150), at(400, 100), SectorConvex},
			{at(450, 100), at(400, 100), at(500, 100), SectorStraight},
		}},
		{at(-1, 0), nil},
	} {
		if got := g.Sectors(c.p); !slices.Equal(got, c.want) {
			t.Errorf("Sectors(%v) = %v, want %v", c.p, got, c.want)
		}
	}
}

func TestNearestFree(t *testing.T) {
	l := geomtest.Unit(t, Steps, Steps)
	g := groundOf(t, l, geomtest.Rect(100, 100, 200, 200))
	for _, c := range []struct {
		p      Point
		within int32
		want   Point
		ok     bool
	}{
		{Point{X: 50, Y: 50}, 0, Point{X: 50, Y: 50}, true},
		{Point{X: 100, Y: 150}, 0, Point{X: 100, Y: 150}, true},
		{Point{X: 102, Y: 150}, 3, Point{X: 100, Y: 150}, true},
		{Point{X: 102, Y: 150}, 1, Point{}, false},
		{Point{X: 103, Y: 103}, 3, Point{X: 100, Y: 103}, true}, // before (103, 100): lower X
		{Point{X: 198, Y: 103}, 3, Point{X: 200, Y: 103}, true},
		{Point{X: 150, Y: 150}, 3, Point{}, false},
		{Point{X: -2, Y: 5}, 3, Point{X: 0, Y: 5}, true},
		{Point{X: -9, Y: 5}, 3, Point{}, false},
	} {
		got, ok := g.NearestFree(c.p, c.within)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("NearestFree(%v, %d) = %v, %v, want %v, %v", c.p, c.within, got, ok, c.want, c.ok)
		}
	}
}

// Points on the sides of convex obstacles, both rounded: free ground is within the two steps that
// SnapSlack is derived from.
func TestSnapSlack(t *testing.T) {
	l := geomtest.Unit(t, Steps, Steps)
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 12))
		r := math.Exp(rng.Float64()*10) + 1
		var p Polygon
		n := 3 + rng.IntN(8)
		cx, cy, squeeze := Steps/2+rng.Float64(), Steps/2+rng.Float64(), math.Exp(-5*rng.Float64())
		for i := range n {
			a := (float64(i) + 0.7*rng.Float64()) / float64(n) * 2 * math.Pi
			x, y := r*math.Cos(a), squeeze*r*math.Sin(a)
			p.Outer = append(p.Outer, mgl64.Vec2{cx + 0.6*x - 0.8*y, cy + 0.8*x + 0.6*y})
		}
		g := groundOf(t, l, p)
		for i := range 200 {
			a, b := p.Outer[i%n], p.Outer[(i+1)%n]
			q := a.Add(b.Sub(a).Mul(rng.Float64()))
			if _, ok := g.NearestFree(l.Snap(q), 2); !ok {
				t.Fatalf("seed %d: nothing free near %v on a wall", seed, q)
			}
		}
	}
}
