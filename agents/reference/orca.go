package reference

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// ORCA is the velocity nearest to the preferred one in the half planes that all neighbors and
// walls leave, within reach of speed and acceleration. Source: van den Berg, Guy, Lin and Manocha
// 2011, Reciprocal n-body collision avoidance, sections 4 and 5.
//
// Where nothing is left, the velocity is taken whose greatest distance to a neighbor's half plane
// is least, as in section 5.3, but before that walls are kept to, and no neighbor is touched
// within the step (see leastWrong): the paper's choice alone has a dense crowd overlap four times
// as often.
//
// A wall's half plane, which that paper leaves open, is here that of its nearest point q: q . v
// <= (|q| - r) / T. The wall grown by r is convex and lies beyond that line for as long as T; T
// is short (see stopping), so that agents walk beside walls and round their ends. Of walls that
// move alike the half plane is that of neighbors that do not evade.
func ORCA(s Situation) mgl64.Vec2 {
	reach, desired := s.reach(), s.Desired()
	walls, lines := s.wallLines(), s.neighborLines()
	if v, failed := nearest(slices.Concat(walls, lines), reach, desired); failed == len(walls)+len(lines) {
		return v
	}
	return leastWrong(walls, s.stepLines(), lines, reach, desired)
}

// Wrong is how far a velocity is on the wrong side of ORCA's half planes, at most: of walls, of
// those that keep from touching within the step, and of neighbors, in m/s; below 0 on the good
// side of all, negative infinity if there are none.
func (s Situation) Wrong(v mgl64.Vec2) (walls, step, neighbors float64) {
	most := func(lines []line) float64 {
		worst := math.Inf(-1)
		for _, l := range lines {
			worst = max(worst, l.wrong(v))
		}
		return worst
	}
	return most(s.wallLines()), most(s.stepLines()), most(s.neighborLines())
}

// HalfPlane is a half plane of ORCA: velocities left of the line through Point along Direction.
type HalfPlane struct {
	Point, Direction mgl64.Vec2
	Index            int // of its wall or neighbor in the situation
}

// Wrong is how far a velocity is on the wrong side, m/s.
func (h HalfPlane) Wrong(v mgl64.Vec2) float64 { return line{h.Point, h.Direction}.wrong(v) }

// HalfPlanes are ORCA's half planes of walls, of this step, and of neighbors, in the order in which
// they are tried.
func (s Situation) HalfPlanes() (walls, step, neighbors []HalfPlane) {
	for i := range s.Walls {
		if l, ok := s.wallLine(i); ok {
			walls = append(walls, HalfPlane{l.point, l.direction, i})
		}
	}
	of := func(lines []line) (all []HalfPlane) {
		for i, l := range lines {
			all = append(all, HalfPlane{l.point, l.direction, i})
		}
		return all
	}
	return walls, of(s.stepLines()), of(s.neighborLines())
}

// line bounds a half plane of velocities: those left of it, seen along direction.
type line struct {
	point     mgl64.Vec2
	direction mgl64.Vec2 // of length 1
}

// wrong is how far v is on the wrong side.
func (l line) wrong(v mgl64.Vec2) float64 { return cross(l.direction, l.point.Sub(v)) }

// bound is the line through a point with its good side in a direction, but for the margin.
func (s *Situation) bound(point, good mgl64.Vec2) line {
	return line{point.Add(good.Mul(s.Margin)), mgl64.Vec2{good[1], -good[0]}}
}

// wallLines are the half planes that walls leave.
func (s *Situation) wallLines() []line {
	var lines []line
	for i := range s.Walls {
		if l, ok := s.wallLine(i); ok {
			lines = append(lines, l)
		}
	}
	return lines
}

// wallLine is that of a wall; false where the agent is behind it, or another wall's is for both.
func (s *Situation) wallLine(i int) (line, bool) {
	w := s.Walls[i]
	if w.behind() {
		return line{}, false
	}
	q := w.nearest()
	distance := q.Len()
	if moves := w.Velocity != (mgl64.Vec2{}); moves && distance > s.Radius {
		if l, first, ok := s.moverLine(w.Velocity); ok {
			return l, i == first
		}
	}
	ahead := w.toward(q)
	room := (distance - s.Radius) / s.outlook(w)
	if room < 0 {
		room = -min((s.Radius-distance)/s.Timestep, s.Params.MaxAcceleration*s.Timestep/2)
	}
	return s.bound(w.Velocity.Add(ahead.Mul(room)), ahead.Mul(-1)), true
}

