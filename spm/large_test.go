package spm

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// large are grounds of thousands of vertices, each of another kind: what is far in sight, what is
// seldom in sight, long chains of turns, walls that cross everywhere. Their domain is 100 m by 100
// m.
var large = []struct {
	name      string
	vertices  int
	obstacles func(r *rand.Rand) []geom.Ring
}{
	{"squares in rows", 20164, func(*rand.Rand) []geom.Ring { return squares(71) }},
	{"octagons", 20000, octagons},
	{"needles that cross", 3 * 4000, needles},
	{"slalom", 4 * 1500, func(*rand.Rand) []geom.Ring { return slalom(1500) }},
	{"spiral", 2 * 4801, func(*rand.Rand) []geom.Ring { return []geom.Ring{spiral(40, 120)} }},
}

// squares are n rows of n squares, as in the paper's Profiling maps.
func squares(n int) (all []geom.Ring) {
	pitch := 100 / float64(n)
	at := func(i int, part float64) float64 { return (float64(i) + part) * pitch }
	for row := range n {
		for column := range n {
			all = append(all, box(at(column, 0.25), at(row, 0.25), at(column, 0.75), at(row, 0.75)))
		}
	}
	return all
}

func octagons(r *rand.Rand) (all []geom.Ring) {
	const pitch = 2.0
	for row := range 50 {
		for column := range 50 {
			var o geom.Ring
			radius, turn := pitch*(0.15+0.3*r.Float64()), r.Float64()
			for k := range 8 {
				sin, cos := math.Sincos(turn + float64(k)*math.Pi/4)
				o = append(o, mgl64.Vec2{(float64(column)+0.5)*pitch + radius*cos, (float64(row)+0.5)*pitch + radius*sin})
			}
			all = append(all, o)
		}
	}
	return all
}

// needles are triangles a few centimeters wide and up to two meters long; one in five touches or
// crosses another.
func needles(r *rand.Rand) (all []geom.Ring) {
	for range 4000 {
		at := mgl64.Vec2{1 + 98*r.Float64(), 1 + 98*r.Float64()}
		sin, cos := math.Sincos(2 * math.Pi * r.Float64())
		along, across := mgl64.Vec2{cos, sin}.Mul(0.5*r.Float64()), mgl64.Vec2{-sin, cos}.Mul(0.02*r.Float64())
		all = append(all, geom.Ring{at.Sub(along), at.Add(along).Add(across), at.Add(along).Sub(across)})
	}
	return all
}

// slalom is n walls from alternate sides that leave a gap of half a meter where they overlap: a
// shortest path turns at nearly every wall, round opposite ends by turns.
func slalom(n int) (all []geom.Ring) {
	pitch := 100 / float64(n+1)
	for i := range n {
		x := (float64(i) + 0.75) * pitch
		if i%2 == 0 {
			all = append(all, box(x, 0, x+pitch/2, 50.25))
		} else {
			all = append(all, box(x, 49.75, x+pitch/2, 100))
		}
	}
	return all
}

// spiral is one wall that winds inwards, with sides corners a turn.
func spiral(turns, sides int) geom.Ring {
	const width = 0.2
	n := turns * sides
	var out, in geom.Ring
	for i := range n + 1 {
		radius := 49 * (1 - 0.97*float64(i)/float64(n))
		sin, cos := math.Sincos(2 * math.Pi * float64(i%sides) / float64(sides))
		out = append(out, mgl64.Vec2{50 + radius*cos, 50 + radius*sin})
		in = append(in, mgl64.Vec2{50 + (radius-width)*cos, 50 + (radius-width)*sin})
	}
	for i := range in {
		out = append(out, in[n-i])
	}
	return out
}

// TestLarge compares wavefront maps of up to 20,000 vertices with the reference: all corners, and
// sampled texels and points. One source at the edge makes the chains of turns longest; three make
// fronts that meet; a segment through everything is cut into hundreds of source segments.
func TestLarge(t *testing.T) {
	for i, c := range large {
		r := rand.New(rand.NewPCG(uint64(i), 17))
		obstacles := c.obstacles(r)
		vertices := 0
		for _, o := range obstacles {
			vertices += len(o)
		}
		if vertices != c.vertices {
			t.Fatalf("%s: %d vertices, want %d", c.name, vertices, c.vertices)
		}
		g := ground(t, [4]float64{0, 0, 100, 100}, obstacles...)
		for name, goal := range map[string]Goal{
			"1 source": {Points: []mgl64.Vec2{{0, 0}}}, "3 sources": freeGoal(g, r, 3), "segment": through,
		} {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				gputest.Run(t, func(d *gpu.Device) { checkSampled(t, d, Wavefront, g, goal, 400) })
			})
		}
	}
}

// through is a segment from side to side of the domain.
var through = segments([4]float64{3, 61.8, 96, 38.2})

