package geom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

func groundOf(t testing.TB, l Lattice, obstacles ...Polygon) *Ground {
	t.Helper()
	g, err := Build(l, obstacles)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// freeArea2 returns twice the free area in squared steps.
func freeArea2(g *Ground) int64 {
	var area int64
	for _, t := range g.Triangles {
		if t.Free {
			area += lattice.Cross(g.Vertices[t.V[0]], g.Vertices[t.V[1]], g.Vertices[t.V[2]])
		}
	}
	return area
}

// checkGround checks what holds for every Ground.
func checkGround(t *testing.T, g *Ground) {
	t.Helper()
	geomtest.CheckMesh(t, g.mesh.Points, g.mesh.Start, g.mesh.Twin, g.mesh.Out)
	size := g.Lattice.Size
	type ends = [2]int32
	walls := make(map[ends]Wall)
	for i, w := range g.Walls {
		walls[ends{w.A, w.B}] = w
		if i > 0 && (w.A < g.Walls[i-1].A || w.A == g.Walls[i-1].A && w.B <= g.Walls[i-1].B) {
			t.Fatalf("walls %d and %d are out of order", i-1, i)
		}
		a, b := g.Vertices[w.A], g.Vertices[w.B]
		border := a.X == b.X && (a.X == 0 || a.X == size.X) || a.Y == b.Y && (a.Y == 0 || a.Y == size.Y)
		if w.A >= w.B || w.Border != border || !w.Left && !w.Right || w.Border && w.Left && w.Right {
			t.Fatalf("wall %v %v is %+v", a, b, w)
		}
	}
	found := 0
	angles := make([]float64, len(g.Vertices)) // of free triangles
	for i, tri := range g.Triangles {
		for k := range 3 {
			u, v, w := tri.V[k], tri.V[(k+1)%3], tri.V[(k+2)%3]
			if tri.Free {
				angles[u] += angle(g.Vertices[u], g.Vertices[v], g.Vertices[w])
			}
			n := tri.N[k]
			if n >= 0 {
				other := g.Triangles[n]
				back := slices.Index(other.N[:], int32(i))
				if back < 0 || other.V[back] != v || other.V[(back+1)%3] != u || other.Wall[back] != tri.Wall[k] {
					t.Fatalf("triangles %d and %d do not agree on being neighbours", i, n)
				}
			}
			wall, ok := walls[ends{min(u, v), max(u, v)}]
			if ok != tri.Wall[k] {
				t.Fatalf("edge %v %v: wall is %v in the triangle, %v in the list", g.Vertices[u], g.Vertices[v], tri.Wall[k], ok)
			}
			if ok {
				free := wall.Left
				if u > v {
					free = wall.Right
				}
				if free != tri.Free {
					t.Fatalf("wall %v %v is free on the wrong side", g.Vertices[wall.A], g.Vertices[wall.B])
				}
				if u < v || n < 0 {
					found++
				}
			} else if other := n >= 0 && g.Triangles[n].Free; tri.Free != other {
				t.Fatalf("no wall between free and covered ground at %v %v", g.Vertices[u], g.Vertices[v])
			}
		}
	}
	if found != len(g.Walls) {
		t.Fatalf("%d walls on triangles, %d in the list", found, len(g.Walls))
	}

	var corners []Sector
	for v, p := range g.Vertices {
		sum := 0.0
		sectors := g.Sectors(p)
		for i, s := range sectors {
			checkSector(t, g, s)
			sum += sectorAngle(s)
			if s.Kind == SectorReflex || s.Kind == SectorAll && s.From != p {
				corners = append(corners, s)
			}
			if i > 0 && math.Mod(heading(sectors[i-1])+2*math.Pi, 2*math.Pi) >= math.Mod(heading(s)+2*math.Pi, 2*math.Pi) {
				t.Fatalf("sectors at %v are out of order: %v", p, sectors)
			}
		}
		// Angles below 2^-40 do not occur on the lattice; float64 sums of a few thousand terms are
		// off by less than 1e-11.
		if math.Abs(sum-angles[v]) > 1e-11 {
			t.Fatalf("sectors at %v have %v, its free triangles %v", p, sum, angles[v])
		}
		if free := angles[v] > 0; g.Free(p) != free {
			t.Fatalf("Free(%v) is %v", p, !free)
		}
	}
	if !slices.Equal(corners, g.Corners) {
		t.Fatalf("corners are %v, by the sectors %v", g.Corners, corners)
	}
}

func heading(s Sector) float64 {
	return math.Atan2(float64(s.From.Y-s.At.Y), float64(s.From.X-s.At.X))
}

// angle returns the angle at p from a to b, counter-clockwise, in 0..2 pi.
func angle(p, a, b Point) float64 {
	ax, ay, bx, by := float64(a.X-p.X), float64(a.Y-p.Y), float64(b.X-p.X), float64(b.Y-p.Y)
	v := math.Atan2(ax*by-ay*bx, ax*bx+ay*by)
	if v < 0 {
		v += 2 * math.Pi
	}
	return v
}

func sectorAngle(s Sector) float64 {
	if s.Kind == SectorAll {
		return 2 * math.Pi
	}
	return angle(s.At, s.From, s.To)
}

// checkSector checks the kind against the angle, and the runs by going along them over the list of
// walls.
func checkSector(t *testing.T, g *Ground, s Sector) {
	t.Helper()
	if s.Kind == SectorAll {
		if s.From != s.To {
			t.Fatalf("sector %+v has two ends", s)
		}
	} else {
		turn := Orient(s.At, s.From, s.To)
		want := map[Side]SectorKind{Left: SectorConvex, Collinear: SectorStraight, Right: SectorReflex}[turn]
		if s.Kind != want || s.At == s.From || s.At == s.To {
			t.Fatalf("sector %+v should be of kind %d", s, want)
		}
	}
	if s.From == s.At {
		return
	}
	if from := farEnd(g, s.At, s.From, Left); s.Kind != SectorAll && from != s.From {
		t.Fatalf("sector %+v: the run to From ends in %v", s, from)
	}
	if to := farEnd(g, s.At, s.To, Right); s.Kind != SectorAll && to != s.To {
		t.Fatalf("sector %+v: the run to To ends in %v", s, to)
	}
	if s.Kind == SectorAll {
		l, r := farEnd(g, s.At, s.From, Left), farEnd(g, s.At, s.From, Right)
		if lattice.Distance2(s.At, l) < lattice.Distance2(s.At, r) {
			l = r
		}
		if l != s.From {
			t.Fatalf("sector %+v: the run ends in %v", s, l)
		}
	}
}

// farEnd returns where the walls from p towards q, with free ground on the given side, end or meet
// another wall on that side.
func farEnd(g *Ground, p, q Point, side Side) Point {
	for {
		var end Point
		on := false
		for _, w := range g.Walls {
			a, b := g.Vertices[w.A], g.Vertices[w.B]
			free := [2]bool{w.Left, w.Right}
			if !(between(a, b, p) && p != b && sameWay(p, b, q) && Orient(p, b, q) == Collinear) {
				a, b = b, a
				free = [2]bool{w.Right, w.Left}
			}
			if between(a, b, p) && p != b && sameWay(p, b, q) && Orient(p, b, q) == Collinear && free[(1-side)/2] {
				end, on = b, true
			}
		}
		if !on {
			return p
		}
		for _, w := range g.Walls {
			for _, v := range [2]Point{g.Vertices[w.A], g.Vertices[w.B]} {
				if (g.Vertices[w.A] == end || g.Vertices[w.B] == end) && Orient(p, end, v) == side {
					return end
				}
			}
		}
		q = Point{X: 2*end.X - p.X, Y: 2*end.Y - p.Y}
		p = end
	}
}

// between returns whether p lies on the closed segment from a to b.
func between(a, b, p Point) bool {
	return Orient(a, b, p) == Collinear &&
		p.X >= min(a.X, b.X) && p.X <= max(a.X, b.X) && p.Y >= min(a.Y, b.Y) && p.Y <= max(a.Y, b.Y)
}

// same compares all that is exported, and the sectors.
func same(a, b *Ground) error {
	switch {
	case !slices.Equal(a.Vertices, b.Vertices):
		return fmt.Errorf("vertices differ")
	case !slices.Equal(a.Triangles, b.Triangles):
		return fmt.Errorf("triangles differ")
	case !slices.Equal(a.Walls, b.Walls):
		return fmt.Errorf("walls differ")
	case !slices.Equal(a.Corners, b.Corners):
		return fmt.Errorf("corners differ")
	case !reflect.DeepEqual(a.fans, b.fans):
		return fmt.Errorf("sectors differ")
	}
	return nil
}

func TestZoo(t *testing.T) {
	l := geomtest.Unit(t, Steps, Steps)
	const all = Steps
	whole := int64(2) * all * all
	reverse := func(p Polygon) Polygon { slices.Reverse(p.Outer); return p }
	withHole := func(p, hole Polygon) Polygon { p.Holes = append(p.Holes, hole.Outer); return p }
	for _, c := range []struct {
		name      string
		obstacles []Polygon
		covered2  int64 // twice the covered area
		walls     int
		corners   int
	}{
		{"nothing", nil, 0, 4, 0},
		{"a square", []Polygon{geomtest.Rect(100, 100, 200, 200)}, 2 * 100 * 100, 8, 4},
		{"a square clockwise", []Polygon{reverse(geomtest.Rect(100, 100, 200, 200))}, 2 * 100 * 100, 8, 4},
		{"the same twice", []Polygon{geomtest.Rect(100, 100, 200, 200), reverse(geomtest.Rect(100, 100, 200, 200))}, 2 * 100 * 100, 8, 4},
		{"one in another", []Polygon{geomtest.Rect(100, 100, 200, 200), geomtest.Rect(120, 120, 150, 150)}, 2 * 100 * 100, 8, 4},
		{"two apart", []Polygon{geomtest.Rect(100, 100, 200, 200), geomtest.Rect(300, 100, 400, 200)}, 4 * 100 * 100, 12, 8},
		{"touching along an edge", []Polygon{geomtest.Rect(100, 100, 200, 200), geomtest.Rect(200, 100, 300, 200)}, 4 * 100 * 100, 10, 4},
		{"touching along part of an edge", []Polygon{geomtest.Rect(100, 100, 200, 200), geomtest.Rect(200, 150, 300, 250)}, 4 * 100 * 100, 12, 6},
		{"touching in a point", []Polygon{geomtest.Rect(100, 100, 200, 200), geomtest.Rect(200, 200, 300, 300)}, 4 * 100 * 100, 12, 6},
		{"a vertex on an edge", []Polygon{geomtest.Rect(100, 100, 200, 200), geomtest.Polygon(200, 150, 300, 100, 300, 200)}, 2*100*100 + 100*100, 4 + 5 + 3, 4 + 2},
		{"crossing", []Polygon{geomtest.Rect(100, 100, 200, 400), geomtest.Rect(0, 200, 400, 300)}, 2 * (100*300 + 400*100 - 100*100), 4 + 2 + 10, 8 - 2 + 4 - 4},
		{"touching the border", []Polygon{geomtest.Rect(0, 100, 100, 200)}, 2 * 100 * 100, 5 + 3, 2},
		{"in the domain's corner", []Polygon{geomtest.Rect(0, 0, 100, 100)}, 2 * 100 * 100, 4 + 2, 1},
		{"a vertex on the border", []Polygon{geomtest.Polygon(0, 100, 100, 50, 100, 150)}, 100 * 100, 5 + 3, 2},
		{"across the domain", []Polygon{geomtest.Rect(0, 100, all, 200)}, 2 * 100 * all, 8, 0},
		{"all of the domain", []Polygon{geomtest.Rect(0, 0, all, all)}, whole, 0, 0},
		{"more than the domain", []Polygon{geomtest.Rect(-50, -50, all+50, all+50)}, whole, 0, 0},
		{"around the domain", []Polygon{withHole(geomtest.Rect(-50, -50, all+50, all+50), geomtest.Rect(-10, -10, all+10, all+10))}, 0, 4, 0},
		{"outside the domain", []Polygon{geomtest.Rect(-500, -500, -100, -100)}, 0, 4, 0},
		{"half in the domain", []Polygon{geomtest.Rect(-100, 100, 100, 200)}, 2 * 100 * 100, 5 + 3, 2},
		{"a hole", []Polygon{withHole(geomtest.Rect(100, 100, 400, 400), geomtest.Rect(200, 200, 300, 300))}, 2 * (300*300 - 100*100), 12, 4},
		{"a hole with the ring's orientation", []Polygon{withHole(geomtest.Rect(100, 100, 400, 400), reverse(geomtest.Rect(200, 200, 300, 300)))}, 2 * (300*300 - 100*100), 12, 4},
		{"a hole filled by another", []Polygon{withHole(geomtest.Rect(100, 100, 400, 400), geomtest.Rect(200, 200, 300, 300)), geomtest.Rect(200, 200, 300, 300)}, 2 * 300 * 300, 8, 4},
		{"a hole half filled", []Polygon{withHole(geomtest.Rect(100, 100, 400, 400), geomtest.Rect(200, 200, 300, 300)), geomtest.Rect(200, 200, 250, 300)}, 2 * (300*300 - 50*100), 12, 4},
		{"a hole with an island", []Polygon{withHole(geomtest.Rect(100, 100, 400, 400), geomtest.Rect(200, 200, 300, 300)), geomtest.Rect(240, 240, 260, 260)}, 2 * (300*300 - 100*100 + 20*20), 16, 8},
		{"a hole touching the ring", []Polygon{withHole(geomtest.Rect(100, 100, 400, 400), geomtest.Polygon(100, 250, 200, 200, 200, 300))}, 2*300*300 - 100*100, 4 + 5 + 3, 4},
		{"a hole beside the ring", []Polygon{withHole(geomtest.Rect(100, 100, 200, 200), geomtest.Rect(300, 100, 400, 200))}, 2 * 100 * 100, 12, 8},
		{"a collapsed wall", []Polygon{geomtest.Rect(100, 100, 200, 100.3)}, 0, 4 + 1, 2},
		{"a collapsed wall with vertices", []Polygon{geomtest.Polygon(100, 100, 150, 100.2, 200, 100, 150, 99.8)}, 0, 4 + 2, 2},
		{"a collapsed wall on the border", []Polygon{geomtest.Rect(0, 100, 0.3, 200)}, 0, 6, 0},
		{"a collapsed wall from the border", []Polygon{geomtest.Rect(0, 100, 100, 100.3)}, 0, 6, 1},
		{"a collapsed wall across the domain", []Polygon{geomtest.Rect(0, 100, all, 100.3)}, 0, 7, 0},
		{"two collapsed walls crossing", []Polygon{geomtest.Rect(100, 150, 200, 150.3), geomtest.Rect(150, 100, 150.3, 200)}, 0, 8, 4},
		{"a collapsed wall in an obstacle", []Polygon{geomtest.Rect(100, 100, 200, 200), geomtest.Rect(120, 150, 180, 150.3)}, 2 * 100 * 100, 8, 4},
		{"a collapsed wall sticking out", []Polygon{geomtest.Rect(100, 100, 200, 200), geomtest.Rect(150, 150, 300, 150.3)}, 2 * 100 * 100, 4 + 5 + 1, 5},
		{"collapsed to a point", []Polygon{geomtest.Rect(100.1, 100.1, 100.3, 100.3)}, 0, 4, 0},
		{"a gap closed by rounding", []Polygon{geomtest.Rect(100, 100, 200, 200), geomtest.Rect(200.4, 100, 300, 200)}, 4 * 100 * 100, 10, 4},
		{"a needle", []Polygon{geomtest.Polygon(100, 100, all-100, 101, 100, 102)}, 2 * (all - 200), 7, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := groundOf(t, l, c.obstacles...)
			checkGround(t, g)
			if got := whole - freeArea2(g); got != c.covered2 {
				t.Errorf("covered area is %d/2, want %d/2", got, c.covered2)
			}
			if len(g.Walls) != c.walls {
				t.Errorf("%d walls, want %d", len(g.Walls), c.walls)
			}
			if len(g.Corners) != c.corners {
				t.Errorf("%d corners, want %d: %v", len(g.Corners), c.corners, g.Corners)
			}
		})
	}
}

