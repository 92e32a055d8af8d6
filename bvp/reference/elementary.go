package reference

import "math"

// Roots, quotients and angles out of sums and products alone, and each of those rounded by itself:
// devices may divide and take roots and sines as they like, but all of them multiply and add alike.
// So these give the same bits everywhere. shaders/bvp/elementary.glsl is the same.

// reciprocal returns 1/x, within 2 units in the last place, for x from 2^-125 to 2^125.
//
// A line through the logarithm is within 13% (the constant is the best one); each of Newton's steps
// squares that: 1.6e-2, 2.6e-4, 6.4e-8, and the last one is for rounding.
func reciprocal(x float32) float32 {
	y := math.Float32frombits(0x7ef311c7 - math.Float32bits(x))
	for range 4 {
		y *= 2 - float32(x*y)
	}
	return y
}

// root returns the square root of x within 2 units in the last place, for x from 2^-100 to 2^100,
// and 0 for less.
//
// It is x times the inverse root: within 3.5% at first, and Newton's steps take e to 1.5 e^2:
// 1.8e-3, 5e-6, 4e-11.
func root(x float32) float32 {
	if x < 0x1p-100 {
		return 0
	}
	y := math.Float32frombits(0x5f3759df - math.Float32bits(x)>>1)
	half := 0.5 * x
	for range 4 {
		y *= 1.5 - float32(float32(half*y)*y)
	}
	return x * y
}

const (
	pi     = float32(math.Pi)
	halfPi = float32(math.Pi / 2)
	turn   = float32(2 * math.Pi)
)

// wrapped is an angle between -2 pi and 2 pi brought to -pi to pi.
func wrapped(angle float32) float32 {
	switch {
	case angle > pi:
		return angle - turn
	case angle < -pi:
		return angle + turn
	}
	return angle
}

// direction returns cosine and sine of an angle from -pi to pi, within 1e-6: the sums are within
// 3e-9 (Abramowitz and Stegun 1964, 4.3.97 and 4.3.99), and there are at most 8 roundings of 6e-8.
func direction(angle float32) [2]float32 {
	x := max(angle, -angle)
	sign := float32(1)
	if x > halfPi {
		x, sign = pi-x, -1
	}
	x2 := x * x
	s := polynomial(x2, -2.39e-8, 2.7526e-6, -1.98409e-4, 8.3333315e-3, -0.1666666664, 1) * x
	c := polynomial(x2, -2.605e-7, 2.47609e-5, -1.3888397e-3, 4.16666418e-2, -0.4999999963, 1) * sign
	if angle < 0 {
		s = -s
	}
	return [2]float32{c, s}
}

// angle returns the angle of a vector, from -pi to pi, within 1e-6, and 0 for the zero vector.
// Components are 0 or from 2^-125 to 2^125. The sum is within 2e-8 (Abramowitz and Stegun 1964,
// 4.4.49).
func angle(v [2]float32) float32 {
	x, y := max(v[0], -v[0]), max(v[1], -v[1])
	long, short := max(x, y), min(x, y)
	if long == 0 {
		return 0
	}
	t := min(short*reciprocal(long), 1)
	a := polynomial(t*t, 2.8662257e-3, -1.61657367e-2, 4.29096138e-2, -7.528964e-2, 0.1065626393, -0.1420889944, 0.1999355085, -0.3333314528, 1) * t
	if y > x {
		a = halfPi - a
	}
	if v[0] < 0 {
		a = pi - a
	}
	if v[1] < 0 {
		a = -a
	}
	return a
}

// polynomial has the coefficient of the highest power first.
func polynomial(x float32, coefficients ...float32) float32 {
	var sum float32
	for _, c := range coefficients {
		sum = float32(sum*x) + c
	}
	return sum
}

// Tiny is the smallest potential that is not taken for 0, so that no device has to compute with
// floats below the normal range, which some take for 0 and others do not.
const Tiny = 0x1p-100

// Product is a*b, rounded: the conversion forbids that it is fused with a sum, as some processors
// would, with other bits.
func Product[F Real](a, b F) F {
	return F(a * b) //nolint:unconvert // see above
}

// Quotient is 1/x, in float32 as the device has it.
func Quotient[F Real](x F) F {
	if narrow, ok := any(x).(float32); ok {
		return F(reciprocal(narrow))
	}
	return 1 / x
}

// SquareRoot likewise.
func SquareRoot[F Real](x F) F {
	if narrow, ok := any(x).(float32); ok {
		return F(root(narrow))
	}
	return F(math.Sqrt(float64(x)))
}
