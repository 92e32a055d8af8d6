package geom

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// stretch is a wall, or a side of the domain, in lattice steps.
type stretch struct{ a, b mgl64.Vec2 }

// foot is the point of it nearest to p.
func (s stretch) foot(p mgl64.Vec2) mgl64.Vec2 {
	d := s.b.Sub(s.a)
	return s.a.Add(d.Mul(max(0, min(1, p.Sub(s.a).Dot(d)/d.LenSqr()))))
}

func (s stretch) distance(p mgl64.Vec2) float64 { return p.Sub(s.foot(p)).Len() }

// beside are the two stretches at a distance from it, one on either side.
func (s stretch) beside(far float64) [2]stretch {
	d := s.b.Sub(s.a)
	n := mgl64.Vec2{-d[1], d[0]}.Mul(far / d.Len())
	return [2]stretch{{s.a.Add(n), s.b.Add(n)}, {s.a.Sub(n), s.b.Sub(n)}}
}

// NearestRoom is the center nearest to a world point of a disc that fits: clear of walls and of the
// domain's border. It is the point itself where the disc fits there. The disc may overlap walls by a
// lattice step, for rounding. It is false where none fits. Units: m. Limit: radius >= 0; below a
// step it is Nearest.
//
// Where the disc does not fit, the nearest center is at its radius from a wall, in line with the
// point and the wall's nearest point; or at its radius from two walls. It looks at walls that are up
// to twice as far as that center, and at all pairs of those that a disc can touch at once.
func (g *Ground) NearestRoom(at mgl64.Vec2, radius float64) (mgl64.Vec2, bool) {
	l := g.Lattice
	r := radius / l.Step
	size := mgl64.Vec2{float64(l.Size.X), float64(l.Size.Y)}
	if !(2*r <= min(size[0], size[1])) {
		return at, false
	}
	p := at.Sub(l.Origin).Mul(1 / l.Step)
	p = mgl64.Vec2{max(0, min(size[0], p[0])), max(0, min(size[1], p[1]))}
	if r < 1 {
		q, ok := g.Nearest(rounded(p[0], p[1]))
		return l.World(q), ok
	}
	for reach := 2 * r; ; reach *= 2 {
		q, ok := g.roomWithin(p, r, reach)
		switch {
		case ok && q == p && l.Origin.Add(p.Mul(l.Step)).Sub(at).Len() < l.Step:
			return at, true
		case ok:
			return l.Origin.Add(q.Mul(l.Step)), true
		case reach > size.Len():
			return at, false
		}
	}
}

// roomWithin is the nearest center at most so far from p.
func (g *Ground) roomWithin(p mgl64.Vec2, r, reach float64) (best mgl64.Vec2, ok bool) {
	near := g.stretches(p, reach+r)
	least := math.Inf(1)
	offer := func(q mgl64.Vec2) {
		d := q.Sub(p).Len()
		if !(d < least && d <= reach) || !g.Free(rounded(q[0], q[1])) {
			return
		}
		for _, s := range near {
			if s.distance(q) < r-1 {
				return
			}
		}
		best, least, ok = q, d, true
	}
	offer(p)
	for i, s := range near {
		for _, side := range s.beside(r) {
			offer(side.foot(p))
		}
		for _, end := range [...]mgl64.Vec2{s.a, s.b} {
			if d := p.Sub(end); d.Len() > 0 {
				offer(end.Add(d.Mul(r / d.Len())))
			} else {
				offer(end.Add(mgl64.Vec2{r, 0}))
			}
		}
		for _, t := range near[:i] {
			if boxesApart(s, t) <= 2*r {
				touchingBoth(s, t, r, offer)
			}
		}
	}
	return best, ok
}

// stretches are the walls and the domain's sides that are at most so far from p.
func (g *Ground) stretches(p mgl64.Vec2, far float64) (near []stretch) {
	add := func(a, b Point) {
		s := stretch{mgl64.Vec2{float64(a.X), float64(a.Y)}, mgl64.Vec2{float64(b.X), float64(b.Y)}}
		if s.distance(p) <= far {
			near = append(near, s)
		}
	}
	w, h := g.Lattice.Size.X, g.Lattice.Size.Y
	corners := [...]Point{{}, {X: w}, {X: w, Y: h}, {Y: h}}
	for i, c := range corners {
		add(c, corners[(i+1)%4])
	}
	for _, wall := range g.Walls {
		add(g.Vertices[wall.A], g.Vertices[wall.B])
	}
	return near
}

// boxesApart is how far the boxes of stretches are from each other along either axis.
func boxesApart(s, t stretch) (apart float64) {
	for k := range 2 {
		apart = max(apart, min(s.a[k], s.b[k])-max(t.a[k], t.b[k]), min(t.a[k], t.b[k])-max(s.a[k], s.b[k]))
	}
	return apart
}

// touchingBoth offers the points at a distance r from both of two stretches, and others at r from
// the lines that they lie on.
func touchingBoth(s, t stretch, r float64, offer func(mgl64.Vec2)) {
	for _, u := range s.beside(r) {
		for _, v := range t.beside(r) {
			offerCrossing(u, v, offer)
		}
		offerOnCircle(t.a, r, u, offer)
		offerOnCircle(t.b, r, u, offer)
	}
	for _, v := range t.beside(r) {
		offerOnCircle(s.a, r, v, offer)
		offerOnCircle(s.b, r, v, offer)
	}
	for _, a := range [...]mgl64.Vec2{s.a, s.b} {
		for _, b := range [...]mgl64.Vec2{t.a, t.b} { // the circles meet on the line between their middles' middle
			if d := b.Sub(a); d.Len() > 0 {
				m := a.Add(d.Mul(0.5))
				offerOnCircle(a, r, stretch{m, m.Add(mgl64.Vec2{-d[1], d[0]})}, offer)
			}
		}
	}
}

// offerCrossing offers where the lines of two stretches cross.
func offerCrossing(s, t stretch, offer func(mgl64.Vec2)) {
	d, e, between := s.b.Sub(s.a), t.b.Sub(t.a), t.a.Sub(s.a)
	if turn := d[0]*e[1] - d[1]*e[0]; turn != 0 {
		offer(s.a.Add(d.Mul((between[0]*e[1] - between[1]*e[0]) / turn)))
	}
}

// offerOnCircle offers where a circle meets the line of a stretch.
func offerOnCircle(center mgl64.Vec2, r float64, s stretch, offer func(mgl64.Vec2)) {
	d := s.b.Sub(s.a).Normalize()
	foot := s.a.Add(d.Mul(center.Sub(s.a).Dot(d)))
	if half := r*r - foot.Sub(center).LenSqr(); half >= 0 {
		along := d.Mul(math.Sqrt(half))
		offer(foot.Add(along))
		offer(foot.Sub(along))
	}
}
