package agents

import (
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

// footing is where somebody stands: a lattice point and, as its place may lie in
// several free sectors at once, the sector: the one that the ray to from lies in
// when turned about at infinitesimally, to the left (lean +1) or right (-1).
type footing struct {
	at, from geom.Point
	lean     int32
}

// Wall is a wall of the ground, lattice coordinates.
type Wall struct {
	AX, AY, BX, BY int32
}

// barriers are walls, asked one by one: the plain form of
// shaders/include/walls.glsl.
type barriers []Wall

func (w Wall) ends() (a, b geom.Point) {
	return geom.Point{X: w.AX, Y: w.AY}, geom.Point{X: w.BX, Y: w.BY}
}

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

// comesBefore reports whether, turning counter-clockwise about q from the ray
// to f (turned by fLean), the ray to r comes before the ray to d (turned by
// dLean).
func comesBefore(q, f geom.Point, fLean int32, d geom.Point, dLean int32, r geom.Point) bool {
	class := func(r geom.Point) int {
		switch side := geom.Orient(q, f, r); {
		case side == geom.Left:
			return 1
		case side == geom.Right:
			return 3
		case dot(q, f, r) < 0:
			return 2
		case fLean < 0:
			return 0
		}
		return 4
	}
	if ofR, ofD := class(r), class(d); ofR != ofD {
		return ofR < ofD
	}
	side := geom.Orient(q, r, d)
	return side == geom.Left || side == geom.Collinear && dLean > 0
}

// sameSector reports whether somebody has the ray to d, turned by dLean, in his
// own free sector.
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
			case comesBefore(s.at, s.from, s.lean, d, dLean, r):
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

// litBy returns the rules under which a generator's sector lights somebody.
func (ws barriers) litBy(g geom.Sector, s footing) rules {
	if g.At == s.at {
		if g.Kind == geom.SectorAll || ws.sameSector(s, g.From, 1) {
			return bothRules
		}
		return 0
	}
	var wanted rules
	for _, r := range [...]rules{leftRule, rightRule} {
		if turn := turnOf(r); admits(g, s.at, turn) && ws.sameSector(s, g.At, -int32(turn)) {
			wanted |= r
		}
	}
	return ws.unhidden(g.At, s.at, wanted)
}

// reaches returns the rules under which somebody can go straight to p.
func (ws barriers) reaches(s footing, p geom.Point) rules {
	var wanted rules
	for _, r := range [...]rules{leftRule, rightRule} {
		if ws.sameSector(s, p, int32(turnOf(r))) {
			wanted |= r
		}
	}
	return ws.unhidden(s.at, p, wanted)
}
