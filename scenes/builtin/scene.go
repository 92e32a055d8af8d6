package builtin

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// blank returns a scene with a name, a description, a domain and every default, without a goal.
func blank(name, description string, domain scenes.Rect) *scenes.Scene {
	s := scenes.New(domain)
	s.Name, s.Description = name, description
	return s
}

// walker returns the profile "walker" with every default but the avoidance.
func walker(avoidance scenes.Avoidance) scenes.Profile {
	p := scenes.DefaultProfile()
	p.ID, p.Avoidance = "walker", avoidance
	return p
}

// sampler returns a profile that avoids by sampled velocities, as Table 4 of Bleiweiss (2009) says:
// neighbors within a distance (m) count, and so many velocities are sampled.
func sampler(distance float64, samples int) scenes.Profile {
	p := walker(scenes.AvoidanceRVO)
	p.NeighborDistance, p.RVO.Samples = distance, samples
	return p
}

// line returns a goal of one segment.
func line(id string, from, to mgl64.Vec2, arrivalRadius, clearance float64) scenes.Goal {
	return scenes.Goal{ID: id, Segments: []scenes.Segment{{from, to}}, ArrivalRadius: arrivalRadius, Clearance: clearance}
}

// spot returns a goal of one point.
func spot(id string, at mgl64.Vec2, arrivalRadius float64) scenes.Goal {
	return scenes.Goal{ID: id, Points: []mgl64.Vec2{at}, ArrivalRadius: arrivalRadius}
}

// spread returns a group that starts in a rectangle.
func spread(id, profile string, count int, over scenes.Rect, then scenes.OnArrival, itinerary ...string) scenes.Group {
	return scenes.Group{ID: id, Profile: profile, Count: count, Spawn: scenes.Spawn{Rect: &over}, Itinerary: itinerary, OnArrival: then}
}

// placed returns a group that starts on points, one agent a point.
func placed(id, profile string, points []mgl64.Vec2, then scenes.OnArrival, goal string) scenes.Group {
	return scenes.Group{
		ID: id, Profile: profile, Count: len(points), Spawn: scenes.Spawn{Points: points}, Itinerary: []string{goal}, OnArrival: then,
	}
}

// ring returns a group that starts on a circle around 0, 0 and walks to the opposite points.
func ring(id string, count int, radius float64) scenes.Group {
	return scenes.Group{
		ID: id, Profile: "walker", Count: count, Spawn: scenes.Spawn{Ring: &scenes.Disc{Radius: radius}},
		Goal: scenes.AntipodeGoal, OnArrival: scenes.ArrivalStay,
	}
}

// sizeText returns a count as names have it: whole thousands as 1k.
func sizeText(n int) string {
	if n%1000 == 0 {
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprint(n)
}

// thousands returns a number with commas between thousands.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

// rounded returns a coordinate with so many units per meter: documents stay short, and bits that
// differ between machines are removed.
func rounded(x, units float64) float64 { return math.Round(x*units) / units }

const (
	centimeter = 1e2 // units per meter
	millimeter = 1e3
	hundredth  = 1e5 // of a millimeter
)

// place returns a point with rounded coordinates.
func place(x, y, units float64) mgl64.Vec2 { return mgl64.Vec2{rounded(x, units), rounded(y, units)} }

// dot and cross are the products of two vectors, the same on every machine: the conversions keep a
// compiler from fusing operations.
func dot(a, b mgl64.Vec2) float64   { return float64(a[0]*b[0]) + float64(a[1]*b[1]) }
func cross(a, b mgl64.Vec2) float64 { return float64(a[0]*b[1]) - float64(a[1]*b[0]) }

// along returns the point a share of the way from a to b.
func along(a, b mgl64.Vec2, share float64) mgl64.Vec2 {
	return mgl64.Vec2{a[0] + float64(share*(b[0]-a[0])), a[1] + float64(share*(b[1]-a[1]))}
}

// fraction returns a random number in [0, 1) that depends on its counter alone: the output function
// of SplitMix64 (Steele, Lea and Flood 2014).
func fraction(counter uint64) float64 {
	z := (counter + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) / (1 << 53)
}
