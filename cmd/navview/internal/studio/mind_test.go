package studio

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
)

// TestWhy: each cause has a sentence of its own, which names what binds, on which side.
func TestWhy(t *testing.T) {
	line := func(index int, kind agents.ConstraintKind) agents.Constraint { // cuts all that goes on in x
		return agents.Constraint{Kind: kind, Index: index, Point: [2]float32{0.5, 0}, Direction: [2]float32{0, 1}}
	}
	mind := func(because engine.Cause) *Mind {
		r := agents.Reasons{
			Radius: 0.25, Desired: [2]float32{1, 0}, Chosen: [2]float32{0.5, 0},
			Neighbors: []agents.NearAgent{
				{Offset: [2]float32{1, 0}, Radius: 0.25}, {Offset: [2]float32{0, 2}, Radius: 0.25}, {Offset: [2]float32{0.1, 1}, Radius: 0.25}, {Offset: [2]float32{0, -1}, Radius: 0.25},
			},
			Walls: []agents.NearWall{{A: [2]float32{2, -5}, B: [2]float32{2, 5}}, {A: [2]float32{-3, -1}, B: [2]float32{3, -1}}},
		}
		r.Constraints = []agents.Constraint{line(1, agents.LineOfNeighbor), line(2, agents.LineOfNeighbor), line(0, agents.LineOfWall)}
		m := &Mind{
			Mind: engine.Mind{Because: because, Neighbors: []engine.AgentID{11, 12, 13, 14}, Reasons: r}, Radius: 0.25, GoalName: "exits",
			Preferred: mgl64.Vec2{1, 0}, Chosen: mgl64.Vec2{0.5, 0}, Velocity: mgl64.Vec2{0.5, 0},
			Route: []mgl64.Vec2{{0, 0}, {4.1, 0}, {8, 0}}, Remaining: 8,
		}
		m.limit(mgl64.Vec2{})
		return m
	}
	const rest = "; next corner 4.1 m, exits 8.0 m"
	for because, want := range map[engine.Cause]string{
		engine.Gone:           "gone: it has left",
		engine.NotEntered:     "not there yet: it enters when it is due",
		engine.EntryOccupied:  "not there yet: others stand where it enters",
		engine.AtGoal:         "stands: it has arrived at exits",
		engine.MovedByHost:    "moved by the host, not by itself",
		engine.IsPaused:       "stands: it is paused, or prefers no speed",
		engine.WithoutRoute:   "stands: no path leads from here to exits",
		engine.LeavesWall:     "on its way out: it is nearer to a wall than the paths to exits lead",
		engine.Explores:       "explores: its team has not seen a path to exits",
		engine.IsServed:       "in service: exits serves it, or others before it",
		engine.BlockedByAgent: "blocked: a wall ahead and 2 agents from the left" + rest,
		engine.BlockedByWall:  "blocked: a wall ahead and 2 agents from the left" + rest,
		engine.EvadesAgents:   "slower: a wall ahead and 2 agents from the left" + rest,
		engine.EvadesWalls:    "slower: a wall ahead and 2 agents from the left" + rest,
		engine.FollowsMap:     "slower: its local map leads it" + rest,
		engine.WalksFreely:    "as it prefers: nothing is in its way" + rest,
	} {
		if got := mind(because).why(); got != want {
			t.Errorf("%v: %q, want %q", because, got, want)
		}
	}
	m := mind(engine.EvadesAgents)
	if d := m.Near[0].Distance; d != 0.5 || m.Near[0].Side != "ahead" || m.Near[0].Binds || !m.Near[1].Binds || m.Near[3].Side != "right" {
		t.Errorf("near %+v", m.Near)
	}
	if wall := m.Near[4]; wall.Distance != 1.75 || wall.At != (mgl64.Vec2{2, 0}) || !wall.Binds || m.Limits[2].Near != 4 {
		t.Errorf("wall %+v, limit %+v", wall, m.Limits[2])
	}
	m.Velocity, m.Route = mgl64.Vec2{0.8, 0.8}, m.Route[:2]
	m.Limits, m.Near = nil, nil
	if got := m.why(); got != "faster and to the left: its preferred velocity meets an agent; exits 8.0 m straight ahead" {
		t.Errorf("%q", got)
	}
}

