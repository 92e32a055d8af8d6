package plan

import (
	"errors"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/polygon"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// Affine takes (x, y) to (a x + c y + e, b x + d y + f), as SVG's matrix does.
type Affine [6]float64

// Of returns a point of the drawing in the world, rounded to a thousandth of a millimeter: sines
// differ between machines in bits far below.
func (m Affine) Of(p mgl64.Vec2) mgl64.Vec2 {
	const grain = 1e6
	x := float64(m[0]*p[0]) + float64(m[2]*p[1]) + m[4]
	y := float64(m[1]*p[0]) + float64(m[3]*p[1]) + m[5]
	return mgl64.Vec2{math.Round(x*grain) / grain, math.Round(y*grain) / grain}
}

// After returns the map that does n first.
func (m Affine) After(n Affine) Affine {
	return Affine{
		float64(m[0]*n[0]) + float64(m[2]*n[1]), float64(m[1]*n[0]) + float64(m[3]*n[1]),
		float64(m[0]*n[2]) + float64(m[2]*n[3]), float64(m[1]*n[2]) + float64(m[3]*n[3]),
		float64(m[0]*n[4]) + float64(m[2]*n[5]) + m[4], float64(m[1]*n[4]) + float64(m[3]*n[5]) + m[5],
	}
}

// Similar reports whether circles stay circles, and by how much they grow.
func (m Affine) Similar() (float64, bool) {
	x, y := math.Hypot(m[0], m[1]), math.Hypot(m[2], m[3])
	const slack = 1e-9 // of rounding in a product of matrices
	return x, math.Abs(x-y) <= slack*x && math.Abs(m[0]*m[2]+m[1]*m[3]) <= slack*x*x
}

// Line is a line through points, which is drawn.
type Line struct {
	Points []mgl64.Vec2
	Closed bool
}

// Placed returns points of a line or ring in the world. It comes before any test of their form:
// where float64 numbers are too coarse for the sheet, rounding may already have collapsed it.
func (k *Sketch) Placed(at int, m Affine, points []mgl64.Vec2, closed bool) []mgl64.Vec2 {
	list := make([]mgl64.Vec2, len(points))
	for i, p := range points {
		list[i] = m.Of(p)
	}
	k.Place(at, list, closed)
	return list
}

// Disc returns a disc of the world, with a center in a drawing.
func (k *Sketch) Disc(at int, m Affine, center mgl64.Vec2, radius float64) *scenes.Disc {
	d := &scenes.Disc{Center: m.Of(center), Radius: radius}
	box := d.Box()
	// An edge without a length has the center be in reach, the diagonal the radius.
	k.Place(at, []mgl64.Vec2{d.Center, d.Center, box.Min(), box.Max()}, false)
	return d
}

// AddLines adds a shape that lines bound, by the even-odd rule, or for a goal the lines that are
// open. Of what has no inside there is a note or an error.
func (k *Sketch) AddLines(s Shape, lines []Line, m Affine) {
	var rings []geom.Ring
	for _, l := range lines {
		line := s.Role == RoleGoal && !l.Closed
		points := slices.Compact(k.Placed(s.At, m, l.Points, !line))
		if k.Err != nil {
			return
		}
		if line {
			if len(points) >= 2 {
				one := s
				one.Line = points
				k.Add(one)
			}
			continue
		}
		for len(points) > 1 && points[0] == points[len(points)-1] {
			points = points[:len(points)-1]
		}
		if len(points) > 0 {
			rings = append(rings, points)
		}
	}
	if len(rings) == 0 || k.Err != nil {
		return
	}
	if len(rings) > 1 {
		rings = k.solid(s, rings)
	}
	if len(rings) == 1 && len(rings[0]) < 3 && s.Role != RoleGoal {
		s.Line = rings[0]
		k.Add(s) // which says what the role needs instead of a line
		return
	}
	polygons, err := EvenOdd(rings)
	if err != nil {
		k.Fail(s.At, "%s", text.Plain(err))
		return
	}
	if s.Polygons = polygons; len(rings) == 1 && IsRect(polygons[0]) && s.Role != RoleGoal {
		box := BoxOf(rings[0])
		s.Rect, s.Polygons = &box, nil
	}
	k.Add(s)
}

// solid returns the rings that have an inside, or the first where none has. A path may move without
// drawing, and what it draws along one line only is not filled.
func (k *Sketch) solid(s Shape, rings []geom.Ring) []geom.Ring {
	var kept []geom.Ring
	for _, ring := range rings {
		var e *polygon.Error
		if errors.As(geom.Polygon{Outer: ring}.Check(), &e) && e.Kind.OfRing() {
			if len(ring) > 1 {
				k.Notef(s.At, "a part of the path is left out: it lies on one line and has no inside")
			}
			continue
		}
		kept = append(kept, ring)
	}
	if kept == nil {
		return rings[:1]
	}
	return kept
}

// AddStrokes adds what rings cover, those of strokes, in the world.
func (k *Sketch) AddStrokes(s Shape, strokes []geom.Ring, m Affine) {
	var parts []geom.Polygon
	for _, ring := range strokes {
		part := geom.Polygon{Outer: k.Placed(s.At, m, ring, true)}
		if k.Err != nil {
			return
		}
		// Joints of lines that hardly turn are thinner than the grain of coordinates, and so
		// may the lines be.
		if part.Check() == nil {
			part, _ = part.Merged()
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		k.Notef(s.At, "a stroke is left out: its length or its width is below what coordinates of its size tell apart, a thousandth of a millimeter at best")
		return
	}
	s.Polygons = Union(parts)
	k.Add(s)
}

// Stroke returns rings that cover the stroke of the line together: a rectangle along each piece, and what
// joins two of them on the outer side of a turn, which is a miter unless that is longer than SVG's
// usual limit of 4. An extended one reaches beyond the ends by half of its width.
func (l Line) Stroke(width float64, extended bool) []geom.Ring {
	points := slices.Compact(slices.Clone(l.Points))
	if n := len(points); l.Closed && n > 1 && points[0] == points[n-1] {
		points = points[:n-1]
	}
	n := len(points)
	if n < 2 {
		return nil
	}
	closed := l.Closed && n > 2
	half := width / 2
	pieces := n - 1
	if closed {
		pieces = n
	}
	along := make([]mgl64.Vec2, pieces)
	for i := range along {
		along[i] = points[(i+1)%n].Sub(points[i]).Normalize()
	}
	aside := func(d mgl64.Vec2) mgl64.Vec2 { return mgl64.Vec2{-d[1], d[0]}.Mul(half) }
	var rings []geom.Ring
	for i, d := range along {
		a, b := points[i], points[(i+1)%n]
		if extended && !closed && i == 0 {
			a = a.Sub(d.Mul(half))
		}
		if extended && !closed && i == pieces-1 {
			b = b.Add(d.Mul(half))
		}
		side := aside(d)
		rings = append(rings, geom.Ring{a.Sub(side), b.Sub(side), b.Add(side), a.Add(side)})
	}
	for i, before := range along {
		k := i + 1 // the corner between piece i and the next one
		if k == pieces && !closed {
			break
		}
		next, corner := along[k%pieces], points[k%n]
		turn, straight := before[0]*next[1]-before[1]*next[0], before.Dot(next)
		if turn == 0 {
			continue
		}
		one, two := aside(before), aside(next)
		if turn > 0 { // the outer side is on the right
			one, two = one.Mul(-1), two.Mul(-1)
		}
		ring := geom.Ring{corner, corner.Add(one), corner.Add(two)}
		const limit = 4
		if reach := math.Sqrt(2 / (1 + straight)); reach <= limit {
			tip := corner.Add(one.Add(two).Mul(1 / (1 + straight)))
			ring = slices.Insert(ring, 2, tip)
		}
		rings = append(rings, ring)
	}
	return rings
}
