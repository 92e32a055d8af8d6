package measure

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// Rect is a rectangle with sides along the axes in which agents are counted.
type Rect struct{ Low, High mgl64.Vec2 }

func (r Rect) contains(p mgl64.Vec2) bool {
	return r.Low[0] <= p[0] && p[0] < r.High[0] && r.Low[1] <= p[1] && p[1] < r.High[1]
}

// In is the part of a frame that is in a rectangle.
func (f Frame) In(r Rect) Frame {
	part := Frame{Time: f.Time}
	for _, w := range f.Walkers {
		if r.contains(w.At) {
			part.Walkers = append(part.Walkers, w)
		}
	}
	return part
}

// Sample is how dense and how fast a crowd is in a place at a time.
type Sample struct {
	Density float64 // agents/m2
	Speed   float64 // m/s, the mean over agents
}

// Squares samples the squares of a side, from the rectangle's lowest corner on, that hold an agent,
// row by row. What does not make a whole square at the upper sides is left out. Unit of side: m.
// Limit: > 0.
func Squares(f Frame, r Rect, side float64) []Sample {
	columns := int((r.High[0] - r.Low[0]) / side * (1 + 1e-9)) // a whole number of sides but for a part in 10^9 is one
	rows := int((r.High[1] - r.Low[1]) / side * (1 + 1e-9))
	type sum struct {
		people int
		speed  float64
	}
	sums := make([]sum, columns*rows)
	for _, w := range f.Walkers {
		d := w.At.Sub(r.Low)
		column, row := int(math.Floor(d[0]/side)), int(math.Floor(d[1]/side))
		if column < 0 || column >= columns || row < 0 || row >= rows {
			continue
		}
		s := &sums[row*columns+column]
		s.people++
		s.speed += w.Velocity.Len()
	}
	var samples []Sample
	for _, s := range sums {
		if n := float64(s.people); n > 0 {
			samples = append(samples, Sample{Density: n / (side * side), Speed: s.speed / n})
		}
	}
	return samples
}

// Fundamental is the mean speed at each density: samples sorted into steps of a width,
// each step's mean density and speed, by density. Steps with fewer samples than least
// are left out.
func Fundamental(samples []Sample, width float64, least int) []Sample {
	type step struct {
		sum Sample
		n   int
	}
	steps := map[int]step{}
	for _, s := range samples {
		k := int(math.Floor(s.Density / width))
		t := steps[k]
		t.sum.Density, t.sum.Speed, t.n = t.sum.Density+s.Density, t.sum.Speed+s.Speed, t.n+1
		steps[k] = t
	}
	var curve []Sample
	for _, k := range sortedKeys(steps) {
		if t := steps[k]; t.n >= least {
			curve = append(curve, Sample{t.sum.Density / float64(t.n), t.sum.Speed / float64(t.n)})
		}
	}
	return curve
}

// Weidmann is the speed of pedestrians of a free speed at a density, 0 from 5.4
// agents/m2 on: Weidmann, Transporttechnik der Fussgaenger (1993).
func Weidmann(free, density float64) float64 {
	const gamma, jam = 1.913, 5.4
	if density <= 0 {
		return free
	}
	return max(0, free*(1-math.Exp(-gamma*(1/density-1/jam))))
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
