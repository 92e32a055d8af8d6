package agents

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// yard has two obstacles that move, of which one overlaps a wall that stands.
const yard = `{"version": 1, "domain": [-10, 5, 30, 30],
	"obstacles": [{"rect": [2, 10, 6, 14]}, {"polygon": [[15, 15], [18, 16], [16, 19]]}, {"rect": [5, 8, 5.5, 20]}, {"circle": {"center": [24, 24], "radius": 2}}],
	"goals": [{"id": "g", "points": [[29, 17]]}],
	"profiles": [{"id": "p", "avoidance": "orca"}, {"id": "q", "avoidance": "rvo"}],
	"groups": [{"count": 150, "profile": "p", "spawn": {"rect": [-9, 6, 29, 29]}}, {"count": 150, "profile": "q", "spawn": {"rect": [-9, 6, 29, 29]}}],
	"simulation": {"timestep": 0.1}}`

// On ground on which obstacles are cut by others, an agent near walls that move has them in its
// list, further off than those that stand; also where they turn about one of their ends.
func TestMotions(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, yard, 50)
		plan := geom.NewBuilder(x.ground.Lattice)
		for i, o := range x.scene.Obstacles {
			if err := plan.Set(i, o.Polygon()); err != nil {
				t.Fatal(err)
			}
		}
		ground, err := plan.Ground()
		if err != nil {
			t.Fatal(err)
		}
		terrain := Terrain{ground, geom.NewWallGrid(ground)}
		if err := x.crowd.SetGround(terrain.Ground, terrain.Grid); err != nil {
			t.Fatal(err)
		}
		steadily := func(x, y float64) func(mgl64.Vec2) mgl64.Vec2 {
			return func(mgl64.Vec2) mgl64.Vec2 { return mgl64.Vec2{x, y} }
		}
		moving := []Motion{
			{Walls: plan.Walls(0), Velocity: steadily(0.5, -1)},
			{Walls: plan.Walls(1), Velocity: func(p mgl64.Vec2) mgl64.Vec2 { return mgl64.Vec2{15 - p[1], p[0] - 15} }}, // about a corner
			{Walls: plan.Walls(2)},
			{Walls: plan.Walls(3), Velocity: steadily(0, 0)},
		}
		r := x.reference
		r.Motions = map[Wall][4]float32{}
		counts := [3]int{}
		for _, w := range r.Walls {
			p, q := r.Lattice.World(geom.Point{X: w.AX, Y: w.AY}), r.Lattice.World(geom.Point{X: w.BX, Y: w.BY})
			middle := p.Add(q).Mul(0.5)
			on := func(v float64, bounds ...float64) bool {
				for _, b := range bounds {
					if math.Abs(v-b) < 1e-3 {
						return true
					}
				}
				return false
			}
			switch {
			case middle[0] > 14 && middle[0] < 19 && middle[1] > 14 && middle[1] < 20:
				r.Motions[w] = [4]float32{float32(15 - p[1]), float32(p[0] - 15), float32(15 - q[1]), float32(q[0] - 15)}
				counts[1]++
			case middle[0] > 1.999 && middle[0] < 6.001 && middle[1] > 9.999 && middle[1] < 14.001 && (on(middle[0], 2, 6) || on(middle[1], 10, 14)):
				r.Motions[w] = [4]float32{0.5, -1, 0.5, -1}
				counts[0]++
			default:
				counts[2]++
			}
		}
		// The box is cut in two places above and below; the wall has two ends that stand out.
		if counts[0] != 6 || counts[1] != 3 || counts[2] < 6+4 {
			t.Fatalf("%v walls", counts)
		}
		look := func(wants map[Wall][4]float32) around {
			t.Helper()
			r.Motions = wants
			return x.checkLists(t, x.after, x.crowd.params[0], x.crowd.params[1])
		}
		total := func(a around) (n int) {
			for _, walls := range a.walls {
				n += len(walls)
			}
			return n
		}
		all := r.Motions
		before := total(look(nil))
		if err := x.crowd.SetMotions(moving); err != nil {
			t.Fatal(err)
		}
		during := total(look(all))
		// A step goes on as it did: SetMotions moves nothing.
		x.step()
		if err := x.crowd.SetMotions(nil); err != nil {
			t.Fatal(err)
		}
		look(nil)
		if err := x.crowd.SetMotions(moving); err != nil {
			t.Fatal(err)
		}
		look(all)
		// On other ground, of the same walls, nothing moves until SetMotions.
		if err := x.crowd.SetGround(terrain.Ground, geom.NewWallGrid(terrain.Ground)); err != nil {
			t.Fatal(err)
		}
		look(nil)
		if during <= before {
			t.Errorf("%d walls near agents, %d where some move", before, during)
		}
	})
}

