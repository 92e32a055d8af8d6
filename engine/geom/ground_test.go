package geom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

func polygon(xy ...float64) Polygon { return Polygon{Outer: ring(xy...)} }

func rect(x0, y0, x1, y1 float64) Polygon { return polygon(x0, y0, x1, y0, x1, y1, x0, y1) }

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
			area += cross(g.Vertices[t.V[0]], g.Vertices[t.V[1]], g.Vertices[t.V[2]])
		}
	}
	return area
}

// checkGround checks what holds for every Ground.
func checkGround(t *testing.T, g *Ground) {
	t.Helper()
	checkTriangulation(t, g.mesh)
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
		// Angles below 2^-40 do not occur on the lattice; float64 sums of a
		// few thousand terms are off by less than 1e-11.
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

// checkSector checks the kind against the angle, and the runs by going along
// them over the list of walls.
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
		if distance2(s.At, l) < distance2(s.At, r) {
			l = r
		}
		if l != s.From {
			t.Fatalf("sector %+v: the run ends in %v", s, l)
		}
	}
}

// farEnd returns where the walls from p towards q, with free ground on the
// given side, end or meet another wall on that side.
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
		q = Point{2*end.X - p.X, 2*end.Y - p.Y}
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
	l := unit(t, Steps, Steps)
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
		{"a square", []Polygon{rect(100, 100, 200, 200)}, 2 * 100 * 100, 8, 4},
		{"a square clockwise", []Polygon{reverse(rect(100, 100, 200, 200))}, 2 * 100 * 100, 8, 4},
		{"the same twice", []Polygon{rect(100, 100, 200, 200), reverse(rect(100, 100, 200, 200))}, 2 * 100 * 100, 8, 4},
		{"one in another", []Polygon{rect(100, 100, 200, 200), rect(120, 120, 150, 150)}, 2 * 100 * 100, 8, 4},
		{"two apart", []Polygon{rect(100, 100, 200, 200), rect(300, 100, 400, 200)}, 4 * 100 * 100, 12, 8},
		{"touching along an edge", []Polygon{rect(100, 100, 200, 200), rect(200, 100, 300, 200)}, 4 * 100 * 100, 10, 4},
		{"touching along part of an edge", []Polygon{rect(100, 100, 200, 200), rect(200, 150, 300, 250)}, 4 * 100 * 100, 12, 6},
		{"touching in a point", []Polygon{rect(100, 100, 200, 200), rect(200, 200, 300, 300)}, 4 * 100 * 100, 12, 6},
		{"a vertex on an edge", []Polygon{rect(100, 100, 200, 200), polygon(200, 150, 300, 100, 300, 200)}, 2*100*100 + 100*100, 4 + 5 + 3, 4 + 2},
		{"crossing", []Polygon{rect(100, 100, 200, 400), rect(0, 200, 400, 300)}, 2 * (100*300 + 400*100 - 100*100), 4 + 2 + 10, 8 - 2 + 4 - 4},
		{"touching the border", []Polygon{rect(0, 100, 100, 200)}, 2 * 100 * 100, 5 + 3, 2},
		{"in the domain's corner", []Polygon{rect(0, 0, 100, 100)}, 2 * 100 * 100, 4 + 2, 1},
		{"a vertex on the border", []Polygon{polygon(0, 100, 100, 50, 100, 150)}, 100 * 100, 5 + 3, 2},
		{"across the domain", []Polygon{rect(0, 100, all, 200)}, 2 * 100 * all, 8, 0},
		{"all of the domain", []Polygon{rect(0, 0, all, all)}, whole, 0, 0},
		{"more than the domain", []Polygon{rect(-50, -50, all+50, all+50)}, whole, 0, 0},
		{"around the domain", []Polygon{withHole(rect(-50, -50, all+50, all+50), rect(-10, -10, all+10, all+10))}, 0, 4, 0},
		{"outside the domain", []Polygon{rect(-500, -500, -100, -100)}, 0, 4, 0},
		{"half in the domain", []Polygon{rect(-100, 100, 100, 200)}, 2 * 100 * 100, 5 + 3, 2},
		{"a hole", []Polygon{withHole(rect(100, 100, 400, 400), rect(200, 200, 300, 300))}, 2 * (300*300 - 100*100), 12, 4},
		{"a hole with the ring's orientation", []Polygon{withHole(rect(100, 100, 400, 400), reverse(rect(200, 200, 300, 300)))}, 2 * (300*300 - 100*100), 12, 4},
		{"a hole filled by another", []Polygon{withHole(rect(100, 100, 400, 400), rect(200, 200, 300, 300)), rect(200, 200, 300, 300)}, 2 * 300 * 300, 8, 4},
		{"a hole half filled", []Polygon{withHole(rect(100, 100, 400, 400), rect(200, 200, 300, 300)), rect(200, 200, 250, 300)}, 2 * (300*300 - 50*100), 12, 4},
		{"a hole with an island", []Polygon{withHole(rect(100, 100, 400, 400), rect(200, 200, 300, 300)), rect(240, 240, 260, 260)}, 2 * (300*300 - 100*100 + 20*20), 16, 8},
		{"a hole touching the ring", []Polygon{withHole(rect(100, 100, 400, 400), polygon(100, 250, 200, 200, 200, 300))}, 2*300*300 - 100*100, 4 + 5 + 3, 4},
		{"a collapsed wall", []Polygon{rect(100, 100, 200, 100.3)}, 0, 4 + 1, 2},
		{"a collapsed wall with vertices", []Polygon{polygon(100, 100, 150, 100.2, 200, 100, 150, 99.8)}, 0, 4 + 2, 2},
		{"a collapsed wall on the border", []Polygon{rect(0, 100, 0.3, 200)}, 0, 6, 0},
		{"a collapsed wall from the border", []Polygon{rect(0, 100, 100, 100.3)}, 0, 6, 1},
		{"a collapsed wall across the domain", []Polygon{rect(0, 100, all, 100.3)}, 0, 7, 0},
		{"two collapsed walls crossing", []Polygon{rect(100, 150, 200, 150.3), rect(150, 100, 150.3, 200)}, 0, 8, 4},
		{"a collapsed wall in an obstacle", []Polygon{rect(100, 100, 200, 200), rect(120, 150, 180, 150.3)}, 2 * 100 * 100, 8, 4},
		{"a collapsed wall sticking out", []Polygon{rect(100, 100, 200, 200), rect(150, 150, 300, 150.3)}, 2 * 100 * 100, 4 + 5 + 1, 5},
		{"collapsed to a point", []Polygon{rect(100.1, 100.1, 100.3, 100.3)}, 0, 4, 0},
		{"a gap closed by rounding", []Polygon{rect(100, 100, 200, 200), rect(200.4, 100, 300, 200)}, 4 * 100 * 100, 10, 4},
		{"a needle", []Polygon{polygon(100, 100, all-100, 101, 100, 102)}, 2 * (all - 200), 7, 3},
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

