package scenes

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDormantFieldsAreNoted(t *testing.T) {
	s, problems := Read("full.json", []byte(full))
	if s == nil {
		t.Fatal(problems)
	}
	var got, want []string
	for _, p := range problems {
		if !p.Note || !strings.HasPrefix(p.Message, "accepted, but without effect yet: ") {
			t.Errorf("%v", p)
		}
		got = append(got, p.Path)
	}
	// The full scene has every field, so it gets every note, in its own order.
	for _, d := range dormantFields {
		want = append(want, d.pattern)
	}
	for i, path := range got {
		for k := range 10 {
			path = strings.ReplaceAll(path, "["+string(rune('0'+k))+"]", "[*]")
		}
		got[i] = path
	}
	less := cmp.Transformer("sorted", func(list []string) map[string]bool {
		m := map[string]bool{}
		for _, p := range list {
			m[p] = true
		}
		return m
	})
	if d := cmp.Diff(want, got, less); d != "" || len(got) != len(want) {
		t.Errorf("%d notes, want %d: %s", len(got), len(want), d)
	}
}

func TestWhatWorksIsNotNoted(t *testing.T) {
	s, problems := Read("f", []byte(with(`"profiles": [{"avoidance": "none", "steering": "direct"}, {"avoidance": "rvo", "steering": "spm"}, {"steering": "bvp", "bvp": {"cells": 11, "guide": "harmonic"}}],
		"groups": [{"spawn": {"points": [[1, 1]]}, "itinerary": ["goal-1", "goal-1"], "onArrival": "loop", "start": {"at": 1, "rate": 2}}]`)))
	if s == nil || len(problems) > 0 {
		t.Errorf("%v", problems)
	}
}

func TestNotesOfManyPlacesAreOne(t *testing.T) {
	_, problems := Read("f", []byte(with(`"groups": [{"spawn": {"points": [[1, 1]]}}, {"spawn": {"points": [[1, 1]]}, "explores": {}},
		{"spawn": {"points": [[2, 1]]}, "explores": {}}, {"spawn": {"points": [[3, 1]]}, "explores": {"team": "a"}}]`)))
	if len(problems) != 1 || problems[0].Path != "$.groups[1].explores" || !strings.HasSuffix(problems[0].Message, "(here and in 2 more places)") {
		t.Errorf("%v", problems)
	}
	if !strings.Contains(problems[0].String(), ": $.groups[1].explores: note: accepted") {
		t.Errorf("%s", problems[0])
	}
}

func TestSpeedAboveTheMaximumIsNoted(t *testing.T) {
	s, problems := Read("f", []byte(profile(`"preferredSpeed": {"mean": 3}`)))
	if s == nil || len(problems) != 1 || problems[0].Path != "$.profiles[0].preferredSpeed.mean" {
		t.Errorf("%v", problems)
	}
}
