package geom

import (
	"slices"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
	"github.com/wayfront/wayfront/engine/geom/internal/triangulation"
)

// SectorKind says how wide a sector is.
type SectorKind uint32

// The kinds of sectors.
const (
	// SectorAll is the full turn: no wall, or the tip of a wall of no thickness.
	SectorAll SectorKind = 0
	// SectorConvex is less than pi.
	SectorConvex SectorKind = 1
	// SectorStraight is exactly pi.
	SectorStraight SectorKind = 2
	// SectorReflex is more than pi.
	SectorReflex SectorKind = 3
	// SectorLightField marks the record of a LightField among those of points with their sectors.
	SectorLightField SectorKind = 4
)

// Sector is the free ground around the point At, counter-clockwise from the ray At->From to the ray
// At->To. From and To are the far ends of the collinear runs of walls that bound it: a run
// continues over vertices whose sector on that side is straight. At the tip of a wall of no
// thickness Kind is SectorAll and From and To are both the far end of its run, on the side where it
// is farther; in open ground they equal At.
type Sector struct {
	At, From, To Point
	Kind         SectorKind
}

// fan is a sector at a vertex with the half-edges that bound it, both with the free ground on their
// left: open leaves the vertex along From, shut comes back along To. From and To are the far ends
// each on its own side, at tips too.
type fan struct {
	Sector
	open, shut int32
}

// setFans finds the sectors of all vertices that have walls, and the corners. opens are the
// half-edges along walls with free ground on their left.
//
// Such a half-edge opens one sector where it starts and shuts one where it ends. So these
// half-edges form closed walks along the walls, each followed by the one that opens the sector it
// shuts. A run continues as long as the sectors between are straight; no walk is straight all
// along.
func (g *Ground) setFans(opens []int32) {
	t := g.mesh
	where := make([]int32, len(opens))
	for i, h := range opens {
		where[i] = t.Start[h]
	}
	g.first = make([]int32, len(g.Vertices)+1)
	opens = lattice.Distribute(g.first, where, opens)
	for v := range g.Vertices {
		if s := opens[g.first[v]:g.first[v+1]]; len(s) > 1 {
			slices.SortFunc(s, func(h, k int32) int {
				return compareDirections(g.Vertices[v], g.Vertices[t.End(h)], g.Vertices[t.End(k)])
			})
		}
	}
	g.fans = make([]fan, len(opens))
	opened := make([]int32, len(t.Start)) // by half-edge: the fan that it opens
	shut := make([]int32, len(t.Start))   // and that it shuts
	corners := 0
	for i, h := range opens {
		k := triangulation.Prev(h)
		for !g.wall(k) {
			k = triangulation.Prev(t.Twin[k])
		}
		at, from, to := g.Vertices[t.Start[h]], g.Vertices[t.End(h)], g.Vertices[t.Start[k]]
		kind := SectorAll
		switch Orient(at, from, to) {
		case Left:
			kind = SectorConvex
		case Right:
			kind = SectorReflex
		case Collinear:
			if from != to {
				kind = SectorStraight
			}
		}
		g.fans[i] = fan{Sector{at, from, to, kind}, h, k}
		opened[h], shut[k] = int32(i), int32(i)
		if g.fans[i].corner() {
			corners++
		}
	}
	g.Corners = make([]Sector, 0, corners)
	for i := range g.fans {
		f := &g.fans[i]
		if f.Kind == SectorStraight {
			continue
		}
		// f is the far end of the runs that end in it.
		for k := &g.fans[opened[f.shut]]; ; k = &g.fans[opened[k.shut]] {
			k.From = f.At
			if k.Kind != SectorStraight {
				break
			}
		}
		for k := &g.fans[shut[f.open]]; ; k = &g.fans[shut[k.open]] {
			k.To = f.At
			if k.Kind != SectorStraight {
				break
			}
		}
	}
	for i := range g.fans {
		if g.fans[i].corner() {
			g.Corners = append(g.Corners, g.fans[i].whole())
		}
	}
}

// whole returns the fan's sector. At a tip another wall may end the run early on one of its sides;
// the longer one counts.
func (f *fan) whole() Sector {
	s := f.Sector
	if s.Kind == SectorAll {
		if lattice.Distance2(s.At, s.From) < lattice.Distance2(s.At, s.To) {
			s.From = s.To
		}
		s.To = s.From
	}
	return s
}

// corner reports whether a shortest path can turn in the fan.
func (f *fan) corner() bool { return f.Kind == SectorAll || f.Kind == SectorReflex }

// compareDirections orders the directions from p to a and to b counter-clockwise, beginning with
// that of the x axis.
func compareDirections(p, a, b Point) int {
	below := func(q Point) bool { return q.Y < p.Y || q.Y == p.Y && q.X < p.X }
	if below(a) != below(b) {
		if below(a) {
			return 1
		}
		return -1
	}
	return -int(Orient(p, a, b))
}

// Sectors returns the free sectors at p, counter-clockwise by From, beginning with the direction of
// the x axis: one in open ground, a half plane for each free side of a wall that p lies on, one or
// more at a vertex of walls, and none in covered ground or outside the domain.
func (g *Ground) Sectors(p Point) []Sector {
	t := g.mesh
	h := g.find(p)
	if h < 0 {
		return nil
	}
	var sectors []Sector
	if v := g.vertexAt(p, h); v >= 0 {
		for i := range g.fans[g.first[v]:g.first[v+1]] {
			sectors = append(sectors, g.fans[int(g.first[v])+i].whole())
		}
	} else if on := t.EdgeAt(p, h); on >= 0 && g.wall(on) {
		k := t.Twin[on]
		if k >= 0 && compareDirections(p, t.Points[t.End(on)], t.Points[t.Start[on]]) > 0 {
			on, k = k, on // the one whose From comes first
		}
		for _, h := range [2]int32{on, k} {
			if g.free(h) {
				sectors = append(sectors, Sector{p, g.fanOpenedBy(h).From, g.fanShutBy(h).To, SectorStraight})
			}
		}
	}
	if sectors == nil && g.Free(p) { // no wall here
		sectors = []Sector{{p, p, p, SectorAll}}
	}
	return sectors
}

// fanOpenedBy returns the fan that the half-edge h, free and on a wall, opens.
func (g *Ground) fanOpenedBy(h int32) *fan {
	i := g.first[g.mesh.Start[h]]
	for g.fans[i].open != h {
		i++
	}
	return &g.fans[i]
}

// fanShutBy returns the fan that the half-edge h, free and on a wall, shuts.
func (g *Ground) fanShutBy(h int32) *fan {
	i := g.first[g.mesh.End(h)]
	for g.fans[i].shut != h {
		i++
	}
	return &g.fans[i]
}

// CornersOfTriangles returns, for every triangle and each of its vertices, the corner whose sector
// holds the triangle, as an index into Corners; -1 where none does. It is shared: the caller must
// not write to it.
func (g *Ground) CornersOfTriangles() [][3]int32 {
	g.cornersOnce.Do(func() {
		g.corners = make([][3]int32, len(g.Triangles))
		for t := range g.corners {
			g.corners[t] = [3]int32{-1, -1, -1}
		}
		corner := int32(0)
		for i := range g.fans {
			f := &g.fans[i]
			if !f.corner() {
				continue
			}
			for h := f.open; ; h = g.mesh.Turn(h) {
				g.corners[h/3][h%3] = corner
				if triangulation.Prev(h) == f.shut {
					break
				}
			}
			corner++
		}
	})
	return g.corners
}
