package engine

import (
	"math"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// harmonic is the global harmonic maps of all goals, where some profile is guided by them.
type harmonic struct {
	solver  *bvp.Solver
	cells   int              // along the longer side of the domain; 0: there are no maps
	maps    []*bvp.Harmonic  // by goal
	of      []agents.Terrain // the ground of each
	ascents *gpu.Buffer[[2]float32]
}

// The cells of global maps along the longer side of the domain. They are as large as those of the finest local map that is guided by them,
// within these bounds.
const (
	leastCells = 16
	mostCells  = 256
)

// harmonicCells is how many cells the profiles ask for; 0 where none is guided by harmonic maps.
func (s *steering) harmonicCells(length float64) int {
	cells := 0
	for _, p := range s.profiles {
		if p != nil && p.Guide == scenes.GuideHarmonic {
			cells = max(cells, int(min(max(math.Ceil(length/p.CellSize), leastCells), mostCells)))
		}
	}
	return cells
}

// guideHarmonically makes the global maps that profiles ask for, and again those of goals whose shortest path maps have been. It takes the
// solution as far as bvp.Cycles lead, and reads nothing back. After an error maps may be missing.
func (w *World) guideHarmonically() error {
	h := &w.steering.harmonic
	cells := w.steering.harmonicCells(w.Ground().Lattice.Length())
	if cells != h.cells || h.ascents == nil {
		h.clear()
		h.cells = cells
		h.maps, h.of = make([]*bvp.Harmonic, len(w.goals)), make([]agents.Terrain, len(w.goals))
		count := 1
		if cells > 0 {
			grid := bvp.NewGrid(w.Ground(), cells)
			count = len(w.goals) * max(grid.Columns*grid.Rows, 1)
		}
		var err error
		if h.ascents, err = gpu.NewBuffer[[2]float32](w.device, "global ascents", max(count, 1)); err != nil {
			return err
		}
	}
	for layer := range w.goals {
		if err := w.guideTo(layer); err != nil {
			return err
		}
	}
	return nil
}

// guideTo makes the global map of a goal, unless it is there.
func (w *World) guideTo(layer int) error {
	h, g := &w.steering.harmonic, &w.goals[layer]
	if h.cells == 0 || h.maps[layer] != nil && h.of[layer] == g.shown {
		return nil
	}
	if h.solver == nil {
		solver, err := bvp.NewSolver(w.device)
		if err != nil {
			return err
		}
		h.solver = solver
	}
	grid := bvp.NewGrid(g.shown.Ground, h.cells)
	m, err := h.solver.Harmonic(grid, grid.Goals(g.awake.Points, g.awake.Segments))
	if err != nil {
		return err
	}
	m.Relax(bvp.Cycles)
	if h.maps[layer] != nil {
		h.maps[layer].Close()
	}
	h.maps[layer], h.of[layer] = m, g.shown
	n := grid.Columns * grid.Rows
	m.Ascents().CopyRange(0, h.ascents, layer*n, n)
	return nil
}

// renew has the map of a goal made again.
func (h *harmonic) renew(layer int) {
	if h.cells > 0 {
		h.of[layer] = agents.Terrain{}
	}
}

// bind attaches the maps to a program that reads ascents.
func (h *harmonic) bind(p *gpu.Program) {
	h.ascents.Bind(bindAscents)
	size, cellsPerMetre := [2]int32{1, 1}, float32(0)
	if h.cells > 0 && len(h.maps) > 0 {
		grid := h.maps[0].Grid()
		size = [2]int32{max(int32(grid.Columns), 1), max(int32(grid.Rows), 1)}
		cellsPerMetre = float32(1 / grid.CellSize())
	}
	p.Set("cellCount", size)
	p.Set("cellsPerMetre", cellsPerMetre)
}

// clear frees the maps.
func (h *harmonic) clear() {
	for _, m := range h.maps {
		if m != nil {
			m.Close()
		}
	}
	h.ascents.Delete()
	h.maps, h.of, h.ascents = nil, nil, nil
}

func (h *harmonic) close() {
	h.clear()
	if h.solver != nil {
		h.solver.Close()
	}
}

// HarmonicMap is the global harmonic map of a goal, for drawing; nil where no profile is guided by such maps. It is another one after
// the goal's shortest path map was made anew.
func (w *World) HarmonicMap(h Goal) (*bvp.Harmonic, error) {
	if _, err := w.goal(h); err != nil {
		return nil, err
	}
	if maps := w.steering.harmonic.maps; maps != nil {
		return maps[h.index], nil
	}
	return nil, nil
}
