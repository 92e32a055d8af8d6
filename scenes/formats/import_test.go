package formats

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats/plan"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// imported are files with what their free ground has to be: its area by hand, and
// points that lie in one connected piece, and in different ones.
var imported = []struct {
	name   string
	format *Format
	file   string
	domain scenes.Rect
	area   float64
	pieces [][]mgl64.Vec2 // a list for each
}{
	{
		"a rectangle", WKT, "POLYGON ((1 2, 5 2, 5 4, 1 4, 1 2))",
		scenes.Rect{1, 2, 5, 4},
		8,
		[][]mgl64.Vec2{{{2, 3}, {4, 3}}},
	},
	{
		"an L with a hole", WKT, "polygon((0 0,10 0,10 4,4 4,4 10,0 10,0 0),\n (1 1, 1 3, 3 3, 3 1, 1 1))",
		scenes.Rect{0, 0, 10, 10},
		60,
		[][]mgl64.Vec2{{{0.5, 0.5}, {9, 2}, {2, 9}}},
	},
	{
		"two that overlap", WKT, "GEOMETRYCOLLECTION (POLYGON ((0 0, 6 0, 6 4, 0 4, 0 0)), POLYGON ((4 2, 10 2, 10 6, 4 6, 4 2)))",
		scenes.Rect{0, 0, 10, 6},
		24 + 24 - 4,
		[][]mgl64.Vec2{{{1, 1}, {9, 5}}},
	},
	{
		"one over another's hole", WKT, "MULTIPOLYGON (((0 0, 9 0, 9 9, 0 9, 0 0), (3 3, 6 3, 6 6, 3 6, 3 3)), ((2 4, 7 4, 7 5, 2 5, 2 4)))",
		scenes.Rect{0, 0, 9, 9},
		81 - 9 + 3,
		[][]mgl64.Vec2{{{1, 1}, {4, 4.5}}},
	},
	{
		"apart", WKT, "GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(POLYGON EMPTY, POLYGON((0 0,1 0,1 1,0 1,0 0))),MULTIPOLYGON(((2 0,3 0,3 1,2 1,2 0))))",
		scenes.Rect{0, 0, 3, 1},
		2,
		[][]mgl64.Vec2{{{0.5, 0.5}}, {{2.5, 0.5}}},
	},
	{
		"side by side", WKT, "MULTIPOLYGON(((0 0,1 0,1 1,0 1,0 0)),((1 0,2 0,2 1,1 1,1 0)))",
		scenes.Rect{0, 0, 2, 1},
		2,
		[][]mgl64.Vec2{{{0.5, 0.5}, {1.5, 0.5}}},
	},
	{
		"touching in a point", WKT, "MULTIPOLYGON(((0 0,1 0,1 1,0 1,0 0)),((1 1,2 1,2 2,1 2,1 1)))",
		scenes.Rect{0, 0, 2, 2},
		2,
		[][]mgl64.Vec2{{{0.5, 0.5}}, {{1.5, 1.5}}},
	},
	{
		"a hole along the outline", WKT, "POLYGON((0 0,4 0,4 4,0 4,0 0),(0 1,3 1,3 2,0 2,0 1))",
		scenes.Rect{0, 0, 4, 4},
		13,
		[][]mgl64.Vec2{{{1, 0.5}, {1, 3}}},
	},
	{
		"holes that overlap and leave the outline", WKT, "POLYGON((0 0,4 0,4 4,0 4,0 0),(1 1,5 1,5 2,1 2,1 1),(2 0.5,3 0.5,3 3,2 3,2 0.5))",
		scenes.Rect{0, 0, 4, 4},
		16 - 3 - 1.5,
		[][]mgl64.Vec2{{{0.5, 0.5}, {3.5, 3.5}}},
	},
	{
		"heights, measures, equal neighbors, exponents", WKT, "POLYGON ZM ((0 0 1 2, 1e1 0 1 2, 10 0 1 2, +10 1E1 1 2, 0 10 1 2, 0 0 1 2))\r\n",
		scenes.Rect{0, 0, 10, 10},
		100,
		[][]mgl64.Vec2{{{1, 1}, {9, 9}}},
	},
	{
		"empty parts", WKT, "GEOMETRYCOLLECTION(POLYGON Z EMPTY,MULTIPOLYGON(EMPTY,((0 0,9 0,9 9,0 9,0 0),EMPTY,(1 1,2 1,2 2,1 1),EMPTY),(EMPTY,(3 3,4 3,4 4,3 3))),GEOMETRYCOLLECTION EMPTY)",
		scenes.Rect{0, 0, 9, 9},
		81 - 0.5,
		[][]mgl64.Vec2{{{0.5, 0.5}, {3.5, 3.5}}},
	},
	{
		"the same twice, turned the other way, with vertices on its edges", WKT,
		"MULTIPOLYGON(((0 0,4 0,4 0,9 0,9 9,0 9,0 0),(1 1,1 1,2 1,3 1,3 3,1 1)),((0 0,0 9,9 9,9 0,0 0),(1 1,3 3,3 1,1 1)))",
		scenes.Rect{0, 0, 9, 9},
		81 - 2,
		[][]mgl64.Vec2{{{0.5, 0.5}, {8, 8}}},
	},
	{
		"turned, so that numbers round", WKT, "POLYGON((0 3,4 0,10 8,6 11,0 3),(4 4,5 5.3333333,6.1 4.7,4 4))",
		scenes.Rect{0, 0, 10, 11},
		50 - 0.5*((1.0*0.7)-(1.3333333*2.1))*-1,
		[][]mgl64.Vec2{{{1, 3}, {6, 10.5}}},
	},

	{
		"one cell", MovingAI, grid("."),
		scenes.Rect{0, 0, 1, 1},
		1,
		[][]mgl64.Vec2{{{0.5, 0.5}}},
	},
	{
		"y points up, and every kind of cell", MovingAI, grid("@OTW", ".GS."),
		scenes.Rect{0, 0, 4, 2},
		4,
		[][]mgl64.Vec2{{{0.5, 0.5}, {3.5, 0.5}}},
	},
	{
		"blocked cells that touch in a corner", MovingAI, grid(".@", "@."),
		scenes.Rect{0, 0, 2, 2},
		2,
		[][]mgl64.Vec2{{{0.5, 1.5}}, {{1.5, 0.5}}},
	},
	{
		"free cells that touch in a corner", MovingAI, grid("@.", ".@"),
		scenes.Rect{0, 0, 2, 2},
		2,
		[][]mgl64.Vec2{{{0.5, 0.5}}, {{1.5, 1.5}}},
	},
	{
		"a region that touches itself outside", MovingAI, grid(".....", ".@@..", ".@.@.", ".@@@.", "....."),
		scenes.Rect{0, 0, 5, 5},
		25 - 7,
		[][]mgl64.Vec2{{{0.5, 0.5}, {3.5, 3.5}}, {{2.5, 2.5}}},
	},
	{
		"a hole that touches itself", MovingAI, grid("@@@@", "@.@@", "@@.@", "@@@@"),
		scenes.Rect{0, 0, 4, 4},
		2,
		[][]mgl64.Vec2{{{1.5, 2.5}}, {{2.5, 1.5}}},
	},
	{
		"a hole that touches the outline", MovingAI, grid(".@@@", "@.@@", "@@.@", "@@@@"),
		scenes.Rect{0, 0, 4, 4},
		3,
		[][]mgl64.Vec2{{{0.5, 3.5}}, {{1.5, 2.5}}, {{2.5, 1.5}}},
	},
	{
		"an island in a lake on an island", MovingAI, grid(".......", ".@@@@@.", ".@...@.", ".@.@.@.", ".@...@.", ".@@@@@.", "......."),
		scenes.Rect{0, 0, 7, 7},
		24 + 8,
		[][]mgl64.Vec2{{{0.5, 0.5}, {6.5, 6.5}}, {{2.5, 2.5}, {4.5, 4.5}}},
	},
	{
		"a chessboard", MovingAI, grid(".@.@", "@.@.", ".@.@"),
		scenes.Rect{0, 0, 4, 3},
		6,
		[][]mgl64.Vec2{{{0.5, 0.5}}, {{1.5, 1.5}}, {{2.5, 2.5}}},
	},
}