// randomPolygon returns a star-shaped polygon, sometimes with a hole of the
// same shape, thin or not.
func randomPolygon(rng *rand.Rand, size, radius float64) Polygon {
	cx, cy := rng.Float64()*size, rng.Float64()*size
	n := 3 + rng.IntN(7)
	rx, ry := radius*(0.1+rng.Float64()), radius*(0.1+rng.Float64())
	if rng.IntN(6) == 0 {
		ry = 0.6
	}
	var p Polygon
	var hole Ring
	for i := range n {
		a := (float64(i) + 0.8*rng.Float64()) / float64(n) * 2 * math.Pi
		r := 0.3 + 0.7*rng.Float64()
		x, y := rx*r*math.Cos(a), ry*r*math.Sin(a)
		p.Outer = append(p.Outer, mgl64.Vec2{cx + x, cy + y})
		hole = append(hole, mgl64.Vec2{cx + x/2, cy + y/2})
	}
	if rng.IntN(4) == 0 {
		p.Holes = append(p.Holes, hole)
	}
	return p
}

func randomScene(seed uint64, size float64) []Polygon {
	rng := rand.New(rand.NewPCG(seed, 6))
	var obstacles []Polygon
	for range 1 + rng.IntN(25) {
		obstacles = append(obstacles, randomPolygon(rng, size, size*0.3*rng.Float64()))
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
	l := unit(t, Steps, Steps)
	for seed := range uint64(150) {
		size := []float64{16, 64, 1000, Steps}[seed%4]
		g := groundOf(t, l, randomScene(seed, size)...)
		checkGround(t, g)
	}
}

// Whatever the order of obstacles and of holes, the orientation and the first
// vertex of rings: the same ground.
func TestOrderDoesNotMatter(t *testing.T) {
	l := unit(t, Steps, Steps)
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
