package bench

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/explore"
	"github.com/wayfront/wayfront/bvp/grid"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// explorings are the forms of exploring: Dapper's potential, the nearest frontier, and the default
// costs of frontiers.
var explorings = []struct {
	name     string
	frontier *scenes.Frontier
}{{"potential", nil}, {"nearest", &scenes.Frontier{}}, {"frontier", new(scenes.Default[scenes.Frontier]())}}

// exploredPlaces are the scenes that are explored.
var exploredPlaces = []string{"museum", "offices", "pillars"}

const (
	exploredSteps  = 3000 // that a search may take
	exploredEach   = 5    // steps between two looks at what is known
	exploredBeside = 1.5  // m from the first explorer, along both axes, within which the others begin
)

// exploring searches a place from so many starts, until all that can be reached has been seen, and
// reports means of all: how many steps it takes until an object is seen that may be in any cell, and
// until all cells are, and how far explorers turn.
func exploring(d *gpu.Device, place string, explorers int, frontier *scenes.Frontier, seeds int, bar *console.Progress) (report.Result, error) {
	r := report.Result{
		Suite: report.Exploring, Runs: seeds, Params: map[string]int{"explorers": explorers, "seeds": seeds}, Checks: map[string]any{},
	}
	curve := make([][2]float64, exploredSteps/exploredEach+1)
	var anywhere, all, turning float64
	for seed := range seeds {
		scene, err := builtin.Load(place)
		if err != nil {
			return r, err
		}
		s, err := search(d, scene, explorers, frontier, uint64(seed))
		if err != nil {
			return r, err
		}
		anywhere, all, turning = anywhere+s.anywhere(), all+float64(s.last()), turning+s.turning
		for k := range curve {
			curve[k][0], curve[k][1] = float64(k*exploredEach), curve[k][1]+100*s.share(k*exploredEach)/float64(seeds)
		}
		bar.Step()
	}
	r.Set("anywhere_steps", anywhere/float64(seeds))
	r.Set("all_steps", all/float64(seeds))
	r.Set("turning_degrees_a_minute", turning/float64(seeds))
	r.SetCurve("explored", curve)
	return r, nil
}

// searched is what a search found.
type searched struct {
	seen    []int   // step of each cell that can be reached; exploredSteps: it was not seen
	turning float64 // of an explorer, degrees a minute
}

// anywhere is how many steps it takes to see an object that may be in any cell, in the mean.
func (s searched) anywhere() float64 {
	sum := 0
	for _, step := range s.seen {
		sum += step
	}
	return float64(sum) / float64(len(s.seen))
}

// last is the step at which the last cell was seen.
func (s searched) last() (last int) {
	for _, step := range s.seen {
		last = max(last, step)
	}
	return last
}

// share is how much was seen by a step.
func (s searched) share(by int) float64 {
	count := 0
	for _, step := range s.seen {
		if step <= by && step < exploredSteps {
			count++
		}
	}
	return float64(count) / float64(len(s.seen))
}

// search has the explorers of a scene's first group search its place for an object in a walled
// corner, which is never found. The first begins in any cell, the others beside it.
func search(d *gpu.Device, s *scenes.Scene, explorers int, frontier *scenes.Frontier, seed uint64) (found searched, err error) {
	group := &s.Groups[0]
	group.Count, group.Explores.Frontier, s.Simulation.Seed = explorers, frontier, seed
	x, y := s.Domain[0], s.Domain[1]
	for _, wall := range []scenes.Rect{{x, y + 0.5, x + 0.6, y + 0.6}, {x + 0.5, y, x + 0.6, y + 0.6}} {
		s.Obstacles = append(s.Obstacles, scenes.Obstacle{Rect: &wall})
	}
	s.Goals[0].Points = []mgl64.Vec2{{x + 0.25, y + 0.25}}
	size := s.Profiles[0].BVP.CellSize.Mean
	ground, err := s.Ground()
	if err != nil {
		return found, err
	}
	longer := max(s.Domain[2]-s.Domain[0], s.Domain[3]-s.Domain[1])
	g := grid.New(ground, int(min(math.Ceil(longer/size), explore.MostCells)))
	cells := reachable(g, rand.New(rand.NewPCG(seed, 33)))
	start := g.Middle(cells[0])
	beside := scenes.Rect{}
	for k := range 2 {
		beside[k] = max(start[k]-exploredBeside, s.Domain[k])
		beside[k+2] = min(start[k]+exploredBeside, s.Domain[k+2])
	}
	group.Spawn = scenes.Spawn{Rect: &beside}
	w, err := engine.New(d, s, engine.Options{})
	if err != nil {
		return found, fmt.Errorf("start %d: %w", seed, err)
	}
	defer w.Close()
	if !g.Equal(w.Teams().Grid()) {
		return found, fmt.Errorf("start %d: the team's map is another grid", seed)
	}
	found.seen = make([]int, len(cells))
	for k := range cells {
		found.seen[k] = exploredSteps
	}
	words, state := make([]uint32, g.Count()), make([]agents.Agent, explorers)
	headings := make([]mgl64.Vec2, explorers)
	step := 0
	for left := len(cells); left > 0 && step < exploredSteps; {
		if step%exploredEach == 0 {
			w.Teams().Seen().Read(0, words)
			for k, cell := range cells {
				if words[cell]&local.FixedBit == 0 && found.seen[k] == exploredSteps {
					found.seen[k] = step
					left--
				}
			}
		}
		if err := w.Step(); err != nil {
			return found, err
		}
		step++
		w.Crowd().Snapshot(state)
		for i, a := range state {
			v := mgl64.Vec2{float64(a.Velocity[0]), float64(a.Velocity[1])}
			if v.Len() == 0 {
				continue
			}
			if h := headings[i]; h.Len() > 0 {
				found.turning += math.Abs(math.Atan2(h[0]*v[1]-h[1]*v[0], h.Dot(v)))
			}
			headings[i] = v
		}
	}
	found.turning *= 180 / math.Pi / (float64(step*explorers) * s.Simulation.Timestep / 60)
	return found, nil
}

// reachable are the cells that can be reached from one at random, which is the first of them. Most
// cells can.
func reachable(g *grid.Grid, r *rand.Rand) (cells []int) {
	for len(cells) <= g.Count()/2 {
		reached := make([]bool, g.Count())
		cells = []int{r.IntN(g.Count())}
		reached[cells[0]] = true
		for k := 0; k < len(cells); k++ {
			for d := range 4 {
				if to, ok := g.Way(cells[k], d); ok && !reached[to] {
					cells, reached[to] = append(cells, to), true
				}
			}
		}
	}
	return cells
}
