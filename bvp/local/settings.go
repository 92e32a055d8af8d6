package local

import (
	"math"
	"sort"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// Settings are the parameters of a local map at a time, as the device takes them.
type Settings struct {
	Weights        [4]float32 // of the neighbors in the east, west, north and south
	Radii          [2]float32 // halves of Jacobi's spectral radius on endless rows and columns
	Shift          [2]float32 // ADI: the first parameter, and each one's ratio to the one before
	CellsPerMeter  float32
	View           float32 // cosine of half the view angle; below -1: all round
	Inertia        float32 // eta, of one step
	StepsPerSecond float32
	Cells          uint32
	Relaxations    uint32
	Method         uint32 // index of relaxers
	Flags          uint32
}

// The bits of Settings.Flags.
const (
	SpeedControl uint32 = 1 << iota // it slows down where it turns
	Robust                          // its rescues are on: see the package
	Vector                          // inertia averages vectors, not angles
	Harmonic                        // global harmonic maps guide it
)

// Has reports whether a flag is set.
func (s *Settings) Has(flag uint32) bool { return s.Flags&flag != 0 }

// SettingsAt derives the settings of parameters that scenes.BVP.Check finds no fault in, at a time,
// for steps of so many seconds.
func SettingsAt(p scenes.BVP, time, timestep float64) Settings {
	s := Settings{
		CellsPerMeter:  float32(1 / p.CellSize),
		View:           -2,
		Inertia:        float32(math.Pow(p.Inertia, timestep/p.InertiaTime)),
		StepsPerSecond: float32(1 / timestep),
		Cells:          uint32(p.Cells),
		Relaxations:    uint32(p.Relaxations),
		Method:         uint32(methodOf(p.Method)),
	}
	if angle := p.ViewAngle * math.Pi / 180; angle < 2*math.Pi {
		s.View = float32(math.Cos(angle / 2))
	}
	for flag, on := range map[uint32]bool{
		SpeedControl: p.SpeedControl,
		Vector:       p.InertiaForm == scenes.InertiaVector,
		Robust:       p.Rules == scenes.RulesRobust,
		Harmonic:     p.Guide == scenes.GuideHarmonic,
	} {
		if on {
			s.Flags |= flag
		}
	}
	s.bend(&p, time)
	return s
}

// bend derives what depends on the bias at a time.
func (s *Settings) bend(p *scenes.BVP, time float64) {
	w := weights(pull(p, time))
	for i := range w {
		s.Weights[i] = float32(w[i])
	}
	s.Radii = [2]float32{float32(2 * math.Sqrt(w[0]*w[1])), float32(2 * math.Sqrt(w[2]*w[3]))}
	s.Shift = shift(s.Radii, p.Cells)
}

// bends reports whether the bias depends on the time.
func bends(p *scenes.BVP) bool {
	wave := p.Bias.Wave
	return len(p.Table) > 1 || len(p.Table) == 0 && p.Bias.Strength != 0 && wave.Amplitude != 0 && wave.Frequency != 0
}

// pull is strength times direction of the bias at a time, in seconds. Before the first sample of a
// table and after the last, that sample holds; between two, strength and direction change in
// proportion.
func pull(p *scenes.BVP, t float64) mgl64.Vec2 {
	if n := len(p.Table); n > 0 {
		i := sort.Search(n, func(i int) bool { return p.Table[i][0] > t })
		before, after, share := p.Table[max(i-1, 0)], p.Table[min(i, n-1)], 0.0
		if i > 0 && i < n {
			share = (t - before[0]) / (after[0] - before[0])
		}
		at := func(k int) float64 { return before[k] + (after[k]-before[k])*share }
		return mgl64.Vec2{at(1), at(2)}.Mul(at(3))
	}
	v, wave := mgl64.Vec2(p.Bias.Direction), p.Bias.Wave
	if length := v.Len(); length > 0 && wave.Amplitude != 0 {
		normal := mgl64.Vec2{-v[1], v[0]}.Mul(1 / length)
		turn := 2*math.Pi*wave.Frequency*t + wave.Phase*math.Pi/180
		v = v.Add(normal.Mul(wave.Amplitude * math.Sin(turn)))
	}
	return v.Mul(p.Bias.Strength)
}

// maxPull bounds |eps v|. At 2 a cell would take no notice of the neighbor behind it, and beyond of
// its negative: potentials would not stay between obstacles and goals (Fischer et al. 2009, section
// 3). This much less keeps every weight above 2^-12, so that no product of one with a potential is
// too small for a normal float.
const maxPull = 2 - 1.0/256

// weights are those of the neighbors in the east, west, north and south of a cell in the weighted
// mean that equation 1 makes of it, under a pull: all above 0, and together 1. A pull longer than
// maxPull is shortened to that. This is equation 3 with rows counted upwards and eps v the pull
// reversed: the papers disagree with each other, and with equation 1, about the sign, and here a
// positive strength pulls towards the direction.
func weights(pull mgl64.Vec2) [4]float64 {
	if length := pull.Len(); length > maxPull {
		pull = pull.Mul(maxPull / length)
	}
	x, y := -pull[0]/2, -pull[1]/2
	return [4]float64{(1 + x) / 4, (1 - x) / 4, (1 + y) / 4, (1 - y) / 4}
}

// Shifts is how many of ADI's parameters there are before the first one comes again.
const Shifts = 4

// shift returns the first of ADI's parameters and their ratio. The eigenvalues of a row's or
// column's half of the equation lie between those of an empty map's, a and b, whatever is fixed in
// it; the parameters are the middles of equal parts of that interval, in logarithms, which is close
// to the best there are (Wachspress 1966), the smallest first.
func shift(radii [2]float32, cells int) [2]float32 {
	widest := max(float64(radii[0]), float64(radii[1])) * math.Cos(math.Pi/float64(cells-1))
	a, b := 0.5-widest, 0.5+widest
	ratio := math.Pow(b/a, 1.0/Shifts)
	return [2]float32{float32(a * math.Sqrt(ratio)), float32(ratio)}
}