// TestSharedWalls: a wall that obstacles share moves as the border of their union does. A door
// slides into a wall of its own thickness, and another obstacle drives into that wall and back out.
func TestSharedWalls(t *testing.T) {
	lattice, err := geom.NewLattice(mgl64.Vec2{}, mgl64.Vec2{16, 16})
	if err != nil {
		t.Fatal(err)
	}
	rect := func(x0, y0, x1, y1 float64) geom.Polygon {
		return geom.Polygon{Outer: geom.Ring{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}}
	}
	plan := geom.NewBuilder(lattice)
	for i, p := range []geom.Polygon{rect(2, 4, 8, 5), rect(6, 4, 10, 5), rect(3, 4, 4, 7)} { // wall, door, other
		if err := plan.Set(i, p); err != nil {
			t.Fatal(err)
		}
	}
	ground, err := plan.Ground()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		door, other  mgl64.Vec2 // their velocities
		face         mgl64.Vec2 // of the wall's lower side, at the door
		tip          mgl64.Vec2 // of the door's end
		below, above mgl64.Vec2 // of the wall's lower side and the other's upper one, at the other
	}{
		{mgl64.Vec2{-1, 0}, mgl64.Vec2{0, 2}, mgl64.Vec2{}, mgl64.Vec2{-1, 0}, mgl64.Vec2{}, mgl64.Vec2{0, 2}},
		{mgl64.Vec2{1, -1}, mgl64.Vec2{0, -2}, mgl64.Vec2{1, -1}, mgl64.Vec2{1, -1}, mgl64.Vec2{0, -2}, mgl64.Vec2{0, -2}},
		{mgl64.Vec2{1, 1}, mgl64.Vec2{3, 0}, mgl64.Vec2{}, mgl64.Vec2{1, 1}, mgl64.Vec2{}, mgl64.Vec2{3, 0}},
	} {
		steadily := func(v mgl64.Vec2) func(mgl64.Vec2) mgl64.Vec2 { return func(mgl64.Vec2) mgl64.Vec2 { return v } }
		terrain := Terrain{ground, geom.NewWallGrid(ground)}
		obstacles := []Motion{{Walls: plan.Walls(1), Velocity: steadily(c.door)}, {Walls: plan.Walls(2), Velocity: steadily(c.other)}, {Walls: plan.Walls(0)}}
		records, moved := wallRecords(terrain), new(motions).recordsOf(terrain, obstacles)
		found := 0
		for i, r := range records[len(terrain.Grid.Start)-1:] {
			a, b := lattice.World(geom.Point{X: r[0], Y: r[1]}), lattice.World(geom.Point{X: r[2], Y: r[3]})
			middle := a.Add(b).Mul(0.5)
			var want mgl64.Vec2
			switch {
			case middle == (mgl64.Vec2{7, 4}):
				want = c.face
			case middle == (mgl64.Vec2{10, 4.5}):
				want = c.tip
			case middle == (mgl64.Vec2{3.5, 4}):
				want = c.below
			case middle == (mgl64.Vec2{3.5, 7}):
				want = c.above
			default:
				continue
			}
			found++
			x, y := float32(want[0]), float32(want[1])
			if got := moved[2*(len(terrain.Grid.Start)-1+i)]; got != [4]float32{x, y, x, y} {
				t.Errorf("door %v, other %v: the wall from %v to %v has the velocities %v, want %v", c.door, c.other, a, b, got, want)
			}
		}
		if found < 4 {
			t.Fatalf("%d walls were found", found)
		}
	}
}
