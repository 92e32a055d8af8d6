package geom

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// unit is a lattice whose world coordinates are lattice coordinates.
func unit(t testing.TB, w, h float64) Lattice {
	t.Helper()
	l, err := NewLattice(mgl64.Vec2{0, 0}, mgl64.Vec2{w, h})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// randomEdges returns an arranger with n random edges, most of them short if
// span is small, on a lattice of the given size.
func randomEdges(l Lattice, rng *rand.Rand, n int, size, span int32) *arranger {
	r := &arranger{lattice: l, effort: unlimited()}
	for range n {
		p := Point{rng.Int32N(size + 1), rng.Int32N(size + 1)}
		q := Point{
			min(size, max(0, p.X+rng.Int32N(2*span+1)-span)),
			min(size, max(0, p.Y+rng.Int32N(2*span+1)-span)),
		}
		r.add(p, q, 1)
	}
	return r
}

// holds returns whether w lies in e's interior.
func (e *edge) holds(w Point) bool {
	return w.X >= e.from.X && w.X <= e.to.X && w.Y >= min(e.from.Y, e.to.Y) && w.Y <= max(e.from.Y, e.to.Y) &&
		w != e.from && w != e.to && cross(e.from, e.to, w) == 0
}

// checkArranged compares every pair, with nothing shared with the code under
// test but the predicates.
func checkArranged(t *testing.T, a *arrangement) {
	t.Helper()
	if !slices.IsSortedFunc(a.vertices, Point.Compare) {
		t.Fatal("vertices are not sorted")
	}
	for i := range a.edges {
		e := &a.edges[i]
		if a.vertices[e.a] != e.from || a.vertices[e.b] != e.to || e.a >= e.b {
			t.Fatalf("edge %d: indices %d %d do not fit %v %v", i, e.a, e.b, e.from, e.to)
		}
		for _, v := range a.vertices {
			if e.holds(v) {
				t.Fatalf("vertex %v lies on edge %v %v", v, e.from, e.to)
			}
		}
		for j := range a.edges[:i] {
			f := &a.edges[j]
			if e.a == f.a && e.b == f.b {
				t.Fatalf("edge %v %v is there twice", e.from, e.to)
			}
			if Orient(e.from, e.to, f.from)*Orient(e.from, e.to, f.to) < 0 && Orient(f.from, f.to, e.from)*Orient(f.from, f.to, e.to) < 0 {
				t.Fatalf("edges %v %v and %v %v cross", e.from, e.to, f.from, f.to)
			}
		}
	}
}

func TestArrangeLeavesNoCrossing(t *testing.T) {
	l := unit(t, Steps, Steps)
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 1))
		size := []int32{6, 12, 40, 300, Steps}[seed%5]
		r := randomEdges(l, rng, 5+rng.IntN(60), size, max(1, size/int32(1+rng.IntN(6))))
		raw := slices.Clone(r.raw)
		a := r.run()
		checkArranged(t, a)
		// Whoever gives the edges in another order gets the same.
		rng.Shuffle(len(raw), func(i, j int) { raw[i], raw[j] = raw[j], raw[i] })
		b := (&arranger{lattice: l, effort: unlimited(), raw: raw}).run()
		if !slices.Equal(a.vertices, b.vertices) || !slices.Equal(a.edges, b.edges) {
			t.Fatalf("seed %d: another order of edges, another arrangement", seed)
		}
	}
}

// The crossing's pixel and the hot pixel test against rational arithmetic.
func TestPixelsAreExact(t *testing.T) {
	half := big.NewRat(1, 2)
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		size := []int32{3, 8, 1000, Steps}[seed%4]
		point := func() Point { return Point{rng.Int32N(size + 1), rng.Int32N(size + 1)} }
		newEdge := func() edge {
			p, q := point(), point()
			for p == q {
				q = point()
			}
			if q.Less(p) {
				p, q = q, p
			}
			return edge{from: p, to: q}
		}
		e, f := newEdge(), newEdge()
		if p, ok := e.crossing(&f); ok {
			if x, y := crossingRat(e, f); roundRat(x, half) != int64(p.X) || roundRat(y, half) != int64(p.Y) {
				t.Fatalf("%v and %v cross at %v %v, not in the pixel of %v", e, f, x, y, p)
			}
			if p != e.from && p != e.to && !e.through(p) {
				t.Fatalf("%v is not bent through its crossing's pixel %v", e, p)
			}
		}
		w := point()
		if seed%2 == 0 { // near the edge, where it matters
			k := rng.Int64N(1025)
			w = Point{
				e.from.X + int32((int64(e.to.X-e.from.X)*k)>>10) + rng.Int32N(3) - 1,
				e.from.Y + int32((int64(e.to.Y-e.from.Y)*k)>>10) + rng.Int32N(3) - 1,
			}
		}
		if want := w != e.from && w != e.to && meetsPixelRat(e, w); e.through(w) != want {
			t.Fatalf("%v through %v: %v, want %v", e, w, e.through(w), want)
		}
	}
}

