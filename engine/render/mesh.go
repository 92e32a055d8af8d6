package render

import (
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// mesh is a ground's obstacles on the device.
type mesh struct {
	of      *geom.Ground
	covered *gpu.Buffer[[2]float32] // corners of the triangles that obstacles cover
	walls   *gpu.Buffer[[2]float32] // ends of the walls, then of the domain's border
	solids  *gpu.Buffer[[4]float32] // see there; nil before the first street
}

// borderPoints is the number of points of the domain's border in a mesh's walls.
const borderPoints = 8

// setMeshes uploads the meshes of a picture, and deletes all others.
func (r *Renderer) setMeshes(p Picture) (err error) {
	if r.shown, err = r.mesh(p.ground()); err != nil {
		return err
	}
	if r.mapped, err = r.mesh(p.Map.Ground(p.Layer)); err != nil {
		return err
	}
	r.meshes = slices.DeleteFunc(r.meshes, func(m *mesh) bool {
		old := m != r.shown && m != r.mapped
		if old {
			m.delete()
		}
		return old
	})
	return nil
}

// mesh returns the mesh of a ground, uploaded if needed.
func (r *Renderer) mesh(g *geom.Ground) (*mesh, error) {
	for _, m := range r.meshes {
		if m.of == g {
			return m, nil
		}
	}
	var covered [][2]float32
	for _, t := range g.Triangles {
		if !t.Free {
			for _, v := range t.V {
				covered = append(covered, g.Lattice.Local(g.Vertices[v]))
			}
		}
	}
	var walls [][2]float32
	for _, w := range g.Walls {
		if w.Border {
			continue
		}
		walls = append(walls, g.Lattice.Local(g.Vertices[w.A]), g.Lattice.Local(g.Vertices[w.B]))
	}
	// The whole border of the domain: walls have its free parts only.
	size := g.Lattice.Local(g.Lattice.Size)
	a, b, c, d := [2]float32{}, [2]float32{size[0], 0}, size, [2]float32{0, size[1]}
	walls = append(walls, a, b, b, c, c, d, d, a)
	m := &mesh{of: g}
	var err error
	if m.covered, err = gpu.NewBuffer[[2]float32](r.device, "render covered ground", len(covered)); err != nil {
		return nil, err
	}
	if m.walls, err = gpu.NewBuffer[[2]float32](r.device, "render walls", len(walls)); err != nil {
		m.delete()
		return nil, err
	}
	m.covered.Write(0, covered)
	m.walls.Write(0, walls)
	r.meshes = append(r.meshes, m)
	return m, nil
}

func (m *mesh) delete() {
	m.covered.Delete()
	m.walls.Delete()
	m.solids.Delete()
}
