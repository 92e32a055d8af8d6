package spm

import (
	"container/heap"

	"github.com/wayfront/wayfront/engine/geom"
)

// Solve is the plain reference of every method: Dijkstra's algorithm in float64 over a node per source and per corner,
// joined where they see each other. It needs no GPU, and is what one thread of the CPU would do in a map's place.
// Errors are of type *SourceError.
func Solve(g *geom.Ground, goal Goal) (*View, error) {
	sources, err := sourceSites(g, goal)
	if err != nil {
		return nil, err
	}
	v := newView(g, sources)
	done := make([]bool, len(v.nodes))
	open := &queue{}
	for i := range sources {
		heap.Push(open, entry{0, i})
	}
	viewer := g.NewViewer()
	for open.Len() > 0 {
		next := heap.Pop(open).(entry)
		if done[next.node] {
			continue
		}
		done[next.node] = true
		from := &v.nodes[next.node]
		offer := func(corner int) {
			i := len(sources) + corner
			to := &v.nodes[i]
			d := from.distance + to.position.Sub(from.position).Len()
			if d < to.distance {
				to.distance, to.parent = d, next.node
				heap.Push(open, entry{d, i})
			}
		}
		here := v.sector(next.node)
		viewer.Visible(here, offer)
		if next.node < len(sources) {
			// A corner that the source stands on is no other point that it sees.
			for i, c := range g.Corners {
				if c.At == here.At {
					offer(i)
				}
			}
		}
	}
	return v, nil
}

// sector is the free sector of a node.
func (v *View) sector(i int) geom.Sector {
	if i < len(v.sources) {
		return v.sources[i].sector
	}
	return v.ground.Corners[i-len(v.sources)]
}

// entry is a node that may be expanded at that distance.
type entry struct {
	distance float64
	node     int
}

// queue is a heap of entries, the nearest first and of equals the lowest node.
type queue []entry

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if q[i].distance != q[j].distance {
		return q[i].distance < q[j].distance
	}
	return q[i].node < q[j].node
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(entry)) }

func (q *queue) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}
