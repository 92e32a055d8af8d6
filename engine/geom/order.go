package geom

// Triangles have one order that depends on nothing but the triangles: each begins at its least vertex, they are sorted by that,
// and around it counter-clockwise.
//
// A triangle's least vertex is its leftmost, so the neighbour across its first edge, which is below, comes before it in the
// order.

// inOrder returns the half-edges at which the triangles begin, in order.
func (t *triangulation) inOrder() []int32 {
	// The first half-edge of the fan of triangles that have a vertex for their least.
	first := make([]int32, len(t.points))
	for v := range first {
		first[v] = -1
	}
	for i := int32(0); int(i) < len(t.start); i += 3 {
		h := t.least(i)
		if g := t.twin[h]; g < 0 || t.start[prev(g)] < t.start[h] {
			first[t.start[h]] = h
		}
	}
	order := make([]int32, 0, len(t.start)/3)
	for v := range int32(len(first)) {
		for h := first[v]; h >= 0 && t.end(h) > v && t.start[prev(h)] > v; h = t.turn(h) {
			order = append(order, h)
		}
	}
	return order
}

// least returns the half-edge of the triangle at i that leaves its least vertex.
func (t *triangulation) least(i int32) int32 {
	a, b, c := t.start[i], t.start[i+1], t.start[i+2]
	switch {
	case b < a && b < c:
		return i + 1
	case c < a && c < b:
		return i + 2
	}
	return i
}

// ordered returns the triangulation with its triangles in the given order: the half-edges at which they begin. Vertices and edges
// are renumbered on the way: points are the new vertices, vertices and edges the new numbers of those that there were; edges[0]
// is -1 and edge e at e+1, for most half-edges have none and asking would take longest. place is scratch memory, of the length of
// start at least.
func (t *triangulation) ordered(order []int32, points []Point, vertices, edges, place []int32) *triangulation {
	for i, h := range order {
		k := int32(3 * i)
		place[h], place[next(h)], place[prev(h)] = k, k+1, k+2
	}
	n := 3 * len(order)
	result := &triangulation{
		points: points,
		start:  make([]int32, n),
		twin:   make([]int32, n),
		edge:   make([]int32, n),
		out:    make([]int32, len(points)),
	}
	start, twin, edge, out := result.start, result.twin, result.edge, result.out
	for i, first := range order {
		k := 3 * i
		for _, h := range [3]int32{first, next(first), prev(first)} {
			v, g := vertices[t.start[h]], t.twin[h]
			if g >= 0 {
				g = place[g]
			}
			start[k], out[v], twin[k], edge[k] = v, int32(k), g, edges[t.edge[h]+1]
			k++
		}
	}
	return result
}

// counting returns the numbers from first on, n of them.
func counting(first int32, n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = first + int32(i)
	}
	return all
}
