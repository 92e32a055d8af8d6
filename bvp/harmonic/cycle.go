package harmonic

import (
	"github.com/wayfront/wayfront/engine/gpu"
)

const (
	// sweeps relax a level before and after it is corrected; on each coarser one, which costs less,
	// moreSweeps more.
	sweeps     = 2
	moreSweeps = 4
	// Where more than this share of its flow is missing from a node, its potential is not yet of
	// the shape that resistances are for.
	rough = 0.1
	// The resistance on either side of an edge counts as this share of the edge's own at most,
	// which is what it is in a wide room, and the greater one as so many times the lesser. Where q
	// falls steeply, all that leaves a node comes from next to the edge.
	mostBehind = 0.5
	lopsided   = 10
	// The diagonal stays above this much of what flows out.
	leastDiagonal = 0.1
	// coarseNodes is how many nodes a level has at most that a single work group takes care of.
	coarseNodes = 1024
	coarseGroup = 256 // invocations of that
	groupSize   = 64  // of all others
)

// nodeState is what changes about a node.
type nodeState struct {
	X    float32 // potential over 2^E, from 1 to 2; a factor above the first level
	E    int32
	Base int32   // exponent of the unit of the node's equation; 0 on the first level
	B    float32 // flow to goals
	D    float32 // the diagonal
}

// The inputs of the passes over the graphs, one for each stem in shaders/bvp.
type (
	graphInput struct {
		nodes        *gpu.Buffer[node]       `gpu:"read"`
		edges        *gpu.Buffer[edge]       `gpu:"read"`
		states       *gpu.Buffer[nodeState]  `gpu:"readwrite"`
		flows        *gpu.Buffer[float32]    `gpu:"readwrite"`
		behind       *gpu.Buffer[[4]float32] `gpu:"readwrite"` // by direction, the resistance from the middle of a node's lane to it
		first, end   uint32                  // nodes of this dispatch
		isFirstLevel bool
	}
	cycleInput struct { // resist, coarsen, correct
		graphInput
		imbalances *gpu.Buffer[float32] `gpu:"read"`
		cycle      uint32
	}
	smoothInput struct {
		cycleInput
		color uint32
	}
	coarseInput struct {
		cycleInput
		levels    *gpu.Buffer[uint32] `gpu:"read"`
		top, last int32
	}
	imbalanceInput struct {
		graphInput
		imbalances *gpu.Buffer[float32] `gpu:"readwrite"`
		cycle      uint32
	}
	fieldInput struct {
		graphInput
		places  *gpu.Buffer[uint32]  `gpu:"read"`
		heights *gpu.Buffer[float32] `gpu:"write"`
		ascents *gpu.Buffer[Ascent]  `gpu:"write"`
		columns uint32
	}
)

// pass is the pass of a stem in shaders/bvp.
func pass[T any](stem string) gpu.PassSpec[T] {
	group := groupSize
	if stem == "coarse" {
		group = coarseGroup
	}
	return gpu.PassSpec[T]{
		Stages: []string{"bvp/" + stem + ".comp.glsl"},
		Defines: map[string]any{
			"GROUP_SIZE":     group,
			"GOAL_CELL":      GoalCell,
			"ENOUGH":         float32(enough),
			"SWEEPS":         sweeps,
			"MORE_SWEEPS":    moreSweeps,
			"TO_BITS":        toBits,
			"ROUGH":          float32(rough),
			"MOST_BEHIND":    float32(mostBehind),
			"LOPSIDED":       float32(lopsided),
			"LEAST_DIAGONAL": float32(leastDiagonal),
		},
	}
}

var (
	smoothPass    = pass[smoothInput]("smooth")
	resistPass    = pass[cycleInput]("resist")
	coarsenPass   = pass[cycleInput]("coarsen")
	correctPass   = pass[cycleInput]("correct")
	coarsePass    = pass[coarseInput]("coarse")
	imbalancePass = pass[imbalanceInput]("imbalance")
	fieldPass     = pass[fieldInput]("field")
)

