package spm

import (
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// TestStop follows a map from step to step: what the source sees, then ever more, ever nearer,
// until it is whole.
func TestStop(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		const size = 60
		g, goal := sceneGround(t, "simple2")
		b, m, _ := build(t, d, Sequential, g, goal, size)
		defer b.Delete()
		defer m.Delete()
		field := func(after int) [][4]float32 {
			b.Stop(after)
			if err := b.Build(m, Change{Goal: goal}); err != nil {
				t.Fatal(err)
			}
			texels := make([][4]float32, m.Extent.Columns*m.Extent.Rows)
			m.Field.Read(0, texels)
			return texels
		}
		full := field(0)
		before := field(1)
		source := m.layers[0].sources[0]
		for row := range m.Extent.Rows {
			for column := range m.Extent.Columns {
				at := m.Extent.Lattice(column, row)
				lit := g.LitClosed(source.Sector, at)
				if got := State(before[row*m.Extent.Columns+column][3]); g.Free(at) && (got == Reached) != lit {
					t.Fatalf("texel (%d, %d) has state %d after the source's cone, which lights it: %v", column, row, got, lit)
				}
			}
		}
		last := len(g.Corners) + 1
		for after := 2; after <= last; after++ {
			now := field(after)
			for i := range now {
				if now[i][2] > before[i][2] || now[i][2] < full[i][2] {
					t.Fatalf("texel %d is %v m away after %d cones, was %v and will be %v", i, now[i][2], after, before[i][2], full[i][2])
				}
			}
			before = now
		}
		if !slices.Equal(before, full) {
			t.Error("the map after all cones is not the whole map")
		}
	})
}

// TestWatch: every generator of a build is reported once, in order, whether the build is stopped or
// not.
func TestWatch(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		g, goal := sceneGround(t, "simple2")
		b, m, _ := build(t, d, Sequential, g, goal, 20)
		defer b.Delete()
		defer m.Delete()
		all := len(g.Corners) + 1
		for stop, want := range map[int]int{0: all, 3: 3, all + 7: all} {
			var reports []int
			b.Watch(func(issued, of int) {
				if of != want {
					t.Errorf("stopped after %d: report of %d, want %d", stop, of, want)
				}
				reports = append(reports, issued)
			})
			b.Stop(stop)
			if err := b.Build(m, Change{Goal: goal}); err != nil {
				t.Fatal(err)
			}
			for i, n := range reports {
				if n != i+1 {
					t.Fatalf("stopped after %d: reports %v", stop, reports)
				}
			}
			if len(reports) != want {
				t.Errorf("stopped after %d: %d reports, want %d", stop, len(reports), want)
			}
		}
		b.Watch(nil)
		if err := b.Build(m, Change{Goal: goal}); err != nil {
			t.Error(err)
		}
	})
}
