package formats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	simple "github.com/peterstace/simplefeatures/geom"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats/plan"
)

// coveredIn returns the area that obstacles cover in a box, by the library for overlays, two at a
// time.
func coveredIn(t *testing.T, obstacles []scenes.Obstacle, box scenes.Rect) float64 {
	t.Helper()
	whole := plan.PolygonOf(box.Polygon()).AsGeometry()
	all := simple.Geometry{}
	for i, o := range obstacles {
		part, err := simple.Intersection(plan.PolygonOf(o.Polygon()).AsGeometry(), whole)
		if err == nil && i > 0 {
			part, err = simple.Union(all, part)
		}
		if err != nil {
			t.Fatal(err)
		}
		all = part
	}
	return all.Area()
}

// randomPlan draws shapes that cross the border of a sheet of 33.3 by 21.7.
func randomPlan(r *rand.Rand) string {
	number := func(low, high float64) string {
		v := low + (high-low)*r.Float64()
		if r.IntN(2) == 0 {
			return fmt.Sprintf("%.2f", v)
		}
		return fmt.Sprint(v)
	}
	x, y := func() string { return number(-5, 38) }, func() string { return number(-5, 27) }
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	turn := func() string {
		return pick("", fmt.Sprintf(`transform="rotate(%s)"`, number(0, 90)), fmt.Sprintf(`transform="translate(%s) skewX(%s) scale(%s)"`, number(-3, 3), number(-30, 30), number(0.5, 2)))
	}
	text := ""
	for range 1 + r.IntN(5) {
		switch r.IntN(6) {
		case 0:
			text += fmt.Sprintf(`<circle cx="%s" cy="%s" r="%s"/>`, x(), y(), number(0.5, 9))
		case 1:
			text += fmt.Sprintf(`<rect x="%s" y="%s" width="%s" height="%s" %s/>`, x(), y(), number(0.5, 20), number(0.5, 20), turn())
		case 2:
			text += fmt.Sprintf(`<g %s><ellipse cx="%s" cy="%s" rx="%s" ry="%s"/><rect x="%s" y="%s" width="3" height="4"/></g>`, turn(), x(), y(), number(0.5, 9), number(0.5, 9), x(), y())
		case 3:
			points := ""
			for range 2 + r.IntN(5) {
				points += x() + "," + y() + " "
			}
			text += fmt.Sprintf(`<%s points="%s" fill="none" stroke="black" stroke-width="%s" stroke-linecap="%s"/>`, pick("polyline", "polygon"), points, number(0.1, 2), pick("butt", "round", "square"))
		case 4:
			text += fmt.Sprintf(`<path %s d="M%s %sh9v7h-9zm1 1v2h3v-2zm4 1v3h3v-3z"/>`, turn(), x(), y())
		case 5:
			text += fmt.Sprintf(`<path %s d="M%s %sc3 -4 6 -4 9 0 s-3 7 -9 6zM%[2]s %[3]sm2 1h4v2h-4z"/>`, turn(), x(), y())
		}
	}
	return text
}

// TestImportAcrossBorder: shapes that cross the edge of the sheet are cut there. What is covered is
// what the same shapes cover of it on a sheet that holds all of them.
func TestImportAcrossBorder(t *testing.T) {
	for seed := range uint64(120) {
		drawing := randomPlan(rand.New(rand.NewPCG(seed, 9)))
		s, _, err := Import(SVG, "a", []byte(`<svg viewBox="0 0 33.3 21.7">`+drawing+`</svg>`), Options{})
		if err != nil && strings.Contains(err.Error(), "no free ground") {
			continue
		} else if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, drawing)
			continue
		}
		// y points up: the sheet's upper edge, y = 0 in both, is at 21.7 here and at 300 there.
		whole, _, err := Import(SVG, "a", []byte(`<svg viewBox="-300 -300 600 600">`+drawing+`</svg>`), Options{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, drawing)
		}
		for i := range whole.Obstacles {
			whole.Obstacles[i] = scenes.Obstacle{Outline: whole.Obstacles[i].Polygon().Outer, Holes: whole.Obstacles[i].Holes}
		}
		want := coveredIn(t, whole.Obstacles, scenes.Rect{0, -21.7, 33.3, 0})
		g, free, _ := groundOf(t, s)
		if got := 33.3*21.7 - free; math.Abs(got-want) > areaSlack(g) {
			t.Errorf("seed %d: %v is covered, want %v to %v\n%s", seed, got, want, areaSlack(g), drawing)
		}
	}
}

