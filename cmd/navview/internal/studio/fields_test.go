package studio

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/edit"
)

const hall = `{
  "version": 1, "name": "hall", "domain": [0, 0, 20, 10],
  "obstacles": [{"id": "wall", "rect": [8, 0, 9, 6]}, {"id": "pillar", "circle": {"center": [14, 5], "radius": 1}}],
  "goals": [{"id": "exit", "points": [[19, 5]]}, {"id": "shop", "points": [[19, 1], [18, 1]], "segments": [[[1, 9], [2, 9]]]}],
  "profiles": [{"id": "adult"}, {"id": "child", "base": "child", "steering": "bvp", "avoidance": "rvo"}],
  "groups": [
    {"id": "one", "profile": "adult", "count": 8, "spawn": {"rect": [1, 1, 5, 9]}, "itinerary": ["shop", "exit", "shop"]},
    {"id": "two", "profile": "child", "count": 2, "spawn": {"points": [[12, 1], [13, 1]]}, "routes": [{"itinerary": ["shop"]}, {"itinerary": ["exit", "shop"]}]},
  ],
}
`

// draft returns the scene of a text.
func draft(t *testing.T, text string) *scenes.Scene {
	t.Helper()
	doc := edit.New("hall.json", []byte(text))
	if !doc.Sound() {
		t.Fatal(doc.Problems())
	}
	return doc.Draft().Clone()
}

func TestValueIsWhereThePathSays(t *testing.T) {
	s := draft(t, hall)
	for _, c := range []struct {
		of   Ref
		at   Place
		want any
	}{
		{Ref{Scene, 0, -1}, ".map.size", 1000},
		{Ref{Obstacles, 0, -1}, ".rect", &scenes.Rect{8, 0, 9, 6}},
		{Ref{Obstacles, 0, -1}, ".rect[3]", 6.0},
		{Ref{Obstacles, 1, -1}, ".circle.radius", 1.0},
		{Ref{Goals, 1, -1}, ".points[1]", mgl64.Vec2{18, 1}},
		{Ref{Profiles, 1, -1}, ".rvo.samples", 250},
		{Ref{Groups, 0, -1}, ".itinerary[1]", "exit"},
		{Ref{Obstacles, 0, -1}, ".circle.radius", nil},
		{Ref{Goals, 1, -1}, ".points[2]", nil},
		{Ref{Goals, 7, -1}, ".id", nil},
		{Ref{Goals, 1, -1}, ".nonsense", nil},
	} {
		v := c.of.Value(s, c.at)
		switch {
		case !v.IsValid():
			if c.want != nil {
				t.Errorf("%v%s: none, want %v", c.of, c.at, c.want)
			}
		case !reflect.DeepEqual(v.Interface(), c.want):
			t.Errorf("%v%s: %v, want %v", c.of, c.at, v, c.want)
		}
	}
	both := []Ref{{Groups, 0, -1}, {Groups, 1, -1}}
	if !Mixed(s, both, ".count") || Mixed(s, both, ".onArrival") || !Mixed(s, both, ".spawn.rect") {
		t.Error("counts and rectangles differ, what is done on arrival does not")
	}
}

// TestEveryFieldIsShown has forms show every field of a scene that has all of them.
func TestEveryFieldIsShown(t *testing.T) {
	s := draft(t, hall)
	names := func(r Ref, at Place) (all []string) {
		v := r.Value(s, at)
		for v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		for _, f := range Fields(v) {
			all = append(all, f.Name)
		}
		return all
	}
	for _, c := range []struct {
		of   Ref
		at   Place
		want string
	}{
		{Ref{Scene, 0, -1}, "", "$schema name description domain simulation map"},
		{Ref{Obstacles, 0, -1}, "", "id rect open closed motion staffOnly"},
		{Ref{Groups, 1, -1}, ".spawn", "points"},
		{Ref{Goals, 0, -1}, "", "id points segments arrivalRadius clearance staff service"},
		{Ref{Profiles, 0, -1}, "", "id base radius preferredSpeed maxSpeed maxAcceleration steering avoidance timeHorizon neighborDistance maxNeighbors clearpath"},
		{Ref{Profiles, 1, -1}, "", "id base radius preferredSpeed maxSpeed maxAcceleration steering avoidance timeHorizon neighborDistance maxNeighbors rvo bvp"},
	} {
		if got := strings.Join(names(c.of, c.at), " "); got != c.want {
			t.Errorf("%v%s shows %s\nwant %s", c.of, c.at, got, c.want)
		}
	}
	s.Obstacles[0].Open = []scenes.Interval{{1, 2}}
	if slices.Contains(names(Ref{Obstacles, 0, -1}, ""), "closed") {
		t.Error("an obstacle that opens shows when it is closed")
	}
}

