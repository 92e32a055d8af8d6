package formats

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats/plan"
)

// drawing is a file of which words are the lines: what | separates, without the ends of sections.
func drawing(sections ...string) string {
	all := strings.Join(append(sections, "0|EOF"), "|0|ENDSEC|")
	return strings.ReplaceAll(all, "|", "\n") + "\n"
}

// sheet is the entity of a domain of 20 by 10.
const sheet = "0|LWPOLYLINE|8|domain|70|1|10|0|20|0|10|20|20|0|10|20|20|10|10|0|20|10|"

// floorDXF is a floor in centimeters with blocks, arcs and layers.
var floorDXF = drawing(
	"999|a comment|0|SECTION|2|HEADER|9|$INSUNITS|70|5",
	"0|SECTION|2|TABLES|0|TABLE|2|LAYER|0|LAYER|2|A-WALL|70|0|62|7|0|LAYER|2|Exit west|70|0|62|3|0|LAYER|2|walls old|70|1|62|7|0|LAYER|2|walls off|70|0|62|-7|0|ENDTAB",
	"0|SECTION|2|BLOCKS|0|BLOCK|2|Pillar|10|50|20|50|0|SOLID|8|0|10|0|20|0|11|100|21|0|12|0|22|100|13|100|23|100|0|ENDBLK",
	"0|SECTION|2|ENTITIES|0|LWPOLYLINE|8|A-WALL|70|1|43|20|10|0|20|0|10|2000|20|0|10|2000|20|1000|10|0|20|1000|"+
		"0|INSERT|8|A-WALL|2|PILLAR|10|500|20|500|41|2|42|2|50|90|70|2|71|2|44|300|45|200|"+
		"0|LINE|8|Exit west|10|50|20|100|11|50|21|300|0|LINE|8|exit west|10|50|20|500|11|50|21|600|"+
		"0|LINE|8|walls old|10|0|20|0|11|2000|21|1000|0|LINE|8|walls off|10|0|20|1000|11|2000|21|0|0|TEXT|8|notes|1|Hall|0|LINE|8|furniture|10|0|20|0|11|9|21|9|"+
		"0|LINE|8|A-WALL|67|1|10|0|20|0|11|9999|21|9|0|POINT|8|A-WALL|10|5|20|5|"+
		"0|POLYLINE|8|start|70|1|0|VERTEX|8|start|10|1500|20|200|0|VERTEX|8|start|10|1800|20|200|0|VERTEX|8|start|10|1800|20|500|0|SEQEND",
)

// TestDXF: a floor is what its layers say, in meters.
func TestDXF(t *testing.T) {
	s, notes, err := Import(DXF, "floor.dxf", []byte(floorDXF), Options{})
	if err != nil {
		t.Fatal(err)
	}
	sameAgain(t, s)
	// Inside of the walls, which are 20 cm wide, are four pillars of 2 x 2 m: their block turned
	// about its base point, which lies at its middle, its columns 3 m apart along y, its rows 2 m along -x.
	g, area, _ := groundOf(t, s)
	for _, x := range []float64{5, 3} {
		for _, y := range []float64{5, 8} {
			if g.Free(g.Lattice.Snap(mgl64.Vec2{x, y})) {
				t.Errorf("no pillar at %v, %v", x, y)
			}
		}
	}
	inside := 19.8*9.8 - 4*4
	if math.Abs(area-inside) > areaSlack(g)+1e-9 {
		t.Errorf("%v m² are free, not %v", area, inside)
	}
	want := []scenes.Segment{{{0.5, 1}, {0.5, 3}}, {{0.5, 5}, {0.5, 6}}}
	if len(s.Goals) != 1 || s.Goals[0].ID != "Exit west" || fmt.Sprint(s.Goals[0].Segments) != fmt.Sprint(want) {
		t.Errorf("goals %+v", s.Goals)
	}
	if len(s.Groups) != 1 || fmt.Sprint(s.Groups[0].Spawn.Polygon) != fmt.Sprint([]mgl64.Vec2{{15, 2}, {18, 2}, {18, 5}}) {
		t.Errorf("groups %+v", s.Groups)
	}
	if len(notes) != 2 || !strings.Contains(notes[0].Message, `layer "furniture"`) || !strings.Contains(notes[1].Message, "one agent") {
		t.Errorf("notes %v", notes)
	}
	// The user's roles count before those of names.
	layers := map[string]plan.Role{"furniture": plan.RoleObstacle, "START": plan.RoleNone}
	if s, notes, err = Import(DXF, "floor.dxf", []byte(floorDXF), Options{Layers: layers, Scale: 0.02}); err != nil || len(notes) != 0 || len(s.Groups) != 0 || s.Domain[2] < 40 {
		t.Errorf("%v, %v, groups %v, domain %v", err, notes, s.Groups, s.Domain)
	}
}

