package scenes

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/google/go-cmp/cmp"

	"github.com/wayfront/wayfront/scenes/internal/text"
)

// sameAgain encodes a scene, reads it back and compares.
func sameAgain(t testing.TB, s *Scene) []byte {
	t.Helper()
	data, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, problems := Read("again.json", data)
	if again == nil {
		t.Fatalf("what was written is refused: %v\n%s", problems, data)
	}
	if d := cmp.Diff(s, again); d != "" {
		t.Fatalf("read back it differs: %s\n%s", d, data)
	}
	twice, err := again.Encode()
	if err != nil || string(twice) != string(data) {
		t.Fatalf("not canonical (%v):\n%s\n%s", err, data, twice)
	}
	return data
}

func TestEncodeReadsBack(t *testing.T) {
	for _, text := range []string{minimal, full} {
		sameAgain(t, mustRead(t, text))
	}
	s := mustRead(t, minimal)
	s.Name = "\"quoted\" <b> \\ \n 広場 \u2028"
	s.Goals[0].Points = []mgl64.Vec2{{0.1 + 0.2, 5e-324}, {1e-7, 24.999999999999996}}
	s.Goals[0].ArrivalRadius = text.Largest
	s.Simulation.Seed = math.MaxUint64
	sameAgain(t, s)
}

func TestEncodeLayout(t *testing.T) {
	got := sameAgain(t, mustRead(t, `{"version": 1, "domain": [0, 0, 40, 25],
		"obstacles": [{"id": "a", "rect": [1, 1, 2, 2]}, {"polygon": [[20.25, 10.25], [20.5, 10.25], [20.75, 10.25], [21.25, 10.5],
			[21.25, 11], [21.25, 11.5], [20.75, 11.25], [20.5, 12.25], [20.25, 11.125]]}],
		"goals": [{"points": [[39, 2]]}], "map": {"size": 1000}}`))
	want := `{
  "version": 1,
  "name": "test",
  "domain": [0, 0, 40, 25],
  "obstacles": [
    {"id": "a", "rect": [1, 1, 2, 2]},
    {
      "polygon": [
        [20.25, 10.25], [20.5, 10.25], [20.75, 10.25], [21.25, 10.5], [21.25, 11], [21.25, 11.5], [20.75, 11.25],
        [20.5, 12.25], [20.25, 11.125]
      ]
    }
  ],
  "goals": [
    {"id": "goal-1", "points": [[39, 2]]}
  ],
  "profiles": [
    {"id": "default"}
  ]
}
`
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Error(d)
	}
}

func TestEncodeRefuses(t *testing.T) {
	s := mustRead(t, minimal)
	s.Goals[0].ArrivalRadius = math.NaN()
	if _, err := s.Encode(); err == nil || !strings.Contains(err.Error(), "NaN cannot be written") {
		t.Errorf("NaN: %v", err)
	}
	s = mustRead(t, minimal)
	s.Version = 2
	if _, err := s.Encode(); err == nil || !strings.Contains(err.Error(), "version 2 cannot be written") {
		t.Errorf("version 2: %v", err)
	}
}

// TestBases: what a profile has of its base is not written, and read again.
func TestBases(t *testing.T) {
	s := mustRead(t, `{"version": 1, "domain": [0, 0, 9, 9], "goals": [{"points": [[1, 1]]}], "profiles": [
		{"base": "child"}, {"base": "elderly", "radius": 0.25, "preferredSpeed": {"mean": 1.34, "std": 0.26}}, {"base": "weidmann"}]}`)
	if p := s.Profiles[0]; p.Radius != Exactly(0.19) || p.PreferredSpeed != Uniform(0.6, 1.2) || p.MaxSpeed != Exactly(2) {
		t.Errorf("a child is %+v", p)
	}
	if p := s.Profiles[1]; p.Radius != Exactly(0.25) || p.PreferredSpeed != DefaultProfile().PreferredSpeed {
		t.Errorf("fields of its own give way to the base: %+v", p)
	}
	text, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`{"id": "profile-1", "base": "child"}`, `"base": "elderly", "radius": 0.25, "preferredSpeed": {"mean": 1.34, "std": 0.26}}`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s has no %s", text, want)
		}
	}
	if again := mustRead(t, string(text)); !reflect.DeepEqual(again, s) {
		t.Errorf("read again: %+v", again.Profiles)
	}
	program := Scene{Domain: s.Domain, Goals: s.Goals, Profiles: []Profile{{Base: BaseChild}}}
	if whole, problems := program.Checked(); whole == nil || whole.Profiles[0].Radius != Exactly(0.19) {
		t.Errorf("a profile of a program: %+v, %v", whole, problems)
	}
}
