package spm

import (
	"errors"
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/spm/exact"
)

// triangle is a free triangle, lattice coordinates, counter-clockwise.
type triangle struct{ AX, AY, BX, BY, CX, CY int32 }

// surface is a ground on the device, for a map's capacity for sources. Layers of one ground share
// it.
type surface struct {
	ground   *geom.Ground
	capacity int // records for sources
	users    int
	walls    *gpu.Buffer[wall]      // for method sequential: those that may cast shadows
	faces    *gpu.Buffer[face]      // for method wavefront and for questions, as are the others
	corners  *gpu.Buffer[Generator] // the corners' records, with nothing reached
	fans     *gpu.Buffer[int32]     // by corner, its first half-edge
	waveStep float32                // how far a wave reaches beyond the nearest window, m

	areas     []int32 // by triangle, the connected area of free ground; -1 in obstacles
	areaCount int
}

// newSurface uploads a ground.
func newSurface(d *gpu.Device, g *geom.Ground, capacity int) (*surface, error) {
	s := &surface{ground: g, capacity: capacity, users: 1, waveStep: waveStep(g)}
	s.areas, s.areaCount = areasOf(g)
	faces, fans := facesOf(g, capacity)
	err := errors.Join(
		upload(d, &s.walls, "spm walls", shadowCasters(g)),
		upload(d, &s.faces, "spm faces", faces),
		upload(d, &s.corners, "spm corners", cornerRecords(g)),
		upload(d, &s.fans, "spm fans", fans),
	)
	if err != nil {
		s.release()
		return nil, err
	}
	return s, nil
}

// buffers are all that a surface has on the device.
func (s *surface) buffers() []resource { return []resource{s.walls, s.faces, s.corners, s.fans} }

// release gives a layer's use of a surface up. Without users it is deleted. Releasing none does
// nothing.
func (s *surface) release() {
	if s == nil {
		return
	}
	if s.users--; s.users <= 0 {
		free(s.buffers()...)
	}
}

// areasOf numbers the connected areas of free ground: by triangle, -1 in obstacles. It returns how
// many there are, too.
func areasOf(g *geom.Ground) (areas []int32, count int) {
	areas = slices.Repeat([]int32{-1}, len(g.Triangles))
	var open []int32
	for first, t := range g.Triangles {
		if !t.Free || areas[first] >= 0 {
			continue
		}
		area := int32(count)
		count++
		areas[first] = area
		for open = append(open, int32(first)); len(open) > 0; {
			t := open[len(open)-1]
			open = open[:len(open)-1]
			for e := range int32(3) {
				if n, _ := g.Across(t, e); n >= 0 && areas[n] < 0 {
					areas[n] = area
					open = append(open, n)
				}
			}
		}
	}
	return areas, count
}

// unreached are the free triangles that no source reaches: those of areas without one.
func (s *surface) unreached(sources []exact.Source) (all []triangle) {
	g := s.ground
	reached, left := make([]bool, s.areaCount), s.areaCount
	for _, p := range exact.Placements(g, sources) {
		if area := s.areas[p.Triangle]; !reached[area] {
			reached[area] = true
			left--
		}
	}
	for i := 0; i < len(g.Triangles) && left > 0; i++ {
		if t := &g.Triangles[i]; t.Free && !reached[s.areas[i]] {
			a, b, c := g.Vertices[t.V[0]], g.Vertices[t.V[1]], g.Vertices[t.V[2]]
			all = append(all, triangle{a.X, a.Y, b.X, b.Y, c.X, c.Y})
		}
	}
	return all
}

// shadowCasters are the walls that can hide one point of the ground from another: all but those on
// the domain's border.
func shadowCasters(g *geom.Ground) (walls []wall) {
	for _, w := range g.Walls {
		if !w.Border {
			a, b := g.Vertices[w.A], g.Vertices[w.B]
			walls = append(walls, wall{a.X, a.Y, b.X, b.Y})
		}
	}
	return walls
}

// facesOf are the ground's triangles as windows cross them, and the first half-edge of every
// corner's fan: that along the wall at its right border.
func facesOf(g *geom.Ground, capacity int) (all []face, fans []int32) {
	all = make([]face, len(g.Triangles))
	fans = slices.Repeat([]int32{-1}, len(g.Corners))
	corners := g.CornersOfTriangles()
	for t := range g.Triangles {
		triangle := &g.Triangles[t]
		a, b, c := g.Vertices[triangle.V[0]], g.Vertices[triangle.V[1]], g.Vertices[triangle.V[2]]
		across, corner := [3]int32{-1, -1, -1}, [3]uint32{NoParent, NoParent, NoParent}
		for e := range int32(3) {
			if !triangle.Free {
				continue
			}
			if n, back := g.Across(int32(t), e); n >= 0 {
				across[e] = 3*n + back
			}
			if k := corners[t][e]; k >= 0 {
				corner[e] = uint32(capacity) + uint32(k)
				if triangle.Wall[e] {
					fans[k] = 3*int32(t) + e
				}
			}
		}
		all[t] = face{a.X, a.Y, b.X, b.Y, c.X, c.Y, across[0], across[1], across[2], corner[0], corner[1], corner[2]}
	}
	return all, fans
}
