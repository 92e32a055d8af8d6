package agents

import (
	"cmp"
	"errors"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// happenings are the events of a crowd by the plain form, a step after another.
type happenings struct {
	marks []uint32
	rests []Rest
	fresh bool
	steps map[int][]Event // by steps done; only where any
	kinds map[EventKinds]int
}

// add compares the states of a step. marks are those of passes before it.
func (h *happenings) add(x *trial, before, after []Agent, clock uint32) {
	var all []Event
	for slot := range after {
		kinds, left := x.reference.Events(before[slot], after[slot], x.crowd.Traits(slot), h.marks[slot], &h.rests[slot], clock, h.fresh)
		if h.marks[slot] = left; kinds != 0 {
			all = append(all, Event{uint32(slot), kinds, NoArea})
		}
		for kind := EventEntered; kind <= EventMissed; kind <<= 1 {
			if kinds&kind != 0 {
				h.kinds[kind]++
			}
		}
	}
	h.fresh = false
	if len(all) > 0 {
		h.steps[int(clock)+1] = all
	}
}

// Events of a crowd that changes and grows are those of the plain form, sorted by slot, exactly
// three steps late; none is lost where the crowd grows in between.
func TestEventsAgreeWithReference(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, joined, 60)
		c, r := x.crowd, x.reference
		if err := c.ReportEvents(true); err != nil {
			t.Fatal(err)
		}
		makes := &changer{&numbers{seed: 11}, x.ground, []int{0, 1, 2}}
		h := &happenings{fresh: true, steps: map[int][]Event{}, kinds: map[EventKinds]int{}}
		var dst []Event
		taken := 0
		for step := range 300 {
			slots := min(c.Count()+1, 120)
			if err := c.Reserve(slots); err != nil {
				t.Fatal(err)
			}
			h.marks = append(h.marks, make([]uint32, slots-len(h.marks))...)
			h.rests = append(h.rests, make([]Rest, slots-len(h.rests))...)
			var changes []Change
			if step%8 == 0 && step < 140 {
				changes = makes.changes(c, slots)
			}
			if step == 150 {
				h.bury(t, x)
			}
			if step == 290 { // those that are stuck are sent away
				for i, mark := range h.marks {
					if mark&markStuck != 0 {
						changes = append(changes, Change{Slot: uint32(i), Fields: ChangeStatus, Agent: Agent{Status: Left}})
					}
				}
			}
			clock, before := c.clock, make([]Agent, slots)
			c.agents[0].Read(0, before)
			stepWith(t, c, changes, func() {
				for _, change := range changes {
					i := change.Slot
					_, _, noticed := r.Change(before[i], Traits{}, change)
					switch {
					case !noticed:
						h.marks[i] |= EventMissed
					case change.Fields == ChangeNew:
						h.marks[i] = 0
						if a := change.Agent; There(a.Status) {
							h.rests[i] = Rest{a.Position[0], a.Position[1], clock}
						}
					}
				}
				before = make([]Agent, c.Count())
				c.agents[0].Read(0, before)
			})
			if c.wallsEverChanged {
				for i, a := range before {
					if _, ok := r.Displace(a, c.Traits(i), clock, step == 150); ok {
						h.marks[i] |= EventDisplaced
					}
				}
			}
			after := make([]Agent, c.Count())
			c.Snapshot(after)
			h.add(x, before, after, clock)

			for {
				var at int
				var ok bool
				if dst, at, ok = c.TakeEvents(dst); !ok {
					break
				}
				if want := h.steps[at]; at != int(c.clock)-eventLatency || !slices.Equal(dst, want) {
					t.Fatalf("step %d: of step %d\n got %v\nwant %v", c.clock, at, dst, want)
				}
				taken++
				delete(h.steps, at)
			}
			for at := range h.steps {
				if at+eventLatency <= int(c.clock) {
					t.Fatalf("step %d: the events of step %d have not arrived", c.clock, at)
				}
			}
		}
		for kind := EventEntered; kind <= EventMissed; kind <<= 1 {
			if h.kinds[kind] == 0 && kind != EventNoRoute {
				t.Errorf("no event of kind %#x; the scene is no test", kind)
			}
		}
		if taken < 40 {
			t.Errorf("%d steps with events", taken)
		}
	})
}

// bury puts an obstacle on agents.
func (h *happenings) bury(t *testing.T, x *trial) {
	t.Helper()
	covered := read(t, `{"version": 1, "domain": [0, 0, 30, 20], "obstacles": [{"rect": [14, 0, 15, 9]}, {"rect": [14, 11, 15, 20]}, {"rect": [3, 3, 12, 17]}],
		"goals": [{"id": "east", "points": [[29, 10]]}], "groups": [{"count": 1, "spawn": {"rect": [1, 1, 2, 2]}}]}`)
	if err := x.crowd.SetGround(covered.ground, covered.grid); err != nil {
		t.Fatal(err)
	}
	x.reference.Walls = WallsOf(covered.ground)
}

// Reports can be switched: those that are on their way arrive, then none; the states are those of a
// crowd without.
func TestReportEvents(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x, y := try(t, d, joined, 60), try(t, d, joined, 60)
		c := x.crowd
		entered := map[uint32]int{}
		last := 0
		for step := range 60 {
			if on := step >= 5 && step < 11 || step >= 30; on != c.events.on {
				if err := c.ReportEvents(on); err != nil {
					t.Fatal(err)
				}
			}
			x.step()
			y.step()
			if !slices.Equal(x.after, y.after) {
				t.Fatalf("step %d: reporting changes what agents do", step)
			}
			for {
				events, at, ok := c.TakeEvents(nil)
				if !ok {
					break
				}
				last = at
				for _, e := range events {
					if e.Kinds&EventEntered != 0 {
						entered[e.Slot] = at
					}
				}
				if !slices.IsSortedFunc(events, func(a, b Event) int { return cmp.Compare(a.Slot, b.Slot) }) {
					t.Errorf("events are not sorted: %v", events)
				}
			}
			if step == 13 && (len(entered) != 3 || last != 11) {
				t.Errorf("entered %v, last of step %d; want those of step 11", entered, last)
			}
		}
		// What a change has missed counts in steps that are reported, from the first one on.
		missed := func() {
			stepWith(t, c, []Change{{Slot: 0, Fields: ChangeStatus, Agent: Agent{Status: Left}}})
		}
		missed()
		for _, on := range []bool{false, true} {
			if err := c.ReportEvents(on); err != nil {
				t.Fatal(err)
			}
			missed()
		}
		counted := 0
		for range eventLatency {
			stepCrowd(c)
			for events, _, ok := c.TakeEvents(nil); ok; events, _, ok = c.TakeEvents(nil) {
				for _, e := range events {
					if e.Slot == 0 && e.Kinds&EventMissed != 0 {
						counted++
					}
				}
			}
		}
		if counted != 1 {
			t.Errorf("%d changes passed over an agent that has left, want that of the reported step", counted)
		}
		c.Delete()
		if err := c.ReportEvents(true); !errors.Is(err, ErrDeleted) {
			t.Error(err)
		}
	})
}