// randomTown draws polygons with holes, in the given unit of length.
func randomTown(r *rand.Rand, center mgl64.Vec2, unit mgl64.Vec2) string {
	ring := func(at mgl64.Vec2, radius float64, n int) string {
		var list []string
		begin := 7 * r.Float64()
		for i := range n {
			sin, cos := math.Sincos(begin + 2*math.Pi*float64(i%n)/float64(n))
			v := at.Add(mgl64.Vec2{cos, sin}.Mul(radius * (0.5 + 0.5*r.Float64())))
			list = append(list, fmt.Sprintf("[%v, %v]", center[0]+v[0]*unit[0], center[1]+v[1]*unit[1]))
		}
		return "[" + strings.Join(append(list, list[0]), ", ") + "]"
	}
	text := ""
	for range 1 + r.IntN(4) {
		var parts []string
		for range 1 + r.IntN(2) {
			at, radius := mgl64.Vec2{40*r.Float64() - 20, 30*r.Float64() - 15}, 1+9*r.Float64()
			parts = append(parts, "["+ring(at, radius, 3+r.IntN(12))+", "+ring(at, 0.2*radius, 3+r.IntN(5))+"]")
		}
		for _, part := range parts {
			text += `, {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": ` + part + `}}`
		}
	}
	return text
}

// TestImportTownAcrossBorder is TestImportAcrossBorder for GeoJSON, in meters and degrees.
func TestImportTownAcrossBorder(t *testing.T) {
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 10))
		center, unit, units := mgl64.Vec2{r.Float64(), 100 * r.Float64()}, mgl64.Vec2{1, 1}, plan.UnitsMetres
		if seed%2 == 1 {
			center, unit, units = mgl64.Vec2{8.5417, 47.3769}, mgl64.Vec2{1.3e-5, 0.9e-5}, plan.UnitsDegrees
		}
		corner := func(x, y float64) string {
			return fmt.Sprintf("[%v, %v]", center[0]+x*unit[0], center[1]+y*unit[1])
		}
		sheet := strings.Join([]string{corner(-15, -10), corner(15, -10), corner(15, 10), corner(-15, 10), corner(-15, -10)}, ", ")
		town := randomTown(r, center, unit)
		read := func(role string) *scenes.Scene {
			s, _, err := Import(GeoJSON, "a", []byte(`{"type": "FeatureCollection", "features": [
				{"type": "Feature", "properties": {"role": "`+role+`"}, "geometry": {"type": "Polygon", "coordinates": [[`+sheet+`]]}}`+town+`]}`), Options{Units: units})
			if err != nil && !strings.Contains(err.Error(), "no free ground") {
				t.Fatalf("seed %d, %s: %v\n%s", seed, role, err, town)
			}
			return s
		}
		s := read("domain")
		if s == nil {
			continue
		}
		// The same file, and so the same projection, where the sheet is a place to start.
		whole := read("spawn")
		want := coveredIn(t, whole.Obstacles, s.Domain)
		g, free, _ := groundOf(t, s)
		if got := (s.Domain[2]-s.Domain[0])*(s.Domain[3]-s.Domain[1]) - free; math.Abs(got-want) > areaSlack(g) {
			t.Errorf("seed %d: %v is covered, want %v to %v\n%s", seed, got, want, areaSlack(g), town)
		}
	}
}

