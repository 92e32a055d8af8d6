//go:build !headless

package viewer

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
)

// click is a click, or a wish for another agent, that waits for the agents' places.
type click struct {
	next  int // 1: the next agent, -1: the one before, 0: a click
	at    mgl64.Vec2
	reach float64 // meters that the click is wide
	adds  bool    // the goal is there too, if there is nothing
}

// clickWidth is how far from an agent's disc a click may be, and how far the pointer may move in a click. Nominal pixels.
const clickWidth = 4

// click asks what is at a place.
func (v *viewer) click(at mgl64.Vec2, adds bool) {
	v.requestPick(click{at: at, reach: clickWidth * v.ratio() / v.camera.Scale, adds: adds})
}

// requestPick asks for the places of all agents, without waiting for them: settle sees what was hit.
func (v *viewer) requestPick(c click) {
	if v.pending != nil {
		return // the click before is still on its way
	}
	v.pending = &c
	if v.readback != nil {
		v.readback.Post(v.stage.World.Crowd().Buffers().Agents, 0)
	}
}

// resolvePick carries out a click once it is known what it hit.
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
			return v.stage.Choose(-1)
		}
		v.stage.Show(v.stage.Goal) // and goes on to be: it is being edited
		return v.showRefusal(v.edits.addPoint(v.goal(), c.at))
	case body:
		if v.edits.state(t.obstacle).Opens {
			return v.showRefusal(v.edits.toggle(t.obstacle))
		}
	default:
		v.stage.Show(v.edits.goal(t.source.Goal))
	}
	return nil
}

// hit is the agent that a click hit: of those whose disc, as drawn, is near enough the nearest. -1 is none.
func (v *viewer) hit(c click) int {
	origin := v.stage.World.Ground().Lattice.Origin
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

// another is the next agent that walks, forwards or backwards from the one that is chosen; -1 is none.
func (v *viewer) another(step int) int {
	n, chosen := len(v.crowd), v.stage.Chosen
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

// pick shows the path and the local map of an agent, and hides them when it is picked again.
func (v *viewer) pick(agent int) error {
	if agent == v.stage.Chosen {
		agent = -1
	}
	return v.stage.Choose(agent)
}
