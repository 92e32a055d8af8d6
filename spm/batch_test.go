package spm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/spm/exact"
	"github.com/wayfront/wayfront/spm/exact/exacttest"
)

// awkward are points where answers go wrong first: vertices, points on walls and a few lattice
// steps beside them, texel borders and centers, anywhere, outside, and no points at all.
func awkward(g *geom.Ground, r *rand.Rand, n int) []mgl64.Vec2 {
	l := g.Lattice
	side := l.World(l.Size).Sub(l.Origin)
	extent := NewExtent(side[0], side[1], testSize)
	nan, inf := math.NaN(), math.Inf(1)
	points := []mgl64.Vec2{
		{nan, nan},
		{nan, l.Origin[1]},
		{inf, l.Origin[1]},
		{-inf, inf},
		{math.MaxFloat64, 0},
		{1e300, nan},
		l.Origin, l.Origin.Add(side), l.Origin.Sub(side), l.Origin.Add(side.Mul(2)),
		l.Origin.Sub(mgl64.Vec2{l.Step / 4, 0}), l.Origin.Add(mgl64.Vec2{side[0] + l.Step/4, 0}),
	}
	anywhere := func() mgl64.Vec2 {
		return l.Origin.Add(mgl64.Vec2{r.Float64() * side[0], r.Float64() * side[1]})
	}
	for len(points) < n {
		p := anywhere()
		if len(g.Walls) > 0 && r.IntN(2) == 0 {
			w := g.Walls[r.IntN(len(g.Walls))]
			a, b := l.World(g.Vertices[w.A]), l.World(g.Vertices[w.B])
			switch r.IntN(3) {
			case 0:
				p = g.Place(g.Vertices[w.A])
			case 1:
				p = a.Add(b.Sub(a).Mul(r.Float64()))
			default: // some steps off, to the sides of what SnapSlack reaches
				p = a.Add(b.Sub(a).Mul(r.Float64())).Add(mgl64.Vec2{(10*r.Float64() - 5) * l.Step, (10*r.Float64() - 5) * l.Step})
			}
		} else if r.IntN(4) == 0 {
			column, row := r.IntN(extent.Columns), r.IntN(extent.Rows)
			p = l.Origin.Add(mgl64.Vec2{float64(column), float64(row)}.Mul(extent.Cell))
			if r.IntN(2) == 0 {
				p = p.Add(mgl64.Vec2{extent.Cell / 2, extent.Cell / 2})
			}
		}
		points = append(points, p)
	}
	return points
}

// TestBatch compares batches of questions with View.Query, on the reference and on the map's own
// view.
func TestBatch(t *testing.T) {
	test := func(name string, scene func(t testing.TB) (*geom.Ground, Goal)) {
		t.Run(name, func(t *testing.T) {
			g, goal := scene(t)
			gputest.Run(t, func(d *gpu.Device) {
				b, m, reference := build(t, d, Wavefront, g, goal, 50)
				defer b.Delete()
				defer m.Delete()
				checkBatch(t, d, m, reference, 700)
			})
		})
	}
	for _, name := range table1 {
		test(name, func(t testing.TB) (*geom.Ground, Goal) { return sceneGround(t, name) })
	}
	for _, k := range exacttest.Known {
		test(k.Name, func(t testing.TB) (*geom.Ground, Goal) {
			return ground(t, k.Domain, k.Obstacles...), Goal{Points: []mgl64.Vec2{k.Source}}
		})
	}
	for seed := range uint64(40) {
		test(fmt.Sprint(seed), func(t testing.TB) (*geom.Ground, Goal) { return randomScene(t, seed) })
	}
	test("no source", func(t testing.TB) (*geom.Ground, Goal) {
		return ground(t, [4]float64{0, 0, 20, 10}, box(3, 3, 5, 5)), Goal{}
	})
	test("a side shut off", func(t testing.TB) (*geom.Ground, Goal) {
		return ground(t, [4]float64{0, 0, 20, 10}, box(9, 0, 11, 10), box(3, 3, 5, 5), box(14, 3, 15, 5)), Goal{Points: []mgl64.Vec2{{2, 2}}}
	})
	test("a passage thinner than a texel", func(t testing.TB) (*geom.Ground, Goal) {
		return ground(t, [4]float64{0, 0, 100, 100}, box(50, 0, 51, 49.99), box(50, 50, 51, 100)), Goal{Points: []mgl64.Vec2{{80, 10}, {81, 99}}}
	})
	test("all covered", func(t testing.TB) (*geom.Ground, Goal) {
		return ground(t, [4]float64{0, 0, 10, 10}, box(-1, -1, 11, 11)), Goal{}
	})
}

