package bench

import (
	"testing"

	"github.com/wayfront/wayfront/bvp/reference"
	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// TestBVPCrowdIsChecked: a crowd on the device equals the plain passes, for any number of cells,
// and the least difference is found.
func TestBVPCrowdIsChecked(t *testing.T) {
	gputest.Fresh(t, func(d *gpu.Device) {
		for _, cells := range []int{5, 11, 16, 21} {
			crowd, err := newBVPCrowd(d, bvpScene(300, cells, 2, scenes.MethodRedBlack))
			if err != nil {
				t.Fatal(err)
			}
			p := crowd.plain(1)
			if len(p.walkers) != 300 {
				t.Errorf("maps of %d cells: %d agents take part", cells, len(p.walkers))
			}
			p.step(stopwatch{})
			blocked := 0
			for _, field := range p.fields {
				for k, fixed := range field.Fixed {
					if fixed && field.Q[k] == 0 && reference.ZoneOf(cells, k%cells, k/cells) == reference.Update {
						blocked++
					}
				}
			}
			if cells > 5 && blocked < 300 {
				t.Errorf("maps of %d cells: %d cells are taken in all", cells, blocked)
			}
			for change, want := range map[string]bool{"nothing": true, "a guide": false, "walls": cells == 5, "discs": cells == 5} {
				p := crowd.plain(1)
				for i := range p.walkers {
					switch change {
					case "a guide":
						p.walkers[17].Guide[0] = p.walkers[17].Position[0] - 19
					case "walls":
						p.walls[i] = nil
					case "discs":
						for k := range p.others[i] {
							p.others[i][k].Radius *= 2
						}
					}
				}
				if err := crowd.check(p); (err == nil) != want {
					t.Errorf("maps of %d cells, changed: %s: %v", cells, change, err)
				}
			}
			crowd.Close()
		}
	})
}

// TestRelaxations: all methods end at the solution; what is left grows less, and the angle is 180
// degrees where nothing has come to an agent.
func TestRelaxations(t *testing.T) {
	for _, in := range report.Clutters {
		for _, by := range relaxationMethods {
			r, err := relaxations(in.Name, by)
			if err != nil {
				t.Fatal(err)
			}
			first, last := r.After("error", report.Relaxations[0]), r.After("error", report.Relaxations[len(report.Relaxations)-1])
			// Jacobi's error shrinks by cos^2(pi / 20) each time in the emptiest map, at least:
			// by 2.6e-3 from the 2nd to the 240th.
			if !(last < first*2.6e-3 || last < 1e-6) || first > 1 {
				t.Errorf("%s by %s: an error of %g, then of %g", in.Name, by.name, first, last)
			}
			if degrees := r.After("degrees", 240); degrees > 1 {
				t.Errorf("%s by %s: an error of the direction of %g degrees", in.Name, by.name, degrees)
			}
			if at := r.Curves["error"][0][0]; at != float64(report.Relaxations[0]*by.sets) {
				t.Errorf("%s by %s: work of %g", in.Name, by.name, at)
			}
		}
	}
	empty := reference.NewPotential[float32](21)
	exact := reference.Potential[float64]{Cells: 21, Q: make([]float64, 21*21), Fixed: empty.Fixed}
	if got := directionError(empty, exact); got != 0 {
		t.Errorf("%g degrees where the solution has no gradient", got)
	}
	exact.Q[10*21+11] = 1 // eastwards
	if got := directionError(empty, exact); got != 180 {
		t.Errorf("%g degrees without a gradient", got)
	}
	empty.Q[11*21+10] = 1 // northwards
	if got := directionError(empty, exact); got != 90 {
		t.Errorf("%g degrees, want 90", got)
	}
}
