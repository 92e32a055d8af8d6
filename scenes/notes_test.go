package scenes

import (
	"testing"
)

func TestWhatWorksIsNotNoted(t *testing.T) {
	s, problems := Read("f", []byte(with(`"profiles": [{"avoidance": "none", "steering": "direct"}, {"avoidance": "rvo", "steering": "spm"},
			{"id": "b", "steering": "bvp", "bvp": {"cells": 11, "guide": "harmonic", "bias": {"strength": -1.9}}}],
		"groups": [{"spawn": {"points": [[1, 1]]}, "itinerary": ["goal-1", "goal-1"], "onArrival": "loop", "start": {"at": 1, "rate": 2}},
			{"profile": "b", "spawn": {"points": [[2, 1]]}, "explores": {"team": "a"}}]`)))
	if s == nil || len(problems) > 0 {
		t.Errorf("%v", problems)
	}
}

// What a scene says in vain is noted where it says so.
func TestWhatIsInVainIsNoted(t *testing.T) {
	for text, want := range map[string]string{
		`"profiles": [{"steering": "bvp", "bvp": {"bias": {"strength": 1.5, "direction": [1, 1]}}}]`:                                              "$.profiles[0].bvp.bias.strength",
		`"profiles": [{"steering": "bvp", "bvp": {"bias": {"strength": -1, "wave": {"amplitude": 2, "frequency": 1}}}}]`:                          "$.profiles[0].bvp.bias.strength",
		`"profiles": [{"steering": "bvp", "bvp": {"table": [[0, 1, 0, 0.5], [1, 3, 0, 1]]}}]`:                                                     "$.profiles[0].bvp.table[1]",
		`"profiles": [{"steering": "bvp", "bvp": {"bias": {"strength": 1}, "table": [[0, 1, 0, 0.5]]}}]`:                                          "$.profiles[0].bvp.bias",
		`"profiles": [{"steering": "bvp", "bvp": {"bias": {"strength": 0.5, "wave": {"amplitude": 1}}}}]`:                                         "$.profiles[0].bvp.bias.wave",
		`"profiles": [{"steering": "bvp", "bvp": {"bias": {"strength": 0.5, "wave": {"frequency": 1}}}}]`:                                         "$.profiles[0].bvp.bias.wave",
		`"profiles": [{"steering": "bvp", "bvp": {"bias": {"wave": {"amplitude": 1, "frequency": 1}}}}]`:                                          "$.profiles[0].bvp.bias.wave",
		`"profiles": [{"steering": "bvp", "bvp": {"bias": {"strength": 0.5, "direction": [0, 0], "wave": {"amplitude": 1, "frequency": 1}}}}]`:    "$.profiles[0].bvp.bias.direction",
		`"profiles": [{"steering": "bvp", "bvp": {"cells": 6}}]`:                                                                                  "$.profiles[0].bvp.cells",
		`"profiles": [{"steering": "bvp", "bvp": {"viewAngle": 10, "bias": {"strength": -0.8}}}]`:                                                 "$.profiles[0].bvp.viewAngle",
		`"profiles": [{"steering": "bvp", "bvp": {"viewAngle": 29, "table": [[0, 1, 0, 0.5]]}}]`:                                                  "$.profiles[0].bvp.viewAngle",
		`"profiles": [{"id": "p"}], "groups": [{"profile": "p", "spawn": {"points": [[1, 1]]}, "explores": {}}]`:                                  "$.groups[0].explores",
		`"profiles": [{"steering": "bvp"}], "groups": [{"spawn": {"ring": {"center": [2, 2], "radius": 1}}, "goal": "antipode", "explores": {}}]`: "$.groups[0].explores",
	} {
		s, problems := Read("f", []byte(with(text)))
		if s == nil || len(problems) != 1 || problems[0].Path != want || !problems[0].Note {
			t.Errorf("%s: %v, want a note at %s", text, problems, want)
		}
	}
}

func TestSpeedAboveTheMaximumIsNoted(t *testing.T) {
	s, problems := Read("f", []byte(profile(`"preferredSpeed": {"mean": 3}`)))
	if s == nil || len(problems) != 1 || problems[0].Path != "$.profiles[0].preferredSpeed.mean" {
		t.Errorf("%v", problems)
	}
}
