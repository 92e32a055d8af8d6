package studio

import (
	"math"
	"testing"

	"github.com/wayfront/wayfront/scenes"
)

// TestSpreading makes every kind of distribution of every other, and compares means and deviations.
func TestSpreading(t *testing.T) {
	for _, from := range []scenes.Distribution{
		scenes.Exactly(1.3), {Mean: 1.3, Std: 0.2}, {Mean: 1.3, Std: 0.2, Min: 1, Max: 2}, scenes.Uniform(1, 1.6),
	} {
		for kind := range Spread(len(Spreads)) {
			got := Spreading(from, kind)
			if DistributionKind(got) != kind {
				t.Errorf("%v as %s is %v", from, Spreads[kind], got)
			}
			if kind != Uniform && got.Mean != from.Mean || kind != Exact && !(got.Std > 0) || kind >= Cut && !(got.Min < got.Max) {
				t.Errorf("%v as %s is %v", from, Spreads[kind], got)
			}
		}
	}
	if got := Spreading(scenes.Uniform(1, 2.2), Normal).Std; math.Abs(got-0.34641016151377546) > 1e-12 { // 1.2 / sqrt(12)
		t.Errorf("a std of %v", got)
	}
}

// TestDensity compares the curve with values of the normal distribution from tables: the density at a
// deviation is exp(-1/2) of that at the mean.
func TestDensity(t *testing.T) {
	low, high, curve := Density(scenes.Distribution{Mean: 2, Std: 1}, 7)
	if low != -1 || high != 5 || curve[3] != 1 || math.Abs(curve[2]-0.6065306597) > 1e-9 || curve[2] != curve[4] {
		t.Errorf("%v to %v: %v", low, high, curve)
	}
	low, high, curve = Density(scenes.Uniform(1, 3), 3)
	if low != 1 || high != 3 || curve[0] != 1 || curve[2] != 1 {
		t.Errorf("%v to %v: %v", low, high, curve)
	}
	if low, high, _ = Density(scenes.Distribution{Mean: 2, Std: 1, Min: 1, Max: 9}, 3); low != 1 || high != 5 {
		t.Errorf("cut: %v to %v", low, high)
	}
}
