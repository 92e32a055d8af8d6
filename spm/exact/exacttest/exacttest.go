// Package exacttest has grounds, goals and checks of views for tests.
package exacttest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/spm/exact"
)

// Ground builds a ground of a domain with obstacles.
func Ground(t testing.TB, domain [4]float64, obstacles ...geom.Ring) *geom.Ground {
	t.Helper()
	l, err := geom.NewLattice(mgl64.Vec2{domain[0], domain[1]}, mgl64.Vec2{domain[2], domain[3]})
	if err != nil {
		t.Fatal(err)
	}
	polygons := make([]geom.Polygon, len(obstacles))
	for i, o := range obstacles {
		polygons[i] = geom.Polygon{Outer: o}
	}
	g, err := geom.Build(l, polygons)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Box is a rectangle.
func Box(x0, y0, x1, y1 float64) geom.Ring {
	return geom.Ring{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
}

// Case is a distance that follows from elementary geometry.
type Case struct {
	Name          string
	Domain        [4]float64
	Source, Point mgl64.Vec2
	Distance      float64
	Parent        mgl64.Vec2
	Obstacles     []geom.Ring
}

type xy = mgl64.Vec2

func known(name string, domain [4]float64, source, point xy, distance float64, parent xy, obstacles ...geom.Ring) Case {
	return Case{name, domain, source, point, distance, parent, obstacles}
}

var small, large = [4]float64{0, 0, 10, 10}, [4]float64{0, 0, 100, 100}

// Known are distances that follow from elementary geometry.
var Known = []Case{
	known("open ground", small, xy{1, 1}, xy{4, 5}, 5, xy{1, 1}),
	known("round a square", small, xy{5, 1}, xy{5, 9}, 2*math.Hypot(1, 3)+2, xy{4, 6}, Box(4, 4, 6, 6)),
	known("two to one, negative corner", [4]float64{-900, -500, 1100, 500},
		xy{-100, -400}, xy{200, -400}, 2*math.Hypot(100, 800)+100, xy{100, 400}, Box(0, -500, 100, 400)),
	known("map coordinates of millions of meters", [4]float64{4e6, 5e6, 4e6 + 100, 5e6 + 50},
		xy{4e6 + 30, 5e6 + 10}, xy{4e6 + 70, 5e6 + 10}, 2*math.Hypot(10, 30)+20, xy{4e6 + 60, 5e6 + 40},
		Box(4e6+40, 5e6, 4e6+60, 5e6+40)),
	known("thin wall", large, xy{40, 10}, xy{60, 10},
		math.Hypot(10, 80)+0.02+math.Hypot(9.98, 80), xy{50.02, 90}, Box(50, 0, 50.02, 90)),
	known("wall thinner than the lattice", large, xy{40, 10}, xy{60, 10},
		2*math.Hypot(10, 80), xy{50, 90}, Box(50, 0, 50.000001, 90)),
	known("source on a vertex", small, xy{4, 4}, xy{7, 7}, 2+math.Hypot(1, 3), xy{6, 4}, Box(4, 4, 6, 6)),
	known("source on a wall", small, xy{4, 5}, xy{6, 5}, 4, xy{6, 4}, Box(4, 4, 6, 6)),
	known("touching corners let nothing through", small, xy{4, 6}, xy{6, 4},
		2*math.Hypot(1, 3)+4+4, xy{9, 5}, Box(0, 0, 5, 5), Box(5, 5, 9, 9)),
	known("touching walls are one", small, xy{5, 4}, xy{5, 6}, 6, xy{3, 6}, Box(3, 4, 5, 6), Box(5, 4, 7, 6)),
	known("overlapping", small, xy{2, 5}, xy{4.5, 7}, math.Hypot(2, 2)+0.5, xy{4, 7}, Box(3, 4, 6, 6), Box(4, 3, 5, 7)),
	known("row of squares, grazing", small, xy{1, 5}, xy{9, 5}, 8, xy{8, 5},
		Box(1, 4, 2, 5), Box(3, 4, 4, 5), Box(5, 4, 6, 5), Box(7, 5, 8, 6)),
}

// CheckKnown compares a view with a known distance; its parent need only be as good as the known
// one.
func CheckKnown(t testing.TB, g *geom.Ground, v *exact.View, p mgl64.Vec2, distance float64, parent mgl64.Vec2) {
	t.Helper()
	a := v.Query(p)
	eps := v.Tolerance(distance)
	if a.State != exact.Reached || math.Abs(a.Distance-distance) > eps {
		t.Fatalf("distance at %v is %v (state %v), want %v", p, a.Distance, a.State, distance)
	}
	if d := v.Query(parent).Distance + p.Sub(parent).Len(); math.Abs(d-distance) > eps {
		t.Errorf("over %v the distance is %v, want %v", parent, d, distance)
	}
	CheckPath(t, g, v, p, distance, eps)
}

// CheckPath checks that the path from p has that length and crosses no obstacle.
func CheckPath(t testing.TB, g *geom.Ground, v *exact.View, p mgl64.Vec2, distance, eps float64) {
	t.Helper()
	path := v.Path(p)
	length := 0.0
	for i := 1; i < len(path); i++ {
		length += path[i].Sub(path[i-1]).Len()
		if !InSight(g, path[i-1], path[i]) {
			t.Errorf("the path from %v crosses an obstacle between %v and %v", p, path[i-1], path[i])
		}
	}
	if math.Abs(length-distance) > eps {
		t.Errorf("the path from %v is %v long, want %v: %v", p, length, distance, path)
	}
}

// InSight reports whether some free sector of a sees one of b, by brute force.
func InSight(g *geom.Ground, a, b mgl64.Vec2) bool {
	for _, s := range SectorsAt(g, a) {
		for _, to := range SectorsAt(g, b) {
			if g.Sees(s, to) {
				return true
			}
		}
	}
	return false
}

// RandomScene draws needles, boxes on a coarse grid (which touch, overlap and line up) and
// triangles, on domains of different shape and place, with one to four sources on free ground, on
// corners and on walls.
func RandomScene(t testing.TB, seed uint64) (*geom.Ground, exact.Goal) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	domain := [][4]float64{{0, 0, 100, 100}, {-900, -500, 1100, 500}, {4e6, 5e6, 4e6 + 50, 5e6 + 100}}[seed%3]
	w, h := domain[2]-domain[0], domain[3]-domain[1]
	at := func(x, y float64) mgl64.Vec2 { return mgl64.Vec2{domain[0] + x*w, domain[1] + y*h} }
	var obstacles []geom.Ring
	for range 12 {
		x, y := float64(r.IntN(18))/20, float64(r.IntN(18))/20
		lo, hi := at(x, y), at(x+float64(1+r.IntN(2))/20, y+float64(1+r.IntN(2))/20)
		obstacles = append(obstacles, Box(lo[0], lo[1], hi[0], hi[1]))
	}
	for range 8 {
		a := mgl64.Vec2{r.Float64(), r.Float64()}
		reach := func(v, by float64) float64 { return min(1, max(0, v+by*(r.Float64()-0.5))) }
		b, c := mgl64.Vec2{reach(a[0], 0.3), reach(a[1], 0.3)}, mgl64.Vec2{reach(a[0], 0.02), reach(a[1], 0.02)}
		obstacles = append(obstacles, geom.Ring{at(a[0], a[1]), at(b[0], b[1]), at(c[0], c[1])})
	}
	g := Ground(t, domain, obstacles...)
	var goal exact.Goal
	for len(goal.Points) < 1+int(seed%4) {
		p := at(r.Float64(), r.Float64())
		switch r.IntN(3) {
		case 0:
			ring := obstacles[r.IntN(len(obstacles))]
			p = ring[r.IntN(len(ring))]
		case 1:
			ring := obstacles[r.IntN(len(obstacles))]
			i := r.IntN(len(ring))
			p = ring[i].Add(ring[(i+1)%len(ring)]).Mul(0.5)
		}
		if _, err := exact.Sources(g, exact.Goal{Points: []mgl64.Vec2{p}}); err == nil {
			goal.Points = append(goal.Points, p)
		}
	}
	return g, goal
}

// RandomSegments puts segments into a random scene, beside its points: between any points, vertices
// of obstacles and places on their sides, and along these.
func RandomSegments(t testing.TB, seed uint64) (*geom.Ground, exact.Goal) {
	t.Helper()
	g, goal := RandomScene(t, seed)
	r := rand.New(rand.NewPCG(seed, 17))
	end := func() mgl64.Vec2 {
		w := g.Walls[r.IntN(len(g.Walls))]
		a, b := g.Place(g.Vertices[w.A]), g.Place(g.Vertices[w.B])
		switch r.IntN(3) {
		case 0:
			return a
		case 1:
			return a.Add(b).Mul(0.5)
		}
		return SomewhereOn(g, r)
	}
	for len(goal.Segments) < 1+int(seed%3) {
		s := [2]mgl64.Vec2{end(), end()}
		if r.IntN(4) == 0 {
			w := g.Walls[r.IntN(len(g.Walls))]
			s = [2]mgl64.Vec2{g.Place(g.Vertices[w.A]), g.Place(g.Vertices[w.B])}
		}
		if _, err := exact.Sources(g, exact.Goal{Segments: [][2]mgl64.Vec2{s}}); err == nil {
			goal.Segments = append(goal.Segments, s)
		}
	}
	return g, goal
}

// SomewhereOn is a random world point of a ground's domain.
func SomewhereOn(g *geom.Ground, r *rand.Rand) mgl64.Vec2 {
	side := g.Lattice.World(g.Lattice.Size).Sub(g.Lattice.Origin)
	return g.Lattice.Origin.Add(mgl64.Vec2{r.Float64() * side[0], r.Float64() * side[1]})
}

// SectorsAt are the free sectors at a world point; none in obstacles and outside of the domain.
func SectorsAt(g *geom.Ground, p mgl64.Vec2) []geom.Sector {
	if at, ok := g.Standing(p); ok {
		return g.Sectors(at)
	}
	return nil
}
