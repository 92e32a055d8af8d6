package agents

import (
	"cmp"
	"math"
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/shaders"
)

// rules is a set of the two rules of sight: the ray turned infinitesimally to
// the left, or to the right.
type rules uint8

const (
	leftRule  rules = 1
	rightRule rules = 2
	bothRules       = leftRule | rightRule
)

// turnOf is the sense in which a rule turns rays.
func turnOf(r rules) geom.Side {
	if r == leftRule {
		return geom.Left
	}
	return geom.Right
}

// footing is where an agent stands: a lattice point and, as its place may lie in
// several free sectors at once, the sector: the one that the ray to from lies in
// when turned about at infinitesimally, to the left (perturbation +1) or right (-1).
type footing struct {
	at, from     geom.Point
	perturbation int32
}

// barriers are walls, asked one by one: the plain form of shaders/include/walls.glsl.
type barriers []Wall

// blocks is the rule of sight: whether the wall a, b hides p from g.
func blocks(g, p, a, b geom.Point, turn geom.Side) bool {
	facing := turn * geom.Orient(g, a, b)
	if facing == 0 {
		return false
	}
	if facing < 0 {
		a, b = b, a
	}
	return turn*geom.Orient(g, a, p) >= 0 && turn*geom.Orient(g, b, p) < 0 && turn*geom.Orient(a, b, p) < 0
}

// unhidden returns which of the wanted rules let g see p past all walls.
func (ws barriers) unhidden(g, p geom.Point, wanted rules) rules {
	for _, w := range ws {
		a, b := w.ends()
		for _, r := range [...]rules{leftRule, rightRule} {
			if wanted&r != 0 && blocks(g, p, a, b, turnOf(r)) {
				wanted &^= r
			}
		}
	}
	return wanted
}

func dot(a, b, c geom.Point) int64 {
	return int64(b.X-a.X)*int64(c.X-a.X) + int64(b.Y-a.Y)*int64(c.Y-a.Y)
}

// cross is twice the signed area of the triangle a, b, c.
func cross(a, b, c geom.Point) int64 {
	return int64(b.X-a.X)*int64(c.Y-a.Y) - int64(b.Y-a.Y)*int64(c.X-a.X)
}

// onSegment reports whether p is on the closed segment ab.
func onSegment(a, b, p geom.Point) bool {
	return geom.Orient(a, b, p) == geom.Collinear &&
		min(a.X, b.X) <= p.X && p.X <= max(a.X, b.X) && min(a.Y, b.Y) <= p.Y && p.Y <= max(a.Y, b.Y)
}

// turnClass says how far the ray to r is turned counter-clockwise about q from the
// ray to f (itself turned by perturbation): not at all, less than a half turn, a half turn,
// more, or the whole turn.
func turnClass(q, f geom.Point, perturbation int32, r geom.Point) int {
	switch side := geom.Orient(q, f, r); {
	case side == geom.Left:
		return 1
	case side == geom.Right:
		return 3
	case dot(q, f, r) < 0:
		return 2
	case perturbation < 0:
		return 0
	}
	return 4
}

// comesBefore reports whether, turning counter-clockwise about q from the ray to f (turned by
// fLean), the ray to r comes before the ray to d (turned by dLean).
func comesBefore(q, f geom.Point, fLean int32, d geom.Point, dLean int32, r geom.Point) bool {
	if ofR, ofD := turnClass(q, f, fLean, r), turnClass(q, f, fLean, d); ofR != ofD {
		return ofR < ofD
	}
	side := geom.Orient(q, r, d)
	return side == geom.Left || side == geom.Collinear && dLean > 0
}

// sameSector reports whether an agent has the ray to d, turned by dLean, in its own free sector.
func (ws barriers) sameSector(s footing, d geom.Point, dLean int32) bool {
	if d == s.at || s.from == s.at {
		return true
	}
	before, after := false, false
	for _, w := range ws {
		a, b := w.ends()
		if !onSegment(a, b, s.at) {
			continue
		}
		for _, r := range [...]geom.Point{a, b} {
			switch {
			case r == s.at:
			case comesBefore(s.at, s.from, s.perturbation, d, dLean, r):
				before = true
			default:
				after = true
			}
		}
	}
	return !(before && after)
}

