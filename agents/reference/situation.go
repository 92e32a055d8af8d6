package reference

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
	Left      float64    // to walk, m; +Inf where that is not known
	Radius    float64    // m, at least 0
	MaxSpeed  float64    // m/s
	Timestep  float64    // s
	Params    Params
	Neighbors []Neighbor // the nearest first
	Walls     []Wall     // the nearest first

	// Margin is by how much velocities keep off what ClearPath and ORCA forbid, m/s: 0 but to find
	// out what rounding may do to their choice.
	Margin float64
}

// Params are the parameters of all methods: how an agent avoids others.
type Params struct {
	MaxAcceleration float64 // m/s2, above 0
	TimeHorizon     float64 // s, above 0; at least a step is looked ahead
	Samples         int     // rvo: velocities tried, besides the preferred one
	Aggression      float64 // rvo: what collisions weigh, m; small ones make for daring
	LoadFactor      float64 // rvo: one's own share of evading, 0 to 1
	Variant         int     // clearpath: 1 or 2
}

// Neighbor is an agent near.
type Neighbor struct {
	ID       uint32
	Position mgl64.Vec2 // from the agent, m
	Velocity mgl64.Vec2 // m/s
	Wish     mgl64.Vec2 // what it would choose without neighbors, m/s: see Wish
	Left     float64    // to walk, m; +Inf where that is not known
	Radius   float64    // m
	// does its part of evading; an agent that stands or is moved from outside does not
	Shares bool
}

// Wall is a straight piece of an obstacle's border with free ground on its left, seen from A to
// B; from the agent, m. Its point nearest to the agent has the velocity, m/s. An agent stands on a
// wall that is no farther away than Grain, which is what places are rounded by, m.
type Wall struct {
	A, B, Velocity mgl64.Vec2
	Grain          float64
}

// horizon is how far ahead others are looked at: at least a step, since what is
// nearer in time cannot be acted on.
func (s *Situation) horizon() float64 { return max(s.Params.TimeHorizon, s.Timestep) }

// keepRight is the angle, in radians, by which agents among others turn their wish to the right.
// Two that walk into one another exactly, or whose paths cross as in a mirror, would otherwise
// mirror each other's every move and stand before each other for good. Any angle that floats can
// tell from none breaks the mirror; this one makes a millimeter in a meter.
const keepRight = 1e-3

// Desired is the velocity that the agent would choose, were there none to avoid.
func (s *Situation) Desired() mgl64.Vec2 {
	if len(s.Neighbors) == 0 {
		return s.Preferred
	}
	return turned(s.Preferred, -math.Sin(keepRight), math.Cos(keepRight))
}

// stopping is the time that it takes to stop, at most MaxSpeed / MaxAcceleration, and a step to
// begin with it; or the horizon, if that is shorter. It is how far ahead walls are looked at: an
// agent that comes near no faster than to be there after this time can brake, and more would keep
// agents off the walls that their paths lead along.
func (s *Situation) stopping() float64 {
	return min(s.horizon(), s.MaxSpeed/s.Params.MaxAcceleration+s.Timestep)
}

// outlook is how far ahead a wall is looked at: one that moves as far as agents that do not
// evade.
func (s *Situation) outlook(w Wall) float64 {
	if w.Velocity == (mgl64.Vec2{}) {
		return s.stopping()
	}
	return s.horizon()
}

// terms are what an agent takes for granted with a neighbor.
type terms struct {
	own, other mgl64.Vec2 // the velocities of both, m/s
	share      float64    // of evading, the agent's own
}

// plainTerms are those of the papers: both keep their velocities but for what they evade.
func (s *Situation) plainTerms(n Neighbor) terms {
	if n.Shares {
		return terms{s.Velocity, n.Velocity, 0.5}
	}
	return terms{s.Velocity, n.Velocity, 1}
}

