package engine_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// TestRename gives goals, profiles, obstacles and areas other ids, two of them each other's: handles
// and agents stay as they are, groups of the document name what they named, and ids that two things
// would have are refused.
func TestRename(t *testing.T) {
	run(t, open(t, varied), func(_ *gpu.Device, w *engine.World) {
		steps(t, w, 3)
		var area engine.AreaID
		edit(t, w, func(e *engine.Edit) {
			area = e.AddArea(engine.Area{ID: "hall", Corners: []mgl64.Vec2{{1, 1}, {5, 1}, {5, 5}}})
		})
		was, hash := w.Document(), hashOf(t, w)
		goals, profiles, obstacles := w.Goals(), w.Profiles(), w.Obstacles()
		rename := func(goal, other, profile, obstacle, hall string) error {
			_, err := w.Edit(func(e *engine.Edit) error {
				first, second := was.Goals[0], was.Goals[1]
				first.ID = "on its way"
				e.SetGoal(goals[0], first)
				second.ID = other
				e.SetGoal(goals[1], second)
				first.ID = goal
				e.SetGoal(goals[0], first)
				p := engine.Profile{Profile: was.Profiles[0]}
				p.ID = profile
				e.SetProfile(profiles[0], p)
				o := was.Obstacles[0]
				o.ID = obstacle
				e.SetObstacle(obstacles[0], o)
				e.SetArea(area, engine.Area{ID: hall, Corners: []mgl64.Vec2{{1, 1}, {5, 1}, {5, 5}}})
				return nil
			})
			return err
		}
		if err := rename("west", "east", "grown", "first", "room"); err != nil {
			t.Fatal(err)
		}
		want := was.Clone()
		want.Goals[0].ID, want.Goals[1].ID, want.Profiles[0].ID, want.Obstacles[0].ID = "west", "east", "grown", "first"
		for i := range want.Groups {
			g := &want.Groups[i]
			if g.Profile == "adult" {
				g.Profile = "grown"
			}
			for k, id := range g.Itinerary {
				g.Itinerary[k] = map[string]string{"east": "west", "west": "east"}[id]
			}
		}
		if got := w.Document(); !reflect.DeepEqual(got, want) {
			t.Errorf("the document is\n%+v\nwant\n%+v", got, want)
		}
		if g, ok := w.Goal("west"); !ok || g != goals[0] || !slices.Equal(w.Goals(), goals) || !slices.Equal(w.Profiles(), profiles) || !slices.Equal(w.Obstacles(), obstacles) {
			t.Error("handles have changed")
		}
		if a, err := w.Area(area); err != nil || a.ID != "room" {
			t.Errorf("the area is %+v, %v", a, err)
		}
		if hashOf(t, w) != hash {
			t.Error("names change the state")
		}
		before := w.Document()
		for _, names := range [][5]string{{"west", "west", "grown", "first", "room"}, {"west", "spare", "grown", "first", "room"}, {"west", "east", "child", "first", "room"}, {"west", "east", "grown", "b", "room"}} {
			var faults engine.EditErrors
			if err := rename(names[0], names[1], names[2], names[3], names[4]); !errors.As(err, &faults) || faults[0].Path != "ID" {
				t.Errorf("the names %v give %v", names, err)
			}
		}
		if !reflect.DeepEqual(w.Document(), before) {
			t.Error("what was refused changed the document")
		}
		steps(t, w, 3)
	})
}

// TestHas asks about handles of all kinds: before their edit is over, after it, once they are gone,
// of another world, and of one that was closed.
func TestHas(t *testing.T) {
	s := open(t, varied)
	gputest.Run(t, func(d *gpu.Device) {
		w, err := engine.New(d, s, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		other, err := engine.New(d, s, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		var agent engine.AgentID
		var goal engine.GoalID
		var obstacle engine.ObstacleID
		var profile engine.ProfileID
		var area engine.AreaID
		is := func(w *engine.World, want bool) {
			t.Helper()
			for kind, has := range map[string]bool{
				"agent": engine.Has(w, agent), "goal": engine.Has(w, goal), "obstacle": engine.Has(w, obstacle), "profile": engine.Has(w, profile), "area": engine.Has(w, area),
			} {
				if has != want {
					t.Errorf("there is the %s: %v", kind, has)
				}
			}
		}
		is(w, false) // zeros
		edit(t, w, func(e *engine.Edit) {
			goal, profile = e.AddGoal(scenes.Goal{Points: []mgl64.Vec2{{30, 30}}}), e.AddProfile(engine.Profile{Profile: scenes.DefaultProfile()})
			obstacle = e.AddObstacle(scenes.Obstacle{}.Shaped(box(1, 1, 2, 2)))
			area = e.AddArea(engine.Area{Corners: []mgl64.Vec2{{1, 1}, {5, 1}, {5, 5}}})
			agent = e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{30, 35}, Goal: w.Goals()[0], Profile: w.Profiles()[0]})[0]
			is(w, false)
		})
		is(w, true)
		is(other, false)
		steps(t, w, 1)
		edit(t, w, func(e *engine.Edit) {
			e.Remove(agent)
			e.RemoveGoal(goal)
			e.RemoveProfile(profile)
			e.RemoveObstacle(obstacle)
			e.RemoveArea(area)
			is(w, true)
		})
		is(w, false)
		one := w.Agents(nil)[0]
		if err := w.Close(); err != nil || engine.Has(w, one) {
			t.Errorf("a world that was closed has an agent, or %v", err)
		}
	})
}

// TestRefusedSettings has a device without memory refuse a document with another seed and other
// rounds of contacts, after the crowd has taken these: the world goes on as one that was never
// synced.
func TestRefusedSettings(t *testing.T) {
	s := open(t, strings.ReplaceAll(doors, "METHOD", "rvo"))
	s.Groups[0].Spawn, s.Groups[0].Count = scenes.Spawn{Grid: &scenes.Grid{Rect: scenes.Rect{3, 2, 9, 12}, Spacing: 0.7}}, 90
	s.Profiles[0].TimeHorizon = 0.1
	gputest.Run(t, func(d *gpu.Device) {
		fresh, err := engine.New(d, s, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		steps(t, fresh, 20)
		want := course(t, fresh, 20)
		if err := fresh.Close(); err != nil {
			t.Fatal(err)
		}
		w, err := engine.New(d, s, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		steps(t, w, 20)
		to := w.Document()
		to.Simulation.Seed, to.Simulation.ContactRounds = 99, 0
		engine.LimitMemory(w, true)
		var full *gpu.MemoryError
		_, err = w.Edit(func(e *engine.Edit) error {
			e.Sync(to)
			e.AddArea(engine.Area{Corners: []mgl64.Vec2{{1, 1}, {5, 1}, {5, 5}}}) // whose events need memory
			return nil
		})
		if !errors.As(err, &full) {
			t.Fatalf("an edit that needs more memory gives %v", err)
		}
		engine.LimitMemory(w, false)
		if got := w.Document(); got.Simulation != s.Simulation {
			t.Errorf("the document has %+v", got.Simulation)
		}
		if i := firstDifference(course(t, w, 20), want); i >= 0 {
			t.Errorf("after the edit that was refused the state %d ticks on differs", i+1)
		}
	})
}
