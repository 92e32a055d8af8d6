package spm

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// tied is a scene full of ties: rows of squares, symmetric in both axes and both diagonals, with
// sources in the middle and at equal distances around it, one of them twice, along two diagonals
// that squares interrupt, and along the sides of squares.
func tied() (domain [4]float64, obstacles []geom.Ring, goal Goal) {
	const side = 175.0 / 6
	return [4]float64{0, 0, 100, 100}, squares(6), Goal{
		Points:   []mgl64.Vec2{{0, 0}, {100, 0}, {50, 50}, {100, 100}, {50, 50}, {0, 100}},
		Segments: [][2]mgl64.Vec2{{{30, 30}, {70, 70}}, {{70, 30}, {30, 70}}, {{20, side}, {80, side}}},
	}
}

// TestOrderInTheFile builds from obstacles in another order, with other first vertices and
// orientations: the same bytes.
func TestOrderInTheFile(t *testing.T) {
	domain, obstacles, goal := tied()
	byMethod(t, "tied", func(t *testing.T, d *gpu.Device, method Method) {
		r := rand.New(rand.NewPCG(21, 22))
		var want []byte
		for range 4 {
			b, m, _ := build(t, d, method, ground(t, domain, obstacles...), goal, 100)
			got := dump(t, m)
			m.Delete()
			b.Delete()
			if want == nil {
				want = got
			} else if !bytes.Equal(want, got) {
				t.Fatal("another order of obstacles or vertices gives another map")
			}
			r.Shuffle(len(obstacles), func(i, j int) { obstacles[i], obstacles[j] = obstacles[j], obstacles[i] })
			for i, ring := range obstacles {
				k := r.IntN(len(ring))
				ring = slices.Concat(ring[k:], ring[:k])
				if r.IntN(2) == 0 {
					slices.Reverse(ring)
				}
				obstacles[i] = ring
			}
		}
	})
}

// TestOrderOfSources builds from sources in another order: parents may differ where they tie,
// distances and states do not.
func TestOrderOfSources(t *testing.T) {
	domain, obstacles, goal := tied()
	g := ground(t, domain, obstacles...)
	byMethod(t, "tied", func(t *testing.T, d *gpu.Device, method Method) {
		var want [][4]float32
		for range len(goal.Points) {
			b, m, _ := build(t, d, method, g, goal, 100)
			field := make([][4]float32, m.Extent.Columns*m.Extent.Rows)
			m.Field.Read(0, field)
			m.Delete()
			b.Delete()
			for i, f := range want {
				if f[2] != field[i][2] || f[3] != field[i][3] {
					t.Fatalf("texel %d is %v, with sources in another order %v", i, f, field[i])
				}
			}
			want = field
			goal.Points = append(goal.Points[1:], goal.Points[0])
			goal.Segments = append(goal.Segments[1:], goal.Segments[0])
		}
	})
}

// TestSameBytesWhateverWasBuiltBefore builds with one builder another goal, another ground and a
// goal without sources in between: the same bytes again.
func TestSameBytesWhateverWasBuiltBefore(t *testing.T) {
	domain, obstacles, goal := tied()
	g := ground(t, domain, obstacles...)
	other := ground(t, domain, octagons(rand.New(rand.NewPCG(1, 1)))[:40]...)
	byMethod(t, "tied", func(t *testing.T, d *gpu.Device, method Method) {
		b, m, _ := build(t, d, method, g, goal, 100)
		defer b.Delete()
		defer m.Delete()
		want := dump(t, m)
		second := newMap(t, b, other, 130, Goal{})
		defer second.Delete()
		for _, between := range []struct {
			m    *Map
			goal Goal
		}{{m, Goal{}}, {m, Goal{Points: []mgl64.Vec2{{99, 1}}}}, {second, Goal{Points: []mgl64.Vec2{{0, 0}}}}} {
			if err := b.Build(between.m, Change{Goal: between.goal}); err != nil {
				t.Fatal(err)
			}
			if err := b.Build(m, Change{Goal: goal}); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(want, dump(t, m)) {
				t.Error("what was built before shows in the map")
			}
		}
	})
}

// TestWorkgroupSize builds with workgroups of other sizes: the same bytes.
func TestWorkgroupSize(t *testing.T) {
	domain, obstacles, goal := tied()
	g := ground(t, domain, obstacles...)
	byMethod(t, "tied", func(t *testing.T, d *gpu.Device, method Method) {
		b, m, _ := build(t, d, method, g, goal, 100)
		defer b.Delete()
		defer m.Delete()
		want := dump(t, m)
		for _, size := range []int{1, 8, 256} {
			l := loader{device: d, more: map[string]any{"GROUP": size, "SCAN_SIZE": uint32(size)}}
			if w := b.wavefront; w != nil {
				load(&l, &w.propagate, "propagate")
				load(&l, &w.ties, "ties")
				load(&l, &w.expand, "expand")
				load(&l, &w.tally, "tally")
				load(&l, &w.scan, "scan")
				load(&l, &w.scatter, "scatter")
			} else {
				load(&l, &b.sequential.search, "search")
				load(&l, &b.sequential.distances, "distances")
			}
			if l.err != nil {
				t.Fatal(l.err)
			}
			if err := b.Build(m, Change{Goal: goal}); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(want, dump(t, m)) {
				t.Errorf("with workgroups of %d the map differs", size)
			}
		}
	})
}

