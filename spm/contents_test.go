package spm

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// TestRestore changes maps at random, of goals, of grounds, to more sources and to more corners, and
// goes back to earlier contents at random: the same bytes and numbers of records as then, also in
// the middle of a build.
func TestRestore(t *testing.T) {
	domain := [4]float64{0, 0, 40, 20}
	grounds := []*geom.Ground{
		ground(t, domain, box(10, 5, 30, 15)), ground(t, domain),
		ground(t, domain, box(3, 3, 7, 17), box(10, 5, 30, 15), box(32, 1, 37, 11), box(32, 13, 37, 19)),
	}
	at := func(r *rand.Rand) mgl64.Vec2 { return mgl64.Vec2{1 + r.Float64(), 1 + 18*r.Float64()} }
	type moment struct {
		contents *Contents
		dumps    [2][]byte
	}
	for _, method := range []Method{Wavefront, Sequential} {
		gputest.Run(t, func(d *gpu.Device) {
			r := rand.New(rand.NewPCG(3, uint64(method)))
			b, err := NewBuilder(d, method)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Delete()
			start := Goal{Points: []mgl64.Vec2{{1, 10}}}
			m, err := b.NewMap(MapSpec{Extent: NewExtent(40, 20, 40), Grounds: []*geom.Ground{grounds[1], grounds[1]}, Sources: 1})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Delete()
			if err := b.Build(m, Change{0, nil, start}, Change{1, grounds[0], start}); err != nil {
				t.Fatal(err)
			}
			now := func() moment { return moment{m.Contents(), [2][]byte{dumpLayer(t, m, 0), dumpLayer(t, m, 1)}} }
			all, strides := []moment{now()}, map[int]bool{}
			for range 40 {
				if r.IntN(3) > 0 {
					c := Change{Layer: r.IntN(2), Ground: grounds[r.IntN(3)]}
					for range 1 + r.IntN(1+len(all)) {
						c.Goal.Points = append(c.Goal.Points, at(r))
					}
					if err := b.Begin(m, c); err != nil {
						t.Fatal(err)
					}
					if r.IntN(4) > 0 {
						if err := b.Finish(); err != nil {
							t.Fatal(err)
						}
						all = append(all, now())
						strides[m.Stride] = true
						continue
					}
				}
				want := all[r.IntN(len(all))]
				if err := b.Restore(m, want.contents); err != nil {
					t.Fatal(err)
				}
				if stride, sources := want.contents.Records(); stride != m.Stride || sources != m.Sources {
					t.Fatalf("%d records, %d of sources, want %d and %d", m.Stride, m.Sources, stride, sources)
				}
				got := now()
				for layer := range want.dumps {
					if !bytes.Equal(got.dumps[layer], want.dumps[layer]) {
						t.Fatalf("%v: layer %d is not as it was", method, layer)
					}
				}
			}
			if len(strides) < 3 {
				t.Errorf("maps had %d numbers of records; the test needs some that grow", len(strides))
			}
			layers := b.Stats().Layers
			if err := b.Restore(m, m.Contents()); err != nil || b.Stats().Layers != layers {
				t.Errorf("what has not changed is built %d times, %v", b.Stats().Layers-layers, err)
			}
		})
	}
}

// TestNewContents makes maps of contents that no map had, and refuses what fits none.
func TestNewContents(t *testing.T) {
	g := ground(t, [4]float64{0, 0, 40, 20}, box(10, 5, 30, 15))
	goal := Goal{Points: []mgl64.Vec2{{5, 10}, {6, 10}}}
	gputest.Run(t, func(d *gpu.Device) {
		b, m, _ := build(t, d, Wavefront, g, goal, 40)
		defer b.Delete()
		defer m.Delete()
		want := dump(t, m)
		if err := b.Build(m, Change{Goal: Goal{Points: []mgl64.Vec2{{35, 10}}}}); err != nil {
			t.Fatal(err)
		}
		contents, err := NewContents(m.Stride, m.Sources, []*geom.Ground{g}, []Goal{goal})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Restore(m, contents); err != nil || !bytes.Equal(dump(t, m), want) {
			t.Errorf("the map is not that of the goal: %v", err)
		}
		var full *gpu.CapacityError
		var source *SourceError
		for _, records := range [][2]int{{5, 1}, {5, 2}, {1, 2}, {0, 0}, {-1, -1}} {
			if _, err := NewContents(records[0], records[1], []*geom.Ground{g}, []Goal{goal}); !errors.As(err, &full) {
				t.Errorf("%v records give %v", records, err)
			}
		}
		buried := Goal{Points: []mgl64.Vec2{{20, 10}}}
		if _, err := NewContents(m.Stride, m.Sources, []*geom.Ground{g}, []Goal{buried}); !errors.As(err, &source) {
			t.Errorf("a source in an obstacle gives %v", err)
		}
	})
}
