package engine_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// Beside a wall that is a hair out of line with the next, ground narrower than a texel has a corner that no texel names, among 27,000.
func TestWhoWalksAlongAWallSeesTheWay(t *testing.T) {
	s, err := scenes.Load("city-10k")
	if err != nil {
		t.Fatal(err)
	}
	west, _ := s.Goal("west")
	group := s.Groups[0]
	group.Count, group.Spawn = 1, scenes.Spawn{Points: []mgl64.Vec2{{804.525757, 158.168030}}}
	group.Itinerary, group.OnArrival = []string{west.ID}, scenes.ArrivalLeave
	s.Goals, s.Groups = []scenes.Goal{west}, []scenes.Group{group}
	gputest.Run(t, func(d *gpu.Device) {
		w, err := engine.New(d, s, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
		state := make([]agents.Agent, 1)
		w.Crowd().Snapshot(state)
		if a := state[0]; a.Target == agents.NoTarget || a.Velocity == [2]float32{} {
			t.Errorf("%+v sees no way", a)
		}
	})
}