// TestDefaultsAreThoseOfReading resets every field that may be left out of a profile of a base, and
// compares with the profile that a document without a word has.
func TestDefaultsAreThoseOfReading(t *testing.T) {
	want := draft(t, hall).Profiles[1]
	s := draft(t, strings.Replace(hall, `"base": "child",`, `"base": "child", "radius": 0.3, "preferredSpeed": 1, "maxNeighbors": 3, "timeHorizon": 1,`, 1))
	r := Ref{Profiles, 1, -1}
	if reflect.DeepEqual(s.Profiles[1], want) {
		t.Fatal("nothing to reset")
	}
	v := r.Value(s, "")
	for _, f := range infos()[v.Type()].Fields {
		if f.Name != "base" && f.Name != "steering" && f.Name != "avoidance" && Resets(v.Type(), f) {
			Set([]Ref{r}, Place("").Field(f.Name), scenes.Defaults(v).FieldByIndex(f.Index).Interface())(s)
		}
	}
	if got := s.Profiles[1]; !reflect.DeepEqual(got, want) {
		t.Errorf("reset to\n%+v\nwant\n%+v", got, want)
	}
}

func TestRenameTakesReferencesAlong(t *testing.T) {
	with(t, hall, func(s *Studio) {
		for _, c := range []struct {
			of Ref
			id string
		}{{Ref{Goals, 1, -1}, "market"}, {Ref{Profiles, 1, -1}, "pupil"}, {Ref{Obstacles, 0, -1}, ""}} {
			if err := s.Rename(c.of, c.id); err != nil || s.Fault != nil {
				t.Fatal(err, s.Fault)
			}
		}
		scene := s.Scene()
		if got := scene.Groups[0].Itinerary; !slices.Equal(got, []string{"market", "exit", "market"}) {
			t.Errorf("itinerary %v", got)
		}
		if got := scene.Groups[1].Routes[1].Itinerary; !slices.Equal(got, []string{"exit", "market"}) {
			t.Errorf("route %v", got)
		}
		if got := scene.Groups[1].Profile; got != "pupil" {
			t.Errorf("profile %q", got)
		}
		before := string(s.Doc.Text())
		for _, c := range []struct {
			of Ref
			id string
		}{{Ref{Goals, 1, -1}, "exit"}, {Ref{Goals, 1, -1}, ""}, {Ref{Scene, 0, -1}, ""}} {
			if err := s.Rename(c.of, c.id); err != nil || string(s.Doc.Text()) != before || s.Notice() == "" {
				t.Errorf("%v called %q: %v, notice %q", c.of, c.id, err, s.Notice())
			}
			s.Notify("")
		}
	})
}

// TestKindsKeepThePlace changes a shape to each kind; the document stays sound, and the box but for
// the half meter that points get around them.
func TestKindsKeepThePlace(t *testing.T) {
	const slack = 0.5 + 1e-9
	with(t, hall, func(s *Studio) {
		for _, c := range []struct {
			of  Ref
			at  Place
			box scenes.Rect
		}{{Ref{Obstacles, 1, -1}, "", scenes.Rect{13, 4, 15, 6}}, {Ref{Groups, 0, -1}, ".spawn", scenes.Rect{1, 1, 5, 9}}} {
			all, _ := Kinds(c.of.Value(s.Scene(), c.at))
			for _, kind := range append(all, all[0]) {
				if err := s.SetKind([]Ref{c.of}, c.at, kind); err != nil || s.Fault != nil {
					t.Fatalf("%v as %s: %v, %+v", c.of, kind, err, s.Fault)
				}
				if _, got := Kinds(c.of.Value(s.Scene(), c.at)); got != kind {
					t.Errorf("%v is %s, want %s", c.of, got, kind)
				}
				for _, f := range c.of.Figures(s.Scene()) {
					around := scenes.Rect{c.box[0] - slack, c.box[1] - slack, c.box[2] + slack, c.box[3] + slack}
					if box := f.Box(); !around.Holds(box) {
						t.Errorf("%v as %s is at %v, out of %v", c.of, kind, box, c.box)
					}
				}
			}
		}
	})
}

func TestMotionAsKeyframes(t *testing.T) {
	m := scenes.Motion{Path: []mgl64.Vec2{{0, 0}, {3, 4}, {3, 14}}, Speed: 2.5}
	moveAs(&m, "keyframes")
	want := []scenes.Keyframe{{}, {Time: 2, Offset: mgl64.Vec2{3, 4}}, {Time: 6, Offset: mgl64.Vec2{3, 14}}}
	if !slices.Equal(m.Keyframes, want) || m.Path != nil || m.Speed != 0 {
		t.Errorf("%+v", m)
	}
	moveAs(&m, "path")
	if !slices.Equal(m.Path, []mgl64.Vec2{{0, 0}, {3, 4}, {3, 14}}) || m.Speed != 2.5 || m.Keyframes != nil {
		t.Errorf("%+v", m)
	}
}

