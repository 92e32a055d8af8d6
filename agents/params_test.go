package agents

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/reference"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// square is a square with people of two profiles who walk through each other's ways.
const square = `{"version": 1, "domain": [0, 0, 80, 80],
	"goals": [{"id": "g", "points": [[1, 1], [79, 79]]}],
	"profiles": [{"id": "a", "avoidance": %q, "maxNeighbors": 4}, {"id": "b", "avoidance": %q, "radius": 0.3, "maxAcceleration": 8}],
	"groups": [{"id": "a", "profile": "a", "count": 30, "spawn": {"circle": {"center": [40, 40], "radius": 8}}},
		{"id": "b", "profile": "b", "count": 30, "spawn": {"circle": {"center": [40, 40], "radius": 8}}},
		{"id": "c", "profile": "b", "spawn": {"ring": {"center": [40, 40], "radius": 15}}, "count": 20, "goal": "antipode"}],
	"simulation": {"timestep": 0.125, "seed": 4}}`

// situationOf is what an agent knows who is far from walls, as the device tells it.
func (x *trial) situationOf(agents []Agent, there []bool, self int, preferred [2]float32, m AvoidanceParams, step uint32) reference.Situation {
	vector := func(v [2]float32) mgl64.Vec2 { return mgl64.Vec2{float64(v[0]), float64(v[1])} }
	a, t := agents[self], x.traits[self]
	s := reference.Situation{
		ID: uint32(self), Step: step, Velocity: vector(a.Velocity), Preferred: vector(preferred), Left: float64(x.guidance[self].Distance),
		Radius: float64(t.Radius), MaxSpeed: float64(t.MaxSpeed), Timestep: float64(x.reference.Timestep),
		Params: reference.Params{
			MaxAcceleration: float64(m.MaxAcceleration), TimeHorizon: float64(m.TimeHorizon), Samples: int(m.Samples),
			Aggression: float64(m.Aggression), LoadFactor: float64(m.LoadFactor), Variant: int(m.Variant),
		},
	}
	for _, id := range x.reference.Neighbors(agents, there, self, m) {
		other := agents[id]
		s.Neighbors = append(s.Neighbors, reference.Neighbor{
			ID: id, Position: vector(minus(other.Position, a.Position)), Velocity: vector(other.Velocity), Radius: float64(x.traits[id].Radius),
			Wish: vector(x.guidance[id].Wish), Left: float64(x.guidance[id].Distance),
			Shares: other.Status == Walking && x.crowd.AvoidanceParams(int(x.traits[id].Profile)).Method != NoMethod,
		})
	}
	return s
}

// People change how they avoid others while they walk, and each has the velocity that his method of
// the moment gives him, to the bit: in one crowd several methods, and none, at once.
func TestSetManner(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		stages := make([]*stage, len(methods))
		for i := range methods[1:] {
			of := kernelVariant{Method(i + 1), false}
			h := &resources{device: d}
			stages[i+1] = &stage{device: d, variant: of, kernel: newKernel(h, of, 12), seed: 4}
			if h.err != nil {
				t.Fatal(h.err)
			}
			defer h.delete()
		}
		x := try(t, d, fmt.Sprintf(square, scenes.AvoidanceNone, scenes.AvoidanceNone), 16)
		if c := x.crowd; c.avoidance.avoids() || c.avoidance.cells.bodies != nil {
			t.Error("nobody avoids others, and there are lists")
		}
		turned := make([]int, len(methods))
		for step := range uint32(90) {
			if step%10 == 5 {
				// One profile, then the other, to the next method, at times with longer lists.
				profile := int(step / 10 % 2)
				m := x.crowd.AvoidanceParams(profile)
				m.Method = (m.Method + 1) % Method(len(methods))
				m.MaxNeighbors = 3 + step/10
				if err := x.crowd.SetAvoidanceParams(profile, m); err != nil {
					t.Fatal(err)
				}
				if x.crowd.AvoidanceParams(profile) != m {
					t.Fatalf("the parameters are %+v, was set to %+v", x.crowd.AvoidanceParams(profile), m)
				}
			}
			x.step()
			there := make([]bool, len(x.before))
			for i, g := range x.guidance {
				there[i] = g.Status == Walking || g.Status == Arrived
			}
			situations := make([][]reference.Situation, len(methods))
			for i, g := range x.guidance {
				m := x.crowd.AvoidanceParams(int(x.traits[i].Profile))
				switch walks := g.Status == Walking; {
				case walks && m.Method != NoMethod:
					situations[m.Method] = append(situations[m.Method], x.situationOf(x.before, there, i, g.Preferred, m, step))
				case g.Velocity != g.Preferred:
					t.Fatalf("step %d: agent %d avoids nobody, prefers %v and has %v", step, i, g.Preferred, g.Velocity)
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

// What no scene could say panics, and an unknown profile too.
func TestMannersAreChecked(t *testing.T) {
	good := AvoidanceParamsOf(scenes.Profile{NeighborDistance: 5, TimeHorizon: 4, MaxAcceleration: 5})
	good.check()
	for _, spoil := range []func(m *AvoidanceParams){
		func(m *AvoidanceParams) { m.NeighborDistance = 0 }, func(m *AvoidanceParams) { m.TimeHorizon = -1 }, func(m *AvoidanceParams) { m.MaxAcceleration = 0 },
		func(m *AvoidanceParams) { m.Method = Method(len(methods)) }, func(m *AvoidanceParams) { m.Aggression = -1 }, func(m *AvoidanceParams) { m.LoadFactor = 2 },
	} {
		m := good
		spoil(&m)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v is taken", m)
				}
			}()
			m.check()
		}()
	}
}

// A scene's words for methods are those of the list, each once.
func TestMethodNames(t *testing.T) {
	var names []scenes.Avoidance
	for i, m := range methods {
		if got, ok := MethodOf(m.name); !ok || got != Method(i) {
			t.Errorf("method %d is called %q, which is method %d", i, m.name, got)
		}
		names = append(names, m.name)
	}
	if methods[NoMethod].name != scenes.AvoidanceNone || len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(methods) {
		t.Errorf("methods are called %q", names)
	}
	if m, ok := MethodOf("by magic"); ok || m != NoMethod {
		t.Errorf("method %d is by magic", m)
	}
}

// Lists that grow replace the shorter ones, which are freed at once.
func TestListsAreReplaced(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, `{"version": 1, "domain": [0, 0, 20, 20], "goals": [{"id": "g", "points": [[19, 19]]}], "profiles": [{"id": "p", "avoidance": "orca"}],
			"groups": [{"count": 30, "spawn": {"rect": [1, 1, 19, 19]}}]}`, 16)
		a := &x.crowd.avoidance
		held, short := len(a.held.held), a.near.neighbors
		m := x.crowd.AvoidanceParams(0)
		m.MaxNeighbors = 25
		if err := x.crowd.SetAvoidanceParams(0, m); err != nil {
			t.Fatal(err)
		}
		if a.near.neighbors == short || a.near.room != 25 || len(a.held.held) != held {
			t.Errorf("%d objects are held, %d before; lists have room for %d", len(a.held.held), held, a.near.room)
		}
		if short.Name() != 0 {
			t.Error("the shorter lists are still there")
		}
		x.step()
	})
}
