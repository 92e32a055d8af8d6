package agents

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/reference"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// square is a square with agents of two profiles whose paths cross.
const square = `{"version": 1, "domain": [0, 0, 80, 80],
	"goals": [{"id": "g", "points": [[1, 1], [79, 79]]}],
	"profiles": [{"id": "a", "avoidance": %q, "maxNeighbors": 4}, {"id": "b", "avoidance": %q, "radius": 0.3, "maxAcceleration": 8}],
	"groups": [{"id": "a", "profile": "a", "count": 30, "spawn": {"circle": {"center": [40, 40], "radius": 8}}},
		{"id": "b", "profile": "b", "count": 30, "spawn": {"circle": {"center": [40, 40], "radius": 8}}},
		{"id": "c", "profile": "b", "spawn": {"ring": {"center": [40, 40], "radius": 15}}, "count": 20, "goal": "antipode"}],
	"simulation": {"timestep": 0.125, "seed": 4}}`

// situationOf is what an agent far from walls knows, as the device gives it.
func (x *trial) situationOf(agents []Agent, there []bool, self int, preferred [2]float32, m AvoidanceParams, step uint32) reference.Situation {
	vector := func(v [2]float32) mgl64.Vec2 { return mgl64.Vec2{float64(v[0]), float64(v[1])} }
	a, t := agents[self], x.traits[self]
	s := reference.Situation{
		ID: uint32(self), Step: step, Velocity: vector(a.Velocity), Preferred: vector(preferred), Left: float64(x.guidance[self].Distance),
		Radius: float64(t.Radius), MaxSpeed: float64(t.MaxSpeed), Timestep: float64(x.reference.Timestep),
		Params: paramsFrom(m),
	}
	for _, id := range x.reference.Neighbors(agents, there, self, m) {
		other := agents[id]
		s.Neighbors = append(s.Neighbors, reference.Neighbor{
			ID: id, Position: vector(minus(other.Position, a.Position)), Velocity: vector(other.Velocity), Radius: float64(x.traits[id].Radius),
			Wish: vector(x.guidance[id].Wish), Left: float64(x.guidance[id].Distance),
			Shares: other.Status == Walking && x.crowd.params[x.traits[id].Profile].Method != NoMethod,
		})
	}
	return s
}

// Agents change how they avoid others while they walk, and each has the velocity that its method
// of the moment gives it, to the bit: in one crowd several methods, and none, at once.
func TestSetProfile(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		stages := make([]*stage, len(methods))
		for i := range methods[1:] {
			of := kernelVariant{method: Method(i + 1)}
			h := &gpu.ResourceSet{Device: d}
			stages[i+1] = &stage{device: d, variant: of, kernel: newKernel(h, of, 12), seed: 4}
			if h.Err != nil {
				t.Fatal(h.Err)
			}
			defer h.Delete()
		}
		x := try(t, d, fmt.Sprintf(square, scenes.AvoidanceNone, scenes.AvoidanceNone), 16)
		if c := x.crowd; c.avoids() || c.cells.bodies != nil {
			t.Error("no agent avoids others, and there are lists")
		}
		turned := make([]int, len(methods))
		for step := range uint32(90) {
			if step%10 == 5 {
				// One profile, then the other, to the next method, at times with longer lists.
				profile := int(step / 10 % 2)
				p := x.crowd.profiles[profile]
				p.Avoidance = methods[(int(methodOf(t, p.Avoidance))+1)%len(methods)].name
				p.MaxNeighbors = 3 + int(step)/10
				if err := x.crowd.SetProfile(profile, p); err != nil {
					t.Fatal(err)
				}
				if got := x.crowd.profiles[profile]; !reflect.DeepEqual(got, p) {
					t.Fatalf("the profile is %+v, was set to %+v", got, p)
				}
			}
			x.step()
			there := make([]bool, len(x.before))
			for i, g := range x.guidance {
				there[i] = g.Status == Walking || g.Status == Arrived
			}
			situations := make([][]reference.Situation, len(methods))
			for i, g := range x.guidance {
				m := x.crowd.params[x.traits[i].Profile]
				switch walks := g.Status == Walking; {
				case walks && m.Method != NoMethod:
					situations[m.Method] = append(situations[m.Method], x.situationOf(x.before, there, i, g.Preferred, m, step))
				case g.Velocity != g.Preferred:
					t.Fatalf("step %d: agent %d avoids none, prefers %v and has %v", step, i, g.Preferred, g.Velocity)
				}
			}
			for m := range methods {
				if len(situations[m]) == 0 {
					continue
				}
				for k, v := range stages[m].decide(t)(situations[m]) {
					s := situations[m][k]
					if got := x.guidance[s.ID].Velocity; v != (mgl64.Vec2{float64(got[0]), float64(got[1])}) {
						t.Fatalf("step %d, agent %d by %s: %v in the crowd, %v alone, of %+v", step, s.ID, methods[m].name, got, v, s)
					}
					if v != s.Preferred {
						turned[m]++
					}
				}
			}
		}
		for m, n := range turned[1:] {
			if n < 100 {
				t.Errorf("%s has changed only %d velocities", methods[m+1].name, n)
			}
		}
	})
}

