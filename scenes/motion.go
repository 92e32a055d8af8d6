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

// Motion moves an obstacle, by one of Path and Keyframes.
type Motion struct {
	// Path is a line of offsets from the obstacle's place in the file. Unit: m.
	Path []mgl64.Vec2 `json:"path" unit:"m" min:"2"`
	// Speed along the path, which needs one. Unit: m/s. Limit: > 0.
	Speed float64 `json:"speed" unit:"m/s" above:"0"`
	// Keyframes are where the obstacle is at times, instead of a path: in between it moves and turns
	// evenly. It is at the first one until then. It waits between two that differ in their times
	// alone.
	Keyframes []Keyframe `json:"keyframes" min:"2"`
	// Pivot is the point of the obstacle, where that is in the file, that angles of keyframes turn
	// it about; the middle of its bounding box if it is left out. Unit: m.
	Pivot *mgl64.Vec2 `json:"pivot" unit:"m"`
	// Loop says what happens at the end of the path, or after the last keyframe.
	Loop Loop `json:"loop" default:"\"pingpong\""`
}

// Keyframe is where an obstacle is at a time.
type Keyframe struct {
	// Time is after that of the keyframe before. Unit: s. Limit: >= 0.
	Time float64 `json:"time" unit:"s" min:"0" required:"true"`
	// Offset of the pivot from its place in the file. Unit: m.
	Offset mgl64.Vec2 `json:"offset" unit:"m"`
	// Angle by which the obstacle is turned about the pivot, counter-clockwise. 360 degrees are a
	// whole turn. Unit: degrees. Limit: -1000000 to 1000000.
	Angle float64 `json:"angle" unit:"degrees" min:"-1000000" max:"1000000"`
}

// Loop says what a moving obstacle does at the end of its path, or after its last keyframe.
type Loop string

// The values of Loop.
const (
	LoopOnce     Loop = "once"     // it stays there
	LoopCycle    Loop = "cycle"    // it starts again at the beginning
	LoopPingpong Loop = "pingpong" // it goes back the way it came
)

const (
	// farthest is the number of lengths of the domain that a moving obstacle may go: package geom
	// takes vertices up to 2^20 lengths away.
	farthest = 1e6
	// farthestPivot is the same for a pivot, about which vertices go in circles: a few thousand
	// lengths, which farthest leaves of 2^20.
	farthestPivot = 1e3
)

// check finds what is wrong with a motion. A domain of nil has errors.
func (m *Motion) check(at place, domain *geom.Lattice) {
	if !exactlyOne(at, "the obstacle's motion", "path", "keyframes") {
		return
	}
	if at.at("path").given() {
		m.checkPath(at, domain)
		return
	}
	m.checkKeyframes(at, domain)
}

func (m *Motion) checkPath(at place, domain *geom.Lattice) {
	if !at.at("speed").given() {
		at.wrong("a path needs a speed: give it in m/s")
	}
	if p := at.at("pivot"); p.given() {
		p.wrong("an obstacle does not turn on a path: leave the pivot out, or give keyframes with angles")
	}
	if !slices.ContainsFunc(m.Path, func(v mgl64.Vec2) bool { return v != m.Path[0] }) {
		at.at("path").wrong("the path has no length: give at least two different offsets")
	}
	for k, v := range m.Path {
		checkNear(at.at("path", k), v, domain)
	}
}

func (m *Motion) checkKeyframes(at place, domain *geom.Lattice) {
	if p := at.at("speed"); p.given() {
		p.wrong("keyframes have times: leave the speed out, or give a path")
	}
	moves := false
	for k, f := range m.Keyframes {
		p := at.at("keyframes", k)
		checkNear(p.at("offset"), f.Offset, domain)
		if k == 0 {
			continue
		}
		before := m.Keyframes[k-1]
		moves = moves || before.Offset != f.Offset || before.Angle != f.Angle
		if !(f.Time > before.Time) {
			p.at("time").wrong("the time %v s is not after %v s, that of the keyframe before: give times that increase", f.Time, before.Time)
		}
	}
	if !moves {
		at.at("keyframes").wrong("the keyframes move nothing: give at least two different offsets or angles")
	}
	if p := at.at("pivot"); p.given() && domain != nil {
		off := m.Pivot.Sub(domain.Origin)
		if !(max(math.Abs(off[0]), math.Abs(off[1])) <= farthestPivot*domain.Length()) {
			p.wrong("the pivot %s is away by more than %v lengths of the domain: about a nearer one, or with offsets, the obstacle moves as straight", ShowPoint(*m.Pivot), farthestPivot)
		}
	}
}

// checkNear finds an offset that leads too far away.
func checkNear(at place, v mgl64.Vec2, domain *geom.Lattice) {
	if domain != nil && !(max(math.Abs(v[0]), math.Abs(v[1])) <= farthest*domain.Length()) {
		at.wrong("the offset %s leads away by more than %v lengths of the domain: what leaves the domain need go no farther", ShowPoint(v), farthest)
	}
}

