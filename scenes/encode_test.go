package scenes

import (
	"math"
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
