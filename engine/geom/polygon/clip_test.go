package polygon

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// clippedArea is the area that a ring has in a box, by Sutherland and Hodgman: their result may run
// to and fro along the border, which adds nothing.
func clippedArea(r Ring, lo, hi mgl64.Vec2) float64 {
	for side := range 4 {
		axis, bound, sign := side%2, lo[side%2], 1.0
		if side >= 2 {
			bound, sign = hi[axis], -1
		}
		var out Ring
		for i, q := range r {
			p := r[(i+len(r)-1)%len(r)]
			in, was := sign*(q[axis]-bound) >= 0, sign*(p[axis]-bound) >= 0
			if in != was {
				out = append(out, p.Add(q.Sub(p).Mul((bound-p[axis])/(q[axis]-p[axis]))))
			}
			if in {
				out = append(out, q)
			}
		}
		r = out
	}
	return math.Abs(r.Area())
}

// checkClip holds what is left of a polygon against the box, Check and the area.
func checkClip(t *testing.T, p Polygon, lo, hi mgl64.Vec2) []Polygon {
	t.Helper()
	pieces, err := p.Clip(lo, hi)
	if err != nil {
		t.Fatalf("%v from %v to %v: %v", p, lo, hi, err)
	}
	want, area := clippedArea(p.Outer, lo, hi), 0.0
	for _, h := range p.Holes {
		want -= clippedArea(h, lo, hi)
	}
	for _, piece := range pieces {
		if err := piece.Check(); err != nil || piece.Outer.Area() <= 0 {
			t.Fatalf("%v from %v to %v: %v: %v", p, lo, hi, piece, err)
		}
		area += piece.Outer.Area()
		for _, h := range piece.Holes {
			area += h.Area()
		}
		for _, ring := range piece.Rings() {
			for _, v := range ring {
				if v[0] < lo[0] || v[0] > hi[0] || v[1] < lo[1] || v[1] > hi[1] {
					t.Fatalf("%v from %v to %v: the vertex %v is outside", p, lo, hi, v)
				}
				border := v[0] == lo[0] || v[0] == hi[0] || v[1] == lo[1] || v[1] == hi[1]
				if given := slices.ContainsFunc(p.Rings(), func(r Ring) bool { return slices.Contains(r, v) }); !given && !border {
					t.Fatalf("%v from %v to %v: the vertex %v is new and not on the border", p, lo, hi, v)
				}
			}
		}
	}
	// Areas are rounded relative to the polygon's own extent.
	extent := 0.0
	for _, v := range p.Outer {
		extent = max(extent, v.Len())
	}
	if math.Abs(area-want) > 1e-12*extent*extent {
		t.Fatalf("%v from %v to %v: area %v, want %v\n%v", p, lo, hi, area, want, pieces)
	}
	return pieces
}

func TestClip(t *testing.T) {
	square := func(x0, y0, x1, y1 float64) Ring { return Ring{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}} }
	lo, hi := mgl64.Vec2{0, 0}, mgl64.Vec2{10, 10}
	for name, c := range map[string]struct {
		p      Polygon
		pieces []int // the number of holes of each
	}{
		"inside":                         {Polygon{square(1, 1, 9, 9), []Ring{square(2, 2, 3, 3)}}, []int{1}},
		"outside":                        {Polygon{square(11, 1, 12, 9), nil}, nil},
		"along the border, outside":      {Polygon{square(10, 1, 12, 9), nil}, nil},
		"along the border, inside":       {Polygon{square(0, 1, 2, 9), nil}, []int{0}},
		"in a corner, outside":           {Polygon{square(10, 10, 12, 12), nil}, nil},
		"the box":                        {Polygon{square(0, 0, 10, 10), nil}, []int{0}},
		"around the box":                 {Polygon{square(-1, -1, 11, 11), []Ring{square(2, 2, 3, 3)}}, []int{1}},
		"a hole around the box":          {Polygon{square(-2, -2, 12, 12), []Ring{square(-1, -1, 11, 11)}}, nil},
		"a hole as the box":              {Polygon{square(-2, -2, 12, 12), []Ring{square(0, 0, 10, 10)}}, nil},
		"a hole across the border":       {Polygon{square(-2, 2, 8, 8), []Ring{square(-1, 3, 7, 7)}}, []int{0}},
		"a hole in two of four corners":  {Polygon{square(-5, -5, 15, 15), []Ring{{{-1, 5}, {5, -1}, {11, 5}, {5, 11}}}}, []int{0, 0, 0, 0}},
		"a comb":                         {Polygon{Ring{{5, -2}, {5, 2}, {6, 2}, {6, -1}, {7, -1}, {7, 2}, {8, 2}, {8, -2}}, nil}, []int{0, 0}},
		"a comb, whose teeth come to it": {Polygon{Ring{{5, -2}, {6, 0}, {7, -1}, {8, 0}, {9, -2}}, nil}, nil},
		"a comb, whose gaps come to it":  {Polygon{Ring{{5, 2}, {6, 0}, {7, 1}, {8, 0}, {9, 2}}, nil}, []int{0}},
		"gaps that end on the border":    {Polygon{Ring{{4, -2}, {9, -2}, {9, 4}, {7, 0}, {5, 4}, {4, 4}}, nil}, []int{0, 0}},
		"pieces with holes": {
			Polygon{Ring{{1, 8}, {1, -2}, {9, -2}, {9, 8}, {6, 8}, {6, -1}, {4, -1}, {4, 8}}, []Ring{square(2, 2, 3, 3), square(7, 2, 8, 3), square(2, 5, 3, 6)}}, []int{2, 1},
		},
		"a hole that cuts off a piece with its corner":       {Polygon{Ring{{-4, 0}, {5, 3}, {5, 9}, {-4, 9}}, []Ring{{{2, 2}, {3, 5}, {-1, 5}}}}, []int{0, 0}},
		"a hole between pieces that touches both, clockwise": {Polygon{Ring{{5, -3}, {9, 5}, {5, 12}, {1, 5}}, []Ring{{{3, 1}, {7, 1}, {5, 4}}, {{5, 4}, {6, 8}, {4, 8}}}}, []int{2}},
	} {
		t.Run(name, func(t *testing.T) {
			pieces := checkClip(t, c.p, lo, hi)
			var holes []int
			for _, p := range pieces {
				holes = append(holes, len(p.Holes))
			}
			slices.Sort(holes)
			slices.Sort(c.pieces)
			if !slices.Equal(holes, c.pieces) {
				t.Errorf("pieces with %v holes, want %v: %v", holes, c.pieces, pieces)
			}
		})
	}
}