func roundRat(v, half *big.Rat) int64 {
	s := new(big.Rat).Add(v, half)
	return new(big.Int).Div(s.Num(), s.Denom()).Int64() // Euclidean: the floor
}

func crossingRat(e, f edge) (x, y *big.Rat) {
	r := func(a, b int32) *big.Rat { return big.NewRat(int64(a)-int64(b), 1) }
	mul, sub := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }, func(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
	dx, dy := r(e.to.X, e.from.X), r(e.to.Y, e.from.Y)
	gx, gy := r(f.to.X, f.from.X), r(f.to.Y, f.from.Y)
	hx, hy := r(f.from.X, e.from.X), r(f.from.Y, e.from.Y)
	t := new(big.Rat).Quo(sub(mul(hx, gy), mul(hy, gx)), sub(mul(dx, gy), mul(dy, gx)))
	return new(big.Rat).Add(r(e.from.X, 0), mul(dx, t)), new(big.Rat).Add(r(e.from.Y, 0), mul(dy, t))
}

// meetsPixelRat clips the edge to the half-open pixel, parameter by parameter.
func meetsPixelRat(e edge, w Point) bool {
	low, high := big.NewRat(0, 1), big.NewRat(1, 1)
	highOpen := false
	lowOpen := false
	for _, axis := range [2][3]int32{{e.from.X, e.to.X, w.X}, {e.from.Y, e.to.Y, w.Y}} {
		a, d, c := int64(axis[0]), int64(axis[1])-int64(axis[0]), int64(axis[2])
		if d == 0 {
			if a != c {
				return false
			}
			continue
		}
		// a + d t in [c - 1/2, c + 1/2)
		closed, open := big.NewRat(2*(c-a)-1, 2*d), big.NewRat(2*(c-a)+1, 2*d)
		t0, t1, o0, o1 := closed, open, false, true
		if d < 0 {
			t0, t1, o0, o1 = open, closed, true, false
		}
		if k := t0.Cmp(low); k > 0 || k == 0 && o0 {
			low, lowOpen = t0, o0
		}
		if k := t1.Cmp(high); k < 0 || k == 0 && o1 {
			high, highOpen = t1, o1
		}
	}
	k := low.Cmp(high)
	return k < 0 || k == 0 && !lowOpen && !highOpen
}

// The grid and the chords find every crossing and every hit that comparing all
// with all does, each once.
func TestMeetFindsAll(t *testing.T) {
	l := unit(t, Steps, Steps)
	var chords, found int
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 18))
		size := []int32{300, 5000, Steps}[seed%3]
		r := &arranger{lattice: l, effort: unlimited()}
		n := 100 + rng.IntN(300)
		switch seed / 3 % 4 {
		case 0: // anything
			r.raw = randomEdges(l, rng, n, size, size).raw
		case 1: // side by side, at a slope, a few of them turned a little
			lean := rng.Int32N(size)
			for i := range int32(n) {
				y := i * (size / int32(2*n))
				r.add(Point{rng.Int32N(9), y}, Point{size - rng.Int32N(9), y + lean/2 + rng.Int32N(2)*rng.Int32N(20)}, 1)
			}
		case 2: // from a place, or nearly
			for range n {
				r.add(Point{size/2 + rng.Int32N(3), size / 2}, Point{rng.Int32N(size), rng.Int32N(size)}, 1)
			}
		case 3: // side by side, upright
			for i := range int32(n) {
				x := i * (size / int32(2*n))
				r.add(Point{x, rng.Int32N(9)}, Point{x + rng.Int32N(2)*rng.Int32N(9), size - rng.Int32N(9)}, 1)
			}
		}
		a := &arrangement{}
		r.index(a)
		r.meet(a, a.vertices, true)
		var hot []Point
		hits := 0
		for i := range a.edges {
			for j := range a.edges[:i] {
				if p, ok := a.edges[i].crossing(&a.edges[j]); ok {
					hot = append(hot, p)
				}
			}
			for _, p := range a.vertices {
				if a.edges[i].through(p) {
					hits++
				}
			}
		}
		slices.SortFunc(hot, Point.Compare)
		got := slices.SortedFunc(slices.Values(r.hot), Point.Compare)
		if !slices.Equal(got, hot) || len(r.hits) != hits {
			t.Fatalf("seed %d: %d crossings and %d hits, want %d and %d", seed, len(got), len(r.hits), len(hot), hits)
		}
		found += len(hot)
		m := meeting{arranger: r, edges: a.edges, within: cellAt{Point{size / 8, size / 8}, [2]int{5, 5}}}
		all := make([]int32, len(a.edges))
		for i := range all {
			all[i] = int32(i)
		}
		if m.chords(all) && len(m.passing) > 2 {
			chords++
		}
	}
	if chords < 5 || found < 1000 {
		t.Errorf("too easy: %d cells with chords, %d crossings", chords, found)
	}
}
