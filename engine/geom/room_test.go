package geom

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
)

// TestNearestRoom holds NearestRoom against a plain search of all places of a raster: the disc fits
// where it says, and at no nearer place of the raster.
func TestNearestRoom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	const every = 0.25 // m
	moved, none := 0, 0
	for seed := range 12 {
		l, err := NewLattice(mgl64.Vec2{-3, 5}, mgl64.Vec2{17, 17})
		if err != nil {
			t.Fatal(err)
		}
		var obstacles []Polygon
		for range 4 + seed {
			x, y := -3+18*rng.Float64(), 5+10*rng.Float64()
			if rng.IntN(2) == 0 {
				obstacles = append(obstacles, geomtest.Rect(x, y, x+0.2+min(16.8-x, 4*rng.Float64()), y+0.2+min(16.8-y, 4*rng.Float64())))
			} else {
				obstacles = append(obstacles, Polygon{Outer: Ring{{x, y}, {x + 1.5*rng.Float64(), y + 0.1}, {x + rng.Float64(), y + 0.2 + 1.5*rng.Float64()}}})
			}
		}
		g := groundOf(t, l, obstacles...)
		walls := g.stretches(mgl64.Vec2{}, math.Inf(1))
		clear := func(at mgl64.Vec2) float64 { // m to the nearest wall; below 0 inside obstacles
			least := math.Inf(1)
			p := at.Sub(l.Origin).Mul(1 / l.Step)
			for _, w := range walls {
				least = min(least, plainDistance(w, p)*l.Step)
			}
			if !g.Free(l.Snap(at)) {
				return -least
			}
			return least
		}
		for range 25 {
			r := 0.05 + 1.5*rng.Float64()*rng.Float64()*float64(1+rng.IntN(3))
			at := mgl64.Vec2{-3.5 + 21*rng.Float64(), 4.5 + 13*rng.Float64()}
			got, ok := g.NearestRoom(at, r)
			if room := clear(got); ok && room < r-2*l.Step {
				t.Errorf("seed %d: a disc of %v near %v is at %v, %v from a wall", seed, r, at, got, room)
			}
			if ok && clear(at) >= r && at == (mgl64.Vec2{min(17, max(-3, at[0])), min(17, max(5, at[1]))}) && got != at {
				t.Errorf("seed %d: a disc of %v fits at %v, but is at %v", seed, r, at, got)
			}
			inside := mgl64.Vec2{min(17, max(-3, at[0])), min(17, max(5, at[1]))}
			distance := got.Sub(inside).Len()
			if ok && distance > 0 {
				moved++
			}
			if !ok {
				none++
				distance = math.Inf(1)
			}
			for x := -3.0; x <= 17; x += every {
				for y := 5.0; y <= 17; y += every {
					q := mgl64.Vec2{x, y}
					if d := q.Sub(inside).Len(); d < distance-2*l.Step && clear(q) >= r+2*l.Step {
						t.Fatalf("seed %d: a disc of %v near %v is at %v, %v, but %v is nearer", seed, r, at, got, ok, q)
					}
				}
			}
		}
	}
	if moved < 100 || none == 0 {
		t.Errorf("%d discs were moved, %d fit nowhere", moved, none)
	}
}

// plainDistance is the distance of a point from a stretch, by the triangle of the three points.
func plainDistance(s stretch, p mgl64.Vec2) float64 {
	length, a, b := s.b.Sub(s.a).Len(), p.Sub(s.a).Len(), p.Sub(s.b).Len()
	if a*a >= b*b+length*length || b*b >= a*a+length*length {
		return min(a, b)
	}
	u, v := s.b.Sub(s.a), p.Sub(s.a)
	return math.Abs(u[0]*v[1]-u[1]*v[0]) / length
}

// TestNearestRoomOfNoDisc: what is no disc, and none that fits in the domain, has no room.
func TestNearestRoomOfNoDisc(t *testing.T) {
	l, err := NewLattice(mgl64.Vec2{0, 0}, mgl64.Vec2{10, 6})
	if err != nil {
		t.Fatal(err)
	}
	g := groundOf(t, l)
	for _, r := range []float64{3.001, 1e300, math.Inf(1), math.NaN()} {
		if q, ok := g.NearestRoom(mgl64.Vec2{5, 3}, r); ok {
			t.Errorf("a disc of %v has room at %v", r, q)
		}
	}
	for r, want := range map[float64]mgl64.Vec2{0: {0, 0}, 1: {1, 1}, 3: {3, 3}} {
		if q, ok := g.NearestRoom(mgl64.Vec2{-5, -7}, r); !ok || q.Sub(want).Len() > 4*l.Step {
			t.Errorf("a disc of %v has room at %v, %v, want %v", r, q, ok, want)
		}
	}
}
