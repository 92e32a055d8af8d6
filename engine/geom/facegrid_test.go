package geom

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
)

// The cell of a point lists all free triangles that hold the point, in order.
func TestFaceGridListsWhatTouches(t *testing.T) {
	scenes := fullScenes(t)
	for name, g := range smallScenes(t) {
		scenes[name] = g
	}
	scenes["wide"] = groundOf(t, fullLattice(t, 1000, 250))
	scenes["covered"] = groundOf(t, fullLattice(t, 10, 10), geomtest.Rect(-901, -501, 0, 0))
	random := rand.New(rand.NewPCG(16, 16))
	for name, g := range sorted(scenes) {
		grid := NewFaceGrid(g)
		points := slices.Clone(g.Vertices)
		for range 500 {
			points = append(points, Point{X: random.Int32N(g.Lattice.Size.X + 1), Y: random.Int32N(g.Lattice.Size.Y + 1)})
		}
		for _, v := range g.Vertices {
			points = append(points, Point{X: min(max(v.X+random.Int32N(5)-2, 0), g.Lattice.Size.X), Y: min(max(v.Y+random.Int32N(5)-2, 0), g.Lattice.Size.Y)})
		}
		for _, p := range points {
			got := grid.Faces(p)
			if !slices.IsSorted(got) {
				t.Fatalf("%s: the triangles at %v are not sorted: %v", name, p, got)
			}
			for i := range g.Triangles {
				v := g.vertices(int32(i))
				holds := Orient(v[0], v[1], p) != Right && Orient(v[1], v[2], p) != Right && Orient(v[2], v[0], p) != Right
				if holds && g.Triangles[i].Free && !slices.Contains(got, uint32(i)) {
					t.Fatalf("%s: %v is in free triangle %d, its cell lists %v", name, p, i, got)
				}
			}
		}
	}
}

// meetsByPoints is meetsSquare over all pairs of sides and vertices, with touching included.
func meetsByPoints(v [3]Point, lo, hi Point) bool {
	square := [4]Point{lo, {X: hi.X, Y: lo.Y}, hi, {X: lo.X, Y: hi.Y}}
	inTriangle := func(p Point) bool {
		return Orient(v[0], v[1], p) != Right && Orient(v[1], v[2], p) != Right && Orient(v[2], v[0], p) != Right
	}
	for _, p := range square {
		if inTriangle(p) {
			return true
		}
	}
	for i, a := range v {
		if a.X >= lo.X && a.X <= hi.X && a.Y >= lo.Y && a.Y <= hi.Y || touchesSquare(a, v[(i+1)%3], lo, hi) {
			return true
		}
	}
	return false
}

func TestMeetsSquare(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 17))
	both := [2]int{}
	for range 20000 {
		point := func() Point { return Point{X: random.Int32N(40), Y: random.Int32N(40)} }
		v := [3]Point{point(), point(), point()}
		switch Orient(v[0], v[1], v[2]) {
		case Right:
			v[1], v[2] = v[2], v[1]
		case Collinear:
			continue
		}
		shift := random.Uint32N(5)
		lo := point()
		hi := Point{X: lo.X + 1<<shift - 1, Y: lo.Y + 1<<shift - 1}
		want := meetsByPoints(v, lo, hi)
		if got := meetsSquare(v, lo, shift); got != want {
			t.Fatalf("triangle %v and square %v to %v meet: %v, want %v", v, lo, hi, got, want)
		}
		if want {
			both[1]++
		} else {
			both[0]++
		}
	}
	if both[0] < 1000 || both[1] < 1000 {
		t.Errorf("the cases are one-sided: %v", both)
	}
}

// Cells list few triangles where the ground is even, and where all of its detail is crowded in one
// place; a bundle of slivers takes no more memory than others.
func TestFaceGridIsSmall(t *testing.T) {
	var crowded []Polygon
	for i := range 400 {
		x, y := Steps/2+float64(i%20*40), Steps/2+float64(i/20*40)
		crowded = append(crowded, geomtest.Rect(x, y, x+15, y+15))
	}
	var comb []Polygon // slivers from the far corners to each tooth
	for i := range 300 {
		x := Steps - 1000 + 3*float64(i)
		comb = append(comb, geomtest.Rect(x, Steps-1000, x+1, Steps-900))
	}
	for name, g := range sorted(map[string]*Ground{
		"squares":  groundOf(t, geomtest.Unit(t, 1, 1), squares(20)...),
		"octagons": groundOf(t, geomtest.Unit(t, 1, 1), octagons(400)...),
		"crowded":  groundOf(t, geomtest.Unit(t, Steps, Steps), crowded...),
		"comb":     groundOf(t, geomtest.Unit(t, Steps, Steps), comb...),
	}) {
		grid := NewFaceGrid(g)
		listed := 0
		for _, v := range g.Vertices {
			listed += len(grid.Faces(v))
		}
		mean := float64(listed) / float64(len(g.Vertices))
		t.Logf("%s: %d triangles, %d cells, %d items, %.1f triangles a vertex's cell", name, len(g.Triangles), len(grid.Cells), len(grid.Items), mean)
		if mean > 20 { // two cells' worth of the crowd that is split
			t.Errorf("%s: a vertex's cell lists %v triangles on average", name, mean)
		}
		if len(grid.Items) > 20*len(g.Triangles) {
			t.Errorf("%s: %d items for %d triangles", name, len(grid.Items), len(g.Triangles))
		}
	}
}

func BenchmarkNewFaceGrid(b *testing.B) {
	g := groundOf(b, geomtest.Unit(b, 1, 1), octagons(2500)...)
	for b.Loop() {
		if len(NewFaceGrid(g).Items) == 0 {
			b.Fatal("no items")
		}
	}
}