func randomScene(seed uint64, size float64) []Polygon {
	rng := rand.New(rand.NewPCG(seed, 6))
	var obstacles []Polygon
	for range 1 + rng.IntN(25) {
		obstacles = append(obstacles, geomtest.RandomPolygon(rng, size, size*0.3*rng.Float64()))
	}
	if rng.IntN(2) == 0 { // rounded, to touch exactly
		step := size / 16
		for _, p := range obstacles {
			for _, r := range append([]Ring{p.Outer}, p.Holes...) {
				for i := range r {
					r[i] = mgl64.Vec2{math.Round(r[i][0]/step) * step, math.Round(r[i][1]/step) * step}
				}
			}
		}
	}
	return obstacles
}

func TestRandomScenes(t *testing.T) {
	l := geomtest.Unit(t, Steps, Steps)
	for seed := range uint64(150) {
		size := []float64{16, 64, 1000, Steps}[seed%4]
		g := groundOf(t, l, randomScene(seed, size)...)
		checkGround(t, g)
	}
}

// Whatever the order of obstacles and of holes, the orientation and the first vertex of rings: the
// same ground.
func TestOrderDoesNotMatter(t *testing.T) {
	l := geomtest.Unit(t, Steps, Steps)
	for seed := range uint64(60) {
		size := []float64{16, 1000, Steps}[seed%3]
		obstacles := randomScene(seed, size)
		want := groundOf(t, l, obstacles...)
		rng := rand.New(rand.NewPCG(seed, 7))
		rng.Shuffle(len(obstacles), func(i, j int) { obstacles[i], obstacles[j] = obstacles[j], obstacles[i] })
		turn := func(r Ring) {
			if rng.IntN(2) == 0 {
				slices.Reverse(r)
			}
			k := rng.IntN(len(r))
			copy(r, append(slices.Clone(r[k:]), r[:k]...))
		}
		for _, p := range obstacles {
			turn(p.Outer)
			for _, h := range p.Holes {
				turn(h)
			}
		}
		if err := same(groundOf(t, l, obstacles...), want); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// coveredByRays says whether p is in an obstacle, by casting a ray over the rings as given; and how
// near p is to their edges.
func coveredByRays(obstacles []Polygon, p mgl64.Vec2) (covered bool, near float64) {
	near = math.Inf(1)
	for _, o := range obstacles {
		inside := false
		for _, r := range append([]Ring{o.Outer}, o.Holes...) {
			for i, a := range r {
				b := r[(i+1)%len(r)]
				if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0]+(p[1]-a[1])/(b[1]-a[1])*(b[0]-a[0]) {
					inside = !inside
				}
				d := b.Sub(a)
				s := min(1, max(0, p.Sub(a).Dot(d)/max(d.Dot(d), 1e-300)))
				near = min(near, p.Sub(a.Add(d.Mul(s))).Len())
			}
		}
		covered = covered || inside
	}
	return covered, near
}

func TestFreeIsOutsideOfAllObstacles(t *testing.T) {
	l := geomtest.Unit(t, Steps, Steps)
	asked := [2]int{}
	for seed := range uint64(80) {
		rng := rand.New(rand.NewPCG(seed, 13))
		size := []float64{200, 5000, Steps}[seed%3]
		var obstacles []Polygon
		for range 1 + rng.IntN(30) {
			obstacles = append(obstacles, geomtest.RandomPolygon(rng, size, size*0.4*rng.Float64()))
		}
		g := groundOf(t, l, obstacles...)
		for range 200 {
			p := Point{X: rng.Int32N(int32(size)), Y: rng.Int32N(int32(size))}
			covered, near := coveredByRays(obstacles, l.World(p))
			// A wall moves by at most a step along either axis: SnapSlack. The rest is far more
			// than the float64 sums here are off by.
			if near < math.Sqrt2+1e-6 {
				continue
			}
			if covered {
				asked[1]++
			} else {
				asked[0]++
			}
			if g.Free(p) == covered {
				t.Fatalf("seed %d: Free(%v) is %v", seed, p, !covered)
			}
		}
	}
	if min(asked[0], asked[1]) < 2000 {
		t.Errorf("too few points asked: %v", asked)
	}
}

// The area of a union of rectangles with corners on the lattice, cell by cell.
func TestAreaOfRectangles(t *testing.T) {
	l := geomtest.Unit(t, Steps, Steps)
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 14))
		const n = 40
		var full [n][n]bool
		var obstacles []Polygon
		covered := int64(0)
		for range rng.IntN(40) {
			x, y := rng.IntN(n), rng.IntN(n)
			w, h := 1+rng.IntN(min(9, n-x)), 1+rng.IntN(min(9, n-y))
			obstacles = append(obstacles, geomtest.Rect(float64(x), float64(y), float64(x+w), float64(y+h)))
			for i := range w {
				for k := range h {
					if !full[x+i][y+k] {
						covered++
					}
					full[x+i][y+k] = true
				}
			}
		}
		g := groundOf(t, l, obstacles...)
		if got := freeArea2(g); got != 2*(Steps*Steps-covered) {
			t.Fatalf("seed %d: free area is %d/2, want %d", seed, got, Steps*Steps-covered)
		}
		walls := 0 // unit sides, to compare lengths
		for x := range n {
			for y := range n {
				if full[x][y] {
					for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
						i, k := x+d[0], y+d[1]
						if i < 0 || k < 0 || i == n || k == n || !full[i][k] {
							walls++
						}
						if i < 0 || k < 0 {
							walls -= 2 // no wall, and less of the border
						}
					}
				}
			}
		}
		length := 0
		for _, w := range g.Walls {
			a, b := g.Vertices[w.A], g.Vertices[w.B]
			length += int(b.X-a.X) + int(lattice.Abs(int64(b.Y)-int64(a.Y)))
		}
		if want := walls + 4*Steps; length != want {
			t.Fatalf("seed %d: walls are %d long, want %d", seed, length, want)
		}
	}
}

