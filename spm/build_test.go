package spm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes/builtin"
	"github.com/wayfront/wayfront/spm/exact"
	"github.com/wayfront/wayfront/spm/exact/exacttest"
)

// What tests of maps and of exact answers share.
var (
	ground, box, sectorsAt = exacttest.Ground, exacttest.Box, exacttest.SectorsAt

	randomScene, randomSegments, somewhereOn = exacttest.RandomScene, exacttest.RandomSegments, exacttest.SomewhereOn
)

func TestMain(m *testing.M) { gputest.Main(m) }

// table1 are the maps of the paper's Table 1.
var table1 = []string{
	"simple1", "simple2", "concave1", "concave2", "spiral", "spmex1", "spmex2",
	"profiling0", "profiling1", "profiling2", "profiling3", "profiling4", "profiling5", "profiling6",
}

// texels along the longer side of the maps in tests, as the issue of exactness is stated for.
const testSize = 250

// build makes a map of one goal, and the reference.
func build(t testing.TB, d *gpu.Device, method Method, g *geom.Ground, goal Goal, size int) (*Builder, *Map, *View) {
	t.Helper()
	reference, err := exact.Solve(g, goal)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewBuilder(d, method)
	if err != nil {
		t.Fatal(err)
	}
	m := newMap(t, b, g, size, goal)
	if err := b.Build(m, Change{Goal: goal}); err != nil {
		t.Fatal(err)
	}
	return b, m, reference
}

