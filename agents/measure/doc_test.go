package measure

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// near compares with what a sum of a few thousand float64 terms near 1 may lose.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12*max(1, math.Abs(want)) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// turned turns a frame about the origin.
func turned(f Frame, angle float64) Frame {
	m := mgl64.Rotate2D(angle)
	for i := range f.Walkers {
		f.Walkers[i].At = m.Mul2x1(f.Walkers[i].At)
		f.Walkers[i].Velocity = m.Mul2x1(f.Walkers[i].Velocity)
	}
	return f
}
