package worldview

import (
	"fmt"
	"image"
	"math"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
)

// showable returns an error for layers that have nothing to show in the scene.
func (v *View) showable(layers render.Layers) error {
	goal := v.World.Goals()[v.Goal]
	if layers&render.Potential != 0 {
		potential, err := v.World.HarmonicMap(goal)
		if err != nil {
			return err
		}
		if potential == nil {
			return console.Usagef(`--layers potential: goal %s has no global potential: no agent with a local map of the guide "harmonic" walks there`, console.Quoted(v.World.Scene().Goals[v.Goal].ID))
		}
	}
	if layers&render.LocalMap == 0 {
		return nil
	}
	first := v.firstWithMap(AnyAgent)
	if first < 0 {
		return console.Usagef(`--layers localmap: agents have a local map where their profile has the steering "bvp", and no profile of an agent has`)
	}
	if _, ok := v.World.LocalMaps().Walker(max(v.Chosen, 0)); v.Chosen >= 0 && !ok {
		return console.Usagef("--layers localmap: agent %d has no local map; the first agent with one is --agent %d", v.Chosen, first)
	}
	return nil
}

// AnyAgent satisfies Pick.
func AnyAgent(int) bool { return true }

// firstWithMap returns the first agent with a local map that satisfies, or -1. It waits for the
// device.
func (v *View) firstWithMap(satisfies func(agent int) bool) int {
	maps := v.World.LocalMaps()
	if maps == nil || maps.Walkers().Len() == 0 {
		return -1
	}
	walkers := make([]local.Walker, maps.Walkers().Len())
	maps.Walkers().Read(0, walkers)
	first := -1
	for _, w := range walkers {
		if agent := int(w.Agent); (first < 0 || agent < first) && satisfies(agent) {
			first = agent
		}
	}
	return first
}

// Pick selects the first agent with a local map that satisfies, if local maps are shown and --agent
// is not given, and notes which.
func (t *Set) Pick(s *console.Session, satisfies func(agent int) bool) error {
	if t.Look.Layers&render.LocalMap == 0 || t.Chosen >= 0 {
		return nil
	}
	agent := t.firstWithMap(satisfies)
	if agent < 0 {
		s.Note("--layers localmap: no agent with a local map is walking at %.6g s", t.World.Time())
		return nil
	}
	s.Note("the local map is that of agent %d; --agent N chooses another one", agent)
	return t.Choose(agent)
}

// Present selects the agent of a picture's local map unless --agent is given, and notes why there
// is nothing to see of it.
func (t *Set) Present(s *console.Session) error {
	count := t.World.Crowd().Count()
	if t.Look.Layers&render.LocalMap == 0 || count == 0 {
		return nil
	}
	state := make([]agents.Agent, count)
	t.World.Crowd().Snapshot(state)
	if err := t.Pick(s, func(agent int) bool { return state[agent].Status == agents.Walking }); err != nil || t.Chosen < 0 {
		return err
	}
	t.FollowGoal()
	maps, now := t.World.LocalMaps(), t.World.Time()
	switch status := state[t.Chosen].Status; {
	case status == agents.Waiting:
		s.Note("agent %d has not entered at %.6g s: it has no path and no local map yet", t.Chosen, now)
	case status != agents.Walking:
		s.Note("agent %d has arrived at %.6g s: it has no path and no local map any more", t.Chosen, now)
	case maps == nil:
	default:
		if state[t.Chosen].Target == agents.Elsewhere {
			s.Note("agent %d explores: it has no path to show, as it does not know one", t.Chosen)
		}
		if walker, ok := maps.Walker(t.Chosen); !ok {
			s.Note("agent %d has no local map: its path is shown alone", t.Chosen)
		} else if w, _ := maps.Read(walker); w.Cells == 0 {
			s.Note("agent %d has a local map from its first step on: give a later --at", t.Chosen)
		}
	}
	return nil
}

// legendMargin is the margin of a legend. Unit: nominal pixels.
const legendMargin = 12

// Legend returns the legend in a corner of a picture, of what Keys returns.
func (v *View) Legend(p render.Picture) []render.Panel {
	if p.Relief || v.Edited {
		return nil
	}
	keys := v.Keys(p)
	if keys == nil {
		return nil
	}
	ratio := max(p.PixelRatio, 1)
	room := float64(p.Camera.Width)/ratio - 2*legendMargin
	for _, other := range p.Panels {
		if other.Corner == render.BottomLeft {
			room -= float64(other.Size(ratio).X)/ratio + legendMargin
		}
	}
	const least = 360 // nominal pixels
	return []render.Panel{{Corner: render.BottomRight, Keys: keys, Width: int(max(room, least))}}
}

