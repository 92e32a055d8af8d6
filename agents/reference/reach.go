package reference

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// disc is a disc of velocities.
type disc struct {
	center mgl64.Vec2
	radius float64
}

// reach is the velocities that an agent can have after a step: no faster than it can be, and no
// farther from its velocity than it can accelerate. Two discs; where they do not meet, because
// the agent is much too fast, it brakes as it can.
type reach struct{ speed, change disc }

func (s *Situation) reach() reach {
	r := reach{
		speed:  disc{radius: s.MaxSpeed},
		change: disc{s.Velocity, s.Params.MaxAcceleration * s.Timestep},
	}
	if over := s.Velocity.Len() - r.speed.radius - r.change.radius; over > 0 {
		r.speed.radius += over
	}
	return r
}

func (d disc) holds(v mgl64.Vec2) bool {
	off := v.Sub(d.center)
	return off.Dot(off) <= d.radius*d.radius
}

// nearest is the velocity of the disc nearest to v.
func (d disc) nearest(v mgl64.Vec2) mgl64.Vec2 {
	off := v.Sub(d.center)
	length := off.Len()
	if length <= d.radius {
		return v
	}
	return d.center.Add(off.Mul(d.radius / length))
}

// nearest is the velocity within reach nearest to v.
func (r reach) nearest(v mgl64.Vec2) mgl64.Vec2 {
	return r.best(r.speed.nearest(v), r.change.nearest(v), func(w mgl64.Vec2) float64 { return -w.Sub(v).LenSqr() })
}

// farthest is the velocity within reach that goes farthest in a direction of length 1.
func (r reach) farthest(direction mgl64.Vec2) mgl64.Vec2 {
	of := func(d disc) mgl64.Vec2 { return d.center.Add(direction.Mul(d.radius)) }
	return r.best(of(r.speed), of(r.change), func(w mgl64.Vec2) float64 { return w.Dot(direction) })
}

// best is the best velocity within reach by a convex measure: the best of one of the discs, or
// one of the two points where their borders cross.
func (r reach) best(inSpeed, inChange mgl64.Vec2, value func(mgl64.Vec2) float64) mgl64.Vec2 {
	if r.change.holds(inSpeed) {
		return inSpeed
	}
	if r.speed.holds(inChange) {
		return inChange
	}
	left, right := r.crossings()
	if value(left) >= value(right) {
		return left
	}
	return right
}

// crossings are the two points where the discs' borders cross, or, of discs that rounding keeps
// apart, the one between them twice. The discs are not concentric: then one would hold the other.
func (r reach) crossings() (left, right mgl64.Vec2) {
	off := r.change.center.Sub(r.speed.center)
	d := off.Len()
	if d == 0 {
		return r.speed.center, r.speed.center
	}
	u := off.Mul(1 / d)
	along := (d*d + r.speed.radius*r.speed.radius - r.change.radius*r.change.radius) / (2 * d)
	across := math.Sqrt(max(0, r.speed.radius*r.speed.radius-along*along))
	middle := r.speed.center.Add(u.Mul(along))
	return middle.Add(mgl64.Vec2{-u[1], u[0]}.Mul(across)), middle.Add(mgl64.Vec2{u[1], -u[0]}.Mul(across))
}

// chord is the part of the line p + t d, d of length 1, that lies in the disc; false
// if there is none.
func (d disc) chord(p, along mgl64.Vec2) (from, to float64, ok bool) {
	off := p.Sub(d.center)
	b := off.Dot(along)
	root := b*b - off.Dot(off) + d.radius*d.radius
	if root < 0 {
		return 0, 0, false
	}
	root = math.Sqrt(root)
	return -b - root, -b + root, true
}
