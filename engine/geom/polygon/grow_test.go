package polygon

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// distanceTo returns how far p is from the polygon, 0 inside.
func distanceTo(polygon Polygon, p mgl64.Vec2) float64 {
	nearest, inside := math.Inf(1), false
	for _, ring := range polygon.Rings() {
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			d := b.Sub(a)
			t := min(max(p.Sub(a).Dot(d)/d.Dot(d), 0), 1)
			nearest = min(nearest, p.Sub(a.Add(d.Mul(t))).Len())
			if (a[1] > p[1]) != (b[1] > p[1]) && a[0]+(p[1]-a[1])/d[1]*d[0] < p[0] {
				inside = !inside
			}
		}
	}
	if inside {
		return 0
	}
	return nearest
}

func growable() map[string]Polygon {
	star := Ring{}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 40)
		star = append(star, mgl64.Vec2{cos, sin}.Mul(2+4*random.Float64()))
	}
	return map[string]Polygon{
		"triangle":          {Outer: ring(0, 0, 4, 0, 0, 4)},
		"clockwise":         {Outer: ring(0, 0, 0, 4, 4, 0)},
		"needle":            {Outer: ring(0, 0, 5, 0.001, 0, 0.002)},
		"notch":             {Outer: ring(0, 0, 6, 0, 6, 6, 3, 1, 0, 6)},
		"collinear, merged": {Outer: ring(0, 0, 2, 0, 2, 0, 4, 0, 4, 4, 0, 4, 0, 0)},
		"hole":              {Outer: square(0, 0, 6), Holes: []Ring{square(1.5, 1.5, 3)}},
		"clockwise hole":    {Outer: square(0, 0, 6), Holes: []Ring{ring(1, 1, 1, 5, 4, 4, 5, 1)}},
		"hole with a tooth": {Outer: square(0, 0, 9), Holes: []Ring{ring(1, 1, 8, 1, 4.5, 5, 8, 8, 1, 8)}},
		"hole that closes":  {Outer: square(0, 0, 6), Holes: []Ring{square(2.5, 2.5, 0.5)}},
		"star":              {Outer: star},
	}
}

func TestGrow(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	for name, p := range growable() {
		merged, _ := p.Merged()
		for _, sides := range []int{3, 8, 16, 33} {
			const radius = 0.7
			bound := radius * (1/math.Cos(math.Pi/float64(max(sides, 8))) - 1)
			grown := p.Grow(radius, sides)
			for _, part := range grown {
				if err := part.Check(); err != nil {
					t.Fatalf("%s: part %v: %v", name, part, err)
				}
			}
			counts := map[bool]int{}
			farthest := 0.0
			for range 4_000 {
				q := mgl64.Vec2{-2 + 12*random.Float64(), -2 + 12*random.Float64()}
				if name == "star" {
					q = q.Sub(mgl64.Vec2{4, 4})
				}
				distance, inside := distanceTo(merged, q), false
				for _, part := range grown {
					// Closed parts: a point on a common border of two of them is inside.
					inside = inside || distanceTo(part, q) <= 1e-12
				}
				counts[inside]++
				// 1e-9 is far above the rounding of coordinates up to 10.
				if !inside && distance <= radius-1e-9 {
					t.Fatalf("%s, %d sides: %v is at %v of the polygon, but not in the grown one", name, sides, q, distance)
				}
				if inside {
					farthest = max(farthest, distance)
				}
			}
			if farthest > radius+bound+1e-9 {
				t.Errorf("%s, %d sides: grown by %v, want at most %v", name, sides, farthest, radius+bound)
			}
			if min(counts[true], counts[false]) < 200 {
				t.Errorf("%s: random points hardly fall on both sides: %v", name, counts)
			}
		}
	}
}

// The straight stretches of the outline are where they should be: a square grows to the same lines
// as the rectangles beside it, without bumps at the fans.
func TestGrowMakesNoBumps(t *testing.T) {
	highest := 0.0
	for _, part := range (Polygon{Outer: square(0, 0, 4)}).Grow(1, 16) {
		for _, v := range part.Outer {
			highest = max(highest, v[1])
		}
	}
	if math.Abs(highest-5) > 1e-15*8 { // a few units in the last place of 5
		t.Errorf("a square of 4 m grown by 1 m reaches up to %v, want 5", highest)
	}
}

// A convex polygon grows to one, with no more corners than the turn takes; vertices that are none
// add none.
func TestGrowConvex(t *testing.T) {
	for name, p := range growable() {
		convex := name == "triangle" || name == "clockwise" || name == "needle" || name == "collinear, merged"
		grown := p.Grow(0.3, 16)
		if (len(grown) == 1) != convex {
			t.Errorf("%s: %d polygons", name, len(grown))
		}
		if corners := len(grown[0].Outer); name == "collinear, merged" && corners != 16 {
			t.Errorf("%s: %d corners, want 4 at each of 4 vertices", name, corners)
		}
	}
}

func TestGrowByNothing(t *testing.T) {
	if grown := (Polygon{Outer: square(0, 0, 4)}).Grow(0, 16); len(grown) != 1 {
		t.Errorf("growing by 0 gives %d polygons, want the one", len(grown))
	}
}

func TestGrowPanicsOnMisuse(t *testing.T) {
	for _, radius := range []float64{-1, math.NaN(), math.Inf(1)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Grow(%v) does not panic", radius)
				}
			}()
			Polygon{Outer: square(0, 0, 4)}.Grow(radius, 16)
		}()
	}
}
