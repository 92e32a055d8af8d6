package scenes_test

import (
	"testing"

	"github.com/wayfront/wayfront/scenes"
)

// TestProblemAt: the place is that of the value, of what is around it where the document leaves the
// field out, and the beginning of what is no document. Columns count characters, comments and the
// mark of UTF-8 as Read does.
func TestProblemAt(t *testing.T) {
	const document = "\ufeff{\n  \"version\": 1, // one\n  \"name\": \"größer\", \"groups\": [\n    {\"count\": 1},\n    {\"count\": 2, \"spawn\": {\"rect\": [0, 0, 1, 1]}},\n  ]\n}"
	for _, c := range []struct {
		data string
		path []any
		want string
	}{
		{document, nil, "room.json:1:1: $: full"},
		{document, []any{"groups", 1, "spawn"}, "room.json:5:27: $.groups[1].spawn: full"},
		{document, []any{"groups"}, "room.json:3:31: $.groups: full"},
		{document, []any{"groups", 0, "spawn"}, "room.json:4:5: $.groups[0].spawn: full"},
		{document, []any{"map", "size"}, "room.json:1:1: $.map.size: full"},
		{document, []any{"groups", 9}, "room.json:3:31: $.groups[9]: full"},
		{"}", []any{"groups"}, "room.json:1:1: $.groups: full"},
	} {
		if p := scenes.ProblemAt("room.json", []byte(c.data), "full", c.path...); p.String() != c.want || p.Note {
			t.Errorf("%v: got %v, want %s", c.path, p, c.want)
		}
	}
}