// Passes are all passes.
func Passes() []gpu.PassInfo {
	return []gpu.PassInfo{
		smoothPass.Info(), resistPass.Info(), coarsenPass.Info(), correctPass.Info(), coarsePass.Info(),
		imbalancePass.Info(), fieldPass.Info(),
	}
}

// Solver makes maps on a device.
type Solver struct {
	device                   *gpu.Device
	smooth                   *gpu.Pass[smoothInput]
	resist, coarsen, correct *gpu.Pass[cycleInput]
	coarse                   *gpu.Pass[coarseInput]
	imbalance                *gpu.Pass[imbalanceInput]
	field                    *gpu.Pass[fieldInput]
}

// NewSolver compiles the passes. The error is a *gpu.CompileError.
func NewSolver(d *gpu.Device) (*Solver, error) {
	r, s := &gpu.ResourceSet{Device: d}, &Solver{device: d}
	return s, d.Do(func() error {
		s.smooth = gpu.Compile(r, smoothPass)
		s.resist = gpu.Compile(r, resistPass)
		s.coarsen = gpu.Compile(r, coarsenPass)
		s.correct = gpu.Compile(r, correctPass)
		s.coarse = gpu.Compile(r, coarsePass)
		s.imbalance = gpu.Compile(r, imbalancePass)
		s.field = gpu.Compile(r, fieldPass)
		return r.Err
	})
}

// cycle goes from cells to the coarsest level and back, if the imbalance before cycle k asks for
// it.
func (m *Map) cycle(k int) {
	levels := m.graphs.levels
	last := len(levels) - 2
	top := last // the first of the levels that a single work group takes care of
	for top > 1 && levels[top]-levels[top-1] <= coarseNodes {
		top--
	}
	for level := range top {
		m.smooth(k, level, 0)
		m.run(m.solver.resist, k, level, level)
		m.run(m.solver.coarsen, k, level+1, level)
	}
	if top == 0 { // cells alone
		m.smooth(k, 0, 0)
	} else {
		m.solver.coarse.Run(coarseInput{cycleInput: m.input(k, 0, 1), levels: m.levels, top: int32(top), last: int32(last)}, 1)
	}
	for level := top - 1; level >= 0; level-- {
		m.run(m.solver.correct, k, level, level)
		m.smooth(k, level, 1)
	}
}

// input is that of a pass of cycle k over the nodes of a level, where it asks for it about another
// one.
func (m *Map) input(k, over, about int) cycleInput {
	in := cycleInput{graphInput: m.graph, imbalances: m.imbalance, cycle: uint32(k)}
	first, end := m.graphs.at(over)
	in.first, in.end, in.isFirstLevel = uint32(first), uint32(end), about == 0
	return in
}

// groups are the work groups of a pass over nodes.
func (in *graphInput) groups() uint32 { return gpu.Groups(int(in.end-in.first), groupSize) }

func (m *Map) run(p *gpu.Pass[cycleInput], k, over, about int) {
	in := m.input(k, over, about)
	p.Run(in, in.groups())
}

func (m *Map) smooth(k, level int, color uint32) {
	in := smoothInput{cycleInput: m.input(k, level, level)}
	for half := range 2 * (sweeps + moreSweeps*level) {
		in.color = color ^ uint32(half&1)
		m.solver.smooth.Run(in, in.groups())
	}
}

// measure writes the imbalance before cycle k: the most by which a cell's potential differs from
// the mean of its neighbors, as a share of it.
func (m *Map) measure(to *gpu.Buffer[float32], k int) {
	in := m.input(0, 0, 0)
	m.solver.imbalance.Run(imbalanceInput{graphInput: in.graphInput, imbalances: to, cycle: uint32(k)}, in.groups())
}

// read brings heights and ascents up to date.
func (m *Map) read() {
	cells := m.graphs.grid.Count()
	in := fieldInput{
		graphInput: m.graph, places: m.places, heights: m.heights, ascents: m.ascents,
		columns: uint32(m.graphs.grid.Columns),
	}
	in.first, in.end, in.isFirstLevel = 0, uint32(cells), true
	m.solver.field.Run(in, gpu.Groups(cells, groupSize))
}
