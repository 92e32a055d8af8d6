package geom

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
)

func TestBuildRefuses(t *testing.T) {
	l := geomtest.Unit(t, Steps, Steps)
	holed := geomtest.Rect(1, 1, 100, 100)
	holed.Holes = []Ring{geomtest.Rect(10, 10, 20, 20).Outer, {{30, 30}, {40, math.Inf(-1)}, {40, 40}}}
	for name, c := range map[string]struct {
		obstacles []Polygon
		want      VertexError
	}{
		"not a number":  {[]Polygon{geomtest.Rect(1, 1, 2, 2), geomtest.Polygon(1, 1, 5, math.NaN(), 4, 4)}, VertexError{Obstacle: 1, Vertex: 1}},
		"infinite":      {[]Polygon{holed}, VertexError{Ring: 2, Vertex: 1}},
		"out of reach":  {[]Polygon{geomtest.Polygon(1, 1, 5, 5, 1e13, 4)}, VertexError{Vertex: 2}},
		"out of bounds": {[]Polygon{geomtest.Polygon(1, 1, 5, -math.MaxFloat64, 1, 4)}, VertexError{Vertex: 1}},
	} {
		g, err := Build(l, c.obstacles)
		var got *VertexError
		if g != nil || !errors.As(err, &got) {
			t.Errorf("%s: got %v, %v", name, g, err)
			continue
		}
		if got.Obstacle != c.want.Obstacle || got.Ring != c.want.Ring || got.Vertex != c.want.Vertex {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		if !strings.HasPrefix(err.Error(), "geom: vertex ") {
			t.Errorf("%s: message is %q", name, err)
		}
	}
}

func TestBuildPanicsOnNoLattice(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Build did not panic")
		}
	}()
	_, _ = Build(Lattice{}, nil)
}

// Rings of few vertices, or of none, are no error: what they leave is a wall of no thickness, or
// nothing.
func TestBuildFewVertices(t *testing.T) {
	l := geomtest.Unit(t, Steps, Steps)
	for _, c := range []struct {
		obstacle Polygon
		walls    int
	}{
		{Polygon{}, 4},
		{geomtest.Polygon(5, 5), 4},
		{geomtest.Polygon(5, 5, 9, 9), 5},
		{geomtest.Polygon(-100, -50, 9, 9), 4 + 1 + 1}, // it comes in over the left border
	} {
		g := groundOf(t, l, c.obstacle)
		checkGround(t, g)
		if len(g.Walls) != c.walls || freeArea2(g) != 2*Steps*Steps {
			t.Errorf("%v: %d walls, want %d", c.obstacle, len(g.Walls), c.walls)
		}
	}
}

// Clipping: what is outside the domain makes no difference, in any order.
func TestBuildClips(t *testing.T) {
	const all = Steps
	l := geomtest.Unit(t, all, all)
	for _, c := range []struct{ given, same Polygon }{
		{geomtest.Rect(-1e9, 100, 1e9, 200), geomtest.Rect(0, 100, all, 200)},
		{geomtest.Polygon(-100, 100, 100, 100, 100, -100), geomtest.Polygon(0, 100, 100, 100, 100, 0, 0, 0)},
		{geomtest.Polygon(-100, 0, 0, -100, 300, 200, 200, 300), geomtest.Polygon(0, 0, 100, 0, 300, 200, 200, 300, 0, 100)},
		// Around a corner of the domain without touching it.
		{geomtest.Polygon(-300, all+100, -300, -300, all+100, -300, all+100, -200, -200, -200, -200, all+100), Polygon{}},
		// A comb with its back outside.
		{
			geomtest.Polygon(-50, 0, 100, 10, -20, 20, 100, 30, -50, 40),
			geomtest.Polygon(0, 10.0*50/150, 100, 10, 0, 10+10.0*100/120, 0, 20+10.0*20/120, 100, 30, 0, 30+10.0*100/150),
		},
	} {
		want := groundOf(t, l, c.same)
		checkGround(t, want)
		for range 2 {
			if err := same(groundOf(t, l, c.given), want); err != nil {
				t.Errorf("%v is not clipped to %v: %v", c.given, c.same, err)
			}
			slices.Reverse(c.given.Outer)
		}
	}
}

// Obstacles up to the edge of what is given, from bytes: three a vertex, a small lattice of places
// so that they meet often.
func FuzzBuild(f *testing.F) {
	f.Add([]byte{0, 0, 0, 9, 0, 1, 9, 9, 2, 0, 9, 3})
	f.Add([]byte{2, 2, 0, 8, 2, 0, 8, 8, 0, 2, 8, 0, 2, 2, 128, 9, 2, 7, 9, 9, 9, 255, 255, 3, 1, 4})
	f.Add([]byte("the quick brown fox jumps over the lazy dog, again and again and again"))
	l, err := NewLattice(mgl64.Vec2{0, 0}, mgl64.Vec2{Steps, Steps})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 150 {
			return
		}
		var obstacles []Polygon
		var r Ring
		for i := 0; i+2 < len(data); i += 3 {
			b := data[i+2]
			r = append(r, mgl64.Vec2{float64(data[i]&31) - 3 + float64(b&7)/8, float64(data[i+1]&31) - 3 + float64(b>>3&7)/8})
			if b >= 192 || i+5 >= len(data) {
				if b&1 == 1 && len(obstacles) > 0 {
					o := &obstacles[len(obstacles)-1]
					o.Holes = append(o.Holes, r)
				} else {
					obstacles = append(obstacles, Polygon{Outer: r})
				}
				r = nil
			}
		}
		g, err := Build(l, obstacles)
		if err != nil {
			t.Fatal(err)
		}
		checkGround(t, g)
		slices.Reverse(obstacles)
		for _, o := range obstacles {
			slices.Reverse(o.Outer)
		}
		h, err := Build(l, obstacles)
		if err != nil {
			t.Fatal(err)
		}
		if err := same(g, h); err != nil {
			t.Fatal(err)
		}
	})
}