// grid is a file of the MovingAI benchmark.
func grid(rows ...string) string {
	return fmt.Sprintf("type octile\nheight %d\nwidth %d\nmap\n%s\n", len(rows), len(rows[0]), strings.Join(rows, "\n"))
}

// groundOf measures a scene's free ground on the lattice, and finds its pieces.
func groundOf(t *testing.T, s *scenes.Scene) (g *geom.Ground, area float64, piece []int) {
	t.Helper()
	g, err := s.Ground()
	if err != nil {
		t.Fatal(err)
	}
	area, piece, _ = piecesOf(g)
	return g, area, piece
}

// piecesOf returns the area of a ground's free triangles, of each of them the number of the
// connected piece that it belongs to, from 1 on, and how many pieces there are.
func piecesOf(g *geom.Ground) (area float64, piece []int, pieces int) {
	piece = make([]int, len(g.Triangles))
	var todo []int32
	for first, f := range g.Triangles {
		if !f.Free {
			continue
		}
		a, b, c := g.Lattice.World(g.Vertices[f.V[0]]), g.Lattice.World(g.Vertices[f.V[1]]), g.Lattice.World(g.Vertices[f.V[2]])
		area += geom.Ring{a, b, c}.Area()
		if piece[first] > 0 {
			continue
		}
		pieces++
		piece[first] = pieces
		for todo = append(todo, int32(first)); len(todo) > 0; {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for e := range int32(3) {
				if n, _ := g.Across(at, e); n >= 0 && piece[n] == 0 {
					piece[n] = pieces
					todo = append(todo, n)
				}
			}
		}
	}
	return area, piece, pieces
}

