package main

import (
	"image/color"
	"math"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// look is how a picture shows a world; verbs embed it as their flags.
type look struct {
	Goal    string         `placeholder:"ID" help:"The goal whose map is shown. If not given, the goal of the agent that --agent names, or else the scene's first goal."`
	Layers  layers         `default:"regions,isolines,obstacles,sources,agents" placeholder:"LIST" help:"What is shown, with commas between: ${layers}. Sources are those of the goal whose map is shown; without a map, those of all goals that agents walk to. Paths are those of some agents; potential is the goal's global one, trails are where agents have walked."`
	Agent   *int           `placeholder:"N" help:"The agent whose path and local map are shown, by number: 0 is the first that the scene places."`
	Palette render.Palette `enum:"calm,paper,distance" default:"calm" help:"Colors of the ground: ${enum}."`
}

// layers lets kong read a list of layers.
type layers render.Layers

func (l *layers) UnmarshalText(text []byte) error {
	parsed, err := render.ParseLayers(string(text))
	*l = layers(parsed)
	return err
}

// stage is a world with what it takes to show it.
type stage struct {
	device   *gpu.Device
	world    *engine.World
	renderer *render.Renderer
	look     look
	goal     int  // index of the goal whose map is shown
	told     bool // somebody chose it: it stays, wherever the chosen agent walks
	chosen   int  // the agent whose path and local map are shown; -1: nobody
	manner   int  // its profile
	edited   bool // by a hand, which shows the other goals' sources itself
	ways     *agents.Ways
	trails   *render.Trails          // nil while none are shown
	before   *gpu.Buffer[bvp.Walker] // who has a local map, as before the last step; nil before the first and while none are shown
}

// shownPaths is how many agents have their paths shown in a picture where nobody picked one.
const shownPaths = 12

func newStage(d *gpu.Device, doc *document, l look) (*stage, error) {
	goal, err := goalOf(doc.Scene, l.Goal)
	if err != nil {
		return nil, err
	}
	st := &stage{device: d, look: l, chosen: -1, told: l.Goal != "", goal: slices.IndexFunc(doc.Goals, func(g scenes.Goal) bool { return g.ID == goal.ID })}
	if _, err := doc.mapSize(); err != nil {
		return nil, err
	}
	if st.world, err = engine.New(d, doc.Scene, engine.Options{}); err != nil {
		return nil, doc.explain(err)
	}
	if st.renderer, err = render.New(d); err != nil {
		st.free()
		return nil, err
	}
	if err := st.trail(); err != nil {
		st.free()
		return nil, err
	}
	if l.Agent != nil {
		st.look.Layers |= layers(render.Paths | render.LocalMap)
		n := st.world.Crowd().Count()
		if *l.Agent < 0 || *l.Agent >= n {
			st.free()
			return nil, usagef("--agent %d: the scene has %s, numbered from 0", *l.Agent, count(n, "agent", "agents"))
		}
		if err := st.choose(*l.Agent); err != nil {
			st.free()
			return nil, err
		}
	}
	return st, nil
}

// choose has the path and the local map of an agent shown; of -1 none.
func (st *stage) choose(agent int) error {
	st.chosen = agent
	if agent < 0 {
		return st.follow(nil)
	}
	var traits [1]agents.Traits
	st.world.Buffers().Agents.Traits.Read(agent, traits[:])
	st.manner = int(traits[0].Profile)
	st.aim()
	return st.follow([]int{agent})
}

// aim has the map of the goal shown that the chosen agent walks to, unless somebody chose a goal. It waits for the device.
func (st *stage) aim() {
	if st.told || st.chosen < 0 {
		return
	}
	var state [1]agents.Agent
	st.world.Buffers().Agents.Agents.Read(st.chosen, state[:])
	if goal := state[0].Layer; goal != agents.OwnPoint {
		st.goal = int(goal)
	}
}

// show has the map of a goal shown from now on.
func (st *stage) show(goal int) { st.goal, st.told = goal, true }

// follow has the paths of some agents shown from now on: those given, or none.
func (st *stage) follow(chosen []int) (err error) {
	if st.ways != nil {
		st.ways.Delete()
		st.ways = nil
	}
	if len(chosen) > 0 {
		st.ways, err = st.world.Crowd().Follow(chosen)
	}
	return err
}

// step takes the world a tick further, and the trails.
func (st *stage) step() error {
	if err := st.remember(); err != nil {
		return err
	}
	if err := st.world.Step(); err != nil {
		return err
	}
	return st.trail()
}

// remember keeps which way walkers look: a step stamps their maps with what they see there, and turns them.
func (st *stage) remember() (err error) {
	maps := st.world.LocalMaps()
	if maps == nil || maps.Walkers().Len() == 0 || render.Layers(st.look.Layers)&render.LocalMap == 0 {
		st.forget()
		return nil
	}
	now := maps.Walkers()
	if st.before == nil || st.before.Len() != now.Len() {
		st.forget()
		if st.before, err = gpu.NewBuffer[bvp.Walker](st.device, "navview walkers before", now.Len()); err != nil {
			return err
		}
	}
	st.device.Barrier(gpu.BarrierUpdate)
	now.CopyTo(st.before, now.Len())
	return nil
}

func (st *stage) forget() {
	if st.before != nil {
		st.before.Delete()
		st.before = nil
	}
}

// trail takes the trails to where the agents are. They begin when they are first shown, and are forgotten when they are hidden.
func (st *stage) trail() (err error) {
	crowd := st.world.Buffers().Agents
	switch shown := render.Layers(st.look.Layers)&render.Walked != 0; {
	case !shown && st.trails != nil:
		st.trails.Delete()
		st.trails = nil
	case shown && st.trails == nil:
		st.trails, err = render.NewTrails(st.device, crowd, st.colour)
	case shown:
		st.trails.Extend(crowd, st.world.Scene().Simulation.Timestep)
	}
	return err
}

// colour is that of an agent on its way to its first goal.
func (st *stage) colour(t agents.Traits) color.RGBA {
	scene := st.world.Scene()
	itinerary := scene.Groups[t.Group].Itinerary
	if len(scene.Goals) == 1 || len(itinerary) == 0 {
		return render.GoalColour(int(t.Group))
	}
	return render.GoalColour(slices.IndexFunc(scene.Goals, func(g scenes.Goal) bool { return g.ID == itinerary[0] }))
}

// set is what a verb works with that takes pictures of a world.
type set struct {
	*stage
	out    *output
	host   *host
	canvas *canvas
}

// takePicture opens an output, a context, a canvas and the stage, has work done with them, and closes them. Smooth canvases are
// larger than the picture by a factor where the device has textures so large.
func takePicture(s *session, doc *document, l look, file string, pixels size, smooth bool, work func(*set) error) (err error) {
	out, err := create(file, s.stdout)
	if err != nil {
		return err
	}
	defer out.close(&err)
	h, err := openHost(s)
	if err != nil {
		return err
	}
	defer func() { err = h.finish(err) }()
	oversize := 1
	if smooth && 2*max(pixels.width, pixels.height) <= h.device.Info().Limits.MaxTextureSize {
		oversize = 2
	}
	c, err := newCanvas(h.device, pixels, oversize)
	if err != nil {
		return err
	}
	defer c.free()
	begin := newProgress(s.stderr, "maps and agents", 0)
	st, err := newStage(h.device, doc, l)
	begin.done()
	if err != nil {
		return err
	}
	defer st.free()
	if err := st.showable(render.Layers(l.Layers)); err != nil {
		return err
	}
	if render.Layers(l.Layers)&render.Paths != 0 && st.chosen < 0 {
		if err := st.follow(st.some(shownPaths)); err != nil {
			return err
		}
	}
	return work(&set{st, out, h, c})
}

// some are up to n agents, evenly spread over all.
func (st *stage) some(n int) []int {
	count := st.world.Crowd().Count()
	n = min(n, count)
	chosen := make([]int, n)
	for i := range chosen {
		chosen[i] = i * count / n
	}
	return chosen
}

// advanceTo runs the ticks that a time of the simulation takes, and says how much of the last one is still to be shown.
// After each tick, done is called.
func (st *stage) advanceTo(at time.Duration, done func()) (behind float64, err error) {
	for ticks := st.ticks(at); st.world.Ticks() < ticks; done() {
		if err := st.step(); err != nil {
			return 0, err
		}
	}
	return max(0, st.world.Time()-at.Seconds()), nil
}

// ticks is the number of ticks after which a time has come. A time that is a whole number of ticks but for a part in 10^9
// counts as one: time steps such as 0.1 s are no binary fractions.
func (st *stage) ticks(at time.Duration) uint64 {
	return uint64(math.Ceil(at.Seconds() / st.world.Scene().Simulation.Timestep * (1 - 1e-9)))
}

// fit is the camera that shows the whole domain, and the chosen agent's local map where it reaches beyond, above a strip of so many pixels, or a third of the picture if that is less.
func (st *stage) fit(s size, ratio, strip float64) render.Camera {
	const margin = 24 // nominal pixels
	low, high := st.world.Scene().Min(), st.world.Scene().Max()
	if mapLow, mapHigh, ok := st.localMap(); ok && render.Layers(st.look.Layers)&render.LocalMap != 0 {
		for k := range low {
			low[k], high[k] = min(low[k], mapLow[k]), max(high[k], mapHigh[k])
		}
	}
	strip = math.Floor(min(strip, float64(s.height)/3))
	camera := render.Fit(low, high, s.width, s.height-int(strip), margin*ratio)
	camera.Height = s.height
	camera.Pan(0, -strip/2)
	return camera
}

// localMap is the square of the ground that the chosen agent's local map lies on; false where there is none. It waits for the device.
func (st *stage) localMap() (low, high mgl64.Vec2, ok bool) {
	maps := st.world.LocalMaps()
	if maps == nil || st.chosen < 0 {
		return low, high, false
	}
	i, ok := maps.Walker(st.chosen)
	if !ok {
		return low, high, false
	}
	var w [1]bvp.Walker
	maps.Walkers().Read(i, w[:])
	middle := st.world.Ground().Lattice.Origin.Add(mgl64.Vec2{float64(w[0].Stamped[0]), float64(w[0].Stamped[1])})
	half := 0.5 * float64(w[0].Cells) * maps.Parameters(i).CellSize
	return middle.Sub(mgl64.Vec2{half, half}), middle.Add(mgl64.Vec2{half, half}), w[0].Cells > 0 && w[0].Body != bvp.NotThere
}

// draw draws the world as it is, with another map if the picture has one. Nothing is read back.
func (st *stage) draw(p render.Picture) error {
	sources, err := st.world.Sources(st.world.Goals()[st.goal])
	if err != nil {
		return err
	}
	if st.ways != nil {
		if err := st.ways.Update(); err != nil {
			return err
		}
	}
	b := st.world.Buffers()
	p.Layers, p.Palette = render.Layers(st.look.Layers), st.look.Palette
	if p.Map == nil {
		p.Map, p.Layer, p.Ground = b.Maps, st.goal, st.world.Ground()
	}
	p.Margin = st.world.Scene().Goals[st.goal].Clearance > 0
	if marks := st.marks(); marks != nil {
		p.Sketches = append(p.Sketches, marks...)
	} else {
		p.Sources, p.Segments = sources.Points, sources.Segments
	}
	for _, s := range st.world.Asleep() {
		if s.Goal == st.world.Goals()[st.goal] {
			p.Asleep = append(p.Asleep, s.Index)
		}
	}
	p.Crowd, p.ByGroup, p.Ways, p.Trails = b.Agents, len(st.world.Goals()) == 1, st.ways, st.trails
	if p.Potential, err = st.world.HarmonicMap(st.world.Goals()[st.goal]); err != nil {
		return err
	}
	if st.chosen >= 0 {
		p.LocalMaps, p.Before, p.Agent, p.Timestep = st.world.LocalMaps(), st.before, st.chosen, st.world.Scene().Simulation.Timestep
		if team, ok := st.world.Team(st.chosen); ok {
			p.Teams, p.Team = st.world.Teams(), team
		}
	}
	p.Panels = append(p.Panels, st.legend(p)...)
	return st.renderer.Draw(p)
}

// marks are the sources of all goals that somebody walks to, in the colours of who does, where a picture tells ways, but no map of one goal;
// nil: only the sources of the goal shown are there.
func (st *stage) marks() []render.Sketch {
	const mapped = render.Regions | render.Isolines | render.Parents | render.Potential
	scene, layers := st.world.Scene(), render.Layers(st.look.Layers)
	if st.edited || st.told || layers&render.Sources == 0 || layers&mapped != 0 || len(scene.Goals) == 1 {
		return nil
	}
	var all []render.Sketch
	for i, g := range scene.Goals {
		walked := slices.ContainsFunc(scene.Groups, func(group scenes.Group) bool { return slices.Contains(group.Itinerary, g.ID) })
		sources, err := st.world.Sources(st.world.Goals()[i])
		if walked && err == nil {
			all = append(all, marksOf(sources, i))
		}
	}
	return all
}

// Measures of the sources of goals whose map is not shown, in nominal pixels.
const (
	othersRadius = 8
	othersWidth  = 3
)

// marksOf are the sources of a goal, by its number, in the colour of who walks there.
func marksOf(sources spm.Goal, goal int) render.Sketch {
	return render.Sketch{
		Lines: sources.Segments, Marks: sources.Points, Colour: render.GoalColour(goal), Width: othersWidth, Radius: othersRadius, Target: true,
	}
}

// ends are segments as package draw takes them.
func ends(segments []scenes.Segment) [][2]mgl64.Vec2 {
	list := make([][2]mgl64.Vec2, len(segments))
	for i, s := range segments {
		list[i] = s
	}
	return list
}

func (st *stage) free() {
	if st.ways != nil {
		st.ways.Delete()
	}
	if st.trails != nil {
		st.trails.Delete()
	}
	if st.renderer != nil {
		st.renderer.Delete()
	}
	st.forget()
	st.world.Close()
}
