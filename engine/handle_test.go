package engine

import (
	"errors"
	"math/rand/v2"
	"testing"
)

// TestHandles gives out, drops, recycles and rolls back at random, against a plain list of which
// handles are good.
func TestHandles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	h := handles[AgentID]{kind: "agent", tag: 7}
	good, ever := map[AgentID]bool{}, map[AgentID]bool{}
	var dropped []uint32 // and not yet recycled
	for range 2000 {
		h.begin()
		before, waiting := map[AgentID]bool{}, len(dropped)
		for id := range good {
			before[id] = true
		}
		for range r.IntN(5) {
			if r.IntN(2) == 0 || len(good) == 0 {
				id := h.take()
				if ever[id] || id == 0 {
					t.Fatalf("handle %#x was given out twice", id)
				}
				good[id], ever[id] = true, true
				continue
			}
			for id := range good {
				slot, err := h.slot(id)
				if err != nil {
					t.Fatal(err)
				}
				h.drop(slot)
				dropped = append(dropped, uint32(slot))
				delete(good, id)
				break
			}
		}
		if r.IntN(3) == 0 {
			h.rollBack()
			good, dropped = before, dropped[:waiting]
		} else if r.IntN(2) == 0 {
			for _, slot := range dropped {
				h.recycle(slot)
			}
			dropped = nil
		}
		for id := range ever {
			var stale *HandleError
			if slot, err := h.slot(id); good[id] != (err == nil) || good[id] && h.at(slot) != id ||
				!good[id] && (!errors.As(err, &stale) || stale.Fault != StaleHandle || stale.Kind != "agent") {
				t.Fatalf("handle %#x is good: %v; got %v", id, good[id], err)
			}
		}
	}
}

// TestRollBackKeepsTheOrderOfSlots: what is given out after a refused edit does not depend on that
// edit but for generations.
func TestRollBackKeepsTheOrderOfSlots(t *testing.T) {
	var plain, refused handles[GoalID]
	for i := range 6 {
		plain.take()
		refused.take()
		if i == 2 {
			for _, h := range []*handles[GoalID]{&plain, &refused} {
				h.drop(1)
				h.recycle(1)
			}
		}
		refused.begin()
		for range i {
			refused.take()
		}
		refused.drop(0)
		refused.rollBack()
	}
	for range 10 {
		if a, b := uint32(plain.take()), uint32(refused.take()); a != b {
			t.Errorf("slot %d, without refused edits %d", b, a)
		}
	}
}

func TestBadHandles(t *testing.T) {
	ours, theirs := handles[AgentID]{kind: "agent", tag: 1}, handles[AgentID]{kind: "agent", tag: 2}
	ours.take()
	for id, want := range map[AgentID]HandleFault{
		0: NoHandle, theirs.take(): ForeignHandle, theirs.take(): ForeignHandle, 5 | 1<<32 | 1<<56: StaleHandle, 2<<32 | 1<<56: StaleHandle,
	} {
		var bad *HandleError
		if _, err := ours.slot(id); !errors.As(err, &bad) || bad.Fault != want || bad.Handle != uint64(id) {
			t.Errorf("handle %#x gave %v, want fault %d", id, err, want)
		}
	}
}

// TestWornOutSlots: a slot with the last generation is good once more, and then never again.
func TestWornOutSlots(t *testing.T) {
	h := handles[AgentID]{tag: 255}
	h.take()
	h.slots[0].generation = lastGeneration
	last := h.at(0)
	if slot, err := h.slot(last); slot != 0 || err != nil {
		t.Fatalf("the last handle gave %d, %v", slot, err)
	}
	h.drop(0)
	h.recycle(0)
	if id := h.take(); uint32(id) != 1 {
		t.Errorf("slot %d is given out after its last generation", uint32(id))
	}
	if _, err := h.slot(last); err == nil {
		t.Error("the last handle is good after it was dropped")
	}
}