// terms are those of two agents that may hold each other up.
//
// Agents that stand in each other's way see each other stand, and so stand on: of velocities that
// do not run into the others the nearest to what each prefers is none. An arch before a door
// holds for minutes. So one of two that are held up has the right of way: the one with less left
// to walk, of equal ones the one with the lower id. Both take it to come as much nearer as it
// wishes to, and the other one takes over its share of evading, by as much as both are held up.
// What there is space for in the time that it takes to stop, and by how much they come nearer as
// it is, is not claimed: far from each other, and while one of them makes the speed that it
// wishes for, terms are plain. Of all that are held up the one with the least left gives way to
// none, so one always goes on.
//
// Source: Curtis, Zafar, Gutub and Manocha 2013, Right of way: asymmetric agent interactions in
// crowds, where priorities are given; preferred velocities take the place of present ones there
// as a whole, also in directions that lead away from the other one, and from any distance.
func (s *Situation) terms(n Neighbor) terms {
	t := s.plainTerms(n)
	if !n.Shares {
		return t
	}
	ahead, room := s.ahead(n)
	wish := Wish(*s)
	held := heldUp(s.Velocity, wish) * heldUp(n.Velocity, n.Wish)
	// claim is by how much one with the right of way is taken to come nearer, and part that of
	// the speed that it wishes for.
	closing := max(s.Velocity.Dot(ahead), 0) + max(-n.Velocity.Dot(ahead), 0)
	claim := func(wish, nearer mgl64.Vec2) (change mgl64.Vec2, part float64) {
		speed := held * (wish.Dot(nearer) - room/s.stopping() - closing)
		if !(speed > 0) {
			return mgl64.Vec2{}, 0
		}
		return nearer.Mul(speed), min(speed/wish.Len(), 1)
	}
	if yields := n.Left < s.Left || n.Left == s.Left && n.ID < s.ID; yields {
		change, part := claim(n.Wish, ahead.Mul(-1))
		return terms{t.own, t.other.Add(change), t.share + part/2}
	}
	change, part := claim(wish, ahead)
	return terms{t.own.Add(change), t.other, t.share - part/2}
}

// heldUp is the part of the speed that it wishes for that an agent does not make; of no speed,
// all.
func heldUp(velocity, wish mgl64.Vec2) float64 {
	square := wish.LenSqr()
	if square == 0 {
		return 1
	}
	return min(max(1-velocity.Dot(wish)/square, 0), 1)
}

// Wish is the velocity that an agent would choose without neighbors: the preferred one, moved to
// the nearest velocity that ORCA's half plane of a wall allows, wall after wall, the nearest
// first.
//
// The right of way is about wishes, since a path that a point can walk leads bodies into walls:
// two agents side by side before a door both prefer to go straight on, into the jambs. By what
// they prefer they do not come nearer to each other; but the jambs leave both no way on but
// toward each other.
func Wish(s Situation) mgl64.Vec2 {
	s.Margin = 0
	v := s.Preferred
	for _, l := range s.wallLines() {
		v = v.Add(mgl64.Vec2{-l.direction[1], l.direction[0]}.Mul(max(l.wrong(v), 0)))
	}
	return v
}

// apex is the tip of a neighbor's cone.
func (t terms) apex() mgl64.Vec2 { return t.own.Mul(1 - t.share).Add(t.other.Mul(t.share)) }

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

// toward is the direction from the agent, which is not behind the wall, to the nearest point q:
// beside the wall square to it, which is exact even for an agent on it.
func (w Wall) toward(q mgl64.Vec2) mgl64.Vec2 {
	d := w.B.Sub(w.A)
	if along := -w.A.Dot(d); q.Len() <= w.Grain || along > 0 && along < d.Dot(d) {
		return w.normal().Mul(-1)
	}
	return q.Normalize()
}

// behind says whether the agent is on the wall's covered side: others of its obstacle are before
// it.
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

// apart is the direction in which an agent leaves another in whose very place it is: of two the
// one with the lower id to the left, the other to the right.
func apart(me, other uint32) mgl64.Vec2 {
	if me < other {
		return mgl64.Vec2{-1, 0}
	}
	return mgl64.Vec2{1, 0}
}