// areaSlack is how far the area on the lattice may be off: every wall is moved by less than a step.
func areaSlack(g *geom.Ground) float64 {
	length := 0.0
	for _, w := range g.Walls {
		length += g.Lattice.World(g.Vertices[w.A]).Sub(g.Lattice.World(g.Vertices[w.B])).Len()
	}
	return length * g.Lattice.Step
}

func TestImport(t *testing.T) {
	for _, c := range imported {
		t.Run(c.name, func(t *testing.T) {
			s, _, err := Import(c.format, "some/hall.x", []byte(c.file), Options{})
			if err != nil {
				t.Fatal(err)
			}
			sameAgain(t, s)
			if s.Name != "hall" || s.Domain != c.domain {
				t.Errorf("name %q, domain %v, want %v", s.Name, s.Domain, c.domain)
			}
			g, area, piece := groundOf(t, s)
			if slack := areaSlack(g); math.Abs(area-c.area) > slack {
				t.Errorf("the free area is %v, want %v to %v\n%v", area, c.area, slack, s.Obstacles)
			}
			at := func(p mgl64.Vec2) int {
				i := g.Locate(g.Lattice.Snap(p))
				if !g.Triangles[i].Free {
					t.Errorf("%v is covered", p)
				}
				return piece[i]
			}
			seen := map[int]int{}
			for k, points := range c.pieces {
				for _, p := range points {
					if before, ok := seen[at(p)]; ok && before != k || at(p) != at(points[0]) {
						t.Errorf("%v is in piece %d: pieces %v are to be apart", p, at(p), c.pieces)
					}
				}
				seen[at(points[0])] = k
			}
			checkGoalPlace(t, s, g)
		})
	}
}

