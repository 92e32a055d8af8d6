package agents

import (
	"cmp"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// Events of areas are those of the plain form, whatever happens to agents: they walk, are placed,
// added and removed, and areas come, go and change in between. Four squares that meet in a point
// have each agent in one of them; a gate is passed as often as the place's side says.
func TestAreasAgreeWithReference(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, joined, 60)
		c := x.crowd
		if err := c.ReportEvents(true); err != nil {
			t.Fatal(err)
		}
		side := [2]float32{float32(x.ground.Lattice.Size.X), float32(x.ground.Lattice.Size.Y)}
		for k := range side {
			side[k] *= float32(x.ground.Lattice.Step)
		}
		// Corners that no float of a place is likely to meet would not show ties: the middle is a place
		// of an agent.
		first := make([]Agent, c.Count())
		c.Snapshot(first)
		middle := first[0].Position
		quarter := func(x0, y0, x1, y1 float32) Area { return Area{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}} }
		quarters := []Area{
			quarter(-1, -1, middle[0], middle[1]), quarter(middle[0], -1, side[0]+1, middle[1]),
			quarter(middle[0], middle[1], side[0]+1, side[1]+1), quarter(-1, middle[1], middle[0], side[1]+1),
		}
		gates := []Area{{{middle[0], -1}, {middle[0] + 0.5, side[1] + 1}}, {middle, side}, nil}
		star := Area{{0, 0}, side, {side[0], 0}, {0, side[1]}} // crosses itself
		all := slices.Concat(quarters, gates)
		set := func(areas []Area, fresh uint32) {
			if err := c.SetAreas(areas, fresh); err != nil {
				t.Fatal(err)
			}
		}
		set(all, 0)
		fresh := ^uint32(0)
		makes := &changer{&numbers{seed: 7}, x.ground, []int{0, 1, 2}}
		presence := make([]Presence, 120)
		want := map[int][]Event{}
		kinds := map[[2]uint32]int{}
		for step := range 200 {
			slots := min(c.Count()+1, 120)
			if err := c.Reserve(slots); err != nil {
				t.Fatal(err)
			}
			var changes []Change
			if step%5 == 0 && step < 140 {
				changes = makes.changes(c, slots)
			}
			switch step {
			case 60: // an area goes, another comes
				all = slices.Clone(all)
				all[6] = star
				fresh = 1 << 6
				set(all, fresh)
			case 100: // one becomes another
				all = slices.Clone(all)
				all[0] = star
				set(all, 0)
			case 150:
				all = nil
				set(nil, 0)
			case 160:
				all = quarters
				set(all, 0)
				fresh = ^uint32(0)
			}
			stepWith(t, c, changes, func() {})
			after := make([]Agent, c.Count())
			c.Snapshot(after)
			var events []Event
			for slot, a := range after {
				if len(all) == 0 {
					break
				}
				is, of := x.reference.Areas(presence[slot], a, all, fresh)
				for _, e := range of {
					e.Slot = uint32(slot)
					events = append(events, e)
					kinds[[2]uint32{e.Area, e.Kinds}]++
				}
				presence[slot] = is
				in := 0
				for k := range quarters {
					in += int(is.Inside >> k & 1)
				}
				if in != int(is.There) && (step < 100 || step >= 160) {
					t.Fatalf("step %d: the agent at %v is in %d of four quarters", step, a.Position, in)
				}
			}
			if len(all) > 0 {
				fresh = 0
			}
			want[int(c.clock)] = events
			for {
				got, at, ok := c.TakeEvents(nil)
				if !ok {
					break
				}
				if !slices.IsSortedFunc(got, func(a, b Event) int { return cmp.Or(cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Area, b.Area)) }) {
					t.Fatalf("step %d: events are not sorted: %v", at, got)
				}
				got = slices.DeleteFunc(got, func(e Event) bool { return e.Area == NoArea })
				if !slices.Equal(got, want[at]) {
					t.Fatalf("of step %d\n got %v\nwant %v", at, got, want[at])
				}
				delete(want, at)
			}
		}
		for at, events := range want {
			if at+eventLatency <= int(c.clock) && len(events) > 0 {
				t.Errorf("the events of step %d have not arrived", at)
			}
		}
		for _, area := range []uint32{0, 1, 2, 3, 4, 5, 6} {
			if kinds[[2]uint32{area, EventCameIn}] == 0 || kinds[[2]uint32{area, EventWentOut}] == 0 {
				t.Errorf("area %d has no events of both kinds; the scene is no test: %v", area, kinds)
			}
		}
		if c.LostEvents() != 0 {
			t.Errorf("%d events were lost", c.LostEvents())
		}
	})
}

// Where agents come into more areas than a step has room for, the others are counted.
func TestEventsOfAreasAreCounted(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, joined, 60)
		c := x.crowd
		if err := c.ReportEvents(true); err != nil {
			t.Fatal(err)
		}
		all := make([]Area, MostAreas)
		for i := range all {
			all[i] = Area{{-1, -1}, {1e6, -1}, {1e6, 1e6}, {-1, 1e6}}
		}
		if err := c.SetAreas(all, 0); err != nil {
			t.Fatal(err)
		}
		stepWith(t, c, nil, func() {})
		after, there := make([]Agent, c.Count()), uint64(0)
		c.Snapshot(after)
		for _, a := range after {
			if There(a.Status) {
				there++
			}
		}
		for range eventLatency {
			stepWith(t, c, nil, func() {})
		}
		arrived := uint64(0)
		events, _, _ := c.TakeEvents(nil)
		for _, e := range events {
			if e.Area != NoArea {
				arrived++
			}
		}
		if lost := c.LostEvents(); lost == 0 || arrived+lost != there*MostAreas {
			t.Errorf("%d events arrived and %d were lost of %d agents in %d areas", arrived, lost, there, MostAreas)
		}
	})
}
