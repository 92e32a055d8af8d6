package bvp

import (
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/gpu"
)

// coarseNodes is how many nodes a level has at most that a single work group takes care of, of coarseGroup invocations.
const (
	coarseNodes = 1024
	coarseGroup = 256
)

// knotState is what changes about a node: see relaxer.
type knotState struct {
	X    float32
	E    int32
	Base int32
	B, D float32
}

// The inputs of the passes over the graphs of a global map, one for each stem in shaders/bvp.
type (
	graphInput struct {
		joints       *gpu.Buffer[joint]      `gpu:"read"`
		links        *gpu.Buffer[link]       `gpu:"read"`
		knots        *gpu.Buffer[knotState]  `gpu:"readwrite"`
		flows        *gpu.Buffer[float32]    `gpu:"readwrite"`
		behind       *gpu.Buffer[[4]float32] `gpu:"readwrite"`
		first, end   uint32
		isFirstLevel bool
	}
	cycleInput struct { // resist, coarsen, correct
		graphInput
		offs  *gpu.Buffer[float32] `gpu:"read"`
		cycle uint32
	}
	smoothInput struct {
		cycleInput
		colour uint32
	}
	coarseInput struct {
		cycleInput
		levels    *gpu.Buffer[uint32] `gpu:"read"`
		top, last int32
	}
	imbalanceInput struct {
		graphInput
		offs  *gpu.Buffer[float32] `gpu:"readwrite"`
		cycle uint32
	}
	fieldInput struct {
		graphInput
		places  *gpu.Buffer[uint32]  `gpu:"read"`
		heights *gpu.Buffer[float32] `gpu:"write"`
		ascents *gpu.Buffer[Ascent]  `gpu:"write"`
		columns uint32
	}
)

