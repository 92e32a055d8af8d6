package engine_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// differing is a scene whose agents differ in everything.
const differing = `{"version": 1, "domain": [0, 0, 30, 20], "obstacles": [{"rect": [14, 4, 15, 16]}],
	"goals": [{"id": "east", "points": [[28, 10]]}],
	"profiles": [{"id": "p", "radius": {"min": 0.1, "max": 0.3}, "preferredSpeed": {"mean": 1.2, "std": 0.3}, "maxSpeed": {"mean": 2, "std": 0.2},
		"steering": "bvp", "bvp": {"cells": {"min": 7, "max": 33}, "cellSize": {"mean": 0.25, "std": 0.05}, "relaxations": {"min": 10, "max": 40},
		"viewAngle": {"min": 90, "max": 360}, "inertia": {"mean": 0.5, "std": 0.3}, "bias": {"direction": [{"min": -1, "max": 1}, {"min": -1, "max": 1}],
		"strength": {"mean": 0, "std": 0.4}, "wave": {"amplitude": {"min": 0, "max": 1}, "frequency": {"min": 0.1, "max": 0.5}, "phase": {"min": 0, "max": 360}}}}}],
	"groups": [{"count": 3, "spawn": {"points": [[2, 2], [2, 4], [2, 6]]}}, {"count": 30, "spawn": {"rect": [1, 8, 10, 19]}, "onArrival": "stay"}], "map": {"size": 60}}`

// checkIndividuals holds what the device has of each agent to what World.Individual reports.
func checkIndividuals(t *testing.T, d *gpu.Device, w *engine.World) {
	t.Helper()
	steps(t, w, 1)
	traits := make([]agents.Traits, w.Crowd().Count())
	w.Buffers().Agents.Traits.Read(0, traits)
	maps := w.LocalMaps()
	all := make([]local.Settings, 2+len(traits))
	settings := maps.Settings(float64(w.Ticks())*0.1, 0.1)
	all = all[:settings.Len()]
	settings.Read(0, all)
	for _, id := range w.Agents(nil) {
		slot := int(uint32(id))
		own, err := w.Individual(id)
		if err != nil {
			t.Fatal(err)
		}
		got := traits[slot]
		if got.Radius != float32(own.Radius) || got.PreferredSpeed != float32(own.PreferredSpeed) || got.MaxSpeed != float32(own.MaxSpeed) {
			t.Errorf("agent %d has %+v on the device, %+v of its own", slot, got, own)
		}
		walker, ok := maps.Walker(slot)
		if !ok {
			t.Fatalf("agent %d has no local map", slot)
		}
		if on, _ := maps.Read(walker); all[on.Settings] != local.SettingsAt(own.BVP, float64(w.Ticks())*0.1, 0.1) || int(on.Cells) != own.BVP.Cells {
			t.Errorf("agent %d has the settings %+v for %+v", slot, all[on.Settings], own.BVP)
		}
	}
}

// TestIndividuals: agents have on the device what they draw, by group and index or by handle, what
// an edit gives them, and after a rollback what they had.
func TestIndividuals(t *testing.T) {
	scene := open(t, differing)
	run(t, scene, func(d *gpu.Device, w *engine.World) {
		ids, kind := w.Agents(nil), w.Profiles()[0]
		for slot, id := range ids {
			group, index := uint32(0), uint32(slot)
			if slot >= 3 {
				group, index = 1, uint32(slot-3)
			}
			own, err := w.Individual(id)
			if want := scene.Profiles[0].Individual(spawn.Draw(scene.Simulation.Seed, group, index)); err != nil || !reflect.DeepEqual(own, want) {
				t.Errorf("agent %d is %+v, %v; draws %+v", slot, own, err, want)
			}
		}
		checkIndividuals(t, d, w)
		checkpoint, err := w.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		defer checkpoint.Free()
		before, _ := w.Individual(ids[4])
		one := before
		one.Radius, one.PreferredSpeed, one.BVP.Inertia, one.BVP.Cells = 0.2, 0.5, 0.9, 15
		var added []engine.AgentID
		change := func() {
			edit(t, w, func(e *engine.Edit) {
				e.SetIndividual(ids[4], one)
				added = e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{20, 10}, Goal: w.Goals()[0], Profile: kind})
			})
		}
		change()
		if now, err := w.Individual(ids[4]); err != nil || !reflect.DeepEqual(now, one) {
			t.Errorf("the agent is %+v, %v, want %+v", now, err, one)
		}
		checkIndividuals(t, d, w)
		if now, _ := w.Individual(added[0]); !reflect.DeepEqual(now, scene.Profiles[0].Individual(spawn.DrawAdded(scene.Simulation.Seed, uint32(added[0]), 1))) {
			t.Errorf("the agent that was added is %+v", now)
		}
		steps(t, w, 5)
		hash := hashOf(t, w)
		if err := w.Rollback(checkpoint); err != nil {
			t.Fatal(err)
		}
		if now, _ := w.Individual(ids[4]); !reflect.DeepEqual(now, before) {
			t.Errorf("after the rollback the agent is %+v, want %+v", now, before)
		}
		change()
		checkIndividuals(t, d, w)
		steps(t, w, 5)
		if again := hashOf(t, w); again != hash {
			t.Errorf("after the rollback the hash is %x, want %x", again, hash)
		}
		edit(t, w, func(e *engine.Edit) { e.AssignProfile(kind, ids[4]) })
		if now, _ := w.Individual(ids[4]); !reflect.DeepEqual(now, before) {
			t.Errorf("with its profile again the agent is %+v, want %+v", now, before)
		}
	})
}

