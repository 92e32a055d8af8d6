package bench

import (
	"slices"
	"testing"

	"github.com/wayfront/wayfront/scenes/builtin"
)

// TestBusiestScenesExist: every case of the suite is a scene, and none has a time that no case has.
func TestBusiestScenesExist(t *testing.T) {
	for _, name := range (avoidanceBench{Cases: []string{"all", "growth"}}).names() {
		if _, err := builtin.Load(name); err != nil {
			t.Error(err)
		}
	}
	sized := avoidanceBench{Cases: []string{"evac-500", "circle", "evac-1k", "disc", "robots", "hall.json"}, Agents: []int{7, 2000}}.names()
	if want := []string{"evac-7", "evac-2000", "circle", "disc-7", "disc-2000", "robots", "hall.json"}; !slices.Equal(sized, want) {
		t.Errorf("got %v, want %v", sized, want)
	}
	if len(busiest) != len(avoidanceCases["all"]) {
		t.Errorf("%d times for %d scenes", len(busiest), len(avoidanceCases["all"]))
	}
	for _, name := range avoidanceCases["all"] {
		if _, ok := busiest[name]; !ok {
			t.Errorf("%s has no time", name)
		}
	}
}
