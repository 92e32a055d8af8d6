package scenes

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	simple "github.com/peterstace/simplefeatures/geom"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// readWKT reads well-known text as JuPedSim means it: a polygon is walkable
// ground, its holes are what stands there, and of several polygons the union
// counts. What remains of their bounding box becomes obstacles.
//
// Rings have to be closed and simple. Holes may touch, overlap and leave the
// outline: each takes away what it covers of its own polygon.
func readWKT(in *source) (Rect, []geom.Polygon, error) {
	r := &wktReader{source: in}
	if err := r.geometry(0); err != nil {
		return Rect{}, nil, err
	}
	if r.space(); r.at < len(in.data) {
		return Rect{}, nil, in.wrong(r.at, "%s after the geometry: a file holds one (of several make a GEOMETRYCOLLECTION)", r.found())
	}
	if len(r.walkable) == 0 {
		return Rect{}, nil, in.wrong(0, "there is no walkable ground: the geometry is empty")
	}
	box := Rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, p := range r.walkable {
		for _, v := range p.Outer {
			box = Rect{min(box[0], v[0]), min(box[1], v[1]), max(box[2], v[0]), max(box[3], v[1])}
		}
	}
	if _, err := geom.NewLattice(box.Min(), box.Max()); err != nil {
		return Rect{}, nil, in.wrong(0, "no ground can be made of this: %s", plain(err))
	}
	obstacles, err := outside(r.walkable, box)
	if err != nil {
		return Rect{}, nil, in.wrong(0, "the outside of the polygons cannot be found: %s", plain(err))
	}
	return box, obstacles, nil
}

// deepest is how deep collections may lie in collections.
const deepest = 32

// wktReader reads the polygons of well-known text. It is our own, since a message
// has to name the place, down to the vertex at which a ring crosses itself.
type wktReader struct {
	*source
	at       int
	walkable []geom.Polygon
}

func (r *wktReader) space() {
	for r.at < len(r.data) && strings.IndexByte(" \t\r\n", r.data[r.at]) >= 0 {
		r.at++
	}
}

// run returns the longest run of characters of a kind at the place, and passes it.
func (r *wktReader) run(kind func(byte) bool) string {
	r.space()
	begin := r.at
	for r.at < len(r.data) && kind(r.data[r.at]) {
		r.at++
	}
	return string(r.data[begin:r.at])
}

