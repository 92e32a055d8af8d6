package viewer

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/scenes"
)

// tuner edits the local map of the chosen agent's profile while the scene runs.
type tuner struct {
	shown bool
	knob  int // index
}

// knob is a parameter of a local map.
type knob struct {
	name string
	text func(m *scenes.BVPDistribution) string
	turn func(m *scenes.BVPDistribution, by float64) // a step up, 1, or down, -1
}

// short rounds to six decimals, so that steps there and back end where they began.
func short(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// dial is a knob of a number; where agents differ, of where its distribution lies.
func dial(name, unit string, of func(m *scenes.BVPDistribution) *scenes.Distribution, size, least, most float64) knob {
	return knob{
		name: name,
		text: func(m *scenes.BVPDistribution) string { return of(m).String() + unit },
		turn: func(m *scenes.BVPDistribution, by float64) {
			d, lo, hi := of(m), math.Inf(1), math.Inf(-1)
			for _, x := range ends(d) {
				lo, hi = min(lo, *x), max(hi, *x)
			}
			move(d, max(min(by*size, most-hi), least-lo))
		},
	}
}

// ends are the mean of a distribution and the bounds that it has.
func ends(d *scenes.Distribution) []*float64 {
	all := []*float64{&d.Mean}
	for _, x := range [...]*float64{&d.Min, &d.Max} {
		if d.Varies() && (d.Min != 0 || d.Max != 0) && !math.IsInf(*x, 0) {
			all = append(all, x)
		}
	}
	return all
}

// move moves a distribution.
func move(d *scenes.Distribution, by float64) {
	for _, x := range ends(d) {
		*x = short(*x + by)
	}
}

// choice is a knob of one of some values.
func choice[T comparable](name string, of func(m *scenes.BVPDistribution) *T, values ...T) knob {
	return knob{
		name: name,
		text: func(m *scenes.BVPDistribution) string { return fmt.Sprint(*of(m)) },
		turn: func(m *scenes.BVPDistribution, by float64) {
			i := slices.Index(values, *of(m)) + int(by)
			*of(m) = values[(i+len(values))%len(values)]
		},
	}
}

// turned turns a direction by degrees; a zero vector becomes (1, 0).
func turned(v mgl64.Vec2, degrees float64) mgl64.Vec2 {
	length := v.Len()
	if length == 0 {
		return mgl64.Vec2{1, 0}
	}
	sin, cos := math.Sincos((heading(v) + degrees) * math.Pi / 180)
	return mgl64.Vec2{short(length * cos), short(length * sin)}
}

// heading returns the angle of a direction in whole degrees.
func heading(v mgl64.Vec2) float64 { return math.Round(math.Atan2(v[1], v[0]) * 180 / math.Pi) }

// mean is the direction that agents have on average.
func mean(d [2]scenes.Distribution) mgl64.Vec2 { return mgl64.Vec2{d[0].Mean, d[1].Mean} }

// knobs are all parameters, in order. Those that a table replaces begin with "bias".
var knobs = []knob{
	dial("cells", "", func(m *scenes.BVPDistribution) *scenes.Distribution { return &m.Cells }, 2, 5, 63),
	dial("cell size", " m", func(m *scenes.BVPDistribution) *scenes.Distribution { return &m.CellSize }, 0.05, 0.05, 10),
	dial("view angle", " degrees", func(m *scenes.BVPDistribution) *scenes.Distribution { return &m.ViewAngle }, 15, 15, 360),
	dial("bias strength", "", func(m *scenes.BVPDistribution) *scenes.Distribution { return &m.Bias.Strength }, 0.1, -1.9, 1.9),
	{
		name: "bias direction",
		text: func(m *scenes.BVPDistribution) string {
			return fmt.Sprintf("%g degrees", heading(mean(m.Bias.Direction)))
		},
		turn: func(m *scenes.BVPDistribution, by float64) {
			before := mean(m.Bias.Direction)
			for i, x := range turned(before, 15*by) {
				move(&m.Bias.Direction[i], x-before[i])
			}
		},
	},
	dial("bias wave", "", func(m *scenes.BVPDistribution) *scenes.Distribution { return &m.Bias.Wave.Amplitude }, 0.1, 0, 10),
	dial("bias wave at", " Hz", func(m *scenes.BVPDistribution) *scenes.Distribution { return &m.Bias.Wave.Frequency }, 0.05, 0, 10),
	dial("bias phase", " degrees", func(m *scenes.BVPDistribution) *scenes.Distribution { return &m.Bias.Wave.Phase }, 15, -180, 180),
	dial("inertia", "", func(m *scenes.BVPDistribution) *scenes.Distribution { return &m.Inertia }, 0.05, 0, 0.95),
	dial("inertia time", " s", func(m *scenes.BVPDistribution) *scenes.Distribution { return &m.InertiaTime }, 0.1, 0.1, 2),
	choice("inertia of", func(m *scenes.BVPDistribution) *scenes.InertiaForm { return &m.InertiaForm }, scenes.InertiaAngle, scenes.InertiaVector),
	choice("speed control", func(m *scenes.BVPDistribution) *bool { return &m.SpeedControl }, true, false),
	choice("rules", func(m *scenes.BVPDistribution) *scenes.Rules { return &m.Rules }, scenes.RulesRobust, scenes.RulesPaper),
	choice("guide", func(m *scenes.BVPDistribution) *scenes.Guide { return &m.Guide }, scenes.GuideSPM, scenes.GuideHarmonic),
	choice("method", func(m *scenes.BVPDistribution) *scenes.Method { return &m.Method }, scenes.MethodRedBlack, scenes.MethodADI, scenes.MethodJacobiGS),
	dial("relaxations", "", func(m *scenes.BVPDistribution) *scenes.Distribution { return &m.Relaxations }, 5, 1, 10_000),
}

// tabled reports whether a table replaces the parameter.
func (k knob) tabled(m scenes.BVPDistribution) bool {
	return len(m.Table) > 0 && strings.HasPrefix(k.name, "bias")
}

// tuned returns the profile of the chosen agent and its local map; false if there is none.
func (v *viewer) tuned() (profile int, m scenes.BVPDistribution, ok bool) {
	if v.view.Chosen < 0 {
		return 0, m, false
	}
	profile = v.view.ProfileIndex
	m, ok = localMap(v.view.World, profile)
	return profile, m, ok
}

// knobs returns the lines of the tuner, if it is shown.
func (v *viewer) knobs() []string {
	if !v.tuner.shown {
		return nil
	}
	profile, m, ok := v.tuned()
	switch {
	case v.view.Chosen < 0:
		return []string{"no agent is selected: click one, or press n"}
	case !ok:
		return []string{
			fmt.Sprintf("profile %s has no local map", console.Legible(v.view.World.Scene().Profiles[profile].ID)), `its steering would have to be "bvp"`,
		}
	}
	lines := []string{fmt.Sprintf("profile %s, left and right bend it:", console.Legible(v.view.World.Scene().Profiles[profile].ID))}
	for i, k := range knobs {
		mark, text := " ", k.text(&m)
		if i == v.tuner.knob {
			mark = ">"
		}
		if k.tabled(m) {
			text = "by the scene's table"
		}
		lines = append(lines, fmt.Sprintf("%s %-15s %s", mark, k.name, text))
	}
	return lines
}

// tune handles an arrow key.
func (v *viewer) tune(key string) error {
	switch key {
	case "up":
		v.tuner.knob = (v.tuner.knob + len(knobs) - 1) % len(knobs)
		return nil
	case "down":
		v.tuner.knob = (v.tuner.knob + 1) % len(knobs)
		return nil
	}
	profile, m, ok := v.tuned()
	k := knobs[v.tuner.knob]
	if !ok || k.tabled(m) {
		return nil
	}
	before := m
	k.turn(&m, map[string]float64{"left": -1, "right": 1}[key])
	err := v.setLocalMap(profile, m)
	if err == nil {
		v.edits.undoStack = append(v.edits.undoStack, func() error { return v.setLocalMap(profile, before) })
	}
	return v.showRefusal(err)
}

// localMap returns the local map of a profile, by its index; false if it has none.
func localMap(w *engine.World, profile int) (scenes.BVPDistribution, bool) {
	p, err := w.Profile(w.Profiles()[profile])
	return p.BVP, err == nil && p.Steering == scenes.SteeringBVP
}

// setLocalMap replaces the local map of a profile, by its index.
func (v *viewer) setLocalMap(profile int, m scenes.BVPDistribution) error {
	w := v.view.World
	_, err := w.Edit(func(e *engine.Edit) error {
		id := w.Profiles()[profile]
		p, err := w.Profile(id)
		if err != nil {
			return err
		}
		p.BVP = m
		e.SetProfile(id, p)
		return nil
	})
	return err
}
