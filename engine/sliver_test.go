package engine_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// Along walls that are a hair out of line with one another, ground narrower than a texel has a
// corner that no texel names, among 27,000.
func TestAgentsAlongAWallSeeTheWay(t *testing.T) {
	s, err := builtin.Load("city-10k")
	if err != nil {
		t.Fatal(err)
	}
	south, _ := s.Goal("south")
	group := s.Groups[0]
	group.Spawn = scenes.Spawn{Points: []mgl64.Vec2{{804.525757, 158.168030}, {660.267639, 582.482910}, {938.748352, 984.439087}}}
	group.Count, group.Itinerary, group.OnArrival = len(group.Spawn.Points), []string{south.ID}, scenes.ArrivalLeave
	s.Goals, s.Groups = []scenes.Goal{south}, []scenes.Group{group}
	gputest.Run(t, func(d *gpu.Device) {
		w, err := engine.New(d, s, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
		state := make([]agents.Agent, w.Crowd().Count())
		w.Crowd().Snapshot(state)
		for _, a := range state {
			if a.Target == agents.NoTarget || a.Velocity == [2]float32{} {
				t.Errorf("%+v sees no way", a)
			}
		}
	})
}
