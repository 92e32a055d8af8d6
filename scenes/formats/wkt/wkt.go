package wkt

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	simple "github.com/peterstace/simplefeatures/geom"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/polygon"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats/plan"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// Format is well-known text.
var Format = plan.Format{
	Name: "wkt", Ending: ".wkt", Read: read, Write: write,
	Help: `POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION. Polygons are walkable ground and their holes are obstacles, as in JuPedSim; of several
the union counts.`,
}

// read reads polygons. Rings have to be closed and simple. Holes may touch, overlap and leave the
// outline: each removes what it covers of its own polygon.
func read(in *plan.Source) *scenes.Scene {
	r := &reader{Sketch: plan.Sketch{Source: in}}
	r.geometry(0)
	if r.space() < len(in.Data) {
		r.Fail(r.at, "%s after the geometry: a file holds one (of several make a GEOMETRYCOLLECTION)", r.found())
	}
	if len(r.Walkable) == 0 {
		r.Fail(0, "there is no walkable ground: the geometry is empty")
	}
	if r.Err != nil {
		return nil
	}
	return r.Scene()
}

// write writes the walkable ground: one polygon with holes, or several.
func write(s *scenes.Scene) ([]byte, []string, error) {
	free, err := plan.Outside(s.Present(0), s.Domain)
	if err != nil {
		return nil, nil, fmt.Errorf("scenes: the free ground cannot be found: %s", text.Plain(err))
	}
	polygons := make([]simple.Polygon, len(free))
	for i, p := range free {
		polygons[i] = plan.PolygonOf(p)
	}
	switch len(free) {
	case 0:
		return []byte("POLYGON EMPTY\n"), nil, nil
	case 1:
		return append(polygons[0].AppendWKT(nil), '\n'), nil, nil
	}
	return append(simple.NewMultiPolygon(polygons).AppendWKT(nil), '\n'), nil, nil
}

// deepest is the greatest depth of collections in collections.
const deepest = 32

// reader reads the polygons of well-known text until its first error.
type reader struct {
	plan.Sketch
	at int
}

// space skips blanks and returns the place behind them.
func (r *reader) space() int { r.run(" \t\r\n"); return r.at }

// run skips the longest run of some characters, and returns it.
func (r *reader) run(of string) string {
	begin := r.at
	for r.at < len(r.Data) && strings.IndexByte(of, r.Data[r.at]) >= 0 {
		r.at++
	}
	return string(r.Data[begin:r.at])
}

// word skips blanks and a word, and returns it in capitals.
func (r *reader) word() string {
	r.space()
	return strings.ToUpper(r.run("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
}

// is reports whether a character is next, and skips it if so.
func (r *reader) is(b byte) bool {
	if r.space() == len(r.Data) || r.Data[r.at] != b {
		return false
	}
	r.at++
	return true
}

// found returns what is at the place, for messages.
func (r *reader) found() string {
	if r.at == len(r.Data) {
		return "the end of the file"
	}
	rest := r.Data[r.at:]
	if i := bytes.IndexAny(rest[1:min(len(rest), 30)], " \t\r\n(),"); i >= 0 {
		rest = rest[:i+1]
	}
	return text.Quote(string(rest))
}

// empty skips what may follow a geometry's name: its dimensions, and EMPTY, which it reports.
func (r *reader) empty() bool {
	begin := r.space()
	word := r.word()
	if word == "Z" || word == "M" || word == "ZM" {
		begin = r.space()
		word = r.word()
	}
	if word != "" && word != "EMPTY" {
		r.at = begin
		r.Fail(begin, "%s where EMPTY or a parenthesis is needed", r.found())
	}
	return word != ""
}

// list reads a list in parentheses, each of its items by item.
func (r *reader) list(item func()) {
	if !r.is('(') {
		r.Fail(r.at, "%s where ( is needed", r.found())
	}
	for r.Err == nil {
		if item(); r.is(')') {
			return
		}
		if !r.is(',') {
			r.Fail(r.at, "%s where , or ) is needed", r.found())
		}
	}
}

func (r *reader) geometry(depth int) {
	begin := r.space()
	name := r.word()
	switch {
	case name == "":
		r.Fail(begin, "%s where a geometry is needed: POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION", r.found())
	case name != "POLYGON" && name != "MULTIPOLYGON" && name != "GEOMETRYCOLLECTION":
		r.Fail(begin, "%s is no ground: POLYGON, MULTIPOLYGON and GEOMETRYCOLLECTION are", text.Shorten(name))
	case depth > deepest:
		r.Fail(begin, "collections lie more than %d deep in one another", deepest)
	}
	switch {
	case r.Err != nil || r.empty():
	case name == "POLYGON":
		r.polygon()
	case name == "MULTIPOLYGON":
		r.list(func() {
			if !r.empty() {
				r.polygon()
			}
		})
	default:
		r.list(func() { r.geometry(depth + 1) })
	}
}

func (r *reader) polygon() {
	var rings []geom.Ring
	r.list(func() {
		if !r.empty() {
			rings = append(rings, r.ring())
		} else if rings == nil {
			rings = []geom.Ring{nil} // and with it the polygon is empty, whatever its holes
		}
	})
	if r.Err == nil && rings[0] != nil {
		r.Walkable = append(r.Walkable, geom.Polygon{Outer: rings[0], Holes: rings[1:]})
	}
}

// ring reads a ring without its closing vertex and without equal neighbors.
func (r *reader) ring() geom.Ring {
	begin := r.space()
	var ring geom.Ring
	var places []int
	r.list(func() {
		places = append(places, r.space())
		ring = append(ring, r.vertex())
	})
	if r.Err != nil {
		return nil
	}
	last := len(ring) - 1
	if ring[0] != ring[last] {
		r.Fail(places[last], "the ring is not closed: its last vertex has to be its first, %s", scenes.ShowPoint(ring[0]))
		return nil
	}
	p := geom.Polygon{Outer: ring[:max(last, 1)]}
	if err := p.Check(); err != nil {
		var e *polygon.Error
		if errors.As(err, &e) && !e.Kind.OfRing() {
			begin = places[e.Index]
		}
		// Holes are checked alone too.
		r.Fail(begin, "%s", strings.Replace(text.Plain(err), "the outer ring", "the ring", 1))
		return nil
	}
	p, _ = p.Merged()
	return p.Outer
}

// vertex reads two coordinates, and skips a height and a measure.
func (r *reader) vertex() (v mgl64.Vec2) {
	for i := range 4 {
		begin := r.space()
		number := r.run("0123456789+-.eE")
		if number == "" && i >= 2 {
			break
		}
		x, err := strconv.ParseFloat(number, 64)
		if err != nil {
			r.at = begin
			r.Fail(begin, "%s where a number is needed", r.found())
			break
		}
		if i < 2 {
			v[i] = x * r.Options.Meters()
		}
	}
	return v
}
