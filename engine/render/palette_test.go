package render

import (
	"image/color"
	"math"
	"testing"
)

type eyes struct {
	name   string
	matrix [3][3]float64 // on linear RGB
}

// Simulations of full color blindness: Machado, Oliveira and Fernandes 2009, table for severity
// 1.0.
var allEyes = []eyes{
	{"trichromat", [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
	{"protanope", [3][3]float64{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
	{"deuteranope", [3][3]float64{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
	{"tritanope", [3][3]float64{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
}

// lab is a color as these eyes see it, in CIELAB (D65).
func (e eyes) lab(c color.RGBA) [3]float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	in := [3]float64{linear(c.R), linear(c.G), linear(c.B)}
	var s [3]float64
	for i := range s {
		for j := range in {
			s[i] += e.matrix[i][j] * in[j]
		}
		s[i] = math.Min(math.Max(s[i], 0), 1)
	}
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124564*s[0] + 0.3575761*s[1] + 0.1804375*s[2]) / 0.95047)
	y := f(0.2126729*s[0] + 0.7151522*s[1] + 0.0721750*s[2])
	z := f((0.0193339*s[0] + 0.1191920*s[1] + 0.9503041*s[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func (e eyes) difference(a, b color.RGBA) float64 {
	u, v := e.lab(a), e.lab(b)
	return math.Sqrt((u[0]-v[0])*(u[0]-v[0]) + (u[1]-v[1])*(u[1]-v[1]) + (u[2]-v[2])*(u[2]-v[2]))
}

// TestColorsStayApart: a difference of 2.3 in CIELAB is what people just notice between colors side
// by side (Mahy, Van Eycken and Oosterlinck 1994). Regions must differ by twice that at least,
// agents, which are small, by four times.
func TestColorsStayApart(t *testing.T) {
	const noticeable = 2.3
	for _, set := range []struct {
		name   string
		colors []color.RGBA
		least  float64
	}{
		{"tints", tints, 2 * noticeable},
		{"bold", bold, 4 * noticeable},
	} {
		for _, e := range allEyes {
			for i, a := range set.colors {
				for _, b := range set.colors[:i] {
					if d := e.difference(a, b); d < set.least {
						t.Errorf("%s: %v and %v differ by %.1f for a %s", set.name, a, b, d, e.name)
					}
				}
			}
		}
	}
}

// TestKeysOfLocalMapsStayApart: no two plain colors of a legend look alike, not even where they are
// small.
func TestKeysOfLocalMapsStayApart(t *testing.T) {
	const least = 4 * 2.3 // as for agents
	keys := append(LocalMapKeys(), UnknownKey())
	for i, a := range keys {
		for _, b := range keys[:i] {
			if len(a.Colors) != 1 || len(b.Colors) != 1 {
				continue
			}
			for _, e := range allEyes {
				if d := e.difference(a.Colors[0], b.Colors[0]); d < least {
					t.Errorf("%s and %s differ by %.1f for a %s", a.Text, b.Text, d, e.name)
				}
			}
		}
	}
}

// TestRampsAreEven: along each ramp lightness falls or rises in even steps, for all
// eyes.
func TestRampsAreEven(t *testing.T) {
	for name, ramp := range map[string][]color.RGBA{"distances": distances, "densities": densities, "speeds": speeds} {
		last := len(ramp) - 1
		for _, e := range allEyes {
			mean := (e.lab(ramp[0])[0] - e.lab(ramp[last])[0]) / float64(last)
			for i := 1; i <= last; i++ {
				if step := (e.lab(ramp[i-1])[0] - e.lab(ramp[i])[0]) / mean; step < 0.4 || step > 2.1 {
					t.Errorf("%s, %s: lightness changes by %.2f of the mean from color %d", name, e.name, step, i-1)
				}
			}
		}
	}
}