// TestDXFEntities: what entities on a layer of walls cover, areas by hand.
func TestDXFEntities(t *testing.T) {
	const wall = 0.02
	ring := func(radius float64) float64 { return 2 * math.Pi * radius * wall }
	for entities, want := range map[string]float64{
		"0|LINE|8|wall|10|2|20|2|11|8|21|2":                                                                        6 * wall,
		"0|LWPOLYLINE|8|wall|70|0|43|0.4|10|2|20|2|10|8|20|2|10|8|20|6":                                            6.2*0.4 + 3.8*0.4,
		"0|LWPOLYLINE|8|wall|70|1|43|0.4|10|2|20|2|10|8|20|2|10|8|20|6|10|2|20|6":                                  6.4*4.4 - 5.6*3.6,
		"0|SOLID|8|wall|10|2|20|2|11|8|21|2|12|2|22|6|13|8|23|6":                                                   24,
		"0|SOLID|8|wall|10|-2|20|2|11|-8|21|2|12|-2|22|6|13|-8|23|6|210|0|220|0|230|-1":                            24, // seen from below
		"0|SOLID|8|wall|10|2|20|2|11|8|21|2|12|2|22|6|13|8|23|6|210|1|220|0|230|0":                                 0,  // upright
		"0|SOLID|8|wall|10|2|20|2|11|8|21|2|12|2|22|6|13|8|23|6|60|1":                                              0,  // invisible
		"0|CIRCLE|8|wall|10|5|20|5|40|3":                                                                           ring(3),
		"0|ARC|8|wall|10|5|20|5|40|3|50|350|51|80":                                                                 ring(3) / 4,
		"0|LWPOLYLINE|8|wall|70|1|10|2|20|5|42|1|10|8|20|5|42|1":                                                   ring(3), // two half circles
		"0|LWPOLYLINE|8|wall|70|0|10|5|20|2|42|0.4142135623730951|10|8|20|5":                                       ring(3) / 4,
		"0|ELLIPSE|8|wall|10|5|20|5|11|3|21|0|40|1|41|0|42|6.283185307179586":                                      ring(3),
		"0|ELLIPSE|8|wall|10|5|20|5|11|0|21|3|40|1|41|0|42|1.5707963267948966":                                     ring(3) / 4,
		"0|POLYLINE|8|wall|70|0|40|0.5|0|VERTEX|10|2|20|2|0|VERTEX|10|8|20|2|0|SEQEND":                             3,
		"0|POLYLINE|8|wall|70|64|0|VERTEX|10|2|20|2|0|VERTEX|10|8|20|2|0|SEQEND|0|HATCH|8|wall|0|MTEXT|8|wall|1|x": 0,
	} {
		s, _, err := Import(DXF, "a.dxf", []byte(drawing("0|SECTION|2|ENTITIES|"+sheet+entities)), Options{})
		if err != nil {
			t.Errorf("%s: %v", entities, err)
			continue
		}
		g, area, _ := groundOf(t, s)
		// Lines in the place of a curve are shorter by less than 8/3 of the sagitta squared a piece and
		// chord, which is below a part in 300 for an angle of 0.12 of a radius of 3 m.
		if got := 200 - area; math.Abs(got-want) > areaSlack(g)+1e-9+want/300 {
			t.Errorf("%s\ncovers %v, want %v", entities, got, want)
		}
	}
	// Curves lie within 5 mm of what is drawn: so does the outline of walkable ground.
	s, _, err := Import(DXF, "a.dxf", []byte(drawing("0|SECTION|2|ENTITIES|0|CIRCLE|8|walkable|10|0|20|0|40|30")), Options{Scale: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, area, _ := groundOf(t, s); area > 900*math.Pi || area < 900*math.Pi-60*math.Pi*0.005 {
		t.Errorf("a disc of 30 m has %v m²", area)
	}
	// Without a role on any layer all of it is walls.
	s, notes, err := Import(DXF, "a.dxf", []byte(drawing("0|SECTION|2|ENTITIES|0|SOLID|8|0|10|0|20|0|11|9|21|0|12|0|22|3|13|9|23|3|0|LINE|8|x|10|0|20|9|11|9|21|9")), Options{})
	if err != nil || len(s.Obstacles) != 2 || len(notes) != 1 || !strings.Contains(notes[0].Message, "$INSUNITS") {
		t.Errorf("%v: obstacles %v, notes %v", err, s.Obstacles, notes)
	}
	// Also where the user leaves one out.
	s, notes, err = Import(DXF, "a.dxf", []byte(drawing("0|SECTION|2|ENTITIES|0|LINE|8|0|10|0|20|0|11|9|21|5|0|LINE|8|x|10|0|20|9|11|9|21|9")), Options{Layers: map[string]plan.Role{"X": plan.RoleNone}, Scale: 1})
	if err != nil || len(s.Obstacles) != 1 || len(notes) != 0 {
		t.Errorf("%v: without a layer obstacles %v, notes %v", err, s.Obstacles, notes)
	}
}

func TestRefusedDXF(t *testing.T) {
	entities := func(text string) string { return drawing("0|SECTION|2|ENTITIES|" + sheet + text) }
	refuses(t, []refusal{
		{DXF, "«", "no section ENTITIES"},
		{DXF, "«AutoCAD Binary DXF\r\n\x1a\x00", "ASCII"},
		{DXF, "0\nSECTION\n«2.5\nENTITIES\n", "no group code"},
		{DXF, entities("0|LINE|8|wall|10|«x"), "no number"},
		{DXF, entities("0|LINE|8|wall|10|«1e300"), "no number"},
		{DXF, entities("0|LINE|8|wall|10|«NaN"), "no number"},
		{DXF, "«" + drawing("0|SECTION|2|ENTITIES"), "nothing is drawn"},
		{DXF, drawing("0|SECTION|2|BLOCKS|0|BLOCK|2|a|0|«INSERT|2|a|0|ENDBLK", "0|SECTION|2|ENTITIES|0|INSERT|2|A"), "holds itself"},
		{DXF, drawing("0|SECTION|2|BLOCKS|0|BLOCK|2|a|0|ENDBLK", "0|SECTION|2|ENTITIES|0|«INSERT|2|a|70|1e6|71|1e6"), "entities"},
	})
	_, _, err := Import(DXF, "a.dxf", []byte(floorDXF), Options{Layers: map[string]plan.Role{"A-WALLS": plan.RoleObstacle}})
	if err == nil || !strings.Contains(err.Error(), `did you mean "A-WALL"?`) {
		t.Errorf("a layer that is not there: %v", err)
	}
}
