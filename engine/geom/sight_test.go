package geom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// coarse is a lattice of n by n steps of 1 m: on so few points random scenes are full of contacts
// and collinear vertices, and rational numbers stay small.
func coarse(n int32) Lattice {
	return Lattice{Step: 1, Size: Point{X: n, Y: n}}
}

func randomPolygons(random *rand.Rand, size int32) []Polygon {
	var obstacles []Polygon
	for range 1 + random.IntN(6) {
		var r Ring
		for range 3 + random.IntN(3) {
			r = append(r, mgl64.Vec2{float64(random.Int32N(size + 1)), float64(random.Int32N(size + 1))})
		}
		if p := (Polygon{Outer: r}); p.Check() == nil {
			obstacles = append(obstacles, p)
		}
	}
	return obstacles
}

// smallScenes returns grounds of up to some 30 corners that are awkward in many ways.
func smallScenes(t testing.TB) map[string]*Ground {
	grounds := map[string]*Ground{}
	add := func(name string, n int32, obstacles ...Polygon) {
		grounds[name] = groundOf(t, coarse(n), obstacles...)
	}
	rings := func(rings ...Ring) []Polygon {
		var polygons []Polygon
		for _, r := range rings {
			polygons = append(polygons, Polygon{Outer: r})
		}
		return polygons
	}
	add("empty", 16)
	add("one square", 16, rings(geomtest.Square(5, 5, 4))...)
	add("square on the border", 16, rings(geomtest.Square(0, 5, 4))...)
	var rows []Ring
	for i := range 9 {
		rows = append(rows, geomtest.Square(float64(2+5*(i%3)), float64(2+5*(i/3)), 2))
	}
	add("rows of squares", 16, rings(rows...)...)
	add("squares that touch in points", 16, rings(geomtest.Square(2, 2, 4), geomtest.Square(6, 6, 4), geomtest.Square(10, 2, 4), geomtest.Square(10, 10, 4), geomtest.Square(2, 10, 4))...)
	add("squares that share edges", 16, rings(geomtest.Square(2, 2, 4), geomtest.Square(6, 2, 4), geomtest.Square(6, 6, 4))...)
	add("ring with a pinch", 16, rings(geomtest.Ring(2, 2, 14, 2, 8, 5), geomtest.Ring(8, 5, 14, 14, 2, 14, 7, 12), geomtest.Ring(2, 2, 4, 8, 2, 14))...)
	add("star of pinches", 16, rings(geomtest.Ring(8, 8, 14, 7, 14, 9), geomtest.Ring(8, 8, 2, 7, 2, 9), geomtest.Ring(8, 8, 7, 14, 9, 14), geomtest.Ring(8, 8, 7, 2, 9, 2))...)
	add("needles", 16, rings(geomtest.Ring(2, 8, 14, 8, 14, 9), geomtest.Ring(2, 6, 14, 6, 14, 5), geomtest.Ring(1, 1, 15, 2, 15, 1), geomtest.Ring(3, 12, 13, 12, 8, 13))...)
	add("walls of no thickness", 16, rings(geomtest.Ring(4, 4, 12, 4, 12, 4.1), geomtest.Ring(12, 4, 12, 12, 12.1, 12), geomtest.Ring(8, 4, 8, 9, 8.1, 9), geomtest.Ring(0, 12, 6, 12, 3, 12.1))...)
	add("cross of walls of no thickness", 16, rings(geomtest.Ring(4, 8, 12, 8, 8, 8.1), geomtest.Ring(8, 4, 8, 12, 8.1, 8))...)
	add("wall of no thickness along a square", 16, rings(geomtest.Square(4, 4, 4), geomtest.Ring(8, 8, 13, 8, 8, 8.1), geomtest.Ring(8, 4, 8, 1, 8.1, 4))...)
	add("room with a door", 16, Polygon{Outer: geomtest.Square(2, 2, 12), Holes: []Ring{geomtest.Square(4, 4, 8)}}, Polygon{Outer: geomtest.Ring(12, 8, 13, 8, 13, 9)})
	add("room with a gap", 16, rings(geomtest.Ring(2, 2, 14, 2, 14, 7, 12, 7, 12, 4, 4, 4, 4, 12, 12, 12, 12, 8, 14, 8, 14, 14, 2, 14))...)
	add("spiral", 16, rings(geomtest.Ring(2, 2, 14, 2, 14, 14, 4, 14, 4, 6, 10, 6, 10, 10, 8, 10, 8, 8, 6, 8, 6, 12, 12, 12, 12, 4, 2, 4))...)
	random := rand.New(rand.NewPCG(7, 7))
	for i := range 150 {
		n := int32(6 + 4*(i%4))
		grounds[fmt.Sprintf("random %d", i)] = groundOf(t, coarse(n), randomPolygons(random, n)...)
	}
	return grounds
}

