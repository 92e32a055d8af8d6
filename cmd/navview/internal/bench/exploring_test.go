package bench

import (
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes/scenestest"
)

// TestSearch: by every form all of two rooms is seen, never less than before, and in the end; an
// object anywhere sooner than all; the same search again is the same, and one from elsewhere is not.
func TestSearch(t *testing.T) {
	gputest.Fresh(t, func(d *gpu.Device) {
		for _, by := range explorings {
			find := func(seed uint64) searched {
				s := scenestest.Read(t, "rooms", `{"version": 1, "domain": [0, 0, 6, 4.5], "obstacles": [{"rect": [3, 0, 3.5, 3]}], "goals": [{"points": [[5, 4]]}],
					"profiles": [{"id": "p", "steering": "bvp", "avoidance": "none", "bvp": {"cellSize": 0.1875}}],
					"groups": [{"spawn": {"points": [[1, 1]]}, "onArrival": "stay", "explores": {"team": "t"}}], "map": {"size": 64}}`)
				found, err := search(d, s, 2, by.frontier, seed)
				if err != nil {
					t.Fatal(err)
				}
				return found
			}
			found := find(1)
			if last := found.last(); last == 0 || last >= exploredSteps || found.anywhere() >= float64(last) {
				t.Errorf("%s: an object is seen after %g steps, all after %d", by.name, found.anywhere(), last)
			}
			before := 0.0
			for step := range found.last() + 1 {
				share := found.share(step)
				if share < before || share == 1 && step < found.last() {
					t.Fatalf("%s: after %d of %d steps %g is seen, before %g", by.name, step, found.last(), share, before)
				}
				before = share
			}
			if before != 1 {
				t.Errorf("%s: %g is seen in the end", by.name, before)
			}
			if again := find(1); !slices.Equal(found.seen, again.seen) || found.turning != again.turning {
				t.Errorf("%s: the same search takes %d steps, and then %d", by.name, found.last(), again.last())
			}
			if other := find(2); slices.Equal(found.seen, other.seen) {
				t.Errorf("%s: another start makes no difference", by.name)
			}
		}
	})
}
