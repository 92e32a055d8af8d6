package geom

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// Place is where the vertex at lattice point p was before it was rounded, in the world: sight is decided on the lattice, but
// a way over many vertices would add up what rounding did to each, so lengths are better taken from here. Of several
// vertices that became one it is the least by x, then y; of points that are no obstacle's vertex, crossings among them, it
// is the lattice point itself.
func (g *Ground) Place(p Point) mgl64.Vec2 {
	if i, ok := slices.BinarySearchFunc(g.Vertices, p, Point.Compare); ok {
		return g.places[i]
	}
	return g.Lattice.World(p)
}

// placesOf returns the places of all vertices.
func placesOf(l Lattice, vertices []Point, obstacles []Polygon) []mgl64.Vec2 {
	places := make([]mgl64.Vec2, len(vertices))
	given := make([]bool, len(vertices))
	for i, p := range vertices {
		places[i] = l.World(p)
	}
	for _, o := range obstacles {
		for k := range len(o.Holes) + 1 {
			for _, v := range o.ring(k) {
				if !l.Contains(v) {
					continue
				}
				i, ok := slices.BinarySearchFunc(vertices, l.Snap(v), Point.Compare)
				if ok && (!given[i] || lessWorld(v, places[i])) {
					places[i], given[i] = v, true
				}
			}
		}
	}
	return places
}
