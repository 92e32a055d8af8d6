package simulation

import (
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
)

// TestFrameOf: a frame has the agents that are there, in world coordinates.
func TestFrameOf(t *testing.T) {
	f := frameOf(3, []agents.Agent{
		{Status: agents.Waiting}, {Status: agents.Walking, Position: [2]float32{1, 2}, Velocity: [2]float32{3, 4}}, {Status: agents.Left}, {Status: agents.Arrived},
	}, make([]agents.Traits, 4), mgl64.Vec2{10, 20})
	if len(f.Walkers) != 2 || f.Time != 3 || f.Walkers[0] != (measure.Walker{ID: 1, At: mgl64.Vec2{11, 22}, Velocity: mgl64.Vec2{3, 4}}) || f.Walkers[1].ID != 3 {
		t.Errorf("%+v", f)
	}
}

// TestNotes: one of a kind is said otherwise than several.
func TestNotes(t *testing.T) {
	r := Report{Waiting: 1, Lost: 3, Buried: 2, Displaced: 1, Crowded: 1234, Hemmed: 12}
	want := "1 has not entered, 3 see no path to the goal, 2 have no free ground, 1 time an agent was put out of an obstacle, " +
		"1,234 times an agent had too many agents near to ask them all, 12 times an agent had too many walls near to keep clear of all"
	if got := strings.Join(r.notes(), ", "); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestSimulateOverrides: what the command line says in the scene's place.
func TestSimulateOverrides(t *testing.T) {
	doc, err := document.Load("evac-500")
	if err != nil {
		t.Fatal(err)
	}
	seed, rounds := uint64(9), 0
	Overrides{Seed: &seed, Rounds: &rounds, Avoidance: "orca"}.Apply(doc.Scene)
	if s := doc.Simulation; s.Seed != 9 || s.ContactRounds != 0 {
		t.Errorf("%+v", s)
	}
	for _, p := range doc.Profiles {
		if p.Avoidance != "orca" {
			t.Errorf("%s avoids by %s", p.ID, p.Avoidance)
		}
	}
}