// TestBatchOfSegments asks about goals with segments. The layer's records are those of the
// reference, whatever methods make of segments.
func TestBatchOfSegments(t *testing.T) {
	test := func(name string, g *geom.Ground, goal Goal) {
		t.Run(name, func(t *testing.T) {
			reference, err := exact.Solve(g, goal)
			if err != nil {
				t.Fatal(err)
			}
			gputest.Run(t, func(d *gpu.Device) {
				b, err := NewBuilder(d, Wavefront)
				if err != nil {
					t.Fatal(err)
				}
				defer b.Delete()
				m := newMap(t, b, g, 20, goal)
				defer m.Delete()
				sources, err := exact.Sources(g, goal)
				if err != nil {
					t.Fatal(err)
				}
				records := layerRecords(g, sources, m.Sources, m.Stride)
				for i := range g.Corners {
					_, distance, parent := reference.Corner(i)
					records[m.Sources+i].Distance = float32(distance)
					if parent >= len(sources) {
						records[m.Sources+i].Parent = uint32(m.Sources + parent - len(sources))
					} else if parent >= 0 {
						records[m.Sources+i].Parent = uint32(parent)
					}
				}
				m.Generators.Write(0, records)
				m.layers[0].sources = sources
				checkBatch(t, d, m, reference, 700)
			})
		})
	}
	for _, s := range segmentScenes {
		test(s.name, ground(t, s.domain, s.obstacles...), s.goal)
	}
	for seed := range uint64(30) {
		g, goal := randomSegments(t, seed)
		test(fmt.Sprint(seed), g, goal)
	}
}

func checkBatch(t *testing.T, d *gpu.Device, m *Map, reference *View, n int) {
	t.Helper()
	batch, err := NewBatch(d, m)
	if err != nil {
		t.Fatal(err)
	}
	defer batch.Delete()
	points := awkward(m.Ground(0), rand.New(rand.NewPCG(5, 6)), n)
	answers, err := batch.Query(0, points)
	if err != nil {
		t.Fatal(err)
	}
	own := m.View(0)
	for i, p := range points {
		got, want := answers[i], reference.Query(p)
		tolerance := reference.Tolerance(want.Distance)
		if got.State != want.State {
			t.Fatalf("state at %v is %v, want %v", p, got.State, want.State)
		}
		if got.State != Reached {
			if !math.IsNaN(got.Distance) == (got.State == Obstacle) || math.IsInf(got.Distance, 1) != (got.State == Unreached) || got.Node != -1 {
				t.Fatalf("at %v: %+v", p, got)
			}
			continue
		}
		if !(math.Abs(got.Distance-want.Distance) <= tolerance) {
			t.Fatalf("distance at %v is %v, want %v", p, got.Distance, want.Distance)
		}
		// The parent is in sight, and the path over it is a shortest one.
		over := own.Over(got.Node, p)
		if over.Parent != got.Parent || !seesNode(m, p, got.Node) {
			t.Fatalf("the parent of %v, %v, is not in sight", p, got.Parent)
		}
		if !(math.Abs(over.Distance-want.Distance) <= tolerance) {
			t.Fatalf("over the parent of %v the path is %v, want %v", p, over.Distance, want.Distance)
		}
	}
}

// seesNode reports whether a world point sees a node, by brute force.
func seesNode(m *Map, p mgl64.Vec2, node int) bool {
	g, sources := m.Ground(0), m.layers[0].sources
	return slices.ContainsFunc(sectorsAt(g, p), func(s geom.Sector) bool {
		if node >= len(sources) {
			return g.Sees(g.Corners[node-len(sources)], s)
		}
		if b, ok := sources[node].LightField(); ok {
			return g.SeesFrom(b, s)
		}
		return g.Sees(sources[node].Sector, s)
	})
}

