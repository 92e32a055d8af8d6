package scenes

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// svgPaint is how shapes are painted, as far as it says where walls are.
type svgPaint struct {
	fill, stroke string  // empty: not said
	width        float64 // of the stroke
	extended     bool    // lines reach beyond their ends by half of it
	dashed       bool
}

// paint takes what an element says of it.
func (r *svgReader) paint(look func(string) string, f *svgFrame) error {
	p := &f.paint
	for _, to := range []struct {
		name  string
		value *string
	}{{"fill", &p.fill}, {"stroke", &p.stroke}} {
		if v := look(to.name); v != "" && v != "inherit" {
			*to.value = v
		}
	}
	if v := look("stroke-width"); v != "" && v != "inherit" {
		width, err := svgLength(v, diagonal(f.size))
		if err != nil || !(width >= 0) {
			return r.wrong(r.at, "stroke-width=%s: a length, 0 or more, is needed", excerpt([]byte(v)))
		}
		p.width = width
	}
	if v := look("stroke-dasharray"); v != "" && v != "inherit" {
		p.dashed = v != "none"
	}
	if v := look("stroke-linecap"); v != "" && v != "inherit" {
		p.extended = v == "square" || v == "round"
	}
	return nil
}

func (p svgPaint) filled() bool { return p.fill != "none" && p.fill != "transparent" }

func (p svgPaint) stroked() bool {
	return p.stroke != "" && p.stroke != "none" && p.stroke != "transparent" && p.width > 0
}

// walls takes the stroke of lines as obstacles.
func (r *svgReader) walls(s shape, lines []subpath, f svgFrame) error {
	var parts []geom.Polygon
	for _, l := range lines {
		for _, ring := range strokeOf(l, f.paint) {
			placed, err := r.placed(s.at, f.toWorld, ring, true)
			if err != nil {
				return err
			}
			part := geom.Polygon{Outer: placed}
			// Joints of lines that hardly turn are thinner than the grain of coordinates, and so may
			// the lines be.
			if part.Check() == nil {
				part, _ = part.Merged()
				parts = append(parts, part)
			}
		}
	}
	if len(parts) == 0 {
		r.remark(s.at, "a stroke is left out: its length or its width is below what coordinates of its size tell apart, a thousandth of a millimeter at best")
		return nil
	}
	if f.paint.dashed {
		r.remark(s.at, "the dashes of strokes are taken as solid")
	}
	s.polygons = united(parts)
	return r.add(s)
}

// united returns the union of polygons that overlap, or these themselves where their union has no outlines that are simple:
// of obstacles that overlap the union counts.
func united(parts []geom.Polygon) []geom.Polygon {
	o := &overlay{given: map[mgl64.Vec2]bool{}}
	box := boxOf(slices.Concat(outers(parts)...))
	o.slack = max(box[2]-box[0], box[3]-box[1]) / (1000 * geom.Steps)
	for _, p := range parts {
		for _, v := range p.Outer {
			o.given[v] = true
		}
	}
	union := o.union(parts, func(p geom.Polygon) []geom.Polygon { return []geom.Polygon{p} })
	if o.err != nil || len(union) == 0 || slices.ContainsFunc(union, func(p geom.Polygon) bool { return p.Check() != nil }) {
		return parts
	}
	return union
}

// strokeOf returns rings that a line's stroke is the union of: a rectangle along each piece, and what joins two of them on the
// outer side of a turn, which is a mitre unless that is longer than SVG's usual limit of 4.
func strokeOf(l subpath, paint svgPaint) []geom.Ring {
	points := slices.Clone(l.points)
	points = slices.CompactFunc(points, func(a, b mgl64.Vec2) bool { return a == b })
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
		if paint.extended && !closed && i == 0 {
			a = a.Sub(d.Mul(half))
		}
		if paint.extended && !closed && i == pieces-1 {
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
