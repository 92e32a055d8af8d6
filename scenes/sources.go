package scenes

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// Sources are a goal's sources on a ground: those that are not blocked, moved where a disc cannot
// reach them. Sources count from 0, the goal's points first, then its segments.
type Sources struct {
	Points   []mgl64.Vec2
	Segments [][2]mgl64.Vec2
	// Of has the source that each of Points, and then each of Segments, stands for.
	Of []int
	// Blocked are the sources that no path leads to, ascending.
	Blocked []int
}

// nearby is the greatest distance, in clearances, of a disc's center from a point source. In a
// corner between walls at an angle of a the least is the clearance over sin(a/2): 2 at 60 degrees.
const nearby = 2

// SourcesOn returns the goal's sources on clear, the ground of its clearance (see
// Scene.ClearGround); open is the ground of the same obstacles without clearance, the same one if
// that is 0.
//
// A source in the interior of obstacles is blocked. With a clearance, a point nearer to walls than
// that is moved to where the center of a disc of that radius comes nearest to it: in sight of it on
// open ground and no farther than two clearances, which is enough in corners of 60 degrees and
// more; else it is blocked. The parts of a segment that a disc's center cannot be on are replaced
// by their parallels at the distance of the clearance, on either side, as far as those are free:
// there the disc touches them. So a door along a wall, or in its opening, is a goal for discs of
// any size that fit before it.
func (g Goal) SourcesOn(open, clear *geom.Ground) Sources {
	var s Sources
	for i, p := range g.Points {
		at := p
		_, ok := clear.Standing(p)
		if !ok && g.Clearance > 0 {
			at, ok = beside(open, clear, p, nearby*g.Clearance)
		}
		if !ok {
			s.Blocked = append(s.Blocked, i)
			continue
		}
		s.Points, s.Of = append(s.Points, at), append(s.Of, i)
	}
	for i, segment := range g.Segments {
		parts := partsOn(open, clear, segment, g.Clearance)
		if len(parts) == 0 {
			s.Blocked = append(s.Blocked, len(g.Points)+i)
		}
		for _, part := range parts {
			s.Segments, s.Of = append(s.Segments, part), append(s.Of, len(g.Points)+i)
		}
	}
	return s
}

// beside finds the point of clear ground nearest to p, within a distance, that sees it on open
// ground.
func beside(open, clear *geom.Ground, p mgl64.Vec2, within float64) (mgl64.Vec2, bool) {
	from, ok := open.Standing(p)
	if !ok {
		return mgl64.Vec2{}, false
	}
	at, ok := clear.NearestWhere(from, within/clear.Lattice.Step, func(q geom.Point) bool { return open.InSight(from, q) })
	return clear.Lattice.World(at), ok
}

// partsOn returns the parts of a segment source on clear ground: itself, or its free parts and the
// parallels that replace others. None if it is blocked.
func partsOn(open, clear *geom.Ground, s Segment, clearance float64) [][2]mgl64.Vec2 {
	legs := clear.SourceSegments(s[0], s[1])
	if clearance == 0 {
		if len(legs) == 0 {
			return nil
		}
		return [][2]mgl64.Vec2{s} // the map cuts it
	}
	runs := cut(clear.Lattice, s, legs)
	if len(runs) == 1 && runs[0].free {
		return [][2]mgl64.Vec2{s}
	}
	along := s[1].Sub(s[0])
	aside := mgl64.Vec2{-along[1], along[0]}.Mul(clearance / along.Len())
	var parts [][2]mgl64.Vec2
	for _, r := range runs {
		if r.free {
			parts = append(parts, [2]mgl64.Vec2{r.from, r.to})
			continue
		}
		// What obstacles cover of it is no source.
		for _, leg := range open.SourceSegments(r.from, r.to) {
			a, b := open.Lattice.World(leg.A), open.Lattice.World(leg.B)
			for _, by := range [2]mgl64.Vec2{aside, aside.Mul(-1)} {
				if beside, ok := inside(clear.Lattice, [2]mgl64.Vec2{a.Add(by), b.Add(by)}); ok && a != b && len(clear.SourceSegments(beside[0], beside[1])) > 0 {
					parts = append(parts, beside)
				}
			}
		}
	}
	return parts
}

// run is a part of a segment that is free or covered throughout.
type run struct {
	from, to mgl64.Vec2
	free     bool
}

// cut cuts a segment where its legs end. Runs shorter than the error of legs are merged with those
// beside.
func cut(l geom.Lattice, s Segment, legs []geom.SourceSegment) []run {
	along := s[1].Sub(s[0])
	length := along.Len()
	// Ends of legs and gaps are within SnapSlack and half a step of the segment, along either axis.
	shortest := math.Min(1, 2*(geom.SnapSlack+0.5)*math.Sqrt2*l.Step/length)
	at := func(t float64) mgl64.Vec2 {
		p := s[0].Add(along.Mul(t))
		for axis, v := range p { // not farther than the ends, which are in the domain, by rounding
			p[axis] = min(max(v, min(s[0][axis], s[1][axis])), max(s[0][axis], s[1][axis]))
		}
		return p
	}
	var runs []run
	done := 0.0 // up to here the segment is in runs
	add := func(to float64, free bool) {
		if to-done < shortest && !(to == 1 && len(runs) == 0) {
			return
		}
		if n := len(runs); n > 0 && runs[n-1].free == free {
			runs[n-1].to = at(to)
		} else {
			runs = append(runs, run{at(done), at(to), free})
		}
		done = to
	}
	for _, leg := range legs {
		part := func(p geom.Point) float64 {
			return min(max(l.World(p).Sub(s[0]).Dot(along)/(length*length), 0), 1)
		}
		add(part(leg.A), false)
		add(part(leg.B), true)
	}
	if 1-done >= shortest || len(runs) == 0 {
		add(1, shortest == 1 && len(legs) > 0) // free at all counts where nothing longer is resolved
	}
	runs[len(runs)-1].to = s[1]
	return runs
}

// inside returns the part of a segment that lies half a step or more inside the domain of l; false
// if there is none.
func inside(l geom.Lattice, s [2]mgl64.Vec2) ([2]mgl64.Vec2, bool) {
	half := mgl64.Vec2{l.Step / 2, l.Step / 2}
	lo, hi := l.Origin.Add(half), l.World(l.Size).Sub(half)
	from, to := 0.0, 1.0
	d := s[1].Sub(s[0])
	for axis := range 2 {
		if d[axis] == 0 {
			if s[0][axis] < lo[axis] || s[0][axis] > hi[axis] {
				return s, false
			}
			continue
		}
		t, u := (lo[axis]-s[0][axis])/d[axis], (hi[axis]-s[0][axis])/d[axis]
		from, to = max(from, min(t, u)), min(to, max(t, u))
	}
	return [2]mgl64.Vec2{s[0].Add(d.Mul(from)), s[0].Add(d.Mul(to))}, from < to
}
