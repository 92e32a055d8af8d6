package reference

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// ClearPath is the velocity nearest to the preferred one outside of the truncated cones (FVO) of
// all neighbors and walls, within reach of speed and acceleration. Source: Guy et al. 2009,
// section 3.
//
// Where there is none, less is demanded: variant 1 halves the interval of all neighbors (3.3),
// variant 2 leaves out neighbors, the farthest first (step 6). An agent that comes near faster
// than it can brake hits what it meets. So no interval gets shorter than four times the time to
// stop, which also counts for neighbors that are left out: twice the time because those that
// share evading do half of it, and twice because others want to be evaded, too. Where that leaves
// nothing, variant 1 allows either side, as variant 2 does, and last the velocity is ORCA's,
// which is the least wrong.
//
// Where the print is silent or in error:
//
//   - The problem of section 3.2 lists the left, right and side constraints only. Outside is not
//     left or not right or not beyond the truncation: the outside of the intersection of three
//     half planes.
//   - Gamma adds a length to a velocity. In velocities the cut lies at (|p| - r) / T along p for
//     the relative velocity; for the apex half way between both velocities, at (|p| - r) / (2 T).
//   - The side constraint is printed negated. The present velocity v_A always satisfies
//     phi(v, (v_A + v_B) / 2, phi(v_A, v_B, n) n) >= 0, since it is |(v_A - v_B) . n|^2 / 2: its
//     negation would have all agents change sides at each step. Here it is the constraint itself,
//     and none where phi is 0: then both keep to the left, which is the same side.
//   - The side constraint, too, holds beyond the truncation only. As printed, it allows no agent
//     to change sides of a neighbor that it does not meet within the interval: of 80 agents that
//     walk back and forth for a minute 170 to 290 pairs came to touch, with this one none.
//   - Collision resolution (3.4) intersects a disc of velocities with a disc of lengths: meant is
//     that of the velocities which still overlap after a step, the summed radii over the step,
//     around v_B + p / step. Its conservative cone is, here, a half plane: square to p, as far
//     off as needed to part within the step, but never farther than half of what the agent can
//     change, so that there is something to choose from. An agent that overlaps by less than a
//     contact still wants to go on: else rounding would stop crowds.
//   - A wall does not share the effort: its cone has its apex at the wall's velocity. It is cut
//     along the direction of its nearest point q, at (|q| - r) / T: the wall grown by r is convex
//     and lies beyond that line.
//
// Instead of the list of all intersections (steps 2 to 5) each boundary segment is walked: the
// part of it inside another region is an interval, since regions are convex, and the nearest
// point outside of all intervals is found from the nearest point of the segment to either side.
// The velocities within reach are an interval, too. The optimum is the same (lemmas 1 and 2), or
// better: of section 3.2's problem with reach as a constraint.
func ClearPath(s Situation) mgl64.Vec2 {
	desired := s.Desired()
	for _, n := range s.Neighbors {
		if n.Position.Len() < (1-contact)*(s.Radius+n.Radius) {
			desired = mgl64.Vec2{} // in a collision, only to part (3.4)
		}
	}
	reach := s.reach()
	var walls []region
	for _, w := range s.Walls {
		if g, ok := s.wallRegion(w); ok {
			walls = append(walls, g.grown(s.Margin))
		}
	}
	// outside looks ahead by a horizon for neighbors below an index, by another one for the others.
	outside := func(index int, near, far float64, keepsSide bool) (mgl64.Vec2, bool) {
		regions := slices.Clone(walls)
		for i := range s.Neighbors {
			regions = append(regions, s.demanded(i, index, near, far, keepsSide).grown(s.Margin))
		}
		return nearestOutside(desired, regions, reach)
	}
	short := min(s.horizon(), 4*s.stopping())
	if s.Params.Variant == 1 {
		for horizon := s.horizon(); ; horizon = max(horizon/2, short) {
			if v, ok := outside(len(s.Neighbors), horizon, horizon, true); ok {
				return v
			}
			if horizon <= short {
				break
			}
		}
		if v, ok := outside(0, short, short, false); ok {
			return v
		}
	} else {
		for index := len(s.Neighbors); index >= 0; index-- {
			if v, ok := outside(index, s.horizon(), short, false); ok {
				return v
			}
		}
	}
	return ORCA(s)
}

