package svg

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes/internal/text"
)

// affine takes (x, y) to (a x + c y + e, b x + d y + f), as SVG's matrix does.
type affine [6]float64

// of returns a point of the drawing in the world, rounded to a thousandth of a millimeter: sines
// differ between machines in bits far below.
func (m affine) of(p mgl64.Vec2) mgl64.Vec2 {
	const grain = 1e6
	x := float64(m[0]*p[0]) + float64(m[2]*p[1]) + m[4]
	y := float64(m[1]*p[0]) + float64(m[3]*p[1]) + m[5]
	return mgl64.Vec2{math.Round(x*grain) / grain, math.Round(y*grain) / grain}
}

// after returns the map that does n first.
func (m affine) after(n affine) affine {
	return affine{
		float64(m[0]*n[0]) + float64(m[2]*n[1]), float64(m[1]*n[0]) + float64(m[3]*n[1]),
		float64(m[0]*n[2]) + float64(m[2]*n[3]), float64(m[1]*n[2]) + float64(m[3]*n[3]),
		float64(m[0]*n[4]) + float64(m[2]*n[5]) + m[4], float64(m[1]*n[4]) + float64(m[3]*n[5]) + m[5],
	}
}

// similar reports whether circles stay circles, and by how much they grow.
func (m affine) similar() (float64, bool) {
	x, y := math.Hypot(m[0], m[1]), math.Hypot(m[2], m[3])
	const slack = 1e-9 // of rounding in a product of matrices
	return x, math.Abs(x-y) <= slack*x && math.Abs(m[0]*m[2]+m[1]*m[3]) <= slack*x*x
}

// transform reads a list of transformations.
func transform(list string) (affine, error) {
	m := affine{1, 0, 0, 1, 0, 0}
	for rest := strings.TrimLeft(list, " ,\t\r\n"); rest != ""; rest = strings.TrimLeft(rest, " ,\t\r\n") {
		name, after, ok := strings.Cut(rest, "(")
		inside, after, closed := strings.Cut(after, ")")
		if !ok || !closed {
			return m, errors.New("a list such as translate(3 4) rotate(30) is needed")
		}
		rest = after
		s := scanner{text: inside}
		v := s.numbers()
		if s.err != nil {
			return m, s.err
		}
		name = strings.TrimSpace(name)
		one, ok := transformation(name, v)
		if !ok {
			return m, fmt.Errorf("%s with %d numbers is none of SVG's transformations", text.Quote(name), len(v))
		}
		m = m.after(one)
	}
	return m, nil
}

// transformation returns one transformation; false if there is none of that name and so many
// numbers.
func transformation(name string, v []float64) (affine, bool) {
	n := len(v)
	v = append(v, 0, 0)
	sin, cos := math.Sincos(v[0] * math.Pi / 180)
	rotation := affine{cos, sin, -sin, cos, 0, 0}
	switch {
	case name == "matrix" && n == 6:
		return affine(v[:6]), true
	case name == "translate" && (n == 1 || n == 2):
		return affine{1, 0, 0, 1, v[0], v[1]}, true
	case name == "scale" && n == 1:
		return affine{v[0], 0, 0, v[0], 0, 0}, true
	case name == "scale" && n == 2:
		return affine{v[0], 0, 0, v[1], 0, 0}, true
	case name == "rotate" && n == 1:
		return rotation, true
	case name == "rotate" && n == 3:
		return affine{1, 0, 0, 1, v[1], v[2]}.after(rotation).after(affine{1, 0, 0, 1, -v[1], -v[2]}), true
	case name == "skewX" && n == 1:
		return affine{1, 0, sin / cos, 1, 0, 0}, true
	case name == "skewY" && n == 1:
		return affine{1, sin / cos, 0, 1, 0, 0}, true
	}
	return affine{}, false
}
