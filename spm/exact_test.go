package spm

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/spm/exact"
)

// pitch is how many units a cell of cells is wide. Places asked about lie on whole units: on walls,
// vertices and inside cells.
const pitch = 4

// cells is a ground of square cells, free or full, on which every question about sight is answered
// in small integers, without triangulation, lattice or anything else of package geom: an oracle of
// its own for what is hardest to get right, walls that line up, corners that touch, gaps of no
// width.
type cells struct {
	columns, rows int
	full          []bool // by row, then column
}

// unit is a place in units from the domain's corner.
type unit struct{ x, y int }

// spot is a place with one of the free parts round it, a bit for each of the quarters NE, NW, SW,
// SE that belongs to it.
type spot struct {
	at       unit
	quarters uint
}

// isFull says whether a cell is full; all cells outside are.
func (c *cells) isFull(column, row int) bool {
	return column < 0 || row < 0 || column >= c.columns || row >= c.rows || c.full[row*c.columns+column]
}

func floorDiv(a, b int) int { return int(math.Floor(float64(a) / float64(b))) }

// quarters says which of the quarters round a place are full.
func (c *cells) quarters(p unit) (full [4]bool) {
	left, right := floorDiv(p.x-1, pitch), floorDiv(p.x, pitch)
	below, above := floorDiv(p.y-1, pitch), floorDiv(p.y, pitch)
	return [4]bool{c.isFull(right, above), c.isFull(left, above), c.isFull(left, below), c.isFull(right, below)}
}

// spots are the free parts round a place: runs of free quarters.
func (c *cells) spots(p unit) (all []spot) {
	full := c.quarters(p)
	if full == [4]bool{} {
		return []spot{{p, 15}}
	}
	for start := range 4 {
		if full[start] || !full[(start+3)%4] {
			continue
		}
		run := uint(0)
		for q := start; !full[q%4]; q++ {
			run |= 1 << (q % 4)
		}
		all = append(all, spot{p, run})
	}
	return all
}

