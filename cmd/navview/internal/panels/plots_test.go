//go:build !headless

package panels

import (
	"slices"
	"testing"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"github.com/wayfront/wayfront/cmd/navview/internal/gui"
	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/scenes"
)

// TestBranchIsPlotted: beside each line of the run is that of the branch, of an area too, and they part
// where the worlds do.
func TestBranchIsPlotted(t *testing.T) {
	with(t, hall, func(d *desk) {
		s := d.s
		play := func(seconds int) {
			t.Helper()
			for range 10 * seconds {
				if err := s.Step(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := s.Change("area", func(to *scenes.Scene) {
			to.Areas = []scenes.Area{{ID: "west", Rect: scenes.Rect{0, 0, 6, 10}}}
		}); err != nil {
			t.Fatal(err)
		}
		play(2)
		all := studio.Actions()
		i := slices.IndexFunc(all, func(a studio.Action) bool { return a.Name == "Compare with avoidance orca" })
		if err := all[i].Do(s); err != nil {
			t.Fatal(err)
		}
		play(12)
		drawn := map[string]line{}
		d.p.plots.probe = func(kind string, n line) { drawn[kind+" of "+n.name] = n }
		d.draw(2, time.Second)
		imgui.SetWindowFocusStr(gui.Plots)
		d.frames(4)
		for _, kind := range []string{"arrivals of ", "density of west, "} {
			run, branch := drawn[kind+"the run"], drawn[kind+s.Branched.Name]
			if len(run.times) < 10 || !slices.Equal(run.times, branch.times) || len(branch.values) != len(run.values) {
				t.Fatalf("%s: %v beside %v of %v", kind, run, branch, drawn)
			}
		}
		if run, branch := drawn["speed of the run"], drawn["speed of "+s.Branched.Name]; slices.Equal(run.values, branch.values) || !slices.Equal(run.values[:2], branch.values[:2]) {
			t.Errorf("speeds %v and %v", run.values, branch.values)
		}
		clear(drawn)
		d.p.plots.alone = true
		d.frames(2)
		if _, ok := drawn["arrivals of all"]; !ok || len(drawn["arrivals of the run"].times) > 0 {
			t.Errorf("the run alone: %v", drawn)
		}
	})
}