// TestClipRandom clips stars with stars for holes. Half of them have small whole coordinates, so
// that vertices and edges lie on the border and on one another, the others what rounds.
func TestClipRandom(t *testing.T) {
	const want = 2000
	for seed, done := uint64(0), 0; done < want; seed++ {
		r := rand.New(rand.NewPCG(seed, 7))
		whole := seed%2 == 0
		star := func(center mgl64.Vec2, radius float64, n int) Ring {
			var ring Ring
			begin := 7 * r.Float64()
			for i := range n {
				sin, cos := math.Sincos(begin + 2*math.Pi*float64(i)/float64(n))
				v := center.Add(mgl64.Vec2{cos, sin}.Mul(radius * (0.2 + 0.8*r.Float64())))
				if whole {
					v = mgl64.Vec2{math.Round(v[0]), math.Round(v[1])}
				}
				ring = append(ring, v)
			}
			if r.IntN(2) == 0 {
				slices.Reverse(ring)
			}
			return ring
		}
		at := func(spread float64) mgl64.Vec2 {
			return mgl64.Vec2{spread * (r.Float64() - 0.5), spread * (r.Float64() - 0.5)}
		}
		p := Polygon{Outer: star(at(10), 12, 3+r.IntN(20))}
		for range r.IntN(4) {
			if withHole := (Polygon{p.Outer, append(slices.Clone(p.Holes), star(at(12), 5, 3+r.IntN(6)))}); withHole.Check() == nil {
				p = withHole
			}
		}
		if p.Check() != nil {
			continue
		}
		done++
		hi := mgl64.Vec2{1 + float64(r.IntN(8)), 1 + float64(r.IntN(8))}
		lo := mgl64.Vec2{-float64(r.IntN(8)), -float64(r.IntN(8))}
		if !whole {
			hi, lo = hi.Mul(0.7), lo.Mul(1.1)
		}
		pieces := checkClip(t, p, lo, hi)
		// Once clipped, a polygon is inside and stays as it is, but where holes touch the border.
		for _, piece := range pieces {
			if again := checkClip(t, piece, lo, hi); len(piece.Holes) == 0 && (len(again) != 1 || len(again[0].Outer) != len(piece.Outer)) {
				t.Fatalf("seed %d: %v became %v", seed, piece, again)
			}
		}
	}
}

// TestClipTouching: holes whose corners lie on slanting edges that the border cuts, where rounding
// to the nearest number would put half of them outside.
func TestClipTouching(t *testing.T) {
	touching := 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 8))
		number := func() float64 { return float64(r.IntN(200)) / 8 }
		a, b := mgl64.Vec2{-number(), number()}, mgl64.Vec2{10 + number(), number()}
		v := a.Add(b.Sub(a).Mul(float64(1+r.IntN(7)) / 8)) // exact
		p := Polygon{Ring{a, b, {20, 90}, {-20, 90}}, []Ring{{v, v.Add(mgl64.Vec2{2, 50}), v.Add(mgl64.Vec2{-2, 50})}}}
		if p.Check() != nil || orient(a, b, v) != lattice.Collinear {
			continue
		}
		touching++
		checkClip(t, p, mgl64.Vec2{0.1, -1}, mgl64.Vec2{9.7, 88.3})
	}
	if touching < 1000 {
		t.Errorf("%d polygons with a hole that touches, want 1000", touching)
	}
}

// TestClipExtremes: numbers from end to end of float64. What a point sampled in the box is covered
// by stays so.
func TestClipExtremes(t *testing.T) {
	numbers := []float64{0, 5e-324, 1e-300, 0.3, 0.5, 1, 1 - 1e-16, 1 + 3e-16, 2, 1e12, 1e300, math.MaxFloat64}
	r := rand.New(rand.NewPCG(1, 9))
	number := func() float64 { return numbers[r.IntN(len(numbers))] * float64(1-2*r.IntN(2)) }
	clipped := 0
	for range 3000 {
		var ring Ring
		for range 3 + r.IntN(3) {
			ring = append(ring, mgl64.Vec2{number(), number()})
		}
		p := Polygon{Outer: ring}
		if p.Check() != nil {
			continue
		}
		pieces, err := p.Clip(mgl64.Vec2{0, 0}, mgl64.Vec2{1, 0.7})
		if err != nil {
			t.Fatalf("%v: %v", p, err)
		}
		clipped += len(pieces)
		for range 20 {
			at := mgl64.Vec2{r.Float64(), 0.7 * r.Float64()}
			if in := slices.ContainsFunc(pieces, func(p Polygon) bool { return p.Outer.sideOf(at) == lattice.Left }); in != (ring.sideOf(at) == lattice.Left) {
				t.Fatalf("%v: %v is covered: %v; %v", p, at, in, pieces)
			}
		}
	}
	if clipped < 500 {
		t.Errorf("%d pieces, want 500", clipped)
	}
}
