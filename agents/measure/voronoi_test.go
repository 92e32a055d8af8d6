package measure

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// groundOf is a domain of this size with its corner at the origin, and obstacles.
func groundOf(t *testing.T, width, height float64, obstacles ...Rect) *geom.Ground {
	t.Helper()
	lattice, err := geom.NewLattice(mgl64.Vec2{}, mgl64.Vec2{width, height})
	if err != nil {
		t.Fatal(err)
	}
	var polygons []geom.Polygon
	for _, o := range obstacles {
		polygons = append(polygons, geom.Polygon{Outer: geom.Ring(o.Box())})
	}
	g, err := geom.Build(lattice, polygons)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func walkersAt(places ...mgl64.Vec2) Frame {
	var f Frame
	for i, p := range places {
		f.Walkers = append(f.Walkers, Walker{ID: i, At: p, Velocity: mgl64.Vec2{1, 0}})
	}
	return f
}

// rounded is what the lattice changes of an area at most: borders move by up to a step, and those of
// the rooms below have at most 40 m.
func rounded(g *geom.Ground) float64 { return 40 * g.Lattice.Step }

func areas(t *testing.T, what string, g *geom.Ground, f Frame, cutoff float64, want ...float64) {
	t.Helper()
	cells := Voronoi(f, g, cutoff)
	if len(cells) != len(want) {
		t.Fatalf("%s: %d cells, want %d", what, len(cells), len(want))
	}
	for i, c := range cells {
		if math.Abs(c.Area-want[i]) > rounded(g) {
			t.Errorf("%s: cell %d has %v m2, want %v", what, i, c.Area, want[i])
		}
	}
}

func TestVoronoi(t *testing.T) {
	open := groundOf(t, 10, 4)
	areas(t, "no agent", open, Frame{}, 0)
	areas(t, "one agent has all", open, walkersAt(mgl64.Vec2{1, 1}), 0, 40)
	areas(t, "the middle divides", open, walkersAt(mgl64.Vec2{1, 2}, mgl64.Vec2{4, 2}), 0, 10, 30)
	areas(t, "an agent at the place of another", open, walkersAt(mgl64.Vec2{1, 2}, mgl64.Vec2{1, 2}), 0, 40)
	regular := 16 * math.Sin(2*math.Pi/32) // of radius 1: 32/2 sin(2 pi/32)
	areas(t, "cutoff", open, walkersAt(mgl64.Vec2{5, 2}), 1, regular)
	areas(t, "cutoff at the border", open, walkersAt(mgl64.Vec2{0, 2}), 1, regular/2)

	// A wall with a door of 1 m between the left 5 m and the right 5 m.
	wall := groundOf(t, 10, 4, Rect{mgl64.Vec2{4.5, 0}, mgl64.Vec2{5.5, 3}})
	areas(t, "through the door", wall, walkersAt(mgl64.Vec2{2, 2}), 0, 37)
	shut := groundOf(t, 10, 4, Rect{mgl64.Vec2{4.5, 0}, mgl64.Vec2{5.5, 4}})
	areas(t, "behind a wall nothing counts", shut, walkersAt(mgl64.Vec2{2, 2}), 0, 18)
	// The agent in the wall has no cell, but what is nearer to it is not the other agent's.
	areas(t, "in an obstacle", shut, walkersAt(mgl64.Vec2{5, 2}, mgl64.Vec2{2, 2}), 0, 14)
}

// TestVoronoiRegular: agents on a square lattice of side s have 1/s2 agents a square meter, exactly,
// whatever part of the room is measured.
func TestVoronoiRegular(t *testing.T) {
	ground := groundOf(t, 12, 6)
	var places []mgl64.Vec2
	for i := range 24 {
		for j := range 12 {
			places = append(places, mgl64.Vec2{0.25 + 0.5*float64(i), 0.25 + 0.5*float64(j)})
		}
	}
	f := walkersAt(places...)
	for i := range f.Walkers {
		f.Walkers[i].Velocity = mgl64.Vec2{0, f.Walkers[i].At[0]} // as fast as they are far to the right
	}
	cells := Voronoi(f, ground, 0)
	for _, r := range []Rect{{mgl64.Vec2{}, mgl64.Vec2{12, 6}}, {mgl64.Vec2{3.1, 1.7}, mgl64.Vec2{4.3, 2.9}}, {mgl64.Vec2{5.01, 3.01}, mgl64.Vec2{5.02, 3.02}}} {
		s := VoronoiIn(cells, r.Box())
		if math.Abs(s.Density-4) > 1e-4 {
			t.Errorf("%v: %v agents/m2, want 4", r, s.Density)
		}
	}
	// The mean speed over an area that holds whole columns is that of its middle.
	if s := VoronoiIn(cells, Rect{mgl64.Vec2{2, 1.3}, mgl64.Vec2{6, 2.2}}.Box()); math.Abs(s.Speed-4) > 1e-4 {
		t.Errorf("%v m/s, want 4", s.Speed)
	}
	if s := VoronoiIn(cells, Rect{mgl64.Vec2{20, 20}, mgl64.Vec2{21, 21}}.Box()); s != (Sample{}) {
		t.Errorf("outside of the room: %+v", s)
	}
}

// TestVoronoiNearest compares with the definition: a point of open ground belongs to the nearest
// agent. Areas add up to that of the room.
func TestVoronoiNearest(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	ground := groundOf(t, 9, 7)
	for range 50 {
		var places []mgl64.Vec2
		for range 1 + rnd.IntN(60) {
			// Now and then in a heap, so that squares of the grid are empty.
			p := mgl64.Vec2{9 * rnd.Float64(), 7 * rnd.Float64()}
			if rnd.IntN(2) == 0 {
				p = p.Mul(0.1)
			}
			places = append(places, p)
		}
		f := walkersAt(places...)
		cells := Voronoi(f, ground, 0)
		sum := 0.0
		for _, c := range cells {
			sum += c.Area
		}
		if len(cells) != len(places) || math.Abs(sum-63) > rounded(ground) {
			t.Fatalf("%d cells of %d agents have %v m2 together, want 63", len(cells), len(places), sum)
		}
		for range 200 {
			p := mgl64.Vec2{9 * rnd.Float64(), 7 * rnd.Float64()}
			tiny := Rect{p, p.Add(mgl64.Vec2{1e-6, 1e-6})}.Box()
			nearest, second := math.Inf(1), math.Inf(1)
			owner := 0
			for i, q := range places {
				if d := q.Sub(p).Len(); d < nearest {
					owner, nearest, second = i, d, nearest
				} else {
					second = min(second, d)
				}
			}
			if second-nearest < 1e-5 || p[0] > 8.999 || p[1] > 6.999 {
				continue // on a border between cells
			}
			if in := cells[owner].In(tiny); math.Abs(in/1e-12-1) > 1e-3 {
				t.Fatalf("the point %v of agent %d at %v: its cell has %v of a square around it", p, owner, places[owner], in/1e-12)
			}
		}
	}
}