// Keys returns what the colors of a picture mean: of the local map of the chosen agent, of potentials
// and of shading.
func (v *View) Keys(p render.Picture) (keys []render.Key) {
	layers := p.Layers
	say := func(format string, args ...any) { keys = append(keys, render.Key{Text: fmt.Sprintf(format, args...)}) }
	if maps := v.World.LocalMaps(); layers&render.LocalMap != 0 && v.Chosen >= 0 && maps != nil {
		if walker, ok := maps.Walker(v.Chosen); ok {
			m := maps.Parameters(walker)
			say("agent %d (%s): %d x %d cells of %.3g m", v.Chosen, console.Legible(v.profile().ID), m.Cells, m.Cells, m.CellSize)
			for _, words := range describeLocalMap(m) {
				say("%s", words)
			}
			colors := render.LocalMapKeys()
			colors[0].First = true
			keys = append(keys, colors...)
			if m.ViewAngle < 360 { // the view has edges
				keys = append(keys, render.ViewKey())
			}
			if _, ok := v.World.Team(v.Chosen); ok {
				keys = append(keys, render.UnknownKey())
			}
		} else {
			say("agent %d (%s) has no local map", v.Chosen, console.Legible(v.profile().ID))
		}
	}
	if layers&render.Potential != 0 {
		if potential, err := v.World.HarmonicMap(v.World.Goals()[v.Goal]); err != nil || potential == nil {
			say("no global potential: no agent with the guide harmonic walks to %s", console.Legible(v.World.Scene().Goals[v.Goal].ID))
		} else {
			if len(keys) < 2 {
				keys = append(keys, render.PotentialKey())
			}
			say("ground: potential of goal %s", console.Legible(v.World.Scene().Goals[v.Goal].ID))
		}
	}
	p.Crowd, p.LeastRadius = v.World.Buffers().Agents, v.leastRadius()
	return append(keys, render.ShadingKeys(p)...)
}

// leastRadius is a lower bound on the radii of agents; 0: not known. Unit: m.
func (v *View) leastRadius() float64 {
	least := math.Inf(1)
	for _, p := range v.World.Scene().Profiles {
		r := p.Radius.Min
		if p.Radius.Std == 0 {
			r = p.Radius.Mean
		}
		least = min(least, max(r, 0))
	}
	return least
}

// LegendHeight is the height of the legend. Unit: pixels.
func (v *View) LegendHeight(s image.Point, ratio float64) float64 {
	p := render.Picture{Layers: v.Look.Layers, PixelRatio: ratio, Camera: v.Fit(s, ratio, 0)}
	for _, panel := range v.Legend(p) {
		return float64(panel.Size(ratio).Y)
	}
	return 0
}

// profile is the profile of the chosen agent.
func (v *View) profile() scenes.Profile { return v.World.Scene().Profiles[v.ProfileIndex] }

// describeLocalMap returns the parameters of a local map in words.
func describeLocalMap(b scenes.BVP) []string {
	words := []string{fmt.Sprintf("view %.3g°", b.ViewAngle)}
	switch v := b.Bias; {
	case len(b.Table) > 0:
		words = append(words, "bias by a table of "+console.Count(len(b.Table), "row", "rows"))
	case v.Strength == 0 || v.Direction == [2]float64{}:
		words = append(words, "no bias")
	case v.Wave.Amplitude != 0 && v.Wave.Frequency != 0:
		words = append(words, fmt.Sprintf("bias %.3g towards (%.3g, %.3g), %.3g to the side at %.3g Hz", v.Strength, v.Direction[0], v.Direction[1], v.Wave.Amplitude, v.Wave.Frequency))
	default:
		words = append(words, fmt.Sprintf("bias %.3g towards (%.3g, %.3g)", v.Strength, v.Direction[0], v.Direction[1]))
	}
	words = append(words, fmt.Sprintf("inertia %.3g in %.3g s", b.Inertia, b.InertiaTime))
	if b.InertiaForm == scenes.InertiaVector {
		words = append(words, "of vectors")
	}
	if b.SpeedControl {
		words = append(words, "speed control")
	}
	if b.Rules == scenes.RulesPaper {
		words = append(words, "the papers' rules")
	}
	return append(words, fmt.Sprintf("guide %s", b.Guide))
}
