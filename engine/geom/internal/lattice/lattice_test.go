package lattice

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

func TestLattice(t *testing.T) {
	for _, c := range []struct {
		name   string
		lo, hi mgl64.Vec2
		size   Point
	}{
		{"unit", mgl64.Vec2{0, 0}, mgl64.Vec2{1, 1}, Point{Steps, Steps}},
		{"wide", mgl64.Vec2{0, 0}, mgl64.Vec2{40, 20}, Point{Steps, Steps / 2}},
		{"high", mgl64.Vec2{-900, -500}, mgl64.Vec2{-800, -100}, Point{Steps / 4, Steps}},
		{"thirds", mgl64.Vec2{-1, -1}, mgl64.Vec2{2, 0}, Point{Steps, (Steps + 1) / 3}},
		{"far away", mgl64.Vec2{4e6, 5e6}, mgl64.Vec2{4e6 + 100, 5e6 + 50}, Point{Steps, Steps / 2}},
		{"a strip", mgl64.Vec2{0, 0}, mgl64.Vec2{1, 1.4 / Steps}, Point{Steps, 1}},
	} {
		l, err := NewLattice(c.lo, c.hi)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if l.Size != c.size {
			t.Errorf("%s: size is %v, want %v", c.name, l.Size, c.size)
		}
		if l.Length() != max(c.hi[0]-c.lo[0], c.hi[1]-c.lo[1]) {
			t.Errorf("%s: length is %v", c.name, l.Length())
		}
		if l.Snap(c.lo) != (Point{}) || l.Snap(c.hi) != c.size {
			t.Errorf("%s: corners snap to %v and %v", c.name, l.Snap(c.lo), l.Snap(c.hi))
		}
		if !l.Contains(c.lo) || !l.Contains(c.hi) {
			t.Errorf("%s: a corner is not contained", c.name)
		}
		// The longer side is known exactly.
		beyond := c.hi
		if c.size.X == Steps {
			beyond[0] += l.Step / 4
		} else {
			beyond[1] += l.Step / 4
		}
		if l.Contains(beyond) {
			t.Errorf("%s: %v is contained", c.name, beyond)
		}
		for _, p := range []mgl64.Vec2{{c.lo[0] - l.Step, c.lo[1]}, {c.hi[0] + l.Step, c.hi[1]}, {c.lo[0], c.hi[1] + l.Step}, {math.NaN(), c.lo[1]}} {
			if l.Contains(p) {
				t.Errorf("%s: %v is contained", c.name, p)
			}
		}
		rng := rand.New(rand.NewPCG(1, 10))
		for range 1000 {
			p := Point{rng.Int32N(l.Size.X + 1), rng.Int32N(l.Size.Y + 1)}
			w := l.World(p)
			if l.Snap(w) != p || !l.Contains(w) {
				t.Fatalf("%s: %v is %v in the world and back at %v", c.name, p, w, l.Snap(w))
			}
			// Relative to the corner, however far away that is: two roundings to float32 and
			// float64, each half a unit in the last place.
			local := l.Local(p)
			if want := float64(p.X) * l.Step; math.Abs(float64(local[0])-want) > want/(1<<23) {
				t.Fatalf("%s: local x of %v is %v, want %v", c.name, p, local[0], want)
			}
			// Nearest: no more than half a step off.
			q := mgl64.Vec2{w[0] + (rng.Float64()-0.5)*l.Step, w[1] + (rng.Float64()-0.5)*l.Step}
			s := l.Snap(q)
			if s.X < p.X-1 || s.X > p.X+1 || math.Abs(l.World(s)[0]-q[0]) > 0.5001*l.Step && s.X > 0 && s.X < l.Size.X {
				t.Fatalf("%s: %v snaps to %v", c.name, q, s)
			}
		}
	}
}

func TestLatticeKeepsNeighboursApartFarAway(t *testing.T) {
	// At map coordinates of millions of meters, on a domain of 100 m, a step is 0.1 mm and float64
	// resolves nanometers.
	l, err := NewLattice(mgl64.Vec2{4e6, 5e6}, mgl64.Vec2{4e6 + 100, 5e6 + 100})
	if err != nil {
		t.Fatal(err)
	}
	for x := range int32(1000) {
		if got := l.Snap(l.World(Point{x, Steps - x})); got != (Point{x, Steps - x}) {
			t.Fatalf("%v came back as %v", Point{x, Steps - x}, got)
		}
	}
}

func TestNewLatticeRefuses(t *testing.T) {
	for name, d := range map[string][2]mgl64.Vec2{
		"not a number":     {{math.NaN(), 0}, {1, 1}},
		"infinite":         {{0, 0}, {math.Inf(1), 1}},
		"too wide":         {{-math.MaxFloat64, 0}, {math.MaxFloat64, 1}},
		"no width":         {{1, 0}, {1, 1}},
		"upside down":      {{0, 1}, {1, 0}},
		"too thin":         {{0, 0}, {1, 0.9 / Steps}},
		"too small":        {{0, 0}, {5e-324, 5e-324}},
		"too far for size": {{1e12, 0}, {1e12 + 1, 1}},
	} {
		if l, err := NewLattice(d[0], d[1]); err == nil {
			t.Errorf("%s: got %v", name, l)
		}
	}
}

func TestSnapPanicsOnNaN(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Snap did not panic")
		}
	}()
	unit(t, 1, 1).Snap(mgl64.Vec2{0, math.NaN()})
}

// unit is a lattice whose world coordinates are lattice coordinates.
func unit(t testing.TB, w, h float64) Lattice {
	t.Helper()
	l, err := NewLattice(mgl64.Vec2{0, 0}, mgl64.Vec2{w, h})
	if err != nil {
		t.Fatal(err)
	}
	return l
}
