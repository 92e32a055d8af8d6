package scenes

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
)

// subpath is a run of lines of a path.
type subpath struct {
	points []mgl64.Vec2
	closed bool
}

// pathReader reads numbers as SVG writes them: with blanks, commas or nothing
// between.
type pathReader struct {
	text string
	err  error // the first
}

// more reports whether something is left, and passes blanks and a comma.
func (p *pathReader) more() bool {
	p.text = strings.TrimLeft(p.text, " \t\r\n")
	if rest, ok := strings.CutPrefix(p.text, ","); ok {
		p.text = strings.TrimLeft(rest, " \t\r\n")
	}
	return p.text != ""
}

// number reads one; 0 where there is none, which is an error.
func (p *pathReader) number() float64 {
	if !p.more() {
		p.fail("it ends where a number is needed")
		return 0
	}
	i, digits := 0, false
	if p.text[i] == '+' || p.text[i] == '-' {
		i++
	}
	for dot := false; i < len(p.text); i++ {
		if c := p.text[i]; c == '.' && !dot {
			dot = true
		} else if '0' <= c && c <= '9' {
			digits = true
		} else {
			break
		}
	}
	if digits && i < len(p.text) && (p.text[i] == 'e' || p.text[i] == 'E') {
		k := i + 1
		if k < len(p.text) && (p.text[k] == '+' || p.text[k] == '-') {
			k++
		}
		if k < len(p.text) && '0' <= p.text[k] && p.text[k] <= '9' {
			for k < len(p.text) && '0' <= p.text[k] && p.text[k] <= '9' {
				k++
			}
			i = k
		}
	}
	v, err := strconv.ParseFloat(p.text[:i], 64)
	if !digits || err != nil {
		p.fail("%s where a number is needed", excerpt([]byte(p.text[:min(len(p.text), 20)])))
		return 0
	}
	p.text = p.text[i:]
	return v
}

// flag reads one digit, 0 or 1, which need not be parted from what follows.
func (p *pathReader) flag() bool {
	if !p.more() || p.text[0] != '0' && p.text[0] != '1' {
		p.fail("a flag of an arc is 0 or 1")
		return false
	}
	set := p.text[0] == '1'
	p.text = p.text[1:]
	return set
}

func (p *pathReader) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	p.text = ""
}

// bezierPieces is how many lines stand for a Bezier curve.
const bezierPieces = 16

// readPath reads the data of a path.
func readPath(text string) ([]subpath, error) {
	p := &pathReader{text: text}
	var all []subpath
	var here, start mgl64.Vec2
	var control mgl64.Vec2 // of the curve before, for S and T
	var before byte        // its command
	draw := func(to mgl64.Vec2) {
		if len(all) == 0 || all[len(all)-1].closed { // after Z a path goes on where it began
			all = append(all, subpath{points: []mgl64.Vec2{here}})
		}
		last := &all[len(all)-1]
		last.points = append(last.points, to)
		here = to
	}
	command := byte(0)
	for p.more() && p.err == nil {
		if c := p.text[0]; 'a' <= c && c <= 'z' && c != 'e' || 'A' <= c && c <= 'Z' && c != 'E' {
			command = c
			p.text = p.text[1:]
		} else if command == 0 || command == 'Z' || command == 'z' {
			return nil, errors.New(excerpt([]byte(p.text[:min(len(p.text), 20)])) + " where a command is needed")
		}
		if command != 'm' && command != 'M' && before == 0 {
			return nil, errors.New("it begins with a command other than M")
		}
		relative := 'a' <= command && command <= 'z'
		at := func() mgl64.Vec2 {
			v := mgl64.Vec2{p.number(), p.number()}
			if relative {
				v = v.Add(here)
			}
			return v
		}
		upper := command &^ 0x20
		switch upper {
		case 'M':
			here = at()
			start = here
			all = append(all, subpath{points: []mgl64.Vec2{here}})
			command-- // what follows without a command are lines: L, which is before M
		case 'Z':
			if len(all) > 0 {
				all[len(all)-1].closed = true
			}
			here = start
		case 'L':
			draw(at())
		case 'H':
			to := mgl64.Vec2{p.number(), here[1]}
			if relative {
				to[0] += here[0]
			}
			draw(to)
		case 'V':
			to := mgl64.Vec2{here[0], p.number()}
			if relative {
				to[1] += here[1]
			}
			draw(to)
		case 'C', 'S', 'Q', 'T':
			first := here
			if upper == 'S' && (before == 'C' || before == 'S') || upper == 'T' && (before == 'Q' || before == 'T') {
				first = here.Mul(2).Sub(control)
			}
			if upper == 'C' || upper == 'Q' {
				first = at()
			}
			control = first
			second := first
			if upper == 'C' || upper == 'S' {
				second = at()
				control = second
			}
			to := at()
			if upper == 'Q' || upper == 'T' { // the same curve as a cubic one
				second = to.Add(control.Sub(to).Mul(2.0 / 3))
				first = here.Add(control.Sub(here).Mul(2.0 / 3))
			}
			from := here
			for k := 1; k < bezierPieces; k++ {
				t := float64(k) / bezierPieces
				draw(mgl64.CubicBezierCurve2D(t, from, first, second, to))
			}
			draw(to)
		case 'A':
			rx, ry, turn := math.Abs(p.number()), math.Abs(p.number()), p.number()
			large, sweep := p.flag(), p.flag()
			to := at()
			for _, v := range arc(here, to, rx, ry, turn*math.Pi/180, large, sweep) {
				draw(v)
			}
		default:
			return nil, fmt.Errorf("%q is no command", command)
		}
		before = upper
	}
	return all, p.err
}

// arc returns points of an elliptical arc, its end included: 32 to a full turn. The
// ellipse is found as SVG 1.1, appendix F.6, says; radii that are too short grow.
func arc(from, to mgl64.Vec2, rx, ry, turn float64, large, sweep bool) []mgl64.Vec2 {
	if rx == 0 || ry == 0 || from == to {
		return []mgl64.Vec2{to}
	}
	sin, cos := math.Sincos(turn)
	// Half the way, in the ellipse's axes and radii: the arc is one of a unit circle.
	half := from.Sub(to).Mul(0.5)
	x, y := (cos*half[0]+sin*half[1])/rx, (cos*half[1]-sin*half[0])/ry
	square := x*x + y*y
	away := 0.0
	if square > 1 {
		grow := math.Sqrt(square)
		rx, ry, x, y = rx*grow, ry*grow, x/grow, y/grow
	} else {
		away = math.Sqrt((1 - square) / square)
	}
	if large == sweep {
		away = -away
	}
	cx, cy := away*y, -away*x
	begin, end := math.Atan2(y-cy, x-cx), math.Atan2(-y-cy, -x-cx)
	span := end - begin
	if sweep && span < 0 {
		span += 2 * math.Pi
	} else if !sweep && span > 0 {
		span -= 2 * math.Pi
	}
	middle := from.Add(to).Mul(0.5)
	pieces := max(1, int(math.Ceil(math.Abs(span)/(2*math.Pi)*32)))
	points := make([]mgl64.Vec2, 0, pieces)
	for k := 1; k < pieces; k++ {
		s, c := math.Sincos(begin + span*float64(k)/float64(pieces))
		u, v := rx*(c+cx), ry*(s+cy)
		points = append(points, middle.Add(mgl64.Vec2{cos*u - sin*v, sin*u + cos*v}))
	}
	return append(points, to)
}