// TestMind: the mind of the chosen agent agrees with its states, and is the same after a seek.
func TestMind(t *testing.T) {
	with(t, room, func(s *Studio) {
		if m, err := s.Mind(); m != nil || err != nil {
			t.Errorf("none is chosen: %v, %v", m, err)
		}
		if err := s.ChooseAgent(3); err != nil {
			t.Fatal(err)
		}
		minds, places := map[int]*Mind{}, map[uint64]mgl64.Vec2{}
		for tick := 1; tick <= 80; tick++ {
			s.ticks(t, 1, nil)
			m, err := s.Mind()
			if err != nil || (m == nil) != (tick <= 3) {
				t.Fatalf("tick %d: %v, %v", tick, m, err)
			}
			var now engine.Snapshot
			if err := s.World().Snapshot(&now); err != nil {
				t.Fatal(err)
			}
			places[s.World().Ticks()] = now.Positions[3]
			if minds[tick] = m; m == nil {
				continue
			}
			if was := places[m.Tick]; m.At.Sub(was).Len() > 1e-6 || m.Why == "" {
				t.Fatalf("tick %d: it was at %v, not at %v: %q", tick, was, m.At, m.Why)
			}
			length := 0.0
			for i := range m.Route[1:] {
				length += m.Route[i+1].Sub(m.Route[i]).Len()
			}
			if math.Abs(length-m.Remaining) > 1e-6 || m.Route[len(m.Route)-1] != (mgl64.Vec2{19, 5}) || m.GoalName != "exit" {
				t.Fatalf("tick %d: %v m left of a route of %v m to %v of %q", tick, m.Remaining, length, m.Route[len(m.Route)-1], m.GoalName)
			}
		}
		for _, tick := range []int{40, 79, 25} {
			s.seekTo(t, tick)
			m, err := s.Mind()
			if err != nil || !same(m, minds[tick]) {
				t.Errorf("after a seek to tick %d\n%+v\nwant\n%+v, %v", tick, m, minds[tick], err)
			}
		}
		if !strings.Contains(minds[79].Why, "exit") {
			t.Errorf("%q", minds[79].Why)
		}
	})
}

// TestMindWhilePaused: an agent that is chosen while the run is paused has the mind that it would have
// had, and the world is as it was, in the present and in the past, with another document as well. Of
// what the author has changed since the last tick nothing is gone over.
func TestMindWhilePaused(t *testing.T) {
	with(t, room, func(s *Studio) {
		minds := map[int]*Mind{}
		ok(t, s.ChooseAgent(3))
		hashes := []uint64{s.hash(t)}
		for tick := 1; tick <= 50; tick++ {
			hashes = s.ticks(t, 1, hashes)
			if tick == 25 || tick == 50 {
				var err error
				minds[tick], err = s.Mind()
				ok(t, err)
			}
		}
		ok(t, s.ChooseAgent(-1))
		chosen := func(tick int) (m *Mind) {
			t.Helper()
			ok(t, s.ChooseAgent(3))
			for range 100 {
				var err error
				m, err = s.Mind()
				ok(t, err)
				if !s.Time.Seeking() {
					break
				}
				ok(t, s.Advance(s.now.Add(time.Second/60)))
			}
			if got := s.World().Ticks(); got != uint64(tick) {
				t.Fatalf("at tick %d, want %d", got, tick)
			}
			ok(t, s.ChooseAgent(-1))
			return m
		}
		if m := chosen(50); !same(m, minds[50]) || s.hash(t) != hashes[50] {
			t.Errorf("%+v, want %+v", m, minds[50])
		}
		s.seekTo(t, 25)
		if m := chosen(25); !same(m, minds[25]) || s.hash(t) != hashes[25] || s.Time.End() != s.Time.seconds(50) {
			t.Errorf("%+v, want %+v", m, minds[25])
		}
		s.wallAt(t, 10)
		changed := s.hash(t)
		if m := chosen(25); m != nil || s.hash(t) != changed {
			t.Errorf("amid an edit: %+v", m)
		}
		s.ticks(t, 5, nil)
		if m := chosen(30); m == nil {
			t.Error("no mind after the edit's ticks")
		}
		s.seekTo(t, 20)
		before := s.hash(t)
		if m := chosen(20); m == nil || s.hash(t) != before || s.World().Document().Obstacles[0].Rect[0] != 10 {
			t.Errorf("in the past of another document: %v", m)
		}
	})
}

// same compares minds by all that they say: some of it is no number.
func same(a, b *Mind) bool {
	return a != nil && b != nil && (reflect.DeepEqual(a, b) || fmt.Sprintf("%+v", *a) == fmt.Sprintf("%+v", *b))
}