// moverLine is the half plane of all walls with a velocity, as one obstacle: the border of their
// truncated cone that the agent's velocity is to get past first. first is the nearest of them.
// False where they do not lie beyond its nearest point, as inside of something that moves.
func (s *Situation) moverLine(velocity mgl64.Vec2) (l line, first int, ok bool) {
	first = -1
	var q, ahead, left, right mgl64.Vec2
	for i, w := range s.Walls {
		p := w.nearest()
		if w.Velocity != velocity || w.behind() || p.Len() <= s.Radius {
			continue
		}
		if first < 0 {
			first, q, ahead = i, p, w.toward(p)
			left, right = s.tangents(w.A)
		}
		for _, end := range [...]mgl64.Vec2{w.A, w.B} {
			if ahead.Dot(end.Sub(q)) < -convexSlack {
				return line{}, first, false
			}
			left, right = s.widened(left, right, end)
		}
	}
	g := truncated(velocity, left, right, ahead, (q.Len()-s.Radius)/s.horizon())
	out := g.planes[2] // the cut
	for _, side := range g.planes[:2] {
		if side.normal.Dot(s.Velocity)-side.offset < out.normal.Dot(s.Velocity)-out.offset {
			out = side
		}
	}
	return s.bound(out.normal.Mul(out.offset), out.normal.Mul(-1)), first, true
}

// convexSlack is by how much walls that lie on a line may not, as rounding has it. Units: m.
const convexSlack = 1e-3

// stepLines are the half planes of velocities that come no nearer to a neighbor within the step
// than to touch it, if it does as much; of two that overlap, that part within the step.
func (s *Situation) stepLines() []line {
	lines := make([]line, len(s.Neighbors))
	for i, n := range s.Neighbors {
		t := s.plainTerms(n)
		ahead, room := s.ahead(n)
		lines[i] = s.bound(t.apex().Add(ahead.Mul(room*t.share/s.Timestep)), ahead.Mul(-1))
	}
	return lines
}

// neighborLines are the half planes that neighbors leave.
func (s *Situation) neighborLines() []line {
	lines := make([]line, len(s.Neighbors))
	for i, n := range s.Neighbors {
		lines[i] = s.neighborLine(n)
	}
	return lines
}

// neighborLine is the half plane of section 4: with w the relative velocity's nearest way out of
// the truncated velocity obstacle, the agent does its share of w. Terms also count for agents
// that overlap: contacts leave overlaps of up to a hundredth, which most pairs of a jam have.
func (s *Situation) neighborLine(n Neighbor) line {
	sum, distance2 := s.Radius+n.Radius, n.Position.LenSqr()
	t := s.terms(n)
	relative := t.own.Sub(t.other)
	var out, way mgl64.Vec2 // unit vector out of the obstacle, and the way to its border
	if distance2 > sum*sum {
		inverse := 1 / s.horizon()
		w := relative.Sub(n.Position.Mul(inverse)) // from the middle of the cut-off disc
		along := w.Dot(n.Position)
		if length2 := w.LenSqr(); along < 0 && along*along > sum*sum*length2 {
			length := math.Sqrt(length2)
			out = w.Mul(1 / length)
			way = out.Mul(sum*inverse - length)
		} else {
			// The nearer leg: that on whose side w is; exactly ahead, the left one, for both.
			leg := math.Sqrt(distance2 - sum*sum)
			sine, cosine := sum/math.Sqrt(distance2), leg/math.Sqrt(distance2)
			u := n.Position.Mul(1 / math.Sqrt(distance2))
			if cross(n.Position, w) >= 0 {
				edge := turned(u, sine, cosine)
				out = mgl64.Vec2{-edge[1], edge[0]}
			} else {
				edge := turned(u, -sine, cosine)
				out = mgl64.Vec2{edge[1], -edge[0]}
			}
			way = out.Mul(-relative.Dot(out))
		}
	} else {
		// They overlap: apart within a step.
		w := relative.Sub(n.Position.Mul(1 / s.Timestep))
		length := w.Len()
		out = apart(s.ID, n.ID)
		if length > 0 {
			out = w.Mul(1 / length)
		}
		way = out.Mul(sum/s.Timestep - length)
	}
	return s.bound(t.own.Add(way.Mul(t.share)), out)
}

