package scenes

import (
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
)

// Timed reports whether the obstacle opens or moves.
func (o Obstacle) Timed() bool { return o.Opens() || o.Motion != nil }

// Opens reports whether the obstacle has a timetable.
func (o Obstacle) Opens() bool { return len(o.Open)+len(o.Closed) > 0 }

// PresentAt reports whether the obstacle is present at a time: it is absent from the beginning of
// an interval of Open until just before its end, and present so long in one of Closed. Unit: s.
// Limit: >= 0.
//
// Times are sums and products of decimal fractions, and so are ticks. A time that is as near to the
// end of an interval as rounding explains is on it: a door that opens at 15 s opens with tick 150
// of 0.1 s.
func (o Obstacle) PresentAt(t float64) bool {
	within := func(w Interval) bool { return reached(t, w[0]) && !reached(t, w[1]) }
	if len(o.Closed) > 0 {
		return slices.ContainsFunc(o.Closed, within)
	}
	return !slices.ContainsFunc(o.Open, within)
}

// rounding is the relative error of a time against another that means the same: the number of a
// tick times the length of ticks has one of 2^-53 from the length as a float64, one from the
// product, and the other time has one of its own. A quotient adds as much.
const rounding = 1.0 / (1 << 51)

// reached reports whether the time t is mark or after it.
func reached(t, mark float64) bool { return t >= mark*(1-rounding) }

// PolygonAt returns the obstacle's shape where it is at a time, whether or not it is present, also
// outside of the domain. Unit: s. Limit: t >= 0.
func (o Obstacle) PolygonAt(t float64) geom.Polygon {
	return o.At(t).Polygon(o.Polygon())
}
