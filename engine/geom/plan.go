package geom

import (
	"fmt"
	"slices"
)

// Plan keeps the obstacles of a domain while they come, move and go, and makes the ground that they leave. Only what changed
// is made anew, but the ground is the same, bit for bit, as Build's of the obstacles as they are.
//
// A Plan is for one goroutine at a time. The grounds that it returns are immutable, like all: changes make new ones.
type Plan struct {
	lattice   Lattice
	obstacles map[int][]Polygon
	// ground is the last one, or nil if there were changes since.
	ground *Ground
}

// NewPlan returns a plan of a domain without obstacles.
func NewPlan(l Lattice) *Plan {
	if !l.sized() {
		panic("geom: NewPlan of a lattice without size; make it with NewLattice")
	}
	return &Plan{lattice: l, obstacles: map[int][]Polygon{}}
}

// Set makes the given polygons the obstacle of that id, in place of those that it was before. Any number of polygons may be
// one obstacle, such as those that Polygon.Grow returns. They are the plan's from now on: nobody may write to them.
//
// A vertex that cannot be put on the lattice gives a *VertexError, whose Obstacle counts the given polygons, and the
// obstacle stays as it was.
func (p *Plan) Set(id int, polygons ...Polygon) error {
	if err := p.lattice.reaches(polygons); err != nil {
		return err
	}
	p.obstacles[id] = polygons
	p.ground = nil
	return nil
}

// Remove takes away the obstacle of that id. It panics if there is none.
func (p *Plan) Remove(id int) {
	if _, ok := p.obstacles[id]; !ok {
		panic(fmt.Sprintf("geom: Remove of obstacle %d, which is not there; Set it first", id))
	}
	delete(p.obstacles, id)
	p.ground = nil
}

// Ground returns the ground of the obstacles as they are: the same one until they change.
func (p *Plan) Ground() *Ground {
	if p.ground == nil {
		var all []Polygon
		for _, o := range p.obstacles {
			all = slices.Concat(all, o)
		}
		g, err := Build(p.lattice, all)
		if err != nil {
			panic(err) // Set lets no such vertex in
		}
		p.ground = g
	}
	return p.ground
}
