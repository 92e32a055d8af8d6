package agents

import (
	"fmt"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// numbers are random, and the same each run.
type numbers struct{ seed, next uint32 }

func (n *numbers) below(limit int) int {
	n.next++
	return int(spawn.Philox([4]uint32{n.seed, n.next}, [2]uint32{7, 7})[0] % uint32(limit))
}

// terrains are grounds of random triangles, slivers and squares that touch, on a patch
// of 64 x 64 units in the corner of a domain of 2^20 m. A unit is so many lattice
// steps, which are a meter each: with 1 rounding decides everything.
func randomTerrain(t testing.TB, n *numbers, unit, count int) Terrain {
	t.Helper()
	lattice, err := geom.NewLattice(mgl64.Vec2{}, mgl64.Vec2{geom.Steps, geom.Steps})
	if err != nil {
		t.Fatal(err)
	}
	at := func(x, y int) mgl64.Vec2 { return mgl64.Vec2{float64(x * unit), float64(y * unit)} }
	var obstacles []geom.Polygon
	for range count {
		x, y := n.below(60), n.below(60)
		ring := geom.Ring{at(x, y), at(x+1+n.below(12), y+n.below(3)), at(x+n.below(6), y+1+n.below(12))}
		switch n.below(4) {
		case 0:
			size := 1 + n.below(8)
			ring = geom.Ring{at(x, y), at(x+size, y), at(x+size, y+size), at(x, y+size)}
		case 1: // thinner than the lattice
			end := at(x+n.below(20), y+3+n.below(20))
			ring = geom.Ring{at(x, y), end, end.Add(mgl64.Vec2{1e-7, 0})}
		}
		obstacles = append(obstacles, geom.Polygon{Outer: ring})
	}
	// A frame closes rooms: one of 64 x 64 units, one around it.
	obstacles = append(obstacles, geom.Polygon{
		Outer: geom.Ring{at(70, 0), at(74, 0), at(74, 74), at(0, 74), at(0, 70), at(70, 70)},
	})
	ground, err := geom.Build(lattice, obstacles)
	if err != nil {
		t.Fatal(err)
	}
	return Terrain{ground, geom.NewWallGrid(ground)}
}

// place is a random point of the patch, most often on or beside a wall.
func (n *numbers) place(g *geom.Ground, unit int) geom.Point {
	p := geom.Point{X: int32(n.below(76 * unit)), Y: int32(n.below(76 * unit))}
	if n.below(3) == 0 {
		return p
	}
	w := g.Walls[n.below(len(g.Walls))]
	a, b := g.Vertices[w.A], g.Vertices[w.B]
	k := int32(n.below(5))
	p = geom.Point{X: a.X + (b.X-a.X)/4*k, Y: a.Y + (b.Y-a.Y)/4*k} // on it, or nearly
	if n.below(3) == 0 {
		p.X, p.Y = p.X+int32(n.below(3))-1, p.Y+int32(n.below(3))-1
	}
	return geom.Point{X: min(max(p.X, 0), geom.Steps), Y: min(max(p.Y, 0), geom.Steps)}
}

// sectorsOf are the free sectors of a ground that an agent may be in.
func sectorsOf(g *geom.Ground, s footing) (own []geom.Sector) {
	for _, sector := range g.Sectors(s.at) {
		if s.from != s.at && admits(sector, s.from, geom.Side(s.perturbation)) {
			own = append(own, sector)
		}
	}
	return own
}

func gcd(a, b int32) int32 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

func leanOf(i int) int32 { return int32(1 - 2*(i%2)) }

const leanOnDevice = `int perturbation = (gl_GlobalInvocationID.x & 1u) == 0u ? 1 : -1;`

// uploadWalls makes a crowd's walls on a device.
func uploadWalls(t *testing.T, d *gpu.Device, own Terrain, layers []Terrain) *walls {
	t.Helper()
	w, r := &walls{}, &gpu.ResourceSet{Device: d}
	w.set(r, own, layers)
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	t.Cleanup(r.Delete)
	return w
}

func gridOnDevice(w *walls, t Terrain) string {
	h := w.head(t)
	return fmt.Sprintf("ivec4 grid = ivec4(%d, %d, %d, %d);", h[0], h[1], h[2], h[3])
}

// What is free, and which agent leans where, on the device, in plain Go and by the triangles.
func TestFreeOnDevice(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		for seed := range uint32(6) {
			n := &numbers{seed: seed}
			unit := []int{1, 3, 14000}[seed%3]
			terrain := randomTerrain(t, n, unit, 40)
			// A grid behind another one, so that places in the buffer count from somewhere.
			w := uploadWalls(t, d, randomTerrain(t, n, unit, 10), []Terrain{terrain})
			input := make([][8]int32, 6000)
			for i := range input {
				q, from := n.place(terrain.Ground, unit), n.place(terrain.Ground, unit)
				if n.below(3) == 0 {
					from = n.place(terrain.Ground, unit)
				}
				input[i] = [8]int32{q.X, q.Y, from.X, from.Y}
			}
			body := gridOnDevice(w, terrain) + leanOnDevice + `
				r.x = isFree(grid, v.a) ? 1u : 0u;
				r.y = leansFree(grid, v.a, v.b, perturbation) ? 1u : 0u;
				r.zw = uvec2(leaningPoint(grid, v.a));`
			seen := map[[2]bool]int{}
			ws := barriers(WallsOf(terrain.Ground))
			for i, got := range evaluate(t, d, w.texels, "walls.glsl", body, input) {
				q, from, _, _ := four(input[i])
				s := footing{q, from, leanOf(i)}
				free, leans := terrain.Ground.Free(q), ws.leansFree(s)
				seen[[2]bool{free, leans}]++
				if (got[0] == 1) != free || ws.free(q) != free {
					t.Fatalf("seed %d: %v is free: %v on the device, %v in Go, want %v", seed, q, got[0] == 1, ws.free(q), free)
				}
				if !free {
					continue
				}
				own := sectorsOf(terrain.Ground, s)
				touched := ws.leaningPoint(q) != q
				if (got[1] == 1) != leans || touched && leans != (len(own) > 0) {
					t.Fatalf("seed %d: %v leans into free ground: %v on the device, %v in Go; in %v", seed, s, got[1] == 1, leans, own)
				}
				p := ws.leaningPoint(q)
				there := sectorsOf(terrain.Ground, footing{q, p, 1})
				if got[2] != uint32(p.X) || got[3] != uint32(p.Y) || touched && len(there) != 1 {
					t.Fatalf("seed %d: at %v one leans to %v on the device, to %v in Go; in %v", seed, q, got[2:], p, there)
				}
			}
			for _, k := range [][2]bool{{true, true}, {true, false}, {false, true}} {
				if seen[k] < 100 {
					t.Errorf("seed %d: the places are no test: %v", seed, seen)
				}
			}
		}
	})
}

