package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/bvp/reference"
	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
	"github.com/wayfront/wayfront/scenes"
)

// relaxationMethod is a method with the number of times that a relaxation sets each free cell.
type relaxationMethod struct {
	name string // scenes.Method
	sets int
}

var relaxationMethods = []relaxationMethod{{"red-black", 1}, {"jacobi-gs", 1}, {"adi", 2}}

// clutters are the obstacles of maps, by their name.
var clutters = map[string]func(r *rand.Rand, at func(i, j int)){
	"open": func(*rand.Rand, func(i, j int)) {},
	"figure": func(_ *rand.Rand, at func(i, j int)) {
		for j := range relaxedCells {
			at(relaxedCells/4, j)
			if j < relaxedCells/2 || j > 2*relaxedCells/3 {
				at(3*relaxedCells/4, j)
			}
		}
	},
	"cells": func(r *rand.Rand, at func(i, j int)) {
		for k := range relaxedCells * relaxedCells {
			if r.Float64() < 0.15 {
				at(k%relaxedCells, k/relaxedCells)
			}
		}
	},
	"walls": func(r *rand.Rand, at func(i, j int)) {
		for range relaxedCells / 3 {
			i, j, length, upright := r.IntN(relaxedCells), r.IntN(relaxedCells), 2+r.IntN(relaxedCells/2), r.IntN(2)
			for k := range length {
				at(i+k*(1-upright), j+k*upright)
			}
		}
	},
}

// Parameters of the maps.
const (
	relaxedCells = report.RelaxedCells
	relaxedMaps  = 30
)

// relaxedStrengths are the bias strengths of successive maps.
var relaxedStrengths = []float64{0, 0.36, 1}

// newRelaxedMap returns a map with clutter and a goal on the border, before any relaxation.
func newRelaxedMap(clutter string, r *rand.Rand) reference.Potential[float32] {
	p := reference.NewPotential[float32](relaxedCells)
	at := func(zone reference.Zone, i, j int) (cell int, ok bool) {
		ok = i >= 0 && j >= 0 && i < p.Cells && j < p.Cells && reference.ZoneOf(p.Cells, i, j) == zone && !reference.Own(p.Cells, i, j)
		return j*p.Cells + i, ok
	}
	clutters[clutter](r, func(i, j int) {
		if k, ok := at(reference.Update, i, j); ok {
			p.Fixed[k] = true
		}
	})
	turn := 2 * math.Pi * r.Float64()
	far := float64(p.Cells-1) / 2
	longer := max(math.Abs(math.Cos(turn)), math.Abs(math.Sin(turn)))
	x, y := int(math.Round(far+far*math.Cos(turn)/longer)), int(math.Round(far+far*math.Sin(turn)/longer))
	for _, off := range [][2]int{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		if k, ok := at(reference.Border, x+off[0], y+off[1]); ok {
			p.Q[k] = 1
		}
	}
	return p
}

// relaxations measures the greatest errors after numbers of relaxations. Curves are against the
// number of times that each free cell was set.
func relaxations(clutter string, by relaxationMethod) (report.Result, error) {
	result := report.Result{
		Suite: report.Relaxation, Runs: relaxedMaps, Params: map[string]int{"cells": relaxedCells, "maps": relaxedMaps},
		Checks:       map[string]any{"validated": true}, // else there is an error
		Observations: report.Observations{Curves: map[string][][2]float64{}},
	}
	for _, name := range []string{"error", "residual", "degrees"} {
		for _, times := range report.Relaxations {
			result.Curves[name] = append(result.Curves[name], [2]float64{float64(times * by.sets)})
		}
	}
	times := stopwatch{}
	for i := range relaxedMaps {
		r := rand.New(rand.NewPCG(uint64(i), 20))
		begin := newRelaxedMap(clutter, r)
		turn := 2 * math.Pi * r.Float64()
		params := scenes.Default[scenes.BVP]()
		params.Cells = relaxedCells
		params.Bias = scenes.Bias{Direction: mgl64.Vec2{math.Cos(turn), math.Sin(turn)}, Strength: relaxedStrengths[i%len(relaxedStrengths)]}
		settings := local.SettingsAt(params, 0, 0.1)
		exact := reference.Potential[float64]{Cells: begin.Cells, Q: make([]float64, len(begin.Q)), Fixed: begin.Fixed}
		for k, q := range begin.Q {
			exact.Q[k] = float64(q)
		}
		reference.Solve(exact, settings)
		if left := reference.Residual(exact, settings); left > 1e-12 {
			return result, fmt.Errorf("the direct solution of map %d has a residual of %g", i, left)
		}
		for n, count := range report.Relaxations {
			p := reference.Potential[float32]{Cells: begin.Cells, Q: slices.Clone(begin.Q), Fixed: begin.Fixed}
			start := time.Now()
			reference.Relax(p, settings, scenes.Method(by.name), count)
			if n == len(report.Relaxations)-1 {
				times.add(wall, time.Since(start)/time.Duration(count))
			}
			for name, left := range leftOf(p, exact, settings) {
				worst := &result.Curves[name][n][1]
				*worst = max(*worst, left)
			}
		}
	}
	result.Wall = times.of(wall)
	return result, nil
}

// leftOf is what relaxations leave, by the names of curves.
func leftOf(p reference.Potential[float32], exact reference.Potential[float64], settings local.Settings) map[string]float64 {
	off := 0.0
	for k, q := range p.Q {
		off = max(off, math.Abs(float64(q)-exact.Q[k]))
	}
	return map[string]float64{"error": off, "residual": float64(reference.Residual(p, settings)), "degrees": directionError(p, exact)}
}

// directionError is the error of the direction in degrees: 180 without a gradient, 0 if the
// solution has none.
func directionError(p reference.Potential[float32], exact reference.Potential[float64]) float64 {
	x, y := reference.Gradient(p)
	u, v := reference.Gradient(exact)
	switch {
	case u == 0 && v == 0:
		return 0
	case x == 0 && y == 0:
		return 180
	}
	return math.Abs(math.Remainder(math.Atan2(float64(y), float64(x))-math.Atan2(v, u), 2*math.Pi)) * 180 / math.Pi
}
