package viewer

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
)

// clickWidth is how far a click may be from an agent's disc, and how far the pointer may move in a
// click. Unit: nominal pixels.
const clickWidth = 4

// click handles a click at a place; adds: the goal is there too, if there is nothing. It waits for
// the device.
func (v *viewer) click(at mgl64.Vec2, adds bool) error {
	if agent := v.hit(at); agent >= 0 {
		return v.pick(agent)
	}
	switch t := v.at(at); t.part {
	case nothing:
		if !adds {
			return v.view.Choose(-1)
		}
		v.view.Show(v.view.Goal) // pinned, since it is edited
		return v.showRefusal(v.edits.addPoint(v.goal(), at))
	case body:
		if v.edits.state(t.obstacle).Opens {
			return v.showRefusal(v.edits.toggle(t.obstacle))
		}
	default:
		v.view.Show(v.edits.goal(t.source.Goal))
	}
	return nil
}

// readCrowd reads the agents back.
func (v *viewer) readCrowd() {
	world := v.view.World
	if count := world.Crowd().Count(); count != len(v.crowd) {
		v.crowd, v.traits = make([]agents.Agent, count), make([]agents.Traits, count)
	}
	if len(v.crowd) > 0 {
		world.Crowd().Snapshot(v.crowd)
		world.Buffers().Agents.Traits.Read(0, v.traits)
	}
}

// hit returns the agent whose disc, as drawn, is nearest to a place within the width of
// a click; -1: none.
func (v *viewer) hit(at mgl64.Vec2) int {
	v.readCrowd()
	reach := clickWidth * v.ratio() / v.camera.Scale
	origin := v.view.World.Ground().Lattice.Origin
	best, least := -1, 0.0
	for i, a := range v.crowd {
		if !agents.There(a.Status) {
			continue
		}
		place := mgl64.Vec2{
			float64(a.Position[0]) - v.behind*float64(a.Velocity[0]),
			float64(a.Position[1]) - v.behind*float64(a.Velocity[1]),
		}
		d := at.Sub(origin).Sub(place).Len()
		if d <= float64(v.traits[i].Radius)+reach && (best < 0 || d < least) {
			best, least = i, d
		}
	}
	return best
}

// pickAnother chooses the next walking agent, 1, or the one before, -1, if there is one. It waits
// for the device.
func (v *viewer) pickAnother(step int) error {
	v.readCrowd()
	n, chosen := len(v.crowd), v.view.Chosen
	from := chosen
	if from < 0 && step < 0 {
		from = 0
	}
	for k := 1; k <= n; k++ {
		if i := ((from+k*step)%n + n) % n; i != chosen && v.crowd[i].Status == agents.Walking {
			return v.pick(i)
		}
	}
	return nil
}

// pick chooses an agent, or unchooses it.
func (v *viewer) pick(agent int) error {
	if agent == v.view.Chosen {
		agent = -1
	}
	return v.view.Choose(agent)
}
