package geom

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// TestWhatTouchesInDecimalsTouches puts obstacles on slanted edges of others, at places that are
// exact in decimals and not in binary, and checks that no gap is left between them: the free sides
// are not connected.
func TestWhatTouchesInDecimalsTouches(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		// A slanted wall across the whole domain, in tenths, and a triangle that stands on it with
		// one vertex.
		tenth := func(v int) float64 { return float64(v) / 10 }
		x0, y0 := 100+r.IntN(200), 300+r.IntN(300)
		dx, dy := 3+r.IntN(60), 1+r.IntN(40)
		k, n := 1+r.IntN(9), 10
		p := mgl64.Vec2{tenth(x0), tenth(y0)}
		q := mgl64.Vec2{tenth(x0 + n*dx), tenth(y0 + n*dy)}
		on := mgl64.Vec2{tenth(x0 + k*dx), tenth(y0 + k*dy)}
		if q[0] > 99 || q[1] > 99 {
			continue
		}
		wall := Polygon{Outer: Ring{p, q, {q[0], 0}, {p[0], 0}}}
		// From the touching vertex up to the border of the domain: with the wall it parts left from
		// right.
		post := Polygon{Outer: Ring{on, {on[0] + 3, 100}, {on[0] - 3, 100}}}
		l, err := NewLattice(mgl64.Vec2{0, 0}, mgl64.Vec2{100, 100})
		if err != nil {
			t.Fatal(err)
		}
		g, err := Build(l, []Polygon{wall, post})
		if err != nil {
			t.Fatal(err)
		}
		if joinedGround(g, Point{X: 0, Y: Steps / 2}, Point{X: Steps, Y: Steps / 2}) {
			t.Errorf("a way is left between %v on %v %v", on, p, q)
		}
		other, err := Build(l, []Polygon{post, {Outer: slices.Clone(Ring{{p[0], 0}, {q[0], 0}, q, p})}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(g.Vertices, other.Vertices) || !slices.Equal(g.Walls, other.Walls) {
			t.Errorf("the order of obstacles and vertices matters for %v on %v %v", on, p, q)
		}
	}
}

// joinedGround floods the free triangles from a.
func joinedGround(g *Ground, a, b Point) bool {
	seen := map[int32]bool{}
	stack := []int32{g.Locate(a)}
	goal := g.Locate(b)
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if t == goal {
			return true
		}
		if seen[t] || !g.Triangles[t].Free {
			continue
		}
		seen[t] = true
		for e := range int32(3) {
			if n, _ := g.Across(t, e); n >= 0 {
				stack = append(stack, n)
			}
		}
	}
	return false
}

// TestGapsStayOpen: what is wider than Contact is a way.
func TestGapsStayOpen(t *testing.T) {
	l, err := NewLattice(mgl64.Vec2{0, 0}, mgl64.Vec2{Steps, Steps})
	if err != nil {
		t.Fatal(err)
	}
	for _, gap := range []float64{1, 2, 10} {
		post := Polygon{Outer: Ring{{1000, 500 + gap}, {1100, Steps}, {900, Steps}}}
		g, err := Build(l, []Polygon{{Outer: Ring{{0, 0}, {Steps, 0}, {Steps, 500}, {0, 500}}}, post})
		if err != nil {
			t.Fatal(err)
		}
		if !joinedGround(g, Point{X: 0, Y: 1000}, Point{X: Steps, Y: 1000}) {
			t.Errorf("a gap of %v steps is shut", gap)
		}
	}
}

// TestPlace gives vertices back as they were.
func TestPlace(t *testing.T) {
	l, err := NewLattice(mgl64.Vec2{-3, 7}, mgl64.Vec2{11, 16})
	if err != nil {
		t.Fatal(err)
	}
	ring := Ring{{0.1, 8.3}, {3.7, 9.9}, {1.2, 12.4}}
	hole := Ring{{1, 9.5}, {2, 10}, {1.3, 11}}
	g, err := Build(l, []Polygon{{Outer: ring, Holes: []Ring{hole}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range slices.Concat(ring, hole) {
		if got := g.Place(l.Snap(p)); got != p {
			t.Errorf("place of %v is %v", p, got)
		}
	}
	far := l.Size
	if got := g.Place(far); got != l.World(far) {
		t.Errorf("place of the domain's corner is %v", got)
	}
	open := Point{X: Steps / 2, Y: 3}
	if got := g.Place(open); math.Abs(got[0]-l.World(open)[0]) != 0 {
		t.Errorf("place of a point that is no vertex is %v", got)
	}
}
