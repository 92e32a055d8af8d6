package scenes

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// All that is known of obstacle motions is in this file: the fields of the document, what is
// checked of them, and At, which gives the rigid transform of an obstacle at a time. Another motion
// is another case of these; what moves, cuts and avoids obstacles takes transforms.

// Motion moves an obstacle along a path.
type Motion struct {
	// Path is a line of offsets from the obstacle's place in the file. Unit: m.
	Path []mgl64.Vec2 `json:"path" unit:"m" min:"2" required:"true"`
	// Speed along the path. Unit: m/s. Limit: > 0.
	Speed float64 `json:"speed" unit:"m/s" above:"0" required:"true"`
	// Loop says what happens at the path's end.
	Loop Loop `json:"loop" default:"\"pingpong\""`
}

// Loop says what a moving obstacle does at the end of its path.
type Loop string

// The values of Loop.
const (
	LoopOnce     Loop = "once"     // it stays there
	LoopCycle    Loop = "cycle"    // it starts again at the path's beginning
	LoopPingpong Loop = "pingpong" // it goes back along the path
)

// farthest is the number of lengths of the domain that a moving obstacle may go: package geom takes
// vertices up to 2^20 lengths away.
const farthest = 1e6

// check finds what is wrong with a motion. A domain of nil has errors.
func (m *Motion) check(at place, domain *geom.Lattice) {
	if !slices.ContainsFunc(m.Path, func(v mgl64.Vec2) bool { return v != m.Path[0] }) {
		at.at("path").wrong("the path has no length: give at least two different offsets")
	}
	for k, v := range m.Path {
		if domain != nil && !(max(math.Abs(v[0]), math.Abs(v[1])) <= farthest*domain.Length()) {
			at.at("path", k).wrong("the offset %s leads away by more than %v lengths of the domain: what leaves the domain need go no farther", ShowPoint(v), farthest)
		}
	}
}

// At returns where its motion has brought an obstacle at a time, from its place in the file. The
// motion starts at the path's first offset at time 0 and goes on while the obstacle is absent.
// Offsets that repeat take no time. When a path with LoopCycle ends, the obstacle is back at its
// beginning. An obstacle without a motion stays. Unit: s. Limit: t >= 0.
func (o Obstacle) At(t float64) Transform {
	if o.Motion == nil {
		return Transform{}
	}
	return Shift(o.Motion.along(t))
}

// along returns the offset on the path at a time.
func (m *Motion) along(t float64) mgl64.Vec2 {
	way := m.Speed * t
	length := 0.0
	for i := range m.Path[1:] {
		length += stretch(m.Path[i], m.Path[i+1])
	}
	switch m.Loop {
	case LoopCycle:
		way = math.Max(0, way-float64(math.Floor(way/length*(1+rounding))*length))
	case LoopPingpong:
		way = math.Mod(way, 2*length)
		way = math.Min(way, 2*length-way)
	}
	for i := range m.Path[1:] {
		a, b := m.Path[i], m.Path[i+1]
		s := stretch(a, b)
		if way < s {
			part := way / s
			// Products are rounded before they are added, so that every processor gets the same.
			return mgl64.Vec2{a[0] + float64(part*(b[0]-a[0])), a[1] + float64(part*(b[1]-a[1]))}
		}
		way -= s
	}
	return m.Path[len(m.Path)-1]
}

// leaps reports whether the obstacle leaps back to where its path began within a step.
func (m *Motion) leaps(t, step float64) bool {
	return m.along(t+step).Sub(m.along(t)).Mul(1/step).Len() > m.Speed*(1+leap)
}

// stretch returns the distance of two points, rounded the same on every processor.
func stretch(a, b mgl64.Vec2) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}

// leap is by how much rounding may make the speed over a step greater than Speed: offsets up to
// some kilometers are rounded by 2^-53 of that, over millimeters.
const leap = 1e-6

// Velocities returns the mean velocities, in m/s, over a step from a time on, of the points of the
// obstacle, by where they are at that time, m. It is nil for a step in which the obstacle rests or
// leaps back to where it began. Units: s. Limits: t >= 0, step > 0.
func (o Obstacle) Velocities(t, step float64) func(p mgl64.Vec2) mgl64.Vec2 {
	from, to := o.At(t), o.At(t+step)
	if from == to || o.Motion.leaps(t, step) {
		return nil
	}
	return from.velocities(to, step)
}

// Transform is a rigid motion of the plane: a turn about the origin, then a shift. The zero
// Transform moves nothing.
type Transform struct {
	Turn   float64    // rad, counter-clockwise
	Offset mgl64.Vec2 // m
}

// Shift returns the transform that only moves.
func Shift(by mgl64.Vec2) Transform { return Transform{Offset: by} }

// Point returns where a point comes to, the same on every processor.
func (t Transform) Point(p mgl64.Vec2) mgl64.Vec2 {
	if t.Turn != 0 {
		sin, cos := sincos(t.Turn)
		p = mgl64.Vec2{float64(p[0]*cos) - float64(p[1]*sin), float64(p[0]*sin) + float64(p[1]*cos)}
	}
	return p.Add(t.Offset)
}

// Polygon returns a copy of a polygon where it comes to.
func (t Transform) Polygon(p geom.Polygon) geom.Polygon {
	rings := p.Rings()
	for i, r := range rings {
		rings[i] = make(geom.Ring, len(r))
		for k, v := range r {
			rings[i][k] = t.Point(v)
		}
	}
	return geom.Polygon{Outer: rings[0], Holes: rings[1:]}
}

// Moved returns the obstacle with its place in the file moved by an offset, m: its shape, which
// stays a rectangle or a circle. It shares no shape with the obstacle, and all else.
func (o Obstacle) Moved(by mgl64.Vec2) Obstacle {
	switch {
	case o.Rect != nil:
		lo, hi := o.Rect.Min().Add(by), o.Rect.Max().Add(by)
		o.Rect = &Rect{lo[0], lo[1], hi[0], hi[1]}
	case o.Circle != nil:
		circle := *o.Circle
		circle.Center = circle.Center.Add(by)
		o.Circle = &circle
	default:
		o = o.Shaped(Shift(by).Polygon(o.Polygon()))
	}
	return o
}

// Shaped returns the obstacle with a polygon as its shape, which it shares.
func (o Obstacle) Shaped(p geom.Polygon) Obstacle {
	o.Rect, o.Circle = nil, nil
	o.Outline, o.Holes = p.Outer, nil
	for _, h := range p.Holes {
		o.Holes = append(o.Holes, h)
	}
	return o
}

// velocities returns the mean velocities, over a step, of points that go from where one transform
// has brought them to where another one does, by where the first one has.
func (t Transform) velocities(to Transform, step float64) func(p mgl64.Vec2) mgl64.Vec2 {
	shift := to.Offset.Sub(t.Offset).Mul(1 / step)
	turn := Transform{Turn: to.Turn - t.Turn}
	return func(p mgl64.Vec2) mgl64.Vec2 {
		at := p.Sub(t.Offset)
		return shift.Add(turn.Point(at).Sub(at).Mul(1 / step))
	}
}