// checkGoalPlace holds the goal against the plain form of its definition.
func checkGoalPlace(t *testing.T, s *scenes.Scene, g *geom.Ground) {
	t.Helper()
	goal := s.Goals[0].Points[0]
	if len(s.Goals) != 1 || len(s.Goals[0].Points) != 1 || !g.Free(g.Lattice.Snap(goal)) {
		t.Fatalf("goals %v", s.Goals)
	}
	clearance := func(p mgl64.Vec2) float64 {
		nearest := math.Inf(1)
		for _, w := range g.Walls {
			a, b := g.Lattice.World(g.Vertices[w.A]), g.Lattice.World(g.Vertices[w.B])
			t := min(max(p.Sub(a).Dot(b.Sub(a))/b.Sub(a).LenSqr(), 0), 1)
			nearest = min(nearest, p.Sub(a.Add(b.Sub(a).Mul(t))).Len())
		}
		return nearest
	}
	_, piece, pieces := piecesOf(g)
	areas := make([]float64, pieces+1)
	for i, f := range g.Triangles {
		if f.Free {
			areas[piece[i]] += geom.Ring{g.Lattice.World(g.Vertices[f.V[0]]), g.Lattice.World(g.Vertices[f.V[1]]), g.Lattice.World(g.Vertices[f.V[2]])}.Area()
		}
	}
	most := 0.0
	for i, f := range g.Triangles {
		// Of pieces of equal areas any may be the one.
		if !f.Free || areas[piece[i]] < slices.Max(areas)*(1-1e-9) {
			continue
		}
		var center mgl64.Vec2
		for _, v := range f.V {
			center = center.Add(g.Lattice.World(g.Vertices[v]).Mul(1.0 / 3))
		}
		most = max(most, clearance(center))
	}
	if have := clearance(goal); math.Abs(have-most) > 0.02*most {
		t.Errorf("the goal %v is %v m from walls, of the centroids the best is %v m", goal, have, most)
	}
}