// demanded is what a neighbor forbids where neighbors below an index are looked at near seconds
// ahead, and others far.
func (s *Situation) demanded(i, index int, near, far float64, keepsSide bool) region {
	horizon := near
	if i >= index {
		horizon = far
	}
	g := s.neighborRegion(s.Neighbors[i], horizon)
	if keepsSide {
		g = s.onSide(s.Neighbors[i], g)
	}
	return g
}

// Cone is velocities that ClearPath forbids.
type Cone struct {
	region region
	Index  int // of its wall or neighbor in the situation
}

// Wrong is how far a velocity is inside, m/s; below 0 outside.
func (c Cone) Wrong(v mgl64.Vec2) float64 {
	depth := math.Inf(1)
	for _, h := range c.region.planes[:c.region.count] {
		depth = min(depth, h.normal.Dot(v)-h.offset)
	}
	return depth
}

// Cones are what neighbors and walls forbid, where neighbors below an index are looked at near
// seconds ahead, others far, and, with keepsSide, on the sides of neighbors that the agent is not
// on.
func (s Situation) Cones(index int, near, far float64, keepsSide bool) (neighbors, walls []Cone) {
	for i := range s.Neighbors {
		neighbors = append(neighbors, Cone{s.demanded(i, index, near, far, keepsSide), i})
	}
	for i, w := range s.Walls {
		if g, ok := s.wallRegion(w); ok {
			walls = append(walls, Cone{g, i})
		}
	}
	return neighbors, walls
}

// ahead is the direction to a neighbor and the distance between both, below 0 if they overlap.
func (s *Situation) ahead(n Neighbor) (direction mgl64.Vec2, room float64) {
	distance := n.Position.Len()
	room = distance - s.Radius - n.Radius
	if distance == 0 {
		return apart(s.ID, n.ID).Mul(-1), room
	}
	return n.Position.Mul(1 / distance), room
}

// halfPlane is the velocities v with normal . v > offset.
type halfPlane struct {
	normal mgl64.Vec2 // of length 1
	offset float64
}

// region is forbidden velocities: what is in all of its half planes. An FVO has
// three, left edge, right edge and truncation; others fewer.
type region struct {
	planes [3]halfPlane
	count  int
}

// truncated is the cone with that apex between the directions left and right of it,
// beyond cut along the direction ahead.
func truncated(apex, left, right, ahead mgl64.Vec2, cut float64) region {
	inLeft := mgl64.Vec2{left[1], -left[0]}
	inRight := mgl64.Vec2{-right[1], right[0]}
	return region{planes: [3]halfPlane{
		{inLeft, inLeft.Dot(apex)}, {inRight, inRight.Dot(apex)}, {ahead, ahead.Dot(apex) + cut},
	}, count: 3}
}

// neighborRegion is what a neighbor forbids, also one that overlaps.
func (s *Situation) neighborRegion(n Neighbor, horizon float64) region {
	ahead, room := s.ahead(n)
	t := s.terms(n)
	if room <= 0 {
		part := min(-room*t.share/s.Timestep, s.Params.MaxAcceleration*s.Timestep/2)
		return region{planes: [3]halfPlane{{ahead, ahead.Dot(t.apex()) - part}}, count: 1}
	}
	sum, distance := s.Radius+n.Radius, n.Position.Len()
	sine := sum / distance
	cosine := math.Sqrt(1 - sine*sine)
	return truncated(t.apex(), turned(ahead, sine, cosine), turned(ahead, -sine, cosine), ahead, room*t.share/horizon)
}

// onSide is a neighbor's region with the side of the cone's middle line that the relative
// velocity is not on: beyond the truncation and on the wrong side of one edge.
func (s *Situation) onSide(n Neighbor, g region) region {
	t := s.terms(n)
	side := cross(n.Position, t.own.Sub(t.other))
	switch {
	case g.count < 3 || side == 0:
		return g
	case side > 0:
		return region{planes: [3]halfPlane{g.planes[0], g.planes[2]}, count: 2}
	default:
		return region{planes: [3]halfPlane{g.planes[1], g.planes[2]}, count: 2}
	}
}

// wallRegion is what a wall forbids; false where the agent is behind it.
func (s *Situation) wallRegion(w Wall) (region, bool) {
	if w.behind() {
		return region{}, false
	}
	q := w.nearest()
	distance := q.Len()
	ahead := w.toward(q)
	if distance <= s.Radius {
		part := min((s.Radius-distance)/s.Timestep, s.Params.MaxAcceleration*s.Timestep/2)
		return region{planes: [3]halfPlane{{ahead, ahead.Dot(w.Velocity) - part}}, count: 1}, true
	}
	// The wall grown by the radius is the hull of two discs, bounded by the outermost of their
	// tangents, which are less than pi apart, since the agent is outside.
	left, right := s.tangents(w.A)
	left, right = s.widened(left, right, w.B)
	return truncated(w.Velocity, left, right, ahead, (distance-s.Radius)/s.outlook(w)), true
}

