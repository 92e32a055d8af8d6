package bvp

import (
	"container/heap"
	"math"
	"slices"
)

// hierarchy is the cells from which a goal can be reached, as a graph, and ever coarser graphs of it: a node of a level is the
// nodes of the level before that lie in the same square of 2 x 2, 4 x 4 and so on cells, as far as they hang together inside
// of it. So both sides of a wall stay apart, however coarse the level.
//
// Nodes of all levels are counted through, and those of a level so that the parts of each node follow one another.
type hierarchy struct {
	grid   *Grid
	cells  []int32 // node of each cell; goalCell and noCell
	levels []int   // first node of each level, and one more: the end
	nodes  []joint
	edges  []link
	begin  []float64 // what to begin with: -ln q of each node of the first level
	ends   []int32   // ways that lead from each node of the first level to a goal
}

// goalCell and noCell are the nodes of cells that are none: goals, and what no way leads from to a goal.
const (
	goalCell = -1
	noCell   = -2
)

// joint is a node as it hangs in the graphs. Where the next one's edges, or parts, begin, its own end.
type joint struct {
	FirstEdge uint32
	FirstPart uint32 // a node of the level before; of the first level the cell
	Whole     uint32 // the node of the next level that it is a part of
	Colour    uint32 // nodes with an edge between them differ in it
}

// link is an edge from a node to another of its level.
type link struct {
	To    uint32 // node, and in the upper two bits the direction
	Above uint32 // the edge of the next level that it is a part of; inside where both ends are parts of the same node
}

const (
	inside    = math.MaxUint32
	toBits    = 30
	toMask    = 1<<toBits - 1
	maxLevels = 12 // 1024 cells along a side have 11
)

func (l link) to() int        { return int(l.To & toMask) }
func (l link) direction() int { return int(l.To >> toBits) }

// at are the nodes of a level.
func (h *hierarchy) at(level int) (first, end int) { return h.levels[level], h.levels[level+1] }

// knot is a node while the graphs are built.
type knot struct {
	i, j  int32 // column and row of its square
	whole int32
	ways  []way
}

type way struct {
	to        int32
	direction int8
}

// newHierarchy makes the graphs for goals, which are cells.
func newHierarchy(g *Grid, goals []int) *hierarchy {
	h := &hierarchy{grid: g, cells: make([]int32, g.Columns*g.Rows)}
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
			if o, ok := g.way(k, d); ok && h.cells[o] == noCell {
				h.cells[o] = int32(len(order))
				order = append(order, o)
				stack = append(stack, o)
			}
		}
	}
	knots := make([]knot, len(order))
	for n, cell := range order {
		knots[n] = knot{i: int32(cell % g.Columns), j: int32(cell / g.Columns)}
		for d := range 4 {
			if o, ok := g.way(cell, d); ok && h.cells[o] >= 0 {
				knots[n].ways = append(knots[n].ways, way{h.cells[o], int8(d)})
			}
		}
	}
	levels := [][]knot{knots}
	for len(levels) < maxLevels && len(levels[len(levels)-1]) > 1 {
		levels = append(levels, gather(levels[len(levels)-1]))
	}
	h.lay(levels, order)
	h.guess()
	return h
}

// gather makes the next level, and says of each knot what it is a part of.
func gather(fine []knot) []knot {
	var coarse []knot
	for n := range fine {
		fine[n].whole = -1
	}
	var stack []int32
	for n := range fine {
		if fine[n].whole >= 0 {
			continue
		}
		whole := int32(len(coarse))
		coarse = append(coarse, knot{i: fine[n].i >> 1, j: fine[n].j >> 1})
		fine[n].whole = whole
		stack = append(stack[:0], int32(n))
		for len(stack) > 0 {
			k := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, w := range fine[k].ways {
				o := &fine[w.to]
				if o.whole < 0 && o.i>>1 == coarse[whole].i && o.j>>1 == coarse[whole].j {
					o.whole = whole
					stack = append(stack, w.to)
				}
			}
		}
	}
	for n := range fine {
		c := &coarse[fine[n].whole]
		for _, w := range fine[n].ways {
			way := way{fine[w.to].whole, w.direction}
			if way.to != fine[n].whole && !slices.Contains(c.ways, way) {
				c.ways = append(c.ways, way)
			}
		}
	}
	return coarse
}