// TestBatchStack gives threads next to no memory: the replies are the same, to the last bit but for
// what they cost.
func TestBatchStack(t *testing.T) {
	g, goal := sceneGround(t, "profiling6")
	gputest.Run(t, func(d *gpu.Device) {
		b, m, _ := build(t, d, Wavefront, g, goal, 50)
		defer b.Delete()
		defer m.Delete()
		batch, err := NewBatch(d, m)
		if err != nil {
			t.Fatal(err)
		}
		defer batch.Delete()
		points := awkward(g, rand.New(rand.NewPCG(7, 8)), 3000)
		ask := func() (replies []Reply, most uint32) {
			if _, err := batch.Query(0, points); err != nil {
				t.Fatal(err)
			}
			replies = make([]Reply, len(points))
			batch.replies.Read(0, replies)
			for i := range replies {
				most = max(most, replies[i].Windows)
				replies[i].Windows = 0
			}
			return replies, most
		}
		want, roomy := ask()
		if again, _ := ask(); !slices.Equal(again, want) {
			t.Error("the same questions got other replies the second time")
		}
		for _, depth := range []int{1, 2, 5} {
			l := loader{device: d, more: map[string]any{"QUERY_DEPTH": depth, "KEEPS": false}}
			if load(&l, &batch.query, "query"); l.err != nil {
				t.Fatal(l.err)
			}
			got, most := ask()
			if most <= roomy {
				t.Errorf("with a stack of %d windows no question took more than %d of them", depth, most)
			}
			// Another order finds another first of two that are equal within rounding.
			for i := range got {
				same := got[i].State == want[i].State && (got[i].State != uint32(Reached) ||
					math.Abs(float64(got[i].Distance)-float64(want[i].Distance)) <= float64(want[i].Distance)/(1<<20)+16*g.Lattice.Step)
				if !same {
					t.Fatalf("with a stack of %d windows the reply at %v is %+v, want %+v", depth, points[i], got[i], want[i])
				}
			}
		}
	})
}

// TestDispatch asks in place: points and replies stay on the device, two layers have grounds of
// their own, and one of them is built anew with other walls.
func TestDispatch(t *testing.T) {
	domain := [4]float64{-900, -500, 1100, 500}
	open, narrow := ground(t, domain, box(0, -500, 100, 400)), ground(t, domain, box(-50, -500, 150, 450), box(-700, -300, -600, 300))
	goal := Goal{Points: []mgl64.Vec2{{-800, -400}, {900, 400}}}
	gputest.Run(t, func(d *gpu.Device) {
		b, err := NewBuilder(d, Wavefront)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Delete()
		m, err := b.NewMap(MapSpec{Extent: NewExtent(2000, 1000, 40), Grounds: []*geom.Ground{open, narrow}, Sources: 2, Corners: 20})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Delete()
		batch, err := NewBatch(d, m)
		if err != nil {
			t.Fatal(err)
		}
		defer batch.Delete()
		const n = 1000
		points, err := gpu.NewBuffer[[2]float32](d, "points", n)
		if err != nil {
			t.Fatal(err)
		}
		defer points.Delete()
		replies, err := gpu.NewBuffer[Reply](d, "replies", n+1)
		if err != nil {
			t.Fatal(err)
		}
		defer replies.Delete()
		world := awkward(narrow, rand.New(rand.NewPCG(9, 10)), n)
		local := make([][2]float32, n)
		for i, p := range world {
			local[i] = [2]float32{float32(p[0] + 900), float32(p[1] + 500)}
			world[i] = mgl64.Vec2{float64(local[i][0]) - 900, float64(local[i][1]) - 500}
			for k, side := range [2]float64{2000, 1000} { // within half a step: on the border
				if v, half := float64(local[i][k]), narrow.Lattice.Step/2; v >= -half && v < side+half {
					world[i][k] = domain[k] + min(max(v, 0), side)
				}
			}
		}
		points.Write(0, local)
		check := func(layer int, g *geom.Ground, goal Goal) {
			t.Helper()
			reference, err := exact.Solve(g, goal)
			if err != nil {
				t.Fatal(err)
			}
			replies.Fill(0xabababab)
			reads := d.Readbacks()
			if err := batch.Dispatch(layer, points, replies, n); err != nil {
				t.Fatal(err)
			}
			if d.Readbacks() != reads {
				t.Error("Dispatch reads back")
			}
			got := make([]Reply, n+1)
			replies.Read(0, got)
			if got[n].State != 0xabababab {
				t.Error("Dispatch wrote a reply to no question")
			}
			for i, p := range world {
				want := reference.Query(p)
				r := got[i]
				if State(r.State) != want.State {
					t.Fatalf("layer %d: the state at %v is %d, want %d", layer, p, r.State, want.State)
				}
				if want.State != Reached {
					if !math.IsInf(float64(r.Distance), 1) || r.Parent != NoParent {
						t.Fatalf("layer %d: the reply at %v is %+v", layer, p, r)
					}
					continue
				}
				place := mgl64.Vec2{float64(r.Place[0]) - 900, float64(r.Place[1]) - 500}
				over := reference.Query(place).Distance + p.Sub(place).Len()
				if tolerance := reference.Tolerance(want.Distance); math.Abs(float64(r.Distance)-want.Distance) > tolerance || math.Abs(over-want.Distance) > tolerance {
					t.Fatalf("layer %d: at %v the distance is %v, over the parent %v, want %v", layer, p, r.Distance, over, want.Distance)
				}
			}
		}
		change := func(changes ...Change) {
			t.Helper()
			if err := b.Build(m, changes...); err != nil {
				t.Fatal(err)
			}
		}
		check(0, open, Goal{}) // not built yet: nothing is reached
		change(Change{Layer: 0, Goal: goal}, Change{Layer: 1, Goal: goal})
		check(0, open, goal)
		check(1, narrow, goal)
		one := Goal{Points: goal.Points[1:]}
		change(Change{Layer: 0, Goal: one})
		check(0, open, one)
		change(Change{Layer: 0, Ground: narrow, Goal: one})
		check(0, narrow, one)
		check(1, narrow, goal)
		if err := batch.Dispatch(1, points, replies, 0); err != nil {
			t.Error(err)
		}
	})
}