func TestGoalIsInTheLargestPiece(t *testing.T) {
	s, _, err := Import(MovingAI, "a.map", []byte(grid("..@@@@@", "..@...@", "@@@...@", "..@@@@@")), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p := s.Goals[0].Points[0]; !(scenes.Rect{3, 1, 6, 3}).Contains(p) {
		t.Errorf("the goal is at %v", p)
	}
}

// TestImportFewVertices: cells are merged, and vertices only stand where outlines turn.
func TestImportFewVertices(t *testing.T) {
	for _, c := range []struct {
		format              *Format
		file                string
		obstacles, vertices int
	}{
		{MovingAI, grid("@@@@", "@..@", "@@@@"), 1, 8},
		{MovingAI, grid("@@@", "@.@", "..."), 1, 8},
		{MovingAI, grid(".....", ".@@..", ".@.@.", ".@@@.", "....."), 1, 6 + 4},
		{MovingAI, grid("...", "..."), 0, 0},
		{WKT, "POLYGON((0 0,9 0,9 9,0 9,0 0))", 0, 0},
		{WKT, "POLYGON((0 0,9 0,9 9,0 9,0 0),(1 1,8 1,8 8,1 8,1 1))", 1, 4},
		// Edges that no coordinate axis is parallel to: nothing is left of what the overlay adds on them.
		{WKT, "POLYGON((0 3,4 0,10 8,6 11,0 3),(4 4,5 5.3333333,6.1 4.7,4 4),(6 8,7 8.1,6.3 9,6 8))", 6, 4*3 + 2*3},
	} {
		s, _, err := Import(c.format, "a", []byte(c.file), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Obstacles) != c.obstacles || s.Vertices() != c.vertices {
			t.Errorf("%s\n%d obstacles with %d vertices, want %d with %d: %v", c.file, len(s.Obstacles), s.Vertices(), c.obstacles, c.vertices, s.Obstacles)
		}
	}
}

// TestImportRandomGrids compares the cells' area with the free ground's, and the connection of
// cells with that of its pieces.
func TestImportRandomGrids(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		w, h := 1+r.IntN(24), 1+r.IntN(24)
		rows := make([]string, h)
		for y := range rows {
			for range w {
				rows[y] += string(".@"[min(1, r.IntN(3)*r.IntN(2))])
			}
		}
		free := strings.Count(strings.Join(rows, ""), ".")
		s, _, err := Import(MovingAI, "a.map", []byte(grid(rows...)), Options{})
		if free == 0 {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		g, area, piece := groundOf(t, s)
		if math.Abs(area-float64(free)) > areaSlack(g) {
			t.Errorf("seed %d: the free area is %v, want %d", seed, area, free)
		}
		at := func(x, y int) int {
			f := g.Locate(g.Lattice.Snap(mgl64.Vec2{float64(x) + 0.5, float64(h-1-y) + 0.5}))
			if g.Triangles[f].Free != (rows[y][x] == '.') {
				t.Fatalf("seed %d: cell %d,%d is free: %v\n%s", seed, x, y, g.Triangles[f].Free, strings.Join(rows, "\n"))
			}
			return piece[f]
		}
		// Pieces are connected cells exactly if there are as many, and neighbors are in the same.
		cells := connected(rows)
		of := map[int]int{}
		for y := range h {
			for x := range w {
				p := at(x, y)
				if rows[y][x] != '.' {
					continue
				}
				if before, ok := of[cells[y][x]]; ok && before != p {
					t.Fatalf("seed %d: cell %d,%d is cut off\n%s", seed, x, y, strings.Join(rows, "\n"))
				}
				of[cells[y][x]] = p
			}
		}
		distinct := map[int]bool{}
		for _, p := range of {
			distinct[p] = true
		}
		if len(distinct) != len(of) {
			t.Errorf("seed %d: %d connected regions of cells, %d pieces\n%s", seed, len(of), len(distinct), strings.Join(rows, "\n"))
		}
	}
}

// TestImportRandomRectangles counts the unit squares that polygons with holes cover, with edges and
// corners in common.
func TestImportRandomRectangles(t *testing.T) {
	const side = 10
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 4))
		var free [side][side]bool
		// Half of them are sheared, so that edges cross at places that have to be rounded.
		place, scale := func(x, y float64) mgl64.Vec2 { return mgl64.Vec2{x, y} }, 1.0
		if seed%2 == 1 {
			place, scale = func(x, y float64) mgl64.Vec2 { return mgl64.Vec2{3*x + y, 2*y - x} }, 7
		}
		ring := func(corners ...float64) string {
			var list []string
			for i := range len(corners)/2 + 1 {
				v := place(corners[2*i%len(corners)], corners[(2*i+1)%len(corners)])
				list = append(list, fmt.Sprint(v[0], " ", v[1]))
			}
			return "(" + strings.Join(list, ",") + ")"
		}
		// rectangle is a ring, and what it says of each square.
		rectangle := func() (string, func(x, y int) bool) {
			x0, y0 := r.IntN(side), r.IntN(side)
			x1, y1 := x0+1+r.IntN(side-x0), y0+1+r.IntN(side-y0)
			a, b, c, d := float64(x0), float64(y0), float64(x1), float64(y1)
			return ring(a, b, c, b, c, d, a, d), func(x, y int) bool { return x0 <= x && x < x1 && y0 <= y && y < y1 }
		}
		// The first is along two sides, so that most have something around them.
		polygons := []string{"(" + ring(0, 0, 10, 0, 10, 1, 1, 1, 1, 10, 0, 10) + ")"}
		for i := range side {
			free[0][i], free[i][0] = true, true
		}
		for range 1 + r.IntN(6) {
			outer, in := rectangle()
			rings := []string{outer}
			var holes []func(x, y int) bool
			for range r.IntN(4) {
				hole, in := rectangle()
				rings, holes = append(rings, hole), append(holes, in)
			}
			for y := range side {
				for x := range side {
					hidden := slices.ContainsFunc(holes, func(in func(x, y int) bool) bool { return in(x, y) })
					free[y][x] = free[y][x] || in(x, y) && !hidden
				}
			}
			polygons = append(polygons, "("+strings.Join(rings, ",")+")")
		}
		file := "MULTIPOLYGON(" + strings.Join(polygons, ",\n") + ")"
		s, _, err := Import(WKT, "a.wkt", []byte(file), Options{})
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, file)
			continue
		}
		g, area, _ := groundOf(t, s)
		want := 0.0
		for y := range side {
			for x := range side {
				if free[y][x] {
					want += scale
				}
				if got := g.Triangles[g.Locate(g.Lattice.Snap(place(float64(x)+0.5, float64(y)+0.5)))].Free; got != free[y][x] {
					t.Errorf("seed %d: square %d,%d is free: %v\n%s", seed, x, y, got, file)
				}
			}
		}
		if math.Abs(area-want) > areaSlack(g) {
			t.Errorf("seed %d: the free area is %v, want %v\n%s", seed, area, want, file)
		}
	}
}

