package triangulation

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/geom/internal/arrangement"
	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// randomPoints returns the sorted corners of a rectangle and up to n points in it, often collinear
// and cocircular for a small size.
func randomPoints(rng *rand.Rand, n int, w, h int32) []lattice.Point {
	points := []lattice.Point{{X: 0, Y: 0}, {X: w, Y: 0}, {X: 0, Y: h}, {X: w, Y: h}}
	for range n {
		points = append(points, lattice.Point{X: rng.Int32N(w + 1), Y: rng.Int32N(h + 1)})
	}
	slices.SortFunc(points, lattice.Point.Compare)
	return slices.Compact(points)
}

// checkDelaunay checks each edge but the given ones, with the rule for cocircular vertices.
func checkDelaunay(t *testing.T, m *Mesh, fixed map[[2]int32]bool) {
	t.Helper()
	for h := range int32(len(m.Start)) {
		g := m.Twin[h]
		a, b := m.Start[h], m.End(h)
		if g < h || fixed[[2]int32{min(a, b), max(a, b)}] {
			continue
		}
		c, d := m.Start[Prev(h)], m.Start[Prev(g)]
		side := geomtest.InCircle(m.Points[a], m.Points[b], m.Points[c], m.Points[d])
		if side > 0 || side == 0 && min(c, d) < min(a, b) {
			t.Fatalf("edge %v %v is not Delaunay, %v and %v are", m.Points[a], m.Points[b], m.Points[c], m.Points[d])
		}
	}
}

func TestTriangulate(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		size := []int32{1, 3, 9, 60, 2000, lattice.Steps}[seed%6]
		m := delaunay(randomPoints(rng, rng.IntN(300), size, max(1, size/int32(1+rng.IntN(2)))))
		geomtest.CheckMesh(t, m.Points, m.Start, m.Twin, m.Out)
		checkDelaunay(t, m, nil)
	}
}

func TestConstrain(t *testing.T) {
	l := geomtest.Unit(t, lattice.Steps, lattice.Steps)
	crossed := 0
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 4))
		size := []int32{8, 40, 300, lattice.Steps}[seed%4]
		l.Size = lattice.Point{X: size, Y: size}
		span := max(1, size/int32(1+rng.IntN(8)))
		var walls []polygon.Polygon // of no thickness
		wall := func(p, q lattice.Point) {
			walls = append(walls, polygon.Polygon{Outer: polygon.Ring{l.World(p), l.World(q)}})
		}
		for range 1 + rng.IntN(40) {
			p := lattice.Point{X: rng.Int32N(size + 1), Y: rng.Int32N(size + 1)}
			wall(p, lattice.Point{
				X: min(size, max(0, p.X+rng.Int32N(2*span+1)-span)),
				Y: min(size, max(0, p.Y+rng.Int32N(2*span+1)-span)),
			})
		}
		for range rng.IntN(200) { // points between, as tiny edges
			p := lattice.Point{X: rng.Int32N(size), Y: rng.Int32N(size)}
			wall(p, lattice.Point{X: p.X + 1, Y: p.Y})
		}
		a, err := arrangement.New(l, walls, arrangement.MaxMeetings)
		if err != nil {
			t.Fatal(err)
		}
		m := delaunay(a.Vertices)
		before := slices.Clone(m.Start)
		m.constrain(a.Edges)
		if !slices.Equal(before, m.Start) {
			crossed++
		}
		geomtest.CheckMesh(t, m.Points, m.Start, m.Twin, m.Out)
		fixed := make(map[[2]int32]bool)
		found := make([]int, len(a.Edges))
		for i, e := range a.Edges {
			fixed[[2]int32{e.A, e.B}] = true
			if e.From.X == e.To.X && (e.From.X == 0 || e.From.X == size) || e.From.Y == e.To.Y && (e.From.Y == 0 || e.From.Y == size) {
				found[i]++ // on the border: the other side is outside
			}
		}
		for h, i := range m.Edge {
			if i < 0 {
				continue
			}
			found[i]++
			if e := a.Edges[i]; min(m.Start[h], m.End(int32(h))) != e.A || max(m.Start[h], m.End(int32(h))) != e.B {
				t.Fatalf("half-edge %d is not along edge %d", h, i)
			}
		}
		for i, e := range a.Edges {
			if found[i] != 2 {
				t.Fatalf("edge %v %v is not in the triangulation", e.From, e.To)
			}
		}
		checkDelaunay(t, m, fixed)
	}
	if crossed < 100 {
		t.Errorf("only %d triangulations had to be changed for their edges", crossed)
	}
}
