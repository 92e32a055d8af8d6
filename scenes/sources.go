package scenes

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// Sources are what a goal's map leads to on a ground: those of the goal's sources that are awake, moved where a disc cannot
// come to them. Sources count from 0, the goal's points first, then its segments.
type Sources struct {
	Points   []mgl64.Vec2
	Segments [][2]mgl64.Vec2
	// Of has the source that each of Points, and then each of Segments, stands for.
	Of []int
	// Asleep are the sources that nobody can come to, ascending.
	Asleep []int
}

// nearby is how many clearances away the centre of a disc may stand for a point source. In a corner between walls at an
// angle of a it comes as near as the clearance over sin(a/2): twice the clearance at 60 degrees.
const nearby = 2

// SourcesOn returns the goal's sources on the ground that its map is made of, clear, which is that of its clearance (see
// Scene.ClearGround); open is the ground of the same obstacles without clearance, the same one if that is 0.
//
// A source in the interior of obstacles is asleep. With a clearance, a point nearer to walls than that is moved to where
// the centre of a disc of that radius comes nearest to it: in sight of it on open ground and no farther than two
// clearances, which is enough in corners of 60 degrees and more; else it is asleep. Of a segment the parts that a disc's
// centre cannot be on are replaced by their parallels at the distance of the clearance, on either side, as far as those are
// free: there the disc touches them. So a door along a wall, or in its opening, is a goal for people of any size that can
// stand before it.
func (g Goal) SourcesOn(open, clear *geom.Ground) Sources {
	var s Sources
	var ofSegments []int
	for i, p := range g.Points {
		at, ok := p, false
		if _, ok = clear.Standing(p); !ok && g.Clearance > 0 {
			at, ok = beside(open, clear, p, nearby*g.Clearance)
		}
		if !ok {
			s.Asleep = append(s.Asleep, i)
			continue
		}
		s.Points, s.Of = append(s.Points, at), append(s.Of, i)
	}
	for i, segment := range g.Segments {
		parts := partsOn(open, clear, segment, g.Clearance)
		for _, part := range parts {
			s.Segments, ofSegments = append(s.Segments, part), append(ofSegments, len(g.Points)+i)
		}
		if len(parts) > 0 {
			continue
		}
		// It may still come up to a wall from behind.
		awake := false
		for _, end := range segment {
			if _, free := clear.Standing(end); free {
				s.Points, s.Of, awake = append(s.Points, end), append(s.Of, len(g.Points)+i), true
			}
		}
		if !awake {
			s.Asleep = append(s.Asleep, len(g.Points)+i)
		}
	}
	s.Of = append(s.Of, ofSegments...)
	return s
}

// beside finds the point of clear ground nearest to p, within a distance, that sees it on open ground.
func beside(open, clear *geom.Ground, p mgl64.Vec2, within float64) (mgl64.Vec2, bool) {
	from, ok := open.Standing(p)
	if !ok {
		return mgl64.Vec2{}, false
	}
	at, ok := clear.NearestWhere(from, within/clear.Lattice.Step, func(q geom.Point) bool { return open.InSight(from, q) })
	return clear.Lattice.World(at), ok
}

