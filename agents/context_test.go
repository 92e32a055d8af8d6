package agents

import (
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// pusher stands in the place of local maps: it makes the agents of a profile walk at one
// velocity, and looks at what it is given.
type pusher struct {
	t        *testing.T
	trial    *trial
	profile  uint32
	velocity [2]float32
	steps    int
}

func (p *pusher) steer() {
	s, ok := p.trial.crowd.StepContext()
	if !ok {
		p.t.Fatal("there is no context, though agents are sorted")
	}
	n := p.trial.crowd.Count()
	if want := float64(p.steps) * s.Timestep; s.Time != want {
		p.t.Errorf("the step begins at %v s, want %v", s.Time, want)
	}
	agents, bodies, places := make([]Agent, n), make([]Body, n), make([][2]uint32, n)
	guidance := make([]Guidance, n)
	s.Agents.Read(0, agents)
	p.trial.crowd.cells.bodies.Read(0, bodies)
	s.Places.Read(0, places)
	s.Guidance.Read(0, guidance)
	for i := range guidance {
		if guidance[i].Status != Walking {
			continue
		}
		if b := bodies[places[i][0]]; b.ID != uint32(i) || b.Position != agents[i].Position {
			p.t.Fatalf("step %d: the body of agent %d is %+v", p.steps, i, b)
		}
		if p.trial.traits[i].Profile == p.profile {
			guidance[i].Preferred, guidance[i].Velocity = p.velocity, p.velocity
		}
	}
	s.Guidance.Write(0, guidance)
	p.steps++
}

// TestStepContext: the velocities that are written in a step are those of agents that avoid no
// others, as far as walls allow; all others walk as without that, and so do all once nothing is
// written any more.
func TestStepContext(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, maze, 100)
		p := &pusher{t: t, trial: x, velocity: [2]float32{0.25, -0.5}}
		if err := x.crowd.SortAlways(true); err != nil {
			t.Fatal(err)
		}
		pushed := 0
		for step := range uint32(40) {
			if step == 30 {
				if err := x.crowd.SortAlways(false); err != nil {
					t.Fatal(err)
				}
			}
			if step < 30 {
				x.step(p.steer)
			} else {
				x.step()
				if _, ok := x.crowd.StepContext(); ok {
					t.Fatal("there is a context, though nothing sorts agents")
				}
			}
			for i, a := range x.after {
				g := x.reference.Guide(x.before[i], x.traits[i], step)
				if x.traits[i].Profile == 0 && step < 30 && a.Status == Walking {
					g.Preferred = p.velocity
					if a.Velocity == p.velocity {
						pushed++
					}
				}
				// As in TestStepAgreesWithReference.
				if off := float64(length(minus(g.Preferred, x.guidance[i].Preferred))); off > 2.0/(1<<20) {
					t.Fatalf("step %d: agent %d prefers %v, want %v", step, i, x.guidance[i].Preferred, g.Preferred)
				}
			}
		}
		if p.steps != 30 || pushed < 1000 {
			t.Errorf("asked in %d steps, %d moves by that", p.steps, pushed)
		}
	})
}
