package studio

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
)

// opening is a part of a wall between two edges of a polygon: from the first of the near edge to
// the second, each with its place across.
type opening struct {
	ring, edge   int // the near edge: the ring, and its first vertex
	other, along int // the far one
	near, far    [2]mgl64.Vec2
}

// thickest is how thick a wall may be that a door goes through. Unit: m.
const thickest = 2

// openingOf returns the opening of a wall from one length along an edge to another; false where no
// edge lies straight across all of it, or that is farther than thickest.
func openingOf(p geom.Polygon, ring, edge int, from, to float64) (o opening, ok bool) {
	rings := p.Rings()
	a, b := ends(rings[ring], edge)
	along := b.Sub(a).Normalize()
	in := mgl64.Vec2{-along[1], along[0]}
	if !within(p, a.Add(b).Mul(0.5).Add(in.Mul(1e-6*b.Sub(a).Len()))) { // a millionth of it to one side
		in = in.Mul(-1)
	}
	o = opening{ring: ring, edge: edge}
	o.near = [2]mgl64.Vec2{finely(a.Add(along.Mul(from))), finely(a.Add(along.Mul(to)))}
	middle, least := a.Add(along.Mul((from+to)/2)), math.Inf(1)
	for k, r := range rings {
		for i := range r {
			if k == ring && i == edge {
				continue
			}
			c, d := ends(r, i)
			if t, u, ok := across(middle, in, c, d); ok && t > 0 && t < least && u >= 0 && u <= 1 {
				least, o.other, o.along = t, k, i
			}
		}
	}
	if least > thickest {
		return o, false
	}
	c, d := ends(rings[o.other], o.along)
	for i, v := range o.near {
		t, u, ok := across(v, in, c, d)
		const rounding = 1e-6 // of the edge: where the opening ends at a corner
		if !ok || t <= 0 || t > thickest || u < -rounding || u > 1+rounding {
			return o, false
		}
		o.far[i] = finely(v.Add(in.Mul(t)))
	}
	return o, true
}

// ends returns both ends of an edge of a ring.
func ends(r geom.Ring, edge int) (a, b mgl64.Vec2) { return r[edge], r[(edge+1)%len(r)] }

// within reports whether a place lies in a polygon.
func within(p geom.Polygon, at mgl64.Vec2) bool {
	return p.Outer.Contains(at) && !slices.ContainsFunc(p.Holes, func(h geom.Ring) bool { return h.Contains(at) })
}

// across returns how far a ray goes until it meets the line through c and d, and the part of that
// at which it does; false where they are parallel.
func across(from, direction, c, d mgl64.Vec2) (t, u float64, ok bool) {
	along, off := d.Sub(c), c.Sub(from)
	det := direction[0]*along[1] - direction[1]*along[0]
	if math.Abs(det) <= 1e-9*along.Len() { // parallel, but for rounding
		return 0, 0, false
	}
	return (off[0]*along[1] - off[1]*along[0]) / det, (off[0]*direction[1] - off[1]*direction[0]) / det, true
}

// door returns the polygon of the opening.
func (o opening) door() geom.Polygon {
	ring := geom.Ring{o.near[0], o.near[1], o.far[1], o.far[0]}
	if ring.Area() < 0 {
		slices.Reverse(ring)
	}
	return geom.Polygon{Outer: ring}
}

// cut returns what is left of a polygon without the opening: two parts, one where the edges are of
// two rings or the opening is at an end, or none; false where what is left is not simple.
func (o opening) cut(p geom.Polygon) (parts []geom.Polygon, ok bool) {
	rings := p.Rings()
	near, far := rings[o.ring], rings[o.other]
	var others []geom.Ring
	for k, r := range rings {
		if k != o.ring && k != o.other {
			others = append(others, r)
		}
	}
	switch c, d := ends(far, o.along); {
	case o.ring != o.other:
		j := o.along
		if d.Sub(c).Dot(o.far[1].Sub(o.far[0])) > 0 { // the rings run the same way
			far = slices.Clone(far)
			slices.Reverse(far)
			j = (2*len(far) - 2 - j) % len(far)
		}
		ring := append(walk(o.near[1], near, o.edge, o.edge), o.near[0])
		ring = tidy(append(append(ring, walk(o.far[0], far, j, j)...), o.far[1]))
		if o.ring > 0 && o.other > 0 { // between two holes, which are one now
			ring, others = rings[0], append([]geom.Ring{ring}, others[1:]...)
		}
		parts = []geom.Polygon{{Outer: ring}}
	case o.ring > 0: // what is cut off is an island
		return nil, false
	default:
		one := tidy(append(walk(o.near[1], near, o.edge, o.along), o.far[1]))
		two := tidy(append(walk(o.far[0], near, o.along, o.edge), o.near[0]))
		for _, r := range []geom.Ring{one, two} {
			if len(r) >= 3 {
				parts = append(parts, geom.Polygon{Outer: r})
			}
		}
	}
	for _, hole := range others {
		i := slices.IndexFunc(parts, func(q geom.Polygon) bool { return q.Outer.Contains(hole[0]) })
		if i < 0 {
			return nil, false
		}
		parts[i].Holes = append(parts[i].Holes, hole)
	}
	left, all := area(o.door()), area(p)
	for _, part := range parts {
		if part.Check() != nil {
			return nil, false
		}
		left += area(part)
	}
	return parts, math.Abs(left-all) <= 1e-6*all // what is rounded to a nanometer
}

// walk returns a place on an edge of a ring and the vertices from there to another edge, which may
// be the same, after a round.
func walk(from mgl64.Vec2, r geom.Ring, edge, to int) geom.Ring {
	all := geom.Ring{from}
	for i := (edge + 1) % len(r); ; i = (i + 1) % len(r) {
		all = append(all, r[i])
		if i == to {
			return all
		}
	}
}

// tidy returns a ring without vertices that equal those before, but for the rounding of walls that
// were drawn to a micrometer.
func tidy(r geom.Ring) (kept geom.Ring) {
	for i, v := range r {
		if v.Sub(r[(i+len(r)-1)%len(r)]).Len() > 1e-5 {
			kept = append(kept, v)
		}
	}
	return kept
}

func area(p geom.Polygon) float64 {
	sum := math.Abs(p.Outer.Area())
	for _, h := range p.Holes {
		sum -= math.Abs(h.Area())
	}
	return sum
}

// fine rounds a length to a nanometer, so that sums of decimal fractions are written with few
// digits.
func fine(v float64) float64 { return math.Round(v*1e9) / 1e9 }

func finely(p mgl64.Vec2) mgl64.Vec2 { return mgl64.Vec2{fine(p[0]), fine(p[1])} }

// shape returns the figure of a polygon: a rectangle where it is one.
func shape(p geom.Polygon) Figure {
	box := scenes.Around(p.Outer)
	if len(p.Outer) == 4 && len(p.Holes) == 0 {
		corners := true
		for i, v := range p.Outer {
			next := p.Outer[(i+1)%4]
			corners = corners && (v[0] == box[0] || v[0] == box[2]) && (v[1] == box[1] || v[1] == box[3]) && (v[0] == next[0]) != (v[1] == next[1])
		}
		if corners {
			return rectOf(box)
		}
	}
	f := Figure{Kind: Polygon, Points: p.Outer}
	for _, h := range p.Holes {
		f.Holes = append(f.Holes, h)
	}
	return f
}
