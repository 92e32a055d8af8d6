package svg

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/wayfront/wayfront/scenes/formats/plan"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// transform reads a list of transformations.
func transform(list string) (plan.Affine, error) {
	m := plan.Affine{1, 0, 0, 1, 0, 0}
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
		m = m.After(one)
	}
	return m, nil
}

// transformation returns one transformation; false if there is none of that name and so many
// numbers.
func transformation(name string, v []float64) (plan.Affine, bool) {
	n := len(v)
	v = append(v, 0, 0)
	sin, cos := math.Sincos(v[0] * math.Pi / 180)
	rotation := plan.Affine{cos, sin, -sin, cos, 0, 0}
	switch {
	case name == "matrix" && n == 6:
		return plan.Affine(v[:6]), true
	case name == "translate" && (n == 1 || n == 2):
		return plan.Affine{1, 0, 0, 1, v[0], v[1]}, true
	case name == "scale" && n == 1:
		return plan.Affine{v[0], 0, 0, v[0], 0, 0}, true
	case name == "scale" && n == 2:
		return plan.Affine{v[0], 0, 0, v[1], 0, 0}, true
	case name == "rotate" && n == 1:
		return rotation, true
	case name == "rotate" && n == 3:
		return plan.Affine{1, 0, 0, 1, v[1], v[2]}.After(rotation).After(plan.Affine{1, 0, 0, 1, -v[1], -v[2]}), true
	case name == "skewX" && n == 1:
		return plan.Affine{1, 0, sin / cos, 1, 0, 0}, true
	case name == "skewY" && n == 1:
		return plan.Affine{1, sin / cos, 0, 1, 0, 0}, true
	}
	return plan.Affine{}, false
}
