package agents

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// stepWith runs a step that begins with changes.
func stepWith(t testing.TB, c *Crowd, changes []Change, check ...func()) {
	t.Helper()
	c.device.MustDo(func() {
		c.Begin()
		if err := c.Apply(changes); err != nil {
			t.Fatal(err)
		}
		for _, f := range check {
			f()
		}
		for _, stage := range []func(){
			c.Displace, c.Enter, c.Escape, c.Guide, c.Sort, c.FindNeighbors, c.FindWalls,
			c.Avoid, c.Integrate, c.Separate, c.CountStatuses, c.CompareStates, c.MeasureContacts, c.End,
		} {
			stage()
		}
	})
}

// changer makes random changes of a crowd: of agents that are there, of free slots and of new ones.
type changer struct {
	*numbers
	ground *geom.Ground
	firsts []int // of itineraries
}

func (x *changer) place() mgl64.Vec2 {
	l := x.ground.Lattice
	return l.World(geom.Point{X: int32(x.below(int(l.Size.X))), Y: int32(x.below(int(l.Size.Y)))})
}

// agent is an agent at a random free place, on an itinerary of the crowd.
func (x *changer) agent(c *Crowd, first int, own Traits) (Agent, Traits) {
	own.Stages, own.FirstStage = 1, uint32(first)
	for {
		if a, ok := NewAgent(x.ground, x.place(), c.itineraries[first]); ok {
			return a, own
		}
	}
}

// changes makes a batch of changes, of some slots up to the one after the last.
func (x *changer) changes(c *Crowd, slots int) (all []Change) {
	count := c.Count()
	for slot := range slots {
		first := x.firsts[x.below(len(x.firsts))]
		var change Change
		var own Traits
		used := slot < count && c.Traits(slot).Stages > 0
		if used {
			own = c.Traits(slot)
		} else {
			own = Traits{Radius: 0.1 + float32(x.below(3))/10, PreferredSpeed: 1, MaxSpeed: 1 + float32(x.below(3))/2, Steering: SPM, Profile: uint32(x.below(len(c.params)))}
		}
		lot := x.below(40)
		if !used {
			lot = x.below(2)
		}
		change.Slot = uint32(slot)
		change.Agent, change.Traits = x.agent(c, first, own)
		switch lot {
		case 0:
			change.Fields = ChangeNew
			change.Traits.Entry = c.clock + uint32(x.below(3))
		case 2:
			change.Fields = ChangeNew
			change.Agent.Status = Walking
		case 3:
			change.Fields = ChangePlace
			change.Agent.Velocity = [2]float32{0.25, -0.5}
		case 4:
			change.Fields = ChangeTraits | ChangeGoal
			change.Traits.MaxSpeed += 0.125
		case 5:
			change.Fields = ChangeStatus
			change.Agent.Status = Left
		case 6:
			change.Fields = ChangePlace | ChangeGoal | ChangeTraits | ChangeStatus
			change.Agent.Status = Arrived
		default:
			continue
		}
		all = append(all, change)
	}
	return all
}

// Changes of all kinds, of agents in all statuses, do on the device what the plain form does, and
// the crowd goes on from there; slots are reserved when they are needed.
func TestChangesAgreeWithReference(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, maze, 100)
		c := x.crowd
		makes := &changer{&numbers{seed: 7}, x.ground, []int{0, 1, 2}}
		missed, seen, largest := 0, 0, c.contacts.largest
		for step := range 120 {
			slots := c.Count() + step%7
			if err := c.Reserve(slots); err != nil {
				t.Fatal(err)
			}
			before, traits := make([]Agent, slots), make([]Traits, slots)
			c.agents[0].Read(0, before)
			c.traits.Read(0, traits)
			changes := makes.changes(c, slots)
			stepWith(t, c, changes, func() {
				for _, change := range changes {
					var noticed bool
					i := change.Slot
					before[i], traits[i], noticed = x.reference.Change(before[i], traits[i], change)
					if seen++; !noticed {
						missed++
					}
					largest = max(largest, traits[i].Radius)
				}
				after, got := make([]Agent, slots), make([]Traits, slots)
				c.agents[0].Read(0, after)
				c.traits.Read(0, got)
				for i := range slots {
					if after[i] != before[i] || got[i] != traits[i] {
						t.Fatalf("step %d, slot %d:\n got %+v %+v\nwant %+v %+v", step, i, after[i], got[i], before[i], traits[i])
					}
					if i < c.Count() && c.Traits(i) != traits[i] {
						t.Fatalf("step %d, slot %d: the crowd knows %+v, not %+v", step, i, c.Traits(i), traits[i])
					}
				}
			})
			x.traits = traits[:c.Count()]
			x.after = make([]Agent, c.Count())
			c.Snapshot(x.after)
			for i, a := range x.after {
				if !finite(a.Position) || !x.ground.Free(x.reference.onLattice(a.Position)) && x.traits[i].Stages > 0 {
					t.Fatalf("step %d: agent %d is at %v", step, i, a.Position)
				}
			}
		}
		if seen < 1000 || missed < 50 || c.Count() < 250 || c.contacts.largest != largest {
			t.Errorf("%d changes, %d of agents that had left, %d slots; the largest has %v m, want %v", seen, missed, c.Count(), c.contacts.largest, largest)
		}
	})
}