// connected numbers the regions of free cells by spreading the least number of each over its sides.
func connected(rows []string) [][]int {
	number := make([][]int, len(rows))
	for y, row := range rows {
		number[y] = make([]int, len(row))
		for x := range row {
			number[y][x] = y*len(row) + x
		}
	}
	for changed := true; changed; {
		changed = false
		for y, row := range rows {
			for x := range row {
				for _, n := range [][2]int{{x + 1, y}, {x - 1, y}, {x, y + 1}, {x, y - 1}} {
					if n[0] < 0 || n[1] < 0 || n[1] >= len(rows) || n[0] >= len(row) || rows[n[1]][n[0]] != '.' || row[x] != '.' {
						continue
					}
					if other := number[n[1]][n[0]]; other < number[y][x] {
						number[y][x], changed = other, true
					}
				}
			}
		}
	}
	return number
}

// refusedImports are malformed files. A « stands before the place that the error names.
// refusal is a file with « where an error is reported, and what its message says.
type refusal struct {
	format *Format
	file   string
	want   string
}

var refusedImports = []refusal{
	{WKT, "«", "end of the file"},
	{WKT, "«POLYGON EMPTY", "no walkable ground"},
	{WKT, "«LINESTRING (0 0, 1 1)", "LINESTRING is no ground"},
	{WKT, "GEOMETRYCOLLECTION (POLYGON ((0 0, 1 0, 1 1, 0 0)),\n  «POINT (3 4))", "POINT is no ground"},
	{WKT, "«{\"type\": \"Polygon\"}", "where a geometry is needed"},
	{WKT, "POLYGON «FULL ((0 0, 1 0, 1 1, 0 0))", `"FULL" where EMPTY`},
	{WKT, "POLYGON «0 0, 1 0", `"0" where (`},
	{WKT, "POLYGON («0 0, 1 0, 1 1, 0 0)", `"0" where (`},
	{WKT, "POLYGON ((0 0, 1 0,\n1 «north, 0 0))", `"north" where a number`},
	{WKT, "POLYGON ((0 0, 1«, 1 1, 0 0))", `"," where a number`},
	{WKT, "POLYGON ((0 0, 1 0, 1 «1.2.3, 0 0))", `"1.2.3" where a number`},
	{WKT, "POLYGON ((0 0, «1e999 0, 1 1, 0 0))", "where a number"},
	{WKT, "POLYGON ((0 0, «NaN 0, 1 1, 0 0))", "where a number"},
	{WKT, "POLYGON ((0 0, 1 0 0 0 «0, 1 1, 0 0))", "where , or )"},
	{WKT, "POLYGON ((0 0, 1 0, 1 1, 0 0)«", "end of the file where , or )"},
	{WKT, "POLYGON ((0 0, 1 0, 1 1, 0 0)) «x", "after the geometry"},
	{WKT, "POLYGON ((0 0, 1 0, 1 1,\n 0 0))\n«POLYGON ((0 0, 1 0, 1 1, 0 0))", "GEOMETRYCOLLECTION"},
	{WKT, "POLYGON ((0 0, 1 0, 1 1, «0 1))", "not closed"},
	{WKT, "POLYGON («(0 0))", "distinct"},
	{WKT, "POLYGON («(0 0, 1 0, 0 0))", "distinct"},
	{WKT, "POLYGON («(0 0, 1 1, 2 2, 0 0))", "line"},
	{WKT, "POLYGON ((«0 0, 2 2, 2 0, 0 2, 0 0))", "the ring intersects itself"},
	{WKT, "POLYGON ((0 0, 9 0, 9 9, 0 0), (\n«1 1, 2 2, 2 1, 1 2, 1 1))", "the ring intersects itself"},
	{WKT, "«POLYGON ((0 0, 1e300 0, 1e300 1, 0 1, 0 0))", "ground"},
	{WKT, strings.Repeat("GEOMETRYCOLLECTION(", 33) + "«POLYGON((0 0,1 0,1 1,0 0))" + strings.Repeat(")", 33), "more than 32 deep"},
	{WKT, "«POLYGON((0 0,4 0,4 4,0 4,0 0),(-1 -1,5 -1,5 5,-1 5,-1 -1))", "no free ground"},

	{MovingAI, "«", `before the line "map"`},
	{MovingAI, "type octile\nheight 1\nwidth 1\n«", `before the line "map"`},
	{MovingAI, "«type tile\nheight 1\nwidth 1\nmap\n.", "octile"},
	{MovingAI, "type octile\n«height -1\nwidth 1\nmap\n.", "height"},
	{MovingAI, "type octile\nheight 1\n«width 99999999999\nmap\n.", "width"},
	{MovingAI, "type octile\n«depth 1\nmap\n.", `"depth"`},
	{MovingAI, "type octile\n«\nmap\n.", "header"},
	{MovingAI, "«type octile\nheight 1\nmap\n.", "lacks"},
	{MovingAI, "type octile\nheight 2\nwidth 2\nmap\n..\n.«\n", "has 1 cells"},
	{MovingAI, "type octile\r\nheight 2\r\nwidth 2\r\nmap\r\n..\r\n..«.\r\n", "more cells than width 2"},
	{MovingAI, "type octile\nheight 3\nwidth 2\nmap\n..\n..\n«", "after 2 rows"},
	{MovingAI, "type octile\nheight 1\nwidth 2\nmap\n..\n\n«..\n", "more rows than height 1"},
	{MovingAI, "type octile\nheight 2\nwidth 3\nmap\n..@\n.«x.\n", `unknown cell 'x'`},
	{MovingAI, "«type octile\nheight 1\nwidth 2\nmap\n@T\n", "no free ground"},
}

