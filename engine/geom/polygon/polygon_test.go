package polygon

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// ring makes a ring of x, y, x, y, ...
func ring(coordinates ...float64) Ring {
	var r Ring
	for c := range slices.Chunk(coordinates, 2) {
		r = append(r, mgl64.Vec2{c[0], c[1]})
	}
	return r
}

// square is the axis-parallel square with the lower left corner (x, y).
func square(x, y, side float64) Ring {
	return ring(x, y, x+side, y, x+side, y+side, x, y+side)
}

func TestCheckAccepts(t *testing.T) {
	comb := Ring{{0, 0}, {100, 0}}
	for i := 100; i > 0; i-- {
		comb = append(comb, mgl64.Vec2{float64(i), 5}, mgl64.Vec2{float64(i) - 0.5, 1})
	}
	for name, p := range map[string]Polygon{
		"triangle":                       {Outer: ring(0, 0, 4, 0, 0, 4)},
		"clockwise":                      {Outer: ring(0, 0, 0, 4, 4, 0)},
		"equal neighbours":               {Outer: ring(0, 0, 0, 0, 4, 0, 0, 4, 0, 4, 0, 0)},
		"vertices on a straight line":    {Outer: ring(0, 0, 1, 0, 2, 0, 4, 0, 3, 1, 2, 2, 0, 4, 0, 1)},
		"comb":                           {Outer: comb},
		"hole":                           {Outer: square(0, 0, 9), Holes: []Ring{square(1, 1, 2)}},
		"hole touches with a vertex":     {Outer: square(0, 0, 9), Holes: []Ring{ring(0, 4, 3, 3, 3, 5)}},
		"hole touches a vertex":          {Outer: ring(0, 0, 9, 0, 9, 9, 0, 9, 2, 4), Holes: []Ring{ring(2, 4, 4, 3, 4, 5)}},
		"hole's edge touches a vertex":   {Outer: ring(0, 0, 9, 0, 9, 9, 0, 9, 2, 4), Holes: []Ring{ring(2, 3, 4, 3, 4, 5, 2, 5)}},
		"hole touches at all its corner": {Outer: square(0, 0, 2), Holes: []Ring{ring(0, 1, 1, 0, 2, 1, 1, 2)}},
		"clockwise hole that touches":    {Outer: square(0, 0, 2), Holes: []Ring{ring(0, 1, 1, 2, 2, 1, 1, 0)}},
		"holes touch in a point":         {Outer: square(0, 0, 9), Holes: []Ring{square(1, 1, 2), square(3, 3, 2)}},
		"holes touch, corner on edge":    {Outer: square(0, 0, 9), Holes: []Ring{square(1, 1, 2), ring(3, 2, 5, 1, 5, 3)}},
		"hole in a bay of another":       {Outer: square(0, 0, 9), Holes: []Ring{ring(1, 1, 8, 1, 8, 8, 7, 8, 7, 2, 1, 2), square(3, 4, 2)}},
		"nearly on a line":               {Outer: ring(0, 0, 1, 1, 2, math.Nextafter(2, 3))},
		"least coordinates":              {Outer: ring(0, 0, math.SmallestNonzeroFloat64, 0, 0, math.SmallestNonzeroFloat64)},
		"greatest coordinates": {
			Outer: ring(-math.MaxFloat64, -math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64, 0, math.MaxFloat64),
			Holes: []Ring{square(0, 0, 1)},
		},
	} {
		if err := p.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCheckRefuses(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	big := square(0, 0, 9)
	for _, test := range []struct {
		name         string
		polygon      Polygon
		kind         Fault
		ring, index  int
		other, edge  int
		at           mgl64.Vec2
		messageNames string
	}{
		{"empty", Polygon{}, TooFewVertices, 0, 0, 0, 0, mgl64.Vec2{}, "outer ring"},
		{"one vertex", Polygon{Outer: ring(1, 1, 1, 1, 1, 1)}, TooFewVertices, 0, 0, 0, 0, mgl64.Vec2{1, 1}, "three distinct"},
		{"two vertices to and fro", Polygon{Outer: ring(0, 0, 1, 0, 0, 0, 1, 0)}, TooFewVertices, 0, 0, 0, 0, mgl64.Vec2{}, "three distinct"},
		{"empty hole", Polygon{big, []Ring{square(1, 1, 1), {}}}, TooFewVertices, 2, 0, 2, 0, mgl64.Vec2{}, "hole 1"},
		{"on a line", Polygon{Outer: ring(0, 0, 1, 1, 3, 3, 2, 2)}, ZeroArea, 0, 0, 0, 0, mgl64.Vec2{}, "no area"},
		{"hole on a line", Polygon{big, []Ring{ring(1, 1, 2, 1, 3, 1)}}, ZeroArea, 1, 0, 1, 0, mgl64.Vec2{1, 1}, "hole 0"},
		{"infinite", Polygon{Outer: ring(0, 0, 1, inf, 0, 1)}, NotFinite, 0, 1, 0, 1, mgl64.Vec2{1, inf}, "vertex 1"},
		{"not a number, in a hole", Polygon{big, []Ring{ring(1, 1, 2, 1, nan, 2)}}, NotFinite, 1, 2, 1, 2, mgl64.Vec2{nan, 2}, "vertex 2 of hole 0"},
		{"bow tie", Polygon{Outer: ring(0, 0, 2, 2, 2, 0, 0, 2)}, SelfIntersection, 0, 0, 0, 2, mgl64.Vec2{1, 1}, "edges 0 and 2 meet at (1, 1)"},
		{"bow tie of no area in sum", Polygon{Outer: ring(0, 0, 4, 4, 4, 0, 0, 4)}, SelfIntersection, 0, 0, 0, 2, mgl64.Vec2{2, 2}, "intersects itself"},
		{"bow tie through a vertex", Polygon{Outer: ring(0, 0, 2, 2, 4, 4, 4, 0, 2, 2, 0, 4)}, SelfIntersection, 0, 0, 0, 3, mgl64.Vec2{2, 2}, "(2, 2)"},
		{"touches itself in a vertex", Polygon{Outer: ring(0, 0, 2, 2, 4, 0, 4, 4, 2, 2, 0, 4)}, SelfIntersection, 0, 0, 0, 3, mgl64.Vec2{2, 2}, "touch"},
		{"touches itself on an edge", Polygon{Outer: ring(0, 0, 4, 0, 4, 4, 2, 0, 0, 4)}, SelfIntersection, 0, 0, 0, 2, mgl64.Vec2{2, 0}, "touch"},
		{"spike outwards", Polygon{Outer: ring(0, 0, 4, 0, 8, 0, 4, 0, 4, 4, 0, 4)}, SelfIntersection, 0, 0, 0, 2, mgl64.Vec2{4, 0}, "edges 0 and 2"},
		{"spike in the middle of an edge", Polygon{Outer: ring(0, 0, 4, 0, 2, 0, 4, 4)}, SelfIntersection, 0, 0, 0, 1, mgl64.Vec2{2, 0}, "back along"},
		{"runs along itself", Polygon{Outer: ring(0, 0, 9, 0, 9, 4, 6, 4, 6, 0, 3, 0, 3, 4, 0, 4)}, SelfIntersection, 0, 0, 0, 3, mgl64.Vec2{6, 0}, "meet"},
		{"numbered as given", Polygon{Outer: ring(0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 0, 0, 2)}, SelfIntersection, 0, 0, 0, 5, mgl64.Vec2{1, 1}, "edges 0 and 5"},
		{"hole meets itself", Polygon{big, []Ring{square(1, 1, 1), ring(3, 3, 5, 5, 5, 3, 3, 5)}}, SelfIntersection, 2, 0, 2, 2, mgl64.Vec2{4, 4}, "hole 1 intersects itself"},
		{"hole meets itself and the outer ring", Polygon{big, []Ring{ring(-1, 3, 5, 5, 5, 3, 3, 5)}}, SelfIntersection, 1, 0, 1, 2, mgl64.Vec2{3.5, 4.5}, "hole 0 intersects itself"},
		{"hole crosses", Polygon{big, []Ring{ring(8, 4, 10, 4, 10, 5, 8, 5)}}, HoleCrossing, 1, 0, 0, 1, mgl64.Vec2{9, 4}, "edge 0 of hole 0 meets edge 1 of the outer ring at (9, 4)"},
		{"hole crosses in vertices", Polygon{ring(0, 0, 4, 0, 4, 2, 4, 4, 0, 4), []Ring{ring(2, 2, 4, 2, 6, 3)}}, HoleCrossing, 1, 1, 0, 2, mgl64.Vec2{4, 2}, "touch it only in points"},
		{"hole runs along", Polygon{big, []Ring{square(0, 3, 2)}}, HoleCrossing, 1, 0, 0, 3, mgl64.Vec2{0, 3}, "only in points"},
		{"hole leaves between two touches", Polygon{ring(0, 0, 9, 0, 6, 4, 9, 9, 0, 9), []Ring{ring(9, 0, 9, 9, 1, 5)}}, HoleCrossing, 1, 0, 0, 1, mgl64.Vec2{9, 0}, "outer ring"},
		{"hole outside", Polygon{big, []Ring{square(1, 1, 1), square(20, 1, 1)}}, HoleOutside, 2, 0, 2, 0, mgl64.Vec2{20, 1}, "hole 1 lies outside"},
		{"hole outside, in a bay", Polygon{ring(0, 0, 9, 0, 9, 9, 8, 9, 8, 1, 0, 1), []Ring{square(3, 4, 1)}}, HoleOutside, 1, 0, 1, 0, mgl64.Vec2{3, 4}, "outside"},
		{"hole outside, touching", Polygon{big, []Ring{ring(9, 4, 12, 3, 12, 5)}}, HoleOutside, 1, 0, 0, 1, mgl64.Vec2{9, 4}, "outside"},
		{"hole around", Polygon{big, []Ring{square(-1, -1, 11)}}, HoleOutside, 1, 0, 1, 0, mgl64.Vec2{-1, -1}, "outside"},
		{"hole equals the outer ring", Polygon{big, []Ring{big}}, HoleCrossing, 1, 0, 0, 0, mgl64.Vec2{0, 0}, "meets"},
		{"holes cross", Polygon{big, []Ring{square(1, 1, 2), square(2, 2, 2)}}, HolesOverlap, 2, 0, 1, 1, mgl64.Vec2{3, 2}, "hole 1 overlaps hole 0"},
		{"hole in a hole", Polygon{big, []Ring{square(3, 3, 1), square(1, 1, 5)}}, HolesOverlap, 1, 0, 2, 0, mgl64.Vec2{3, 3}, "hole 0 overlaps hole 1"},
		{"hole in a hole, touching", Polygon{big, []Ring{square(1, 1, 5), ring(1, 3, 4, 2, 4, 4)}}, HolesOverlap, 2, 0, 1, 3, mgl64.Vec2{1, 3}, "overlaps"},
		{"holes share an edge", Polygon{big, []Ring{square(1, 1, 2), square(3, 1, 2)}}, HolesOverlap, 2, 3, 1, 1, mgl64.Vec2{3, 1}, "overlaps"},
	} {
		err := test.polygon.Check()
		var got *Error
		if !errors.As(err, &got) {
			t.Errorf("%s: got %v, want a *Error", test.name, err)
			continue
		}
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if got.Kind != test.kind || got.Ring != test.ring || got.Index != test.index ||
			got.OtherRing != test.other || got.Other != test.edge || !same(got.Point[0], test.at[0]) || !same(got.Point[1], test.at[1]) {
			t.Errorf("%s: got %+v, want %v, ring %d index %d, other %d %d, at %v", test.name, *got, test.kind, test.ring, test.index, test.other, test.edge, test.at)
		}
		if message := err.Error(); !strings.HasPrefix(message, "geom: ") || !strings.Contains(message, test.messageNames) {
			t.Errorf("%s: message %q lacks %q", test.name, message, test.messageNames)
		}
	}
}

// plainCheck decides on small integer coordinates what Check does, in rational numbers and without
// any cleverness: edges are cut at all places where they meet others, and the middles of the pieces
// are looked at.
func plainCheck(p Polygon) (self, between bool) {
	type edge struct {
		ring, index, of int
		a, b            [2]int64
	}
	var edges []edge
	for r, vertices := range p.Rings() {
		for i, v := range vertices {
			w := vertices[(i+1)%len(vertices)]
			edges = append(edges, edge{r, i, len(vertices), [2]int64{int64(v[0]), int64(v[1])}, [2]int64{int64(w[0]), int64(w[1])}})
		}
	}
	det := func(ax, ay, bx, by int64) int64 { return ax*by - ay*bx }
	cuts := make([][]*big.Rat, len(edges)) // parameters on each edge
	for i, e := range edges {
		ex, ey := e.b[0]-e.a[0], e.b[1]-e.a[1]
		for j, f := range edges {
			if i == j {
				continue
			}
			fx, fy := f.b[0]-f.a[0], f.b[1]-f.a[1]
			wx, wy := f.a[0]-e.a[0], f.a[1]-e.a[1]
			d := det(ex, ey, fx, fy)
			neighbours := e.ring == f.ring && ((e.index+1)%e.of == f.index || (f.index+1)%e.of == e.index)
			var common []*big.Rat // one parameter, or the two ends of the common piece
			if d != 0 {
				s, u := big.NewRat(det(wx, wy, fx, fy), d), big.NewRat(det(wx, wy, ex, ey), d)
				one, zero := big.NewRat(1, 1), new(big.Rat)
				if s.Cmp(zero) >= 0 && s.Cmp(one) <= 0 && u.Cmp(zero) >= 0 && u.Cmp(one) <= 0 {
					common = append(common, s)
				}
			} else if det(wx, wy, ex, ey) == 0 {
				length := ex*ex + ey*ey
				s0, s1 := wx*ex+wy*ey, (f.b[0]-e.a[0])*ex+(f.b[1]-e.a[1])*ey
				lo, hi := max(0, min(s0, s1)), min(length, max(s0, s1))
				if lo <= hi {
					common = append(common, big.NewRat(lo, length))
				}
				if lo < hi {
					common = append(common, big.NewRat(hi, length))
				}
			}
			if e.ring == f.ring {
				if len(common) == 2 || len(common) == 1 && !neighbours {
					self = true
				}
				continue
			}
			if len(common) == 2 {
				between = true
			}
			cuts[i] = append(cuts[i], common...)
		}
	}
	for i, e := range edges {
		cuts[i] = append(cuts[i], new(big.Rat), big.NewRat(1, 1))
		slices.SortFunc(cuts[i], (*big.Rat).Cmp)
		for k := 1; k < len(cuts[i]); k++ {
			if cuts[i][k-1].Cmp(cuts[i][k]) == 0 {
				continue
			}
			middle := new(big.Rat).Add(cuts[i][k-1], cuts[i][k])
			middle.Mul(middle, big.NewRat(1, 2))
			along := func(c int) *big.Rat {
				v := new(big.Rat).Mul(middle, big.NewRat(e.b[c]-e.a[c], 1))
				return v.Add(v, big.NewRat(e.a[c], 1))
			}
			x, y := along(0), along(1)
			odd := make([]bool, len(p.Holes)+1)
			for _, f := range edges {
				ay, by := big.NewRat(f.a[1], 1), big.NewRat(f.b[1], 1)
				if (ay.Cmp(y) > 0) == (by.Cmp(y) > 0) {
					continue
				}
				at := new(big.Rat).Sub(y, ay)
				at.Mul(at, big.NewRat(f.b[0]-f.a[0], f.b[1]-f.a[1]))
				at.Add(at, big.NewRat(f.a[0], 1))
				if at.Cmp(x) < 0 {
					odd[f.ring] = !odd[f.ring]
				}
			}
			for r, in := range odd {
				if r != e.ring && e.ring > 0 && in != (r == 0) {
					between = true
				}
			}
		}
	}
	return self, between
}

func TestCheckAgainstPlainCheck(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	randomRing := func(n int, lo, hi int) Ring {
		for {
			var r Ring
			for range n {
				r = append(r, mgl64.Vec2{float64(lo + random.IntN(hi-lo+1)), float64(lo + random.IntN(hi-lo+1))})
			}
			err := Polygon{Outer: r}.Check()
			var fault *Error
			if kept, _ := r.merged(); len(kept) == n && (!errors.As(err, &fault) || fault.Kind == SelfIntersection) {
				return r
			}
		}
	}
	counts := map[Fault]int{}
	for range 6_000 {
		p := Polygon{Outer: randomRing(3+random.IntN(4), 0, 6)}
		for range random.IntN(3) {
			p.Holes = append(p.Holes, randomRing(3+random.IntN(2), 1, 5))
		}
		if random.IntN(2) == 0 {
			p.Outer = Ring{{0, 0}, {6, 0}, {6, 6}, {float64(random.IntN(7)), float64(2 + random.IntN(4))}, {0, 6}}
		}
		self, between := plainCheck(p)
		err := p.Check()
		var fault *Error
		var kind Fault
		if errors.As(err, &fault) {
			kind = fault.Kind
		}
		if self != (kind == SelfIntersection) || !self && between != (kind >= HoleCrossing) {
			t.Fatalf("Check(%v) = %v; want self-intersection %v, fault between rings %v", p, err, self, between)
		}
		counts[kind]++
	}
	for _, kind := range []Fault{0, SelfIntersection, HoleCrossing, HoleOutside, HolesOverlap} {
		if counts[kind] < 20 {
			t.Errorf("the random polygons hardly have %v: %v", kind, counts)
		}
	}
}

// Random simple rings with one vertex moved, at a size where the grid has many cells.
func TestCheckFindsTheOneFault(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		n := 50 + random.IntN(400)
		star := make(Ring, n)
		for i := range star {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			radius := 1 + random.Float64()
			star[i] = mgl64.Vec2{1e6 + radius*cos, -1e6 + radius*sin}
		}
		if err := (Polygon{Outer: star}).Check(); err != nil {
			t.Fatal(err)
		}
		star[random.IntN(n)] = mgl64.Vec2{1e6 + 4*random.Float64() - 2, -1e6 + 4*random.Float64() - 2}
		wantI, wantJ := -1, -1
		for i := n - 1; i >= 0; i-- {
			for j := n - 1; j > i; j-- {
				kind, _ := meet(star[i], star[(i+1)%n], star[j], star[(j+1)%n])
				neighbours := j == i+1 || i == 0 && j == n-1
				if kind == overlap || kind != apart && !neighbours {
					wantI, wantJ = i, j
				}
			}
		}
		err := Polygon{Outer: star}.Check()
		var fault *Error
		if !errors.As(err, &fault) {
			if err != nil || wantI >= 0 {
				t.Fatalf("got %v, want edges %d and %d to meet", err, wantI, wantJ)
			}
			continue
		}
		if fault.Kind != SelfIntersection || fault.Index != wantI || fault.Other != wantJ {
			t.Fatalf("got %v, want edges %d and %d to meet", err, wantI, wantJ)
		}
	}
}

// One more hole among many, at a random place: inside another one, outside of the outer ring, or
// fine.
func TestCheckOfManyHoles(t *testing.T) {
	random := rand.New(rand.NewPCG(16, 16))
	tilt := mgl64.Rotate2D(0.3)
	place := func(x, y float64) mgl64.Vec2 { return tilt.Mul2x1(mgl64.Vec2{x, y}).Add(mgl64.Vec2{5000, -300}) }
	box := func(x, y, side float64) Ring {
		return Ring{place(x, y), place(x+side, y), place(x+side, y+side), place(x, y+side)}
	}
	counts := map[Fault]int{}
	p := Polygon{Outer: Ring{place(0, 0), place(60, 0), place(60, 12), place(30, 6), place(0, 12)}}
	for i := range 240 {
		p.Holes = append(p.Holes, box(float64(i%60)+0.25, float64(i/60)+0.25, 0.5))
	}
	for range 400 {
		x, y := -5+70*random.Float64(), -2+18*random.Float64()
		var want Fault
		switch fx, fy := x-math.Floor(x), y-math.Floor(y); {
		case x < 0 || x > 60 || y < 0 || y > 6+math.Abs(x-30)/5:
			want = HoleOutside
		case y < 4 && math.Abs(fx-0.5) < 0.25 && math.Abs(fy-0.5) < 0.25:
			want = HolesOverlap
		}
		err := Polygon{p.Outer, append(slices.Clone(p.Holes), box(x, y, 1e-4))}.Check()
		var fault *Error
		var kind Fault
		if errors.As(err, &fault) {
			kind = fault.Kind
		}
		if kind != want {
			t.Fatalf("a hole at (%v, %v): got %v, want %v", x, y, err, want)
		}
		counts[want]++
	}
	if min(counts[0], counts[HoleOutside], counts[HolesOverlap]) < 20 {
		t.Errorf("the random holes do not cover all cases: %v", counts)
	}
}

func TestMerged(t *testing.T) {
	p := Polygon{Outer: ring(0, 0, 0, 0, 4, 0, 0, 4, 0, 4, 0, 0), Holes: []Ring{ring(1, 1, 2, 1, 1, 2), ring(3, 0, 3, 0)}}
	got, removed := p.Merged()
	want := Polygon{Outer: ring(0, 0, 4, 0, 0, 4), Holes: []Ring{ring(1, 1, 2, 1, 1, 2), ring(3, 0)}}
	if removed != 4 || !slices.Equal(got.Outer, want.Outer) || !slices.EqualFunc(got.Holes, want.Holes, slices.Equal[Ring]) {
		t.Errorf("Merged = %v, %d; want %v, 4", got, removed, want)
	}
	if got, removed := want.Merged(); removed != 0 || len(got.Outer) != 3 {
		t.Errorf("Merged took %d vertices from a ring without equal neighbours", removed)
	}
}

func TestArea(t *testing.T) {
	for _, test := range []struct {
		ring Ring
		want float64
	}{
		{square(1e6, 1e6, 2), 4},
		{ring(0, 0, 0, 2, 2, 0), -2},
		{ring(0, 0, 4, 0, 4, 4, 2, 2, 0, 4), 12},
		{ring(0, 0, 1, 1), 0},
	} {
		if got := test.ring.Area(); got != test.want {
			t.Errorf("Area(%v) = %v, want %v", test.ring, got, test.want)
		}
	}
}

// largeRings are rings of n vertices that are hard in different ways.
func largeRings(n int) map[string]Ring {
	random := rand.New(rand.NewPCG(5, 5))
	star, comb, slanted, diagonal := make(Ring, n), Ring{}, Ring{}, Ring{}
	for i := range star {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		star[i] = mgl64.Vec2{cos, sin}.Mul(1 + random.Float64())
	}
	for i := range n/2 - 1 {
		x := float64(i)
		comb = append(comb, mgl64.Vec2{x, 1}, mgl64.Vec2{x + 0.5, 100})
		slanted = append(slanted, mgl64.Vec2{x, -x}, mgl64.Vec2{x + 0.5 + float64(n), float64(n) - x})
	}
	comb = append(comb, mgl64.Vec2{float64(n), 0}, mgl64.Vec2{0, 0})
	slanted = append(slanted, mgl64.Vec2{float64(n), -float64(n)}, mgl64.Vec2{-1, -float64(n)})
	for i := range n - 1 {
		diagonal = append(diagonal, mgl64.Vec2{0.1 * float64(i), 0.1 * float64(i)})
	}
	diagonal = append(diagonal, mgl64.Vec2{0, 0.1 * float64(n)})
	return map[string]Ring{"star": star, "comb": comb, "slanted comb": slanted, "diagonal": diagonal}
}

func TestCheckOfLargeRings(t *testing.T) {
	for name, r := range largeRings(20_000) {
		if err := (Polygon{Outer: r}).Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		// Exchanging two vertices of the middle makes edges lattice.Cross.
		bad := slices.Clone(r)
		bad[9_000], bad[9_100] = bad[9_100], bad[9_000]
		if name != "diagonal" && (Polygon{Outer: bad}).Check() == nil {
			t.Errorf("%s: exchanged vertices accepted", name)
		}
	}
}

func TestCheckRefusesEdgesSideBySide(t *testing.T) {
	// Spikes from a small circle outwards: long edges in every direction.
	var spikes Ring
	const n = 1000
	for i := range n {
		s, c := math.Sincos(2 * math.Pi * float64(i) / n)
		r := 1.0
		if i%2 == 0 {
			r = 1e6
		}
		spikes = append(spikes, mgl64.Vec2{r * c, r * s})
	}
	o := newOutline([]Ring{spikes})
	var limit *LimitError
	if err := o.checkContacts(10 * n); !errors.As(err, &limit) || limit.Needed != 10*n+1 || limit.Limit != 10*n || limit.Vertices != n {
		t.Errorf("got %v", err)
	}
	if err := o.checkContacts(maxPairs); err != nil {
		t.Errorf("got %v", err)
	}
}

func BenchmarkCheck(b *testing.B) {
	for name, r := range largeRings(20_000) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := (Polygon{Outer: r}).Check(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
