package local

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

func TestPull(t *testing.T) {
	wave := scenes.Bias{Direction: mgl64.Vec2{1, 0}, Strength: 0.8, Wave: scenes.WaveOf[float64]{Amplitude: 1, Frequency: 0.6 / (2 * math.Pi)}}
	table := scenes.BVP{
		Bias:  scenes.Bias{Direction: mgl64.Vec2{5, 5}, Strength: 9}, // replaced
		Table: []scenes.Sample{{1, 1, 0, 0.5}, {3, 0, 1, 1.5}},
	}
	for _, test := range []struct {
		name string
		of   scenes.BVP
		time float64
		want mgl64.Vec2
	}{
		{"none", scenes.BVP{Bias: scenes.Bias{}}, 3, mgl64.Vec2{}},
		{"constant", scenes.BVP{Bias: scenes.Bias{Direction: mgl64.Vec2{3, 4}, Strength: 0.1}}, 7, mgl64.Vec2{0.3, 0.4}},
		{"wave as printed", scenes.BVP{Bias: wave}, 2, mgl64.Vec2{0.8, 0.8 * math.Sin(1.2)}},
		{"wave across its direction", scenes.BVP{Bias: scenes.Bias{Direction: mgl64.Vec2{0, 2}, Strength: 1, Wave: scenes.WaveOf[float64]{Amplitude: 0.5, Frequency: 0.25}}}, 1, mgl64.Vec2{-0.5, 2}},
		{"wave with a phase", scenes.BVP{Bias: scenes.Bias{Direction: mgl64.Vec2{0, 2}, Strength: 1, Wave: scenes.WaveOf[float64]{Amplitude: 0.5, Frequency: 0.25, Phase: 90}}}, 2, mgl64.Vec2{0.5, 2}},
		{"phase without a frequency", scenes.BVP{Bias: scenes.Bias{Direction: mgl64.Vec2{1, 0}, Strength: 2, Wave: scenes.WaveOf[float64]{Amplitude: 0.5, Phase: -90}}}, 7, mgl64.Vec2{2, -1}},
		{"wave of no direction", scenes.BVP{Bias: scenes.Bias{Strength: 1, Wave: scenes.WaveOf[float64]{Amplitude: 1, Frequency: 1}}}, 0.25, mgl64.Vec2{}},
		{"before the table", table, 0, mgl64.Vec2{0.5, 0}},
		{"on a sample", table, 1, mgl64.Vec2{0.5, 0}},
		{"between", table, 2, mgl64.Vec2{0.5, 0.5}},
		{"after the table", table, 4, mgl64.Vec2{0, 1.5}},
	} {
		if got := pull(&test.of, test.time); got.Sub(test.want).Len() > 1e-15 {
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
	for _, length := range []float64{0, 1, maxPull, 2, 50} {
		for angle := range 16 {
			sum := 0.0
			for _, x := range weights(mgl64.Rotate2D(float64(angle)).Mul2x1(mgl64.Vec2{length, 0})) {
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
