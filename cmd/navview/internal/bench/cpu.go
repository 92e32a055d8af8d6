package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
	"github.com/wayfront/wayfront/spm/exact"
)

// Numbers of questions. Searches are slow, and alike.
const (
	askedQueries  = 500
	askedSearches = 8
)

// measureCPU times exact.Solve for a scene's goals, and questions to it.
func (v spmBench) measureCPU(scene *scenes.Scene, bar *console.Progress) (report.Result, error) {
	r, times := v.result(scene), stopwatch{}
	var ground *geom.Ground
	var view *spm.View // of the first goal
	err := times.repeat(1, v.Runs, bar, func(int) (err error) {
		start := time.Now()
		if ground, err = scene.Ground(); err != nil {
			return err
		}
		times.add("ground", time.Since(start))
		for i, goal := range v.goals(scene, ground) {
			solved, err := exact.Solve(ground, goal)
			if err != nil {
				return err
			}
			if i == 0 {
				view = solved
			}
		}
		times.add(wall, time.Since(start))
		return nil
	})
	if err != nil {
		return r, err
	}
	r.Wall, r.Ground = times.of(wall), times.of("ground")
	r.Params["corners"] = len(ground.Corners)
	r.Questions, err = ask(ground, view, scene.Domain)
	return r, err
}

// ask times questions for agents at random points, and checks that paths there and back are equally
// long. Nil if a path leads from none of the points.
func ask(ground *geom.Ground, view *spm.View, domain scenes.Rect) (*report.Questions, error) {
	random := rand.New(rand.NewPCG(2, 3))
	var points []mgl64.Vec2
	for i := 0; i < 100*askedQueries && len(points) < askedQueries; i++ {
		x, y := random.Float64(), random.Float64()
		p := mgl64.Vec2{domain[0] + x*(domain[2]-domain[0]), domain[1] + y*(domain[3]-domain[1])}
		if view.Query(p).State == spm.Reached {
			points = append(points, p)
		}
	}
	if len(points) == 0 {
		return nil, nil
	}
	each := func(start time.Time, n int) float64 { return console.Milliseconds(time.Since(start)) / float64(n) }
	start := time.Now()
	for _, p := range points {
		view.Query(p)
	}
	q := &report.Questions{Query: each(start, len(points))}

	start = time.Now()
	points = points[:min(len(points), askedSearches)]
	for _, p := range points {
		from, err := exact.Solve(ground, spm.Goal{Points: []mgl64.Vec2{p}})
		if err != nil {
			return nil, err
		}
		path := view.Path(p)
		there, back := view.Query(p).Distance, from.Query(path[len(path)-1]).Distance
		if math.Abs(there-back) > view.Tolerance(there) {
			return nil, fmt.Errorf("from %v to its source are %v m, back %v m", p, there, back)
		}
	}
	q.Search = each(start, len(points))
	return q, nil
}
