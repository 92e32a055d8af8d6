// Package worldview shows a world: one goal's map, one agent's path and local map, layers, and a
// legend. Pictures, films and the viewer draw by it.
package worldview

import (
	"image/color"
	"slices"
	"time"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/cmd/navview/internal/simulation"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
)

// Look is the flags of how a picture shows a world.
type Look struct {
	Goal    string         `placeholder:"ID" help:"The goal whose map is shown. If not given, the goal of the agent that --agent names, or else the scene's first goal."`
	Layers  render.Layers  `default:"regions,isolines,obstacles,sources,agents,density" placeholder:"LIST" help:"What is shown, with commas between: ${layers}. Sources are those of the goal whose map is shown; without a map, those of all goals that agents walk to. Paths are those of some agents; potential is the goal's global one, trails are where agents have walked. Density and speed shade the ground where agents are smaller than about 3 pixels, or, without agents in the list, wherever they are."`
	Marks   time.Duration  `placeholder:"1s" help:"Trails, with a dot where an agent was at each so much simulated time; where it stood, one as large as all."`
	Agent   *int           `placeholder:"N" help:"The agent whose path and local map are shown, by number: 0 is the first that the scene places."`
	Palette render.Palette `enum:"calm,paper,distance" default:"calm" help:"Colors of the ground: ${enum}."`
}

// View is a world with its renderer and what is shown of it.
type View struct {
	device        *gpu.Device
	World         *engine.World
	renderer      *render.Renderer
	Look          Look
	Goal          int  // index of the goal that has its map shown, in World.Goals and in the scene
	Pinned        bool // the goal was chosen by a user: it does not follow the chosen agent
	Chosen        int  // the agent whose path and local map are shown; -1: none
	ProfileIndex  int  // its profile, in World.Profiles and in the scene
	synced        bool // the next tick changes agents
	Edited        bool // by the viewer, which draws the sources of other goals and the legend itself
	Paths         *agents.Paths
	trails        *render.Trails            // nil while none are shown
	times         timeMarks                 // on them
	walkersBefore *gpu.Buffer[local.Walker] // before the last step; nil: none, or hidden
}

// New creates a world and what shows it. The error is *console.UsageError for wrong flags, or that
// of engine.New with the places of the scene.
func New(d *gpu.Device, doc *document.Document, l Look) (*View, error) {
	return NewWith(d, doc, l, engine.Options{})
}

// NewWith is New of a world with options.
func NewWith(d *gpu.Device, doc *document.Document, l Look, o engine.Options) (*View, error) {
	if _, err := doc.GoalByID(l.Goal); err != nil {
		return nil, err
	}
	if _, err := doc.MapSize(); err != nil {
		return nil, err
	}
	world, err := engine.New(d, doc.Scene, o)
	if err != nil {
		return nil, doc.Explain(err)
	}
	return Of(d, world, l)
}

// Of shows a world, which belongs to the view: after an error it is closed. The error is
// *console.UsageError for wrong flags, or one of the device.
func Of(d *gpu.Device, w *engine.World, l Look) (*View, error) {
	v := &View{device: d, World: w, Look: l, Chosen: -1, Pinned: l.Goal != ""}
	var err error
	if v.Goal, err = (&document.Document{Scene: w.Document()}).GoalByID(l.Goal); err == nil {
		err = v.begin()
	}
	if err != nil {
		v.Delete()
		return nil, err
	}
	return v, nil
}

// begin makes the renderer and what is shown at first.
func (v *View) begin() (err error) {
	if v.renderer, err = render.New(v.device); err != nil {
		return err
	}
	switch {
	case v.Look.Marks < 0:
		return console.Usagef("--marks %v: more than 0s", v.Look.Marks)
	case v.Look.Marks > 0:
		v.Look.Layers |= render.Walked
	}
	if err := v.trail(); err != nil || v.Look.Agent == nil {
		return err
	}
	v.Look.Layers |= render.Paths | render.LocalMap
	agent, n := *v.Look.Agent, v.World.Crowd().Count()
	if agent < 0 || agent >= n {
		return console.Usagef("--agent %d: the scene has %s, numbered from 0", agent, console.Count(n, "agent", "agents"))
	}
	return v.Choose(agent)
}

