package measure

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Standing is the speed below which an agent stands, m/s: what it turns by then is no part of its
// path.
const Standing = 0.2

// Reversal is the time within which a turn by more than a right angle counts as turning back, s.
const Reversal = 0.5

// Track is where an agent was after each of some steps of one length, m. How a step is long is
// given to what depends on it, s.
type Track []mgl64.Vec2

// Length is how far it has walked, m.
func (k Track) Length() float64 {
	sum := 0.0
	for i := range len(k) - 1 {
		sum += k[i+1].Sub(k[i]).Len()
	}
	return sum
}

// Headings are the directions of the steps in which it walks, radians, with the number of each
// step.
func (k Track) Headings(timestep float64) (headings []float64, at []int) {
	for i := range len(k) - 1 {
		if d := k[i+1].Sub(k[i]); d.Len() >= Standing*timestep {
			headings, at = append(headings, math.Atan2(d[1], d[0])), append(at, i)
		}
	}
	return headings, at
}

// Turning is the sum of its turns from step to step, whichever way, degrees.
func (k Track) Turning(timestep float64) float64 {
	sum := 0.0
	headings, _ := k.Headings(timestep)
	for i := range len(headings) - 1 {
		sum += math.Abs(math.Remainder(headings[i+1]-headings[i], 2*math.Pi))
	}
	return sum * 180 / math.Pi
}

// Reversals is how often it turns back.
func (k Track) Reversals(timestep float64) int {
	count, last, steps := 0, -1, int(math.Round(Reversal/timestep))
	headings, at := k.Headings(timestep)
	for i := range headings {
		for j := i + 1; j < len(headings) && at[j]-at[i] <= steps; j++ {
			if at[i] > last && math.Abs(math.Remainder(headings[j]-headings[i], 2*math.Pi)) > math.Pi/2 {
				count, last = count+1, at[j]
				break
			}
		}
	}
	return count
}

// Stood is for how many of its steps but the first it has stood: in that it sets out.
func (k Track) Stood(timestep float64) int {
	if len(k) < 3 {
		return 0
	}
	headings, _ := k[1:].Headings(timestep)
	return len(k) - 2 - len(headings)
}
