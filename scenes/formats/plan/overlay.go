package plan

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	simple "github.com/peterstace/simplefeatures/geom"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/polygon"
	"github.com/wayfront/wayfront/scenes"
)

// Outside returns what remains of a box without polygons, in an order that depends on the shape
// only. Polygons that reach out of the box pass Check.
func Outside(polygons []geom.Polygon, box scenes.Rect) ([]geom.Polygon, error) {
	within, err := cutAll(box, polygons)
	if err != nil {
		return nil, err
	}
	o := newOverlay(within, box)
	var list []geom.Polygon
	if len(within) == 1 && within[0].Check() == nil { // holes need not go through the overlay
		for _, h := range within[0].Holes {
			list = append(list, geom.Polygon{Outer: h})
		}
		within = []geom.Polygon{{Outer: within[0].Outer}}
	}
	around := o.subtract([]geom.Polygon{box.Polygon()}, o.combine(within, o.whole, simple.Union))
	if o.err != nil {
		return nil, o.err
	}
	around, err = cutAll(box, around) // the library rounds crossings, on the border too
	list = append(list, around...)
	for i, p := range list {
		list[i].Outer = canonical(p.Outer, 1)
		for k, h := range p.Holes {
			p.Holes[k] = canonical(h, -1)
		}
		slices.SortFunc(p.Holes, compareRings)
	}
	slices.SortFunc(list, func(a, b geom.Polygon) int { return compareRings(a.Outer, b.Outer) })
	return list, err
}

// cutAll returns what polygons have in a box: those that lie inside as they are, and of others what
// Clip returns.
func cutAll(box scenes.Rect, polygons []geom.Polygon) (list []geom.Polygon, err error) {
	for _, p := range polygons {
		parts := []geom.Polygon{p}
		if !box.Holds(BoxOf(p.Outer)) {
			if parts, err = p.Clip(box.Min(), box.Max()); err != nil {
				return nil, err
			}
		}
		list = append(list, parts...)
	}
	return list, nil
}

// Union returns the union of polygons that overlap, or these themselves where their union has no
// outlines that are simple: of obstacles that overlap the union counts.
func Union(parts []geom.Polygon) []geom.Polygon {
	o := newOverlay(parts, BoxOf(outers(parts)...))
	union := o.combine(parts, same, simple.Union)
	if o.err != nil || len(union) == 0 || slices.ContainsFunc(union, func(p geom.Polygon) bool { return p.Check() != nil }) {
		return parts
	}
	return union
}

// EvenOdd returns what rings enclose by the even-odd rule: each inverts its inside.
func EvenOdd(rings []geom.Ring) ([]geom.Polygon, error) {
	if len(rings) == 1 {
		return []geom.Polygon{{Outer: rings[0]}}, nil // which is checked where it is added
	}
	// Mostly one ring is around all others and these are its holes.
	outer := 0
	for i, ring := range rings {
		if math.Abs(ring.Area()) > math.Abs(rings[outer].Area()) {
			outer = i
		}
	}
	if one := (geom.Polygon{Outer: rings[outer], Holes: slices.Delete(slices.Clone(rings), outer, outer+1)}); one.Check() == nil {
		return []geom.Polygon{one}, nil
	}
	polygons := outlines(rings)
	for _, p := range polygons {
		if err := p.Check(); err != nil {
			return nil, err
		}
	}
	o := newOverlay(polygons, BoxOf(rings...))
	return o.combine(polygons, same, simple.SymmetricDifference), o.err
}

// overlay combines sets of polygons by package simplefeatures. Its first error stays, and results
// after it are empty.
type overlay struct {
	given map[mgl64.Vec2]bool // the vertices of the file
	slack float64             // a thousandth of a lattice step, in meters
	err   error
}

func newOverlay(polygons []geom.Polygon, box scenes.Rect) *overlay {
	o := &overlay{given: map[mgl64.Vec2]bool{}, slack: max(box[2]-box[0], box[3]-box[1]) / (1000 * geom.Steps)}
	for _, p := range polygons {
		for _, v := range slices.Concat(p.Rings()...) {
			o.given[v] = true
		}
	}
	return o
}

func same(p geom.Polygon) []geom.Polygon { return []geom.Polygon{p} }

func outlines(rings []geom.Ring) []geom.Polygon {
	list := make([]geom.Polygon, len(rings))
	for i, r := range rings {
		list[i].Outer = r
	}
	return list
}

func outers(list []geom.Polygon) []geom.Ring {
	rings := make([]geom.Ring, len(list))
	for i, p := range list {
		rings[i] = p.Outer
	}
	return rings
}

// whole returns a polygon of the file as polygons that pass Check: its outline without its holes.
func (o *overlay) whole(p geom.Polygon) []geom.Polygon {
	if p.Check() == nil {
		return same(p)
	}
	return o.subtract([]geom.Polygon{{Outer: p.Outer}}, o.combine(outlines(p.Holes), same, simple.Union))
}

