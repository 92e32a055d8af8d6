package bvp

import (
	"fmt"
	"math"
)

// Method is a way of relaxing a map.
type Method = uint32

// The methods. A relaxation of each sets every free cell once, of ADI twice.
const (
	// RedBlack is over-relaxation in two halves, as on a chessboard, each of which reads the other's cells alone: no order
	// of threads changes its result.
	RedBlack Method = iota
	// JacobiGS sets all cells at once, in place, from whatever their neighbours hold (Fischer et al. 2009, section 5). What a
	// number of relaxations gives depends on the device; what they converge to does not.
	JacobiGS
	// ADI solves for whole rows at once, then for whole columns (Peaceman and Rachford 1955), which Fischer et al. name
	// as future work. Potentials far below the largest in their row or column, by 1e-7 and less, have no digits that mean anything, so
	// that it is for maps whose goal is near.
	ADI
)

// MinCellSize and MaxCellSize bound the side of a cell, m: such maps are of some use, and their numbers far from float32's limits.
const (
	MinCellSize = 1e-3
	MaxCellSize = 1e3
)

// Parameters are how somebody uses a local map. They may change at any time.
type Parameters struct {
	Cells        int     // along a side; MinCells to MaxCells
	CellSize     float64 // m; MinCellSize to MaxCellSize
	Relaxations  int     // a step, 1 to 2^31 - 1
	ViewAngle    float64 // opening of the view cone, radians; above 0, all round from 2 pi on
	Bias         Bias
	Inertia      float64 // eta, what stays of the old heading in 0.1 s; at least 0, below 1
	SpeedControl bool    // who turns slows down
	Method       Method
}

// inertiaTime is what Inertia counts by. Units: s.
const inertiaTime = 0.1

// Settings are Parameters at a time, as the device takes them.
type Settings struct {
	Weights        [4]float32 // of the neighbours in the east, west, north and south
	Radii          [2]float32 // halves of Jacobi's spectral radius on endless rows and columns
	Shift          [2]float32 // ADI: the first parameter, and each one's ratio to the one before
	CellsPerMetre  float32
	View           float32 // cosine of half the view angle; below -1: all round
	Inertia        float32 // eta, of one step
	StepsPerSecond float32
	Cells          uint32
	Relaxations    uint32
	Method         Method
	SpeedControl   uint32 // 1: on
}

// At are the settings at a time in seconds, for steps of so many seconds. Parameters out of their limits panic.
func (p Parameters) At(time, timestep float64) Settings {
	p.check()
	if !(timestep > 0) || math.IsInf(timestep, 0) || math.IsNaN(time) || math.IsInf(time, 0) {
		panic(fmt.Sprintf("bvp: settings at %v s for a step of %v s; both have to be finite, and steps above 0", time, timestep))
	}
	w := weights(p.Bias.At(time))
	s := Settings{
		Radii:          [2]float32{float32(2 * math.Sqrt(w[0]*w[1])), float32(2 * math.Sqrt(w[2]*w[3]))},
		CellsPerMetre:  float32(1 / p.CellSize),
		View:           -2,
		Inertia:        float32(math.Pow(p.Inertia, timestep/inertiaTime)),
		StepsPerSecond: float32(1 / timestep),
		Cells:          uint32(p.Cells),
		Relaxations:    uint32(p.Relaxations),
		Method:         p.Method,
	}
	for i := range w {
		s.Weights[i] = float32(w[i])
	}
	if p.ViewAngle < 2*math.Pi {
		s.View = float32(math.Cos(p.ViewAngle / 2))
	}
	if p.SpeedControl {
		s.SpeedControl = 1
	}
	s.Shift = shift(s.Radii, p.Cells)
	return s
}

// shifts is how many of ADI's parameters there are before the first one comes again.
const shifts = 4

// shift returns the first of ADI's parameters and their ratio. The eigenvalues of a row's or column's half of the equation
// lie between those of an empty map's, a and b, whatever is fixed in it; the parameters are the middles of equal parts of
// that interval, in logarithms, which is close to the best there are (Wachspress 1966), the smallest first.
func shift(radii [2]float32, cells int) [2]float32 {
	widest := max(float64(radii[0]), float64(radii[1])) * math.Cos(math.Pi/float64(cells-1))
	a, b := 0.5-widest, 0.5+widest
	ratio := math.Pow(b/a, 1.0/shifts)
	return [2]float32{float32(a * math.Sqrt(ratio)), float32(ratio)}
}

func (p Parameters) check() {
	checkCells(p.Cells)
	p.Bias.check()
	switch {
	case !(p.CellSize >= MinCellSize && p.CellSize <= MaxCellSize):
		panic(fmt.Sprintf("bvp: a cell size of %v m; %g to %g are allowed", p.CellSize, MinCellSize, MaxCellSize))
	case p.Relaxations < 1 || p.Relaxations > math.MaxInt32:
		panic(fmt.Sprintf("bvp: %d relaxations a step; 1 to %d are allowed", p.Relaxations, math.MaxInt32))
	case !(p.ViewAngle > 0):
		panic(fmt.Sprintf("bvp: a view angle of %v radians; it has to be above 0", p.ViewAngle))
	case !(p.Inertia >= 0 && p.Inertia < 1):
		panic(fmt.Sprintf("bvp: an inertia of %v; at least 0 and below 1 is allowed", p.Inertia))
	case p.Method > ADI:
		panic(fmt.Sprintf("bvp: there is no relaxation method %d", p.Method))
	}
}