// TestBatchSight compares sight between pairs with geom.Ground.InSight, from Go and in place.
func TestBatchSight(t *testing.T) {
	for seed := range uint64(12) {
		g, goal := randomScene(t, seed)
		gputest.Run(t, func(d *gpu.Device) {
			b, m, _ := build(t, d, Wavefront, g, goal, 50)
			defer b.Delete()
			defer m.Delete()
			batch, err := NewBatch(d, m)
			if err != nil {
				t.Fatal(err)
			}
			defer batch.Delete()
			r := rand.New(rand.NewPCG(seed, 12))
			points := awkward(g, r, 600)
			pairs := make([][2]mgl64.Vec2, 1000)
			local := make([][4]float32, len(pairs))
			for i := range pairs {
				pairs[i] = [2]mgl64.Vec2{points[r.IntN(len(points))], points[r.IntN(len(points))]}
				for k, p := range pairs[i] {
					at, ok := g.Standing(p)
					if !ok {
						at = geom.Point{}
					}
					place := g.Lattice.Local(at)
					local[i][2*k], local[i][2*k+1] = place[0], place[1]
				}
			}
			seen, err := batch.InSight(0, pairs)
			if err != nil {
				t.Fatal(err)
			}
			counts := map[bool]int{}
			for i, pair := range pairs {
				want := exact.InSight(g, pair[0], pair[1])
				counts[want]++
				if seen[i] != want {
					t.Fatalf("seed %d: %v and %v are in sight: %v, want %v", seed, pair[0], pair[1], seen[i], want)
				}
			}
			if counts[true] < 50 || counts[false] < 50 {
				t.Errorf("seed %d: the cases are one-sided: %v", seed, counts)
			}

			places, err := gpu.NewBuffer[[4]float32](d, "pairs", len(pairs))
			if err != nil {
				t.Fatal(err)
			}
			defer places.Delete()
			places.Write(0, local)
			sights, err := gpu.NewBuffer[uint32](d, "sights", len(pairs))
			if err != nil {
				t.Fatal(err)
			}
			defer sights.Delete()
			if err := batch.DispatchSight(0, places, sights, len(pairs)); err != nil {
				t.Fatal(err)
			}
			got := make([]uint32, len(pairs))
			sights.Read(0, got)
			for i, l := range local {
				// A lattice point's local place is nearest to that point again.
				world := func(x, y float32) mgl64.Vec2 {
					return g.Lattice.World(g.Lattice.Snap(g.Lattice.Origin.Add(mgl64.Vec2{float64(x), float64(y)})))
				}
				a, b := world(l[0], l[1]), world(l[2], l[3])
				if want := exact.InSight(g, a, b); (got[i] == 1) != want || got[i] > 1 {
					t.Fatalf("seed %d: %v and %v are in sight: %d, want %v", seed, a, b, got[i], want)
				}
			}
		})
	}
}

