package formats

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
	"github.com/wayfront/wayfront/scenes/scenestest"
)

// TestExport checks that what is exported and imported again has the same ground, and with GeoJSON
// the same goals and spawns.
func TestExport(t *testing.T) {
	for _, name := range []string{"plaza", "concave2", "profiling2", "farias-1", "farias-5-left", "octagons-20"} {
		s, err := builtin.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		ground, area, _ := groundOf(t, s)
		for _, format := range []*Format{WKT, GeoJSON} {
			data, _, err := Export(format, s)
			if err != nil {
				t.Fatal(err)
			}
			again, _, err := Import(format, name+".x", data, Options{})
			if err != nil {
				t.Errorf("%s as %s: %v", name, format.Name, err)
				continue
			}
			if _, got, _ := groundOf(t, again); again.Domain != s.Domain || math.Abs(got-area) > areaSlack(ground) {
				t.Errorf("%s as %s: domain %v, free area %v, was %v, %v", name, format.Name, again.Domain, got, s.Domain, area)
			}
			if format == WKT {
				continue
			}
			if !json.Valid(data) {
				t.Errorf("%s: no JSON", name)
			}
			for i, g := range s.Goals {
				if h := again.Goals[i]; h.ID != g.ID || !reflect.DeepEqual(h.Points, g.Points) || !reflect.DeepEqual(h.Segments, g.Segments) {
					t.Errorf("%s: goal %+v, was %+v", name, h, g)
				}
			}
			kept := slices.DeleteFunc(slices.Clone(s.Groups), func(g scenes.Group) bool { return g.Spawn.Rect == nil && g.Spawn.Points == nil })
			if len(again.Groups) != len(kept) {
				t.Fatalf("%s: %d groups, want %d", name, len(again.Groups), len(kept))
			}
			for i, g := range kept {
				if h := again.Groups[i]; h.ID != g.ID || h.Count != g.Count || !reflect.DeepEqual(h.Spawn, g.Spawn) {
					t.Errorf("%s: group %+v, was %+v", name, h, g)
				}
			}
		}
	}
}

func TestExportParts(t *testing.T) {
	s := scenestest.Read(t, "a", `{"version": 1, "domain": [0, 0, 9, 4], "obstacles": [{"rect": [4, 0, 5, 4]}, {"rect": [1, 1, 2, 2], "open": [[0, 5]]}], "goals": [{"points": [[1, 1]]}]}`)
	data, _, err := Export(WKT, s)
	if err != nil || !strings.HasPrefix(string(data), "MULTIPOLYGON(((") || strings.Count(string(data), "((") != 2 || strings.Contains(string(data), "1 1") {
		t.Errorf("%s, %v", data, err)
	}
	if _, _, err := Export(SVG, s); err == nil {
		t.Error("exported as SVG")
	}
}

// TestExportAcrossBorder: what a moving obstacle has outside of the domain is not in the way of the
// ground, whatever numbers round to. Where nothing is free the ground is empty.
func TestExportAcrossBorder(t *testing.T) {
	for k := range 50 {
		doc := fmt.Sprintf(`{"version": 1, "domain": [0, 0, 9.1, 4.3], "goals": [{"points": [[8, 1]]}], "obstacles": [
			{"polygon": [[0.1, 0.2], [2.3, 0.7], [1.9, %v]], "motion": {"path": [[-0.7, -0.%d], [1, 0]], "speed": 1}}, {"polygon": [[3, 0], [5, 0.3], [4, 4]]}]}`, 2+0.04*float64(k), k+10)
		s := scenestest.Read(t, "a", doc)
		data, _, err := Export(WKT, s)
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := Import(WKT, "a", data, Options{})
		if err != nil || again.Domain != s.Domain {
			t.Fatalf("%v\n%s", err, data)
		}
		g, want, _ := groundOf(t, s)
		if _, got, _ := groundOf(t, again); math.Abs(got-want) > areaSlack(g) {
			t.Errorf("the free area is %v, was %v\n%s", got, want, data)
		}
	}
	s := scenestest.Read(t, "a", `{"version": 1, "domain": [0, 0, 9, 4], "obstacles": [{"rect": [0, 0, 9, 4], "open": [[1, 2]]}], "goals": [{"points": [[1, 1]]}]}`)
	if data, _, err := Export(WKT, s); err != nil || string(data) != "POLYGON EMPTY\n" {
		t.Errorf("%s, %v", data, err)
	}
}

// TestExportGoals: what a goal says besides its place comes back from GeoJSON.
func TestExportGoals(t *testing.T) {
	s := scenestest.Read(t, "a", `{"version": 1, "domain": [0, 0, 9, 4], "goals": [
		{"id": "wide", "points": [[2, 2]], "segments": [[[8, 1], [8, 3]]], "clearance": 0.4, "arrivalRadius": 0.75}, {"id": "usual", "points": [[1, 1]]}]}`)
	data, _, err := Export(GeoJSON, s)
	if err != nil {
		t.Fatal(err)
	}
	again, notes, err := Import(GeoJSON, "a", data, Options{})
	if err != nil || len(notes) > 0 || !reflect.DeepEqual(again.Goals, s.Goals) {
		t.Errorf("goals %+v, were %+v; %v, %v", again.Goals, s.Goals, notes, err)
	}
}