// TestImportBorderCases: what shapes leave on a sheet of 20 by 10, by hand.
func TestImportBorderCases(t *testing.T) {
	for name, c := range map[string]struct {
		plan    string
		covered float64
		note    string // of one; none if empty
	}{
		"touches the border":             {`<rect x="5" width="2" height="3"/>`, 6, ""},
		"touches it from outside":        {`<rect x="5" y="-3" width="2" height="3"/>`, 0, "1:26: note: the obstacle is left out: it lies outside the domain, [0, 0, 20, 10]"},
		"outside":                        {`<circle id="a" cx="30" cy="3" r="2"/><circle cx="40" cy="3" r="2"/>`, 0, "the obstacle is left out: it lies outside the domain, [0, 0, 20, 10] (here and in 1 more places)"},
		"over a corner":                  {`<rect x="-1" y="-1" width="3" height="3"/>`, 4, ""},
		"a corner on the border":         {`<path d="M0 5l3 -3v6z"/>`, 9, ""},
		"across the whole sheet":         {`<rect x="-1" y="4" width="30" height="1"/>`, 20, ""},
		"a hole across the border":       {`<path d="M-2 2h10v6h-10zM-1 3h8v4h-8z"/>`, 8*6 - 7*4, ""},
		"a hole that holds the sheet":    {`<path d="M-9 -9h40v40h-40zM-1 -1h22v12h-22z"/>`, 0, "outside the domain"},
		"a stroke along the border":      {`<path fill="none" stroke="#000" d="M0 0H20"/>`, 10, ""},
		"a stroke just outside":          {`<path fill="none" stroke="#000" d="M0 -0.5H20"/>`, 0, "outside the domain"},
		"a stroke around the sheet":      {`<rect width="20" height="10" fill="none" stroke="#000" stroke-width="2"/>`, 200 - 18*8, ""},
		"a moved drawing of the same":    {`<g transform="translate(-3 2)"><rect x="3" y="-2" width="20" height="3"/></g>`, 60, ""},
		"the same twice":                 {`<circle r="3"/><circle r="3"/>`, 16 * 9 * math.Sin(2*math.Pi/32) / 4, ""},
		"an exit across the border":      {`<line class="exit" x1="18" y1="5" x2="22" y2="7"/>`, 0, ""},
		"an exit along the border":       {`<line class="exit" x1="-3" y1="0" x2="4" y2="0"/>`, 0, ""},
		"an exit outside":                {`<line class="exit" x1="3" y1="-1" x2="4" y2="-1"/>`, 0, "the goal is left out: it lies outside the domain, [0, 0, 20, 10]"},
		"an exit with a part outside":    {`<path class="exit" d="M3 3H25V5"/>`, 0, "1 of the goal's 2 sources are left out"},
		"a start across the border":      {`<rect class="spawn" x="-3" y="3" width="5" height="5"/>`, 0, ""},
		"a start outside":                {`<circle class="spawn" cx="-3" cy="3" r="1"/>`, 0, "the group is left out: it starts outside the domain, [0, 0, 20, 10]"},
		"a stroke as wide as numbers go": {`<line x1="2" y1="2" x2="8" y2="2" stroke="black" stroke-width="1e300"/>`, 60, ""},
		"and one with a corner":          {`<polyline fill="none" points="2,2 8,2 8,4" stroke="black" stroke-width="1e300"/>`, 6*10 + 2*14 + 2*12, ""},
		"a stroke as long":               {`<line x1="2" y1="2" x2="1e300" y2="2" stroke="black"/>`, 18, ""},
		"a stroke thinner than a grain":  {`<line x1="2" y1="2" x2="8" y2="2" stroke="black" stroke-width="1e-9"/>`, 0, "a stroke is left out"},
		"a dashed stroke":                {`<line x1="2" y1="2" x2="8" y2="2" stroke="black" stroke-dasharray="` + strings.Repeat("1e-300 ", 1000) + `"/>`, 6, "the dashes of strokes are taken as solid"},
		"a path as large":                {`<path d="M1 1H1e300V1e300H1zM2 2h1v1h-1z"/>`, 19*9 - 1, ""},
		"a circle without a size":        {`<circle cx="3" cy="3" r="0"/>`, 0, "a <circle> is left out: its size is not above 0"},
		"a circle turned inside out":     {`<circle cx="3" cy="3" r="-1"/>`, 0, "a <circle> is left out"},
		"an ellipse of no height":        {`<ellipse cx="3" cy="3" rx="2"/>`, 0, "a <ellipse> is left out"},
		"a rectangle turned inside out":  {`<rect x="3" y="3" width="-1" height="3"/>`, 0, "a <rect> is left out"},
		"a rectangle with round corners": {`<rect x="3" y="3" width="1" height="3" rx="0.2"/>`, 3, "round corners"},
		"a flat drawing":                 {`<g transform="scale(0 1)"><rect width="3" height="3"/></g>`, 0, "flattens"},
		"parts of the sheet":             {`<rect x="50%" y="-10%" width="25%" height="100%"/>`, 5 * 9, ""},
		"parts of a part":                {`<svg x="10" width="50%" height="10" viewBox="0 0 100 100"><rect width="50%" height="50%"/></svg>`, 25, ""},
		"parts of a clone":               {`<symbol id="s"><rect width="50%" height="50%"/></symbol><use href="#s" width="4" height="50%"/>`, 2 * 2.5, ""},
		"a stroke as part":               {`<svg width="10" height="10" viewBox="0 0 10 10"><line y1="5" x2="4" y2="5" stroke="#000" stroke-width="10%"/></svg>`, 4, ""},
		"units of length":                {`<rect width="25.4mm" height="1px" transform="scale(0.125)"/><rect y="5" width="72pt" height="0.5px" transform="scale(0.125 1)"/>`, 96./64 + 6, ""},
		"a path that moves only at end":  {`<path d="M1 1h2v2h-2zM5 5"/>`, 4, ""},
		"a path with a part on a line":   {`<path d="M1 1h2v2h-2zM5 5h3"/>`, 4, "a part of the path is left out: it lies on one line"},
	} {
		t.Run(name, func(t *testing.T) {
			s, notes := drawn(t, c.plan)
			if g, free, _ := groundOf(t, s); math.Abs(200-free-c.covered) > areaSlack(g) {
				t.Errorf("%v is covered, want %v", 200-free, c.covered)
			}
			if (c.note == "") != (len(notes) == 0) || c.note != "" && !strings.Contains(notes[0].String(), c.note) {
				t.Errorf("notes %v, want %q", notes, c.note)
			}
		})
	}
	// Ends that are cut lie on the border, and what has no id gets one that is free.
	s, _ := drawn(t, `<line class="exit" x1="18" y1="5" x2="22" y2="7"/><line id="goal-1" class="exit" x1="1" y1="1" x2="2" y2="1"/><line class="exit" x1="3" y1="1" x2="4" y2="1"/>`)
	if got := s.Goals[0].Segments[0]; got != (scenes.Segment{{18, 5}, {20, 4}}) {
		t.Errorf("an exit across the border is %v", got)
	}
	if s.Goals[0].ID != "goal-2" || s.Goals[1].ID != "goal-1" || s.Goals[2].ID != "goal-3" {
		t.Errorf("goals %v", s.Goals)
	}
	// Rectangles stay such.
	if s, _ := drawn(t, `<rect id="r" x="-1" y="-1" width="3" height="3"/>`); *s.Obstacles[0].Rect != (scenes.Rect{0, 8, 2, 10}) || s.Obstacles[0].ID != "r" {
		t.Errorf("obstacles %v", s.Obstacles)
	}
}
