package spm

import (
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// surface is a ground on the device. Layers of one ground share it.
type surface struct {
	ground    *geom.Ground
	users     int
	walls     *gpu.Buffer[wall] // for method sequential
	wallCount int
	faces     *gpu.Buffer[face]  // for method wavefront, as fans
	fans      *gpu.Buffer[int32] // by corner, its first half-edge
	cover     *gpu.Texture       // R32UI: 1 where a texel's centre is on free ground
	waveStep  float32            // how far a wave reaches beyond the nearest window, m
}

// wall is a wall that may hide things, lattice coordinates.
type wall struct{ AX, AY, BX, BY int32 }

// triangle is a free triangle, lattice coordinates, counter-clockwise.
type triangle struct{ AX, AY, BX, BY, CX, CY int32 }

// surface is a ground on the device for a map: that of a layer that has it already, or a new one.
func (b *Builder) surface(m *Map, g *geom.Ground) (s *surface, err error) {
	for i := range m.layers {
		if s := m.layers[i].surface; s != nil && s.ground == g {
			s.users++
			return s, nil
		}
	}
	s = &surface{ground: g, users: 1, waveStep: waveStep(g)}
	if err := s.upload(b.device, m); err != nil {
		s.release()
		return nil, err
	}
	b.device.Pass("spm ground", func() { err = b.coverGround(m, s) })
	if err != nil {
		s.release()
		return nil, err
	}
	return s, nil
}

func (s *surface) upload(d *gpu.Device, m *Map) (err error) {
	walls := shadowCasters(s.ground)
	s.wallCount = len(walls)
	if s.walls, err = gpu.NewBuffer[wall](d, "spm walls", max(1, len(walls))); err != nil {
		return err
	}
	s.walls.Write(0, walls)
	all, fans := faces(s.ground, m.Room)
	if s.faces, err = gpu.NewBuffer[face](d, "spm faces", len(all)); err != nil {
		return err
	}
	s.faces.Write(0, all)
	if s.fans, err = gpu.NewBuffer[int32](d, "spm fans", len(fans)); err != nil {
		return err
	}
	s.fans.Write(0, fans)
	s.cover, err = m.texture(d, "spm cover", gpu.R32UI, 0)
	return err
}

// release gives a layer's use of a surface up. Without users it is deleted. Releasing none does nothing.
func (s *surface) release() {
	if s == nil {
		return
	}
	if s.users--; s.users > 0 {
		return
	}
	s.walls.Delete()
	s.faces.Delete()
	s.fans.Delete()
	s.cover.Delete()
}

// shadowCasters are the walls that can hide one point of the ground from another: all but those on the domain's border.
func shadowCasters(g *geom.Ground) []wall {
	var walls []wall
	for _, w := range g.Walls {
		if !w.Border {
			a, b := g.Vertices[w.A], g.Vertices[w.B]
			walls = append(walls, wall{a.X, a.Y, b.X, b.Y})
		}
	}
	return walls
}

// freeTriangles are the triangles of free ground.
func freeTriangles(g *geom.Ground) []triangle {
	var free []triangle
	for _, t := range g.Triangles {
		if t.Free {
			a, b, c := g.Vertices[t.V[0]], g.Vertices[t.V[1]], g.Vertices[t.V[2]]
			free = append(free, triangle{a.X, a.Y, b.X, b.Y, c.X, c.Y})
		}
	}
	return free
}
