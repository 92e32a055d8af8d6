package builtin

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

func TestFamilies(t *testing.T) {
	for _, c := range []struct {
		name     string
		vertices int
	}{
		{"squares-1", 4}, {"squares-4", 16}, {"Squares-7", 28}, {"squares-1600", 6400}, {"octagons-2", 16}, {"octagons-400", 3200},
	} {
		data, ok := Document(c.name)
		if !ok {
			t.Fatalf("%s is not found", c.name)
		}
		s, problems := scenes.Read(c.name, data)
		if s == nil || len(problems) > 0 {
			t.Fatalf("%s: %v", c.name, problems)
		}
		if s.Vertices() != c.vertices || s.Agents() != 0 {
			t.Errorf("%s has %d vertices and %d agents, want %d and 0", c.name, s.Vertices(), s.Agents(), c.vertices)
		}
		ground, err := s.Ground()
		if err != nil {
			t.Fatal(err)
		}
		// Every vertex is a corner: no obstacle touches another or the border.
		if len(ground.Corners) != c.vertices {
			t.Errorf("%s has %d corners of %d vertices", c.name, len(ground.Corners), c.vertices)
		}
	}
	for _, name := range []string{"squares", "squares-", "squares-0", "squares-04", "squares-+4", "squares-10001", "circles-4"} {
		if _, ok := Document(name); ok {
			t.Errorf("%s is found", name)
		}
	}
	for _, e := range List() {
		if _, ok := ofFamily(e.Name); ok && e.Agents == 0 {
			t.Errorf("%s is listed", e.Name)
		}
	}
}

// TestPoints checks that all points are apart, and on the ground.
func TestPoints(t *testing.T) {
	data, _ := Document("points-1k")
	s, problems := scenes.Read("points-1k", data)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	apart := map[mgl64.Vec2]bool{}
	for _, p := range s.Goals[0].Points {
		apart[p] = true
	}
	if len(apart) != 1000 {
		t.Errorf("%d places, want 1000", len(apart))
	}
}

// TestSquaresGoOnFromProfiling compares the grounds of a document and of a family.
func TestSquaresGoOnFromProfiling(t *testing.T) {
	a, _ := drawn("profiling3")
	b := squares(64)
	if len(a.Obstacles) != len(b.Obstacles) || a.Domain != b.Domain || a.Goals[0].Points[0] != b.Goals[0].Points[0] {
		t.Fatalf("%d and %d obstacles", len(a.Obstacles), len(b.Obstacles))
	}
	for i := range a.Obstacles {
		if *a.Obstacles[i].Rect != *b.Obstacles[i].Rect {
			t.Errorf("square %d is %v and %v", i, *a.Obstacles[i].Rect, *b.Obstacles[i].Rect)
		}
	}
}

// TestOctagonsStayTheSame holds the places to those whose numbers benchmarks print.
func TestOctagonsStayTheSame(t *testing.T) {
	first := octagons(100).Obstacles[0].Outline
	want := []mgl64.Vec2{
		{7.26912, 5.86342},
		{6.18554, 6.34175},
		{5.08109, 5.91377},
		{4.60276, 4.83019},
		{5.03074, 3.72574},
		{6.11432, 3.24741},
		{7.21877, 3.67539},
		{7.6971, 4.75897},
	}
	if !slices.Equal(first, want) {
		t.Errorf("the first octagon is %v", first)
	}
	// A regular octagon of radius r has the area 2 sqrt(2) r r.
	for i, o := range octagons(100).Obstacles {
		p := o.Polygon()
		r := math.Sqrt(p.Outer.Area() / (2 * math.Sqrt2))
		if r < 1.5-1e-4 || r > 3.3+1e-4 { // rounding moves vertices by a hundredth of a millimeter
			t.Errorf("octagon %d has radius %v", i, r)
		}
	}
}

func TestDrawer(t *testing.T) {
	// Of 4096 numbers in sixteen bins each should hold 256, within four standard deviations of 15.5.
	var bins [16]int
	for i := range 4096 {
		f := drawer(i / 4)(i % 4)
		if f < 0 || f >= 1 {
			t.Fatalf("number %d is %v", i, f)
		}
		bins[int(16*f)]++
	}
	for i, n := range bins {
		if n < 194 || n > 318 {
			t.Errorf("bin %d holds %d", i, n)
		}
	}
}
