package spm

import (
	"fmt"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// inAllTurns compares maps of a scene, mirrored and turned by quarters, with the
// reference.
func inAllTurns(t *testing.T, name string, width, height float64, obstacles []geom.Ring, source mgl64.Vec2) {
	t.Helper()
	for k := range 8 {
		s := turn{k&4 != 0, k&2 != 0, k&1 != 0}
		w, h := s.size(width, height)
		turned := make([]geom.Ring, len(obstacles))
		for i, ring := range obstacles {
			for _, v := range ring {
				turned[i] = append(turned[i], s.apply(v, width, height))
			}
		}
		byMethod(t, fmt.Sprintf("%s/%+v", name, s), func(t *testing.T, d *gpu.Device, method Method) {
			checkMap(t, d, method, ground(t, [4]float64{0, 0, w, h}, turned...), Goal{Points: []mgl64.Vec2{s.apply(source, width, height)}}, testSize, 100)
		})
	}
}

// TestNextToHalfTurn has light and shadow of next to half a turn.
func TestNextToHalfTurn(t *testing.T) {
	// A meter is a step. Neighbors among Fibonacci's numbers make the longest wall with lattice points
	// so near: 1 / 604,000 steps.
	at := func(x, y float64) mgl64.Vec2 { return mgl64.Vec2{200000 + x, 300000 + y} }
	from, to, below, above := at(0, 0), at(514229, 317811), at(196418, 121393), at(317811, 196418)
	inAllTurns(t, "beside a slanted wall", geom.Steps, geom.Steps, []geom.Ring{{from, to, at(0, 400000)}}, below)
	// What is below the needle is reached round its tip.
	inAllTurns(t, "round a needle", geom.Steps, geom.Steps, []geom.Ring{box(0, 0, from[0], geom.Steps), {from, below, to}}, above)
}

// TestAlongThinWalls has paths along walls without thickness, where what is on one side must not be
// seen from the other. All vertices are on the lattice, so that walls go straight on where others
// meet them.
func TestAlongThinWalls(t *testing.T) {
	shut, wedge := box(0, 2.75, 2, 3), geom.Ring{{2, 2.75}, {8, 4}, {2, 3}}
	thin := func(x0, y0, x1, y1 float64) geom.Ring { return geom.Ring{{x0, y0}, {x1, y1}, {x1, y1 + 1e-7}} }
	for _, c := range []struct {
		name      string
		obstacles []geom.Ring
		source    mgl64.Vec2
	}{
		// The path to the lower side of the wedge's tip, a corner, leads round the tip of the wall and
		// back.
		{"back to a corner", []geom.Ring{shut, wedge, thin(8, 4, 10, 4.5)}, mgl64.Vec2{3, 7}},
		{"back to a corner behind a branch", []geom.Ring{shut, wedge, thin(8, 4, 10, 4.5), thin(9, 4.25, 9, 2)}, mgl64.Vec2{3, 7}},
		{
			// The tips of the wedges that the wall joins are corners on different sides of it.
			"from a corner to one on the other side",
			[]geom.Ring{{{6, 3.75}, {1, 5.25}, {1, 4.25}}, {{10, 3.75}, {15, 2.25}, {15, 3.25}}, thin(6, 3.75, 10, 3.75)},
			mgl64.Vec2{1.5, 3.9},
		},
	} {
		inAllTurns(t, c.name, 16, 8, c.obstacles, c.source)
	}
}