// sectorOf returns the free sector of a generator.
func sectorOf(g shaders.Generator) geom.Sector {
	return geom.Sector{
		At:   geom.Point{X: g.X, Y: g.Y},
		From: geom.Point{X: g.FromX, Y: g.FromY},
		To:   geom.Point{X: g.ToX, Y: g.ToY},
		Kind: geom.SectorKind(g.Kind),
	}
}

// admits reports whether the ray from the sector's point to p, another point,
// turned, lies in the sector.
func admits(s geom.Sector, p geom.Point, turn geom.Side) bool {
	if s.Kind == geom.SectorAll {
		return true
	}
	enter, leave := s.From, s.To
	if turn == geom.Right {
		enter, leave = leave, enter
	}
	afterEnter, afterLeave := turn*geom.Orient(s.At, enter, p), turn*geom.Orient(s.At, leave, p)
	switch s.Kind {
	case geom.SectorConvex:
		return afterEnter >= 0 && afterLeave < 0
	case geom.SectorStraight:
		return afterEnter > 0 || afterEnter == 0 && dot(s.At, enter, p) > 0
	}
	return afterEnter >= 0 || afterLeave < 0
}

// litBy returns the rules under which a generator's sector lights an agent.
func (ws barriers) litBy(g geom.Sector, s footing) rules {
	if g.At == s.at {
		if g.Kind == geom.SectorAll || ws.admittedSector(s, g.From, 1) {
			return bothRules
		}
		return 0
	}
	var wanted rules
	for _, r := range [...]rules{leftRule, rightRule} {
		if turn := turnOf(r); admits(g, s.at, turn) && ws.admittedSector(s, g.At, -int32(turn)) {
			wanted |= r
		}
	}
	return ws.unhidden(g.At, s.at, wanted)
}

// admittedSector is sameSector for sight: an agent whose sector is no free one, since
// it came out of ground that is covered here, stands in all sectors around it.
func (ws barriers) admittedSector(s footing, d geom.Point, dLean int32) bool {
	return ws.sameSector(s, d, dLean) || !ws.leansFree(s)
}

// footOn is the foot of p on the segment from a to b, in steps; beyond its ends, an end.
func footOn(a, b, p geom.Point) [2]float64 {
	dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
	t := 0.0
	if length2 := float64(dx*dx) + float64(dy*dy); length2 > 0 {
		t = min(max(float64(dot(a, b, p))/length2, 0), 1)
	}
	return [2]float64{float64(a.X) + float64(dx*t), float64(a.Y) + float64(dy*t)}
}

// blocksBeam is the rule of sight for a beam: whether the wall v, w hides p. Rays are moved by an
// infinitesimal length to the side that turn names. The wall hides p if the moved ray to p passes
// between its ends, and p lies beyond it, and the leg before it. As walls do not pass through the
// leg, that is decided by the end of the wall on p's side, or the end of the leg before the wall.
func blocksBeam(l geom.LightField, p, v, w geom.Point, turn geom.Side) bool {
	// The side of the ray through an end of the wall that another point is on.
	beside := func(end, p geom.Point) geom.Side { return geom.Side(cmp.Compare(l.Along(end), l.Along(p))) }
	facing := turn * beside(v, w)
	if facing == 0 {
		return false
	}
	if facing < 0 {
		v, w = w, v
	}
	if turn*beside(v, p) < 0 || turn*beside(w, p) >= 0 || turn*geom.Orient(v, w, p) >= 0 {
		return false
	}
	ofV, ofW := geom.Orient(l.A, l.B, v), geom.Orient(l.A, l.B, w)
	if ofV*ofW < 0 {
		return int64(turn)*(cross(v, w, l.A)+cross(v, w, l.B)) > 0
	}
	return ofV == geom.Left || ofW == geom.Left
}