// TestSequentialLarge is the same for method sequential, with 2,000 vertices.
func TestSequentialLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 17))
	var obstacles []geom.Ring
	for i, o := range octagons(r) {
		if i%10 == 0 {
			obstacles = append(obstacles, o)
		}
	}
	g := ground(t, [4]float64{0, 0, 100, 100}, obstacles...)
	if len(g.Corners) != 2000 {
		t.Fatalf("%d corners, want 2000", len(g.Corners))
	}
	gputest.Run(t, func(d *gpu.Device) {
		checkSampled(t, d, Sequential, g, freeGoal(g, r, 3), 400)
		checkSampled(t, d, Sequential, g, through, 400)
	})
}

// freeGoal is a goal of count sources at random on free ground.
func freeGoal(g *geom.Ground, r *rand.Rand, count int) (goal Goal) {
	for len(goal.Points) < count {
		if p := somewhere(g, r); sectorsAt(g, p) != nil {
			goal.Points = append(goal.Points, p)
		}
	}
	return goal
}

// somewhere is a place of the domain at random.
func somewhere(g *geom.Ground, r *rand.Rand) mgl64.Vec2 {
	side := g.Lattice.World(g.Lattice.Size).Sub(g.Lattice.Origin)
	return g.Lattice.Origin.Add(mgl64.Vec2{r.Float64() * side[0], r.Float64() * side[1]})
}

// checkSampled builds a map and holds all its corners, sampled texels, and queries and paths at
// sampled points against the
// reference.
func checkSampled(t *testing.T, d *gpu.Device, method Method, g *geom.Ground, goal Goal, samples int) {
	t.Helper()
	b, m, reference := build(t, d, method, g, goal, testSize)
	defer b.Delete()
	defer m.Delete()
	r := rand.New(rand.NewPCG(18, 19))
	check := func(kind string, at mgl64.Vec2, state, wantState State, distance, want float64) {
		t.Helper()
		if state != wantState || state == Reached && !(math.Abs(distance-want) <= reference.Tolerance(want)) {
			t.Fatalf("%s at %v: state %d, distance %v, want %d and %v", kind, at, state, distance, wantState, want)
		}
	}
	stateOf := func(distance float64) State {
		if math.IsInf(distance, 1) {
			return Unreached
		}
		return Reached
	}
	records := make([]Generator, m.Stride)
	m.Generators.Read(0, records)
	for i := range g.Corners {
		place, want, _ := reference.Corner(i)
		got := float64(records[m.Sources+i].Distance)
		check("corner", place, stateOf(got), stateOf(want), got, want)
	}
	field := make([][4]float32, m.Extent.Columns*m.Extent.Rows)
	m.Field.Read(0, field)
	v := m.View(0)
	for i := range samples {
		column, row := r.IntN(m.Extent.Columns), r.IntN(m.Extent.Rows)
		x, y := m.Extent.Center(column, row)
		center := g.Lattice.Origin.Add(mgl64.Vec2{x, y})
		if g.Free(m.Extent.Lattice(column, row)) { // a center a step behind a wall may count as on it
			want, texel := reference.Query(center), field[row*m.Extent.Columns+column]
			check("texel", center, State(texel[3]), want.State, float64(texel[2]), want.Distance)
		}
		p := somewhere(g, r)
		got, want := v.Query(p), reference.Query(p)
		check("query", p, got.State, want.State, got.Distance, want.Distance)
		if got.State == Reached && i%50 == 0 { // paths of thousands of edges
			checkWay(t, g, v, goal, p, want.Distance)
		}
	}
}

// TestThousandsOfSources builds maps of 3,000 sources, some of which are the same, stand on corners
// and walls of obstacles and of the domain; also from queues that do not hold what the sources
// light at once. Method sequential treats one source as any number, a pass each.
func TestThousandsOfSources(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 17))
	obstacles := squares(12)
	g := ground(t, [4]float64{0, 0, 100, 100}, obstacles...)
	goal := freeGoal(g, r, 2500)
	goal.Points = append(goal.Points, mgl64.Vec2{0, 0}, mgl64.Vec2{100, 0}, mgl64.Vec2{100, 100}, mgl64.Vec2{0, 37})
	for i := range 200 {
		ring := obstacles[r.IntN(len(obstacles))]
		goal.Points = append(goal.Points, ring[i%4], ring[i%4].Add(ring[(i+1)%4]).Mul(0.5))
	}
	goal.Points = append(goal.Points, goal.Points[:96]...)
	if len(goal.Points) != 3000 {
		t.Fatalf("%d sources, want 3000", len(goal.Points))
	}
	gputest.Run(t, func(d *gpu.Device) {
		checkSampled(t, d, Wavefront, g, goal, 100)
		b, m, _ := build(t, d, Wavefront, g, goal, testSize)
		defer b.Delete()
		defer m.Delete()
		want := dump(t, m)
		dropQueues(b.wavefront)
		b.wavefront.guess = func(int) capacities { return capacities{windows: 1, offers: 1, lit: 1} }
		if err := b.Build(m, Change{Goal: goal}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want, dump(t, m)) {
			t.Error("after growing the queues the map differs")
		}
	})
}
