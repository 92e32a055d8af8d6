package scenes

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/google/go-cmp/cmp"

	"github.com/wayfront/wayfront/scenes/internal/text"
)

// TestCheckedFillsAsReadDoes compares what programs leave out with what files leave out.
func TestCheckedFillsAsReadDoes(t *testing.T) {
	goals := []Goal{{Points: []mgl64.Vec2{{39, 2}}}}
	for _, c := range []struct {
		name  string
		built *Scene
		text  string
	}{
		{"minimal", &Scene{Domain: Rect{0, 0, 40, 25}, Goals: goals}, minimal},
		{"new", func() *Scene { s := New(Rect{0, 0, 40, 25}); s.Goals = goals; return s }(), minimal},
		{
			"one field of a profile", &Scene{Domain: Rect{0, 0, 40, 25}, Goals: goals, Profiles: []Profile{{Radius: Exactly(0.3), AvoidanceMethods: AvoidanceMethods{RVO: RVO{Samples: 100}}}}},
			profile(`"radius": 0.3, "rvo": {"samples": 100}`),
		},
		{
			"one field of a local map", &Scene{Domain: Rect{0, 0, 40, 25}, Goals: goals, Profiles: []Profile{{BVP: BVPDistribution{Bias: BiasOf[Distribution]{Strength: Exactly(0.5)}}}}},
			bvp(`"bias": {"strength": 0.5}`),
		},
		{
			"one field of the simulation", &Scene{Domain: Rect{0, 0, 40, 25}, Goals: goals, Simulation: Simulation{Timestep: 0.05}},
			with(`"simulation": {"timestep": 0.05}`),
		},
		{"groups", &Scene{Version: 1, Domain: Rect{0, 0, 40, 25}, Goals: goals, Groups: []Group{
			{Spawn: Spawn{Points: []mgl64.Vec2{{1, 1}, {2, 2}}}, OnArrival: ArrivalStay}, {Spawn: Spawn{Ring: &Disc{mgl64.Vec2{20, 12}, 5}}, Goal: AntipodeGoal},
		}}, with(`"groups": [{"spawn": {"points": [[1, 1], [2, 2]]}, "onArrival": "stay"}, {"spawn": {"ring": {"center": [20, 12], "radius": 5}}, "goal": "antipode"}]`)},
		{"shapes", &Scene{Domain: Rect{0, 0, 40, 25}, Goals: goals, Obstacles: []Obstacle{
			{Circle: &Circle{Center: mgl64.Vec2{10, 10}, Radius: 2}, Motion: &Motion{Path: []mgl64.Vec2{{0, 0}, {1, 0}}, Speed: 1}},
		}}, obstacle(`"circle": {"center": [10, 10], "radius": 2}, "motion": {"path": [[0, 0], [1, 0]], "speed": 1}`)},
	} {
		want := mustRead(t, c.text)
		want.Name = "scene"
		before, err := c.built.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, problems := c.built.Checked()
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %v\n%s", c.name, problems, d)
			continue
		}
		if after, err := c.built.Encode(); err != nil || string(after) != string(before) {
			t.Errorf("%s: the scene was changed", c.name)
		}
		got.Goals[0].Points[0] = mgl64.Vec2{}
		if c.built.Goals[0].Points[0] == (mgl64.Vec2{}) {
			t.Errorf("%s: the scenes share memory", c.name)
		}
	}
}

// TestZerosOfWholeStructsCount checks zeros that are values: of what was read, and of copies of
// defaults.
func TestZerosOfWholeStructsCount(t *testing.T) {
	zeros := mustRead(t, with(`"profiles": [{"maxNeighbors": 0, "preferredSpeed": {"std": 0}, "rvo": {"aggression": 0, "loadFactor": 0},
		"bvp": {"inertia": 0, "speedControl": false, "bias": {"direction": [0, 0]}}}],
		"simulation": {"seed": 0, "contactRounds": 0}, "groups": [{"spawn": {"points": [[1, 1]]}, "count": 0}]`))
	got, problems := zeros.Checked()
	if d := cmp.Diff(zeros, got); d != "" {
		t.Errorf("%v\n%s", problems, d)
	}
	sameAgain(t, zeros)
}

