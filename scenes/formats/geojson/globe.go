package geojson

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/tailscale/hujson"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats/plan"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// globe projects degrees of longitude and latitude (WGS 84) to meters of a plane around a place:
// equirectangular, with the ellipsoid's two radii of curvature there. At the place it is true in
// every direction; away from it lengths along x are off by the ratio of the cosines of the
// latitudes.
type globe struct {
	center mgl64.Vec2 // longitude, latitude
	meters mgl64.Vec2 // of a degree of each
}

// The ellipsoid of WGS 84: its larger radius in meters, and the square of its eccentricity.
const (
	equator     = 6378137.0
	squashed    = 1 / 298.257223563
	eccentric2  = squashed * (2 - squashed)
	degreeInRad = math.Pi / 180
)

// newGlobe returns the projection whose plane has 0, 0 in the middle of a box in degrees.
func newGlobe(box scenes.Rect) *globe {
	g := &globe{center: mgl64.Vec2{(box[0] + box[2]) / 2, (box[1] + box[3]) / 2}}
	sin, cos := math.Sincos(g.center[1] * degreeInRad)
	w := 1 - float64(eccentric2*sin*sin)
	g.meters = mgl64.Vec2{degreeInRad * cos * equator / math.Sqrt(w), degreeInRad * equator * (1 - eccentric2) / (w * math.Sqrt(w))}
	return g
}

// project returns the place of a longitude and a latitude on the plane, rounded to a millimeter:
// sines differ between machines in bits far below, and surveys are not as fine.
func (g *globe) project(p mgl64.Vec2) mgl64.Vec2 {
	const grain = 1e3
	for k := range p {
		p[k] = math.Round(float64((p[k]-g.center[k])*g.meters[k])*grain)/grain + 0 // no -0
	}
	return p
}

// stretch returns the greatest relative error of lengths along x in a box.
func (g *globe) stretch(box scenes.Rect) float64 {
	most, here := 0.0, math.Cos(g.center[1]*degreeInRad)
	for _, latitude := range []float64{box[1], box[3]} {
		most = max(most, math.Abs(here/math.Cos(latitude*degreeInRad)-1))
	}
	return most
}

// decide finds out what the coordinates are: what the options say, or else what the member crs of
// the file says: null, as in exports, or a plane's name are meters. RFC 7946 has no such member any
// more, and degrees always; but plans are drawn in meters too. A file that says nothing and could
// be either is taken as what agents can walk on: as meters if these make the ground a meter wide or
// more, and else as degrees, of which it is less than one wide, 111 km.
func (r *reader) decide(root *hujson.Value) {
	box := plan.BoxOf()
	coordinatesIn(root, &box)
	wide := max(box[2]-box[0], box[3]-box[1])
	if wide < 0 {
		return // there are none
	}
	crs := text.Member(root, "crs")
	onGlobe := box[0] >= -180 && box[2] <= 180 && box[1] >= -90 && box[3] <= 90
	degrees, why, at := false, "", root.StartOffset
	switch {
	case r.Options.Units == plan.UnitsDegrees:
		degrees = true
	case r.Options.Units == plan.UnitsMetres || r.Options.Scale != 0 && crs == nil:
	case crs != nil:
		name := ""
		if properties := text.Member(crs, "properties"); properties != nil {
			name = textOf(properties, "name")
		}
		if degrees = isDegrees(name); degrees {
			why, at = ", as crs says,", crs.StartOffset
		} else if crs.Value.Kind() != 'n' {
			r.Notef(crs.StartOffset, "coordinates are taken as meters of a plane, whatever crs %s is", text.Quote(name))
		}
	case onGlobe && wide < 1:
		degrees, why = true, fmt.Sprintf(" (as meters the ground would be only %.2g m wide)", wide)
	case onGlobe:
		r.Notef(at, "coordinates are taken as meters: as degrees, which they are by RFC 7946, the ground would be %.0f km wide; choose units degrees if they are",
			wide*111.2)
	}
	switch {
	case !degrees:
		return
	case r.Options.Scale != 0:
		r.Fail(root.StartOffset, "coordinates are degrees, which have no scale in meters: leave it out, or choose units metres")
	}
	r.globe = newGlobe(box)
	r.Notef(at, "coordinates are taken as degrees%s and projected to meters: the scene's 0, 0 is at longitude %.6f, latitude %.6f; x is east, y is north",
		why, r.globe.center[0], r.globe.center[1])
	const much = 1e-3
	if off := r.globe.stretch(box); off > much {
		r.Notef(at, "the ground is so large that lengths along x are off by up to %.2g%% at its border: project it before, to a plane made for the region", 100*off)
	}
}

// isDegrees reports whether a name is that of a coordinate system in degrees: those of WGS 84 and
// the regional ones beside it.
func isDegrees(name string) bool {
	words := strings.FieldsFunc(strings.ToUpper(name), func(r rune) bool { return r == ':' || r == '/' || r == ' ' })
	if len(words) == 0 {
		return false
	}
	return slices.Contains([]string{"CRS84", "WGS84", "4326", "4979", "4258", "4269", "4267"}, words[len(words)-1])
}

// coordinatesIn extends a box to all positions in a value.
func coordinatesIn(node *hujson.Value, box *scenes.Rect) {
	switch v := node.Value.(type) {
	case *hujson.Object:
		for i := range v.Members {
			// Properties may hold anything.
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
