package agents

import (
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// drawn reads a list back: the slots, and the command.
func drawn(l *DrawList) (slots, command []uint32) {
	slots, command = make([]uint32, l.Slots.Len()), make([]uint32, l.Command.Len())
	l.Slots.Read(0, slots)
	l.Command.Read(0, command)
	return slots[:command[1]], command
}

// Draw lists have the slots of agents in the rectangle, in order, while agents enter, leave and are
// added: more than one for each invocation.
func TestDrawList(t *testing.T) {
	const scene = `{"version": 1, "domain": [0, 0, 60, 40], "goals": [{"id": "g", "points": [[30, 20]], "arrivalRadius": 4}],
		"profiles": [{"id": "p", "radius": {"mean": 0.2, "std": 0.05, "min": 0.1, "max": 0.3}, "avoidance": "none"}],
		"groups": [{"profile": "p", "count": 1500, "spawn": {"rect": [1, 1, 59, 39]}, "itinerary": ["g"], "onArrival": "leave"},
			{"profile": "p", "count": 700, "spawn": {"rect": [1, 1, 59, 39]}, "itinerary": ["g"], "start": {"at": 0.5}}],
		"simulation": {"timestep": 0.1}}`
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, scene, 60)
		l, err := x.crowd.NewDrawList(36)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Delete()
		if slots, command := drawn(l); len(slots) != 0 || command[0] != 36 {
			t.Errorf("before Update it lists %v by %v", slots, command)
		}
		random := &numbers{seed: 5}
		most, least := 0, x.crowd.Count()
		for step := range 30 {
			if step == 20 {
				if err := x.crowd.Reserve(x.crowd.Count() + 300); err != nil {
					t.Fatal(err)
				}
			}
			var changes []Change
			if step == 25 {
				for slot := x.crowd.Count() - 300; slot < x.crowd.Count(); slot++ {
					a, ok := NewAgent(x.ground, mgl64.Vec2{5, 5}, x.crowd.itineraries[0])
					if !ok {
						t.Fatal("no agent fits")
					}
					changes = append(changes, Change{Slot: uint32(slot), Fields: ChangeNew, Agent: a, Traits: x.crowd.Traits(0)})
				}
			}
			stepWith(t, x.crowd, changes)
			states := make([]Agent, x.crowd.Count())
			x.crowd.Snapshot(states)
			left, below := float32(random.below(50)), float32(random.below(30))
			for _, r := range [][4]float32{Everywhere, {left, below, left + 10, below + 10}, {left, below, left, below}, {70, 0, 80, 40}, {10, 10, 5, 5}} {
				if err := l.Update(r); err != nil {
					t.Fatal(err)
				}
				var want []uint32
				for slot, a := range states {
					p, radius := a.Position, x.crowd.Traits(slot).Radius
					if There(a.Status) && p[0]+radius >= r[0] && p[1]+radius >= r[1] && p[0]-radius <= r[2] && p[1]-radius <= r[3] {
						want = append(want, uint32(slot))
					}
				}
				slots, command := drawn(l)
				if !slices.Equal(slots, want) || !slices.Equal(command, []uint32{36, uint32(len(want)), 0, 0, 0}) {
					t.Fatalf("step %d, rectangle %v: %d agents by %v, want %d", step, r, len(slots), command, len(want))
				}
				if r == Everywhere {
					most, least = max(most, len(want)), min(least, len(want))
				}
			}
		}
		if most == x.crowd.Count() || least < scanSize || most-least < 100 {
			t.Errorf("%d to %d agents of %d are there: too much alike", least, most, x.crowd.Count())
		}
	})
}