// TestResolution asks maps of other sizes: the same answers to the last bit.
func TestResolution(t *testing.T) {
	for seed := range uint64(4) {
		g, goal := randomScene(t, 100+seed)
		byMethod(t, fmt.Sprint(seed), func(t *testing.T, d *gpu.Device, method Method) {
			r := rand.New(rand.NewPCG(seed, 23))
			places := make([]mgl64.Vec2, 100)
			for i := range places {
				places[i] = somewhere(g, r)
			}
			var want []Answer
			for _, size := range []int{1, 7, 64, 333} {
				b, m, _ := build(t, d, method, g, goal, size)
				v := m.View(0)
				m.Delete()
				b.Delete()
				for i, p := range places {
					a := v.Query(p)
					if size == 1 {
						want = append(want, a)
					} else if fmt.Sprint(a) != fmt.Sprint(want[i]) { // as text, since NaN is not equal to itself
						t.Fatalf("at %v a map of %d texels says %v, one of a single texel %v", p, size, a, want[i])
					}
				}
			}
		})
	}
}

// turn is one of the symmetries of a rectangle: a swap of the axes, then mirrors.
type turn struct{ swap, mirrorX, mirrorY bool }

func (s turn) size(width, height float64) (float64, float64) {
	if s.swap {
		return height, width
	}
	return width, height
}

// apply turns a place of a rectangle with its lower corner at zero.
func (s turn) apply(p mgl64.Vec2, width, height float64) mgl64.Vec2 {
	if s.swap {
		p[0], p[1] = p[1], p[0]
		width, height = height, width
	}
	if s.mirrorX {
		p[0] = width - p[0]
	}
	if s.mirrorY {
		p[1] = height - p[1]
	}
	return p
}

// TestSymmetry mirrors scenes and turns them by quarters: distances within the tolerance, states
// equal. Vertices, sources and places lie on the lattice, where mirroring rounds nothing; only
// crossings of walls do, which moves walls by a step. None of the places asked about is that near
// to a wall.
func TestSymmetry(t *testing.T) {
	const width, height = 128, 64 // m, and texels, so that centers are turned into centers
	const perMeter = geom.Steps / width
	onLattice := func(v float64) float64 { return math.Round(v*perMeter) / perMeter }
	for seed := range uint64(6) {
		byMethod(t, fmt.Sprint(seed), func(t *testing.T, d *gpu.Device, method Method) {
			r := rand.New(rand.NewPCG(seed, 24))
			random := func() mgl64.Vec2 { return mgl64.Vec2{onLattice(r.Float64() * width), onLattice(r.Float64() * height)} }
			var obstacles []geom.Ring
			for range 15 {
				x, y := 8*float64(r.IntN(15)), 8*float64(r.IntN(7))
				obstacles = append(obstacles, box(x, y, x+8, y+8))
			}
			for range 8 {
				near := func(p mgl64.Vec2) mgl64.Vec2 {
					return mgl64.Vec2{
						onLattice(min(width, max(0, p[0]+16*(r.Float64()-0.5)))), onLattice(min(height, max(0, p[1]+16*(r.Float64()-0.5)))),
					}
				}
				p := random()
				obstacles = append(obstacles, geom.Ring{p, near(p), near(p)})
			}
			plain := ground(t, [4]float64{0, 0, width, height}, obstacles...)
			goal := Goal{}
			for len(goal.Points) < 2 {
				if p := random(); sectorsAt(plain, p) != nil {
					goal.Points = append(goal.Points, p)
				}
			}
			for len(goal.Segments) < int(seed%3) {
				if s := [2]mgl64.Vec2{random(), random()}; plain.SourceSegments(s[0], s[1]) != nil {
					goal.Segments = append(goal.Segments, s)
				}
			}
			places := make([]mgl64.Vec2, 60)
			for i := range places {
				places[i] = random()
			}
			var want []Answer
			var plainField [][4]float32
			for k := range 8 {
				s := turn{k&4 != 0, k&2 != 0, k&1 != 0}
				w, h := s.size(width, height)
				turned := make([]geom.Ring, len(obstacles))
				for i, ring := range obstacles {
					for _, v := range ring {
						turned[i] = append(turned[i], s.apply(v, width, height))
					}
				}
				var there Goal
				for _, p := range goal.Points {
					there.Points = append(there.Points, s.apply(p, width, height))
				}
				for _, ends := range goal.Segments {
					there.Segments = append(there.Segments, [2]mgl64.Vec2{s.apply(ends[0], width, height), s.apply(ends[1], width, height)})
				}
				b, m, _ := build(t, d, method, ground(t, [4]float64{0, 0, w, h}, turned...), there, width)
				v := m.View(0)
				field := make([][4]float32, m.Extent.Columns*m.Extent.Rows)
				m.Field.Read(0, field)
				for i, p := range places {
					at := s.apply(p, width, height)
					a := v.Query(at)
					if k == 0 {
						want = append(want, a)
					}
					if a.State != want[i].State || a.State == Reached && math.Abs(a.Distance-want[i].Distance) > v.Tolerance(a.Distance) {
						t.Errorf("turned %+v the answer at %v is %v, else %v", s, p, a, want[i])
					}
				}
				if k == 0 {
					plainField = field
				}
				for i, f := range plainField {
					p := mgl64.Vec2{float64(i%width) + 0.5, float64(i/width) + 0.5}
					at := s.apply(p, width, height)
					h := field[int(at[1])*m.Extent.Columns+int(at[0])]
					near := float64(f[2] - h[2])
					if f[3] != h[3] || State(f[3]) == Reached && math.Abs(near) > v.Tolerance(float64(f[2])) {
						t.Fatalf("turned %+v the texel at %v is %v, else %v", s, p, h, f)
					}
				}
				m.Delete()
				b.Delete()
			}
		})
	}
}
