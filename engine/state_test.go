package engine

import (
	"reflect"
	"slices"
	"testing"
)

// TestEveryFieldIsDeclared wants each field of what a world is made of to be declared: kept by
// checkpoints, made of what they keep by a rollback, or nothing that ticks depend on. A new field
// that has influence belongs into Checkpoint and rollback.
func TestEveryFieldIsDeclared(t *testing.T) {
	for _, x := range []struct {
		of              any
		kept, made, not []string
	}{
		{
			World{},
			[]string{
				"ticks", "owed", "moving", "walked", "terrain", "goals", "maps", "next", "crowd", "local",
				"goalIDs", "obstacles", "population", "areaSet", "revision", "events", "scene", "doc",
			},
			[]string{"building", "latest"},
			[]string{
				"device", "builder", "epoch", "work", "uploaded", "mapSize", "turn", "thread", "torn", "ended", "closed", "memory", "tickTime",
				"began", "fingerprint", "journal", "watch",
			},
		},
		// All fields are copied: what they refer to is cloned, or never written to.
		{terrain{}, []string{"slots", "passages", "plans", "grounds", "time"}, nil, []string{"scene", "lattice"}},
		{slot{}, []string{"obstacle", "changed", "laid", "at"}, nil, nil},
		{obstacle{}, []string{"there", "shape", "door"}, nil, nil},
		{goalState{}, []string{"Goal", "gone", "stale", "blocked", "open", "begun", "shown", "view", "itinerary"}, nil, nil},
		// Lists are replaced, and never written to.
		{authored{}, []string{"obstacles", "goals", "profiles", "members"}, nil, nil},
		{
			localMaps{},
			[]string{"used", "maps", "explorers"},
			[]string{"owners", "harmonic"},
			[]string{"device", "input"},
		},
		{population{}, []string{"profiles", "profileIDs", "known", "agents", "agentIDs", "pending", "recordOf", "entering", "removed", "reporting", "unsure"}, nil, nil},
		{agentState{}, []string{"traits", "goal", "speed", "paused", "present", "own", "bvp", "born", "choice"}, nil, nil},
		{explorers{}, []string{"roster", "teams", "cells", "ends"}, []string{"targets"}, []string{"guide"}},
		{roster{}, []string{"count", "named", "members", "times"}, nil, nil},
		{member{}, []string{"team", "frontiers", "frontier"}, nil, nil},
		{harmonicMaps{}, nil, []string{"cells", "grid", "maps", "ascents"}, []string{"solver"}},
	} {
		of, declared := reflect.TypeOf(x.of), slices.Concat(x.kept, x.made, x.not)
		for _, f := range reflect.VisibleFields(of) {
			if len(f.Index) == 1 && !slices.Contains(declared, f.Name) {
				t.Errorf("%v.%s is not declared: is it state that a Checkpoint has to keep?", of, f.Name)
			}
		}
		for _, name := range declared {
			if _, ok := of.FieldByName(name); !ok {
				t.Errorf("%v has no field %s any more", of, name)
			}
		}
	}
}
