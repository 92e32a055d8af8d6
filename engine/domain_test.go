package engine_test

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/scenes"
)

// wider and narrower change the domain of manyMaps, to lattices of other steps.
func wider(s *scenes.Scene) {
	s.Domain = scenes.Rect{-7.3, -2.1, 31.7, 25.4}
	s.Goals[0].Points = []mgl64.Vec2{{30, 23}}
}

func narrower(s *scenes.Scene) {
	s.Domain = scenes.Rect{0.5, 0.25, 12, 9.5}
	s.Goals[0].Points = []mgl64.Vec2{{11, 5}}
	s.Obstacles[0].Rect = &scenes.Rect{7, 1, 7.5, 8}
	for i := range s.Groups { // where their agents began is not in the domain
		if s.Groups[i].Spawn.Rect[2] > 12 {
			s.Groups[i].Spawn.Rect = &scenes.Rect{8, 4, 11, 8}
		}
	}
}

// TestSyncOfDomain gives a world other domains. Agents keep their places, and those beyond come to
// the border, with events; ground and maps are those of a world that is made of the document; what
// agents do is finite. A rollback, a save and a journal have it all.
func TestSyncOfDomain(t *testing.T) {
	s, o := open(t, manyMaps), engine.Options{Events: engine.AllEvents}
	sync := func(w *engine.World, change func(*scenes.Scene)) *scenes.Scene {
		t.Helper()
		to := w.Document()
		change(to)
		if _, err := w.Sync(to); err != nil {
			t.Fatal(err)
		}
		return to
	}
	journal, _ := live(t, s, o, func(w *engine.World) {
		steps(t, w, 15)
		edit(t, w, func(e *engine.Edit) { e.AddArea(engine.Area{Corners: []mgl64.Vec2{{8, 0}, {8, 10}}}) })
		steps(t, w, 4)
		c := checkpoint(t, w)
		defer c.Free()
		first := course(t, w, 20)
		beyond := 0
		for _, change := range []func(*scenes.Scene){wider, narrower, func(to *scenes.Scene) { *to = *s.Clone() }} {
			var before, now engine.Snapshot
			snap(t, w, &before)
			to := sync(w, change)
			if snap(t, w, &now); !reflect.DeepEqual(now, before) {
				t.Error("agents are elsewhere before the tick")
			}
			if err := w.Apply(); err != nil { // the ground, and no time
				t.Fatal(err)
			}
			snap(t, w, &now)
			out := samePlaces(t, &before, &now, to.Domain)
			beyond += out
			w.Events(nil)
			steps(t, w, 2)
			sameMaps(t, w, to)
			steps(t, w, 20)
			for i, v := range now.Velocities {
				if math.IsNaN(v.Len()) || v.Len() > 10 {
					t.Errorf("an agent walks with %v, at %v", v, now.Positions[i])
				}
			}
			if displaced := counted(w.Events(nil), engine.Displaced); displaced < out {
				t.Errorf("%d agents were displaced, and %d were beyond the domain", displaced, out)
			}
		}
		if beyond == 0 {
			t.Error("no agent was beyond the domain")
		}
		rollback(t, w, c)
		if i := firstDifference(course(t, w, 20), first); i >= 0 {
			t.Errorf("rolled back, the state %d ticks on differs", i+1)
		}
		sync(w, wider)
		for _, ticks := range []int{0, 7} { // before and after it takes effect
			steps(t, w, ticks)
			file, k := saved(t, w), checkpoint(t, w)
			want := course(t, w, 20)
			rollback(t, w, k)
			k.Free()
			other, err := engine.RestoreHeadless(context.Background(), bytes.NewReader(file), o)
			if err != nil {
				t.Fatal(err)
			}
			if i := firstDifference(course(t, other, 20), want); i >= 0 {
				t.Errorf("saved %d ticks after the sync, the state %d ticks on differs", ticks, i+1)
			}
			if err := other.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	w, err := engine.ReplayHeadless(context.Background(), bytes.NewReader(journal), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

func snap(t *testing.T, w *engine.World, dst *engine.Snapshot) {
	t.Helper()
	if err := w.Snapshot(dst); err != nil {
		t.Fatal(err)
	}
}

func counted(events []engine.Event, kind engine.EventKinds) (n int) {
	for _, e := range events {
		if e.Kinds&kind != 0 {
			n++
		}
	}
	return n
}

// samePlaces compares agents before and after another domain, and counts those that were beyond it.
func samePlaces(t *testing.T, before, now *engine.Snapshot, domain scenes.Rect) (beyond int) {
	t.Helper()
	for i, id := range before.IDs {
		at := before.Positions[i]
		want := mgl64.Vec2{min(max(at[0], domain[0]), domain[2]), min(max(at[1], domain[1]), domain[3])}
		k, ok := now.Index(id)
		if step := 40.0 / (1 << 20); !ok || now.Positions[k].Sub(want).Len() > 2*step {
			t.Fatalf("the agent %#x was at %v, and comes to %v", id, at, now.Positions[k])
		}
		if want != at {
			beyond++
		}
	}
	return beyond
}

// sameMaps compares ground and maps of a world with those of one that is made of a document.
func sameMaps(t *testing.T, w *engine.World, s *scenes.Scene) {
	t.Helper()
	made, err := engine.Headless(context.Background(), s, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	if !reflect.DeepEqual(w.Ground().Walls, made.Ground().Walls) || w.Ground().Lattice != made.Ground().Lattice || w.Buffers().Origin != s.Min() {
		t.Error("the ground is another one")
	}
	if got, want := w.Buffers().Maps.Extent, made.Buffers().Maps.Extent; got != want {
		t.Errorf("the maps have the extent %+v, want %+v", got, want)
	}
	for i := range s.Goals {
		from := s.Goals[1-i].Points[0]
		if got, want := distance(t, w, i, from), distance(t, made, i, from); got != want {
			t.Errorf("goal %d is %v m from %v, want %v", i, got, from, want)
		}
	}
}
