package geom

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
)

// visible returns the corners that Visible reports, sorted.
func visible(t *testing.T, v *Viewer, s Sector) []int {
	t.Helper()
	var corners []int
	v.Visible(s, func(c int) { corners = append(corners, c) })
	slices.Sort(corners)
	if n := len(slices.Compact(slices.Clone(corners))); n != len(corners) {
		t.Fatalf("Visible(%v) reports corners twice: %v", s, corners)
	}
	return corners
}

func seen(g *Ground, s Sector) []int {
	var corners []int
	for c, to := range g.Corners {
		if to.At != s.At && g.Sees(s, to) {
			corners = append(corners, c)
		}
	}
	return corners
}

func TestVisibleIsWhatIsSeen(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 12))
	total := 0
	check := func(name string, g *Ground) {
		v := g.NewViewer()
		for _, s := range generators(random, g) {
			got, want := visible(t, v, s), seen(g, s)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %v sees corners %v, want %v", name, s, got, want)
			}
			total += len(got)
		}
	}
	for name, g := range sorted(smallScenes(t)) {
		check(name, g)
	}
	for name, g := range sorted(fullScenes(t)) {
		check(name, g)
	}
	if total < 5_000 {
		t.Errorf("only %d corners seen in all", total)
	}
}

func fullLattice(t testing.TB, w, h float64) Lattice {
	t.Helper()
	l, err := NewLattice(mgl64.Vec2{-900, -500}, mgl64.Vec2{-900 + w, -500 + h})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// rowsOfSquares are n by n squares on a domain of 1000 by 1000, like the profiling maps: half of
// the ground is theirs along either axis.
func rowsOfSquares(n int) []Polygon {
	pitch := 1000 / float64(n)
	var obstacles []Polygon
	for i := range n * n {
		x, y := -900+(float64(i%n)+0.25)*pitch, -500+(float64(i/n)+0.25)*pitch
		obstacles = append(obstacles, Polygon{Outer: geomtest.Square(x, y, pitch/2)})
	}
	return obstacles
}

// fullScenes are scenes of some hundred vertices on the lattice that the program uses.
func fullScenes(t testing.TB) map[string]*Ground {
	random := rand.New(rand.NewPCG(13, 13))
	var overlapping, pinched, slits []Polygon
	for range 25 {
		x, y := -850+900*random.Float64(), -450+900*random.Float64()
		var r Ring
		n := 3 + random.IntN(9)
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			r = append(r, mgl64.Vec2{x, y}.Add(mgl64.Vec2{cos, sin}.Mul(20+60*random.Float64())))
		}
		overlapping = append(overlapping, Polygon{Outer: r})
	}
	for i := range 36 {
		if x, y := i%6, i/6; (x+y)%2 == 0 {
			pinched = append(pinched, Polygon{Outer: geomtest.Square(-800+100*float64(x), -400+100*float64(y), 100)})
		}
	}
	for i := range 12 {
		// Walls of a fifth of a lattice step, many of them crossing.
		x, y := -850+900*random.Float64(), -450+900*random.Float64()
		sin, cos := math.Sincos(float64(i))
		a, b := mgl64.Vec2{x, y}, mgl64.Vec2{x, y}.Add(mgl64.Vec2{cos, sin}.Mul(300))
		b[0], b[1] = min(max(b[0], -900), 100), min(max(b[1], -500), 500)
		slits = append(slits, Polygon{Outer: Ring{a, b, b.Add(mgl64.Vec2{0.0002, 0.0002})}})
	}
	l := fullLattice(t, 1000, 1000)
	return map[string]*Ground{
		"rows of squares": groundOf(t, l, rowsOfSquares(6)...),
		"overlapping":     groundOf(t, l, overlapping...),
		"pinched":         groundOf(t, l, pinched...),
		"slits":           groundOf(t, l, slits...),
		"everything":      groundOf(t, l, slices.Concat(overlapping[:10], pinched[:8], slits[:6])...),
	}
}

func TestDistancesOverVisible(t *testing.T) {
	random := rand.New(rand.NewPCG(14, 14))
	reached := 0
	for name, g := range sorted(fullScenes(t)) {
		v := g.NewViewer()
		sources := generators(random, g)
		// Corners first, then three points of each sort: in the open, at vertices, on walls.
		for _, source := range slices.Concat(sources[:2], sources[len(sources)-6:]) {
			want := distances(g, source, func(from Sector, visit func(int)) {
				for _, c := range seen(g, from) {
					visit(c)
				}
			})
			got := distances(g, source, v.Visible)
			if i, same := sameDistances(got, want); !same {
				t.Fatalf("%s: from %v to corner %v: %v, want %v", name, source, g.Corners[i], got[i], want[i])
			}
			for _, d := range got {
				if !math.IsInf(d, 1) {
					reached++
				}
			}
		}
	}
	if reached < 1_000 {
		t.Errorf("only %d corners reached in all", reached)
	}
}

func TestVisibleFromManyGoroutines(t *testing.T) {
	g := groundOf(t, fullLattice(t, 1000, 1000), rowsOfSquares(4)...)
	answers := make(chan []int)
	for range 4 {
		go func() {
			var corners []int
			g.NewViewer().Visible(g.Corners[5], func(c int) { corners = append(corners, c) })
			answers <- corners
		}()
	}
	want := <-answers
	for range 3 {
		if got := <-answers; len(got) == 0 || !slices.Equal(got, want) {
			t.Errorf("one goroutine sees %v, another %v", got, want)
		}
	}
}

func TestVisibleAllocatesNothing(t *testing.T) {
	g := groundOf(t, fullLattice(t, 1000, 1000), rowsOfSquares(4)...)
	v := g.NewViewer()
	count := 0
	visit := func(int) { count++ }
	for _, c := range g.Corners {
		v.Visible(c, visit) // the stack grows to what it needs
	}
	next := 0
	if n := testing.AllocsPerRun(len(g.Corners), func() {
		v.Visible(g.Corners[next%len(g.Corners)], visit)
		next++
	}); n != 0 {
		t.Errorf("Visible allocates %v times a call", n)
	}
	if count == 0 {
		t.Error("nothing is visible")
	}
}

func TestVisibleForgetsOldQuestions(t *testing.T) {
	g := groundOf(t, coarse(16), []Polygon{{Outer: geomtest.Square(5, 5, 4)}}...)
	v := g.NewViewer()
	want := visible(t, v, g.Corners[0])
	v.question = math.MaxUint32 // the next one is number 0, and all marks are 1
	if got := visible(t, v, g.Corners[0]); !slices.Equal(got, want) {
		t.Errorf("after 2^32 questions %v are visible, want %v", got, want)
	}
}

// All corners of 400 squares, from all of them.
func BenchmarkVisible(b *testing.B) {
	g := groundOf(b, fullLattice(b, 1000, 1000), rowsOfSquares(20)...)
	v := g.NewViewer()
	count, rounds := 0, 0
	for b.Loop() {
		for _, c := range g.Corners {
			v.Visible(c, func(int) { count++ })
		}
		rounds++
	}
	if len(g.Corners) != 1600 {
		b.Fatalf("%d corners, want 1600", len(g.Corners))
	}
	b.ReportMetric(float64(count/rounds), "corners/op")
}
