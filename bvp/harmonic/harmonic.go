// Package harmonic solves for the potential of a whole ground: Laplace's equation over a grid, 1 in
// the cells of a goal and 0 beyond walls. What leads up its gradient leads to the goal, away from
// walls.
//
// What is solved is 4 q = the sum of q in the cells beside. Far along corridors q is smaller than
// any float, so a node's q is x 2^e, and all that is computed is ratios of neighbors.
//
// Relaxation alone would take as many sweeps as there are cells, squared. So the parts of a node of
// the next level are corrected together, by a factor: what factors make the equations of the parts,
// weighted with q and summed, hold? That is a system of the same kind, with edges of q times q (the
// flow of agents that walk to the goal and never meet a wall), on a quarter of the nodes, and is
// treated alike. Factors keep potentials above 0, and serve far corners as well as the goal's
// neighborhood. (Aggregation and disaggregation: Horton and Leutenegger 1994, for Markov chains.)
package harmonic

import (
	"math"
	"slices"

	"github.com/wayfront/wayfront/bvp/grid"
	"github.com/wayfront/wayfront/bvp/internal/owned"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Map is the potential of a goal on the device. It is read as height, its negative logarithm, since
// in a corridor it shrinks by a factor with every cell. After Close, methods that use the device
// panic with bvp.ErrClosed.
type Map struct {
	owned.Resources
	solver    *Solver
	graphs    *graphs
	goals     []int
	graph     graphInput
	levels    *gpu.Buffer[uint32]
	imbalance *gpu.Buffer[float32] // before each of Cycles, and infinity
	places    *gpu.Buffer[uint32]
	heights   *gpu.Buffer[float32]
	ascents   *gpu.Buffer[Ascent]
}

// Ascent is a cell of a map, as its readers have it.
type Ascent struct {
	X, Y float32 // the unit vector along which the potential rises; zero in goals, on ridges, and where no way leads from
	Ways uint32  // as grid.Grid.Ways, and GoalCell
}

// GoalCell marks, in the Ways of an Ascent, a cell of the goal.
const GoalCell uint32 = 1 << 4

// Cycles are enough relaxations for most grounds: every cell is then within a thousandth of its
// neighbors' mean, however many there are. Long narrow mazes may need some more.
const Cycles = 12

// enough is an imbalance that Converge leaves alone: a tenth of what Cycles promise, as what is off
// the same way all over a room shows little between neighbors.
const enough = 1e-4

// NewMap makes the map of a grid to a goal, which is cells, as a first guess: Converge or Relax
// bring it to the solution. The error is a *gpu.CapacityError.
func (s *Solver) NewMap(g *grid.Grid, goals []int) (*Map, error) {
	h := newGraphs(g, goals)
	m := &Map{Resources: owned.Resources{ResourceSet: gpu.ResourceSet{Device: s.device}}, solver: s, graphs: h, goals: slices.Clone(goals)}
	err := m.Make(func(r *gpu.ResourceSet) {
		levels := make([]uint32, len(h.levels))
		for level, first := range h.levels {
			levels[level] = uint32(first)
		}
		m.graph = graphInput{
			nodes:  gpu.Upload(r, "bvp nodes", h.nodes),
			edges:  gpu.Upload(r, "bvp edges", h.edges),
			states: gpu.Upload(r, "bvp states of nodes", h.states()),
			flows:  gpu.Upload(r, "bvp flows", h.flows()),
			behind: gpu.Upload(r, "bvp resistances", make([][4]float32, len(h.nodes)-1)),
		}
		m.levels = gpu.Upload(r, "bvp levels", levels)
		m.imbalance = gpu.Upload(r, "bvp imbalances", unknownImbalance())
		m.places = gpu.Upload(r, "bvp places of cells", h.places())
		m.heights = gpu.Upload(r, "bvp heights", make([]float32, g.Count()))
		m.ascents = gpu.Upload(r, "bvp ascents", make([]Ascent, g.Count()))
		if r.Err == nil {
			m.read()
		}
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// unknownImbalance are the imbalances before anything is done.
func unknownImbalance() []float32 {
	all := make([]float32, Cycles+1)
	all[0], all[Cycles] = float32(math.Inf(1)), float32(math.Inf(1))
	return all
}

// Converge takes the map from what it began with to the solution: by Cycles or, where fewer do, so
// many that every cell is within a ten-thousandth of its neighbors' mean. The device finds how
// many, and nothing is read back.
func (m *Map) Converge() {
	m.MustDo(func() {
		m.imbalance.Write(0, unknownImbalance())
		for k := range Cycles {
			if k > 0 {
				m.measure(m.imbalance, k)
			}
			m.cycle(k)
		}
		m.read()
	})
}

// Relax takes the map so many cycles nearer to the solution, and brings heights and ascents up to
// date.
func (m *Map) Relax(cycles int) {
	m.MustDo(func() {
		for range cycles {
			m.cycle(Cycles)
		}
		m.read()
	})
}

// Heights are -ln q by cell of the grid: 0 in goals, infinite where no way leads from.
func (m *Map) Heights() *gpu.Buffer[float32] { return m.heights }

// Ascents are the directions to go, by cell of the grid. Between the middles of cells they are
// interpolated (see reference.AscentAt).
func (m *Map) Ascents() *gpu.Buffer[Ascent] { return m.ascents }

// IsOf reports whether the map is of those cells and ways, and that goal.
func (m *Map) IsOf(g *grid.Grid, goals []int) bool {
	return slices.Equal(m.goals, goals) && m.Grid().Equal(g)
}

// Grid is the one that the map is of.
func (m *Map) Grid() *grid.Grid { return m.graphs.grid }
