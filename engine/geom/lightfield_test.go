package geom

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
)

// someBeams returns the beams of random segments: between vertices, points of walls and any points,
// along the axes now and then.
func someBeams(random *rand.Rand, g *Ground, n int) []LightField {
	var beams []LightField
	end := func() Point {
		switch random.IntN(3) {
		case 0:
			return g.Vertices[random.IntN(len(g.Vertices))]
		case 1:
			w := g.Walls[random.IntN(len(g.Walls))]
			a, b := g.Vertices[w.A], g.Vertices[w.B]
			return Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2}
		}
		return Point{X: random.Int32N(g.Lattice.Size.X + 1), Y: random.Int32N(g.Lattice.Size.Y + 1)}
	}
	for range n {
		a, b := end(), end()
		if random.IntN(3) == 0 {
			b.Y = a.Y
		}
		for _, l := range g.SourceSegments(g.Lattice.World(a), g.Lattice.World(b)) {
			beams = append(beams, l.LightFields()...)
		}
	}
	return beams
}

// Where the foot is a lattice point, what a beam lights is what the foot sees to the same side:
// rays shifted to the left come from the ground beside the leg before the foot, and go on as those
// that are turned to the left.
func TestBeamsAgainstPoints(t *testing.T) {
	random := rand.New(rand.NewPCG(20, 20))
	lit, dark := 0, 0
	for name, g := range sorted(smallScenes(t)) {
		for _, b := range someBeams(random, g, 12) {
			for x := range g.Lattice.Size.X + 1 {
				for y := range g.Lattice.Size.Y + 1 {
					p := Point{X: x, Y: y}
					if !b.Faces(p) || b.Above(p) == 0 || b.Along(p)%b.Length2() != 0 && (b.B.X-b.A.X)*(b.B.Y-b.A.Y) != 0 {
						continue
					}
					dx, dy := int64(b.B.X-b.A.X), int64(b.B.Y-b.A.Y)
					fx, fy := b.Along(p)*dx, b.Along(p)*dy
					if fx%b.Length2() != 0 || fy%b.Length2() != 0 {
						continue
					}
					foot := Point{X: b.A.X + int32(fx/b.Length2()), Y: b.A.Y + int32(fy/b.Length2())}
					left, right := false, false
					for _, s := range g.Sectors(foot) {
						left = left || foot != b.A && s.admits(b.A, Right) && g.clear(s, p, Left)
						right = right || foot != b.B && s.admits(b.B, Left) && g.clear(s, p, Right)
					}
					// A sector may hold both ways round the tip of a wall that stands between.
					for _, w := range g.Walls {
						u, v := g.Vertices[w.A], g.Vertices[w.B]
						if v == foot {
							u, v = v, u
						}
						if u == foot && b.Above(v) > 0 {
							left = left && b.side(foot, v) != Left
							right = right && b.side(foot, v) != Right
						}
					}
					if got := g.clearFrom(b, p, Left); got != left {
						t.Fatalf("%s: clearFrom(%v, %v, Left) = %v, and from its foot %v", name, b, p, got, left)
					}
					if got := g.clearFrom(b, p, Right); got != right {
						t.Fatalf("%s: clearFrom(%v, %v, Right) = %v, and from its foot %v", name, b, p, got, right)
					}
					if left || right {
						lit++
					} else {
						dark++
					}
				}
			}
		}
	}
	if min(lit, dark) < 5_000 {
		t.Errorf("the scenes hardly have both answers: %d lit, %d dark", lit, dark)
	}
}