// Mirrored, turned and shifted input gives mirrored, turned and shifted ground, as long as nothing
// has to be rounded.
func TestSymmetry(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 15))
		var obstacles []Polygon
		for range 1 + rng.IntN(20) {
			x, y, r := float64(rng.IntN(Steps)), float64(rng.IntN(Steps)), float64(rng.IntN(Steps/4))
			if rng.IntN(2) == 0 {
				obstacles = append(obstacles, geomtest.Rect(x, y, x+r, y+float64(rng.IntN(Steps/4))))
			} else {
				// Diamonds with even middles cross each other and the rectangles on the lattice.
				x, y, r = 2*math.Round(x/2), 2*math.Round(y/2), 2*math.Round(r/2)
				obstacles = append(obstacles, geomtest.Polygon(x-r, y, x, y-r, x+r, y, x, y+r))
			}
		}
		l := geomtest.Unit(t, Steps, Steps)
		want := groundOf(t, l, obstacles...)
		checkGround(t, want)
		for name, f := range map[string]func(x, y int32) (int32, int32){
			"mirrored":   func(x, y int32) (int32, int32) { return Steps - x, y },
			"upside":     func(x, y int32) (int32, int32) { return x, Steps - y },
			"transposed": func(x, y int32) (int32, int32) { return y, x },
			"turned":     func(x, y int32) (int32, int32) { return Steps - y, x },
		} {
			moved := make([]Polygon, len(obstacles))
			for i, o := range obstacles {
				for _, v := range o.Outer {
					x, y := f(int32(v[0]), int32(v[1]))
					moved[i].Outer = append(moved[i].Outer, mgl64.Vec2{float64(x), float64(y)})
				}
			}
			g := groundOf(t, l, moved...)
			if freeArea2(g) != freeArea2(want) || len(g.Walls) != len(want.Walls) {
				t.Fatalf("seed %d, %s: free area is %d and %d walls, want %d and %d", seed, name, freeArea2(g), len(g.Walls), freeArea2(want), len(want.Walls))
			}
			var corners, wanted []Point
			for _, c := range g.Corners {
				corners = append(corners, c.At)
			}
			for _, c := range want.Corners {
				x, y := f(c.At.X, c.At.Y)
				wanted = append(wanted, Point{X: x, Y: y})
			}
			slices.SortFunc(wanted, Point.Compare)
			if !slices.Equal(corners, wanted) {
				t.Fatalf("seed %d, %s: other corners", seed, name)
			}
		}
		// A domain elsewhere, its obstacles with it: bit for bit the same.
		for _, at := range []mgl64.Vec2{{-900, -500}, {4e6, 5.5e6}, {-3e6, 7}} {
			const scale = 1.0 / (1 << 13) // 128 m, exact at these places
			place := func(v mgl64.Vec2) mgl64.Vec2 { return at.Add(v.Mul(scale)) }
			far, err := NewLattice(place(mgl64.Vec2{0, 0}), place(mgl64.Vec2{Steps, Steps}))
			if err != nil {
				t.Fatal(err)
			}
			moved := make([]Polygon, len(obstacles))
			for i, o := range obstacles {
				for _, v := range o.Outer {
					moved[i].Outer = append(moved[i].Outer, place(v))
				}
			}
			if err := same(groundOf(t, far, moved...), want); err != nil {
				t.Fatalf("seed %d at %v: %v", seed, at, err)
			}
		}
	}
}

