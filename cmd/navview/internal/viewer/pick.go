//go:build !headless

package viewer

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
)

// click is a click, or a request for another agent, until positions are read back.
type click struct {
	next  int // 1: the next agent, -1: the one before, 0: a click
	at    mgl64.Vec2
	reach float64 // meters that the click is wide
	adds  bool    // the goal is there too, if there is nothing
}

// clickWidth is how far a click may be from an agent's disc, and how far the pointer may move in a
// click. Unit: nominal pixels.
const clickWidth = 4

// click handles a click at a place.
func (v *viewer) click(at mgl64.Vec2, adds bool) {
	v.requestPick(click{at: at, reach: clickWidth * v.ratio() / v.camera.Scale, adds: adds})
}

// requestPick starts reading back the positions of all agents; resolvePick uses them.
func (v *viewer) requestPick(c click) {
	if v.pending != nil {
		return // the click before is still on its way
	}
	v.pending = &c
	if v.readback != nil {
		v.readback.Post(v.view.World.Crowd().Buffers().Agents, 0)
	}
}

// resolvePick handles a click once positions have been read back.
func (v *viewer) resolvePick() error {
	if v.pending == nil {
		return nil
	}
	c, hit := *v.pending, -1
	if v.readback != nil {
		if _, ok := v.readback.Take(v.crowd); !ok {
			return nil
		}
		if c.next != 0 {
			hit = v.another(c.next)
		} else {
			hit = v.hit(c)
		}
	}
	v.pending = nil
	if hit >= 0 {
		return v.pick(hit)
	}
	if c.next != 0 {
		return nil
	}
	switch t := v.at(c.at); t.part {
	case nothing:
		if !c.adds {
			return v.view.Choose(-1)
		}
		v.view.Show(v.view.Goal) // and goes on to be: it is being edited
		return v.showRefusal(v.edits.addPoint(v.goal(), c.at))
	case body:
		if v.edits.state(t.obstacle).Opens {
			return v.showRefusal(v.edits.toggle(t.obstacle))
		}
	default:
		v.view.Show(v.edits.goal(t.source.Goal))
	}
	return nil
}

// hit returns the agent whose disc, as drawn, is nearest to a click; -1: none.
func (v *viewer) hit(c click) int {
	origin := v.view.World.Ground().Lattice.Origin
	best, least := -1, 0.0
	for i, a := range v.crowd {
		if a.Status != agents.Walking && a.Status != agents.Arrived {
			continue
		}
		place := mgl64.Vec2{
			float64(a.Position[0]) - v.behind*float64(a.Velocity[0]),
			float64(a.Position[1]) - v.behind*float64(a.Velocity[1]),
		}
		d := c.at.Sub(origin).Sub(place).Len()
		if d <= float64(v.traits[i].Radius)+c.reach && (best < 0 || d < least) {
			best, least = i, d
		}
	}
	return best
}

// another returns the next walking agent, or the one before; -1: none.
func (v *viewer) another(step int) int {
	n, chosen := len(v.crowd), v.view.Chosen
	from := chosen
	if from < 0 && step < 0 {
		from = 0
	}
	for k := 1; k <= n; k++ {
		if i := ((from+k*step)%n + n) % n; i != chosen && v.crowd[i].Status == agents.Walking {
			return i
		}
	}
	return -1
}

// pick chooses an agent, or unchooses it.
func (v *viewer) pick(agent int) error {
	if agent == v.view.Chosen {
		agent = -1
	}
	return v.view.Choose(agent)
}