func newMap(t testing.TB, b *Builder, g *geom.Ground, size int, goals ...Goal) *Map {
	t.Helper()
	room, err := SourceCount(g, goals...)
	if err != nil {
		t.Fatal(err)
	}
	extent := NewExtent(float64(g.Lattice.Size.X)*g.Lattice.Step, float64(g.Lattice.Size.Y)*g.Lattice.Step, size)
	m, err := b.NewMap(MapSpec{Extent: extent, Grounds: slices.Repeat([]*geom.Ground{g}, len(goals)), Sources: room})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestTable1 compares the maps of Table 1 at 250 texels with the reference: every corner, sampled
// texels and points.
func TestTable1(t *testing.T) {
	for _, name := range table1 {
		byMethod(t, name, func(t *testing.T, d *gpu.Device, method Method) {
			g, goal := sceneGround(t, name)
			checkMap(t, d, method, g, goal, testSize, 400)
		})
	}
}

// TestKnownDistances compares maps with distances known from elementary geometry, and with the
// reference.
func TestKnownDistances(t *testing.T) {
	for _, k := range exacttest.Known {
		byMethod(t, k.Name, func(t *testing.T, d *gpu.Device, method Method) {
			g := ground(t, k.Domain, k.Obstacles...)
			v := checkMap(t, d, method, g, Goal{Points: []mgl64.Vec2{k.Source}}, testSize, 400)
			exacttest.CheckKnown(t, g, v, k.Point, k.Distance, k.Parent)
		})
	}
}

// TestRandomScenes compares maps of random scenes, with several sources, with the reference.
func TestRandomScenes(t *testing.T) {
	for seed := range uint64(40) {
		byMethod(t, fmt.Sprint(seed), func(t *testing.T, d *gpu.Device, method Method) {
			g, goal := randomScene(t, seed)
			checkMap(t, d, method, g, goal, testSize, 200)
		})
	}
}

// byMethod runs a test with every method.
func byMethod(t *testing.T, name string, test func(t *testing.T, d *gpu.Device, method Method)) {
	t.Helper()
	for m := range Methods {
		t.Run(name+"/"+Methods[m], func(t *testing.T) {
			gputest.Run(t, func(d *gpu.Device) { test(t, d, Method(m)) })
		})
	}
}

// checkMap builds a map, validates it and compares queries at arbitrary points with the reference.
// It returns the map's view.
func checkMap(t *testing.T, d *gpu.Device, method Method, g *geom.Ground, goal Goal, size, samples int) *View {
	t.Helper()
	b, m, reference := build(t, d, method, g, goal, size)
	defer b.Delete()
	defer m.Delete()
	if err := m.Validate(0, 1+size/20); err != nil {
		t.Fatal(err)
	}
	checkLipschitz(t, m, samples)
	v := m.View(0)
	r := rand.New(rand.NewPCG(1, 2))
	side := g.Lattice.World(g.Lattice.Size).Sub(g.Lattice.Origin)
	for range samples {
		p := g.Lattice.Origin.Add(mgl64.Vec2{r.Float64() * side[0], r.Float64() * side[1]})
		got, want := v.Query(p), reference.Query(p)
		if got.State != want.State || got.State == Reached && math.Abs(got.Distance-want.Distance) > v.Tolerance(want.Distance) {
			t.Fatalf("query at %v: %v, want %v", p, got, want)
		}
		switch {
		case got.State != Reached:
		case goal.Segments != nil:
			checkWay(t, g, v, goal, p, want.Distance)
		default:
			exacttest.CheckPath(t, g, v, p, want.Distance, v.Tolerance(want.Distance))
		}
	}
	return v
}

// checkLipschitz checks pairs of texels for what every distance field obeys, however computed
// it: along a free segment it changes by no more than the segment's length.
func checkLipschitz(t *testing.T, m *Map, samples int) {
	t.Helper()
	g, e := m.Ground(0), m.Extent
	field := make([][4]float32, e.Columns*e.Rows)
	m.Field.Read(0, field)
	r := rand.New(rand.NewPCG(3, 4))
	texel := func() (mgl64.Vec2, geom.Point, [4]float32) {
		column, row := r.IntN(e.Columns), r.IntN(e.Rows)
		x, y := e.Center(column, row)
		return mgl64.Vec2{x, y}, e.Lattice(column, row), field[row*e.Columns+column]
	}
	for range samples {
		p, onP, fp := texel()
		q, onQ, fq := texel()
		if State(fp[3]) != Reached || State(fq[3]) == Obstacle {
			continue
		}
		for _, s := range g.Sectors(onP) {
			if !g.LitClosed(s, onQ) {
				continue
			}
			// Both distances may be off by the map's accuracy.
			gap, apart := math.Abs(float64(fp[2])-float64(fq[2])), p.Sub(q).Len()
			if !(gap <= apart+2*exact.Accuracy*(float64(fp[2])+g.Lattice.Length())) {
				t.Fatalf("texels at %v and %v are in sight, %v apart, and their distances differ by %v", p, q, apart, gap)
			}
		}
	}
}

// TestValidateFindsFaults spoils a map in each manner that Validate names.
func TestValidateFindsFaults(t *testing.T) {
	g := ground(t, [4]float64{0, 0, 40, 20}, box(10, 5, 30, 15))
	goal := Goal{Points: []mgl64.Vec2{{5, 10}}}
	gputest.Run(t, func(d *gpu.Device) {
		b, m, _ := build(t, d, Wavefront, g, goal, 40)
		defer b.Delete()
		defer m.Delete()
		field, parents := make([][4]float32, 40*20), make([]uint32, 40*20)
		records := make([]Generator, m.Stride)
		for name, spoil := range map[string]func(){
			"distance too long":      func() { field[3*40+3][2] += 0.01 },
			"distance not a number":  func() { field[3*40+3][2] = float32(math.NaN()) },
			"free texel in obstacle": func() { field[10*40+20][3] = float32(Reached) },
			"texel not reached":      func() { field[3*40+3][3] = float32(Unreached) },
			"parent behind a wall":   func() { parents[10*40+38] = 0 },
			"parent place":           func() { field[3*40+3][0] += 1 },
			"no parent":              func() { parents[3*40+3] = NoParent },
			"corner distance":        func() { records[1].Distance *= 0.99 },
		} {
			if err := b.Build(m, Change{Goal: goal}); err != nil {
				t.Fatal(err)
			}
			m.Field.Read(0, field)
			m.Parents.Read(0, parents)
			m.Generators.Read(0, records)
			spoil()
			m.Field.Write(0, field)
			m.Parents.Write(0, parents)
			m.Generators.Write(0, records)
			if err := m.Validate(0, 1); err == nil {
				t.Errorf("%s: Validate says %v", name, err)
			}
		}
		if err := b.Build(m, Change{Goal: goal}); err != nil {
			t.Fatal(err)
		}
		if err := m.Validate(0, 1); err != nil {
			t.Errorf("unspoilt: %v", err)
		}
	})
}

// TestSameBytes builds twice, from differently ordered input, and compares every byte.
func TestSameBytes(t *testing.T) {
	for _, name := range []string{"concave2", "profiling2"} {
		byMethod(t, name, func(t *testing.T, d *gpu.Device, method Method) {
			s, err := builtin.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			var first []byte
			for run := range 2 {
				if run == 1 {
					slices.Reverse(s.Obstacles)
				}
				g, err := s.Ground()
				if err != nil {
					t.Fatal(err)
				}
				b, m, _ := build(t, d, method, g, Goal{Points: s.Goals[0].Points}, testSize)
				got := dump(t, m)
				m.Delete()
				b.Delete()
				if run == 0 {
					first = got
				} else if !bytes.Equal(first, got) {
					t.Error("two builds differ")
				}
			}
		})
	}
}

// TestMethodsAgree compares the maps of both methods texel by texel: distances to rounding, and
// states exactly.
func TestMethodsAgree(t *testing.T) {
	for _, name := range []string{"concave2", "spiral", "profiling3"} {
		g, goal := sceneGround(t, name)
		gputest.Run(t, func(d *gpu.Device) {
			var fields [2][][4]float32
			for method := range Methods {
				b, m, _ := build(t, d, Method(method), g, goal, testSize)
				fields[method] = make([][4]float32, m.Extent.Columns*m.Extent.Rows)
				m.Field.Read(0, fields[method])
				m.Delete()
				b.Delete()
			}
			for i, f := range fields[0] {
				// A hundred edges of 2^-24 each.
				if h := fields[1][i]; f[3] != h[3] || f[2] != h[2] && !(math.Abs(float64(f[2]-h[2])) <= float64(f[2])/(1<<17)) {
					t.Fatalf("%s: texel %d is %v by wavefront, %v by sequential", name, i, f, h)
				}
			}
		})
	}
}

// dump is everything that readers of a map's first layer see.
func dump(t *testing.T, m *Map) []byte {
	t.Helper()
	return dumpLayer(t, m, 0)
}

// dumpLayer is everything that readers of a layer see.
func dumpLayer(t *testing.T, m *Map, layer int) []byte {
	t.Helper()
	var all bytes.Buffer
	field := make([][4]float32, m.Extent.Columns*m.Extent.Rows)
	m.Field.Read(layer, field)
	parents := make([]uint32, m.Extent.Columns*m.Extent.Rows)
	m.Parents.Read(layer, parents)
	generators := make([]Generator, m.Sources+len(m.Ground(layer).Corners))
	m.Generators.Read(layer*m.Stride, generators)
	for _, v := range []any{field, parents, generators} {
		if err := binary.Write(&all, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	return all.Bytes()
}

// TestLayers builds two goals into one map and rebuilds one: the other stays as it was.
func TestLayers(t *testing.T) {
	g := ground(t, [4]float64{0, 0, 40, 20}, box(10, 5, 30, 15))
	goals := []Goal{{Points: []mgl64.Vec2{{5, 10}, {6, 10}}}, {Points: []mgl64.Vec2{{35, 10}}}}
	gputest.Run(t, func(d *gpu.Device) {
		b, err := NewBuilder(d, Wavefront)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Delete()
		m := newMap(t, b, g, 100, goals...)
		defer m.Delete()
		for i, goal := range goals {
			if err := b.Build(m, Change{Layer: i, Goal: goal}); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.Build(m, Change{Layer: 1, Goal: Goal{Points: []mgl64.Vec2{{20, 2}}}}); err != nil {
			t.Fatal(err)
		}
		if d := m.View(0).Query(mgl64.Vec2{5, 2}).Distance; d != 8 {
			t.Errorf("layer 0 says %v, want 8", d)
		}
		if d := m.View(1).Query(mgl64.Vec2{5, 2}).Distance; d != 15 {
			t.Errorf("layer 1 says %v, want 15", d)
		}
		// A refusal leaves both layers as they were.
		bad := Goal{Points: []mgl64.Vec2{{20, 10}}}
		if err := b.Build(m, Change{Layer: 0}, Change{Layer: 1, Goal: bad}); err == nil {
			t.Errorf("goal %v was accepted", bad)
		}
		for layer, want := range []float64{8, 15} {
			if d := m.View(layer).Query(mgl64.Vec2{5, 2}).Distance; d != want {
				t.Errorf("after a refusal layer %d says %v, want %v", layer, d, want)
			}
		}
		// No source at all: nothing is reached, and nothing hangs.
		if err := b.Build(m, Change{Layer: 1}); err != nil {
			t.Fatal(err)
		}
		if a := m.View(1).Query(mgl64.Vec2{5, 2}); a.State != Unreached {
			t.Errorf("without sources: %v", a)
		}
	})
}

// TestMapTooLarge asks for more texels than there can be.
func TestMapTooLarge(t *testing.T) {
	g := ground(t, [4]float64{0, 0, 10, 1})
	gputest.Run(t, func(d *gpu.Device) {
		b, err := NewBuilder(d, Wavefront)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Delete()
		for _, size := range []int{MaxSize + 1, 1 << 20} {
			var full *gpu.CapacityError
			if _, err := b.NewMap(MapSpec{Extent: NewExtent(10, 1, size), Grounds: []*geom.Ground{g}, Sources: 1}); !errors.As(err, &full) || full.Needed != int64(size) {
				t.Errorf("a map of %d texels gave %v", size, err)
			}
		}
	})
}

// TestOddGrounds builds maps of grounds without obstacles, without free ground, and with a source
// walled in.
func TestOddGrounds(t *testing.T) {
	byMethod(t, "", func(t *testing.T, d *gpu.Device, method Method) {
		for _, size := range []int{1, 2, 63, 64, 65, 127} {
			checkMap(t, d, method, ground(t, [4]float64{0, 0, 3, 2}), Goal{Points: []mgl64.Vec2{{1, 1}}}, size, 50)
		}
		walled := ground(t, [4]float64{0, 0, 10, 10}, box(2, 2, 8, 3), box(2, 7, 8, 8), box(2, 2, 3, 8), box(7, 2, 8, 8))
		checkMap(t, d, method, walled, Goal{Points: []mgl64.Vec2{{5, 5}}}, 100, 200)
		checkMap(t, d, method, walled, Goal{Points: []mgl64.Vec2{{1, 1}}}, 100, 200)
		checkMap(t, d, method, ground(t, [4]float64{0, 0, 10, 10}, box(0, 0, 10, 10)), Goal{}, 50, 10)
	})
}
