package spm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// sourcesIn draws sources in a triangle: at random, on its border and vertices, in rows, and some
// places twice.
func sourcesIn(r *rand.Rand, triangle [3]geom.Point, n int) []site {
	var all []site
	for len(all) < n {
		u, v := r.Float64(), r.Float64()
		switch r.IntN(5) {
		case 0:
			v = 0
		case 1:
			u, v = float64(r.IntN(2)), 0
		case 2:
			u, v = float64(r.IntN(9))/8, float64(r.IntN(9))/8
		}
		if u+v > 1 {
			u, v = 1-u, 1-v
		}
		a, b, c := onPlane(triangle[0]), onPlane(triangle[1]), onPlane(triangle[2])
		p := a.Add(b.Sub(a).Mul(u)).Add(c.Sub(a).Mul(v))
		rays := geom.Point{X: int32(math.Round(p[0])), Y: int32(math.Round(p[1]))}
		inside := true
		for i := range 3 {
			inside = inside && geom.Orient(triangle[i], triangle[(i+1)%3], rays) != geom.Right
		}
		if inside {
			all = append(all, site{at: p, rays: rays, moved: p.Sub(onPlane(rays)).Len()})
		}
	}
	return all
}

// TestVoronoi compares cells with what they are by definition, at places of the triangle and of its
// sides, and their borders against the slack that they have.
func TestVoronoi(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 3))
	triangles := [][3]geom.Point{
		{{X: 0, Y: 0}, {X: 1 << 20, Y: 0}, {X: 0, Y: 1 << 20}},
		{{X: 100, Y: 700}, {X: 1 << 20, Y: 40_000}, {X: 1 << 19, Y: 1 << 19}},
		{{X: 5, Y: 5}, {X: 1<<20 - 3, Y: 1<<20 - 9}, {X: 9, Y: 14}}, // a sliver
		{{X: 0, Y: 0}, {X: 3, Y: 0}, {X: 0, Y: 2}},
	}
	const slack = 20
	cut := 0
	for n, triangle := range triangles {
		longest := 0.0
		for i, p := range triangle {
			longest = max(longest, onPlane(triangle[(i+1)%3]).Sub(onPlane(p)).Len())
		}
		for _, count := range []int{1, 2, 3, 10, 80} {
			name := fmt.Sprintf("triangle %d, %d sources", n, count)
			v := newVoronoi(triangle, sourcesIn(r, triangle, count), slack)
			gain := func(own int, p mgl64.Vec2) float64 { // how much farther it is than the nearest
				nearest := math.Inf(1)
				for _, s := range v.sites {
					nearest = min(nearest, p.Sub(s.at).Len())
				}
				return p.Sub(v.sites[own].at).Len() - nearest
			}
			for own := range v.sites {
				v.find(own)
				low, high := v.box()
				exits := [3]geom.Exit{}
				for side := range 3 {
					exits[side] = v.exit(&v.sites[own], side)
				}
				for _, p := range v.cell {
					if p.side != inner {
						continue
					}
					cut++
					// The linear bound leaves at most twice the longest side over the sum of both distances more
					// than the slack.
					if sum := 2*p.Sub(v.sites[own].at).Len() - gain(own, p.Vec2); gain(own, p.Vec2) > (slack+4)*2*(longest+1)/sum+1e-3 {
						t.Fatalf("%s: the cell of %v reaches %v, where it loses by %v steps", name, v.sites[own].at, p, gain(own, p.Vec2))
					}
				}
				for range 40 {
					side, at := r.IntN(3), r.Float64()
					a, b := onPlane(triangle[side]), onPlane(triangle[(side+1)%3])
					p := a.Add(b.Sub(a).Mul(at))
					rays := v.sites[own].rays
					if wins := gain(own, p) <= 0; wins && geom.Orient(triangle[side], triangle[(side+1)%3], rays) == geom.Left {
						if x := exits[side]; !x.Open() || turns(rays, x.Right, p) < 0 || turns(rays, x.Left, p) > 0 {
							t.Fatalf("%s: light of %v does not leave through %v, where none is nearer: %v", name, rays, p, x)
						}
					}
					p = p.Add(onPlane(triangle[(side+2)%3]).Sub(p).Mul(r.Float64()))
					if gain(own, p) <= 0 && (p[0] < float64(low.X) || p[1] < float64(low.Y) || p[0] > float64(high.X) || p[1] > float64(high.Y)) {
						t.Fatalf("%s: %v, where none is nearer than %v, is not in the box from %v to %v", name, p, v.sites[own].at, low, high)
					}
				}
			}
		}
	}
	if cut == 0 {
		t.Fatal("no cell was bounded by another")
	}
}

