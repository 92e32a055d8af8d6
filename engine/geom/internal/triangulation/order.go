package triangulation

import (
	"slices"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// ordered returns the triangulation with the triangles that begin at the half-edges of order.
//
// Vertices and edges are renumbered: points are the new vertices, numbers and edges the new numbers
// of the old ones; edges[0] is -1 and edge e at e+1, for most half-edges have none and a branch
// would take longest.
func (t *Mesh) ordered(order []int32, points []lattice.Point, numbers, edges []int32) *Mesh {
	t.place = slices.Grow(t.place[:0], len(t.Start))[:len(t.Start)]
	place := t.place
	for i, h := range order {
		k := int32(3 * i)
		place[h], place[next(h)], place[Prev(h)] = k, k+1, k+2
	}
	n := 3 * len(order)
	result := &Mesh{
		Points: points,
		Start:  make([]int32, n),
		Twin:   make([]int32, n),
		Edge:   make([]int32, n),
		Out:    make([]int32, len(points)),
	}
	start, twin, edge, out := result.Start, result.Twin, result.Edge, result.Out
	k := int32(0)
	for _, first := range order {
		for _, h := range [3]int32{first, next(first), Prev(first)} {
			v, g := numbers[t.Start[h]], t.Twin[h]
			if g >= 0 {
				g = place[g]
			}
			start[k], out[v], twin[k], edge[k] = v, k, g, edges[t.Edge[h]+1]
			k++
		}
	}
	return result
}

// inOrder returns the half-edges at which the triangles begin, in the one order that depends on
// nothing but the triangles: each begins at its least vertex, they are sorted by that, and around it
// counter-clockwise. So the neighbor across the first edge, which is below, comes before.
func (t *Mesh) inOrder() []int32 {
	// The first half-edge of the fan of triangles whose least vertex this is. It is their leftmost:
	// of the neighbors across an edge from there, the lower one comes first.
	first := slices.Repeat([]int32{-1}, len(t.Points))
	for i := int32(0); int(i) < len(t.Start); i += 3 {
		h := leastOf(i, t.Start[i], t.Start[i+1], t.Start[i+2])
		if g := t.Twin[h]; g < 0 || t.Start[Prev(g)] < t.Start[h] {
			first[t.Start[h]] = h
		}
	}
	order := make([]int32, 0, len(t.Start)/3)
	for v := range int32(len(first)) {
		for h := first[v]; h >= 0 && t.End(h) > v && t.Start[Prev(h)] > v; h = t.Turn(h) {
			order = append(order, h)
		}
	}
	return order
}

// inOrderSince is inOrder after changes of a triangulation that was in order, by the new numbers of
// vertices. Few triangles changed: sorting these alone is faster.
func (t *Mesh) inOrderSince(before *Mesh, numbers []int32) []int32 {
	is, was := t.Start, before.Start
	same := func(i int) bool {
		return i < len(was) && is[i] == was[i] && is[i+1] == was[i+1] && is[i+2] == was[i+2]
	}
	compare := func(h, k int32) int {
		if d := numbers[is[h]] - numbers[is[k]]; d != 0 {
			return int(d)
		}
		return -int(lattice.Orient(t.Points[is[h]], t.Points[t.End(h)], t.Points[t.End(k)]))
	}
	var changed []int32
	for i := 0; i < len(is); i += 3 {
		if !same(i) && is[i] >= 0 { // not taken out
			changed = append(changed, leastOf(int32(i), numbers[is[i]], numbers[is[i+1]], numbers[is[i+2]]))
		}
	}
	slices.SortFunc(changed, compare)
	order := t.order[:0]
	for i := 0; i < len(was); i += 3 {
		if !same(i) {
			continue
		}
		for len(changed) > 0 && compare(changed[0], int32(i)) < 0 {
			order, changed = append(order, changed[0]), changed[1:]
		}
		order = append(order, int32(i))
	}
	t.order = append(order, changed...)
	return t.order
}

// leastOf returns i, i+1 or i+2 if a, b or c is least.
func leastOf(i, a, b, c int32) int32 {
	switch {
	case b < a && b < c:
		return i + 1
	case c < a && c < b:
		return i + 2
	}
	return i
}

// merge returns the sorted entries of old without those at the ascending places gone, and with the
// sorted entries come; and where each result was: its place in old, or len(old)+k for come[k].
func merge[T any](old []T, gone []int32, come []T, compare func(a, b T) int) (merged []T, was []int32) {
	merged = make([]T, 0, len(old)-len(gone)+len(come))
	was = make([]int32, 0, cap(merged))
	i := 0
	keep := func(end int) {
		for ; i < end; i++ {
			if len(gone) > 0 && gone[0] == int32(i) {
				gone = gone[1:]
				continue
			}
			merged, was = append(merged, old[i]), append(was, int32(i))
		}
	}
	for k, v := range come {
		at, _ := slices.BinarySearchFunc(old, v, compare)
		keep(at)
		merged, was = append(merged, v), append(was, int32(len(old)+k))
	}
	keep(len(old))
	return merged, was
}
