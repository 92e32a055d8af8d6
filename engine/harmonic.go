package engine

import (
	"math"
	"slices"

	"github.com/wayfront/wayfront/bvp/grid"
	"github.com/wayfront/wayfront/bvp/harmonic"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// harmonicMaps are the global maps of the goals of agents with a harmonic guide.
type harmonicMaps struct {
	solver  *harmonic.Solver
	cells   int             // along the longer side of the domain; 0: there are no maps
	grid    *grid.Grid      // as large as those of the maps; nil: there are none
	maps    []*harmonic.Map // by goal; nil: no agent needs one
	ascents *gpu.Buffer[harmonic.Ascent]
}

// The cells of global maps along the longer side of the domain. They are as large as those of the
// finest local map that is guided by them, within these bounds.
const (
	leastCells = 16
	mostCells  = 256
)

// cellsAlong is how many cells of a size a length has, within bounds.
func cellsAlong(length, cellSize float64, most int) int {
	return int(min(max(math.Ceil(length/cellSize), leastCells), float64(most)))
}

// harmonicGoals reports of each goal whether agents walk to it by harmonic maps.
func (w *World) harmonicGoals() []bool {
	walked := make([]bool, len(w.goals))
	inGroup := make([]bool, len(w.scene.Groups)) // some agent of it walks by harmonic maps
	for _, a := range w.population.agents {
		p := w.profiles[a.traits.Profile].localMap()
		switch {
		case !a.present || p == nil || p.Guide != scenes.GuideHarmonic:
		case a.goal != 0:
			walked[uint32(a.goal)] = true
		default:
			inGroup[a.traits.Group] = true
		}
	}
	for i := range walked {
		walked[i] = walked[i] && w.goals[i].shown.Ground != nil // there is a map by now
	}
	for i, group := range w.scene.Groups {
		if !inGroup[i] || group.Goal != "" {
			continue
		}
		for k := range w.goals {
			walked[k] = walked[k] || !w.goals[k].gone && group.WalksTo(w.goals[k].ID)
		}
	}
	return walked
}

// solveHarmonicMaps makes the global maps that walkers ask for and that there are not, and again
// those of goals that changed, if cells did by that. It reads nothing back. After an error maps may
// be missing.
func (w *World) solveHarmonicMaps(changed ...int) (err error) {
	h, cells := &w.local.harmonic, 0
	for i := range w.profiles {
		if p := w.profiles[i].localMap(); p != nil && p.Guide == scenes.GuideHarmonic {
			cells = max(cells, cellsAlong(w.ground().Lattice.Length(), p.CellSize.Mean, mostCells))
		}
	}
	moved := h.grid != nil && h.grid.Lattice != w.ground().Lattice // to another domain
	if cells != h.cells || h.ascents == nil || len(h.maps) != len(w.goals) || moved {
		h.clear()
		h.cells, h.maps = cells, make([]*harmonic.Map, len(w.goals))
		count := 0
		if cells > 0 {
			h.grid = grid.New(w.ground(), cells)
			count = len(w.goals) * h.grid.Count()
		}
		if h.ascents, err = gpu.NewBuffer[harmonic.Ascent](w.device, "global ascents", max(count, 1)); err != nil {
			return err
		}
	}
	if cells == 0 {
		return nil
	}
	w.device.Stage("harmonic", func() {
		grids := map[*geom.Ground]*grid.Grid{}
		for layer, walked := range w.harmonicGoals() {
			if walked && h.maps[layer] != nil && !slices.Contains(changed, layer) {
				continue
			}
			if walked && err == nil {
				err = w.solveHarmonicMap(layer, grids)
			}
			if !walked || err != nil {
				h.drop(layer)
			}
		}
	})
	return err
}

// solveHarmonicMap makes the global map of a goal, unless the one that there is has the same cells.
// Goals on one ground share the grid.
func (w *World) solveHarmonicMap(layer int, grids map[*geom.Ground]*grid.Grid) (err error) {
	h, goal := &w.local.harmonic, &w.goals[layer]
	if h.solver == nil {
		if h.solver, err = harmonic.NewSolver(w.device); err != nil {
			return err
		}
	}
	g := grids[goal.shown.Ground]
	if g == nil {
		g = grid.New(goal.shown.Ground, h.cells)
		grids[goal.shown.Ground] = g
	}
	cells := g.Goals(goal.open.Points, goal.open.Segments)
	if before := h.maps[layer]; before != nil && before.IsOf(g, cells) {
		return nil
	}
	m, err := h.solver.NewMap(g, cells)
	if err != nil {
		return err
	}
	m.Converge()
	h.drop(layer)
	h.maps[layer] = m
	m.Ascents().CopyRange(0, h.ascents, layer*g.Count(), g.Count())
	return nil
}

// drop frees the map of a goal, if it has one.
func (h *harmonicMaps) drop(layer int) {
	if h.maps[layer] != nil {
		h.maps[layer].Close()
	}
	h.maps[layer] = nil
}

// clear frees the maps.
func (h *harmonicMaps) clear() {
	for layer := range h.maps {
		h.drop(layer)
	}
	h.ascents.Delete()
	h.maps, h.grid, h.ascents = nil, nil, nil
}

// HarmonicMap is the global harmonic map of a goal, for drawing; nil where no agent whose profile
// is guided by such maps has the goal in its itinerary. It is another one after sources or walls
// have changed so that its cells do. The error is a *HandleError or ErrClosed.
func (w *World) HarmonicMap(h GoalID) (*harmonic.Map, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.goal(h); err != nil {
		return nil, err
	}
	if maps, slot := w.local.harmonic.maps, int(uint32(h)); slot < len(maps) {
		return maps[slot], nil
	}
	return nil, nil
}
