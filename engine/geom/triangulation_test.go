package geom

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// randomPoints returns the sorted corners of a rectangle and up to n points in
// it, often collinear and cocircular for a small size.
func randomPoints(rng *rand.Rand, n int, w, h int32) []Point {
	points := []Point{{0, 0}, {w, 0}, {0, h}, {w, h}}
	for range n {
		points = append(points, Point{rng.Int32N(w + 1), rng.Int32N(h + 1)})
	}
	slices.SortFunc(points, Point.Compare)
	return slices.Compact(points)
}

// checkTriangulation checks everything that makes t a triangulation of the
// rectangle: turns, twins, Euler's count, and the area to the last unit.
func checkTriangulation(t *testing.T, m *triangulation) {
	t.Helper()
	var area int64
	border := 0
	seen := make([]bool, len(m.points))
	for h := range int32(len(m.start)) {
		seen[m.start[h]] = true
		if g := m.twin[h]; g < 0 {
			border++
		} else if m.twin[g] != h || m.start[g] != m.end(h) || m.end(g) != m.start[h] {
			t.Fatalf("half-edge %d and %d are no twins", h, g)
		}
		if h%3 == 0 {
			d := cross(m.points[m.start[h]], m.points[m.start[h+1]], m.points[m.start[h+2]])
			if d <= 0 {
				t.Fatalf("triangle %d is not counter-clockwise", h/3)
			}
			area += d
		}
	}
	if i := slices.Index(seen, false); i >= 0 {
		t.Fatalf("vertex %v is lost", m.points[i])
	}
	for v, h := range m.out {
		if m.start[h] != int32(v) {
			t.Fatalf("half-edge %d leaves %d, not %d", h, m.start[h], v)
		}
	}
	far := m.points[len(m.points)-1]
	if want := 2 * int64(far.X) * int64(far.Y); area != want {
		t.Fatalf("area is %d, want %d", area, want)
	}
	if got, want := len(m.start)/3, 2*len(m.points)-2-border; got != want {
		t.Fatalf("%d triangles, want %d", got, want)
	}
}

// checkDelaunay checks each edge but the given ones, with the rule for
// cocircular vertices.
func checkDelaunay(t *testing.T, m *triangulation, fixed map[[2]int32]bool) {
	t.Helper()
	for h := range int32(len(m.start)) {
		g := m.twin[h]
		a, b := m.start[h], m.end(h)
		if g < h || fixed[[2]int32{min(a, b), max(a, b)}] {
			continue
		}
		c, d := m.start[prev(h)], m.start[prev(g)]
		side := inCircleByBig(m.points[a], m.points[b], m.points[c], m.points[d])
		if side > 0 || side == 0 && min(c, d) < min(a, b) {
			t.Fatalf("edge %v %v is not Delaunay, %v and %v are", m.points[a], m.points[b], m.points[c], m.points[d])
		}
	}
}

func TestTriangulate(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		size := []int32{1, 3, 9, 60, 2000, Steps}[seed%6]
		m := triangulate(randomPoints(rng, rng.IntN(300), size, max(1, size/int32(1+rng.IntN(2)))))
		checkTriangulation(t, m)
		checkDelaunay(t, m, nil)
	}
}

func TestConstrain(t *testing.T) {
	l := unit(t, Steps, Steps)
	crossed := 0
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 4))
		size := []int32{8, 40, 300, Steps}[seed%4]
		r := randomEdges(l, rng, 1+rng.IntN(40), size, max(1, size/int32(1+rng.IntN(8))))
		for range rng.IntN(200) { // points between, as tiny edges
			p := Point{rng.Int32N(size), rng.Int32N(size)}
			r.add(p, Point{p.X + 1, p.Y}, 1)
		}
		for _, e := range [][2]Point{{{0, 0}, {size, 0}}, {{0, 0}, {0, size}}, {{size, 0}, {size, size}}, {{0, size}, {size, size}}} {
			r.add(e[0], e[1], 0)
		}
		a := r.run()
		m := triangulate(a.vertices)
		before := slices.Clone(m.start)
		m.constrain(a)
		if !slices.Equal(before, m.start) {
			crossed++
		}
		checkTriangulation(t, m)
		fixed := make(map[[2]int32]bool)
		found := make([]int, len(a.edges))
		for i, e := range a.edges {
			fixed[[2]int32{e.a, e.b}] = true
			if e.from.X == e.to.X && (e.from.X == 0 || e.from.X == size) || e.from.Y == e.to.Y && (e.from.Y == 0 || e.from.Y == size) {
				found[i]++ // on the border: the other side is outside
			}
		}
		for h, i := range m.edge {
			if i < 0 {
				continue
			}
			found[i]++
			if e := a.edges[i]; min(m.start[h], m.end(int32(h))) != e.a || max(m.start[h], m.end(int32(h))) != e.b {
				t.Fatalf("half-edge %d is not along edge %d", h, i)
			}
		}
		for i, e := range a.edges {
			if found[i] != 2 {
				t.Fatalf("edge %v %v is not in the triangulation", e.from, e.to)
			}
		}
		checkDelaunay(t, m, fixed)
	}
	if crossed < 100 {
		t.Errorf("only %d triangulations had to be changed for their edges", crossed)
	}
}
