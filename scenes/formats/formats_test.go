package formats

import (
	"bytes"
	"testing"

	"github.com/wayfront/wayfront/scenes"
)

var WKT, MovingAI, GeoJSON, SVG, DXF = Named("wkt"), Named("movingai"), Named("geojson"), Named("svg"), Named("dxf")

// sameAgain encodes a scene and reads it back: that gives the same document.
func sameAgain(t *testing.T, s *scenes.Scene) {
	t.Helper()
	data, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, problems := scenes.Read("again.json", data)
	if again == nil {
		t.Fatalf("what was written is refused: %v\n%s", problems, data)
	}
	if twice, err := again.Encode(); err != nil || !bytes.Equal(twice, data) {
		t.Fatalf("read back it differs (%v):\n%s\n%s", err, data, twice)
	}
}

func TestFormats(t *testing.T) {
	for file, want := range map[string]*Format{"a.wkt": WKT, "b/a.b.WKT": WKT, "arena.map": MovingAI, "a.GeoJSON": GeoJSON, "plan.svg": SVG, "a.json": nil, "wkt": nil, "-": nil} {
		if got := OfFile(file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
	if Named("dwg") != nil {
		t.Error("dwg is a format")
	}
	for _, f := range All {
		if f.Name == "" || f.Ending == "" || f.Help == "" || f.Read == nil || Named(f.Name) != f || OfFile("a"+f.Ending) != f {
			t.Errorf("%+v lacks something, or is listed twice", f)
		}
	}
}
