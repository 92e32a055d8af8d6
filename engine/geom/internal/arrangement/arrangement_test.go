package arrangement

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// randomEdges returns an arranger with n random edges, most of them short if span is small, on a
// lattice of the given size.
func randomEdges(l lattice.Lattice, rng *rand.Rand, n int, size, span int32) *arranger {
	r := &arranger{lattice: l, effort: unlimited()}
	for range n {
		p := lattice.Point{X: rng.Int32N(size + 1), Y: rng.Int32N(size + 1)}
		q := lattice.Point{
			X: min(size, max(0, p.X+rng.Int32N(2*span+1)-span)),
			Y: min(size, max(0, p.Y+rng.Int32N(2*span+1)-span)),
		}
		r.add(p, q, 1)
	}
	return r
}

// holds returns whether w lies in e's interior.
func (e *Edge) holds(w lattice.Point) bool {
	return w.X >= e.From.X && w.X <= e.To.X && w.Y >= min(e.From.Y, e.To.Y) && w.Y <= max(e.From.Y, e.To.Y) &&
		w != e.From && w != e.To && lattice.Cross(e.From, e.To, w) == 0
}

// checkArranged compares every pair, with nothing shared with the code under test but the
// predicates.
func checkArranged(t *testing.T, a *Arrangement) {
	t.Helper()
	if !slices.IsSortedFunc(a.Vertices, lattice.Point.Compare) {
		t.Fatal("vertices are not sorted")
	}
	for i := range a.Edges {
		e := &a.Edges[i]
		if a.Vertices[e.A] != e.From || a.Vertices[e.B] != e.To || e.A >= e.B {
			t.Fatalf("edge %d: indices %d %d do not fit %v %v", i, e.A, e.B, e.From, e.To)
		}
		for _, v := range a.Vertices {
			if e.holds(v) {
				t.Fatalf("vertex %v lies on Edge %v %v", v, e.From, e.To)
			}
		}
		for j := range a.Edges[:i] {
			f := &a.Edges[j]
			if e.A == f.A && e.B == f.B {
				t.Fatalf("edge %v %v is there twice", e.From, e.To)
			}
			if lattice.Orient(e.From, e.To, f.From)*lattice.Orient(e.From, e.To, f.To) < 0 && lattice.Orient(f.From, f.To, e.From)*lattice.Orient(f.From, f.To, e.To) < 0 {
				t.Fatalf("edges %v %v and %v %v cross", e.From, e.To, f.From, f.To)
			}
		}
	}
}

func TestArrangeLeavesNoCrossing(t *testing.T) {
	l := geomtest.Unit(t, lattice.Steps, lattice.Steps)
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 1))
		size := []int32{6, 12, 40, 300, lattice.Steps}[seed%5]
		r := randomEdges(l, rng, 5+rng.IntN(60), size, max(1, size/int32(1+rng.IntN(6))))
		raw := slices.Clone(r.raw)
		a := r.run()
		checkArranged(t, a)
		// Edges in another order give the same.
		rng.Shuffle(len(raw), func(i, j int) { raw[i], raw[j] = raw[j], raw[i] })
		b := (&arranger{lattice: l, effort: unlimited(), raw: raw}).run()
		if !slices.Equal(a.Vertices, b.Vertices) || !slices.Equal(a.Edges, b.Edges) {
			t.Fatalf("seed %d: another order of edges, another arrangement", seed)
		}
	}
}

// The crossing's pixel and the hot pixel test against rational arithmetic.
func TestPixelsAreExact(t *testing.T) {
	half := big.NewRat(1, 2)
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		size := []int32{3, 8, 1000, lattice.Steps}[seed%4]
		point := func() lattice.Point { return lattice.Point{X: rng.Int32N(size + 1), Y: rng.Int32N(size + 1)} }
		newEdge := func() Edge {
			p, q := point(), point()
			for p == q {
				q = point()
			}
			if q.Less(p) {
				p, q = q, p
			}
			return Edge{From: p, To: q}
		}
		e, f := newEdge(), newEdge()
		if p, ok := e.crossing(&f); ok {
			if x, y := crossingRat(e, f); roundRat(x, half) != int64(p.X) || roundRat(y, half) != int64(p.Y) {
				t.Fatalf("%v and %v lattice.Cross at %v %v, not in the pixel of %v", e, f, x, y, p)
			}
			if p != e.From && p != e.To && !e.Through(p) {
				t.Fatalf("%v is not bent through its crossing's pixel %v", e, p)
			}
		}
		w := point()
		if seed%2 == 0 { // near the edge, where it matters
			k := rng.Int64N(1025)
			w = lattice.Point{
				X: e.From.X + int32((int64(e.To.X-e.From.X)*k)>>10) + rng.Int32N(3) - 1,
				Y: e.From.Y + int32((int64(e.To.Y-e.From.Y)*k)>>10) + rng.Int32N(3) - 1,
			}
		}
		if want := w != e.From && w != e.To && meetsPixelRat(e, w); e.Through(w) != want {
			t.Fatalf("%v through %v: %v, want %v", e, w, e.Through(w), want)
		}
	}
}

