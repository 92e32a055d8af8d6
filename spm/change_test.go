package spm

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/spm/exact"
)

// hall is a ground of one domain whose obstacles differ by number, with different numbers of
// corners; every third has an area that is walled in.
func hall(t testing.TB, number int) *geom.Ground {
	t.Helper()
	obstacles := []geom.Ring{box(10, 5, 30, 15)}
	for i := range number {
		x := float64(2 + 3*i)
		obstacles = append(obstacles, box(x, 1, x+1, 3), box(x+1, 17, x+2, 19))
	}
	if number%3 == 2 {
		obstacles = append(obstacles, box(33, 6, 38, 7), box(33, 12, 38, 13), box(33, 6, 34, 13), box(37, 6, 38, 13))
	}
	return ground(t, [4]float64{0, 0, 40, 20}, obstacles...)
}

// goalOn is a goal of some points of a ground, the same for the same seed.
func goalOn(g *geom.Ground, seed uint64, points int) Goal {
	r := rand.New(rand.NewPCG(seed, 11))
	var goal Goal
	for len(goal.Points) < points {
		p := mgl64.Vec2{r.Float64() * 40, r.Float64() * 20}
		if _, err := exact.Sources(g, Goal{Points: []mgl64.Vec2{p}}); err == nil {
			goal.Points = append(goal.Points, p)
		}
	}
	return goal
}

// alone is the dump of a map of one layer, made by its own builder, with the rooms of another map.
func alone(t *testing.T, d *gpu.Device, method Method, like *Map, c Change) []byte {
	t.Helper()
	b, err := NewBuilder(d, method)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Delete()
	m, err := b.NewMap(MapSpec{Extent: like.Extent, Grounds: []*geom.Ground{c.Ground}, Sources: like.Sources})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Delete()
	if err := b.Build(m, Change{Goal: c.Goal}); err != nil {
		t.Fatal(err)
	}
	return dump(t, m)
}