// joined has agents that avoid others, and enter one after another.
const joined = `{"version": 1, "domain": [0, 0, 30, 20], "obstacles": [{"rect": [14, 0, 15, 9]}, {"rect": [14, 11, 15, 20]}],
	"goals": [{"id": "east", "points": [[29, 10]]}, {"id": "west", "points": [[1, 10]]}],
	"profiles": [{"id": "p", "avoidance": "orca"}, {"id": "q", "avoidance": "none", "radius": 0.3}],
	"groups": [{"profile": "p", "count": 9, "spawn": {"rect": [1, 1, 8, 19]}, "itinerary": ["east"]},
		{"profile": "q", "count": 3, "spawn": {"rect": [20, 1, 29, 19]}, "itinerary": ["west", "east"], "start": {"at": 1}}],
	"simulation": {"timestep": 0.1}}`

// A crowd that grows on the way goes the same ways, bit for bit, as one that had the slots from the
// start, whatever is added: agents, itineraries, profiles, larger and faster ones.
func TestGrowthChangesNothing(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		grows, had := try(t, d, joined, 60), try(t, d, joined, 60)
		if err := had.crowd.Reserve(1500); err != nil {
			t.Fatal(err)
		}
		makes := [2]*changer{}
		for i, x := range []*trial{grows, had} {
			makes[i] = &changer{&numbers{seed: 3}, x.ground, []int{0, 1, 2}}
			if err := x.crowd.Measure(true); err != nil {
				t.Fatal(err)
			}
		}
		reserved := 0
		for step := range 90 {
			var states [2][]Agent
			for i, x := range []*trial{grows, had} {
				c := x.crowd
				slots := min(c.Count()+step/3, 500)
				before := c.capacity
				if err := c.Reserve(slots); err != nil {
					t.Fatal(err)
				}
				if i == 0 && c.capacity != before {
					reserved++
				}
				if step == 40 {
					profile := scenes.DefaultProfile()
					profile.Avoidance, profile.MaxNeighbors = scenes.AvoidanceRVO, 20
					if added, err := c.AddProfile(profile); err != nil || added != 2 {
						t.Fatal(added, err)
					}
				}
				if step%20 == 10 {
					want := len(c.itineraries)
					first, err := c.AddItinerary(Stage{Layer: 1, ArrivalRadius: 1}, Stage{Layer: 0, ArrivalRadius: 0.5})
					if err != nil || first != want {
						t.Fatal(first, err)
					}
					makes[i].firsts = append(makes[i].firsts, first)
				}
				stepWith(t, c, makes[i].changes(c, slots))
				states[i] = make([]Agent, c.Count())
				c.Snapshot(states[i])
			}
			if !slices.Equal(states[0], states[1]) {
				t.Fatalf("step %d: the crowd that grew is another one", step)
			}
			if a, b := grows.crowd.CountersNow(), had.crowd.CountersNow(); a != b {
				t.Fatalf("step %d: it counts %+v, not %+v", step, a, b)
			}
		}
		if reserved < 4 || grows.crowd.Count() < 480 {
			t.Errorf("grew %d times, to %d slots", reserved, grows.crowd.Count())
		}
	})
}

// An agent that is added waits while its place is occupied, also long after all others have
// entered, and enters when it is free.
func TestAddedAgentWaits(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, `{"version": 1, "domain": [0, 0, 20, 20], "goals": [{"id": "g", "points": [[19, 10]]}],
			"profiles": [{"id": "p", "avoidance": "orca"}],
			"groups": [{"spawn": {"points": [[4, 10]]}}]}`, 40)
		c := x.crowd
		for range 20 {
			stepCrowd(c)
		}
		stand := func(status Status) []Change {
			a, _ := NewAgent(x.ground, mgl64.Vec2{10, 10}, c.itineraries[0])
			own := c.Traits(0)
			a.Status, own.Entry = status, c.clock
			return []Change{{Slot: 1, Fields: ChangeNew, Traits: own, Agent: a}}
		}
		if err := c.Reserve(2); err != nil {
			t.Fatal(err)
		}
		stepWith(t, c, stand(Arrived))
		if err := c.Reserve(3); err != nil {
			t.Fatal(err)
		}
		added := stand(Waiting)
		added[0].Slot = 2
		stepWith(t, c, added)
		state := make([]Agent, 3)
		for step := range 20 {
			stepCrowd(c)
			if c.Snapshot(state); state[2].Status != Waiting || state[2].Lost != 1 {
				t.Fatalf("%d steps later: %+v", step, state[2])
			}
		}
		stepWith(t, c, []Change{{Slot: 1, Fields: ChangeStatus, Agent: Agent{Status: Left}}})
		stepCrowd(c)
		if c.Snapshot(state); state[2].Status != Walking || state[2].Entered != c.clock-1 {
			t.Errorf("its place is free, but: %+v", state[2])
		}
	})
}

