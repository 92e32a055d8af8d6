package agents

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// Displace is an agent after the pass before the step that is numbered clock, and whether it was
// put on free ground. moved says whether walls have changed since the step before.
func (r *Reference) Displace(a Agent, t Traits, clock uint32, moved bool) (Agent, bool) {
	there := engineMoves(a, t)
	if enters := a.Status == Waiting && clock >= t.Entry; !enters && !(there && moved) {
		return a, false
	}
	ws := barriers(r.Walls)
	s := footingOf(a, r.onLattice(a.Position))
	place, pushed := s.at, false
	if there {
		place, pushed = r.meetsWall(s.at)
	}
	if pushed || !ws.free(s.at) {
		p, ok := place, true
		if !ws.free(place) {
			p, ok = ws.nearestFree(r.Lattice, place, func(geom.Point) bool { return true })
		}
		if !ok {
			return a, false
		}
		a.Position = r.Lattice.Local(p)
		s.at = p
	} else if ws.leansFree(s) {
		return a, false
	}
	from := ws.leaningPoint(s.at)
	a.FromX, a.FromY, a.Perturbation, a.Sees = from.X, from.Y, 1, 0
	return a, true
}

// meetsWall is where the first wall that has moved meets a place, a step off on its free side,
// unless one that has not stands between: in the frame of the obstacle the place goes from where it
// would have been taken along to where it is. Numbers are complex: a rigid motion is z -> z + b + c
// (z - a).
func (r *Reference) meetsWall(at geom.Point) (place geom.Point, meets bool) {
	place = at
	first := 2.0
	for _, w := range r.Walls {
		moved := r.Moved[w]
		if moved == [4]float32{} {
			continue
		}
		part, there, ok := r.meeting(w, moved, at)
		if ok && (part < first || part == first && there.Less(place)) {
			first, place, meets = part, there, true
		}
	}
	for _, w := range r.Walls {
		a, b := w.ends()
		if meets && r.Moved[w] == [4]float32{} && cross(a, b, at) >= 0 && cross(a, b, place) < 0 &&
			float64(cross(at, place, a))*float64(cross(at, place, b)) <= 0 {
			return at, false
		}
	}
	return place, meets
}

func (r *Reference) meeting(w Wall, moved [4]float32, at geom.Point) (part float64, there geom.Point, ok bool) {
	times := func(a, b mgl64.Vec2) mgl64.Vec2 {
		return mgl64.Vec2{float64(a[0]*b[0]) - float64(a[1]*b[1]), float64(a[0]*b[1]) + float64(a[1]*b[0])}
	}
	steps := func(k int) mgl64.Vec2 {
		return mgl64.Vec2{float64(moved[k]) / r.Lattice.Step, float64(moved[k+1]) / r.Lattice.Step}
	}
	point := func(p geom.Point) mgl64.Vec2 { return mgl64.Vec2{float64(p.X), float64(p.Y)} }
	p, q := w.ends()
	a, b, x := point(p), point(q), point(at)
	before := a.Sub(steps(0))
	u := b.Sub(steps(2)).Sub(before)
	turned := times(steps(2).Sub(steps(0)), mgl64.Vec2{u[0], -u[1]})
	square := float64(u[0]*u[0]) + float64(u[1]*u[1])
	start := x.Add(steps(0)).Add(times(mgl64.Vec2{turned[0] / square, turned[1] / square}, x.Sub(before)))
	d := b.Sub(a)
	side := func(v mgl64.Vec2) float64 { return float64(d[0]*(v[1]-a[1])) - float64(d[1]*(v[0]-a[0])) }
	length2 := float64(d[0]*d[0]) + float64(d[1]*d[1])
	slack := 3 * math.Sqrt(length2)
	if !(square > 0) || side(start) < -slack || side(x) >= 0 {
		return 0, at, false
	}
	part = min(max(side(start)/(side(start)-side(x)), 0), 1)
	m := mgl64.Vec2{start[0] + float64((x[0]-start[0])*part), start[1] + float64((x[1]-start[1])*part)}
	if along := float64((m[0]-a[0])*d[0]) + float64((m[1]-a[1])*d[1]); along < -slack || along > length2+slack {
		return 0, at, false
	}
	length := math.Sqrt(length2)
	size := r.Lattice.Size
	round := func(v float64, most int32) int32 { return int32(min(max(math.Floor(v+0.5), 0), float64(most))) }
	return part, geom.Point{X: round(m[0]-d[1]/length, size.X), Y: round(m[1]+d[0]/length, size.Y)}, true
}
