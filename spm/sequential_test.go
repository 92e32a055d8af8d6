package spm

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// TestSourceBesideSlantedWall puts sources as near to walls as a lattice can have points that are not on them, where all that is
// beyond the wall lies in a shadow of next to half a turn.
func TestSourceBesideSlantedWall(t *testing.T) {
	// A metre is a step. Neighbours among Fibonacci's numbers make the longest wall with a point so near: 1 / 604,000 steps.
	const width, height = 514229, 317811
	near := mgl64.Vec2{196418, 121393}
	domain := [4]float64{0, 0, geom.Steps, geom.Steps}
	for _, c := range []struct {
		name string
		turn turn
	}{{"above", turn{}}, {"beside", turn{swap: true}}, {"below", turn{mirrorY: true}}} {
		byMethod(t, c.name, func(t *testing.T, d *gpu.Device, method Method) {
			at := func(p mgl64.Vec2) mgl64.Vec2 {
				return c.turn.apply(p.Add(mgl64.Vec2{200000, 300000}), geom.Steps, geom.Steps)
			}
			ring := geom.Ring{at(mgl64.Vec2{}), at(mgl64.Vec2{width, height}), at(mgl64.Vec2{0, height + 100000})}
			checkMap(t, d, method, ground(t, domain, ring), Goal{Points: []mgl64.Vec2{at(near)}}, testSize, 100)
		})
	}
}

// TestCornerSeenAlongThinWall has paths turn at the tip of a wall without thickness and come back along its other side, to a corner.
func TestCornerSeenAlongThinWall(t *testing.T) {
	for k := range 8 {
		s := turn{k&4 != 0, k&2 != 0, k&1 != 0}
		byMethod(t, []string{"plain", "y", "x", "xy", "swap", "swap y", "swap x", "swap xy"}[k], func(t *testing.T, d *gpu.Device, method Method) {
			w, h := s.size(20, 10)
			turned := func(ring geom.Ring) geom.Ring {
				for i := range ring {
					ring[i] = s.apply(ring[i], 20, 10)
				}
				return ring
			}
			g := ground(t, [4]float64{0, 0, w, h},
				turned(box(0, 2, 2, 3)), turned(geom.Ring{{2, 2}, {8, 4}, {2, 3}}), turned(geom.Ring{{8, 4}, {11, 5.2}, {11, 5.2000001}}))
			checkMap(t, d, method, g, Goal{Points: []mgl64.Vec2{s.apply(mgl64.Vec2{3, 8}, 20, 10)}}, testSize, 100)
		})
	}
}
