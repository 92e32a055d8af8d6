package geojson

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// chord is how far two places on the ellipsoid of WGS 84 are from one another, straight through the
// ground.
func chord(a, b mgl64.Vec2) float64 {
	const f = 1 / 298.257223563
	at := func(p mgl64.Vec2) mgl64.Vec3 {
		sinL, cosL := math.Sincos(p[0] * math.Pi / 180)
		sinB, cosB := math.Sincos(p[1] * math.Pi / 180)
		e2 := f * (2 - f)
		n := 6378137 / math.Sqrt(1-e2*sinB*sinB)
		return mgl64.Vec3{n * cosB * cosL, n * cosB * sinL, n * (1 - e2) * sinB}
	}
	return at(a).Sub(at(b)).Len()
}

// TestGlobe holds lengths on the plane against those on the ellipsoid.
func TestGlobe(t *testing.T) {
	for _, center := range []mgl64.Vec2{{8.54, 47.37}, {-0.1, 51.5}, {151.2, -33.9}, {103.8, 1.3}, {25.7, 66.5}} {
		const side = 0.02
		box := scenes.Rect{center[0] - side, center[1] - side/2, center[0] + side, center[1] + side/2}
		g := newGlobe(box)
		if p := g.project(center); p != (mgl64.Vec2{}) {
			t.Errorf("the middle is at %v", p)
		}
		corners := []mgl64.Vec2{center, box.Min(), box.Max(), {box[0], box[3]}, {center[0], box[3]}, {box[2], center[1]}}
		for _, a := range corners {
			for _, b := range corners {
				got, want := g.project(a).Sub(g.project(b)).Len(), chord(a, b)
				// Both ends are rounded to a millimeter, and meridians come together.
				if slack := 2e-3 + g.stretch(box)*want; math.Abs(got-want) > slack {
					t.Errorf("%v to %v: %v m, want %v to %v", a, b, got, want, slack)
				}
			}
		}
	}
}
