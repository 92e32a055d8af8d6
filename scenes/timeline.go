package scenes

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// Timed reports whether time changes the obstacle: it opens, or it moves.
func (o Obstacle) Timed() bool { return len(o.Open) > 0 || o.Motion != nil }

// PresentAt reports whether the obstacle is there at a time: it is absent from the beginning of an interval of Open until
// just before its end. Unit: s. Limit: >= 0.
//
// Times are sums and products of decimal fractions, and so are ticks. A time that comes as near to the edge of an interval
// as rounding explains is on it: a door that opens at 15 s opens with tick 150 of 0.1 s.
func (o Obstacle) PresentAt(t float64) bool {
	for _, w := range o.Open {
		if reached(t, w[0]) && !reached(t, w[1]) {
			return false
		}
	}
	return true
}

// rounding is the relative error that a time may carry against another that means the same: the number of a tick times the
// length of ticks has one of 2^-53 from the length as a float64, one from the product, and the other time has one of its
// own. A quotient adds as much.
const rounding = 1.0 / (1 << 51)

// reached reports whether the time t is the time mark or after it.
func reached(t, mark float64) bool { return t >= mark*(1-rounding) }

// OffsetAt returns how far the obstacle's motion has carried it at a time from its place in the file; nothing if it does not
// move. It starts at the path's first offset at time 0 and moves on while it is absent. Offsets that repeat take no time. At
// the very moment at which a path with LoopCycle ends it is back at its beginning. Units: s, m. Limit: t >= 0.
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

// stretch is the distance of two points, of operations that are rounded the same on every processor.
func stretch(a, b mgl64.Vec2) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}

// PolygonAt returns the obstacle's shape where it is at a time, whether or not it is present. What is outside of the
// domain is in nobody's way. Unit: s. Limit: t >= 0.
func (o Obstacle) PolygonAt(t float64) geom.Polygon {
	p := o.Polygon()
	if o.Motion == nil {
		return p
	}
	return Moved(p, o.OffsetAt(t))
}

// Moved returns a copy of a polygon, moved by an offset. Unit: m.
func Moved(p geom.Polygon, by mgl64.Vec2) geom.Polygon {
	return mapped(p, func(v mgl64.Vec2) mgl64.Vec2 { return v.Add(by) })
}

// mapped returns a copy of a polygon whose vertices are what f makes of them.
func mapped(p geom.Polygon, f func(mgl64.Vec2) mgl64.Vec2) geom.Polygon {
	ring := func(r geom.Ring) geom.Ring {
		to := make(geom.Ring, len(r))
		for i, v := range r {
			to[i] = f(v)
		}
		return to
	}
	m := geom.Polygon{Outer: ring(p.Outer)}
	for _, h := range p.Holes {
		m.Holes = append(m.Holes, ring(h))
	}
	return m
}