// program moves a velocity, the best within reach, line after line: where the best so far is on a
// line's wrong side, the best of all lines up to this one is on this one (section 5.1), as near
// as can be to along(line). It returns that and the number of lines; or, if a line leaves
// nothing, what there was before and that line.
func program(lines []line, reach reach, best mgl64.Vec2, along func(line) float64) (mgl64.Vec2, int) {
	for i, l := range lines {
		if l.wrong(best) <= 0 {
			continue
		}
		from, to, ok := within(lines[:i], l, reach)
		if !ok {
			return best, i
		}
		best = l.point.Add(l.direction.Mul(min(max(along(l), from), to)))
	}
	return best, len(lines)
}

// nearest is program for the velocity nearest to the desired one.
func nearest(lines []line, reach reach, desired mgl64.Vec2) (mgl64.Vec2, int) {
	return program(lines, reach, reach.nearest(desired), func(l line) float64 { return l.direction.Dot(desired.Sub(l.point)) })
}

// farthest is program for the velocity farthest in a direction.
func farthest(lines []line, reach reach, direction mgl64.Vec2) (mgl64.Vec2, int) {
	return program(lines, reach, reach.farthest(direction), func(l line) float64 {
		if l.direction.Dot(direction) > 0 {
			return math.Inf(1)
		}
		return math.Inf(-1)
	})
}

// within is the part of a line within reach and on the good side of others.
func within(others []line, l line, reach reach) (from, to float64, ok bool) {
	from, to = math.Inf(-1), math.Inf(1)
	for _, disc := range [...]disc{reach.speed, reach.change} {
		a, b, ok := disc.chord(l.point, l.direction)
		if !ok {
			return 0, 0, false
		}
		from, to = max(from, a), min(to, b)
	}
	for _, other := range others {
		slope := cross(l.direction, other.direction)
		room := cross(other.direction, l.point.Sub(other.point))
		switch {
		case slope > 0:
			to = min(to, room/slope)
		case slope < 0:
			from = max(from, room/slope)
		case room < 0:
			return 0, 0, false
		}
	}
	return from, to, from <= to
}

// leastWrong is the velocity that is least on the wrong side of the line on whose it is most,
// among those on the good side of walls' lines, and of those of this step; of walls' alone, if
// there is none on that of both, and of neither, if there is none on that of walls'.
//
// This is section 5.3: from the line that fails on, whenever the velocity is farther on a line's
// wrong side than on any before, it is moved along this line's normal, as far as the lines half
// way to the earlier ones allow.
func leastWrong(walls, step, lines []line, reach reach, desired mgl64.Vec2) mgl64.Vec2 {
	fixed := len(walls)
	if both := slices.Concat(walls, step); len(both) > fixed {
		if _, failed := nearest(both, reach, desired); failed == len(both) {
			walls, fixed = both, len(both)
		}
	}
	lines = slices.Concat(walls, lines)
	v, failed := nearest(lines, reach, desired)
	if failed < fixed {
		fixed = 0
	}
	distance := 0.0
	for i := max(failed, fixed); i < len(lines); i++ {
		l := lines[i]
		if l.wrong(v) <= distance {
			continue
		}
		bisectors := slices.Clone(lines[:fixed])
		for _, other := range lines[fixed:i] {
			along := other.direction.Sub(l.direction)
			if along == (mgl64.Vec2{}) {
				continue // the same direction: the nearer one to violation decides by itself
			}
			// Where both are as wrong: cross(along, v) is constant.
			off := cross(other.direction, other.point) - cross(l.direction, l.point)
			bisectors = append(bisectors, line{mgl64.Vec2{-along[1], along[0]}.Mul(off / along.LenSqr()), along.Normalize()})
		}
		inwards := mgl64.Vec2{-l.direction[1], l.direction[0]}
		if moved, failed := farthest(bisectors, reach, inwards); failed == len(bisectors) {
			v = moved
		}
		distance = l.wrong(v)
	}
	return v
}
