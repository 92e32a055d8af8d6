package spm

import (
	"bytes"
	"errors"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// TestPages builds where shaders see little of a buffer, and where draws and loops are short: the
// same bytes, of one goal and of several layers, from points, many of which share triangles, and
// from a segment.
func TestPages(t *testing.T) {
	for name, little := range map[string]int64{"profiling3": 1 << 16, "spiral": 1 << 12} {
		g, goal := sceneGround(t, name)
		var many Goal
		for i := range 40 {
			many.Points = append(many.Points, goal.Points[0].Add(mgl64.Vec2{float64(i % 7), float64(i / 7)}.Mul(g.Lattice.Length()/500)))
		}
		low, high := g.Lattice.Origin, g.Lattice.World(g.Lattice.Size)
		goals := []Goal{goal, many, {Segments: [][2]mgl64.Vec2{{low, high}}}}
		gputest.Run(t, func(d *gpu.Device) {
			b := builderOf(t, d, Wavefront)
			defer b.Delete()
			m := newMap(t, b, g, testSize, goals...)
			defer m.Delete()
			var changes []Change
			for layer, goal := range goals {
				changes = append(changes, Change{Layer: layer, Goal: goal})
			}
			if err := b.Build(m, changes...); err != nil {
				t.Fatal(err)
			}
			want := dump(t, m)
			sees := b.wavefront.most
			for _, c := range []struct {
				name    string
				most    int64
				longest uint32
				lit     int
			}{
				{"small buffers", little, longestDraw, 1 << 14},
				{"short draws", sees, 100, 1 << 14},
				{"short draws from small buffers", little, 100, 1 << 14},
				{"a short first page", sees, longestDraw, 1},
			} {
				w := b.wavefront
				w.most, w.longest = c.most, c.longest
				w.guess = func(int) capacities { return capacities{windows: 1 << 9, offers: 1 << 10, lit: c.lit} }
				dropQueues(w)
				for _, h := range w.kept {
					free(h.buffers()...)
				}
				w.kept = nil
				if err := b.Build(m, changes...); err != nil {
					t.Fatalf("%s, %s: %v", name, c.name, err)
				}
				pages := len(w.lit)
				draws := uint32(0)
				for _, h := range w.kept {
					draws = max(draws, h.pieces.count)
				}
				if (c.most < sees || c.lit == 1) != (pages > 1) || (c.longest < longestDraw || c.most < sees) != (draws > 1) {
					t.Errorf("%s, %s: %d pages, %d draws", name, c.name, pages, draws)
				}
				largest := max(w.windows.Bytes(), w.offers.Bytes(), w.reach.Bytes())
				for _, p := range w.lit {
					largest = max(largest, p.Bytes())
				}
				for _, h := range w.kept {
					largest = max(largest, h.records.Bytes())
					for _, p := range h.shards {
						largest = max(largest, p.Bytes())
					}
				}
				if largest > c.most {
					t.Errorf("%s, %s: a buffer of %d bytes, shaders see %d", name, c.name, largest, c.most)
				}
				if !bytes.Equal(want, dump(t, m)) {
					t.Errorf("%s, %s: the map differs", name, c.name)
				}
			}
		})
	}
}

// TestSequentialRefused: a ground with more walls than a dispatch of the reference method asks is
// refused, and one with as many is not.
func TestSequentialRefused(t *testing.T) {
	g := hall(t, 4)
	gputest.Run(t, func(d *gpu.Device) {
		b := builderOf(t, d, Sequential)
		defer b.Delete()
		extent := NewExtent(float64(g.Lattice.Size.X)*g.Lattice.Step, float64(g.Lattice.Size.Y)*g.Lattice.Step, 10)
		m, err := b.NewMap(MapSpec{Extent: extent, Grounds: []*geom.Ground{g}, Sources: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Delete()
		change := Change{Goal: Goal{Points: []mgl64.Vec2{g.Lattice.Origin.Add(mgl64.Vec2{0.1, 0.1})}}}
		var ground *GroundError
		var full *gpu.CapacityError
		b.sequential.walls = len(g.Walls) - 1
		if err := b.Begin(m, change); !errors.As(err, &ground) || !errors.As(err, &full) || full.Needed != int64(len(g.Walls)) {
			t.Errorf("a wall too many gave %v", err)
		}
		b.sequential.walls = len(g.Walls)
		if err := b.Build(m, change); err != nil {
			t.Error(err)
		}
	})
}

// TestRefused: capacity for more corners than a shader can see is refused, and the error says so.
func TestRefused(t *testing.T) {
	g := hall(t, 4)
	gputest.Run(t, func(d *gpu.Device) {
		b := builderOf(t, d, Wavefront)
		defer b.Delete()
		var ground *GroundError
		corners := int(d.Info().Limits.MaxStorageBlock/sizeOf[Generator](1)) + 1
		extent := NewExtent(float64(g.Lattice.Size.X)*g.Lattice.Step, float64(g.Lattice.Size.Y)*g.Lattice.Step, 10)
		if _, err := b.NewMap(MapSpec{Extent: extent, Grounds: []*geom.Ground{g}, Sources: 1, Corners: corners}); !errors.As(err, &ground) || ground.Corners != corners {
			t.Errorf("capacity for %d corners gave %v", corners, err)
		}
	})
}
