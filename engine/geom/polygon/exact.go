package polygon

import (
	"math"
	"math/big"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// orient returns on which side of the directed line from a to b the point c lies, exactly for all
// finite float64 coordinates.
func orient(a, b, c mgl64.Vec2) lattice.Side {
	// The sign of l - r with l = (a-c).x (b-c).y and r = (a-c).y (b-c).x.
	ax, ay := a[0]-c[0], a[1]-c[1]
	bx, by := b[0]-c[0], b[1]-c[1]
	l, r := float64(ax*by), float64(ay*bx)
	if l == 0 && r == 0 && (ax == 0 || by == 0) && (ay == 0 || bx == 0) {
		// A difference of floats is zero only where they are equal: both products are zero, not
		// merely too small for float64.
		return lattice.Collinear
	}
	// With e = 2^-53, l and r carry three roundings each: they are within ((1-e)^-3 - 1) < 3e +
	// 7e^2 of themselves, plus 2^-1075 each where the product underflows (differences lose nothing
	// by underflow). The computed difference d has the sign of l - r and |d| <= (1+e)|l - r|, and
	// the bound's own three roundings take less than the fourth e that it has in reserve.
	// Infinities and NaN fail the comparison and go the exact way.
	const e = 1.0 / (1 << 53)
	const underflow = 0x1p-1060
	d := l - r
	if math.Abs(d) > 4*e*(math.Abs(l)+math.Abs(r))+underflow {
		if d > 0 {
			return lattice.Left
		}
		return lattice.Right
	}
	return orientBig(a, b, c)
}

// orientBig is orient without the filter.
func orientBig(a, b, c mgl64.Vec2) lattice.Side {
	// Bits of a finite float64 lie between 2^-1074 and 2^1024: a difference needs at most 2099 of
	// them and a product of two 4198, so nothing is rounded. Mantissas are stored without trailing
	// zeros, so common input does not pay for it.
	const precision = 4200
	difference := func(v, w float64) *big.Float {
		x, y := new(big.Float).SetFloat64(v), new(big.Float).SetFloat64(w)
		return new(big.Float).SetPrec(precision).Sub(x, y)
	}
	l := new(big.Float).SetPrec(precision).Mul(difference(a[0], c[0]), difference(b[1], c[1]))
	r := new(big.Float).SetPrec(precision).Mul(difference(a[1], c[1]), difference(b[0], c[0]))
	return lattice.Side(l.Cmp(r))
}

// finite reports whether no coordinate is NaN or infinite: only of those the difference with itself
// is not zero.
func finite(v mgl64.Vec2) bool { return v[0]-v[0] == 0 && v[1]-v[1] == 0 }

// onSegment reports whether p lies on the closed segment ab.
func onSegment(a, b, p mgl64.Vec2) bool {
	return min(a[0], b[0]) <= p[0] && p[0] <= max(a[0], b[0]) && min(a[1], b[1]) <= p[1] && p[1] <= max(a[1], b[1]) &&
		orient(a, b, p) == lattice.Collinear
}

// contact is how two segments meet.
type contact uint8

const (
	apart    contact = iota
	touch            // in one point, an end of at least one of them
	crossing         // in one point inside both
	overlap          // along a piece of positive length
)

// meet returns how the segments ab and cd, each of positive length, meet and where. The kind is
// exact. The place is exact for touch (one of the four points) and for overlap (an end of the
// common piece), and rounded for a crossing.
func meet(a, b, c, d mgl64.Vec2) (contact, mgl64.Vec2) {
	none := mgl64.Vec2{}
	if max(a[0], b[0]) < min(c[0], d[0]) || max(c[0], d[0]) < min(a[0], b[0]) ||
		max(a[1], b[1]) < min(c[1], d[1]) || max(c[1], d[1]) < min(a[1], b[1]) {
		return apart, none
	}
	sc, sd := orient(a, b, c), orient(a, b, d)
	if sc == sd {
		if sc != lattice.Collinear {
			return apart, none
		}
		return meetCollinear(a, b, c, d)
	}
	sa, sb := orient(c, d, a), orient(c, d, b)
	if sa == sb {
		return apart, none // both on one side: not both collinear, for c and d are not
	}
	// Each line separates, or touches, the other segment, so the lines' one common point is on
	// both.
	switch lattice.Collinear {
	case sc:
		return touch, c
	case sd:
		return touch, d
	case sa:
		return touch, a
	case sb:
		return touch, b
	}
	// Halved, so that the differences stay finite.
	u, v, w := b.Mul(0.5).Sub(a.Mul(0.5)), d.Mul(0.5).Sub(c.Mul(0.5)), c.Mul(0.5).Sub(a.Mul(0.5))
	t := (w[0]*v[1] - w[1]*v[0]) / (u[0]*v[1] - u[1]*v[0])
	if !(t >= 0 && t <= 1) {
		t = 0.5 // nearly parallel: any place on ab serves to find it
	}
	return crossing, mgl64.Vec2{a[0]*(1-t) + b[0]*t, a[1]*(1-t) + b[1]*t}
}

// meetCollinear is meet of segments on one line, along which the order of points is Less.
func meetCollinear(a, b, c, d mgl64.Vec2) (contact, mgl64.Vec2) {
	if Less(b, a) {
		a, b = b, a
	}
	if Less(d, c) {
		c, d = d, c
	}
	if Less(a, c) {
		a = c
	}
	if Less(d, b) {
		b = d
	}
	switch {
	case a == b:
		return touch, a
	case Less(a, b):
		return overlap, a
	}
	return apart, mgl64.Vec2{}
}