func mapOf(t *testing.T, b *Builder, s MapSpec) *Map {
	t.Helper()
	s.Extent = NewExtent(40, 20, 60)
	m, err := b.NewMap(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func builderOf(t *testing.T, d *gpu.Device, method Method) *Builder {
	t.Helper()
	b, err := NewBuilder(d, method)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// checkLayers compares every changed layer with a map of its own, to the last byte.
func checkLayers(t *testing.T, d *gpu.Device, method Method, m *Map, changes []Change) {
	t.Helper()
	for _, c := range changes {
		if !bytes.Equal(dumpLayer(t, m, c.Layer), alone(t, d, method, m, c)) {
			t.Errorf("layer %d differs from a map of its own", c.Layer)
		}
	}
}

// TestManyLayersTogether builds 70 layers on seven grounds in one batch, and then every third of
// them on another ground.
func TestManyLayersTogether(t *testing.T) {
	var halls []*geom.Ground
	for i := range 7 {
		halls = append(halls, hall(t, i))
	}
	byMethod(t, "", func(t *testing.T, d *gpu.Device, method Method) {
		b := builderOf(t, d, method)
		defer b.Delete()
		spec := MapSpec{Sources: 5}
		var changes []Change
		for layer := range 70 {
			g := halls[layer%len(halls)]
			spec.Grounds = append(spec.Grounds, g)
			changes = append(changes, Change{Layer: layer, Ground: g, Goal: goalOn(g, uint64(layer), 1+layer%3)})
		}
		m := mapOf(t, b, spec)
		defer m.Delete()
		if got := b.Stats().Grounds; got != len(halls) {
			t.Errorf("%d grounds were uploaded, want %d", got, len(halls))
		}
		if err := b.Build(m, changes...); err != nil {
			t.Fatal(err)
		}
		checkLayers(t, d, method, m, changes)
		var again []Change
		for layer := 0; layer < 70; layer += 3 {
			g := halls[(layer+1)%len(halls)]
			changes[layer] = Change{Layer: layer, Ground: g, Goal: goalOn(g, uint64(100+layer), 2)}
			again = append(again, changes[layer])
		}
		if err := b.Build(m, again...); err != nil {
			t.Fatal(err)
		}
		checkLayers(t, d, method, m, changes)
	})
}

// TestTooMuchForOneFlight has shaders see so little that layers have to spread one part after the
// other. They are new at once all the same.
func TestTooMuchForOneFlight(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		b := builderOf(t, d, Wavefront)
		defer b.Delete()
		spec := MapSpec{Sources: 4}
		var changes []Change
		for layer := range 9 {
			g := hall(t, layer%4)
			spec.Grounds = append(spec.Grounds, g)
			changes = append(changes, Change{Layer: layer, Ground: g, Goal: goalOn(g, uint64(layer), 2)})
		}
		m := mapOf(t, b, spec)
		defer m.Delete()
		b.wavefront.guess = func(int) capacities { return capacities{windows: 1, offers: 1, lit: 1} }
		b.wavefront.most = sizeOf[Generator](2*m.Stride + 1)
		before := dumpLayer(t, m, 0)
		if err := b.Begin(m, changes...); err != nil {
			t.Fatal(err)
		}
		batches := map[*layerBatch]bool{}
		for {
			batches[b.building.batches[b.building.at]] = true
			if !bytes.Equal(before, dumpLayer(t, m, 0)) {
				t.Fatal("a layer is new before all are")
			}
			done, err := b.Advance()
			if err != nil {
				t.Fatal(err)
			}
			if done {
				break
			}
		}
		if len(batches) < 5 {
			t.Errorf("nine layers, of which two fit, took %d batches", len(batches))
		}
		checkLayers(t, d, Wavefront, m, changes)
	})
}

// TestReadersKeepTheOldMap takes a build on by hand, with other work on the device in between:
// until it is done the map is as it was, to the last byte, and then as a fresh one. Nothing is read
// back.
func TestReadersKeepTheOldMap(t *testing.T) {
	g, goal := sceneGround(t, "profiling3")
	moved := Goal{Points: []mgl64.Vec2{goal.Points[0].Add(mgl64.Vec2{0.3, 0.2})}}
	gputest.Run(t, func(d *gpu.Device) {
		b, m, _ := build(t, d, Wavefront, g, goal, testSize)
		defer b.Delete()
		defer m.Delete()
		old := dump(t, m)
		other, otherMap, _ := build(t, d, Wavefront, hall(t, 3), goalOn(hall(t, 3), 1, 2), 100)
		defer other.Delete()
		defer otherMap.Delete()
		otherDump := dump(t, otherMap)

		for _, small := range []bool{false, true} {
			if small {
				dropQueues(b.wavefront)
				b.wavefront.guess = func(int) capacities { return capacities{windows: 1, offers: 1, lit: 1} }
			}
			builds := m.Builds(0)
			if err := b.Begin(m, Change{Goal: moved}); err != nil {
				t.Fatal(err)
			}
			steps, reads := 0, int64(0)
			for {
				if !bytes.Equal(old, dump(t, m)) || m.Builds(0) != builds {
					t.Fatalf("after %d steps the map is not the old one", steps)
				}
				if err := other.Build(otherMap, Change{Goal: goalOn(hall(t, 3), 1, 2)}); err != nil {
					t.Fatal(err)
				}
				before := d.Readbacks()
				done, err := b.Advance()
				reads += d.Readbacks() - before
				if err != nil {
					t.Fatal(err)
				}
				if done {
					break
				}
				steps++
			}
			if steps < 1 || reads != 0 {
				t.Errorf("the build took %d steps that were not its last, want some, and read back %d times, want none", steps, reads)
			}
			if !bytes.Equal(dump(t, m), alone(t, d, Wavefront, m, Change{Ground: g, Goal: moved})) {
				t.Error("the map differs from a fresh one")
			}
			if !bytes.Equal(otherDump, dump(t, otherMap)) {
				t.Error("the other builder's map differs")
			}
			if err := b.Build(m, Change{Goal: goal}); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(old, dump(t, m)) {
				t.Error("moved there and back the map differs")
			}
		}
		if done, err := b.Advance(); !done || err != nil {
			t.Errorf("without a build Advance says %v, %v", done, err)
		}
	})
}

// TestOnlyWhatChanged holds a moved source to uploading nothing of the ground, and grounds to being
// uploaded once.
func TestOnlyWhatChanged(t *testing.T) {
	byMethod(t, "", func(t *testing.T, d *gpu.Device, method Method) {
		b := builderOf(t, d, method)
		defer b.Delete()
		first, second := hall(t, 3), hall(t, 1)
		m := mapOf(t, b, MapSpec{Grounds: []*geom.Ground{first, first, first}, Sources: 2})
		defer m.Delete()
		names := func() []uint32 {
			return []uint32{m.Generators.Name(), m.Parents.Name(), m.Field.Name()}
		}
		was, bytesBefore := names(), m.Bytes()
		for _, step := range []struct {
			name     string
			changes  []Change
			uploaded int
		}{
			{"first build", []Change{{Layer: 0, Goal: goalOn(first, 1, 1)}, {Layer: 1, Goal: goalOn(first, 2, 1)}}, 0},
			{"source moved", []Change{{Layer: 0, Goal: goalOn(first, 3, 1)}}, 0},
			{"ground said, but the same", []Change{{Layer: 1, Ground: first, Goal: goalOn(first, 4, 2)}}, 0},
			{"another ground for two", []Change{{Layer: 0, Ground: second, Goal: goalOn(second, 5, 1)}, {Layer: 1, Ground: second}}, 1},
			{"one joins them", []Change{{Layer: 2, Ground: second, Goal: goalOn(second, 6, 1)}}, 0},
			{"back to one that no layer has", []Change{{Layer: 1, Ground: first}}, 1},
		} {
			before := b.Stats()
			if err := b.Build(m, step.changes...); err != nil {
				t.Fatal(err)
			}
			after := b.Stats()
			if after.Grounds-before.Grounds != step.uploaded || after.Layers-before.Layers != len(step.changes) {
				t.Errorf("%s: %d grounds uploaded, want %d; %d layers drawn, want %d",
					step.name, after.Grounds-before.Grounds, step.uploaded, after.Layers-before.Layers, len(step.changes))
			}
		}
		if !slices.Equal(was, names()) || m.Epoch() != 0 {
			t.Error("names changed without need")
		}
		if err := b.Build(m, Change{Layer: 0, Ground: first}, Change{Layer: 2, Ground: first}); err != nil {
			t.Fatal(err)
		}
		if got := m.Bytes(); got != bytesBefore {
			t.Errorf("back on the first ground the map takes %d bytes, at first %d", got, bytesBefore)
		}
	})
}

// TestMapGrows gives a layer more sources, and then more corners, than it has capacity for. Layers
// that did not change say the same.
func TestMapGrows(t *testing.T) {
	byMethod(t, "", func(t *testing.T, d *gpu.Device, method Method) {
		b := builderOf(t, d, method)
		defer b.Delete()
		small, large := hall(t, 0), hall(t, 8)
		m := mapOf(t, b, MapSpec{Grounds: []*geom.Ground{small, small}, Sources: 1})
		defer m.Delete()
		changes := []Change{{Layer: 0, Ground: small, Goal: goalOn(small, 1, 1)}, {Layer: 1, Ground: small, Goal: goalOn(small, 2, 1)}}
		if err := b.Build(m, changes...); err != nil {
			t.Fatal(err)
		}
		for i, next := range []Change{
			{Layer: 1, Ground: small, Goal: goalOn(small, 3, 4)},
			{Layer: 1, Ground: large, Goal: goalOn(large, 4, 2)},
			{Layer: 0, Ground: large, Goal: goalOn(large, 5, 30)},
		} {
			changes[next.Layer] = next
			if err := b.Build(m, next); err != nil {
				t.Fatal(err)
			}
			if m.Epoch() != uint64(i+1) {
				t.Errorf("grown %d times, the map is in epoch %d", i+1, m.Epoch())
			}
			checkLayers(t, d, method, m, changes)
			for layer := range m.Layers {
				if err := m.Validate(layer, 3); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// TestNoRoomForQueues has a build fail on its way: the map stays as it was, and the next build is
// right.
func TestNoRoomForQueues(t *testing.T) {
	g := hall(t, 3)
	gputest.Run(t, func(d *gpu.Device) {
		b, m, _ := build(t, d, Wavefront, g, goalOn(g, 1, 1), 60)
		defer b.Delete()
		defer m.Delete()
		want, builds := dump(t, m), m.Builds(0)
		b.wavefront.windows.Delete()
		b.wavefront.windows = nil
		b.wavefront.guess = func(int) capacities { return capacities{windows: 1, offers: 1 << 12, lit: 1 << 12} }
		if err := b.Begin(m, Change{Goal: goalOn(g, 2, 1)}); err != nil {
			t.Fatal(err)
		}
		b.building.batches[0].need.windows = int(d.Info().Limits.MaxStorageBlock)
		var full *gpu.CapacityError
		var corners *GroundError
		if err := b.Finish(); !errors.As(err, &full) || !errors.As(err, &corners) {
			t.Fatalf("queues that cannot be made gave %v", err)
		}
		if !bytes.Equal(want, dump(t, m)) || m.Builds(0) != builds {
			t.Error("after a build that failed the map is not as it was")
		}
		c := Change{Ground: g, Goal: goalOn(g, 3, 1)}
		if err := b.Build(m, c); err != nil {
			t.Fatal(err)
		}
		checkLayers(t, d, Wavefront, m, []Change{c})
	})
}

// TestTooManyLayers asks for more layers than an array of textures has.
func TestTooManyLayers(t *testing.T) {
	g := ground(t, [4]float64{0, 0, 10, 1})
	gputest.Run(t, func(d *gpu.Device) {
		b := builderOf(t, d, Wavefront)
		defer b.Delete()
		most := d.Info().Limits.MaxArrayLayers
		var full *gpu.CapacityError
		_, err := b.NewMap(MapSpec{Extent: NewExtent(10, 1, 10), Grounds: slices.Repeat([]*geom.Ground{g}, most+1), Sources: 1})
		if !errors.As(err, &full) || full.Needed != int64(most+1) || full.Limit != int64(most) {
			t.Errorf("a map of %d layers gave %v", most+1, err)
		}
	})
}

// TestMapBytes adds up what Map.Bytes promises a layer, a ground and the map to take.
func TestMapBytes(t *testing.T) {
	g, other := hall(t, 0), hall(t, 4)
	byMethod(t, "", func(t *testing.T, d *gpu.Device, method Method) {
		b := builderOf(t, d, method)
		defer b.Delete()
		m := mapOf(t, b, MapSpec{Grounds: []*geom.Ground{g, other, g}, Sources: 7, Corners: 100})
		defer m.Delete()
		texels := m.Extent.Columns * m.Extent.Rows
		want := 3*20*texels + 4*texels + 3*48*(7+100)
		if method == Sequential {
			want += 4 * texels
		}
		for _, g := range []*geom.Ground{g, other} {
			want += 48*len(g.Triangles) + 52*len(g.Corners) + 16*len(shadowCasters(g))
		}
		if got := m.Bytes(); got != int64(want) {
			t.Errorf("the map takes %d bytes, want %d", got, want)
		}
	})
}

// TestSkipFields compares views of maps that are made with fields and without.
func TestSkipFields(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		g := ground(t, [4]float64{0, 0, 100, 100}, squares(6)...)
		r := rand.New(rand.NewPCG(31, 3))
		goal, other := freeGoal(g, r, 5), freeGoal(g, r, 5)
		b, m, _ := build(t, d, Wavefront, g, goal, testSize)
		defer b.Delete()
		defer m.Delete()
		type corner struct {
			distance float64
			parent   int
		}
		corners := func(goal Goal) []corner {
			if err := b.Build(m, Change{Goal: goal}); err != nil {
				t.Fatal(err)
			}
			v, all := m.View(0), make([]corner, len(g.Corners))
			for i := range all {
				_, all[i].distance, all[i].parent = v.Corner(i)
			}
			return all
		}
		drawn, drawnOther := corners(goal), corners(other)
		b.SkipFields()
		if !slices.Equal(corners(goal), drawn) || !slices.Equal(corners(other), drawnOther) {
			t.Error("without fields the paths are others")
		}
	})
}