func TestDomainsThatAreNotSquare(t *testing.T) {
	for _, hi := range []mgl64.Vec2{{40, 20}, {20, 40}, {30, 10.00001}, {7, 6.99999}} {
		l, err := NewLattice(mgl64.Vec2{-10, -5}, hi.Sub(mgl64.Vec2{10, 5}))
		if err != nil {
			t.Fatal(err)
		}
		full := 2 * int64(l.Size.X) * int64(l.Size.Y)
		// The left half, as high as the domain is given, and beyond.
		for _, over := range []float64{0, 1} {
			g := groundOf(t, l, geomtest.Rect(-10-over, -5-over, -10+hi[0]/2, hi[1]-5+over))
			checkGround(t, g)
			half := 2 * int64(l.Snap(mgl64.Vec2{hi[0]/2 - 10, 0}).X) * int64(l.Size.Y)
			if got := freeArea2(g); got != full-half {
				t.Errorf("domain %v: free area is %d/2, want %d/2", hi, got, full-half)
			}
		}
		g := groundOf(t, l)
		if got := freeArea2(g); got != full {
			t.Errorf("domain %v: free area is %d/2, want %d/2", hi, got, full)
		}
	}
}

// partOf numbers the parts of free ground that walls divide, from 0, by triangle; covered triangles
// have -1.
func partOf(g *Ground) []int {
	part := make([]int, len(g.Triangles))
	for i := range part {
		part[i] = -1
	}
	n := 0
	for i := range g.Triangles {
		if !g.Triangles[i].Free || part[i] >= 0 {
			continue
		}
		part[i] = n
		stack := []int32{int32(i)}
		for len(stack) > 0 {
			tri := g.Triangles[stack[len(stack)-1]]
			stack = stack[:len(stack)-1]
			for k, other := range tri.N {
				if !tri.Wall[k] && part[other] < 0 {
					part[other] = n
					stack = append(stack, other)
				}
			}
		}
		n++
	}
	return part
}