// lay counts the knots of all levels through, from the coarsest down, so that parts follow one another, and writes nodes and edges.
func (h *hierarchy) lay(levels [][]knot, cells []int) {
	places := make([][]int32, len(levels)) // of each knot, in its level
	order := make([][]int32, len(levels))  // knots of each level by place
	for l := len(levels) - 1; l >= 0; l-- {
		order[l] = make([]int32, len(levels[l]))
		for n := range order[l] {
			order[l][n] = int32(n)
		}
		if l < len(levels)-1 {
			above := places[l+1]
			slices.SortStableFunc(order[l], func(a, b int32) int { return int(above[levels[l][a].whole] - above[levels[l][b].whole]) })
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
	// Ways by the places they lead to, so that the graphs depend on the ground alone.
	for l, level := range levels {
		for _, n := range order[l] {
			k := &level[n]
			for i := range k.ways {
				k.ways[i].to = int32(h.levels[l]) + places[l][k.ways[i].to]
			}
			slices.SortFunc(k.ways, func(a, b way) int { return int(a.to - b.to) })
			j := joint{FirstEdge: uint32(len(h.edges)), Colour: uint32(k.i+k.j) & 1, Whole: inside}
			if l < len(levels)-1 {
				j.Whole = uint32(int32(h.levels[l+1]) + places[l+1][k.whole])
			}
			h.nodes = append(h.nodes, j)
			for _, w := range k.ways {
				h.edges = append(h.edges, link{To: uint32(w.to) | uint32(w.direction)<<toBits, Above: inside})
			}
		}
	}
	h.nodes = append(h.nodes, joint{FirstEdge: uint32(len(h.edges)), FirstPart: uint32(h.levels[len(levels)-1])})
	for n := range h.nodes[:len(h.nodes)-1] {
		if whole := h.nodes[n].Whole; whole != inside && (n == 0 || h.nodes[n-1].Whole != whole) {
			h.nodes[whole].FirstPart = uint32(n)
		}
	}
	for n := range h.nodes[:len(h.nodes)-1] {
		whole := h.nodes[n].Whole
		if whole == inside {
			continue
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
	h.ends = make([]int32, len(levels[0]))
	for place, n := range order[0] {
		cell := cells[n]
		h.nodes[place].FirstPart = uint32(cell)
		h.cells[cell] = int32(place)
		for d := range 4 {
			if o, ok := h.grid.way(cell, d); ok && h.cells[o] == goalCell {
				h.ends[place]++
			}
		}
	}
}

// guess finds what to begin with. In a corridor of w cells from wall to wall, walls included, the potential across is a half wave, and along it
// grows by the factor e^k a cell, with 2 cosh k = 4 - 2 cos(pi / w). So -ln q is taken for the length of the shortest way from a goal, each cell
// counted by the k of the narrower of its row and column, and the half wave's share. Where this is wrong it is wrong by
// little from cell to cell, and as for the rest, that is what coarse levels are for.
func (h *hierarchy) guess() {
	_, count := h.at(0)
	g := h.grid
	var arms [4][]int32 // cells to the wall, with it
	for d := range arms {
		arms[d] = make([]int32, len(h.cells))
		for n := range h.cells {
			k := n
			if d == east || d == north { // the far ones first
				k = len(h.cells) - 1 - n
			}
			arms[d][k] = 1
			if o, ok := g.way(k, d); ok {
				arms[d][k] += arms[d][o]
			}
		}
	}
	rates := make([]float64, count)
	across := make([]float64, count)
	for n := range count {
		cell := h.nodes[n].FirstPart
		a, b := arms[east][cell], arms[west][cell]
		if c, d := arms[north][cell], arms[south][cell]; c+d < a+b {
			a, b = c, d
		}
		w := float64(a + b)
		rates[n] = math.Acosh(2 - math.Cos(math.Pi/w))
		across[n] = -math.Log(math.Sin(math.Pi * float64(a) / w))
	}
	h.begin = make([]float64, count)
	var near frontier
	for n := range h.begin {
		h.begin[n] = math.Inf(1)
		if h.ends[n] > 0 {
			h.begin[n] = rates[n]
			near = append(near, reached{n, rates[n]})
		}
	}
	heap.Init(&near)
	for len(near) > 0 {
		from := heap.Pop(&near).(reached)
		if from.length > h.begin[from.node] {
			continue
		}
		for e := h.nodes[from.node].FirstEdge; e < h.nodes[from.node+1].FirstEdge; e++ {
			to := h.edges[e].to()
			if length := from.length + (rates[from.node]+rates[to])/2; length < h.begin[to] {
				h.begin[to] = length
				heap.Push(&near, reached{to, length})
			}
		}
	}
	for n := range h.begin {
		h.begin[n] += across[n]
	}
}

// reached is a node on the way from goals.
type reached struct {
	node   int
	length float64
}

// frontier is a heap of them, the nearest first.
type frontier []reached

func (f frontier) Len() int           { return len(f) }
func (f frontier) Less(i, j int) bool { return f[i].length < f[j].length }
func (f frontier) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)        { *f = append(*f, x.(reached)) }
func (f *frontier) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}
