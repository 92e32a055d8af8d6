package spm

import (
	"cmp"
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/spm/exact"
)

// seeds is what light begins with: what sources light of the triangles that they are in.
type seeds struct {
	sources [][]Generator // by slot
	windows []window
	offers  []offer
	lit     []lit
	sites   [][2]uint32 // see shaders/spm/voronoi.glsl
}

// seedLayers finds what the sources of layers light first, the layers' records in slots one after
// the other, their faces from firsts on.
func seedLayers(layers []layer, firsts []int, stride, capacity int, slack float64) *seeds {
	s := &seeds{sites: make([][2]uint32, len(layers))}
	for slot, l := range layers {
		g := l.surface.ground
		f := seeder{
			seeds: s, slot: slot, ground: g, slack: slack * onPlane(g.Lattice.Size).Len(), corners: g.CornersOfTriangles(),
			firstFace: uint32(firsts[slot]), firstCorner: uint32(slot*stride + capacity),
		}
		records := make([]Generator, len(l.sources))
		for i, source := range l.sources {
			records[i] = sourceRecord(g, source, i)
			if b, ok := source.LightField(); ok {
				f.seedField(b, uint32(slot*stride+i))
			}
		}
		f.seedPoints(l.sources, uint32(slot*stride))
		s.sources = append(s.sources, records)
	}
	return s
}

// seeder is the ground of a slot while its sources are seeded.
type seeder struct {
	*seeds
	slot                   int
	slack                  float64 // lattice steps
	ground                 *geom.Ground
	corners                [][3]int32 // of the ground's triangles
	firstFace, firstCorner uint32     // of the slot
	feet                   []geom.FootInterval
}

// seedPoints seeds the point sources, the first of which has the index `first`. Of those in the
// same triangle each lights the part that it can win.
func (f *seeder) seedPoints(sources []exact.Source, first uint32) {
	var all []site
	var entrances []geom.Entrance
	seen := map[exact.Source]bool{}
	for i, s := range sources {
		same := s
		same.Of = 0
		if _, ok := s.LightField(); ok || seen[same] {
			continue // of equal sources the first wins everywhere
		}
		seen[same] = true
		entrances = f.ground.Entrances(s.Sector, entrances[:0])
		for _, in := range entrances {
			all = append(all, newSite(f.ground.Lattice, s, in, first+uint32(i)))
		}
	}
	slices.SortStableFunc(all, func(a, b site) int { return cmp.Compare(a.Triangle, b.Triangle) })
	begin := len(f.sites)
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(s site) bool { return s.Triangle != all[0].Triangle })
		if n < 0 {
			n = len(all)
		}
		f.seedTriangle(all[:n])
		all = all[n:]
	}
	if len(seen) < 2 { // none can beat another
		f.sites = f.sites[:begin]
	}
	f.sites[f.slot] = [2]uint32{uint32(begin), uint32(len(f.sites))}
}

// seedTriangle seeds the point sources of a triangle.
func (f *seeder) seedTriangle(sites []site) {
	t := sites[0].Triangle
	begin := len(f.sites)
	var triangle [3]geom.Point
	for i, v := range f.ground.Triangles[t].V {
		triangle[i] = f.ground.Vertices[v]
	}
	v := newVoronoi(triangle, sites, f.slack)
	for i := range sites {
		s := &sites[i]
		v.find(i)
		low, high := v.box()
		f.lit = append(f.lit, lit{s.generator, 0, f.firstFace + uint32(t), wholeFace, low.X, low.Y, high.X, high.Y})
		for e := range int32(3) {
			f.offer(s.generator, f.corners[t][e])
			exit := v.exit(s, int(e))
			if !exit.Open() {
				continue
			}
			f.sites = append(f.sites, [2]uint32{uint32(3*t + e), s.generator})
			if s.Exits[e] {
				f.window(s.generator, t, e, exit)
			}
		}
	}
	slices.SortStableFunc(f.sites[begin:], func(a, b [2]uint32) int { return cmp.Compare(a[0], b[0]) })
}

// seedField seeds a light field.
func (f *seeder) seedField(b geom.LightField, generator uint32) {
	f.feet = f.ground.FootIntervals(b, f.feet[:0])
	for _, in := range f.feet {
		for e, exit := range in.Exits {
			if in.Sees[e] {
				f.offer(generator, f.corners[in.Triangle][e])
			}
			if exit.Open() {
				f.lit = append(f.lit, lit{
					generator, 0, f.firstFace + uint32(in.Triangle), fromSegment + uint32(e),
					exit.Right.X, exit.Right.Y, exit.Left.X, exit.Left.Y,
				})
				f.window(generator, in.Triangle, int32(e), exit)
			}
		}
	}
}

// offer offers a source to a corner that it sees, if it is one.
func (f *seeder) offer(generator uint32, corner int32) {
	if corner >= 0 {
		f.offers = append(f.offers, offer{f.firstCorner + uint32(corner), generator, 0})
	}
}

// window sends the light of a source out of a triangle, if its side is no wall.
func (f *seeder) window(generator uint32, triangle, side int32, x geom.Exit) {
	if n, entry := f.ground.Across(triangle, side); n >= 0 {
		f.windows = append(f.windows, window{generator, 0, 3*n + entry, 0, x.Right.X, x.Right.Y, x.Left.X, x.Left.Y})
	}
}
