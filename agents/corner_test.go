package agents

import (
	"fmt"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// Goals without clearance lead agents to corners that their discs cannot come to. They go round
// them all the same, by the wish of the plain form; an agent that avoids none steps on the
// corner.
func TestRoundBareCorners(t *testing.T) {
	for _, method := range methods {
		t.Run(string(method.name), func(t *testing.T) {
			gputest.Run(t, func(d *gpu.Device) {
				x := try(t, d, fmt.Sprintf(`{"version": 1, "domain": [0, 0, 30, 20],
					"obstacles": [{"rect": [14, 0, 14.3, 9]}, {"rect": [14, 12, 14.3, 20]}, {"polygon": [[20, 8], [24, 10], [20, 12]]}],
					"goals": [{"id": "g", "points": [[29, 10]], "arrivalRadius": 1}],
					"profiles": [{"id": "p", "avoidance": %q}],
					"groups": [{"count": 60, "spawn": {"rect": [1, 1, 10, 19]}, "itinerary": ["g"]}]}`, method.name), 60)
				r := x.reference
				for i := range x.scene.Profiles {
					r.Params = append(r.Params, x.crowd.params[i])
				}
				turned, walking := 0, 60
				for step := uint32(0); walking > 0; step++ {
					if step == 1500 {
						t.Fatalf("%d of 60 have not arrived after %d steps", walking, step)
					}
					x.step()
					walking = 0
					for i, a := range x.before {
						if a.Status != Walking {
							continue
						}
						walking++
						got, want, traits := x.guidance[i], r.Guide(a, x.traits[i], step), x.traits[i]
						// The quotient of radius and distance may be off by 2.5 units in the last
						// place, of 2^-24; next to 1 the root of what its square leaves is off by
						// the root of twice that, less than 2^-10.
						if off := length(minus(got.Preferred, want.Preferred)); !(off <= traits.PreferredSpeed/(1<<10)) {
							t.Fatalf("step %d, agent %d at %v: preferred velocity %v, want %v", step, i, a.Position, got.Preferred, want.Preferred)
						}
						if w := r.Generators[min(int(want.Target), len(r.Generators)-1)]; want.Status == Walking && want.Preferred != r.towards(a.Position, r.aimOver(r.onLattice(a.Position), w), min(traits.PreferredSpeed, traits.MaxSpeed)) {
							turned++
						}
					}
				}
				if (turned > 0) != (method.name != methods[NoMethod].name) {
					t.Errorf("%d wishes led past a corner", turned)
				}
			})
		})
	}
}
