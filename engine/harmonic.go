package engine

import (
	"math"
	"slices"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// harmonic is the global harmonic maps of the goals that somebody walks to who is guided by them.
type harmonic struct {
	solver  *bvp.Solver
	cells   int              // along the longer side of the domain; 0: there are no maps
	grid    *bvp.Grid        // as large as those of the maps
	maps    []*bvp.Harmonic  // by goal; nil: nobody needs one
	of      []agents.Terrain // the ground of each
	ascents *gpu.Buffer[bvp.Ascent]
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

// harmonicGoals says of each goal whether anybody walks to it by harmonic maps.
func (w *World) harmonicGoals() []bool {
	walked := make([]bool, len(w.goals))
	for _, group := range w.scene.Groups {
		profile := slices.IndexFunc(w.scene.Profiles, func(p scenes.Profile) bool { return p.ID == group.Profile })
		if p := w.steering.profiles[profile]; group.Count == 0 || group.Goal != "" || p == nil || p.Guide != scenes.GuideHarmonic {
			continue
		}
		for _, id := range group.Itinerary {
			walked[slices.IndexFunc(w.goals, func(g goalState) bool { return g.id == id })] = true
		}
	}
	return walked
}

// guideHarmonically makes the global maps that walkers ask for, and again those of goals whose shortest path maps have been, if cells changed by
// that. It takes the solution as far as bvp.Harmonic.Settle does, and reads nothing back. After an error maps may be missing.
func (w *World) guideHarmonically() error {
	h := &w.steering.harmonic
	cells := w.steering.harmonicCells(w.Ground().Lattice.Length())
	if cells != h.cells || h.ascents == nil {
		h.clear()
		h.cells = cells
		h.maps, h.of = make([]*bvp.Harmonic, len(w.goals)), make([]agents.Terrain, len(w.goals))
		count := 1
		if cells > 0 {
			h.grid = bvp.NewGrid(w.Ground(), cells)
			count = len(w.goals) * h.grid.Columns * h.grid.Rows
		}
		var err error
		if h.ascents, err = gpu.NewBuffer[bvp.Ascent](w.device, "global ascents", max(count, 1)); err != nil {
			return err
		}
	}
	if cells == 0 {
		return nil
	}
	var err error
	grids := map[agents.Terrain]*bvp.Grid{}
	w.device.Stage("harmonic", func() {
		for layer, walked := range w.harmonicGoals() {
			switch {
			case !walked:
				h.drop(layer)
			case err == nil:
				err = w.guideTo(layer, grids)
			}
		}
	})
	return err
}

// guideTo makes the global map of a goal, unless it is there. Goals on one ground share the grid.
func (w *World) guideTo(layer int, grids map[agents.Terrain]*bvp.Grid) error {
	h, g := &w.steering.harmonic, &w.goals[layer]
	before := h.maps[layer]
	if before != nil && h.of[layer] == g.shown {
		return nil
	}
	if h.solver == nil {
		solver, err := bvp.NewSolver(w.device)
		if err != nil {
			return err
		}
		h.solver = solver
	}
	if grids[g.shown] == nil {
		grids[g.shown] = bvp.NewGrid(g.shown.Ground, h.cells)
	}
	grid := grids[g.shown]
	goals := grid.Goals(g.awake.Points, g.awake.Segments)
	if before != nil && before.IsOf(grid, goals) {
		h.of[layer] = g.shown
		return nil
	}
	m, err := h.solver.Harmonic(grid, goals)
	if err != nil {
		return err
	}
	m.Settle()
	h.drop(layer)
	h.maps[layer], h.of[layer] = m, g.shown
	n := grid.Columns * grid.Rows
	m.Ascents().CopyRange(0, h.ascents, layer*n, n)
	return nil
}

// drop frees the map of a goal, if it has one.
func (h *harmonic) drop(layer int) {
	if h.maps[layer] != nil {
		h.maps[layer].Close()
	}
	h.maps[layer], h.of[layer] = nil, agents.Terrain{}
}

// renew has the map of a goal made again.
func (h *harmonic) renew(layer int) {
	if h.cells > 0 {
		h.of[layer] = agents.Terrain{}
	}
}

// size is the number of columns and rows of the maps' cells, at least 1 each, and the cells in a meter: 0 where there are no maps.
func (h *harmonic) size() (cells [2]int32, cellsPerMetre float32) {
	if h.cells == 0 {
		return [2]int32{1, 1}, 0
	}
	return [2]int32{max(int32(h.grid.Columns), 1), max(int32(h.grid.Rows), 1)}, float32(1 / h.grid.CellSize())
}

// clear frees the maps.
func (h *harmonic) clear() {
	for layer := range h.maps {
		h.drop(layer)
	}
	h.ascents.Delete()
	h.maps, h.of, h.ascents = nil, nil, nil
}

// HarmonicMap is the global harmonic map of a goal, for drawing; nil where nobody whose profile is guided by such maps has the goal in his
// itinerary. It is another one after sources or walls have changed so that its cells do. The error is a *HandleError or ErrClosed.
func (w *World) HarmonicMap(h Goal) (*bvp.Harmonic, error) {
	if _, err := w.goal(h); err != nil {
		return nil, err
	}
	if maps := w.steering.harmonic.maps; maps != nil {
		return maps[h.index], nil
	}
	return nil, nil
}
