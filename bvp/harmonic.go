package bvp

import (
	"maps"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/gpu"
)

// The binding points of the storage buffers of global maps, which the shaders get as macros.
const (
	bindJoints  = 0 // joint of each node
	bindLinks   = 1 // link of each edge
	bindKnots   = 2 // knotState of each node
	bindFlows   = 3 // of each edge
	bindBehind  = 4 // of each node
	bindPlaces  = 5 // field: node and ways of each cell
	bindHeights = 6 // field: of each cell
	bindAscents = 7 // field: of each cell
	bindOffs    = 6 // imbalance before each cycle
	bindLevels  = 5 // coarse: first node of each level
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

// Solver makes global harmonic maps on a device.
type Solver struct {
	device   *gpu.Device
	programs map[string]*gpu.Program
}

// NewSolver compiles the passes. The error is a *gpu.CompileError.
func NewSolver(d *gpu.Device) (*Solver, error) {
	s := &Solver{d, map[string]*gpu.Program{}}
	err := d.Do(func() error {
		for _, stage := range harmonicStages {
			p, err := gpu.NewProgram(d, harmonicSpec(stage))
			if err != nil {
				return err
			}
			s.programs[stage] = p
		}
		return nil
	})
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close frees the passes. Maps that it has made can be read afterwards, but not relaxed.
func (s *Solver) Close() {
	for _, p := range s.programs {
		p.Delete()
	}
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
	m.bind()
	for k := range Cycles {
		if k > 0 {
			m.solver.programs["bvp/imbalance.comp.glsl"].Set("cycle", uint32(k))
			m.run("bvp/imbalance.comp.glsl", 0, 0)
		}
		m.cycle(k)
	}
	m.read()
}

// Relax takes the map so many cycles nearer to the solution, and brings heights and ascents up to date.
func (m *Harmonic) Relax(cycles int) {
	mustDo(m.solver.device, m.closed, func() {
		m.bind()
		for range cycles {
			m.cycle(Cycles)
		}
		m.read()
	})
}

// cycle goes from cells to the coarsest level and back, if the imbalance that is told as that before a cycle asks for it.
func (m *Harmonic) cycle(k int) {
	for _, stage := range cycleStages {
		m.solver.programs[stage].Set("cycle", uint32(k))
	}
	last := len(m.hierarchy.levels) - 2
	top := last // the first of the levels that a single work group takes care of
	for top > 1 && m.hierarchy.levels[top]-m.hierarchy.levels[top-1] <= coarseNodes {
		top--
	}
	for level := range top {
		m.smooth(level, 0)
		m.run("bvp/resist.comp.glsl", level, level)
		m.run("bvp/coarsen.comp.glsl", level+1, level)
	}
	if top == 0 { // cells alone
		m.smooth(0, 0)
	} else {
		m.coarse(top, last)
	}
	for level := top - 1; level >= 0; level-- {
		m.run("bvp/correct.comp.glsl", level, level)
		m.smooth(level, 1)
	}
}

// read brings heights and ascents up to date.
func (m *Harmonic) read() {
	m.places.Bind(bindPlaces)
	m.heights.Bind(bindHeights)
	m.ascents.Bind(bindAscents)
	p := m.solver.programs["bvp/field.comp.glsl"]
	p.Set("end", uint32(len(m.hierarchy.cells)))
	p.Set("columns", uint32(m.hierarchy.grid.Columns))
	p.Dispatch(gpu.Groups(len(m.hierarchy.cells), groupSize), 1, 1)
	m.solver.device.Barrier(gpu.BarrierStorage | gpu.BarrierUpdate)
}

func (m *Harmonic) bind() {
	m.joints.Bind(bindJoints)
	m.links.Bind(bindLinks)
	m.knots.Bind(bindKnots)
	m.flows.Bind(bindFlows)
	m.behind.Bind(bindBehind)
	m.offs.Bind(bindOffs)
	m.solver.device.Barrier(gpu.BarrierStorage)
}

func (m *Harmonic) smooth(level int, colour uint32) {
	p := m.solver.programs["bvp/smooth.comp.glsl"]
	for half := range 2 * (sweeps + moreSweeps*level) {
		p.Set("colour", colour^uint32(half&1))
		m.run("bvp/smooth.comp.glsl", level, level)
	}
}

// coarse takes a cycle from a level to the last and back.
func (m *Harmonic) coarse(top, last int) {
	p := m.solver.programs["bvp/coarse.comp.glsl"]
	m.levels.Bind(bindLevels)
	p.Set("top", int32(top))
	p.Set("last", int32(last))
	p.Set("isFirstLevel", false)
	p.Dispatch(1, 1, 1)
	m.solver.device.Barrier(gpu.BarrierStorage | gpu.BarrierUpdate)
}

// run runs a pass over the nodes of a level; it may ask which level it is about.
func (m *Harmonic) run(stage string, over, about int) {
	first, end := m.hierarchy.at(over)
	p := m.solver.programs[stage]
	p.Set("first", uint32(first))
	p.Set("end", uint32(end))
	p.Set("isFirstLevel", about == 0)
	p.Dispatch(gpu.Groups(end-first, groupSize), 1, 1)
	m.solver.device.Barrier(gpu.BarrierStorage | gpu.BarrierUpdate)
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
	m.bind()
	most.Bind(bindOffs)
	m.solver.programs["bvp/imbalance.comp.glsl"].Set("cycle", uint32(0))
	m.run("bvp/imbalance.comp.glsl", 0, 0)
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

var (
	cycleStages = []string{
		"bvp/smooth.comp.glsl", "bvp/resist.comp.glsl", "bvp/coarsen.comp.glsl", "bvp/correct.comp.glsl", "bvp/coarse.comp.glsl",
	}
	harmonicStages = append([]string{"bvp/field.comp.glsl", "bvp/imbalance.comp.glsl"}, cycleStages...)
)

func harmonicSpec(stage string) gpu.Spec {
	group := groupSize
	if stage == "bvp/coarse.comp.glsl" {
		group = coarseGroup
	}
	return gpu.Spec{
		Stages:  []string{stage},
		Structs: []any{joint{}, link{}, knotState{}, Ascent{}},
		Defines: map[string]any{
			"GROUP_SIZE":      group,
			"JOINTS_BINDING":  bindJoints,
			"LINKS_BINDING":   bindLinks,
			"KNOTS_BINDING":   bindKnots,
			"FLOWS_BINDING":   bindFlows,
			"BEHIND_BINDING":  bindBehind,
			"PLACES_BINDING":  bindPlaces,
			"HEIGHTS_BINDING": bindHeights,
			"ASCENTS_BINDING": bindAscents,
			"GOAL_CELL":       GoalCell,
			"OFFS_BINDING":    bindOffs,
			"ENOUGH":          float32(enough),
			"LEVELS_BINDING":  bindLevels,
			"SWEEPS":          sweeps,
			"MORE_SWEEPS":     moreSweeps,
			"TO_BITS":         toBits,
			"ROUGH":           float32(rough),
			"MOST_BEHIND":     float32(mostBehind),
			"LOPSIDED":        float32(lopsided),
			"LEAST_DIAGONAL":  float32(leastDiagonal),
		},
	}
}