// partsOn returns what of a segment source there is on clear ground: itself, or its free parts and the parallels that stand
// for others. None if nobody can come to it.
func partsOn(open, clear *geom.Ground, s Segment, clearance float64) [][2]mgl64.Vec2 {
	all := runs(clear, s)
	whole := !slices.ContainsFunc(all, func(r run) bool { return !r.free })
	switch {
	case whole:
		return [][2]mgl64.Vec2{s}
	case clearance == 0 && slices.ContainsFunc(all, func(r run) bool { return r.free }):
		return [][2]mgl64.Vec2{s} // the map cuts it
	case clearance == 0:
		return nil
	}
	along := s[1].Sub(s[0])
	aside := mgl64.Vec2{-along[1], along[0]}.Mul(clearance / along.Len())
	at := func(t float64) mgl64.Vec2 { return s[0].Add(along.Mul(t)) }
	var parts [][2]mgl64.Vec2
	for _, r := range all {
		part := [2]mgl64.Vec2{at(r.from), at(r.to)}
		if r.free {
			parts = append(parts, part)
			continue
		}
		// What obstacles cover of it is no source.
		for _, u := range runs(open, part) {
			if !u.free {
				continue
			}
			whole := part[1].Sub(part[0])
			a, b := part[0].Add(whole.Mul(u.from)), part[0].Add(whole.Mul(u.to))
			for _, by := range [2]mgl64.Vec2{aside, aside.Mul(-1)} {
				for _, beside := range within(clear.Lattice, [2]mgl64.Vec2{a.Add(by), b.Add(by)}) {
					if slices.ContainsFunc(runs(clear, beside), func(r run) bool { return r.free }) {
						parts = append(parts, beside)
					}
				}
			}
		}
	}
	return parts
}

// run is a part of a segment, from and to in parts of its length, that is free or buried throughout.
type run struct {
	from, to float64
	free     bool
}

// runs cuts a segment at the walls of a ground. What is so short that rounding to the lattice may have made it is of the same
// kind as what comes before it.
func runs(g *geom.Ground, s [2]mgl64.Vec2) []run {
	a, b := g.Lattice.Snap(s[0]), g.Lattice.Snap(s[1])
	dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
	cuts := []float64{0, 1}
	cut := func(t float64) {
		if t > 0 && t < 1 {
			cuts = append(cuts, t)
		}
	}
	along := func(p geom.Point) float64 {
		return (float64(float64(p.X-a.X)*dx) + float64(float64(p.Y-a.Y)*dy)) / (float64(dx*dx) + float64(dy*dy))
	}
	for _, w := range g.Walls {
		p, q := g.Vertices[w.A], g.Vertices[w.B]
		switch sp, sq := geom.Orient(a, b, p), geom.Orient(a, b, q); {
		case sp == geom.Collinear || sq == geom.Collinear:
			if sp == geom.Collinear {
				cut(along(p))
			}
			if sq == geom.Collinear {
				cut(along(q))
			}
		case sp != sq && geom.Orient(p, q, a) != geom.Orient(p, q, b):
			ex, ey := float64(q.X-p.X), float64(q.Y-p.Y)
			cut((float64(float64(p.X-a.X)*ey) - float64(float64(p.Y-a.Y)*ex)) / (float64(dx*ey) - float64(dy*ex)))
		}
	}
	slices.Sort(cuts)
	shortest := geom.SnapSlack / math.Max(1, math.Hypot(dx, dy))
	var all []run
	start := 0.0
	for i, t := range cuts[1:] {
		last := len(all) - 1
		if short := t-cuts[i] < shortest; short && (last >= 0 || t < 1) {
			if last >= 0 {
				all[last].to, start = t, t
			}
			continue
		}
		_, free := g.Standing(s[0].Add(s[1].Sub(s[0]).Mul((cuts[i] + t) / 2)))
		if last >= 0 && all[last].free == free {
			all[last].to = t
		} else {
			all = append(all, run{start, t, free})
		}
		start = t
	}
	return all
}

// within returns the part of a segment that lies in the domain of l, or none.
func within(l geom.Lattice, s [2]mgl64.Vec2) [][2]mgl64.Vec2 {
	lo, hi := l.Origin, l.World(l.Size)
	from, to := 0.0, 1.0
	d := s[1].Sub(s[0])
	for axis := range 2 {
		if d[axis] == 0 {
			if s[0][axis] < lo[axis] || s[0][axis] > hi[axis] {
				return nil
			}
			continue
		}
		t, u := (lo[axis]-s[0][axis])/d[axis], (hi[axis]-s[0][axis])/d[axis]
		from, to = max(from, min(t, u)), min(to, max(t, u))
	}
	if from >= to {
		return nil
	}
	return [][2]mgl64.Vec2{{s[0].Add(d.Mul(from)), s[0].Add(d.Mul(to))}}
}