// refuses checks that imports of files fail where they should.
func refuses(t *testing.T, refusals []refusal) {
	t.Helper()
	for _, c := range refusals {
		before, _, _ := strings.Cut(c.file, "«")
		line := strings.Count(before, "\n") + 1
		column := len(before) - strings.LastIndex(before, "\n")
		s, _, err := Import(c.format, "hall.x", []byte(strings.Replace(c.file, "«", "", 1)), Options{})
		var e *Error
		if s != nil || !errors.As(err, &e) {
			t.Errorf("%q: scene %v, error %v", c.file, s, err)
			continue
		}
		if e.File != "hall.x" || e.Line != line || e.Column != column || !strings.Contains(e.Message, c.want) {
			t.Errorf("%q:\n%v\nwant %d:%d and %q", c.file, err, line, column, c.want)
		}
	}
}

func TestImportRefuses(t *testing.T) {
	refuses(t, refusedImports)

	var e *Error
	if _, _, err := Import(WKT, "a", make([]byte, text.MaxBytes+1), Options{}); !errors.As(err, &e) || !strings.Contains(e.Message, "32 MiB") {
		t.Errorf("too long a file: %v", err)
	}
}

// TestImportScale: everything is so many times as large, and so the ground, in every format.
func TestImportScale(t *testing.T) {
	for _, c := range []struct {
		format *Format
		file   string
	}{
		{WKT, "POLYGON((0 0,9 0,9 9,0 9,0 0),(1 1,8 1,8 8,1 8,1 1))"},
		{MovingAI, grid("@@@", "@.@", "...")},
		{SVG, hall[SVG]},
		{GeoJSON, hall[GeoJSON]},
		{SVG, `<svg viewBox="3 4 20 10"><circle class="exit" cx="18" cy="7" r="2"/><circle cx="8" cy="9" r="1"/><line x1="10" y1="5" x2="14" y2="5" stroke="black"/>
			<symbol id="s" viewBox="0 0 2 2"><rect width="1" height="1"/></symbol><use href="#s" width="4" height="4" x="16" y="10"/></svg>`},
	} {
		plain, _, err := Import(c.format, "a", []byte(c.file), Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, area, _ := groundOf(t, plain)
		for _, k := range []float64{0.25, 3} {
			s, _, err := Import(c.format, "a", []byte(c.file), Options{Scale: k})
			if err != nil {
				t.Errorf("%s: %v", c.file, err)
				continue
			}
			g, larger, _ := groundOf(t, s)
			if math.Abs(larger-k*k*area) > 2*areaSlack(g) {
				t.Errorf("%s by %v: the free area is %v, was %v", c.file, k, larger, area)
			}
			for i := range s.Domain {
				if math.Abs(s.Domain[i]-k*plain.Domain[i]) > 1e-9 {
					t.Errorf("%s by %v: domain %v, was %v", c.file, k, s.Domain, plain.Domain)
				}
			}
			if goal, was := s.Goals[0], plain.Goals[0]; len(was.Segments) > 0 && goal.Segments[0][0].Sub(was.Segments[0][0].Mul(k)).Len() > 1e-6 ||
				c.format == SVG && len(was.Points) > 0 && len(was.Segments) == 0 && math.Abs(goal.ArrivalRadius-k*was.ArrivalRadius) > 1e-9 {
				t.Errorf("%s by %v: goal %+v, was %+v", c.file, k, goal, was)
			}
		}
	}
	for _, k := range []float64{-1, math.NaN(), math.Inf(1), 1e-300} {
		if _, _, err := Import(WKT, "a", []byte("POLYGON((0 0,9 0,9 9,0 0))"), Options{Scale: k}); err == nil {
			t.Errorf("a scale of %v was taken", k)
		}
	}
}

// TestImportSmall checks that coordinates that are hardly meters are noted, unless the options say
// that they are.
func TestImportSmall(t *testing.T) {
	const file = "POLYGON ((8.54 47.37, 8.55 47.37, 8.55 47.374, 8.54 47.374, 8.54 47.37))"
	for units, want := range map[Units]int{plan.UnitsAuto: 1, plan.UnitsMetres: 0} {
		_, notes, err := Import(WKT, "a", []byte(file), Options{Units: units})
		if err != nil || len(notes) != want || want > 0 && notes[0].String() != "a:1:1: note: the whole ground is 0.01 m long: a unit of the file counts as a meter, and people are half a meter wide" {
			t.Errorf("%s: %v, %v", units, notes, err)
		}
	}
}

// TestImportIsTheSame checks that the shape decides, not the order of the file, and not chance.
func TestImportIsTheSame(t *testing.T) {
	files := []string{
		"MULTIPOLYGON(((0 0,9 1,9 9,0 9,0 0),(3 3,6 3,6 6,3 6,3 3),(7 7,8 7,8 8,7 7)),((8 2,12 3,11 7,8 2)))",
		"MULTIPOLYGON(((12 3,11 7,8 2,12 3)),((0 9,9 9,9 1,0 0,0 9),(7 7,8 8,8 7,7 7),(3 6,3 3,6 3,6 6,3 6)))",
	}
	want, _, err := Import(WKT, "a", []byte(files[0]), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		got, _, err := Import(WKT, "a", []byte(files[i%2]), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("import %d:\n%v\nwant\n%v", i, got, want)
		}
	}
}

func FuzzImport(f *testing.F) {
	for _, c := range imported {
		f.Add(c.format == WKT, []byte(c.file))
	}
	for _, c := range refusedImports {
		f.Add(c.format == WKT, []byte(strings.Replace(c.file, "«", "", 1)))
	}
	f.Fuzz(func(t *testing.T, wkt bool, data []byte) {
		format := MovingAI
		if wkt {
			format = WKT
		}
		s, _, err := Import(format, "fuzz", data, Options{})
		var e *Error
		switch {
		case err == nil:
			sameAgain(t, s)
			if g, err := s.Ground(); err != nil || !g.Free(g.Lattice.Snap(s.Goals[0].Points[0])) {
				t.Fatalf("ground %v, goal %v", err, s.Goals[0])
			}
		case !errors.As(err, &e) || s != nil:
			t.Fatalf("scene %v, error %v", s, err)
		default:
			lines := strings.Split(string(data), "\n")
			if e.Line < 1 || e.Line > len(lines) || e.Column < 1 || e.Column > len(lines[e.Line-1])+1 || strings.Contains(e.Error(), "\n") {
				t.Fatalf("an error without a place: %v", e)
			}
		}
	})
}