// harmonicPass is the pass of a stem in shaders/bvp.
func harmonicPass[T any](stem string) gpu.PassSpec[T] {
	group := groupSize
	if stem == "coarse" {
		group = coarseGroup
	}
	return gpu.PassSpec[T]{
		Stages:  []string{"bvp/" + stem + ".comp.glsl"},
		Structs: []any{Ascent{}},
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

func harmonicPasses() []gpu.PassInfo {
	specs := []gpu.PassInfo{
		harmonicPass[smoothInput]("smooth").Info(), harmonicPass[coarseInput]("coarse").Info(),
		harmonicPass[imbalanceInput]("imbalance").Info(), harmonicPass[fieldInput]("field").Info(),
	}
	for _, stem := range []string{"resist", "coarsen", "correct"} {
		specs = append(specs, harmonicPass[cycleInput](stem).Info())
	}
	return specs
}

// Solver makes global harmonic maps on a device.
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
	s := &Solver{device: d}
	return s, d.Do(func() error {
		var errs [7]error
		s.smooth, errs[0] = gpu.NewPass(d, harmonicPass[smoothInput]("smooth"))
		s.resist, errs[1] = gpu.NewPass(d, harmonicPass[cycleInput]("resist"))
		s.coarsen, errs[2] = gpu.NewPass(d, harmonicPass[cycleInput]("coarsen"))
		s.correct, errs[3] = gpu.NewPass(d, harmonicPass[cycleInput]("correct"))
		s.coarse, errs[4] = gpu.NewPass(d, harmonicPass[coarseInput]("coarse"))
		s.imbalance, errs[5] = gpu.NewPass(d, harmonicPass[imbalanceInput]("imbalance"))
		s.field, errs[6] = gpu.NewPass(d, harmonicPass[fieldInput]("field"))
		return errors.Join(errs[:]...)
	})
}

// Harmonic is a global map on the device: the potential of Laplace's equation over a grid, 1 in the cells of a goal and 0 beyond
// walls. It is read as height, its negative logarithm, since in a corridor it shrinks by a factor with every cell.
type Harmonic struct {
	solver    *Solver
	hierarchy *hierarchy
	goals     []int
	held      []interface{ Delete() }
	joints    *gpu.Buffer[joint]
	links     *gpu.Buffer[link]
	levels    *gpu.Buffer[uint32]
	offs      *gpu.Buffer[float32] // imbalance before each of Cycles, and infinity
	knots     *gpu.Buffer[knotState]
	flows     *gpu.Buffer[float32]
	behind    *gpu.Buffer[[4]float32]
	places    *gpu.Buffer[uint32]
	heights   *gpu.Buffer[float32]
	ascents   *gpu.Buffer[Ascent]
	closed    bool
}

// Harmonic makes the map of a grid to a goal, which is cells. Relax brings it to the solution. The error is a *gpu.CapacityError.
func (s *Solver) Harmonic(grid *Grid, goals []int) (m *Harmonic, err error) {
	err = s.device.Do(func() error {
		m, err = s.harmonic(grid, goals)
		return err
	})
	return m, err
}

func (s *Solver) harmonic(grid *Grid, goals []int) (*Harmonic, error) {
	m := &Harmonic{solver: s, hierarchy: newHierarchy(grid, goals), goals: slices.Clone(goals)}
	h := m.hierarchy
	// What it begins with is the relaxer's, whose other parts are not needed.
	r := newRelaxer[float32](h)
	knots := make([]knotState, len(r.x))
	for n := range knots {
		knots[n] = knotState{X: r.x[n], E: r.e[n], B: r.b[n], D: r.d[n]}
	}
	var err error
	m.joints = keep(m, &err, "bvp nodes", h.nodes)
	m.links = keep(m, &err, "bvp edges", h.edges)
	levels := make([]uint32, len(h.levels))
	for level, first := range h.levels {
		levels[level] = uint32(first)
	}
	m.levels = keep(m, &err, "bvp levels", levels)
	m.offs = keep(m, &err, "bvp imbalances", undone())
	m.knots = keep(m, &err, "bvp states of nodes", knots)
	m.flows = keep(m, &err, "bvp flows", r.g)
	m.behind = keep(m, &err, "bvp resistances", r.behind)
	m.places = keep(m, &err, "bvp places of cells", h.places())
	m.heights = keep(m, &err, "bvp heights", make([]float32, len(h.cells)))
	m.ascents = keep(m, &err, "bvp ascents", make([]Ascent, len(h.cells)))
	if err != nil {
		m.Close()
		return nil, err
	}
	m.Relax(0)
	return m, nil
}

// keep makes a buffer of data that goes with the map, unless there was an error before.
func keep[T any](m *Harmonic, err *error, label string, data []T) *gpu.Buffer[T] {
	if *err != nil {
		return nil
	}
	b, failed := gpu.NewBuffer[T](m.solver.device, label, len(data))
	if failed != nil {
		*err = failed
		return nil
	}
	b.Write(0, data)
	m.held = append(m.held, b)
	return b
}

// places are the node and the ways of each cell: in the lower four bits, by direction, whether there is a way, above them 0 for
// no node, 1 for a goal, and 2 more than the node.
func (h *hierarchy) places() []uint32 {
	places := make([]uint32, len(h.cells))
	for cell, n := range h.cells {
		places[cell] = uint32(n+2) << 4
		for d := range 4 {
			if _, ok := h.grid.way(cell, d); ok {
				places[cell] |= 1 << d
			}
		}
	}
	return places
}

// Cycles are enough relaxations for most grounds: every cell is then within a thousandth of its neighbours' mean, however many there are. Long narrow
// mazes may need some more; see Imbalance.
const Cycles = 12

// enough is an imbalance that Settle leaves alone: a tenth of what Cycles promise, as what is off the same way all over a room shows little
// between neighbours.
const enough = 1e-4

// undone are the imbalances when nothing has been done.
func undone() []float32 {
	offs := make([]float32, Cycles+1)
	offs[0], offs[Cycles] = float32(math.Inf(1)), float32(math.Inf(1))
	return offs
}

// Settle takes the map from what it began with to the solution: by Cycles or, where fewer do, so many that every cell is within a ten-thousandth of
// its neighbours' mean. Which it is the device finds, and nothing is read back.
func (m *Harmonic) Settle() { mustDo(m.solver.device, m.closed, m.settle) }

func (m *Harmonic) settle() {
	m.offs.Write(0, undone())
	for k := range Cycles {
		if k > 0 {
			m.measure(m.offs, k)
		}
		m.cycle(k)
	}
	m.read()
}

// Relax takes the map so many cycles nearer to the solution, and brings heights and ascents up to date.
func (m *Harmonic) Relax(cycles int) {
	mustDo(m.solver.device, m.closed, func() {
		for range cycles {
			m.cycle(Cycles)
		}
		m.read()
	})
}

// cycle goes from cells to the coarsest level and back, if the imbalance that is told as that before a cycle asks for it.
func (m *Harmonic) cycle(k int) {
	last := len(m.hierarchy.levels) - 2
	top := last // the first of the levels that a single work group takes care of
	for top > 1 && m.hierarchy.levels[top]-m.hierarchy.levels[top-1] <= coarseNodes {
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
		m.solver.coarse.Run(coarseInput{
			cycleInput: cycleInput{graphInput: m.graph(0, 1), offs: m.offs, cycle: uint32(k)},
			levels:     m.levels, top: int32(top), last: int32(last),
		}, 1)
	}
	for level := top - 1; level >= 0; level-- {
		m.run(m.solver.correct, k, level, level)
		m.smooth(k, level, 1)
	}
}

// read brings heights and ascents up to date.
func (m *Harmonic) read() {
	in := fieldInput{graphInput: m.graph(0, 0), places: m.places, heights: m.heights, ascents: m.ascents, columns: uint32(m.hierarchy.grid.Columns)}
	in.first, in.end = 0, uint32(len(m.hierarchy.cells))
	m.solver.field.Run(in, gpu.Groups(len(m.hierarchy.cells), groupSize))
}

// graph is the input of a pass over the nodes of a level; it may ask which level it is about.
func (m *Harmonic) graph(over, about int) graphInput {
	first, end := m.hierarchy.at(over)
	return graphInput{
		joints: m.joints, links: m.links, knots: m.knots, flows: m.flows, behind: m.behind,
		first: uint32(first), end: uint32(end), isFirstLevel: about == 0,
	}
}

// groups are the work groups of a pass over nodes.
func (in *graphInput) groups() uint32 { return gpu.Groups(int(in.end-in.first), groupSize) }

// run runs a pass of cycle k over the nodes of a level.
func (m *Harmonic) run(p *gpu.Pass[cycleInput], k, over, about int) {
	in := cycleInput{graphInput: m.graph(over, about), offs: m.offs, cycle: uint32(k)}
	p.Run(in, in.groups())
}

func (m *Harmonic) smooth(k, level int, colour uint32) {
	in := smoothInput{cycleInput: cycleInput{graphInput: m.graph(level, level), offs: m.offs, cycle: uint32(k)}}
	for half := range 2 * (sweeps + moreSweeps*level) {
		in.colour = colour ^ uint32(half&1)
		m.solver.smooth.Run(in, in.groups())
	}
}

// measure writes the imbalance before cycle k.
func (m *Harmonic) measure(offs *gpu.Buffer[float32], k int) {
	in := imbalanceInput{graphInput: m.graph(0, 0), offs: offs, cycle: uint32(k)}
	m.solver.imbalance.Run(in, in.groups())
}

// Imbalance is the most by which a cell's potential differs from the mean of those beside it, as a share of it. It waits for the device.
// The error is a *gpu.CapacityError or ErrClosed.
func (m *Harmonic) Imbalance() (most float32, err error) {
	err = do(m.solver.device, m.closed, func() error {
		most, err = m.imbalance()
		return err
	})
	return most, err
}

func (m *Harmonic) imbalance() (float32, error) {
	most, err := gpu.NewBuffer[float32](m.solver.device, "bvp imbalance", 1)
	if err != nil {
		return 0, err
	}
	defer most.Delete()
	m.measure(most, 0)
	var value [1]float32
	most.Read(0, value[:])
	return value[0], nil
}

// Heights are -ln q by cell of the grid: 0 in goals, infinite where no way leads from.
func (m *Harmonic) Heights() *gpu.Buffer[float32] { return m.heights }

// Ascents are which way to go, by cell of the grid: see AscentAt.
func (m *Harmonic) Ascents() *gpu.Buffer[Ascent] { return m.ascents }

// IsOf reports whether the map is of those cells and ways, and that goal.
func (m *Harmonic) IsOf(grid *Grid, goals []int) bool {
	return slices.Equal(m.goals, goals) && m.Grid().equal(grid)
}

// Grid is the one that the map is of.
func (m *Harmonic) Grid() *Grid { return m.hierarchy.grid }

// Bytes is the memory that the map takes on the device.
func (m *Harmonic) Bytes() int64 {
	return m.joints.Bytes() + m.links.Bytes() + m.levels.Bytes() + m.offs.Bytes() + m.knots.Bytes() + m.flows.Bytes() + m.behind.Bytes() + m.places.Bytes() + m.heights.Bytes() + m.ascents.Bytes()
}

// Close frees what the map has on the device. Later calls that use the device return ErrClosed, or panic with it.
func (m *Harmonic) Close() {
	m.closed = true
	for _, b := range m.held {
		b.Delete()
	}
}

// Goals are the cells of a goal of points and segments, in the world: those of the points, and of points on each segment half a
// cell apart or less. Each once, in order.
func (g *Grid) Goals(points []mgl64.Vec2, segments [][2]mgl64.Vec2) []int {
	taken := map[int]bool{}
	for _, p := range points {
		if cell, ok := g.Cell(p); ok {
			taken[cell] = true
		}
	}
	for _, s := range segments {
		d := s[1].Sub(s[0])
		steps := math.Ceil(2 * max(math.Abs(d[0]), math.Abs(d[1])) / g.CellSize())
		for k := 0.0; k <= steps; k++ {
			if cell, ok := g.Cell(s[0].Add(d.Mul(k / max(steps, 1)))); ok {
				taken[cell] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(taken))
}
