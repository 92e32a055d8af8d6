package worldview

import (
	"image/color"
	"math"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/engine/render"
)

// markRadius is that of a mark of time, nominal pixels; its area is the number of marks in one.
const markRadius = 4.5

// timeMarks are where agents with trails were at whole multiples of Look.Marks.
type timeMarks struct {
	last  map[int]int // by agent, an index
	at    []mgl64.Vec2
	count []int // of marks in one: the agent has stood
	color []color.RGBA
}

// add takes the agents that are on their way, where a mark is due. It waits for the device.
func (m *timeMarks) add(v *View, every time.Duration) {
	if w := v.World; v.trails == nil || w.Ticks()%uint64(max(v.Ticks(every), 1)) != 0 {
		return
	}
	n := v.World.Crowd().Count()
	all, traits := make([]agents.Agent, n), make([]agents.Traits, n)
	v.World.Crowd().Snapshot(all)
	v.World.Buffers().Agents.Traits.Read(0, traits)
	for _, i := range v.some(render.MostTrails) {
		a := all[i]
		if a.Status != agents.Walking {
			continue
		}
		at := v.World.Ground().Lattice.Origin.Add(mgl64.Vec2{float64(a.Position[0]), float64(a.Position[1])})
		stands := math.Hypot(float64(a.Velocity[0]), float64(a.Velocity[1])) < measure.Standing
		last, ok := m.last[i]
		if ok && stands && m.at[last].Sub(at).Len() < measure.Standing*every.Seconds() {
			m.count[last]++
			continue
		}
		m.last[i] = len(m.at)
		m.at, m.count, m.color = append(m.at, at), append(m.count, 1), append(m.color, v.color(traits[i]))
	}
}

// sketches are the marks.
func (m *timeMarks) sketches() (all []render.Sketch) {
	for i, at := range m.at {
		all = append(all, render.Sketch{Marks: []mgl64.Vec2{at}, Color: m.color[i], Radius: markRadius * math.Sqrt(float64(m.count[i]))})
	}
	return all
}
