package polygon

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// orientRational is the determinant in rational numbers.
func orientRational(a, b, c mgl64.Vec2) lattice.Side {
	rat := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	sub := func(v, w float64) *big.Rat { return new(big.Rat).Sub(rat(v), rat(w)) }
	l := new(big.Rat).Mul(sub(b[0], a[0]), sub(c[1], a[1]))
	r := new(big.Rat).Mul(sub(b[1], a[1]), sub(c[0], a[0]))
	return lattice.Side(l.Cmp(r))
}

func TestOrientWorldIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	ulps := func(v float64, n int) float64 {
		for range n {
			v = math.Nextafter(v, math.Inf(1))
		}
		return v
	}
	counts := map[lattice.Side]int{}
	for range 20_000 {
		// A point on, or a few units in the last place off, the line through two others.
		a := mgl64.Vec2{random.Float64(), random.Float64()}
		d := mgl64.Vec2{float64(random.IntN(64)), float64(random.IntN(64))}.Mul(1.0 / 1024)
		scale := math.Ldexp(1, random.IntN(80)-40)
		k, m := float64(random.IntN(100)), float64(random.IntN(100))
		b, c := a.Add(d.Mul(k)), a.Add(d.Mul(m))
		c = mgl64.Vec2{ulps(c[0], random.IntN(3)), ulps(c[1], random.IntN(3))}
		a, b, c = a.Mul(scale), b.Mul(scale), c.Mul(scale)
		want := orientRational(a, b, c)
		if got := orient(a, b, c); got != want {
			t.Fatalf("orient(%v, %v, %v) = %d, want %d", a, b, c, got, want)
		}
		counts[want]++
	}
	if min(counts[lattice.Left], counts[lattice.Right], counts[lattice.Collinear]) < 500 {
		t.Errorf("the random points do not cover all sides: %v", counts)
	}
}

func TestOrientWorldAtTheEndsOfFloat64(t *testing.T) {
	const least, most = math.SmallestNonzeroFloat64, math.MaxFloat64
	values := []float64{0, least, 2 * least, 3 * least, -least, 1, math.Nextafter(1, 2), most, -most, most / 2, 1e-160, 3e-160, -1e-160}
	random := rand.New(rand.NewPCG(2, 2))
	pick := func() mgl64.Vec2 {
		return mgl64.Vec2{values[random.IntN(len(values))], values[random.IntN(len(values))]}
	}
	for range 5_000 {
		a, b, c := pick(), pick(), pick()
		if got, want := orient(a, b, c), orientRational(a, b, c); got != want {
			t.Fatalf("orient(%v, %v, %v) = %d, want %d", a, b, c, got, want)
		}
	}
}

func TestMeet(t *testing.T) {
	at := func(x, y float64) mgl64.Vec2 { return mgl64.Vec2{x, y} }
	for _, test := range []struct {
		name       string
		a, b, c, d mgl64.Vec2
		kind       contact
		place      mgl64.Vec2
	}{
		{"crossing", at(0, 0), at(2, 2), at(0, 2), at(2, 0), crossing, at(1, 1)},
		{"end on the inside", at(0, 0), at(4, 0), at(1, 0), at(1, 3), touch, at(1, 0)},
		{"common end", at(0, 0), at(4, 0), at(4, 0), at(5, 3), touch, at(4, 0)},
		{"common end on one line", at(0, 0), at(4, 0), at(4, 0), at(6, 0), touch, at(4, 0)},
		{"one line, gap", at(0, 0), at(4, 0), at(5, 0), at(6, 0), apart, at(0, 0)},
		{"one line, overlap", at(0, 0), at(4, 0), at(6, 0), at(3, 0), overlap, at(3, 0)},
		{"the same", at(0, 0), at(0, 4), at(0, 4), at(0, 0), overlap, at(0, 0)},
		{"parallel", at(0, 0), at(4, 0), at(0, 1), at(4, 1), apart, at(0, 0)},
		{"boxes meet, segments do not", at(0, 0), at(4, 4), at(3, 0), at(4, 1), apart, at(0, 0)},
		{"line meets beyond the end", at(0, 0), at(4, 0), at(5, -1), at(5, 1), apart, at(0, 0)},
		{"of greatest size", at(-math.MaxFloat64, 0), at(math.MaxFloat64, 0), at(0, -math.MaxFloat64), at(0, math.MaxFloat64), crossing, at(0, 0)},
	} {
		for range 2 {
			kind, place := meet(test.a, test.b, test.c, test.d)
			if kind != test.kind || place != test.place {
				t.Errorf("%s: meet = %d at %v, want %d at %v", test.name, kind, place, test.kind, test.place)
			}
			test.a, test.b, test.c, test.d = test.c, test.d, test.a, test.b
		}
	}
}
