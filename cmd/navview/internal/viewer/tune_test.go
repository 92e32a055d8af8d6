//go:build !headless

package viewer

import (
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/window"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/scenestest"
)

// field has one agent with a local map, and one without.
const field = `{"version": 1, "name": "field", "domain": [0, 0, 40, 25],
	"goals": [{"id": "east", "points": [[38, 12]]}],
	"profiles": [{"id": "bent", "steering": "bvp", "bvp": {"cells": 11, "guide": "spm"}}, {"id": "plain"}],
	"groups": [{"profile": "bent", "count": 1, "spawn": {"points": [[3, 12]]}, "itinerary": ["east"]},
		{"profile": "plain", "count": 1, "spawn": {"points": [[3, 20]]}, "itinerary": ["east"]}]}`

// TestTune bends the chosen agent's local map with keys: the world takes it, undo takes it back,
// and saving keeps it.
func TestTune(t *testing.T) {
	at(t, field, func(a *author) {
		shown := func() string { return strings.Join(a.viewer.knobs(), "\n") }
		now := func() scenes.BVPDistribution {
			m, ok := localMap(a.view.World, 0)
			if !ok {
				t.Fatal("the profile has no local map")
			}
			return m
		}
		if a.key("right", 0); a.view.World.Ticks() != 1 {
			t.Error("while nothing is bent, right is no step")
		}
		if a.key("b", 0); !strings.Contains(shown(), "no agent is selected") {
			t.Errorf("without a chosen agent: %s", shown())
		}
		if a.key("right", 0); a.view.World.Ticks() != 1 || now().Cells.Mean != 11 {
			t.Error("without a chosen agent right does something")
		}
		a.key("n", 0)
		if chosen := a.view.Chosen; chosen != 0 {
			t.Fatalf("agent %d is chosen", chosen)
		}
		first := now()
		a.key("right", 0)
		if got := now(); got.Cells.Mean != 13 || !strings.Contains(shown(), "> cells           13") {
			t.Errorf("%v cells, shown\n%s", got.Cells.Mean, shown())
		}
		// Up from the first is the last.
		a.key("up", 0)
		a.key("left", 0)
		if got, want := now().Relaxations.Mean, first.Relaxations.Mean-5; got != want {
			t.Errorf("%v relaxations, want %v", got, want)
		}
		for range 4 {
			a.key("down", 0)
		}
		a.key("right", 0)
		a.key("right", 0)
		if got := now().Bias.Strength.Mean; got != 0.2 {
			t.Errorf("a strength of %g", got)
		}
		a.key("s", window.Control)
		saved, err := scenes.Load(filepath.Join(filepath.Dir(a.doc.File), "scene-edited.json"))
		if err != nil {
			t.Fatal(err)
		}
		if got := saved.Profiles[0].BVP; !reflect.DeepEqual(got, now()) {
			t.Errorf("saved is %+v, the local map is %+v", got, now())
		}
		for range 4 {
			a.key("z", window.Control)
		}
		if !reflect.DeepEqual(now(), first) {
			t.Errorf("after undoing all %+v, before %+v", now(), first)
		}
		a.key("n", 0)
		if a.key("right", 0); !strings.Contains(shown(), "profile plain has no local map") {
			t.Errorf("of an agent without one: %s", shown())
		}
	})
}

// TestKnobs turns every knob up and down: both change the map that is written, into one that a
// scene can have, the way back leads to where it began, and there are limits.
func TestKnobs(t *testing.T) {
	scene := scenestest.Read(t, "field", field)
	sound := func(name string, m scenes.BVPDistribution) {
		t.Helper()
		s := *scene
		s.Profiles = slices.Clone(scene.Profiles)
		s.Profiles[0].BVP = m
		data, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, problems := scenes.Read("field", data)
		if again == nil {
			t.Fatalf("%s: %v", name, problems)
		}
		if !reflect.DeepEqual(again.Profiles[0].BVP, m) {
			t.Errorf("%s: %+v is read back as %+v", name, m, again.Profiles[0].BVP)
		}
	}
	same := scene.Profiles[0].Mean().BVP
	same.Bias = scenes.Bias{Direction: mgl64.Vec2{0, 1}, Strength: 0.3, Wave: scenes.WaveOf[float64]{Amplitude: 0.3, Frequency: 0.3}}
	begin := scenes.Same(same)
	begin.Inertia, begin.ViewAngle = scenes.Uniform(0.25, 0.75), scenes.Distribution{Mean: 180, Std: 10, Min: 90, Max: math.Inf(1)}
	for _, k := range knobs {
		m := begin
		k.turn(&m, 1)
		up := k.text(&m)
		sound(k.name, m)
		if up == k.text(&begin) {
			t.Errorf("%s: a step up shows %s as before", k.name, up)
		}
		if k.turn(&m, -1); !reflect.DeepEqual(m, begin) {
			t.Errorf("%s: up and down again leads from %+v to %+v", k.name, begin, m)
		}
		for range 12 * 24 {
			k.turn(&m, 1)
		}
		sound(k.name, m)
		for range 24 * 24 {
			k.turn(&m, -1)
		}
		sound(k.name, m)
	}
	m := begin
	m.Table = []scenes.Sample{{0, 1, 0, 0.5}}
	for _, k := range knobs {
		if k.tabled(begin) || k.tabled(m) != strings.HasPrefix(k.name, "bias") {
			t.Errorf("%s: in the place of a table %v, without one %v", k.name, k.tabled(m), k.tabled(begin))
		}
	}
}

// TestReloadBends: where a scene's file has changed, agents go on with the new local maps and goals;
// with another domain the world restarts.
func TestReloadBends(t *testing.T) {
	at(t, field, func(a *author) {
		reload := func(from, to string) {
			t.Helper()
			text := strings.Replace(field, from, to, 1)
			if text == field {
				t.Fatalf("nothing is %q", from)
			}
			scene := scenestest.Read(t, "field", text)
			doc := *a.doc
			doc.Scene = scene
			a.reload(&doc, nil)
		}
		a.key(".", 0)
		reload(`"cells": 11`, `"cells": 31, "inertia": 0.25`)
		if m, _ := localMap(a.view.World, 0); m.Cells.Mean != 31 || m.Inertia.Mean != 0.25 || a.view.World.Ticks() != 1 {
			t.Errorf("after %d ticks %+v", a.view.World.Ticks(), m)
		}
		if a.doc.Profiles[0].BVP.Cells.Mean != 31 {
			t.Error("to start again would lead to the old scene")
		}
		reload(`[38, 12]`, `[38, 13]`)
		if m, _ := localMap(a.view.World, 0); m.Cells.Mean != 11 || a.view.World.Ticks() != 1 {
			t.Errorf("with another goal too, after %d ticks %+v", a.view.World.Ticks(), m)
		}
		reload(`"domain": [0, 0, 40, 25]`, `"domain": [0, 0, 40, 26]`)
		if notices := strings.Join(a.notices(), "\n"); a.view.World.Ticks() != 0 || !strings.Contains(notices, "$.domain") || a.alarm != nil {
			t.Errorf("with another domain, after %d ticks: %q, alarm %q", a.view.World.Ticks(), notices, a.alarm)
		}
	})
}
