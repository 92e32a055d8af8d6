package scenes

import "github.com/wayfront/wayfront/engine/geom"

// Lattice returns the lattice of the scene's domain.
func (s *Scene) Lattice() (geom.Lattice, error) {
	return geom.NewLattice(s.Min(), s.Max())
}

// Ground returns the ground at time 0: the domain without the obstacles that are present, where
// they are then.
func (s *Scene) Ground() (*geom.Ground, error) { return s.GroundAt(0) }

// GroundAt returns the ground at a time, on which agents walk. Unit: s. Limit: >= 0.
func (s *Scene) GroundAt(t float64) (*geom.Ground, error) { return s.GroundFor(t, Walked) }

// GroundFor returns the ground at a time for a passage (see ClearGround). Unit: s. Limit: >= 0.
func (s *Scene) GroundFor(t float64, p Passage) (*geom.Ground, error) {
	return s.ClearGround(s.present(t, p), p.Clearance)
}

// Present returns the obstacles that are present at a time and in the way of agents, where they are
// then. Unit: s. Limit: >= 0.
func (s *Scene) Present(t float64) []geom.Polygon { return s.present(t, Walked) }

func (s *Scene) present(t float64, p Passage) (list []geom.Polygon) {
	for _, o := range s.Obstacles {
		if o.Stops(p) && o.PresentAt(t) {
			list = append(list, o.PolygonAt(t))
		}
	}
	return list
}

// Passage is what a ground is for: it decides which obstacles are in the way, and how close to them
// a path may come.
type Passage struct {
	// Clearance that is kept from obstacles and from the domain's border. Unit: m. Limit: >= 0.
	Clearance float64
	// Staff passes obstacles that are for staff only.
	Staff bool
}

// Walked is the passage of bodies. What is for staff only stops none of them.
var Walked = Passage{Staff: true}

// Passage is that of the goal's map.
func (g Goal) Passage() Passage { return Passage{g.Clearance, g.Staff} }

// Stops reports whether the obstacle, where it is present, is in the way.
func (o Obstacle) Stops(p Passage) bool { return !o.StaffOnly || !p.Staff }

// clearanceSides is the number of sides of round parts of grown obstacles: with 16 they reach up to
// 2% of the clearance too far where they turn (geom.Polygon.Grow), and have a quarter of the
// corners that would make that 0.1%.
const clearanceSides = 16

// ClearGround returns the ground for the center of a disc of radius clearance: the domain without
// obstacles grown by it, and without the strip of that width along its border, which is a wall. A
// clearance of 0 gives the ground of a point. Unit: m. Limit: >= 0. The errors are those of
// geom.Build.
func (s *Scene) ClearGround(obstacles []geom.Polygon, clearance float64) (*geom.Ground, error) {
	l, err := s.Lattice()
	if err != nil {
		return nil, err
	}
	grown := s.Border(clearance)
	for _, o := range obstacles {
		grown = append(grown, Grown(o, clearance)...)
	}
	return geom.Build(l, grown)
}

// Border returns the strips along the domain's border that the center of a disc of radius clearance
// cannot be on: none for a clearance of 0. Unit: m. Limit: >= 0.
func (s *Scene) Border(clearance float64) []geom.Polygon {
	if clearance == 0 {
		return nil
	}
	lo, hi := s.Min(), s.Max()
	w, h := min(clearance, hi[0]-lo[0]), min(clearance, hi[1]-lo[1])
	return []geom.Polygon{
		Rect{lo[0], lo[1], hi[0], lo[1] + h}.Polygon(), Rect{lo[0], hi[1] - h, hi[0], hi[1]}.Polygon(),
		Rect{lo[0], lo[1], lo[0] + w, hi[1]}.Polygon(), Rect{hi[0] - w, lo[1], hi[0], hi[1]}.Polygon(),
	}
}

// Grown returns polygons whose union is an obstacle grown by a clearance. Unit: m. Limit: >= 0.
func Grown(obstacle geom.Polygon, clearance float64) []geom.Polygon {
	return obstacle.Grow(clearance, clearanceSides)
}
