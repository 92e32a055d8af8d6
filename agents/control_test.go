package agents

import (
	"fmt"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// letHostMove leaves some agents of a trial to the host: it places some, and some are moved by it.
func (x *trial) letHostMove() {
	for i := range x.after {
		switch {
		case i%23 == 3:
			x.traits[i].Control = ControlHost
		case i%29 == 4:
			x.after[i].Status, x.after[i].Velocity = Placed, [2]float32{0.25, -0.5}
		}
	}
	x.crowd.traits.Write(0, x.traits)
	x.crowd.agents[0].Write(0, x.after)
}

// hosted is a hall with agents that come towards one that a host moves by the engine's velocity, and
// one that a host places.
const hosted = `{"version": 1, "domain": [0, 0, 30, 10],
	"goals": [{"id": "east", "points": [[29, 5]], "arrivalRadius": 1}, {"id": "west", "points": [[1, 5]], "arrivalRadius": 1}],
	"profiles": [{"id": "p", "avoidance": "%s"}],
	"groups": [{"count": 16, "spawn": {"grid": {"rect": [12, 3.5, 16, 6.6], "spacing": 1}}, "itinerary": ["east"]},
		{"spawn": {"points": [[28, 5.1]]}, "itinerary": ["west"]}, {"spawn": {"points": [[26, 3.9]]}, "itinerary": ["west"]}],
	"simulation": {"timestep": 0.1}}`

// The place of an agent that the host moves is what the host says, whoever comes its way; others go
// around it. One with ControlHost has a velocity of the engine's and arrives by it.
func TestHostMovesAgents(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, fmt.Sprintf(hosted, "orca"), 60)
		c := x.crowd
		const walker, cart = 16, 17
		own := c.Traits(walker)
		own.Control = ControlHost
		if err := c.Apply([]Change{
			{Slot: walker, Fields: ChangeTraits, Traits: own},
			{Slot: cart, Fields: ChangeStatus, Agent: Agent{Status: Placed}},
		}); err != nil {
			t.Fatal(err)
		}
		state := make([]Agent, c.Count())
		c.Snapshot(state)
		at := [2]mgl64.Vec2{{28, 5.1}, {26, 3.9}}
		velocity := [2][2]float32{{}, {-1, 0}}
		aside := 0
		for step := 0; state[walker].Status == Walking; step++ {
			if step == 400 {
				t.Fatalf("it does not arrive: %+v", state[walker])
			}
			var changes []Change
			for k := range at {
				at[k] = at[k].Add(mgl64.Vec2{float64(velocity[k][0]), float64(velocity[k][1])}.Mul(0.1))
				at[k][0] = max(at[k][0], 0.5)
				a, ok := NewAgent(x.ground, at[k], c.itineraries[1])
				if !ok {
					t.Fatalf("no place at %v", at[k])
				}
				a.Velocity = velocity[k]
				changes = append(changes, Change{Slot: uint32(walker + k), Fields: ChangePlace, Agent: a})
			}
			stepWith(t, c, changes)
			c.Snapshot(state)
			for k, change := range changes {
				if a := state[change.Slot]; a.Position != change.Agent.Position || a.Pushed != [2]float32{} {
					t.Fatalf("step %d: %+v, not at %v", step, a, change.Agent.Position)
				} else if k == 1 && (a.Velocity != velocity[1] || a.Status != Placed) {
					t.Fatalf("step %d: %+v was placed", step, a)
				}
			}
			velocity[0] = state[walker].Velocity
			for i, a := range state[:walker] {
				if a.Status == Walking && (a.Velocity[1] > 0.1 || a.Velocity[1] < -0.1) {
					aside++
				}
				for _, b := range state[walker:] {
					sum := c.Traits(i).Radius + c.Traits(walker).Radius
					if There(a.Status) && There(b.Status) && length(minus(a.Position, b.Position)) < 0.8*sum {
						t.Fatalf("step %d: agent %d runs into one that the host moves: %+v %+v", step, i, a, b)
					}
				}
			}
		}
		if aside < 50 {
			t.Errorf("others step aside %d times; the scene is no test", aside)
		}
		if n := c.CountersNow(); n.Placed != 1 {
			t.Errorf("counted %+v", n)
		}
	})
}
