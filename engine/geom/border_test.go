package geom

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
)

// TestWallsOfObstacles: every wall in the domain is of an obstacle, and lies along the border of all
// that it is of; and a builder knows them the same after an update, of a ground that it has built
// whole, and of one that it resumes. Obstacles touch exactly, overlap, repeat, and are crowded on
// few lattice points.
func TestWallsOfObstacles(t *testing.T) {
	shared, bent := 0, 0
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 43))
		size := []float64{12, 60, 1000, Steps}[seed%4]
		l := geomtest.Unit(t, Steps, Steps)
		p := NewBuilder(l)
		p.share = math.Inf(1)
		step := size / 16
		for round := range 8 {
			for id := range 20 {
				if round > 0 && rng.IntN(8) > 0 {
					continue
				}
				polygon := geomtest.RandomPolygon(rng, size, size*0.3*rng.Float64())
				for _, r := range polygon.Rings() {
					for i := range r {
						if seed/4%2 == 0 {
							r[i] = mgl64.Vec2{math.Round(r[i][0]/step) * step, math.Round(r[i][1]/step) * step}
						}
					}
				}
				if rng.IntN(6) == 0 && id > 0 {
					polygon = p.obstacles[id-1].polygons[0]
				}
				if err := p.Set(id, polygon); err != nil {
					t.Fatal(err)
				}
			}
			g := planned(t, p)
			whole := p.Clone()
			resumed := NewBuilder(l)
			for id, o := range p.obstacles {
				if err := resumed.Set(id, o.polygons...); err != nil {
					t.Fatal(err)
				}
			}
			if err := resumed.Resume(g); err != nil {
				t.Fatal(err)
			}
			owners := make([]int, len(g.Walls))
			for id, o := range p.obstacles {
				walls := p.Walls(id)
				if !slices.Equal(walls, whole.Walls(id)) || !slices.Equal(walls, resumed.Walls(id)) {
					t.Fatalf("seed %d, obstacle %d: %v after an update, %v whole, %v resumed", seed, id, walls, whole.Walls(id), resumed.Walls(id))
				}
				for _, i := range walls {
					owners[i]++
					w := g.Walls[i]
					a, b := g.Vertices[w.A], g.Vertices[w.B]
					if off := offBorder(o.polygons[0], a, b); off > 2 {
						t.Fatalf("seed %d, obstacle %d: the wall from %v to %v is %v steps off its border", seed, id, a, b, off)
					} else if off > 0.1 {
						bent++
					}
				}
			}
			for i, w := range g.Walls {
				if (owners[i] > 0) == w.Border {
					t.Fatalf("seed %d: wall %d, %+v, is of %d obstacles", seed, i, w, owners[i])
				}
				if owners[i] > 1 {
					shared++
				}
			}
		}
	}
	if shared < 1000 || bent < 1000 {
		t.Errorf("%d walls are shared, %d bent: that is no test", shared, bent)
	}
}

// offBorder returns how far the ends and the middle of ab are from the border of a polygon.
func offBorder(p Polygon, a, b Point) (most float64) {
	ends := [2]mgl64.Vec2{{float64(a.X), float64(a.Y)}, {float64(b.X), float64(b.Y)}}
	for _, v := range [...]mgl64.Vec2{ends[0], ends[1], ends[0].Add(ends[1]).Mul(0.5)} {
		least := math.Inf(1)
		for _, ring := range p.Rings() {
			for i, from := range ring {
				along := ring[(i+1)%len(ring)].Sub(from)
				share := 0.0
				if square := along.Dot(along); square > 0 {
					share = min(max(v.Sub(from).Dot(along)/square, 0), 1)
				}
				least = min(least, v.Sub(from.Add(along.Mul(share))).Len())
			}
		}
		most = max(most, least)
	}
	return most
}

// Walls of obstacles that have changed since the ground are not known.
func TestWallsNeedGround(t *testing.T) {
	b := NewBuilder(geomtest.Unit(t, Steps, Steps))
	if err := b.Set(1, geomtest.Rect(5, 5, 9, 9)); err != nil {
		t.Fatal(err)
	}
	planned(t, b)
	if len(b.Walls(1)) != 4 || b.Walls(2) != nil {
		t.Errorf("%v and %v", b.Walls(1), b.Walls(2))
	}
	b.Remove(1)
	defer func() {
		if recover() == nil {
			t.Error("Walls after Remove did not panic")
		}
	}()
	b.Walls(1)
}
