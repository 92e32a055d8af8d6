package spm

import (
	"cmp"
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/spm/exact"
)

// seedInput is what seed.comp.glsl takes: sources offer their distance to the corners of the
// triangles that they are in.
type seedInput struct {
	lightInput
	generators *gpu.Buffer[Generator] `gpu:"read"`
	count      uint32                 // of offers
}

var seedPass = gpu.PassSpec[seedInput]{Name: "spm seed", Stages: []string{"spm/seed.comp.glsl"}, Defines: defines}

// seeds is what light begins with: what sources light of the triangles that they are in.
type seeds struct {
	sources [][]Generator // by slot
	windows []window
	offers  []offer
	lit     []lit
	rivals  [][2]uint32 // see shaders/spm/rivals.glsl
}

// seedLayers finds what the sources of layers light first, the layers' records in slots one after
// the other.
func seedLayers(layers []layer, stride, capacity int, slack float64) *seeds {
	s := &seeds{rivals: make([][2]uint32, len(layers))}
	firsts := firstFaces(layers)
	for slot, l := range layers {
		g := l.surface.ground
		f := field{
			seeds: s, slot: slot, ground: g, slack: slack * onPlane(g.Lattice.Size).Len(), corners: g.CornersOfTriangles(),
			firstFace: uint32(firsts[slot]), firstCorner: uint32(slot*stride + capacity),
		}
		records := make([]Generator, len(l.sources))
		for i, source := range l.sources {
			records[i] = sourceRecord(g, source, i)
			if b, ok := source.LightField(); ok {
				f.seedBeam(b, uint32(slot*stride+i))
			}
		}
		f.seedPoints(l.sources, uint32(slot*stride))
		s.sources = append(s.sources, records)
	}
	return s
}

// field is the ground of a slot while its sources are seeded.
type field struct {
	*seeds
	slot                   int
	slack                  float64 // lattice steps
	ground                 *geom.Ground
	corners                [][3]int32 // of the ground's triangles
	firstFace, firstCorner uint32     // of the slot
	footings               []geom.FootInterval
}

// standing is a point source in a triangle that it lights.
type standing struct {
	geom.Entrance
	rival
	generator uint32
}

// seedPoints seeds the point sources, the first of which has the index `first`. Of those in the
// same triangle each lights the part that it can win.
func (f *field) seedPoints(sources []exact.Source, first uint32) {
	var all []standing
	var entrances []geom.Entrance
	seen := map[exact.Source]bool{}
	for i, s := range sources {
		if _, ok := s.LightField(); ok {
			continue
		}
		// Of equal sources the first wins everywhere.
		same := s
		same.Of = 0
		if seen[same] {
			continue
		}
		seen[same] = true
		entrances = f.ground.Entrances(s.Sector, entrances[:0])
		for _, in := range entrances {
			all = append(all, standing{in, newRival(f.ground.Lattice, s), first + uint32(i)})
		}
	}
	slices.SortStableFunc(all, func(a, b standing) int { return cmp.Compare(a.Triangle, b.Triangle) })
	begin := len(f.rivals)
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(s standing) bool { return s.Triangle != all[0].Triangle })
		if n < 0 {
			n = len(all)
		}
		f.seedTriangle(all[:n])
		all = all[n:]
	}
	if len(seen) < 2 { // without rivals
		f.rivals = f.rivals[:begin]
	}
	f.rivals[f.slot] = [2]uint32{uint32(begin), uint32(len(f.rivals))}
}

// seedTriangle seeds the sources of a triangle.
func (f *field) seedTriangle(sources []standing) {
	t := sources[0].Triangle
	begin := len(f.rivals)
	var triangle [3]geom.Point
	for i, v := range f.ground.Triangles[t].V {
		triangle[i] = f.ground.Vertices[v]
	}
	v := newVoronoi(triangle, sources, f.slack)
	for i, s := range sources {
		v.find(i)
		low, high := v.box()
		f.lit = append(f.lit, lit{s.generator, 0, f.firstFace + uint32(t), wholeFace, low.X, low.Y, high.X, high.Y})
		for e := range int32(3) {
			f.offer(s.generator, f.corners[t][e])
			exit := v.exit(s.rival, int(e))
			if !exit.Open() {
				continue
			}
			f.rivals = append(f.rivals, [2]uint32{uint32(3*t + e), s.generator})
			if s.Exits[e] {
				f.window(s.generator, t, e, exit)
			}
		}
	}
	slices.SortStableFunc(f.rivals[begin:], func(a, b [2]uint32) int { return cmp.Compare(a[0], b[0]) })
}

func (f *field) seedBeam(b geom.LightField, generator uint32) {
	f.footings = f.ground.FootIntervals(b, f.footings[:0])
	for _, in := range f.footings {
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
func (f *field) offer(generator uint32, corner int32) {
	if corner >= 0 {
		f.offers = append(f.offers, offer{f.firstCorner + uint32(corner), generator, 0})
	}
}

// window sends the light of a source out of a triangle, if its side is no wall.
func (f *field) window(generator uint32, triangle, side int32, x geom.Exit) {
	if n, entry := f.ground.Across(triangle, side); n >= 0 {
		f.windows = append(f.windows, window{generator, 0, 3*n + entry, 0, x.Right.X, x.Right.Y, x.Left.X, x.Left.Y})
	}
}
