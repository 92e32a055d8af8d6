package bench

import (
	"fmt"
	"math"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
	"github.com/wayfront/wayfront/spm/exact"
)

// questionTimes are the times of answers for one agent, on one thread.
type questionTimes struct {
	// Search is a shortest path from scratch, on an existing ground. Unit: ms.
	Search float64 `json:"search_ms"`
	// Query is a query of a view that all agents share. Unit: ms.
	Query float64 `json:"query_ms"`
}

// breakEven is the number of agents from which a map costs less than answers on the CPU. Reading a
// texel is not counted.
type breakEven struct {
	Searches int `json:"searches"` // against a search from scratch for each
	Queries  int `json:"queries"`  // against one search for all, and a query each
}

// Numbers of questions. Searches are slow, and alike.
const (
	askedQueries  = 500
	askedSearches = 8
)

// measureCPU times spm.Solve for a scene's goals, and questions to it.
func (v spmBench) measureCPU(scene *scenes.Scene, bar *console.Progress) (Result, error) {
	r := Result{Suite: suiteSPM, Method: methodCPU, Runs: v.Runs, Params: v.params(scene)}
	var wall, grounds []time.Duration
	var ground *geom.Ground
	var views []*spm.View
	for run := range v.Runs + 1 {
		start := time.Now()
		var err error
		if ground, err = scene.Ground(); err != nil {
			return r, err
		}
		snapped := time.Since(start)
		goals := v.goals(scene, ground)
		views = views[:0]
		for _, goal := range goals {
			view, err := exact.Solve(ground, goal)
			if err != nil {
				return r, err
			}
			views = append(views, view)
		}
		if took := time.Since(start); run > 0 {
			wall, grounds = append(wall, took), append(grounds, snapped)
		}
		bar.Step()
	}
	r.Wall, r.Ground = spreadOf(wall), spreadOf(grounds)
	r.Params["corners"] = len(ground.Corners)

	view := views[0]
	asked := reachedPoints(scene.Domain, view, askedQueries)
	r.Checks = map[string]any{"validated": true} // else there is no result
	if len(asked) == 0 {
		return r, nil
	}
	start := time.Now()
	for _, p := range asked {
		view.Query(p)
	}
	r.Questions = &questionTimes{Query: console.Milliseconds(time.Since(start)) / float64(len(asked))}

	// Both directions have the same length: this checks what is timed.
	start = time.Now()
	searches := asked[:min(len(asked), askedSearches)]
	for _, p := range searches {
		from, err := exact.Solve(ground, spm.Goal{Points: []mgl64.Vec2{p}})
		if err != nil {
			return r, err
		}
		path := view.Path(p)
		source := path[len(path)-1]
		there, back := view.Query(p).Distance, from.Query(source).Distance
		if math.Abs(there-back) > view.Tolerance(there) {
			return r, fmt.Errorf("from %v to its source are %v m, back %v m", p, there, back)
		}
	}
	r.Questions.Search = console.Milliseconds(time.Since(start)) / float64(len(searches))
	return r, nil
}

// reachedPoints returns up to count points of a Halton sequence (bases 2 and 3) that a path leads
// from.
func reachedPoints(over scenes.Rect, view *spm.View, count int) []mgl64.Vec2 {
	var points []mgl64.Vec2
	for i := 1; len(points) < count && i < 100*count; i++ {
		p := mgl64.Vec2{over[0] + radicalInverse(i, 2)*(over[2]-over[0]), over[1] + radicalInverse(i, 3)*(over[3]-over[1])}
		if view.Query(p).State == spm.Reached {
			points = append(points, p)
		}
	}
	return points
}

// radicalInverse mirrors the digits of a number at the point.
func radicalInverse(i, base int) float64 {
	sum, digit := 0.0, 1.0
	for ; i > 0; i /= base {
		digit /= float64(base)
		sum += digit * float64(i%base)
	}
	return sum
}

// compareQuestions sets the break-even of maps that method cpu was measured for too.
func compareQuestions(results []Result) {
	for i := range results {
		r := &results[i]
		if r.Method == methodCPU || r.Params["goals"] > 1 {
			continue
		}
		for _, c := range results {
			if c.Method != methodCPU || c.Case != r.Case || c.Questions == nil {
				continue
			}
			// Both need the ground.
			build, solve := r.Wall.Median-r.Ground.Median, c.Wall.Median-c.Ground.Median
			r.BreakEven = &breakEven{
				Searches: max(1, int(math.Ceil(build/c.Questions.Search))),
				Queries:  max(1, int(math.Ceil((build-solve)/c.Questions.Query))),
			}
		}
	}
}