// At returns where its motion has brought an obstacle at a time, from its place in the file. The
// motion starts with the path's first offset, or the first keyframe, at time 0 and goes on while
// the obstacle is absent. Offsets that repeat take no time. When a path or keyframes with LoopCycle
// end, the obstacle is back at their beginning. An obstacle without a motion stays. Unit: s. Limit:
// t >= 0.
func (o Obstacle) At(t float64) Transform {
	switch {
	case o.Motion == nil:
		return Transform{}
	case len(o.Motion.Keyframes) == 0:
		return Shift(o.Motion.along(t))
	}
	at := o.Motion.between(t)
	if turn := math.Mod(at.Angle, 360); turn != 0 {
		pivot := o.pivot()
		turned := Transform{Turn: turn * (math.Pi / 180)}
		turned.Offset = pivot.Sub(turned.Point(pivot)).Add(at.Offset)
		return turned
	}
	return Shift(at.Offset)
}

// pivot returns the point of the obstacle in the file that it is turned about.
func (o Obstacle) pivot() mgl64.Vec2 {
	if o.Motion.Pivot != nil {
		return *o.Motion.Pivot
	}
	lo, hi := o.Polygon().Outer.Box()
	return lo.Add(hi).Mul(0.5)
}

// along returns the offset on the path at a time.
func (m *Motion) along(t float64) mgl64.Vec2 {
	way := m.Loop.fold(m.progress(t))
	for i := range m.Path[1:] {
		a, b := m.Path[i], m.Path[i+1]
		s := stretch(a, b)
		if way < s {
			return mix(a, b, way/s)
		}
		way -= s
	}
	return m.Path[len(m.Path)-1]
}

// between returns the keyframe that there would be at a time.
func (m *Motion) between(t float64) Keyframe {
	way, length := m.progress(t)
	folded := m.Loop.fold(way, length)
	slack := rounding * max(way, length) // a tick that means the time of a keyframe is at it
	next := slices.IndexFunc(m.Keyframes, func(f Keyframe) bool { return folded < f.Time-slack })
	if next < 0 {
		next = len(m.Keyframes)
	}
	a := m.Keyframes[max(next-1, 0)]
	if next == 0 || next == len(m.Keyframes) || folded <= a.Time+slack {
		return a
	}
	b := m.Keyframes[next]
	part := (folded - a.Time) / (b.Time - a.Time)
	return Keyframe{folded, mix(a.Offset, b.Offset, part), a.Angle + float64(part*(b.Angle-a.Angle))}
}

// mix returns a point of the line from a to b. Products are rounded before they are added, so that
// every processor gets the same.
func mix(a, b mgl64.Vec2, part float64) mgl64.Vec2 {
	return mgl64.Vec2{a[0] + float64(part*(b[0]-a[0])), a[1] + float64(part*(b[1]-a[1]))}
}

// progress returns how far the motion has come at a time, if it went on straight, and how far it
// goes before it ends or begins again: both m of a path, or both s.
func (m *Motion) progress(t float64) (way, length float64) {
	if n := len(m.Keyframes); n > 0 {
		return t, m.Keyframes[n-1].Time
	}
	for i := range m.Path[1:] {
		length += stretch(m.Path[i], m.Path[i+1])
	}
	return m.Speed * t, length
}

// fold returns how far along its length a motion is.
func (l Loop) fold(way, length float64) float64 {
	switch l {
	case LoopCycle:
		return math.Max(0, way-float64(lap(way, length)*length))
	case LoopPingpong:
		way = math.Mod(way, 2*length)
		return math.Min(way, 2*length-way)
	}
	return way
}

// lap returns how often a motion with LoopCycle has ended.
func lap(way, length float64) float64 { return math.Floor(way / length * (1 + rounding)) }

// leaps reports whether the obstacle leaps back to where its motion began within a step.
func (m *Motion) leaps(t, step float64) bool {
	if m.Loop != LoopCycle || lap(m.progress(t)) == lap(m.progress(t+step)) {
		return false
	}
	if n := len(m.Keyframes); n > 0 {
		first, last := m.Keyframes[0], m.Keyframes[n-1]
		return first.Offset != last.Offset || math.Mod(first.Angle-last.Angle, 360) != 0
	}
	return m.Path[0] != m.Path[len(m.Path)-1]
}

// stretch returns the distance of two points, rounded the same on every processor.
func stretch(a, b mgl64.Vec2) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}

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

// Displacements returns by how much the points of the obstacle have moved, in m, over the step that
// ends at a time, by where they are at that time, m. It is nil for a step in which the obstacle has
// rested or leapt back to where it began. Units: s. Limits: t >= step > 0.
func (o Obstacle) Displacements(t, step float64) func(p mgl64.Vec2) mgl64.Vec2 {
	from, to := o.At(t-step), o.At(t)
	if from == to || o.Motion.leaps(t-step, step) {
		return nil
	}
	return to.velocities(from, -1)
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

// Moved returns the obstacle with its place in the file moved by an offset, m: its pivot, if it has
// one, and its shape, which stays a rectangle or a circle. It shares neither with the obstacle, and
// all else.
func (o Obstacle) Moved(by mgl64.Vec2) Obstacle {
	if o.Motion != nil && o.Motion.Pivot != nil {
		motion, pivot := *o.Motion, o.Motion.Pivot.Add(by)
		motion.Pivot, o.Motion = &pivot, &motion
	}
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
