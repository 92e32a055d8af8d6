package reference

import (
	"math"
	"testing"
)

// ulps is how far a float32 is from a value, in its units in the last place.
func ulps(got float32, want float64) float64 {
	unit := math.Ldexp(1, math.Ilogb(want)-23)
	return math.Abs(float64(got)-want) / unit
}

func TestReciprocalAndRoot(t *testing.T) {
	for e := -124.0; e <= 124; e += 0.037 {
		x := float32(math.Exp2(e))
		if off := ulps(reciprocal(x), 1/float64(x)); off > 2 {
			t.Errorf("reciprocal(%g) is off by %g units", x, off)
		}
		if e < -99 || e > 99 {
			continue
		}
		if off := ulps(root(x), math.Sqrt(float64(x))); off > 2 {
			t.Errorf("root(%g) is off by %g units", x, off)
		}
	}
	if root(0) != 0 {
		t.Error("root(0) is", root(0))
	}
}

func TestAngles(t *testing.T) {
	for k := -2000; k <= 2000; k++ {
		a := float32(float64(k) / 2000 * math.Pi)
		a = min(max(a, -pi), pi)
		d := direction(a)
		s, c := math.Sincos(float64(a))
		if math.Abs(float64(d[0])-c) > 1e-6 || math.Abs(float64(d[1])-s) > 1e-6 {
			t.Errorf("direction(%g) is %v, want %g, %g", a, d, c, s)
		}
		for _, length := range []float32{0x1p-120, 1, 0x1p+120} {
			v := [2]float32{length * d[0], length * d[1]}
			if max(v[0], -v[0]) < 0x1p-125 || max(v[1], -v[1]) < 0x1p-125 {
				continue
			}
			want := math.Atan2(float64(d[1]), float64(d[0]))
			if got := angle(v); math.Abs(float64(got)-want) > 1e-6 {
				t.Errorf("angle(%v) is %g, want %g", v, got, want)
			}
		}
	}
	for v, want := range map[[2]float32]float32{{}: 0, {1, 0}: 0, {0, 1}: halfPi, {-1, 0}: pi, {0, -1}: -halfPi} {
		if got := angle(v); got != want {
			t.Errorf("angle(%v) is %v, want %v", v, got, want)
		}
	}
}

func TestWrapped(t *testing.T) {
	for _, k := range []float64{-1.9, -1, -0.5, 0, 0.5, 1, 1.9} {
		a := float32(k * math.Pi)
		got := wrapped(a)
		if got < -pi || got > pi {
			t.Errorf("wrapped(%g) is %g", a, got)
		}
		// Two roundings of a number up to 2 pi, and pi itself is off by 9e-8.
		if s, c := math.Sincos(float64(got) - float64(a)); math.Abs(s) > 1e-6 || c < 0 {
			t.Errorf("wrapped(%g) is %g, another direction", a, got)
		}
	}
}
