package geom

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// A segment along a slanted wall, which snapping bends, with a box across the wall: all of the
// segment that the box leaves free stays a source, also where snapping got it into the wall on one
// side of the box or both.
func TestLegsAlongAWallUnderABox(t *testing.T) {
	l := geomtest.Unit(t, Steps, Steps)
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 31))
		at := func(x, y, spread float64) mgl64.Vec2 {
			return mgl64.Vec2{(x + spread*r.Float64()) * Steps, (y + spread*r.Float64()) * Steps}
		}
		a, b := at(0.1, 0.1, 0.05), at(0.85, 0.4, 0.05)
		const half = 0.02 * Steps
		middle := a.Add(b.Sub(a).Mul(0.3 + 0.4*r.Float64()))
		g := groundOf(t, l,
			geomtest.Polygon(a[0], a[1], b[0], b[1], b[0], 0, a[0], 0),
			geomtest.Rect(middle[0]-half, middle[1]-4*half, middle[0]+half, middle[1]+4*half))
		sum := 0.0
		for _, leg := range g.SourceSegments(a, b) {
			sum += math.Sqrt(float64(lattice.Distance2(leg.A, leg.B)))
		}
		want := b.Sub(a).Len() * (1 - 2*half/(b[0]-a[0]))
		// Two parts have four ends, each within SnapSlack of where it belongs along either axis,
		// half a step more by rounding.
		if off := 4 * (SnapSlack + 0.5) * math.Sqrt2; math.Abs(sum-want) > off {
			t.Errorf("seed %d: from %v to %v, box at %v: the legs are %v long, want %v", seed, a, b, middle, sum, want)
		}
	}
}
