package geom

import (
	"math"
	"strconv"
)

// shownDigits is the number of digits that messages give of the larger coordinate of a point. They
// resolve 2^-30 of a domain at the origin, a thousandth of a lattice step, which rounding to
// the lattice cannot tell apart; and a millimeter where coordinates are thousands of kilometers.
const shownDigits = 10

// Shown returns coordinates as messages show them, rounded to the place of the tenth digit of the
// largest.
func Shown(coordinates ...float64) []string {
	largest := 0.0
	for _, x := range coordinates {
		if a := math.Abs(x); a <= math.MaxFloat64 { // false for NaN
			largest = max(largest, a)
		}
	}
	places := 0
	if largest > 0 {
		places = max(0, shownDigits-1-int(math.Floor(math.Log10(largest))))
	}
	shown := make([]string, len(coordinates))
	for i, x := range coordinates {
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', places, 64), 64) // a float's own text
		format := byte('f')
		if a := math.Abs(rounded); a < 1e-6 || a >= 1e15 {
			format = 'g'
		}
		if shown[i] = strconv.FormatFloat(rounded, format, -1, 64); rounded == 0 {
			shown[i] = "0" // not -0
		}
	}
	return shown
}
