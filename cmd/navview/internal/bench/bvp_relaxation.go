package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
)

// relaxationMethod is a method with the number of times that a relaxation sets each free cell.
type relaxationMethod struct {
	name   string
	method bvp.Method
	sets   int
}

var relaxationMethods = []relaxationMethod{{"red-black", bvp.RedBlack, 1}, {"jacobi-gs", bvp.JacobiGS, 1}, {"adi", bvp.ADI, 2}}

// clutter is a kind of obstacles in maps.
type clutter struct {
	Name, Text string
	block      func(cells int, r *rand.Rand, at func(i, j int))
}

var clutters = []clutter{
	{"open", "nothing in the way", func(int, *rand.Rand, func(i, j int)) {}},
	{"figure", "two walls, a gap in one (Dapper et al. 2007, figure 2)", func(cells int, _ *rand.Rand, at func(i, j int)) {
		for j := range cells {
			at(cells/4, j)
			if j < cells/2 || j > 2*cells/3 {
				at(3*cells/4, j)
			}
		}
	}},
	{"cells", "15% of all cells taken at random", func(cells int, r *rand.Rand, at func(i, j int)) {
		for k := range cells * cells {
			if r.Float64() < 0.15 {
				at(k%cells, k/cells)
			}
		}
	}},
	{"walls", "seven walls at random", func(cells int, r *rand.Rand, at func(i, j int)) {
		for range cells / 3 {
			i, j, length, upright := r.IntN(cells), r.IntN(cells), 2+r.IntN(cells/2), r.IntN(2)
			for k := range length {
				at(i+k*(1-upright), j+k*upright)
			}
		}
	}},
}

// Parameters of the maps.
const (
	relaxedCells = 21
	relaxedMaps  = 30
)

// relaxedTimes are the measured numbers of relaxations.
var relaxedTimes = []int{2, 4, 8, 15, 30, 60, 120, 240}

// relaxedStrengths are the bias strengths of successive maps.
var relaxedStrengths = []float64{0, 0.36, 1}

// newRelaxedMap returns a map with clutter and a goal on the border, before any relaxation.
func newRelaxedMap(in clutter, r *rand.Rand) bvp.Potential[float32] {
	p := bvp.NewPotential[float32](relaxedCells)
	at := func(zone bvp.Zone, i, j int) (cell int, ok bool) {
		ok = i >= 0 && j >= 0 && i < p.Cells && j < p.Cells && bvp.ZoneOf(p.Cells, i, j) == zone && !bvp.Own(p.Cells, i, j)
		return j*p.Cells + i, ok
	}
	in.block(p.Cells, r, func(i, j int) {
		if k, ok := at(bvp.Update, i, j); ok {
			p.Fixed[k] = true
		}
	})
	turn := 2 * math.Pi * r.Float64()
	far := float64(p.Cells-1) / 2
	longer := max(math.Abs(math.Cos(turn)), math.Abs(math.Sin(turn)))
	x, y := int(math.Round(far+far*math.Cos(turn)/longer)), int(math.Round(far+far*math.Sin(turn)/longer))
	for _, off := range [][2]int{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		if k, ok := at(bvp.Border, x+off[0], y+off[1]); ok {
			p.Q[k] = 1
		}
	}
	return p
}

// relaxations measures the greatest errors after numbers of relaxations. Curves are against the
// number of times that each free cell was set.
func relaxations(in clutter, by relaxationMethod) (Result, error) {
	result := Result{
		Suite: suiteRelaxation, Runs: relaxedMaps, Params: map[string]int{"cells": relaxedCells, "maps": relaxedMaps},
		Checks: map[string]any{"validated": true}, behaviour: behaviour{Measures: map[string]float64{}, Curves: map[string][][2]float64{}},
	}
	var took []time.Duration
	most := make([]struct{ off, residual, degrees float64 }, len(relaxedTimes))
	for i := range relaxedMaps {
		r := rand.New(rand.NewPCG(uint64(i), 20))
		begin := newRelaxedMap(in, r)
		turn := 2 * math.Pi * r.Float64()
		settings := bvp.Parameters{
			Cells: relaxedCells, CellSize: 0.25, Relaxations: 1, ViewAngle: math.Pi,
			Bias: bvp.Bias{Direction: mgl64.Vec2{math.Cos(turn), math.Sin(turn)}, Strength: relaxedStrengths[i%len(relaxedStrengths)]},
		}.At(0, 0.1)
		exact := bvp.Potential[float64]{Cells: begin.Cells, Q: make([]float64, len(begin.Q)), Fixed: begin.Fixed}
		for k, q := range begin.Q {
			exact.Q[k] = float64(q)
		}
		bvp.Solve(exact, settings)
		if left := bvp.Residual(exact, settings); left > 1e-12 {
			return result, fmt.Errorf("the direct solution of map %d has a residual of %g", i, left)
		}
		for n, times := range relaxedTimes {
			p := bvp.Potential[float32]{Cells: begin.Cells, Q: append([]float32(nil), begin.Q...), Fixed: begin.Fixed}
			start := time.Now()
			bvp.Relax(p, settings, by.method, times)
			if times == relaxedTimes[len(relaxedTimes)-1] {
				took = append(took, time.Since(start)/time.Duration(times))
			}
			m := &most[n]
			for k, q := range p.Q {
				m.off = max(m.off, math.Abs(float64(q)-exact.Q[k]))
			}
			m.residual = max(m.residual, float64(bvp.Residual(p, settings)))
			m.degrees = max(m.degrees, directionError(p, exact))
		}
	}
	for n, times := range relaxedTimes {
		at := float64(times * by.sets)
		for name, v := range map[string]float64{"error": most[n].off, "residual": most[n].residual, "degrees": most[n].degrees} {
			result.Curves[name] = append(result.Curves[name], [2]float64{at, v})
		}
	}
	result.Wall = spreadOf(took)
	return result, nil
}

// directionError is the error of the direction in degrees: 180 without a gradient, 0 if the
// solution has none.
func directionError(p bvp.Potential[float32], exact bvp.Potential[float64]) float64 {
	x, y := bvp.Gradient(p)
	u, v := bvp.Gradient(exact)
	switch {
	case u == 0 && v == 0:
		return 0
	case x == 0 && y == 0:
		return 180
	}
	return math.Abs(math.Remainder(math.Atan2(float64(y), float64(x))-math.Atan2(v, u), 2*math.Pi)) * 180 / math.Pi
}

// relaxationRow formats a result: what is left after the paper's 60 relaxations.
func relaxationRow(r Result) string {
	var said []string
	for _, name := range []string{"error", "residual", "degrees"} {
		said = append(said, fmt.Sprintf("%s %.2g", name, r.After(name, 60)))
	}
	return fmt.Sprintf("%-14s%9s  %-11s after 60 relaxations at most: %s; %s us each", r.Case, "", r.Method, strings.Join(said, ", "), console.MS(1000*r.Wall.Median))
}

// After is what is left after so many relaxations.
func (r Result) After(name string, times int) float64 {
	for n, t := range relaxedTimes {
		if t == times && n < len(r.Curves[name]) {
			return r.Curves[name][n][1]
		}
	}
	return math.NaN()
}