// TestPartsComeAndGo adds every part that a record can leave out, and an item to every list, removes
// them, and compares bytes.
func TestPartsComeAndGo(t *testing.T) {
	with(t, hall, func(s *Studio) {
		before := string(s.Doc.Text())
		for _, c := range []struct {
			of Ref
			at Place
		}{{Ref{Obstacles, 0, -1}, ".motion"}, {Ref{Groups, 0, -1}, ".explores"}} {
			refs := []Ref{c.of}
			if err := s.Give(refs, c.at, true); err != nil || s.Fault != nil || c.of.Value(s.Scene(), c.at).IsNil() {
				t.Fatalf("%v%s: %v, %+v", c.of, c.at, err, s.Fault)
			}
			if err := s.Give(refs, c.at, false); err != nil || !c.of.Value(s.Scene(), c.at).IsNil() {
				t.Errorf("%v%s stays: %v", c.of, c.at, err)
			}
		}
		for _, c := range []struct {
			of Ref
			at Place
		}{
			{Ref{Obstacles, 0, -1}, ".open"},
			{Ref{Goals, 1, -1}, ".points"},
			{Ref{Goals, 1, -1}, ".segments"},
			{Ref{Goals, 0, -1}, ".segments"},
			{Ref{Groups, 0, -1}, ".itinerary"},
			{Ref{Groups, 1, -1}, ".spawn.points"},
			{Ref{Profiles, 1, -1}, ".bvp.table"},
		} {
			refs, n := []Ref{c.of}, c.of.Value(s.Scene(), c.at).Len()
			for range 2 {
				if err := s.Grow(refs, c.at); err != nil || s.Fault != nil {
					t.Fatalf("%v%s: %v, %+v", c.of, c.at, err, s.Fault)
				}
			}
			if got := c.of.Value(s.Scene(), c.at).Len(); got != n+2 {
				t.Errorf("%v%s has %d items, want %d", c.of, c.at, got, n+2)
			}
			for range 2 {
				if err := s.Shrink(refs, c.at, n); err != nil || s.Fault != nil {
					t.Fatalf("%v%s: %v, %+v", c.of, c.at, err, s.Fault)
				}
			}
		}
		if got := s.Scene(); !reflect.DeepEqual(got, draft(t, before)) {
			t.Errorf("left\n%s", s.Doc.Text())
		}
		if err := s.Go(0); err != nil || string(s.Doc.Text()) != before {
			t.Errorf("undone to\n%s", s.Doc.Text())
		}
	})
}

func TestAddMakesSoundRecords(t *testing.T) {
	with(t, hall, func(s *Studio) {
		for l := Goals; l <= Areas; l++ {
			for k := range 2 {
				n := count(s.Scene(), l)
				if err := s.Add(l); err != nil || s.Fault != nil {
					t.Fatalf("%s: %v, %+v", l, err, s.Fault)
				}
				if got := count(s.Scene(), l); got != n+1 || !slices.Equal(s.Selected, []Ref{{l, n, -1}}) {
					t.Errorf("%s %d: %d records, selected %v", l, k, got, s.Selected)
				}
			}
		}
	})
}

func TestRefusal(t *testing.T) {
	info := infos()[reflect.TypeFor[scenes.Group]()]
	i := slices.IndexFunc(info.Fields, func(f scenes.FieldInfo) bool { return f.Name == "count" })
	for x, bad := range map[float64]bool{-1: true, 0: false, 8: false, 1 << 24: false, 1<<24 + 1: true, math.NaN(): true} {
		if got := refused(info.Fields[i], x); (got != "") != bad {
			t.Errorf("count %v: %q", x, got)
		}
	}
}

// TestFixes makes a fault in each way that has a fix of its own, and fixes it.
func TestFixes(t *testing.T) {
	for _, c := range []struct {
		name, fix string
		spoil     func(*scenes.Scene)
		of        Ref
	}{
		{"crowded", "At most", func(to *scenes.Scene) { to.Groups[0].Count = 5000 }, Ref{Groups, 0, -1}},
		{"goal in a wall", "Move it to free ground", func(to *scenes.Scene) { to.Goals[1].Points[1] = mgl64.Vec2{8.4, 3} }, Ref{Goals, 1, 1}},
		{"goal outside", "Move it to free ground", func(to *scenes.Scene) { to.Goals[1].Segments[0] = scenes.Segment{{1, 11}, {2, 11}} }, Ref{Goals, 1, 2}},
		{"twice called", "Undo: spoil", func(to *scenes.Scene) { to.Obstacles[1].ID = "wall" }, Ref{Obstacles, 1, -1}},
		{"no area", "Leave it as it was", func(to *scenes.Scene) { to.Obstacles[0].Rect[2] = 8 }, Ref{Obstacles, 0, -1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			with(t, hall, func(s *Studio) {
				if err := s.Change("spoil", c.spoil); err != nil || s.Fault == nil {
					t.Fatal(err, s.Fault)
				}
				if s.Fault.Of != c.of {
					t.Errorf("the fault %q is of %v, want %v", s.Fault.Words, s.Fault.Of, c.of)
				}
				fix, ok := s.Fix()
				if !ok || !strings.HasPrefix(fix.Name, c.fix) {
					t.Fatalf("fix %q of %q, want %q", fix.Name, s.Fault.Words, c.fix)
				}
				if s.ShowFault(); len(s.Selected) != 1 || s.Selected[0] != c.of {
					t.Errorf("selected %v", s.Selected)
				}
				if err := fix.Do(s); err != nil || s.Fault != nil {
					t.Errorf("after the fix: %v, %+v", err, s.Fault)
				}
			})
		})
	}
}
