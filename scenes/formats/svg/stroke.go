package svg

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes/formats/plan"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// paint is how shapes are painted, as far as it says where walls are. Empty: not given.
type paint struct {
	fill, stroke, cap, dashes string
	width                     float64 // of the stroke
}

// style takes what an element says of its paint.
func (r *reader) style(look func(string) string, f *frame) {
	p, width := &f.paint, ""
	for name, to := range map[string]*string{
		"fill": &p.fill, "stroke": &p.stroke, "stroke-linecap": &p.cap, "stroke-dasharray": &p.dashes, "stroke-width": &width,
	} {
		if v := look(name); v != "" && v != "inherit" {
			*to = v
		}
	}
	if width == "" {
		return
	}
	var err error
	if p.width, err = length(width, diagonal(f.size)); err != nil || !(p.width >= 0) {
		r.fail("stroke-width=%s: a length, 0 or more, is needed", text.Quote(width))
	}
}

func (p paint) filled() bool { return p.fill != "none" && p.fill != "transparent" }

func (p paint) stroked() bool {
	return p.stroke != "" && p.stroke != "none" && p.stroke != "transparent" && p.width > 0
}

// extended reports whether lines reach beyond their ends by half of the stroke's width.
func (p paint) extended() bool { return p.cap == "square" || p.cap == "round" }

// walls takes the stroke of lines as obstacles.
func (r *reader) walls(s plan.Shape, lines []subpath, f frame) {
	var parts []geom.Polygon
	for _, l := range lines {
		for _, ring := range strokeOf(l, f.paint) {
			part := geom.Polygon{Outer: r.placed(s.At, f.toWorld, ring, true)}
			if r.Err != nil {
				return
			}
			// Joints of lines that hardly turn are thinner than the grain of coordinates, and so
			// may the lines be.
			if part.Check() == nil {
				part, _ = part.Merged()
				parts = append(parts, part)
			}
		}
	}
	if len(parts) == 0 {
		r.Notef(s.At, "a stroke is left out: its length or its width is below what coordinates of its size tell apart, a thousandth of a millimeter at best")
		return
	}
	if f.paint.dashes != "" && f.paint.dashes != "none" {
		r.Notef(s.At, "the dashes of strokes are taken as solid")
	}
	s.Polygons = plan.Union(parts)
	r.Add(s)
}

// strokeOf returns rings whose union is a line's stroke: a rectangle along each piece, and what
// joins two of them on the outer side of a turn, which is a miter unless that is longer than SVG's
// usual limit of 4.
func strokeOf(l subpath, paint paint) []geom.Ring {
	points := slices.Compact(slices.Clone(l.points))
	if n := len(points); l.closed && n > 1 && points[0] == points[n-1] {
		points = points[:n-1]
	}
	n := len(points)
	if n < 2 {
		return nil
	}
	closed := l.closed && n > 2
	half := paint.width / 2
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
		if paint.extended() && !closed && i == 0 {
			a = a.Sub(d.Mul(half))
		}
		if paint.extended() && !closed && i == pieces-1 {
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
