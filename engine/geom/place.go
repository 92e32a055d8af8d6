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

// setPlaces finds the places of all vertices.
func (g *Ground) setPlaces(obstacles []Polygon) {
	g.places = make([]mgl64.Vec2, len(g.Vertices))
	given := make([]bool, len(g.Vertices))
	for i, p := range g.Vertices {
		g.places[i] = g.Lattice.World(p)
	}
	take := func(r Ring) {
		for _, v := range r {
			if !g.Lattice.Contains(v) {
				continue
			}
			i, ok := slices.BinarySearchFunc(g.Vertices, g.Lattice.Snap(v), Point.Compare)
			if ok && (!given[i] || lessWorld(v, g.places[i])) {
				g.places[i], given[i] = v, true
			}
		}
	}
	for _, o := range obstacles {
		take(o.Outer)
		for _, h := range o.Holes {
			take(h)
		}
	}
}
