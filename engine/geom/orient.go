package geom

// Side says on which side of a directed line a point lies.
type Side int8

// The three answers of Orient.
const (
	Right     Side = -1
	Collinear Side = 0
	Left      Side = 1
)

// Orient returns on which side of the directed line from a to b the point c
// lies. It is exact for coordinates within ±2^29: differences fit in 30 bits
// and a sign, products in 60, and their difference in 61. Points of one domain
// are within 0..2^20 and need 41.
func Orient(a, b, c Point) Side {
	return sideOf(cross(a, b, c))
}

// cross returns twice the signed area of the triangle abc, positive when
// counter-clockwise.
func cross(a, b, c Point) int64 {
	return (int64(b.X)-int64(a.X))*(int64(c.Y)-int64(a.Y)) -
		(int64(b.Y)-int64(a.Y))*(int64(c.X)-int64(a.X))
}

func sideOf(v int64) Side {
	switch {
	case v > 0:
		return Left
	case v < 0:
		return Right
	}
	return Collinear
}
