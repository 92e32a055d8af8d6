package spm

import (
	"errors"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// ground builds a ground of a domain with obstacles.
func ground(t testing.TB, domain [4]float64, obstacles ...geom.Ring) *geom.Ground {
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

// box is a rectangle.
func box(x0, y0, x1, y1 float64) geom.Ring {
	return geom.Ring{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
}

// known are distances that follow from elementary geometry.
var known = []struct {
	name      string
	domain    [4]float64
	obstacles []geom.Ring
	source    mgl64.Vec2
	point     mgl64.Vec2
	distance  float64
	parent    mgl64.Vec2
}{
	{
		name: "open ground", domain: [4]float64{0, 0, 10, 10},
		source: mgl64.Vec2{1, 1}, point: mgl64.Vec2{4, 5}, distance: 5, parent: mgl64.Vec2{1, 1},
	}, {
		name: "round a square", domain: [4]float64{0, 0, 10, 10}, obstacles: []geom.Ring{box(4, 4, 6, 6)},
		source: mgl64.Vec2{5, 1}, point: mgl64.Vec2{5, 9},
		distance: 2*math.Hypot(1, 3) + 2, parent: mgl64.Vec2{4, 6},
	}, {
		name: "two to one, negative corner", domain: [4]float64{-900, -500, 1100, 500}, obstacles: []geom.Ring{box(0, -500, 100, 400)},
		source: mgl64.Vec2{-100, -400}, point: mgl64.Vec2{200, -400},
		distance: 2*math.Hypot(100, 800) + 100, parent: mgl64.Vec2{100, 400},
	}, {
		name: "map coordinates of millions of metres", domain: [4]float64{4e6, 5e6, 4e6 + 100, 5e6 + 50}, obstacles: []geom.Ring{box(4e6+40, 5e6, 4e6+60, 5e6+40)},
		source: mgl64.Vec2{4e6 + 30, 5e6 + 10}, point: mgl64.Vec2{4e6 + 70, 5e6 + 10},
		distance: 2*math.Hypot(10, 30) + 20, parent: mgl64.Vec2{4e6 + 60, 5e6 + 40},
	}, {
		name: "thin wall", domain: [4]float64{0, 0, 100, 100}, obstacles: []geom.Ring{box(50, 0, 50.02, 90)},
		source: mgl64.Vec2{40, 10}, point: mgl64.Vec2{60, 10},
		distance: math.Hypot(10, 80) + 0.02 + math.Hypot(9.98, 80), parent: mgl64.Vec2{50.02, 90},
	}, {
		name: "wall thinner than the lattice", domain: [4]float64{0, 0, 100, 100}, obstacles: []geom.Ring{box(50, 0, 50.000001, 90)},
		source: mgl64.Vec2{40, 10}, point: mgl64.Vec2{60, 10},
		distance: 2 * math.Hypot(10, 80), parent: mgl64.Vec2{50, 90},
	}, {
		name: "source on a vertex", domain: [4]float64{0, 0, 10, 10}, obstacles: []geom.Ring{box(4, 4, 6, 6)},
		source: mgl64.Vec2{4, 4}, point: mgl64.Vec2{7, 7},
		distance: 2 + math.Hypot(1, 3), parent: mgl64.Vec2{6, 4},
	}, {
		name: "source on a wall", domain: [4]float64{0, 0, 10, 10}, obstacles: []geom.Ring{box(4, 4, 6, 6)},
		source: mgl64.Vec2{4, 5}, point: mgl64.Vec2{6, 5},
		distance: 4, parent: mgl64.Vec2{6, 4},
	}, {
		name: "touching corners let nobody through", domain: [4]float64{0, 0, 10, 10}, obstacles: []geom.Ring{box(0, 0, 5, 5), box(5, 5, 9, 9)},
		source: mgl64.Vec2{4, 6}, point: mgl64.Vec2{6, 4},
		distance: 2*math.Hypot(1, 3) + 4 + 4, parent: mgl64.Vec2{9, 5},
	}, {
		name: "touching walls are one", domain: [4]float64{0, 0, 10, 10}, obstacles: []geom.Ring{box(3, 4, 5, 6), box(5, 4, 7, 6)},
		source: mgl64.Vec2{5, 4}, point: mgl64.Vec2{5, 6},
		distance: 6, parent: mgl64.Vec2{3, 6},
	}, {
		name: "overlapping", domain: [4]float64{0, 0, 10, 10}, obstacles: []geom.Ring{box(3, 4, 6, 6), box(4, 3, 5, 7)},
		source: mgl64.Vec2{2, 5}, point: mgl64.Vec2{4.5, 7},
		distance: math.Hypot(2, 2) + 0.5, parent: mgl64.Vec2{4, 7},
	}, {
		name: "row of squares, grazing", domain: [4]float64{0, 0, 10, 10},
		obstacles: []geom.Ring{box(1, 4, 2, 5), box(3, 4, 4, 5), box(5, 4, 6, 5), box(7, 5, 8, 6)},
		source:    mgl64.Vec2{1, 5}, point: mgl64.Vec2{9, 5},
		distance: 8, parent: mgl64.Vec2{8, 5},
	},
}

func TestSolveKnownDistances(t *testing.T) {
	for _, k := range known {
		t.Run(k.name, func(t *testing.T) {
			g := ground(t, k.domain, k.obstacles...)
			v, err := Solve(g, Goal{Points: []mgl64.Vec2{k.source}})
			if err != nil {
				t.Fatal(err)
			}
			checkKnown(t, v, k.point, k.distance, k.parent)
			back, err := Solve(g, Goal{Points: []mgl64.Vec2{k.point}})
			if err != nil {
				t.Fatal(err)
			}
			if d := back.Query(k.source).Distance; math.Abs(d-k.distance) > v.Tolerance(k.distance) {
				t.Errorf("the way back is %v long, want %v", d, k.distance)
			}
		})
	}
}

// checkKnown holds a view against a known distance; the parent is compared only in that it is as good as the known one.
func checkKnown(t *testing.T, v *View, p mgl64.Vec2, distance float64, parent mgl64.Vec2) {
	t.Helper()
	a := v.Query(p)
	eps := v.Tolerance(distance)
	if a.State != Reached || math.Abs(a.Distance-distance) > eps {
		t.Fatalf("distance at %v is %v (state %v), want %v", p, a.Distance, a.State, distance)
	}
	if d := v.Query(parent).Distance + p.Sub(parent).Len(); math.Abs(d-distance) > eps {
		t.Errorf("over %v the distance is %v, want %v", parent, d, distance)
	}
	checkPath(t, v, p, distance, eps)
}

// checkPath checks that the path from p has that length and crosses no obstacle.
func checkPath(t *testing.T, v *View, p mgl64.Vec2, distance, eps float64) {
	t.Helper()
	path := v.Path(p)
	length := 0.0
	for i := 1; i < len(path); i++ {
		length += path[i].Sub(path[i-1]).Len()
		if !inSight(v.ground, path[i-1], path[i]) {
			t.Errorf("the path from %v crosses an obstacle between %v and %v", p, path[i-1], path[i])
		}
	}
	if math.Abs(length-distance) > eps {
		t.Errorf("the path from %v is %v long, want %v: %v", p, length, distance, path)
	}
}

// inSight tells whether some free sector of a sees one of b, by brute force.
func inSight(g *geom.Ground, a, b mgl64.Vec2) bool {
	for _, s := range sites(g, a, 0) {
		for _, to := range sites(g, b, 0) {
			if g.Sees(s.sector, to.sector) {
				return true
			}
		}
	}
	return false
}

func TestSolveSeveralSources(t *testing.T) {
	g := ground(t, [4]float64{0, 0, 20, 10}, box(9, 0, 11, 10))
	v, err := Solve(g, Goal{Points: []mgl64.Vec2{{2, 2}, {2, 8}, {18, 5}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		p    mgl64.Vec2
		of   int
		want float64
	}{{mgl64.Vec2{5, 2}, 0, 3}, {mgl64.Vec2{5, 8}, 1, 3}, {mgl64.Vec2{15, 5}, 2, 3}, {mgl64.Vec2{2, 5}, 0, 3}} {
		if d := v.Query(c.p).Distance; math.Abs(d-c.want) > v.Tolerance(d) {
			t.Errorf("distance at %v is %v, want %v", c.p, d, c.want)
		}
		if of := v.NearestSource(c.p); of != c.of {
			t.Errorf("nearest source of %v is %d, want %d", c.p, of, c.of)
		}
	}
}

func TestQueryStates(t *testing.T) {
	// A wall shuts the right side off.
	g := ground(t, [4]float64{0, 0, 20, 10}, box(9, 0, 11, 10), box(3, 3, 5, 5))
	v, err := Solve(g, Goal{Points: []mgl64.Vec2{{2, 2}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		p     mgl64.Vec2
		state State
	}{
		{mgl64.Vec2{2, 2}, Reached},
		{mgl64.Vec2{3, 4}, Reached}, // on a wall
		{mgl64.Vec2{0, 0}, Reached},
		{mgl64.Vec2{15, 5}, Unreached},
		{mgl64.Vec2{4, 4}, Obstacle},
		{mgl64.Vec2{-1, 4}, Obstacle},
		{mgl64.Vec2{math.NaN(), 4}, Obstacle},
		{mgl64.Vec2{math.Inf(1), 4}, Obstacle},
	} {
		a := v.Query(c.p)
		if a.State != c.state {
			t.Errorf("state at %v is %v, want %v", c.p, a.State, c.state)
		}
		switch c.state {
		case Unreached:
			if !math.IsInf(a.Distance, 1) {
				t.Errorf("distance at %v is %v, want +Inf", c.p, a.Distance)
			}
		case Obstacle:
			if !math.IsNaN(a.Distance) {
				t.Errorf("distance at %v is %v, want NaN", c.p, a.Distance)
			}
		}
		if (v.Path(c.p) != nil) != (c.state == Reached) || (v.NearestSource(c.p) >= 0) != (c.state == Reached) {
			t.Errorf("path or source at %v do not go with its state", c.p)
		}
	}
	if d := v.Query(mgl64.Vec2{2, 2}).Distance; d != 0 {
		t.Errorf("distance at the source is %v, want exactly 0", d)
	}
}

func TestSourcesRefused(t *testing.T) {
	g := ground(t, [4]float64{0, 0, 10, 10}, box(4, 4, 6, 6))
	for _, p := range []mgl64.Vec2{{5, 5}, {-1, 5}, {5, 11}, {math.NaN(), 1}, {1, math.Inf(1)}} {
		_, err := Solve(g, Goal{Points: []mgl64.Vec2{{1, 1}, p}})
		var refused *SourceError
		if !errors.As(err, &refused) || refused.Index != 1 {
			t.Errorf("source %v gave %v, want a *SourceError for source 1", p, err)
		}
	}
	v, err := Solve(g, Goal{})
	if err != nil {
		t.Fatal(err)
	}
	if a := v.Query(mgl64.Vec2{1, 1}); a.State != Unreached {
		t.Errorf("without sources the state is %v, want unreached", a.State)
	}
}

func TestExtent(t *testing.T) {
	for _, c := range []struct {
		width, height float64
		size          int
		columns, rows int
	}{
		{10, 10, 250, 250, 250},
		{20, 10, 250, 250, 125},
		{30, 20, 300, 300, 200},
		{3, 1, 999, 999, 333},
		{1, 3, 999, 333, 999},
		{1, 3, 1000, 334, 1000},
		{0.3, 0.1, 3, 3, 1},
		{7, 1e-9, 100, 100, 1},
		{1e7, 1e7, 1, 1, 1},
	} {
		e := NewExtent(c.width, c.height, c.size)
		if e.Columns != c.columns || e.Rows != c.rows {
			t.Errorf("%v x %v m at %d texels: %d x %d, want %d x %d", c.width, c.height, c.size, e.Columns, e.Rows, c.columns, c.rows)
		}
	}
	e := NewExtent(10, 10, 4)
	if p := e.Lattice(3, 0); p != (geom.Point{X: geom.Steps * 7 / 8, Y: geom.Steps / 8}) {
		t.Errorf("centre of texel (3, 0) of 4 is %v", p)
	}
}