// corners are the spots that shortest paths may turn at: three quarters are free.
func (c *cells) corners() (all []spot) {
	for y := range c.rows + 1 {
		for x := range c.columns + 1 {
			for _, s := range c.spots(unit{x * pitch, y * pitch}) {
				if bits.OnesCount(s.quarters) == 3 {
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// signs are the signs of directions into the quarters.
var signs = [4]unit{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}

// leaves says whether a way from s in the direction of (dx, dy) begins in s. Along a wall it does
// where the wall's free side is part of s.
func (s spot) leaves(dx, dy int) bool {
	for q, sign := range signs {
		if s.quarters>>q&1 == 1 && dx*sign.x >= 0 && dy*sign.y >= 0 {
			return true
		}
	}
	return false
}

// sees says whether the straight way between two spots crosses no full cell and squeezes through no
// gap of zero width.
func (c *cells) sees(s, t spot) bool {
	p, q := s.at, t.at
	if p == q {
		return s.quarters == t.quarters
	}
	dx, dy := q.x-p.x, q.y-p.y
	if !s.leaves(dx, dy) || !t.leaves(-dx, -dy) {
		return false
	}
	// A full cell is crossed if none of three axes parts it from the path: x, y and the normal of the
	// path.
	x0, x1, y0, y1 := min(p.x, q.x), max(p.x, q.x), min(p.y, q.y), max(p.y, q.y)
	off := func(x, y int) int { return dx*(y-p.y) - dy*(x-p.x) }
	for row := floorDiv(y0, pitch); row*pitch <= y1; row++ {
		for column := floorDiv(x0, pitch); column*pitch <= x1; column++ {
			x, y := column*pitch, row*pitch
			if !c.isFull(column, row) || x1 <= x || x0 >= x+pitch || y1 <= y || y0 >= y+pitch {
				continue
			}
			a, b, d, e := off(x, y), off(x+pitch, y), off(x, y+pitch), off(x+pitch, y+pitch)
			if min(a, b, d, e) < 0 && max(a, b, d, e) > 0 {
				return false
			}
		}
	}
	// A gap is closed where something full touches the path from the left and something from the right
	// in one place. All such places are whole units: vertices of cells, and any unit of a shared side.
	n := gcd(dx, dy)
	for i := 1; i < n; i++ {
		left, right := false, false
		for quarter, full := range c.quarters(unit{p.x + i*dx/n, p.y + i*dy/n}) {
			a, b := -dy*signs[quarter].x, dx*signs[quarter].y // the turns to the quarter's two sides
			left = left || full && a >= 0 && b >= 0
			right = right || full && a <= 0 && b <= 0
		}
		if left && right {
			return false
		}
	}
	return true
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// cellMap is what a goal's map on cells must say: distances in units.
type cellMap struct {
	cells    *cells
	nodes    []spot
	distance []float64
}

// solve is Dijkstra's algorithm over all sources and corners.
func (c *cells) solve(sources []spot) *cellMap {
	m := &cellMap{cells: c, nodes: slices.Clone(sources)}
	m.distance = make([]float64, len(m.nodes))
	for _, s := range c.corners() {
		m.nodes = append(m.nodes, s)
		m.distance = append(m.distance, math.Inf(1))
	}
	done := make([]bool, len(m.nodes))
	for {
		next := -1
		for i, d := range m.distance {
			if !done[i] && !math.IsInf(d, 1) && (next < 0 || d < m.distance[next]) {
				next = i
			}
		}
		if next < 0 {
			return m
		}
		done[next] = true
		for i, s := range m.nodes {
			if d := m.distance[next] + apart(m.nodes[next].at, s.at); d < m.distance[i] && c.sees(m.nodes[next], s) {
				m.distance[i] = d
			}
		}
	}
}

func apart(a, b unit) float64 { return math.Hypot(float64(a.x-b.x), float64(a.y-b.y)) }

// at is a place's state and distance.
func (m *cellMap) at(p unit) (State, float64) {
	spots := m.cells.spots(p)
	if spots == nil {
		return Obstacle, math.NaN()
	}
	state, best := Unreached, math.Inf(1)
	for _, s := range spots {
		for i, node := range m.nodes {
			if d := m.distance[i] + apart(node.at, p); d < best && m.cells.sees(s, node) {
				state, best = Reached, d
			}
		}
	}
	return state, best
}

// drawn makes cells of a picture, its top row first; # is full.
func drawn(rows ...string) *cells {
	c := &cells{columns: len(rows[0]), rows: len(rows)}
	for i := range rows {
		for _, r := range rows[len(rows)-1-i] {
			c.full = append(c.full, r == '#')
		}
	}
	return c
}

// scattered fills cells at random.
func scattered(r *rand.Rand, columns, rows int, share float64) *cells {
	c := &cells{columns: columns, rows: rows}
	for range columns * rows {
		c.full = append(c.full, r.Float64() < share)
	}
	return c
}

// frame says where in the world cells lie.
type frame struct {
	name   string
	origin mgl64.Vec2
	unit   float64 // m
}

func (f frame) place(p unit) mgl64.Vec2 {
	return f.origin.Add(mgl64.Vec2{float64(p.x) * f.unit, float64(p.y) * f.unit})
}

var frames = []frame{
	{"plain", mgl64.Vec2{}, 1},
	{"negative", mgl64.Vec2{-900, -500}, 0.37},
	{"far away", mgl64.Vec2{4512345.25, 5312345.5}, 0.07},
	{"millions of meters wide", mgl64.Vec2{-3e6, 1e6}, 1.7e5},
	{"small", mgl64.Vec2{}, 1e-4},
}

// TestCells compares both methods with the oracle on ground where everything lines up and touches.
// Small scenes suffice: what can go wrong here goes wrong at one corner or along one line, and
// random patterns of this size hold each arrangement of full cells round a vertex many times over.
func TestCells(t *testing.T) {
	scenes := map[string]*cells{
		"all gaps aligned": drawn(
			"..........",
			".#.#.#.#.#",
			"..........",
			".#.#.#.#.#",
			"..........",
			".#.#.#.#.#"),
		"rows half a cell apart": drawn(
			"#.#.#.#.#.",
			".#.#.#.#..",
			"..........",
			"#.#.#.#.#.",
			".#.#.#.#..",
			".........."),
		"chequered, shut at the corners": drawn(
			"#.#.#.#.",
			".#.#.#.#",
			"#.#.#.#.",
			".#.#.#.#",
			"#.#.#.#.",
			".#.#.#.#"),
		"diagonals shut off": drawn(
			"....#...",
			"...#....",
			"..#.....",
			".#......",
			"#.......",
			"....#..."),
		"nested rooms": drawn(
			"...........",
			".#########.",
			".#.......#.",
			".#.###.#.#.",
			".#.#...#.#.",
			".#.#.#.#.#.",
			".#.#####.#.",
			".#.........",
			".#########."),
		"comb": drawn(
			"#.#.#.#.#.#",
			"#.#.#.#.#.#",
			"#.#.#.#.#.#",
			"...........",
			".#.#.#.#.#.",
			".#.#.#.#.#."),
		"no ground": drawn("##", "##"),
		"no walls":  drawn("....", "...."),
		"passages one behind the other": drawn(
			".#.#.#.#.",
			".#.#.#.#.",
			".........",
			".#.#.#.#.",
			".#.#.#.#."),
	}
	r := rand.New(rand.NewPCG(11, 12))
	for i := range 24 {
		scenes[fmt.Sprint("random ", i)] = scattered(r, 4+r.IntN(7), 4+r.IntN(7), []float64{0.15, 0.3, 0.45}[i%3])
	}
	for i, name := range slices.Sorted(maps.Keys(scenes)) {
		byMethod(t, name, func(t *testing.T, d *gpu.Device, method Method) {
			r := rand.New(rand.NewPCG(uint64(i), 13))
			c := scenes[name]
			checkCells(t, d, method, c, frames[i%len(frames)], c.points(r), nil, r)
		})
	}
}

// points draws one to three free places, one in three on a vertex.
func (c *cells) points(r *rand.Rand) []unit {
	width, height := c.columns*pitch, c.rows*pitch
	var points []unit
	count := 1 + r.IntN(3)
	for range 100 {
		p := unit{r.IntN(width + 1), r.IntN(height + 1)}
		if r.IntN(3) == 0 {
			p = unit{p.x / pitch * pitch, p.y / pitch * pitch}
		}
		if len(points) < count && c.spots(p) != nil {
			points = append(points, p)
		}
	}
	return points
}

// checkCells builds maps of cells, with sources at points and along segments, and holds texels,
// queries and paths against the oracle.
func checkCells(t *testing.T, d *gpu.Device, method Method, c *cells, f frame, points []unit, segments [][2]unit, r *rand.Rand) {
	t.Helper()
	width, height := c.columns*pitch, c.rows*pitch
	var obstacles []geom.Ring
	for i, full := range c.full {
		if full {
			p := unit{i % c.columns * pitch, i / c.columns * pitch}
			lo, hi := f.place(p), f.place(unit{p.x + pitch, p.y + pitch})
			obstacles = append(obstacles, box(lo[0], lo[1], hi[0], hi[1]))
		}
	}
	lo, hi := f.place(unit{}), f.place(unit{width, height})
	g := ground(t, [4]float64{lo[0], lo[1], hi[0], hi[1]}, obstacles...)

	var sources []spot
	var goal Goal
	for _, p := range points {
		sources, goal.Points = append(sources, c.spots(p)...), append(goal.Points, f.place(p))
	}
	for _, s := range segments {
		sources, goal.Segments = append(sources, c.spotsAlong(s)...), append(goal.Segments, [2]mgl64.Vec2{f.place(s[0]), f.place(s[1])})
	}
	want := c.solve(sources)

	// Texels are two units wide: their centers are odd units, inside cells.
	b, m, _ := build(t, d, method, g, goal, max(width, height)/2)
	defer b.Delete()
	defer m.Delete()
	field := make([][4]float32, m.Extent.Columns*m.Extent.Rows)
	m.Field.Read(0, field)
	check := func(p unit, kind string, state State, distance float64) {
		t.Helper()
		wantState, wantDistance := want.at(p)
		wantDistance *= f.unit
		tolerance := exact.Accuracy * (wantDistance + g.Lattice.Length())
		if state != wantState || state == Reached && !(math.Abs(distance-wantDistance) <= tolerance) {
			t.Fatalf("%s at %v: state %d, distance %v, want %d and %v; sources %v and %v", kind, p, state, distance, wantState, wantDistance, points, segments)
		}
	}
	for i, texel := range field {
		check(unit{i%m.Extent.Columns*2 + 1, i/m.Extent.Columns*2 + 1}, "texel", State(texel[3]), float64(texel[2]))
	}
	v := m.View(0)
	for range 150 {
		p := unit{r.IntN(width + 1), r.IntN(height + 1)}
		a := v.Query(f.place(p))
		check(p, "query", a.State, a.Distance)
		length := 0.0
		path := v.Path(f.place(p))
		for i, q := range path {
			on := unit{int(math.Round((q[0] - f.origin[0]) / f.unit)), int(math.Round((q[1] - f.origin[1]) / f.unit))}
			if i == 0 {
				continue
			}
			before := unit{
				int(math.Round((path[i-1][0] - f.origin[0]) / f.unit)), int(math.Round((path[i-1][1] - f.origin[1]) / f.unit)),
			}
			length += apart(before, on) * f.unit
			if !c.joined(before, on) {
				t.Fatalf("the path from %v leads through a wall between %v and %v", p, before, on)
			}
		}
		if a.State == Reached {
			check(p, "path", a.State, length)
		}
	}
}

// joined says whether some spots of two places see each other.
func (c *cells) joined(p, q unit) bool {
	for _, s := range c.spots(p) {
		for _, to := range c.spots(q) {
			if c.sees(s, to) {
				return true
			}
		}
	}
	return false
}
