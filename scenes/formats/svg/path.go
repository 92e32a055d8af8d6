package svg

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes/formats/plan"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// scanner reads numbers as SVG writes them: with blanks, commas or nothing between.
type scanner struct {
	text string
	err  error // the first
}

// more reports whether something is left, and skips blanks and a comma.
func (s *scanner) more() bool {
	const blanks = " \t\r\n"
	s.text = strings.TrimLeft(s.text, blanks)
	if rest, ok := strings.CutPrefix(s.text, ","); ok {
		s.text = strings.TrimLeft(rest, blanks)
	}
	return s.text != ""
}

var numeral = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?`)

// number reads one; 0 where there is none, which is an error.
func (s *scanner) number() float64 {
	if !s.more() {
		s.fail("it ends where a number is needed")
		return 0
	}
	found := numeral.FindString(s.text)
	v, err := strconv.ParseFloat(found, 64)
	if err != nil {
		s.fail("%s where a number is needed", s.next())
		return 0
	}
	s.text = s.text[len(found):]
	return v
}

// numbers reads numbers to the end.
func (s *scanner) numbers() (list []float64) {
	for s.more() && s.err == nil {
		list = append(list, s.number())
	}
	return list
}

// flag reads one digit, 0 or 1, which need not be separated from what follows.
func (s *scanner) flag() bool {
	if !s.more() || s.text[0] != '0' && s.text[0] != '1' {
		s.fail("a flag of an arc is 0 or 1")
		return false
	}
	set := s.text[0] == '1'
	s.text = s.text[1:]
	return set
}

// next returns what comes next, for messages.
func (s *scanner) next() string { return text.Quote(s.text[:min(len(s.text), 20)]) }

func (s *scanner) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
	s.text = ""
}

// bezierPieces is the number of lines that replace a Bezier curve.
const bezierPieces = 16

// pathReader reads the data of a path.
type pathReader struct {
	scanner
	all         []plan.Line
	here, start mgl64.Vec2
	relative    bool
	control     mgl64.Vec2 // of the curve before, for S and T
	before      byte       // its command
}

func readPath(data string) ([]plan.Line, error) {
	p := &pathReader{scanner: scanner{text: data}, all: []plan.Line{}}
	command := byte(0)
	for p.more() && p.err == nil {
		if c := p.text[0]; c|0x20 >= 'a' && c|0x20 <= 'z' && c|0x20 != 'e' {
			command = c
			p.text = p.text[1:]
		} else if command == 0 || command == 'Z' || command == 'z' {
			p.fail("%s where a command is needed", p.next())
		}
		upper := command &^ 0x20
		if upper != 'M' && p.before == 0 {
			p.fail("it begins with a command other than M")
		}
		if !strings.ContainsRune("MZLHVCSQTA", rune(upper)) {
			p.fail("%q is no command", command)
		}
		if p.err != nil {
			break
		}
		p.relative = command != upper
		p.command(upper)
		if p.before = upper; upper == 'M' {
			command-- // what follows without a command are lines: L, which is before M
		}
	}
	return p.all, p.err
}

// command draws what a command says.
func (p *pathReader) command(c byte) {
	switch c {
	case 'M':
		p.here = p.at()
		p.start = p.here
		p.all = append(p.all, plan.Line{Points: []mgl64.Vec2{p.here}})
	case 'Z':
		if len(p.all) > 0 {
			p.all[len(p.all)-1].Closed = true
		}
		p.here = p.start
	case 'L':
		p.draw(p.at())
	case 'H', 'V':
		to, axis := p.here, 0
		if c == 'V' {
			axis = 1
		}
		if v := p.number(); p.relative {
			to[axis] += v
		} else {
			to[axis] = v
		}
		p.draw(to)
	case 'C', 'S', 'Q', 'T':
		p.curve(c)
	case 'A':
		rx, ry, turn := math.Abs(p.number()), math.Abs(p.number()), p.number()
		large, sweep := p.flag(), p.flag()
		for _, v := range arc(p.here, p.at(), rx, ry, turn*math.Pi/180, large, sweep) {
			p.draw(v)
		}
	}
}

// at reads a point.
func (p *pathReader) at() mgl64.Vec2 {
	v := mgl64.Vec2{p.number(), p.number()}
	if p.relative {
		v = v.Add(p.here)
	}
	return v
}

// draw adds a line to a point.
func (p *pathReader) draw(to mgl64.Vec2) {
	if len(p.all) == 0 || p.all[len(p.all)-1].Closed { // after Z a path goes on where it began
		p.all = append(p.all, plan.Line{Points: []mgl64.Vec2{p.here}})
	}
	last := &p.all[len(p.all)-1]
	last.Points = append(last.Points, to)
	p.here = to
}

// curve draws a Bezier curve.
func (p *pathReader) curve(c byte) {
	first := p.here
	if c == 'S' && (p.before == 'C' || p.before == 'S') || c == 'T' && (p.before == 'Q' || p.before == 'T') {
		first = p.here.Mul(2).Sub(p.control)
	}
	if c == 'C' || c == 'Q' {
		first = p.at()
	}
	p.control = first
	if c == 'C' || c == 'S' {
		p.control = p.at()
	}
	second, to := p.control, p.at()
	if c == 'Q' || c == 'T' { // the same curve as a cubic one
		second = to.Add(p.control.Sub(to).Mul(2.0 / 3))
		first = p.here.Add(p.control.Sub(p.here).Mul(2.0 / 3))
	}
	from := p.here
	for k := 1; k < bezierPieces; k++ {
		p.draw(mgl64.CubicBezierCurve2D(float64(k)/bezierPieces, from, first, second, to))
	}
	p.draw(to)
}

// arc returns points of an elliptical arc, its end included: 32 to a full turn. The ellipse is that
// of SVG 1.1, appendix F.6; radii that are too short grow.
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
