package agents

import "github.com/wayfront/wayfront/engine/geom"

// Displace is an agent after the pass before the step that is numbered clock, and whether it was
// put on free ground. moved says whether walls have changed since the step before.
func (r *Reference) Displace(a Agent, t Traits, clock uint32, moved bool) (Agent, bool) {
	there := engineMoves(a, t)
	if enters := a.Status == Waiting && clock >= t.Entry; !enters && !(there && moved) {
		return a, false
	}
	ws := barriers(r.Walls)
	s := footingOf(a, r.onLattice(a.Position))
	if !ws.free(s.at) {
		p, ok := ws.nearestFree(r.Lattice, s.at, func(geom.Point) bool { return true })
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