// What beams light, on the device, in plain Go and by geom.
func TestBeamsOnDevice(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		for seed := range uint32(6) {
			n := &numbers{seed: 100 + seed}
			unit := []int{1, 3, 14000}[seed%3]
			terrain := randomTerrain(t, n, unit, 25)
			ground := terrain.Ground
			w := uploadWalls(t, d, terrain, nil)
			var beams []geom.LightField
			for len(beams) < 200 {
				a, b := n.place(ground, unit), n.place(ground, unit)
				for _, leg := range ground.SourceSegments(ground.Lattice.World(a), ground.Lattice.World(b)) {
					beams = append(beams, leg.LightFields()...)
				}
			}
			input := make([][8]int32, 12000)
			for i := range input {
				l := beams[n.below(len(beams))]
				q, from := n.place(ground, unit), n.place(ground, unit)
				// Places that the beam faces: some of them on the leg, many behind the end of a
				// wall, where the two rules differ.
				dx, dy := l.B.X-l.A.X, l.B.Y-l.A.Y
				for try := 0; try < 100 && !(l.Faces(q) && ground.Lattice.Holds(q) && ground.Free(q)); try++ {
					switch q = n.place(ground, unit); try % 20 {
					case 0:
						k := int32(n.below(5))
						q = geom.Point{X: l.A.X + dx/4*k, Y: l.A.Y + dy/4*k}
					case 1, 2, 3, 4, 5, 6, 7, 8, 9:
						v := ground.Vertices[n.below(len(ground.Vertices))]
						k, shared := int32(n.below(30)), gcd(dx, dy)
						if unit > 100 {
							shared = max(shared/16, 1) // farther steps
						}
						q = geom.Point{X: v.X - dy/shared*k, Y: v.Y + dx/shared*k}
					}
				}
				q = geom.Point{X: min(max(q.X, 0), geom.Steps), Y: min(max(q.Y, 0), geom.Steps)}
				input[i] = [8]int32{l.A.X, l.A.Y, l.B.X, l.B.Y, q.X, q.Y, from.X, from.Y}
			}
			body := gridOnDevice(w, terrain) + leanOnDevice + `r.x = litByBeam(grid, true, v.a, v.b, v.c, v.d, perturbation);`
			ws := barriers(WallsOf(ground))
			seen := [4]int{}
			lit, unlit := 0, 0
			for i, got := range evaluate(t, d, w.texels, "walls.glsl", body, input) {
				a, b, q, from := four(input[i])
				l, s := geom.LightField{A: a, B: b}, footing{q, from, leanOf(i)}
				want := ws.litByBeam(l, s)
				seen[want]++
				if rules(got[0]) != want {
					t.Fatalf("seed %d: %v lights %v under %d on the device, %d in Go", seed, l, s, got[0], want)
				}
				if !ground.Free(q) {
					continue
				}
				sees := false
				own := sectorsOf(ground, s)
				if len(own) == 0 {
					own = ground.Sectors(q)
				}
				for _, sector := range own {
					sees = sees || ground.SeesFrom(l, sector)
				}
				if above := l.Above(q) > 0 && l.Faces(q); above && sees {
					lit++
				} else if above {
					unlit++
				}
				if sees != (want != 0) {
					t.Fatalf("seed %d: %v lights %v under %d, by geom: %v; sectors %v", seed, l, s, want, sees, own)
				}
			}
			if seen[leftRule] < 5 || seen[rightRule] < 5 || lit < 500 || unlit < 500 {
				t.Errorf("seed %d: the places are no test: %v, above legs %d lit, %d not", seed, seen, lit, unlit)
			}
		}
	})
}
