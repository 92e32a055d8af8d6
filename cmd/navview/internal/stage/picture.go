package stage

import (
	"image"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// shownPaths is the number of agents whose paths are shown if none is chosen.
const shownPaths = 12

// Set is what verbs draw pictures with.
type Set struct {
	*Stage
	Out    *console.Output
	Host   *Host
	Canvas *Canvas
}

// WithPicture calls work with an output, a context, a canvas and the stage, and closes them. Smooth
// canvases are twice as large where the device's textures allow.
func WithPicture(s *console.Session, doc *Document, l Look, file string, pixels image.Point, smooth bool, work func(*Set) error) (err error) {
	out, err := console.Create(file, s.Stdout)
	if err != nil {
		return err
	}
	defer out.Close(&err)
	return WithHost(s, func(h *Host) error { return withStage(s, &Set{Out: out, Host: h}, doc, l, pixels, smooth, work) })
}

// withStage calls work with a canvas and the stage.
func withStage(s *console.Session, set *Set, doc *Document, l Look, pixels image.Point, smooth bool, work func(*Set) error) (err error) {
	h, oversize := set.Host, 1
	if smooth && 2*max(pixels.X, pixels.Y) <= h.Device.Info().Limits.MaxTextureSize {
		oversize = 2
	}
	if set.Canvas, err = NewCanvas(h.Device, pixels, oversize); err != nil {
		return err
	}
	defer set.Canvas.Free()
	begin := console.NewProgress(s.Stderr, "maps and agents", 0)
	set.Stage, err = New(h.Device, doc, l)
	begin.Done()
	if err != nil {
		return err
	}
	st := set.Stage
	defer st.Free()
	if err := st.showable(l.Layers); err != nil {
		return err
	}
	if l.Layers&render.Paths != 0 && st.Chosen < 0 {
		if err := st.follow(st.some(shownPaths)); err != nil {
			return err
		}
	}
	return work(set)
}

// some returns up to n agents, evenly spread over all.
func (st *Stage) some(n int) []int {
	count := st.World.Crowd().Count()
	n = min(n, count)
	chosen := make([]int, n)
	for i := range chosen {
		chosen[i] = i * count / n
	}
	return chosen
}

// Fit returns the camera that shows the domain and the chosen agent's local map above a strip of so
// many pixels, or of a third of the picture if that is less.
func (st *Stage) Fit(s image.Point, ratio, strip float64) render.Camera {
	const margin = 24 // nominal pixels
	low, high := st.World.Scene().Min(), st.World.Scene().Max()
	if mapLow, mapHigh, ok := st.localMap(); ok && st.Look.Layers&render.LocalMap != 0 {
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
func (st *Stage) localMap() (low, high mgl64.Vec2, ok bool) {
	maps := st.World.LocalMaps()
	if maps == nil || st.Chosen < 0 {
		return low, high, false
	}
	i, ok := maps.Walker(st.Chosen)
	if !ok {
		return low, high, false
	}
	var w [1]bvp.Walker
	maps.Walkers().Read(i, w[:])
	middle := st.World.Ground().Lattice.Origin.Add(mgl64.Vec2{float64(w[0].Stamped[0]), float64(w[0].Stamped[1])})
	half := 0.5 * float64(w[0].Cells) * maps.Parameters(i).CellSize
	return middle.Sub(mgl64.Vec2{half, half}), middle.Add(mgl64.Vec2{half, half}), w[0].Cells > 0 && w[0].Body != bvp.NotThere
}

// Draw draws the world, with another map if the picture has one. Nothing is read back.
func (st *Stage) Draw(p render.Picture) error {
	sources, err := st.World.Sources(st.World.Goals()[st.Goal])
	if err != nil {
		return err
	}
	if st.Paths != nil {
		if err := st.Paths.Update(); err != nil {
			return err
		}
	}
	b := st.World.Buffers()
	p.Layers, p.Palette = st.Look.Layers, st.Look.Palette
	if p.Map == nil {
		p.Map, p.Layer, p.Ground = b.Maps, st.Goal, st.World.Ground()
	}
	p.Margin = st.World.Scene().Goals[st.Goal].Clearance > 0
	if marks := st.marks(); marks != nil {
		p.Sketches = append(p.Sketches, marks...)
	} else {
		p.Sources, p.Segments = sources.Points, sources.Segments
	}
	for _, s := range st.World.Asleep() {
		if s.Goal == st.World.Goals()[st.Goal] {
			p.Blocked = append(p.Blocked, s.Index)
		}
	}
	p.Crowd, p.ByGroup, p.Ways, p.Trails = b.Agents, len(st.World.Goals()) == 1, st.Paths, st.trails
	if p.Potential, err = st.World.HarmonicMap(st.World.Goals()[st.Goal]); err != nil {
		return err
	}
	if st.Chosen >= 0 {
		p.LocalMaps, p.Before, p.Agent, p.Timestep = st.World.LocalMaps(), st.walkersBefore, st.Chosen, st.World.Scene().Simulation.Timestep
		if team, ok := st.World.Team(st.Chosen); ok {
			p.Teams, p.Team = st.World.Teams(), team
		}
	}
	p.Panels = append(p.Panels, st.Legend(p)...)
	return st.renderer.Draw(p)
}

// marks returns the sources of all goals that agents walk to, for pictures of agents without a map.
// Nil: only the sources of the shown goal are drawn.
func (st *Stage) marks() []render.Sketch {
	const mapped = render.Regions | render.Isolines | render.Parents | render.Potential
	scene, layers := st.World.Scene(), st.Look.Layers
	if st.Edited || st.Pinned || layers&render.Sources == 0 || layers&mapped != 0 || len(scene.Goals) == 1 {
		return nil
	}
	var all []render.Sketch
	for i, g := range scene.Goals {
		walked := slices.ContainsFunc(scene.Groups, func(group scenes.Group) bool { return slices.Contains(group.Itinerary, g.ID) })
		sources, err := st.World.Sources(st.World.Goals()[i])
		if walked && err == nil {
			all = append(all, MarksOf(sources, i))
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

// Ends converts segments for package render.
func Ends(segments []scenes.Segment) [][2]mgl64.Vec2 {
	list := make([][2]mgl64.Vec2, len(segments))
	for i, s := range segments {
		list[i] = s
	}
	return list
}
