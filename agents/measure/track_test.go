package measure_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/measure"
)

// TestTrack: a polygon walked round, a wait, and a walk to and fro have the turns, reversals and
// times of their making, whatever the step.
func TestTrack(t *testing.T) {
	// walk is a track at 1 m/s along headings in degrees, each for some seconds; NaN: it stands.
	walk := func(step float64, legs ...[2]float64) measure.Track {
		k := measure.Track{{3, 4}}
		for _, leg := range legs {
			for range int(math.Round(leg[1] / step)) {
				sin, cos := math.Sincos(leg[0] * math.Pi / 180)
				if math.IsNaN(leg[0]) {
					sin, cos = 0, 0
				}
				k = append(k, k[len(k)-1].Add(mgl64.Vec2{cos, sin}.Mul(step)))
			}
		}
		return k
	}
	for _, step := range []float64{0.05, 0.1, 0.25} {
		var hexagon [][2]float64
		for i := range 6 {
			hexagon = append(hexagon, [2]float64{170 + 60*float64(i), 1})
		}
		for _, c := range []struct {
			name                   string
			track                  measure.Track
			length, turning, stood float64
			reversals              int
		}{
			{"none", nil, 0, 0, 0, 0},
			{"hexagon", walk(step, hexagon...), 6, 300, 0, 0},
			{"wait", walk(step, [2]float64{90, 2}, [2]float64{math.NaN(), 3}, [2]float64{45, 1}), 3, 45, 3, 0},
			{"to and fro", walk(step, [2]float64{0, 1}, [2]float64{180, 1}, [2]float64{0, 1}), 3, 360, 0, 2},
			// Within more than half a second it is no reversal.
			{"slow turn", walk(step, [2]float64{0, 1}, [2]float64{80, 1}, [2]float64{160, 1}), 3, 160, 0, 0},
			{"turn after a wait", walk(step, [2]float64{0, 1}, [2]float64{math.NaN(), 1}, [2]float64{180, 1}), 2, 180, 1, 0},
		} {
			// Some hundred sums of float64.
			close := func(got, want float64) bool { return math.Abs(got-want) < 1e-9 }
			k := c.track
			if !close(k.Length(), c.length) || !close(k.Turning(step), c.turning) || !close(float64(k.Stood(step))*step, c.stood) || k.Reversals(step) != c.reversals {
				t.Errorf("%s in steps of %v s: %v m, turns by %v degrees, back %d times, stands for %d steps; want %+v",
					c.name, step, k.Length(), k.Turning(step), k.Reversals(step), k.Stood(step), c)
			}
		}
	}
}
