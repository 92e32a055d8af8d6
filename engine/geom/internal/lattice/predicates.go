package lattice

import "math/bits"

// Side says on which side of a directed line a point lies.
type Side int8

// The results of Orient.
const (
	Right     Side = -1
	Collinear Side = 0
	Left      Side = 1
)

// Orient returns on which side of the directed line from a to b the point c lies. It is exact for
// coordinates within ±2^29: differences have 30 bits and a sign, products 60, their difference 61.
// Points of one domain, within 0..2^20, need 41.
func Orient(a, b, c Point) Side { return SideOf(Cross(a, b, c)) }

// SideOf returns the sign of v as a side: Left if positive.
func SideOf(v int64) Side {
	switch {
	case v > 0:
		return Left
	case v < 0:
		return Right
	}
	return Collinear
}

// Cross returns twice the signed area of the triangle abc, positive if counter-clockwise.
func Cross(a, b, c Point) int64 {
	return (int64(b.X)-int64(a.X))*(int64(c.Y)-int64(a.Y)) -
		(int64(b.Y)-int64(a.Y))*(int64(c.X)-int64(a.X))
}

// Dot returns the scalar product of b - a and d - c, at most 2^41 in a domain.
func Dot(a, b, c, d Point) int64 {
	return (int64(b.X)-int64(a.X))*(int64(d.X)-int64(c.X)) + (int64(b.Y)-int64(a.Y))*(int64(d.Y)-int64(c.Y))
}

// Distance2 returns the squared distance, at most 2^41 in a domain.
func Distance2(p, q Point) int64 { return Dot(p, q, p, q) }

// Abs returns the absolute value of v.
func Abs(v int64) int64 { return max(v, -v) }

// InCircle returns 1 if d lies strictly inside the circle through a, b and c, 0 if on it, -1 if
// outside, for a, b, c counter-clockwise; clockwise the signs swap. It is exact in one domain.
//
// Differences to d are at most 2^20, so that
//
//	squared lengths   l <= 2 * 2^40         = 2^41
//	minors            m <= 2 * 2^20 * 2^20  = 2^41
//	products          l * m                <= 2^82
//	their sum of 3    < 2^84
//
// which 128 bits hold. In float64 (53 bits) all up to the minors is exact; each product is off by
// at most half a unit in its last place, 2^29 (products below 2^83), and each of the two sums by at
// most 2^30 (below 2^84), fused or not: 3 * 2^29 + 2 * 2^30 < 2^32. A float64 result beyond that
// bound has the right sign.
func InCircle(a, b, c, d Point) int {
	ax, ay := int64(a.X)-int64(d.X), int64(a.Y)-int64(d.Y)
	bx, by := int64(b.X)-int64(d.X), int64(b.Y)-int64(d.Y)
	cx, cy := int64(c.X)-int64(d.X), int64(c.Y)-int64(d.Y)
	la, lb, lc := ax*ax+ay*ay, bx*bx+by*by, cx*cx+cy*cy
	ma, mb, mc := bx*cy-by*cx, cx*ay-cy*ax, ax*by-ay*bx
	const sure = 1 << 32
	switch v := float64(la)*float64(ma) + float64(lb)*float64(mb) + float64(lc)*float64(mc); {
	case v > sure:
		return 1
	case v < -sure:
		return -1
	}
	ha, wa := mul128(la, ma)
	hb, wb := mul128(lb, mb)
	hc, wc := mul128(lc, mc)
	low, carry := bits.Add64(wa, wb, 0)
	high, _ := bits.Add64(ha, hb, carry)
	low, carry = bits.Add64(low, wc, 0)
	high, _ = bits.Add64(high, hc, carry)
	switch {
	case int64(high) < 0:
		return -1
	case high|low == 0:
		return 0
	}
	return 1
}

// mul128 returns the product of l >= 0 and m in two's complement.
func mul128(l, m int64) (high, low uint64) {
	high, low = bits.Mul64(uint64(l), uint64(m))
	if m < 0 {
		high -= uint64(l) // uint64(m) is m + 2^64
	}
	return high, low
}