// word returns the word at the place in capitals, and passes it.
func (r *wktReader) word() string {
	return strings.ToUpper(r.run(func(b byte) bool { return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' }))
}

// is reports whether a character is next, and passes it if so.
func (r *wktReader) is(b byte) bool {
	r.space()
	if r.at == len(r.data) || r.data[r.at] != b {
		return false
	}
	r.at++
	return true
}

// found says what stands at the place.
func (r *wktReader) found() string {
	if r.at == len(r.data) {
		return "the end of the file"
	}
	rest := r.data[r.at:]
	if i := slices.IndexFunc(rest[1:min(len(rest), 30)], func(b byte) bool { return strings.IndexByte(" \t\r\n(),", b) >= 0 }); i >= 0 {
		rest = rest[:i+1]
	}
	return excerpt(rest)
}

// empty passes what may follow a geometry's name: its dimensions, and EMPTY.
func (r *wktReader) empty() (bool, error) {
	before := r.at
	word := r.word()
	if word == "Z" || word == "M" || word == "ZM" {
		before = r.at
		word = r.word()
	}
	if word != "" && word != "EMPTY" {
		r.at = before
		r.space()
		return false, r.wrong(r.at, "%s where EMPTY or a parenthesis is needed", r.found())
	}
	return word == "EMPTY", nil
}

// list passes a list in parentheses, each of its items by item.
func (r *wktReader) list(item func() error) error {
	if !r.is('(') {
		return r.wrong(r.at, "%s where ( is needed", r.found())
	}
	for {
		if err := item(); err != nil {
			return err
		}
		if r.is(')') {
			return nil
		}
		if !r.is(',') {
			return r.wrong(r.at, "%s where , or ) is needed", r.found())
		}
	}
}

func (r *wktReader) geometry(depth int) error {
	r.space()
	begin := r.at
	name := r.word()
	var item func() error
	switch name {
	case "POLYGON":
		item = nil
	case "MULTIPOLYGON":
		item = func() error {
			if empty, err := r.empty(); empty || err != nil {
				return err
			}
			return r.polygon()
		}
	case "GEOMETRYCOLLECTION":
		item = func() error { return r.geometry(depth + 1) }
	case "":
		return r.wrong(begin, "%s where a geometry is needed: POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION", r.found())
	default:
		return r.wrong(begin, "%s is no ground: POLYGON, MULTIPOLYGON and GEOMETRYCOLLECTION are", shorten(name))
	}
	if depth > deepest {
		return r.wrong(begin, "collections lie more than %d deep in one another", deepest)
	}
	if empty, err := r.empty(); empty || err != nil {
		return err
	}
	if item == nil {
		return r.polygon()
	}
	return r.list(item)
}

func (r *wktReader) polygon() error {
	var rings []geom.Ring
	err := r.list(func() error {
		empty, err := r.empty()
		switch {
		case empty && rings == nil:
			rings = []geom.Ring{nil} // and with it the polygon, whatever its holes
		case !empty && err == nil:
			var ring geom.Ring
			ring, err = r.ring()
			rings = append(rings, ring)
		}
		return err
	})
	if err == nil && rings[0] != nil {
		r.walkable = append(r.walkable, geom.Polygon{Outer: rings[0], Holes: rings[1:]})
	}
	return err
}

// ring reads a ring without its closing vertex and without equal neighbours.
func (r *wktReader) ring() (geom.Ring, error) {
	r.space()
	begin := r.at
	var ring geom.Ring
	var places []int
	err := r.list(func() error {
		r.space()
		places = append(places, r.at)
		v, err := r.vertex()
		ring = append(ring, v)
		return err
	})
	if err != nil {
		return nil, err
	}
	last := len(ring) - 1
	if ring[0] != ring[last] {
		return nil, r.wrong(places[last], "the ring is not closed: its last vertex has to be its first, %s", point(ring[0]))
	}
	p := geom.Polygon{Outer: ring[:max(last, 1)]}
	if err := p.Check(); err != nil {
		var e *polygon.Error
		if errors.As(err, &e) && e.Kind != polygon.TooFewVertices && e.Kind != polygon.ZeroArea {
			begin = places[e.Index]
		}
		// Holes are checked alone too.
		return nil, r.wrong(begin, "%s", strings.Replace(plain(err), "the outer ring", "the ring", 1))
	}
	p, _ = p.Merged()
	return p.Outer, nil
}

// vertex reads two coordinates, and passes a height and a measure.
func (r *wktReader) vertex() (mgl64.Vec2, error) {
	var v mgl64.Vec2
	for i := range 4 {
		r.space()
		begin := r.at
		number := r.run(func(b byte) bool { return '0' <= b && b <= '9' || strings.IndexByte("+-.eE", b) >= 0 })
		if number == "" && i >= 2 {
			break
		}
		x, err := strconv.ParseFloat(number, 64)
		if err != nil {
			r.at = begin
			return v, r.wrong(begin, "%s where a number is needed", r.found())
		}
		if i < 2 {
			v[i] = x * r.options.metres()
		}
	}
	return v, nil
}

// outside returns what remains of a box without polygons, in an order that depends on the shape
// only. Polygons that reach out of the box pass Check.
func outside(polygons []geom.Polygon, box Rect) ([]geom.Polygon, error) {
	o := &overlay{given: map[mgl64.Vec2]bool{}, slack: max(box[2]-box[0], box[3]-box[1]) / (1000 * geom.Steps)}
	var within []geom.Polygon
	for _, p := range polygons {
		parts, err := cutAt(box, p)
		if err != nil {
			return nil, err
		}
		within = append(within, parts...)
	}
	for _, p := range within {
		for _, v := range slices.Concat(append(p.Holes, p.Outer)...) {
			o.given[v] = true
		}
	}
	var list []geom.Polygon
	if len(within) == 1 && within[0].Check() == nil { // holes need not go through the overlay
		for _, h := range within[0].Holes {
			list = append(list, geom.Polygon{Outer: h})
		}
		within = []geom.Polygon{{Outer: within[0].Outer}}
	}
	around := o.difference([]geom.Polygon{Obstacle{Rect: &box}.Polygon()}, o.union(within, o.whole))
	if o.err != nil {
		return nil, o.err
	}
	for _, p := range around { // the library rounds crossings, on the border too
		parts, err := cutAt(box, p)
		if err != nil {
			return nil, err
		}
		list = append(list, parts...)
	}
	for i, p := range list {
		list[i].Outer = canonical(p.Outer, 1)
		for k, h := range p.Holes {
			p.Holes[k] = canonical(h, -1)
		}
		slices.SortFunc(p.Holes, compareRings)
	}
	slices.SortFunc(list, func(a, b geom.Polygon) int { return compareRings(a.Outer, b.Outer) })
	return list, nil
}

// cutAt returns what a polygon has in a box: the polygon where it lies inside, and else what Clip
// returns.
func cutAt(box Rect, p geom.Polygon) ([]geom.Polygon, error) {
	if b := boxOf(p.Outer); box.Contains(b.Min()) && box.Contains(b.Max()) {
		return []geom.Polygon{p}, nil
	}
	return p.Clip(box.Min(), box.Max())
}

// overlay unites and subtracts sets of polygons. Its first error stays, and
// results after it are empty.
type overlay struct {
	given map[mgl64.Vec2]bool // the vertices of the file
	slack float64             // a thousandth of a lattice step, in metres
	err   error
}

// whole returns a polygon of the file as polygons that are sound: what remains of
// its outline without its holes.
func (o *overlay) whole(p geom.Polygon) []geom.Polygon {
	if p.Check() == nil {
		return []geom.Polygon{p}
	}
	outline := func(r geom.Ring) []geom.Polygon { return []geom.Polygon{{Outer: r}} }
	holes := make([]geom.Polygon, len(p.Holes))
	for i, h := range p.Holes {
		holes[i].Outer = h
	}
	return o.difference(outline(p.Outer), o.union(holes, func(h geom.Polygon) []geom.Polygon { return outline(h.Outer) }))
}

// union unites polygons, two sets at a time: of many that overlap at once the
// library loses parts.
func (o *overlay) union(all []geom.Polygon, sound func(geom.Polygon) []geom.Polygon) []geom.Polygon {
	switch len(all) {
	case 0:
		return nil
	case 1:
		return sound(all[0])
	}
	a, b := o.union(all[:len(all)/2], sound), o.union(all[len(all)/2:], sound)
	return o.clean(simple.Union(areaOf(a), areaOf(b)))
}

func (o *overlay) difference(a, b []geom.Polygon) []geom.Polygon {
	return o.clean(simple.Difference(areaOf(a), areaOf(b)))
}

// clean returns a result of the library without the vertices that it has put on
// straight edges for its own ends: those that are not in the file, are part of one
// ring only, and lie on the line between their neighbours but for slack. They are
// off that line by their rounding, so that they give slivers in the next step, and
// corners where there are none on the lattice.
func (o *overlay) clean(g simple.Geometry, err error) []geom.Polygon {
	if o.err == nil {
		o.err = err
	}
	if o.err != nil {
		return nil
	}
	var list []geom.Polygon
	uses := map[mgl64.Vec2]int{}
	for _, part := range g.Dump() {
		if !part.IsPolygon() || part.IsEmpty() {
			continue
		}
		var p geom.Polygon
		for i, line := range part.MustAsPolygon().DumpRings() {
			ring := ringOf(line)
			for _, v := range ring {
				uses[v]++
			}
			if i == 0 {
				p.Outer = ring
			} else {
				p.Holes = append(p.Holes, ring)
			}
		}
		list = append(list, p)
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
	// What is left of slivers is no ring any more.
	flat := func(r geom.Ring) bool { return len(r) < 3 }
	for i, p := range list {
		list[i].Outer = straight(p.Outer)
		for k, h := range p.Holes {
			p.Holes[k] = straight(h)
		}
		list[i].Holes = slices.DeleteFunc(p.Holes, flat)
	}
	return slices.DeleteFunc(list, func(p geom.Polygon) bool { return flat(p.Outer) })
}

// areaOf returns polygons as one geometry.
func areaOf(list []geom.Polygon) simple.Geometry {
	polygons := make([]simple.Polygon, len(list))
	for i, p := range list {
		var lines []simple.LineString
		for _, ring := range append([]geom.Ring{p.Outer}, p.Holes...) {
			flat := make([]float64, 0, 2*len(ring)+2)
			for _, v := range ring {
				flat = append(flat, v[0], v[1])
			}
			flat = append(flat, ring[0][0], ring[0][1])
			lines = append(lines, simple.NewLineString(simple.NewSequence(flat, simple.DimXY)))
		}
		polygons[i] = simple.NewPolygon(lines)
	}
	return simple.NewMultiPolygon(polygons).AsGeometry()
}

// ringOf returns a line's vertices without the closing one.
func ringOf(line simple.LineString) geom.Ring {
	s := line.Coordinates()
	ring := make(geom.Ring, s.Length()-1)
	for i := range ring {
		xy := s.GetXY(i)
		ring[i] = mgl64.Vec2{xy.X, xy.Y}
	}
	// Begin with a vertex that is no addition of the overlay's: the least is a corner.
	return canonical(ring, 1)
}

// canonical returns a ring that begins with its least vertex and turns
// counter-clockwise, or clockwise for a turn of -1.
func canonical(r geom.Ring, turn float64) geom.Ring {
	first := 0
	for i, v := range r {
		if compareVertices(v, r[first]) < 0 {
			first = i
		}
	}
	r = slices.Concat(r[first:], r[:first])
	if r.Area()*turn < 0 {
		slices.Reverse(r[1:])
	}
	return r
}

func compareVertices(a, b mgl64.Vec2) int { return slices.Compare(a[:], b[:]) }

func compareRings(a, b geom.Ring) int { return slices.CompareFunc(a, b, compareVertices) }
