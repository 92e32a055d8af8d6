package polygon

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestShown(t *testing.T) {
	for _, c := range []struct {
		in   []float64
		want string
	}{
		{nil, "[]"},
		{[]float64{0, 0}, "[0 0]"},
		{[]float64{79.08817333146891, 50.001002017989585}, "[79.08817333 50.00100202]"},
		{[]float64{0.1 + 0.2, 40}, "[0.3 40]"},
		{[]float64{6, 4.898587196589413e-16}, "[6 0]"},
		{[]float64{-1e-20, 1}, "[0 1]"},
		{[]float64{4500000.123456, 12}, "[4500000.123 12]"},
		{[]float64{1e-9, 2.5e-10}, "[1e-09 2.5e-10]"},
		{[]float64{9.9999999999, 1}, "[10 1]"},
		{[]float64{math.NaN(), 1}, "[NaN 1]"},
		{[]float64{math.Inf(-1), 1.00000000000001}, "[-Inf 1]"},
		{[]float64{math.MaxFloat64, 1}, "[1.7976931348623157e+308 1]"},
		{[]float64{5e-324, 1}, "[0 1]"},
	} {
		if got := fmt.Sprint(Shown(c.in...)); got != c.want {
			t.Errorf("%v: got %s, want %s", c.in, got, c.want)
		}
	}
	// Off by half a unit of the tenth digit at most: 5e-10 of the larger coordinate.
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		size := math.Exp(40 * (rng.Float64() - 0.5))
		p := []float64{size * (rng.Float64() - 0.5), size * (rng.Float64() - 0.5)}
		for i, text := range Shown(p...) {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			if most := max(math.Abs(p[0]), math.Abs(p[1])); math.Abs(x-p[i]) > 5.0000001e-10*most {
				t.Fatalf("%v is shown as %v", p[i], x)
			}
		}
	}
}
