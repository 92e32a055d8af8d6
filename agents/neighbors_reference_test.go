package agents

import (
	"cmp"
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
)

// squaredDistance of two places, m^2, as shaders compute it.
func squaredDistance(a, b [2]float32) float32 {
	d := minus(a, b)
	return float32(d[0]*d[0]) + float32(d[1]*d[1])
}

// Neighbors lists the agents near one that avoids others by parameters: the slots of the nearest
// among those that are there, walk or stand, within the distance of the parameters; the nearest
// first, of equally near ones the one with the lowest slot; those left out that walls hide. All
// are asked.
func (r *Reference) Neighbors(agents []Agent, there []bool, self int, m AvoidanceParams) []uint32 {
	type neighbor struct {
		squared float32
		id      uint32
	}
	var near []neighbor
	own := agents[self]
	s := footingOf(own, r.onLattice(own.Position))
	for id, a := range agents {
		d := squaredDistance(a.Position, own.Position)
		if id != self && there[id] && d <= float32(m.NeighborDistance*m.NeighborDistance) {
			near = append(near, neighbor{d, uint32(id)})
		}
	}
	slices.SortFunc(near, func(a, b neighbor) int { return cmp.Or(cmp.Compare(a.squared, b.squared), cmp.Compare(a.id, b.id)) })
	var seen []uint32
	for _, n := range near {
		if len(seen) == int(m.MaxNeighbors) {
			break
		}
		other := footingOf(agents[n.id], r.onLattice(agents[n.id].Position))
		if barriers(r.Walls).sees(s, other) {
			seen = append(seen, n.id)
		}
	}
	return seen
}

// sees reports whether two see each other, asked from the one with the lesser x, then y.
func (ws barriers) sees(a, b footing) bool {
	if a.at == b.at {
		return ws.sameSector(a, b.from, b.perturbation)
	}
	if b.at.Less(a.at) {
		a, b = b, a
	}
	var wanted rules
	for _, r := range [...]rules{leftRule, rightRule} {
		// A ray turned left comes from the right of the way back.
		if turn := int32(turnOf(r)); ws.sameSector(a, b.at, turn) && ws.sameSector(b, a.at, -turn) {
			wanted |= r
		}
	}
	return ws.unhidden(a.at, b.at, wanted) != 0
}

// NearWalls lists the walls that an agent may come to before it can stop, and those that move and
// are as near as others that count, on whose free side it is: the nearest first, of equally near
// ones in the order of their ends. All are asked.
func (r *Reference) NearWalls(a Agent, t Traits, m AvoidanceParams) []Wall {
	stops := t.MaxSpeed/m.MaxAcceleration + r.Timestep
	reach := float32(t.MaxSpeed*min(max(m.TimeHorizon, r.Timestep), stops)) + t.Radius
	farther := max(reach, m.NeighborDistance)
	q := r.onLattice(a.Position)
	var near []Wall
	for _, w := range r.Walls {
		steps := float64(reach) / r.Lattice.Step
		if r.Motions[w] != [4]float32{} {
			steps = float64(farther) / r.Lattice.Step
		}
		if p, e := w.ends(); geom.Orient(p, e, q) != geom.Right && squaredSteps(w, q) <= float32(steps*steps) {
			near = append(near, w)
		}
	}
	slices.SortFunc(near, func(v, w Wall) int {
		return cmp.Or(cmp.Compare(squaredSteps(v, q), squaredSteps(w, q)), compareWalls(v, w))
	})
	return near
}

// squaredSteps is the squared distance of a wall, in lattice steps.
func squaredSteps(w Wall, q geom.Point) float32 {
	a, b := w.ends()
	switch length := float64(dot(a, b, b)); {
	case dot(a, b, q) <= 0:
		return float32(dot(q, a, a))
	case dot(b, a, q) <= 0:
		return float32(dot(q, b, b))
	default:
		side := float64(cross(a, b, q))
		return float32(float64(side*side) / length)
	}
}
