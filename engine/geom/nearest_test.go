package geom

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// TestNearest holds Nearest against the distance to every wall in float64.
func TestNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 3))
	for seed := range uint64(20) {
		l, err := NewLattice(mgl64.Vec2{-3, 5}, mgl64.Vec2{97, 65})
		if err != nil {
			t.Fatal(err)
		}
		var obstacles []Polygon
		for range 12 {
			x, y := -3+90*rng.Float64(), 5+50*rng.Float64()
			obstacles = append(obstacles, geomtest.Rect(x, y, x+2+30*rng.Float64(), y+2+30*rng.Float64()))
		}
		g := groundOf(t, l, obstacles...)
		buried := 0
		for range 200 {
			p := Point{X: rng.Int32N(l.Size.X + 1), Y: rng.Int32N(l.Size.Y + 1)}
			q, ok := g.Nearest(p)
			if !ok || !g.Free(q) {
				t.Fatalf("seed %d: Nearest(%v) = %v, %v: not free", seed, p, q, ok)
			}
			if g.Free(p) {
				if q != p {
					t.Fatalf("seed %d: %v is free, but Nearest gives %v", seed, p, q)
				}
				continue
			}
			buried++
			want := math.Inf(1)
			for _, w := range g.Walls {
				_, d := footPoint(g.Vertices[w.A], g.Vertices[w.B], p)
				want = min(want, d)
			}
			if got := math.Sqrt(float64(lattice.Distance2(p, q))); math.Abs(got-want) > slackDiagonal {
				t.Errorf("seed %d: Nearest(%v) = %v is %v steps away, the nearest wall %v", seed, p, q, got, want)
			}
		}
		if buried == 0 {
			t.Errorf("seed %d: no point was buried", seed)
		}
	}
}

func TestNearestIsTheLeastOfAll(t *testing.T) {
	// A domain of few steps would be needed to ask them all; round a wall they can be asked.
	l, err := NewLattice(mgl64.Vec2{0, 0}, mgl64.Vec2{Steps, Steps})
	if err != nil {
		t.Fatal(err)
	}
	g := groundOf(t, l, geomtest.Polygon(100, 100, 140, 107, 133, 150, 96, 139))
	for x := int32(90); x <= 145; x++ {
		for y := int32(95); y <= 155; y++ {
			p := Point{X: x, Y: y}
			got, _ := g.Nearest(p)
			want, ok := g.NearestFree(p, 30)
			if !ok {
				t.Fatalf("nothing free within 30 steps of %v", p)
			}
			if d, least := math.Sqrt(float64(lattice.Distance2(p, got))), math.Sqrt(float64(lattice.Distance2(p, want))); d > least+slackDiagonal {
				t.Errorf("Nearest(%v) = %v at %v, but %v is at %v", p, got, d, want, least)
			}
		}
	}
}

func TestNearestWhere(t *testing.T) {
	l, err := NewLattice(mgl64.Vec2{0, 0}, mgl64.Vec2{100, 100})
	if err != nil {
		t.Fatal(err)
	}
	g := groundOf(t, l, geomtest.Rect(40, 0, 50, 100))
	p := l.Snap(mgl64.Vec2{42, 50})
	right := func(q Point) bool { return q.X > p.X }
	if q, ok := g.NearestWhere(p, 10/l.Step, right); !ok || l.World(q).Sub(mgl64.Vec2{50, 50}).Len() > slackDiagonal*l.Step {
		t.Errorf("the nearest point on the right is %v, %v; want (50, 50)", l.World(q), ok)
	}
	if q, ok := g.NearestWhere(p, 7/l.Step, right); ok {
		t.Errorf("within 7 m there is no point on the right, but NearestWhere gives %v", l.World(q))
	}
	if q, ok := groundOf(t, l, geomtest.Rect(0, 0, 100, 100)).Nearest(p); ok {
		t.Errorf("covered ground has a free point %v", q)
	}
}

func TestStanding(t *testing.T) {
	l, err := NewLattice(mgl64.Vec2{0, 0}, mgl64.Vec2{100, 100})
	if err != nil {
		t.Fatal(err)
	}
	g := groundOf(t, l, geomtest.Rect(40, 0, 50, 100))
	for _, c := range []struct {
		at mgl64.Vec2
		ok bool
	}{
		{mgl64.Vec2{10, 10}, true},
		{mgl64.Vec2{40, 10}, true},
		{mgl64.Vec2{40 + 2*l.Step, 10}, true}, // behind the wall, but no farther than rounding explains
		{mgl64.Vec2{40 + 5*l.Step, 10}, false},
		{mgl64.Vec2{101, 10}, false},
		{mgl64.Vec2{math.NaN(), 10}, false},
	} {
		if q, ok := g.Standing(c.at); ok != c.ok || ok && !g.Free(q) {
			t.Errorf("Standing(%v) = %v, %v", c.at, q, ok)
		}
	}
}
