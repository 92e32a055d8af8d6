package spawn

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/scenes"
)

// TestDrawsHaveTheirDistribution holds what agents draw to moments computed another way: those of
// the normal density between the bounds, summed numerically.
func TestDrawsHaveTheirDistribution(t *testing.T) {
	const n = 20000
	inf := math.Inf(1)
	for _, d := range []scenes.Distribution{
		{Mean: 0.5, Std: 0.2, Min: 0, Max: 0.9}, {Mean: 21, Std: 8, Min: 7, Max: 33}, {Mean: -1, Std: 0.5, Min: -inf, Max: inf}, scenes.Uniform(-180, 180), {Mean: 1, Std: 3, Min: 0.9, Max: inf},
	} {
		mean, square := 0.0, 0.0
		for i := range uint32(n) {
			x := Draw(7, 3, i)("bvp.inertia", d)
			if !(x >= d.Min && x <= d.Max) {
				t.Fatalf("%v gives %v", d, x)
			}
			mean, square = mean+x/n, square+x*x/n
		}
		lo, hi := d.Min, d.Max
		density := func(float64) float64 { return 1 }
		if !math.IsInf(d.Std, 1) {
			lo, hi = max(lo, d.Mean-8*d.Std), min(hi, d.Mean+8*d.Std)
			density = func(x float64) float64 { z := (x - d.Mean) / d.Std; return math.Exp(-z * z / 2) }
		}
		var all, first, second float64
		const parts = 10000
		for i := range parts {
			x := lo + (hi-lo)*(float64(i)+0.5)/parts
			all, first, second = all+density(x), first+x*density(x), second+x*x*density(x)
		}
		wantMean := first / all
		wantStd := math.Sqrt(second/all - wantMean*wantMean)
		std := math.Sqrt(square - mean*mean)
		// Four standard errors of the mean and of the deviation.
		if off := 4 * wantStd / math.Sqrt(n); math.Abs(mean-wantMean) > off || math.Abs(std-wantStd) > off {
			t.Errorf("%v: mean %v and deviation %v, want %v and %v", d, mean, std, wantMean, wantStd)
		}
	}
}

// TestFieldsAreDrawnApart: fields of an agent, and agents, are not correlated, each draw is the
// same in any order, and every field has a number of its own.
func TestFieldsAreDrawnApart(t *testing.T) {
	d := scenes.Uniform(0, 1)
	fields := []string{"radius", "maxSpeed", "preferredSpeed", "bvp.cells", "bvp.bias.direction[0]", "bvp.bias.direction[1]", "bvp.bias.strength", "bvp.inertia"}
	const n = 4000
	column := func(field string, group uint32) (xs []float64) {
		for i := range uint32(n) {
			xs = append(xs, Draw(1, group, i)(field, d))
		}
		return xs
	}
	all := [][]float64{column("radius", 1), column("radius", 2)}
	for i := range uint32(n) {
		all[1][i] = DrawAdded(1, i, 1)("radius", d)
	}
	for _, field := range fields {
		all = append(all, column(field, 0))
	}
	for i, a := range all {
		for _, b := range all[:i] {
			sum := 0.0
			for k := range a {
				sum += (a[k] - 0.5) * (b[k] - 0.5) * 12 / n
			}
			if math.Abs(sum) > 5/math.Sqrt(n) {
				t.Errorf("two columns are correlated by %v", sum)
			}
		}
		for k := 1; k < n; k++ {
			if a[k] == a[k-1] {
				t.Fatalf("agents %d and %d draw the same", k-1, k)
			}
		}
	}
	draw := Draw(1, 0, 17)
	for i, field := range slices.Backward(fields) {
		if x := draw(field, d); x != all[2+i][17] {
			t.Errorf("%s is %v, before others %v", field, all[2+i][17], x)
		}
	}
	if Draw(2, 0, 17)("radius", d) == all[2][17] {
		t.Error("another seed gives the same")
	}
}

const varied = `{"version": 1, "domain": [0, 0, 30, 30], "goals": [{"id": "exit", "points": [[29, 29]]}],
	"profiles": [{"radius": {"min": 0.1, "max": 0.4}, "maxSpeed": {"mean": 2, "std": 0.3, "min": 1.5}}],
	"groups": [%s]}`

// TestRadiiThatDiffer: every kind of spawn has room for each agent's own radius, and a group that
// is packed, too.
func TestRadiiThatDiffer(t *testing.T) {
	for name, group := range map[string]string{
		"spread": `{"id": "g", "count": 200, "spawn": {"rect": [1, 1, 29, 29]}}`,
		"packed": `{"id": "g", "count": 140, "spawn": {"rect": [1, 1, 11, 11]}}`,
		"ring":   `{"id": "g", "count": 12, "spawn": {"ring": {"center": [15, 15], "radius": 5}}, "goal": "antipode"}`,
		"grid":   `{"id": "g", "count": 60, "spawn": {"grid": {"rect": [0, 0, 10, 10], "spacing": 0.5}}}`,
	} {
		w := read(t, fmt.Sprintf(varied, group))
		placements := w.spawn(t)
		checkPlacements(t, w, placements, "")
		radii := map[float64]bool{}
		for k, p := range placements {
			radii[p.Radius] = true
			if want := w.scene.Profiles[0].DrawRadius(Draw(w.scene.Simulation.Seed, 0, uint32(k))); p.Radius != want || p.Radius < 0.1 || p.Radius > 0.4 {
				t.Fatalf("%s: agent %d has radius %v, draws %v", name, k, p.Radius, want)
			}
		}
		if len(radii) < len(placements) {
			t.Errorf("%s: %d radii of %d agents", name, len(radii), len(placements))
		}
	}
}