// litByBeam returns the rules under which a beam lights an agent.
func (ws barriers) litByBeam(l geom.LightField, s footing) rules {
	switch {
	case !l.Faces(s.at):
		return 0
	case l.Above(s.at) == 0:
		// It matters only whether the ground beside the leg is its own.
		if s.at != l.A && ws.admittedSector(s, l.A, -1) || s.at != l.B && ws.admittedSector(s, l.B, 1) {
			return bothRules
		}
		return 0
	}
	behind := l.Behind(s.at)
	var wanted rules
	if ws.admittedSector(s, behind, -1) && l.Along(s.at) > 0 {
		wanted |= leftRule
	}
	if ws.admittedSector(s, behind, 1) && l.Along(s.at) < l.Length2() {
		wanted |= rightRule
	}
	for _, w := range ws {
		v, end := w.ends()
		for _, r := range [...]rules{leftRule, rightRule} {
			if wanted&r != 0 && blocksBeam(l, s.at, v, end, turnOf(r)) {
				wanted &^= r
			}
		}
	}
	return wanted
}

// free reports whether p is on closed free ground: on a wall, or walls wind around it.
func (ws barriers) free(p geom.Point) bool {
	winding := 0
	for _, w := range ws {
		a, b := w.ends()
		switch {
		case onSegment(a, b, p):
			return true
		case a.Y <= p.Y && p.Y < b.Y && geom.Orient(a, b, p) == geom.Left:
			winding++
		case b.Y <= p.Y && p.Y < a.Y && geom.Orient(a, b, p) == geom.Right:
			winding--
		}
	}
	return winding > 0
}

// leansFree reports whether the sector that an agent leans into is free: no wall touches its
// place, or the last ray of walls before its own, counter-clockwise, opens a free sector.
func (ws barriers) leansFree(s footing) bool {
	touched, open, last, ray := false, false, -1, s.at
	for _, w := range ws {
		a, b := w.ends()
		if !onSegment(a, b, s.at) {
			continue
		}
		touched = true
		for k, r := range [...]geom.Point{a, b} {
			if r == s.at {
				continue
			}
			class := turnClass(s.at, s.from, s.perturbation, r)
			side := geom.Orient(s.at, ray, r)
			// In one direction one sector is shut before the next is opened.
			if class > last || class == last && (side == geom.Left || side == geom.Collinear && k == 1) {
				open, last, ray = k == 1, class, r
			}
		}
	}
	return !touched || open && s.from != s.at
}

// leaningPoint is a point for an agent at p to perturbation to, turned left.
func (ws barriers) leaningPoint(p geom.Point) geom.Point {
	best := p
	for _, w := range ws {
		a, b := w.ends()
		if onSegment(a, b, p) && b != p && (best == p || b.Less(best)) {
			best = b
		}
	}
	return best
}

// searchReach is how many times as far away as the nearest offer a free place may be.
const searchReach = 16

// nearestFree is the accepted point that is nearest to p, ties by x, then y. Every wall
// offers the end that it begins with and, of the nine lattice points around its
// point nearest to p, the free one nearest to p.
func (ws barriers) nearestFree(l geom.Lattice, p geom.Point, accept func(geom.Point) bool) (best geom.Point, ok bool) {
	distance := func(q geom.Point) int64 {
		dx, dy := int64(q.X-p.X), int64(q.Y-p.Y)
		return dx*dx + dy*dy
	}
	nearer := func(q, other geom.Point) int {
		return cmp.Or(cmp.Compare(distance(q), distance(other)), q.Compare(other))
	}
	var offers []geom.Point
	for _, w := range ws {
		a, b := w.ends()
		offers = append(offers, a)
		foot := footOn(a, b, p)
		var around []geom.Point
		for k := range int32(9) {
			q := geom.Point{X: int32(math.Floor(foot[0]+0.5)) + k%3 - 1, Y: int32(math.Floor(foot[1]+0.5)) + k/3 - 1}
			if l.Holds(q) && ws.free(q) {
				around = append(around, q)
			}
		}
		if len(around) > 0 {
			offers = append(offers, slices.MinFunc(around, nearer))
		}
	}
	if len(offers) == 0 {
		return best, false
	}
	slices.SortFunc(offers, nearer)
	for _, q := range offers {
		if distance(q) > searchReach*searchReach*distance(offers[0]) {
			break
		}
		if accept(q) {
			return q, true
		}
	}
	return best, false
}

// reaches returns the rules under which an agent can go straight to p.
func (ws barriers) reaches(s footing, p geom.Point) rules {
	var wanted rules
	for _, r := range [...]rules{leftRule, rightRule} {
		if ws.sameSector(s, p, int32(turnOf(r))) {
			wanted |= r
		}
	}
	return ws.unhidden(s.at, p, wanted)
}
