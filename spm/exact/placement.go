package exact

import (
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
)

// Placement is a triangle with a source in it: what sees into the triangle as far as there sees the
// source. A point is in every triangle of its sector, a light field in those above its segment.
type Placement struct {
	Triangle int32
	Source   int32   // index among the sources
	From, To float64 // of a light field: the part of its segment, as in geom.FootInterval
}

// Placements lists the placements of all sources, source after source.
func Placements(g *geom.Ground, sources []Source) (all []Placement) {
	var in []geom.Entrance
	var feet []geom.FootInterval
	for i, s := range sources {
		if b, ok := s.LightField(); ok {
			feet = g.FootIntervals(b, feet[:0])
			for _, f := range feet {
				all = append(all, Placement{f.Triangle, int32(i), f.From, f.To})
			}
			continue
		}
		in = g.Entrances(s.Sector, in[:0])
		for _, e := range in {
			all = append(all, Placement{Triangle: e.Triangle, Source: int32(i)})
		}
	}
	return all
}

// ByKey orders items by their keys, which are below count, stably: it returns their indices, and
// where those of each key begin; one entry more says where the last end.
func ByKey(keys []int32, count int) (order, first []int32) {
	first = make([]int32, count+1)
	for _, k := range keys {
		first[k+1]++
	}
	for k := range count {
		first[k+1] += first[k]
	}
	order, next := make([]int32, len(keys)), slices.Clone(first)
	for i, k := range keys {
		order[next[k]] = int32(i)
		next[k]++
	}
	return order, first
}