// BenchmarkBatch asks about a million points at once, and compares every thousandth answer with
// View.Query, whose time for a point is reported as well.
func BenchmarkBatch(b *testing.B) {
	const n = 1_000_000
	for _, name := range []string{"profiling6", "octagons-1600", "plaza"} {
		b.Run(name, func(b *testing.B) {
			g, goal := sceneGround(b, name)
			gputest.Run(b, func(d *gpu.Device) {
				builder, m, _ := build(b, d, Wavefront, g, goal, 50)
				defer builder.Delete()
				defer m.Delete()
				batch, err := NewBatch(d, m)
				if err != nil {
					b.Fatal(err)
				}
				defer batch.Delete()
				r := rand.New(rand.NewPCG(13, 14))
				points := make([]mgl64.Vec2, n)
				for i := range points {
					points[i] = g.Lattice.Origin.Add(mgl64.Vec2{r.Float64(), r.Float64()}.Mul(g.Lattice.Length()))
				}
				if _, err := batch.Query(0, points[:1]); err != nil { // drivers compile at the first run
					b.Fatal(err)
				}
				var answers []Answer
				for b.Loop() {
					if answers, err = batch.Query(0, points); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*b.N), "ns/point")

				v := m.View(0)
				start := time.Now()
				for i := 0; i < n; i += 1000 {
					want := v.Query(points[i])
					if got := answers[i]; got.State != want.State || got.State == Reached && !(math.Abs(got.Distance-want.Distance) <= v.Tolerance(want.Distance)) {
						b.Fatalf("at %v: %v, want %v", points[i], got, want)
					}
				}
				b.ReportMetric(float64(time.Since(start).Nanoseconds())/(n/1000), "ns/point-by-view")
			})
		})
	}
}

// TestBatchPasses asks few questions at a time, in passes of few turns: the same replies, to the
// last bit.
func TestBatchPasses(t *testing.T) {
	for _, name := range []string{"profiling3", "spiral"} {
		g, goal := sceneGround(t, name)
		goal.Segments = append(goal.Segments, [2]mgl64.Vec2{g.Lattice.Origin, g.Lattice.World(g.Lattice.Size)})
		gputest.Run(t, func(d *gpu.Device) {
			b, m, _ := build(t, d, Wavefront, g, goal, 50)
			defer b.Delete()
			defer m.Delete()
			batch, err := NewBatch(d, m)
			if err != nil {
				t.Fatal(err)
			}
			defer batch.Delete()
			points := awkward(g, rand.New(rand.NewPCG(7, 8)), 500)
			pairs := make([][2]mgl64.Vec2, len(points))
			for i := range pairs {
				pairs[i] = [2]mgl64.Vec2{points[i], points[(7*i+1)%len(points)]}
			}
			ask := func() ([]Reply, []bool) {
				if _, err := batch.Query(0, points); err != nil {
					t.Fatal(err)
				}
				replies := make([]Reply, len(points))
				batch.replies.Read(0, replies)
				seen, err := batch.InSight(0, pairs)
				if err != nil {
					t.Fatal(err)
				}
				return replies, seen
			}
			replies, seen := ask()
			for _, turns := range []uint32{5, 60} {
				batch.length, batch.turns = 64+int(turns), turns
				again, seenAgain := ask()
				if !slices.Equal(replies, again) || !slices.Equal(seen, seenAgain) {
					t.Errorf("%s: with passes of %d turns there are other replies", name, turns)
				}
			}
		})
	}
}