// What no crowd can follow panics and changes nothing; an agent has a place only where ground is
// free.
func TestChangesOfNonsense(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, joined, 60)
		c := x.crowd
		before, after := make([]Agent, c.Count()), make([]Agent, c.Count())
		c.Snapshot(before)
		agent, ok := NewAgent(x.ground, mgl64.Vec2{3, 3}, c.itineraries[0])
		if !ok || agent.Status != Waiting || x.reference.onLattice(agent.Position) != x.ground.Lattice.Snap(mgl64.Vec2{3, 3}) {
			t.Fatal(agent, ok)
		}
		for _, covered := range []mgl64.Vec2{{14.5, 4}, {-1, 3}, {31, 20}} {
			if a, ok := NewAgent(x.ground, covered, c.itineraries[0]); ok {
				t.Errorf("there is an agent at %v: %+v", covered, a)
			}
		}
		good := Change{Slot: 2, Fields: ChangeNew, Traits: c.Traits(2), Agent: agent}
		for name, spoil := range map[string]func(*Change){
			"slot":        func(c *Change) { c.Slot = 12 },
			"new slot":    func(c *Change) { c.Slot, c.Fields = 12, ChangeStatus },
			"no fields":   func(c *Change) { c.Fields = 0 },
			"fields":      func(c *Change) { c.Fields = ChangeNew | ChangePlace },
			"more fields": func(c *Change) { c.Fields = 2 * ChangeStatus },
			"status":      func(c *Change) { c.Agent.Status = statuses },
			"place":       func(c *Change) { c.Agent.Position[1] = float32(math.Inf(1)) },
			"velocity":    func(c *Change) { c.Fields, c.Agent.Velocity[0] = ChangePlace, float32(math.Inf(-1)) },
			"radius":      func(c *Change) { c.Traits.Radius = 0 },
			"speed":       func(c *Change) { c.Traits.MaxSpeed = -1 },
			"profile":     func(c *Change) { c.Traits.Profile = 2 },
			"no stages":   func(c *Change) { c.Traits.Stages = 0 },
			"stages":      func(c *Change) { c.Traits.Stages = 4 },
			"far stages":  func(c *Change) { c.Traits.FirstStage = 1 << 31 },
			"stage":       func(c *Change) { c.Agent.Stage = 1 },
			"layer":       func(c *Change) { c.Agent.Layer = 1 },
			"itinerary":   func(c *Change) { c.Fields, c.Traits.FirstStage = ChangeTraits, 1 },
		} {
			change := good
			spoil(&change)
			mustPanic(t, name, func() { _ = c.Apply([]Change{change}) })
		}
		mustPanic(t, "twice", func() { _ = c.Apply([]Change{good, good}) })
		mustPanic(t, "no such slot", func() { c.Traits(12) })
		mustPanic(t, "itinerary of none", func() { _, _ = c.AddItinerary() })
		mustPanic(t, "own point and more", func() { _, _ = c.AddItinerary(Stage{Layer: OwnPoint}, Stage{}) })
		if c.Snapshot(after); !slices.Equal(before, after) || c.Count() != 12 {
			t.Error("agents have changed")
		}
		stepWith(t, c, []Change{good})
	})
}

// More slots than the device has memory for are a typed error, and the crowd goes on as it was.
func TestReserveTooMuch(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, joined, 60)
		c := x.crowd
		for range 5 {
			x.step()
		}
		names := []any{c.agents, c.traits, c.cells, c.lists, c.contacts, c.deferred, c.late, c.guidance}
		var full *gpu.CapacityError
		if err := c.Reserve(1 << 30); !errors.As(err, &full) {
			t.Fatalf("Reserve of too much: %v", err)
		}
		if c.capacity != 12 || !slices.Equal(names, []any{c.agents, c.traits, c.cells, c.lists, c.contacts, c.deferred, c.late, c.guidance}) {
			t.Error("buffers have changed")
		}
		y := try(t, d, joined, 60)
		for range 5 {
			y.step()
		}
		for range 30 {
			x.step()
			y.step()
		}
		if !slices.Equal(x.after, y.after) {
			t.Error("it goes on in another way")
		}
		c.Delete()
		if err := c.Reserve(1); !errors.Is(err, ErrDeleted) {
			t.Error(err)
		}
		if err := c.Apply(nil); !errors.Is(err, ErrDeleted) {
			t.Error(err)
		}
		if _, err := c.AddItinerary(Stage{}); !errors.Is(err, ErrDeleted) {
			t.Error(err)
		}
		if _, err := c.AddProfile(scenes.DefaultProfile()); !errors.Is(err, ErrDeleted) {
			t.Error(err)
		}
	})
}
