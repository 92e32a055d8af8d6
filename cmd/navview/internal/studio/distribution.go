package studio

import (
	"math"

	"github.com/wayfront/wayfront/scenes"
)

// Spread is a kind of distribution.
type Spread int

// The kinds, by what is given of them.
const (
	Exact   Spread = iota // one number
	Normal                // mean and standard deviation
	Cut                   // the same, with a least and a greatest number
	Uniform               // a least and a greatest number
)

// Spreads are the names of the kinds.
var Spreads = []string{"the same for all", "normal", "normal, cut", "uniform"}

// DistributionKind returns the kind of a distribution.
func DistributionKind(d scenes.Distribution) Spread {
	switch {
	case !d.Varies():
		return Exact
	case math.IsInf(d.Std, 1):
		return Uniform
	case d.Min != 0 || d.Max != 0:
		return Cut
	}
	return Normal
}

// Spreading returns a distribution of a kind with about the numbers of another one.
func Spreading(d scenes.Distribution, to Spread) scenes.Distribution {
	std := d.Std
	switch DistributionKind(d) {
	case Exact:
		std = max(math.Abs(d.Mean)/10, 0.01)
	case Uniform:
		std = (d.Max - d.Min) / math.Sqrt(12) // the standard deviation of the uniform one
	}
	low, high := d.Min, d.Max
	if low == 0 && high == 0 || math.IsInf(low, 0) || math.IsInf(high, 0) {
		low, high = d.Mean-2*std, d.Mean+2*std
	}
	switch to {
	case Normal:
		return scenes.Distribution{Mean: d.Mean, Std: std}
	case Cut:
		return scenes.Distribution{Mean: d.Mean, Std: std, Min: low, Max: high}
	case Uniform:
		return scenes.Uniform(low, high)
	}
	return scenes.Exactly(d.Mean)
}

// Density returns the range of a distribution that varies, and its density over n places that divide
// it evenly; 1 is the greatest.
func Density(d scenes.Distribution, n int) (low, high float64, density []float64) {
	low, high = d.Mean-3*d.Std, d.Mean+3*d.Std
	if DistributionKind(d) >= Cut {
		low, high = max(low, d.Min), min(high, d.Max)
	}
	density = make([]float64, n)
	for i := range density {
		density[i] = 1
		if !math.IsInf(d.Std, 1) {
			z := (low + (high-low)*float64(i)/float64(n-1) - d.Mean) / d.Std
			density[i] = math.Exp(-z * z / 2)
		}
	}
	return low, high, density
}
