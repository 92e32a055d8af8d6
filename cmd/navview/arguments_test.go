package main

import (
	"slices"
	"strings"
	"testing"
)

func TestNegatives(t *testing.T) {
	for given, want := range map[string]string{
		"map plaza --size -1":       "map plaza --size=-1",
		"render --at -.5s -o -":     "render --at=-.5s -o -",
		"query --points - --size 5": "query --points - --size 5",
		"query --path -o -1":        "query --path -o -1",
		"map --size=5 -1":           "map --size=5 -1",
		"map --size":                "map --size",
		"map -- --size -1":          "map -- --size -1",
	} {
		if got := negatives(strings.Fields(given)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q became %q", given, got)
		}
	}
}

func TestWithoutPackages(t *testing.T) {
	for given, want := range map[string]string{
		`engine: scene "a": spm: a map of 3 x 3 texels: gpu: texture "spm field" is full`: `scene "a": a map of 3 x 3 texels: texture "spm field" is full`,
		"engine: spm: the source lies outside":                                            "the source lies outside",
		"--layers: render: no layer is called so":                                         "--layers: no layer is called so",
		"cannot write gpu: no such folder":                                                "cannot write gpu: no such folder",
		"hall.json:3:4: $.goals: scenes are needed":                                       "hall.json:3:4: $.goals: scenes are needed",
	} {
		if got := withoutPackages(given); got != want {
			t.Errorf("%q became %q, want %q", given, got, want)
		}
	}
}
