package worldview

import (
	"image/color"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/figure"
	"github.com/wayfront/wayfront/engine/render"
)

// Figure returns what a picture shows as vector graphics. Behind is how much of the last step is still to
// be shown, in seconds. It waits for the device. The error is *console.UsageError for layers that
// figures do not have, or one of the device.
func (v *View) Figure(camera render.Camera, behind float64) (*figure.Figure, error) {
	layers := v.Look.Layers
	if v.Look.Agent != nil {
		layers &^= render.LocalMap // which comes with --agent
	}
	if rest := layers &^ figure.Drawable; rest != 0 {
		return nil, console.Usagef("--layers %v: figures have %v alone: write a .png", rest, figure.Drawable)
	}
	goal := v.World.Goals()[v.Goal]
	f := &figure.Figure{
		Camera: camera, Layers: layers, Palette: v.Look.Palette, Ground: v.World.Ground(),
		Margin: v.World.Scene().Goals[v.Goal].Clearance > 0,
	}
	sources, err := v.World.Sources(goal)
	if err != nil {
		return nil, err
	}
	if f.Sources = v.marks(); f.Sources == nil {
		f.Sources = render.SketchSources(sources.Points, sources.Segments, v.blocked())
	}
	if f.View, err = v.World.View(goal); err != nil {
		return nil, err
	}
	m, layer := v.World.Buffers().Maps, v.layer()
	f.Mapped = m.Ground(layer)
	colors, peak, err := v.renderer.RegionColors(m, layer)
	if err != nil {
		return nil, err
	}
	f.Tint = func(node int) (c color.RGBA) {
		if node < 0 {
			return render.Style.Unreached
		}
		return colors[m.Record(layer, node)]
	}
	f.Peak = peak
	return f, v.populate(f, behind)
}

// populate adds agents, and paths of those that are followed.
func (v *View) populate(f *figure.Figure, behind float64) error {
	count := v.World.Crowd().Count()
	state, traits := make([]agents.Agent, count), make([]agents.Traits, count)
	if count > 0 {
		v.World.Crowd().Snapshot(state)
		v.World.Buffers().Agents.Traits.Read(0, traits)
	}
	origin := v.World.Ground().Lattice.Origin
	place := func(i int) mgl64.Vec2 {
		p, u := state[i].Position, state[i].Velocity
		return origin.Add(mgl64.Vec2{float64(p[0]) - behind*float64(u[0]), float64(p[1]) - behind*float64(u[1])})
	}
	for i, a := range state {
		if a.Status != agents.Walking && a.Status != agents.Arrived && a.Status != agents.Placed {
			continue
		}
		number := a.Layer
		if len(v.World.Goals()) == 1 {
			number = traits[i].Group
		}
		f.Agents = append(f.Agents, figure.Agent{At: place(i), Radius: float64(traits[i].Radius), Color: render.GoalColor(int(number))})
	}
	var followed []int
	switch {
	case v.Look.Layers&render.Paths == 0:
	case v.Chosen >= 0:
		followed = []int{v.Chosen}
	default:
		followed = v.some(shownPaths)
	}
	for _, i := range followed {
		goal := indexOf(v.World.Goals(), state[i].Layer)
		if state[i].Status != agents.Walking || state[i].Target == agents.Elsewhere || goal < 0 {
			continue
		}
		view, err := v.World.View(v.World.Goals()[goal])
		if err != nil {
			return err
		}
		if path := view.Path(place(i)); path != nil {
			f.Paths = append(f.Paths, path)
		}
	}
	return nil
}
