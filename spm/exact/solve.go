package exact

import (
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/heap"
)

// Solve finds the shortest paths to a goal by Dijkstra's algorithm in float64 over a node per
// source and per corner, joined where they see each other; the reference of every method. A segment
// is the points at its ends and its light fields, whose path to a corner starts at the corner's
// foot point. It needs no GPU, and is what one thread of the CPU would do in a map's place. Errors
// are of type *SourceError.
func Solve(g *geom.Ground, goal Goal) (*View, error) {
	sources, err := Sources(g, goal)
	if err != nil {
		return nil, err
	}
	return SolveSources(g, sources), nil
}

// SolveSources is Solve of a goal whose sources are known.
func SolveSources(g *geom.Ground, sources []Source) *View {
	v := newView(g, sources)
	done := make([]bool, len(v.nodes))
	var open heap.Heap[entry]
	for i := range sources {
		open.Push(entry{0, i})
	}
	viewer := g.NewViewer()
	for len(open) > 0 {
		next := open.Pop()
		if done[next.node] {
			continue
		}
		done[next.node] = true
		offer := func(corner int) {
			i := len(sources) + corner
			to := &v.nodes[i]
			if d, _ := v.over(next.node, to.position); d < to.distance {
				to.distance, to.parent = d, next.node
				open.Push(entry{d, i})
			}
		}
		here := v.sector(next.node)
		if field, ok := lightFieldOf(here); ok {
			viewer.VisibleFrom(field, offer)
			continue
		}
		viewer.Visible(here, offer)
		if next.node < len(sources) {
			// The corner in the place of the source is no other point that it sees.
			i, ok := slices.BinarySearchFunc(g.Corners, here.At, func(c geom.Sector, p geom.Point) int { return c.At.Compare(p) })
			if ok && g.Sees(here, g.Corners[i]) {
				offer(i)
			}
		}
	}
	return v
}

// sector is the free sector of a node, or its light field.
func (v *View) sector(i int) geom.Sector {
	if i < len(v.sources) {
		return v.sources[i].Sector
	}
	return v.ground.Corners[i-len(v.sources)]
}

// entry is a node that may be expanded at that distance.
type entry struct {
	distance float64
	node     int
}

// Before has the nearest first, and of equals the lowest node.
func (e entry) Before(f entry) bool {
	return e.distance < f.distance || e.distance == f.distance && e.node < f.node
}