// combine combines polygons, each made sound first, two sets at a time: of many that overlap at
// once the library loses parts.
func (o *overlay) combine(all []geom.Polygon, sound func(geom.Polygon) []geom.Polygon, by func(a, b simple.Geometry) (simple.Geometry, error)) []geom.Polygon {
	switch len(all) {
	case 0:
		return nil
	case 1:
		return sound(all[0])
	}
	a, b := o.combine(all[:len(all)/2], sound, by), o.combine(all[len(all)/2:], sound, by)
	return o.clean(by(areaOf(a), areaOf(b)))
}

func (o *overlay) subtract(a, b []geom.Polygon) []geom.Polygon {
	return o.clean(simple.Difference(areaOf(a), areaOf(b)))
}

// clean returns a result of the library without the vertices that it adds on straight edges: those
// that are not in the file, are part of one ring only, and lie on the line between their neighbors
// but for slack. They are off that line by their rounding, so that they give slivers in the next
// step, and corners where there are none on the lattice.
func (o *overlay) clean(g simple.Geometry, err error) []geom.Polygon {
	if o.err = cmp.Or(o.err, err); o.err != nil {
		return nil
	}
	var list []geom.Polygon
	uses := map[mgl64.Vec2]int{}
	for _, part := range g.Dump() {
		if !part.IsPolygon() || part.IsEmpty() {
			continue
		}
		var rings []geom.Ring
		for _, line := range part.MustAsPolygon().DumpRings() {
			ring := ringOf(line)
			for _, v := range ring {
				uses[v]++
			}
			rings = append(rings, ring)
		}
		list = append(list, geom.Polygon{Outer: rings[0], Holes: rings[1:]})
	}
	straight := func(ring geom.Ring) geom.Ring {
		var kept geom.Ring
		for i, v := range ring {
			next := ring[(i+1)%len(ring)]
			if len(kept) > 0 && !o.given[v] && uses[v] == 1 {
				a, along := kept[len(kept)-1], next.Sub(kept[len(kept)-1])
				if t := v.Sub(a).Dot(along) / along.Dot(along); 0 <= t && t <= 1 && v.Sub(a.Add(along.Mul(t))).Len() <= o.slack {
					continue
				}
			}
			kept = append(kept, v)
		}
		return kept
	}
	flat := func(r geom.Ring) bool { return len(r) < 3 } // what is left of slivers
	for i, p := range list {
		list[i].Outer = straight(p.Outer)
		for k, h := range p.Holes {
			p.Holes[k] = straight(h)
		}
		list[i].Holes = slices.DeleteFunc(p.Holes, flat)
	}
	return slices.DeleteFunc(list, func(p geom.Polygon) bool { return flat(p.Outer) })
}

// LineOf returns points as a line of package simplefeatures.
func LineOf(points []mgl64.Vec2) simple.LineString {
	flat := make([]float64, 0, 2*len(points))
	for _, v := range points {
		flat = append(flat, v[0], v[1])
	}
	return simple.NewLineString(simple.NewSequence(flat, simple.DimXY))
}

// PolygonOf returns a polygon as one of package simplefeatures.
func PolygonOf(p geom.Polygon) simple.Polygon {
	var lines []simple.LineString
	for _, ring := range p.Rings() {
		lines = append(lines, LineOf(append(slices.Clip(ring), ring[0])))
	}
	return simple.NewPolygon(lines)
}

// areaOf returns polygons as one geometry.
func areaOf(list []geom.Polygon) simple.Geometry {
	polygons := make([]simple.Polygon, len(list))
	for i, p := range list {
		polygons[i] = PolygonOf(p)
	}
	return simple.NewMultiPolygon(polygons).AsGeometry()
}

// ringOf returns a line's vertices without the closing one, from the least on: that is a corner,
// not a vertex that the library added.
func ringOf(line simple.LineString) geom.Ring {
	s := line.Coordinates()
	ring := make(geom.Ring, s.Length()-1)
	for i := range ring {
		xy := s.GetXY(i)
		ring[i] = mgl64.Vec2{xy.X, xy.Y}
	}
	return canonical(ring, 1)
}

// canonical returns a ring that begins with its least vertex and turns counter-clockwise, or
// clockwise for a turn of -1.
func canonical(r geom.Ring, turn float64) geom.Ring {
	first := slices.Index(r, slices.MinFunc(r, polygon.Compare))
	r = slices.Concat(r[first:], r[:first])
	if r.Area()*turn < 0 {
		slices.Reverse(r[1:])
	}
	return r
}

func compareRings(a, b geom.Ring) int { return slices.CompareFunc(a, b, polygon.Compare) }

// BoxOf returns the bounding box of the points of some rings or lines.
func BoxOf(lines ...geom.Ring) scenes.Rect {
	box := scenes.Rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, line := range lines {
		for _, v := range line {
			box = scenes.Rect{min(box[0], v[0]), min(box[1], v[1]), max(box[2], v[0]), max(box[3], v[1])}
		}
	}
	return box
}

// IsRect reports whether a polygon is a rectangle with sides along the axes.
func IsRect(p geom.Polygon) bool {
	r := p.Outer
	if len(r) != 4 || len(p.Holes) > 0 {
		return false
	}
	for i, v := range r {
		if next := r[(i+1)%4]; v[i%2] != next[i%2] && v[1-i%2] != next[1-i%2] {
			return false
		}
	}
	return true
}
