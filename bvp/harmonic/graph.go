package harmonic

import (
	"math"
	"slices"

	"github.com/wayfront/wayfront/bvp/grid"
	"github.com/wayfront/wayfront/engine/geom/heap"
)

// graphs are the cells from which a goal can be reached, as a graph, and ever coarser graphs of it:
// a node of a level is the connected nodes of the level before that lie in the same square of 2 x
// 2, 4 x 4 and so on cells. So both sides of a wall stay apart, however coarse the level.
//
// Nodes of all levels are counted through, and those of a level so that the parts of each node
// follow one another.
type graphs struct {
	grid   *grid.Grid
	cells  []int32 // node of each cell; goalCell and noCell
	levels []int   // first node of each level, and one more: the end
	nodes  []node
	edges  []edge
	begin  []float64 // what to begin with: -ln q of each node of the first level
	ends   []int32   // ways that lead from each node of the first level to a goal
}

// goalCell and noCell are the nodes of cells that are none: goals, and cells that no way leads from
// to a goal.
const (
	goalCell = -1
	noCell   = -2
)

// node is a node in the graphs. Where the next one's edges, or parts, begin, its own end.
type node struct {
	FirstEdge uint32
	FirstPart uint32 // a node of the level before; of the first level the cell
	Whole     uint32 // the node of the next level that it is a part of
	Color     uint32 // nodes with an edge between them differ in it
}

// edge is an edge from a node to another of its level.
type edge struct {
	To    uint32 // node, and in the upper two bits the direction
	Above uint32 // the edge of the next level that it is a part of; inside where both ends are parts of the same node
}

const (
	inside    = math.MaxUint32
	toBits    = 30
	toMask    = 1<<toBits - 1
	maxLevels = 12 // 1024 cells along a side have 11
)

func (e edge) to() int { return int(e.To & toMask) }

// at are the nodes of a level.
func (h *graphs) at(level int) (first, end int) { return h.levels[level], h.levels[level+1] }

// draft is a node while the graphs are built.
type draft struct {
	i, j  int32 // column and row of its square
	whole int32
	edges []draftEdge
}

type draftEdge struct {
	to        int32
	direction int8
}

// newGraphs makes the graphs for goals, which are cells.
func newGraphs(g *grid.Grid, goals []int) *graphs {
	h := &graphs{grid: g, cells: make([]int32, g.Count())}
	var order []int // cells that are nodes
	for k := range h.cells {
		h.cells[k] = noCell
	}
	stack := slices.Clone(goals)
	for _, goal := range goals {
		h.cells[goal] = goalCell
	}
	for len(stack) > 0 {
		k := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for d := range 4 {
			if o, ok := g.Way(k, d); ok && h.cells[o] == noCell {
				h.cells[o] = int32(len(order))
				order = append(order, o)
				stack = append(stack, o)
			}
		}
	}
	drafts := make([]draft, len(order))
	for n, cell := range order {
		drafts[n] = draft{i: int32(cell % g.Columns), j: int32(cell / g.Columns)}
		for d := range 4 {
			if o, ok := g.Way(cell, d); ok && h.cells[o] >= 0 {
				drafts[n].edges = append(drafts[n].edges, draftEdge{h.cells[o], int8(d)})
			}
		}
	}
	levels := [][]draft{drafts}
	for len(levels) < maxLevels && len(levels[len(levels)-1]) > 1 {
		levels = append(levels, gather(levels[len(levels)-1]))
	}
	h.lay(levels, order)
	h.guess()
	return h
}

// gather makes the next level, and says of each node what it is a part of.
func gather(fine []draft) []draft {
	var coarse []draft
	for n := range fine {
		fine[n].whole = -1
	}
	var stack []int32
	for n := range fine {
		if fine[n].whole >= 0 {
			continue
		}
		whole := int32(len(coarse))
		coarse = append(coarse, draft{i: fine[n].i >> 1, j: fine[n].j >> 1})
		fine[n].whole = whole
		stack = append(stack[:0], int32(n))
		for len(stack) > 0 {
			k := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, e := range fine[k].edges {
				o := &fine[e.to]
				if o.whole < 0 && o.i>>1 == coarse[whole].i && o.j>>1 == coarse[whole].j {
					o.whole = whole
					stack = append(stack, e.to)
				}
			}
		}
	}
	for n := range fine {
		c := &coarse[fine[n].whole]
		for _, e := range fine[n].edges {
			e.to = fine[e.to].whole
			if e.to != fine[n].whole && !slices.Contains(c.edges, e) {
				c.edges = append(c.edges, e)
			}
		}
	}
	return coarse
}

