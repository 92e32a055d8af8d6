package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	rand1 "math/rand" // of testing/quick
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/quick"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// TestJournalHasEveryChange calls each exported method of Edit with arguments at random: the
// journal has the call once, with all that it was given.
func TestJournalHasEveryChange(t *testing.T) {
	s := open(t, strings.ReplaceAll(doors, "METHOD", "none"))
	gputest.Run(t, func(d *gpu.Device) {
		w, err := engine.New(d, s, engine.Options{Journal: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		of, r := reflect.TypeFor[*engine.Edit](), rand1.New(rand1.NewSource(7))
		for i := range of.NumMethod() {
			m := of.Method(i)
			_, err := w.Edit(func(e *engine.Edit) error {
				given := []reflect.Value{reflect.ValueOf(e)}
				var want []any
				for k := 1; k < m.Type.NumIn(); k++ {
					p := m.Type.In(k)
					v, ok := quick.Value(p, r)
					if !ok {
						t.Fatalf("%s: no value of %v", m.Name, p)
					}
					if p == reflect.TypeFor[[]engine.AgentID]() && k < m.Type.NumIn()-1 {
						v = reflect.Zero(p) // what handles are appended to
					}
					given, want = append(given, v), append(want, v.Interface())
				}
				if m.Type.IsVariadic() {
					m.Func.CallSlice(given)
				} else {
					m.Func.Call(given)
				}
				methods, arguments, err := engine.Recorded(e)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(methods, []string{m.Name}) || !reflect.DeepEqual(arguments[0], want) {
					t.Errorf("%s: the journal has the calls %v; begin the method with e.begin and its arguments", m.Name, methods)
				}
				return errors.New("never mind")
			})
			if err == nil {
				t.Errorf("%s at random is taken", m.Name)
			}
		}
	})
}

// small is a scene of two rooms that steps fast, with a door, a motion, explorers, a source of
// agents and every method of avoidance.
const small = `{
  "version": 1, "name": "small", "domain": [0, 0, 12, 8], "simulation": {"seed": 3, "timestep": 0.1},
  "obstacles": [
    {"id": "wall", "rect": [6, 0, 6.2, 5]}, {"id": "door", "rect": [6, 5, 6.2, 8], "open": [[0, 30], [60, 100000]]},
    {"id": "cart", "rect": [8, 1, 8.5, 1.5], "motion": {"path": [[0, 0], [0, 4]], "speed": 1}}],
  "goals": [{"id": "east", "points": [[11, 4]]}, {"id": "west", "points": [[1, 4]]}],
  "profiles": [PROFILES
    {"id": "seeker", "avoidance": "orca", "steering": "bvp", "bvp": {"cells": 11, "relaxations": 3}}],
  "groups": [
    {"profile": "orca", "count": 3, "spawn": {"rect": [1, 1, 5, 7]}, "itinerary": ["east", "west"], "onArrival": "loop"},
    {"profile": "rvo", "count": 6, "spawn": {"rect": [9, 2, 11, 7]}, "start": {"rate": 0.01}, "itinerary": ["west"], "onArrival": "leave"},
    {"profile": "seeker", "count": 2, "spawn": {"rect": [1, 1, 5, 7]}, "itinerary": ["east"], "explores": {"team": "a"}}],
  "map": {"size": 16}
}`

// smallOf is the scene with a profile for each method.
func smallOf(t testing.TB) *scenes.Scene {
	t.Helper()
	var profiles strings.Builder
	for _, method := range scenes.Avoidances() {
		fmt.Fprintf(&profiles, `{"id": %q, "avoidance": %q, "maxNeighbors": 4},`, method, method)
	}
	return open(t, strings.Replace(small, "PROFILES", profiles.String(), 1))
}

// TestLongJournal replays 2,000 ticks with 200 edits at random to the same hash; at length 10,000 with
// 1,000.
func TestLongJournal(t *testing.T) {
	last := atLength(2000, 10_000)
	s := smallOf(t)
	synced := 0
	r := rand.New(rand.NewPCG(10, 20))
	journal, want := live(t, s, engine.Options{HashEvery: 100}, func(w *engine.World) {
		for edits := 0; int(w.Ticks()) < last; {
			for range r.IntN(3) {
				if edits++; edits > last/10 {
					continue
				}
				if fiddle(t, w, r); edits%8 == 0 && resync(t, w, r, s.Domain) {
					synced++
				}
			}
			steps(t, w, min(10, last-int(w.Ticks())))
		}
	})
	gputest.Run(t, func(d *gpu.Device) {
		w, err := engine.Replay(d, bytes.NewReader(journal), engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		if int(w.Ticks()) != last || hashOf(t, w) != want {
			t.Errorf("replayed to tick %d, or to another state", w.Ticks())
		}
		report, err := w.Edit(func(*engine.Edit) error { return nil })
		if err != nil || int(report.Revision) < last*3/100 || synced < last/500 {
			t.Errorf("only %d edits were taken, %d of them documents, and one more gives %v", report.Revision, synced, err)
		}
	})
}

// fiddle changes a small world at random, and keeps it small.
func fiddle(t testing.TB, w *engine.World, r *rand.Rand) {
	t.Helper()
	switch obstacles := w.Obstacles(); {
	case len(w.Agents(nil)) > 14:
		edit(t, w, func(e *engine.Edit) { e.Remove(w.Agents(nil)[:5]...) })
	case r.IntN(4) > 0:
		tinker(t, w, r)
	case len(obstacles) > 6:
		edit(t, w, func(e *engine.Edit) { e.RemoveObstacle(obstacles[2+r.IntN(len(obstacles)-2)]) })
	case r.IntN(2) == 0:
		x, y := 1+9*r.Float64(), 1+6*r.Float64()
		o := scenes.Obstacle{}.Shaped(box(x, y, x+0.4, y+0.4))
		if r.IntN(2) == 0 {
			o.Motion = randomMotion(r)
		}
		edit(t, w, func(e *engine.Edit) { e.AddObstacle(o); e.SetDoor(obstacles[0], engine.Door(r.IntN(3))) })
	case r.IntN(2) == 0:
		id := w.Profiles()[0]
		p, err := w.Profile(id)
		if err != nil {
			t.Fatal(err)
		}
		p.PreferredSpeed.Mean = 1 + r.Float64()/3
		p.MaxNeighbors = 2 + r.IntN(6)
		p.Avoidance = scenes.Avoidance(scenes.Avoidances()[r.IntN(len(scenes.Avoidances()))])
		edit(t, w, func(e *engine.Edit) { e.SetProfile(id, p) })
	default:
		goal := w.Goals()[r.IntN(2)]
		edit(t, w, func(e *engine.Edit) { e.SetSources(goal, at(mgl64.Vec2{1 + 10*r.Float64(), 1 + 6*r.Float64()})) })
	}
}