func roundRat(v, half *big.Rat) int64 {
	s := new(big.Rat).Add(v, half)
	return new(big.Int).Div(s.Num(), s.Denom()).Int64() // Euclidean: the floor
}

func crossingRat(e, f Edge) (x, y *big.Rat) {
	r := func(a, b int32) *big.Rat { return big.NewRat(int64(a)-int64(b), 1) }
	mul, sub := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }, func(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
	dx, dy := r(e.To.X, e.From.X), r(e.To.Y, e.From.Y)
	gx, gy := r(f.To.X, f.From.X), r(f.To.Y, f.From.Y)
	hx, hy := r(f.From.X, e.From.X), r(f.From.Y, e.From.Y)
	t := new(big.Rat).Quo(sub(mul(hx, gy), mul(hy, gx)), sub(mul(dx, gy), mul(dy, gx)))
	return new(big.Rat).Add(r(e.From.X, 0), mul(dx, t)), new(big.Rat).Add(r(e.From.Y, 0), mul(dy, t))
}

// meetsPixelRat clips the Edge to the half-open pixel, parameter by parameter.
func meetsPixelRat(e Edge, w lattice.Point) bool {
	low, high := big.NewRat(0, 1), big.NewRat(1, 1)
	highOpen := false
	lowOpen := false
	for _, axis := range [2][3]int32{{e.From.X, e.To.X, w.X}, {e.From.Y, e.To.Y, w.Y}} {
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

// The grid and the chords find every crossing and every hit that comparing all with all does, each
// once.
func TestMeetFindsAll(t *testing.T) {
	l := geomtest.Unit(t, lattice.Steps, lattice.Steps)
	var chords, found int
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 18))
		size := []int32{300, 5000, lattice.Steps}[seed%3]
		r := &arranger{lattice: l, effort: unlimited()}
		n := 100 + rng.IntN(300)
		switch seed / 3 % 4 {
		case 0: // anything
			r.raw = randomEdges(l, rng, n, size, size).raw
		case 1: // side by side, at a slope, a few of them turned a little
			lean := rng.Int32N(size)
			for i := range int32(n) {
				y := i * (size / int32(2*n))
				r.add(lattice.Point{X: rng.Int32N(9), Y: y}, lattice.Point{X: size - rng.Int32N(9), Y: y + lean/2 + rng.Int32N(2)*rng.Int32N(20)}, 1)
			}
		case 2: // from a place, or nearly
			for range n {
				r.add(lattice.Point{X: size/2 + rng.Int32N(3), Y: size / 2}, lattice.Point{X: rng.Int32N(size), Y: rng.Int32N(size)}, 1)
			}
		case 3: // side by side, upright
			for i := range int32(n) {
				x := i * (size / int32(2*n))
				r.add(lattice.Point{X: x, Y: rng.Int32N(9)}, lattice.Point{X: x + rng.Int32N(2)*rng.Int32N(9), Y: size - rng.Int32N(9)}, 1)
			}
		}
		a := &Arrangement{}
		r.index(a)
		r.meet(a, a.Vertices, true)
		var hot []lattice.Point
		hits := 0
		for i := range a.Edges {
			for j := range a.Edges[:i] {
				if p, ok := a.Edges[i].crossing(&a.Edges[j]); ok {
					hot = append(hot, p)
				}
			}
			for _, p := range a.Vertices {
				if a.Edges[i].Through(p) {
					hits++
				}
			}
		}
		slices.SortFunc(hot, lattice.Point.Compare)
		got := slices.SortedFunc(slices.Values(r.hot), lattice.Point.Compare)
		if !slices.Equal(got, hot) || len(r.hits) != hits {
			t.Fatalf("seed %d: %d crossings and %d hits, want %d and %d", seed, len(got), len(r.hits), len(hot), hits)
		}
		found += len(hot)
		m := meeting{arranger: r, edges: a.Edges, within: cell{lattice.Point{X: size / 8, Y: size / 8}, [2]int{5, 5}}}
		all := make([]int32, len(a.Edges))
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