// Choose shows the path and the local map of an agent; -1: of none.
func (v *View) Choose(agent int) error {
	v.Chosen = agent
	if agent < 0 {
		return v.follow(nil)
	}
	var traits [1]agents.Traits
	v.World.Buffers().Agents.Traits.Read(agent, traits[:])
	v.ProfileIndex = max(0, indexOf(v.World.Profiles(), traits[0].Profile)) // until the tick after it is gone: the first
	v.FollowGoal()
	return v.follow([]int{agent})
}

// FollowGoal shows the map of the goal that the chosen agent walks to, unless a goal is pinned. It
// waits for the device.
func (v *View) FollowGoal() {
	if v.Pinned || v.Chosen < 0 {
		return
	}
	var state [1]agents.Agent
	v.World.Buffers().Agents.Agents.Read(v.Chosen, state[:])
	if goal := indexOf(v.World.Goals(), state[0].Layer); goal >= 0 { // it is no point of its own
		v.Goal = goal
	}
}

// indexOf finds what has a slot among handles; -1: nothing.
func indexOf[T ~uint64](handles []T, slot uint32) int {
	return slices.IndexFunc(handles, func(h T) bool { return uint32(h) == slot })
}

// layer is the layer of the shown map.
func (v *View) layer() int { return Layer(v.World.Goals()[v.Goal]) }

// Layer is the layer of a goal's map, and the number of its color.
func Layer(goal engine.GoalID) int { return int(uint32(goal)) }

// Sync makes the world equal to a scene, agents kept, and shows what it showed as far as that is
// there. Maps of goals that come are there at once, and all of another domain; others follow while
// frames go on. Errors are those of engine.World.Sync, and nothing has changed then, or those of Poll
// and Apply.
func (v *View) Sync(s *scenes.Scene) error {
	w, goal, chosen, domain := v.World, v.World.Goals()[v.Goal], v.chosen(), v.World.Scene().Domain
	waits := domain != s.Domain || w.Scene().Map != s.Map ||
		!slices.EqualFunc(w.Scene().Goals, s.Goals, func(a, b scenes.Goal) bool { return a.ID == b.ID })
	report, err := w.Sync(s)
	if err != nil {
		return err
	}
	for err == nil && waits && w.Building() { // which Apply does not wait for
		err = w.Poll()
	}
	if err == nil {
		err = w.Apply()
	}
	if err != nil {
		return err
	}
	return v.keep(goal, chosen, report.Touched.Agents > 0 || domain != s.Domain)
}

// keep shows the same goal and agent as before, as far as they are there. Where slots or places of
// agents may come to be those of others, trails begin anew.
func (v *View) keep(goal engine.GoalID, chosen engine.AgentID, others bool) error {
	if v.Goal = slices.Index(v.World.Goals(), goal); v.Goal < 0 {
		v.Goal, v.Pinned = 0, false
	}
	if others {
		v.trails.Delete()
		v.trails = nil
	}
	if v.synced = true; v.chosen() != chosen {
		v.Chosen = -1
	}
	return v.Choose(v.Chosen)
}

// Rollback brings the world back to a checkpoint, and shows what it showed as far as that was there.
// An agent that has left since is there again. Errors are those of engine.World.Rollback.
func (v *View) Rollback(c *engine.Checkpoint) error {
	goal, chosen := v.World.Goals()[v.Goal], v.chosen()
	if err := v.follow(nil); err != nil { // slots that the world of then may not have
		return err
	}
	if err := v.World.Rollback(c); err != nil {
		return err
	}
	if chosen == 0 {
		if chosen = v.chosen(); chosen == 0 {
			v.Chosen = -1
		}
	}
	return v.keep(goal, chosen, true)
}

