package stage

import (
	"image"
	"image/color"
	"math"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// Look is the flags of how a picture shows a world.
type Look struct {
	Goal    string         `placeholder:"ID" help:"The goal whose map is shown. If not given, the goal of the agent that --agent names, or else the scene's first goal."`
	Layers  render.Layers  `default:"regions,isolines,obstacles,sources,agents" placeholder:"LIST" help:"What is shown, with commas between: ${layers}. Sources are those of the goal whose map is shown; without a map, those of all goals that agents walk to. Paths are those of some agents; potential is the goal's global one, trails are where agents have walked."`
	Agent   *int           `placeholder:"N" help:"The agent whose path and local map are shown, by number: 0 is the first that the scene places."`
	Palette render.Palette `enum:"calm,paper,distance" default:"calm" help:"Colors of the ground: ${enum}."`
}

// Stage is a world with its renderer and what is shown of it.
type Stage struct {
	device        *gpu.Device
	World         *engine.World
	renderer      *render.Renderer
	Look          Look
	Goal          int  // index of the goal whose map is shown
	Pinned        bool // somebody chose it: it stays, wherever the chosen agent walks
	Chosen        int  // the agent whose path and local map are shown; -1: nobody
	profileIndex  int  // its profile
	Edited        bool // by a hand, which shows the other goals' sources itself
	Paths         *agents.Ways
	trails        *render.Trails          // nil while none are shown
	walkersBefore *gpu.Buffer[bvp.Walker] // who has a local map, as before the last step; nil before the first and while none are shown
}

// shownPaths is the number of agents whose paths are shown if none is chosen.
const shownPaths = 12

func New(d *gpu.Device, doc *Document, l Look) (*Stage, error) {
	goal, err := goalOf(doc.Scene, l.Goal)
	if err != nil {
		return nil, err
	}
	st := &Stage{device: d, Look: l, Chosen: -1, Pinned: l.Goal != "", Goal: slices.IndexFunc(doc.Goals, func(g scenes.Goal) bool { return g.ID == goal.ID })}
	if _, err := doc.MapSize(); err != nil {
		return nil, err
	}
	if st.World, err = engine.New(d, doc.Scene, engine.Options{}); err != nil {
		return nil, doc.Explain(err)
	}
	if st.renderer, err = render.New(d); err != nil {
		st.Free()
		return nil, err
	}
	if err := st.trail(); err != nil {
		st.Free()
		return nil, err
	}
	if l.Agent != nil {
		st.Look.Layers |= render.Paths | render.LocalMap
		n := st.World.Crowd().Count()
		if *l.Agent < 0 || *l.Agent >= n {
			st.Free()
			return nil, console.Usagef("--agent %d: the scene has %s, numbered from 0", *l.Agent, console.Count(n, "agent", "agents"))
		}
		if err := st.Choose(*l.Agent); err != nil {
			st.Free()
			return nil, err
		}
	}
	return st, nil
}

// Choose shows the path and the local map of an agent; -1: of none.
func (st *Stage) Choose(agent int) error {
	st.Chosen = agent
	if agent < 0 {
		return st.follow(nil)
	}
	var traits [1]agents.Traits
	st.World.Buffers().Agents.Traits.Read(agent, traits[:])
	st.profileIndex = int(traits[0].Profile)
	st.FollowGoal()
	return st.follow([]int{agent})
}

// FollowGoal shows the map of the goal that the chosen agent walks to, unless a goal is pinned. It
// waits for the device.
func (st *Stage) FollowGoal() {
	if st.Pinned || st.Chosen < 0 {
		return
	}
	var state [1]agents.Agent
	st.World.Buffers().Agents.Agents.Read(st.Chosen, state[:])
	if goal := state[0].Layer; goal != agents.OwnPoint {
		st.Goal = int(goal)
	}
}

// Show shows the map of a goal and pins it.
func (st *Stage) Show(goal int) { st.Goal, st.Pinned = goal, true }

// follow shows the paths of the given agents, or of none.
func (st *Stage) follow(chosen []int) (err error) {
	if st.Paths != nil {
		st.Paths.Delete()
		st.Paths = nil
	}
	if len(chosen) > 0 {
		st.Paths, err = st.World.Crowd().Follow(chosen)
	}
	return err
}

// Step advances the world by a tick, and the trails.
func (st *Stage) Step() error {
	if err := st.keepWalkers(); err != nil {
		return err
	}
	if err := st.World.Step(); err != nil {
		return err
	}
	return st.trail()
}

// keepWalkers copies the walkers of local maps before a step, which stamps their maps and then
// turns them.
func (st *Stage) keepWalkers() (err error) {
	maps := st.World.LocalMaps()
	if maps == nil || maps.Walkers().Len() == 0 || st.Look.Layers&render.LocalMap == 0 {
		st.dropWalkers()
		return nil
	}
	now := maps.Walkers()
	if st.walkersBefore == nil || st.walkersBefore.Len() != now.Len() {
		st.dropWalkers()
		if st.walkersBefore, err = gpu.NewBuffer[bvp.Walker](st.device, "navview walkers before", now.Len()); err != nil {
			return err
		}
	}
	st.device.Barrier(gpu.BarrierUpdate)
	now.CopyTo(st.walkersBefore, now.Len())
	return nil
}

func (st *Stage) dropWalkers() {
	if st.walkersBefore != nil {
		st.walkersBefore.Delete()
		st.walkersBefore = nil
	}
}

// trail extends the trails. They begin when the layer is first shown, and end when it is hidden.
func (st *Stage) trail() (err error) {
	crowd := st.World.Buffers().Agents
	switch shown := st.Look.Layers&render.Walked != 0; {
	case !shown && st.trails != nil:
		st.trails.Delete()
		st.trails = nil
	case shown && st.trails == nil:
		st.trails, err = render.NewTrails(st.device, crowd, st.color)
	case shown:
		st.trails.Extend(crowd, st.World.Scene().Simulation.Timestep)
	}
	return err
}

// color is the color of an agent on its way to its first goal.
func (st *Stage) color(t agents.Traits) color.RGBA {
	scene := st.World.Scene()
	itinerary := scene.Groups[t.Group].Itinerary
	if len(scene.Goals) == 1 || len(itinerary) == 0 {
		return render.GoalColor(int(t.Group))
	}
	return render.GoalColor(slices.IndexFunc(scene.Goals, func(g scenes.Goal) bool { return g.ID == itinerary[0] }))
}

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

// AdvanceTo steps to a simulated time, calls done after each step, and returns how much of the last
// step is still to be shown.
func (st *Stage) AdvanceTo(at time.Duration, done func()) (behind float64, err error) {
	for ticks := st.Ticks(at); st.World.Ticks() < ticks; done() {
		if err := st.Step(); err != nil {
			return 0, err
		}
	}
	return max(0, st.World.Time()-at.Seconds()), nil
}

// Ticks is the number of ticks after which a time has come. A whole number of ticks but for a part
// in 10^9 counts as whole: 0.1 s is no binary fraction.
func (st *Stage) Ticks(at time.Duration) uint64 {
	return uint64(math.Ceil(at.Seconds() / st.World.Scene().Simulation.Timestep * (1 - 1e-9)))
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

func (st *Stage) Free() {
	if st.Paths != nil {
		st.Paths.Delete()
	}
	if st.trails != nil {
		st.trails.Delete()
	}
	if st.renderer != nil {
		st.renderer.Delete()
	}
	st.dropWalkers()
	st.World.Close()
}
