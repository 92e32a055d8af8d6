package scenes

import "github.com/wayfront/wayfront/engine/geom"

// Lattice returns the lattice of the scene's domain.
func (s *Scene) Lattice() (geom.Lattice, error) {
	return geom.NewLattice(s.Min(), s.Max())
}

// Ground returns the ground as it is when the simulation starts: the domain without the scene's obstacles, those that
// open later or move at their places in the file.
func (s *Scene) Ground() (*geom.Ground, error) {
	l, err := s.Lattice()
	if err != nil {
		return nil, err
	}
	polygons := make([]geom.Polygon, len(s.Obstacles))
	for i, o := range s.Obstacles {
		polygons[i] = o.Polygon()
	}
	return geom.Build(l, polygons)
}
