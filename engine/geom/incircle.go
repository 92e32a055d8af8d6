package geom

import "math/bits"

// inCircle returns +1 if d lies strictly inside the circle through a, b and c,
// 0 if on it, -1 if outside, for a, b, c counter-clockwise; the signs swap for
// clockwise. It is exact for points of one domain.
//
// With coordinates in 0..2^20 the differences to d are at most 2^20, so that
//
//	squared lengths   l <= 2 * 2^40         = 2^41
//	minors            m <= 2 * 2^20 * 2^20  = 2^41
//	products          l * m                <= 2^82
//	their sum of 3    < 2^84
//
// which 128 bits hold. In float64 everything up to the minors is exact (53
// bits); each product is off by at most half a unit in its last place, 2^29
// (products below 2^83), and each of the two sums by at most 2^30 (below
// 2^84), fused or not: 3 * 2^29 + 2 * 2^30 < 2^32. A float64 result beyond
// that bound has the right sign, which settles nearly all cases.
func inCircle(a, b, c, d Point) int {
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
		// uint64(m) is m + 2^64: take l * 2^64 off again.
		high -= uint64(l)
	}
	return high, low
}
