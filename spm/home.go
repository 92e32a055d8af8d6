package spm

import "github.com/wayfront/wayfront/engine/geom"

// home is a triangle with a source in it: whoever sees into the triangle as far as there sees the source. A point has a
// home in every triangle of its sector; a beam in those above its leg.
type home struct {
	triangle int32
	source   int32   // a record
	from, to float64 // of a beam: the part of its leg under the triangle (see geom.Footing)
}

// homes are the homes of all sources, source after source.
func homes(g *geom.Ground, sources []site) []home {
	var all []home
	var in []geom.Entrance
	var feet []geom.Footing
	for i, s := range sources {
		if b, ok := s.beam(); ok {
			feet = g.Footings(b, feet[:0])
			for _, f := range feet {
				all = append(all, home{f.Triangle, int32(i), f.From, f.To})
			}
			continue
		}
		in = g.Entrances(s.sector, in[:0])
		for _, e := range in {
			all = append(all, home{triangle: e.Triangle, source: int32(i)})
		}
	}
	return all
}

// byTriangle returns homes ordered by triangle, and of each triangle where its homes begin; one entry more says where the last
// ends.
func byTriangle(all []home, triangles int) (ordered []home, first []int32) {
	first = make([]int32, triangles+1)
	for _, h := range all {
		first[h.triangle+1]++
	}
	for t := range triangles {
		first[t+1] += first[t]
	}
	ordered = make([]home, len(all))
	next := append([]int32(nil), first...)
	for _, h := range all {
		ordered[next[h.triangle]] = h
		next[h.triangle]++
	}
	return ordered, first
}