// TestCheckedRefuses checks scenes that only a program can build; mistakes of files are in
// refusals.
func TestCheckedRefuses(t *testing.T) {
	for _, c := range []struct {
		name          string
		change        func(s *Scene)
		path, message string
	}{
		{"nothing", func(s *Scene) { *s = Scene{} }, "$.domain", "the rectangle has no area"},
		{"no goals", func(s *Scene) { s.Goals = nil }, "$.goals", "goals needs at least 1"},
		{"another version", func(s *Scene) { s.Version = 2 }, "$.version", "unknown version 2"},
		{"NaN", func(s *Scene) { s.Profiles[0].Radius = Exactly(math.NaN()) }, "$.profiles[0].radius", "NaN is not allowed: a number has to be finite"},
		{"infinity", func(s *Scene) { s.Goals[0].Points[0][1] = math.Inf(-1) }, "$.goals[0].points[0][1]", "-Inf is not allowed"},
		{"negative radius", func(s *Scene) { s.Profiles[0].Radius = Exactly(-1) }, "$.profiles[0].radius", "radius has to be above 0 m, got -1"},
		{"negative timestep", func(s *Scene) { s.Simulation.Timestep = -0.1 }, "$.simulation.timestep", "timestep has to be at least 0.000001 s"},
		{"unknown avoidance", func(s *Scene) { s.Profiles[0].Avoidance = "orka" }, "$.profiles[0].avoidance", `unknown word "orka": did you mean "orca"?`},
		{
			"crossing outline", func(s *Scene) { s.Obstacles[0].Outline = []mgl64.Vec2{{5, 5}, {7, 7}, {7, 5}, {5, 7}} },
			"$.obstacles[0].polygon[0]", "intersects itself",
		},
		{"two shapes", func(s *Scene) { s.Obstacles[0].Rect = &Rect{1, 1, 2, 2} }, "$.obstacles[0]", "given in 2 ways"},
		{"no shape", func(s *Scene) { s.Obstacles[0].Outline = nil }, "$.obstacles[0]", "shape is missing"},
		{"a goal outside", func(s *Scene) { s.Goals[0].Points[0][0] = 41 }, "$.goals[0].points[0]", "lies outside the domain"},
		{"no sources", func(s *Scene) { s.Goals[0].Points, s.Goals[0].Segments = nil, nil }, "$.goals[0]", "the goal has no source"},
		{"no spawn", func(s *Scene) { s.Groups[0].Spawn = Spawn{} }, "$.groups[0].spawn", "the place to start is missing"},
		{"negative count", func(s *Scene) { s.Groups[0].Count = -1 }, "$.groups[0].count", "at least 0, got -1"},
		{"huge count", func(s *Scene) { s.Groups[0].Count = math.MaxInt }, "$.groups[0].count", "at most 16777216"},
		{
			"a billion sides", func(s *Scene) { s.Obstacles[0] = Obstacle{Circle: &Circle{mgl64.Vec2{9, 9}, 1, 1e9}} },
			"$.obstacles[0].circle.sides", "at most 4096",
		},
		{"duplicate ids", func(s *Scene) { s.Goals = append(s.Goals, s.Goals[0]) }, "$.goals[2].id", "duplicate id"},
		{
			"too many goals of an itinerary", func(s *Scene) { s.Groups[0].Itinerary = make([]string, text.MaxValues+1) }, "$.groups[0].itinerary[",
			"more than 2097152 values",
		},
	} {
		s := mustRead(t, full)
		c.change(s)
		got, problems := s.Checked()
		if got != nil || len(problems) == 0 {
			t.Errorf("%s: accepted", c.name)
			continue
		}
		found := false
		for _, p := range problems {
			if p.Line != 0 || p.Column != 0 || !strings.HasPrefix(p.String(), p.Path+": ") {
				t.Fatalf("%s: a place in no document: %v", c.name, p)
			}
			same := p.Path == c.path || strings.HasSuffix(c.path, "[") && strings.HasPrefix(p.Path, c.path)
			found = found || same && strings.Contains(p.Message, c.message)
		}
		if !found {
			t.Errorf("%s: want %s: %s, got %v", c.name, c.path, c.message, problems[:min(len(problems), 5)])
		}
	}
	if s, _ := (*Scene)(nil).Checked(); s != nil {
		t.Error("no scene was accepted")
	}
}

// disturb sets a random field, at any depth, to something that a program may put there by mistake.
func disturb(v reflect.Value, r *rand.Rand) {
	switch v.Kind() {
	case reflect.Pointer:
		switch {
		case v.IsNil():
			v.Set(reflect.New(v.Type().Elem()))
		case r.IntN(4) == 0:
			v.SetZero()
		default:
			disturb(v.Elem(), r)
		}
	case reflect.Struct:
		if v.NumField() == 0 || r.IntN(20) == 0 {
			v.SetZero()
			return
		}
		disturb(v.Field(r.IntN(v.NumField())), r)
	case reflect.Slice:
		switch k := r.IntN(8); {
		case k == 0:
			v.SetZero()
		case k == 1:
			v.Set(reflect.MakeSlice(v.Type(), r.IntN(3), 3))
		case k == 2 && v.Len() > 0:
			v.Set(reflect.AppendSlice(v, v.Slice(0, 1+r.IntN(v.Len()))))
		case v.Len() > 0:
			disturb(v.Index(r.IntN(v.Len())), r)
		default:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			disturb(v.Index(0), r)
		}
	case reflect.Array:
		disturb(v.Index(r.IntN(v.Len())), r)
	case reflect.Float64:
		odd := []float64{0, -1, 1e-300, 5e-324, 1e300, -1e12, 1e12, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 0.1 + 0.2, math.Copysign(0, -1)}
		if v.SetFloat(odd[r.IntN(len(odd))]); r.IntN(2) == 0 {
			v.SetFloat(r.NormFloat64() * 20)
		}
	case reflect.Int:
		odd := []int64{0, -1, 1, 2, 1 << 31, 1<<31 - 1, math.MaxInt64, math.MinInt64, 1e9}
		v.SetInt(odd[r.IntN(len(odd))])
	case reflect.Uint64:
		v.SetUint(r.Uint64())
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.String:
		odd := []string{"", "orka", "goal-1", "adult", "antipode", "\x00\xff", "\"\\\n", strings.Repeat("x", 1000), "loop"}
		v.SetString(odd[r.IntN(len(odd))])
	}
}