// TestAvoidanceIsChecked: values that no scene can have panic, and so does an unknown profile.
func TestAvoidanceIsChecked(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, fmt.Sprintf(square, scenes.AvoidanceNone, scenes.AvoidanceORCA), 16)
		good := x.crowd.profiles[1]
		for name, spoil := range map[string]func(p *scenes.Profile){
			"distance": func(p *scenes.Profile) { p.NeighborDistance = 0 }, "horizon": func(p *scenes.Profile) { p.TimeHorizon = -1 },
			"acceleration": func(p *scenes.Profile) { p.MaxAcceleration = 0 }, "method": func(p *scenes.Profile) { p.Avoidance = "magic" },
			"aggression": func(p *scenes.Profile) { p.RVO.Aggression = -1 }, "load factor": func(p *scenes.Profile) { p.RVO.LoadFactor = 2 },
		} {
			p := good
			spoil(&p)
			mustPanic(t, name, func() { _ = x.crowd.SetProfile(1, p) })
		}
		mustPanic(t, "profile", func() { _ = x.crowd.SetProfile(2, good) })
		if !reflect.DeepEqual(x.crowd.profiles[1], good) {
			t.Error("what panics changes the profile")
		}
	})
}

func mustPanic(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", name)
		}
	}()
	f()
}

// TestMethods: the methods are those of the registry, and the record of a profile has the
// parameters of its method.
func TestMethods(t *testing.T) {
	var names []string
	for _, m := range methods {
		names = append(names, string(m.name))
		if count := len(scenes.AvoidanceMethods{}.Of(m.name)); count > scenes.MaxParameters {
			t.Errorf("%s has %d parameters, a record %d", m.name, count, scenes.MaxParameters)
		}
	}
	if !slices.Equal(names, scenes.Avoidances()) {
		t.Errorf("the methods are %q, those of scenes %q", names, scenes.Avoidances())
	}
	p := scenes.DefaultProfile()
	p.RVO = scenes.RVO{Samples: 7, Aggression: 1.5, LoadFactor: 0.25}
	for name, own := range map[scenes.Avoidance][3]float32{
		scenes.AvoidanceNone: {}, scenes.AvoidanceRVO: {7, 1.5, 0.25}, scenes.AvoidanceClearPath: {2}, scenes.AvoidanceORCA: {},
	} {
		p.Avoidance = name
		want := AvoidanceParams{
			Method: methodOf(t, name), NeighborDistance: 5, MaxNeighbors: 10, TimeHorizon: 4, MaxAcceleration: 5,
			Own0: own[0], Own1: own[1], Own2: own[2],
		}
		if got := paramsOf(p); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	want := map[string]any{"SAMPLES": "own0", "AGGRESSION": "own1", "LOAD_FACTOR": "own2"}
	if got := paramMacros(scenes.AvoidanceRVO); !maps.Equal(got, want) {
		t.Errorf("the parameters of rvo are %v, want %v", got, want)
	}
}

// Lists that grow replace the shorter ones, which are freed at once.
func TestListsAreReplaced(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, `{"version": 1, "domain": [0, 0, 20, 20], "goals": [{"id": "g", "points": [[19, 19]]}], "profiles": [{"id": "p", "avoidance": "orca"}],
			"groups": [{"count": 30, "spawn": {"rect": [1, 1, 19, 19]}}]}`, 16)
		c := x.crowd
		held, short := len(c.held.Held), c.lists.neighbors
		p := c.profiles[0]
		p.MaxNeighbors = 25
		if err := c.SetProfile(0, p); err != nil {
			t.Fatal(err)
		}
		if c.lists.neighbors == short || c.lists.capacity != 25 || len(c.held.Held) != held {
			t.Errorf("%d objects are held, %d before; lists can hold %d", len(c.held.Held), held, c.lists.capacity)
		}
		if short.Name() != 0 {
			t.Error("the shorter lists are still there")
		}
		x.step()
	})
}