// sorted makes the order of a map's scenes the same in every run.
func sorted[T any](scenes map[string]T) func(yield func(string, T) bool) {
	var names []string
	for name := range scenes {
		names = append(names, name)
	}
	slices.Sort(names)
	return func(yield func(string, T) bool) {
		for _, name := range names {
			if !yield(name, scenes[name]) {
				return
			}
		}
	}
}

// generators returns the corners and the sectors at some free points.
func generators(random *rand.Rand, g *Ground) []Sector {
	sectors := slices.Clone(g.Corners)
	if len(sectors) > 12 {
		random.Shuffle(len(sectors), func(i, j int) { sectors[i], sectors[j] = sectors[j], sectors[i] })
		sectors = sectors[:12]
	}
	for range 8 {
		sectors = append(sectors, g.Sectors(Point{X: random.Int32N(g.Lattice.Size.X + 1), Y: random.Int32N(g.Lattice.Size.Y + 1)})...)
		sectors = append(sectors, g.Sectors(g.Vertices[random.IntN(len(g.Vertices))])...)
		w := g.Walls[random.IntN(len(g.Walls))]
		a, b := g.Vertices[w.A], g.Vertices[w.B]
		sectors = append(sectors, g.Sectors(Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2})...)
	}
	return sectors
}

// sliver decides in another way than the rule does whether a ray turned to the given side gets from
// a to p: it follows the strip of ground beside the segment, without any width, through the
// triangles. It returns the last triangle of the strip, or -1 where the strip is not free all the
// way. Everything is exact: places on the segment are fractions, and with coordinates up to 64
// their numerators and denominators, and the products below, stay within int64.
func sliver(g *Ground, a Sector, p Point, turn Side) int32 {
	type place struct{ num, den int64 } // on the segment, in 0..1
	d := Point{X: p.X - a.At.X, Y: p.Y - a.At.Y}
	beside := func(q Point) bool { return Orient(a.At, p, q) == turn }
	places := []place{{0, 1}, {1, 1}}
	for _, t := range g.Triangles {
		for e := range 3 {
			u, v := g.Vertices[t.V[e]], g.Vertices[t.V[(e+1)%3]]
			// On the line through u and v: lattice.Cross(u, v, a.At + s d) = 0.
			at, slope := lattice.Cross(u, v, a.At), int64(v.X-u.X)*int64(d.Y)-int64(v.Y-u.Y)*int64(d.X)
			if slope == 0 {
				continue
			}
			s := place{-at, slope}
			if slope < 0 {
				s = place{at, -slope}
			}
			if s.num > 0 && s.num < s.den {
				places = append(places, s)
			}
		}
	}
	slices.SortFunc(places, func(x, y place) int { return int(lattice.SideOf(x.num*y.den - y.num*x.den)) })
	places = slices.CompactFunc(places, func(x, y place) bool { return x.num*y.den == y.num*x.den })
	last := int32(-1)
	for i := 1; i < len(places); i++ {
		// Between two places the segment is in one triangle or on one edge.
		x, y := places[i-1], places[i]
		num, den := x.num*y.den+y.num*x.den, 2*x.den*y.den
		mx, my := int64(a.At.X)*den+int64(d.X)*num, int64(a.At.Y)*den+int64(d.Y)*num
		here := int32(-1)
		for k, t := range g.Triangles {
			inside, reaches := true, false
			for e := range 3 {
				u, v := g.Vertices[t.V[e]], g.Vertices[t.V[(e+1)%3]]
				side := int64(v.X-u.X)*(my-int64(u.Y)*den) - int64(v.Y-u.Y)*(mx-int64(u.X)*den)
				inside = inside && side >= 0
				reaches = reaches || beside(u)
			}
			if inside && reaches {
				here = int32(k)
			}
		}
		if here < 0 || !g.Triangles[here].Free {
			return -1
		}
		if last < 0 && !inSectorBySum(g, a, here) {
			return -1
		}
		last = here
	}
	// Walls of no thickness have free triangles on both sides. The strip meets those that cross the
	// segment, and those that end on it and come from its side.
	for _, w := range g.Walls {
		u, v := g.Vertices[w.A], g.Vertices[w.B]
		ofU, ofV := Orient(a.At, p, u), Orient(a.At, p, v)
		if ofV == turn {
			u, v, ofU, ofV = v, u, ofV, ofU
		}
		if ofU != turn || ofV == turn {
			continue
		}
		// From u, beside the segment, to v, on its line or beyond. Where is the line met?
		ofStart, ofEnd := Orient(u, v, a.At), Orient(u, v, p)
		if ofStart != Collinear && ofEnd != Collinear && ofStart != ofEnd {
			return -1
		}
	}
	return last
}