// tangents are the directions in which the agent passes a point at its radius, left and right of
// it.
func (s *Situation) tangents(p mgl64.Vec2) (left, right mgl64.Vec2) {
	d := p.Len()
	sine := s.Radius / d
	cosine := math.Sqrt(max(0, 1-sine*sine))
	u := p.Mul(1 / d)
	return turned(u, sine, cosine), turned(u, -sine, cosine)
}

// widened is the outermost of two directions and of the tangents to a point.
func (s *Situation) widened(left, right, p mgl64.Vec2) (outerLeft, outerRight mgl64.Vec2) {
	l, r := s.tangents(p)
	if cross(left, l) > 0 {
		left = l
	}
	if cross(right, r) < 0 {
		right = r
	}
	return left, right
}

// grown is the region with its half planes moved outwards.
func (g region) grown(by float64) region {
	for i := range g.planes[:g.count] {
		g.planes[i].offset -= by
	}
	return g
}

// holds says whether v is inside.
func (g *region) holds(v mgl64.Vec2) bool {
	for _, h := range g.planes[:g.count] {
		if h.normal.Dot(v) <= h.offset {
			return false
		}
	}
	return true
}

// interval is the open part of the line p + t d inside all half planes of the region but skip;
// empty where from >= to.
func (g *region) interval(p, d mgl64.Vec2, skip int) (from, to float64) {
	from, to = math.Inf(-1), math.Inf(1)
	for i, h := range g.planes[:g.count] {
		if i == skip {
			continue
		}
		slope, room := h.normal.Dot(d), h.offset-h.normal.Dot(p)
		switch {
		case slope > 0:
			from = max(from, room/slope)
		case slope < 0:
			to = min(to, room/slope)
		case room >= 0:
			return 0, 0
		}
	}
	return from, to
}

// nearestOutside is the velocity within reach and in no region that is nearest to the desired
// one; false where there is none. Of equally near ones the one on the earlier region counts, on
// its left edge before its right one.
//
// If what is nearest within reach is free, it is the answer. Otherwise the answer is on a
// region's border: reach is convex, so a free point elsewhere could move towards the desired one.
func nearestOutside(desired mgl64.Vec2, regions []region, reach reach) (mgl64.Vec2, bool) {
	alone := reach.nearest(desired)
	free := true
	for i := range regions {
		free = free && !regions[i].holds(alone)
	}
	if free {
		return alone, true
	}
	best, least := mgl64.Vec2{}, math.Inf(1)
	for i := range regions {
		for e := range regions[i].count {
			h := regions[i].planes[e]
			p := h.normal.Mul(h.offset)
			d := mgl64.Vec2{-h.normal[1], h.normal[0]}
			from, to := regions[i].interval(p, d, e)
			for _, disc := range [...]disc{reach.speed, reach.change} {
				a, b, ok := disc.chord(p, d)
				if !ok {
					from, to = 0, -1
					break
				}
				from, to = max(from, a), min(to, b)
			}
			if !(from <= to) {
				continue
			}
			start := min(max(d.Dot(desired), from), to)
			for _, way := range [...]float64{1, -1} {
				t, ok := leave(regions, i, p, d, start, way)
				if !ok || t < from || t > to {
					continue
				}
				v := p.Add(d.Mul(t))
				if cost := v.Sub(desired).LenSqr(); cost < least {
					best, least = v, cost
				}
			}
		}
	}
	return best, !math.IsInf(least, 1)
}

// leave goes along the line p + t d from start in a direction, +1 or -1, until no
// region but the own one holds the point. False where it never gets out.
func leave(regions []region, own int, p, d mgl64.Vec2, start, way float64) (float64, bool) {
	t := start
	for moved := true; moved; {
		moved = false
		for i := range regions {
			if i == own {
				continue
			}
			from, to := regions[i].interval(p, d, -1)
			if from < t && t < to {
				moved = true
				t = to
				if way < 0 {
					t = from
				}
				if math.IsInf(t, 0) {
					return 0, false
				}
			}
		}
	}
	return t, true
}
