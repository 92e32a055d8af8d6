package engine_test

import (
	"testing"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// TestTwoFindItSooner is Dapper's figure 8: both find the object, two in fewer steps than one; who finds it stops, and so do all of his
// team, some way off the object. Steps read nothing back.
func TestTwoFindItSooner(t *testing.T) {
	taken := map[string]int{}
	for _, name := range []string{"dapper-8a", "dapper-8b"} {
		s, err := scenes.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		run(t, s, func(d *gpu.Device, w *engine.World) {
			reads := d.Readbacks()
			c := w.Crowd().Counters()
			for c.Reached == 0 && w.Time() < 120 {
				steps(t, w, 1)
				c = w.Crowd().Counters()
			}
			if d.Readbacks() != reads {
				t.Errorf("%s: steps read back", name)
			}
			taken[name] = int(w.Ticks())
			for i, a := range crowd(w) {
				if a.Status != agents.Arrived || a.Arrivals != 1 {
					t.Errorf("%s: explorer %d is at %v, status %d", name, i, world2(w, a), a.Status)
				}
				if off := world2(w, a).Sub(s.Goals[0].Points[0]).Len(); off < 1 {
					t.Errorf("%s: explorer %d has gone on to %.2f m from the object", name, i, off)
				}
			}
		})
	}
	t.Logf("one takes %d steps, two %d", taken["dapper-8a"], taken["dapper-8b"])
	if taken["dapper-8b"] >= taken["dapper-8a"] {
		t.Errorf("one takes %d steps, two %d", taken["dapper-8a"], taken["dapper-8b"])
	}
}
