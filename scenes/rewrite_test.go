package scenes_test

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
)

const commented = `// A hall.
{
  "version": 1, "name": "hall",
  "domain": [0, 0, 40, 25], // meters
  "obstacles": [
    // The pillar.
    {"id": "pillar", "rect": [5, 5, 7, 7]}, // stone
    /* a hut */ {"polygon": [[10, 10], [12, 10], // its door
      [12, 12]]},
    {
      "id": "door", // to the yard
      "rect": [20, 10, 20.3, 12],
      "open": [[15, 30], [60, 90]]
    }
    // No more.
  ],
  "goals": [{"id": "exit", "points": [[39, 2], [39, 4]]}], // on the right
  "profiles": [{"radius": 0.3}, {"id": "slow", "preferredSpeed": {"mean": 0.8, "std": 0.1}, }],
}
`

const tight = `{"version":1,"domain":[0,0,9,9],//d
"obstacles":[{"rect":[1,1,2,2]},{"rect":[3,1,4,2]}/*,*/,//o
{"rect":[5,1,6,2]}//p
],"goals":[{"points":[[8,8],[7,7]]/*g*/},/*h*/{"points":[[8,7]]}]}`

// TestRewrite changes a text with comments, and compares all of it.
func TestRewrite(t *testing.T) {
	for name, test := range map[string]struct {
		change func(s *scenes.Scene)
		was    string // replaced by:
		is     string
	}{
		"nothing":             {func(*scenes.Scene) {}, "", ""},
		"a number in a list":  {func(s *scenes.Scene) { s.Obstacles[0].Rect[2] = 7.5 }, "[5, 5, 7, 7]", "[5, 5, 7.5, 7]"},
		"a vertex":            {func(s *scenes.Scene) { s.Obstacles[1].Outline[1][1] = 9 }, "[12, 10], // its", "[12, 9], // its"},
		"a name":              {func(s *scenes.Scene) { s.Obstacles[2].ID = "gate" }, `"id": "door",`, `"id": "gate",`},
		"a field more":        {func(s *scenes.Scene) { s.Goals[0].ArrivalRadius = 2 }, "[39, 4]]}]", `[39, 4]], "arrivalRadius": 2}]`},
		"a field of a line":   {func(s *scenes.Scene) { s.Obstacles[2].Open = nil }, ",\n      \"open\": [[15, 30], [60, 90]]", ""},
		"the default":         {func(s *scenes.Scene) { s.Profiles[0].Radius = scenes.Default[scenes.Profile]().Radius }, `{"radius": 0.3}`, `{}`},
		"a distribution":      {func(s *scenes.Scene) { s.Profiles[1].PreferredSpeed = scenes.Exactly(1) }, `{"mean": 0.8, "std": 0.1}`, `1`},
		"a point more":        {func(s *scenes.Scene) { s.Goals[0].Points = append(s.Goals[0].Points, mgl64.Vec2{1, 2}) }, "[39, 4]]", "[39, 4], [1, 2]]"},
		"the first obstacle":  {func(s *scenes.Scene) { s.Obstacles = s.Obstacles[1:] }, "    // The pillar.\n    {\"id\": \"pillar\", \"rect\": [5, 5, 7, 7]}, // stone\n", ""},
		"the second obstacle": {func(s *scenes.Scene) { s.Obstacles = append(s.Obstacles[:1:1], s.Obstacles[2]) }, "    /* a hut */ {\"polygon\": [[10, 10], [12, 10], // its door\n      [12, 12]]},\n", ""},
		"the last obstacle": {
			func(s *scenes.Scene) { s.Obstacles = s.Obstacles[:2] },
			"[12, 12]]},\n    {\n      \"id\": \"door\", // to the yard\n      \"rect\": [20, 10, 20.3, 12],\n      \"open\": [[15, 30], [60, 90]]\n    }\n", "[12, 12]]}\n",
		},
		"an obstacle more": {
			func(s *scenes.Scene) {
				s.Obstacles = append(s.Obstacles, scenes.Obstacle{ID: "cart", Rect: &scenes.Rect{1, 1, 2, 2}})
			}, "    }\n    // No", "    },\n    {\"id\": \"cart\", \"rect\": [1, 1, 2, 2]}\n    // No",
		},
		"an obstacle before": {
			func(s *scenes.Scene) {
				s.Obstacles = append([]scenes.Obstacle{{ID: "cart", Rect: &scenes.Rect{1, 1, 2, 2}}}, s.Obstacles...)
			}, "    // The pillar", "    {\"id\": \"cart\", \"rect\": [1, 1, 2, 2]},\n    // The pillar",
		},
		"an object more": {func(s *scenes.Scene) { s.Simulation.Seed = 7 }, "\"std\": 0.1}, }],\n", "\"std\": 0.1}, }],\n  \"simulation\": {\"seed\": 7},\n"},
		"the first profile": {
			func(s *scenes.Scene) { s.Profiles = s.Profiles[1:] },
			`[{"radius": 0.3}, {"id"`, `[{"id"`,
		},
	} {
		s, problems := scenes.Draft("hall.json", []byte(commented))
		if s == nil || len(problems) > 0 {
			t.Fatal(problems)
		}
		to := s.Clone()
		test.change(to)
		got, err := scenes.Rewrite("hall.json", []byte(commented), to)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := strings.Replace(commented, test.was, test.is, 1); string(got) != want || test.was != "" && want == commented {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
}

// TestRewriteNames: ids that are left out count, so that what shifts them has to write them.
func TestRewriteNames(t *testing.T) {
	const text = `{"version": 1, "domain": [0, 0, 9, 9], "goals": [{"points": [[1, 1]]}, {"points": [[2, 2]]}], "groups": [{"spawn": {"points": [[5, 5]]}, "itinerary": ["goal-2"]}]}`
	s, _ := scenes.Draft("a.json", []byte(text))
	s.Goals = s.Goals[1:]
	got, err := scenes.Rewrite("a.json", []byte(text), s)
	if want := strings.Replace(strings.Replace(text, `{"points": [[1, 1]]}, `, "", 1), `{"points": [[2, 2]]}`, `{"id": "goal-2", "points": [[2, 2]]}`, 1); err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}

// TestRewriteRandom changes the built-in scenes at random. The text then means the new scene, back
// again the old one, and lines of what both have are kept.
func TestRewriteRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rewritten := 0
	texts := map[string][]byte{"commented.json": []byte(commented), "tight.json": []byte(tight)}
	for _, e := range builtin.List() {
		file, text, err := builtin.Open(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = text
	}
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		text := texts[file]
		if len(text) > 1<<17 {
			continue // the same, slowly
		}
		from, _ := scenes.Draft(file, text)
		for range 8 {
			to := from.Clone()
			shuffle(r, reflect.ValueOf(to).Elem(), 0)
			got, err := scenes.Rewrite(file, text, to)
			if bad := (*scenes.Invalid)(nil); errors.As(err, &bad) {
				continue // a number that its field cannot have
			}
			rewritten++
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			want, _ := to.Encode()
			if read, _ := scenes.Draft(file, got); !bytes.Equal(encoded(t, read), encoded(t, drafted(file, want))) {
				t.Errorf("%s: the new text means another scene:\n%s", file, got)
			}
			back, err := scenes.Rewrite(file, got, from)
			if read, _ := scenes.Draft(file, back); err != nil || !bytes.Equal(encoded(t, read), encoded(t, from)) {
				t.Errorf("%s: there and back is another scene: %v", file, err)
			}
		}
	}
	if rewritten < 100 {
		t.Errorf("only %d scenes could be written", rewritten)
	}
}

func drafted(file string, text []byte) *scenes.Scene { s, _ := scenes.Draft(file, text); return s }

func encoded(t *testing.T, s *scenes.Scene) []byte {
	t.Helper()
	text, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// shuffle changes numbers and removes, doubles and moves items of lists, at random.
func shuffle(r *rand.Rand, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			shuffle(r, v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "Version" && name != "ID" {
				shuffle(r, v.Field(i), depth+1)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			shuffle(r, v.Index(i), depth+1)
		}
		if n := v.Len(); v.Kind() == reflect.Slice && n > 1 && r.IntN(5) == 0 {
			at := r.IntN(n)
			switch r.IntN(3) {
			case 0:
				v.Set(reflect.AppendSlice(v.Slice3(0, at, at), v.Slice(at+1, n)))
			case 1:
				copied := reflect.New(v.Type().Elem()).Elem()
				copied.Set(v.Index(at))
				if id := copied; id.Kind() == reflect.Struct && id.FieldByName("ID").IsValid() {
					id.FieldByName("ID").SetString("another")
				}
				v.Set(reflect.Append(v, copied))
			case 2:
				a, b := v.Index(at).Interface(), v.Index(0).Interface()
				v.Index(at).Set(reflect.ValueOf(b))
				v.Index(0).Set(reflect.ValueOf(a))
			}
		}
	case reflect.Float64:
		if r.IntN(8) == 0 && !v.IsZero() {
			v.SetFloat(float64(r.IntN(100)) / 4)
		}
	}
}

// TestMerge merges changes of two authors.
func TestMerge(t *testing.T) {
	base := drafted("hall.json", []byte(commented))
	ours, theirs := base.Clone(), base.Clone()
	ours.Obstacles[0].Rect[0] = 4
	ours.Obstacles = append(ours.Obstacles[:2], ours.Obstacles[2], scenes.Obstacle{ID: "new", Rect: &scenes.Rect{1, 1, 2, 2}})
	ours.Simulation.Seed = 2
	theirs.Obstacles[0].Open = []scenes.Interval{{1, 2}}
	theirs.Obstacles = append([]scenes.Obstacle{{ID: "first", Rect: &scenes.Rect{1, 3, 2, 4}}}, theirs.Obstacles[0], theirs.Obstacles[2])
	theirs.Goals[0].ArrivalRadius = 3
	merged, conflicts := scenes.Merge(base, ours, theirs)
	want := base.Clone()
	want.Obstacles[0].Rect[0], want.Obstacles[0].Open = 4, []scenes.Interval{{1, 2}}
	want.Obstacles = []scenes.Obstacle{theirs.Obstacles[0], want.Obstacles[0], want.Obstacles[2], ours.Obstacles[3]}
	want.Simulation.Seed, want.Goals[0].ArrivalRadius = 2, 3
	if !reflect.DeepEqual(merged, want) || len(conflicts) > 0 {
		t.Errorf("got %+v, conflicts %v", merged.Obstacles, conflicts)
	}

	theirs.Simulation.Seed = 3                                     // against our 2
	ours.Obstacles = append(ours.Obstacles[:2], ours.Obstacles[3]) // without the door, which they move
	theirs.Obstacles[2].Rect[3] = 13
	merged, conflicts = scenes.Merge(base, ours, theirs)
	if merged.Simulation.Seed != 2 || len(merged.Obstacles) != 4 || merged.Obstacles[3].Rect[3] != 13 ||
		!reflect.DeepEqual(conflicts, []string{"$.obstacles[3]", "$.simulation.seed"}) {
		t.Errorf("got seed %v, %d obstacles, conflicts %v", merged.Simulation.Seed, len(merged.Obstacles), conflicts)
	}
}