// TestCellsOfManySources finds the cells of 100,000 sources, which takes hours where each of them
// is compared with all others or where cells are not cut closely: boxes around Voronoi cells of
// scattered points cover less than four times what the points do.
func TestCellsOfManySources(t *testing.T) {
	const n = 100_000
	const size = 1 << 20
	const slack = 0.5
	// In a row the light of two sources d apart differs up to h = d/2 + 2 slack w
	// / d off the middle at a distance of w. Over all d that is no less than the root of 4 slack w.
	row := 2 * math.Sqrt(4*slack*size) / (size / n)
	triangle := [3]geom.Point{{X: 0, Y: 0}, {X: size, Y: 0}, {X: 0, Y: size}}
	for name, layout := range map[string]struct {
		most float64 // times that boxes cover the triangle
		at   func(r *rand.Rand, i int) mgl64.Vec2
	}{
		"scattered": {4, func(r *rand.Rand, _ int) mgl64.Vec2 { return mgl64.Vec2{r.Float64(), r.Float64()} }},
		"rows":      {row, func(_ *rand.Rand, i int) mgl64.Vec2 { return mgl64.Vec2{0.25, float64(i) / n} }},
		"two clusters": {4, func(r *rand.Rand, i int) mgl64.Vec2 {
			return mgl64.Vec2{0.01 + 0.09*r.Float64() + 0.8*float64(i%2), 0.1 * r.Float64()}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(24, 3))
			var all []site
			for i := range n {
				u := layout.at(r, i)
				if u[0]+u[1] > 1 {
					u = mgl64.Vec2{1 - u[0], 1 - u[1]}
				}
				p := geom.Point{X: int32(u[0] * size), Y: int32(u[1] * size)}
				all = append(all, site{at: onPlane(p), rays: p})
			}
			v := newVoronoi(triangle, all, slack)
			area := 0.0
			for i := range v.sites {
				v.find(i)
				low, high := v.box()
				area += float64(high.X-low.X) * float64(high.Y-low.Y)
			}
			if whole := float64(size) * size / 2; area > layout.most*whole {
				t.Errorf("the boxes of cells cover the triangle %.1f times, more than %.1f", area/whole, layout.most)
			}
		})
	}
}

// TestManySources holds maps of dozens of sources, on places where all is symmetric and most ties,
// against the oracle.
func TestManySources(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 3))
	scenes := []*cells{
		drawn("......", "......", "......"),
		drawn("........", "..#..#..", "........", "........", ".#....#."),
		drawn("#.#.#.#.#", ".........", ".#.#.#.#."),
		scattered(r, 8, 8, 0.15),
	}
	for i, c := range scenes {
		byMethod(t, fmt.Sprint("scene ", i), func(t *testing.T, d *gpu.Device, method Method) {
			r := rand.New(rand.NewPCG(uint64(i), 14))
			var points []unit
			for len(points) < 60 {
				points = append(points, c.points(r)...)
			}
			var segments [][2]unit
			if i%2 == 1 {
				segments = c.segments(r)
			}
			checkCells(t, d, method, c, frames[i%len(frames)], points, segments, r)
		})
	}
}

// TestWhatLosesIsNotDrawn builds maps with what sources light cut to what they can win, and
// without: all bytes are the same, and in an open room the work grows with the number of sources
// and not with its square.
func TestWhatLosesIsNotDrawn(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 3))
	posts := []geom.Ring{}
	for i := range 40 {
		a := 2 * math.Pi * float64(i) / 40
		x, y := 50+48*math.Cos(a), 50+48*math.Sin(a)
		posts = append(posts, box(x-0.3, y-0.3, x+0.3, y+0.3))
	}
	for name, g := range map[string]*geom.Ground{
		"room":    ground(t, [4]float64{0, 0, 100, 100}),
		"hall":    ground(t, [4]float64{0, 0, 100, 100}, posts...),
		"squares": ground(t, [4]float64{0, 0, 100, 100}, squares(6)...),
	} {
		t.Run(name, func(t *testing.T) {
			gputest.Run(t, func(d *gpu.Device) {
				goal := freeGoal(g, r, 150)
				for i := range 50 { // in a row
					goal.Points = append(goal.Points, mgl64.Vec2{1 + float64(i), 1.5})
				}
				b, m, _ := build(t, d, Wavefront, g, goal, testSize)
				defer b.Delete()
				defer m.Delete()
				parts := func() int { // of triangles that were drawn
					var command [1]drawCommand
					b.wavefront.kept[len(b.wavefront.kept)-1].commands.Read(0, command[:])
					return int(command[0].Count)
				}
				narrowed, few := dump(t, m), parts()
				b.wavefront.slack = math.Inf(1)
				if err := b.Build(m, Change{Goal: goal}); err != nil {
					t.Fatal(err)
				}
				if string(dump(t, m)) != string(narrowed) {
					t.Error("the map is not the same")
				}
				// Every source lights both triangles of the room, each part by itself; only some forty see the
				// other one past all others.
				if many := parts(); name == "room" && (many < 2*len(goal.Points) || few > many*3/4) {
					t.Errorf("%d parts were drawn of %d", few, many)
				}
			})
		})
	}
}
