package lattice_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

func orientByBig(a, b, c lattice.Point) lattice.Side {
	r := func(p, q int32) *big.Int { return big.NewInt(int64(p) - int64(q)) }
	x := new(big.Int).Mul(r(b.X, a.X), r(c.Y, a.Y))
	return lattice.Side(x.Cmp(new(big.Int).Mul(r(b.Y, a.Y), r(c.X, a.X))))
}

func TestPredicatesAreExact(t *testing.T) {
	zeros := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 5))
		size := []int32{2, 5, 40, 5000, lattice.Steps}[seed%5]
		coordinate := func() int32 {
			if rng.IntN(4) == 0 {
				return size * rng.Int32N(2) // the extremes
			}
			return rng.Int32N(size + 1)
		}
		for range 200 {
			var p [4]lattice.Point
			for i := range p {
				p[i] = lattice.Point{coordinate(), coordinate()}
			}
			switch rng.IntN(4) {
			case 0: // nearly on a line
				p[2] = lattice.Point{(p[0].X + p[1].X) / 2, (p[0].Y + p[1].Y) / 2}
			case 1: // a rectangle, or nearly
				p[2], p[3] = lattice.Point{p[1].X, p[1].Y}, lattice.Point{p[0].X, p[1].Y}
				p[1].Y = p[0].Y
				p[3].X = min(size, p[3].X+rng.Int32N(2))
			}
			if got, want := lattice.Orient(p[0], p[1], p[2]), orientByBig(p[0], p[1], p[2]); got != want {
				t.Fatalf("Orient%v = %d, want %d", p[:3], got, want)
			}
			want := geomtest.InCircle(p[0], p[1], p[2], p[3])
			if got := lattice.InCircle(p[0], p[1], p[2], p[3]); got != want {
				t.Fatalf("inCircle%v = %d, want %d", p, got, want)
			}
			if want == 0 {
				zeros++
			}
		}
		// One step off a circle of lattice points around the domain's middle: determinants too
		// small for float64.
		const m, r = lattice.Steps / 2, 5 * (lattice.Steps / 16)
		on := []lattice.Point{{m + r, m}, {m, m + r}, {m - r, m}, {m, m - r}, {m + r/5*3, m + r/5*4}, {m - r/5*4, m + r/5*3}}
		a, b, c, d := on[rng.IntN(6)], on[rng.IntN(6)], on[rng.IntN(6)], on[rng.IntN(6)]
		d.X += rng.Int32N(3) - 1
		d.Y += rng.Int32N(3) - 1
		if got, want := lattice.InCircle(a, b, c, d), geomtest.InCircle(a, b, c, d); got != want {
			t.Fatalf("inCircle(%v, %v, %v, %v) = %d, want %d", a, b, c, d, got, want)
		}
	}
	if zeros < 100 {
		t.Errorf("only %d cocircular cases", zeros)
	}
}

func FuzzPredicates(f *testing.F) {
	f.Add(int32(0), int32(0), int32(lattice.Steps), int32(0), int32(lattice.Steps), int32(lattice.Steps), int32(0), int32(lattice.Steps))
	f.Add(int32(1), int32(2), int32(3), int32(4), int32(5), int32(6), int32(7), int32(8))
	f.Fuzz(func(t *testing.T, ax, ay, bx, by, cx, cy, dx, dy int32) {
		in := func(x, y int32) lattice.Point {
			const n = lattice.Steps + 1
			return lattice.Point{(x%n + n) % n, (y%n + n) % n}
		}
		a, b, c, d := in(ax, ay), in(bx, by), in(cx, cy), in(dx, dy)
		if got, want := lattice.Orient(a, b, c), orientByBig(a, b, c); got != want {
			t.Errorf("Orient = %d, want %d", got, want)
		}
		if got, want := lattice.InCircle(a, b, c, d), geomtest.InCircle(a, b, c, d); got != want {
			t.Errorf("inCircle = %d, want %d", got, want)
		}
	})
}
