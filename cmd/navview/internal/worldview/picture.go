package worldview

import (
	"image"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// shownPaths is the number of agents whose paths are shown if none is chosen.
const shownPaths = 12

// Set is what verbs draw pictures with.
type Set struct {
	*View
	Out    *console.Output
	Device *gpu.Device
	Canvas *render.Canvas
}

// WithPicture calls work with an output, a context, a canvas and the view, and closes them. The
// canvas is twice as large as the picture where the device's textures allow, so that pictures and
// frames of films have the same smooth edges.
func WithPicture(
	s *console.Session, doc *document.Document, l Look, file string, pixels image.Point, work func(*Set) error,
) (err error) {
	out, err := console.Create(file, s.Stdout)
	if err != nil {
		return err
	}
	defer out.Close(&err)
	return device.With(s, func(h *device.Host) error {
		oversize := 1
		if 2*max(pixels.X, pixels.Y) <= h.Device.Info().Limits.MaxTextureSize {
			oversize = 2
		}
		canvas, err := render.NewCanvas(h.Device, pixels, oversize)
		if err != nil {
			return err
		}
		defer canvas.Delete()
		begin := console.NewProgress(s.Stderr, "maps and agents", 0)
		v, err := New(h.Device, doc, l)
		begin.Done()
		if err != nil {
			return err
		}
		defer v.Delete()
		if err := v.showable(l.Layers); err != nil {
			return err
		}
		if l.Layers&render.Paths != 0 && v.Chosen < 0 {
			if err := v.follow(v.some(shownPaths)); err != nil {
				return err
			}
		}
		return work(&Set{v, out, h.Device, canvas})
	})
}

// some returns up to n agents, evenly spread over all.
func (v *View) some(n int) []int {
	count := v.World.Crowd().Count()
	n = min(n, count)
	chosen := make([]int, n)
	for i := range chosen {
		chosen[i] = i * count / n
	}
	return chosen
}

// Fit returns the camera that shows the domain and the chosen agent's local map above a strip of so
// many pixels, or of a third of the picture if that is less.
func (v *View) Fit(s image.Point, ratio, strip float64) render.Camera {
	const margin = 24 // nominal pixels
	low, high := v.World.Scene().Min(), v.World.Scene().Max()
	if mapLow, mapHigh, ok := v.localMap(); ok && v.Look.Layers&render.LocalMap != 0 {
		for k := range low {
			low[k], high[k] = min(low[k], mapLow[k]), max(high[k], mapHigh[k])
		}
	}
	strip = math.Floor(min(strip, float64(s.Y)/3))
	camera := render.Fit(low, high, s.X, s.Y-int(strip), margin*ratio)
	camera.Height = s.Y
	camera.Pan(0, -strip/2)
	return camera
}

// localMap returns the square of the chosen agent's local map; false if there is none. It waits for
// the device.
func (v *View) localMap() (low, high mgl64.Vec2, ok bool) {
	maps := v.World.LocalMaps()
	if maps == nil || v.Chosen < 0 {
		return low, high, false
	}
	i, ok := maps.Walker(v.Chosen)
	if !ok {
		return low, high, false
	}
	var w [1]local.Walker
	maps.Walkers().Read(i, w[:])
	middle := v.World.Ground().Lattice.Origin.Add(mgl64.Vec2{float64(w[0].Stamped[0]), float64(w[0].Stamped[1])})
	half := 0.5 * float64(w[0].Cells) * maps.Parameters(i).CellSize
	return middle.Sub(mgl64.Vec2{half, half}), middle.Add(mgl64.Vec2{half, half}), w[0].Cells > 0 && w[0].Body != local.NotThere
}

// Draw draws the world, with another map if the picture has one. Nothing is read back.
func (v *View) Draw(p render.Picture) error {
	sources, err := v.World.Sources(v.World.Goals()[v.Goal])
	if err != nil {
		return err
	}
	if v.Paths != nil {
		if err := v.Paths.Update(); err != nil {
			return err
		}
	}
	b := v.World.Buffers()
	p.Layers, p.Palette = v.Look.Layers, v.Look.Palette
	if p.Map == nil {
		p.Map, p.Layer, p.Ground = b.Maps, v.layer(), v.World.Ground()
	}
	doors := v.doorsOfStaff()
	p.Sketches = append(p.Sketches, doors)
	p.Margin = v.World.Scene().Goals[v.Goal].Clearance > 0 || len(doors.Lines) > 0
	if v.trails != nil {
		p.Sketches = append(p.Sketches, v.times.sketches()...)
	}
	if marks := v.marks(); marks != nil {
		p.Sketches = append(p.Sketches, marks...)
	} else {
		p.Sources, p.Segments = sources.Points, sources.Segments
	}
	p.Blocked = v.blocked()
	p.Crowd, p.ByGroup, p.Paths, p.Trails = b.Agents, len(v.World.Goals()) == 1, v.Paths, v.trails
	p.LeastRadius, p.Time = v.leastRadius(), v.World.Time()
	if p.Potential, err = v.World.HarmonicMap(v.World.Goals()[v.Goal]); err != nil {
		return err
	}
	if v.Chosen >= 0 {
		p.LocalMaps, p.Before, p.Agent, p.Timestep = v.World.LocalMaps(), v.walkersBefore, v.Chosen, v.World.Scene().Simulation.Timestep
		if team, ok := v.World.Team(v.Chosen); ok {
			p.Teams, p.Team = v.World.Teams(), team
		}
	}
	p.Panels = append(p.Panels, v.Legend(p)...)
	return v.renderer.Draw(p)
}

// blocked returns the sources of the shown goal that obstacles cover, by index.
func (v *View) blocked() (all []int) {
	for _, s := range v.World.BlockedSources() {
		if s.Goal == v.World.Goals()[v.Goal] {
			all = append(all, s.Index)
		}
	}
	return all
}

// marks returns the sources of all goals that agents walk to, for pictures of agents without a map.
// Nil: only the sources of the shown goal are drawn.
func (v *View) marks() []render.Sketch {
	const mapped = render.Regions | render.Isolines | render.Parents | render.Potential
	scene, layers := v.World.Scene(), v.Look.Layers
	if v.Edited || v.Pinned || layers&render.Sources == 0 || layers&mapped != 0 || len(scene.Goals) == 1 {
		return nil
	}
	var all []render.Sketch
	for i, g := range scene.Goals {
		walked := slices.ContainsFunc(scene.Groups, func(group scenes.Group) bool { return group.WalksTo(g.ID) })
		sources, err := v.World.Sources(v.World.Goals()[i])
		if walked && err == nil {
			all = append(all, MarksOf(sources, Layer(v.World.Goals()[i])))
		}
	}
	return all
}

// staffWidth and staffDash are of the outlines of doors for staff only, in nominal pixels.
const (
	staffWidth = 2
	staffDash  = 5
)

// doorsOfStaff are the outlines of obstacles that are for staff only, which are no walls of the ground
// that is drawn.
func (v *View) doorsOfStaff() render.Sketch {
	all := render.Sketch{Color: render.GoalColor(0), Width: staffWidth, Dash: staffDash}
	scene := v.World.Scene()
	for _, o := range scene.Obstacles {
		if !o.StaffOnly || !o.PresentAt(v.World.Time()) {
			continue
		}
		for _, ring := range o.Polygon().Rings() {
			for k, p := range ring {
				all.Lines = append(all.Lines, [2]mgl64.Vec2{p, ring[(k+1)%len(ring)]})
			}
		}
	}
	return all
}

// Measures of the sources of goals whose map is not shown, in nominal pixels.
const (
	othersRadius = 8
	othersWidth  = 3
)

// MarksOf returns the sources of a goal, in the color of its agents.
func MarksOf(sources spm.Goal, goal int) render.Sketch {
	return render.Sketch{
		Lines: sources.Segments, Marks: sources.Points, Color: render.GoalColor(goal), Width: othersWidth, Radius: othersRadius, Target: true,
	}
}
