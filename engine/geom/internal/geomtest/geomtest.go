// Package geomtest has scenes and checks that the tests of several packages of geom share.
package geomtest

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// Unit returns a lattice whose longer side has Steps: world coordinates are lattice coordinates if
// that is the longer of w and h.
func Unit(t testing.TB, w, h float64) lattice.Lattice {
	t.Helper()
	l, err := lattice.NewLattice(mgl64.Vec2{0, 0}, mgl64.Vec2{w, h})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Ring returns the ring of vertices x, y, x, y and so on.
func Ring(xy ...float64) polygon.Ring {
	var r polygon.Ring
	for i := 0; i < len(xy); i += 2 {
		r = append(r, mgl64.Vec2{xy[i], xy[i+1]})
	}
	return r
}

// Polygon returns a polygon without holes.
func Polygon(xy ...float64) polygon.Polygon { return polygon.Polygon{Outer: Ring(xy...)} }

// Rect returns a rectangle, counter-clockwise.
func Rect(x0, y0, x1, y1 float64) polygon.Polygon { return Polygon(x0, y0, x1, y0, x1, y1, x0, y1) }

// Bars returns n bars side by side over a square of side size, upright or not. Bars of both kinds
// cross in four places each.
func Bars(n int, size float64, upright bool) []polygon.Polygon {
	all := make([]polygon.Polygon, n)
	for i := range all {
		a := size * (float64(i) + 1.25) / float64(n+2)
		b := a + size*0.5/float64(n+2)
		if upright {
			all[i] = Rect(a, 1, b, size-1)
		} else {
			all[i] = Rect(1, a, size-1, b)
		}
	}
	return all
}

// RandomPolygon returns a star-shaped polygon, sometimes with a hole of the same shape, thin or
// not.
func RandomPolygon(rng *rand.Rand, size, radius float64) polygon.Polygon {
	cx, cy := rng.Float64()*size, rng.Float64()*size
	n := 3 + rng.IntN(7)
	rx, ry := radius*(0.1+rng.Float64()), radius*(0.1+rng.Float64())
	if rng.IntN(6) == 0 {
		ry = 0.6
	}
	var p polygon.Polygon
	var hole polygon.Ring
	for i := range n {
		a := (float64(i) + 0.8*rng.Float64()) / float64(n) * 2 * math.Pi
		r := 0.3 + 0.7*rng.Float64()
		x, y := rx*r*math.Cos(a), ry*r*math.Sin(a)
		p.Outer = append(p.Outer, mgl64.Vec2{cx + x, cy + y})
		hole = append(hole, mgl64.Vec2{cx + x/2, cy + y/2})
	}
	if rng.IntN(4) == 0 {
		p.Holes = append(p.Holes, hole)
	}
	return p
}

// CheckMesh checks everything that makes half-edges a triangulation of a rectangle from the origin:
// turns, twins, Euler's count, and the area to the last unit.
func CheckMesh(t testing.TB, points []lattice.Point, start, twin, out []int32) {
	t.Helper()
	end := func(h int32) int32 { return start[h-h%3+(h+1)%3] }
	var area int64
	border := 0
	seen := make([]bool, len(points))
	for h := range int32(len(start)) {
		seen[start[h]] = true
		if g := twin[h]; g < 0 {
			border++
		} else if twin[g] != h || start[g] != end(h) || end(g) != start[h] {
			t.Fatalf("half-edge %d and %d are no twins", h, g)
		}
		if h%3 == 0 {
			d := lattice.Cross(points[start[h]], points[start[h+1]], points[start[h+2]])
			if d <= 0 {
				t.Fatalf("triangle %d is not counter-clockwise", h/3)
			}
			area += d
		}
	}
	if i := slices.Index(seen, false); i >= 0 {
		t.Fatalf("vertex %v is lost", points[i])
	}
	for v, h := range out {
		if start[h] != int32(v) {
			t.Fatalf("half-edge %d leaves %d, not %d", h, start[h], v)
		}
	}
	far := points[len(points)-1]
	if want := 2 * int64(far.X) * int64(far.Y); area != want {
		t.Fatalf("area is %d, want %d", area, want)
	}
	if got, want := len(start)/3, 2*len(points)-2-border; got != want {
		t.Fatalf("%d triangles, want %d", got, want)
	}
}

// Square returns a square, counter-clockwise.
func Square(x, y, side float64) polygon.Ring { return Rect(x, y, x+side, y+side).Outer }

// InCircle is lattice.InCircle by its definition, a determinant.
func InCircle(a, b, c, d lattice.Point) int {
	mul := func(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }
	row := func(p lattice.Point) (x, y, l *big.Int) {
		x, y = big.NewInt(int64(p.X)-int64(d.X)), big.NewInt(int64(p.Y)-int64(d.Y))
		return x, y, new(big.Int).Add(mul(x, x), mul(y, y))
	}
	ax, ay, al := row(a)
	bx, by, bl := row(b)
	cx, cy, cl := row(c)
	minor := func(px, py, qx, qy *big.Int) *big.Int { return new(big.Int).Sub(mul(px, qy), mul(py, qx)) }
	sum := mul(al, minor(bx, by, cx, cy))
	sum.Add(sum, mul(bl, minor(cx, cy, ax, ay)))
	sum.Add(sum, mul(cl, minor(ax, ay, bx, by)))
	return sum.Sign()
}
