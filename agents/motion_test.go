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

// Walls that move are found on ground on which obstacles are cut by others, and an agent near
// walls that move has them in its list, further off than those that stand.
func TestMotions(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, yard, 50)
		steadily := func(x, y float64) func(mgl64.Vec2) mgl64.Vec2 {
			return func(mgl64.Vec2) mgl64.Vec2 { return mgl64.Vec2{x, y} }
		}
		moving := []Motion{
			{Outline: geom.Polygon{Outer: geom.Ring{{2, 10}, {6, 10}, {6, 14}, {2, 14}}}, Velocity: steadily(0.5, -1)},
			{Outline: geom.Polygon{Outer: geom.Ring{{15, 15}, {18, 16}, {16, 19}}}, Velocity: steadily(2, 0)},
			// stands, inside of another
			{Outline: geom.Polygon{Outer: geom.Ring{{23, 23}, {25, 23}, {25, 25}, {23, 25}}}, Velocity: steadily(0, 0)},
		}
		r := x.reference
		r.Motions = map[Wall][2]float32{}
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
				r.Motions[w] = [2]float32{2, 0}
				counts[1]++
			case middle[0] > 1.999 && middle[0] < 6.001 && middle[1] > 9.999 && middle[1] < 14.001 && (on(middle[0], 2, 6) || on(middle[1], 10, 14)):
				r.Motions[w] = [2]float32{0.5, -1}
				counts[0]++
			default:
				counts[2]++
			}
		}
		// The box is cut in two places above and below; the wall has two ends that stand out.
		if counts[0] != 6 || counts[1] != 3 || counts[2] < 6+4 {
			t.Fatalf("%v walls", counts)
		}
		look := func(wants map[Wall][2]float32) around {
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
		terrain := x.world
		if err := x.crowd.SetGround(terrain.ground, terrain.grid); err != nil {
			t.Fatal(err)
		}
		look(nil)
		if during <= before {
			t.Errorf("%d walls near agents, %d where some move", before, during)
		}
	})
}