// inSectorBySum reports whether a triangle at s.At is within the sector, by the direction of its
// middle, three times as far so that it stays an integer.
func inSectorBySum(g *Ground, s Sector, t int32) bool {
	middle := s.At
	for _, v := range g.Triangles[t].V {
		middle.X += g.Vertices[v].X - s.At.X
		middle.Y += g.Vertices[v].Y - s.At.Y
	}
	leftOfFrom, rightOfTo := Orient(s.At, s.From, middle) == Left, Orient(s.At, s.To, middle) == Right
	switch s.Kind {
	case SectorAll:
		return true
	case SectorReflex:
		return leftOfFrom || rightOfTo
	}
	return leftOfFrom && rightOfTo
}

func TestRuleAgainstSlivers(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	lit, dark := 0, 0
	for name, g := range sorted(smallScenes(t)) {
		points := slices.Clone(g.Vertices)
		for range 12 {
			points = append(points, Point{X: random.Int32N(g.Lattice.Size.X + 1), Y: random.Int32N(g.Lattice.Size.Y + 1)})
		}
		for _, a := range generators(random, g) {
			for _, p := range points {
				if p == a.At {
					continue
				}
				for _, turn := range [...]Side{Left, Right} {
					want := sliver(g, a, p, turn) >= 0
					if got := g.clear(a, p, turn); got != want {
						t.Fatalf("%s: clear(%v, %v, %d) = %v, want %v", name, a, p, turn, got, want)
					}
					if want {
						lit++
					} else {
						dark++
					}
				}
				left, right := sliver(g, a, p, Left) >= 0, sliver(g, a, p, Right) >= 0
				if got := g.LitClosed(a, p); got != (left || right) {
					t.Fatalf("%s: LitClosed(%v, %v) = %v, want %v", name, a, p, got, left || right)
				}
				if got, want := g.Lit(a, p), left || right && onRun(a.At, a.To, p); got != want {
					t.Fatalf("%s: Lit(%v, %v) = %v, want %v", name, a, p, got, want)
				}
			}
		}
	}
	if min(lit, dark) < 10_000 {
		t.Errorf("the scenes hardly have both answers: %d lit, %d dark", lit, dark)
	}
}

// What is lit is in plain sight: the segment crosses no wall and is in closed free space.
func TestLitCrossesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for name, g := range sorted(smallScenes(t)) {
		for _, a := range generators(random, g) {
			for range 20 {
				p := Point{X: random.Int32N(g.Lattice.Size.X + 1), Y: random.Int32N(g.Lattice.Size.Y + 1)}
				if !g.LitClosed(a, p) {
					continue
				}
				for _, w := range g.Walls {
					u, v := g.Vertices[w.A], g.Vertices[w.B]
					if Orient(a.At, p, u)*Orient(a.At, p, v) == -1 && Orient(u, v, a.At)*Orient(u, v, p) == -1 {
						t.Fatalf("%s: %v is lit from %v through the wall from %v to %v", name, p, a, u, v)
					}
				}
				// All lattice points of the segment.
				dx, dy := p.X-a.At.X, p.Y-a.At.Y
				n := max(gcd(dx, dy), 1)
				for k := range n + 1 {
					if q := (Point{X: a.At.X + dx/n*k, Y: a.At.Y + dy/n*k}); !g.Free(q) {
						t.Fatalf("%s: %v is lit from %v through %v, which is not free", name, p, a, q)
					}
				}
			}
		}
	}
}