// TestDisturbedScenes has Checked look at what goes wrong in programs. Whatever it is, there is a
// scene or an error, and a scene that is accepted is whole: checked again it is the same.
func TestDisturbedScenes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	accepted, refused := 0, 0
	for range 500 {
		s := mustRead(t, full)
		for range 1 + r.IntN(4) {
			disturb(reflect.ValueOf(s).Elem(), r)
		}
		got, problems := s.Checked()
		errors := 0
		for _, p := range problems {
			if !p.Note {
				errors++
			}
		}
		if (got == nil) != (errors > 0) {
			t.Fatalf("scene %v with %d errors", got != nil, errors)
		}
		if got == nil {
			refused++
			continue
		}
		accepted++
		again, problems := got.Checked()
		if d := cmp.Diff(got, again); d != "" {
			t.Fatalf("%v\n%s", problems, d)
		}
	}
	if accepted < 50 || refused < 50 {
		t.Errorf("%d scenes accepted, %d refused: the test has lost its cases", accepted, refused)
	}
}

// TestTooIntricate has bars cross more often than ground is made of. The message says so once.
func TestTooIntricate(t *testing.T) {
	s := New(Rect{0, 0, 100, 100})
	s.Goals = []Goal{{Points: []mgl64.Vec2{{0.5, 0.5}}}}
	const n = 1100 // 4 n^2 crossings are above geom.MaxMeetings
	for i := range n {
		at := 2 + 96*float64(i)/n
		s.Obstacles = append(s.Obstacles, Obstacle{Rect: &Rect{1, at, 99, at + 0.02}}, Obstacle{Rect: &Rect{at, 1, at + 0.02, 99}})
	}
	_, problems := s.Checked()
	if len(problems) == 0 {
		t.Fatal("no problem was found")
	}
	if m := problems[0].Message; strings.Count(m, "obstacles") != 2 || !strings.HasPrefix(m, "the obstacles are too intricate, with 8800 vertices") {
		t.Errorf("%s: %s", problems[0].Path, m)
	}
}

// TestLocalMapsAreCheckedAsInScenes: what a scene accepts of a local map Check does, with and
// without zeros, and what it refuses is refused with the same words.
func TestLocalMapsAreCheckedAsInScenes(t *testing.T) {
	full, table := Default[BVP](), Default[BVP]()
	full.Inertia, full.SpeedControl, full.Bias, full.Cells, full.ViewAngle, full.Relaxations = 0, false, Bias{}, 63, 360, 10000
	table.Table = []Sample{{0, 0, 0, 0}, {1, -1, 0, -0.5}}
	for _, m := range []BVP{Default[BVP](), full, table} {
		before := m
		if problems := m.Check(); len(problems) > 0 || !reflect.DeepEqual(m, before) {
			t.Errorf("%+v: %v", m, problems)
		}
	}
	const path = "$.profiles[0].bvp"
	compared := 0
	for _, c := range refusals {
		if !strings.HasPrefix(c.path, path+".") {
			continue
		}
		document := []byte(strings.Replace(c.scene, "«", "", 1))
		s := struct{ Profiles [1]Profile }{[1]Profile{DefaultProfile()}}
		if json.Unmarshal(document, &s) != nil {
			continue // not a value of the field's type
		}
		if strings.Contains(c.message, "as std is 0") {
			continue // a program has a plain number there
		}
		compared++
		_, want := Read("", document)
		for i := range want {
			want[i].Line, want[i].Column, want[i].Path = 0, 0, "$"+strings.TrimPrefix(want[i].Path, path)
		}
		if diff := cmp.Diff(want, s.Profiles[0].BVP.Check()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	if compared < 8 {
		t.Errorf("only %d refusals were compared: the test has lost its cases", compared)
	}
	if len((BVP{}).Check()) == 0 {
		t.Error("a local map of zeros is accepted")
	}
}
