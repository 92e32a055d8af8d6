package stage

import (
	"image/color"
	"math"
	"slices"
	"time"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
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
	Pinned        bool // chosen by a user: it does not follow the chosen agent
	Chosen        int  // the agent whose path and local map are shown; -1: none
	profileIndex  int  // its profile
	Edited        bool // by the viewer, which draws the sources of other goals itself
	Paths         *agents.Paths
	trails        *render.Trails          // nil while none are shown
	walkersBefore *gpu.Buffer[bvp.Walker] // before the last step; nil before the first one, and if the layer is hidden
}

// New creates a world and what shows it. The error is *console.UsageError for wrong flags, or that
// of engine.New with the places of the scene.
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
	if err := st.begin(l); err != nil {
		st.Free()
		return nil, err
	}
	return st, nil
}

// begin makes the renderer and what is shown at first.
func (st *Stage) begin(l Look) (err error) {
	if st.renderer, err = render.New(st.device); err != nil {
		return err
	}
	if err := st.trail(); err != nil || l.Agent == nil {
		return err
	}
	st.Look.Layers |= render.Paths | render.LocalMap
	n := st.World.Crowd().Count()
	if *l.Agent < 0 || *l.Agent >= n {
		return console.Usagef("--agent %d: the scene has %s, numbered from 0", *l.Agent, console.Count(n, "agent", "agents"))
	}
	return st.Choose(*l.Agent)
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
	now.CopyTo(st.walkersBefore, now.Len())
	return nil
}

func (st *Stage) dropWalkers() {
	st.walkersBefore.Delete()
	st.walkersBefore = nil
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

// Free frees the stage and its world.
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