// TestSetIndividualRefuses: bad values are faults with their paths.
func TestSetIndividualRefuses(t *testing.T) {
	run(t, open(t, differing), func(_ *gpu.Device, w *engine.World) {
		id := w.Agents(nil)[0]
		before, _ := w.Individual(id)
		for path, spoil := range map[string]func(x *scenes.Individual){
			"$.radius":            func(x *scenes.Individual) { x.Radius = math.NaN() },
			"$.maxSpeed":          func(x *scenes.Individual) { x.MaxSpeed = 0 },
			"$.bvp.cells":         func(x *scenes.Individual) { x.BVP.Cells = 64 },
			"$.bvp.inertia":       func(x *scenes.Individual) { x.BVP.Inertia = 1 },
			"$.bvp.bias.strength": func(x *scenes.Individual) { x.BVP.Bias.Strength = math.Inf(1) },
			"$.bvp.guide":         func(x *scenes.Individual) { x.BVP.Guide = scenes.GuideHarmonic },
		} {
			to := before
			spoil(&to)
			_, err := w.Edit(func(e *engine.Edit) error { e.SetIndividual(id, to); return nil })
			var faults engine.EditErrors
			if !errors.As(err, &faults) || !strings.HasPrefix(faults[0].Path, path) {
				t.Errorf("%s: %v", path, err)
			}
		}
		if now, _ := w.Individual(id); !reflect.DeepEqual(now, before) {
			t.Errorf("refused edits have made %+v of %+v", now, before)
		}
		var stale *engine.HandleError
		if _, err := w.Individual(0); !errors.As(err, &stale) {
			t.Errorf("of no agent: %v", err)
		}
	})
}

// TestNoSpread: distributions without a spread are the same run, bit for bit, as plain numbers.
func TestNoSpread(t *testing.T) {
	const plain = `"radius": 0.2, "steering": "bvp", "bvp": {"cells": 15, "inertia": 0.4, "bias": {"strength": 0.3}}`
	spreadless := strings.NewReplacer("0.2", `{"mean": 0.2, "std": 0}`, "15", `{"min": 15, "max": 15}`, "0.4", `{"mean": 0.4}`, "0.3", `{"mean": 0.3, "std": 0.1, "min": 0.3, "max": 0.3}`).Replace(plain)
	var hashes [2]uint64
	for i, profile := range [...]string{plain, spreadless} {
		text := `{"version": 1, "domain": [0, 0, 30, 20], "goals": [{"points": [[28, 10]]}], "profiles": [{` + profile + `}],
			"groups": [{"count": 20, "spawn": {"rect": [1, 1, 10, 19]}}], "map": {"size": 60}}`
		run(t, open(t, text), func(_ *gpu.Device, w *engine.World) {
			steps(t, w, 20)
			hashes[i] = hashOf(t, w)
		})
	}
	if hashes[0] != hashes[1] {
		t.Errorf("hashes %x", hashes)
	}
}
