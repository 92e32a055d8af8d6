package avoid

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Situation is what an agent knows when it chooses a velocity.
type Situation struct {
	ID        uint32     // its slot
	Step      uint32     // of the run
	Velocity  mgl64.Vec2 // now, m/s
	Preferred mgl64.Vec2 // what it would choose alone, m/s
	Radius    float64    // m, at least 0
	MaxSpeed  float64    // m/s
	Timestep  float64    // s
	Manner    Manner
	Neighbors []Neighbor // the nearest first
	Walls     []Wall     // the nearest first

	// Margin is by how much velocities keep off what ClearPath and ORCA forbid, m/s: 0 but for telling
	// what rounding may do to their choice.
	Margin float64
}

// Manner is how somebody avoids others: the parameters of all methods.
type Manner struct {
	MaxAcceleration float64 // m/s2, above 0
	TimeHorizon     float64 // s, above 0; at least a step is looked ahead
	Samples         int     // rvo: velocities tried, besides the preferred one
	Aggression      float64 // rvo: what collisions weigh, m; small ones make for daring
	LoadFactor      float64 // rvo: one's own share of evading, 0 to 1
	Variant         int     // clearpath: 1 or 2
}

// Neighbor is somebody near.
type Neighbor struct {
	ID       uint32
	Position mgl64.Vec2 // from the agent, m
	Velocity mgl64.Vec2 // m/s
	Radius   float64    // m
	Shares   bool       // does his part of evading; who stands or is moved from outside does not
}

// Wall is a straight piece of an obstacle's border with free ground on its left,
// seen from A to B; from the agent, m. It moves with its obstacle, m/s. An agent stands on a wall that is no farther away
// than Grain, which is what places are rounded by, m.
type Wall struct {
	A, B, Velocity mgl64.Vec2
	Grain          float64
}

// horizon is how far ahead others are looked at: at least a step, since what is
// nearer in time cannot be acted on.
func (s *Situation) horizon() float64 { return max(s.Manner.TimeHorizon, s.Timestep) }

// keepRight is the angle, in radians, by which people among others turn their wish to
// the right. Two who walk into one another exactly, or whose ways cross as in a mirror,
// would otherwise mirror each other's every move and stand before each other for good.
// Any angle that floats can tell from none breaks the mirror; this one makes a
// millimetre in a metre.
const keepRight = 1e-3

// Desired is the velocity that the agent would choose, were there nobody to avoid.
func (s *Situation) Desired() mgl64.Vec2 {
	if len(s.Neighbors) == 0 {
		return s.Preferred
	}
	return turned(s.Preferred, -math.Sin(keepRight), math.Cos(keepRight))
}

// stopping is the time that it takes to stop, at most MaxSpeed / MaxAcceleration, and a step
// to begin with it; or the horizon, if that is shorter. Who comes near no faster than to be there
// after this time brakes by no more than it can. It is how far ahead walls are looked at: they
// stand still, and more would keep people off the walls that their ways lead along.
func (s *Situation) stopping() float64 {
	return min(s.horizon(), s.MaxSpeed/s.Manner.MaxAcceleration+s.Timestep)
}

// outlook is how far ahead a wall is looked at: one that stands as far as it takes to stop, one that
// moves as far as people who do not evade.
func (s *Situation) outlook(w Wall) float64 {
	if w.Velocity == (mgl64.Vec2{}) {
		return s.stopping()
	}
	return s.horizon()
}

// contact is the share of the radii's sum by which two discs overlap at least when they count
// as being in contact: a hundredth, as everywhere in the crowd.
const contact = 0.01

// nearest is the point of the wall nearest to the agent.
func (w Wall) nearest() mgl64.Vec2 {
	d := w.B.Sub(w.A)
	length := d.Dot(d)
	if length == 0 {
		return w.A
	}
	return w.A.Add(d.Mul(min(max(-w.A.Dot(d)/length, 0), 1)))
}

// toward is the direction from the agent, who is not behind it, to the nearest point q: beside the wall square to it, which is told
// exactly even by who stands on it.
func (w Wall) toward(q mgl64.Vec2) mgl64.Vec2 {
	d := w.B.Sub(w.A)
	if along := -w.A.Dot(d); q.Len() <= w.Grain || along > 0 && along < d.Dot(d) {
		return w.normal().Mul(-1)
	}
	return q.Normalize()
}

// behind says whether the agent is on the wall's covered side. That wall hides
// behind others of the same obstacle.
func (w Wall) behind() bool {
	d := w.B.Sub(w.A)
	side := cross(d, w.A.Mul(-1))
	return side < 0 && side*side > w.Grain*w.Grain*d.Dot(d)
}

// normal is the wall's unit normal on its free side.
func (w Wall) normal() mgl64.Vec2 {
	d := w.B.Sub(w.A).Normalize()
	return mgl64.Vec2{-d[1], d[0]}
}

// cross is positive where b lies left of a.
func cross(a, b mgl64.Vec2) float64 { return a[0]*b[1] - a[1]*b[0] }

// turned is v turned left by the angle with that sine and cosine.
func turned(v mgl64.Vec2, sine, cosine float64) mgl64.Vec2 {
	return mgl64.Vec2{v[0]*cosine - v[1]*sine, v[0]*sine + v[1]*cosine}
}

// apart is the direction in which an agent leaves another in whose very place it
// is: of two the one with the lower id to the left, the other to the right.
func apart(me, other uint32) mgl64.Vec2 {
	if me < other {
		return mgl64.Vec2{-1, 0}
	}
	return mgl64.Vec2{1, 0}
}