// chosen is the handle of the chosen agent; 0: there is none.
func (v *View) chosen() engine.AgentID {
	all := v.World.Agents(nil)
	if i := indexOf(all, uint32(v.Chosen)); v.Chosen >= 0 && i >= 0 {
		return all[i]
	}
	return 0
}

// Show shows the map of a goal and pins it.
func (v *View) Show(goal int) { v.Goal, v.Pinned = goal, true }

// follow shows the paths of the given agents, or of none.
func (v *View) follow(chosen []int) (err error) {
	if v.Paths != nil {
		v.Paths.Delete()
		v.Paths = nil
	}
	if len(chosen) > 0 {
		v.Paths, err = v.World.Crowd().Follow(chosen)
	}
	return err
}

// Step advances the world by a tick, and the trails.
func (v *View) Step() error {
	if err := v.keepWalkers(); err != nil {
		return err
	}
	if err := v.World.Step(); err != nil {
		return err
	}
	if v.synced {
		v.synced = false
		if err := v.Choose(v.Chosen); err != nil {
			return err
		}
	}
	return v.trail()
}

// keepWalkers copies the walkers of local maps before a step, which stamps their maps and then
// turns them.
func (v *View) keepWalkers() (err error) {
	maps := v.World.LocalMaps()
	count := 0
	if maps != nil && v.Look.Layers&render.LocalMap != 0 {
		count = maps.Walkers().Len()
	}
	if v.walkersBefore != nil && v.walkersBefore.Len() != count {
		v.walkersBefore.Delete()
		v.walkersBefore = nil
	}
	if count == 0 {
		return nil
	}
	if v.walkersBefore == nil {
		if v.walkersBefore, err = gpu.NewBuffer[local.Walker](v.device, "navview walkers before", count); err != nil {
			return err
		}
	}
	maps.Walkers().CopyTo(v.walkersBefore, count)
	return nil
}

// trail extends the trails. They begin when the layer is first shown, and end when it is hidden.
func (v *View) trail() (err error) {
	crowd := v.World.Buffers().Agents
	switch shown := v.Look.Layers&render.Walked != 0; {
	case !shown:
		v.trails.Delete()
		v.trails = nil
	case v.trails == nil:
		v.times = timeMarks{last: map[int]int{}}
		v.trails, err = render.NewTrails(v.device, crowd, v.color)
	default:
		v.trails.Extend(crowd, v.World.Scene().Simulation.Timestep)
	}
	if err == nil && v.Look.Marks > 0 {
		v.times.add(v, v.Look.Marks)
	}
	return err
}

// color is the color of an agent on its way to its first goal.
func (v *View) color(t agents.Traits) color.RGBA {
	layer := v.World.Crowd().FirstLayer(t)
	if len(v.World.Scene().Goals) == 1 || layer == agents.OwnPoint {
		return render.GoalColor(int(t.Group))
	}
	return render.GoalColor(int(layer))
}

// AdvanceTo steps to a simulated time, calls done after each step, and returns how much of the last
// step is still to be shown.
func (v *View) AdvanceTo(at time.Duration, done func()) (behind float64, err error) {
	for ticks := v.Ticks(at); v.World.Ticks() < uint64(ticks); done() {
		if err := v.Step(); err != nil {
			return 0, err
		}
	}
	return max(0, v.World.Time()-at.Seconds()), nil
}

// Ticks is the number of ticks after which a time has come.
func (v *View) Ticks(at time.Duration) int { return simulation.Ticks(v.World.Scene(), at.Seconds()) }

// Delete frees the view and its world.
func (v *View) Delete() {
	_ = v.follow(nil) // following none cannot fail
	v.trails.Delete()
	v.walkersBefore.Delete()
	v.renderer.Delete()
	v.World.Close()
}
