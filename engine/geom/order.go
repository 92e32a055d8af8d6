package geom

// ordered returns the triangulation with its triangles in the one order that depends on nothing but the triangles: each
// begins at its least vertex, they are sorted by that, and around it counter-clockwise. Vertices and edges are renumbered on
// the way: points are the new vertices, was the number that each had, and edges the new numbers of edges; nil for
// no change. Triangles whose start is -1 are left out.
//
// A triangle's least vertex is its leftmost, so the neighbour across its first edge, which is below, comes before it in the
// order.
func (t *triangulation) ordered(points []Point, was, edges []int32) *triangulation {
	n := len(points)
	rank := make([]int32, len(t.points)) // new numbers of vertices
	for v := range points {
		if was != nil {
			rank[was[v]] = int32(v)
		} else {
			rank[v] = int32(v)
		}
	}
	// The first half-edge of the fan of triangles that have a vertex for their least.
	first := make([]int32, n)
	for v := range first {
		first[v] = -1
	}
	count := 0
	for i := int32(0); int(i) < len(t.start); i += 3 {
		if t.start[i] < 0 {
			continue
		}
		count++
		h, least := i, rank[t.start[i]]
		for k := i + 1; k < i+3; k++ {
			if v := rank[t.start[k]]; v < least {
				h, least = k, v
			}
		}
		if g := t.twin[h]; g < 0 || rank[t.start[prev(g)]] < least {
			first[least] = h
		}
	}

	result := &triangulation{
		points: points,
		start:  make([]int32, 3*count),
		twin:   make([]int32, 3*count),
		edge:   make([]int32, 3*count),
		out:    make([]int32, n),
	}
	place := make([]int32, len(t.start)) // new numbers of half-edges
	order := make([]int32, 0, count)     // and old ones of each triangle's first
	for v := range first {
		for h := first[v]; h >= 0 && rank[t.end(h)] > int32(v) && rank[t.start[prev(h)]] > int32(v); h = t.turn(h) {
			i := int32(3 * len(order))
			order = append(order, h)
			place[h], place[next(h)], place[prev(h)] = i, i+1, i+2
		}
	}
	for i, h := range order {
		for k := 3 * i; k < 3*i+3; k++ {
			v := rank[t.start[h]]
			result.start[k], result.out[v] = v, int32(k)
			result.twin[k], result.edge[k] = -1, -1
			if g := t.twin[h]; g >= 0 {
				result.twin[k] = place[g]
			}
			if e := t.edge[h]; e >= 0 {
				if edges != nil {
					e = edges[e]
				}
				result.edge[k] = e
			}
			h = next(h)
		}
	}
	return result
}
