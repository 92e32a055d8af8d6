package builtin

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// walker returns the profile "walker" with every default but the avoidance.
func walker(avoidance scenes.Avoidance) scenes.Profile {
	p := scenes.DefaultProfile()
	p.ID, p.Avoidance = "walker", avoidance
	return p
}

// line returns a goal of one segment.
func line(id string, from, to mgl64.Vec2) scenes.Goal {
	return scenes.Goal{ID: id, Segments: []scenes.Segment{{from, to}}, ArrivalRadius: 1}
}

// spot returns a goal of one point.
func spot(id string, at mgl64.Vec2, arrivalRadius float64) scenes.Goal {
	return scenes.Goal{ID: id, Points: []mgl64.Vec2{at}, ArrivalRadius: arrivalRadius}
}

// rounded returns a coordinate with so many units per meter: documents stay short, and bits that
// differ between machines are removed.
func rounded(x, units float64) float64 { return math.Round(x*units) / units }

const (
	millimeter = 1e3 // units per meter
	hundredth  = 1e5 // of a millimeter
)

// place returns a point with rounded coordinates.
func place(x, y, units float64) mgl64.Vec2 { return mgl64.Vec2{rounded(x, units), rounded(y, units)} }
