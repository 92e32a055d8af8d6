package agents

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// checkTally holds what the device has counted against sums by the plain form.
func (x *trial) checkTally(t *testing.T, step int, got Counters, want Sums) {
	t.Helper()
	// A square root and a division, rounded.
	close := func(a float64, b float32) bool { return math.Abs(a-float64(b)) <= 1.0/(1<<20)*max(a, float64(b)) }
	tally, tick := got.Tally, x.scene.Simulation.Timestep
	if tally.Contacts != want.Contacts || tally.WallContacts != want.WallContacts || got.Stuck != want.Stuck || got.NeighborListOverflow != 0 ||
		!close(tally.Penetration, want.Penetration) || !close(tally.WallPenetration, want.WallPenetration) || !close(tally.SpeedExcess, want.SpeedExcess) {
		t.Fatalf("step %d: counted %+v, %d stuck, want %+v", step, tally, got.Stuck, want)
	}
	if tally.Arrived != want.Arrived || tally.Arrived > 0 && (tally.FirstArrival != float64(want.First)*tick ||
		tally.LastArrival != float64(want.Last)*tick || tally.MeanTravel != float64(want.Travel)/float64(want.Arrived)*tick) {
		t.Fatalf("step %d: arrivals are counted as %+v, want %+v", step, tally, want)
	}
}

// What is counted over a run is what each step shows: of agents that walk through each
// other, come late, loop, stay, are stuck.
func TestTallyAgreesWithReference(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, maze, 100)
		if err := x.crowd.Measure(true); err != nil {
			t.Fatal(err)
		}
		x.letHostMove()
		for i := range x.after {
			if a := &x.after[i]; a.Status == Placed {
				a.Velocity = [2]float32{9, 9} // of no interest here
			}
		}
		x.crowd.agents[0].Write(0, x.after)
		rests := make([]Rest, x.crowd.Count())
		var sums Sums
		for step := range uint32(300) {
			x.step()
			x.reference.Measure(&sums, x.after, x.traits, rests, step)
			if step%10 == 0 || step < 5 {
				x.checkTally(t, int(step), x.crowd.CountersNow(), sums)
			}
			if c := x.crowd.Counters(); c.Step > 0 && c.Step != int(step)+1-counterLatency {
				t.Fatalf("step %d: counters of step %d", step, c.Step)
			}
		}
		if sums.Contacts < 1000 || sums.WallContacts < 1000 || sums.Arrived < 50 || sums.SpeedExcess != 0 || sums.WallPenetration != 0 {
			t.Errorf("counted %+v; the scene is no test, or has an excess", sums)
		}
		late := x.crowd.CountersNow()
		for range counterLatency {
			stepCrowd(x.crowd)
		}
		if c := x.crowd.Counters(); c != late {
			t.Errorf("counters arrive as %+v, and were %+v", c, late)
		}
	})
}

// Sums go on beyond 32 bits.
func TestTallyCarries(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, fmt.Sprintf(pressed, clutter), 40)
		if err := x.crowd.Measure(true); err != nil {
			t.Fatal(err)
		}
		x.crowd.agents[0].Write(0, x.press(&numbers{seed: 8}, 0.1))
		const begun = 5<<32 - 3
		for _, counter := range []int{counterTally, counterTally + 2} {
			x.crowd.counters.Write(counter, []uint32{begun & 0xffffffff, begun >> 32})
		}
		x.step()
		var sums Sums
		x.reference.Measure(&sums, x.after, x.traits, make([]Rest, len(x.after)), 0)
		if got := x.crowd.CountersNow().Tally; sums.Contacts < 100 || sums.WallContacts < 10 || got.Contacts != begun+sums.Contacts || got.WallContacts != begun+sums.WallContacts {
			t.Errorf("counted %+v from %v on, want %+v more", got, uint64(begun), sums)
		}
	})
}

