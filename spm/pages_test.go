package spm

import (
	"bytes"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// TestPages builds where shaders see little of a buffer, and where draws and loops are short: the same bytes, of one goal and
// of several layers, from points, many of which are rivals, and from a segment.
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
				w.guess = func(int) rooms { return rooms{windows: 1 << 9, offers: 1 << 10, lit: c.lit} }
				remove(&w.lit)
				for _, h := range w.kept {
					h.delete()
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
				if !bytes.Equal(want, dump(t, m)) {
					t.Errorf("%s, %s: the map differs", name, c.name)
				}
			}
		})
	}
}
