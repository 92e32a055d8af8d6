package geom

import "github.com/go-gl/mathgl/mgl64"

// Ring is a closed chain of straight edges; the last vertex is joined to the
// first. Units: m.
type Ring []mgl64.Vec2

// Polygon is a closed region: the inside of Outer without the insides of its
// Holes. The rings may have either orientation.
type Polygon struct {
	Outer Ring
	Holes []Ring
}
