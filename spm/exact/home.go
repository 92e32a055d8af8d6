package exact

import "github.com/wayfront/wayfront/engine/geom"

// Home is a triangle with a source in it: what sees into the triangle as far as there sees the
// source. A point has a home in every triangle of its sector; a beam in those above its leg.
type Home struct {
	Triangle int32
	Source   int32   // index among the sources
	From, To float64 // of a beam: the part of its leg under the triangle (see geom.FootInterval)
}

// Homes lists the homes of all sources, source after source.
func Homes(g *geom.Ground, sources []Source) []Home {
	var all []Home
	var in []geom.Entrance
	var feet []geom.FootInterval
	for i, s := range sources {
		if b, ok := s.Beam(); ok {
			feet = g.FootIntervals(b, feet[:0])
			for _, f := range feet {
				all = append(all, Home{f.Triangle, int32(i), f.From, f.To})
			}
			continue
		}
		in = g.Entrances(s.Sector, in[:0])
		for _, e := range in {
			all = append(all, Home{Triangle: e.Triangle, Source: int32(i)})
		}
	}
	return all
}

// byTriangle returns homes ordered by triangle, and of each triangle where its homes begin; one
// entry more says where the last ends.
func byTriangle(all []Home, triangles int) (ordered []Home, first []int32) {
	first = make([]int32, triangles+1)
	for _, h := range all {
		first[h.Triangle+1]++
	}
	for t := range triangles {
		first[t+1] += first[t]
	}
	ordered = make([]Home, len(all))
	next := append([]int32(nil), first...)
	for _, h := range all {
		ordered[next[h.Triangle]] = h
		next[h.Triangle]++
	}
	return ordered, first
}
