package bvp

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

func TestBiasAt(t *testing.T) {
	wave := Bias{Direction: mgl64.Vec2{1, 0}, Strength: 0.8, Wave: Wave{Amplitude: 1, Frequency: 0.6 / (2 * math.Pi)}}
	table := Bias{
		Direction: mgl64.Vec2{5, 5}, Strength: 9, // replaced
		Table: []Sample{{1, mgl64.Vec2{1, 0}, 0.5}, {3, mgl64.Vec2{0, 1}, 1.5}},
	}
	for _, test := range []struct {
		name string
		bias Bias
		time float64
		want mgl64.Vec2
	}{
		{"none", Bias{}, 3, mgl64.Vec2{}},
		{"constant", Bias{Direction: mgl64.Vec2{3, 4}, Strength: 0.1}, 7, mgl64.Vec2{0.3, 0.4}},
		{"wave as printed", wave, 2, mgl64.Vec2{0.8, 0.8 * math.Sin(1.2)}},
		{"wave across its direction", Bias{Direction: mgl64.Vec2{0, 2}, Strength: 1, Wave: Wave{0.5, 0.25}}, 1, mgl64.Vec2{-0.5, 2}},
		{"wave of no direction", Bias{Strength: 1, Wave: Wave{1, 1}}, 0.25, mgl64.Vec2{}},
		{"before the table", table, 0, mgl64.Vec2{0.5, 0}},
		{"on a sample", table, 1, mgl64.Vec2{0.5, 0}},
		{"between", table, 2, mgl64.Vec2{0.5, 0.5}},
		{"after the table", table, 4, mgl64.Vec2{0, 1.5}},
	} {
		if got := test.bias.At(test.time); got.Sub(test.want).Len() > 1e-15 {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestWeights holds the weights to equation 3 as printed, for p and for q alike.
func TestWeights(t *testing.T) {
	pull := mgl64.Vec2{0.3, -0.7}
	w := weights(pull)
	v := pull.Mul(-1) // eps v
	east, west, north, south := 0.9, 0.2, 0.4, 0.7
	printed := (east+west+north+south)/4 + ((east-west)*v[0]+(north-south)*v[1])/8
	if got := w[0]*east + w[1]*west + w[2]*north + w[3]*south; math.Abs(got-printed) > 1e-15 {
		t.Errorf("the mean is %g, equation 3 has %g", got, printed)
	}
	for _, length := range []float64{0, 1, MaxStrength, 2, 50} {
		for angle := range 16 {
			sum := 0.0
			for _, x := range weights(polar(length, float64(angle))) {
				sum += x
				if x < 0x1p-12 {
					t.Errorf("a pull of %g has the weight %g", length, x)
				}
			}
			if math.Abs(sum-1) > 1e-15 {
				t.Errorf("the weights of a pull of %g sum to %g", length, sum)
			}
		}
	}
}

// TestPositiveStrengthPulls is the corridor of 21 cells, walls included, that leads to a goal 30 cells ahead: the valley of p, the ridge of q, has to
// move towards the bias as its strength grows, and against it where that is negative.
func TestPositiveStrengthPulls(t *testing.T) {
	const cells, width = 63, 21
	first := (cells - width) / 2
	ridge := func(strength float64) int {
		p := NewPotential[float64](cells)
		for k := range p.Q {
			i, j := k%cells, k/cells
			p.Fixed[k] = p.Fixed[k] || i <= first || i >= first+width-1
			if j == cells-1 && i > first && i < first+width-1 {
				p.Q[k] = 1
			}
		}
		Solve(p, settings(cells, mgl64.Vec2{strength, 0}))
		row, best := cells-1-30, first+1
		for i := first; i < first+width; i++ {
			if p.Q[row*cells+i] > p.Q[row*cells+best] {
				best = i
			}
		}
		return best - first
	}
	// Found once by plain relaxation of such a corridor, apart from this package.
	for strength, want := range map[float64]int{0: 10, 0.3: 15, 0.8: 18, -0.3: 5, -0.8: 2} {
		if got := ridge(strength); got != want {
			t.Errorf("strength %g: the ridge is in column %d, want %d", strength, got, want)
		}
	}
	last := -1
	for strength := -1.8; strength <= 1.8; strength += 0.2 {
		at := ridge(strength)
		if at < last {
			t.Errorf("strength %g moves the ridge back to %d from %d", strength, at, last)
		}
		last = at
	}
}

func TestParametersCheck(t *testing.T) {
	good := Parameters{Cells: 21, CellSize: 0.25, Relaxations: 30, ViewAngle: 1, Inertia: 0.5}
	good.At(0, 0.1)
	for name, spoil := range map[string]func(p *Parameters){
		"few cells":      func(p *Parameters) { p.Cells = 4 },
		"many cells":     func(p *Parameters) { p.Cells = 64 },
		"no size":        func(p *Parameters) { p.CellSize = 0 },
		"endless cells":  func(p *Parameters) { p.CellSize = math.Inf(1) },
		"no relaxations": func(p *Parameters) { p.Relaxations = 0 },
		"blind":          func(p *Parameters) { p.ViewAngle = 0 },
		"inertia 1":      func(p *Parameters) { p.Inertia = 1 },
		"inertia < 0":    func(p *Parameters) { p.Inertia = -0.1 },
		"method":         func(p *Parameters) { p.Method = ADI + 1 },
		"bias":           func(p *Parameters) { p.Bias.Strength = math.NaN() },
		"table":          func(p *Parameters) { p.Bias.Table = []Sample{{Time: 1}, {Time: 1}} },
	} {
		t.Run(name, func(t *testing.T) {
			p := good
			spoil(&p)
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			p.At(0, 0.1)
		})
	}
}
