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

// reach is the velocities that an agent can have after a step: no faster than it
// can be, and no farther from its velocity than it can accelerate. Two discs; where
// they do not meet, because somebody is much too fast, it brakes as it can.
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

// nearest is the velocity within reach nearest to v: v itself, its nearest in one of
// the discs, or one of the two points where their borders cross.
func (r reach) nearest(v mgl64.Vec2) mgl64.Vec2 {
	inSpeed := r.speed.nearest(v)
	if r.change.holds(inSpeed) {
		return inSpeed
	}
	inChange := r.change.nearest(v)
	if r.speed.holds(inChange) {
		return inChange
	}
	left, right := r.crossings()
	if left.Sub(v).LenSqr() <= right.Sub(v).LenSqr() {
		return left
	}
	return right
}

// crossings are the two points where the discs' borders cross, or, of discs that
// rounding keeps apart, the one between them twice. The discs are not concentric: then
// one would hold the other, and nobody asks.
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

// farthest is the velocity within reach that goes farthest in a direction of length 1:
// that of one of the discs, or one of the two points where their borders cross.
func (r reach) farthest(direction mgl64.Vec2) mgl64.Vec2 {
	far := r.speed.center.Add(direction.Mul(r.speed.radius))
	if r.change.holds(far) {
		return far
	}
	far = r.change.center.Add(direction.Mul(r.change.radius))
	if r.speed.holds(far) {
		return far
	}
	left, right := r.crossings()
	if left.Dot(direction) >= right.Dot(direction) {
		return left
	}
	return right
}