// An agent that stands is stuck after 10 s, not before; one that walks, has arrived or loops is
// not. Measuring begins anew when it is switched on.
func TestStuck(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, `{"version": 1, "domain": [0, 0, 40, 20],
			"obstacles": [{"polygon": [[2, 2], [18, 2], [18, 18], [2, 18]], "holes": [[[3, 3], [17, 3], [17, 17], [3, 17]]]}],
			"goals": [{"id": "out", "points": [[39, 10]]}],
			"profiles": [{"id": "slow", "preferredSpeed": {"mean": 0.03, "std": 0}}],
			"groups": [{"id": "caught", "count": 20, "spawn": {"rect": [4, 4, 16, 16]}},
				{"id": "late", "count": 5, "spawn": {"rect": [4, 4, 16, 16]}, "start": {"at": 3}},
				{"id": "creeps", "profile": "slow", "spawn": {"points": [[25, 10]]}},
				{"id": "stays", "count": 3, "spawn": {"rect": [34, 4, 38, 16]}, "onArrival": "stay"},
				{"id": "loops", "spawn": {"points": [[38.8, 10]]}, "onArrival": "loop"}]}`, 40)
		measure := func() {
			t.Helper()
			if err := x.crowd.Measure(true); err != nil {
				t.Fatal(err)
			}
		}
		measure()
		stuck := func(step, want int) {
			t.Helper()
			for int(x.crowd.clock) < step {
				stepCrowd(x.crowd)
			}
			if got := x.crowd.CountersNow().Stuck; got != want {
				t.Errorf("%d are stuck after %d steps, want %d", got, step, want)
			}
		}
		// Steps are of 0.1 s, and rests begin at the end of the step that an agent enters in.
		stuck(100, 0)
		stuck(101, 20)
		stuck(130, 20)
		stuck(131, 25)
		stuck(240, 25)
		if err := x.crowd.Measure(false); err != nil {
			t.Fatal(err)
		}
		stuck(260, 0)
		before := x.crowd.CountersNow().Tally
		measure()
		if c := x.crowd.CountersNow().Tally; before == (Tally{}) || c != (Tally{}) {
			t.Errorf("measured %+v before, and %+v to begin with", before, c)
		}
		stuck(360, 0)
		stuck(361, 25)
	})
}

// Places that should not be are counted, and nothing else comes of them.
func TestTallyOfBadPlaces(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, fmt.Sprintf(`{"version": 1, "domain": [-10, 5, 30, 30], "obstacles": [%s],
			"goals": [{"id": "out", "points": [[12.9, 5.6]]}],
			"profiles": [{"id": "p", "radius": 0.3}],
			"groups": [{"count": 200, "profile": "p", "spawn": {"rect": [-9.9, 5.1, 29.9, 29.9]}}]}`, clutter), 40)
		if err := x.crowd.Measure(true); err != nil {
			t.Fatal(err)
		}
		n := &numbers{seed: 9}
		share := func() float32 { return float32(n.below(1<<20)) / (1 << 20) }
		state := slices.Clone(x.after)
		for i := range state {
			a := &state[i]
			a.Status = Arrived // stands where it is
			switch i % 5 {
			case 0, 1: // anywhere, most often in the open, but in obstacles too
				a.Position = [2]float32{40 * share(), 25 * share()}
			case 2: // outside
				a.Position = [2]float32{40 + 10*share(), -5 * share()}
			case 3: // a heap
				a.Position = [2]float32{1, 1}
				x.traits[i].Radius = 0
			}
		}
		x.crowd.traits.Write(0, x.traits)
		for k, position := range [][2]float32{{40, 25}, {0, 0}, {1e6, -1e6}, {45, 3}} {
			state[0].Position = position
			x.crowd.agents[0].Write(0, state)
			stepCrowd(x.crowd)
			if k == 0 {
				x.after = state
			}
			var want Sums
			rests := make([]Rest, len(state))
			if err := x.crowd.Measure(true); err != nil {
				t.Fatal(err)
			}
			stepCrowd(x.crowd)
			x.crowd.Snapshot(x.after)
			x.reference.Measure(&want, x.after, x.traits, rests, x.crowd.clock-1)
			x.checkTally(t, k, x.crowd.CountersNow(), want)
			if want.WallPenetration < 1 {
				t.Errorf("no agent is deep in a wall: %+v", want)
			}
		}
	})
}
