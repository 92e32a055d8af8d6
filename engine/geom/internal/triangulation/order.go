package triangulation

import (
	"slices"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// ordered returns the triangulation, but the triangles taken out, in the one order that depends on
// nothing but the triangles: each begins at its least vertex, they are sorted by that, and around it
// counter-clockwise. So the neighbor across the first edge, which is below, comes before.
//
// Vertices and edges are renumbered: points are the new vertices, numbers and edges the new numbers
// of the old ones; edges[0] is -1 and edge e at e+1, for most half-edges have none and a branch
// would take longest.
func (t *Mesh) ordered(points []lattice.Point, numbers, edges []int32) *Mesh {
	order, place := t.inOrder(numbers), make([]int32, len(t.Start))
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

// inOrder returns the half-edges at which the triangles begin, in order.
func (t *Mesh) inOrder(numbers []int32) []int32 {
	// The first half-edge of the fan of triangles whose least vertex this is. It is their leftmost:
	// of the neighbors across an edge from there, the lower one comes first.
	first := slices.Repeat([]int32{-1}, len(t.Points))
	for i := int32(0); int(i) < len(t.Start); i += 3 {
		if t.Start[i] < 0 {
			continue // taken out
		}
		h := i
		for _, k := range [2]int32{i + 1, i + 2} {
			if numbers[t.Start[k]] < numbers[t.Start[h]] {
				h = k
			}
		}
		v := numbers[t.Start[h]]
		if g := t.Twin[h]; g < 0 || numbers[t.Start[Prev(g)]] < v {
			first[v] = h
		}
	}
	order := make([]int32, 0, len(t.Start)/3)
	for v, h := range first {
		for h >= 0 && numbers[t.End(h)] > int32(v) && numbers[t.Start[Prev(h)]] > int32(v) {
			order = append(order, h)
			h = t.Turn(h)
		}
	}
	return order
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
