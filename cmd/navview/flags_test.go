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
