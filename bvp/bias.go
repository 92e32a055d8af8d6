package bvp

import (
	"fmt"
	"math"
	"sort"

	"github.com/go-gl/mathgl/mgl64"
)

// Bias is what bends an agent's way: eps and v of equation 1, as functions of time. The zero value bends nothing.
//
// A positive strength pulls towards the direction. The papers disagree with each other, and with equation 1, about the
// sign: there a positive eps v moves the valley of the potential against v. So eps v is -Strength times the direction here.
type Bias struct {
	Direction mgl64.Vec2 // v; its length counts
	Strength  float64    // |eps|, times the length at most MaxStrength
	Wave      Wave
	Table     []Sample // times rising; replaces all of the above where it is not empty
}

// Wave swings the direction: Amplitude sin(2 pi Frequency t) is added to it along its left normal. Dapper's v = (1, sin(w t)) is the direction
// (1, 0) with amplitude 1 and frequency w / 2 pi.
type Wave struct {
	Amplitude float64
	Frequency float64 // Hz, at least 0
}

// Sample is a bias at a time.
type Sample struct {
	Time      float64 // s
	Direction mgl64.Vec2
	Strength  float64
}

// MaxStrength bounds |eps v|. At 2 a cell would take no notice of the neighbour behind it, and beyond of its
// negative: potentials would not stay between obstacles and goals (Fischer et al. 2009, section 3). This much less keeps
// every weight above 2^-12, so that no product of one with a potential is too small for a normal float.
const MaxStrength = 2 - 1.0/256

// At is the pull at a time in seconds: strength times direction. Before the first sample of a table and after the last,
// that sample holds; between two, strength and direction change in proportion.
func (b Bias) At(t float64) mgl64.Vec2 {
	if n := len(b.Table); n > 0 {
		i := sort.Search(n, func(i int) bool { return b.Table[i].Time > t })
		if i == 0 || i == n {
			s := b.Table[max(i-1, 0)]
			return s.Direction.Mul(s.Strength)
		}
		before, after := b.Table[i-1], b.Table[i]
		share := (t - before.Time) / (after.Time - before.Time)
		direction := before.Direction.Add(after.Direction.Sub(before.Direction).Mul(share))
		return direction.Mul(before.Strength + (after.Strength-before.Strength)*share)
	}
	v := b.Direction
	if length := v.Len(); length > 0 && b.Wave.Amplitude != 0 {
		normal := mgl64.Vec2{-v[1], v[0]}.Mul(1 / length)
		v = v.Add(normal.Mul(b.Wave.Amplitude * math.Sin(2*math.Pi*b.Wave.Frequency*t)))
	}
	return v.Mul(b.Strength)
}

// check panics where At would not be finite.
func (b Bias) check() {
	numbers := []float64{b.Direction[0], b.Direction[1], b.Strength, b.Wave.Amplitude, b.Wave.Frequency}
	for i, s := range b.Table {
		if i > 0 && !(s.Time > b.Table[i-1].Time) {
			panic(fmt.Sprintf("bvp: sample %d of a bias is at %v s, not after the one before", i, s.Time))
		}
		numbers = append(numbers, s.Time, s.Direction[0], s.Direction[1], s.Strength)
	}
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			panic(fmt.Sprintf("bvp: a bias has %v among its numbers; they have to be finite", x))
		}
	}
}

// weights are what the neighbours in the east, west, north and south of a cell count in the weighted mean that equation 1
// makes of it, under a pull: all above 0, and together 1. A pull longer than MaxStrength is shortened to that. This is equation 3 with eps v
// the pull reversed, and rows counted upwards.
func weights(pull mgl64.Vec2) [4]float64 {
	if length := pull.Len(); length > MaxStrength {
		pull = pull.Mul(MaxStrength / length)
	}
	x, y := -pull[0]/2, -pull[1]/2
	return [4]float64{(1 + x) / 4, (1 - x) / 4, (1 + y) / 4, (1 - y) / 4}
}
