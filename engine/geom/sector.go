package geom

import "slices"

// SectorKind says how wide a sector is.
type SectorKind uint32

// The kinds of sectors.
const (
	// SectorAll is the full turn: no wall here, or the tip of a wall of no
	// thickness.
	SectorAll SectorKind = 0
	// SectorConvex is less than pi.
	SectorConvex SectorKind = 1
	// SectorStraight is exactly pi.
	SectorStraight SectorKind = 2
	// SectorReflex is more than pi.
	SectorReflex SectorKind = 3
	// SectorBeam is no sector: it marks the record of a Beam among those of
	// points with their sectors.
	SectorBeam SectorKind = 4
)

// Sector is a fan of free ground around the point At. It runs
// counter-clockwise from the ray At->From to the ray At->To. From and To are
// the far ends of the collinear wall runs that bound it: the runs go on over
// vertices whose sector on that side is straight. At the tip of a wall of no
// thickness Kind is SectorAll and From and To are both the far end of its run,
// on the side where it is farther; in open ground they equal At.
type Sector struct {
	At, From, To Point
	Kind         SectorKind
}

// fan is a sector at a vertex with the half-edges that bound it, both with the
// free ground on their left: open leaves the vertex along From, shut comes back
// along To. From and To are the far ends each on its own side, at tips too.
type fan struct {
	Sector
	open, shut int32
}

// setFans finds the sectors of all vertices that have walls, and the corners.
//
// A half-edge with free ground on its left, along a wall, opens one sector
// where it starts and shuts one where it ends. So these half-edges form closed
// walks along the walls, each followed by the one that opens the sector it
// shuts. A run goes on as long as the sectors between are straight; no walk is
// straight all along. opens are these half-edges.
func (g *Ground) setFans(opens []int32) {
	t := g.mesh
	// Sort the half-edges that open sectors by vertex.
	g.first = make([]int32, len(g.Vertices)+1)
	where := make([]int32, len(opens))
	for i, h := range opens {
		where[i] = t.start[h]
		g.first[where[i]]++
	}
	opens = distribute(g.first, where, opens)
	for v := range g.Vertices {
		if s := opens[g.first[v]:g.first[v+1]]; len(s) > 1 {
			slices.SortFunc(s, func(h, k int32) int {
				return compareDirections(g.Vertices[v], g.Vertices[t.end(h)], g.Vertices[t.end(k)])
			})
		}
	}

	g.fans = make([]fan, len(opens))
	opened := make([]int32, len(t.start)) // by half-edge: the fan that it opens
	shut := make([]int32, len(t.start))   // and that it shuts
	for i, h := range opens {
		k := prev(h)
		for !g.wall(k) {
			k = prev(t.twin[k])
		}
		at, from, to := g.Vertices[t.start[h]], g.Vertices[t.end(h)], g.Vertices[t.start[k]]
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
	}

	// Far ends. From each sector that is not straight back along the run that
	// ends there.
	for i := range g.fans {
		f := &g.fans[i]
		if f.Kind == SectorStraight {
			continue
		}
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
	corners := 0
	for i := range g.fans {
		if g.fans[i].corner() {
			corners++
		}
	}
	g.Corners = make([]Sector, 0, corners)
	for i := range g.fans {
		if g.fans[i].corner() {
			g.Corners = append(g.Corners, g.fans[i].whole())
		}
	}
}

// whole returns the fan as the sector that it is. At a tip another wall may end
// the run early on one of its sides; the longer one counts.
func (f *fan) whole() Sector {
	s := f.Sector
	if s.Kind == SectorAll {
		if distance2(s.At, s.From) < distance2(s.At, s.To) {
			s.From = s.To
		}
		s.To = s.From
	}
	return s
}

// corner returns whether a shortest path can turn in the fan.
func (f *fan) corner() bool { return f.Kind == SectorAll || f.Kind == SectorReflex }

// compareDirections orders the directions from p to a and to b
// counter-clockwise, beginning with that of the x axis.
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

// distance2 returns the squared distance, at most 2^41 in a domain.
func distance2(p, q Point) int64 {
	dx, dy := int64(p.X)-int64(q.X), int64(p.Y)-int64(q.Y)
	return dx*dx + dy*dy
}

// Sectors returns the free sectors at p, counter-clockwise by From, beginning
// with the direction of the x axis: one in open ground, a half plane for each
// free side of a wall that p lies on, one or more at a vertex of walls, and
// none in covered ground or outside the domain.
func (g *Ground) Sectors(p Point) []Sector {
	t := g.mesh
	h := g.find(p)
	if h < 0 {
		return nil
	}
	all := []Sector{{At: p, From: p, To: p, Kind: SectorAll}}
	if v := g.vertexAt(p, h); v >= 0 {
		fans := g.fans[g.first[v]:g.first[v+1]]
		if len(fans) == 0 {
			if g.free(t.out[v]) {
				return all
			}
			return nil
		}
		sectors := make([]Sector, len(fans))
		for i := range fans {
			sectors[i] = fans[i].whole()
		}
		return sectors
	}
	h = t.edgeAt(p, h)
	if h < 0 || !g.wall(h) {
		if g.free(g.freeSide(p)) {
			return all
		}
		return nil
	}
	if k := t.twin[h]; k >= 0 && compareDirections(p, t.points[t.end(h)], t.points[t.start[h]]) > 0 {
		h = k // the one whose From comes first
	}
	var sectors []Sector
	for _, h := range [2]int32{h, t.twin[h]} {
		if g.free(h) {
			sectors = append(sectors, Sector{p, g.fanOpenedBy(h).From, g.fanShutBy(h).To, SectorStraight})
		}
	}
	return sectors
}

// fanOpenedBy returns the fan that the half-edge h, free and on a wall, opens.
func (g *Ground) fanOpenedBy(h int32) *fan {
	v := g.mesh.start[h]
	for i := g.first[v]; ; i++ {
		if g.fans[i].open == h {
			return &g.fans[i]
		}
	}
}

// fanShutBy returns the fan that the half-edge h, free and on a wall, shuts.
func (g *Ground) fanShutBy(h int32) *fan {
	v := g.mesh.end(h)
	for i := g.first[v]; ; i++ {
		if g.fans[i].shut == h {
			return &g.fans[i]
		}
	}
}
