package spawn

import (
	"math"
	"slices"
	"testing"
)

// The known answers that come with the paper's own library.
func TestPhiloxKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		counter [4]uint32
		key     [2]uint32
		want    [4]uint32
	}{
		{want: [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{
			[4]uint32{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
			[2]uint32{0xffffffff, 0xffffffff},
			[4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
		},
		{
			[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
			[2]uint32{0xa4093822, 0x299f31d0},
			[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
		},
	} {
		if got := Philox(c.counter, c.key); got != c.want {
			t.Errorf("Philox(%x, %x) = %x, want %x", c.counter, c.key, got, c.want)
		}
	}
}

func TestRandomIsUniform(t *testing.T) {
	const n, cells = 40000, 10
	var counts [cells][cells]int
	for i := range uint32(n) {
		u, v := random(7, streamPlace, 3, i, 0)
		counts[int(u*cells)][int(v*cells)]++
	}
	// Chi-square of 100 cells: mean 99, standard deviation 14; 170 is five of
	// them, and the numbers are always the same.
	chi := 0.0
	for _, row := range counts {
		for _, c := range row {
			d := float64(c) - n/float64(cells*cells)
			chi += d * d / (n / float64(cells*cells))
		}
	}
	if chi > 170 {
		t.Errorf("chi-square %.1f over %d cells", chi, cells*cells)
	}
}

func TestTruncatedNormal(t *testing.T) {
	const n = 20001
	draw := func(mean, std, lo, hi float64) (xs []float64, m, s float64) {
		for i := range n {
			xs = append(xs, truncatedNormal((float64(i)+0.5)/n, mean, std, lo, hi, normalGrain))
			m += xs[i] / n
		}
		for _, x := range xs {
			s += (x - m) * (x - m) / n
		}
		return xs, m, math.Sqrt(s)
	}
	xs, mean, std := draw(1.34, 0.26, 0.134, 2.0)
	if !slices.IsSorted(xs) {
		t.Error("not increasing")
	}
	// Cut at 4.6 deviations below and 2.54 above, the normal density at the
	// upper cut, 0.0158, shifts the mean by 0.26 * 0.0158 / 0.9945.
	if want := 1.34 - 0.26*0.01583/0.99446; math.Abs(mean-want) > 1e-4 {
		t.Errorf("mean %.5f, want %.5f", mean, want)
	}
	if std < 0.245 || std > 0.26 {
		t.Errorf("standard deviation %.4f", std)
	}
	for _, c := range [][4]float64{{1, 5, 0.1, 2}, {1, 0, 0.1, 2}, {3, 1, 0.3, 2}, {1, 1e-9, 0.1, 2}} {
		xs, _, _ := draw(c[0], c[1], c[2], c[3])
		if lo, hi := slices.Min(xs), slices.Max(xs); !(lo >= c[2]) || !(hi <= c[3]) {
			t.Errorf("mean %v, std %v: values from %v to %v leave %v..%v", c[0], c[1], lo, hi, c[2], c[3])
		}
	}
	for _, u := range []float64{0, math.Nextafter(1, 0)} {
		if x := truncatedNormal(u, 1, 100, 0.1, 2, normalGrain); math.IsNaN(x) || x < 0.1 || x > 2 {
			t.Errorf("share %v gives %v", u, x)
		}
	}
}