func rooms(g *Ground) int { return slices.Max(partOf(g)) + 1 }

// Walls divide rooms however thin they are, at any angle, and also where many thin walls cross in
// places that all have to be rounded.
func TestThinWallsDivide(t *testing.T) {
	l := geomtest.Unit(t, Steps, Steps)
	const all = Steps
	wall := func(x0, y0, x1, y1, width float64) Polygon {
		a, b := mgl64.Vec2{x0, y0}, mgl64.Vec2{x1, y1}
		d := b.Sub(a).Normalize().Mul(width / 2)
		n := mgl64.Vec2{-d[1], d[0]}
		return Polygon{Outer: Ring{a.Sub(d).Sub(n), b.Add(d).Sub(n), b.Add(d).Add(n), a.Sub(d).Add(n)}}
	}
	for _, width := range []float64{all / 5000.0, 3, 1, 0.4, 1e-3, 1e-9} {
		for seed := range uint64(12) {
			rng := rand.New(rand.NewPCG(seed, 16))
			// Bottom to top, at some angle: two rooms.
			x0, x1 := 10000+rng.Float64()*(all-20000), 10000+rng.Float64()*(all-20000)
			g := groundOf(t, l, wall(x0, -5, x1, all+5, width))
			checkGround(t, g)
			if n := rooms(g); n != 2 {
				t.Errorf("width %v, seed %d: %d rooms, want 2", width, seed, n)
			}
			// A wall that ends inside divides nothing and has an end to turn at.
			g = groundOf(t, l, wall(x0, -5, x1, all/2, width))
			checkGround(t, g)
			if n := rooms(g); n != 1 || len(g.Corners) == 0 {
				t.Errorf("width %v, seed %d: %d rooms, %d corners", width, seed, n, len(g.Corners))
			}
			// A fence of walls around the middle, overlapping at their ends; many of them, at
			// widths below the step, are bent around each other.
			var fence []Polygon
			const posts = 60
			post := func(i int) (x, y float64) {
				a := float64(i%posts) / posts * 2 * math.Pi
				return all/2 + all/3*math.Cos(a), all/2 + all/3*math.Sin(a)
			}
			for i := range posts {
				ax, ay := post(i)
				bx, by := post(i + 1 + rng.IntN(3))
				fence = append(fence, wall(ax, ay, bx, by, width))
			}
			g = groundOf(t, l, fence...)
			checkGround(t, g)
			parts := partOf(g)
			middle, outside := g.Locate(Point{X: all / 2, Y: all / 2}), g.Locate(Point{X: 1, Y: 1})
			if parts[middle] == parts[outside] {
				t.Errorf("width %v, seed %d: a way through the fence", width, seed)
			}
		}
	}
}
