package exact_test

import (
	"errors"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/spm/exact"
	"github.com/wayfront/wayfront/spm/exact/exacttest"
)

func TestSolveKnownDistances(t *testing.T) {
	for _, k := range exacttest.Known {
		t.Run(k.Name, func(t *testing.T) {
			g := exacttest.Ground(t, k.Domain, k.Obstacles...)
			v, err := exact.Solve(g, exact.Goal{Points: []mgl64.Vec2{k.Source}})
			if err != nil {
				t.Fatal(err)
			}
			exacttest.CheckKnown(t, g, v, k.Point, k.Distance, k.Parent)
			back, err := exact.Solve(g, exact.Goal{Points: []mgl64.Vec2{k.Point}})
			if err != nil {
				t.Fatal(err)
			}
			if d := back.Query(k.Source).Distance; math.Abs(d-k.Distance) > v.Tolerance(k.Distance) {
				t.Errorf("the path back is %v long, want %v", d, k.Distance)
			}
		})
	}
}

func TestSolveSeveralSources(t *testing.T) {
	g := exacttest.Ground(t, [4]float64{0, 0, 20, 10}, exacttest.Box(9, 0, 11, 10))
	v, err := exact.Solve(g, exact.Goal{Points: []mgl64.Vec2{{2, 2}, {2, 8}, {18, 5}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		p    mgl64.Vec2
		of   int
		want float64
	}{{mgl64.Vec2{5, 2}, 0, 3}, {mgl64.Vec2{5, 8}, 1, 3}, {mgl64.Vec2{15, 5}, 2, 3}, {mgl64.Vec2{2, 5}, 0, 3}} {
		if d := v.Query(c.p).Distance; math.Abs(d-c.want) > v.Tolerance(d) {
			t.Errorf("distance at %v is %v, want %v", c.p, d, c.want)
		}
		if of := v.NearestSource(c.p); of != c.of {
			t.Errorf("nearest source of %v is %d, want %d", c.p, of, c.of)
		}
	}
}

func TestQueryStates(t *testing.T) {
	// A wall shuts the right side off.
	g := exacttest.Ground(t, [4]float64{0, 0, 20, 10}, exacttest.Box(9, 0, 11, 10), exacttest.Box(3, 3, 5, 5))
	v, err := exact.Solve(g, exact.Goal{Points: []mgl64.Vec2{{2, 2}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		p     mgl64.Vec2
		state exact.State
	}{
		{mgl64.Vec2{2, 2}, exact.Reached},
		{mgl64.Vec2{3, 4}, exact.Reached}, // on a wall
		{mgl64.Vec2{0, 0}, exact.Reached},
		{mgl64.Vec2{15, 5}, exact.Unreached},
		{mgl64.Vec2{4, 4}, exact.Obstacle},
		{mgl64.Vec2{-1, 4}, exact.Obstacle},
		{mgl64.Vec2{math.NaN(), 4}, exact.Obstacle},
		{mgl64.Vec2{math.Inf(1), 4}, exact.Obstacle},
	} {
		a := v.Query(c.p)
		if a.State != c.state {
			t.Errorf("state at %v is %v, want %v", c.p, a.State, c.state)
		}
		switch c.state {
		case exact.Unreached:
			if !math.IsInf(a.Distance, 1) {
				t.Errorf("distance at %v is %v, want +Inf", c.p, a.Distance)
			}
		case exact.Obstacle:
			if !math.IsNaN(a.Distance) {
				t.Errorf("distance at %v is %v, want NaN", c.p, a.Distance)
			}
		}
		if (v.Path(c.p) != nil) != (c.state == exact.Reached) || (v.NearestSource(c.p) >= 0) != (c.state == exact.Reached) {
			t.Errorf("path or source at %v do not go with its state", c.p)
		}
	}
	if d := v.Query(mgl64.Vec2{2, 2}).Distance; d != 0 {
		t.Errorf("distance at the source is %v, want exactly 0", d)
	}
}

func TestSourcesRefused(t *testing.T) {
	g := exacttest.Ground(t, [4]float64{0, 0, 10, 10}, exacttest.Box(4, 4, 6, 6))
	for _, p := range []mgl64.Vec2{{5, 5}, {-1, 5}, {5, 11}, {math.NaN(), 1}, {1, math.Inf(1)}} {
		_, err := exact.Solve(g, exact.Goal{Points: []mgl64.Vec2{{1, 1}, p}})
		var refused *exact.SourceError
		if !errors.As(err, &refused) || refused.Index != 1 {
			t.Errorf("source %v gave %v, want a *exact.SourceError for source 1", p, err)
		}
	}
	v, err := exact.Solve(g, exact.Goal{})
	if err != nil {
		t.Fatal(err)
	}
	if a := v.Query(mgl64.Vec2{1, 1}); a.State != exact.Unreached {
		t.Errorf("without sources the state is %v, want unreached", a.State)
	}
}
