package scenes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/tailscale/hujson"
)

// globe projects degrees of longitude and latitude (WGS 84) to metres of a plane around a place: equirectangular, with the
// ellipsoid's two radii of curvature there. At the place it is true in every direction; away from it lengths along x are off by
// the ratio of the cosines of the latitudes.
type globe struct {
	center mgl64.Vec2 // longitude, latitude
	metres mgl64.Vec2 // of a degree of each
}

// The ellipsoid of WGS 84: its larger radius in metres, and the square of its eccentricity.
const (
	equator     = 6378137.0
	squashed    = 1 / 298.257223563
	eccentric2  = squashed * (2 - squashed)
	degreeInRad = math.Pi / 180
)

// newGlobe returns the projection whose plane has 0, 0 in the middle of a box in degrees.
func newGlobe(box Rect) *globe {
	g := &globe{center: mgl64.Vec2{(box[0] + box[2]) / 2, (box[1] + box[3]) / 2}}
	sin, cos := math.Sincos(g.center[1] * degreeInRad)
	w := 1 - float64(eccentric2*sin*sin)
	g.metres = mgl64.Vec2{degreeInRad * cos * equator / math.Sqrt(w), degreeInRad * equator * (1 - eccentric2) / (w * math.Sqrt(w))}
	return g
}

// project returns the place of a longitude and a latitude on the plane, rounded to a millimetre: sines differ between machines
// in bits far below, and surveys are not as fine.
func (g *globe) project(p mgl64.Vec2) mgl64.Vec2 {
	const grain = 1e3
	for k := range p {
		p[k] = math.Round(float64((p[k]-g.center[k])*g.metres[k])*grain)/grain + 0 // no -0
	}
	return p
}

// stretch returns by how much lengths at the border of a box may be off, as a share.
func (g *globe) stretch(box Rect) float64 {
	most, here := 0.0, math.Cos(g.center[1]*degreeInRad)
	for _, latitude := range []float64{box[1], box[3]} {
		most = max(most, math.Abs(here/math.Cos(latitude*degreeInRad)-1))
	}
	return most
}

// decide finds out what the coordinates are. What the caller says counts, then the member crs of the file: null, as of our
// own exports, or a plane's name are metres. RFC 7946 has no such member any more, and degrees always; but plans are drawn in
// metres too. A file that says nothing and could be either is taken as what people can walk on: as metres if these make the
// ground a metre wide or more, and else as degrees, of which it is less than one wide, 111 km.
func (g *geoReader) decide(root *hujson.Value) error {
	box := Rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	coordinatesIn(root, &box)
	crs := member(root, "crs")
	name, known := "", crs != nil
	if known && crs.Value.Kind() == '{' {
		if properties := member(crs, "properties"); properties != nil {
			name = textOf(properties, "name")
		}
	}
	wide := max(box[2]-box[0], box[3]-box[1])
	onGlobe := box[0] >= -180 && box[2] <= 180 && box[1] >= -90 && box[3] <= 90
	degrees, why := false, ""
	switch {
	case wide < 0: // there are none
	case g.options.Units == UnitsDegrees:
		degrees = true
	case g.options.Units == UnitsMetres || g.options.Scale != 0 && !known:
	case known:
		if degrees = isDegrees(name); degrees {
			why = ", as crs says,"
		} else if crs.Value.Kind() != 'n' {
			g.remark(crs.StartOffset, "coordinates are taken as metres of a plane, whatever crs %s is", excerpt([]byte(name)))
		}
	case onGlobe && wide < 1:
		degrees, why = true, fmt.Sprintf(" (as metres the ground would be only %.2g m wide)", wide)
	case onGlobe:
		g.remark(root.StartOffset, "coordinates are taken as metres: as degrees, which they are by RFC 7946, the ground would be %.0f km wide; choose units degrees if they are",
			wide*111.2)
	}
	switch {
	case !degrees:
		return nil
	case g.options.Scale != 0:
		return g.wrong(root.StartOffset, "coordinates are degrees, which have no scale in metres: leave it out, or say that units are metres")
	}
	g.globe = newGlobe(box)
	at := root.StartOffset
	if why == ", as crs says," {
		at = crs.StartOffset
	}
	g.remark(at, "coordinates are taken as degrees%s and projected to metres: the scene's 0, 0 is at longitude %.6f, latitude %.6f; x is east, y is north",
		why, g.globe.center[0], g.globe.center[1])
	const much = 1e-3
	if off := g.globe.stretch(box); off > much {
		g.remark(at, "the ground is so large that lengths along x are off by up to %.2g%% at its border: project it before, to a plane made for the region", 100*off)
	}
	return nil
}

// isDegrees reports whether the name of a coordinate system is of one in degrees: those of WGS 84 and the regional ones beside it.
func isDegrees(name string) bool {
	words := strings.FieldsFunc(strings.ToUpper(name), func(r rune) bool { return r == ':' || r == '/' || r == ' ' })
	if len(words) == 0 {
		return false
	}
	return slices.Contains([]string{"CRS84", "WGS84", "4326", "4979", "4258", "4269", "4267"}, words[len(words)-1])
}

// coordinatesIn extends a box to all positions in a value.
func coordinatesIn(node *hujson.Value, box *Rect) {
	switch v := node.Value.(type) {
	case *hujson.Object:
		for i := range v.Members {
			// Properties say what they like.
			if name := v.Members[i].Name.Value.(hujson.Literal).String(); name != "properties" && name != "crs" && name != "bbox" {
				coordinatesIn(&v.Members[i].Value, box)
			}
		}
	case *hujson.Array:
		p, ok := pair(v)
		if !ok {
			for i := range v.Elements {
				coordinatesIn(&v.Elements[i], box)
			}
			return
		}
		for k := range p {
			box[k], box[k+2] = min(box[k], p[k]), max(box[k+2], p[k])
		}
	}
}

// pair returns the first two numbers of a list that begins with such.
func pair(list *hujson.Array) (p mgl64.Vec2, ok bool) {
	if len(list.Elements) < 2 {
		return p, false
	}
	for k := range p {
		literal, ok := list.Elements[k].Value.(hujson.Literal)
		if !ok || literal.Kind() != '0' {
			return p, false
		}
		p[k] = literal.Float()
	}
	return p, true
}