func gcd(a, b int32) int32 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

func TestSeesIsSymmetric(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 10))
	for name, g := range sorted(smallScenes(t)) {
		sectors := generators(random, g)
		for _, a := range sectors {
			for _, b := range sectors {
				if ab, ba := g.Sees(a, b), g.Sees(b, a); ab != ba {
					t.Fatalf("%s: %v sees %v: %v, the other way: %v", name, a, b, ab, ba)
				}
			}
		}
	}
}

// distances returns the length of the shortest path from a source to each corner over edges between
// those that see each other.
func distances(g *Ground, source Sector, edges func(from Sector, visit func(corner int))) []float64 {
	distance := make([]float64, len(g.Corners))
	done := make([]bool, len(g.Corners))
	for i := range distance {
		distance[i] = math.Inf(1)
	}
	relax := func(from Sector, d float64) {
		edges(from, func(c int) {
			to := g.Corners[c].At
			distance[c] = min(distance[c], d+math.Hypot(float64(to.X-from.At.X), float64(to.Y-from.At.Y)))
		})
	}
	for i, c := range g.Corners {
		if c == source {
			distance[i] = 0
		}
	}
	relax(source, 0)
	for {
		next := -1
		for i := range distance {
			if !done[i] && !math.IsInf(distance[i], 1) && (next < 0 || distance[i] < distance[next]) {
				next = i
			}
		}
		if next < 0 {
			return distance
		}
		done[next] = true
		relax(g.Corners[next], distance[next])
	}
}

// sameDistances returns where two lists differ by more than rounding: sums of up to 40 lengths with
// 2^-53 each, in different order.
func sameDistances(a, b []float64) (int, bool) {
	for i := range a {
		if a[i] != b[i] && !(math.Abs(a[i]-b[i]) <= 1e-12*a[i]) {
			return i, false
		}
	}
	return 0, true
}

// The rays that rays turned left lose are no loss: distances over what is lit under that rule alone
// are those of closed sight, at corners and anywhere else.
func TestTurnedRaysLoseNoDistance(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 11))
	fewer := 0
	for name, g := range sorted(smallScenes(t)) {
		left := func(from Sector, visit func(int)) {
			for c, to := range g.Corners {
				// A ray turned left arrives right of the way back; a walk along the run to from.To
				// has the free ground on its right, left of the way back.
				if to.At != from.At && (g.clear(from, to.At, Left) && to.admits(from.At, Right) ||
					onRun(from.At, from.To, to.At) && to.admits(from.At, Left)) {
					visit(c)
				}
			}
		}
		closed := func(from Sector, visit func(int)) {
			for c, to := range g.Corners {
				if to.At != from.At && g.Sees(from, to) {
					visit(c)
				}
			}
		}
		sources := generators(random, g)
		for _, source := range sources[max(0, len(sources)-6):] {
			over := distances(g, source, closed)
			if i, same := sameDistances(distances(g, source, left), over); !same {
				t.Fatalf("%s: from %v to corner %v the distances differ", name, source, g.Corners[i])
			}
			for range 20 {
				p := Point{X: random.Int32N(g.Lattice.Size.X + 1), Y: random.Int32N(g.Lattice.Size.Y + 1)}
				a, b := math.Inf(1), math.Inf(1)
				for i, s := range append(slices.Clone(g.Corners), source) {
					d := math.Hypot(float64(p.X-s.At.X), float64(p.Y-s.At.Y))
					if i < len(over) {
						d += over[i]
					}
					if g.Lit(s, p) {
						a = min(a, d)
					} else if g.LitClosed(s, p) {
						fewer++
					}
					if g.LitClosed(s, p) {
						b = min(b, d)
					}
				}
				if _, same := sameDistances([]float64{a}, []float64{b}); !same {
					t.Fatalf("%s: from %v to %v: %v with rays turned left, %v in closed sight", name, source, p, a, b)
				}
			}
		}
	}
	if fewer < 100 {
		t.Errorf("rays turned left lost only %d points in all: the scenes are too easy", fewer)
	}
}
