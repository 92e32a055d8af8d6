package agents

import (
	"fmt"
	"math"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// integrate runs the pass alone on given agents and guidance.
func (x *trial) integrate(before []Agent, guidance []Guidance, params []AvoidanceParams) []Agent {
	c := x.crowd
	c.agents[0].Write(0, before)
	c.guidance.Write(0, guidance)
	settings, err := gpu.NewBuffer[AvoidanceParams](c.device, "params", len(params))
	if err != nil {
		panic(err)
	}
	defer settings.Delete()
	settings.Write(0, params)
	c.deferred.reset()
	c.integrate(settings, true)
	after := make([]Agent, c.count)
	c.agents[1].Read(0, after)
	return after
}

// Whatever velocity a method gives, what follows agrees with the reference, no wall is
// passed, and an agent that avoids others keeps to its limits.
func TestIntegrateAnyVelocity(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, fmt.Sprintf(`{"version": 1, "domain": [-10, 5, 30, 30],
			"obstacles": [%s, {"polygon": [[-9, 28], [3, 29.5], [3, 29.50000001]]}],
			"goals": [{"id": "out", "points": [[12.9, 5.6], [29, 29]]}],
			"profiles": [{"id": "p", "radius": 0.01, "maxSpeed": 3}, {"id": "q", "radius": 0.01, "maxSpeed": 3}],
			"groups": [{"count": 250, "profile": "p", "spawn": {"rect": [-9.9, 5.1, 29.9, 29.9]}},
				{"count": 250, "profile": "q", "spawn": {"rect": [-9.9, 5.1, 29.9, 29.9]}}]}`, clutter), 40)
		r := x.reference
		const acceleration = 8
		r.Params = []AvoidanceParams{{}, {Method: 1, MaxAcceleration: acceleration}}
		n := &numbers{seed: 71}
		infinite, nan := float32(math.Inf(1)), float32(math.NaN())
		speeds := []float32{0, 1e-30, 0.01, 1, 3, 20, 1000, 1e30}
		place := 3 * math.Sqrt2 * r.Lattice.Step
		cut, hurried := 0, 0
		guidance := make([]Guidance, len(x.after))
		for step := range uint32(60) {
			for i, a := range x.after {
				g := r.Guide(a, x.traits[i], step)
				angle := float64(n.below(1<<20)) / (1 << 20) * 2 * math.Pi
				speed := speeds[n.below(len(speeds))]
				if r.Params[x.traits[i].Profile].Method == NoMethod {
					speed = min(speed, 1000) // a method that is none has no bounds but those of numbers
				}
				g.Velocity = [2]float32{speed * float32(math.Cos(angle)), speed * float32(math.Sin(angle))}
				if r.Params[x.traits[i].Profile].Method != NoMethod && n.below(10) == 0 {
					g.Velocity = [][2]float32{{nan, 0}, {infinite, 1}, {-infinite, infinite}, {nan, infinite}}[n.below(4)]
				}
				guidance[i] = g
			}
			before := x.after
			x.after = x.integrate(before, guidance, r.Params)
			for i, a := range before {
				got, want := x.after[i], r.Integrate(a, x.traits[i], guidance[i], step)
				if !finite(got.Position) || !finite(got.Velocity) {
					t.Fatalf("step %d, agent %d: %+v after %v", step, i, got, guidance[i].Velocity)
				}
				p, q := r.onLattice(a.Position), r.onLattice(got.Position)
				if !x.ground.Free(q) {
					t.Fatalf("step %d: agent %d goes from %v to %v, inside an obstacle", step, i, p, q)
				}
				if off := float64(length(minus(got.Position, want.Position))); off > place {
					t.Fatalf("step %d, agent %d, %v:\n got %+v\nwant %+v\nfrom %+v", step, i, guidance[i].Velocity, got, want, a)
				}
				wished := length(guidance[i].Velocity)
				if got.Velocity != guidance[i].Velocity {
					cut++
				}
				// else cut and slid, which is no straight line
				if p != q && got.Velocity == guidance[i].Velocity {
					for _, w := range r.Walls {
						if a, b := w.ends(); crosses(p, q, a, b) {
							t.Fatalf("step %d: agent %d passes the wall %v from %v to %v", step, i, w, p, q)
						}
					}
				}
				if r.Params[x.traits[i].Profile].Method == NoMethod {
					continue
				}
				if v := length(got.Velocity); v > x.traits[i].MaxSpeed {
					t.Fatalf("step %d, agent %d: %v m/s, at most %v are allowed", step, i, v, x.traits[i].MaxSpeed)
				}
				if wished > 3 {
					hurried++
				}
				if !finite(guidance[i].Velocity) {
					if got.Velocity != [2]float32{} {
						t.Fatalf("step %d, agent %d walks on with %v, given %v", step, i, got.Velocity, guidance[i].Velocity)
					}
					continue
				}
				limit := r.limited(guidance[i].Velocity, a.Velocity, x.traits[i].MaxSpeed, acceleration)
				// Each of the three operations of minus and length rounds by 2^-24.
				if change := float64(length(minus(limit, a.Velocity))); change > acceleration*float64(r.Timestep)*(1+3.0/(1<<24)) {
					t.Fatalf("step %d, agent %d changes %v by %v m/s", step, i, a.Velocity, change)
				}
			}
		}
		if cut < 3000 || hurried < 3000 {
			t.Errorf("%d velocities are cut, %d too fast; the test is none", cut, hurried)
		}
	})
}