func TestVisibleFromIsWhatIsSeen(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 21))
	total := 0
	check := func(name string, g *Ground) {
		v := g.NewViewer()
		for _, b := range someBeams(random, g, 20) {
			var got, want []int
			v.VisibleFrom(b, func(c int) { got = append(got, c) })
			slices.Sort(got)
			for c, s := range g.Corners {
				if g.SeesFrom(b, s) {
					want = append(want, c)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %v lights corners %v, want %v", name, b, got, want)
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
	if total < 3_000 {
		t.Errorf("only %d corners lit in all", total)
	}
}

// collect is a quest for everything.
type collect struct {
	corners []int
	enter   func(triangle int32, view *VisibilityResult)
}

func (c *collect) Corner(corner int)                     { c.corners = append(c.corners, corner) }
func (c *collect) Enter(t int32, view *VisibilityResult) { c.enter(t, view) }
func (c *collect) Bound(int32, int32) float64            { return 0 }
func (c *collect) Enough() float64                       { return math.Inf(1) }

// Without bounds a search finds the corners of Visible, and in the triangles that it enters all
// points and beams that are seen.
func TestSearchSeesAll(t *testing.T) {
	random := rand.New(rand.NewPCG(22, 22))
	seenPoints, seenBeams := 0, 0
	check := func(name string, g *Ground) {
		v := g.NewViewer()
		beams := someBeams(random, g, 12)
		var footings [][]FootInterval
		for _, b := range beams {
			footings = append(footings, g.FootIntervals(b, nil))
		}
		points := generators(random, g)
		for _, s := range generators(random, g) {
			point, beam := make([]bool, len(points)), make([]bool, len(beams))
			c := collect{enter: func(t int32, view *VisibilityResult) {
				for i, p := range points {
					for _, in := range g.Entrances(p, nil) {
						point[i] = point[i] || in.Triangle == t && view.Holds(p.At)
					}
				}
				for i, b := range beams {
					for _, f := range footings[i] {
						beam[i] = beam[i] || f.Triangle == t && view.Reaches(b, f.From, f.To)
					}
				}
			}}
			v.Search(s, &c)
			slices.Sort(c.corners)
			if want := visible(t, v, s); !slices.Equal(c.corners, want) {
				t.Fatalf("%s: from %v a search finds corners %v, want %v", name, s, c.corners, want)
			}
			for i, p := range points {
				if want := g.Sees(s, p); point[i] != want {
					t.Fatalf("%s: from %v a search sees %v: %v, want %v", name, s, p, point[i], want)
				} else if want {
					seenPoints++
				}
			}
			for i, b := range beams {
				// Past a wall's tip above an end of the leg the end is seen, by rays that are not
				// the beam's.
				end := b.Along(s.At) == 0 || b.Along(s.At) == b.Length2()
				if want := g.SeesFrom(b, s); beam[i] != want && !(end && beam[i]) {
					t.Fatalf("%s: from %v a search sees %v: %v, want %v", name, s, b, beam[i], want)
				} else if want {
					seenBeams++
				}
			}
		}
	}
	for name, g := range sorted(smallScenes(t)) {
		check(name, g)
	}
	for name, g := range sorted(fullScenes(t)) {
		check(name, g)
	}
	if min(seenPoints, seenBeams) < 2_000 {
		t.Errorf("only %d points and %d beams seen", seenPoints, seenBeams)
	}
}

// FootIntervals lie end to end along all of the leg that has free ground above it, and bounds are
// in order.
func TestFootIntervalsCoverTheSegment(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 23))
	for name, g := range sorted(smallScenes(t)) {
		for _, b := range someBeams(random, g, 12) {
			at := 0.0
			for _, f := range g.FootIntervals(b, nil) {
				if !g.Triangles[f.Triangle].Free {
					t.Fatalf("%s: %v stands in covered triangle %d", name, b, f.Triangle)
				}
				if !(f.From <= at && f.To >= f.From) {
					t.Fatalf("%s: a footing of %v goes from %v to %v, and the one before ends at %v", name, b, f.From, f.To, at)
				}
				at = f.To
			}
			if at != float64(b.Length2()) {
				t.Fatalf("%s: the footings of %v end at %v of %v", name, b, at, b.Length2())
			}
		}
	}
}

func TestLegs(t *testing.T) {
	l := coarse(1 << 10)
	block := groundOf(t, l, Polygon{Outer: geomtest.Rect(400, 400, 600, 600).Outer})
	thin := groundOf(t, l, Polygon{Outer: geomtest.Ring(500, 100, 500, 900, 500.2, 900)})
	// A wall that snapping bent to (500, 300.49) and (500, 301): lattice points of a shallow ridge.
	ridge := groundOf(t, l, Polygon{Outer: geomtest.Ring(200, 100, 800, 100, 800, 300, 500, 301, 200, 300)})
	for _, c := range []struct {
		name string
		g    *Ground
		a, b mgl64.Vec2
		want []SourceSegment
	}{
		{"open", block, mgl64.Vec2{10, 10}, mgl64.Vec2{20, 30}, []SourceSegment{{Point{X: 10, Y: 10}, Point{X: 20, Y: 30}, true, true}}},
		{"point", block, mgl64.Vec2{10, 10}, mgl64.Vec2{10.2, 10}, []SourceSegment{{A: Point{X: 10, Y: 10}, B: Point{X: 10, Y: 10}}}},
		{"buried", block, mgl64.Vec2{450, 450}, mgl64.Vec2{550, 500}, nil},
		{"through a block", block, mgl64.Vec2{300, 500}, mgl64.Vec2{700, 500}, []SourceSegment{
			{Point{X: 300, Y: 500}, Point{X: 400, Y: 500}, true, true}, {Point{X: 600, Y: 500}, Point{X: 700, Y: 500}, true, true},
		}},
		{"into a block", block, mgl64.Vec2{300, 500}, mgl64.Vec2{500, 500}, []SourceSegment{{Point{X: 300, Y: 500}, Point{X: 400, Y: 500}, true, true}}},
		{"along a wall and on", block, mgl64.Vec2{450, 400}, mgl64.Vec2{700, 400}, []SourceSegment{
			{Point{X: 450, Y: 400}, Point{X: 600, Y: 400}, false, true}, {Point{X: 600, Y: 400}, Point{X: 700, Y: 400}, true, true},
		}},
		{"along the border", block, mgl64.Vec2{0, 0}, mgl64.Vec2{1024, 0}, []SourceSegment{{Point{X: 0, Y: 0}, Point{X: 1024, Y: 0}, true, false}}},
		{"along a wall of no thickness", thin, mgl64.Vec2{500, 200}, mgl64.Vec2{500, 400}, []SourceSegment{{Point{X: 500, Y: 200}, Point{X: 500, Y: 400}, true, true}}},
		{"touching a block's corner", block, mgl64.Vec2{300, 500}, mgl64.Vec2{500, 300}, []SourceSegment{
			{Point{X: 300, Y: 500}, Point{X: 400, Y: 400}, true, true}, {Point{X: 400, Y: 400}, Point{X: 500, Y: 300}, true, true},
		}},
		{"along a ridge", ridge, mgl64.Vec2{200, 300}, mgl64.Vec2{800, 300}, []SourceSegment{
			{Point{X: 200, Y: 300}, Point{X: 500, Y: 301}, true, false}, {Point{X: 500, Y: 301}, Point{X: 800, Y: 300}, true, false},
		}},
	} {
		if got := c.g.SourceSegments(c.a, c.b); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	// Across the wall of no thickness, askew: one leg on either side, up to free points at the
	// crossing.
	legs := thin.SourceSegments(mgl64.Vec2{300, 300}, mgl64.Vec2{702, 405})
	for _, l := range legs {
		if l.A != l.B && (l.A.X < 500) != (l.B.X < 500) && l.A.X != 500 && l.B.X != 500 {
			t.Errorf("%v crosses the wall", l)
		}
	}
	if len(legs) < 2 || legs[0].A != (Point{X: 300, Y: 300}) || legs[len(legs)-1].B != (Point{X: 702, Y: 405}) {
		t.Errorf("across a wall of no thickness: %v", legs)
	}
}

// SourceSegments lie in free ground beside the segment, cross no wall, and leave little of the
// segment out.
func TestLegsOfRandomSegments(t *testing.T) {
	random := rand.New(rand.NewPCG(24, 24))
	most := 0
	for name, g := range sorted(fullScenes(t)) {
		for range 150 {
			end := func() mgl64.Vec2 {
				w := g.Walls[random.IntN(len(g.Walls))]
				a, b := g.Place(g.Vertices[w.A]), g.Place(g.Vertices[w.B])
				switch random.IntN(3) {
				case 0:
					return a
				case 1: // on a wall as given
					s := random.Float64()
					return a.Mul(1 - s).Add(b.Mul(s))
				}
				return g.Lattice.World(Point{X: random.Int32N(g.Lattice.Size.X + 1), Y: random.Int32N(g.Lattice.Size.Y + 1)})
			}
			a, b := end(), end()
			if random.IntN(3) == 0 { // along a wall as given, or a part of it
				w := g.Walls[random.IntN(len(g.Walls))]
				s := random.Float64()
				a, b = g.Place(g.Vertices[w.A]), g.Place(g.Vertices[w.B])
				b = a.Mul(s).Add(b.Mul(1 - s))
			}
			if !g.Lattice.Contains(a) || !g.Lattice.Contains(b) {
				continue
			}
			legs := g.SourceSegments(a, b)
			most = max(most, len(legs))
			for _, l := range legs {
				// Standing moves an end by SnapSlack at most, bends keep to that, and rounding adds
				// a half each time.
				const near = (SnapSlack + 1) * math.Sqrt2
				for _, p := range [2]Point{l.A, l.B} {
					if !g.Free(p) || fromSegment(g.Lattice.Fractional(a), g.Lattice.Fractional(b), p) > near+SnapSlack*math.Sqrt2 {
						t.Fatalf("%s: %v to %v has leg %v, which is not on free ground beside it", name, a, b, l)
					}
				}
				if l.A == l.B {
					continue
				}
				steps := g.walk(l.A, l.B)
				if _, _, blocked := g.obstruction(steps); blocked {
					t.Fatalf("%s: %v to %v has leg %v, which something is in the way of", name, a, b, l)
				}
				for _, s := range steps {
					if g.freeTriangle(s.left) != l.Left || g.freeTriangle(s.right) != l.Right {
						t.Fatalf("%s: %v to %v has leg %v, whose sides are not so all along", name, a, b, l)
					}
				}
			}
			for range 50 {
				s := random.Float64()
				x := a.Mul(1 - s).Add(b.Mul(s))
				p := g.Lattice.Snap(x)
				if !g.Free(p) {
					continue
				}
				least := math.Inf(1)
				for _, l := range legs {
					least = min(least, fromSegment([2]float64{float64(l.A.X), float64(l.A.Y)}, [2]float64{float64(l.B.X), float64(l.B.Y)}, p))
				}
				if least > 4*(SnapSlack+1) {
					t.Fatalf("%s: %v to %v has legs %v, and its free point %v is %v steps from them", name, a, b, legs, p, least)
				}
			}
		}
	}
	t.Log("most legs of a segment:", most)
}

// fromSegment is the distance of p to a segment in steps.
func fromSegment(a, b [2]float64, p Point) float64 {
	u, v := mgl64.Vec2{b[0] - a[0], b[1] - a[1]}, mgl64.Vec2{float64(p.X) - a[0], float64(p.Y) - a[1]}
	s := 0.0
	if l := u.Dot(u); l > 0 {
		s = min(max(u.Dot(v)/l, 0), 1)
	}
	return v.Sub(u.Mul(s)).Len()
}
