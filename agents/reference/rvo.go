package reference

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// RVO is the cheapest of the preferred velocity and a number of random ones within reach of speed
// and acceleration. A velocity costs what it differs from the preferred one, and what its
// collisions weigh:
//
//	|preferred - v| + aggression / (least time to a collision)
//
// Of equally cheap ones the first counts, the preferred one being the first. random gives two
// numbers in [0, 1) for each sample. Source: Bleiweiss 2009, section 3.2 and 3.3, after van den
// Berg et al. 2008.
//
// Where the print is silent: times count as at least a step. Of collisions within the step that
// weighs more which gets deeper: (aggression / step) (1 + 2 d), d being how deep, as a share of
// the radii's sum, both are in each other at the end of the step, at most 1. Else all velocities
// are alike to an agent that is touched on several sides: in the corridor of Narrow agents came
// to overlap by 39% of their radii, with a contact pass. Those that overlap already count the
// time t from the collision, as (aggression / step) (1 + t / step): more than any collision
// beyond the step, and less the sooner both part; t is at most the time horizon. Samples outside
// of the disc of possible speeds are left out, so that the others are evenly spread over what is
// possible.
//
// Where it is left: a collision with a wall that is farther off than the time to stop weighs nothing,
// since the agent can turn away until then, and a wall never comes nearer by itself. The paper weighs
// all. In a corridor each velocity aside then costs as the wall that it leads to, to stand costs less,
// and agents that meet head-on in 2 m stand for good (TestPairsPass of package engine).
func RVO(s Situation, random func(sample int) [2]float64) mgl64.Vec2 {
	s.Preferred = s.Desired()
	reach := s.reach()
	best := reach.nearest(s.Preferred)
	least := s.cost(best)
	from, other := reach.change, reach.speed
	if other.radius < from.radius {
		from, other = other, from
	}
	for i := range s.Params.Samples {
		u := random(i)
		radius := from.radius * math.Sqrt(u[0])
		sine, cosine := math.Sincos(2 * math.Pi * u[1])
		v := from.center.Add(mgl64.Vec2{radius * cosine, radius * sine})
		if !other.holds(v) {
			continue
		}
		if c := s.cost(v); c < least {
			best, least = v, c
		}
	}
	return best
}

// Cost is what RVO reckons a velocity to cost. Units: m/s.
func Cost(s Situation, v mgl64.Vec2) float64 {
	s.Preferred = s.Desired()
	return s.cost(v)
}

// cost of a velocity, with the desired one for the preferred.
func (s *Situation) cost(v mgl64.Vec2) float64 {
	worst := 0.0
	weigh := func(overlap bool, time, closing float64) {
		c := s.Params.Aggression / max(time, s.Timestep)
		if time < s.Timestep {
			c *= 1 + 2*min((s.Timestep-time)*closing, 1)
		}
		if overlap {
			c = s.Params.Aggression / s.Timestep * (1 + min(time, s.horizon())/s.Timestep)
		}
		worst = max(worst, c)
	}
	for _, n := range s.Neighbors {
		// Twice, with a half share, the change of one's own velocity.
		share := 1.0
		if n.Shares {
			share = s.Params.LoadFactor
		}
		if share == 0 {
			continue // all of the evading is the other's
		}
		relative := v.Sub(s.Velocity.Mul(1 - share)).Mul(1 / share).Sub(n.Velocity)
		weigh(meeting(n.Position, relative, s.Radius+n.Radius))
	}
	for _, w := range s.Walls {
		if w.behind() {
			continue
		}
		if overlap, time, closing := w.meeting(v.Sub(w.Velocity), s.Radius); overlap || time < s.outlook(w) {
			weigh(overlap, time, closing)
		}
	}
	return s.Preferred.Sub(v).Len() + worst
}

// meeting is when a point that moves with velocity v from the origin comes within radius of p,
// +Inf for never; or, where it is there now, when it is no more. closing is how fast it goes on
// towards p when it comes there, as a share of the radius, 1/s.
func meeting(p, v mgl64.Vec2, radius float64) (overlap bool, time, closing float64) {
	a, b, c := v.Dot(v), p.Dot(v), p.Dot(p)-radius*radius
	root := b*b - a*c
	if c < 0 {
		if a == 0 {
			return true, math.Inf(1), 0
		}
		return true, (b + math.Sqrt(max(0, root))) / a, 0
	}
	if a == 0 || b <= 0 || root < 0 {
		return false, math.Inf(1), 0
	}
	if radius > 0 {
		closing = math.Sqrt(root) / radius / radius
	}
	return false, c / (b + math.Sqrt(root)), closing // (b - root) / a without cancellation
}

// meeting is the same for a wall, of which a moving point keeps a radius away. Beside a wall that
// is nearer than that the way out is straight away from it.
func (w Wall) meeting(v mgl64.Vec2, radius float64) (overlap bool, time, closing float64) {
	q := w.nearest()
	if distance := q.Len(); distance < radius {
		if speed := -v.Dot(w.toward(q)); speed > 0 {
			return true, (radius - distance) / speed, 0
		}
		return true, math.Inf(1), 0
	}
	_, time, closing = meeting(w.A, v, radius)
	if _, otherTime, otherClosing := meeting(w.B, v, radius); otherTime < time {
		time, closing = otherTime, otherClosing
	}
	// The straight side of the grown wall, between the discs around its ends.
	if n := w.normal(); v.Dot(n) < 0 {
		t := (w.A.Dot(n) + radius) / v.Dot(n)
		d := w.B.Sub(w.A)
		if along := v.Mul(t).Sub(w.A).Dot(d); t >= 0 && t < time && along >= 0 && along <= d.Dot(d) {
			time, closing = t, 0
			if radius > 0 {
				closing = -v.Dot(n) / radius
			}
		}
	}
	return false, time, closing
}