// lay counts the nodes of all levels through, from the coarsest down, so that parts follow one
// another, and writes nodes and edges.
func (h *graphs) lay(levels [][]draft, cells []int) {
	places := make([][]int32, len(levels)) // of each node, in its level
	order := make([][]int32, len(levels))  // nodes of each level by place
	for l := len(levels) - 1; l >= 0; l-- {
		order[l] = make([]int32, len(levels[l]))
		for n := range order[l] {
			order[l][n] = int32(n)
		}
		if l < len(levels)-1 {
			above := places[l+1]
			slices.SortStableFunc(order[l], func(a, b int32) int {
				return int(above[levels[l][a].whole] - above[levels[l][b].whole])
			})
		}
		places[l] = make([]int32, len(levels[l]))
		for place, n := range order[l] {
			places[l][n] = int32(place)
		}
	}
	h.levels = []int{0}
	for _, level := range levels {
		h.levels = append(h.levels, h.levels[len(h.levels)-1]+len(level))
	}
	// Edges by the nodes they lead to, so that the graphs depend on the ground alone.
	for l, level := range levels {
		for _, n := range order[l] {
			k := &level[n]
			for i := range k.edges {
				k.edges[i].to = int32(h.levels[l]) + places[l][k.edges[i].to]
			}
			slices.SortFunc(k.edges, func(a, b draftEdge) int { return int(a.to - b.to) })
			made := node{FirstEdge: uint32(len(h.edges)), Color: uint32(k.i+k.j) & 1, Whole: inside}
			if l < len(levels)-1 {
				made.Whole = uint32(int32(h.levels[l+1]) + places[l+1][k.whole])
			}
			h.nodes = append(h.nodes, made)
			for _, e := range k.edges {
				h.edges = append(h.edges, edge{To: uint32(e.to) | uint32(e.direction)<<toBits, Above: inside})
			}
		}
	}
	h.nodes = append(h.nodes, node{FirstEdge: uint32(len(h.edges)), FirstPart: uint32(h.levels[len(levels)-1])})
	h.join()
	h.ends = make([]int32, len(levels[0]))
	for place, n := range order[0] {
		cell := cells[n]
		h.nodes[place].FirstPart = uint32(cell)
		h.cells[cell] = int32(place)
		for d := range 4 {
			if o, ok := h.grid.Way(cell, d); ok && h.cells[o] == goalCell {
				h.ends[place]++
			}
		}
	}
}

// join finds the first part of every node, and what edges are parts of.
func (h *graphs) join() {
	for n := range h.nodes[:len(h.nodes)-1] {
		whole := h.nodes[n].Whole
		if whole == inside {
			continue
		}
		if n == 0 || h.nodes[n-1].Whole != whole {
			h.nodes[whole].FirstPart = uint32(n)
		}
		for e := h.nodes[n].FirstEdge; e < h.nodes[n+1].FirstEdge; e++ {
			if other := h.nodes[h.edges[e].to()].Whole; other != whole {
				above := h.nodes[whole].FirstEdge
				for h.edges[above].to() != int(other) {
					above++
				}
				h.edges[e].Above = above
			}
		}
	}
}

// guess finds what to begin with. In a corridor of w cells from wall to wall, walls included, the
// potential across is a half wave, and along it grows by the factor e^k a cell, with 2 cosh k = 4 -
// 2 cos(pi / w). So -ln q is taken for the length of the shortest path from a goal, each cell
// counted by the k of the narrower of its row and column, and the half wave's share. Where this is
// wrong it is wrong by little from cell to cell, and coarse levels correct the rest.
func (h *graphs) guess() {
	_, count := h.at(0)
	g := h.grid
	var arms [4][]int32 // cells to the wall, with it
	for d := range arms {
		arms[d] = make([]int32, len(h.cells))
		for n := range h.cells {
			k := n
			if d == grid.East || d == grid.North { // the far ones first
				k = len(h.cells) - 1 - n
			}
			arms[d][k] = 1
			if o, ok := g.Way(k, d); ok {
				arms[d][k] += arms[d][o]
			}
		}
	}
	rates := make([]float64, count)
	across := make([]float64, count)
	for n := range count {
		cell := h.nodes[n].FirstPart
		a, b := arms[grid.East][cell], arms[grid.West][cell]
		if c, d := arms[grid.North][cell], arms[grid.South][cell]; c+d < a+b {
			a, b = c, d
		}
		w := float64(a + b)
		rates[n] = math.Acosh(2 - math.Cos(math.Pi/w))
		across[n] = -math.Log(math.Sin(math.Pi * float64(a) / w))
	}
	h.begin = make([]float64, count)
	var near heap.Heap[reached]
	for n := range h.begin {
		h.begin[n] = math.Inf(1)
		if h.ends[n] > 0 {
			h.begin[n] = rates[n]
			near.Push(reached{n, rates[n]})
		}
	}
	for len(near) > 0 {
		from := near.Pop()
		if from.length > h.begin[from.node] {
			continue
		}
		for e := h.nodes[from.node].FirstEdge; e < h.nodes[from.node+1].FirstEdge; e++ {
			to := h.edges[e].to()
			if length := from.length + (rates[from.node]+rates[to])/2; length < h.begin[to] {
				h.begin[to] = length
				near.Push(reached{to, length})
			}
		}
	}
	for n := range h.begin {
		h.begin[n] += across[n]
	}
}

// states are what nodes begin with: potentials by the guess, and the equations of the first level.
func (h *graphs) states() []nodeState {
	states := make([]nodeState, len(h.nodes)-1)
	for n, u := range h.begin {
		x, e := math.Frexp(math.Exp2(math.Mod(-u/math.Ln2, 1)))
		states[n] = nodeState{X: 2 * float32(x), E: int32(e) - 1 + int32(-u/math.Ln2), B: float32(h.ends[n]), D: 4}
	}
	return states
}

// flows are those of edges to begin with: 1 between cells.
func (h *graphs) flows() []float32 {
	flows := make([]float32, len(h.edges))
	_, end := h.at(0)
	for e := range h.nodes[end].FirstEdge {
		flows[e] = 1
	}
	return flows
}

// places are the node and the ways of each cell: in the lower four bits the ways, above them 0 for
// no node, 1 for a goal, and 2 more than the node.
func (h *graphs) places() []uint32 {
	places := slices.Clone(h.grid.Ways)
	for cell, n := range h.cells {
		places[cell] |= uint32(n+2) << 4
	}
	return places
}

// reached is a node that is reached from goals.
type reached struct {
	node   int
	length float64
}

// Before has the nearest first.
func (r reached) Before(s reached) bool { return r.length < s.length }
