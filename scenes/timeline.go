package scenes

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// Timed reports whether the obstacle opens or moves.
func (o Obstacle) Timed() bool { return len(o.Open) > 0 || o.Motion != nil }

// PresentAt reports whether the obstacle is present at a time: it is absent from the beginning of
// an interval of Open until just before its end. Unit: s. Limit: >= 0.
//
// Times are sums and products of decimal fractions, and so are ticks. A time that is as near to the
// end of an interval as rounding explains is on it: a door that opens at 15 s opens with tick 150
// of 0.1 s.
func (o Obstacle) PresentAt(t float64) bool {
	for _, w := range o.Open {
		if reached(t, w[0]) && !reached(t, w[1]) {
			return false
		}
	}
	return true
}

// rounding is the relative error of a time against another that means the same: the number of a
// tick times the length of ticks has one of 2^-53 from the length as a float64, one from the
// product, and the other time has one of its own. A quotient adds as much.
const rounding = 1.0 / (1 << 51)

// reached reports whether the time t is mark or after it.
func reached(t, mark float64) bool { return t >= mark*(1-rounding) }

// OffsetAt returns the offset of a moving obstacle at a time from its place in the file; 0 if it
// does not move. It starts at the path's first offset at time 0 and moves on while it is absent.
// Offsets that repeat take no time. When a path with LoopCycle ends, the obstacle is back at its
// beginning. Units: s, m. Limit: t >= 0.
func (o Obstacle) OffsetAt(t float64) mgl64.Vec2 {
	if o.Motion == nil {
		return mgl64.Vec2{}
	}
	path := o.Motion.Path
	way := o.Motion.Speed * t
	length := 0.0
	for i := range path[1:] {
		length += stretch(path[i], path[i+1])
	}
	switch o.Motion.Loop {
	case LoopCycle:
		way = math.Max(0, way-float64(math.Floor(way/length*(1+rounding))*length))
	case LoopPingpong:
		way = math.Mod(way, 2*length)
		way = math.Min(way, 2*length-way)
	}
	for i := range path[1:] {
		a, b := path[i], path[i+1]
		s := stretch(a, b)
		if way < s {
			part := way / s
			// Products are rounded before they are added, so that every processor gets the same.
			return mgl64.Vec2{a[0] + float64(part*(b[0]-a[0])), a[1] + float64(part*(b[1]-a[1]))}
		}
		way -= s
	}
	return path[len(path)-1]
}

// stretch returns the distance of two points, rounded the same on every processor.
func stretch(a, b mgl64.Vec2) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}

// PolygonAt returns the obstacle's shape where it is at a time, whether or not it is present, also
// outside of the domain. Unit: s. Limit: t >= 0.
func (o Obstacle) PolygonAt(t float64) geom.Polygon {
	if o.Motion == nil {
		return o.Polygon()
	}
	return Moved(o.Polygon(), o.OffsetAt(t))
}

// Moved returns a copy of a polygon, moved by an offset. Unit: m.
func Moved(p geom.Polygon, by mgl64.Vec2) geom.Polygon {
	rings := Rings(p)
	for i, r := range rings {
		rings[i] = make(geom.Ring, len(r))
		for k, v := range r {
			rings[i][k] = v.Add(by)
		}
	}
	return geom.Polygon{Outer: rings[0], Holes: rings[1:]}
}
